"""What the user said, told back: a day, an amount or a length that they gave may not come back as another one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.core.verify import lexicon
from sayso.core.verify.holding import derives, holds, same
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.sentence import Checked, Sentence, content_stems, wrong
from sayso.core.verify.values import Value, ValueKind
from sayso.core.verify.words import fold, tokens

_TOLD = frozenset({ValueKind.DATE, ValueKind.DURATION, ValueKind.MONEY, ValueKind.NUMBER, ValueKind.PERCENT})
_NEAR = 32  # characters around a value of the message in which its words stand
_ROOT = 4  # letters by which two forms of a word are known ("recojo", "recoges")
_SHORT = 9  # words of a sentence that only repeats
_NEXT = re.compile(r"\s{1,3}([^\W\d_]{3,30})")


def check_yours(s: Sentence) -> Iterator[Checked]:
    """ "I pick them up on Saturday" is not "you pick them up on Sunday"."""
    if not s.yours or s.find(lexicon.ADVICE) or s.find(lexicon.IMPERATIVE):
        return
    for v in s.values:
        rival = _rival(s, v) if v.kind in _TOLD and not (v.approx or v.bound) else None
        if rival is not None and _is_linked(s, v, rival) and not _is_known(s, v):
            yield wrong(s, ViolationKind.WRONG_VALUE, v.start, v.end, f"the user said {rival.text}")
            return


def _rival(s: Sentence, v: Value) -> Value | None:
    """The one value of the message that this one would stand for, if the sentence does not tell that as well."""
    alike = [y for y in s.yours if _is_alike(s, v, y)]
    if len({y.text for y in alike}) != 1 or any(same(o, y) for o in s.values for y in s.yours if y in alike):
        return None
    return alike[0]


def _is_alike(s: Sentence, v: Value, y: Value) -> bool:
    if v.kind is ValueKind.MONEY and y.kind is ValueKind.NUMBER:
        return not y.unit and _NEXT.match(s.setting.user_message, y.end) is None
    if v.kind is not y.kind or v.unit != y.unit:
        return False
    if v.kind is not ValueKind.NUMBER or v.unit:
        return True
    mine, theirs = _NEXT.match(s.clean, v.end), _NEXT.match(s.setting.user_message, y.end)
    return mine is not None and theirs is not None and fold(mine[1])[:_ROOT] == fold(theirs[1])[:_ROOT]


def _is_linked(s: Sentence, v: Value, rival: Value) -> bool:
    """Whether a word stands beside both, or the sentence is short and repeats another value of the message."""
    message = s.setting.user_message
    near = message[max(0, rival.start - _NEAR) : rival.start] + " " + message[rival.end : rival.end + _NEAR]
    theirs = {w[:_ROOT] for w in content_stems(tokens(near)) if len(w) >= _ROOT}
    mine = {w[:_ROOT] for w in s.content if len(w) >= _ROOT}
    repeats = len(s.words) <= _SHORT and any(o is not v and same(o, y) for o in s.values for y in s.yours)
    return repeats or not mine.isdisjoint(theirs)


def _is_known(s: Sentence, v: Value) -> bool:
    """Whether a record holds it, it is the day of the clock, or it can be worked out."""
    today = s.setting.now.date()
    if v.span is not None and (v.span.loose or v.span.passing or v.span.covers(today)):
        return True
    records = [e for e in s.index.current if e.is_record]
    return (
        any(holds(e, v) for e in s.index.current)
        or any(derives([e], v, today, s.operands) for e in records[:8])
        or derives((), v, today, s.operands)
    )
