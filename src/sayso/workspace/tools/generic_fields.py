"""The fields of every kind of record as they are written: types, which are needed, which values there are. Pure.

One declaration makes the models that judge values, the forms of cards, and what `record_meta` tells.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, create_model
from pydantic_core import PydanticCustomError

from sayso.workspace import codec
from sayso.workspace.names import fold
from sayso.workspace.records import EventRecord, Record
from sayso.workspace.typed import FIXED, Day, Line, MaybeDay, MaybeLine, MaybeMoment, MaybeProse, Moment, Prose

RECORD_KINDS = tuple(codec.KINDS)
_SPOKEN = {"people": "person", "contact": "person", "passage": "document", "note": "document", "task": "commitment"}


def _kind(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    plain = fold(value).strip()
    return _SPOKEN.get(plain, plain if plain in RECORD_KINDS else plain.removesuffix("s"))


RecordKind = Annotated[
    Literal["person", "project", "goal", "habit", "commitment", "event", "document"], BeforeValidator(_kind)
]


def _inside(path: str) -> str:
    if path.startswith(("/", "~", "\\")) or ".." in path or ":" in path:
        raise PydanticCustomError("path", "write a path below the notes, such as notes/plan.md")
    return path


def _day_of_birth(text: str) -> str:
    """A day of the calendar; one without its year may be 29 February."""
    try:
        date.fromisoformat(text.replace("--", "2000-"))
    except ValueError:
        raise PydanticCustomError("birthday", "write a day, such as 1979-02-03, or --02-03 without the year") from None
    return text


class _Written(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ChannelFields(_Written):
    kind: Line
    value: Line
    label: MaybeLine = None


class ChunkFields(_Written):
    heading: Annotated[str, Field(max_length=300)] = ""
    text: Prose


Lines = Annotated[list[Line], Field(max_length=200)]
Days = Annotated[list[Day], Field(max_length=5000)]
Channels = Annotated[list[ChannelFields], Field(max_length=50)]
Chunks = Annotated[list[ChunkFields], Field(min_length=1, max_length=500)]
Birthday = Annotated[str, Field(pattern=r"^([0-9]{4}|-)-[0-9]{2}-[0-9]{2}$"), AfterValidator(_day_of_birth)] | None
Percent = Annotated[int, Field(ge=0, le=100)] | None
Frequency = Annotated[str, Field(pattern=r"^(daily|weekly|[1-7] per week)$")]
Path = Annotated[Line, AfterValidator(_inside)]
_NEEDED: Any = ...
_FIELDS: Mapping[str, Mapping[str, tuple[Any, Any]]] = {
    "person": {
        "name": (Line, _NEEDED), "affiliation": (MaybeLine, None), "role": (MaybeLine, None),
        "channels": (Channels, []), "how_met": (MaybeProse, None), "last_interaction": (MaybeDay, None),
        "birthday": (Birthday, None), "notes": (MaybeProse, None), "nicknames": (Lines, []),
    },
    "project": {
        "name": (Line, _NEEDED), "status": (Literal["active", "paused", "done", "idea"] | None, None),
        "stack": (Lines, []), "description": (MaybeProse, None), "log": (MaybeProse, None),
        "updated": (MaybeDay, None),
    },
    "goal": {
        "title": (Line, _NEEDED), "parent": (MaybeLine, None),
        "progress": (Percent, None), "started": (MaybeDay, None),
        "target_date": (MaybeDay, None), "description": (MaybeProse, None), "done": (bool, False),
        "updated": (MaybeDay, None), "status": (MaybeLine, None),
    },
    "habit": {"name": (Line, _NEEDED), "frequency": (Frequency, "daily"), "check_ins": (Days, [])},
    "commitment": {
        "title": (Line, _NEEDED), "due": (MaybeDay, None), "counterparty": (MaybeLine, None),
        "status": (Literal["open", "done", "cancelled"], "open"), "notes": (MaybeProse, None),
    },
    "event": {
        "title": (Line, _NEEDED), "starts": (Moment, _NEEDED), "ends": (MaybeMoment, None), "place": (MaybeLine, None),
        "attendees": (Lines, []), "notes": (MaybeProse, None), "all_day": (bool, False),
    },
    "document": {
        "title": (Line, _NEEDED), "path": (Path, _NEEDED), "chunks": (Chunks, _NEEDED), "tags": (Lines, []),
        "links": (Lines, []), "date": (MaybeDay, None),
    },
}  # fmt: skip


def _model(name: str, fields: Mapping[str, Any]) -> type[BaseModel]:
    made: Any = create_model  # its signature cannot say that fields come from a mapping
    return made(name, __base__=_Written, **fields)


WHOLE: Mapping[str, type[BaseModel]] = {kind: _model(f"New{kind.title()}", own) for kind, own in _FIELDS.items()}
"""A record that is to be made: what is needed must be there."""
CHANGES: Mapping[str, type[BaseModel]] = {
    kind: _model(f"{kind.title()}Changes", {name: (type_, None) for name, (type_, _) in own.items()})
    for kind, own in _FIELDS.items()
}
"""Fields that are to change: each may be missing, none may be emptied that is needed."""
RESTORED: Mapping[str, type[BaseModel]] = {
    kind: _model(
        f"{kind.title()}Restored",
        {"version": (Annotated[int, Field(json_schema_extra=FIXED)], ...)}
        | {name: (type_, None) for name, (type_, _) in own.items()},
    )
    for kind, own in _FIELDS.items()
}
"""Fields that go back to what they were in `version`, which is shown and stays."""


@dataclass(frozen=True, slots=True)
class FieldMeta:
    """What may be written into one field."""

    name: str
    type: str
    required: bool
    options: tuple[str, ...]


def meta(kind: str) -> tuple[FieldMeta, ...]:
    schema = WHOLE[kind].model_json_schema()
    needed = schema.get("required", ())
    return tuple(
        FieldMeta(name, _type(spec), name in needed, _options(spec)) for name, spec in schema["properties"].items()
    )


def checked(models: Mapping[str, type[BaseModel]], kind: str, values: Mapping[str, Any], now: datetime) -> Any:
    """The values as JSON, judged by a kind's model; only those that were given. Raises ValidationError."""
    parsed = models[kind].model_validate_json(json.dumps(dict(values)), strict=True, context={"now": now})
    return parsed.model_dump(mode="json", include=set(values))


