"""Calendars as tables: what exports write for days, times, whole days and guests."""

from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.workspace.importers import BadValue, Rejected, plan, read
from sayso.workspace.importers.cells import read_moment, read_time
from sayso.workspace.records import CommitmentRecord, EventRecord, GoalRecord, HabitRecord, PersonRecord

ZURICH = ZoneInfo("Europe/Zurich")


@pytest.fixture
def imported(tmp_path: Path):
    def run(text: str, name: str = "calendar.csv", **options):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        made = plan([path], **options)
        assert [f.problem for f in made.files] == [None]
        return list(read(made, zone=ZURICH))

    return run


def at(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=ZURICH)


def test_an_english_calendar_is_read(imported):
    (event,) = imported(
        "Subject,Start Date,Start Time,End Date,End Time,All day event,Location,Required Attendees,Description\n"
        'Lunch,12/31/2026,1:00:00 PM,12/31/2026,2:30:00 PM,False,Café,"Weber, Elena; Lindt, Mara",Bring maps\n'
    )
    assert event == EventRecord(
        "Lunch", at(2026, 12, 31, 13), at(2026, 12, 31, 14, 30), "Café", ("Weber, Elena", "Lindt, Mara"), "Bring maps",
        "csv:calendar.csv", event.source_key,
    )  # fmt: skip


def test_a_german_calendar_is_read_and_known_by_its_headings(imported):
    (event,) = imported(
        "Betreff;Beginnt am;Beginnt um;Endet am;Endet um;Ort;Teilnehmer\n"
        "Sitzung;7.12.2026;15.00 Uhr;7.12.2026;16:15;Zimmer 4;Elena Weber, Ilya\n",
        "export.csv",
    )
    assert (event.title, event.starts, event.ends) == ("Sitzung", at(2026, 12, 7, 15), at(2026, 12, 7, 16, 15))
    assert (event.place, event.attendees) == ("Zimmer 4", ("Elena Weber", "Ilya"))


@pytest.mark.parametrize(
    ("heads", "row", "starts", "ends"),
    [
        ("Start,End", "2026-12-07 15:00,2026-12-07 16:00", at(2026, 12, 7, 15), at(2026, 12, 7, 16)),
        ("Start,End", "2026-12-07T15:00:00Z,20261207T153000Z", at(2026, 12, 7, 16), at(2026, 12, 7, 16, 30)),
        ("Start,End", "2026-12-07T15:00+01:00,", at(2026, 12, 7, 15), None),
        ("Start,End", "7.12.2026 9:05,9:50", at(2026, 12, 7, 9, 5), at(2026, 12, 7, 9, 50)),
        ("Start,End Time", "7.12.2026 22:00,1:00", at(2026, 12, 7, 22), at(2026, 12, 8, 1)),
        ("Date,Time", "2026-12-07,3 pm", at(2026, 12, 7, 15), None),
        ("Start Time,End Time", "2026-12-07 15:00,2026-12-07 16:00", at(2026, 12, 7, 15), at(2026, 12, 7, 16)),
        ("Start,End", "2026-12-07,2026-12-09", at(2026, 12, 7), at(2026, 12, 10)),
        ("Start,End", "2026-12-07,", at(2026, 12, 7), None),
        ("Start Date,Start Time,End Date,End Time,All Day", "12/7/2026,12:00 AM,12/25/2026,12:00 AM,TRUE",
         at(2026, 12, 7), at(2026, 12, 25)),
        ("Start,End", "2026-12-07 15:00,2026-12-07", at(2026, 12, 7, 15), None),
        ("Start,End", "2026-03-28 12:00,2026-03-29 12:00", at(2026, 3, 28, 12), at(2026, 3, 29, 12)),
    ],
)  # fmt: skip
def test_days_and_times_are_read_as_exports_write_them(imported, heads, row, starts, ends):
    (event,) = imported(f"Title,{heads}\nTea,{row}\n", kind="events")
    assert (event.starts, event.ends) == (starts, ends)
    assert event.starts.tzinfo is not None


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (",2026-12-07 15:00,,", "no title"),
        ("Tea,,,", "no start"),
        ("Tea,soon,,", '"soon" is no date'),
        ("Tea,31.2.2026,,", "no day of the calendar"),
        ("Tea,2026-12-07 25:00,,", '"25:00" is no time'),
    ],
)
def test_a_row_without_title_or_start_is_rejected_and_says_why(imported, row, reason):
    (rejected,) = imported(f"Title,Start,End,Location\n{row}\n")
    assert isinstance(rejected, Rejected)
    assert (rejected.place, reason in rejected.reason) == ("row 2", True)


