"""Dates and times as people write them, in English and German, from the user's now. Pure.

A small grammar of its own comes first, because general parsers lose times ("morgen um 15 Uhr") or
read no "end of month"; they are asked only for what it does not know.
"""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from sayso.workspace.names import fold

FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(2200, 12, 31)
"""What a plan or a birthday may be about; a day outside is a slip, and one of year 9999 has no next one."""


@dataclass(frozen=True, slots=True)
class When:
    """A day, and a time where one was said."""

    day: date
    time: time | None = None

    def at(self, now: datetime) -> datetime | None:
        """The moment in the zone of `now`; None without a time."""
        return datetime.combine(self.day, self.time, now.tzinfo) if self.time else None


def parse_when(text: str, now: datetime) -> When | None:
    """What a phrase means at `now` (with the user's zone), or None.

    A bare weekday is the next one, not today; "next Tuesday" is the Tuesday of next week where
    this week's is still to come, else the coming one. A time without a day is today's, or
    tomorrow's when it has passed.
    """
    plain = " ".join(fold(text).replace(",", " ").split())
    iso = _iso(text.strip(), now)
    if iso:
        return iso
    clock, rest = _take_time(plain)
    rest = re.sub(r"\b(on|at|by|um|am|bis|the|der|den|dem|uhr|until|due|vor|before|gegen|in der)\b", " ", rest)
    rest = " ".join(rest.split())
    today = now.date()
    if not rest:
        return _today_or_tomorrow(clock, now) if clock else None
    day, part = _take_part_of_day(rest)
    found = _day(day, today) if day else today
    if found is None:
        return _foreign(text, now, clock)
    return When(found, clock or part)


_PARTS = {
    "morning": time(9), "noon": time(12), "midday": time(12), "afternoon": time(15), "evening": time(18),
    "tonight": time(20), "vormittag": time(10), "mittag": time(12), "nachmittag": time(15), "abend": time(18),
    "fruh": time(8),
}  # fmt: skip
_WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            ("monday", "mon", "montag", "mo"), ("tuesday", "tue", "tues", "dienstag", "di"),
            ("wednesday", "wed", "mittwoch", "mi"), ("thursday", "thu", "thur", "thurs", "donnerstag", "do"),
            ("friday", "fri", "freitag", "fr"), ("saturday", "sat", "samstag", "sonnabend", "sa"),
            ("sunday", "sun", "sonntag", "so"),
        )
    )
    for name in names
}  # fmt: skip
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan", "januar", "janner"), ("february", "feb", "februar"), ("march", "mar", "marz"),
            ("april", "apr"), ("may", "mai"), ("june", "jun", "juni"), ("july", "jul", "juli"),
            ("august", "aug"), ("september", "sep", "sept"), ("october", "oct", "oktober", "okt"),
            ("november", "nov"), ("december", "dec", "dezember", "dez"),
        ),
        1,
    )
    for name in names
}  # fmt: skip
_NUMBERS = {
    word: number
    for number, words in enumerate(
        (
            ("a", "an", "one", "ein", "einem", "einer", "eine"), ("two", "zwei"), ("three", "drei"), ("four", "vier"),
            ("five", "funf"), ("six", "sechs"), ("seven", "sieben"), ("eight", "acht"), ("nine", "neun"),
            ("ten", "zehn"), ("eleven", "elf"), ("twelve", "zwolf"),
        ),
        1,
    )
    for word in words
}  # fmt: skip
_FIXED = {
    "today": 0, "heute": 0, "tonight": 0, "tomorrow": 1, "morgen": 1, "yesterday": -1, "gestern": -1,
    "day after tomorrow": 2, "ubermorgen": 2, "uebermorgen": 2, "vorgestern": -2,
}  # fmt: skip
_CLOCK = (
    re.compile(r"\b(?P<h>[01]?\d|2[0-3]):(?P<m>[0-5]\d)\s*(?P<half>[ap]\.?m\b\.?)?(?:\s*(?:uhr|h)\b)?"),
    re.compile(r"\b(?P<h>1[0-2]|0?[1-9])\s*(?P<half>[ap]\.?m\b\.?)"),
    re.compile(r"\b(?:um\s+)?(?P<h>[01]?\d|2[0-3])(?:[.:](?P<m>[0-5]\d))?\s*(?:uhr|h)\b(?:\s*(?P<m2>[0-5]\d)\b)?"),
    re.compile(r"\b(?:at|um)\s+(?P<h>[01]?\d|2[0-3])\b(?!\s*[./-]\s*\d)"),
)
_HALF_WORDS = re.compile(r"\b(?P<what>half past|quarter past|quarter to|halb|viertel nach|viertel vor)\s+(?P<h>\w+)")
_IN = re.compile(
    r"in\s+(?P<n>\w+)\s+(?P<unit>day|days|tag|tagen|week|weeks|woche|wochen|month|months|monat|monaten|year|jahr)"
)
_WEEKDAY = re.compile(r"(?:(?P<which>next|this|coming|nachste[nrs]?|diese[nrs]?|kommende[nrs]?)\s+)?(?P<day>[a-z]+)")
_ANY_DATE = re.compile(r"(?P<d>\d{1,2})[./](?P<m>\d{1,2})(?:[./](?P<y>\d{4}|\d{2}))?\.?")
_NAMED = re.compile(
    r"(?:(?P<d1>\d{1,2})(?:st|nd|rd|th|\.)?\s*(?:of\s+)?(?P<m1>[a-z]+)|(?P<m2>[a-z]+)\s+(?P<d2>\d{1,2})(?:st|nd|rd|th)?)"
    r"\.?(?:\s+(?P<y>\d{4}))?"
)
_ORDINALS = {
    "first": 0,
    "erster": 0,
    "ersten": 0,
    "second": 1,
    "zweiten": 1,
    "third": 2,
    "dritten": 2,
    "fourth": 3,
}


