"""Citations in any bracket shape. Knows how a ref is written, not what it refers to."""

from __future__ import annotations

import re
from dataclasses import dataclass

_OPEN, _CLOSE = "[({【［（〔〈＜「『<", "])}】］）〕〉＞」』>"
_REF = r"[FUfu]\s?\d{1,7}"
_LIST = rf"{_REF}(?:\s{{0,3}}(?:[,;、，/&+]|and|und|bis|to|[-–—‑])\s{{0,3}}(?:{_REF}|\d{{1,7}}(?!\w))){{0,40}}"
_CITATION = re.compile(
    rf"[{re.escape(_OPEN)}]{{1,2}}\s{{0,3}}(?:(?:ref|source|siehe|see|quelle)[:.]?\s)?(?P<a>{_LIST})\s{{0,3}}[{re.escape(_CLOSE)}]{{0,2}}"
    rf"|(?<!\w)(?P<b>{_LIST})\s{{0,3}}[{re.escape(_CLOSE)}]{{1,2}}",
    re.IGNORECASE,
)
_PART = re.compile(r"(?P<range>[-–—‑]|bis|to)|(?P<letter>[FUfu])?\s?(?P<number>\d{1,7})", re.IGNORECASE)
_MAX_RANGE = 200


@dataclass(frozen=True, slots=True)
class Citation:
    start: int
    end: int
    refs: tuple[str, ...]


def citations(text: str) -> tuple[Citation, ...]:
    """Every citation with its place; ranges are written out, refs are upper case."""
    return tuple(Citation(m.start(), m.end(), _refs(m["a"] or m["b"])) for m in _CITATION.finditer(text))


def cited_refs(text: str) -> tuple[str, ...]:
    """The refs that a text cites, each once, in order: [F1], [F1, F2], [F1-F3], (F1), 【F1】, F1】 ..."""
    return tuple(dict.fromkeys(ref for c in citations(text) for ref in c.refs))


def _refs(written: str) -> tuple[str, ...]:
    refs: list[str] = []
    letter, open_range = "F", False
    for part in _PART.finditer(written):
        if part["range"]:
            open_range = bool(refs)
            continue
        letter = (part["letter"] or letter).upper()
        number = int(part["number"])
        first = int(refs[-1][1:]) + 1 if open_range else number
        if open_range and not 0 <= number - first < _MAX_RANGE:
            first = number
        refs += [f"{letter}{n}" for n in range(first, number + 1)]
        open_range = False
    return tuple(refs)
