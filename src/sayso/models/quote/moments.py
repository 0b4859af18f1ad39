"""Days and times in a request ("on Friday", "morgen um 12"), and how they are written in a sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

_MONTHS_EN = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_MONTHS_DE = (
    "Januar", "Februar", "März", "April", "Mai", "Juni",
    "Juli", "August", "September", "Oktober", "November", "Dezember",
)  # fmt: skip
_DAYS_EN = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_DAYS_DE = ["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"]
_MONTH = {m.lower()[:3]: i for months in (_MONTHS_EN, _MONTHS_DE) for i, m in enumerate(months, 1)}
_WEEKDAY = {d: i for days in (_DAYS_EN, _DAYS_DE) for i, d in enumerate(days)} | {"sonnabend": 5}
MONTH_NAMES = "|".join(dict.fromkeys(m.lower() for m in (*_MONTHS_EN, *_MONTHS_DE)))
_LEAD = r"(?:\b(?:on|by|until|for|am|bis|den|der|vom)\s+)?(?:zum\s+)?"

_ISO = re.compile(rf"{_LEAD}\b(\d{{4}})-(\d{{2}})-(\d{{2}})\b", re.IGNORECASE)
_DAY_MONTH = re.compile(
    rf"{_LEAD}\b(\d{{1,2}})(?:st|nd|rd|th|\.)? (?:of )?({MONTH_NAMES})(?:,? (\d{{4}}))?\b", re.IGNORECASE
)
_MONTH_DAY = re.compile(rf"{_LEAD}\b({MONTH_NAMES}) (\d{{1,2}})(?:st|nd|rd|th)?(?:,? (\d{{4}}))?\b", re.IGNORECASE)
_NUMERIC = re.compile(rf"{_LEAD}\b(\d{{1,2}})\.(\d{{1,2}})\.(\d{{4}})?", re.IGNORECASE)
_RELATIVE = re.compile(
    r"\b(?:by |bis )?(day after tomorrow|tomorrow|today|tonight|übermorgen|uebermorgen|morgen|heute)\b", re.IGNORECASE
)
_IN_DAYS = re.compile(r"\bin (\d{1,3}|a|einem|einer) (days?|weeks?|tage?n?|wochen?)\b", re.IGNORECASE)
_WEEKDAYS = re.compile(
    rf"{_LEAD}(?:\b(?:next|this|nächsten|kommenden|diesen)\s+)?\b({'|'.join(_WEEKDAY)})\b", re.IGNORECASE
)
_TIME = re.compile(
    r"(?:\b(?:at|um|ab|@)\s*)(\d{1,2})(?:[:.h](\d{2}))?\s*(am|pm|uhr)?\b|\b(\d{1,2})[:.](\d{2})\s*(?:uhr)?\b"
    r"|\b(\d{1,2})\s*(am|pm|uhr)\b|\b(?:at )?(noon)\b",
    re.IGNORECASE,
)
_OFFSETS = {
    "today": 0, "tonight": 0, "heute": 0, "tomorrow": 1, "morgen": 1,
    "day after tomorrow": 2, "übermorgen": 2, "uebermorgen": 2,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Moment:
    """A day and a time that were named, and the text without them."""

    day: date | None
    at: time | None
    rest: str

    def iso(self, now: datetime) -> str | None:
        """The start as ISO with the user's zone; None unless both a day and a time were named."""
        if self.day is None or self.at is None:
            return None
        return datetime.combine(self.day, self.at, now.tzinfo).isoformat()


def month_number(name: str) -> int:
    """1 to 12, of an English or German name."""
    return _MONTH[name.lower()[:3]]


def find_moment(text: str, now: datetime) -> Moment:
    day, text = _find_day(text, now.date())
    at, text = _find_time(text)
    if day is None and at is not None:
        day = now.date() if at > now.time() else now.date() + timedelta(days=1)
    return Moment(day, at, re.sub(r"\s{2,}", " ", text).strip(" ,;"))


