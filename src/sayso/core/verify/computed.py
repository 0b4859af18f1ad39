"""What a sentence works out by itself: a product with a factor that it names, how far two times lie apart, an hour by
another clock. Knows the facts, the clock and the sentence; no field and no language's words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from sayso.core.verify.binding import named_records
from sayso.core.verify.holding import days_apart
from sayso.core.verify.index import Entry, moments_of
from sayso.core.verify.language.apart import APART, BETWEEN, ZONED
from sayso.core.verify.sentence import Sentence
from sayso.core.verify.values import Value, ValueKind
from sayso.core.verify.words import tokens

_FACTORS = frozenset({ValueKind.NUMBER, ValueKind.DURATION})
_PRODUCTS = frozenset({ValueKind.NUMBER, ValueKind.MONEY})
_CENT = 0.0051
_MOST = 24  # operands, and moments


def is_worked_out(s: Sentence, v: Value, scope: Sequence[Entry]) -> bool:
    """Whether the sentence itself shows where a value comes from that no record holds."""
    return _multiplied(s, v, scope) or _lies_between(s, v, scope) or _begins_a_number(s, v, scope)


def _multiplied(s: Sentence, v: Value, scope: Sequence[Entry]) -> bool:
    """ "Two months' deposit, so 1,700": a held amount times a number told beside it; or that number."""
    beside = [o for o in s.values if o is not v]
    if not beside or v.kind not in _FACTORS | _PRODUCTS:
        return False
    held = [n for e in scope for h in e.values if h.kind in _PRODUCTS for n in h.numbers][:_MOST]
    if v.kind in _PRODUCTS and _is_product(v, _numbers(beside, _FACTORS), held):
        return True
    products = [o for o in beside if o.kind in _PRODUCTS]
    return v.kind in _FACTORS and any(_is_product(o, v.numbers, held) for o in products)


def _numbers(values: Iterable[Value], kinds: frozenset[ValueKind]) -> list[float]:
    return [n for o in values if o.kind in kinds for n in o.numbers]


def _is_product(told: Value, factors: Iterable[float], held: Sequence[float]) -> bool:
    return any(abs(a * b - n) <= _CENT for n in told.numbers for a in factors if a > 1 for b in held if b > 1)


def _lies_between(s: Sentence, v: Value, scope: Sequence[Entry]) -> bool:
    """ "Eight days before the regatta": between times of what is told now, was told before or was asked for."""
    if v.kind is not ValueKind.DURATION:
        return False
    if not (APART.match(s.folded, v.end) or BETWEEN.search(s.folded)):
        return False
    asked = named_records(tokens(s.setting.user_message), s.index)
    pool = list({e.ref: e for e in (*scope, *s.bound.before, *asked) if e.kind != "lookup"}.values())
    return days_apart(pool, v, s.setting.now.date())


def _begins_a_number(s: Sentence, v: Value, scope: Sequence[Entry]) -> bool:
    """ "It starts with +41": the first digits of a telephone number that is held."""
    plus = v.kind is ValueKind.NUMBER and s.clean[max(0, v.start - 1) : v.start] == "+"
    return plus and any(f"+{v.text}" in f.text for e in scope for f in e.fields.values())


def by_another_clock(s: Sentence, v: Value, scope: Sequence[Entry]) -> bool:
    """An hour or a day as it is where the user is, of a record that tells it by another zone."""
    if v.kind not in (ValueKind.TIME, ValueKind.DATE) or ZONED.search(s.clean) is None:
        return False
    held = [t for e in scope for t in moments_of(e) if t.tzinfo is not None]
    here = ((t, t.astimezone(s.setting.now.tzinfo)) for t in held)
    return any(_tells(v, local) for t, local in here if local.utcoffset() != t.utcoffset())


def _tells(v: Value, moment: datetime) -> bool:
    if v.kind is ValueKind.DATE:
        return v.span is not None and v.span.covers(moment.date())
    at = moment.hour * 60 + moment.minute
    return (int(v.key) - at) % (720 if v.approx else 1440) == 0
