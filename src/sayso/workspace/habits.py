"""Habits: streaks and check-ins, in the user's zone and week. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta

from sayso.core.facts import Fact, Quantity
from sayso.workspace.kinds import HABIT
from sayso.workspace.records import HabitRecord
from sayso.workspace.repository import Stored

CHECK_IN_DAYS = 30
_TIMES = re.compile(r"(\d+)\s*(?:x|times|mal)?\s*(?:a|per|/|pro|die)?\s*(?:week|woche)", re.IGNORECASE)


def times_a_week(frequency: str) -> int | None:
    """None for a daily habit, else how often a week: "weekly" is 1, "3 per week" is 3."""
    found = _TIMES.search(frequency)
    if found:
        times = int(found.group(1))
        return None if times >= 7 else max(1, times)
    return 1 if frequency.strip().lower() in ("weekly", "wöchentlich", "every week") else None


def streak(check_ins: Iterable[date], frequency: str, today: date, week_start: str = "monday") -> Quantity:
    """Days or weeks in a row up to now. The day or week that is still running breaks nothing."""
    days = {day for day in check_ins if day <= today}
    times = times_a_week(frequency)
    if times is None:
        start = today if today in days else today - timedelta(days=1)
        return Quantity(_run(start, timedelta(days=1), lambda day: day in days), "days")
    this_week = week_of(today, week_start)
    counts: dict[date, int] = {}
    for day in days:
        counts[week_of(day, week_start)] = counts.get(week_of(day, week_start), 0) + 1
    start = this_week if counts.get(this_week, 0) >= times else this_week - timedelta(days=7)
    return Quantity(_run(start, timedelta(days=7), lambda week: counts.get(week, 0) >= times), "weeks")


def week_of(day: date, week_start: str) -> date:
    """The first day of the week of a day."""
    back = day.weekday() if week_start == "monday" else (day.weekday() + 1) % 7
    return day - timedelta(days=back)


def is_due(habit: HabitRecord, today: date, week_start: str = "monday") -> bool:
    """Whether the habit is still to be done today (daily) or this week."""
    times = times_a_week(habit.frequency)
    if times is None:
        return today not in habit.check_ins
    week = week_of(today, week_start)
    return today not in habit.check_ins and sum(week <= day <= today for day in habit.check_ins) < times


def habit_fact(stored: Stored, now: datetime, week_start: str = "monday") -> Fact:
    habit = stored.record
    assert isinstance(habit, HabitRecord)
    today = now.date()
    past = [day for day in set(habit.check_ins) if day <= today]
    return HABIT.fact(
        {
            "name": habit.name,
            "frequency": habit.frequency,
            "streak": streak(past, habit.frequency, today, week_start),
            "last_check_in": max(past, default=None),
            "check_ins": sum(day > today - timedelta(days=CHECK_IN_DAYS) for day in past),
            "done_today": today in past,
        },
        source="habits",
        key=stored.id,
        as_of=now,
    )


def _run(start: date, step: timedelta, holds: Callable[[date], bool]) -> int:
    length = 0
    while holds(start):
        length, start = length + 1, start - step
    return length
