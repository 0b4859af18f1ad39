"""CSV tables to people, projects, goals, habits, commitments and events, one record a row."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import TypeVar

from sayso.errors import ImportFailed
from sayso.workspace.importers import cells
from sayso.workspace.importers.columns import unique_headers
from sayso.workspace.importers.grids import SIGNS, Row, rows_of
from sayso.workspace.importers.plans import BadValue, Rejected, bounded
from sayso.workspace.importers.vcard import birthday
from sayso.workspace.records import (
    Channel,
    CommitmentRecord,
    EventRecord,
    GoalRecord,
    HabitRecord,
    PersonRecord,
    ProjectRecord,
    Record,
)

_CHANNELS = ("email", "phone", "whatsapp", "signal", "url", "address")
T = TypeVar("T")
DATE_FIELDS = frozenset(
    {
        "birthday",
        "last_interaction",
        "updated",
        "started",
        "target_date",
        "check_ins",
        "last_done",
        "due",
        "starts",
        "ends",
    }
)


@dataclass(slots=True)
class Table:
    headers: list[str]
    rows: list[Row]

    def holds(self, header: str) -> bool:
        """Whether a column has any content."""
        index = self.headers.index(header)
        return any(row.cells[index] for row in self.rows if index < len(row.cells))


@dataclass(slots=True)
class _Values:
    """One row's cells by field, in column order. What cannot be read and may be left out ends in `faults`,
    as (column, reason), so that it does not lose its row."""

    by_field: dict[str, list[tuple[str, str]]] = field(default_factory=dict[str, "list[tuple[str, str]]"])
    day_leads: Mapping[str, bool] = field(default_factory=dict[str, bool])
    zone: tzinfo = UTC
    faults: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def text(self, name: str) -> str | None:
        return "\n".join(cell for _, cell in self.by_field.get(name, ())) or None

    def one(self, name: str) -> str | None:
        return next((cell for _, cell in self.by_field.get(name, ())), None)

    def maybe(self, name: str, read: Callable[[str], T], otherwise: str = "left empty") -> T | None:
        """What `read` makes of the field's first cell; None, and a fault, where it refuses it."""
        for header, cell in self.by_field.get(name, ())[:1]:
            try:
                return read(cell)
            except ValueError as wrong:
                self.faults.append((header, f"{wrong}; {otherwise}"))
        return None

    def leads(self, name: str) -> bool:
        """Whether the field's column writes the day before the month."""
        return next((self.day_leads.get(header, True) for header, _ in self.by_field.get(name, ())), True)

    def date(self, name: str) -> date | None:
        return self.maybe(name, lambda cell: cells.read_date(cell, self.leads(name)))


def load(text: str, name: str) -> Table:
    if not text.strip():
        raise ImportFailed(f"{name} is empty; export it again with a header row")
    if text.lstrip()[:15].lower().startswith(("<!doctype", "<html", "begin:vcard", "{")):
        raise ImportFailed(f"{name} is not a table (HTML, vCard or JSON); export it as CSV")
    rows = list(rows_of(text))
    if not rows:
        raise ImportFailed(f"{name} is empty; export it again with a header row")
    if rows[0].problem:
        raise ImportFailed(f"{name}: the row of headings: {rows[0].problem}")
    return Table(unique_headers(rows[0].cells), rows[1:])


def date_orders(table: Table, mapping: Mapping[str, str | None]) -> tuple[dict[str, bool], tuple[str, ...]]:
    """Per date column whether the day leads, with a note where neither it nor the other columns tell."""
    columns = {
        header: [row.cells[index] for row in table.rows if index < len(row.cells) and not row.problem]
        for index, header in enumerate(table.headers)
        if mapping.get(header) in DATE_FIELDS
    }
    together = cells.day_first(cell for column in columns.values() for cell in column)
    found = {header: cells.day_first(column) for header, column in columns.items()}
    unclear = [header for header, order in found.items() if order is None and together is None]
    orders = {header: order if order is not None else together is not False for header, order in found.items()}
    return orders, tuple(f'"{h}" may be day/month or month/day; read as day/month' for h in unclear)


