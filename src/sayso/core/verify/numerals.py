"""Numbers as digits or words. Digits may be marked by any locale; words are of five languages.

Read here and not by a library: it is pure, linear, takes microseconds, keeps places, and gives every
reading that is possible ("1.350" is 1350 or 1.35), where a library decides for one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from sayso.core.verify.language.numbers import ALONE, AMBIGUOUS, AND, COUNTED, ENGLISH, MARKS, NUMERALS, Part

NUMBER_WORDS: dict[str, int] = COUNTED
SCALES = {
    "k": 1e3, "tsd": 1e3, "thousand": 1e3, "tausend": 1e3, "mille": 1e3, "mila": 1e3, "mil": 1e3, "m": 1e6, "mn": 1e6,
    "mio": 1e6, "mill": 1e6, "mln": 1e6, "million": 1e6, "millions": 1e6, "millionen": 1e6, "milione": 1e6,
    "milioni": 1e6, "millón": 1e6, "millon": 1e6, "millones": 1e6, "mia": 1e9, "bn": 1e9, "b": 1e9, "mrd": 1e9,
    "md": 1e9, "mds": 1e9, "mld": 1e9, "billion": 1e9, "milliarde": 1e9, "milliarden": 1e9, "milliard": 1e9,
    "milliards": 1e9, "miliardo": 1e9, "miliardi": 1e9,
}  # fmt: skip
_SCALED = re.compile(r"(.*?\d)\s?([^\W\d_]+)\.?")
_GAPS = re.compile(r"['’\u00a0\u202f\u2009\s]")
_WORD = re.compile(r"[^\W\d_]+")
_VOCABULARY = frozenset(word for word, (_, part) in NUMERALS.items() if part is not Part.ONE)
_THOUSANDS = re.compile(r"tausend|mila|mille")
_FALSE_FRIENDS = frozenset(["due", "sei", "otto", "once"])  # never a later part of a number
_AFTER_DIX = frozenset(["sept", "huit", "neuf"])
_JOINTS = (" ", "-")
_PER_HUNDRED = frozenset(["cent", "cento", "ciento", "cien"])


@lru_cache(maxsize=4096)
def readings(written: str) -> frozenset[float]:
    """The numbers that digits with marks may mean, by any locale's marks."""
    scale = 1.0
    match = _SCALED.fullmatch(written.strip())
    if match:
        scale = SCALES.get(match[2].lower(), 1.0)
        written = match[1]
    body = _GAPS.sub("", written)
    found: set[float] = set()
    for thousands, decimal in ((",", "."), (".", ",")):
        whole, mark, rest = body.partition(decimal)
        groups = whole.split(thousands)
        if decimal in rest or thousands in rest or not _are_groups(groups):
            continue
        try:
            found.add(round(float("".join(groups) + (f".{rest}" if mark else "")) * scale, 6))
        except ValueError:
            continue
    return frozenset(found)


def _are_groups(groups: list[str]) -> bool:
    """ "1.350" may be grouped; "0.350" and "12345.678" are not."""
    if len(groups) == 1:
        return True
    return 1 <= len(groups[0]) <= 3 and not groups[0].startswith("0") and all(len(g) == 3 for g in groups[1:])


def spelled(word: str) -> float | None:
    """The number that a text of number words is, if it is nothing else."""
    found = list(_runs(word, frozenset(_WORD.findall(word.lower()))))
    return float(found[0][2]) if len(found) == 1 and found[0][:2] == (0, len(word)) else None


def may_spell(words: frozenset[str]) -> bool:
    """Whether any of these lower-case words may be of a number; far cheaper than reading."""
    return not _VOCABULARY.isdisjoint(words) or any(len(w) > 6 and _THOUSANDS.search(w) for w in words)


def in_digits(text: str, words: frozenset[str] | None = None) -> str:
    """The text with its number words written as digits, padded by zeros to the same length.

    So that whatever reads digits also reads words, in their places. `words`: its lower-case words.
    """
    words = frozenset(_WORD.findall(text.lower())) if words is None else words
    if not may_spell(words):
        return text
    parts: list[str] = []
    at = 0
    for start, end, number in _runs(text, words):
        parts += [text[at:start], str(number).zfill(end - start)]
        at = end
    return "".join([*parts, text[at:]])


