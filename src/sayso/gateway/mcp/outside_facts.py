"""What an outside tool answered, as facts: second-hand, of a kind that its output schema declares, and bounded.

Text stays text: nothing in an answer becomes a record of ours, a reference, a picture or an address that is fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, cast

from sayso.core.facts import Fact, FactKind, Field, FieldType, Provenance, Value, clean_text
from sayso.errors import FactError
from sayso.gateway.mcp.cutting import COUNTS
from sayso.gateway.mcp.definitions import Definition, local_target

MOST_FACTS = 50
MOST_FIELDS = 30
MOST_TEXT = 4_000
_FIELD = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
_SUBJECTS = ("name", "title", "subject", "id", "key")
_TYPES = {
    "string": FieldType.TEXT, "number": FieldType.NUMBER, "integer": FieldType.NUMBER, "boolean": FieldType.BOOLEAN,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answer:
    """An outside tool's whole answer. `matched` counts its records; facts may be fewer."""

    facts: tuple[Fact, ...]
    matched: int


@dataclass(frozen=True, slots=True)
class Declared:
    """The kind that a tool's facts have; `rows` names the member that holds the records, where one does."""

    kind: FactKind
    rows: str | None = None
    structured: bool = True


def declared_kind(definition: Definition) -> Declared:
    """The kind of a tool's facts, from its output schema; title and text where that declares no record."""
    root = definition.output_schema or {}
    rows, record = _record(root)
    fields = [f for f in (_field(n, s, root) for n, s in _properties(record)) if f][:MOST_FIELDS]
    if not fields:
        kind = FactKind(definition.name, (Field("title"), Field("text"), Field("left_out")), subject="title")
        return Declared(kind, structured=False)
    names = {f.name: f for f in fields}
    subject = next((n for n in _SUBJECTS if n in names and names[n].type is FieldType.TEXT), "title")
    kept = tuple(f for f in fields if f.name != "title" or f.type is FieldType.TEXT)
    head = () if any(f.name == subject for f in kept) else (Field("title"),)
    return Declared(FactKind(definition.name, (*head, *kept, Field("left_out")), subject=subject), rows)


def facts_of(definition: Definition, result: Mapping[str, Any], now: datetime, asked: str = "") -> Answer:
    """The facts in a `CallToolResult`. `asked` tells one call's answers from another's.

    Raises FactError for an answer without the records that the tool declares: what they are is unknown then, which is
    not the same as none.
    """
    declared = declared_kind(definition)
    counts = _mapping(_mapping(result.get("_meta")).get(COUNTS))
    structured = result.get("structuredContent")
    if declared.structured and isinstance(structured, dict):
        records, more = _records(declared, cast(dict[str, Any], structured))
    else:
        declared = declared_kind(_without_output(definition))
        texts = [str(_mapping(item).get("text", "")) for item in cast(list[Any], result.get("content") or [])]
        joined = "\n\n".join(text for text in texts if text.strip())
        records, more = ([{"text": joined}] if joined else []), 0
    cut_items = int(counts.get("items") or 0)
    left_out = _told(counts, more)
    facts = tuple(_fact(declared, definition, record, left_out, now, asked) for record in records)
    return Answer(facts, len(records) + more + (cut_items if records else 0))


def _records(declared: Declared, structured: dict[str, Any]) -> tuple[list[dict[str, Any]], int]:
    if declared.rows is None:
        return [structured], 0
    rows = structured.get(declared.rows)
    if not isinstance(rows, list):
        raise FactError(f"the answer holds no list of {declared.kind.name} records, as it was declared to")
    found = cast(list[Any], rows)
    records = [dict(row) for row in map(_mapping, found) if row][:MOST_FACTS]
    if found and not records:
        raise FactError(f"none of the {declared.kind.name} records in the answer is one")
    return records, len(found) - len(records)


def _fact(
    declared: Declared, definition: Definition, record: Mapping[str, Any], left_out: str, now: datetime, asked: str
) -> Fact:
    kind = declared.kind
    values: dict[str, Value | None] = {}
    cut = 0
    for name, given in record.items():
        field = kind.field(str(name))
        value, shortened = _value(given, field) if field is not None else (None, 0)
        cut += shortened
        # What is not declared, or not of its type, is dropped and counted: it goes under a name no kind declares.
        values[str(name) if value is not None else f"?{name}"] = value if value is not None else "?"
    if given_nulls := [n for n, v in record.items() if v is None]:
        for name in given_nulls:
            values.pop(f"?{name}", None)
    told = ", ".join(part for part in (left_out, f"{cut:,} characters of these values" if cut else "") if part)
    values["left_out"] = told or None
    if kind.subject == "title" and "title" not in record:
        values["title"] = f"{definition.server}: {definition.theirs}"
    key = f"{definition.theirs} {asked} {values.get(kind.subject) or ''}".strip()
    return kind.fact(
        values, source=f"MCP server {definition.server}", key=key[:200], as_of=now, provenance=Provenance.SECOND_HAND
    )


