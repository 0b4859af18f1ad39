"""Totals, averages and what is left: told without a name or a ref, they must still follow from some of the records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sayso.core.verify import lexicon
from sayso.core.verify.amounts import close
from sayso.core.verify.holding import derives, holds, per_head, same
from sayso.core.verify.index import Entry
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.sentence import Checked, Sentence, wrong
from sayso.core.verify.values import Value, ValueKind

_AMOUNTS = frozenset({ValueKind.MONEY, ValueKind.PERCENT, ValueKind.NUMBER})


def check_totals(s: Sentence) -> Iterator[Checked]:
    """ "That makes £1,192.40 in all", "on average 48%": of whatever kind of record, and the user's own numbers."""
    told = None if s.advice or s.bound.tight else lexicon.TOTAL.search(s.clean)
    if told is None or not (s.bound.before or lexicon.AVERAGE.search(s.clean)):
        return
    records = [e for e in s.index.current if e.is_record]
    for v in s.values:
        if v.kind not in _AMOUNTS or v.approx or not records:
            continue
        if any(same(v, y) for y in s.yours) or any(holds(e, v) for e in s.index.current) or _follows(s, v, records):
            yield Checked()
        else:
            why = f"{v.text} follows from none of the records: work it out again or leave it out"
            yield wrong(s, ViolationKind.WRONG_VALUE, v.start, v.end, why, _nearest(s, v, records))
            return


def _follows(s: Sentence, v: Value, records: Sequence[Entry]) -> bool:
    """From the records of one kind, all or those just spoken of; a count of anything is always one."""
    today = s.setting.now.date()
    if lexicon.AVERAGE.search(s.clean) and (means := _means(s)):
        return close(v, means) or any(abs(round(m) - n) < 0.01 for m in means for n in v.numbers)
    if v.kind is ValueKind.NUMBER and any(n <= len(records) for n in v.numbers):
        return True
    kinds = {e.kind for e in records}
    pools = [[e for e in records if e.kind == kind] for kind in kinds]
    pools += [[e for e in s.bound.before if e.is_record], list(records)]
    return any(derives(pool, v, today, s.operands) or per_head(pool, v) for pool in pools if pool)


def _means(s: Sentence) -> set[float]:
    """The averages of what the records of one kind, or those just spoken of, hold in one field."""
    of_kind = {e.kind: s.index.of_kind(e.kind) for e in s.bound.before or s.index.current if e.is_record}
    pools = [*of_kind.values(), [e for e in s.bound.before if e.kind in of_kind]]
    found: set[float] = set()
    for pool in pools:
        for name in {n for e in pool for n in e.fields}:
            held = [n for e in pool if e.fields.get(name) and (n := e.number(name)) is not None]
            found |= {sum(held) / len(held)} if len(held) > 1 else set()
    return found


def _nearest(s: Sentence, v: Value, records: Sequence[Entry]) -> Entry:
    alike = (e for e in (*s.bound.before, *records) if e.is_record and any(h.kind is v.kind for h in e.values))
    return next(alike, records[0])
