"""What a tool returned, checked and cut: genuine facts only, and no more of them than a caller can hold.

What is cut is counted: a lookup says how many records matched, a cut value how long it was.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from sayso.core.encoding import encode_fact
from sayso.core.evidence import Numbered
from sayso.core.facts import Fact, FactKind, Value
from sayso.core.tools import ReadResult
from sayso.errors import FactError

MAX_FACTS = 200
MAX_TEXT = 20_000  # characters of one value
MAX_ITEMS = 500  # of a list
MAX_BYTES = 1_000_000  # of a result's facts, as JSON


def bounded(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Raises FactError for what is no fact, or states what its kind does not declare: a bug of the tool."""
    kept: list[Fact] = []
    left = MAX_BYTES
    for fact in islice(facts, MAX_FACTS):
        genuine = _genuine(fact)
        left -= len(json.dumps(encode_fact(Numbered("", genuine))))
        if left < 0:
            break
        kept.append(genuine)
    return tuple(kept)


def counted(found: ReadResult) -> tuple[int, int]:
    """Matched and searched records; never fewer matched than were given. Raises FactError for no numbers."""
    for number in (found.matched, found.searched):
        if not isinstance(number, int) or isinstance(number, bool) or number < 0:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise FactError("a read counts what it matched and searched in whole numbers")
    return found.matched, max(found.matched, found.searched)


def _genuine(fact: Fact) -> Fact:
    """The same fact, made again by its kind, so that nothing is in it that the kind would refuse."""
    if not isinstance(fact, Fact) or not isinstance(fact.kind, FactKind):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise FactError(f"a tool returned {type(fact).__name__} instead of a fact")
    values = {name: _cut(value) for name, value in fact.values.items()}
    made = fact.kind.fact(
        values, source=fact.source, key=fact.key, as_of=fact.as_of, provenance=fact.provenance,
        similarity=fact.similarity,
    )  # fmt: skip
    return replace(made, dropped=fact.dropped + made.dropped)


def _cut(value: Value) -> Value:
    if isinstance(value, str) and len(value) > MAX_TEXT:
        return f"{value[:MAX_TEXT]} [cut: {MAX_TEXT} of {len(value)} characters]"
    if isinstance(value, tuple):
        items = tuple(item[:MAX_TEXT] if isinstance(item, str) else item for item in value[:MAX_ITEMS])  # pyright: ignore[reportUnnecessaryIsInstance]
        more = len(value) - MAX_ITEMS
        return (*items, f"[cut: {more} more]") if more > 0 else items
    return value
