# ruff: noqa: E501 (patterns and messages are easier to read on one line)
"""Dates in text: absolute, partial and relative ones, in English, German, French, Italian and Spanish.

A date in text stands for a set of days (`DateSpan`): "12 September" is that day of any year, "next
Monday" the Mondays that it may mean at the run's clock. Nothing here reads a clock. Read here and not by
a library of dates: those decide for one day, take milliseconds, and find dates where none are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from sayso.core.verify.dates_relative import RELATIVE_WORDS, relative_dates
from sayso.core.verify.dayspan import DateSpan, day_of, iso_week, pattern, quarter
from sayso.core.verify.language import either
from sayso.core.verify.language.calendar import MONTHS, ORDERED, QUARTER, SHORT_MONTHS, VERBS, WEEK
from sayso.core.verify.numerals import in_digits
from sayso.core.verify.words import fold

__all__ = ["DateSpan", "find_dates"]

Found = tuple[int, int, DateSpan]
_LETTERS = re.compile(r"[^\W\d_]+")
_SHAPE = re.compile(r"\d[-./]\s?\d|--\d")
_MONTH_WORDS = frozenset(MONTHS) | frozenset(SHORT_MONTHS)
_BARE = {fold(name): number for name, number in (MONTHS | SHORT_MONTHS).items()}
_M = either(MONTHS)
_FULL = "|".join(
    sorted(
        (
            re.escape(m)
            for m in MONTHS
            if len(m) > 4
            or m in ("mai", "may", "mayo", "june", "juni", "juin", "july", "juli", "août", "aout", "mars", "märz")
        ),
        key=len,
        reverse=True,
    )
)
_S = "|".join(SHORT_MONTHS)
_NO_MORE = r"(?![^\WT]|T(?!\d))"
_YEAR = r"(?:,?\s(?:de\s|del\s)?(?P<{}>\d{{4}})(?![\d:]))?"
_D = r"0{0,12}\d{1,2}"
_ORD = r"(?:st|nd|rd|th|er|\.|º|°)?"
_TO = r"\s?(?:-|–|/|to|until|bis|au|al|and|und|et|e|y)\s?(?:the\s|den\s|le\s|il\s|el\s)?"
_NUMERIC = re.compile(
    rf"(?<![\w-])(?:(?P<iso>\d{{4}}[-/]\d{{2}}[-/]\d{{2}})"
    rf"|--(?P<bm>\d\d)-(?P<bd>\d\d)"
    rf"|(?:(?P<dot0>\d{{1,2}})\.\s?[-–]\s?)?(?P<dotd>\d{{1,2}})\.\s?(?P<dotm>\d{{1,2}})\.(?:\s?(?P<doty>\d{{4}}|\d\d(?![\d:])))?"
    rf"|(?P<sla>\d{{1,2}})/(?P<slb>\d{{1,2}})/(?P<sly>\d{{2,4}})"
    rf"|(?P<dashd>\d{{1,2}})-(?P<dashm>\d{{1,2}})-(?P<dashy>(?:19|20)\d\d)(?!-)"
    rf"|(?<=\b(?:le|il|el|on|am)\s)(?P<sa>\d{{1,2}})/(?P<sb>\d{{1,2}})(?![/\d])"
    rf"){_NO_MORE}"
)
_NAMED = re.compile(
    rf"(?<![\w-])(?:"
    rf"(?:(?P<d0>{_D}){_ORD}{_TO})?(?P<d1>{_D}|first|premier|primo|primero|ersten?){_ORD}\s(?:of\s|de\s|di\s)?(?P<m1>{_M})\b\.?{_YEAR.format('y1')}"
    rf"|(?P<d5>\d{{1,2}})\s(?:de\s)?(?P<m5>{_S})(?:\.(?:\s(?P<y5>\d{{4}}))?|\s(?P<y6>\d{{4}}))"
    rf"|(?P<m2>{_M})\b\.?\s(?:the\s)?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?:\s?[-–]\s?(?P<d3>\d{{1,2}})(?!\s(?:{_M})\b))?(?![\d:.]\d|\d){_YEAR.format('y2')}"
    rf"|(?P<m3>{_M})\b\.?,?\s(?:de\s|del\s)?(?P<y3>(?:1[5-9]|20)\d\d)"
    rf"|(?:in|im|to|by|from|since|seit|until|bis|ab|en|depuis|nel|a|ad|da|desde|hasta|early|late|mid|mid-|anfang|mitte|ende|début|fin|inizio|metà|fine|(?:principios|mediados|finales)\sde)[ -]?\b(?P<m4>{_FULL})(?!\.?\s(?:del?\s)?\d)"
    rf"){_NO_MORE}",
    re.IGNORECASE,
)
_QUARTERS = re.compile(
    r"\b(?:[QT](?P<q1>[1-4])[ /'’-]{1,2}(?P<y1>20\d\d)|(?P<y2>20\d\d)[ /-]?[QT](?P<q2>[1-4])"
    rf"|(?:(?P<q3>[1-4])(?:st|nd|rd|th|er|e|º|°|\.)?|(?P<o3>{'|'.join(ORDERED)}))\s(?:quarter|quartal|trimestre)\s(?:of\s|de\s|del\s|von\s)?(?P<y3>20\d\d))\b",
    re.IGNORECASE,
)
_WEEKS = re.compile(
    r"\b(?:(?P<y1>20\d\d)-?W(?P<w1>\d\d)|(?:KW|CW|calendar week|kalenderwoche)\s?(?P<w2>\d{1,2})(?:[ /]{1,3}(?P<y2>20\d\d))?"
    r"|(?:week|woche|semaine|settimana|semana)\s(?:n[°º]\s?)?(?P<w3>\d{1,2})(?:\s?/\s?|\s(?:of\s|de\s|del\s|von\s)?)(?P<y3>20\d\d)"
    r"|(?:week|woche|semaine|settimana|semana)\s(?:n[°º]\s?)?(?P<w4>[2-5]\d|1[4-9]))\b(?![.,]\d)",
    re.IGNORECASE,
)


_GOES_ON = re.compile(r"\s[^\W\d_]")


def find_dates(text: str, today: date | None, words: frozenset[str] | None = None) -> Iterator[Found]:
    """Places and meanings of dates. Without `today`, relative ones are not read.

    `words` are those of the text, in small letters, if its number words are digits already.
    """
    said = frozenset(_LETTERS.findall(text.lower())) if words is None else words
    text = in_digits(text, said) if words is None else text
    absolute: list[Found] = []
    if _SHAPE.search(text):
        absolute += [f for m in _NUMERIC.finditer(text) for f in _numeric(m)]
    if not _MONTH_WORDS.isdisjoint(said):
        absolute += [f for m in _NAMED.finditer(text) for f in _named(m)]
    if not QUARTER.isdisjoint(said):
        absolute += [f for m in _QUARTERS.finditer(text) for f in _quarter(m)]
    if not WEEK.isdisjoint(said):
        absolute += [f for m in _WEEKS.finditer(text) for f in _week(m, today)]
    absolute = _apart(absolute)
    yield from absolute
    if today is not None and not RELATIVE_WORDS.isdisjoint(said):
        yield from relative_dates(text, said, today, absolute)


def _apart(found: list[Found]) -> list[Found]:
    """In order, without those that begin within another."""
    kept: list[Found] = []
    for one in sorted(found, key=lambda f: (f[0], -f[1])):
        if not kept or one[0] >= kept[-1][1]:
            kept.append(one)
    return kept


def _numeric(m: re.Match[str]) -> Iterator[Found]:
    span: DateSpan | None = None
    start = m.start()
    if m["iso"]:
        span = pattern(*(int(x) for x in re.split("[-/]", m["iso"])))  # type: ignore[arg-type]
    elif m["bm"]:
        span = pattern(None, int(m["bm"]), int(m["bd"]))
    elif m["dotd"]:
        year = _year(m["doty"])
        span = pattern(year, int(m["dotm"]), int(m["dotd"]))
        first = pattern(year, int(m["dotm"]), int(m["dot0"])) if m["dot0"] else None
        if first is not None:
            yield m.start("dot0"), m.end("dot0"), first
            start = m.start("dotd")
    elif m["sla"]:
        span = _either(int(m["sla"]), int(m["slb"]), _year(m["sly"]))
    elif m["dashd"]:
        span = _either(int(m["dashm"]), int(m["dashd"]), int(m["dashy"]))
    else:
        span = pattern(None, int(m["sb"]), int(m["sa"]))
    if span is not None:
        yield start, m.end(), span


def _named(m: re.Match[str]) -> Iterator[Found]:
    """A month by its name, with a day, two days, a year, or alone."""
    place = next(n for n in ("m1", "m2", "m3", "m4", "m5") if m[n])
    name = fold(m[place])
    if name in VERBS and m[place].islower() and _GOES_ON.match(m.string, m.end(place)):
        return
    month = _BARE[name]
    if place in ("m3", "m4"):
        yield m.start(), m.end(), DateSpan(int(m["y3"]) if m["y3"] else None, month, None)
        return
    year = _year(m["y1"] or m["y2"] or m["y5"] or m["y6"])
    first, last = _days(m)
    span = pattern(year, month, last or first)
    if span is None:
        return
    other = pattern(year, month, first) if last and first < last else None
    if other is None:
        yield m.start(), m.end(), span
    elif m["d0"]:
        yield m.start("d0"), m.end("d0"), other
        yield m.start("d1"), m.end(), span
    else:
        yield m.start(), m.end("d2"), other
        yield m.start("d3"), m.end(), span


def _days(m: re.Match[str]) -> tuple[int, int | None]:
    """The day, and the last one of "12-14 September" or "May 3-5"."""
    if m["d1"]:
        day = int(m["d1"]) if m["d1"].isdigit() else 1
        return (int(m["d0"]), day) if m["d0"] else (day, None)
    return int(m["d2"] or m["d5"]), int(m["d3"]) if m["d3"] else None


def _quarter(m: re.Match[str]) -> Iterator[Found]:
    number = m["q1"] or m["q2"] or m["q3"]
    span = quarter(_year(m["y1"] or m["y2"] or m["y3"]) or 0, int(number) if number else ORDERED[m["o3"].lower()])
    yield from _placed(m, span)


def _week(m: re.Match[str], today: date | None) -> Iterator[Found]:
    year = _year(m["y1"] or m["y2"] or m["y3"]) or (today.year if today else None)
    span = iso_week(year, int(m["w1"] or m["w2"] or m["w3"] or m["w4"])) if year else None
    yield from _placed(m, span)


def _placed(m: re.Match[str], span: DateSpan | None) -> Iterator[Found]:
    if span is not None:
        yield m.start(), m.end(), span


def _either(a: int, b: int, year: int | None) -> DateSpan | None:
    """Day and month in either order."""
    days = {d for d in (day_of(year or 0, a, b), day_of(year or 0, b, a)) if d}
    return DateSpan(days=frozenset(days)) if days else None


def _year(written: str | None) -> int | None:
    if not written:
        return None
    return int(written) if len(written) == 4 else 2000 + int(written[-2:])
