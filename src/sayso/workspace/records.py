"""The records that the workspace keeps and importers make: frozen values, one class a table.

A record's `source_key` is its identity in the source that it came from (a vCard UID, a CSV row's
key, a file's path), so that a second import changes nothing; `None` means entered by hand.
Missing values are None or (), never "".
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class Channel:
    """A way to reach a person: kind is "email", "phone", "whatsapp", "signal", "url", "address" or other."""

    kind: str
    value: str
    label: str | None = None


@dataclass(frozen=True, slots=True)
class PersonRecord:
    name: str
    affiliation: str | None = None
    role: str | None = None
    channels: tuple[Channel, ...] = ()
    how_met: str | None = None
    last_interaction: date | None = None
    birthday: str | None = None  # ISO date, or "--MM-DD" where the year is not known
    notes: str | None = None
    nicknames: tuple[str, ...] = ()
    source: str = "workspace"
    source_key: str | None = None


@dataclass(frozen=True, slots=True)
class ProjectRecord:
    name: str
    status: str | None = None  # "active", "paused", "done", "idea"
    stack: tuple[str, ...] = ()
    description: str | None = None
    log: str | None = None
    updated: date | None = None
    source: str = "workspace"
    source_key: str | None = None


@dataclass(frozen=True, slots=True)
class GoalRecord:
    title: str
    parent: str | None = None  # the parent goal's title
    progress: int | None = None  # whole percent, 0 to 100
    started: date | None = None
    target_date: date | None = None
    description: str | None = None
    done: bool = False
    updated: date | None = None
    source: str = "workspace"
    source_key: str | None = None
    status: str | None = None  # as the source states it; what follows from the dates goes before it


@dataclass(frozen=True, slots=True)
class HabitRecord:
    name: str
    frequency: str = "daily"  # "daily", "weekly", or "N per week"
    check_ins: tuple[date, ...] = ()
    source: str = "workspace"
    source_key: str | None = None


@dataclass(frozen=True, slots=True)
class CommitmentRecord:
    title: str
    due: date | None = None
    counterparty: str | None = None
    status: str = "open"  # "open", "done", "cancelled"
    notes: str | None = None
    source: str = "workspace"
    source_key: str | None = None


@dataclass(frozen=True, slots=True)
class EventRecord:
    title: str
    starts: datetime  # with zone
    ends: datetime | None = None
    place: str | None = None
    attendees: tuple[str, ...] = ()
    notes: str | None = None
    source: str = "workspace"
    source_key: str | None = None
    all_day: bool = False  # whole days: both at midnight, `ends` that after the last day


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document under its heading path ("Decisions / Database")."""

    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """A note or page. `path` is relative to the folder that was imported; `links` are the titles it links to."""

    title: str
    path: str
    chunks: tuple[Chunk, ...]
    tags: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    date: date | None = None
    source: str = "workspace"
    source_key: str | None = None


Record = PersonRecord | ProjectRecord | GoalRecord | HabitRecord | CommitmentRecord | EventRecord | DocumentRecord
