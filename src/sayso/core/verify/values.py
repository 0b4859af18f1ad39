"""Values in text: numbers, money, percentages, durations, times, dates, contacts, paths and quotations.

Compares what is meant, not the letters, in five languages. This module only orders the readers of each sort,
and asks first whether a text can hold such a value at all; nothing here knows a record.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date

from sayso.core.verify.clock import spoken_times, times
from sayso.core.verify.contacts import QUOTE_MARK, links, paths, phones, quotations, quote_key
from sayso.core.verify.dates import find_dates
from sayso.core.verify.durations import HALVES, SINGLES, halves, singles
from sayso.core.verify.numerals import NUMBER_WORDS, in_digits, readings, spelled
from sayso.core.verify.quantities import quantities
from sayso.core.verify.shares import SHARES, shares
from sayso.core.verify.value import CONTACTS, MIN_QUOTE, Value, ValueKind

__all__ = [
    "CONTACTS",
    "MIN_QUOTE",
    "NUMBER_WORDS",
    "Value",
    "ValueKind",
    "find_values",
    "quote_key",
    "readings",
    "spelled",
]

_LETTERS = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")
_EXTENSION = re.compile(r"\.[A-Za-z]")
_PATH_HINT = re.compile(r"[/\\]|\w\.\w")
_CLOCK = re.compile(r"\d\s?[:haupoied]", re.IGNORECASE)


def find_values(text: str, today: date | None, *, quotes: bool = True) -> list[Value]:
    """Every value of a text, in order. Without `today` only absolute dates are read (stored text)."""
    seen = _Text.of(text)
    lower = seen.lower
    found = list(quotations(text)) if quotes and QUOTE_MARK.search(text) else []
    if "@" in lower or "://" in lower or "www." in lower:
        seen.take(links)
    if _EXTENSION.search(text) and _PATH_HINT.search(text):
        seen.take(paths)
    seen.spell_digits()
    seen.take(lambda rest: _dates(rest, text, seen.words, today))
    if len(_DIGIT.findall(text)) >= 7:
        seen.take(lambda rest: phones(rest, text))
    _take_amounts(seen)
    return sorted([*found, *seen.found], key=lambda v: v.start)


def _take_amounts(seen: _Text) -> None:
    text, words = seen.text, seen.words
    seen.take(lambda rest: spoken_times(rest, text, words))
    if not HALVES.isdisjoint(words):
        seen.take(lambda rest: halves(rest, text))
    if not SHARES.isdisjoint(words):
        seen.take(lambda rest: shares(rest, text))
    if seen.has_digits:
        if _CLOCK.search(seen.rest):
            seen.take(lambda rest: times(rest, text))
        seen.take(lambda rest: quantities(rest, text))
    if not SINGLES.isdisjoint(words):
        seen.take(lambda rest: singles(rest, text))


@dataclass(slots=True)
class _Text:
    """A text from which values are taken: `rest` has them blanked, and number words in digits."""

    text: str
    lower: str
    words: frozenset[str]
    rest: str
    found: list[Value]
    has_digits: bool = False

    @classmethod
    def of(cls, text: str) -> _Text:
        lower = text.lower()
        return cls(text, lower, frozenset(_LETTERS.findall(lower)), text, [])

    def spell_digits(self) -> None:
        self.rest = in_digits(self.rest, self.words)
        self.has_digits = _DIGIT.search(self.rest) is not None

    def take(self, reader: Callable[[str], Iterable[Value]]) -> None:
        parts: list[str] = []
        at = 0
        for value in sorted(reader(self.rest), key=lambda v: v.start):
            if value.start < at:
                continue  # within the one before
            self.found.append(value)
            blank = "\x00" if value.kind in CONTACTS else " "
            parts += [self.rest[at : value.start], blank * (value.end - value.start)]
            at = value.end
        if parts:
            self.rest = "".join([*parts, self.rest[at:]])


def _dates(rest: str, text: str, words: frozenset[str], today: date | None) -> Iterable[Value]:
    for start, end, span in find_dates(rest, today, words):
        yield Value(ValueKind.DATE, start, end, text[start:end], span=span, approx=span.loose, spelled=span.passing)
