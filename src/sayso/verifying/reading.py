"""Facts from plain JSON objects, as anyone may write them. It reads no file and knows no command.

Two shapes, which may be mixed: `{ref, kind, subject, source, provenance, fields}` and the plainer
`{id, entity, fields}`. A field whose value is null, empty or "<not recorded>" is one that the record declares
and does not hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, cast

from sayso.core.evidence import Evidence, Numbered
from sayso.core.facts import (
    LOOKUP,
    PROPOSAL,
    PROVIDED,
    RECEIPT,
    SECOND_HAND,
    Fact,
    FactKind,
    Field,
    FieldType,
    Provenance,
    Value,
    clean_text,
    kinds_by_name,
)
from sayso.errors import FactError
from sayso.verifying.inferring import typed
from sayso.workspace.kinds import WORKSPACE_KINDS

AS_OF = datetime(2000, 1, 1, tzinfo=UTC)
"""When plain facts were true: they do not say."""
EXAMPLE = '{"id": "F1", "entity": "Elena Weber", "fields": {"works at": "SINGA", "role": null}}'

SUBJECT = "_subject"
"""The field that names a record none of whose own fields does."""

_KNOWN = kinds_by_name((*WORKSPACE_KINDS, LOOKUP, PROPOSAL, RECEIPT, SECOND_HAND, PROVIDED))
_REF = re.compile(r"([FU])0{0,6}([1-9]\d{0,6})", re.IGNORECASE | re.ASCII)
_NAMING = ("name", "title")


def read_facts(records: Iterable[Any], *, as_of: datetime = AS_OF) -> Evidence:
    """The facts of plain objects (or of facts that are made already), each under its ref.

    An id that is no ref ("F3", "U1") becomes the fact's key, and the fact is numbered in order.
    Raises FactError, which names the fact by its place and says what to do.
    """
    drafts = [_draft(place, record) for place, record in enumerate(records, 1)]
    _no_ref_twice(drafts)
    kinds = _Kinds.of(d.what for d in drafts if isinstance(d.what, _Plain))
    made = [(d.ref, _made(d.what, kinds, as_of) if isinstance(d.what, _Plain) else d.what) for d in drafts]
    return Evidence(_numbered(made))


def listed(record: Mapping[str, Any], name: str) -> list[Any]:
    """A list of a record, which is empty only where it is written so. Raises FactError."""
    value = record.get(name)
    if not isinstance(value, list):
        raise FactError(f'its "{name}" is {_called(value)}: write a list' if name in record else f'it has no "{name}"')
    return cast(list[Any], value)


def moment(value: object) -> datetime:
    """An ISO moment; without a zone it is UTC. Raises FactError."""
    try:
        read = datetime.fromisoformat(value if isinstance(value, str) else "")
    except ValueError:
        raise FactError(f"{str(value)[:40]!r} is no moment: write one such as 2026-11-30T09:00+01:00") from None
    return read if read.tzinfo else read.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class _Plain:
    """A plain object, read and checked; the types of its gaps are not known yet."""

    kind: str
    subject: str
    fields: tuple[Field, ...]
    values: Mapping[str, Value]
    source: str
    key: str
    provenance: Provenance

    @property
    def known(self) -> FactKind | None:
        return _KNOWN.get(self.kind)


@dataclass(frozen=True, slots=True)
class _Draft:
    """A fact that is made already, or a plain object; `ref` is empty where it has none yet."""

    ref: str
    what: _Plain | Fact


def _draft(place: int, record: object) -> _Draft:
    if isinstance(record, Numbered):
        return _Draft(record.ref, record.fact)
    if isinstance(record, Fact):
        return _Draft("", record)
    if not isinstance(record, Mapping):
        raise FactError(f"fact {place} is {_called(record)}, not an object such as {EXAMPLE}")
    try:
        return _of_object(place, cast(Mapping[str, Any], record))
    except FactError as wrong:
        raise FactError(f"fact {place}: {wrong}") from wrong


def _no_ref_twice(drafts: Iterable[_Draft]) -> None:
    places: dict[str, int] = {}
    for place, draft in enumerate(drafts, 1):
        if draft.ref and places.setdefault(draft.ref, place) != place:
            raise FactError(f"facts {places[draft.ref]} and {place} both have the ref {draft.ref}: give each its own")


def _numbered(made: Sequence[tuple[str, Fact]]) -> Iterator[Numbered]:
    following = max((int(ref[1:]) for ref, _ in made if ref), default=0) + 1
    for ref, fact in made:
        if ref:
            yield Numbered(ref, fact)
            continue
        letter = "U" if fact.provenance is Provenance.PROVIDED else "F"
        yield Numbered(f"{letter}{following}", fact)
        following += 1


def _of_object(place: int, record: Mapping[str, Any]) -> _Draft:
    fields = record.get("fields")
    if not isinstance(fields, Mapping):
        said = "has no fields" if fields is None else f"has fields that are {_called(fields)}"
        raise FactError(f"it {said}: write an object, such as {EXAMPLE}")
    kind = _text(record, "kind") or "record"
    known = _KNOWN.get(kind)
    declared, values = _stated(cast(Mapping[object, object], fields), known)
    subject = _text(record, "subject", "entity") or _subject_in(values, known)
    if not subject:
        raise FactError('it has no subject: write "subject" (or "entity"), the name of what the record is about')
    given = _identity(record)
    ref = _ref_of(given, strict="ref" in record)
    source = _text(record, "source") or "records"
    return _Draft(ref, _Plain(kind, subject, declared, values, source, given or f"#{place}", _provenance(record, ref)))


def _stated(fields: Mapping[object, object], known: FactKind | None) -> tuple[tuple[Field, ...], dict[str, Value]]:
    declared: list[Field] = []
    values: dict[str, Value] = {}
    for name, value in fields.items():
        label = _field_name(name)
        one, found = _typed(value, known.field(label) if known else None, label)
        declared.append(one)
        if found is not None:
            values[label] = found
    return tuple(declared), values


def _typed(value: object, declared: Field | None, name: str) -> tuple[Field, Value | None]:
    """A field as the built-in kind declares it, if it does, with the type that this value has."""
    try:
        found = typed(value, declared.type if declared else None)
    except FactError as wrong:
        raise FactError(f"field {name!r}: {wrong}") from wrong
    base = declared or Field(name)
    if found is None or found[0] is base.type:
        return base, found[1] if found else None
    unit = base.unit if found[0] is FieldType.NUMBER else None  # a text says its own unit
    return replace(base, type=found[0], unit=unit), found[1]


@dataclass(frozen=True, slots=True)
class _Kinds:
    """The kinds of plain records: one object for all that declare the same, so that it is read once.

    A field that holds nothing has the type that it has in the other records of its kind, if they agree.
    """

    types: Mapping[tuple[str, str], frozenset[FieldType]]
    made: dict[tuple[str, str, tuple[Field, ...]], FactKind] = field(
        default_factory=dict[tuple[str, str, tuple[Field, ...]], FactKind]
    )

    @classmethod
    def of(cls, records: Iterable[_Plain]) -> _Kinds:
        types: dict[tuple[str, str], frozenset[FieldType]] = {}
        for record in records:
            for one in record.fields:
                if one.name in record.values:
                    types[record.kind, one.name] = types.get((record.kind, one.name), frozenset()) | {one.type}
        return cls(types)

    def kind(self, record: _Plain, subject: str) -> FactKind:
        fields = tuple(one if one.name in record.values else self._gap(record, one) for one in record.fields)
        fields = fields if any(one.name == subject for one in fields) else (Field(subject), *fields)
        signature = (record.kind, subject, fields)
        if signature not in self.made:
            known = record.known
            self.made[signature] = (
                replace(known, fields=fields, subject=subject) if known else FactKind(record.kind, fields, subject)
            )
        return self.made[signature]

    def _gap(self, record: _Plain, declared: Field) -> Field:
        types = self.types.get((record.kind, declared.name), frozenset())
        if len(types) != 1 or (record.known and record.known.field(declared.name)):
            return declared
        return replace(declared, type=next(iter(types)))


def _made(record: _Plain, kinds: _Kinds, as_of: datetime) -> Fact:
    holder = _holder(record)
    kind = kinds.kind(record, holder)
    values = record.values if holder in record.values else {holder: record.subject, **record.values}
    return Fact(kind, record.subject, values, record.source, record.key, as_of, record.provenance)


def _subject_in(values: Mapping[str, Value], known: FactKind | None) -> str:
    names = ((known.subject,) if known else ()) + _NAMING
    return next((str(values[n]).strip() for n in names if isinstance(values.get(n), str)), "")


def _holder(record: _Plain) -> str:
    """The field that names the record: one that holds its subject, else one of its own."""
    names = ((record.known.subject,) if record.known else ()) + _NAMING
    own = next((n for n in names if record.values.get(n) == record.subject), None)
    taken = {one.name for one in record.fields}
    holder = own or SUBJECT
    while own is None and holder in taken:
        holder += "_"
    return holder


def _identity(record: Mapping[str, Any]) -> str:
    given = record.get("ref", record.get("id"))
    if given is None:
        return ""
    if isinstance(given, bool) or not isinstance(given, str | int):
        raise FactError(f'its "ref" or "id" is {_called(given)}: write a text such as "F1", or leave it out')
    return str(given).strip()


def _ref_of(given: str, *, strict: bool) -> str:
    match = _REF.fullmatch(given)
    if match:
        return f"{match[1].upper()}{int(match[2])}"
    if strict and given:
        raise FactError(f'its ref is {given[:40]!r}: write F and a number, such as "F1" (an "id" may be anything)')
    return ""


def _provenance(record: Mapping[str, Any], ref: str) -> Provenance:
    given = _text(record, "provenance")
    if not given:
        return Provenance.PROVIDED if ref.startswith("U") else Provenance.OWN
    try:
        return Provenance(given)
    except ValueError:
        known = ", ".join(p.value for p in Provenance)
        raise FactError(f"its provenance is {given[:40]!r}; known are {known}") from None


def _text(record: Mapping[str, Any], *names: str) -> str:
    for name in names:
        value = record.get(name)
        if isinstance(value, str):
            return clean_text(value.strip())
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
        if value is not None:
            raise FactError(f'its "{name}" is {_called(value)}: write a text')
    return ""


def _field_name(name: object) -> str:
    if not isinstance(name, str) or not name.strip():
        raise FactError("a field has no name: write it before the value")
    return clean_text(name)


def _called(value: object) -> str:
    """A JSON value's sort, as people call it."""
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    names = {"dict": "an object", "list": "a list", "str": "a text", "NoneType": "null"}
    name = type(value).__name__
    return names.get(name, f"a {name}")
