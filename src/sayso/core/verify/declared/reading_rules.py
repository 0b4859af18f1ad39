"""The rule that reads a sentence told of one record of texts: its claims are computed, its words must be explained.

What can be shown to be false is contradicted; what the record says nothing of is unsupported. In the default profile
words that nothing explains stay unmentioned, and without a lexicon all that is not surely false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice

from sayso.core.verify.declared.comparing_ages import check_ages
from sayso.core.verify.declared.comparing_counts import (
    check_amounts,
    check_balances,
    check_counts,
    check_times_happened,
)
from sayso.core.verify.declared.comparing_fields import check_lasting, check_more, check_same
from sayso.core.verify.declared.comparing_spans import check_durations
from sayso.core.verify.declared.comparing_times import check_times
from sayso.core.verify.declared.reading import ReadRecord, at_present, read_record
from sayso.core.verify.declared.reading_cover import check_only, check_owners, check_places, strays
from sayso.core.verify.declared.reading_lexicon import NO_READING
from sayso.core.verify.declared.reading_told import Finding, Told
from sayso.core.verify.declared.reading_words import denies
from sayso.core.verify.holding import same
from sayso.core.verify.index import Entry
from sayso.core.verify.report import Profile, ViolationKind
from sayso.core.verify.sentence import Checked, Sentence, wrong
from sayso.core.verify.values import CONTACTS
from sayso.core.verify.words import fold

K = ViolationKind
Rule = Callable[[Sentence], Iterator[Checked]]
_CLAIMS: tuple[Callable[[Told], Iterator[Finding]], ...] = (
    check_balances, check_ages, check_times, check_durations, check_more, check_amounts, check_counts,
    check_times_happened, check_same, check_lasting, check_places, check_only, check_owners,
)  # fmt: skip


def check_read_claims(s: Sentence) -> Iterator[Checked]:
    told = told_of(s)
    if told is None or not (s.bound.subjects or told.cues or told.touches):
        return
    findings = list(_findings(told))
    left = [x for x in strays(told, findings) if x.token.word not in s.your_words | s.setting.known_words]
    faults = [f for f in findings if f.holds is not True]
    if _denied(s, findings) and not left and not any(f.holds is None for f in faults):
        yield Checked() if faults else _fault(s, told, 0, len(s.clean), "says otherwise: do not deny it")
        return
    strict = s.setting.profile is Profile.STRICT
    for fault in faults:
        says = "cannot tell" if fault.holds is None else "says otherwise"
        sure = fault.holds is False and fault.sure
        if sure or strict or told.lexicon is not NO_READING:
            yield _fault(s, told, fault.start, fault.end, f"{says}: {fault.why}", sure=sure)
    for stray in left if strict else ():
        if stray.missing or stray.name or stray.weighs or told.lexicon.closed:
            why = f'says nothing of "{stray.token.text}": leave it out'
            yield _fault(s, told, stray.token.start, stray.token.end, why)
    yield from _contacts(s, told)
    yield Checked()


def _fault(s: Sentence, told: Told, start: int, end: int, why: str, *, sure: bool = False) -> Checked:
    entry = s.index.entries[told.record.ref]
    return wrong(s, K.WRONG_VALUE if sure else K.UNSUPPORTED, start, end, f"{entry.ref} {why}", entry)


def _denied(s: Sentence, findings: list[Finding]) -> bool:
    """Whether a word denies that is no part of a claim ("no longer")."""
    return any(denies(fold(t.text)) and not any(f.start <= t.start < f.end for f in findings) for t in s.words)


def _contacts(s: Sentence, told: Told) -> Iterator[Checked]:
    entry = s.index.entries[told.record.ref]
    for v in s.values:
        if v.kind in CONTACTS and v.key not in told.record.closed_up and not any(same(v, y) for y in s.yours):
            yield wrong(s, K.INVENTED_CONTACT, v.start, v.end, f"no record holds {v.text}: leave it out", entry)


def unless_read(rule: Rule) -> Rule:
    """The rule for sentences that are not read here: where one is, its claims are judged once."""

    def besides(s: Sentence) -> Iterator[Checked]:
        if told_of(s) is None:
            yield from rule(s)

    return besides


def is_read_plainly(s: Sentence) -> bool:
    """Whether a sentence that cites nothing is told of one record whose kind declares no words: what is inferred from
    its values and names alone is then wrong too often to be told."""
    entry = None if s.bound.cited else read_subject(s)
    return entry is not None and _declares_nothing(entry) and told_of(s) is not None


def _declares_nothing(entry: Entry) -> bool:
    kind = entry.numbered.fact.kind
    return not kind.words and not any(f.words or f.options or f.refers_to for f in kind.fields)


def read_subject(s: Sentence) -> Entry | None:
    """The record that a sentence is told of: the one it is bound to, or the only one there is."""
    records = s.bound.records or tuple(islice((e for e in s.index.current if e.is_record), 2))
    return records[0] if len(records) == 1 else None


@lru_cache(maxsize=4)  # each of the rules of one sentence asks
def told_of(s: Sentence) -> Told | None:
    """The sentence as it is told of its record; None where it is advice, in another language, or of no such record."""
    entry = None if s.advice or s.setting.language != "en" else read_subject(s)
    record = entry and _record(entry)
    if record is None:
        return None
    lexicon = s.setting.lexicon.reading
    return Told(s.folded, s.clean, s.words, record, lexicon, at_present(record, lexicon.as_of, s.setting.now.date()))


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
