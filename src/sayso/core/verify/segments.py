# ruff: noqa: SIM102 (patterns and messages are easier to read on one line)
"""Cutting an answer into sentences, list items, headings and table rows, also while it streams.

Only the shape of text is known here. A piece is given out when no further text can change it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from sayso.core.verify.language import listed

MAX_PIECE = 2000  # a longer run without an end is cut, so that cost stays linear


class Shape(StrEnum):
    SENTENCE = "sentence"
    ITEM = "item"
    HEADING = "heading"
    ROW = "row"


@dataclass(frozen=True, slots=True)
class Piece:
    """`text` is the exact slice with the white space after it; `opens` says that its line begins here."""

    text: str
    start: int
    shape: Shape
    opens: bool


_PREFIX = re.compile(r"[ \t]{0,12}(?:(?P<item>[-*+•‣–—]|\d{1,3}[.)])[ \t]|(?P<heading>#{1,6})[ \t])")
_END = re.compile(r"(?:[.!?…]{1,8}[\"'”’»)\]*_~`】］）]{0,6}(?=\s)|[。！？]{1,8}[”’」』）】]{0,4})")
_ADDRESS = re.compile(r"[\w.+-]{1,64}@\w|https?://|www\.")
_SPACE = re.compile(r"\s*")
_CITED = re.compile(
    r"[\u2600-\u27bf\U0001f300-\U0001faff][\u2600-\u27bf\ufe0f\u200d\U0001f300-\U0001faff]{0,8}|[\[(【［（]\s?[FUfu]?\s?\d[^\])】］）\n]{0,60}[\])】］）]{1,2}[.,;]?"
)
_MAYBE_CITED = re.compile(
    r"[\u2600-\u27bf\U0001f300-\U0001faff][\u2600-\u27bf\ufe0f\u200d\U0001f300-\U0001faff]{0,8}|[\[(【［（](?:\s?[FUfu]?(?:\s?\d[^\])】］）\n]{0,60})?)?\Z"
)
_SHORT = frozenset(
    listed(
        "dr prof mr mrs ms st sir no nr vs etc approx dept inc ltd co corp jr sr hr fr bzw ca usw z.b d.h e.g i.e u.a",
        "p.m a.m tel tél bspw evtl vgl art abs m mme mlle sra srta av",
        "sog ggf inkl zzgl geb str hrsg dipl ing lic phil iur fam u.s.w s.o s.u tsd mio mrd",
        "mlles mgr env p.ex bd boul vol chap ste",
        "sig sigg sig.ra sig.na dott dott.ssa avv arch prof.ssa geom rag egr gent spett ecc p.es cfr pag",
        "pagg s.p.a s.r.l",
        "sres dra dña ud uds vd vds profa pág págs núm avda p.ej aprox ee.uu s.a s.l",
    )
)
"""Short forms of five languages, without their last full stop, that rarely end a sentence."""
_BEFORE_NUMBER = frozenset(
    listed(
        "jan feb febr mar apr jun jul aug sep sept okt oct nov dez dec déc janv févr avr juil gen ott dic ene abr",
        "kap abb fig",
    )
)
"""Those that end no sentence before a number: "Sept. 5"."""
_WORD = re.compile(r"[^\W\d_]+")
_LAST = re.compile(r"[\w.]+\Z")


class Segmenter:
    """Feed text, take the pieces that are certainly complete; `end` gives the rest."""

    def __init__(self) -> None:
        self._tail = ""
        self._start = 0
        self._opens = True
        self._shape = Shape.SENTENCE

    def feed(self, delta: str) -> list[Piece]:
        self._tail += delta
        if len(self._tail) <= MAX_PIECE and not any(c.isspace() for c in self._tail[-len(delta) - 1 :]):
            if not any(c in "。！？" for c in self._tail):
                return []
        return list(self._take(final=False))

    def end(self) -> list[Piece]:
        return list(self._take(final=True))

    def _take(self, *, final: bool) -> Iterator[Piece]:
        at = 0
        text = self._tail
        while at < len(text):
            if self._opens and not self._line_shape(text, at, final):
                break
            end = _piece_end(text, at, self._shape, final)
            if end is None:
                break
            piece = Piece(text[at:end], self._start + at, self._shape, self._opens)
            self._opens = "\n" in piece.text[len(piece.text.rstrip()) :]
            at = end
            yield piece
        self._tail = text[at:]
        self._start += at

    def _line_shape(self, text: str, at: int, final: bool) -> bool:
        """Decide what this line is; False when more text is needed to know."""
        head = text[at : at + 20]
        if not final and len(head) < 20 and "\n" not in head.lstrip("\n"):
            return False
        match = _PREFIX.match(text, at)
        stripped = head.lstrip()
        if match is not None:
            self._shape = Shape.ITEM if match["item"] else Shape.HEADING
        else:
            self._shape = Shape.ROW if stripped.startswith("|") else Shape.SENTENCE
        return True


def without_mark(text: str) -> str:
    """The text with its list mark or number blanked, of the same length."""
    match = _PREFIX.match(text)
    return " " * match.end() + text[match.end() :] if match else text


def cells(row: str) -> list[tuple[int, int]]:
    """The places of a table row's cells; none for a line that only rules it off."""
    marks = [i for i, c in enumerate(row) if c == "|"]
    if not marks or not row.strip(" |:-\n\t"):
        return []
    edges = marks if row.lstrip().startswith("|") else [-1, *marks]
    last = len(row.rstrip())
    edges = edges if edges[-1] == last - 1 else [*edges, last]
    return [(a + 1, b) for a, b in pairwise(edges)]


