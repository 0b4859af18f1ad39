"""The rule that reads a sentence told of one record of texts: its claims are computed, its words must be explained.

What can be shown to be false is contradicted; what the record says nothing of is unsupported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from sayso.core.verify.declared.comparing_counts import (
    check_amounts,
    check_balances,
    check_counts,
    check_times_happened,
)
from sayso.core.verify.declared.comparing_fields import check_lasting, check_more, check_same
from sayso.core.verify.declared.comparing_spans import check_ages, check_durations
from sayso.core.verify.declared.comparing_times import check_times
from sayso.core.verify.declared.reading import ReadRecord, at_present, read_record
from sayso.core.verify.declared.reading_cover import Stray, check_only, check_owners, check_places, strays
from sayso.core.verify.declared.reading_lexicon import ReadingLexicon
from sayso.core.verify.declared.reading_told import Finding, Told
from sayso.core.verify.declared.reading_words import denies
from sayso.core.verify.index import Entry
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.sentence import Checked, Sentence, wrong
from sayso.core.verify.words import fold

K = ViolationKind
Rule = Callable[[Sentence], Iterator[Checked]]
_CLAIMS: tuple[Callable[[Told], Iterator[Finding]], ...] = (
    check_balances, check_ages, check_times, check_durations, check_more, check_amounts, check_counts,
    check_times_happened, check_same, check_lasting, check_places, check_only, check_owners,
)  # fmt: skip


def check_read_claims(s: Sentence) -> Iterator[Checked]:
    entry = read_subject(s)
    record = entry and _record(entry)
    if entry is None or record is None:
        return
    lexicon = s.setting.lexicon.reading
    told = told_of(s, record, lexicon)
    findings = list(_findings(told))
    denied = any(denies(fold(t.text)) and not any(f.start <= t.start < f.end for f in findings) for t in s.words)
    left = list(strays(told, findings))
    faults = [f for f in findings if f.holds is not True]
    if denied and not left and not any(f.holds is None for f in faults):
        if not faults:
            yield wrong(s, K.UNSUPPORTED, 0, len(s.clean), f"{entry.ref} says otherwise: do not deny it", entry)
        else:
            yield Checked()
        return
    for fault in faults:
        kind = K.WRONG_VALUE if fault.holds is False and fault.sure else K.UNSUPPORTED
        says = "cannot tell" if fault.holds is None else "says otherwise"
        yield wrong(s, kind, fault.start, fault.end, f"{entry.ref} {says}: {fault.why}", entry)
    yield from _unexplained(s, entry, left, lexicon)
    yield Checked()


def unless_read(rule: Rule) -> Rule:
    """The rule for sentences that are not read here: where one is, its claims are judged once."""

    def besides(s: Sentence) -> Iterator[Checked]:
        entry = read_subject(s)
        if entry is None or _record(entry) is None:
            yield from rule(s)

    return besides


def read_subject(s: Sentence) -> Entry | None:
    """The record that a sentence is told of: the one it is bound to, or the only one there is."""
    records = [e for e in s.bound.subjects if e.is_record] or [e for e in s.index.current if e.is_record]
    return records[0] if len(records) == 1 else None


def told_of(s: Sentence, record: ReadRecord, lexicon: ReadingLexicon) -> Told:
    now = at_present(record, lexicon.as_of, s.setting.now.date())
    return Told(s.folded, s.clean, s.words, record, lexicon, now)


@lru_cache(maxsize=256)
def _record(entry: Entry) -> ReadRecord | None:
    return read_record(entry)


def _findings(told: Told) -> Iterator[Finding]:
    """Each place is judged once, by the first claim that reads it."""
    taken = list(told.name_places)
    for check in _CLAIMS:
        for finding in check(told):
            if all(finding.end <= a or finding.start >= b for a, b in taken):
                taken.append((finding.start, finding.end))
                yield finding


def _unexplained(s: Sentence, entry: Entry, left: list[Stray], lexicon: ReadingLexicon) -> Iterator[Checked]:
    for stray in left:
        if stray.missing or stray.name or stray.weighs or lexicon.closed:
            why = f'{entry.ref} says nothing of "{stray.token.text}": leave it out'
            yield wrong(s, K.UNSUPPORTED, stray.token.start, stray.token.end, why, entry)