class _Run:
    """A number as its words come in: "two hundred and fifty-three thousand"."""

    __slots__ = ("current", "end", "only_one", "start", "total", "words")

    def __init__(self, start: int) -> None:
        self.start = self.end = start
        self.total = 0
        self.current: int | None = None
        self.words = 0
        self.only_one = True

    def takes(self, word: str, number: int, part: Part, end: int) -> bool:
        if self.words and not self.value:
            return False  # nothing is added to a zero
        joined = self._times(number) if part is Part.TIMES else self._plus(word, number)
        if joined is None:
            return False
        self.current = joined
        self.words += 1
        self.only_one = self.only_one and part is Part.ONE
        self.end = end
        return True

    def _plus(self, word: str, number: int) -> int | None:
        if not self.current:
            return number if self.current is None or number else None
        if self.current % 100 == 10 and word in _AFTER_DIX:
            return self.current + number
        rest = self.current % 100
        if rest == 0 and number < 100:
            return self.current + number
        if rest == 4 and word.startswith("vingt"):
            return self.current + 76
        if rest >= 20 and rest % 10 == 0 and 0 < number < 10:
            return self.current + number
        return self.current + number if rest in (60, 80) and 10 <= number < 20 else None

    def _times(self, number: int) -> int | None:
        if number < 1000:
            return (self.current or 1) * number if (self.current or 1) < 100 else None
        if 0 < self.total < number:  # "mil millones"
            self.total = (self.total + (self.current or 0)) * number
        elif self.total and self.total < number * 1000:
            return None
        else:
            self.total += (self.current or 1) * number
        return 0

    @property
    def value(self) -> int:
        return self.total + (self.current or 0)


def _runs(text: str, words: frozenset[str]) -> Iterator[tuple[int, int, int]]:
    run: _Run | None = None
    for m in _WORD.finditer(text):
        word = m.group().lower()
        found = NUMERALS.get(word) or (_long(word) if len(word) > 6 else None)
        if found is None:
            continue
        number, part = found
        beside = run is not None and _are_joined(text, run.end, m.start())
        if run and beside and word not in _FALSE_FRIENDS and run.takes(word, number, part, m.end()):
            continue
        if run:
            yield from _whole(text, run)
        run = _Run(m.start()) if word not in AMBIGUOUS or _is_meant(text, m, word, words) else None
        if run:
            run.takes(word, number, part, m.end())
    if run:
        yield from _whole(text, run)


def _are_joined(text: str, end: int, start: int) -> bool:
    """By a space, a hyphen or "and"."""
    if start - end == 1:
        return text[end] in " -"
    between = text[end:start].lower() if start - end < 8 else ""
    return between[:1] in _JOINTS and between[-1:] in _JOINTS and between[1:-1] in AND


def _whole(text: str, run: _Run) -> Iterator[tuple[int, int, int]]:
    written = text[run.start : run.end].lower()
    scale = run.words == 1 and NUMERALS.get(written, (0, Part.ADDS))[1] is Part.TIMES
    after_digit = text[max(0, run.start - 2) : run.start].strip(" -'’\u00a0")[-1:].isdigit()
    share = written in _PER_HUNDRED and text[max(0, run.start - 5) : run.start].lower().endswith(
        ("per ", "pour ", "por ")
    )
    glued = text[run.end : run.end + 1].isdigit() or (text[run.start - 1 : run.start].isdigit() and run.start > 0)
    too_long = len(str(run.value)) > run.end - run.start
    if not (run.only_one or glued or share or too_long or (scale and (after_digit or written not in ALONE))):
        yield run.start, run.end, run.value


def _long(word: str) -> tuple[int, Part] | None:
    """ "Zweitausendfünfhundert", "tremilacinquecento": thousands within one word."""
    match = _THOUSANDS.search(word)
    if match is None:
        return None
    head, rest = word[: match.start()], word[match.end() :].removeprefix("und")
    thousands = NUMERALS.get(head, (1, Part.ONE) if not head else None)
    ones = NUMERALS.get(rest, (0, Part.ADDS) if not rest else None)
    if thousands is None or ones is None or Part.TIMES in (thousands[1], ones[1]):
        return None
    return thousands[0] * 1000 + ones[0], Part.ADDS


def _is_meant(text: str, m: re.Match[str], word: str, words: frozenset[str]) -> bool:
    """Whether a word that is no number in other languages is one here."""
    following = _WORD.match(text, m.end() + 1)
    if following is not None and len(following.group()) > 3 and following.group() in MARKS[AMBIGUOUS[word]]:
        return True  # "neuf jours", whatever else is said
    if m.group()[0].isupper() or not ENGLISH.isdisjoint(words):
        return False
    if word == "sei" and (following is None or len(following.group()) < 3):
        return False  # "you are", before a small word
    return not MARKS[AMBIGUOUS[word]].isdisjoint(words)
