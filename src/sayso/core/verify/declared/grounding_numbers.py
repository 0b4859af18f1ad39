"""Numerals as they stand in prose and in stored text: their value, precision, sign and the unit behind them.

Only the shape of numbers is known here: no record, no field, no unit.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from sayso.core.facts import Quantity
from sayso.core.verify.words import fold

_NUMERAL = re.compile(
    r"(?<![\w.])(?P<sign>[-−–](?=\d))?(?P<whole>\d{1,3}(?:,\d{3}){1,5}|\d{1,15})(?P<part>\.\d{1,9})?(?![.,]?\d)(?P<tail>[^\W\d_]{0,12})"
)
_INNER = re.compile(r"\d{1,3}(?:,\d{3}){1,5}(?!\d)(?:\.\d{1,9})?|\d{1,15}(?:\.\d{1,9})?")
_ORDINALS = frozenset({"st", "nd", "rd", "th"})
_APPROX = re.compile(
    r"(?:\b(?:about|around|approximately|roughly|nearly|almost|over|above|under|below|close to|more than|less than"
    r"|up to|at least|at most|exceeding|some|circa)|~|≈)\s?(?:a |an |the )?[-−–]?\Z",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"[\s-]?([^\W\d_]{1,14}(?:/[^\W\d_]{1,4})?|%|°\s?[CFK]?\b|[°˚])(?:\s([^\W\d_]{1,14}))?(?:\s([^\W\d_]{1,14}))?"
)
_APPROX_SHARE = 0.06  # how far "about" may be from what is held


@dataclass(frozen=True, slots=True)
class Numeral:
    """`unit` is the folded text right behind it (up to three words); `step` one of its last place, since people cut
    as well as round; `joined` says that a dash ties it to a word ("COVID-19", "7-day", "1970s")."""

    start: int
    end: int
    value: float
    step: float
    unit: str
    whole: bool
    approx: bool = False
    ordinal: bool = False
    joined: bool = False

    def fits(self, held: float, slack: float = 0.0) -> bool:
        """Whether it may be `held`, written with its own precision."""
        room = max(slack, abs(held) * _APPROX_SHARE if self.approx else 0.0)
        apart = abs(held - self.value)
        return apart <= room + 1e-9 or apart < self.step * 0.999


def numerals(text: str) -> list[Numeral]:
    """Every number of a text, in order; digits within a word ("A53") are a name's."""
    return [_read(text, m) for m in _NUMERAL.finditer(text)]


def _read(text: str, m: re.Match[str]) -> Numeral:
    sign = -1 if m["sign"] and not _joined(text, m.start()) else 1
    part = m["part"] or ""
    tail = m["tail"].lower()
    behind = _UNIT.match(text, m.start("tail"))
    unit = fold(" ".join(g for g in behind.groups() if g)) if behind else ""
    start = m.start() if sign < 0 else m.start("whole")
    approx = _APPROX.search(text[max(0, start - 20) : start]) is not None
    value = sign * float(m["whole"].replace(",", "") + part)
    return Numeral(
        start, m.end("part") if part else m.end("whole"), value, 10.0 ** -max(0, len(part) - 1), unit, not part,
        approx, tail in _ORDINALS, _tied(text, m, tail),
    )  # fmt: skip


def _tied(text: str, m: re.Match[str], tail: str) -> bool:
    before = m.start("whole") - 1
    after = m.end("whole")
    hyphened = not m["part"] and text[after : after + 1] == "-" and text[after + 1 : after + 2].isalpha()
    named = before > 0 and text[before] in "-–" and text[before - 1].isalpha()
    return hyphened or named or tail == "s"


def _joined(text: str, at: int) -> bool:
    """Whether a dash stands right after something: then it joins ("5-3", "10°C-12°C") and is no sign."""
    return at > 0 and not text[at - 1].isspace() and text[at - 1] not in "([~≈"


def loose_numbers(text: str) -> Iterable[float]:
    """Every run of digits anywhere in a stored text, also within words, without signs."""
    for m in _INNER.finditer(text):
        yield float(m.group().replace(",", ""))


_SMALL = 100  # below it a whole number is a count: it is told exactly


def as_number(value: object) -> float | None:
    """A stored value as a number; None for what is none, or is not finite."""
    if isinstance(value, Quantity):
        value = value.amount
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    finite = value.is_finite() if isinstance(value, Decimal) else abs(value) < _LARGEST
    return float(value) if finite else None


_LARGEST = 10**300


class Bag:
    """Numbers in order, asked for by value."""

    def __init__(self, numbers: Iterable[float]) -> None:
        self._sorted: Sequence[float] = sorted(numbers)

    def __bool__(self) -> bool:
        return bool(self._sorted)

    @property
    def low(self) -> float:
        return self._sorted[0]

    @property
    def high(self) -> float:
        return self._sorted[-1]

    def around(self, value: float) -> Sequence[float]:
        """The nearest numbers on both sides of a value."""
        at = bisect_left(self._sorted, value)
        return self._sorted[max(0, at - 1) : at + 1]

    def holds(self, numeral: Numeral) -> bool:
        """Whether any number fits: exactly where it is whole and small, else in its own precision."""
        value = abs(numeral.value)
        near = 0.0 if numeral.whole and value < _SMALL else numeral.step * 0.999
        room = max(near, value * _APPROX_SHARE if numeral.approx else 0.0)
        at = bisect_left(self._sorted, value - room - 1e-9)
        return at < len(self._sorted) and self._sorted[at] <= value + room + 1e-9
