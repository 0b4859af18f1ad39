"""What a text says, by its words: which patterns and phrases are worth trying there at all.

A set of words is compared in no time, a pattern of hundreds of alternatives is not. Nothing here decides anything:
where a cue is missing, the pattern could not have matched. Knows no language, record or rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from sayso.core.verify.words import Token, fold

_RUN = re.compile(r"[^\W_]+")
_CLOSING = {"(": 1, ")": -1}
_START = 3  # letters by which a word that goes on is known
LONGEST = 5  # words of a phrase that is looked up; longer ones are searched for
ALWAYS = ""
"""The cue that every text holds: of a pattern that does not begin with a word."""
NOT = "*n't"
"""The cue of a word that ends so."""


class Worded:
    """A pattern without case that begins with a word: `lead`, one of `alternatives`, `end`; or `also`, another such.

    It can match only where one of its `heads` is among the cues of the text.
    """

    __slots__ = ("finditer", "heads", "search")

    def __init__(self, alternatives: str, *, lead: str = r"\b", end: str = r"\b", also: str = "") -> None:
        pattern = re.compile(rf"{lead}(?:{alternatives}){end}{also and '|' + also}", re.IGNORECASE)
        self.search, self.finditer = pattern.search, pattern.finditer
        self.heads = frozenset(heads(alternatives, end)) | frozenset(heads(also) if also else ())

    def may_match(self, cues: frozenset[str]) -> bool:
        return not self.heads.isdisjoint(cues)


def cues_of(words: Iterable[Token]) -> frozenset[str]:
    """The cues of a text: its words, folded, and how they begin."""
    return _EVERY.union(*[_cues(t.text) for t in words])


_EVERY = frozenset((ALWAYS,))


@lru_cache(maxsize=16384)
def _cues(written: str) -> frozenset[str]:
    folded = fold(written)
    runs = _RUN.findall(folded)
    ending = (NOT,) if folded.endswith("n't") else ()
    return frozenset((*runs, *ending, *(f"{run[:n]}*" for run in runs for n in range(1, _START + 1))))


def heads(pattern: str, end: str = "") -> Iterator[str]:
    """The cues, one of which a text must hold for a pattern to match that begins at the start of a word.

    `end` follows on each of its alternatives.
    """
    for alternative in _alternatives(pattern):
        yield from _heads("", alternative + end)


def _heads(word: str, rest: str) -> Iterator[str]:
    """Of a pattern of which `word` is read and `rest` follows."""
    first, after = _first(rest)
    optional = after.startswith("?")
    if optional or after.startswith(("*", "{")):
        yield from _heads(word, after[1:]) if optional else _cue(word, ends=False)
        after = after[1:] if optional else ""
    if len(first) == 1 and first.isalnum() and not after.startswith(("*", "+", "{")):
        yield from _heads(word + first, after)
    elif first.startswith(("(?!", "(?=", "(?<!", "(?<=")) or (first == r"\b" and not word):
        yield from _heads(word, after)
    elif first.startswith("("):
        body = re.sub(r"^\((?:\?:|\?P<\w+>)?", "", first)[:-1]
        for alternative in _alternatives(body):
            yield from _heads(word, alternative + after)
    else:
        yield from _cue(word, ends=first in _ENDS)


_ENDS = frozenset([" ", "'", "’", "-", ",", "['’]", r"\b", r"\s", r"\W"])
"""What ends a word."""


def _cue(word: str, *, ends: bool) -> Iterator[str]:
    folded = fold(word)
    yield folded if ends or not word else f"{folded[:_START]}*"


def _first(pattern: str) -> tuple[str, str]:
    """Its first part, a letter, an escape, a class or a group, and the rest."""
    if pattern.startswith("\\"):
        return pattern[0 if pattern[1].isalnum() else 1 : 2], pattern[2:]
    end = 1
    if pattern.startswith("["):
        end = pattern.index("]", 2) + 1
    elif pattern.startswith("("):
        end = next(at for at, depth in _depths(pattern) if depth == 0) + 1
    return pattern[:end], pattern[end:]


def _alternatives(pattern: str) -> list[str]:
    cuts = [at for at, depth in _depths(pattern) if depth == 0 and pattern[at] == "|"]
    return [pattern[a:b] for a, b in zip([0, *(c + 1 for c in cuts)], [*cuts, len(pattern)], strict=True)]


def _depths(pattern: str) -> Iterator[tuple[int, int]]:
    """Each place that is neither escaped nor in a class, with how many groups are open after it."""
    depth = 0
    for m in re.finditer(r"\\.|\[\]?[^\]]*\]|.", pattern, re.DOTALL):
        if len(m.group()) == 1:
            depth += _CLOSING.get(m.group(), 0)
            yield m.start(), depth


def phrases_in(folded: str) -> dict[str, int]:
    """What is said in folded text in up to `LONGEST` words on end, each with its first place.

    A phrase that begins and ends with a word, and has no more of them, stands in the text if it is one of these.
    """
    places = [m.span() for m in _RUN.finditer(folded)]
    found: dict[str, int] = {}
    for i, (start, _) in enumerate(places):
        for _, end in places[i : i + LONGEST]:
            found.setdefault(folded[start:end], start)
    return found


def is_looked_up(phrase: str) -> bool:
    """Whether `phrases_in` finds a folded phrase."""
    return 0 < len(_RUN.findall(phrase)) <= LONGEST and phrase[0].isalnum() and phrase[-1].isalnum()
