"""Whether facts hold a value, or it can be recomputed from them: sums, differences, ages, distances, counts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from itertools import combinations, permutations

from sayso.core.verify.amounts import alike, close, nearly
from sayso.core.verify.dayspan import shifted
from sayso.core.verify.index import Entry, moments_of
from sayso.core.verify.language.units import converted
from sayso.core.verify.values import CONTACTS, Value, ValueKind

_LASTING = {ValueKind.TIME, ValueKind.DURATION}
SIZES = frozenset({ValueKind.NUMBER, ValueKind.PERCENT, ValueKind.MONEY, ValueKind.DURATION})
_DAYS = {"day": 1.0, "week": 7.0, "month": 30.44, "year": 365.25}
_MAX_OPERANDS = 24


def same(claim: Value, held: Value, share: float = 0.0) -> bool:
    """Whether two values mean the same; an amount may differ by a `share` that its field declares."""
    if claim.kind is ValueKind.DATE and held.kind is ValueKind.DATE and claim.span and held.span:
        finer = claim.span.is_day and not held.span.is_day  # a record of "in January" holds no day of it
        return (claim.span.meets(held.span) and not finer) or _recurs(claim, held)
    if claim.kind is ValueKind.TIME and held.kind is ValueKind.TIME:
        gap = abs(int(claim.key) - int(held.key))
        return gap == 0 or ((claim.approx or held.approx) and gap == 720)
    if claim.kind in CONTACTS:
        return held.kind in CONTACTS and bool(claim.key) and claim.key == held.key
    if claim.kind in SIZES and held.kind in SIZES:
        return alike(claim, held) or (share > 0 and nearly(claim, held, share))
    if "h" in (claim.unit, held.unit) and {claim.kind, held.kind} == _LASTING:
        return _lasts(claim, held)
    if claim.kind is ValueKind.NUMBER and held.kind is ValueKind.DATE and held.span:
        return bool(claim.numbers & {held.span.year, held.span.day})
    if claim.kind is ValueKind.TIME and held.kind is ValueKind.NUMBER:
        return not held.unit and _is_hour(held, claim)
    return claim.kind is ValueKind.NUMBER and held.kind is ValueKind.TIME and _is_hour(claim, held)


def _recurs(claim: Value, held: Value) -> bool:
    """A birthday: the same day of a much later year."""
    day = held.span.exact if held.span else None
    days = claim.span.days if claim.span else ()
    return day is not None and any(d.year - day.year >= 10 and (d.month, d.day) == (day.month, day.day) for d in days)


def comparable(claim: Value) -> frozenset[ValueKind]:
    """The sorts of stored value of which one may be the same."""
    return _COMPARABLE[claim.kind]


_COMPARABLE = {
    ValueKind.NUMBER: SIZES | {ValueKind.DATE, ValueKind.TIME},
    ValueKind.PERCENT: SIZES,
    ValueKind.MONEY: SIZES,
    ValueKind.DURATION: SIZES | {ValueKind.TIME},
    ValueKind.TIME: frozenset({ValueKind.TIME, ValueKind.DURATION, ValueKind.NUMBER}),
    ValueKind.DATE: frozenset({ValueKind.DATE}),
    ValueKind.QUOTE: frozenset[ValueKind](),
    **dict.fromkeys(CONTACTS, CONTACTS),
}


def holds(entry: Entry, claim: Value) -> bool:
    if claim.kind is ValueKind.QUOTE:
        return claim.key in entry.quotes
    sorts = _COMPARABLE[claim.kind]
    if sorts.isdisjoint(entry.sorts):
        return False
    for held in entry.values:
        if held.kind in sorts and same(claim, held):
            return True
    return any(same(claim, held, share) for share, held in entry.rounded)


def fields_with(entry: Entry, claim: Value) -> list[str]:
    """The fields of a record that hold a value."""
    sorts = _COMPARABLE[claim.kind]
    if sorts.isdisjoint(entry.sorts):
        return []
    return [
        name
        for name, f in entry.fields.items()
        if any(v.kind in sorts and same(claim, v, f.declared.tolerance) for v in f.values)
    ]


def derives(entries: Sequence[Entry], claim: Value, today: date, yours: Iterable[Value]) -> bool:
    """Whether a number or duration follows from these facts, the clock and the user's own numbers."""
    if claim.kind is ValueKind.DATE:
        return any(_ends(entry, claim) for entry in entries)
    if claim.kind not in SIZES:
        return False
    days = list(dict.fromkeys(d for e in entries for d in e.days))[:_MAX_OPERANDS]
    if _distance(claim, days, today, _years_since(entries, today)):
        return True
    if claim.kind is ValueKind.DURATION and _clock(claim, entries):
        return True
    count = len(entries) if claim.kind is ValueKind.NUMBER else 0
    found = _computed(_operands(claim, entries, yours), count, claim.kind)
    if claim.kind in _ENTER[ValueKind.MONEY]:  # "a deposit of two months' rent"
        found |= {round(n * m, 4) for e in entries for m in _periods(e) for n in _amounts(e, claim)}
    if claim.kind is ValueKind.NUMBER:
        found |= {float(f.listed) for e in entries for f in e.fields.values() if f.listed > 1}
    if claim.kind is ValueKind.PERCENT:  # a share is a ratio of two plain numbers
        for one in ([e] for e in entries[:_MAX_OPERANDS]) if len(entries) > 1 else (entries,):
            plain = _operands(replace(claim, kind=ValueKind.NUMBER), one, yours)
            found |= {round(100 * a / b, 4) for a, b in permutations(plain, 2) if b and abs(b) != 1}
    return close(claim, found) or _rounded(claim, found)


