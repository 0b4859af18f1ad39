"""Values in time: readings of fields by day, month, year and weekday, with their extremes.

Two shapes are read: records that carry a date, and a record whose fields are named by dates. What the
fields mean is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from sayso.core.verify.dates import DateSpan, find_dates
from sayso.core.verify.declared.grounding_numbers import Bag, Numeral, as_number
from sayso.core.verify.index import Entry

_STAMP = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):?(\d\d)?)?")
_YEAR = re.compile(r"\d{4}")
_BARE_YEAR = re.compile(r"(?<![\w.,:/-])(1[5-9]\d\d|20\d\d)(?![\w:/]|[.,]\d)")
_MORE_DAYS = re.compile(
    r"(?:,?\s(?:and|to|through|until|&)\s|\s?[-–,]\s?)(?:the\s)?(\d{1,2})(?:st|nd|rd|th)?\b(?!\s?[°%.:]|\s(?:degrees|m/s))",
    re.I,
)
_MIN_POINTS = 3
_MOST_DAYS = 62
_JOINED = re.compile(
    r",?\s?(?:(?P<through>to|through|until|and ending on|up to|-|–)|and|&)\s(?:the\s|on\s)?", re.IGNORECASE
)
Key = tuple[int | None, int | None, int | None, int | None]


class Readings:
    """Some stretches of time together: their numbers, asked for by value, and their texts."""

    def __init__(self, stretches: Sequence[_Stretch]) -> None:
        self._bags = [s.bag for s in stretches if s.bag]
        self.texts = frozenset[str]().union(*(s.texts for s in stretches))

    def __bool__(self) -> bool:
        return bool(self._bags)

    @property
    def low(self) -> float:
        return min(b.low for b in self._bags)

    @property
    def high(self) -> float:
        return max(b.high for b in self._bags)

    def fits(self, numeral: Numeral, slack: float) -> bool:
        return any(numeral.fits(n, slack) for b in self._bags for n in b.around(numeral.value))


class _Stretch:
    """The readings of one field in one stretch of time."""

    def __init__(self, values: Sequence[float | str]) -> None:
        self.bag = Bag(v for v in values if isinstance(v, float))
        self.texts = frozenset(v for v in values if isinstance(v, str))


@dataclass(frozen=True, slots=True)
class Run:
    """How the only series of an evidence goes: its steps up and down, its first and last reading, its spread."""

    ups: int
    downs: int
    first: float
    last: float
    spread: float

    @classmethod
    def of(cls, points: Sequence[tuple[date, float]]) -> Run:
        values = [v for _, v in sorted(points)]
        steps = [b - a for a, b in pairwise(values)]
        top = max(abs(v) for v in values) or 1.0
        spread = (max(values) - min(values)) / top
        return cls(sum(s > 0 for s in steps), sum(s < 0 for s in steps), values[0], values[-1], spread)


@dataclass(frozen=True, slots=True)
class When:
    """A stretch of time that a text names, and where."""

    start: int
    end: int
    keys: tuple[Key, ...]


class Series:
    """The readings of an evidence by field and time; empty where nothing is dated."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._by_day: dict[tuple[str, date], list[float | str]] = {}
        self._days: dict[Key, list[date]] = {}
        self._stretches: dict[tuple[str, Key], _Stretch] = {}
        self.numeric: set[str] = set()
        self.worded: set[str] = set()
        self.told: set[str] = set()  # the texts of readings and of their times
        points: list[tuple[date, float]] = []
        for name, day, value in _readings(entries):
            self.told |= {name, str(value)}
            self._by_day.setdefault((name, day), []).append(value)
            (self.worded if isinstance(value, str) else self.numeric).add(name)
            if not name and isinstance(value, float):
                points.append((day, value))
        days = {day for _, day in self._by_day}
        for day in days:
            for key in _keys(day):
                self._days.setdefault(key, []).append(day)
        self.first, self.last = (min(days), max(days)) if days else (date.min, date.max)
        self.run = Run.of(points) if points else None

    def __bool__(self) -> bool:
        return bool(self._days)

    def readings(self, names: Iterable[str], keys: Sequence[Key]) -> Readings:
        """The readings of these fields in these stretches together; in all of time without any."""
        return Readings([self._stretch(name, key) for name in names for key in keys or (_ALL,)])

    def covers(self, key: Key) -> bool:
        return key in self._days

    def between(self, first: Sequence[Key], last: Sequence[Key]) -> tuple[Key, ...]:
        """The days from one stretch to another; all of time where they are too many to tell one by one."""
        starts = [d for key in first for d in self._days.get(key, ())]
        ends = [d for key in last for d in self._days.get(key, ()) if starts and d >= min(starts)]
        if not ends:
            return (*first, *last)
        reach = range(min(starts).toordinal(), max(ends).toordinal() + 1)
        if len(reach) > _MOST_DAYS:
            return ()
        days = map(date.fromordinal, reach)
        return tuple(key for d in days if (key := (d.year, d.month, d.day, None)) in self._days)

    def _stretch(self, name: str, key: Key) -> _Stretch:
        """Gathered when it is first asked for: a text speaks of few."""
        found = self._stretches.get((name, key))
        if found is None:
            days = self._days.get(key, ())
            found = _Stretch([v for day in days for v in self._by_day.get((name, day), ())])
            self._stretches[name, key] = found
        return found


