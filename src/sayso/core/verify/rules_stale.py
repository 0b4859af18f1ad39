"""What is out of date: a cited record has changed since, and the sentence still tells what it held before."""

from __future__ import annotations

from collections.abc import Iterator

from sayso.core.verify.holding import holds
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.sentence import Checked, Sentence, wrong


def check_stale(s: Sentence) -> Iterator[Checked]:
    """ "She works at SINGA [F1]" where that record says otherwise by now; who cites both versions tells the change."""
    cited = {e.ref for e in s.bound.cited}
    for old in s.bound.cited:
        new = s.index.newer(old)
        if new is None or new.ref in cited:
            continue
        gone = [(v.start, v.end) for v in s.values if holds(old, v) and not holds(new, v)]
        gone += [(t.start, t.end) for t in s.words if t.word in old.words - new.words and not s.in_value(t.start)]
        if gone:
            start, end = min(gone)
            why = f"{old.ref} has changed: say what {new.ref} says, and cite that"
            yield wrong(s, ViolationKind.WRONG_VALUE, start, end, why, new)
