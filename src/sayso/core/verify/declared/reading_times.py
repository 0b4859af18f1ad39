"""Times in stored texts: days, months and years known as exactly as they are written, and the periods between them.

"1958 - 2018", "2009 - present" and "m. 1963; div. 1965" are periods. Reads texts; knows no field.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache

from sayso.core.verify.dates import DateSpan, find_dates

_I = re.IGNORECASE
_YEAR = re.compile(r"(?<![\d.,$£€:/])(?:1[0-9]|20)\d\d(?![\d:]|[.,]\d|%| ?(?:km|mi|m|kg)\b)")
_MONTH_YEAR = re.compile(
    r"\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?,? ((?:1[0-9]|20)\d\d)\b", re.IGNORECASE
)
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_JOINT = re.compile(
    r"[\s)]{0,4}(?:-|–|—|to|until|till|through)[\s(]{0,4}$|[\s;,()]{0,4}(?:div|died|d|sep|annulled|widowed)\.?[\s;,]{0,4}$",
    _I,
)
_LASTS = re.compile(
    r"[\s)]{0,4}(?:-|–|—|to|until)\s?(?:present|now|today|date)|[\s)]{0,4}(?:-|–|—)[\s)]*$|[\s)]{0,4}(?:-|–|—)\)", _I
)
_SINCE = re.compile(r"(?:\bsince|\(? ?\bm\.?|\bmarried)\s{0,3}$", _I)
_AGE = re.compile(r"\b(?:aged?)\s(\d{1,3})(?:\s?[-–]\s?(\d{1,3}))?\b", _I)
_FIRST_YEAR, _LAST_YEAR = 1, 2199
_YEAR_DAYS = 365.2425


@dataclass(frozen=True, slots=True)
class When:
    """A moment that lies between two days, both counted, and where it is written."""

    low: date
    high: date
    start: int = 0
    end: int = 0

    @property
    def exact(self) -> bool:
        return self.low == self.high


@dataclass(frozen=True, slots=True)
class Period:
    """From one moment to another; `until` is None while it lasts."""

    since: When
    until: When | None

    def ended(self, now: When) -> When:
        return self.until or now


@lru_cache(maxsize=4096)
def whens(text: str) -> tuple[When, ...]:
    """The moments of a text, as it is written, in order; the same day written twice counts once."""
    found = [w for start, end, span in find_dates(text, None) if (w := _dated(text, span, start, end))]
    rest = blanked(text, [(w.start, w.end) for w in found])
    named = [(int(m[2]), MONTHS.index(m[1].lower()) + 1, m.start(), m.end()) for m in _MONTH_YEAR.finditer(rest)]
    months = [_of_month(*place) for place in named]
    rest = blanked(rest, [(w.start, w.end) for w in months])
    years = [(int(m.group()), m.start(), m.end()) for m in _YEAR.finditer(rest)]
    found += [*months, *(When(date(y, 1, 1), date(y, 12, 31), start, end) for y, start, end in years)]
    found.sort(key=lambda w: w.start)
    return tuple(_once(found))


def blanked(text: str, places: Iterable[tuple[int, int]]) -> str:
    """The text with some places blanked, of the same length; they do not overlap."""
    parts: list[str] = []
    at = 0
    for start, end in sorted(places):
        parts += text[at:start], " " * (end - start)
        at = end
    return "".join([*parts, text[at:]])


_SAME_YEAR = re.compile(r" ?[-–] ?[^.;()]{0,16}?\b((?:1[0-9]|20)\d\d)\b")


def _same_year(text: str, end: int) -> int | None:
    """ "20 Mar - 7 Jul 1815": the first day is of the year that the last one names."""
    m = _SAME_YEAR.match(text, end)
    return int(m[1]) if m else None


def _once(found: list[When]) -> Iterator[When]:
    seen: set[tuple[date, date]] = set()
    for moment in found:
        if (moment.low, moment.high) not in seen:
            seen.add((moment.low, moment.high))
            yield moment


def _dated(text: str, span: DateSpan, start: int, end: int) -> When | None:
    """A date as a moment; None for a day of any year, or of one that no record can mean."""
    year = span.year or _same_year(text, end)
    if span.days or span.month is None or year is None or not _FIRST_YEAR <= year <= _LAST_YEAR:
        return None
    exact = replace(span, year=year).exact
    return When(exact, exact, start, end) if exact else _of_month(year, span.month, start, end)


def _of_month(year: int, month: int, start: int, end: int) -> When:
    following = date(year + month // 12, month % 12 + 1, 1)
    return When(date(year, month, 1), following - timedelta(days=1), start, end)


def periods(text: str, found: tuple[When, ...]) -> tuple[Period, ...]:
    """Pairs of moments that a dash or a word of ending joins, and those that still last."""
    result: list[Period] = []
    at = 0
    while at < len(found):
        first, second = found[at], found[at + 1] if at + 1 < len(found) else None
        between = text[first.end : second.start] if second else ""
        if second is not None and len(between) < 40 and _JOINT.search(between):
            result.append(Period(first, second))
            at += 1
        elif _LASTS.match(text, first.end) or _SINCE.search(text[max(0, first.start - 10) : first.start]):
            result.append(Period(first, None))
        at += 1
    return tuple(result)


def age_told(text: str) -> tuple[int, int] | None:
    """ "(aged 47)", "(age 17-18)"."""
    m = _AGE.search(text)
    return (int(m[1]), int(m[2] or m[1])) if m else None


def years_between(first: When, second: When) -> tuple[float, float]:
    """The fewest and the most years from one moment to the next."""
    return (second.low - first.high).days / _YEAR_DAYS, (second.high - first.low).days / _YEAR_DAYS


def years_after(moment: When, years: int) -> date:
    """The anniversary of a moment's first day; the last of February for a leap day."""
    low = moment.low
    return date(low.year + years, low.month, min(low.day, 28) if low.month == 2 else low.day)
