# ruff: noqa: E501 (patterns are easier to read on one line)
"""Claims about ages and durations: "before they were 30", "in his twenties", "active for over 20 years", "4 days after"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from sayso.core.verify.declared.reading import ReadField
from sayso.core.verify.declared.reading_amounts import Amount, Bound, bound_of
from sayso.core.verify.declared.reading_times import When, years_between
from sayso.core.verify.declared.reading_told import Finding, Told

_BIRTH = frozenset({"born", "birth"})
_DEATH = frozenset({"died", "death"})
_TENS = {
    w: n * 10
    for n, w in enumerate(
        ["twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties"], 2
    )
} | {"teens": 13}
_AGED = re.compile(
    rf"\b(?:in|of|since|from|until|into|during|reached) (?:his|her|their|its)(?: (?P<part>early|mid|middle|late|very early))?[ -]?(?:to[ -]late[ -])?(?:(?P<tens>{'|'.join(_TENS)})|(?P<digits>[2-9]0)['’]?s)\b"
    r"|\b(?:as|when (?:he|she|they|it) (?:was|were)(?: only| just| still)?) an? (?:very )?(?:young )?(?P<stage>child|kid|toddler|teenager|teen|adolescent|adult|pre-?teen)\b"
)
_STAGES = {
    "child": (0, 13),
    "kid": (0, 13),
    "toddler": (0, 4),
    "teenager": (13, 20),
    "teen": (13, 20),
    "adolescent": (10, 20),
    "adult": (18, 130),
    "preteen": (8, 13),
    "pre-teen": (8, 13),
}
_AGE_BEFORE = re.compile(
    r"(?:\bage(?: of)?|\baged|\b(?:he|she|they|it)(?:'s| was| were| is| are| turned| had turned| became| be)|\b(?:was|is|were|are) (?:older|younger) than|\blive[sd]? to(?: be)?|\bliving(?: until (?:he|she|they) (?:was|were)| to(?: be)?)|\bturned|\b(?:after|before|when) (?:turning|being|reaching))"
    r"(?: (?:only|just|about|around|over|almost|nearly|under|at least|more than|less than|older than|younger than|the|ripe|old|age|of|a|an|exactly|approximately|barely|past|not even))*\s?$"
)
_AGE_AFTER = re.compile(
    r"[- ]?(?:years?|months?)?(?:[- ]of[- ]age|[- ]old\b)|[- ]?(?:years? )?(?:when|at the time|at death|upon)"
)
_BEFORE_AGE = re.compile(r"\b(?P<how>before|until|by|after|since|prior to)\b[^.,;]{0,24}$")
_SPAN_AGO = re.compile(r"\s?(?:years?|decades?|centur\w+)?\s?ago\b")
_BETWEEN = re.compile(r"[^.;]{0,30}?\b(?:after|before|later|earlier|between|apart|prior)\b")
_UNIT_DAYS = {"day": 1, "week": 7, "month": 30.44, "year": 365.25}
_SHORT = re.compile(r"\s?-?(day|week|month|year)s?\b")


@dataclass(frozen=True, slots=True)
class _Age:
    """An age that is told, with its bound and its place."""

    low: float
    high: float
    bound: Bound


def check_ages(told: Told) -> Iterator[Finding]:
    """How old the subject of the record was at what the sentence tells."""
    born = next((f.whens[0] for f in told.record.fields if f.whens and _BIRTH & set(f.names)), None)
    for age in _ages(told):
        if born is None:
            yield Finding(age.bound.start, age.bound.end, None, "no date of birth is recorded")
            continue
        verdicts, why = _at_events(told, age, born)
        holds = True if True in verdicts else None if not verdicts or None in verdicts else False
        yield Finding(age.bound.start, age.bound.end, holds, why)


def _at_events(told: Told, age: _Age, born: When) -> tuple[list[bool | None], str]:
    fields, cued = told.fields_near(age.bound.start, age.bound.end, lambda f: f.whens and not _BIRTH & set(f.names))
    died = next((f for f in told.record.fields if f.whens and _DEATH & set(f.names)), None)
    if not cued and told.says("live", "liv", "die", "died", "dead", "old", "surviv"):
        fields = (died,) if died else ()
    events = [m for f in fields for m in (f.whens if not f.periods else (f.periods[0].since,))]
    if not cued and died is None:
        events = [told.now]
    verdicts: list[bool | None] = []
    for event in events:
        low, high = years_between(born, event)
        exact = born.exact and event.exact
        said = Amount(age.low, age.high, "", 0, 0)
        low, high = (int(low), int(high)) if exact else (max(int(low - 0.01), 0), int(high + 0.01))
        verdicts.append(age.bound.allows(said, low, high))
    return _loosened(verdicts), f"born {born.low.isoformat()}" + (
        f", {fields[0].label}: {fields[0].text[:60]}" if fields else ""
    )


def _loosened(verdicts: list[bool | None]) -> list[bool | None]:
    """Years without months leave an age open by one: what may be right is held."""
    return [True if v is None else v for v in verdicts]


def _ages(told: Told) -> Iterator[_Age]:
    for m in _AGED.finditer(told.text):
        low, high = _range(m)
        how = _BEFORE_AGE.search(told.text[max(0, m.start() - 20) : m.start()])
        yield _Age(low, high, Bound(_ORDER.get(how["how"] if how else "", ""), m.start(), m.end()))
    for amount in told.amounts:
        before, after = (
            _AGE_BEFORE.search(told.text[max(0, amount.start - 60) : amount.start]),
            _AGE_AFTER.match(told.text, _number_end(told.text, amount)),
        )
        if (
            (before or after)
            and amount.dimension in ("", "span")
            and 0 < amount.low < 130
            and not told.text[amount.start : amount.end].startswith("1 ")
        ):
            plain = replace(amount, dimension="")
            bound = bound_of(told.text, amount)
            window = told.text[max(0, bound.start - 28) : bound.start]
            how = _BEFORE_AGE.search(window) if not bound.how else None
            end = after.end() if after else amount.end
            yield _Age(
                plain.low,
                plain.high,
                Bound(bound.how or _ORDER.get(how["how"] if how else "", ""), bound.start, max(end, bound.end)),
            )


_ORDER = {"before": "less", "until": "", "prior to": "less", "after": "least", "since": "", "by": "most"}


def _range(m: re.Match[str]) -> tuple[float, float]:
    if m["stage"]:
        low, high = _STAGES[m["stage"]]
        return low, high - 1
    first = _TENS[m["tens"]] if m["tens"] else int(m["digits"])
    last = 19 if first == 13 else first + 9
    third = {"early": (0, 4), "very early": (0, 3), "mid": (3, 7), "middle": (3, 7), "late": (6, 9)}.get(
        m["part"] or ""
    )
    return (first, last) if third is None else (first + third[0], min(first + third[1], last))


def _number_end(text: str, amount: Amount) -> int:
    """Where the number itself ends, before its unit."""
    written = text[amount.start : amount.end]
    return amount.start + len(re.sub(r"[- ]?[a-z]{1,9}$", "", written)) if amount.dimension == "span" else amount.end


def check_durations(told: Told) -> Iterator[Finding]:
    """How long something lasted, has lasted, or lies back."""
    aged = [(a.bound.start, a.bound.end) for a in _ages(told)]
    for amount in told.amounts:
        bound = bound_of(told.text, amount)
        unit = _SHORT.match(told.text, amount.end)
        if any(a < amount.end and amount.start < b for a, b in aged):
            continue
        if amount.dimension == "span" and not _PAIRED.match(told.text, amount.end):
            yield _lasting(told, amount, bound)
        elif unit or amount.dimension == "span":
            yield _apart(told, amount, bound, unit[1] if unit else "year")


_PAIRED = re.compile(r"[^.;,]{0,12}\b(?:after|before|later|earlier|between|apart)\b")


def _lasting(told: Told, amount: Amount, bound: Bound) -> Finding:
    ago = _SPAN_AGO.match(told.text, amount.end)
    fields, cued = told.fields_near(bound.start, bound.end, lambda f: f.whens)
    if not cued:
        fields = tuple(f for f in fields if f.periods) or fields
    lengths = [x for f in fields for x in (_since(told, f) if ago else _lengths(told, f))]
    if bound.how == "more" and not _FOR.search(told.text[: bound.start]):
        bound = replace(bound, how="least")  # "over two years": in the course of them
    slack = 0.0 if bound.how else min(1.0 if amount.low < 20 else 2.0, amount.low / 3)
    said = replace(amount, low=amount.low - slack, high=amount.high + slack)
    verdicts = [bound.allows(said, low, high) for low, high in lengths]
    verdicts = [True if v is None else v for v in verdicts]
    holds = True if True in verdicts else False if verdicts else None
    why = f"{fields[0].label} is {fields[0].text[:80]}" if fields else "no period is recorded"
    return Finding(bound.start, ago.end() if ago else bound.end, holds, why)


_FOR = re.compile(r"\b(?:for|is|was|of|spanning|spanned|lasted|been|active|a)\s?$")


def _since(told: Told, f: ReadField) -> Iterator[tuple[float, float]]:
    yield from (years_between(w, told.now) for w in f.whens)


def _lengths(told: Told, f: ReadField) -> Iterator[tuple[float, float]]:
    """The whole, each part, and the sum of a field's periods; from its one moment until now or until death."""
    parts = [years_between(p.since, p.ended(told.now)) for p in f.periods]
    yield from parts
    if len(parts) > 1:
        yield sum(p[0] for p in parts), sum(p[1] for p in parts)
    if not parts:
        ends = _moments_of(told, _DEATH)
        starts = _moments_of(told, _BIRTH) if _DEATH & set(f.names) else f.whens
        yield from (years_between(w, e) for w in starts for e in (ends or [told.now]))


