"""What the facts hold, indexed once per fact: words, values and gaps, whole and by field.

Driven by what kinds declare; a field without declared words is asked for by its name. A text is
read when it is first asked about: most facts of an exchange are never spoken of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property, lru_cache

from sayso.core.evidence import Evidence, Numbered
from sayso.core.facts import NOT_RECORDED, Fact, FactKind, Field, Provenance, Relation, value_text
from sayso.core.images import ATTACHED
from sayso.core.verify.kind_words import KindWords, words_of_kind
from sayso.core.verify.lexicon import LEGAL, STOP
from sayso.core.verify.values import Value, ValueKind, find_values, quote_key
from sayso.core.verify.words import fold, plain, stem, tokens, word_set

_TITLES = frozenset(["dr", "prof", "sir", "mr", "mrs", "ms", "herr", "frau"])


@dataclass(frozen=True, eq=False)
class FieldEntry:
    declared: Field
    text: str

    @cached_property
    def folded(self) -> str:
        return fold(self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        return _stored_words(self.text)

    @cached_property
    def values(self) -> tuple[Value, ...]:
        return _stored_values(self.text)

    @cached_property
    def listed(self) -> int:
        """How many it lists: "Elena Weber, Marc Müller" are two."""
        items = self.text.split(", ")
        return len(items) if all(0 < len(i) < 40 and i.count(" ") < 4 for i in items) else 0

    @cached_property
    def is_state(self) -> bool:
        """Whether it is one small word ("open"): what a record is in."""
        return len(self.words) == 1 and self.folded.isalpha() and len(self.folded) >= 4 and not self.text[0].isupper()


@dataclass(frozen=True, eq=False)
class Entry:
    """One fact as the verifier sees it. `gaps` are its declared fields without a value."""

    ref: str
    kind: str
    numbered: Numbered

    @cached_property
    def fields(self) -> dict[str, FieldEntry]:
        fact = self.numbered.fact
        declared = {f.name: f for f in fact.kind.fields}
        found = ((declared[name], _stored_text(fact, declared[name])) for name in fact.values if name in declared)
        return {f.name: FieldEntry(f, text) for f, text in found if text}

    @cached_property
    def gaps(self) -> tuple[Field, ...]:
        return tuple(f for f in self.numbered.fact.kind.fields if f.name not in self.fields)

    @cached_property
    def words(self) -> frozenset[str]:
        return self._own_words | _kind_words(self.numbered.fact.kind.words)

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(w[:6] for w in self._own_words)

    @cached_property
    def _own_words(self) -> frozenset[str]:
        subject = "" if self.kind == "lookup" else self.numbered.fact.subject
        return word_set(subject).union(*(f.words for f in self.fields.values()))

    @cached_property
    def subject(self) -> tuple[str, ...]:
        words = (t.word for t in tokens(self.numbered.fact.subject))
        return tuple(w for w in words if w not in _TITLES and w not in STOP)

    @cached_property
    def name(self) -> frozenset[str]:
        """The words of its name."""
        return frozenset(self.subject)

    @cached_property
    def shortened(self) -> tuple[str, ...]:
        """The words of its name as `stem` cuts them, in order."""
        return tuple(w[:6] for w in self.subject)

    @cached_property
    def is_like_a_person(self) -> bool:
        """Whether its name is of letters alone, so that short words of it are names and have no other forms."""
        return all(w.isalpha() for w in self.subject) and self.kind not in ("proposal", "receipt")

    @cached_property
    def values(self) -> tuple[Value, ...]:
        return tuple(v for f in self.fields.values() for v in f.values)

    @cached_property
    def sorts(self) -> frozenset[ValueKind]:
        """The sorts of value that it holds."""
        return frozenset(v.kind for v in self.values)

    @cached_property
    def days(self) -> tuple[date, ...]:
        """The days that it holds."""
        told = [v.span.exact for v in self.values if v.kind is ValueKind.DATE and v.span is not None]
        stored = [v for v in self.numbered.fact.values.values() if isinstance(v, date) and not isinstance(v, datetime)]
        return (*(d for d in told if d), *stored)

    @cached_property
    def rounded(self) -> tuple[tuple[float, Value], ...]:
        """The values of fields that declare by what share a told number may differ."""
        return tuple((t, v) for f in self.fields.values() if (t := f.declared.tolerance) for v in f.values)

    @cached_property
    def quotes(self) -> str:
        return quote_key(" ".join([*(f.text for f in self.fields.values()), self.numbered.fact.subject]))

    @cached_property
    def quoted_words(self) -> frozenset[str]:
        return frozenset(self.quotes.split())

    @property
    def is_record(self) -> bool:
        return self.kind not in ("lookup", "proposal", "receipt")

    @property
    def is_someone(self) -> bool:
        """Whether a part of its name stands for it, as with people."""
        return self.numbered.fact.kind.named_by_parts

    @property
    def attributed(self) -> bool:
        """Whether words are needed to say who says so."""
        return self.numbered.fact.provenance in (Provenance.SECOND_HAND, Provenance.REPORTED) and self.is_record

    def number(self, field: str) -> float | None:
        found = self.fields.get(field)
        numbers = [n for v in (found.values if found else ()) for n in v.numbers]
        return numbers[0] if numbers else None


@dataclass(frozen=True, eq=False)
class Gathered:
    """What the current facts hold taken together; each part is made when it is first asked for, and once.

    A rule that asks here takes time in line with what it finds, not with all that is held.
    """

    current: tuple[Entry, ...] = ()
    _related: dict[str, tuple[Entry, ...]] = field(default_factory=dict[str, tuple[Entry, ...]])
    _valued: dict[frozenset[ValueKind], tuple[Entry, ...]] = field(
        default_factory=dict[frozenset[ValueKind], tuple[Entry, ...]]
    )

    @cached_property
    def of_kind(self) -> dict[str, list[Entry]]:
        found: dict[str, list[Entry]] = {}
        for entry in self.current:
            found.setdefault(entry.kind, []).append(entry)
        return found

    @cached_property
    def changes(self) -> list[Entry]:
        """Proposals and receipts."""
        return [e for e in self.current if e.kind in ("proposal", "receipt")]

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset[str]().union(*(e.words for e in self.current))

    @cached_property
    def asked(self) -> frozenset[str]:
        """The words that were looked for: no evidence, but no names of our making either."""
        looked = (e.numbered.fact.values for e in self.current if e.kind == "lookup")
        return word_set(" ".join(str(values.get(name, "")) for values in looked for name in ("query", "arguments")))

    @cached_property
    def starts(self) -> frozenset[str]:
        """The first five letters of their words: "Weber" of "Webers"."""
        return frozenset(w[:5] for w in self.words)

    @cached_property
    def in_vain(self) -> list[Entry]:
        """The look-ups that found nothing."""
        return [e for e in self.of_kind.get("lookup", ()) if e.number("matched") == 0]

    @cached_property
    def record_words(self) -> frozenset[str]:
        return frozenset[str]().union(*(e.words for e in self.current if e.is_record))

    @cached_property
    def firms(self) -> frozenset[str]:
        """The names of several words that people's records hold of what they refer to, folded."""
        people = (e for e in self.current if e.is_someone)
        held = (f for e in people for f in e.fields.values() if f.declared.refers_to is not None)
        return frozenset(f.folded for f in held if " " in f.folded)

    @cached_property
    def states(self) -> dict[str, dict[str, dict[str, frozenset[str]]]]:
        """By kind and field: the single words that its records hold, other than names."""
        found: dict[str, dict[str, dict[str, frozenset[str]]]] = {}
        for entry in self.current:
            fields = found.setdefault(entry.kind, {})
            for name, f in entry.fields.items():
                if name != entry.numbered.fact.kind.subject and f.is_state:
                    fields.setdefault(name, {}).setdefault(f.folded, frozenset({f.folded}))
        return found

    @cached_property
    def _holding(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for place, entry in enumerate(self.current):
            for word in entry.words if entry.kind != "lookup" else ():
                found.setdefault(word, []).append(place)
        return found

    @cached_property
    def _named(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for place, entry in enumerate(self.current):
            if entry.subject and entry.kind != "lookup":
                rarest = min(entry.subject, key=lambda w: len(self._holding.get(w, ())))
                found.setdefault(rarest, []).append(place)
        return found

    def holding_any(self, words: Iterable[str]) -> Iterator[Entry]:
        """The facts other than look-ups that hold one of these words, in their order."""
        return (self.current[place] for place in sorted({p for w in words for p in self._holding.get(w, ())}))

    def related(self, subject: Entry) -> tuple[Entry, ...]:
        """The facts of other kinds, look-ups apart, that hold each word of its name, or whose names it holds."""
        found = self._related.get(subject.ref)
        if found is None:
            found = self._related[subject.ref] = tuple(self._relatives(subject))
        return found

    def _relatives(self, subject: Entry) -> Iterator[Entry]:
        name = subject.name
        rarest = min((self._holding.get(w, []) for w in name), key=len, default=list[int]())
        places = {p for p in rarest if name <= self.current[p].words}
        places |= self._within(subject.words) if name else set()
        found = (self.current[place] for place in sorted(places))
        return (e for e in found if e.kind != subject.kind and e.subject)

    def with_any(self, sorts: frozenset[ValueKind]) -> tuple[Entry, ...]:
        """The facts that hold a value of one of these sorts, in their order."""
        found = self._valued.get(sorts)
        if found is None:
            found = self._valued[sorts] = tuple(e for e in self.current if not sorts.isdisjoint(e.sorts))
        return found

    def named_within(self, words: frozenset[str]) -> Iterator[Entry]:
        """The facts, look-ups apart, all words of whose names are among these, in their order."""
        return (self.current[place] for place in sorted(self._within(words)))

    def _within(self, words: frozenset[str]) -> set[int]:
        return {p for w in words for p in self._named.get(w, ()) if words.issuperset(self.current[p].subject)}


class FactIndex:
    """Follows an evidence that grows; each fact is read once."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self.entries: dict[str, Entry] = {}
        self.others = 0  # records of others' words: second-hand, or reported by a client
        self.images: set[str] = set()  # refs: they hold nothing by which a sentence could be checked
        self.current: tuple[Entry, ...] = ()
        self.gathered = Gathered()
        self.by_word: dict[str, list[Entry]] = {}
        self.kind_words: dict[str, str] = {}  # the nouns by which people speak of a kind
        self.relations: list[tuple[Field, Relation]] = []  # of the kinds that were found
        self.verbs: frozenset[str] = frozenset()  # the verbs of those, folded
        self._read: dict[int, FactKind] = {}  # kinds by identity: comparing them costs more than reading them
        self._words: dict[int, KindWords] = {}
        self.kinds: list[FactKind] = []  # of the facts other than look-ups
        self.kind_stems: set[str] = set()  # of all words by which these and their fields are spoken of

    def is_others(self, ref: str) -> bool:
        return (entry := self.entries.get(ref)) is not None and entry.attributed

    def sync(self) -> None:
        if len(self._evidence) == len(self.entries) + len(self.images):
            return
        for numbered in self._evidence:
            if numbered.fact.kind.name == ATTACHED.name:
                self.images.add(numbered.ref)
            elif numbered.ref not in self.entries:
                self._add(Entry(numbered.ref, numbered.fact.kind.name, numbered))
        self.current = tuple(self.entries[n.ref] for n in self._evidence.current() if n.ref not in self.images)
        self.gathered = Gathered(self.current)

    def newer(self, entry: Entry) -> Entry | None:
        """The version of this record that has taken its place, if one has."""
        newest = self._evidence.newest(entry.ref)
        return None if newest.ref == entry.ref else self.entries[newest.ref]

    def _add(self, entry: Entry) -> None:
        self.entries[entry.ref] = entry
        self.others += entry.attributed
        if entry.kind == "lookup":
            return
        kind = entry.numbered.fact.kind
        if id(kind) not in self._read:
            self._read[id(kind)] = kind
            self.kinds.append(kind)
            self.kind_stems |= words_of_kind(kind).stems
            for word in (*kind.words, entry.kind):
                self.kind_words.setdefault(plain(word), entry.kind)
            told = [(f, r) for f in kind.fields for r in f.relations]
            self.relations += [known for known in told if known not in self.relations]
            self.verbs |= {fold(v) for _, r in told for v in r.verbs}
        for word in {stem(w) for w in entry.subject}:
            self.by_word.setdefault(word, []).append(entry)

    def words_of(self, entry: Entry) -> KindWords:
        """What the kind of a record declares, in words."""
        kind = entry.numbered.fact.kind
        found = self._words.get(id(kind))
        if found is None:
            self._read[id(kind)] = kind  # kept, so that the identity stays its own
            found = self._words[id(kind)] = words_of_kind(kind)
        return found

    def of_kind(self, kind: str) -> list[Entry]:
        return self.gathered.of_kind.get(kind, [])


def _stored_text(fact: Fact, declared: Field) -> str:
    """What a fact states of a field, as text; "" where it states nothing, or only what was asked for."""
    value = fact.values.get(declared.name)
    if value is None or _asked(fact.kind.name, declared.name):
        return ""
    text = value_text(value.replace(tzinfo=None) if isinstance(value, datetime) else value)
    text = _COMMENT.sub(" ", text) if "<!--" in text else text
    if text.strip() in (NOT_RECORDED, ""):
        return ""
    return f"{text} {declared.unit}" if declared.unit and not text.rstrip().endswith(declared.unit) else text


_COMMENT = re.compile(r"<!--.{0,4000}?(?:-->|$)", re.DOTALL)
"""What a document hides from its readers is no evidence."""


@lru_cache(maxsize=8192)
def _stored_words(text: str) -> frozenset[str]:
    """Records come back in many exchanges: their texts are read once."""
    return word_set(text)


@lru_cache(maxsize=8192)
def _stored_values(text: str) -> tuple[Value, ...]:
    return tuple(find_values(text, None, quotes=False))


@lru_cache(maxsize=256)
def _kind_words(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(plain, words))


def _asked(kind: str, field: str) -> bool:
    """What a look-up asked for is not evidence; only what it found is."""
    return kind == "lookup" and field in ("query", "arguments", "tool", "as_of")


def moments_of(entry: Entry) -> list[datetime]:
    """The times of a record, each with its zone if it tells one."""
    values = entry.numbered.fact.values.values()
    read = (_moment(v) if isinstance(v, str) and _ZONED.fullmatch(v) else v for v in values)
    return [t for t in read if isinstance(t, datetime)]


_ZONED = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?[+-]\d\d:\d\d")


def _moment(written: str) -> datetime | None:
    try:
        return datetime.fromisoformat(written)
    except ValueError:  # such as the 31st of February
        return None


def essential(words: frozenset[str]) -> frozenset[str]:
    return frozenset(w for w in words if w not in LEGAL and w not in STOP and plain(w) not in LEGAL)