def read_rows(
    table: Table, kind: str, mapping: Mapping[str, str | None], path: str, source: str, zone: tzinfo = UTC
) -> Iterator[Record | Rejected | BadValue]:
    """A record or a reject a row; after a record, each of its values that was left out."""
    orders, _ = date_orders(table, mapping)
    seen: dict[str, int] = {}
    for row in table.rows:
        place = f"row {row.number}"
        try:
            if row.problem:
                raise ValueError(row.problem)
            values = _values(table, row, mapping, orders, zone)
            yield _record(kind, values, source, seen)
        except ValueError as error:
            yield Rejected(path, place, str(error), bounded(" | ".join(row.cells)))
        else:
            yield from (BadValue(path, place, column, reason) for column, reason in values.faults)


def _values(
    table: Table, row: Row, mapping: Mapping[str, str | None], orders: Mapping[str, bool], zone: tzinfo
) -> _Values:  # fmt: skip
    values = _Values(day_leads=orders, zone=zone)
    if wrong := _width_fault(row.cells, table.headers):
        raise ValueError(wrong)
    for header, cell in zip(table.headers, row.cells, strict=False):
        name = mapping.get(header)
        if name and cell:
            values.by_field.setdefault(name, []).append((header, cell))
    return values


def _width_fault(row: tuple[str, ...], headers: list[str]) -> str | None:
    """What is wrong with the number of a row's cells. Empty ones at the end may be left out, as spreadsheets
    do, or added; a short row that holds another sign between its words was meant to be parted by that."""
    parted_otherwise = len(row) < len(headers) and any(sign in row[-1] for sign in SIGNS)
    if not parted_otherwise and not any(row[len(headers) :]):
        return None
    cells_, headings = ("cell" if len(row) == 1 else "cells"), ("heading" if len(headers) == 1 else "headings")
    how = "put quotes around a cell that holds the sign between cells or a line break"
    return f"{len(row)} {cells_} under {len(headers)} {headings}; {how}"


def _record(kind: str, values: _Values, source: str, seen: dict[str, int]) -> Record:
    makers = {
        "people": _person,
        "projects": _project,
        "goals": _goal,
        "habits": _habit,
        "commitments": _commitment,
        "events": _event,
    }
    return makers[kind](values, source, seen)


def _key(values: _Values, basis: str, seen: dict[str, int]) -> str:
    key = values.one("id") or hashlib.sha256(basis.encode("utf-8", "replace")).hexdigest()[:24]
    seen[key] = seen.get(key, 0) + 1
    return key if seen[key] == 1 else f"{key}#{seen[key]}"


def _named(values: _Values, name: str) -> str:
    found = values.one(name)
    if not found:
        raise ValueError(f"the row has no {name}")
    return found


def _person(values: _Values, source: str, seen: dict[str, int]) -> PersonRecord:
    parts = [values.one(p) for p in ("first_name", "middle_name", "last_name")]
    joined = " ".join(p for p in parts if p)
    channels = tuple(
        Channel(name, part.strip())
        for name in _CHANNELS
        for _, cell in values.by_field.get(name, ())
        for part in cell.split(" ::: ")  # how one wide-spread export joins several values
    )
    mail = next((c.value for c in channels if c.kind == "email"), None)
    name = values.one("name") or joined or values.one("affiliation") or mail
    if not name:
        raise ValueError("the row has no name")
    return PersonRecord(
        name=name,
        affiliation=values.one("affiliation"),
        role=values.one("role"),
        channels=tuple(dict.fromkeys(channels)),
        how_met=values.text("how_met"),
        last_interaction=values.date("last_interaction"),
        birthday=_birthday(values),
        notes=values.text("notes"),
        nicknames=cells.read_list(values.text("nickname") or ""),
        source=source,
        source_key=_key(values, f"{name}\n{channels[0].value if channels else ''}", seen),
    )


def _birthday(values: _Values) -> str | None:
    leads = values.leads("birthday")
    return values.maybe("birthday", lambda cell: birthday(cell) or cells.read_date(cell, leads).isoformat())


def _project(values: _Values, source: str, seen: dict[str, int]) -> ProjectRecord:
    name = _named(values, "name")
    status = values.one("status")
    return ProjectRecord(
        name,
        cells.read_project_status(status) if status else None,
        cells.read_list(values.text("stack") or ""),
        values.text("description"),
        values.text("log"),
        values.date("updated"),
        source,
        _key(values, name, seen),
    )


def _goal(values: _Values, source: str, seen: dict[str, int]) -> GoalRecord:
    title = _named(values, "title")
    stated = cells.read_goal_status(values.one("status") or "")
    return GoalRecord(
        title,
        values.one("parent"),
        values.maybe("progress", cells.read_percent),
        values.date("started"),
        values.date("target_date"),
        values.text("description"),
        cells.read_yes(values.one("done") or "") or stated == "done",
        values.date("updated"),
        source,
        _key(values, title, seen),
        status=None if stated in ("", "done") else stated,
    )


