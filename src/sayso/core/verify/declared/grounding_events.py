"""Events that records list one by one: who did what, when and how often, against what a text says of it.

Which fields tell of the doer, the time and the side, and by which words people speak of a sort of event,
is declared in a lexicon. No domain is known here.
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
from sayso.core.verify.index import Entry
from sayso.core.verify.values import NUMBER_WORDS
from sayso.core.verify.words import Token, fold, plain, tokens

_COUNTS: Mapping[str, int] = {plain(w): n for w, n in NUMBER_WORDS.items()} | {"twice": 2, "brace": 2}
_BY = re.compile(r"\b(?:from|by|through|courtesy of|of)\s(?:[\w.'-]{1,12}\s){0,2}\Z")
_LIST = re.compile(r"\A(?:,\s|,?\sand\s|\s&\s)(?:[\w.]{1,3}\s)?\Z")
_STEP = 50  # characters between an event's word and its doer


@dataclass(frozen=True, slots=True)
class EventLexicon:
    """One sort of event: the field and value that mark it, its doer, time and side, and its words.

    `doing` are verbs that follow their doer ("scored"); `noun` what it is ("substitutions"), counted by side
    where `counted`.
    """

    field: str
    value: str
    doer: str
    others: tuple[str, ...]
    at: str
    side: str
    doing: Phrases
    noun: Phrases
    minute: Phrases
    counted: bool

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> EventLexicon:
        return cls(
            data["field"], fold(data["value"]), data["doer"], tuple(data.get("others", ())), data["at"], data["side"],
            Phrases(data.get("doing", ())), Phrases(data.get("noun", ())), Phrases(data.get("time_words", ())),
            bool(data.get("counted", True)),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Event:
    sort: int
    doer: str
    others: frozenset[str]
    at: float | None
    side: str


class Events:
    """The events of one evidence. People are known by the last word of their names."""

    def __init__(self, entries: Sequence[Entry], lexicons: Sequence[EventLexicon]) -> None:
        self._lexicons = lexicons
        events = [e for entry in entries if (e := self._read(entry)) is not None]
        self._people = {p for e in events for p in (e.doer, *e.others) if p}
        self._done = {(e.sort, e.doer) for e in events}
        self._then = {(e.at, p) for e in events for p in (e.doer, *e.others)}
        self._number = Counter((e.sort, e.side) for e in events)
        sides = {e.side for e in events}
        words = {s: {t.word for t in tokens(s)} for s in sides}
        shared = Counter(w for said in words.values() for w in said)
        self._sides = {w: s for s, said in words.items() for w in said if shared[w] == 1}

    def _read(self, entry: Entry) -> _Event | None:
        for sort, lexicon in enumerate(self._lexicons):
            held = entry.fields
            if lexicon.field in held and held[lexicon.field].folded == lexicon.value:
                at = as_number(entry.numbered.fact.values.get(lexicon.at))
                others = frozenset(_last(held[o].text) for o in lexicon.others if o in held)
                doer = _last(held[lexicon.doer].text) if lexicon.doer in held else ""
                side = held[lexicon.side].folded if lexicon.side in held else ""
                return _Event(sort, doer, others, at, side)
        return None

    def check(self, text: str, words: Sequence[Token]) -> Iterator[Counted]:
        said = [t.word for t in words]
        yield from self._times(words, said)
        for sort, lexicon in enumerate(self._lexicons):
            doers = list(self._doers(text, words, said, lexicon))
            for token in doers:
                if (sort, token.word) not in self._done:
                    yield Counted(token.start, token.end, "nobody of that name did so")
            if lexicon.counted:
                yield from self._counts(text, words, said, sort, lexicon)

    def _doers(self, text: str, words: Sequence[Token], said: Sequence[str], lexicon: EventLexicon) -> Iterator[Token]:
        """People told to have done it: right before a verb of doing, or after its noun and "by"."""
        listed: Token | None = None
        for at, token in enumerate(words):
            if token.word not in self._people:
                continue
            if any(lexicon.doing.length_at(said, k) for k in range(at + 1, min(at + 3, len(said)))):
                yield token
                continue
            noun = next(
                (w for k, w in reversed(list(enumerate(words[:at]))[-8:]) if lexicon.noun.length_at(said, k)), None
            )
            by = noun is not None and token.start - noun.end < _STEP and _BY.search(text[noun.end : token.start])
            alone = noun is not None and not any(t.word in self._people for t in words[:at] if t.start >= noun.end)
            if (by and alone) or (listed is not None and _LIST.search(text[listed.end : token.start])):
                listed = token
                yield token

    def _times(self, words: Sequence[Token], said: Sequence[str]) -> Iterator[Counted]:
        """ "In the 52nd minute": something with the last named person happened then."""
        for at, token in enumerate(words):
            number = _leading(token.text)
            minute = (
                any(lexicon.minute.length_at(said, at + 1) for lexicon in self._lexicons)
                if at + 1 < len(said)
                else False
            )
            if number is None or not minute:
                continue
            person = next((w for w in reversed(said[max(0, at - 9) : at]) if w in self._people), None)
            if person is not None and (number, person) not in self._then:
                yield Counted(token.start, token.end, "nothing of the sort happened then")

    def _counts(
        self, text: str, words: Sequence[Token], said: Sequence[str], sort: int, lexicon: EventLexicon
    ) -> Iterator[Counted]:
        """ "Five substitutions by ...", "making four changes", "X netted two": by side or by person."""
        for at, token in enumerate(words):
            number = float(token.text) if token.text.isdecimal() and len(token.text) < 3 else _COUNTS.get(token.word)
            if number is None or number < 2:
                continue
            near = range(at + 1, min(at + 4, len(said)))
            if not any(lexicon.noun.length_at(said, k) for k in near):
                continue
            side = self._side_of(text, token)
            if side:
                held = self._number[sort, side]
                yield Counted(token.start, token.end, f"there were {held}", right=held == number)

    def _side_of(self, text: str, token: Token) -> str:
        """The side of a count: "for X" right after it, else the last one named before it."""
        after = re.match(r"(?:\s\w+){1,3}?\s(?:for|by|from)\s(?:the\s)?(\w+)", text[token.end :])
        if after is not None and plain(after[1]) in self._sides:
            return self._sides[plain(after[1])]
        before = [self._sides[w] for t in tokens(text[: token.start]) if (w := t.word) in self._sides]
        return before[-1] if before else ""


def _last(name: str) -> str:
    words = tokens(name)
    return words[-1].word if words else ""


def _leading(written: str) -> float | None:
    match = re.match(r"\d{1,3}(?=(?:st|nd|rd|th)?\Z)", written)
    return float(match.group()) if match else None
