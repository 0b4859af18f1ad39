"""Table rows: a cell is told of the record in its row and the field in its column."""

from __future__ import annotations

from collections.abc import Iterator

from sayso.core.facts import Field
from sayso.core.verify import lexicon
from sayso.core.verify.holding import same
from sayso.core.verify.index import Entry, FieldEntry
from sayso.core.verify.kind_words import field_words
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.rules_fields import late, means, wordings_in
from sayso.core.verify.rules_labels import text_fault
from sayso.core.verify.segments import cells
from sayso.core.verify.sentence import Checked, Sentence, wrong
from sayso.core.verify.told_fields import COUNTS
from sayso.core.verify.values import Value
from sayso.core.verify.words import fold, word_set

K = ViolationKind


def check_cells(s: Sentence) -> Iterator[Checked]:
    """Each cell below a heading that names a field: what the row's one record holds there."""
    subject = s.bound.alone
    if not s.bound.columns or subject is None:
        return
    found = cells(s.clean)
    for (start, end), heading in zip(found, s.bound.columns, strict=False):
        declared = field_of(subject, heading)
        if (
            declared is None
            or declared.name == subject.numbered.fact.kind.subject
            or not s.clean[start:end].strip(" -–—*_")
        ):
            continue
        fault = _other_than(s, subject, declared, start, end)
        if fault is not None:
            yield fault


def field_of(entry: Entry, heading: str) -> Field | None:
    """The field that a column's heading asks for."""
    name = fold(heading).split("(")[0].strip(" *_:")
    fields = entry.numbered.fact.kind.fields
    exact = (f for f in fields if name in field_words(f))
    return next(exact, None) if name else None


def _other_than(s: Sentence, subject: Entry, declared: Field, start: int, end: int) -> Checked | None:
    held = subject.fields.get(declared.name)
    cell = s.clean[start:end]
    said = word_set(cell) - lexicon.STOP
    if lexicon.GAP.search(cell) or lexicon.NONE_CELL.fullmatch(cell.strip()) or not said:
        return None
    if held is None:
        why = f"{declared.title} is not recorded in {subject.ref}: say so"
        return None if said <= s.your_words else wrong(s, K.STATED_GAP, start, end, why, subject)
    values = [v for v in s.values if start <= v.start < end]
    if _agrees(s, subject, held, values, cell):
        return Checked()
    if not values and not declared.options:
        return text_fault(s, subject, declared, start, end)
    return wrong(s, K.WRONG_VALUE, start, end, f"{declared.title} of {subject.ref} is {held.text[:80]}", subject)


def _agrees(s: Sentence, subject: Entry, held: FieldEntry, values: list[Value], cell: str) -> bool:
    if held.declared.options:
        told = wordings_in(held.declared, fold(cell))
        return not told or any(means(held, meant) or late(s, subject, meant | {word}) for word, meant in told)
    alike = [v for v in values if any(v.kind is h.kind or {v.kind, h.kind} <= COUNTS for h in held.values)]
    return all(any(same(v, h, held.declared.tolerance) for h in held.values) for v in alike) and bool(
        alike or held.values
    )
