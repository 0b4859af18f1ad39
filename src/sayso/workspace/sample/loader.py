"""Reads the sample's files into records, with every day counted from the day it is asked for.

In the TOML files a whole number in place of a date is days from today (-12, 3), and `at` is a time of
that day. In the notes the front matter's `date` is such a number, and `{{-12}}` in the text becomes
an ISO date. It knows neither the clock nor the database: both day and zone are given.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any
from zoneinfo import ZoneInfo

from sayso.workspace.importers.notes import read_document
from sayso.workspace.records import (
    Channel,
    CommitmentRecord,
    DocumentRecord,
    EventRecord,
    GoalRecord,
    HabitRecord,
    PersonRecord,
    ProjectRecord,
    Record,
)

SOURCE = "sample"
_FRONT_DATE = re.compile(r"\A(---\n(?:.*\n)*?date: )([+-]?\d+)$", re.M)
_TEXT_DAY = re.compile(r"\{\{([+-]?\d+)\}\}")


def sample_records(today: date, zone: ZoneInfo) -> tuple[Record, ...]:
    """All records of the sample as of `today`; times of day are in `zone`. Same arguments, same records."""
    people = _rows("people")
    projects, goals, habits = _rows("projects"), _rows("goals"), _rows("habits")
    return (
        *(_person(row, today) for row in people),
        *(_project(row, today) for row in projects),
        *(_goal(row, today) for row in goals),
        *(_habit(row, today) for row in habits),
        *(_commitment(row, today) for row in _rows("commitments")),
        *(_event(row, today, zone) for row in _rows("events")),
        *_documents(today),
    )


def _rows(table: str) -> list[dict[str, Any]]:
    """The rows of one TOML file. An unknown key in a row ends as a TypeError of its record."""
    text = _folder().joinpath(f"{table}.toml").read_text("utf-8")
    rows: list[dict[str, Any]] = tomllib.loads(text)["row"]
    return rows


def _folder() -> Traversable:
    return files("sayso.workspace.sample")


def _identity(row: Mapping[str, Any], kind: str) -> dict[str, Any]:
    return {"source": SOURCE, "source_key": f"{kind}/{row['key']}"}


def _plain(row: Mapping[str, Any], *taken: str) -> dict[str, Any]:
    """The values that a record takes as they stand."""
    return {name: value for name, value in row.items() if name != "key" and name not in taken}


def _day(value: int | None, today: date) -> date | None:
    return None if value is None else today + timedelta(days=value)


def _person(row: Mapping[str, Any], today: date) -> PersonRecord:
    return PersonRecord(
        **_plain(row, "channels", "nicknames", "last_interaction"),
        channels=tuple(_channel(text) for text in row.get("channels", ())),
        nicknames=tuple(row.get("nicknames", ())),
        last_interaction=_day(row.get("last_interaction"), today),
        **_identity(row, "person"),
    )


def _channel(text: str) -> Channel:
    """ "phone +41 79 555 01 02 | work": kind, value, and a label where there is one."""
    kind, _, rest = text.partition(" ")
    value, _, label = rest.partition(" | ")
    return Channel(kind, value, label or None)


def _project(row: Mapping[str, Any], today: date) -> ProjectRecord:
    return ProjectRecord(
        **_plain(row, "stack", "updated"),
        stack=tuple(row.get("stack", ())),
        updated=_day(row.get("updated"), today),
        **_identity(row, "project"),
    )


def _goal(row: Mapping[str, Any], today: date) -> GoalRecord:
    return GoalRecord(
        **_plain(row, "started", "target_date", "updated"),
        started=_day(row.get("started"), today),
        target_date=_day(row.get("target_date"), today),
        updated=_day(row.get("updated"), today),
        **_identity(row, "goal"),
    )


def _habit(row: Mapping[str, Any], today: date) -> HabitRecord:
    days = sorted({day for item in row["check_ins"] for day in _span(item)})
    return HabitRecord(
        **_plain(row, "check_ins"),
        check_ins=tuple(today + timedelta(days=day) for day in days),
        **_identity(row, "habit"),
    )


def _span(item: int | str) -> range:
    """A day (-3), or a run of days ("-12..-8", both included)."""
    first, _, last = str(item).partition("..")
    return range(int(first), int(last or first) + 1)


def _commitment(row: Mapping[str, Any], today: date) -> CommitmentRecord:
    return CommitmentRecord(**_plain(row, "due"), due=_day(row.get("due"), today), **_identity(row, "commitment"))


def _event(row: Mapping[str, Any], today: date, zone: ZoneInfo) -> EventRecord:
    hour = time.fromisoformat(row["at"])
    starts = datetime.combine(today + timedelta(days=row["day"]), hour, zone)
    minutes = row.get("minutes")
    return EventRecord(
        **_plain(row, "day", "at", "minutes", "attendees"),
        starts=starts,
        ends=None if minutes is None else starts + timedelta(minutes=minutes),
        attendees=tuple(row.get("attendees", ())),
        **_identity(row, "event"),
    )


def _documents(today: date) -> Iterator[DocumentRecord]:
    for path, text in _notes(_folder().joinpath("notes"), ""):
        yield read_document(_dated(text, today), path, SOURCE)


def _notes(folder: Traversable, under: str) -> Iterator[tuple[str, str]]:
    """Each note's path below `notes/` and its text, in the order of their names."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _notes(entry, f"{under}{entry.name}/")
        elif entry.name.endswith(".md"):
            yield f"{under}{entry.name}", entry.read_text("utf-8")


def _dated(text: str, today: date) -> str:
    """The text with its days from today written out as ISO dates."""

    def iso(number: str) -> str:
        return (today + timedelta(days=int(number))).isoformat()

    text = _FRONT_DATE.sub(lambda match: match[1] + iso(match[2]), text, count=1)
    return _TEXT_DAY.sub(lambda match: iso(match[1]), text)
