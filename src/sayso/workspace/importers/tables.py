"""CSV tables to people, projects, goals, habits and commitments, one record a row."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sayso.errors import ImportFailed
from sayso.workspace.importers import cells
from sayso.workspace.importers.columns import unique_headers
from sayso.workspace.importers.plans import Rejected, bounded
from sayso.workspace.importers.vcard import birthday
from sayso.workspace.records import (
    Channel,
    CommitmentRecord,
    GoalRecord,
    HabitRecord,
    PersonRecord,
    ProjectRecord,
    Record,
)

_CHANNELS = ("email", "phone", "whatsapp", "signal", "url", "address")
DATE_FIELDS = frozenset({"birthday", "last_interaction", "updated", "started", "target_date", "check_ins", "due"})


@dataclass(frozen=True, slots=True)
class Row:
    number: int
    cells: tuple[str, ...]
    problem: str | None = None


@dataclass(slots=True)
class Table:
    headers: list[str]
    rows: list[Row]


@dataclass(slots=True)
class _Values:
    """One row's cells by field, in column order."""

    by_field: dict[str, list[tuple[str, str]]] = field(default_factory=dict[str, "list[tuple[str, str]]"])
    day_leads: Mapping[str, bool] = field(default_factory=dict[str, bool])

    def text(self, name: str) -> str | None:
        return "\n".join(cell for _, cell in self.by_field.get(name, ())) or None

    def one(self, name: str) -> str | None:
        return next((cell for _, cell in self.by_field.get(name, ())), None)

    def date(self, name: str):
        found = self.by_field.get(name)
        return cells.read_date(found[0][1], self.day_leads.get(found[0][0], True)) if found else None


def load(text: str, name: str) -> Table:
    if not text.strip():
        raise ImportFailed(f"{name} is empty; export it again with a header row")
    if text.lstrip()[:15].lower().startswith(("<!doctype", "<html", "begin:vcard", "{")):
        raise ImportFailed(f"{name} is not a table (HTML, vCard or JSON); export it as CSV")
    delimiter = _delimiter(text)
    rows = list(_rows(text.removeprefix("\ufeff"), delimiter))
    if not rows:
        raise ImportFailed(f"{name} is empty; export it again with a header row")
    return Table(unique_headers(rows[0].cells), rows[1:])


def _delimiter(text: str) -> str:
    first = next(line for line in text.split("\n") if line.strip())
    return max(",;\t|", key=first.count)


def _rows(text: str, delimiter: str) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
    number = 0
    while True:
        number += 1
        try:
            found = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield Row(number, (), f"the row cannot be read: {error}")
            continue
        if any(cell.strip() for cell in found):
            yield Row(number, tuple(cell.strip() for cell in found))


def date_orders(table: Table, mapping: Mapping[str, str | None]) -> tuple[dict[str, bool], tuple[str, ...]]:
    """Per date column whether the day leads, with a note where the column does not tell."""
    orders: dict[str, bool] = {}
    notes: list[str] = []
    for index, header in enumerate(table.headers):
        if mapping.get(header) in DATE_FIELDS:
            found = cells.day_first(row.cells[index] for row in table.rows if index < len(row.cells))
            orders[header] = True if found is None else found
            if found is None:
                notes.append(f'"{header}" may be day/month or month/day; read as day/month')
    return orders, tuple(notes)


def read_rows(
    table: Table, kind: str, mapping: Mapping[str, str | None], path: str, source: str
) -> Iterator[Record | Rejected]:
    orders, _ = date_orders(table, mapping)
    seen: dict[str, int] = {}
    for row in table.rows:
        try:
            if row.problem:
                raise ValueError(row.problem)
            yield _record(kind, _values(table, row, mapping, orders), source, seen)
        except ValueError as error:
            yield Rejected(path, f"row {row.number}", str(error), bounded(" | ".join(row.cells)))


def _values(table: Table, row: Row, mapping: Mapping[str, str | None], orders: Mapping[str, bool]) -> _Values:
    values = _Values(day_leads=orders)
    if len(row.cells) > len(table.headers):
        raise ValueError(f"{len(row.cells)} cells under {len(table.headers)} headings; quote cells with commas")
    for header, cell in zip(table.headers, row.cells, strict=False):
        name = mapping.get(header)
        if name and cell:
            values.by_field.setdefault(name, []).append((header, cell))
    return values


def _record(kind: str, values: _Values, source: str, seen: dict[str, int]) -> Record:
    makers = {
        "people": _person,
        "projects": _project,
        "goals": _goal,
        "habits": _habit,
        "commitments": _commitment,
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
    found = values.one("birthday")
    if not found:
        return None
    early = birthday(found)
    made = None if early else values.date("birthday")
    return early or (made.isoformat() if made else None)


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
    progress = values.one("progress")
    return GoalRecord(
        title,
        values.one("parent"),
        cells.read_percent(progress) if progress else None,
        values.date("started"),
        values.date("target_date"),
        values.text("description"),
        cells.read_yes(values.one("done") or ""),
        values.date("updated"),
        source,
        _key(values, title, seen),
    )


def _habit(values: _Values, source: str, seen: dict[str, int]) -> HabitRecord:
    name = _named(values, "name")
    days = {
        cells.read_date(part, values.day_leads.get(header, True))
        for header, cell in values.by_field.get("check_ins", ())
        for part in cells.read_list(cell)
    }
    frequency = cells.read_frequency(values.one("frequency") or "")
    return HabitRecord(name, frequency, tuple(sorted(days)), source, _key(values, name, seen))


def _commitment(values: _Values, source: str, seen: dict[str, int]) -> CommitmentRecord:
    title = _named(values, "title")
    status = cells.read_commitment_status(values.one("status") or "")
    who = values.one("counterparty")
    key = _key(values, f"{title}\n{who or ''}", seen)
    return CommitmentRecord(title, values.date("due"), who, status, values.text("notes"), source, key)
