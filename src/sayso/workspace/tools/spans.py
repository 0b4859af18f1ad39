"""A day or some days as one argument names them: "friday", "next week", "2026-12-05/2026-12-06". Pure."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from sayso.workspace.dates import parse_when
from sayso.workspace.names import fold

_THIS = frozenset(("week", "this week", "woche", "diese woche", "dieser woche"))
_NEXT = frozenset(("next week", "nachste woche", "nachster woche", "kommende woche", "following week"))
_LAST = frozenset(("last week", "letzte woche", "letzter woche", "previous week"))
_WEEKEND = frozenset(("weekend", "this weekend", "wochenende", "dieses wochenende", "am wochenende"))


def span_of(text: str, now: datetime, week_start: str) -> tuple[date, date] | None:
    """The first and the last day that are meant, both included; None where none is.

    A week has seven days from the day on which the person's weeks start.
    """
    today, plain = now.date(), " ".join(fold(text).split())
    monday = today - timedelta(days=(today.weekday() + (week_start == "sunday")) % 7)
    if plain in _THIS or plain in _NEXT or plain in _LAST:
        first = monday + timedelta(days=7 * ((plain in _NEXT) - (plain in _LAST)))
        return first, first + timedelta(days=6)
    if plain in _WEEKEND:
        return today + timedelta(days=max(0, 5 - today.weekday())), today + timedelta(days=6 - today.weekday())
    days = [found.day for part in text.split("/") if (found := parse_when(part, now))]
    return (min(days), max(days)) if days and len(days) == len(text.split("/")) else None
