"""What is amiss in one sentence of a text that retells records: numbers, times, names, states and phrases.

Each check gets the sentence, the times that it names and the ground; none knows a domain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sayso.core.verify.declared.grounding_index import Ground
from sayso.core.verify.declared.grounding_lexicon import GroundingLexicon
from sayso.core.verify.declared.grounding_measures import Measured
from sayso.core.verify.declared.grounding_numbers import Numeral
from sayso.core.verify.declared.grounding_words import OPINIONS
from sayso.core.verify.declared.series import Key, When, is_calendar
from sayso.core.verify.lexicon import GENERIC, STOP, TEMPORAL
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.sentence import Sentence
from sayso.core.verify.values import NUMBER_WORDS, Value, ValueKind
from sayso.core.verify.words import Token, fold, plain

K = ViolationKind


@dataclass(frozen=True, slots=True)
class Finding:
    """What is amiss with a stretch of a sentence; `plain` is told in the default profile too."""

    start: int
    end: int
    why: str
    plain: bool = False
    kind: ViolationKind = K.UNSUPPORTED


def measure_findings(told: Sequence[Measured], ground: Ground) -> Iterator[Finding]:
    """Numbers that speak of a quantity. One that no record holds at all is wrong; another time's is unsupported."""
    for m in told:
        if m.verdict == "held":
            continue
        absent = m.verdict == "absent" and not m.numeral.approx
        sure = absent and m.timed and not ground.bag.holds(m.numeral)
        why = f"the records go from {m.told}" if m.told else "no record is of that time"
        plain = sure or (absent and m.timed and not m.numeral.whole)
        yield Finding(m.numeral.start, m.numeral.end, why, plain, K.WRONG_VALUE if sure else K.UNSUPPORTED)


def loose_findings(found: Sequence[Numeral], ground: Ground) -> Iterator[Finding]:
    """Numbers that cannot be told to speak of a quantity, and that no record holds."""
    for numeral in found:
        named = numeral.ordinal or (numeral.joined and numeral.value < _LONG)
        if not named and not ground.bag.holds(numeral):
            yield Finding(numeral.start, numeral.end, "no record holds this number", plain=True)


_LONG = 100  # "7-day", "COVID-19": a short number that is tied to a word belongs to it


def time_findings(s: Sentence, times: Sequence[When], ground: Ground) -> Iterator[Finding]:
    for when in times:
        if not any(ground.series.covers(k) for k in when.keys):
            yield Finding(when.start, when.end, "no record is of this time")
    for v in s.values:
        if v.kind is ValueKind.TIME and not _hour_held(v, ground):
            yield Finding(v.start, v.end, "no record holds this time")
        if v.kind is ValueKind.DATE and not ground.series and _is_date(v) and not _date_held(v, ground):
            yield Finding(v.start, v.end, "no record holds this date")


def _hour_held(v: Value, ground: Ground) -> bool:
    minute = int(v.key)
    return bool({minute, minute + 720 if v.approx else minute} & ground.hours)


def _is_date(v: Value) -> bool:
    return v.span is not None and not v.span.days and is_calendar(v.text)


def _date_held(v: Value, ground: Ground) -> bool:
    return v.span is not None and any(d.meets(v.span) for d in ground.dates)


_NOT_NAMES = STOP | TEMPORAL | GENERIC | frozenset(map(plain, NUMBER_WORDS))


def name_findings(s: Sentence, ground: Ground) -> Iterator[Finding]:
    """Capitalised words that no record holds, a run of them as one."""
    run: list[Token] = []
    for token in s.words:
        if not _stray(s, token, ground):
            continue
        if run and s.clean[run[-1].end : token.start].strip(" -,"):
            yield Finding(run[0].start, run[-1].end, "no record names this")
            run = []
        run.append(token)
    if run:
        yield Finding(run[0].start, run[-1].end, "no record names this")


def _stray(s: Sentence, token: Token, ground: Ground) -> bool:
    if not token.capital or len(token.text) < 2 or ground.knows(token.word) or _opens(s, token):
        return False
    return not (token.word in _NOT_NAMES or fold(token.text) in _NOT_NAMES or s.in_value(token.start))


def _opens(s: Sentence, token: Token) -> bool:
    before = s.clean[: token.start].rstrip(" *_\"'“„(")
    return not before or before[-1] in ".!?:|•\n;"


def phrase_findings(s: Sentence, lexicon: GroundingLexicon) -> Iterator[Finding]:
    """Phrases that no record can carry: those of repute and praise, and what the lexicon names so."""
    words = [t.word for t in s.words]
    for at in range(len(words)):
        length = max(p.length_at(words, at) for p in (OPINIONS, lexicon.unlicensed))
        if length:
            yield Finding(s.words[at].start, s.words[at + length - 1].end, "no record says this")


_DENIED = re.compile(r"(?:\b(?:no|not|without|minimal|low|little|chance\w*|possib\w*|or)\b|n't\b)[^.;,]{0,30}\Z")


_THEN_DENIED = re.compile(r"[^.;,]{0,20}\b(?:not|unlikely|minimal|low|little|absent|unexpected)\b")


def state_findings(s: Sentence, times: Sequence[When], carried: Sequence[Key], ground: Ground) -> Iterator[Finding]:
    """States of a field of words, told of a time whose records hold another."""
    words = [t.word for t in s.words]
    for state in ground.states:
        for held, phrases in state.meanings:
            for at in range(len(words)):
                length = phrases.length_at(words, at)
                if not length:
                    continue
                start, end = s.words[at].start, s.words[at + length - 1].end
                texts = ground.series.readings((state.field,), _time_before(times, start, carried)).texts
                denied = _DENIED.search(s.folded[max(0, start - 40) : start]) or _THEN_DENIED.match(s.folded, end)
                if texts and not denied and not any(h in t for t in texts for h in held):
                    yield Finding(start, end, "no record of that time says so")


def _time_before(times: Sequence[When], at: int, carried: Sequence[Key]) -> Sequence[Key]:
    """The time that a state is told of: the last one before it, else the first after it, else the carried."""
    before = [w for w in times if w.end <= at]
    return before[-1].keys if before else times[0].keys if times else carried
