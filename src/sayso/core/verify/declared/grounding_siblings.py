"""Numbers that records keep side by side, inferred from the fields' names alone: what no lexicon needs to say.

Fields whose paths differ in one step ("home.total", "away.total") are told as a pair ("4-1"); a field that
ends in a digit ("round2") is told by an ordinal ("in the second round"). No domain is known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, combinations

from sayso.core.verify.declared.grounding_numbers import as_number
from sayso.core.verify.index import Entry
from sayso.core.verify.values import NUMBER_WORDS
from sayso.core.verify.words import Token, plain

PAIR = re.compile(r"(?<![\w.,:-])(\d{1,3})\s?[-–—]\s?(\d{1,3})(?![\w:%°]|[-–.,]\d|\s[%°])")
_NUMBERED = re.compile(r"([A-Za-z]{3,20})(\d)")
_ORDINALS: Mapping[str, int] = {
    plain(word): n
    for n, words in enumerate(("first 1st", "second 2nd", "third 3rd", "fourth 4th", "fifth 5th"), 1)
    for word in words.split()
}
_COUNTS = {plain(w): n for w, n in NUMBER_WORDS.items()} | {"one": 1, "no": 0}
_MOST = 6  # fields side by side: more are a list
_NEAR = 8  # words between a number and its ordinal

Group = tuple[int, tuple[str, ...]]


class Siblings:
    """The pairs and the numbered fields of some records; linear in their size."""

    def __init__(self, records: Sequence[Entry]) -> None:
        self._pairs: set[tuple[float, float]] = set()
        self._numbered: dict[tuple[str, int], set[float]] = {}
        for entry in records:
            told = entry.numbered.fact.values.items()
            whole = {n: number for n, v in told if type(v) is int and (number := as_number(v)) is not None}
            self._add_pairs({tuple(n.split(".")): v for n, v in whole.items()})
            self._add_pairs(_stands(whole))
            self._add_numbered(whole)

    def check(self, text: str, words: Sequence[Token]) -> Iterator[tuple[int, int]]:
        if self._pairs:
            for m in PAIR.finditer(text):
                if _sorted(float(m[1]), float(m[2])) not in self._pairs:
                    yield m.start(), m.end()
        if self._numbered:
            yield from self._ordinals(words)

    def _ordinals(self, words: Sequence[Token]) -> Iterator[tuple[int, int]]:
        """ "2 goals in the third period": a number with its ordinal right after it."""
        for at, token in enumerate(words[:-1]):
            place = _ORDINALS.get(token.word)
            held = self._numbered.get((words[at + 1].word, place)) if place else None
            if held is None:
                continue
            for before in reversed(words[max(0, at - _NEAR) : at]):
                if before.word in _ORDINALS:
                    break
                number = float(before.text) if before.text.isdecimal() else _COUNTS.get(before.word)
                if number is not None:
                    if number not in held:
                        yield before.start, before.end
                    break

    def _add_pairs(self, paths: Mapping[tuple[str, ...], float]) -> None:
        groups: dict[Group, list[float]] = {}
        for path, value in paths.items():
            if len(path) > 1:
                for at in range(len(path)):
                    groups.setdefault((at, path[:at] + path[at + 1 :]), []).append(value)
        for values in groups.values():
            if len(values) <= _MOST:
                self._pairs |= {_sorted(a, b) for a, b in combinations(values, 2)}

    def _add_numbered(self, whole: Mapping[str, float]) -> None:
        for name, value in whole.items():
            match = _NUMBERED.fullmatch(name.rsplit(".", 1)[-1])
            if match is not None:
                self._numbered.setdefault((plain(match[1]), int(match[2])), set()).add(value)


def _stands(whole: Mapping[str, float]) -> dict[tuple[str, ...], float]:
    """What numbered fields come to, one after another."""
    runs: dict[tuple[str, str], list[tuple[int, float]]] = {}
    for name, value in whole.items():
        owner, _, leaf = name.rpartition(".")
        match = _NUMBERED.fullmatch(leaf)
        if match is not None:
            runs.setdefault((owner, match[1]), []).append((int(match[2]), value))
    return {
        (owner, f"{noun}{number}"): total
        for (owner, noun), run in runs.items()
        for (number, _), total in zip(sorted(run), accumulate(v for _, v in sorted(run)), strict=True)
    }


def _sorted(a: float, b: float) -> tuple[float, float]:
    return (a, b) if a <= b else (b, a)