def _rounded(claim: Value, numbers: Iterable[float]) -> bool:
    """Whether a computed number, rounded to as many decimals as are told, is the told one."""
    match = _DECIMALS.search(claim.text)
    half = 0.5 * 10 ** -len(match[1] if match else "")
    fine = 0.0005  # of "1,700" read as 1.7
    return any(
        abs(a - b) <= (half if match or a == int(a) else fine) and b >= 1 for a in claim.numbers for b in numbers
    )


_DECIMALS = re.compile(r"[.,](\d{1,2})(?!\d)")


def _operands(claim: Value, entries: Sequence[Entry], yours: Iterable[Value]) -> list[float]:
    """The numbers of its own sort, the facts' and the user's: days do not add up with shares."""
    sorts = _ENTER.get(claim.kind, SIZES)
    held = [v for e in entries for v in e.values if v.kind in sorts and v.unit != "x"]
    if claim.kind is ValueKind.DURATION:
        held = [v for v in held if v.unit == claim.unit]
    if claim.kind is ValueKind.MONEY and claim.unit:
        held = [v for v in held if v.kind is not ValueKind.MONEY or v.unit in (claim.unit, "")]
    numbers = [*(n for v in held for n in v.numbers), *(n for v in yours for n in v.numbers)]
    seen: dict[float, int] = {}
    for number in numbers:
        seen[number] = seen.get(number, 0) + 1
    twice = 2 if all(e.kind == "lookup" for e in entries) else 1  # what two look-ups found: two and two are four
    return [n for n, count in seen.items() for _ in range(min(count, twice))][:_MAX_OPERANDS]


def _ends(entry: Entry, claim: Value) -> bool:
    """Whether a day is so long after one of a text as the same text says: "twelve months from 1 May"."""
    for field in entry.fields.values():
        days = [d for v in field.values if v.span is not None and (d := v.span.exact)][:_FEW]
        lasting = [v for v in field.values if v.kind is ValueKind.DURATION and v.unit in _DAYS] if days else []
        lengths = [(n * _DAYS[v.unit], 1 if v.unit in ("month", "year") else 0) for v in lasting for n in v.numbers]
        ends = {
            shifted(d, round(n) + m) for d in days for n, slack in lengths[:_FEW] for m in range(-1 - slack, 1 + slack)
        }
        if claim.span is not None and any(map(claim.span.covers, ends)):
            return True
    return False


def per_head(entries: Sequence[Entry], claim: Value) -> bool:
    """Whether one record's few numbers make up an amount of a fixed part and one for each: "a bus, and 9 a head"."""
    for entry in entries:
        numbers = _operands(claim, [entry], ())
        if len(numbers) <= _FEW and close(claim, (a + b * c for a, b, c in permutations(numbers, 3) if b < c)):
            return True
    return False


_FEW = 6


def _periods(entry: Entry) -> set[float]:
    return {n for v in entry.values[:_MAX_OPERANDS] if v.kind is ValueKind.DURATION for n in v.numbers}


def _amounts(entry: Entry, claim: Value) -> set[float]:
    money = (v for v in entry.values[:_MAX_OPERANDS] if v.kind is ValueKind.MONEY)
    return {n for v in money if claim.unit in (v.unit, "") for n in v.numbers}


_ENTER = {
    ValueKind.NUMBER: frozenset({ValueKind.NUMBER, ValueKind.MONEY}),
    ValueKind.MONEY: frozenset({ValueKind.NUMBER, ValueKind.MONEY}),
    ValueKind.PERCENT: frozenset({ValueKind.PERCENT}),
    ValueKind.DURATION: frozenset({ValueKind.DURATION}),
}