def _find_day(text: str, today: date) -> tuple[date | None, str]:
    for pattern in (_ISO, _DAY_MONTH, _MONTH_DAY, _NUMERIC, _RELATIVE, _IN_DAYS, _WEEKDAYS):
        if match := pattern.search(text):
            try:
                day = _day(pattern, match, today)
            except (ValueError, OverflowError):
                continue
            return day, text[: match.start()] + text[match.end() :]
    return None, text


def _day(pattern: re.Pattern[str], match: re.Match[str], today: date) -> date:
    first = match.group(1).lower()
    if pattern is _ISO:
        return date(int(first), int(match.group(2)), int(match.group(3)))
    if pattern is _DAY_MONTH:
        return _coming(int(first), _MONTH[match.group(2).lower()[:3]], match.group(3), today)
    if pattern is _MONTH_DAY:
        return _coming(int(match.group(2)), _MONTH[first[:3]], match.group(3), today)
    if pattern is _NUMERIC:
        return _coming(int(first), int(match.group(2)), match.group(3), today)
    if pattern is _RELATIVE:
        return today + timedelta(days=_OFFSETS[first])
    if pattern is _IN_DAYS:
        number = int(first) if first.isdigit() else 1
        return today + timedelta(days=number * (7 if match.group(2).lower().startswith("w") else 1))
    return today + timedelta(days=(_WEEKDAY[first] - today.weekday() - 1) % 7 + 1)


def _coming(day: int, month: int, year: str | None, today: date) -> date:
    """The day in the year that was named, else its next occurrence."""
    if year:
        return date(int(year), month, day)
    this_year = date(today.year, month, day)
    return this_year if this_year >= today else date(today.year + 1, month, day)


def _find_time(text: str) -> tuple[time | None, str]:
    for match in _TIME.finditer(text):
        hour = 12 if match.group(8) else int(match.group(1) or match.group(4) or match.group(6))
        minute = int(match.group(2) or match.group(5) or 0)
        half = (match.group(3) or match.group(7) or "").lower()
        hour = hour % 12 + 12 if half == "pm" else hour % 12 if half == "am" else hour
        if hour < 24 and minute < 60:
            return time(hour, minute), text[: match.start()] + text[match.end() :]
    return None, text


def written(value: date | datetime, language: str, now: datetime) -> str:
    """A date as people write it; a moment in the user's zone."""
    if isinstance(value, datetime):
        local = value.astimezone(now.tzinfo) if value.tzinfo and now.tzinfo else value
        joint = "um" if language == "de" else "at"
        return f"{_written_day(local.date(), language)} {joint} {local:%H:%M}"
    return _written_day(value, language)


_STORED = re.compile(r"^(?:(\d{4})|-)-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2})(?::\d{2})?)?$")


def written_text(stored: str, language: str, now: datetime) -> str | None:
    """A text that is nothing but an ISO date, as people write it ("--03-04" has no year); else None."""
    match = _STORED.match(stored.strip())
    if match is None:
        return None
    try:
        day = date(int(match.group(1) or 2000), int(match.group(2)), int(match.group(3)))
    except ValueError:
        return None
    told = _written_day(day, language) if match.group(1) else _written_day(day, language).rsplit(" ", 1)[0]
    joint = "um" if language == "de" else "at"
    return f"{told} {joint} {match.group(4)}" if match.group(4) else told


def month_of(value: object) -> int | None:
    """The month of a date, also of one that is stored as text."""
    if isinstance(value, date):
        return value.month
    match = _STORED.match(value.strip()) if isinstance(value, str) else None
    return int(match.group(2)) if match else None


def _written_day(day: date, language: str) -> str:
    if language == "de":
        return f"{day.day}. {_MONTHS_DE[day.month - 1]} {day.year}"
    return f"{day.day} {_MONTHS_EN[day.month - 1]} {day.year}"
