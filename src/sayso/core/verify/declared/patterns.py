"""Patterns of statements, as lexicons write them, matched against the units of a sentence.

    {wins} - {losses}                   words and slots, in order; commas and quotes are passed over
    (scored|tallied) {pts}              one of several wordings
    [just] {pts} points                 what may be missing
    <led> the team                      the words to blame where the statement is false
    {a:team} * {b:team}                 a gap of at most five words; `**` also passes over names and numbers, and
                                        `...` too, but ends as soon as it can
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

from sayso.core.verify.declared.matching import Choice, Element, Gap, Mark, Node, Slot, Word, chain, longest
from sayso.core.verify.declared.units import Unit, units_of
from sayso.errors import DeclarationError

_PIECE = re.compile(r"\{([^{}]{1,120})\}|\\([()\[\]])|(\*{1,2}|\.{3})|([()\[\]|<>])|([^\s{}()\[\]|<>*\\]{1,60})")


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
    begin: Node | None = None
    opens: frozenset[str] = field(default=frozenset())
    """The words by one of which it begins, "" for a slot."""
    anchors: frozenset[str] = field(default=frozenset([""]))
    """Words of which each match holds one; "" where there are none."""

    @property
    def slots(self) -> tuple[Slot, ...]:
        return tuple(_slots(self.elements))

    def at(self, units: Sequence[Unit], start: int) -> Match | None:
        """The longest match that begins at a unit."""
        found = longest(self.begin, units, start, start)
        if found is None:
            return None
        end, slots, marks = found
        return Match(start, end, slots, (marks[0], marks[1]) if marks else None)

    @property
    def second(self) -> frozenset[str] | None:
        """The words of which one must come after a slot at the beginning; None where anything may come."""
        after = self.begin.after if self.begin is not None and isinstance(self.begin.element, Slot) else None
        return after.words if after is not None else None


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
    return Pattern(text, elements, chain(elements), opens, _anchors(elements) or frozenset([""]))


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
            return [Gap(gap != "*", lazy=gap == "...")]
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
