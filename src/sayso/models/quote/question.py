"""A question as `quote` reads it: its language, its words, the names in it, its window of days."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sayso.core.evidence import Numbered
from sayso.core.facts import FactKind
from sayso.core.tools import Tool
from sayso.models.quote.claims import without_claim
from sayso.models.quote.days import Days, read_days
from sayso.models.quote.diary import notes_of_day
from sayso.models.quote.german import STATES
from sayso.models.quote.moments import MONTH_NAMES, month_number
from sayso.models.quote.typed import MAX_QUESTION, plainly
from sayso.models.quote.words import (
    PRONOUNS,
    Token,
    is_function_word,
    is_weak,
    keys,
    language_of,
    matches,
    tokens,
)

_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]{2,80})[\"”“»]")
_WHO = re.compile(r"^\W*(who('?s| is| was| are)|wer (ist|sind|war))\b", re.IGNORECASE)
_WHAT = re.compile(
    r"^\W*(what('?s| is| are| does)|define|explain|was (ist|sind|bedeutet|heisst|heißt)|erkl(ä|ae)re?)\b", re.IGNORECASE
)
_VALUE = re.compile(
    r"^\W*(what (?:does|do|did|is|was)|how (?:much|old|tall|long|big|far)|where|why|"
    r"was (?:hat|macht|verdient|kostet|ist)|"
    r"wie ?(?:viel|alt|gross|groß|hoch|lang)|wo|warum)\b",
    re.IGNORECASE,
)
_DUE = re.compile(
    r"^\W*(?:(?:by|bis) )?(?:when|wann)\b.*\b(?:due|deadline|fällig|faellig|frist)\b"
    r"|\b(?:due date|deadline|frist|fälligkeit)\b.*\b(?:of|for|von|vom|für|des|der)\b",
    re.IGNORECASE,
)
_WHOSE = re.compile(
    r"^\W*(?:who|wer)(?:['’]?s| is| was| ist| war)? (?:\S+ ){0,2}\S+(?:['’]s|s['’]) \w+\W*$"
    r"|^\W*(?:who|wer)(?:['’]?s| is| was| ist| war) (?:the |der |die )?\w+ (?:of|von) ",
    re.IGNORECASE,
)
_WHETHER = re.compile(r"^\W*(did|have|has|was|were|do|habe?|hat|bin|war|haben)\b", re.IGNORECASE)
_PROGRESS = re.compile(
    r"^\W*(how('?s|s| is| are)|wie (läuft|laeuft|laufen|geht|steht|stehen|ist|sind|weit))\b|\b(my|mein\w*)\b",
    re.IGNORECASE,
)
_COUNT = re.compile(r"\b(how many|how much|number of|count|wie ?viele?|anzahl)\b", re.IGNORECASE)
_MONTH = re.compile(rf"\b(?:in|during|im|for|für) ({MONTH_NAMES})\b(?! \d)", re.IGNORECASE)
_YEAR = 365  # days: the next time that a month comes, it is within them
# Words that ask for what is on, beside a day; on their own they may be a topic.
_PLANS = frozenset(
    {"free", "busy", "frei", "plan", "plans", "planned", "geplant", "los", "vor", "hab", "habs", "hast", "happening",
     "happens", "look", "looks", "sieht", "zeit", "schedule", "ahead", "vorhaben", "ansteht", "anstehen",
     "done", "day", "tag"}
)  # fmt: skip


__all__ = ["MAX_QUESTION", "Question", "read_question"]


@dataclass(frozen=True, slots=True)
class Question:
    """`names` are known subjects and capitalised words in it; `rest` what no declaration explains.

    `on` are the days that it names, `days` the window until their end, counted from today.
    """

    text: str
    language: str
    tokens: tuple[Token, ...]
    masked: tuple[str, ...]
    names: tuple[str, ...]
    rest: tuple[Token, ...]
    days: int | None
    month_name: str = ""
    on: Days | None = None
    claimed: str = ""  # the place where it asks whether somebody works

    @property
    def month(self) -> int | None:
        """1 to 12, where it asks for what is in a month."""
        return month_number(self.month_name) if self.month_name else None

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(t.key for t in self.tokens)

    @property
    def about(self) -> str:
        """What the question is about, as it was written: the names, else the unexplained words."""
        return " ".join(_bare(t.text) for t in self.rest)

    @property
    def spelt(self) -> str:
        """The names, or what it is about, where the question has these words in a row; else ""."""
        spellings = (" ".join(self.names), self.about)
        return next((s for s in spellings if s and s in self.text and '"' not in s), "")

    @property
    def asks_who(self) -> bool:
        return bool(_WHO.search(self.text))

    @property
    def asks_value(self) -> bool:
        """Whether it asks for one thing of a record: "what does Priya earn?"."""
        return bool(_WHOSE.search(self.text) if self.asks_who else _VALUE.search(self.text))

    @property
    def asks_due(self) -> bool:
        """Whether it asks by when one thing is due: that may lie far ahead, and be a task or a goal."""
        return bool(self.rest and self.on is None and not self.month and _DUE.search(self.text))

    @property
    def asks_whether(self) -> bool:
        return bool(_WHETHER.search(self.text))

    @property
    def asks_what(self) -> bool:
        return bool(_WHAT.search(self.text))

    @property
    def thing(self) -> tuple[str, ...]:
        """What is to be told of what it is: all of "What is pgvector?" or "pgvector?" but the words that ask."""
        alone = len(self.rest) == len(self.tokens)
        return tuple(t.key for t in self.rest) if alone or self.asks_what else ()

    @property
    def asks_count(self) -> bool:
        return bool(_COUNT.search(self.text))

    @property
    def asks_progress(self) -> bool:
        """Whether it asks how something goes, or for something of the person's own: seldom for a person."""
        return bool(_PROGRESS.search(self.text)) and not self.asks_who

    def asks_for(self, kind: FactKind) -> bool:
        return any(matches(kind.words, self.masked))

    @property
    def has_pronoun(self) -> bool:
        return not PRONOUNS.isdisjoint(self.keys)


