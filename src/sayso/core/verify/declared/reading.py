"""A record whose fields are texts and lists, read: what each field's text holds of moments, periods, amounts and items.

Reads values by their form alone; which words speak of which field is `reading_lexicon`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from itertools import islice

from sayso.core.facts import FieldType
from sayso.core.verify.declared.reading_amounts import Amount, amounts
from sayso.core.verify.declared.reading_times import Period, When, age_told, periods, whens, years_after
from sayso.core.verify.declared.reading_words import LIGHT, LIGHT_STEMS, root, roots
from sayso.core.verify.index import Entry
from sayso.core.verify.words import fold, tokens

MAX_READ = 4000  # characters of a field: more are a document, which no such sentence sums up
MAX_FIELDS = 80
MAX_VALUES = 40  # of one sort in a field
_COUNT = re.compile(r"^\W{0,3}(\d{1,3}(?:,\d{3})*|\d{1,9})(?!\d|[.:%]\d| ?[-–/] ?\d)\b")
_ENTITY = re.compile(r"&(?:amp|nbsp|quot);")
_SPLIT = re.compile(r"[;\n]|,(?!\s?(?:jr|sr|inc|ltd)\b)(?![^()]{0,80}\))")
_MARK = re.compile(r"^\s?\d{1,2}\)\s")
_ASIDE = re.compile(r"\([^()]{0,200}\)?")


@dataclass(frozen=True, eq=False)
class ReadField:
    """One field: `label` and `written` as they are written, `text` folded, `items` as they are listed."""

    label: str
    written: str
    text: str
    items: tuple[str, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The stems of its label."""
        return label_roots(self.label)

    @cached_property
    def whens(self) -> tuple[When, ...]:
        return whens(self.written)[:MAX_VALUES]

    @cached_property
    def periods(self) -> tuple[Period, ...]:
        return periods(self.written, self.whens)

    @cached_property
    def amounts(self) -> tuple[Amount, ...]:
        return tuple(islice(amounts(self.text), MAX_VALUES))

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(roots(self.text))

    @cached_property
    def age(self) -> tuple[int, int] | None:
        return age_told(self.written)

    @cached_property
    def count(self) -> int:
        """How many it lists: the number that it opens with ("6, including Abigail"), or else its items."""
        m = _COUNT.match(self.text)
        return int(m[1].replace(",", "")) if m and not self.whens else len(self.items)

    def count_of(self, noun: str) -> int:
        """How many items say what they are by this noun ("Rain (sister)"); else how many there are."""
        said = frozenset(roots(noun)) - LIGHT
        telling = sum(1 for item in self.items if said and said <= frozenset(roots(item)))
        return telling if telling > 0 and len(self.items) > 1 else self.count

    @cached_property
    def cores(self) -> tuple[frozenset[str], ...]:
        """The stems of each item without what stands in brackets."""
        found = (frozenset(roots(_ASIDE.sub(" ", item))) - LIGHT for item in self.items)
        return tuple(c for c in found if c)

    @cached_property
    def sequences(self) -> tuple[tuple[str, ...], ...]:
        """The stems of each item in order, without what stands in brackets."""
        found = (roots(_ASIDE.sub(" ", item)) for item in self.items)
        return tuple(s for s in found if s and any(w not in LIGHT and not w.isdigit() for w in s))


@lru_cache(maxsize=2048)
def label_roots(label: str) -> tuple[str, ...]:
    """What a label says, without its small words unless it has no others ("Country", "Also known as")."""
    found = tuple(root(t.text) for t in tokens(label) if not t.text.isdigit())
    return tuple(r for r in found if r not in LIGHT_STEMS) or found


@dataclass(frozen=True, eq=False)
class ReadRecord:
    """A record as its fields read; `name` are the stems of its own name."""

    ref: str
    fields: tuple[ReadField, ...]
    name: frozenset[str]
    title: str

    @cached_property
    def words(self) -> frozenset[str]:
        return self.name.union(*(f.words for f in self.fields))

    @cached_property
    def closed_up(self) -> str:
        """Its texts without white space, as contacts are looked up ("www .site .example")."""
        return "".join("".join(f.text.split()) + " " for f in self.fields)

    @cached_property
    def spelled(self) -> tuple[str, ...]:
        """The words of its name and texts as they are spelled, folded."""
        found = [t.text for text in (self.title, *(f.text for f in self.fields)) for t in tokens(text)]
        return tuple(dict.fromkeys(fold(w) for w in found if len(w) > 3))

    @cached_property
    def as_of(self) -> When | None:
        """When the record was written, by an age that it states beside a date of birth."""
        first = min((f for f in self.fields if f.whens), key=lambda f: f.whens[0].low, default=None)
        if first is None or first.age is None:
            return None
        born, (low, high) = first.whens[0], first.age
        return When(years_after(born, low), years_after(born, high + 1))


def read_record(entry: Entry) -> ReadRecord | None:
    """The record, if most of its fields are texts or lists."""
    kind = entry.numbered.fact.kind
    shown = [f for f in entry.fields.values() if f.declared.name != kind.subject]
    texts = [f for f in shown if f.declared.type in (FieldType.TEXT, FieldType.LIST)]
    if not texts or len(texts) * 2 < len(shown):
        return None
    values = entry.numbered.fact.values
    fields = tuple(_field(f.declared.title, values[f.declared.name], f.text) for f in shown[:MAX_FIELDS])
    return ReadRecord(entry.ref, fields, frozenset(roots(entry.numbered.fact.subject)), entry.numbered.fact.subject)


def _field(label: str, value: object, shown: str) -> ReadField:
    written = _ENTITY.sub("&", shown[:MAX_READ])
    text = fold(written)
    if isinstance(value, tuple) and len(value) > 1:  # pyright: ignore[reportUnknownArgumentType]
        items = tuple(fold(str(item)) for item in value[:MAX_READ])  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    else:
        items = (text,) if whens(written) and not _MARK.match(text) else tuple(_SPLIT.split(text))
    return ReadField(label, written, text, tuple(_MARK.sub("", i).strip() for i in items if i.strip()))


def at_present(record: ReadRecord, declared: date | None, clock: date) -> When:
    """When "today" is for the record: as declared, as its ages tell, or else the clock."""
    if declared is not None:
        return When(declared, declared)
    return record.as_of or When(clock, clock)
