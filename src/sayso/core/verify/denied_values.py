"""Values that a record holds only as what is not so, or no longer so. Knows no field."""

from __future__ import annotations

from collections.abc import Sequence

from sayso.core.verify import lexicon
from sayso.core.verify.holding import same
from sayso.core.verify.index import Entry
from sayso.core.verify.sentence import Sentence
from sayso.core.verify.values import Value, ValueKind
from sayso.core.verify.words import fold, phrase_in


def only_denied(s: Sentence, v: Value, scope: Sequence[Entry]) -> Entry | None:
    """The record that is spoken of and holds a value only as what it is not: "1 September, not 15 August"."""
    if v.kind not in _DENIABLE or s.denies or s.advice or lexicon.INSTEAD.search(s.folded):
        return None
    found: Entry | None = None
    for entry in scope:
        for f in entry.fields.values():
            for h in f.values:
                if not same(v, h):
                    continue
                if not lexicon.NOT_THIS.search(f.folded[max(0, h.start - 16) : h.start]) and not _is_left(f.folded, h):
                    return None
                found = entry
    return found


def _is_left(folded: str, held: Value) -> bool:
    """ "Moved from Monday to Wednesday": what was before."""
    before = folded[max(0, held.start - 60) : held.start]
    return lexicon.MOVED_FROM.search(before) is not None and lexicon.MOVED_TO.match(folded, held.end) is not None


def moved_from(s: Sentence, v: Value) -> Entry | None:
    """ "Practice is on Monday" where the record's words are "moved from Monday to Wednesday"."""
    if v.span is None or not v.span.days or s.denies or s.advice or lexicon.INSTEAD.search(s.folded):
        return None
    told = fold(v.text).removeprefix("on ")
    for entry in s.bound.records:
        for f in entry.fields.values():
            at = phrase_in(told, f.folded)
            if at >= 0 and lexicon.MOVED_FROM.search(f.folded[max(0, at - 60) : at]):
                return entry
    return None


_DENIABLE = frozenset({ValueKind.DATE, ValueKind.TIME, ValueKind.MONEY})
