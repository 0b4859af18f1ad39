"""A sentence about a known record of which nothing is explained: no value, no field, no state, no word of its own.

What is true of a record always has something of it: a value, a word of a field or of a state, a word of its texts or
of another record's name, the user's words. Words of finding and telling tell nothing, nor does what is said of us.
Knows no record and no domain.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from sayso.core.facts import FactKind, FieldType
from sayso.core.verify import lexicon
from sayso.core.verify.binding import mentions
from sayso.core.verify.holding import holds, same
from sayso.core.verify.index import Entry, FieldEntry
from sayso.core.verify.kind_words import field_words, option_words
from sayso.core.verify.language import absence, telling
from sayso.core.verify.language.units import DURATIONS
from sayso.core.verify.report import Violation, ViolationKind
from sayso.core.verify.rules_fields import is_due_by
from sayso.core.verify.sentence import Checked, Sentence
from sayso.core.verify.values import Value, ValueKind, quote_key
from sayso.core.verify.words import Token, fold, plain

DEEPER = re.compile(r"\n[ \t]{2,12}\Z")
"""Where the next line is set in deeper."""
_FEWEST = 3  # words of a sentence
_LABEL = 40  # characters of a label
_SMALL_NUMBER = 12
_SMALL_WORDS = telling.SMALL | absence.SEARCHING.union(lexicon.STOP, lexicon.FILLER, lexicon.GENERIC, lexicon.TEMPORAL)


def unheld(s: Sentence, checked: list[Checked]) -> list[Violation]:
    """A mark on a sentence that tells something of a record, or of what is "yours", if none of it is explained."""
    if len(s.words) < _FEWEST or s.setting.language not in telling.LANGUAGES or not _is_told_of(s, checked):
        return []
    main = _main(s)
    if "|" in s.clean or _is_labelled_name(s, main):
        return []
    told = {t.word for t in _beside_name(s, main) if not (_is_small(t.word) or t.text.isdigit() or s.in_value(t.start))}
    beside = [e for e in s.bound.subjects if main and e is not main]
    tied = [e for e in beside if main and _are_tied(s, main, e)]
    told.difference_update(*(e.subject for e in beside if e not in tied))
    if not told or any(not told.isdisjoint(e.subject) for e in tied):
        return []
    if _is_known(s, {w[:6] for w in told}) or any(_explains(s, v, tied) for v in s.values):
        return []
    if _is_late(told, main) or _is_talk(s, told) or _claims_nothing(s):
        return []
    why = "no record says so: leave it out"
    return [Violation(ViolationKind.UNSUPPORTED, s.clean.strip(), 0, len(s.clean), why, main.ref if main else None)]


def _is_labelled_name(s: Sentence, main: Entry | None) -> bool:
    """ "What: Board meeting": a label before a name tells nothing."""
    colon = s.clean.find(":", 0, _LABEL)
    after = [t.word for t in s.words if t.start > colon]
    return main is not None and colon > 0 and bool(after) and main.words.issuperset(after)


def _is_told_of(s: Sentence, checked: list[Checked]) -> bool:
    """Whether it names or cites records and nothing else, goes on about one, or is of what is "your"."""
    if s.bound.records:
        if not _is_of_them(s):
            return False
        tied = s.bound.named or s.bound.cited
        return bool(tied and all(e.is_record for e in s.bound.cited)) or not checked
    return s.folded.lstrip(" *-").startswith("your ") and bool(s.index.current) and not s.index.gathered.changes


def _main(s: Sentence) -> Entry | None:
    """The record that it is about: a cited one that it names, and of these the one of the longest name."""
    named = [e for e in s.bound.records if e in s.bound.named]
    both = [e for e in named if e in s.bound.cited]
    return max(both or named or s.bound.records[:1], key=_length, default=None)


def _length(entry: Entry) -> int:
    return len(entry.subject)


def _beside_name(s: Sentence, main: Entry | None) -> Iterator[Token]:
    """The words without one mention of the record: "Pay Ann" that is owed to "Ann" names her once more."""
    unsaid = Counter(main.subject if main else ())
    for token in s.words:
        if unsaid[token.word] > 0:
            unsaid[token.word] -= 1
        else:
            yield token


def _is_small(word: str) -> bool:
    return word in _SMALL_WORDS or word[:6] in lexicon.RECORDING


def _are_tied(s: Sentence, one: Entry, other: Entry) -> bool:
    """Whether one holds the other's name, or both are of one kind, and so compared, unless told of together."""
    if other.name <= one.words or one.name <= other.words:
        return True
    places = sorted((start, end) for start, end, _ in mentions([one, other], s.words))[:2]
    between = s.folded[places[0][1] : places[1][0]].strip() if len(places) == 2 else ""
    return one.kind == other.kind and absence.LISTED.fullmatch(between) is None


