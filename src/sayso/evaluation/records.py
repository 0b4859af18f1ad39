"""Labelled texts about structured records, a JSON object a line, as facts that the verifier can read.

Two shapes: `{id, entity, fields}` facts with error spans, and `{ref, kind, subject, ...}` facts with a
verdict for each sentence. A `null` or "<not recorded>" field is one that the record declares and does not hold.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from sayso.core.evidence import Evidence, Numbered
from sayso.core.facts import NOT_RECORDED, Fact, FactKind, Field, FieldType, Provenance, Value

_SUBJECT = "_subject"
AS_OF = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text with its facts and the spans in which people saw an error."""

    id: str
    domain: str
    text: str
    evidence: Evidence
    errors: tuple[tuple[int, int, str], ...]
    meta: Mapping[str, Any]


def labelled_texts(path: Path) -> Iterator[Labelled]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            yield Labelled(
                record["id"],
                record.get("domain", ""),
                record["text"],
                Evidence(fact_of_entity(f) for f in record["facts"]),
                tuple((e["start"], e["end"], e["kind"]) for e in record["errors"]),
                record.get("meta") or {},
            )


def fact_of_entity(record: Mapping[str, Any]) -> Numbered:
    """A fact of a kind made from the record's own fields; its type is that of the JSON value."""
    fields = record["fields"]
    declared = (Field(_SUBJECT), *(Field(name, _type_of(value)) for name, value in fields.items()))
    kind = FactKind("record", declared, _SUBJECT)
    stated: dict[str, Value] = {n: _value_of(v) for n, v in fields.items() if v not in (None, "", [], NOT_RECORDED)}
    stated[_SUBJECT] = record["entity"]
    return Numbered(record["id"], Fact(kind, record["entity"], stated, "records", record["id"], AS_OF, Provenance.OWN))


def _type_of(value: object) -> FieldType:
    if isinstance(value, bool):
        return FieldType.BOOLEAN
    if isinstance(value, int | float | Decimal):
        return FieldType.NUMBER
    return FieldType.LIST if isinstance(value, list) else FieldType.TEXT


def _value_of(value: Any) -> Value:
    if isinstance(value, list):
        return tuple(str(item) for item in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    return value
