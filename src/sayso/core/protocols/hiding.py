"""Streaming prose without call text and without reasoning.

Text is passed on as soon as it cannot be the beginning of a call any more: normally the line's
first few characters decide. From a line that may be a call on, everything is held; the whole
reply is read at its end (see `line`), which is the only place where calls are made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_DECORATION = " \t*-•+>_`\"'“”0123456789.)"
_LONGEST_DECORATION = 24


class ProseStream:
    """Fed with chunks of one reply; gives the prose that is certainly prose."""

    def __init__(self, tool_names: Iterable[str]) -> None:
        names = "|".join(re.escape(name) for name in tool_names)
        bare = rf"|(?:{names})[ \t]*\(" if names else ""
        self._call = re.compile(rf"(?:tool[*_`]*[ \t]*[:：]|args[*_`]*[ \t]*[:：]{bare})", re.IGNORECASE)
        self._starts = tuple(s.lower() for s in ("tool", "args", *tool_names))
        self._line = ""  # the part of the current line that is still undecided
        self._passing = False  # the rest of the current line is prose
        self.holding = False  # a possible call was met: nothing more is passed on
        self._thinking = False

    def feed(self, chunk: str) -> str:
        if self.holding:
            return ""
        out: list[str] = []
        for piece in _lines(chunk):
            out.append(self._take(piece))
            if self.holding:
                break
        return "".join(out)

    def _take(self, piece: str) -> str:
        if self._passing and not self._thinking and not self._line and "<" not in piece:
            self._passing = not piece.endswith("\n")
            return piece
        self._line += piece
        return self._decide(ended=piece.endswith("\n"))

    def _decide(self, *, ended: bool) -> str:
        line = self._line
        if self._thinking:
            return self._think(line, ended)
        tag = line.find("<")
        if tag >= 0 and not self._passing_tag(line[tag:]):
            return self._open_thinking(line, tag, ended)
        if not self._passing:
            stripped = line.lstrip(_DECORATION)
            low = stripped.lower()
            if self._call.match(stripped) or line.lstrip().startswith(("```", "~~~")):
                self.holding = True
                return ""
            if not ended and self._undecided(line, low):
                return ""
        self._line, self._passing = "", not ended
        return line

    def _undecided(self, line: str, low: str) -> bool:
        if not low:
            return len(line) <= _LONGEST_DECORATION
        word = low.rstrip("*_` \t")
        return any(start.startswith(word) for start in self._starts)

    def _passing_tag(self, text: str) -> bool:
        """Whether "<..." is certainly no reasoning mark."""
        low = text.lower()
        return not any(tag.startswith(low[: len(tag)]) for tag in ("<think>", "<thinking>", "<reasoning>"))

    def _open_thinking(self, line: str, tag: int, ended: bool) -> str:
        if ended or any(line[tag:].lower().startswith(t) for t in ("<think>", "<thinking>", "<reasoning>")):
            self._thinking = True
            before, self._line = line[:tag], line[tag:]
            self._passing = False
            return before + self._think(self._line, ended)
        return ""

    def _think(self, line: str, ended: bool) -> str:
        low = line.lower()
        for tag in ("</think>", "</thinking>", "</reasoning>"):
            at = low.find(tag)
            if at >= 0:
                self._thinking, self._passing = False, False
                self._line = line[at + len(tag) :].lstrip()
                return self._decide(ended=ended) if self._line else ""
        self._line = line[-16:]  # enough to see a closing mark that comes in two chunks
        return ""


def _lines(chunk: str) -> list[str]:
    return chunk.splitlines(keepends=True) if "\n" in chunk else [chunk]