def _iso(text: str, now: datetime) -> When | None:
    try:
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
            return When(date.fromisoformat(text))
        if re.match(r"\d{4}-\d{2}-\d{2}[T ]\d{1,2}:\d{2}", text):
            moment = datetime.fromisoformat(text.replace(" ", "T", 1))
            local = moment.astimezone(now.tzinfo) if moment.tzinfo else moment
            return When(local.date(), local.time().replace(microsecond=0))
    except (ValueError, OverflowError):
        return None
    return None


def _take_time(plain: str) -> tuple[time | None, str]:
    half = _HALF_WORDS.search(plain)
    if half:
        clock = _worded_time(half["what"], half["h"])
        if clock:
            return clock, plain.replace(half.group(), " ")
    for pattern in _CLOCK:
        found = pattern.search(plain)
        if found:
            groups = found.groupdict()
            hour, minute = int(groups["h"]), int(groups.get("m") or groups.get("m2") or 0)
            letter = (groups.get("half") or "")[:1]
            if letter and hour > 12:
                continue
            hour = hour % 12 + (12 if letter == "p" else 0) if letter else hour
            return time(hour, minute), plain[: found.start()] + " " + plain[found.end() :]
    return None, plain


def _worded_time(what: str, word: str) -> time | None:
    hour = _number(word)
    if hour is None or hour > 23:
        return None
    minutes = {
        "half past": 30, "quarter past": 15, "viertel nach": 15, "quarter to": -15, "viertel vor": -15, "halb": -30,
    }[what]  # fmt: skip
    hour += 12 if 1 <= hour <= 6 else 0  # nobody means half past four at night
    total = (hour * 60 + minutes) % (24 * 60)
    return time(total // 60, total % 60)


def _take_part_of_day(rest: str) -> tuple[str, time | None]:
    words = rest.split()
    part = next((word for word in words if word in _PARTS), None)
    if part is None:
        return rest, None
    left = [word for word in words if word not in (part, "in", "this") or (word == "in" and len(words) > 2)]
    if part == "tonight":
        return "", _PARTS[part]
    return " ".join(word for word in left if word != "this"), _PARTS[part]


def _today_or_tomorrow(clock: time, now: datetime) -> When:
    later = clock > now.time()
    return When(now.date() if later else now.date() + timedelta(days=1), clock)


def _day(phrase: str, today: date) -> date | None:
    if phrase in _FIXED:
        return today + timedelta(days=_FIXED[phrase])
    for rule in (_weekday, _in_some, _end_of, _nth_weekday, _next_unit, _numeric, _named):
        found = rule(phrase, today)
        if found:
            return found
    return None


def _weekday(phrase: str, today: date) -> date | None:
    found = re.fullmatch(
        r"(?:(?P<which>next|this|coming|nachste[nrs]?|diese[nrs]?|kommende[nrs]?)\s+)?(?P<day>[a-z]+)", phrase
    )
    if not found or found["day"] not in _WEEKDAYS:
        return None
    ahead = (_WEEKDAYS[found["day"]] - today.weekday()) % 7 or 7
    which = found["which"] or ""
    if which.startswith(("next", "nachste")) and ahead < 7 and today.weekday() + ahead < 7:
        ahead += 7
    return today + timedelta(days=ahead)


def _in_some(phrase: str, today: date) -> date | None:
    found = _IN.fullmatch(phrase)
    number = _number(found["n"]) if found else None
    if not found or number is None:
        return None
    unit = found["unit"]
    try:
        if unit.startswith(("day", "tag")):
            return today + timedelta(days=number)
        if unit.startswith(("week", "woche")):
            return today + timedelta(weeks=number)
        return _months_on(today, number if unit.startswith("mon") else 12 * number)
    except (OverflowError, ValueError):
        return None


def _end_of(phrase: str, today: date) -> date | None:
    phrase = re.sub(r"\b(this|des|diese[srnm]?|of|von|vom|nachste[srnm]?|next|kommende[srnm]?)\b", _kept_next, phrase)
    words = phrase.split()
    if not words or words[0] not in ("end", "ende"):
        return None
    rest = [word for word in words[1:] if word != "next"]
    ahead = 1 if "next" in words else 0
    unit = rest[0] if len(rest) == 1 else ""
    if unit in ("month", "monat", "monats"):
        return _month_end(_months_on(today.replace(day=1), ahead))
    if unit in ("week", "woche"):
        return today + timedelta(days=(4 - today.weekday()) % 7 + 7 * ahead)
    if unit in ("year", "jahr", "jahres"):
        return date(today.year + ahead, 12, 31)
    month = _MONTHS.get(unit)
    return _month_end(date(today.year + (month < today.month), month, 1)) if month else None


def _kept_next(match: re.Match[str]) -> str:
    return "next" if match.group().startswith(("next", "nachste", "kommende")) else " "


def _nth_weekday(phrase: str, today: date) -> date | None:
    found = re.fullmatch(r"(?P<nth>[a-z]+)\s+(?P<day>[a-z]+)\s+(?:of|in|im)\s+(?P<month>[a-z]+)", phrase)
    if not found or found["nth"] not in _ORDINALS or found["day"] not in _WEEKDAYS or found["month"] not in _MONTHS:
        return None
    for year in (today.year, today.year + 1):
        first = date(year, _MONTHS[found["month"]], 1)
        ahead = (_WEEKDAYS[found["day"]] - first.weekday()) % 7
        day = first + timedelta(days=ahead + 7 * _ORDINALS[found["nth"]])
        if day >= today and day.month == first.month:
            return day
    return None


def _next_unit(phrase: str, today: date) -> date | None:
    found = re.fullmatch(r"(?:next|nachste[nrs]?|kommende[nrs]?)\s+(?P<unit>week|woche|month|monat|year|jahr)", phrase)
    if not found:
        return None
    unit = found["unit"]
    if unit in ("week", "woche"):
        return today + timedelta(days=7 - today.weekday())
    return _months_on(today.replace(day=1), 1) if unit.startswith("mon") else date(today.year + 1, 1, 1)


def _numeric(phrase: str, today: date) -> date | None:
    """Day before month; "12/05" is taken only where it can be read in one way."""
    found = _ANY_DATE.fullmatch(phrase)
    if not found:
        return None
    day, month = int(found["d"]), int(found["m"])
    if "/" in phrase and day != month:
        if day <= 12 and month <= 12:
            return None
        if month > 12:
            day, month = month, day
    return _dated(day, month, found["y"], today)


def _named(phrase: str, today: date) -> date | None:
    weekday_free = re.sub(r"^(" + "|".join(_WEEKDAYS) + r")\s+", "", phrase)
    found = _NAMED.fullmatch(weekday_free)
    month = _MONTHS.get((found["m1"] or found["m2"]) if found else "")
    return _dated(int(found["d1"] or found["d2"]), month, found["y"], today) if found and month else None


def _dated(day: int, month: int, year: str | None, today: date) -> date | None:
    """The date; without a year the next such one."""
    try:
        if year:
            return date(int(year) + (2000 if len(year) == 2 else 0), month, day)
        this = date(today.year, month, day)
        return this if this >= today else date(today.year + 1, month, day)
    except ValueError:
        return None


def _months_on(day: date, months: int) -> date:
    total = day.year * 12 + day.month - 1 + months
    year, month = divmod(total, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _month_end(day: date) -> date:
    return day.replace(day=calendar.monthrange(day.year, day.month)[1])


def _number(word: str) -> int | None:
    if word.isascii() and word.isdigit() and len(word) <= 4:
        return int(word)
    return _NUMBERS.get(word)


def _foreign(text: str, now: datetime, clock: time | None) -> When | None:
    """Ask the general parser, for short phrases only; its day is taken, a time only from our own grammar."""
    if not 3 < len(text) <= 40 or not any(c.isalpha() for c in text):
        return None
    import dateparser  # slow to import, seldom needed

    base = now.replace(tzinfo=None)
    found = dateparser.parse(
        text, languages=["en", "de"], settings={"PREFER_DATES_FROM": "future", "RELATIVE_BASE": base}
    )
    return When(found.date(), clock) if found else None
