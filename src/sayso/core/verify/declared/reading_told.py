"""A sentence told of one record: its words by stem, and which fields they speak of (cues), hold (values) or place.

Words of fields come from their own labels and from the lexicon; nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from sayso.core.verify.declared.reading import MAX_VALUES, ReadField, ReadRecord
from sayso.core.verify.declared.reading_amounts import Amount, amounts
from sayso.core.verify.declared.reading_lexicon import Phrase, ReadingLexicon, Telling
from sayso.core.verify.declared.reading_times import When
from sayso.core.verify.declared.reading_words import LIGHT, LIGHT_STEMS, root
from sayso.core.verify.words import Token

Fitting = Callable[[ReadField], object]


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim in its place: it holds, it does not, or (None) the record cannot tell.

    `sure`: of such claims that do not hold, at least 97 in 100 were false in texts that no rule was tuned on.
    """

    start: int
    end: int
    holds: bool | None
    why: str = ""
    sure: bool = False


def any_of(verdicts: Sequence[bool | None]) -> bool | None:
    """Of what may each bear a claim out: one that does suffices; unknown where there is none, or one is."""
    return True if True in verdicts else None if not verdicts or None in verdicts else False


@dataclass(frozen=True, slots=True)
class Cue:
    """Words that speak of fields, or (`along`) go with them; `fields` is empty where the record has none of them."""

    start: int
    end: int
    fields: tuple[ReadField, ...]
    along: bool = False


@dataclass(frozen=True, eq=False)
class Told:
    """`text` is the sentence folded, `written` as it is, of the same length."""

    text: str
    written: str
    words: Sequence[Token]
    record: ReadRecord
    lexicon: ReadingLexicon
    now: When

    @cached_property
    def stems(self) -> tuple[str, ...]:
        return tuple(root(t.text) for t in self.words)

    @cached_property
    def spelled(self) -> tuple[str, ...]:
        return tuple(t.word for t in self.words)

    @cached_property
    def amounts(self) -> tuple[Amount, ...]:
        return tuple(islice(amounts(self.text), MAX_VALUES))

    @cached_property
    def cues(self) -> tuple[Cue, ...]:
        return tuple(self._cues())

    def _cues(self) -> Iterator[Cue]:
        """Per place: what the longest phrase tells, what goes along, or else that the record has no such field."""
        for at, stem in enumerate(self.stems):
            found = [t for t in self.lexicon.tells.get(stem, ()) if self.at(t.phrase, at)]
            held = [t for t in found if t.of(self.record.fields)]
            tells = [t for t in held if not t.along]
            along = [t for t in held if t.along]
            own = tuple(f for f in self.record.fields if stem in f.names)
            if tells or own:
                yield self._cue(at, [t for t in tells if len(t.phrase) == len(tells[0].phrase)], own)
            if along:
                yield replace(self._cue(at, along, ()), along=True)
            if found and not held and not own:
                yield self._cue(at, found[:1], ())

    def _cue(self, at: int, tellings: Sequence[Telling], own: tuple[ReadField, ...]) -> Cue:
        length = max((len(t.phrase) for t in tellings), default=1)
        fields = {f.label: f for f in (*own, *(f for t in tellings for f in t.of(self.record.fields)))}
        return Cue(self.words[at].start, self.words[at + length - 1].end, tuple(fields.values()))

    def at(self, phrase: Phrase, index: int) -> bool:
        return self.stems[index : index + len(phrase)] == phrase

    def find(self, phrases: Sequence[Phrase]) -> tuple[int, int] | None:
        """Where the first of some phrases stands."""
        for at in range(len(self.stems)):
            for phrase in phrases:
                if self.at(phrase, at):
                    return self.words[at].start, self.words[at + len(phrase) - 1].end
        return None

    def fields_near(self, start: int, end: int, fit: Fitting) -> tuple[tuple[ReadField, ...], bool]:
        """The fitting fields of the nearest words that speak of some; all fitting ones (and False) where none do."""
        best: tuple[int, tuple[ReadField, ...]] | None = None
        for cue in self.cues:
            fitting = () if cue.along else tuple(f for f in cue.fields if fit(f))
            away = start - cue.end if cue.end <= start else max(0, cue.start - end) + 4
            if fitting and (best is None or away < best[0]):
                best = away, fitting
        if best is not None:
            return best[1], True
        return tuple(f for f in self.record.fields if fit(f)), False

    @cached_property
    def places(self) -> tuple[tuple[int, int, str], ...]:
        """The places that the sentence names."""
        return tuple(
            (self.words[a].start, self.words[b - 1].end, name)
            for a, b, name in places_in(self.spelled, self.lexicon)
        )  # fmt: skip

    @cached_property
    def name_places(self) -> tuple[tuple[int, int], ...]:
        """Where the record itself is named."""
        name = self.record.name
        return tuple(
            (t.start, t.end) for t, s in zip(self.words, self.stems, strict=True) if s in name and s not in LIGHT
        )

    @property
    def touches(self) -> bool:
        """Whether a telling word of it stands in the record."""
        return any(stem in self.record.words and not is_light(stem, stem) for stem in self.stems)

    @cached_property
    def items(self) -> tuple[tuple[int, int, tuple[ReadField, ...]], ...]:
        """Where whole items of fields stand, the longest at each place, with the fields that list them."""
        cores: dict[Phrase, list[ReadField]] = {}
        for f in self.record.fields:
            for core in f.sequences:
                cores.setdefault(core, []).append(f)
        return tuple(self._items(cores))

    def _items(self, cores: dict[Phrase, list[ReadField]]) -> Iterator[tuple[int, int, tuple[ReadField, ...]]]:
        longest = min(8, max(map(len, cores), default=0))
        at = 0
        while at < len(self.stems):
            sizes = range(min(longest, len(self.stems) - at), 0, -1)
            size = next((n for n in sizes if self.stems[at : at + n] in cores), 0)
            if size:
                yield self.words[at].start, self.words[at + size - 1].end, tuple(cores[self.stems[at : at + size]])
            at += size or 1

    def says(self, *stems: str) -> bool:
        return any(s in self.stems for s in stems)


def places_in(words: Sequence[str], lexicon: ReadingLexicon) -> Iterator[tuple[int, int, str]]:
    """Places named among words: the longest name takes its words."""
    at = 0
    while at < len(words):
        found = next((p for p in lexicon.places.get(words[at], ()) if tuple(words[at : at + len(p[0])]) == p[0]), None)
        if found is not None:
            yield at, at + len(found[0]), found[1]
            at += len(found[0])
        else:
            at += 1


def is_light(stem: str, text: str) -> bool:
    return stem in LIGHT or text in LIGHT or stem in LIGHT_STEMS
