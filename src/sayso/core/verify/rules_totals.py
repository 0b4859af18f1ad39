"""Totals, averages and what is left: told without a name or a ref, they must still follow from some of the records."""

from __future__ import annotations

import re
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
    told = None if s.advice or s.bound.tight else s.find(lexicon.TOTAL)
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


def check_left(s: Sentence) -> Iterator[Checked]:
    """ "Eight are left" of what stands at "14 of 20"; a number in words counts here as well."""
    if s.advice or lexicon.LEFT.search(s.clean) is None:
        return
    told = [v for v in s.values if v.kind in (ValueKind.NUMBER, ValueKind.MONEY) and not v.approx]
    records = s.bound.records if s.bound.tight else s.bound.before
    found = next(((e, part) for e in records[:4] if (part := _part_of(e)) is not None), None)
    if found is None or len(told) != 1 or any(t.word in s.index.kind_words for t in s.words):
        return
    entry, (done, whole) = found
    rest = {whole - done, done, whole} | {whole - done - n for y in s.operands for n in y.numbers}
    if not close(told[0], rest) and not any(same(told[0], y) for y in s.yours):
        why = f"{entry.ref} is at {done:g} of {whole:g}"
        yield wrong(s, ViolationKind.WRONG_VALUE, told[0].start, told[0].end, why, entry)


def _part_of(entry: Entry) -> tuple[float, float] | None:
    """The two numbers of "14 of 20", if a field tells that."""
    for field in entry.fields.values():
        parts = [v for v in field.values if v.kind in (ValueKind.NUMBER, ValueKind.MONEY)]
        if len(parts) == 2 and _OF.search(field.text[parts[0].end : parts[1].end]):
            done, whole = (max(v.numbers) for v in parts)
            return (done, whole) if done < whole else None
    return None


_OF = re.compile(r"^\W{0,4}(?:[A-Z]{3}\s)?(?:out of|of|von|sur|su|di|de|/)\b", re.IGNORECASE)


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
