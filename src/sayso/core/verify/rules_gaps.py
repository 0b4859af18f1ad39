"""Gaps: what is said not to be recorded. Knows no field; kinds declare the words for theirs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sayso.core.facts import FactKind, Field
from sayso.core.verify import lexicon
from sayso.core.verify.holding import same
from sayso.core.verify.index import Entry, FieldEntry
from sayso.core.verify.kind_words import field_words, option_words
from sayso.core.verify.language import absence
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.segments import cells
from sayso.core.verify.sentence import Checked, Sentence, wrong
from sayso.core.verify.values import ValueKind
from sayso.core.verify.words import fold, plain, word_set

K = ViolationKind
_WORD = re.compile(r"[^\W_]+")
_LONGEST = 6  # words of a phrase
_BEFORE = 40  # characters in which a word of lacking stands right before


@dataclass(frozen=True, slots=True)
class Named:
    """Where a sentence names a field; `phrase` in plain words."""

    start: int
    end: int
    phrase: str


def check_gaps(s: Sentence) -> Iterator[Checked]:
    """ "No X recorded" of a field that is; a right "not recorded" counts as a claim that follows."""
    if not s.bound.subjects or not s.may_lack or s.find(lexicon.CONDITION):
        return
    records = _spoken_of(s)
    kinds = {e.kind: e.numbered.fact.kind for e in records}
    names = _names(s, s.folded, tuple(kinds.values()), records)
    seen: set[str] = set()
    for start, end, name in (*_in_cells(s, tuple(kinds.values())), *_denied(s, names, tuple(kinds.values()))):
        if name in seen:
            continue
        seen.add(name)
        found = _judged(s, records, name, start, end)
        if found is not None:
            yield found


def _spoken_of(s: Sentence) -> list[Entry]:
    """The cited records, else those named in full (of people: in part), else all that the sentence is about."""
    records = list(s.bound.records[:6])
    cited = [e for e in s.bound.cited if e.kind != "lookup"]
    if cited:
        return [e for e in records if e in cited]
    whole = [e for e in records if e.is_someone or fold(e.numbered.fact.subject) in s.folded]
    return whole or records


# Where fields are named.


def _names(s: Sentence, text: str, kinds: Sequence[FactKind], records: Sequence[Entry]) -> list[Named]:
    """The fields of these kinds that a text names, each by the longest phrase; not within a record's own name."""
    taken = [
        (at, at + len(subject))
        for e in (*records, *s.bound.named)
        if (at := text.find(subject := fold(e.numbered.fact.subject))) >= 0
    ]
    words = [(m.start(), m.end(), plain(m.group())) for m in _WORD.finditer(text)]
    phrases = frozenset[str]().union(*(_labels(kind) for kind in kinds))
    found: list[Named] = []
    at = 0
    while at < len(words):
        size = _longest([w[2] for w in words[at : at + _LONGEST]], phrases)
        if size and not any(a <= words[at][0] < b for a, b in taken):
            phrase = " ".join(w[2] for w in words[at : at + size])
            found.append(Named(words[at][0], words[at + size - 1][1], phrase))
        at += size or 1
    return _joined(found, text)


def _longest(words: list[str], phrases: frozenset[str]) -> int:
    """How many of the words make the longest known phrase."""
    return next((n for n in range(len(words), 0, -1) if " ".join(words[:n]) in phrases), 0)


def _joined(found: list[Named], text: str) -> list[Named]:
    """ "E-mail address", "numéro de téléphone": names of one field in a row are one name."""
    made: list[Named] = []
    for one in found:
        if made and text[made[-1].end : one.start] in (" ", "-", " de ", " di "):
            one = Named(made[-1].start, one.end, f"{made.pop().phrase}|{one.phrase}")
        made.append(one)
    return made


@lru_cache(maxsize=256)
def _labels(kind: FactKind) -> frozenset[str]:
    return frozenset(_owners(kind))


@lru_cache(maxsize=256)
def _owners(kind: FactKind) -> dict[str, tuple[Field, ...]]:
    """By phrase in plain words: the fields that it is a name for."""
    nouns = {plain(w) for w in (*kind.words, kind.name)}
    found: dict[str, tuple[Field, ...]] = {}
    for field in kind.fields:
        states = {plain(w) for w in option_words(field)}
        parts = {fold(w) for _, words in field.parts for w in words}
        for phrase in sorted({*field_words(field), fold(field.title), *parts}):
            words = tuple(plain(w) for w in _WORD.findall(phrase))
            lone = words[0] if len(words) == 1 else ""
            if not words or field.name == kind.subject or words[0] in absence.VERBS:
                continue
            if lone and (lone in nouns or lone in absence.WEAK or lone in states or lone in lexicon.STOP):
                continue
            key = " ".join(words)
            found[key] = (*found.get(key, ()), field)
    return found


# What is said to be lacking.


def _denied(s: Sentence, names: list[Named], kinds: Sequence[FactKind]) -> Iterator[tuple[int, int, str]]:
    """Each field that is said to be lacking: a word for that stands right before it, or nearest to it."""
    for i, one in enumerate(names):
        lacking = absence.LACKING.search(s.folded, max(0, one.start - _BEFORE), one.start)
        if lacking:
            group = _with_listed(s, names, i)
            if absence.LIMITLESS.match(s.folded, group[-1].end) and not _of_the_rest(s, one.start, group[-1].end):
                yield from ((lacking.start(), g.end, g.phrase) for g in group)
        if _left_blank(s, one):
            yield one.start, one.end, one.phrase
    for mark in absence.UNRECORDED.finditer(s.folded):
        names = [n for n in names if not mark.start() <= n.start < mark.end()]
        if s.in_value(mark.start()) or _of_the_rest(s, mark.start(), mark.end()):
            continue
        at = _nearest(s.folded, names, mark.start(), mark.end())
        if at is not None:
            group = _with_listed(s, names, at)
            yield from ((min(g.start, mark.start()), max(g.end, mark.end()), g.phrase) for g in group)
        elif s.bound.asked:
            asked = _names(s, fold(s.bound.asked), kinds, ())
            yield from ((mark.start(), mark.end(), g.phrase) for g in asked)


