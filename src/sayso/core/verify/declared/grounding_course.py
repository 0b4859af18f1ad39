"""What a text says of the course of a series: where its extremes lie, whether it rose, when it ends."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sayso.core.verify.declared.grounding_index import Ground
from sayso.core.verify.declared.grounding_lexicon import Quantity
from sayso.core.verify.declared.series import Key, When

_TOP = re.compile(r"\b(?:highest|strongest|greatest|largest|peak(?:s|ed|ing)?|maximum|record high)\b")
_BOTTOM = re.compile(r"\b(?:lowest|weakest|smallest|minimum|record low)\b")
_RISE = re.compile(r"\b(?:increas\w+|ris(?:e|es|en|ing)|rose|grow(?:s|th|n|ing)?|grew|improv\w+|upward|climb\w*)\b")
_FALL = re.compile(r"\b(?:decreas\w+|declin\w+|fall(?:s|en|ing)?|fell|drop(?:s|ped|ping)?|downward)\b")
_STEADY = re.compile(r"\b(?:stead(?:y|ily)|consistent(?:ly)?|continu(?:ous|ously|ed|ally)|constant(?:ly)?)\b")
_STABLE = re.compile(r"\b(?:stable|unchanged|constant|steady at)\b")
_FROM = re.compile(r"\b(?:from|between)\s(?:the\s)?\Z")
_JOINT = re.compile(r"\s?(?:to|until|through|and|up to|-|–)\s?(?:the end of\s|early\s|late\s)?")
_NEAR = 80  # characters between a turn and the time or the quantity that it is of


@dataclass(frozen=True, slots=True)
class Turn:
    """A statement of course that the readings do not bear out."""

    start: int
    end: int


def course(text: str, times: Sequence[When], numbers: Sequence[int], ground: Ground) -> Iterator[Turn]:
    """`numbers` are the places of the numbers in the text: a turn that has a number is judged by it."""
    if not ground.series:
        return
    yield from _extremes(text, times, numbers, ground)
    yield from _ends(text, times, ground)
    yield from _trends(text, times, ground)


def _extremes(text: str, times: Sequence[When], numbers: Sequence[int], ground: Ground) -> Iterator[Turn]:
    for top, pattern in ((True, _TOP), (False, _BOTTOM)):
        for m in pattern.finditer(text):
            when = next((w for w in times if m.end() <= w.start <= m.end() + _NEAR), None)
            if when is None or "," in text[m.end() : when.start] or any(m.end() <= n < when.start for n in numbers):
                continue
            quantity = _of(text[max(0, m.start() - 40) : when.start], ground)
            if quantity is None:
                continue
            here, whole = (ground.series.readings(quantity.fields, keys) for keys in (when.keys, ()))
            if here and (here.high < whole.high if top else here.low > whole.low):
                yield Turn(m.start(), when.end)


def _of(text: str, ground: Ground) -> Quantity | None:
    """The quantity that a stretch of text speaks of; the only one where there is one."""
    named = [q for q in ground.quantities if any(p in text for p in q.phrases)]
    if len(named) == 1:
        return named[0]
    return ground.quantities[0] if len(ground.quantities) == 1 and not ground.quantities[0].phrases else None


def _ends(text: str, times: Sequence[When], ground: Ground) -> Iterator[Turn]:
    """ "From A to B", of a series whose readings are all of one thing: A and B are its ends."""
    if ground.series.run is None:
        return
    first, last = ground.series.first, ground.series.last
    for a, b in pairwise(times):
        if not _JOINT.fullmatch(text[a.end : b.start].replace(",", "")) or not _FROM.search(text[: a.start]):
            continue
        for when, day in ((a, first), (b, last)):
            if not any(_same(key, (day.year, day.month, day.day)) for key in when.keys):
                yield Turn(when.start, when.end)


def _same(key: Key, day: tuple[int, int, int]) -> bool:
    return all(k is None or k == d for k, d in zip(key[:3], day, strict=True))


def _trends(text: str, times: Sequence[When], ground: Ground) -> Iterator[Turn]:
    run = ground.series.run
    if times or run is None:
        return
    for pattern, along, against, back in (
        (_RISE, run.ups, run.downs, run.last < run.first),
        (_FALL, run.downs, run.ups, run.last > run.first),
    ):
        m = pattern.search(text)
        uneven = against > _UNEVEN * (against + along) and _STEADY.search(text)
        if m and (back or uneven):
            yield Turn(m.start(), m.end())
    m = _STABLE.search(text)
    if m and run.spread > _WIDE:
        yield Turn(m.start(), m.end())


_UNEVEN = 0.15  # the share of steps the other way that "steadily" still allows
_WIDE = 0.5  # the spread, by the largest reading, that "stable" does not allow
