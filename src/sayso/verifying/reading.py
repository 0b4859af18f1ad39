"""Facts from plain JSON objects, as anyone may write them. It reads no file and knows no command.

Two shapes, which may be mixed: `{ref, kind, subject, source, provenance, fields}` and the plainer
`{id, entity, fields}`. A field whose value is null, empty or "<not recorded>" is one that the record declares
and does not hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
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
MAX_NUMBER = 10**7 - 1

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
    reader = _Reader(as_of)
    made = [reader.fact(place, record) for place, record in enumerate(records, 1)]
    return Evidence(reader.numbered(made))


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


@dataclass(slots=True)
class _Reader:
    as_of: datetime
    places: dict[str, int] = field(default_factory=dict[str, int])
    kinds: dict[tuple[str, str, tuple[Field, ...]], FactKind] = field(
        default_factory=dict[tuple[str, str, tuple[Field, ...]], FactKind]
    )

    def fact(self, place: int, record: object) -> tuple[str, Fact]:
        """A fact and its ref, which is empty where it has none yet."""
        if isinstance(record, Numbered):
            return self._ref(place, record.ref), record.fact
        if isinstance(record, Fact):
            return "", record
        if not isinstance(record, Mapping):
            raise FactError(f"fact {place} is {_called(record)}, not an object such as {EXAMPLE}")
        try:
            return self._of_object(place, cast(Mapping[str, Any], record))
        except FactError as wrong:
            known = str(wrong)
            raise FactError(known if known.startswith(("fact ", "facts ")) else f"fact {place}: {known}") from wrong

    def numbered(self, made: list[tuple[str, Fact]]) -> Iterable[Numbered]:
        following = max((int(ref[1:]) for ref, _ in made if ref), default=0) + 1
        for ref, fact in made:
            if ref:
                yield Numbered(ref, fact)
                continue
            letter = "U" if fact.provenance is Provenance.PROVIDED else "F"
            yield Numbered(f"{letter}{following}", fact)
            following += 1

    def _ref(self, place: int, ref: str) -> str:
        if ref in self.places:
            raise FactError(f"facts {self.places[ref]} and {place} both have the ref {ref}: give each its own")
        self.places[ref] = place
        return ref

    def _of_object(self, place: int, record: Mapping[str, Any]) -> tuple[str, Fact]:
        fields = record.get("fields")
        if not isinstance(fields, Mapping):
            said = "has no fields" if fields is None else f"has fields that are {_called(fields)}"
            raise FactError(f"fact {place} {said}: write an object, such as {EXAMPLE}")
        name = _text(record, "kind") or "record"
        given = _identity(record)
        ref = _ref_of(given, strict="ref" in record)
        subject, kind, values = self._values(name, _text(record, "subject", "entity"), cast(Mapping[str, Any], fields))
        provenance = _provenance(record, ref)
        fact = Fact(
            kind, subject, values, _text(record, "source") or "records", given or f"#{place}", self.as_of, provenance
        )
        return (self._ref(place, ref) if ref else ""), fact

    def _values(
        self, name: str, subject: str, fields: Mapping[str, Any]
    ) -> tuple[str, FactKind, dict[str, Value]]:  # fmt: skip
        known = _KNOWN.get(name)
        declared: list[Field] = []
        values: dict[str, Value] = {}
        for field_name, value in fields.items():
            label = _field_name(field_name)
            found = _typed(value, known.field(label) if known else None, label)
            declared.append(found[0])
            if found[1] is not None:
                values[label] = found[1]
        subject = subject or _subject_in(values, known)
        if not subject:
            raise FactError('it has no subject: write "subject" (or "entity"), the name of what the record is about')
        holder = _holder(values, subject, known, fields)
        if holder not in fields:
            declared.insert(0, Field(holder))
            values = {holder: subject, **values}
        return subject, self._kind(name, tuple(declared), holder, known), values

    def _kind(self, name: str, fields: tuple[Field, ...], subject: str, known: FactKind | None) -> FactKind:
        """One object for all records that declare the same, so that what is read of a kind is read once."""
        signature = (name, subject, fields)
        kind = self.kinds.get(signature)
        if kind is None:
            kind = FactKind(
                name, fields, subject, words=known.words if known else (), title=known.title if known else ""
            )
            self.kinds[signature] = kind
        return kind


def _typed(value: object, declared: Field | None, name: str) -> tuple[Field, Value | None]:
    """A field as the built-in kind declares it, if it does, with the type that this value has."""
    try:
        found = typed(value, declared.type if declared else None)
    except FactError as wrong:
        raise FactError(f"field {name!r}: {wrong}") from wrong
    of_type = found[0] if found else (declared.type if declared else FieldType.TEXT)
    base = declared or Field(name)
    return (base if base.type is of_type else replace(base, type=of_type)), (found[1] if found else None)


def _subject_in(values: Mapping[str, Value], known: FactKind | None) -> str:
    names = ((known.subject,) if known else ()) + _NAMING
    return next((str(values[n]).strip() for n in names if isinstance(values.get(n), str)), "")


def _holder(values: Mapping[str, Value], subject: str, known: FactKind | None, fields: Mapping[str, Any]) -> str:
    """The field that names the record: one that holds its subject, else one of its own."""
    names = ((known.subject,) if known else ()) + _NAMING
    own = next((n for n in names if values.get(n) == subject), None)
    holder = own or SUBJECT
    while own is None and holder in fields:
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
