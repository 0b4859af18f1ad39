"""Numbers of a sentence against the readings of the fields that it speaks of, in the time that it names.

Extremes, ranges, single readings. Which words mean which field comes from the evidence or its lexicon.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from sayso.core.verify.declared.grounding_index import Ground
from sayso.core.verify.declared.grounding_lexicon import Quantity
from sayso.core.verify.declared.grounding_numbers import Numeral
from sayso.core.verify.declared.series import Key, Readings, When

_HIGH = re.compile(
    r"\b(?:highs?|highest|max(?:imum)?|peak(?:s|ed|ing)?|reach(?:es|ed|ing)?|up to|tops?|as high as|climb\w*|most)\b"
    r"[^.;\d]{0,28}\Z"
)
_LOW = re.compile(
    r"\b(?:lows?|lowest|min(?:imum)?|as low as|down to|drop(?:s|ped|ping)?|fall(?:s|ing)?|fell|dip(?:s|ped|ping)?"
    r"|least)\b[^.;\d]{0,28}\Z"
)
_RANGE = re.compile(
    r"[\s-]?(?:°\s?[cfk]?|[^\W\d_]{1,12}(?:/[^\W\d_]{1,3})?|%)?(?:\s[^\W\d_]{1,12}){0,2}?(?:\sper\s[^\W\d_]{1,8})?"
    r"\s?(?:\bto\b|\band\b|[-–—])\s?"
    r"(?:an? |about |around |the )?(?:low |high |maximum |minimum |peak )?(?:of )?\Z"
)
_SPANS = re.compile(r"\b(?:from|between|rang\w+|var\w+|fluctuat\w+|within|highs?|lows?)\b[^.;\d]{0,40}\Z")
_REACH = 70  # characters: a word that stands further before a number does not speak of it


@dataclass(frozen=True, slots=True)
class Measured:
    """A number that speaks of a quantity in some time, and what the readings say to it.

    `place` is where it stands; `numeral` is in the quantity's own unit; `told` what the readings go from and to.
    """

    place: int
    numeral: Numeral
    verdict: str  # "held", "inner" (a reading, but not the extreme), "absent", "untimed" (no reading there)
    shape: str  # "high", "low", "range", "plain"
    told: str = ""
    timed: bool = False


def measured(
    text: str, found: Sequence[Numeral], times: Sequence[When], carried: Sequence[Key], ground: Ground
) -> Iterator[Measured]:
    """Each number of a sentence that can be told to speak of a quantity."""
    plain = _DASH.sub(" ", text)
    spoken = _first_of_run(sorted(_spoken(plain, ground.quantities)))
    shapes = _shapes(text, found)
    for index, written in enumerate(found):
        quantity, numeral = _quantity_of(written, found, spoken, ground)
        if quantity is None:
            continue
        keys = _time_of(text, numeral, times, carried, found)
        if keys and not any(ground.series.covers(k) for k in keys):
            yield Measured(written.start, numeral, "untimed", shapes[index])
            continue
        bucket = ground.series.readings(quantity.fields, keys)
        yield Measured(
            written.start,
            numeral,
            *_verdict(
                numeral,
                shapes[index],
                bucket,
                quantity.slack,
                _CHANGE.search(text, max(0, numeral.start - 40), numeral.start) is not None,
            ),
            bool(keys),
        )


_DASH = re.compile(r"(?<=[a-z])[-–](?=[a-z])")


def _first_of_run(spoken: Sequence[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Of phrases that follow each other ("feels like temperature") the first says what is meant."""
    kept: list[tuple[int, int, int]] = []
    for start, end, number in spoken:
        if kept and start <= kept[-1][1] + 1:
            kept[-1] = (kept[-1][0], max(end, kept[-1][1]), kept[-1][2] if start > kept[-1][0] else number)
        else:
            kept.append((start, end, number))
    return kept


def _verdict(numeral: Numeral, shape: str, bucket: Readings, slack: float, change: bool) -> tuple[str, str, str]:
    if not bucket:
        return "untimed", shape, ""
    told = f"{bucket.low:g} to {bucket.high:g}"
    ends = {"high": (bucket.high,), "low": (bucket.low,), "range": (bucket.low, bucket.high)}.get(shape, ())
    if any(numeral.fits(e, slack) for e in ends):
        return "held", shape, told
    if bucket.fits(numeral, slack):
        return ("inner" if ends else "held"), shape, told
    if change and numeral.fits(bucket.high - bucket.low, slack):
        return "held", shape, told
    between = numeral.whole and bucket.low <= numeral.value <= bucket.high
    return ("between" if between else "absent"), shape, told


