"""Facts: records with declared fields that the host vouches for.

A `FactKind` declares what may be said of its records; a `Fact` is one record as a tool found it.
This module knows nothing of where facts come from, nor of refs (see `evidence`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType

from sayso.errors import DeclarationError, FactError


class FieldType(StrEnum):
    TEXT = "text"
    NUMBER = "number"
    QUANTITY = "quantity"
    DATE = "date"
    DATETIME = "datetime"
    BOOLEAN = "boolean"
    LIST = "list"


class Provenance(StrEnum):
    OWN = "own"  # our records
    REPORTED = "reported"  # what a caller's client says
    SECOND_HAND = "second_hand"  # another agent's words
    PROVIDED = "provided"  # what the user pasted or attached


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit: `Quantity(40, "%")`, `Quantity(Decimal("84.10"), "CHF")`."""

    amount: int | float | Decimal
    unit: str

    def __str__(self) -> str:
        return f"{self.amount}{'' if self.unit == '%' else ' '}{self.unit}"


class Party(StrEnum):
    """Who takes part in what a relation tells."""

    USER = "user"
    SUBJECT = "subject"  # the record itself
    VALUE = "value"  # whom or what the field holds


@dataclass(frozen=True, slots=True)
class Relation:
    """Verbs that tell a field as a relation with a direction: `Relation(("owe", "owes"), Party.USER, Party.VALUE)`.

    `verbs` are in any language, lower case; the doer is told before them, the receiver after them.
    """

    verbs: tuple[str, ...]
    doer: Party
    receiver: Party


Value = str | int | float | Decimal | bool | date | datetime | Quantity | tuple[str, ...]
NOT_RECORDED = "<not recorded>"


@dataclass(frozen=True, slots=True)
class Field:
    """One declared field of a kind.

    `words` are the words by which people ask for it or state it ("works at", "firm", "Firma"),
    in any language, lower case; `unit` applies to numbers; `refers_to` names another kind when
    the value is the name of one of its records; `label` is what a person reads. `options` are the
    values that people tell apart ("open", "done"): one tuple for each, the stored word first, then its
    other wordings. A wording may stand for several: what is overdue is open too.

    `relations` are the verbs that tell the field with a direction. `says_what` holds for a field that says
    what its record is, so that "is a ..." states it (a person's role). `parts` are the sorts of value that a
    field of several holds ("email", "phone"), each with the words that ask for it. `tolerance` is the share by
    which a told number may differ from the held one (0.05: five per cent). `told_by_words` holds for a field
    whose value nobody gives without one of its words: when a meeting ends, when a record was last changed.
    """

    name: str
    type: FieldType = FieldType.TEXT
    words: tuple[str, ...] = ()
    unit: str | None = None
    refers_to: str | None = None
    label: str = ""
    options: tuple[tuple[str, ...], ...] = ()
    relations: tuple[Relation, ...] = ()
    says_what: bool = False
    parts: tuple[tuple[str, tuple[str, ...]], ...] = ()
    tolerance: float = 0.0
    told_by_words: bool = False

    @property
    def title(self) -> str:
        return self.label or self.name.replace("_", " ")


@dataclass(frozen=True, slots=True)
class FactKind:
    """A kind of record: its name, its fields, and the field that names its records.

    `words` are the nouns by which people speak of the kind ("person", "people", "Leute"). `named_by_parts`
    holds where one word of a name is enough to mean the record, as people are by their first or last names.
    Raises DeclarationError for a double or missing field.
    """

    name: str
    fields: tuple[Field, ...]
    subject: str
    words: tuple[str, ...] = ()
    title: str = ""
    named_by_parts: bool = False

    def __post_init__(self) -> None:
        names = [f.name for f in self.fields]
        if len(set(names)) != len(names):
            raise DeclarationError(f"fact kind {self.name!r} declares a field twice")
        wrong = [f.name for f in self.fields if not 0 <= f.tolerance < 1]
        if wrong:
            raise DeclarationError(f"fact kind {self.name!r}: the tolerance of {wrong[0]!r} must be from 0 to below 1")
        if self.subject not in names:
            raise DeclarationError(f"fact kind {self.name!r}: subject field {self.subject!r} is not declared")

    def __hash__(self) -> int:
        """Kinds are looked up often, and their declarations are long: equal ones have the same name."""
        return hash(self.name)

    def field(self, name: str) -> Field | None:
        return next((f for f in self.fields if f.name == name), None)

    def fact(
        self,
        values: Mapping[str, Value | None],
        *,
        source: str,
        key: str,
        as_of: datetime,
        provenance: Provenance = Provenance.OWN,
        similarity: float | None = None,
    ) -> Fact:
        """Make a fact of this kind; None, "" and () mean not recorded.

        Our own tools may not state an undeclared field (FactError). From outside sources such
        values are dropped and counted in `Fact.dropped`.
        """
        declared = {f.name: f for f in self.fields}
        extra = [name for name in values if name not in declared]
        if extra and provenance is Provenance.OWN:
            raise FactError(f"{self.name} does not declare {', '.join(sorted(extra))}")
        stated = {
            name: _checked(value, declared[name], self.name)
            for name, value in values.items()
            if name in declared and value is not None and value != "" and value != ()
        }
        return Fact(
            kind=self,
            subject=str(stated.get(self.subject, key)),
            values=MappingProxyType(stated),
            source=source,
            key=key,
            as_of=as_of,
            provenance=provenance,
            similarity=similarity,
            dropped=len(extra),
        )


