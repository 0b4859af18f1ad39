"""Dates that hang on the run's clock: "tomorrow", "next Monday", "in 3 days", "last month", "end of the year"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from sayso.core.verify.dayspan import DateSpan, day_of, quarter, shifted, week
from sayso.core.verify.language import either
from sayso.core.verify.language.calendar import (
    AFTER,
    BEGIN,
    END,
    FRENCH,
    MIDDLE,
    MODIFIERS,
    MORNINGS,
    NEAR,
    SHORT_DAYS,
    SMALL,
    UNITS,
    WEEKDAYS,
)
from sayso.core.verify.words import fold

Found = tuple[int, int, DateSpan]
_I = re.IGNORECASE
_LETTERS = re.compile(r"[^\W\d_]+")
_DAYS = {fold(name): number for name, number in WEEKDAYS.items()}
_NEAR_DAYS = {fold(name): offset for name, offset in NEAR.items()}
_NEAR_WORDS = frozenset(_LETTERS.findall(" ".join(NEAR)))
_UNIT_WORDS = frozenset(_LETTERS.findall(" ".join(UNITS)))
_TURNS = {fold(word): turn for word, turn in MODIFIERS.items()}
RELATIVE_WORDS = frozenset(WEEKDAYS) | _NEAR_WORDS | _UNIT_WORDS
"""Where none of these is said, no date hangs on the clock."""


def _any(names: Sequence[str] | frozenset[str] | dict[str, int] | dict[str, str]) -> str:
    return either(names).replace("'", "['’]")


_END = r"(?![\w])"
_WEEKDAY = re.compile(
    rf"(?<![\w-])(?P<all>(?:(?P<before>{_any(MODIFIERS)}|on|am|le|il|el)\s)?(?P<w>{_any(WEEKDAYS)})"
    rf"(?:\s(?:que\s)?(?P<after>{_any(AFTER)})\b)?){_END}(?!\s(?:plan|meal))",
    _I,
)
_NEARBY = re.compile(rf"(?<![\w-])(?:the\s)?(?P<near>{_any(NEAR)}){_END}", _I)
_N = rf"(?P<n>0{{0,20}}\d{{1,4}}|{_any(SMALL)})"
_U = rf"(?P<u>{_any({u: k for u, k in UNITS.items() if k in ('day', 'week', 'month', 'year')})})"
_AWAY = re.compile(
    rf"(?<![\w-])(?:(?P<to>in|dans|en|tra|fra|dentro de|vor|il y a|y a|hace)\s{_N}\s{_U}{_END}"
    rf"|{_N.replace('<n>', '<n2>')}\s{_U.replace('<u>', '<u2>')}\s(?P<dir>ago|fa|from now|from today){_END})",
    _I,
)
_PAST = frozenset(["vor", "il y a", "y a", "hace", "ago", "fa"])
_SPANISH_DAYS = frozenset(["dia", "dias", "semana", "semanas", "mes", "meses", "ano", "anos"])
_PERIOD = re.compile(
    rf"(?<![\w-])(?:(?P<m1>{_any(MODIFIERS)})\s?(?P<u1>{_any(UNITS)})|(?P<u2>{_any(UNITS)})\s(?:que\s)?(?P<m2>{_any(AFTER)})){_END}",
    _I,
)
_EDGE = re.compile(
    rf"(?<![\w-])(?P<edge>{_any(BEGIN | MIDDLE | END)})[\s-](?:of\s|des\s|der\s|du\s|de\s|di\s|del\s|della\s|d['’])?"
    rf"(?:the\s|this\s|dieses\s|cette\s|ce\s|l['’]|la\s|questo\s|este\s)?(?P<u>month|year|week|monats|jahres|woche|mois|année|an|semaine|mese|anno|settimana|mes|año){_END}",
    _I,
)


def relative_dates(text: str, words: frozenset[str], today: date, absolute: Sequence[Found]) -> Iterator[Found]:
    """Those that lie beside the absolute ones."""
    found: list[Found] = []
    if not _UNIT_WORDS.isdisjoint(words):
        found += [f for m in _AWAY.finditer(text) for f in _away(m, today)]
        found += [f for m in _EDGE.finditer(text) for f in _edge(m, today)]
        found += [f for m in _PERIOD.finditer(text) for f in _period(m, today)]
    if not WEEKDAYS.keys().isdisjoint(words):
        starts = {start: (end, span) for start, end, span in absolute}
        found += [f for m in _WEEKDAY.finditer(text) for f in _weekday(m, today, text, starts)]
    if not _NEAR_WORDS.isdisjoint(words):
        found += [f for m in _NEARBY.finditer(text) for f in _near(m, today, text, words)]
    taken = {i for start, end, _ in absolute for i in range(start, end)}
    for start, end, span in found:
        if taken.isdisjoint(range(start, end)):
            taken.update(range(start, end))
            yield start, end, span


def _near(m: re.Match[str], today: date, text: str, words: frozenset[str]) -> Iterator[Found]:
    name = fold(m["near"])
    before = text[max(0, m.start() - 10) : m.start()].lower()
    if name in ("morgen", "manana") and before.endswith(MORNINGS):
        return
    if name == "hier" and ((m["near"][0].isupper() and not before.strip()) or FRENCH.isdisjoint(words)):
        return
    yield m.start(), m.end(), DateSpan(days=frozenset({shifted(today, _NEAR_DAYS[name])}))


def _weekday(m: re.Match[str], today: date, text: str, starts: dict[int, tuple[int, DateSpan]]) -> Iterator[Found]:
    name = fold(m["w"])
    following = text[m.end() : m.end() + 2]
    if name in SHORT_DAYS and (not m["w"][0].isupper() or (following[:1] == " " and following[1:].islower())):
        return
    number = _DAYS[name]
    if _names_its_day(number, m, today, text, starts):
        return
    turn = _TURNS.get(fold(m["before"] or ""), 0) or _TURNS.get(fold(m["after"] or ""), 0)
    yield m.start(), m.end(), _weekdays(number, turn, today)


_GAP = re.compile(r"[ ,.]{0,3}(?:(?:the|den|der|dem|le|il|el)\s)?")


def _names_its_day(
    number: int, m: re.Match[str], today: date, text: str, starts: dict[int, tuple[int, DateSpan]]
) -> bool:
    """ "Wednesday, 4 November": a weekday that belongs to the date after it, and is right in the nearest year."""
    gap = _GAP.match(text, m.end())
    span = starts[gap.end()][1] if gap and gap.end() in starts else None
    if span is None or not (span.month and span.day):
        return False
    years = [span.year] if span.year else [today.year - 1, today.year, today.year + 1]
    dates = [d for year in years if (d := day_of(year, span.month, span.day))]
    nearest = min(dates, key=lambda d: abs((d - today).days), default=None)
    return nearest is not None and nearest.weekday() == number


def _weekdays(number: int, turn: int, today: date) -> DateSpan:
    ahead = (number - today.weekday()) % 7
    offsets = {ahead, ahead - 7, ahead + 7} if ahead else {0, -7, 7}
    if turn > 0:
        offsets = {o for o in offsets if o > 0}
    elif turn < 0:
        offsets = {o for o in {*offsets, ahead - 14} if o < 0}
    return DateSpan(days=frozenset(shifted(today, o) for o in offsets))


def _away(m: re.Match[str], today: date) -> Iterator[Found]:
    """ "In 3 days", "il y a deux semaines", "3 giorni fa": weeks, months and years are give or take."""
    written, unit = m["n"] or m["n2"], fold(m["u"] or m["u2"])
    word = fold(m["to"] or m["dir"])
    if word == "en" and unit not in _SPANISH_DAYS:
        return  # "en 3 jours": within, not after
    count = int(written) if written.isdigit() else 1
    sign = -1 if word in _PAST else 1
    kind = _KINDS[unit]
    if kind == "day":
        yield m.start(), m.end(), DateSpan(days=frozenset({shifted(today, sign * count)}))
        return
    days, slack = {"week": (7, 3), "month": (30, 12), "year": (365, 150)}[kind]
    middle = sign * count * days
    around = frozenset(shifted(today, middle + o) for o in range(-slack, slack + 1))
    yield m.start(), m.end(), DateSpan(days=around, loose=True)


_KINDS = {fold(word): kind for word, kind in UNITS.items()}


def _period(m: re.Match[str], today: date) -> Iterator[Found]:
    """ "Next week", "le mois dernier", "el año que viene"."""
    turn = _TURNS[fold(m["m1"] or m["m2"])]
    span = _turned(_KINDS[fold(m["u1"] or m["u2"])], turn, today)
    if span is not None:
        yield m.start(), m.end(), span


def _turned(kind: str, turn: int, today: date) -> DateSpan | None:
    monday = shifted(today, -today.weekday())
    passing = turn == 0
    match kind:
        case "week":
            days = week(shifted(monday, 7 * turn)).days
            return DateSpan(days=days | week(shifted(today, -7)).days if turn < 0 else days, passing=passing)
        case "weekend":
            return week(shifted(monday, 7 * turn + 5), 2)
        case "month":
            month = today.year * 12 + today.month - 1 + turn
            return DateSpan(month // 12, month % 12 + 1, passing=passing)
        case "year":
            return DateSpan(today.year + turn, passing=passing)
        case "quarter":
            number = today.year * 4 + (today.month - 1) // 3 + turn
            return quarter(number // 4, number % 4 + 1)
        case _:
            return None  # "this day", "the last days"


def _edge(m: re.Match[str], today: date) -> Iterator[Found]:
    """ "End of the month", "Anfang des Jahres", "fin de semaine": give or take."""
    edge, kind = m["edge"].lower(), _KINDS[fold(m["u"])]
    third = 0 if edge in BEGIN else 1 if edge in MIDDLE else 2
    if kind == "week":
        monday = shifted(today, -today.weekday())
        days = [shifted(monday, n) for n in range(*((0, 3), (1, 4), (3, 7))[third])]
    elif kind == "month":
        days = _those(today.year, (today.month,), range(*((1, 11), (10, 21), (20, 32))[third]))
    else:
        days = _those(today.year, range(*((1, 4), (5, 9), (10, 13))[third]), range(1, 32))
    yield m.start(), m.end(), DateSpan(days=frozenset(days), loose=True)


def _those(year: int, months: Iterable[int], days: Iterable[int]) -> list[date]:
    return [d for month in months for n in days if (d := day_of(year, month, n))]
