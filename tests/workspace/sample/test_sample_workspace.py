"""The sample holds together, is made up throughout, and moves with the day it is loaded on."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import fields
from datetime import date, datetime, timedelta
from typing import TypeVar
from zoneinfo import ZoneInfo

import pytest

from sayso.workspace.goals import goal_status
from sayso.workspace.names import fold
from sayso.workspace.records import (
    Channel,
    Chunk,
    CommitmentRecord,
    DocumentRecord,
    EventRecord,
    GoalRecord,
    HabitRecord,
    PersonRecord,
    ProjectRecord,
)
from sayso.workspace.sample import sample_records

TODAY = date(2026, 11, 30)
ZONE = ZoneInfo("Europe/Zurich")
T = TypeVar("T")
RECORDS = sample_records(TODAY, ZONE)
ON_NO_RECORD = {"Verwaltung Uferweg"}
"""Counterparties that the sample deliberately has no person for."""
PHONE = re.compile(r"\+\d[\d ]{7,}\d")
FICTIONAL_PHONE = re.compile(r"\+41 79 555 \d\d \d\d|\+44 20 7946 0\d{3}|\+41 77 473 00 93")


def of(kind: type[T]) -> list[T]:
    return [record for record in RECORDS if isinstance(record, kind)]


def words_of(record: object) -> str:
    """Every text of a record, its parts included."""
    if isinstance(record, str):
        return record
    if isinstance(record, tuple):
        return "\n".join(words_of(item) for item in record)
    if isinstance(record, (Channel, Chunk)) or record in RECORDS:
        return "\n".join(words_of(getattr(record, field.name)) for field in fields(record))
    return ""


TEXT = "\n".join(words_of(record) for record in RECORDS)
PEOPLE = {person.name: person for person in of(PersonRecord)}


def test_sample_has_enough_of_each_kind():
    counts = Counter(type(record) for record in RECORDS)
    assert counts == {
        PersonRecord: 62,
        ProjectRecord: 8,
        GoalRecord: 12,
        HabitRecord: 6,
        CommitmentRecord: 26,
        EventRecord: 18,
        DocumentRecord: 40,
    }


def test_same_day_gives_same_records():
    assert sample_records(TODAY, ZONE) == RECORDS


def test_every_record_names_its_source_and_no_key_is_used_twice():
    assert {record.source for record in RECORDS} == {"sample"}
    keys = [(type(record), record.source_key) for record in RECORDS]
    assert all(key for _, key in keys)
    assert len(set(keys)) == len(keys)


def test_keys_are_the_same_on_any_day():
    later = sample_records(TODAY + timedelta(days=400), ZONE)
    assert [record.source_key for record in later] == [record.source_key for record in RECORDS]


def test_missing_values_are_never_empty_strings():
    for record in RECORDS:
        assert all(getattr(record, field.name) != "" for field in fields(record)), record


def test_no_two_records_of_a_kind_have_the_same_name():
    names = Counter((type(record), getattr(record, "name", getattr(record, "title", ""))) for record in RECORDS)
    assert max(names.values()) == 1


def test_counterparties_are_people_or_deliberately_unknown():
    named = {commitment.counterparty for commitment in of(CommitmentRecord) if commitment.counterparty}
    assert named - PEOPLE.keys() == ON_NO_RECORD


def test_attendees_are_people():
    assert {name for event in of(EventRecord) for name in event.attendees} <= PEOPLE.keys()


def test_goals_are_a_tree_of_three_levels():
    parents = {goal.title: goal.parent for goal in of(GoalRecord)}

    def depth(title: str) -> int:
        parent = parents[title]
        return 1 if parent is None else 1 + depth(parent)

    assert {depth(title) for title in parents} == {1, 2, 3}


def test_goals_show_every_status():
    assert {goal_status(goal, TODAY) for goal in of(GoalRecord)} == {"done", "behind", "on track", None}


def test_links_of_notes_lead_to_notes():
    titles = {document.title for document in of(DocumentRecord)}
    assert {link for document in of(DocumentRecord) for link in document.links} <= titles


def test_every_note_has_a_title_a_date_tags_and_text():
    for document in of(DocumentRecord):
        assert document.date, document.path
        assert document.tags, document.path
        assert all(chunk.text for chunk in document.chunks), document.path
        assert document.chunks, document.path


def test_notes_name_their_days_as_dates():
    migration = next(d for d in of(DocumentRecord) if d.path == "decisions/database-2-postgresql.md")
    assert migration.date == TODAY - timedelta(days=33)
    assert (TODAY + timedelta(days=21)).isoformat() in words_of(migration)
    assert "{{" not in TEXT


def test_days_move_with_today():
    later = sample_records(TODAY + timedelta(days=10), ZONE)
    for old, new in zip(RECORDS, later, strict=True):
        if isinstance(old, CommitmentRecord) and isinstance(new, CommitmentRecord) and old.due and new.due:
            assert new.due - old.due == timedelta(days=10)
        if isinstance(old, HabitRecord) and isinstance(new, HabitRecord):
            assert new.check_ins == tuple(day + timedelta(days=10) for day in old.check_ins)
        if isinstance(old, PersonRecord) and isinstance(new, PersonRecord):
            assert new.birthday == old.birthday


@pytest.mark.parametrize("day", [date(2027, 3, 27), date(2027, 10, 30), date(2028, 2, 29)])
def test_events_keep_their_time_of_day_when_the_clock_changes(day: date):
    events = {r.title: r for r in sample_records(day, ZONE) if isinstance(r, EventRecord)}
    assert events["Italian lesson"].starts == datetime(day.year, day.month, day.day, 18, tzinfo=ZONE) + timedelta(
        days=1
    )
    assert all(event.starts.utcoffset() is not None for event in events.values())
    assert all(event.ends is None or event.ends > event.starts for event in events.values())


def test_open_commitments_are_overdue_due_today_soon_and_later():
    left = [c.due - TODAY for c in of(CommitmentRecord) if c.status == "open" and c.due]
    assert min(left).days < 0
    assert timedelta(0) in left
    assert any(0 < days.days < 7 for days in left)
    assert any(days.days >= 14 for days in left)
    assert {c.status for c in of(CommitmentRecord)} == {"open", "done", "cancelled"}
    assert any(c.due is None for c in of(CommitmentRecord))


def test_check_ins_lie_in_the_last_60_days_and_never_ahead():
    for habit in of(HabitRecord):
        assert all(0 <= (TODAY - day).days <= 60 for day in habit.check_ins), habit.name


def test_last_interactions_are_in_the_past():
    assert all(p.last_interaction < TODAY for p in of(PersonRecord) if p.last_interaction)


def test_birthdays_are_dates_or_days_of_a_year():
    for person in of(PersonRecord):
        if person.birthday:
            date.fromisoformat(person.birthday.replace("--", "2000-"))


def test_two_elenas_share_only_a_first_name():
    assert PEOPLE["Elena Weber"] == PersonRecord(
        "Elena Weber",
        affiliation="SINGA Switzerland",
        channels=(Channel("whatsapp", "+41 77 473 00 93"),),
        source="sample",
        source_key="person/elena-weber",
    )
    other = PEOPLE["Elena Rossi-Brandt"]
    assert other.affiliation
    assert other.role
    assert [name for name in PEOPLE if name.startswith("Elena ")] == ["Elena Weber", "Elena Rossi-Brandt"]


def test_uzh_appears_only_inside_a_surname():
    ilya = PEOPLE["Ilya Druzhnikov"]
    assert (ilya.affiliation, ilya.role) == (None, None)
    assert re.search(r"\buzh\b", fold(TEXT)) is None
    assert "uzh" not in fold(TEXT).replace("druzhnikov", "")


def test_some_people_have_only_a_name():
    bare = [p for p in of(PersonRecord) if p == PersonRecord(p.name, source="sample", source_key=p.source_key)]
    assert len(bare) >= 4


def test_phone_numbers_are_fictional():
    numbers = PHONE.findall(TEXT)
    assert len(numbers) > 30
    assert [number for number in numbers if not FICTIONAL_PHONE.fullmatch(number)] == []


def test_no_two_people_share_an_address():
    addresses = Counter(channel.value for person in of(PersonRecord) for channel in person.channels)
    assert max(addresses.values()) == 1


def test_every_mail_and_web_address_ends_in_example():
    domains = re.findall(r"@([\w.-]+\w)", TEXT) + re.findall(r"https?://([\w.-]+\w)", TEXT)
    assert domains
    assert [domain for domain in domains if not domain.endswith(".example")] == []


def test_newer_notes_contradict_older_ones():
    passages = {document.path: words_of(document) for document in of(DocumentRecord)}
    assert "keep Karteikasten on SQLite" in passages["decisions/database-1-sqlite.md"]
    assert "PostgreSQL with pgvector" in passages["decisions/database-2-postgresql.md"]
    assert "CHF 3,200" in passages["decisions/office-lease-1-first-offer.md"]
    assert "CHF 3,450" in passages["decisions/office-lease-2-second-offer.md"]
    dates = {document.path: document.date for document in of(DocumentRecord)}
    assert dates["decisions/database-1-sqlite.md"] < dates["decisions/database-2-postgresql.md"]
    assert dates["decisions/office-lease-1-first-offer.md"] < dates["decisions/office-lease-2-second-offer.md"]


def test_one_note_tries_to_give_orders():
    assert [d.path for d in of(DocumentRecord) if "Note to assistants" in words_of(d)] == ["how-to/suggestion-box.md"]
