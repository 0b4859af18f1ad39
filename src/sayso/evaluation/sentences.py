"""Sentences as the scores count them, which is not how the verifier cuts: one rule for every system that is measured.

A sentence ends at ".", "!" or "?" before white space and a capital, a digit or an opening mark, unless an
abbreviation ends there; a line never runs on into the next. What closes a quotation after the stop is in none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_STOP = re.compile(r"[.!?]")
_REST = re.compile(r"""["')\]]*\s+(?=[A-Z0-9"“(])""")
_ABBREVIATIONS = frozenset(["St", "Dr", "Mr", "Mrs", "vs", "No", "approx", "e.g", "i.e"])
_LAST_WORD = re.compile(r"(?:\b[ei]\.[ge]|\b\w+)\.$")


def scored_sentences(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each, in order; an empty line holds none."""
    start = 0
    for line in text.split("\n"):
        yield from _in_line(line, start)
        start += len(line) + 1


def _in_line(line: str, offset: int) -> Iterator[tuple[int, int]]:
    start = 0
    for stop in _STOP.finditer(line):
        rest = _REST.match(line, stop.end())
        if rest and not _abbreviated(line, start, stop.end()):
            yield offset + start, offset + stop.end()
            start = rest.end()
    if start < len(line):
        yield offset + start, offset + len(line)


def _abbreviated(line: str, start: int, end: int) -> bool:
    word = _LAST_WORD.search(line[max(start, end - 12) : end])
    if word is None:
        return False
    known = word.group()[:-1]
    return (len(known) == 1 and known.isascii() and known.isupper()) or known in _ABBREVIATIONS
