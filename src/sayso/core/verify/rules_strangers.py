"""A name that no record has, in the place of the record that is spoken of: **Cold shower**: 12 days [F3]."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum

from sayso.core.verify import lexicon
from sayso.core.verify.holding import holds
from sayso.core.verify.index import Entry
from sayso.core.verify.kind_words import words_of_kind
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.rules_fields import wordings_in
from sayso.core.verify.sentence import Checked, Sentence, named_at, wrong
from sayso.core.verify.strangers import Place, goes_on_about, set_off, side_by_side, value_follows
from sayso.core.verify.value import CONTACTS, ValueKind

_TELLING = CONTACTS | {ValueKind.DATE, ValueKind.PERCENT, ValueKind.MONEY, ValueKind.DURATION}
_SHORT = 8  # words of a sentence in which a state is what it tells


class _Tie(IntEnum):
    """How surely a sentence is about a record that it does not name."""

    NONE = 0
    YOURS = 1  # it speaks of what is the user's, or of people
    TOLD = 2  # it tells what a record holds, or that a field of one is empty
    CITED = 3


def check_unknown_names(s: Sentence) -> Iterator[Checked]:
    """The sentence cites or tells a record without naming it, and names what no record is called."""
    if not s.index.kinds or any(e.name <= s.said for e in s.bound.cited if e.is_record):
        return  # the cheapest look at what most sentences do
    if s.denies and lexicon.ABSENT_ONE.search(s.clean):
        return
    whole, beside = set_off(s, ordinary=True), side_by_side(s, least=1)
    tie = _tie(s) if whole or beside or s.stranger else _Tie.NONE
    reached = tie is _Tie.TOLD and any(v.kind in CONTACTS for v in s.values)
    if tie is _Tie.NONE or (s.advice and not (reached or tie is _Tie.CITED)):
        return
    place = whole and (set_off(s, ordinary=False) or (whole if _is_enough(s, whole, tie) else None))
    place = place or (side_by_side(s, least=2) if tie is _Tie.YOURS else beside)
    if place is not None:
        yield _no_such_name(s, place, s.clean[slice(*place)].strip())
    elif s.stranger and (tie is _Tie.CITED or (tie is _Tie.TOLD and goes_on_about(s))):
        yield _no_such_name(s, (0, len(s.clean)), s.stranger)


def _is_enough(s: Sentence, place: Place, tie: _Tie) -> bool:
    """Whether words that the language knows stand for the record where they are set off."""
    if any(e in s.bound.before for e in s.bound.cited) and s.clean[place[1] :].lstrip(" *")[:1] == ":":
        return False  # "- Time left: 65 %" under a heading is a label of our own
    return tie is _Tie.CITED or (tie is _Tie.TOLD and value_follows(s, place[1]))


def _no_such_name(s: Sentence, place: Place, name: str) -> Checked:
    near = next((e for e in s.bound.cited if e.is_record), None)
    return wrong(
        s, ViolationKind.UNSUPPORTED, *place, f'no record is called "{name}": use the record\'s own name', near
    )


def _tie(s: Sentence) -> _Tie:
    cited = [e for e in s.bound.cited if e.kind != "lookup"]
    if cited:
        return _Tie.NONE if any(_is_named(s, e) for e in cited) else _Tie.CITED
    named = [e for e in s.bound.named if e.is_record]
    if s.bound.cited or not all(e.is_someone for e in named):
        return _Tie.NONE
    if not named and _tells(s):
        return _Tie.TOLD
    yours = named or lexicon.YOU.search(s.clean) or not s.said.isdisjoint(s.index.kind_words)
    return _Tie.YOURS if yours else _Tie.NONE


def _is_named(s: Sentence, entry: Entry) -> bool:
    """By a word of its name that is no word of another of its fields: the firm is told by the name of its owner."""
    if not entry.is_record:
        return entry.name <= s.said
    subject = entry.numbered.fact.kind.subject
    told = frozenset[str]().union(*(f.words for name, f in entry.fields.items() if name != subject))
    own = entry.name - told or entry.name
    return bool(own & s.said) or named_at(s, entry.numbered.fact.subject) >= 0


def _tells(s: Sentence) -> bool:
    """Whether it tells a value or a text of a record, or what state a record is in, or that a field is empty."""
    told = [v for v in s.values if v.kind in _TELLING]
    if (told or s.denies) and any(words_of_kind(k).told_in(s.phrases, s.folded) for k in s.index.kinds):
        return True
    records = [e for e in s.index.current if e.is_record]
    if any(holds(e, v) for v in told for e in records) or any(_told_of(s, e) for e in records):
        return True
    short = len(s.words) <= _SHORT or not s.said.isdisjoint(s.index.kind_words)
    return short and any(wordings_in(f, s.folded) for k in s.index.kinds for f in k.fields)


def _told_of(s: Sentence, entry: Entry) -> bool:
    """Whether a text of two and more words that the record holds is told."""
    return any(
        2 <= len(f.words) <= _SHORT and f.words <= s.said and named_at(s, f.text) >= 0 for f in entry.fields.values()
    )
