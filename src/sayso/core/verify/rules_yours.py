"""What the user said, told back: a day, an amount or a length that they gave may not come back as another one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from sayso.core.verify import lexicon
from sayso.core.verify.holding import derives, holds, same
from sayso.core.verify.kind_words import field_words
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.sentence import Checked, Sentence, content_stems, wrong
from sayso.core.verify.values import Value, ValueKind
from sayso.core.verify.words import fold, tokens

_PERIOD = 5  # days: so many are a time of which each day is another one
_STATED = frozenset({ValueKind.DATE, ValueKind.TIME, ValueKind.MONEY, ValueKind.PERCENT})
_TOLD = frozenset({ValueKind.DATE, ValueKind.DURATION, ValueKind.MONEY, ValueKind.NUMBER, ValueKind.PERCENT})
_NEAR = 32  # characters around a value of the message in which its words stand
_ROOT = 4  # letters by which two forms of a word are known ("recojo", "recoges")
_SHORT = 9  # words of a sentence that only repeats
_NEXT = re.compile(r"\s{1,3}([^\W\d_]{3,30})")


def is_theirs(s: Sentence, v: Value) -> bool:
    """Whether a value is the user's own: told back to them, and not told of a record that holds another one."""
    return any(same(v, y) and not _is_finer(v, y) for y in s.yours) and not _is_told_of_a_record(s, v)


def _is_finer(v: Value, y: Value) -> bool:
    """The user's "this week" vouches for no day of it."""
    days = y.span.days if y.span is not None else frozenset[date]()
    return len(days) >= _PERIOD and v.span is not None and not days <= v.span.days


def _is_told_of_a_record(s: Sentence, v: Value) -> bool:
    """ "It is due today [F3]", asked what is due today: what the record holds counts, not what the user would like."""
    if v.kind not in _STATED or s.denies or s.advice or (v.span is not None and v.span.passing):
        return False
    rivals = [e for e in s.bound.cited if e.is_record and any(h.kind is v.kind for h in e.values)]
    held = any(holds(e, o) for o in s.values if o.kind is v.kind for e in rivals)
    return bool(rivals) and not held and _says_it(s, v)


def _says_it(s: Sentence, v: Value) -> bool:
    """Whether a word of the record or its fields stands in the value's clause; not beside "you leave on Thursday"."""
    before, after = _CLAUSE.split(s.clean[: v.start])[-1], _CLAUSE.split(s.clean[v.end :])[0]
    start, end = v.start - len(before), v.end + len(after)
    within = (t for t in s.words if start <= t.start < end and not s.in_value(t.start))
    clause = [t.word for t in within if t.word not in lexicon.STOP]
    kinds = {e.kind: e.numbered.fact.kind for e in s.bound.cited}
    asked_by = (p for kind in kinds.values() for f in kind.fields for p in field_words(f))
    known = s.held.union(w for phrase in asked_by for w in phrase.split())
    if lexicon.YOU.search(before) and any(w in s.your_words and w not in known for w in clause):
        return False
    return not known.isdisjoint(clause)


_CLAUSE = re.compile(r"[,;:.–]\s")


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
