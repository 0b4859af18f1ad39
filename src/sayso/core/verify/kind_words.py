"""What kinds declare, in words: by which their fields are asked for and told, and their states named. Read once a kind.

Knows no record.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sayso.core.facts import FactKind, Field
from sayso.core.verify.cues import is_looked_up
from sayso.core.verify.values import Value, find_values, quote_key
from sayso.core.verify.words import fold, phrase_in, plain, stem


def field_words(declared: Field) -> frozenset[str]:
    """The phrases that ask for a field, folded; its own name among them."""
    return _phrases(declared.name, declared.words)


@lru_cache(maxsize=1024)
def _phrases(name: str, words: tuple[str, ...]) -> frozenset[str]:
    return frozenset({*(fold(w) for w in words), fold(name.replace("_", " "))})


def option_words(declared: Field) -> Mapping[str, frozenset[str]]:
    """Each wording of a field's declared options, folded, and the stored words that it may mean."""
    return _wordings(declared.options)


@lru_cache(maxsize=1024)
def _wordings(options: tuple[tuple[str, ...], ...]) -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for option in options:
        for wording in option:
            found[fold(wording)] = found.get(fold(wording), frozenset()) | {fold(option[0])}
    return found


def wording_at(wording: str, folded: str) -> int:
    """Where a wording of an option stands in folded text, or -1; German endings ("offene", "offenen") count."""
    if wording not in folded:
        return -1
    places = (phrase_in(wording + ending, folded) for ending in ("", "e", "en", "er", "es", "em", "s"))
    return next((at for at in places if at >= 0), -1)


@dataclass(frozen=True, slots=True)
class KindWords:
    """What a kind's declarations say, read once: `nouns` are the words of it and of its fields, `stems` theirs and
    those of all their phrases, `quoted` its labels and states as a quotation would give them, `labels` the values in
    the names of its fields, `numbered` the fields with a number in their label, `fields` the phrases of each."""

    nouns: frozenset[str]
    stems: frozenset[str]
    quoted: frozenset[str]
    labels: tuple[Value, ...]
    numbered: tuple[tuple[str, str, str], ...]  # the field, its label, the digits
    fields: Mapping[str, frozenset[str]]
    owners: Mapping[str, tuple[str, ...]]  # by phrase: the fields that it tells
    long: tuple[str, ...]  # the phrases that cannot be looked up
    stating: frozenset[str]  # the fields that say what a record is

    def told_in(self, said: Mapping[str, int], folded: str) -> Told:
        """By field: its phrases that stand in a text, in which so much is said, with their places."""
        places = {p: said[p] for p in self.owners.keys() & said.keys()}
        places |= {p: at for p in self.long if (at := phrase_in(p, folded)) >= 0}
        names = dict.fromkeys(name for p in places for name in self.owners[p])
        return {name: [(p, places[p]) for p in self.fields[name] if p in places] for name in names}


Told = Mapping[str, Sequence[tuple[str, int]]]


@lru_cache(maxsize=256)
def words_of_kind(kind: FactKind) -> KindWords:
    """Kinds outlive the exchanges that their records come back in."""
    fields = {f.name: field_words(f) for f in kind.fields}
    phrases = [p for told in fields.values() for p in told]
    owners = {p: tuple(name for name, told in fields.items() if p in told) for p in phrases}
    states = [p for f in kind.fields for p in option_words(f)]
    return KindWords(
        frozenset({*kind.words, *map(plain, phrases)}),
        frozenset(stem(w) for p in (*phrases, *states, *kind.words) for w in p.split()),
        frozenset(quote_key(p) for p in (*phrases, *states)),
        tuple(v for f in kind.fields for v in find_values(f.label, None, quotes=False)),
        tuple((f.name, f.label, digits.group()) for f in kind.fields if (digits := _DIGITS.search(f.label))),
        fields,
        owners,
        tuple(p for p in owners if not is_looked_up(p)),
        frozenset(f.name for f in kind.fields if f.says_what or any(p.endswith(_AS) for p in fields[f.name])),
    )


_AS = (" as", " als")
_DIGITS = re.compile(r"\d+")