def segments(text: str) -> list[Piece]:
    cutter = Segmenter()
    return cutter.feed(text) + cutter.end()


def _piece_end(text: str, at: int, shape: Shape, final: bool) -> int | None:
    """The end of the piece that begins at `at`, with its white space; None: not known yet."""
    prefix = _PREFIX.match(text, at)
    body = prefix.end() if prefix else at
    body = _SPACE.match(text, body).end()  # type: ignore[union-attr]
    limit = at + MAX_PIECE
    while True:
        cut = _next_cut(text, body, min(limit, len(text)), shape)
        if cut is None:
            if len(text) > limit:
                return _forced(text, at, limit)
            return len(text) if final else None
        place, is_line = cut
        verdict = _boundary(text, at, place, is_line, shape, final)
        if isinstance(verdict, int) and not isinstance(verdict, bool):
            return verdict if verdict > at else None
        if verdict is None:
            return None
        body = max(place, body) + 1
        if body >= len(text):
            return len(text) if final else None


def _next_cut(text: str, at: int, limit: int, shape: Shape) -> tuple[int, bool] | None:
    line = text.find("\n", at, limit)
    stop = _END.search(text, at, limit if line < 0 else line + 1) if shape is not Shape.ROW else None
    if stop is not None and (line < 0 or stop.end() <= line):
        return stop.end(), False
    return (line, True) if line >= 0 else None


def _boundary(text: str, at: int, place: int, is_line: bool, shape: Shape, final: bool) -> int | bool | None:
    """The end of the piece if one ends at `place`; False if none does; None if more text must come."""
    while True:
        after = _SPACE.match(text, place).end()  # type: ignore[union-attr]
        if after >= len(text):
            return len(text) if final else None
        if not final and len(text) - after < 80 and _MAYBE_CITED.match(text, after):
            return None
        cited = None if is_line or "\n" in text[place:after] else _CITED.match(text, after)
        if cited is None:
            break
        place = cited.end()
    if is_line or "\n" in text[place:after]:
        return _line_end(text, place, after, shape)
    return _sentence_end(text, at, place, after, final)


def _line_end(text: str, place: int, after: int, shape: Shape) -> int | bool:
    soft = shape is Shape.SENTENCE and text.count("\n", place, after) == 1 and text[after - 1] == "\n"
    if soft and text[after].islower() and text[place - 1 : place] not in (".", "!", "?", ":", "]"):
        return False  # a wrapped line of prose
    return after


def _sentence_end(text: str, at: int, place: int, after: int, final: bool) -> int | bool | None:
    if text[after].islower() and not _ADDRESS.match(text, after):
        return False
    body = text[max(at, place - 40) : place].rstrip("\"'”’»)]*_~`】］）")
    if not body.endswith("."):
        return after
    word = _LAST.search(body.rstrip("."))
    last = word.group().lower() if word else ""
    if last in _BEFORE_NUMBER and text[after].isdigit():
        return False
    if last in _SHORT or (len(last) == 1 and last.isalpha()):
        return False
    if last.isdigit() and len(last) < 3:  # "12. März", "1. Item"
        following = _WORD.match(text, after)
        if following is None:
            return after
        if following.end() >= len(text) and not final:
            return None
        return False if following.group().lower()[:3] in _MONTHS3 else after
    return after


_MONTHS3 = frozenset(
    ["jan", "feb", "mär", "mar", "mai", "apr", "jun", "jul", "aug", "sep", "okt", "oct", "nov", "dez", "dec"]
)


def _forced(text: str, at: int, limit: int) -> int:
    space = text.rfind(" ", at + MAX_PIECE // 2, limit)
    return space + 1 if space > at else limit