@dataclass(frozen=True, slots=True)
class Fact:
    """One record: only stated values are in `values`; a declared field without one is a gap."""

    kind: FactKind
    subject: str
    values: Mapping[str, Value]
    source: str
    key: str
    as_of: datetime
    provenance: Provenance = Provenance.OWN
    similarity: float | None = None
    dropped: int = field(default=0, compare=False)

    @property
    def gaps(self) -> tuple[str, ...]:
        return tuple(f.name for f in self.kind.fields if f.name not in self.values)

    @property
    def identity(self) -> tuple[str, str, str]:
        return (self.kind.name, self.source, self.key)

    def same_content(self, other: Fact) -> bool:
        """Whether both state the same values: then they share one ref."""
        return self.provenance is other.provenance and dict(self.values) == dict(other.values)


def value_text(value: Value) -> str:
    """A value as plain text: ISO dates, `true`/`false`, lists joined by "; "."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return "; ".join(value)
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="minutes")
    if isinstance(value, date):
        return value.isoformat()
    return str(value)


LOOKUP = FactKind(
    "lookup",
    (
        Field("query"),
        Field("tool"),
        Field("arguments"),
        Field("matched", FieldType.NUMBER),
        Field("searched", FieldType.NUMBER),
        Field("covers", words=("kind",)),
        Field("as_of", FieldType.DATETIME),
    ),
    subject="query",
)
"""What a read found, and how much it looked through: so that an absence and a count can be cited.

`covers` names the fact kind that was searched; `matched` and `searched` count its records."""

PROPOSAL = FactKind(
    "proposal",
    (
        Field("title"),
        Field("state", words=("status", "state", "zustand")),
        Field("action", words=("action", "change")),
        Field("target", words=("for", "to", "recipient")),
        Field("details"),
        Field("expires", FieldType.DATETIME),
        Field("proposal_id"),
    ),
    subject="title",
    words=("proposal", "proposals", "vorschlag", "vorschläge"),
)
"""A change that waits for a person. Its only states in an exchange are pending ones."""

RECEIPT = FactKind(
    "receipt",
    (
        Field("title"),
        Field("outcome", words=("outcome", "result", "state")),
        Field("action"),
        Field("target"),
        Field("details"),
        Field("done_at", FieldType.DATETIME, words=("when", "done")),
        Field("proposal_id"),
    ),
    subject="title",
    words=("receipt", "receipts"),
)
"""That an action ran, and how it ended. The only thing by which "done" may be said."""

SECOND_HAND = FactKind(
    "agent_answer",
    (Field("agent"), Field("asked"), Field("answer")),
    subject="agent",
    words=("agent", "assistant"),
)
"""Another agent's words. A sentence that uses them attributes them."""

PROVIDED = FactKind(
    "provided",
    (Field("title"), Field("text")),
    subject="title",
    words=("text", "attachment"),
)
"""What the user pasted or attached (refs U1, U2 ...)."""


def lookup_fact(
    tool: str, arguments: str, *, covers: str, matched: int, searched: int, as_of: datetime, key: str
) -> Fact:
    """The trace that each read leaves, also when it found nothing."""
    query = f"{tool} {arguments}".strip()
    values: dict[str, Value | None] = {
        "query": query, "tool": tool, "arguments": arguments, "matched": matched,
        "searched": searched, "covers": covers, "as_of": as_of,
    }  # fmt: skip
    return LOOKUP.fact(values, source="lookup", key=key, as_of=as_of)


def clean_text(text: str) -> str:
    """Text that any store, stream and terminal survives: no lone surrogates, no NUL."""
    if text.isascii() and "\x00" not in text:
        return text
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "\N{REPLACEMENT CHARACTER}")


_ACCEPTS: dict[FieldType, tuple[type, ...]] = {
    FieldType.TEXT: (str,),
    FieldType.NUMBER: (int, float, Decimal),
    FieldType.QUANTITY: (Quantity,),
    FieldType.DATE: (date,),
    FieldType.DATETIME: (date,),  # a day alone is the whole of it
    FieldType.BOOLEAN: (bool,),
    FieldType.LIST: (tuple,),
}


def _checked(value: Value, declared: Field, kind: str) -> Value:
    where = f"{kind}.{declared.name}"
    if not isinstance(value, _ACCEPTS[declared.type]):
        raise FactError(f"{where} is a {declared.type}, not {type(value).__name__}")
    if isinstance(value, bool) and declared.type is FieldType.NUMBER:
        raise FactError(f"{where} is a number, not bool")
    if isinstance(value, float) and not math.isfinite(value):
        raise FactError(f"{where} is not a finite number")
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, tuple):
        return tuple(_list_item(item, where) for item in value)
    return value


def _list_item(item: object, where: str) -> str:
    if not isinstance(item, str):
        raise FactError(f"{where} holds text items, not {type(item).__name__}")
    return clean_text(item)


def kinds_by_name(kinds: Iterable[FactKind]) -> dict[str, FactKind]:
    return {kind.name: kind for kind in kinds}
