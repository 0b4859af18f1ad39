"""One sentence as the rules see it, and what a rule yields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sayso.core.facts import Field
from sayso.core.verify import lexicon
from sayso.core.verify.acts import Act, told_acts
from sayso.core.verify.binding import Binding, mentions
from sayso.core.verify.cues import Worded, phrases_in
from sayso.core.verify.index import Entry, FactIndex
from sayso.core.verify.kind_words import Told
from sayso.core.verify.language import absence
from sayso.core.verify.report import Violation, ViolationKind
from sayso.core.verify.setting import Setting
from sayso.core.verify.values import Value, ValueKind, quote_key
from sayso.core.verify.words import Token, fold, phrase_in, stem


@dataclass(frozen=True, eq=False)
class Sentence:
    """One piece as the rules see it: `clean` has its citations blanked; places are within the piece.

    What several rules ask of it is found once.
    """

    clean: str
    folded: str
    words: list[Token]
    cues: frozenset[str]
    values: list[Value]
    bound: Binding
    index: FactIndex
    setting: Setting
    yours: Sequence[Value]
    your_words: frozenset[str]
    advice: bool
    suggestion: bool
    dated: str = ""
    nested: bool = False
    told: Sequence[Value] = ()
    stranger: str = ""  # the name of no record that the text before spoke of

    @cached_property
    def operands(self) -> Sequence[Value]:
        """What a number may be worked out with, beside the records: the user's own, and what was just made of them."""
        return (*self.yours, *self.told)

    @cached_property
    def said(self) -> frozenset[str]:
        return frozenset(t.word for t in self.words)

    @cached_property
    def content(self) -> frozenset[str]:
        """The stems of its content words."""
        return content_stems(self.words)

    def find(self, pattern: Worded) -> re.Match[str] | None:
        """Where a pattern first stands; it is tried only where one of its words is said."""
        return pattern.search(self.clean) if pattern.may_match(self.cues) else None

    @cached_property
    def phrases(self) -> Mapping[str, int]:
        """What is said in few words on end, with its first place: to look up phrases in."""
        return phrases_in(self.folded)

    @cached_property
    def _told(self) -> dict[int, Told]:
        return {}

    def words_for(self, entry: Entry) -> Told:
        """By field of a record: the phrases by which it is asked for or told that stand in it, with their places."""
        kind = self.index.words_of(entry)
        found = self._told.get(id(kind))
        if found is None:
            found = self._told[id(kind)] = kind.told_in(self.phrases, self.folded)
        return found

    def asks_for(self, entry: Entry, declared: Field) -> bool:
        """Whether a phrase by which a field of a record is asked for or told stands anywhere in it."""
        return declared.name in self.words_for(entry)

    @cached_property
    def mentioned(self) -> list[tuple[int, int, Entry]]:
        """Where the records that it names stand, in order: start, end, record."""
        return mentions([e for e in self.bound.named if e.is_record], self.words)

    @cached_property
    def acts(self) -> list[Act]:
        """The acts that it reports as done."""
        return told_acts(self.clean, self.words)

    @cached_property
    def of_all(self) -> re.Match[str] | None:
        """The first "all", "both" or "each"."""
        return self.find(lexicon.ALL)

    def in_value(self, at: int) -> bool:
        """Whether a place lies within a value; a quotation is none, its words are words."""
        return at < len(self._in_values) and bool(self._in_values[at])

    @cached_property
    def _in_values(self) -> bytearray:
        marks = bytearray(len(self.clean))
        for v in self.values:
            if v.kind is not ValueKind.QUOTE:
                marks[v.start : v.end] = b"\x01" * (v.end - v.start)
        return marks

    @cached_property
    def held(self) -> frozenset[str]:
        """The words of the records that it may rest on."""
        return frozenset[str]().union(*(e.words for e in self.bound.allowed))

    @cached_property
    def talk(self) -> str:
        """Without the names of the records that it speaks of: "Send the missing cards" denies nothing."""
        text = self.clean
        for entry in self.bound.subjects:
            own = [t for t in self.words if t.word in entry.subject]
            if len(own) >= 3 and len(own) >= len(entry.subject):
                text = text[: own[0].start] + " " * (own[-1].end - own[0].start) + text[own[-1].end :]
        return text

    @cached_property
    def negated(self) -> bool:
        return self.may_deny and lexicon.NEGATION.search(self.talk) is not None

    @cached_property
    def denies(self) -> bool:
        """Whether it says that something is not so, or not recorded."""
        return self.negated or (self.may_deny and lexicon.GAP.search(self.talk) is not None) or self.lacks

    @cached_property
    def lacks(self) -> bool:
        """Whether it says that something is not held, in any of the languages."""
        return self.may_lack and absence.UNRECORDED.search(fold(self.talk)) is not None

    @cached_property
    def may_lack(self) -> bool:
        """Whether a word of lacking is there at all, or a dash for a value."""
        return (
            not absence.TRIGGERS.isdisjoint(self.said)
            or "n't" in self.folded
            or (not _LACK.isdisjoint(self.cues) and any(w.startswith(absence.TRIGGER_STARTS) for w in self.said))
            or absence.DASHED.search(self.folded) is not None
        )

    @cached_property
    def may_deny(self) -> bool:
        """Whether a denying word is there at all: far cheaper to see than the patterns are to try."""
        return (
            not lexicon.DENYING_WORDS.isdisjoint(self.said)
            or "n't" in self.clean
            or (not _DENY.isdisjoint(self.cues) and any(w.startswith(lexicon.DENYING_STARTS) for w in self.said))
        )


_LACK = frozenset(f"{start[:3]}*" for start in absence.TRIGGER_STARTS)
_DENY = frozenset(f"{start[:3]}*" for start in lexicon.DENYING_STARTS)


@dataclass(frozen=True, slots=True)
class Checked:
    """A claim: right (no violation), wrong, or right by the user's own words.

    `slight`: a word that the record knows, which is no claim by itself.
    """

    violation: Violation | None = None
    yours: bool = False
    slight: bool = False


def content_stems(words: Iterable[Token]) -> frozenset[str]:
    """The stems of the words that are no small words."""
    return frozenset(stem(t.text) for t in words if t.word not in lexicon.STOP and fold(t.text) not in lexicon.STOP)


def wrong(s: Sentence, kind: ViolationKind, start: int, end: int, why: str, nearest: Entry | None = None) -> Checked:
    return Checked(Violation(kind, s.clean[start:end].strip(), start, end, why, nearest.ref if nearest else None))


def named_at(s: Sentence, name: str) -> int:
    """Where a name stands to the letter, or -1; what is quoted verbatim may be blank in the text."""
    at = phrase_in(fold(name), s.folded)
    if at >= 0:
        return at
    quoted = [v for v in s.values if v.kind is ValueKind.QUOTE]
    key = quote_key(name) if quoted else ""
    return next((v.start for v in quoted if v.key == key), -1)
