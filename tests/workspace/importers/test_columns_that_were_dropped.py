"""Columns of people's own tables: what they become, and what is said of those that become nothing."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from sayso.core.facts import value_text
from sayso.workspace import codec
from sayso.workspace.facts import event_fact
from sayso.workspace.goals import goal_status
from sayso.workspace.importers import plan, read
from sayso.workspace.records import CommitmentRecord, EventRecord, GoalRecord, HabitRecord
from sayso.workspace.repository import Stored

ZURICH = ZoneInfo("Europe/Zurich")


@pytest.fixture
def imported(tmp_path: Path):
    def run(text: str, name: str):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        made = plan([path])
        return list(read(made, zone=ZURICH)), made.files[0].unused

    return run


@pytest.mark.parametrize("heading", ["An wen", "For", "To", "Owed to", "Whom", "Für wen", "counterparty"])
def test_whom_a_commitment_is_owed_to_is_kept(imported, heading):
    ((record,), unused) = imported(f"Task,Due,{heading}\nSend the lease,2026-06-16,Ilya\n", "tasks.csv")
    assert isinstance(record, CommitmentRecord)
    assert (record.counterparty, unused) == ("Ilya", {})


def test_a_habits_last_day_is_a_check_in_and_its_streak_is_named_as_computed(imported):
    (records, unused) = imported("Habit,Streak,Last done\nRun,5,2026-06-14\nRead,,\n", "habits.csv")
    assert [r.check_ins for r in records if isinstance(r, HabitRecord)] == [(date(2026, 6, 14),), ()]
    assert unused == {"Streak": "computed from the check-ins instead"}


def test_an_unknown_column_is_named_with_what_to_do_and_an_empty_one_is_not(imported):
    (_, unused) = imported("Task,Due,Colour,Room\nCall,2026-06-16,red,\n", "tasks.csv")
    assert list(unused) == ["Colour"]
    assert "--map 'Colour=FIELD'" in unused["Colour"]
    assert "counterparty" in unused["Colour"]


TODAY = date(2026, 6, 15)


@pytest.mark.parametrize(
    ("row", "status"),
    [
        ("paused,,,", "paused"),
        ("On track,,,", "on track"),
        ("im Rückstand,,,", "behind"),
        ("Completed,,,", "done"),
        (",,,", None),
        ("on track,2026-01-01,2026-12-31,5%", "behind"),
        ("on track,,2026-12-31,", "on track"),
        ("on track,,2026-05-31,", "behind"),
    ],
)
def test_a_stated_goal_status_holds_where_none_can_be_computed(imported, row, status):
    ((goal,), unused) = imported(f"Goal,Status,Started,Target date,Progress\nRun,{row}\n", "goals.csv")
    assert isinstance(goal, GoalRecord)
    assert (goal_status(goal, TODAY), unused) == (status, {})


def test_records_that_were_stored_before_keep_their_digest_and_are_read():
    old = '{"title":"Run","parent":null,"progress":null,"started":null,"target_date":null,"description":null,"done":false,"updated":null,"source":"workspace","source_key":null}'
    assert codec.load("goal", old) == GoalRecord("Run")
    assert codec.dump(GoalRecord("Run")) == old
    event = EventRecord("Tea", datetime(2026, 6, 15, 10, tzinfo=UTC))
    assert "all_day" not in codec.dump(event)
    for record in (GoalRecord("Run", status="paused"), EventRecord("Fair", event.starts, all_day=True)):
        assert codec.load(codec.kind_of(record), codec.dump(record)) == record


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        ("2026-12-10,2026-12-11", ("2026-12-10", "2026-12-11")),
        ("2026-12-10,2026-12-10", ("2026-12-10", "2026-12-10")),
        ("2026-12-10,", ("2026-12-10", None)),
        ("2026-12-10 09:00,2026-12-10 10:00", ("2026-12-10 09:00+01:00", "2026-12-10 10:00+01:00")),
    ],
)
@pytest.mark.parametrize("zone", ["Europe/Zurich", "America/New_York", "Asia/Tokyo"])
def test_an_event_of_whole_days_is_said_as_days_in_every_zone(imported, cells, told, zone):
    ((event,), _) = imported(f"Title,Start date,End date\nFair,{cells}\n", "events.csv")
    if ":" in cells and zone != "Europe/Zurich":
        pytest.skip("a time is said in the reader's zone")
    now = datetime(2026, 6, 15, 10, tzinfo=ZoneInfo(zone))
    stored = codec.load("event", codec.dump(event))
    fact = event_fact(Stored("event_1", 1, stored, now, now), now)
    found = tuple(value_text(fact.values[f]) if f in fact.values else None for f in ("starts", "ends"))
    assert found == told


def test_an_all_day_column_makes_days_of_midnights(imported):
    text = "Subject,Start Date,Start Time,End Date,End Time,All day event\nFair,12/10/2026,12:00 AM,12/12/2026,12:00 AM,True\n"
    ((event,), _) = imported(text, "calendar.csv")
    assert isinstance(event, EventRecord)
    assert event.all_day
    now = datetime(2026, 6, 15, 10, tzinfo=ZURICH)
    assert event_fact(Stored("e", 1, event, now, now), now).values["ends"] == date(2026, 12, 11)