_ALL: Key = (None, None, None, None)


def _keys(day: date) -> tuple[Key, ...]:
    y, m, d, w = day.year, day.month, day.day, day.weekday()
    return (
        _ALL, (y, m, d, None), (None, m, d, None), (y, m, None, None), (None, m, None, None), (y, None, None, None),
        (None, None, None, w),
    )  # fmt: skip


def is_dated(entries: Sequence[Entry]) -> bool:
    """Whether there is a series in the records."""
    return sum(_stamp_of(e) is not None for e in entries) >= _MIN_POINTS or any(map(_days_named, entries))


def _days_named(entry: Entry) -> list[tuple[date, str]]:
    named = [(day, name) for name in entry.fields if name[:4].isdigit() and (day := _day_named(name))]
    return named if len(named) >= _MIN_POINTS else []


def _readings(entries: Sequence[Entry]) -> Iterator[tuple[str, date, float | str]]:
    dated = [(e, stamp) for e in entries if e.is_record and (stamp := _stamp_of(e))]
    if len(dated) >= _MIN_POINTS:
        for entry, stamp in dated:
            for name, held in entry.fields.items():
                number = entry.numbered.fact.values[name]
                yield name, stamp, _as_reading(number, held.folded)
    for entry in entries:
        for day, name in _days_named(entry):
            value = entry.numbered.fact.values[name]
            yield "", day, _as_reading(value, entry.fields[name].folded)


def _as_reading(value: object, text: str) -> float | str:
    number = as_number(value)
    return text if number is None else number


def _stamp_of(entry: Entry) -> date | None:
    for held in entry.fields.values():
        match = _STAMP.fullmatch(held.text[:16]) if held.text[:4].isdigit() else None
        if match is not None:
            return _date(int(match[1]), int(match[2]), int(match[3]))
    return None


def _day_named(name: str) -> date | None:
    if _YEAR.fullmatch(name):
        return _date(int(name), 1, 1)
    match = _STAMP.fullmatch(name)
    return _date(int(match[1]), int(match[2]), int(match[3])) if match else None


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def times_in(text: str, series: Series) -> list[When]:
    """The stretches of time that a text names, in order: days, months with a year, years, weekdays."""
    found: list[When] = []
    for start, end, span in find_dates(text, series.first):
        if span.loose or not is_calendar(text[start:end]):
            continue
        keys = _span_keys(span)
        more = _MORE_DAYS.match(text, end) if span.month and span.day else None
        if more and more[1] and span.day and int(more[1]) > span.day:
            days = range(span.day, int(more[1]) + 1) if _through(more.group()) else (span.day, int(more[1]))
            keys = tuple((span.year, span.month, d, None) for d in days)
            end = more.end()
        found.append(When(start, end, keys))
    taken = [(w.start, w.end) for w in found]
    found += [
        When(m.start(), m.end(), ((int(m[1]), None, None, None),))
        for m in _BARE_YEAR.finditer(text)
        if not any(a <= m.start() < b for a, b in taken)
    ]
    return sorted(found, key=lambda w: w.start)


def joined_times(times: Sequence[When], text: str, series: Series) -> list[When]:
    """The same, with those that are told together as one: "Monday and Tuesday", "Monday to Friday"."""
    found: list[When] = []
    for when in times:
        joint = _JOINED.fullmatch(text, found[-1].end, when.start) if found else None
        if joint is None:
            found.append(when)
            continue
        before = found.pop()
        both = (*before.keys, *when.keys)
        keys = series.between(before.keys, when.keys) if joint["through"] else both
        found.append(When(before.start, when.end, keys))
    return found


def is_calendar(written: str) -> bool:
    """Whether a date has a word or a year: "2.6." at the end of a sentence is a number."""
    return _CALENDAR.search(written) is not None


_CALENDAR = re.compile(r"[^\W\d_]|\d{4}")


def _through(joint: str) -> bool:
    return "and" not in joint and "&" not in joint and "," not in joint


def _span_keys(span: DateSpan) -> tuple[Key, ...]:
    if span.days:
        return tuple({(None, None, None, d.weekday()) for d in span.days})
    return ((span.year, span.month, span.day, None),)
