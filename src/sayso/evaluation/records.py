"""Labelled texts about structured records, a JSON object a line, as facts that the verifier can read.

`{id, domain, facts, text, errors: [{start, end, kind}], meta}`: the facts as `sayso.verifying.reading` takes them,
and the spans in which people saw an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

from sayso.core.evidence import Evidence
from sayso.errors import FactError, ImportFailed, SaysoError
from sayso.verifying.files import json_lines
from sayso.verifying.reading import AS_OF, listed, read_facts

__all__ = ["AS_OF", "Labelled", "each_line", "labelled_texts"]
T = TypeVar("T")


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
    return each_line(path, _labelled)


def each_line(path: Path, read: Callable[[Mapping[str, Any]], T]) -> Iterator[T]:
    """What `read` makes of each line. Raises ImportFailed, which names the line, for one that it cannot read."""
    for number, record in json_lines(path):
        try:
            yield read(record)
        except SaysoError as wrong:
            raise ImportFailed(f"{path}, line {number}: {wrong}") from wrong


def _labelled(record: Mapping[str, Any]) -> Labelled:
    text, meta = record.get("text"), record.get("meta")
    if not isinstance(text, str):
        raise FactError('it has no "text": write a text')
    return Labelled(
        str(record.get("id", "")),
        str(record.get("domain") or ""),
        text,
        read_facts(listed(record, "facts")),
        tuple(_error(e) for e in listed(record, "errors")) if "errors" in record else (),
        cast(dict[str, Any], meta) if isinstance(meta, dict) else {},
    )


def _error(record: Mapping[str, Any]) -> tuple[int, int, str]:
    try:
        return int(record["start"]), int(record["end"]), str(record["kind"])
    except (KeyError, TypeError, ValueError, AttributeError):
        raise FactError('an entry of "errors" is not {"start": 0, "end": 4, "kind": "NUMBER"}') from None
