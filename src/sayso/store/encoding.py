"""Messages and their facts as JSON text, and back, with every type kept.

Kinds are stored by name and looked up in the mapping that the caller passes. A fact of a kind
that is no longer declared stays readable: its kind is then made from the fields it has.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from datetime import date, datetime
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from sayso.core.evidence import Numbered
from sayso.core.facts import Fact, FactKind, Field, FieldType, Provenance, Quantity, Value
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

Kinds = Mapping[str, FactKind]


def encode_message(message: Message) -> str:
    """One ASCII JSON document (lone surrogates survive as escapes)."""
    document = {
        "id": message.id,
        "role": message.role.value,
        "exchange": message.exchange_id,
        "parts": [_part(part) for part in message.parts],
    }
    return json.dumps(document, separators=(",", ":"))


def decode_message(text: str, kinds: Kinds) -> Message:
    """Raises ValueError, KeyError or TypeError for a document that `encode_message` did not make."""
    document = json.loads(text)
    parts = tuple(_read_part(part, kinds) for part in document["parts"])
    return Message(document["id"], Role(document["role"]), parts, document["exchange"])


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
        "similarity": fact.similarity,
        "dropped": fact.dropped,
    }


def decode_fact(document: Mapping[str, Any], kinds: Kinds) -> Numbered:
    values = {name: _read_value(value) for name, value in document["values"].items()}
    kind = kinds.get(document["kind"]) or _kind_from(document["kind"], document["subject"], values)
    stated = {name: value for name, value in values.items() if kind.field(name) is not None}
    fact = Fact(
        kind=kind,
        subject=document["subject"],
        values=MappingProxyType(stated),
        source=document["source"],
        key=document["key"],
        as_of=datetime.fromisoformat(document["as_of"]),
        provenance=Provenance(document["provenance"]),
        similarity=document["similarity"],
        dropped=document["dropped"] + len(values) - len(stated),
    )
    return Numbered(document["ref"], fact)


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
        case ResultPart(result):
            facts = [encode_fact(numbered) for numbered in result.facts]
            return {"result": [result.call_id, result.status.value, result.reason, facts]}


def _read_part(part: Mapping[str, Any], kinds: Kinds) -> Part:
    ((name, value),) = part.items()
    match name:
        case "text":
            return TextPart(value)
        case "preamble":
            return PreamblePart(value)
        case "call":
            return CallPart(ToolCall(*value))
        case "facts":
            return FactsPart(tuple(decode_fact(item, kinds) for item in value))
        case "image":
            return ImagePart(decode_fact(value, kinds))
        case "result":
            call_id, status, reason, facts = value
            numbered = tuple(decode_fact(item, kinds) for item in facts)
            why = ResultReason(reason) if reason is not None else None
            return ResultPart(ToolResult(call_id, CallStatus(status), numbered, why))
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
        case _:
            return value  # text, whole and binary numbers, booleans; a tuple becomes a list


def _read_value(value: Any) -> Value:
    if isinstance(value, list):
        return tuple(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    if not isinstance(value, dict):
        return value
    ((name, content),) = value.items()  # pyright: ignore[reportUnknownVariableType]
    readers = {"decimal": Decimal, "datetime": datetime.fromisoformat, "date": date.fromisoformat}
    if name == "quantity":
        amount: Any = _read_value(content[0])  # pyright: ignore[reportUnknownArgumentType]
        return Quantity(amount, content[1])  # pyright: ignore[reportUnknownArgumentType]
    return readers[name](content)  # pyright: ignore[reportArgumentType, reportUnknownArgumentType]


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
