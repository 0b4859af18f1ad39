"""Claims about durations: "active for over 20 years", "25 years ago", "4 days after", "less than a week before"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from sayso.core.verify.declared.comparing_ages import BIRTH, DEATH, ages
from sayso.core.verify.declared.reading import ReadField
from sayso.core.verify.declared.reading_amounts import Amount, Bound, bound_of
from sayso.core.verify.declared.reading_times import When, years_between
from sayso.core.verify.declared.reading_told import Finding, Told, any_of

_AGO = re.compile(r"\s?(?:years?|decades?|centur\w+)?\s?ago\b")
_FOR = re.compile(r"\b(?:for|is|was|of|spanning|spanned|lasted|been|active|a)\s?$")
_PAIRED = re.compile(r"[^.;,]{0,12}\b(?:after|before|later|earlier|between|apart)\b")
_SHORT = re.compile(r"\s?-?(day|week|month|year)s?\b")
_DAYS = {"day": 1.0, "week": 7.0, "month": 30.44, "year": 365.25}
_MOMENTS = 12  # how many of a record's moments are paired with one another


def check_durations(told: Told) -> Iterator[Finding]:
    """How long something lasted, has lasted, or lies back."""
    aged = [(a.bound.start, a.bound.end) for a in ages(told)]
    for amount in told.amounts:
        if any(a < amount.end and amount.start < b for a, b in aged):
            continue
        bound = bound_of(told.text, amount)
        unit = _SHORT.match(told.text, amount.end)
        if amount.dimension == "span" and not _PAIRED.match(told.text, amount.end):
            yield _lasting(told, amount, bound)
        elif amount.dimension == "span":
            yield _apart(told, amount, bound, "year", bound.end)
        elif unit:
            yield _apart(told, amount, bound, unit[1], max(bound.end, unit.end()))


def _lasting(told: Told, amount: Amount, bound: Bound) -> Finding:
    ago = _AGO.match(told.text, amount.end)
    fields, cued = told.fields_near(bound.start, bound.end, lambda f: f.whens)
    if not cued:
        fields = tuple(f for f in fields if f.periods) or fields
    lengths = [x for f in fields for x in (_ago(told, f) if ago else _lengths(told, f))]
    how, said = _meant(told.text, amount, bound)
    verdicts = [how.allows(said, low, high) is not False for low, high in lengths]
    why = f"{fields[0].label} is {fields[0].text[:80]}" if fields else "no period is recorded"
    return Finding(bound.start, ago.end() if ago else bound.end, any_of(verdicts), why)


def _meant(text: str, amount: Amount, bound: Bound) -> tuple[Bound, Amount]:
    """ "Over two years" without "for" is in the course of them; a bare number of years is a rounded one."""
    if bound.how == "more" and not _FOR.search(text[: bound.start]):
        bound = replace(bound, how="least")
    slack = 0.0 if bound.how else min(1.0 if amount.low < 20 else 2.0, amount.low / 3)
    return bound, replace(amount, low=amount.low - slack, high=amount.high + slack)


def _ago(told: Told, f: ReadField) -> Iterator[tuple[float, float]]:
    yield from (years_between(w, told.now) for w in f.whens)


def _lengths(told: Told, f: ReadField) -> Iterator[tuple[float, float]]:
    """Each part and the sum of a field's periods; from its one moment until death or now."""
    parts = [years_between(p.since, p.ended(told.now)) for p in f.periods]
    yield from parts
    if len(parts) > 1:
        yield sum(p[0] for p in parts), sum(p[1] for p in parts)
    if not parts:
        ends = _moments_of(told, DEATH) or [told.now]
        starts = _moments_of(told, BIRTH) if DEATH & set(f.names) else f.whens
        yield from (years_between(w, e) for w in starts for e in ends)


def _moments_of(told: Told, names: frozenset[str]) -> list[When]:
    return [w for f in told.record.fields if names & set(f.names) for w in f.whens]


def _apart(told: Told, amount: Amount, bound: Bound, unit: str, end: int) -> Finding:
    """Days, weeks, months or years between two recorded moments; that none are so far apart refutes nothing."""
    moments = [w for f in told.record.fields for w in f.whens][:_MOMENTS]
    pairs = list(combinations(moments, 2))
    pairs += [(p.since, p.ended(told.now)) for f in told.record.fields for p in f.periods]
    bound, _ = _meant(told.text, amount, bound)
    slack = 0.0 if unit == "day" or bound.how else _DAYS[unit] * 0.5
    said = Amount(amount.low * _DAYS[unit] - slack, amount.high * _DAYS[unit] + slack, "", 0, 0)
    holds = any(bound.allows(said, *_days(a, b)) is not False for a, b in pairs)
    return Finding(bound.start, end, holds or None, "no two dates lie so far apart")


def _days(a: When, b: When) -> tuple[float, float]:
    """The fewest and the most days: the first one may be counted too."""
    first, second = (a, b) if a.low <= b.low else (b, a)
    return max((second.low - first.high).days, 0), (second.high - first.low).days + 1
