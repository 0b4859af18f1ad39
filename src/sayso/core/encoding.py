"""Messages, facts and declarations of kinds as JSON, and back, with every type kept: for stores and for the wire.

Kinds are stored by name and looked up in the mapping that the caller passes. A fact of a kind
that is no longer declared stays readable: its kind is then made from the fields it has.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple
from datetime import date, datetime
from decimal import Decimal
from types import MappingProxyType
from typing import Any, cast

from sayso.core.evidence import Numbered
from sayso.core.facts import Fact, FactKind, Field, FieldType, Party, Provenance, Quantity, Relation, Value
from sayso.core.messages import (
    Attempt,
    CallPart,
    CallStatus,
    FactsPart,
    ImagePart,
    Message,
    Part,
    PreamblePart,
    ResultPart,
    ResultReason,
    Role,
    TextPart,
    ToolCall,
    ToolResult,
)
from sayso.core.proposals import MAX_SAFE_INTEGER, digest_of
from sayso.errors import SaysoError

Kinds = Mapping[str, FactKind]
_REF = re.compile("[FU][1-9][0-9]{0,8}")


def encode_message(message: Message) -> str:
    """One ASCII JSON document (lone surrogates survive as escapes)."""
    return json.dumps(message_document(message), separators=(",", ":"))


def message_document(message: Message) -> dict[str, Any]:
    """A message as plain JSON values: stored, and resubmitted, in this one shape."""
    return {
        "id": message.id,
        "role": message.role.value,
        "exchange": message.exchange_id,
        "parts": [_part(part) for part in message.parts],
    }


def transcript_digest(messages: Iterable[Message], before: str = "") -> str:
    """A chained SHA-256 over messages in their order, as 64 hexadecimal digits; `before` is the digest of those
    before them ("" for none), so that a transcript can be digested piece by piece."""
    digest = before
    for message in messages:
        document = json.dumps(message_document(message), sort_keys=True, separators=(",", ":"))
        digest = digest_of(f"{digest} {document}".encode("ascii"))
    return digest


def canonical_digest(value: Any) -> str:
    """The SHA-256 of a JSON value, whatever the order of its members."""
    return digest_of(json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii"))


def exact(value: Any) -> Any:
    """A JSON value as JavaScript writes it back: 1.0 becomes 1, so that its digest stays the same."""
    if isinstance(value, float) and value.is_integer() and abs(value) <= MAX_SAFE_INTEGER:
        return int(value)
    if isinstance(value, list | tuple):
        return [exact(item) for item in cast(Sequence[Any], value)]
    if isinstance(value, Mapping):
        return {name: exact(item) for name, item in cast(Mapping[str, Any], value).items()}
    return value


def decode_message(text: str, kinds: Kinds) -> Message:
    """Raises ValueError, KeyError or TypeError for a document that `encode_message` did not make."""
    return read_document(json.loads(text), kinds)


def read_document(document: Mapping[str, Any], kinds: Kinds) -> Message:
    """A message from `message_document`'s values. Raises ValueError, KeyError or TypeError."""
    parts = tuple(_read_part(part, kinds) for part in document["parts"])
    return Message(_text(document["id"]), Role(document["role"]), parts, _text(document["exchange"]))


def read_outside(document: object, kinds: Kinds) -> Message:
    """A message from a document that came from outside. Raises ValueError for whatever `message_document` did not
    make: nothing else comes of it, whatever the document is."""
    try:
        if not isinstance(document, Mapping):
            raise TypeError("a message is an object")
        message = read_document(cast(Mapping[str, Any], document), kinds)
        if not all(_REF.fullmatch(numbered.ref) for numbered in message.numbered):
            raise ValueError("a ref is F or U and a number")
        if message_document(message) != document:
            raise ValueError("it has members that a message does not have")
    except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, SaysoError) as wrong:
        raise ValueError(f"this is no message as it was given out: {wrong}") from wrong
    return message


def encode_attempts(attempts: Sequence[Attempt]) -> str | None:
    """Why models did not answer, as one JSON list; None where the first one did."""
    return json.dumps([astuple(attempt) for attempt in attempts]) if attempts else None


