"""What an evidence holds as a whole: its words, its numbers, its series and the quantities of its fields.

Inferred from the records' own names and values; a lexicon says more. No domain is known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from sayso.core.verify.dates import DateSpan, find_dates
from sayso.core.verify.declared.grounding_events import Events
from sayso.core.verify.declared.grounding_lexicon import GroundingLexicon, Quantity, State
from sayso.core.verify.declared.grounding_lexicon_phrases import Phrases
from sayso.core.verify.declared.grounding_numbers import Bag, loose_numbers
from sayso.core.verify.declared.grounding_siblings import Siblings
from sayso.core.verify.declared.grounding_tally import Tally
from sayso.core.verify.declared.series import Series, is_dated
from sayso.core.verify.index import Entry
from sayso.core.verify.words import fold, tokens, word_set

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z0-9])|(?<=[0-9])(?=[A-Za-z])")
_PIECES = re.compile(r"[^\W\d_]+")
_HOUR = re.compile(r"(?<!\d)([01]?\d|2[0-4]):([0-5]\d)")
_TURNED = re.compile(r"(\d{4}),? ([A-Z][a-z]{2,8})(?: (\d{1,2})\b)?")
_HEAD = 5  # letters that a word shares with another of its family ("Finland", "Finnish" share four)
_SHORTEST_DATE = 8
_FEWEST = 3  # records that belong together


class Ground:
    """Built once for an evidence as it stands; linear in its size."""

    def __init__(self, records: Sequence[Entry], lexicon: GroundingLexicon) -> None:
        self.series = Series(records)
        self.words: set[str] = set()
        self.dates: list[DateSpan] = []
        self.hours: set[int] = set()
        self._lexicon = lexicon
        numbers, fixed = self._texts(records)
        self._heads = {w[:_HEAD] for w in self.words if len(w) >= _HEAD}
        self.bag = Bag(numbers)
        self.fixed = Bag(fixed)
        self.tally = _tally(records, lexicon)
        self.events = Events(records, lexicon.events) if lexicon.events else None
        self.siblings = None if self.tally or self.series else Siblings(records)
        self.states = lexicon.states or tuple(_told_states(self.series))
        self.quantities = lexicon.quantities or tuple(_inferred(self.series))
        self.units = lexicon.units
        self._units = {*lexicon.units, *(u for q in self.quantities for u in q.units)}

    def knows(self, word: str) -> bool:
        """Whether a word is held or known, or one of the same beginning is held."""
        return word in self.words or (len(word) >= _HEAD and word[:_HEAD] in self._heads) or word in self._lexicon.known

    def unit(self, written: str) -> str:
        """The longest known unit that the words behind a number begin with."""
        words = written.replace("° ", "°").split(" ")
        return next((u for n in (3, 2, 1) if (u := " ".join(words[:n])) in self._units), "")

    def _texts(self, records: Sequence[Entry]) -> tuple[set[float], set[float]]:
        """Reads every text; gives all numbers, and those that are no readings of the series."""
        numbers: set[float] = set()
        fixed: set[float] = set()
        for text in (t for e in records for t in _texts(e)):
            self.words |= _words(text)
            found = set(loose_numbers(text)) if any(map(str.isdigit, text)) else set[float]()
            numbers |= found
            if text not in self.series.told:
                fixed |= found
                self.dates += _dates(text) if found else ()
            if self._lexicon.hours and ":" in text:
                self.hours |= {60 * int(m[1]) + int(m[2]) for m in _HOUR.finditer(text)}
        return numbers, fixed


def _tally(records: Sequence[Entry], lexicon: GroundingLexicon) -> Tally | None:
    tally = Tally(records, lexicon.tally) if lexicon.tally else None
    return tally if tally and tally.whole else None


def is_document(records: Sequence[Entry], lexicon: GroundingLexicon) -> bool:
    """Whether the records are of kinds that declare no words, and are told together."""
    return _undeclared(records) and (lexicon.declares or is_dated(records) or _belong_together(records))


def _undeclared(records: Sequence[Entry]) -> bool:
    kinds = {e.numbered.fact.kind for e in records}
    return not any(k.words or any(f.words for f in k.fields) for k in kinds)


def _belong_together(records: Sequence[Entry]) -> bool:
    """Whether the records are parts of one thing: all are named after one, or their fields are paths ("a.b")."""
    subjects = [tuple(t.word for t in tokens(e.numbered.fact.subject)) for e in records]
    shortest = min(subjects, key=len, default=())
    alike = bool(shortest) and all(s[: len(shortest)] == shortest for s in subjects)
    if alike and len(records) >= (_FEWEST if len(set(subjects)) > 1 else 2):
        return True
    paths = (sum("." in name.strip(".") for name in e.fields) for e in records)
    return len(records) > 1 and any(count >= _FEWEST for count in paths)


def _texts(entry: Entry) -> Iterator[str]:
    yield entry.numbered.fact.subject
    for name, held in entry.fields.items():
        yield name
        yield held.text


@lru_cache(maxsize=8192)
def _words(text: str) -> frozenset[str]:
    whole = word_set(text)
    return whole | word_set(_CAMEL.sub(" ", text)) if _CAMEL.search(text) else whole


@lru_cache(maxsize=8192)
def _dates(text: str) -> tuple[DateSpan, ...]:
    """The dates of a stored text, also those that are written year first ("2023, November 14")."""
    if len(text) < _SHORTEST_DATE:
        return ()
    turned = _TURNED.sub(lambda m: f"{m[2]} {m[3]}, {m[1]}" if m[3] else f"{m[2]} {m[1]}", text)
    return tuple(span for _, _, span in find_dates(turned, None))


def _told_states(series: Series) -> Iterator[State]:
    """Fields of few short texts: each text of several words, said as it stands, is a state."""
    for name in sorted(series.worded):
        texts = series.readings((name,), ()).texts
        if 1 < len(texts) <= _MANY and all(_STATE.fullmatch(t) for t in texts):
            yield State(name, tuple(((t,), Phrases((t,))) for t in sorted(texts) if " " in t))


_STATE = re.compile(r"[a-z]+(?: [a-z]+){0,3}")
_MANY = 30
_MOST = 200  # quantities: more are no prose's


def _inferred(series: Series) -> Iterator[Quantity]:
    """A quantity for each field of numbers: "wind.speed" is spoken of as "wind speed" and as "speed".

    A field whose name goes on after another's ("temp_max" after "temp") is a variant of that one.
    """
    names = sorted(n for n in series.numeric if n)[:_MOST]
    leaves = {n: fold(" ".join(_PIECES.findall(n.rsplit(".", 1)[-1]))) for n in names}
    for name in names:
        base = name.rsplit("_", 1)[0]
        if (base != name and base in leaves) or not leaves[name]:
            continue
        variants = tuple(n for n in names if n == name or n.rsplit("_", 1)[0] == name)
        whole = fold(" ".join(_PIECES.findall(name)))
        alone = sum(leaf == leaves[name] for leaf in leaves.values()) == 1 and len(leaves[name]) >= _HEAD - 1
        yield Quantity(variants, (whole, leaves[name]) if alone else (whole,))
    if "" in series.numeric:
        yield Quantity(("",))
