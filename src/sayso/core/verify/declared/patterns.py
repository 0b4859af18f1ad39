"""Patterns of statements, as lexicons write them, matched against the units of a sentence.

    {wins} - {losses}                   words and slots, in order; commas and quotes are passed over
    (scored|tallied) {pts}              one of several wordings
    [just] {pts} points                 what may be missing
    <led> the team                      the words to blame where the statement is false
    {a:team} * {b:team}                 a gap of at most five words; `**` also passes over names and numbers
    \\( {wins} - {losses} \\)           brackets that must be there

A slot is a kind's name (`{team}`, or `{a:team}` where two are told apart): the name of a record; or an expression
of its value (see `expressions`): a number; with `#`, an ordinal too; with `~`, "a" as well for one. `{weekday=}`
takes one of a field's terms.
It knows nothing of what statements mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sayso.core.verify.declared.units import BRACKETS, STOPS, Unit, units_of
from sayso.core.verify.words import fold
from sayso.errors import DeclarationError

_PIECE = re.compile(r"\{([^{}]{1,120})\}|\\([()\[\]])|(\*{1,2})|([()\[\]|<>])|([^\s{}()\[\]|<>*\\]{1,60})")
_GAP = 5


@dataclass(frozen=True, slots=True)
class Word:
    word: str


@dataclass(frozen=True, slots=True)
class Gap:
    anything: bool


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


@dataclass(frozen=True, slots=True)
class Match:
    """Units `start` to `end`; the unit of each slot; the units of the words to blame."""

    start: int
    end: int
    slots: tuple[tuple[Slot, int], ...]
    marked: tuple[int, int] | None


@dataclass(frozen=True)
class Pattern:
    text: str
    elements: tuple[Element, ...]
    opens: frozenset[str] = field(default=frozenset())
    """The words by one of which it begins, "" for a slot."""
    anchors: frozenset[str] = field(default=frozenset([""]))
    """Words of which each match holds one; "" where there are none."""

    @property
    def slots(self) -> tuple[Slot, ...]:
        return tuple(_slots(self.elements))

    def at(self, units: Sequence[Unit], start: int) -> Match | None:
        """The longest match that begins at a unit."""
        best = max(_walk(self.elements, units, start, _So(start)), key=lambda so: so.at, default=None)
        if best is None:
            return None
        marked = (best.marks[0], best.marks[1]) if best.marks else None
        return Match(start, best.at, best.slots, marked)


def pattern(text: str, kinds: frozenset[str], terms: dict[str, frozenset[str]] | None = None) -> Pattern:
    """Raises DeclarationError for brackets that do not close, an empty pattern or a slot of no kind."""
    pieces = [m.groups() for m in _PIECE.finditer(text)]
    if "".join(m.group() for m in _PIECE.finditer(text)).replace(" ", "") != text.replace(" ", ""):
        raise DeclarationError(f"the pattern {text!r} cannot be read: check its brackets")
    reader = _Reader(text, pieces, kinds, terms or {})
    options = reader.options("")
    if len(options) != 1 or not options[0]:
        raise DeclarationError(f"the pattern {text!r} is empty or has a | outside of ( )")
    elements = options[0]
    opens = _openings(elements)
    if not opens:
        raise DeclarationError(f"the pattern {text!r} must begin with a word or a slot that is always there")
    if not _marks(elements) <= {(), (True, False)}:
        raise DeclarationError(f"the pattern {text!r}: mark the words to blame once, as in <led> the team")
    return Pattern(text, elements, opens, _anchors(elements) or frozenset([""]))


class _Reader:
    def __init__(
        self, text: str, pieces: list[tuple[str | None, ...]], kinds: frozenset[str], terms: dict[str, frozenset[str]]
    ) -> None:
        self._text = text
        self._pieces = pieces
        self._at = 0
        self._kinds = kinds
        self._terms = terms

    def options(self, closing: str) -> tuple[tuple[Element, ...], ...]:
        found: list[tuple[Element, ...]] = []
        elements: list[Element] = []
        while self._at < len(self._pieces):
            slot, literal, gap, mark, word = self._pieces[self._at]
            self._at += 1
            if mark is not None and mark == closing:
                return (*found, tuple(elements))
            if mark == "|":
                found.append(tuple(elements))
                elements = []
            elif mark in ("(", "["):
                options = self.options(")" if mark == "(" else "]")
                elements.append(Choice((*options, ()) if mark == "[" else options))
            elif mark in ("<", ">"):
                elements.append(Mark(mark == "<"))
            elif mark is not None:
                raise DeclarationError(f"the pattern {self._text!r} has a {mark} too many")
            else:
                elements += self._element(slot, literal, gap, word or "")
        if closing:
            raise DeclarationError(f"the pattern {self._text!r} lacks a {closing}")
        return (*found, tuple(elements))

    def _element(self, slot: str | None, literal: str | None, gap: str | None, word: str) -> list[Element]:
        if slot is not None:
            return [self._slot(slot.strip())]
        if gap is not None:
            return [Gap(gap == "**")]
        if literal is not None or word in ("-", "/", "%", "$"):
            return [Word(literal or word)]
        return [Word(u.word) for u in units_of(word)]

    def _slot(self, slot: str) -> Slot:
        name, _, kind = slot.partition(":")
        kind = kind.strip() or name
        if kind in self._kinds:
            return Slot(name.strip(), kind=kind)
        if slot.endswith("="):
            terms = self._terms.get(slot[:-1])
            if terms is None:
                raise DeclarationError(f"the pattern {self._text!r}: the field {slot[:-1]} declares no terms")
            return Slot(slot[:-1], value=slot[:-1], terms=terms)
        value = slot.lstrip("#~").strip()
        return Slot(value, value=value, ordinal=slot.startswith("#"), article=slot.startswith("~"))


def _openings(elements: Sequence[Element]) -> frozenset[str]:
    for element in elements:
        if isinstance(element, Word):
            return frozenset([element.word])
        if isinstance(element, Slot):
            return element.terms or frozenset([""])
        if isinstance(element, Choice):
            parts = [_openings(o) for o in element.options]
            if all(parts):
                return frozenset[str]().union(*parts)
            rest = _openings(elements[elements.index(element) + 1 :])
            return rest.union(*parts) if rest else rest
        if isinstance(element, Gap):
            break
    return frozenset()


def _marks(elements: Sequence[Element]) -> frozenset[tuple[bool, ...]]:
    """The orders in which `<` and `>` may come."""
    found = frozenset([()])
    for element in elements:
        if isinstance(element, Mark):
            found = frozenset((*before, element.opens) for before in found)
        elif isinstance(element, Choice):
            options = frozenset(m for o in element.options for m in _marks(o))
            found = frozenset((*before, *after) for before in found for after in options)
    return found


def _anchors(elements: Sequence[Element]) -> frozenset[str]:
    """The most telling words of which one must be there: long ones before short ones."""
    found: list[frozenset[str]] = []
    for element in elements:
        if isinstance(element, Word):
            found.append(frozenset([element.word]))
        elif isinstance(element, Choice):
            parts = [_anchors(o) for o in element.options]
            found += [frozenset[str]().union(*parts)] if all(parts) else []
        elif isinstance(element, Slot) and element.terms:
            found.append(element.terms)
    return max(found, key=lambda words: min(map(len, words)), default=frozenset[str]())


def _slots(elements: Sequence[Element]) -> Iterator[Slot]:
    for element in elements:
        if isinstance(element, Slot):
            yield element
        elif isinstance(element, Choice):
            for option in element.options:
                yield from _slots(option)


@dataclass(frozen=True, slots=True)
class _So:
    """What has matched so far: the unit that is next, the filled slots, the ends of the words to blame."""

    at: int
    slots: tuple[tuple[Slot, int], ...] = ()
    marks: tuple[int, ...] = ()


def _walk(elements: tuple[Element, ...], units: Sequence[Unit], start: int, so: _So) -> Iterator[_So]:
    """All ways in which the elements match from a unit on."""
    if not elements:
        yield so
        return
    element, rest = elements[0], elements[1:]
    if isinstance(element, Choice):
        for option in element.options:
            yield from _walk((*option, *rest), units, start, so)
    elif isinstance(element, Gap):
        for end in _gap_ends(units, so.at, element.anything):
            yield from _walk(rest, units, start, _So(end, so.slots, so.marks))
    elif isinstance(element, Mark):
        inner = _past_soft(units, so.at) if element.opens and so.at > start else so.at
        yield from _walk(rest, units, start, _So(inner, so.slots, (*so.marks, inner)))
    elif so.at < len(units):
        yield from _step(element, rest, units, start, so)
        if units[so.at].soft and so.at > start:
            yield from _walk(elements, units, start, _So(so.at + 1, so.slots, so.marks))


def _step(element: Word | Slot, rest: tuple[Element, ...], units: Sequence[Unit], start: int, so: _So) -> Iterator[_So]:
    unit = units[so.at]
    if isinstance(element, Slot):
        if _fills(element, unit):
            yield from _walk(rest, units, start, _So(so.at + 1, (*so.slots, (element, so.at)), so.marks))
    elif unit.word == element.word:
        yield from _walk(rest, units, start, _So(so.at + 1, so.slots, so.marks))


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