def _habit(values: _Values, source: str, seen: dict[str, int]) -> HabitRecord:
    name = _named(values, "name")
    days = tuple(sorted(set(_check_ins(values))))
    frequency = values.maybe("frequency", cells.read_frequency, "taken as daily") or "daily"
    return HabitRecord(name, frequency, days, source, _key(values, name, seen))


def _check_ins(values: _Values) -> Iterator[date]:
    """Each day that is named; the last one is a day like the others."""
    for header, cell in (*values.by_field.get("check_ins", ()), *values.by_field.get("last_done", ())):
        for part in cells.read_list(cell):
            try:
                yield cells.read_date(part, values.day_leads.get(header, True))
            except ValueError as wrong:
                values.faults.append((header, f"{wrong}; this day is left out"))


def _commitment(values: _Values, source: str, seen: dict[str, int]) -> CommitmentRecord:
    title = _named(values, "title")
    status = cells.read_commitment_status(values.one("status") or "")
    who = values.one("counterparty")
    key = _key(values, f"{title}\n{who or ''}", seen)
    return CommitmentRecord(title, values.date("due"), who, status, values.text("notes"), source, key)


def _event(values: _Values, source: str, seen: dict[str, int]) -> EventRecord:
    title = _named(values, "title")
    starts, timed = _start(values)
    key = _key(values, f"{title}\n{values.one('starts') or ''} {values.one('start_time') or ''}", seen)
    ends = _end(values, starts, timed)
    return EventRecord(
        title,
        starts,
        ends,
        values.one("place"),
        cells.read_names(values.text("attendees") or ""),
        values.text("notes"),
        source,
        key,
        all_day=not timed and (ends is None or ends.time() == time()),
    )


def _all_day(values: _Values) -> bool:
    return cells.read_yes(values.one("all_day") or "")


def _start(values: _Values) -> tuple[datetime, bool]:
    """When the event begins, and whether at a time; one without a time is of the whole day.

    Some exports hold day and time in two columns, others both in "Start time".
    """
    day, clock = values.one("starts"), values.one("start_time")
    if not (day or clock):
        raise ValueError("the row has no start; write 2026-12-07 15:00")
    starts, timed = cells.read_moment(day or clock or "", values.leads("starts"), values.zone)
    if _all_day(values):
        return datetime.combine(starts.date(), time(), values.zone), False
    at = values.maybe("start_time", cells.read_time, "taken as the whole day") if day and not timed else None
    return (datetime.combine(starts.date(), at, values.zone), True) if at else (starts, timed)


def _end(values: _Values, starts: datetime, timed: bool) -> datetime | None:
    ends = _stated_end(values, starts, timed)
    if ends is None or ends > starts:
        return ends
    if ends < starts:
        column = next(h for name in ("ends", "end_time") for h, _ in values.by_field.get(name, ()))
        values.faults.append((column, "the end is before the start; left empty"))
    return None


def _stated_end(values: _Values, starts: datetime, timed: bool) -> datetime | None:
    """What the row says of the end. A day alone is the whole of it; a time alone is the next such time."""
    found = values.maybe("ends", lambda cell: _end_moment(cell, values, starts))
    if found is None and (values.one("ends") or not values.one("end_time")):
        return None
    if found is None:
        alone = values.maybe("end_time", lambda cell: _end_moment(cell, values, starts))
        return alone[0] if alone else None
    ends, has_time = found
    if has_time and not _all_day(values):
        return ends
    at = ends.time() if has_time else values.maybe("end_time", cells.read_time)
    midnight = datetime.combine(ends.date(), time(), values.zone)
    if _all_day(values) or not timed:
        # A whole day that ends at 0:00 ends before that day; without a time the last day is meant.
        return midnight if at == time() else midnight + timedelta(days=1)
    # An end day alone says nothing of when an appointment ends.
    return None if at is None else datetime.combine(ends.date(), at, values.zone)


def _end_moment(cell: str, values: _Values, starts: datetime) -> tuple[datetime, bool]:
    try:
        at = cells.read_time(cell)
    except ValueError:
        return cells.read_moment(cell, values.leads("ends"), values.zone)
    ends = datetime.combine(starts.date(), at, values.zone)
    return (ends if ends > starts else ends + timedelta(days=1)), True
