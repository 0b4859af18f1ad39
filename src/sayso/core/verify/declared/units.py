"""A sentence as units: words, numbers, marks, and the names of records as one unit each.

Hyphens between words and apostrophes are left out ("double-double" and "double - double" are the same two
words); a dash between two numbers stays. It knows numbers in figures and in words, and no record.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sayso.core.verify.values import NUMBER_WORDS
from sayso.core.verify.words import fold

if TYPE_CHECKING:
    from sayso.core.verify.declared.naming import Mention

_UNIT = re.compile(r"(?:[A-Z]\.){2,4}|\d{1,3}(?:,\d{3})+(?![\d])|\d+\.\d+(?!\w)|[^\W_]+|[^\w\s]")
_DASHES = frozenset("-–—−‐‑")
_QUIET = frozenset("'’`´.*_")
BRACKETS = frozenset("()[]")
SOFT = frozenset(',"“”„«»')
"""Marks that a pattern may pass over."""
STOPS = frozenset(";:!?")
_ONES = {"one": 1, "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
         "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12}  # fmt: skip
_FIGURES = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,15})?")
_ORDINAL = re.compile(r"(\d{1,4})(?:st|nd|rd|th)")
_PAIRS = {"pair": 2.0, "couple": 2.0, "duo": 2.0, "trio": 3.0, "dozen": 12.0}
_ARTICLES = frozenset(["a", "an"])


@dataclass(frozen=True, slots=True)
class Unit:
    """`word` is folded. `number` is what it may count; an article may count one."""

    start: int
    end: int
    word: str
    text: str
    number: float | None = None
    ordinal: bool = False
    article: bool = False
    mention: Mention | None = None

    @property
    def soft(self) -> bool:
        return self.word in SOFT

    @property
    def capital(self) -> bool:
        return self.text[:1].isupper()


def units_of(text: str) -> list[Unit]:
    raw = [m for m in _UNIT.finditer(text) if m.group() not in _QUIET]
    found: list[Unit] = []
    for at, match in enumerate(raw):
        word = match.group()
        if word not in _DASHES:
            _append(found, match.start(), match.end(), word, text)
        elif 0 < at < len(raw) - 1 and raw[at - 1].group()[0].isdigit() and raw[at + 1].group()[0].isdigit():
            found.append(Unit(match.start(), match.end(), "-", word))
    return found


def _append(found: list[Unit], start: int, end: int, raw: str, text: str) -> None:
    word = fold(raw.replace(".", "") if raw[-1] == "." else raw) or raw  # "J.J." is "JJ"
    number, ordinal = _number(word)
    last = found[-1] if found else None
    ones = number is not None and number < 10 and not raw[0].isdigit()
    if ones and last is not None and last.number in _TENS and not last.text[0].isdigit():  # "twenty - one"
        both = text[last.start : end]
        found[-1] = replace(last, end=end, number=last.number + number, text=both, ordinal=ordinal)  # type: ignore[operator]
        return
    found.append(Unit(start, end, word, raw, number, ordinal, word in _ARTICLES))


_TENS = frozenset(float(n) for n in range(20, 100, 10))


def _number(word: str) -> tuple[float | None, bool]:
    if word[0].isdigit():
        if (match := _ORDINAL.fullmatch(word)) is not None:
            return float(match.group(1)), True
        figures = word.replace(",", "")
        return (float(figures), False) if _FIGURES.fullmatch(figures) else (None, False)
    if word in _ONES:
        return float(_ONES[word]), word != "one"
    if word in _PAIRS:
        return _PAIRS[word], False
    if word in _ARTICLES:
        return 1.0, False
    return (float(NUMBER_WORDS[word]), False) if word in NUMBER_WORDS else (None, False)


def with_mentions(units: Sequence[Unit], mentions: Sequence[tuple[int, int, Mention]]) -> list[Unit]:
    """The units with those of each mention (first unit, unit after the last) put together to one."""
    joined: list[Unit] = []
    at = 0
    for first, after, mention in mentions:
        joined += units[at:first]
        start, end = units[first].start, units[after - 1].end
        joined.append(Unit(start, end, "", units[first].text, mention=mention))
        at = after
    return [*joined, *units[at:]]
