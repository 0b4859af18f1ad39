"""How long a provider asks to wait: in its headers, in its words, or until its day is over. Knows no network."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from zoneinfo import ZoneInfo

from sayso.errors import ModelBusy, QuotaSpent

LONGEST = 3_600.0  # seconds of a wait that is believed; a day's allowance may ask for more
_LONGEST_RESET = 32 * 86_400.0
_UNITS = {"d": 86_400.0, "h": 3_600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_SPAN = r"(?:\d+(?:\.\d+)?\s*(?:days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|ms|[dhms])\s*(?:and\s*|,\s*)?)+"
_SAID = re.compile(rf"(?:try again|retry|wait|retrydelay)[^0-9]{{0,24}}(?P<span>{_SPAN})", re.IGNORECASE)
_PIECE = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|[dhms])", re.IGNORECASE)
_RESET_MS = re.compile(r"x-ratelimit-reset\W+(\d{13})\b", re.IGNORECASE)
_REGAINED = re.compile(r"regain access on (\d{4}-\d\d-\d\d)(?: at (\d\d:\d\d))?", re.IGNORECASE)
_PACIFIC_DAY = re.compile(r"quotaid\W+\w*perday", re.IGNORECASE)  # Google's days end at midnight there


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds of the header that asks for a wait; None where it is absent, unparsable, past or without end."""
    if (exact := _number(headers.get("Retry-After-Ms"))) is not None:
        return _believed(exact / 1000)
    value = headers.get("Retry-After")
    if not value:
        return None
    seconds = _number(value)
    if seconds is None:
        try:
            seconds = (parsedate_to_datetime(value) - (now or datetime.now(UTC))).total_seconds()
        except (ValueError, TypeError):
            return None
        seconds = max(seconds, 0.0) if seconds > -60 else -1.0
    return _believed(seconds)


def seconds_said(words: str) -> float | None:
    """The wait that a message names, if it is one to believe: "Please try again in 7m12.5s", "retryDelay": "38s"."""
    found = _SAID.search(words)
    if found is None:
        return None
    pieces = _PIECE.findall(found["span"])
    return _believed(sum(float(number) * _UNITS[unit.lower()] for number, unit in pieces))


def until_reset(words: str, after: float | None, now: datetime) -> float | None:
    """Seconds until a used-up allowance is there again; None where nothing says so."""
    if found := _REGAINED.search(words):
        return _until(f"{found[1]}T{found[2] or '00:00'}+00:00", now)
    if found := _RESET_MS.search(words):
        return _believed(int(found[1]) / 1000 - now.timestamp())
    if _PACIFIC_DAY.search(words):  # the delay beside it is that of the minute
        there = now.astimezone(ZoneInfo("America/Los_Angeles"))
        midnight = (there + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
        return (midnight - there).total_seconds()
    return after if after is not None else seconds_said(words)


def bounded_wait(wrong: ModelBusy) -> float | None:
    """The wait that an error carries, whoever made it: none that is no number, and none without end."""
    seconds = wrong.seconds
    if seconds is None or not seconds >= 0:  # as nan is not
        return None
    return min(seconds, _LONGEST_RESET if isinstance(wrong, QuotaSpent) else LONGEST)


def _until(moment: str, now: datetime) -> float | None:
    try:
        return _believed((datetime.fromisoformat(moment) - now).total_seconds())
    except ValueError:
        return None


def _number(value: str | None) -> float | None:
    try:
        return float(value) if value else None
    except ValueError:
        return None


def _believed(seconds: float) -> float | None:
    return seconds if 0 <= seconds <= _LONGEST_RESET else None
