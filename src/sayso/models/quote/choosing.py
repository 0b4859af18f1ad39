"""Which record is meant after a list: "the second one", "1", "die mit dem Telefon", "him"; and "show more".

It reads the last answer's list; what was asked before it is asked again about the one that was chosen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sayso.core.evidence import Numbered
from sayso.core.facts import FactKind, value_text
from sayso.core.tools import Tool, ToolKind
from sayso.models.quote.found import Exchange, records_of_lines
from sayso.models.quote.german import german_item
from sayso.models.quote.phrases import TEXTS
from sayso.models.quote.words import is_function_word, keys, said

_ORDINALS: tuple[tuple[str, int], ...] = (
    (r"first|1st|former|erste[nrs]?|oberste[nrs]?|one", 0), (r"second|2nd|zweite[nrs]?|two|zwei", 1),
    (r"third|3rd|dritte[nrs]?|three|drei", 2), (r"fourth|4th|vierte[nrs]?|four|vier", 3),
    (r"fifth|5th|fünfte[nrs]?|five|fünf", 4), (r"last|latter|letzte[nrs]?|unterste[nrs]?", -1),
)  # fmt: skip
_LEAD = (
    r"^\W*(?:(?:no|nein|ok|i mean|i meant|ich meine|take|show|nimm|zeig\w*)[, ]+)*"
    r"(?:(?:the|der|die|das|den|number|no\.?|nr\.?|nummer|#)\s*)*"
)
_END = r"(?:\s*(?:one|eintrag|person|please|bitte|\.))*\W*$"
_PLACES = tuple((re.compile(rf"{_LEAD}(?:{shape}){_END}", re.IGNORECASE), place) for shape, place in _ORDINALS)
_NUMBER = re.compile(rf"{_LEAD}(?P<number>\d{{1,2}}){_END}", re.IGNORECASE)
_ONE = re.compile(r"^\W*(?:the|der|die|das|den|one|with|mit|from|aus|von|at|bei|in)\b", re.IGNORECASE)
_FILLING = frozenset({"one", "ones", "mean", "meine", "person", "eintrag"})
_MORE = re.compile(
    r"^\W*(?:(?:show|list|give|see|zeige?|nenne?|liste|gib|und|and|the|den|die|alle|all|me|mir|noch)\s+)*"
    r"(?:more|rest|others|next|remaining|mehr|weitere|weiter|anderen|übrigen|restlichen|nächsten)"
    r"(?:\s+(?:of them|ones?|please|bitte|davon|auf|an))*\W*$",
    re.IGNORECASE,
)
_MOST_WORDS = 8


@dataclass(frozen=True, slots=True)
class More:
    """The question whose list goes on, and how many records of each kind have been listed of it."""

    question: str
    listed: Mapping[str, int]


def chosen(exchange: Exchange) -> Numbered | None:
    """The one of the listed records that the message picks; None when it picks none, or is no such message."""
    listed = exchange.listed
    if not listed:
        return None
    asked = _asked_which(exchange)
    if asked and (match := _NUMBER.match(exchange.question)):
        place = int(match.group("number")) - 1
        return listed[place] if 0 <= place < len(listed) else None
    place = next((place for shape, place in _PLACES if shape.match(exchange.question)), None)
    if place is not None and len(listed) > 1:
        return listed[place] if place < len(listed) else None
    return _described(exchange.question, listed) if asked else None


def more_of(exchange: Exchange) -> More | None:
    """Which list "show more" goes on with; None where the last answer's list was whole."""
    if not _MORE.match(exchange.question) or not exchange.past or not _is_cut(exchange.past[-1].answer):
        return None
    counts: dict[str, int] = {}
    for past in reversed(exchange.past):
        for record in records_of_lines(past.answer, exchange.earlier):
            counts[record.fact.kind.name] = counts.get(record.fact.kind.name, 0) + 1
        if not _MORE.match(past.question):
            return More(past.question, counts)
    return None


def asks_for_more(exchange: Exchange) -> bool:
    """Whether the message asks for more of the last answer's list."""
    return bool(_MORE.match(exchange.question) and exchange.listed)


def person_meant(exchange: Exchange, tools: Iterable[Tool]) -> Numbered | str | None:
    """Who "him" is: the one whom the last answer cites, or whom its records hold; None where that is not clear."""
    kind = next((t.covers for t in tools if t.kind is ToolKind.READ and t.takes_name in t.required and t.covers), None)
    if kind is None:
        return None
    known = exchange.cited or exchange.seeds
    cited = {n.fact.identity: n for n in known if n.fact.kind.name == kind.name}
    if len(cited) == 1:
        return next(iter(cited.values()))
    names = {name for n in exchange.cited for name in _names_in(n, kind)}
    return names.pop() if len(names) == 1 and not cited else None


def precise_name(numbered: Numbered, known: Iterable[Numbered]) -> str:
    """The record's name; with a namesake also a value that only it has: "Anna Steiner, Surgeon"."""
    fact = numbered.fact
    others = [
        n.fact for n in known
        if n.fact.kind.name == fact.kind.name and n.fact.subject == fact.subject and n.fact.key != fact.key
    ]  # fmt: skip
    held = {value_text(v) for other in others for v in other.values.values()}
    own = (str(v) for v in fact.values.values() if isinstance(v, str) and v not in held and len(v) <= 60)
    listed = (item for v in fact.values.values() if isinstance(v, tuple) for item in v)
    value = next(iter((*own, *listed)), "") if others else ""
    return f"{fact.subject}, {value}" if value else fact.subject


def _names_in(numbered: Numbered, kind: FactKind) -> Sequence[str]:
    fields = [f for f in numbered.fact.kind.fields if f.refers_to == kind.name]
    values = [numbered.fact.values.get(f.name) for f in fields]
    return [name for v in values if v for name in (v if isinstance(v, tuple) else (str(v),))]


def _asked_which(exchange: Exchange) -> bool:
    return any(exchange.past[-1].answer.rstrip().endswith(words["which"]) for words in TEXTS.values())


def _is_cut(answer: str) -> bool:
    marks = [words["more"].partition("{count}")[0] for words in TEXTS.values()]
    return any(mark in answer for mark in marks)


def _described(message: str, listed: Sequence[Numbered]) -> Numbered | None:
    """The only record that holds every word of a short message, in its values or as a field that it has."""
    wanted = [key for key in keys(message) if not is_function_word(key) and key not in _FILLING]
    if not wanted or len(keys(message)) > _MOST_WORDS or not (_ONE.match(message) or len(wanted) <= 2):
        return None
    for words in (_values_of, _fields_of):
        found = [n for n in listed if said(wanted, words(n)) == len(set(wanted))]
        if len(found) == 1:
            return found[0]
    return None


def _values_of(numbered: Numbered) -> frozenset[str]:
    """The words of its values, and of the ways to reach somebody also as German says them ("Telefon")."""
    values = numbered.fact.values.values()
    items = [german_item(item) for value in values if isinstance(value, tuple) for item in value]
    return frozenset(key for told in (*map(value_text, values), *items) for key in keys(told))


def _fields_of(numbered: Numbered) -> frozenset[str]:
    fact = numbered.fact
    named = [w for f in fact.kind.fields if f.name in fact.values for w in (*f.words, f.title)]
    return _values_of(numbered) | frozenset(key for word in named for key in keys(word))
