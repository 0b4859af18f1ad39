"""What the facts hold, indexed once per fact: words, values and gaps, whole and by field.

Driven by what kinds declare; a field without declared words is asked for by its name.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache

from sayso.core.evidence import Evidence, Numbered
from sayso.core.facts import NOT_RECORDED, Field, Provenance, value_text
from sayso.core.verify.lexicon import LEGAL, STOP
from sayso.core.verify.values import Value, ValueKind, find_values, quote_key
from sayso.core.verify.words import fold, phrase_in, plain, stem, tokens, word_set

_TITLES = frozenset(["dr", "prof", "sir", "mr", "mrs", "ms", "herr", "frau"])


@dataclass(frozen=True, slots=True)
class FieldEntry:
    declared: Field
    text: str
    folded: str
    words: frozenset[str]
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One fact as the verifier sees it. `gaps` are its declared fields without a value."""

    ref: str
    kind: str
    numbered: Numbered
    fields: dict[str, FieldEntry]
    gaps: tuple[Field, ...]
    words: frozenset[str]
    stems: frozenset[str]
    subject: tuple[str, ...]
    values: tuple[Value, ...]
    quotes: str

    @property
    def is_record(self) -> bool:
        return self.kind not in ("lookup", "proposal", "receipt")

    @property
    def attributed(self) -> bool:
        """Whether words are needed to say who says so."""
        return self.numbered.fact.provenance in (Provenance.SECOND_HAND, Provenance.REPORTED) and self.is_record

    def number(self, field: str) -> float | None:
        found = self.fields.get(field)
        numbers = [n for v in (found.values if found else ()) for n in v.numbers]
        return numbers[0] if numbers else None


class FactIndex:
    """Follows an evidence that grows; each fact is read once."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self.entries: dict[str, Entry] = {}
        self.current: tuple[Entry, ...] = ()
        self.by_word: dict[str, list[Entry]] = {}
        self.kind_words: dict[str, str] = {}  # the nouns by which people speak of a kind

    def sync(self) -> None:
        if len(self._evidence) == len(self.entries):
            return
        for numbered in self._evidence:
            if numbered.ref not in self.entries:
                entry = index_fact(numbered)
                self.entries[numbered.ref] = entry
                kind = numbered.fact.kind
                for word in (*kind.words, kind.name) if kind.name != "lookup" else ():
                    self.kind_words.setdefault(plain(word), kind.name)
                if entry.kind != "lookup":
                    for word in {stem(w) for w in entry.subject}:
                        self.by_word.setdefault(word, []).append(entry)
        self.current = tuple(self.entries[n.ref] for n in self._evidence.current())

    def of_kind(self, kind: str) -> list[Entry]:
        return [e for e in self.current if e.kind == kind]


def index_fact(numbered: Numbered) -> Entry:
    fact = numbered.fact
    fields: dict[str, FieldEntry] = {}
    for name, value in fact.values.items():
        declared = fact.kind.field(name)
        text = value_text(value.replace(tzinfo=None) if isinstance(value, datetime) else value)
        if declared is None or text.strip() in (NOT_RECORDED, "") or _asked(fact.kind.name, name):
            continue
        if declared.unit and not text.rstrip().endswith(declared.unit):
            text = f"{text} {declared.unit}"
        fields[name] = FieldEntry(declared, text, *_read(text))
    gaps = tuple(f for f in fact.kind.fields if f.name not in fields)
    words = frozenset[str]().union(
        *(f.words for f in fields.values()), word_set("" if fact.kind.name == "lookup" else fact.subject)
    )
    extra = frozenset(plain(w) for w in fact.kind.words)
    subject = tuple(w for w in (t.word for t in tokens(fact.subject)) if w not in _TITLES and w not in STOP)
    everything = tuple(v for f in fields.values() for v in f.values)
    return Entry(
        numbered.ref, fact.kind.name, numbered, fields, gaps, words | extra,
        frozenset(w[:6] for w in words), subject, everything,
        quote_key(" ".join([*(f.text for f in fields.values()), fact.subject])),
    )  # fmt: skip


@lru_cache(maxsize=8192)
def _read(text: str) -> tuple[str, frozenset[str], tuple[Value, ...]]:
    """A stored text folded, its words and its values. Records come back in many exchanges: read once."""
    return fold(text), word_set(text), tuple(find_values(text, None, quotes=False))


def _asked(kind: str, field: str) -> bool:
    """What a look-up asked for is not evidence; only what it found is."""
    return kind == "lookup" and field in ("query", "arguments", "tool", "as_of")


@lru_cache(maxsize=1024)
def field_words(declared: Field) -> frozenset[str]:
    """The phrases that ask for a field, folded; its own name among them."""
    return frozenset({*(fold(w) for w in declared.words), fold(declared.name.replace("_", " "))})


@lru_cache(maxsize=1024)
def option_words(declared: Field) -> dict[str, frozenset[str]]:
    """Each wording of a field's declared options, folded, and the stored words that it may mean."""
    found: dict[str, frozenset[str]] = {}
    for option in declared.options:
        for wording in option:
            found[fold(wording)] = found.get(fold(wording), frozenset()) | {fold(option[0])}
    return found


def wording_at(wording: str, folded: str) -> int:
    """Where a wording of an option stands in folded text, or -1; German endings ("offene", "offenen") count."""
    places = (phrase_in(wording + ending, folded) for ending in ("", "e", "en", "er", "es", "em"))
    return next((at for at in places if at >= 0), -1)


def dates_of(entry: Entry) -> list[date]:
    days = [v.span.exact for v in entry.values if v.kind is ValueKind.DATE and v.span is not None]
    stored = [v for v in entry.numbered.fact.values.values() if isinstance(v, date) and not isinstance(v, datetime)]
    return [*(d for d in days if d), *stored]


def essential(words: frozenset[str]) -> frozenset[str]:
    return frozenset(w for w in words if w not in LEGAL and w not in STOP and plain(w) not in LEGAL)