def test_a_bad_end_keeps_its_event(imported):
    items = imported(
        "Title,Start,End,Location\nTea,2026-12-07 15:00,later,Here\nMilk,2026-12-07 15:00,2026-12-07 14:00,\n"
    )
    assert [(i.title, i.ends, i.place) for i in items if isinstance(i, EventRecord)] == [
        ("Tea", None, "Here"), ("Milk", None, None),
    ]  # fmt: skip
    assert [(i.place, i.column, i.reason) for i in items if isinstance(i, BadValue)] == [
        ("row 2", "End", '"later" is no date; write 2026-12-07; left empty'),
        ("row 3", "End", "the end is before the start; left empty"),
    ]


def test_events_without_a_start_column_are_refused_by_name(tmp_path: Path):
    path = tmp_path / "events.csv"
    path.write_text("Title,Location\nTea,Here\n")
    assert "no column holds the start" in (plan([path]).files[0].problem or "")


def test_other_tables_are_not_taken_for_calendars(tmp_path: Path):
    heads = {
        "Goal,Start,Deadline": "goals", "Task,Due,With": "commitments", "Habit,Date": "habits",
        "Name,Company,Title,Location,E-mail": "people", "Title,Start,End,Attendees": "events",
        "Titel;Datum;Uhrzeit;Ort": "events",
    }  # fmt: skip
    for number, (head, kind) in enumerate(heads.items()):
        path = tmp_path / f"x{number}.csv"
        path.write_text(head + "\n" + "a,b\n")
        assert plan([path]).files[0].kind == kind


@pytest.mark.parametrize(
    ("name", "text", "kept", "bad"),
    [
        ("commitments.csv", "Task,Due,With\nCall,soon,Elena\n", CommitmentRecord("Call", None, "Elena"), ["Due"]),
        ("goals.csv", "Goal,Progress,Deadline\nRun,lots,31.2.2026\n", GoalRecord("Run"), ["Progress", "Deadline"]),
        ("habits.csv", "Habit,Frequency,Date\nRun,at times,\"2026-12-01; never\"\n",
         HabitRecord("Run", "daily", (datetime(2026, 12, 1).date(),)), ["Date", "Frequency"]),
        ("people.csv", "Name,Birthday\nElena,in spring\n", PersonRecord("Elena"), ["Birthday"]),
    ],
)  # fmt: skip
def test_a_bad_value_is_named_and_its_row_is_kept(imported, name, text, kept, bad):
    first, *rest = imported(text, name)
    plain = {f: getattr(first, f) for f in kept.__slots__ if f not in ("source", "source_key")}
    assert plain == {f: getattr(kept, f) for f in plain}
    assert [(i.place, i.column) for i in rest] == [("row 2", column) for column in bad]
    assert all(isinstance(i, BadValue) and i.reason.startswith('"') for i in rest)


def test_a_card_with_a_bad_birthday_is_kept(imported):
    person, bad = imported("BEGIN:VCARD\nVERSION:3.0\nFN:Ann\nBDAY:spring\nEND:VCARD\n", "a.vcf")
    assert (person.name, person.birthday, bad.column) == ("Ann", None, "BDAY")


def test_reading_events_twice_gives_equal_records(imported):
    text = "Title,Start\nTea,2026-12-07 15:00\nTea,2026-12-07 15:00\n"
    first, second = imported(text), imported(text)
    assert first == second
    assert len({event.source_key for event in first}) == 2


@given(st.times(), st.sampled_from(["%H:%M", "%H.%M Uhr", "%I:%M %p", "%I:%M:%S %p", "%Hh%M"]))
def test_a_written_time_is_read_back(moment, form):
    if form == "%Hh%M":
        form = "%H:%M h"
    assert read_time(moment.strftime(form)) == moment.replace(second=0, microsecond=0)


@given(st.datetimes(datetime(1970, 1, 1), datetime(2069, 1, 1)), st.sampled_from(["%Y-%m-%d %H:%M", "%d.%m.%Y, %H:%M"]))
def test_a_written_moment_is_read_back(moment, form):
    read_back, timed = read_moment(moment.strftime(form), True, ZURICH)
    assert timed
    assert read_back.replace(tzinfo=None) == moment.replace(second=0, microsecond=0)


@given(st.text(max_size=40))
def test_any_cell_is_a_moment_or_a_value_error(cell):
    try:
        found, _ = read_moment(cell, True, ZURICH)
    except ValueError:
        return
    assert found + timedelta(0) == found