def _value(given: Any, field: Field) -> tuple[Value | None, int]:
    """The value as the field declares it, and how many characters of it were cut; None where it is of another type."""
    match field.type:
        case FieldType.TEXT if isinstance(given, str):
            text = clean_text(given)
            return text[:MOST_TEXT], max(0, len(text) - MOST_TEXT)
        case FieldType.BOOLEAN if isinstance(given, bool):
            return given, 0
        case FieldType.NUMBER if isinstance(given, int | float) and not isinstance(given, bool):
            return Decimal(str(given)) if isinstance(given, float) else given, 0
        case FieldType.LIST if isinstance(given, list):
            items = tuple(clean_text(i)[:200] for i in cast(list[Any], given)[:50] if isinstance(i, str))
            return items or None, 0
        case FieldType.DATE | FieldType.DATETIME if isinstance(given, str):
            return _moment(given, field.type), 0
        case _:
            return None, 0


def _moment(text: str, type: FieldType) -> Value | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if type is FieldType.DATETIME and len(text) > len("2026-12-07"):
        return moment
    return date(moment.year, moment.month, moment.day)


def _record(root: Mapping[str, Any]) -> tuple[str | None, Mapping[str, Any]]:
    """The schema of one record, and the member whose list holds the records: only where there is one such list."""
    lists = [(name, schema) for name, schema in _properties(root) if schema.get("type") == "array"]
    items = [(name, _resolved(_mapping(schema.get("items")), root)) for name, schema in lists]
    rows = [(name, item) for name, item in items if isinstance(item.get("properties"), dict)]
    return rows[0] if len(rows) == 1 else (None, root)


def _properties(schema: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    properties = schema.get("properties")
    if isinstance(properties, dict):
        yield from ((name, _mapping(value)) for name, value in cast(dict[str, Any], properties).items())


def _field(name: str, schema: Mapping[str, Any], root: Mapping[str, Any]) -> Field | None:
    """A declared field; None for one whose name or type no fact can hold."""
    if not _FIELD.fullmatch(name) or name == "left_out":
        return None
    schema = _resolved(schema, root)
    words = (re.sub(r"[_-]+", " ", name).lower(),)
    sort = schema.get("type")
    if isinstance(sort, list):
        sort = next((t for t in cast(list[Any], sort) if t != "null"), None)
    if sort == "string" and schema.get("format") in ("date", "date-time"):
        return Field(name, FieldType.DATE if schema["format"] == "date" else FieldType.DATETIME, words)
    if sort == "array":
        return Field(name, FieldType.LIST, words) if _mapping(schema.get("items")).get("type") == "string" else None
    return Field(name, _TYPES[sort], words) if isinstance(sort, str) and sort in _TYPES else None


def _resolved(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    target = local_target(schema, root) or schema
    for name in ("anyOf", "oneOf"):
        branches = [_mapping(b) for b in cast(list[Any], target.get(name) or [])]
        real = [b for b in branches if b.get("type") != "null"]
        if len(real) == 1:
            return local_target(real[0], root) or real[0]
    return target


def _told(counts: Mapping[str, Any], more: int) -> str:
    """What is not here, in words with exact numbers."""
    parts: list[str] = []
    if more:
        parts.append(f"{more:,} more records")
    if isinstance(counts.get("items"), int) and counts["items"]:
        parts.append(f"{counts['items']:,} more items")
    if isinstance(counts.get("characters"), int) and counts["characters"]:
        parts.append(f"{counts['characters']:,} characters of the answer")
    names = {"image": "image", "audio": "sound", "resource": "file", "resource_link": "link", "unknown": "other part"}
    for sort, number in _mapping(counts.get("others")).items():
        many = "" if number == 1 else "s"
        parts.append(f"{number} {names.get(sort, 'other part')}{many}")
    return ", ".join(parts)


def _without_output(definition: Definition) -> Definition:
    return Definition(
        definition.server, definition.theirs, definition.name, definition.title, definition.description,
        definition.input_schema, None, definition.fingerprint,
    )  # fmt: skip


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}
