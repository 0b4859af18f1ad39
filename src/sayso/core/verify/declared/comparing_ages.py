# ruff: noqa: E501 (patterns are easier to read on one line)
"""Claims about ages: "at the age of 47", "before they were 30", "in his late twenties", "as a child", "lived to be over 80".

An age counts from the field of birth to the moment of the field that is told of, to death, or to now.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sayso.core.verify.declared.reading import ReadField
from sayso.core.verify.declared.reading_amounts import Amount, Bound, bound_of
from sayso.core.verify.declared.reading_times import When, years_between
from sayso.core.verify.declared.reading_told import Finding, Told, any_of

BIRTH = frozenset({"born", "birth"})
DEATH = frozenset({"died", "death"})
_OLDEST = 130
_TENS = {"teens": 13, "twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70,
         "eighties": 80, "nineties": 90}  # fmt: skip
_PARTS = {"early": (0, 4), "very early": (0, 3), "mid": (3, 7), "middle": (3, 7), "late": (6, 9)}
_STAGES = {"child": (0, 12), "kid": (0, 12), "toddler": (0, 3), "teenager": (13, 19), "teen": (13, 19),
           "adolescent": (10, 19), "adult": (18, _OLDEST), "preteen": (8, 12), "pre-teen": (8, 12)}  # fmt: skip
_IN_TENS = re.compile(
    rf"\b(?:in|of|since|from|until|into|during|reached) (?:his|her|their|its)(?: (?P<part>early|mid|middle|late|very early))?[ -]?(?:to[ -]late[ -])?(?:(?P<tens>{'|'.join(_TENS)})|(?P<digits>[2-9]0)['’]?s)\b"
    r"|\b(?:as|when (?:he|she|they|it) (?:was|were)(?: only| just| still)?) an? (?:very )?(?:young )?(?P<stage>child|kid|toddler|teenager|teen|adolescent|adult|pre-?teen)\b"
)
_BEFORE = re.compile(
    r"(?:\bage(?: of)?|\baged|\b(?:he|she|they|it)(?:'s| was| were| is| are| turned| had turned| became| be)|\b(?:was|is|were|are) (?:older|younger) than|\blive[sd]? to(?: be)?|\bliving(?: until (?:he|she|they) (?:was|were)| to(?: be)?)|\bturned|\b(?:after|before|when) (?:turning|being|reaching))"
    r"(?: (?:only|just|about|around|over|almost|nearly|under|at least|more than|less than|older than|younger than|the|ripe|old|age|of|a|an|exactly|approximately|barely|past|not even)){0,4}\s?$"
)
_AFTER = re.compile(r"[- ]?(?:years?|months?)?(?:[- ]of[- ]age|[- ]old\b)|[- ]?(?:years? )?(?:when|at the time|at death|upon)")  # fmt: skip
_UNIT = re.compile(r"[- ]?[a-z]{1,9}$")
_RELATED = re.compile(r"\b(?P<how>before|until|by|after|since|prior to)\b[^.,;]{0,24}$")
_HOW = {"before": "less", "prior to": "less", "after": "least", "by": "most"}
_OF_LIFE = ("live", "liv", "die", "died", "dead", "old", "surviv")


@dataclass(frozen=True, slots=True)
class Age:
    """An age that is told, with its bound, which has its place."""

    low: float
    high: float
    bound: Bound


def check_ages(told: Told) -> Iterator[Finding]:
    """How old the subject of the record was at what the sentence tells."""
    born = next((f.whens[0] for f in told.record.fields if f.whens and BIRTH & set(f.names)), None)
    for age in ages(told):
        place = age.bound.start, age.bound.end
        if born is None:
            yield Finding(*place, None, "no date of birth is recorded")
        else:
            events, why = _events(told, age)
            said = Amount(age.low, age.high, "", 0, 0)
            # years without months leave an age open by one: what may be right holds
            verdicts = [age.bound.allows(said, *_age_at(born, e)) is not False for e in events]
            yield Finding(*place, any_of(verdicts), f"born {born.low.isoformat()}{why}")


def _events(told: Told, age: Age) -> tuple[list[When], str]:
    """The moments at which somebody had an age: those of the field told of, else death, else now."""
    fields, cued = told.fields_near(age.bound.start, age.bound.end, lambda f: f.whens and not BIRTH & set(f.names))
    died = next((f for f in told.record.fields if f.whens and DEATH & set(f.names)), None)
    if not cued and died is None:
        return [told.now], ""
    if not cued and died is not None and told.says(*_OF_LIFE):
        fields = (died,)
    events = [m for f in fields for m in _starts(f)]
    return events, f", {fields[0].label}: {fields[0].text[:60]}"


def _starts(f: ReadField) -> tuple[When, ...]:
    return (f.periods[0].since,) if f.periods else f.whens


def _age_at(born: When, event: When) -> tuple[int, int]:
    low, high = years_between(born, event)
    if born.exact and event.exact:
        return int(low), int(high)
    return max(int(low - 0.01), 0), int(high + 0.01)


def ages(told: Told) -> Iterator[Age]:
    """The ages that a sentence tells."""
    for m in _IN_TENS.finditer(told.text):
        yield Age(*_range(m), Bound(_related(told.text, m.start()), m.start(), m.end()))
    for amount in told.amounts:
        after = _AFTER.match(told.text, _number_end(told.text, amount))
        before = _BEFORE.search(told.text[max(0, amount.start - 60) : amount.start])
        if (before or after) and amount.dimension in ("", "span") and 0 < amount.low < _OLDEST:
            bound = bound_of(told.text, amount)
            end = max(after.end() if after else amount.end, bound.end)
            yield Age(amount.low, amount.high, Bound(bound.how or _related(told.text, bound.start), bound.start, end))


def _related(text: str, start: int) -> str:
    """ "Before they were 30" is below it, "after 13" at least it."""
    found = _RELATED.search(text[max(0, start - 28) : start])
    return _HOW.get(found["how"], "") if found else ""


def _range(m: re.Match[str]) -> tuple[float, float]:
    if m["stage"]:
        return _STAGES[m["stage"]]
    first = _TENS[m["tens"]] if m["tens"] else int(m["digits"])
    last = 19 if first == _TENS["teens"] else first + 9
    low, high = _PARTS.get(m["part"] or "", (0, 9))
    return first + low, min(first + high, last)


def _number_end(text: str, amount: Amount) -> int:
    """Where the number itself ends, before its unit."""
    written = text[amount.start : amount.end]
    return amount.start + len(_UNIT.sub("", written)) if amount.dimension == "span" else amount.end