_CHANGE = re.compile(
    r"\b(?:by|(?:increase|decrease|rise|drop|fall|gain|difference) of)\s(?:about |over |nearly |around )?\Z"
)


def _shapes(text: str, found: Sequence[Numeral]) -> list[str]:
    shapes = ["plain"] * len(found)
    for at, numeral in enumerate(found):
        before = text[max(0, numeral.start - 60) : numeral.start]
        shapes[at] = "high" if _HIGH.search(before) else "low" if _LOW.search(before) else "plain"
    for at, (a, b) in enumerate(pairwise(found)):
        joint = text[a.end : b.start]
        if len(joint) < 60 and _RANGE.match(joint) and _SPANS.search(text[max(0, a.start - 60) : a.start]):
            shapes[at] = shapes[at + 1] = "range"
    return shapes


def _spoken(text: str, quantities: Sequence[Quantity]) -> Iterator[tuple[int, int, int]]:
    """Where quantities are spoken of: end, start, number of the quantity; the longer phrase takes its place."""
    for number, quantity in enumerate(quantities):
        for phrase in quantity.phrases:
            at = text.find(phrase)
            while at >= 0:
                if at == 0 or not text[at - 1].isalnum():
                    yield at, at + len(phrase), number
                at = text.find(phrase, at + len(phrase))


def _quantity_of(
    numeral: Numeral, found: Sequence[Numeral], spoken: Sequence[tuple[int, int, int]], ground: Ground
) -> tuple[Quantity | None, Numeral]:  # fmt: skip
    """The quantity that a number is of: by its unit and the nearest words before it, else after it."""
    quantities = ground.quantities
    unit = ground.unit(numeral.unit)
    if unit in ground.units:
        own, factor, offset = ground.units[unit]
        numeral = replace(numeral, value=numeral.value * factor + offset, step=max(numeral.step * factor, factor))
        unit = own
    fitting = [n for n, q in enumerate(quantities) if unit in q.units] if unit else []
    before = [(end, start, n) for start, end, n in spoken if numeral.start - _REACH <= end <= numeral.start]
    before = [b for b in before if _unbroken(b[0], numeral, found)]
    near = max(before, key=lambda b: (b[0], -b[1]), default=None)
    if near is not None and (not fitting or near[2] in fitting):
        return (
            (quantities[near[2]], numeral) if fitting or not _other_unit(quantities[near[2]], unit) else (None, numeral)
        )
    if fitting:
        told = [b for b in before if b[2] in fitting]
        return quantities[max(told)[2] if told else fitting[0]], numeral
    bare = next((q for q in quantities if not q.phrases), None)
    fixed = numeral.joined or (numeral.whole and not numeral.approx and ground.fixed.holds(numeral))
    return (None if fixed else bare), numeral


def _unbroken(end: int, numeral: Numeral, found: Sequence[Numeral]) -> bool:
    """Whether no number of another unit stands between a word and the number that it would speak of."""
    return all(
        n.unit[:3] == numeral.unit[:3] or not n.unit or not numeral.unit
        for n in found
        if end <= n.start < numeral.start
    )


def _other_unit(quantity: Quantity, unit: str) -> bool:
    return bool(quantity.units and unit)


def _time_of(
    text: str, numeral: Numeral, times: Sequence[When], carried: Sequence[Key], found: Sequence[Numeral]
) -> Sequence[Key]:
    """The time that a number is told of: right after it ("in 1950"), else the last one before, else the carried."""
    if "respectively" in text and times:
        return tuple(k for w in times for k in w.keys)
    following = next((n.start for n in found if n.start > numeral.start), len(text))
    for when in times:
        between = text[numeral.end : when.start]
        if numeral.end <= when.start < min(numeral.end + 45, following) and "," not in between and _BY.search(between):
            return when.keys
    before = [w for w in times if w.end <= numeral.start]
    return before[-1].keys if before else times[0].keys if times and times[0].start < numeral.start else carried


_BY = re.compile(r"(?:\b(?:in|on|by|at|for|during|of|as of)\s(?:early |late |mid-?|the |around |end of |about )*|\()\Z")


def is_wide(text: str) -> bool:
    """Whether a sentence speaks of the whole of the time rather than of what was named before."""
    return _WIDE.search(text) is not None


_WIDE = re.compile(
    r"\b(?:overall|throughout|entire|whole|over the (?:next|past|course|coming|years)|next (?:few|five|several|\d)"
    r"|period|week|days)\b"
)
