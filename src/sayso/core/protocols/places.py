"""Where in a reply a call may stand: not in code or quotations, not in what explains how calls are written.

These are rules of precision. Each looks at the text around a place, and at nothing else.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

FENCE = re.compile(r"^[ \t]*(?P<mark>```+|~~~+)[ \t]*(?P<lang>[\w+#.\-]*)[^\n]*$", re.MULTILINE)
MEANT = {"tool_code", "tool_call", "tool_calls", "tool", "tool-call", "tool_use", "function_call", "toolcall"}
"""Languages of a fence which say that its content is meant to be run."""
NEUTRAL = {"", "json", "json5", "jsonc", "jsonl", "python", "py", "text", "txt", "plaintext", "xml"}
_OPENING, _CLOSING = "\"'“‘«„", "\"'”’»“"


def _words(*alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(alternatives)})", re.IGNORECASE)


_SHOWING = _words(
    "for example", "for instance", r"e\.g\.", "as in", "an example", "examples?:", "looks? like", "like (?:this|so)",
    "such as", r"illustrat\w+", r"hypothetical\w*", "would (?:be|look|write)", "beispiel", r"z\.\s?b\.",
    "par exemple", "por ejemplo", "esempio", "sieht so aus",
)  # fmt: skip
"""What says that an example follows."""
_ABOUT = _words(
    "(?:not|never) (?:call|use|run|write|invoke|emit|send)", "syntax", "format(?:s|ted)?", "documentation", "template",
    "sample", "would (?:have|call|use|send)", r"writes?\b", "written", "schema", "payload", "specification", "means",
    "placeholder",
)  # fmt: skip
"""What also stands in sentences about the work: it counts only where the sentence runs into the call or its colon."""
_SOFT = _words(
    r"(?:examples?|would|could|should|might|can (?:use|call|write|be)|used|wrote|called)\b",
    r"(?:returned|said|logs?|error|never|not|instead|avoid|wrong|how (?:to|a|an|it|models?)|if (?:you|i)|use this)\b",
    r"(?:this code|try|models?|you (?:can|may|could)|this is)\b",
)
"""What says so unless the speaker is about to act."""
_PAST = _words(
    "earlier", "previous", "last (?:time|turn)", "before that",
    "(?:I|you|it|they|he|she|who|model) (?:wrote|called|said|sent)",
    "(?:was|were) (?:sent|called|written)", "the (?:logs?|transcript|history)", "quot(?:e|ed|ing)",
)  # fmt: skip
"""What tells of a call that was."""
_INTENT = _words(
    "I['’]ll", "I will", "let me", "let['’]s", "let us", "I am going", "I['’]m going", r"I (?:need|should|can|want)\b",
    "ich (?:werde|suche)",
)  # fmt: skip
_SAID = _words("show", "explain", "illustrate", "demonstrate", "describe", "document", r"not\b", r"never\b")
"""What a speaker may be about to do instead of acting."""
_TAIL = re.compile(
    r"[`\"'”)\]]*[ \t]*[,;:]?[ \t]*(?:is|are|was|were|means?|would|could|looks?|shows?|illustrates?|returns?|in the"
    r"|in \w+['’]s?|and then|which|form|format|syntax|to (?:call|use|invoke)|if you)\b"
)
"""What says so after it, when the same sentence goes on: a capital letter begins another."""
_AFTERWORD = re.compile(
    r"\s*(?:(?:that|this|these|those|the (?:above|call|example))\b[^.\n]{0,60}"
    r"\b(?:examples?|format|syntax|how|form|calls?|called|writes?|written|wrote|expects?)\b"
    r"|(?:the )?(?:format|syntax)\b)",
    re.IGNORECASE,
)
"""What says so in the sentence that follows."""
_LETTER = re.compile(r"[^\W_]")
_LOOK_BACK = 400
_ENDS, _CLOSINGS = (".", "!", "?", "…"), "\"'”’)]*_"
_ENDING = re.compile(r"[\s`]*(?:\Z|[<\[{])")
"""The end of a reply, or what begins the next call."""


@dataclass(frozen=True, slots=True)
class Fence:
    start: int
    inside: int
    inside_end: int
    end: int
    language: str
    closed: bool = True

    @property
    def meant(self) -> bool:
        return self.language in MEANT


class Places:
    """The places of one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._fences: tuple[Fence, ...] | None = None
        self._outside: tuple[int, int] | None = None

    def blank(self, start: int, end: int, *, fences: bool = False) -> None:
        """Reasoning and calls are not words around a place. `fences`: nor are the fences in it any."""
        gone = self._text[start:end]
        if fences and ("```" in gone or "~~~" in gone):
            self._fences = self._outside = None
        if self._outside and (start <= self._outside[0] < end or start <= self._outside[1] < end):
            self._outside = None
        self._text = self._text[:start] + "\n" * len(gone) + self._text[end:]

    def fence(self, start: int) -> Fence | None:
        """The fence that `start` is inside of."""
        fences = self.fences
        at = bisect_left(fences, start, key=_start) - 1
        return fences[at] if at >= 0 and start < fences[at].end else None

    @property
    def outside(self) -> tuple[int, int]:
        """Where the first and the last word outside of fences stand; -1 where there is none."""
        if self._outside is None:
            edges = [0, *(edge for f in self.fences if f.closed for edge in (f.start, f.end)), len(self._text)]
            found = [match.start() for match in map(self._word_in, edges[::2], edges[1::2]) if match]
            last = max(found, default=-1)
            gap_end = edges[bisect_left(edges, last + 1)] if found else 0
            while found and not self._text[gap_end - 1].isalnum():
                gap_end -= 1
            self._outside = (found[0], gap_end - 1) if found else (-1, -1)
        return self._outside

    def _word_in(self, start: int, end: int) -> re.Match[str] | None:
        return _LETTER.search(self._text, start, end)

    @property
    def fences(self) -> tuple[Fence, ...]:
        if self._fences is None:
            marks = list(FENCE.finditer(self._text))
            pairs = zip(marks[::2], [*marks[1::2], None], strict=False)
            self._fences = tuple(_fence(a, b, len(self._text)) for a, b in pairs)
        return self._fences

    def is_quoted(self, start: int, end: int) -> bool:
        """In inline code, a comment, a table or quotation marks, or in a quoted line with other words around."""
        text, before = self._text, self._line_before(start)
        if self.in_code(start) or "<!--" in before or before.lstrip().startswith("|"):
            return True
        if before.lstrip().startswith(">") and self.words_around(start, end):
            return True
        return before[-1:] in _OPENING and bool(before) and text[end : end + 1] in _CLOSING and end < len(text)

    def in_code(self, start: int) -> bool:
        """Whether an odd number of backticks stands before it on its line."""
        before = self._line_before(start)
        return before.count("`") % 2 == 1 and "```" not in before

    def _line_before(self, start: int) -> str:
        line = self._text.rfind("\n", max(0, start - _LOOK_BACK), start) + 1
        return self._text[max(line, start - _LOOK_BACK) : start]

    def is_explained(self, start: int, end: int, *, marked: bool, token: bool = False) -> bool:
        """Whether the words before or after say that this is an example, a format, or something that was.

        `marked`: it has a mark of its own, so a softer word counts only in a sentence that it is part of.
        `token`: prose does not contain its mark, so only a sentence that it is part of counts.
        """
        tail = self._text[end : end + 160]
        if _TAIL.match(tail):
            return True
        mid = self.is_mid_sentence(start)
        if token:
            return mid and _SHOWING.search(self._lead(start)) is not None
        if _AFTERWORD.match(tail):
            return True
        lead = self._lead(start)
        ended = lead.rstrip(_CLOSINGS).endswith(_ENDS)
        if ended and self._is_apart(start) and _ENDING.match(self._text, end):
            return False
        if _SHOWING.search(lead):
            return True
        acting = _INTENT.search(lead) and not _SAID.search(lead)
        if _ABOUT.search(lead) and not acting and (mid or lead.endswith(":")):
            return True
        past = _PAST.search(lead) and not (marked and ended)
        soft = (not marked or mid) and _SOFT.search(lead)
        return bool(past or soft) and not _INTENT.search(lead)

    def _is_apart(self, start: int) -> bool:
        """Whether it begins a paragraph."""
        before = self._text[max(0, start - _LOOK_BACK) : start]
        return before[len(before.rstrip()) :].count("\n") > 1

    def _lead(self, start: int) -> str:
        """The last sentence before a place; of an unfinished paragraph or of the one before."""
        lead = self._text[max(0, start - _LOOK_BACK) : start].rstrip(" \t\n`>*_-")
        lead = lead[lead.rfind("\n\n") + 1 :]
        pieces = re.split(r"(?<=[.!?])\s+", lead)
        return pieces[-1]

    def is_mid_sentence(self, start: int) -> bool:
        """Whether words without an end stand before it on its line."""
        before = self._line_before(start).strip()
        return bool(before) and before[-1].isalnum()

    def words_around(self, start: int, end: int) -> bool:
        return has_words(self._text[:start]) or has_words(self._text[end:])

    def is_example(self, fence: Fence, *, lead_in: bool) -> bool:
        """Whether a fence is shown, not meant.

        It is meant if it is all that is said; with `lead_in`, words before it may also be.
        """
        if fence.meant:
            return False
        first, last = self.outside
        if last >= fence.end:
            return True
        before = 0 <= first < fence.start
        if not lead_in:
            return before
        if before and fence.language in ("python", "py"):
            return True
        return fence.language not in NEUTRAL or (before and self.is_explained(fence.start, fence.end, marked=False))


def has_words(text: str) -> bool:
    return any(map(str.isalnum, text))


def _start(fence: Fence) -> int:
    return fence.start


def _fence(opener: re.Match[str], closer: re.Match[str] | None, length: int) -> Fence:
    inside_end, end = (closer.start(), closer.end()) if closer else (length, length)
    return Fence(opener.start(), opener.end(), inside_end, end, opener["lang"].lower(), closer is not None)