def _moments_of(told: Told, names: frozenset[str]) -> list[When]:
    return [w for f in told.record.fields if names & set(f.names) for w in f.whens]


def _apart(told: Told, amount: Amount, bound: Bound, unit: str) -> Finding:
    """Days, weeks, months or years between two recorded moments."""
    moments = [w for f in told.record.fields for w in f.whens]
    factor = 365.25 if amount.dimension == "span" else _UNIT_DAYS[unit]
    slack = 0.0 if unit == "day" else factor * 0.5
    said = Amount(
        amount.low * factor - slack * (not bound.how), amount.high * factor + slack * (not bound.how), "", 0, 0
    )
    verdicts = [bound.allows(said, *_days(a, b)) for a, b in combinations(moments[:12], 2)]
    verdicts += [
        bound.allows(said, *_days(a, b))
        for f in told.record.fields
        for p in f.periods
        for a, b in [(p.since, p.ended(told.now))]
    ]
    unit_end = bound.end + len(unit) + 2 if amount.dimension != "span" else bound.end
    holds = True if True in verdicts or None in verdicts else None
    return Finding(bound.start, min(unit_end, len(told.text)), holds, "no two dates lie so far apart")


def _days(a: When, b: When) -> tuple[float, float]:
    first, second = (a, b) if a.low <= b.low else (b, a)
    return max((second.low - first.high).days, 0), (second.high - first.low).days
