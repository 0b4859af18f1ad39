"""When two amounts mean the same: by their units, how exact they are said to be, and ranges."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sayso.core.verify.language.bounds import Bound
from sayso.core.verify.language.units import converted
from sayso.core.verify.values import Value, ValueKind

ABOUT = 0.12  # the share by which "about" may be off
EXACT = 0.0051  # half of the last digit of a share or of an amount of money
FAR = 2.0  # "at least 20" is said of 25 or 40, hardly of 2026


def alike(claim: Value, held: Value) -> bool:
    """Whether an amount that is told is the one that is held, in whatever unit."""
    if {claim.kind, held.kind} == {ValueKind.PERCENT, ValueKind.MONEY}:
        return False
    if claim.bound and claim.kind is ValueKind.DURATION and held.kind is ValueKind.NUMBER:
        return False  # "more than 80 years" is not said of 120 exhibits
    if not (claim.unit and held.unit) or claim.unit == held.unit:
        return close(claim, held.numbers)
    others = [n for h in held.numbers if (n := converted(h, held.unit, claim.unit)) is not None]
    return close(claim, others) or any(_rounds_to(n, h) for n in claim.numbers for h in others)


def nearly(claim: Value, held: Value, share: float) -> bool:
    """Whether it differs from the held one by that share of it at most, in whatever unit."""
    for told in claim.numbers:
        low, high = sorted((told / (1 + share), told / (1 - share)))
        if alike(replace(claim, within=(low, high)), held):
            return True
    return False


def close(claim: Value, numbers: Iterable[float]) -> bool:
    """Whether a claim is true of one of these numbers (in its unit)."""
    return any(_fits(claim, told, held) for held in numbers for told in claim.numbers)


def _fits(claim: Value, told: float, held: float) -> bool:
    if claim.within and claim.within[0] - EXACT <= held <= claim.within[1] + EXACT:
        return True
    bound = claim.bound or (Bound.ABOUT if claim.approx else Bound.NONE)
    match bound:
        case Bound.NONE:
            return abs(told - held) <= EXACT
        case Bound.ABOUT:
            return abs(told - held) <= ABOUT * abs(held) + EXACT
        case Bound.LEAST:
            return told - EXACT <= held <= FAR * told
        case Bound.MORE:
            return told + EXACT < held <= FAR * told + 1
        case Bound.MOST:
            return told / FAR <= held <= told + EXACT
        case _:
            return told / FAR - 1 <= held < told - EXACT


def _rounds_to(told: float, held: float) -> bool:
    """Of a converted number: "5 miles" are 8.047 km, told as 8 km or 8.05 km."""
    digits = 0 if told == int(told) else 1 if round(told, 1) == told else 2
    return abs(told - held) <= 0.5 * 10**-digits + 1e-6
