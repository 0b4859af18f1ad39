"""Records as rows: their kind's name, JSON, digest, and the columns and words taken from them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from datetime import date as Day
from typing import Any

from pydantic import TypeAdapter

from sayso.workspace.names import index_words
from sayso.workspace.records import (
    Chunk,
    CommitmentRecord,
    DocumentRecord,
    EventRecord,
    GoalRecord,
    HabitRecord,
    PersonRecord,
    ProjectRecord,
    Record,
)

KINDS: Mapping[str, type[Record]] = {
    "person": PersonRecord,
    "project": ProjectRecord,
    "goal": GoalRecord,
    "habit": HabitRecord,
    "commitment": CommitmentRecord,
    "event": EventRecord,
    "document": DocumentRecord,
}
_NAMES = {record: name for name, record in KINDS.items()}


@dataclass(frozen=True)
class _Document:
    """A DocumentRecord's shape for pydantic: the record's own field `date` hides its type's name there."""

    title: str
    path: str
    chunks: tuple[Chunk, ...]
    tags: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    date: Day | None = None
    source: str = "workspace"
    source_key: str | None = None


_SHAPES: Mapping[str, type] = {**KINDS, "document": _Document}
_LATER: Mapping[str, str] = {"goal": "status", "event": "all_day"}
"""Fields that came after records were stored. Where one holds nothing it is not written, so that what a
source gave before has the digest that it had."""
_ADAPTERS: dict[str, TypeAdapter[Any]] = {name: TypeAdapter(shape) for name, shape in _SHAPES.items()}


@dataclass(frozen=True, slots=True)
class SearchText:
    """One row of the index: a record, or one chunk of a document."""

    part: int
    name: str
    body: str


def kind_of(record: Record) -> str:
    return _NAMES[type(record)]


def title_of(record: Record) -> str:
    return record.name if isinstance(record, PersonRecord | ProjectRecord | HabitRecord) else record.title


def dump(record: Record) -> str:
    kind = kind_of(record)
    later = _LATER.get(kind)
    empty = {later} if later and not getattr(record, later) else None
    return _ADAPTERS[kind].dump_json(record, exclude=empty).decode()


def load(kind: str, body: str) -> Record:
    return _record(_ADAPTERS[kind].validate_json(body))


def _record(value: Any) -> Record:
    return DocumentRecord(**vars(value)) if isinstance(value, _Document) else value


def digest(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()


def state_of(record: Record) -> str:
    if isinstance(record, ProjectRecord | CommitmentRecord):
        return record.status or ""
    return ""


def day_of(record: Record) -> str | None:
    """The day by which a record is looked up; an event's is that of its start in UTC."""
    if isinstance(record, CommitmentRecord):
        return _iso(record.due)
    if isinstance(record, EventRecord):
        return _iso(record.starts)
    if isinstance(record, GoalRecord):
        return _iso(record.target_date)
    return _iso(record.date) if isinstance(record, DocumentRecord) else None


def _iso(moment: date | datetime | None) -> str | None:
    if isinstance(moment, datetime):
        return moment.astimezone(UTC).date().isoformat()
    return moment.isoformat() if moment else None


def search_texts(record: Record) -> Iterator[SearchText]:
    """The words by which a record is found."""
    if isinstance(record, DocumentRecord):
        yield from _document_texts(record)
        return
    name, body = _texts(record)
    yield SearchText(0, index_words(name), index_words(body))


def _texts(record: Record) -> tuple[str, str]:
    match record:
        case PersonRecord():
            ways = [channel.value for channel in record.channels]
            parts = [record.affiliation, record.role, record.how_met, record.notes, *ways]
            return _joined([record.name, *record.nicknames]), _joined(parts)
        case ProjectRecord():
            return record.name, _joined([record.description, record.log, *record.stack])
        case GoalRecord():
            return record.title, _joined([record.description, record.parent])
        case HabitRecord():
            return record.name, ""
        case CommitmentRecord():
            return record.title, _joined([record.counterparty, record.notes])
        case EventRecord():
            return record.title, _joined([record.place, record.notes, *record.attendees])
        case DocumentRecord():
            return record.title, ""


def _document_texts(record: DocumentRecord) -> Iterator[SearchText]:
    about = index_words(_joined([record.title, *record.tags]))
    for number, chunk in enumerate(record.chunks):
        yield SearchText(number, _joined([about, index_words(chunk.heading)]), index_words(chunk.text))
    if not record.chunks:
        yield SearchText(0, about, "")


def _joined(parts: list[str | None]) -> str:
    return " . ".join(part for part in parts if part)
