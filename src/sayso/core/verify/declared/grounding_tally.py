"""Counts that records keep by party and part: who made how many when, what it came to, and who came out ahead.

Which fields these are, and by which words people speak of them, is declared in a lexicon. No domain is known here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sayso.core.verify.declared.grounding_counted import Counted
from sayso.core.verify.declared.grounding_lexicon_phrases import Phrases
from sayso.core.verify.declared.grounding_numbers import as_number
from sayso.core.verify.declared.grounding_siblings import PAIR
from sayso.core.verify.index import Entry
from sayso.core.verify.values import NUMBER_WORDS
from sayso.core.verify.words import Token, fold, plain, tokens

_SAID = {"one": 1, "no": 0, "single": 1, "once": 1, "twice": 2}
_COUNTS: Mapping[str, int] = {plain(w): n for w, n in NUMBER_WORDS.items()} | _SAID
_FAR = 4  # words between a number and what it counts


@dataclass(frozen=True, slots=True)
class Party:
    """One side: the field and value that mark its record, the fields that name it, and its role's words."""

    field: str
    value: str
    names: tuple[str, ...]
    words: Phrases


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of the whole: its words, and for each party the field that holds its count (less another's)."""

    words: Phrases
    fields: tuple[str, ...]
    adds_up: bool
    minus: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TallyLexicon:
    """`total` holds the parties' final counts; `noun` what is counted; `verb` the doing of it."""

    parties: tuple[Party, ...]
    parts: tuple[Part, ...]
    total: tuple[str, ...]
    noun: Phrases
    verb: Phrases
    wins: Phrases
    loses: Phrases

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> TallyLexicon:
        return cls(
            tuple(
                Party(p["field"], fold(p["value"]), tuple(p["names"]), Phrases(p.get("words", ())))
                for p in data["party"]
            ),
            tuple(
                Part(Phrases(p["words"]), tuple(p["fields"]), bool(p.get("adds_up", True)), tuple(p.get("minus", ())))
                for p in data["part"]
            ),
            tuple(data["total"]),
            *(Phrases(data.get(k, ())) for k in ("noun", "verb", "wins", "loses")),
        )


class Tally:
    """The counts of one evidence."""

    def __init__(self, entries: Sequence[Entry], lexicon: TallyLexicon) -> None:
        self._lexicon = lexicon
        self._counts: dict[str, float] = {}
        owned: list[set[str]] = [set() for _ in lexicon.parties]
        for entry in entries:
            for name, value in entry.numbered.fact.values.items():
                number = as_number(value)
                if number is not None:
                    self._counts.setdefault(name, number)
            for names, party in zip(owned, lexicon.parties, strict=True):
                if party.field in entry.fields and entry.fields[party.field].folded == party.value:
                    held = (entry.fields[n].text for n in party.names if n in entry.fields)
                    names |= {plain(t.text) for text in held for t in tokens(text)}
        shared = Counter(w for mine in owned for w in mine)
        self._owner = {w: i for i, mine in enumerate(owned) for w in mine if shared[w] == 1 and len(w) > 2}
        self.totals = [self._counts.get(f) for f in lexicon.total]

    @property
    def whole(self) -> bool:
        """Whether the records hold a final count for each party."""
        return None not in self.totals

    def check(self, text: str, words: Sequence[Token]) -> Iterator[Counted]:
        marks = list(self._marks(words))
        yield from self._scores(text, marks)
        yield from self._counted(text, words, marks)
        yield from self._outcome(text, marks)
        yield from self._absent_parts(text, marks)

    def _told(self) -> str:
        return " to ".join(f"{t or 0.0:g}" for t in self.totals)

    def _marks(self, words: Sequence[Token]) -> Iterator[_Mark]:
        """Parties, parts and turns of outcome in the order of the text."""
        said = [t.word for t in words]
        at = 0
        while at < len(said):
            step = 1
            found = next(self._at(said, at), None)
            if found is not None:
                sort, number, step = found
                yield _Mark(sort, number, words[at].start, words[at + step - 1].end)
            at += step

    def _at(self, said: Sequence[str], at: int) -> Iterator[tuple[str, int, int]]:
        for number, part in enumerate(self._lexicon.parts):
            if length := part.words.length_at(said, at):
                yield "part", number, length
        for number, party in enumerate(self._lexicon.parties):
            if length := party.words.length_at(said, at):
                yield "party", number, length
        if length := self._lexicon.wins.length_at(said, at):
            yield "win", 0, length
        if length := self._lexicon.loses.length_at(said, at):
            yield "lose", 0, length
        if said[at] in self._owner:
            yield "party", self._owner[said[at]], 1

    def _scores(self, text: str, marks: Sequence[_Mark]) -> Iterator[Counted]:
        """ "4-1": the totals, those of the part that is named, or what stood at the end of a part."""
        for m in PAIR.finditer(text):
            pair = sorted((float(m[1]), float(m[2])))
            parts = [k.number for k in marks if k.sort == "part"]
            known = [sorted(t for t in self.totals if t is not None), *map(sorted, self._stands())]
            known += [sorted(c) for p in parts if (c := self._of_part(p))]
            way = _LEAD.search(text[m.end() : m.end() + 20]) is not None and _within(pair, known[0])
            right = way or (pair in known if parts else pair == known[0])
            yield Counted(m.start(), m.end(), self._told(), right=right)

    def _stands(self) -> Iterator[list[float]]:
        total = [0.0 for _ in self._lexicon.parties]
        for part in self._lexicon.parts:
            counts = [c or 0.0 for c in self._held(part)]
            total = [a + b for a, b in zip(total, counts, strict=True)] if part.adds_up else counts
            yield total

    def _of_part(self, number: int) -> list[float]:
        return [c for c in self._held(self._lexicon.parts[number]) if c is not None]

    def _held(self, part: Part) -> list[float | None]:
        found = [self._counts.get(f) for f in part.fields]
        less = [self._counts.get(f, 0.0) for f in part.minus] or [0.0 for _ in found]
        return [None if c is None else c - m for c, m in zip(found, less, strict=True)]

    def _counted(self, text: str, words: Sequence[Token], marks: Sequence[_Mark]) -> Iterator[Counted]:
        said = [t.word for t in words]
        scores = [(m.start(), m.end()) for m in PAIR.finditer(text)]
        doing = False
        for at, token in enumerate(words):
            doing = doing or self._lexicon.verb.length_at(said, at) > 0
            number = float(token.text) if token.text.isdecimal() and len(token.text) < 3 else _COUNTS.get(token.word)
            minute = text[token.end : token.end + 1] in ("'", "’")
            if number is None or minute or any(a <= token.start < b for a, b in scores):
                continue
            if any(k.start <= token.start < k.end for k in marks) or not self._counts_here(said, at, doing):
                continue
            if _EACH.search(text[token.start : token.end + 40]):
                continue
            right = self._right(text, float(number), token, marks)
            yield Counted(token.start, token.end, self._told(), right=right)

    def _counts_here(self, said: Sequence[str], at: int, doing: bool) -> bool:
        """Whether a number counts the noun: the noun follows, or the doing was told and a part follows."""
        if any(self._lexicon.noun.length_at(said, k) for k in range(at + 1, min(at + _FAR, len(said)))):
            return True
        following = said[at + 1 : at + 3]
        return doing and (said[at] in ("once", "twice") or following[:1] in (["in"], ["more"]) or not following)

    def _right(self, text: str, number: float, token: Token, marks: Sequence[_Mark]) -> bool:
        before = [m for m in marks if m.end <= token.start]
        after = [m for m in marks if m.start >= token.end]
        party = next((m.number for m in reversed(before) if m.sort == "party"), None)
        nearest = next((m for m in after if m.sort == "part"), None)
        if nearest is None or nearest.start - token.end > _NEAR or _BREAK.search(text[token.end : nearest.start]):
            nearest = next(
                (m for m in reversed(before) if m.sort == "part" and not _BREAK.search(text[m.end : token.start])), None
            )
        counts = self._held(self._lexicon.parts[nearest.number]) if nearest else self.totals
        joined = self._joined(text, nearest, marks)
        if joined is not None and party is not None and joined[party] == number:
            return True
        known = [c for c in counts if c is not None]
        if not known:
            return number == 0.0
        if party is None or _BOTH.search(text[: token.end + 40]):
            return number in known or number == sum(known)
        return counts[party] is None or number == counts[party] or (nearest is None and self._any_part(party, number))

    def _joined(self, text: str, part: _Mark | None, marks: Sequence[_Mark]) -> list[float] | None:
        """The counts of two parts together: "in the first and second periods"."""
        following = next((m for m in marks if part and m.sort == "part" and m.start > part.start), None)
        if part is None or following is None or text[part.end : following.start].strip() != "and":
            return None
        one, other = (self._held(self._lexicon.parts[m.number]) for m in (part, following))
        return [(a or 0.0) + (b or 0.0) for a, b in zip(one, other, strict=True)]

    def _any_part(self, party: int, number: float) -> bool:
        return any(self._held(p)[party] == number for p in self._lexicon.parts)

    def _outcome(self, text: str, marks: Sequence[_Mark]) -> Iterator[Counted]:
        """Who came out ahead: the party told before a turn of winning, or after "for", "by"."""
        totals = [t or 0.0 for t in self.totals]
        for k, mark in enumerate(marks):
            if mark.sort not in ("win", "lose"):
                continue
            party = next((m.number for m in reversed(marks[:k]) if m.sort == "party"), None)
            following = next((m for m in marks[k + 1 :] if m.sort == "party"), None)
            if following and _FOR.match(text, mark.end, following.start):
                party = following.number
            if party is None or len(totals) != 2 or _SHORT.search(text[max(0, mark.start - 60) : mark.start]):
                continue
            ahead = totals[party] > totals[1 - party]
            if ahead != (mark.sort == "win"):
                yield Counted(mark.start, mark.end, self._told(), sure=mark.sort == "win")

    def _absent_parts(self, text: str, marks: Sequence[_Mark]) -> Iterator[Counted]:
        """A part that the records do not have, spoken of as if it had been."""
        for mark in marks:
            absent = mark.sort == "part" and not self._of_part(mark.number)
            if absent and not _DENIED.search(text[max(0, mark.start - 80) : mark.start]):
                yield Counted(mark.start, mark.end, "there was no such part")


_NEAR = 60
_FOR = re.compile(r"[^.;,]{0,16}\b(?:for|by|of|to)\s(?:the\s)?\Z")
_LEAD = re.compile(r"\A\s(?:\w+\s)?(?:lead|advantage|deficit)\b")


def _within(pair: Sequence[float], total: Sequence[float]) -> bool:
    return all(a <= b for a, b in zip(pair, total, strict=True))


_BREAK = re.compile(r"[;:]|, (?:with|scoring|including|\d|one|two|and \d)|\beach\b|,? while ")
_SHORT = re.compile(
    r"\b(?:unable|not|n't|fail\w*|fell short|efforts?|short of|without|enough|could|chance|bid|hopes?|despite)\b"
)
_EACH = re.compile(r"\b(?:each|every|margin|quick|unanswered)\b")
_BOTH = re.compile(r"\b(?:both|each|combined|total of|neither)\b")
_DENIED = re.compile(r"\b(?:no|not|without|neither|nor|n't|zero|none|or)\b[^.;]{0,60}\Z")


@dataclass(frozen=True, slots=True)
class _Mark:
    sort: str
    number: int
    start: int
    end: int