def record_of(kind: str, values: Mapping[str, Any], source: str, source_key: str | None) -> Record:
    """A record of these fields. Raises ValidationError, also for an event that ends before it starts."""
    record = codec.load(kind, json.dumps({**values, "source": source, "source_key": source_key}))
    if isinstance(record, EventRecord):
        if record.starts.tzinfo is None or (record.ends and record.ends.tzinfo is None):
            raise wrong("starts", "write a time with its zone, such as 2026-12-07T15:00+01:00")
        if record.ends and record.ends <= record.starts:
            raise wrong("ends", "write an end after the start")
    return record


def fields_of(record: Record) -> dict[str, Any]:
    """A record's fields as JSON values, in the form in which they are written."""
    document: dict[str, Any] = json.loads(codec.dump(record))
    return {name: document.get(name, default) for name, (_, default) in _FIELDS[codec.kind_of(record)].items()}


def wrong(field: str, words: str) -> ValidationError:
    """The fault of one field, as a model would find it."""
    fault = PydanticCustomError("refused", "{words}", {"words": words})
    return ValidationError.from_exception_data("values", [{"type": fault, "loc": (field,), "input": None}])


def faults_of(fault: ValidationError) -> str:
    """What is wrong, field by field, without what was given."""
    found = fault.errors(include_input=False, include_url=False, include_context=False)
    return "; ".join(f"{'.'.join(map(str, f['loc'])) or 'values'}: {f['msg']}" for f in found[:5])


def _type(spec: Mapping[str, Any]) -> str:
    inner = next((one for one in spec.get("anyOf", ()) if one.get("type") != "null"), spec)
    if "enum" in inner:
        return "choice"
    if inner.get("type") == "array":
        return "list"
    words = {"date": "day", "date-time": "day and time"}.get(inner.get("format", ""))
    return words or {"string": "text", "integer": "whole number", "boolean": "yes or no"}.get(inner["type"], "text")


def _options(spec: Mapping[str, Any]) -> tuple[str, ...]:
    inner = next((one for one in spec.get("anyOf", ()) if "enum" in one), spec)
    return tuple(str(option) for option in inner.get("enum", ()))