def read_question(text: str, tools: Sequence[Tool], known: Iterable[Numbered], locale: str, now: datetime) -> Question:
    text, claimed = without_claim(notes_of_day(plainly(text), now))
    words = tokens(text)
    plain = tuple(t.key for t in words)
    language = language_of(plain, locale)
    declared = _declared(tools)
    names = _known_names(words, known, declared) | _written_names(text, words, language, declared)
    month, on = _MONTH.search(text), read_days(text, now)
    said_month = range(*month.span(1)) if month else range(0)
    named_days = on.place if on and not (on.exact and _asks_for_texts(plain, tools)) else range(0)
    timed = {i for i, t in enumerate(words) if t.start in said_month or t.start in named_days}
    names -= timed
    masked = tuple("" if i in names else key for i, key in enumerate(plain))
    explained = {i for _, place in matches(declared, masked) for i in place} | timed
    rest = tuple(
        t
        for i, t in enumerate(words)
        if i in names or (i not in explained and not _says_no_topic(t.key) and not (on and t.key in _PLANS))
    )
    named = tuple(_bare(words[i].text) for i in sorted(names))
    days = max(on.last, 0) if on else _YEAR if month else None
    return Question(text, language, words, masked, named, rest, days, month.group(1) if month else "", on, claimed)


def _asks_for_texts(plain: Sequence[str], tools: Iterable[Tool]) -> bool:
    """Whether it asks for what is searched by a topic, of which a written date may be one ("notes of 3 May 2026")."""
    words = [w for t in tools if t.takes_text and t.covers for w in (*t.words, *t.covers.words)]
    return any(not is_weak(phrase) for phrase, _ in matches(words, plain))


def _says_no_topic(key: str) -> bool:
    """Words of grammar, and those that name a state ("active"), which records are filtered by, not looked up by."""
    return is_function_word(key) or key in STATES


def _declared(tools: Iterable[Tool]) -> tuple[str, ...]:
    """Each word by which the catalogue says that it can be asked."""
    found: dict[str, None] = {}
    for tool in tools:
        found.update(dict.fromkeys(tool.words))
        if tool.covers:
            found.update(dict.fromkeys(tool.covers.words))
            for declared in tool.covers.fields:
                found.update(dict.fromkeys((*declared.words, declared.title)))
    return tuple(found)


def _known_names(words: tuple[Token, ...], known: Iterable[Numbered], declared: tuple[str, ...]) -> set[int]:
    """Places of words that belong to a record's name; a declared word alone is not a name."""
    single = {keys(word) for word in declared}
    places: set[int] = set()
    for numbered in known:
        parts = set(keys(numbered.fact.subject))
        at = {i for i, t in enumerate(words) if t.key in parts and not is_function_word(t.key)}
        whole = len(at) == len(parts) > 1
        places |= {i for i in at if whole or ((words[i].key,) not in single)}
    return places


def _written_names(text: str, words: tuple[Token, ...], language: str, declared: tuple[str, ...]) -> set[int]:
    """Quoted words; in English also capitalised words that do not open a sentence."""
    starts = [t.start for t in words]
    quoted = [(bisect_left(starts, m.start(1)), bisect_left(starts, m.end(1))) for m in _QUOTED.finditer(text)]
    places = {i for first, end in quoted for i in range(first, end)}
    if language == "de" or text.isupper() or text.istitle():
        return places
    single = {keys(word) for word in declared}
    for i, token in enumerate(words):
        opens = i == 0 or text[max(0, token.start - 80) : token.start].rstrip()[-1:] in ".?!:\n"
        if token.capital and not opens and not is_function_word(token.key) and (token.key,) not in single:
            places.add(i)
    return places


def _bare(text: str) -> str:
    return re.sub(r"['’]s?$", "", text)
