"""Several records in one sentence, each with its own value: which value is told of whom."""

from __future__ import annotations

from collections.abc import Iterator

from sayso.core.verify import lexicon
from sayso.core.verify.binding import mentions
from sayso.core.verify.holding import holds
from sayso.core.verify.index import Entry, FieldEntry
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.sentence import Checked, Sentence, named_at, wrong
from sayso.core.verify.values import Value, ValueKind
from sayso.core.verify.words import phrase_in

K = ViolationKind


def check_pairs(s: Sentence) -> Iterator[Checked]:
    """ "A is on 11, B on 22": a value that follows one name and is only held by another named record.

    Only where two names are each followed by a value of one kind; "respectively" pairs otherwise.
    """
    named = [e for e in s.bound.named if e.is_record]
    if s.advice or len(named) < 2 or s.find(lexicon.RESPECTIVELY):
        return
    pairs = [(v, near) for v in s.values if (near := _name_before(s, v, named)) is not None]
    for value, near in pairs:
        alike = {e.ref for v, e in pairs if v.kind is value.kind}
        owner = next((e for e in named if e.kind == near.kind and holds(e, value)), None)
        if len(alike) < 2 or owner is None or holds(near, value):
            continue
        why = f"{value.text} belongs to {owner.ref}, not to {near.ref}"
        yield wrong(s, K.SWAPPED_RECORD, value.start, value.end, why, near)


def _name_before(s: Sentence, value: Value, named: list[Entry]) -> Entry | None:
    if value.kind is ValueKind.QUOTE or value.spelled or _in_a_name(s, value, named):
        return None
    return next((e for _, end, e in reversed(mentions(named, s.words)) if end <= value.start), None)


def _in_a_name(s: Sentence, value: Value, named: list[Entry]) -> bool:
    """Whether it stands in the name of one of them ("Run 10 km without a break")."""
    places = ((named_at(s, e.numbered.fact.subject), len(e.numbered.fact.subject)) for e in named)
    return any(0 <= at <= value.start < at + size for at, size in places)


def check_everyone(s: Sentence) -> Iterator[Checked]:
    """ "All four goals belong to Ember [F1][F2][F3]": what a field of one holds must stand in that field of each."""
    cited = [e for e in s.bound.cited if e.is_record]
    if s.advice or s.denies or len(cited) < 2 or len({e.kind for e in cited}) > 1 or not s.of_all:
        return
    for name in dict.fromkeys(n for e in cited for n in e.fields if n != e.numbered.fact.kind.subject):
        told = [(e, at) for e in cited if (f := e.fields.get(name)) and (at := _told_at(s, f)) is not None]
        lack = [e for e in cited if e not in [t for t, _ in told]]
        if told and lack:
            start, end = told[0][1]
            yield wrong(s, K.WRONG_VALUE, start, end, f"{lack[0].ref} does not say so", lack[0])
            return


def _told_at(s: Sentence, f: FieldEntry) -> tuple[int, int] | None:
    """Where the whole of a short text that is a name stands in the sentence."""
    if f.values or f.declared.options or len(f.words) > 4 or not f.text[:1].isupper():
        return None
    at = phrase_in(f.folded, s.folded)
    return (at, at + len(f.folded)) if at >= 0 else None
