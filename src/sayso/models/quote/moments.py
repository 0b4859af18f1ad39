"""Days and times in a request ("on Friday", "morgen um 12"), and how they are written in a sentence."""

from __future__ import annotations

import calendar
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
    r"\b(?:by |bis )?(day after tomorrow|day before yesterday|tomorrow|yesterday|today|tonight|"
    r"übermorgen|uebermorgen|morgen|heute|vorgestern|gestern)\b",
    re.IGNORECASE,
)
_COUNTS = {
    "a": 1, "an": 1, "one": 1, "ein": 1, "eine": 1, "einem": 1, "einer": 1, "einen": 1, "two": 2, "zwei": 2,
    "three": 3, "drei": 3, "four": 4, "vier": 4, "five": 5, "fünf": 5, "six": 6, "sechs": 6, "seven": 7, "sieben": 7,
    "eight": 8, "acht": 8, "ten": 10, "zehn": 10,
}  # fmt: skip
NUMBERS = rf"\d{{1,3}}|{'|'.join(sorted(_COUNTS, key=len, reverse=True))}"
_IN_DAYS = re.compile(
    rf"\bin ({NUMBERS}) (days?|weeks?|months?|years?|tage?n?|wochen?|monate?n?|jahre?n?)\b", re.IGNORECASE
)
_WEEKDAYS = re.compile(
    rf"{_LEAD}(?:\b(?P<which>next|this|last|past|nächsten?|kommenden?|diesen?|letzten?|vergangenen?)\s+)?"
    rf"\b(?P<name>{'|'.join(_WEEKDAY)})s?\b",
    re.IGNORECASE,
)
_DAY_ONLY = re.compile(
    r"\b(?:on|by|until) the (\d{1,2})(?:st|nd|rd|th)\b(?! (?!at\b)\w)|\b(?:am|bis zum) (\d{1,2})\.(?! ?\w)",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"(?:\b(?:at|um|ab|@)\s*)(\d{1,2})(?:[:.h](\d{2}))?\s*(am|pm|uhr)?\b|\b(\d{1,2})[:.](\d{2})\s*(?:uhr)?\b"
    r"|\b(\d{1,2})\s*(am|pm|uhr)\b|\b(?:at )?(noon)\b",
    re.IGNORECASE,
)
_OFFSETS = {
    "today": 0, "tonight": 0, "heute": 0, "tomorrow": 1, "morgen": 1,
    "day after tomorrow": 2, "übermorgen": 2, "uebermorgen": 2, "yesterday": -1, "gestern": -1,
    "day before yesterday": -2, "vorgestern": -2,
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


def number_of(written: str) -> int:
    """A small number in digits or in a word of either language (`NUMBERS`)."""
    return int(written) if written.isdigit() else _COUNTS[written.lower()]


def find_moment(text: str, now: datetime) -> Moment:
    found = find_day(text, now.date())
    day = found.day if found else None
    text = text[: found.place.start] + text[found.place.stop :] if found else text
    at, text = _find_time(text)
    if day is None and at is not None:
        day = now.date() if at > now.time() else now.date() + timedelta(days=1)
    return Moment(day, at, re.sub(r"\s{2,}", " ", text).strip(" ,;"))


@dataclass(frozen=True, slots=True)
class NamedDay:
    """A day that a text names, and where; `exact` where it is written as a date."""

    day: date
    place: range
    exact: bool


def find_day(text: str, today: date) -> NamedDay | None:
    """The day that a text names; of a weekday the next one, and not today."""
    for pattern in (*_DATES, _DAY_ONLY, _RELATIVE, _IN_DAYS, _WEEKDAYS):
        if match := pattern.search(text):
            try:
                return NamedDay(_day(pattern, match, today), range(*match.span()), pattern in _DATES)
            except (ValueError, OverflowError):
                continue
    return None


_DATES = (_ISO, _DAY_MONTH, _MONTH_DAY, _NUMERIC)


def _day(pattern: re.Pattern[str], match: re.Match[str], today: date) -> date:
    if pattern is _WEEKDAYS:
        return _weekday(_WEEKDAY[match.group("name").lower()], (match.group("which") or "").lower(), today)
    if pattern is _DAY_ONLY:
        return _day_of_month(int(match.group(1) or match.group(2)), today)
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
    return _ahead(number_of(first), match.group(2).lower()[0], today)


def _day_of_month(day: int, today: date) -> date:
    """The next day with that number, in this month or in the next one that has it."""
    if not 1 <= day <= 31:
        raise ValueError(f"no month has a day {day}")
    own = today if today.day <= day else _ahead(1, "m", today.replace(day=1))
    months = (_ahead(n, "m", own.replace(day=1)) for n in range(3))
    return next(m for m in months if day <= calendar.monthrange(m.year, m.month)[1]).replace(day=day)


def _ahead(number: int, unit: str, today: date) -> date:
    """So many days, weeks, months or years from today; a month that is too short gives its last day."""
    if unit in "dtw":
        return today + timedelta(days=number * (7 if unit == "w" else 1))
    months = today.month - 1 + number * (1 if unit == "m" else 12)
    year, month = today.year + months // 12, months % 12 + 1
    return date(year, month, min(today.day, calendar.monthrange(year, month)[1]))


def _weekday(wanted: int, which: str, today: date) -> date:
    """ "Next Friday" is that of next week where this week's is still to come."""
    ahead = (wanted - today.weekday() - 1) % 7 + 1
    if which.startswith(("last", "past", "letzt", "vergang")):
        return today + timedelta(days=ahead - 7 if ahead < 7 else -7)
    if which.startswith(("next", "nächst")) and today.weekday() + ahead < 7:
        ahead += 7
    return today + timedelta(days=ahead)


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
