"""Citations: a record that is cited for another one, by which the sentence is not carried."""

from __future__ import annotations

from collections.abc import Iterator

from sayso.core.verify.binding import mentions
from sayso.core.verify.holding import holds
from sayso.core.verify.index import Entry
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.sentence import Checked, Sentence, wrong

K = ViolationKind


def check_misplaced(s: Sentence) -> Iterator[Checked]:
    """ "Elena works at UZH [F2]" where F2 is somebody else's record and says nothing of Elena.

    Of several that are cited, the one that is not named stands for the one that is named and not cited.
    """
    cited = s.bound.cited
    if s.advice or not cited or not cited[0].is_record or len({e.kind for e in cited}) != 1:
        return
    told = mentions([e for e in s.bound.named if e.is_record and e.kind == cited[0].kind], s.words)
    unnamed = [e for e in cited if all(e is not other for _, _, other in told)]
    uncited = [(start, end, e) for start, end, e in told if e not in cited]
    if not unnamed or not uncited or len({e.ref for _, _, e in told}) < len(cited):
        return
    record, (start, end, named) = unnamed[0], uncited[0]
    said = {t.word for t in s.words if start <= t.start < end}
    whole = named.name <= s.said and not record.name <= s.said
    by_part = named.is_someone and not s.said & _telling(record)
    if (whole or by_part) and not said <= record.words and not named.name <= record.words:
        why = f"{record.ref} is not about {named.numbered.fact.subject}: cite {named.ref}"
        yield wrong(s, K.MISPLACED_REF, start, end, why, named)


def _telling(record: Entry) -> frozenset[str]:
    return frozenset(w for w in record.subject if len(w) > 2)


def idle_refs(s: Sentence) -> tuple[str, ...]:
    """Of several cited records, those that hold no value, no name and no content word of the sentence."""
    records = [e for e in s.bound.cited if e.is_record]
    if len(records) < 2:
        return ()
    return tuple(
        e.ref for e in records if not s.content & e.stems and not any(holds(e, v) for v in s.values if not v.spelled)
    )
