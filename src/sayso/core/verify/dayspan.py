"""Which days a text may mean. Knows no text and no clock."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

MANY = 8  # days: more are a period


@dataclass(frozen=True, slots=True)
class DateSpan:
    """Which days a text may mean: a pattern (None is any) or a set of days. `loose`: give or take;
    `passing`: "this week", "this year", so often said by the way that it proves but is never wrong."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    days: frozenset[date] = frozenset()
    loose: bool = False
    passing: bool = False

    def covers(self, day: date) -> bool:
        if self.days:
            return day in self.days
        return (
            (self.year is None or self.year == day.year)
            and (self.month is None or self.month == day.month)
            and (self.day is None or self.day == day.day)
        )

    def meets(self, other: DateSpan) -> bool:
        """Whether both may mean the same day."""
        if self.days:
            return any(other.covers(d) for d in self.days)
        if other.days:
            return any(self.covers(d) for d in other.days)
        pairs = ((self.year, other.year), (self.month, other.month), (self.day, other.day))
        return all(a is None or b is None or a == b for a, b in pairs)

    @property
    def is_day(self) -> bool:
        """Whether it is one day, if of any year or one of few, and no month or quarter."""
        return 0 < len(self.days) <= MANY if self.days else self.day is not None

    @property
    def exact(self) -> date | None:
        if self.year and self.month and self.day:
            return day_of(self.year, self.month, self.day)
        return next(iter(self.days)) if len(self.days) == 1 else None


@lru_cache(maxsize=1024)
def day_of(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def shifted(day: date, offset: int) -> date:
    """That many days on; the day itself where the calendar ends before."""
    try:
        return day + timedelta(days=offset)
    except OverflowError:
        return day


def pattern(year: int | None, month: int, day: int | None) -> DateSpan | None:
    return DateSpan(year, month, day) if day_of(year or 2024, month, day or 1) else None


@lru_cache(maxsize=256)
def week(monday: date, days: int = 7) -> DateSpan:
    return DateSpan(days=frozenset(shifted(monday, n) for n in range(days)))


@lru_cache(maxsize=256)
def quarter(year: int, number: int) -> DateSpan | None:
    first = day_of(year, 3 * number - 2, 1)
    if first is None:
        return None
    return DateSpan(
        days=frozenset(d for n in range(93) if (d := shifted(first, n)).month in range(3 * number - 2, 3 * number + 1))
    )


@lru_cache(maxsize=256)
def iso_week(year: int, number: int) -> DateSpan | None:
    try:
        return week(date.fromisocalendar(year, number, 1))
    except ValueError:
        return None