def _computed(operands: Sequence[float], count: int, kind: ValueKind) -> set[float]:
    """Sums and differences; of amounts also products and shares, of numbers ratios, none of which a time span is."""
    found: set[float] = {sum(operands), float(count)} if count else {sum(operands)}
    if len(operands) > 1:
        found |= {max(operands) - min(operands), sum(operands) / len(operands)}
    for a, b in combinations(operands, 2):
        found |= {a + b, abs(a - b)}
        if a * b and min(abs(a), abs(b)) != 1 and kind is not ValueKind.DURATION:
            found |= {a * b, a / b, b / a, a * b / 100, a - a * b / 100, b - a * b / 100}
            found |= set() if kind is ValueKind.MONEY else {100 * a / b, 100 * b / a}
    return {round(n, 4) for n in found}


def days_apart(entries: Sequence[Entry], claim: Value, today: date) -> bool:
    """Whether some two of the days that these facts hold, and today, lie so far apart."""
    return _distance(claim, list(dict.fromkeys(d for e in entries for d in e.days))[:_MAX_OPERANDS], today, [])


def _years_since(entries: Sequence[Entry], today: date) -> list[float]:
    """How long ago the years are that the records tell of: "built in 1961"."""
    told = {
        int(n) for e in entries for v in e.values if v.kind is ValueKind.NUMBER for n in v.numbers if n.is_integer()
    }
    told |= {v.span.year for e in entries for v in e.values if v.span is not None and v.span.year and not v.span.is_day}
    return [float(today.year - y - n) for y in told if 1000 < y <= today.year for n in (0, 1)]


def _distance(claim: Value, days: Sequence[date], today: date, years: Sequence[float]) -> bool:
    """Days between two dates, or a date and today; whole or rounded weeks, months, years."""
    unit = _DAYS.get(claim.unit)
    if unit is None and claim.kind is not ValueKind.NUMBER:
        return False
    gaps = [abs((a - b).days) for a, b in combinations([*days, today], 2)]
    if unit is None:  # a bare number may be an age
        return not claim.numbers.isdisjoint(_ages(days, today))
    slack = 0.0 if unit == 1 else unit * 0.6
    if unit == _DAYS["year"] and close(claim, years):
        return True
    return any(abs(n * unit - gap) <= slack for n in claim.numbers for gap in gaps)


def _ages(days: Sequence[date], today: date) -> set[float]:
    """Whole years from one day to another or to today; also the age that the next birthday brings."""
    ages = {float(years_between(min(a, b), max(a, b))) for a, b in combinations([*days, today], 2)}
    return {a for a in ages if a >= 2} | {
        float(years_between(d, today) + 1) for d in days if years_between(d, today) >= 2
    }


def years_between(since: date, until: date) -> int:
    """Whole years from one day to another."""
    return until.year - since.year - ((until.month, until.day) < (since.month, since.day))


def _clock(claim: Value, entries: Sequence[Entry]) -> bool:
    """Minutes or hours between a record's times; weeks for a streak of days."""
    for entry in entries:
        spans = _minutes_between(entry)
        size = {"minute": 1, "hour": 60}.get(claim.unit)
        if size and any(abs(n * size - span) < 0.6 * (size > 1) + 0.01 for n in claim.numbers for span in spans):
            return True
        if claim.unit == "week" and any(
            n * 7 == m for n in claim.numbers for v in entry.values if v.kind in SIZES for m in v.numbers
        ):
            return True
    return False


def apart(entries: Sequence[Entry], claim: Value) -> bool:
    """Whether so much time lies between a time of one record and a time of another one of the same day."""
    size = {"minute": 1, "hour": 60}.get(claim.unit)
    held = [
        (e, frozenset(e.days), int(v.key))
        for e in entries[:_NEAREST]
        if e.kind != "lookup"
        for v in e.values
        if v.kind is ValueKind.TIME
    ]
    spans = {abs(a - b) for (e, d, a), (o, on, b) in combinations(held, 2) if e is not o and d & on}
    return size is not None and close(claim, [span / size for span in spans])


_NEAREST = 8


def _minutes_between(entry: Entry) -> set[float]:
    """A record's times apart: by their zones where they have them, else by the clock."""
    moments = [t for t in moments_of(entry) if t.tzinfo is not None]
    if len({t.utcoffset() for t in moments}) > 1:
        return {abs((a - b).total_seconds()) / 60 for a, b in combinations(moments, 2)}
    times = [int(v.key) for v in entry.values if v.kind is ValueKind.TIME]
    return {float(abs(a - b)) for a, b in combinations(times, 2)}


def _lasts(claim: Value, held: Value) -> bool:
    """ "1h30" is a time of day or as long as 90 minutes."""
    time, duration = (claim, held) if claim.kind is ValueKind.TIME else (held, claim)
    return any(converted(n, duration.unit, "minute") == int(time.key) for n in duration.numbers)


def _is_hour(claim: Value, held: Value) -> bool:
    minutes = int(held.key)
    hours = {minutes / 60, minutes / 60 - 12, minutes // 60 + (minutes % 60) / 100}
    return any(abs(n - h) < 0.001 for n in claim.numbers for h in hours)