def decode_attempts(text: str | None) -> tuple[Attempt, ...]:
    return tuple(Attempt(*entry) for entry in json.loads(text or "[]"))


def encode_fact(numbered: Numbered) -> dict[str, Any]:
    """A numbered fact as plain JSON values; also fit for the wire of our own caller."""
    fact = numbered.fact
    return {
        "ref": numbered.ref,
        "kind": fact.kind.name,
        "subject": fact.subject,
        "values": {name: _value(value) for name, value in fact.values.items()},
        "source": fact.source,
        "key": fact.key,
        "as_of": fact.as_of.isoformat(),
        "provenance": fact.provenance.value,
        "similarity": exact(fact.similarity),
        "dropped": fact.dropped,
    }


def decode_fact(document: Mapping[str, Any], kinds: Kinds) -> Numbered:
    values = {name: _read_value(value) for name, value in document["values"].items()}
    kind = kinds.get(document["kind"]) or _kind_from(document["kind"], document["subject"], values)
    stated = {name: value for name, value in values.items() if kind.field(name) is not None}
    fact = Fact(
        kind=kind,
        subject=_text(document["subject"]),
        values=MappingProxyType(stated),
        source=_text(document["source"]),
        key=_text(document["key"]),
        as_of=datetime.fromisoformat(document["as_of"]),
        provenance=Provenance(document["provenance"]),
        similarity=document["similarity"],
        dropped=document["dropped"] + len(values) - len(stated),
    )
    return Numbered(_text(document["ref"]), fact)


def encode_kind(kind: FactKind) -> dict[str, Any]:
    """A kind's whole declaration as plain JSON values; what has its default is left out."""
    return _without_defaults(
        {
            "name": kind.name,
            "subject": kind.subject,
            "words": list(kind.words),
            "title": kind.title,
            "named_by_parts": kind.named_by_parts,
            "fields": [_encode_field(declared) for declared in kind.fields],
        }
    )


def decode_kind(document: Mapping[str, Any]) -> FactKind:
    """Raises DeclarationError, ValueError, KeyError or TypeError for what `encode_kind` did not make."""
    return FactKind(
        str(document["name"]),
        tuple(_decode_field(entry) for entry in document["fields"]),
        subject=str(document["subject"]),
        words=_words(document.get("words", ())),
        title=str(document.get("title", "")),
        named_by_parts=document.get("named_by_parts") is True,
    )


def _encode_field(declared: Field) -> dict[str, Any]:
    return _without_defaults(
        {
            "name": declared.name,
            "type": declared.type.value,
            "words": list(declared.words),
            "unit": declared.unit,
            "refers_to": declared.refers_to,
            "label": declared.label,
            "options": [list(option) for option in declared.options],
            "relations": [[list(r.verbs), r.doer.value, r.receiver.value] for r in declared.relations],
            "says_what": declared.says_what,
            "parts": [[sort, list(words)] for sort, words in declared.parts],
            "tolerance": declared.tolerance,
            "told_by_words": declared.told_by_words,
        }
    )


def _decode_field(entry: Mapping[str, Any]) -> Field:
    unit, refers_to = entry.get("unit"), entry.get("refers_to")
    return Field(
        str(entry["name"]),
        FieldType(entry.get("type", "text")),
        words=_words(entry.get("words", ())),
        unit=None if unit is None else str(unit),
        refers_to=None if refers_to is None else str(refers_to),
        label=str(entry.get("label", "")),
        options=tuple(_words(option) for option in entry.get("options", ())),
        relations=tuple(Relation(_words(v), Party(d), Party(r)) for v, d, r in entry.get("relations", ())),
        says_what=entry.get("says_what") is True,
        parts=tuple((str(sort), _words(words)) for sort, words in entry.get("parts", ())),
        tolerance=float(entry.get("tolerance", 0.0)),
        told_by_words=entry.get("told_by_words") is True,
    )


def _without_defaults(document: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if value not in (None, "", False, [], 0.0)}


