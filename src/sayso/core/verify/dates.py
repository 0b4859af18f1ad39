# ruff: noqa: E501 (patterns and messages are easier to read on one line)
"""Dates in text: absolute, partial and relative ones, in English, German, French and Spanish.

A date in text stands for a set of days (`DateSpan`): "12 September" is that day of any year, "next
Monday" the Mondays that it may mean at the run's clock. Nothing here reads a clock.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from itertools import zip_longest

from sayso.core.verify.words import fold


@dataclass(frozen=True, slots=True)
class DateSpan:
    """Which days a text may mean: a pattern (None is any) or a set of days. `loose`: give or take."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    days: frozenset[date] = frozenset()
    loose: bool = False

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
    def exact(self) -> date | None:
        if self.year and self.month and self.day:
            return _day(self.year, self.month, self.day)
        return next(iter(self.days)) if len(self.days) == 1 else None


_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar jänner janvier janv enero", "february feb februar février févr febrero",
            "march mar märz mär mars marzo", "april apr avril abril", "may mai mayo", "june jun juni juin junio",
            "july jul juli juillet juil julio", "august aug août agosto",
            "september sept sep septembre septiembre", "october oct oktober okt octobre octubre",
            "november nov novembre noviembre", "december dec dezember dez décembre déc diciembre",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            "monday mon montag lundi lunes", "tuesday tue tues dienstag mardi martes",
            "wednesday wed mittwoch mercredi miércoles", "thursday thu thurs donnerstag jeudi jueves",
            "friday fri freitag vendredi viernes", "saturday sat samstag sonnabend samedi sábado",
            "sunday sun sonntag dimanche domingo",
        )
    )
    for name in names.split()
}  # fmt: skip
_NEAR = {
    "today": 0, "tonight": 0, "heute": 0, "aujourd'hui": 0, "hoy": 0, "tomorrow": 1, "morgen": 1, "demain": 1,
    "mañana": 1, "yesterday": -1, "gestern": -1, "hier": -1, "ayer": -1, "übermorgen": 2, "vorgestern": -2,
    "anteayer": -2, "après-demain": 2, "avant-hier": -2,
}  # fmt: skip
_SMALL = {"a": 1, "an": 1, "one": 1, "einem": 1, "einer": 1, "two": 2, "zwei": 2, "three": 3, "drei": 3, "four": 4,
          "vier": 4, "five": 5, "fünf": 5, "six": 6, "sechs": 6, "seven": 7, "sieben": 7, "ten": 10, "zehn": 10,
          "un": 1, "une": 1, "deux": 2, "trois": 3, "quinze": 15, "dos": 2, "tres": 3}  # fmt: skip
_M = "|".join(sorted(map(re.escape, _MONTHS), key=len, reverse=True))
_W = "|".join(sorted(map(re.escape, _WEEKDAYS), key=len, reverse=True))
_N = r"\d{1,4}|" + "|".join(sorted(_SMALL, key=len, reverse=True))
_U = r"days?|weeks?|months?|years?|tage?n?|wochen?|monate?n?|jahre?n?|jours?|semaines?|mois|ans|d[ií]as?|semanas?"
_DATE = re.compile(
    rf"(?<![\w-])(?:"
    rf"(?P<iso>\d{{4}}-\d{{2}}-\d{{2}})"
    rf"|--(?P<bm>\d\d)-(?P<bd>\d\d)"
    rf"|(?P<dotd>\d{{1,2}})\.\s?(?P<dotm>\d{{1,2}})\.(?:\s?(?P<doty>\d{{4}}|\d\d(?![\d:])))?"
    rf"|(?P<sla>\d{{1,2}})/(?P<slb>\d{{1,2}})/(?P<sly>\d{{2,4}})"
    rf"|(?P<d1>\d{{1,2}})(?:st|nd|rd|th|er|\.)?\s(?:of\s|de\s)?(?P<m1>{_M})\b\.?(?:,?\s(?:de\s)?(?P<y1>\d{{4}})(?![\d:]))?"
    rf"|(?P<m2>{_M})\b\.?\s(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:.]\d|\d)(?:,?\s(?P<y2>\d{{4}})(?![\d:]))?"
    rf"|(?P<m3>{_M})\b\.?,?\s(?P<y3>(?:19|20)\d\d)"
    rf"|(?P<rel>(?:(?:next|last|this|coming|past|on|nächsten|letzten|diesen|kommenden|am|le|el)\s)?(?P<w>{_W}))\b(?!\s(?:plan|meal))"
    rf"|(?P<near>(?:the\s)?(?:day after tomorrow|day before yesterday)|today|tonight|heute|aujourd['’]hui|hoy|tomorrow|morgen|demain|mañana"
    rf"|yesterday|gestern|hier|ayer|übermorgen|vorgestern|anteayer|après-demain|avant-hier)"
    rf"|(?:in|dans|en|vor|il y a|hace)\s(?P<in>{_N})\s(?P<inu>{_U})"
    rf"|(?P<ago>{_N})\s(?P<agou>{_U})\s(?P<dir>ago|from now)"
    rf")(?![^\WT]|T(?!\d))",
    re.IGNORECASE,
)
_FUTURE = frozenset({"in", "dans", "en"})
_FOLDED = {fold(k): v for table in (_MONTHS,) for k, v in table.items()}
_FOLDED_DAYS = {fold(k): v for k, v in _WEEKDAYS.items()}
_FOLDED_NEAR = {fold(k): v for k, v in _NEAR.items()}
_FOLDED_SMALL = {fold(k): v for k, v in _SMALL.items()}
_AMBIGUOUS = frozenset({"mar", "may", "mai", "sun", "sat", "mon", "wed", "jan", "hier", "sept", "dec", "fri"})


