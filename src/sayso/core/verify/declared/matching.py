"""Matching a pattern's elements against units: a chain of nodes, made once, along which the longest way is taken.

It knows elements and units, and nothing of how patterns are written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sayso.core.verify.declared.units import BRACKETS, STOPS, Unit
from sayso.core.verify.words import fold

_GAP = 5  # words


@dataclass(frozen=True, slots=True)
class Word:
    word: str


@dataclass(frozen=True, slots=True)
class Gap:
    anything: bool
    lazy: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    opens: bool


@dataclass(frozen=True, slots=True)
class Slot:
    """`kind` for the name of a record; else `value` is the text of an expression."""

    name: str
    kind: str = ""
    value: str = ""
    ordinal: bool = False
    article: bool = False
    terms: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Choice:
    options: tuple[tuple[Element, ...], ...]


Element = Word | Gap | Mark | Slot | Choice
Ways = tuple[int, tuple[tuple[Slot, int], ...], tuple[int, ...]]
"""The unit after a match, the unit of each slot, the ends of the words to blame."""


@dataclass(frozen=True, slots=True)
class Node:
    """An element and what follows it; `options` are the chains of a choice. `words`: one of these must stand there."""

    element: Element
    after: Node | None
    options: tuple[Node | None, ...] = ()
    words: frozenset[str] | None = None


def chain(elements: Sequence[Element], after: Node | None = None) -> Node | None:
    for element in reversed(elements):
        options = tuple(chain(o, after) for o in element.options) if isinstance(element, Choice) else ()
        after = Node(element, after, options, _words(element, after, options))
    return after


def _words(element: Element, after: Node | None, options: tuple[Node | None, ...]) -> frozenset[str] | None:
    """The words of which one must come next, None where anything may."""
    if isinstance(element, Word):
        return frozenset([element.word])
    if isinstance(element, Mark):
        return after.words if after is not None else None
    found = [o.words if o is not None else None for o in options]
    known = [words for words in found if words is not None]
    return frozenset[str]().union(*known) if options and len(known) == len(found) else None


def longest(node: Node | None, units: Sequence[Unit], at: int, start: int) -> Ways | None:
    """The longest way from a unit on; commas and quotes are passed over after the first unit."""
    if node is None:
        return at, (), ()
    passes = start < at < len(units) and units[at].soft
    if node.words is not None and not passes and (at >= len(units) or units[at].word not in node.words):
        return None
    element = node.element
    if isinstance(element, Choice):
        return _longer(longest(o, units, at, start) for o in node.options)
    if isinstance(element, Gap):
        ways = (longest(node.after, units, end, start) for end in _gap_ends(units, at, element.anything))
        return next((w for w in ways if w is not None), None) if element.lazy else _longer(ways)
    if isinstance(element, Mark):
        place = _past_soft(units, at) if element.opens and passes else at
        found = longest(node.after, units, place, start)
        return (found[0], found[1], (place, *found[2])) if found is not None else None
    return _longer(_steps(node, element, units, at, start, passes)) if at < len(units) else None


def _steps(
    node: Node, element: Word | Slot, units: Sequence[Unit], at: int, start: int, passes: bool
) -> Iterator[Ways | None]:
    unit = units[at]
    if isinstance(element, Slot):
        found = longest(node.after, units, at + 1, start) if _fills(element, unit) else None
        yield (found[0], ((element, at), *found[1]), found[2]) if found is not None else None
    elif unit.word == element.word:
        yield longest(node.after, units, at + 1, start)
    if passes:
        yield longest(node, units, at + 1, start)


def _longer(ways: Iterator[Ways | None]) -> Ways | None:
    return max((w for w in ways if w is not None), key=lambda w: w[0], default=None)


def _past_soft(units: Sequence[Unit], at: int) -> int:
    while at < len(units) and units[at].soft:
        at += 1
    return at


def _gap_ends(units: Sequence[Unit], at: int, anything: bool) -> Iterator[int]:
    yield at
    words = 0
    for place in range(at, len(units)):
        unit = units[place]
        if unit.word in STOPS or words == _GAP:
            return
        if not anything and (unit.mention is not None or (unit.number is not None and not unit.article)):
            return
        words += not unit.soft and unit.word not in BRACKETS
        yield place + 1


def _fills(slot: Slot, unit: Unit) -> bool:
    if slot.kind:
        return unit.mention is not None and slot.kind == unit.mention.kind
    if slot.terms:
        return fold(unit.text) in slot.terms and unit.mention is None
    return unit.number is not None and (slot.ordinal or not unit.ordinal) and (slot.article or not unit.article)