def _words(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        raise TypeError("words are a list of texts")
    return tuple(str(word) for word in value)


def _part(part: Part) -> dict[str, Any]:
    match part:
        case TextPart(text):
            return {"text": text}
        case PreamblePart(text):
            return {"preamble": text}
        case CallPart(call):
            return {"call": [call.id, call.name, call.arguments, call.protocol]}
        case FactsPart(facts):
            return {"facts": [encode_fact(numbered) for numbered in facts]}
        case ImagePart(attached):
            return {"image": encode_fact(attached)}
        case _:
            result = part.result
            facts = [encode_fact(numbered) for numbered in result.facts]
            return {"result": [result.call_id, result.status.value, result.reason, facts]}


def _read_part(part: Mapping[str, Any], kinds: Kinds) -> Part:
    ((name, value),) = part.items()
    match name:
        case "text":
            return TextPart(_text(value))
        case "preamble":
            return PreamblePart(_text(value))
        case "call":
            call_id, called, arguments, protocol = map(_text, value)
            return CallPart(ToolCall(call_id, called, arguments, "native" if protocol == "native" else "text"))
        case "facts":
            return FactsPart(tuple(decode_fact(item, kinds) for item in value))
        case "image":
            return ImagePart(decode_fact(value, kinds))
        case "result":
            call_id, status, reason, facts = value
            numbered = tuple(decode_fact(item, kinds) for item in facts)
            why = ResultReason(reason) if reason is not None else None
            return ResultPart(ToolResult(_text(call_id), CallStatus(status), numbered, why))
        case _:
            raise ValueError(f"a message has a part {name!r} that this version does not know")


def _value(value: Value) -> Any:
    match value:
        case Decimal():
            return {"decimal": str(value)}
        case datetime():
            return {"datetime": value.isoformat()}
        case date():
            return {"date": value.isoformat()}
        case Quantity(amount, unit):
            return {"quantity": [_value(amount), unit]}
        case tuple():
            return list(value)
        case float() if value.is_integer():
            return {"float": repr(value)}  # JavaScript would write 1.0 back as 1
        case int() if abs(value) > MAX_SAFE_INTEGER:
            return {"integer": str(value)}  # and lose the last digits of these
        case _:
            return value  # text, whole and binary numbers, booleans


def _read_value(value: Any) -> Value:
    """Raises ValueError, KeyError or TypeError for what is no value of a fact."""
    if isinstance(value, list):
        return tuple(_text(item) for item in cast(list[Any], value))
    if isinstance(value, dict):
        ((name, content),) = cast(dict[str, Any], value).items()
        return _READERS[name](content)
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("a number is finite")
    if not isinstance(value, str | int | float):
        raise TypeError(f"{type(value).__name__} is no value of a fact")
    return value


def _read_decimal(text: Any) -> Decimal:
    amount = Decimal(_text(text))
    if not amount.is_finite():
        raise ValueError("a number is finite")
    return amount


def _read_float(text: Any) -> float:
    number = float(_text(text))
    if not math.isfinite(number):
        raise ValueError("a number is finite")
    return number


def _read_integer(text: Any) -> int:
    return int(_text(text))


def _read_quantity(content: Any) -> Quantity:
    held, unit = content
    amount = _read_value(held)
    if isinstance(amount, bool) or not isinstance(amount, int | float | Decimal):
        raise TypeError("a quantity is a number with its unit")
    return Quantity(amount, _text(unit))


_READERS: Mapping[str, Callable[[Any], Value]] = {
    "decimal": _read_decimal,
    "float": _read_float,
    "integer": _read_integer,
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "quantity": _read_quantity,
}


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a text, not {type(value).__name__}")
    return value


def _kind_from(name: str, subject: str, values: Mapping[str, Value]) -> FactKind:
    fields = tuple(Field(field, _type_of(value)) for field, value in values.items())
    named = next((field for field, value in values.items() if value == subject), None)
    if named is None:
        named = "name" if "name" not in values else "subject_of_record"
        fields = (Field(named), *fields)
    return FactKind(name, fields, subject=named)


def _type_of(value: Value) -> FieldType:
    match value:
        case bool():
            return FieldType.BOOLEAN
        case str():
            return FieldType.TEXT
        case tuple():
            return FieldType.LIST
        case Quantity():
            return FieldType.QUANTITY
        case datetime():
            return FieldType.DATETIME
        case date():
            return FieldType.DATE
        case _:
            return FieldType.NUMBER