_UNITS = (
    "day days week weeks month months year years tag tage tagen woche wochen monat monate monaten jahr jahre jahren "
    "jour jours semaine semaines mois ans dia dias día días semana semanas"
)
_LETTERS = re.compile(r"[^\W\d_]+")
_CALENDAR = frozenset(_LETTERS.findall(" ".join((*_MONTHS, *_WEEKDAYS, *_NEAR, _UNITS))))
_SHAPE = re.compile(r"\d[-./]\s?\d|--\d")


def _may_hold_date(text: str) -> bool:
    """Every date has a word of the calendar or digits with a mark between them: far cheaper to see."""
    return _SHAPE.search(text) is not None or not _CALENDAR.isdisjoint(_LETTERS.findall(text.lower()))


def find_dates(text: str, today: date | None) -> Iterator[tuple[int, int, DateSpan]]:
    """Places and meanings of dates. Without `today`, relative ones are not read."""
    if not _may_hold_date(text):
        return
    matches = list(_DATE.finditer(text))
    for match, following in zip_longest(matches, matches[1:]):
        if today and match["w"] and following and _names_its_day(text, match, following, today):
            continue
        span = _absolute(match) or (_relative(match, today) if today else None)
        if span is not None:
            yield match.start(), match.end(), span


def _names_its_day(text: str, day: re.Match[str], following: re.Match[str], today: date) -> bool:
    """ "Wednesday, 4 November": a weekday that belongs to the date after it, and is right in the nearest year."""
    if text[day.end() : following.start()].strip(" ,.") not in ("", "the", "den", "der", "le", "el"):
        return False
    span = _absolute(following)
    if span is None or not (span.month and span.day):
        return False
    years = [span.year] if span.year else [today.year - 1, today.year, today.year + 1]
    dates = [d for year in years if (d := _day(year, span.month, span.day))]
    nearest = min(dates, key=lambda d: abs((d - today).days), default=None)
    return nearest is not None and nearest.weekday() == _FOLDED_DAYS[fold(day["w"])]


def _absolute(m: re.Match[str]) -> DateSpan | None:
    if m["iso"]:
        year, month, day = (int(x) for x in m["iso"].split("-"))
        return _pattern(year, month, day)
    if m["bm"]:
        return _pattern(None, int(m["bm"]), int(m["bd"]))
    if m["dotd"]:
        return _pattern(_year(m["doty"]), int(m["dotm"]), int(m["dotd"]))
    if m["sla"]:
        return _slashed(int(m["sla"]), int(m["slb"]), _year(m["sly"]))
    for d, mon, y in (("d1", "m1", "y1"), ("d2", "m2", "y2")):
        if m[mon]:
            return _pattern(_year(m[y]), _FOLDED[fold(m[mon])], int(m[d]))
    if m["m3"]:
        return _pattern(int(m["y3"]), _FOLDED[fold(m["m3"])], None)
    return None


def _slashed(a: int, b: int, year: int | None) -> DateSpan | None:
    days = {d for d in (_day(year or 0, a, b), _day(year or 0, b, a)) if d}
    return DateSpan(days=frozenset(days)) if days else None


def _relative(m: re.Match[str], today: date) -> DateSpan | None:
    if m["near"]:
        word = fold(m["near"]).removeprefix("the ")
        offset = {"day after tomorrow": 2, "day before yesterday": -2}.get(word)
        return _around(today, _FOLDED_NEAR[word] if offset is None else offset)
    if m["w"]:
        name = fold(m["w"])
        if name in _AMBIGUOUS and not m["w"][0].isupper():
            return None
        return _weekday(_FOLDED_DAYS[name], fold(m["rel"]), today)
    if m["in"]:
        ahead = fold(m.group().split()[0]) in _FUTURE
        return _away(today, m["in"], m["inu"], 1 if ahead else -1)
    if m["ago"]:
        return _away(today, m["ago"], m["agou"], -1 if m["dir"].lower() == "ago" else 1)
    return None


def _weekday(number: int, words: str, today: date) -> DateSpan:
    ahead = (number - today.weekday()) % 7
    offsets = {ahead, ahead - 7, ahead + 7} if ahead else {0, -7, 7}
    if words.startswith(("next", "nachst", "kommend", "coming")):
        offsets = {o for o in offsets if o > 0}
    elif words.startswith(("last", "letzt", "past")):
        offsets = {o for o in {*offsets, ahead - 14} if o < 0}
    return DateSpan(days=frozenset(_shift(today, o) for o in offsets))


def _away(today: date, number: str, unit: str, sign: int) -> DateSpan | None:
    count = int(number) if number.isdigit() else _FOLDED_SMALL[fold(number)]
    letter = fold(unit)[0]
    if letter in "dt" or fold(unit).startswith("jour"):
        return _around(today, sign * count)
    days, slack = {"w": (7, 3), "s": (7, 3), "m": (30, 12), "y": (365, 150), "j": (365, 150), "a": (365, 150)}[letter]
    middle = sign * count * days
    return DateSpan(days=frozenset(_shift(today, middle + o) for o in range(-slack, slack + 1)), loose=True)


def _around(today: date, offset: int) -> DateSpan:
    return DateSpan(days=frozenset({_shift(today, offset)}))


def _shift(today: date, offset: int) -> date:
    try:
        return today + timedelta(days=offset)
    except OverflowError:
        return today


def _pattern(year: int | None, month: int, day: int | None) -> DateSpan | None:
    return DateSpan(year, month, day) if _day(year or 2024, month, day or 1) else None


def _year(written: str | None) -> int | None:
    if not written:
        return None
    return int(written) if len(written) == 4 else 2000 + int(written[-2:])


@lru_cache(maxsize=1024)
def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