def _of_the_rest(s: Sentence, start: int, end: int) -> bool:
    """ "Nothing else is recorded", "nothing since": what is told is no part of it."""
    return absence.MORE.search(s.folded, max(0, start - absence.NEAR), end + absence.NEAR) is not None


def _left_blank(s: Sentence, one: Named) -> bool:
    """ "Role: –", "- **Role** (Elena): –"."""
    label = _LABEL.match(s.folded, one.end)
    return label is not None and absence.BLANK.fullmatch(s.folded[label.end() :].strip()) is not None


_LABEL = re.compile(r"[\"'”»*_]{0,4}(?:\s?\([^()]{1,60}\))?\s?[:|]")


def _nearest(folded: str, names: list[Named], start: int, end: int) -> int | None:
    """The name in the clause of the mark that is nearest to it, else nearest of all."""
    if not names:
        return None
    cuts = [m.end() for m in absence.CLAUSE.finditer(folded)]
    low = max((c for c in cuts if c <= start), default=0)
    high = min((c for c in cuts if c >= end), default=len(folded))
    inside = [i for i, n in enumerate(names) if low <= n.start < high]

    def distance(i: int) -> int:
        return start - names[i].end if names[i].end <= start else max(0, names[i].start - end)

    return min(inside or range(len(names)), key=distance)


def _with_listed(s: Sentence, names: list[Named], at: int) -> list[Named]:
    """The fields of the list that one is a member of."""
    first = last = at
    while first > 0 and absence.LISTED.fullmatch(s.folded[names[first - 1].end : names[first].start].strip()):
        first -= 1
    while last + 1 < len(names) and absence.LISTED.fullmatch(s.folded[names[last].end : names[last + 1].start].strip()):
        last += 1
    return names[first : last + 1]


def _in_cells(s: Sentence, kinds: Sequence[FactKind]) -> Iterator[tuple[int, int, str]]:
    """A cell that holds nothing, below a heading that names a field."""
    for (start, end), heading in zip(cells(s.clean), s.bound.columns, strict=False):
        cell = s.folded[start:end].strip()
        if cell and (absence.BLANK.fullmatch(cell) or absence.UNRECORDED.search(cell)):
            named = _names(s, fold(heading), kinds, ())
            if len(named) == 1:
                yield start, end, named[0].phrase


# Whether it is.


def _judged(s: Sentence, records: Sequence[Entry], name: str, start: int, end: int) -> Checked | None:
    """Right if any reading finds a gap; wrong if all of them are held, and the sentence does not tell what is held."""
    held: list[tuple[Entry, FieldEntry]] = []
    for entry in records:
        for declared, phrase in _read(entry.numbered.fact.kind, name):
            found = _held(entry, declared, phrase)
            if found is None:
                return Checked()
            held.append((entry, found))
    if not held or any(_tells(s, e, f) for e, f in held):
        return None
    entry, found = held[0]
    why = f"{found.declared.title} of {entry.ref} is {found.text[:80]}"
    return wrong(s, K.FALSE_ABSENCE, start, end, why, entry)


def _read(kind: FactKind, name: str) -> list[tuple[Field, str]]:
    """The fields that a name may mean, with the phrase that says most about their sort of value."""
    owners = _owners(kind)
    parts = [p for p in name.split("|") if p in owners]
    fields = [f for p in parts for f in owners[p] if all(f in owners[q] for q in parts)] or [
        f for p in parts for f in owners[p]
    ]
    found: list[tuple[Field, str]] = []
    for field in dict.fromkeys(fields):
        sorts = [p for p in parts if _sort(field, p) in _SORTS]
        found.append((field, (sorts or parts)[0]))
    return found


def _held(entry: Entry, declared: Field, phrase: str) -> FieldEntry | None:
    """What a record holds of a field; of a field of several, by its sort."""
    held, sort = entry.fields.get(declared.name), _sort(declared, phrase)
    if held is None or not sort:
        return held
    kind = _SORTS.get(sort)
    there = any(v.kind is kind for v in held.values) if kind else sort in held.folded
    return held if there else None


def _sort(declared: Field, phrase: str) -> str:
    """Which of a field's sorts of value a phrase asks for: "numéro de téléphone" the number."""
    said = frozenset(phrase.split())
    return next((sort for sort, words in declared.parts if any(_plain(w) <= said for w in words)), "")


@lru_cache(maxsize=1024)
def _plain(phrase: str) -> frozenset[str]:
    return frozenset(plain(w) for w in _WORD.findall(fold(phrase)))


_SORTS = {"email": ValueKind.EMAIL, "phone": ValueKind.PHONE, "url": ValueKind.URL}


def _tells(s: Sentence, entry: Entry, held: FieldEntry) -> bool:
    """Whether the sentence tells what the field holds: then it is not that which is lacking."""
    if any(same(v, h) for v in s.values for h in held.values):
        return True
    own = held.words - word_set(entry.numbered.fact.subject)
    return bool(own) and own <= s.said