def _is_known(s: Sentence, told: set[str]) -> bool:
    """Whether one of these stems is of the records, of their fields, of a state, or of the user's words."""
    if not told.isdisjoint(w[:6] for w in s.your_words):
        return True
    pool = s.bound.allowed if s.bound.records else s.index.current
    if any(not told.isdisjoint(e.stems) for e in pool):
        return True
    kinds = {id(kind): kind for e in pool for kind in (e.numbered.fact.kind,)}
    return any(p <= told for kind in kinds.values() for p in _phrases(kind))


def _phrases(kind: FactKind) -> Iterator[frozenset[str]]:
    """The stems of each phrase for a kind, for its fields and their states, and of the verbs of their relations."""
    yield from _stems(kind.words)
    for declared in kind.fields:
        yield from _stems(tuple(field_words(declared)))
        yield from _stems(tuple(option_words(declared)))
        for relation in declared.relations:
            yield from _stems(relation.verbs)


@lru_cache(maxsize=1024)
def _stems(phrases: tuple[str, ...]) -> frozenset[frozenset[str]]:
    """Of phrases that hold more than small words."""
    content = (frozenset(w[:6] for w in map(plain, p.split()) if not _is_small(w)) for p in phrases)
    return frozenset(c for c in content if c)


def _explains(s: Sentence, v: Value, tied: list[Entry]) -> bool:
    """Whether a value stands for a claim that the rules of values have let pass.

    A small number may count anything, "today" may be said by the way: these only where a field holds them.
    """
    if v.kind is ValueKind.QUOTE:
        return any(v.key == quote_key(e.numbered.fact.subject) for e in tied)
    if v.kind is ValueKind.NUMBER and not v.unit and max(v.numbers) <= _SMALL_NUMBER:
        return any(_counts(f, v) for e in s.bound.subjects for f in e.fields.values())
    return fold(v.text) not in lexicon.NOW or any(holds(e, v) for e in s.bound.allowed)


def _counts(held: FieldEntry, v: Value) -> bool:
    """Whether a field holds a number, or names as many records."""
    if held.declared.refers_to is not None:
        return len(held.text.replace("; ", ", ").split(", ")) in v.numbers
    return held.declared.type in _NUMBERS and any(same(v, h) for h in held.values)


_NUMBERS = (FieldType.NUMBER, FieldType.QUANTITY)


def _is_late(told: set[str], main: Entry | None) -> bool:
    """ "Overdue", of what has a day by which it is due."""
    return main is not None and not told.isdisjoint(lexicon.LATE) and is_due_by(main)


def _is_talk(s: Sentence, told: set[str]) -> bool:
    """What is said of us, advised, or counted in days."""
    if not told.isdisjoint(DURATIONS):
        return True
    return bool(telling.OURS.search(s.folded) or telling.ADVISING.search(s.folded))


def _claims_nothing(s: Sentence) -> bool:
    """What only leads in to what follows, tells what we did to find out, or that there is nothing."""
    leads = s.clean.rstrip().endswith(":") or DEEPER.search(s.clean) is not None
    shows = lexicon.PRESENTING.match(s.clean) is not None and ":" not in s.clean
    return leads or shows or any(p.search(s.clean) for p in (lexicon.GAP, lexicon.NOTHING, lexicon.LOOKED))


def _is_of_them(s: Sentence) -> bool:
    """Whether it is surely told of its records: cited, carried on, or named by more than a word of a longer name."""
    said = s.said
    return bool(s.bound.cited or not s.bound.named) or any(
        e.is_someone or e in s.bound.before or 2 * len(said.intersection(e.subject)) >= len(e.subject)
        for e in s.bound.named
    )
