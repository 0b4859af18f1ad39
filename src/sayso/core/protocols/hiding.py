"""Streaming prose without call text and without reasoning.

Text is passed on as soon as it cannot be the beginning of a call any more: normally the first few characters of
a line decide, and those after a `<` or a `[`. From an opener on, everything is held, and the whole reply is read
at its end (see `reading`), which is the only place where calls are made. What only looked like one (a code block
with words after it, an object of data) is passed on when that is seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from sayso.core.protocols.bodies import CLOSER
from sayso.core.protocols.codelike import read_calls
from sayso.core.protocols.families import OPENERS
from sayso.core.protocols.loose_json import Broken, read_value
from sayso.core.protocols.objects import CALL_KEYS
from sayso.core.protocols.places import MEANT, NEUTRAL, has_words
from sayso.core.protocols.thinking import OPENER as THINK
from sayso.core.protocols.thinking import closer_of

Verdict = Literal["pass", "wait", "hold", "think"]

_DECORATION = " \t*-•+>_`\"'“”0123456789.)"
_LONGEST_DECORATION = 24
_LONGEST_TAG = 96
_THINK = re.compile(rf"(?i:{THINK})")
_TAG = re.compile(rf"(?i:{THINK})|{OPENERS.pattern}", re.MULTILINE)
_SUSPECT = re.compile(
    r"[<\[\]◁\n]|>>>|\bcall:[\w.\-]{1,80}\{|functools\[|functions\.|function call<\|"
    r"|(?:commentary |analysis )?to=(?:functions|tools?)\."
)
_WORDS = (
    "functools[", "functions.", "function call<|", "commentary to=functions.", "analysis to=functions.",
    "to=functions.", ">>>", "to=tool.", "to=tools.", "assistantcommentary to=",
)  # fmt: skip
_CALL_BEGUN = re.compile(r"\bc(?:a(?:l(?:l(?::[\w.\-]{0,80})?)?)?)?\Z")
_BEGUN = frozenset(word[:size] for word in _WORDS for size in range(1, len(word)))
_BRACKETS = (
    "[TOOL_CALL", "[TOOL_REQUEST]", "[Calling tool", "[Calling function", "[Called tool", "[Called function",
    "[Using tool", "[Using function", "[Call tool", "[Call function", "[THINK]", "[unused11]", "]<]minimax[>[",
    "◁think▷",
)  # fmt: skip
_TAG_WORD = re.compile(r"<([\w.\-]*)(.?)", re.DOTALL)
_TAG_NAMES = frozenset(
    (
        "invoke", "function", "tool", "tool_call", "tool_calls", "tool_use", "tool-use", "function_call",
        "function_calls", "functions", "tools", "tool_code", "function_calling", "multi_tool_use", "functionname",
    )
)  # fmt: skip
_NAMESPACE = r"(?:print[ \t]*\([ \t]*\[?)?(?:\w+\.)*"
_NAMESPACED = re.compile(r"^(?:print[ \t]*\([ \t]*\[?)?(?:(?:functions?|default_api|tools?)\.)?")
_LINE_STARTS = ("tool", "args", "action", "✿function✿", "print(", "default_api.", "functions.", "tools.")
_TOKEN = re.compile(r"<\|\w{2,20}\|?>")  # roles and channels follow such tokens
_NAMED = re.compile(r">>>[\w.\-]{0,60}\s*")
_LONGEST_AFTER_TOKEN = 96
_OPENED = re.compile(r"<(?:[\w.\-]+:)?(?:invoke|function|tool|tool_call|tool_use|tool-use|function_call)\s*>")
_BRACED_TAG = re.compile(r"<call>(?:[\w.\-]{1,80}[ \t]*(?:\{[^{}<>\n]{0,80}(?:<(?:\|\"?\|?|e?s?c?a?p?e?))?)?)?")
_KEY = re.compile(r"[\[\s]*\{\s*(?:[\"'“]?([\w$.\- ]*)([\"'”:]?))")
_LISTED = re.compile(r"\[\s*([A-Za-z_][\w.]*)?\s*(\(?)")
_GOES_ON = re.compile(
    r"\s*(?:[\[{;,]|[A-Za-z_][\w.]*[ \t]*\Z|`{0,3}[A-Za-z_][\w.]*[ \t]*\(|```|<|TOOL|Action|Observation|\Z)"
)
_FENCE = re.compile(r"[ \t]*(?:```+|~~~+)[ \t]*([\w+#.\-]*)")


class ProseStream:
    """Fed with chunks of one reply; gives the prose that is certainly prose."""

    def __init__(self, tool_names: Iterable[str]) -> None:
        names = sorted(tool_names, key=len, reverse=True)
        self._names = frozenset(names)
        bare = "|".join(map(re.escape, names)) or "(?!)"
        self._line_call = re.compile(
            rf"(?:tool|args|action|action input)[*_`]*[ \t]*[:：]|✿FUNCTION✿|<(?:{bare})>|"
            rf"{_NAMESPACE}(?:{bare})[ \t]*(?:(?P<alone>[({{])|:\d|(?P<maybe>:?)\Z)",
            re.IGNORECASE,
        )
        self._starts = tuple(start.lower() for start in (*_LINE_STARTS, *(f"<{name}>" for name in names), *names))
        self._tail = ""  # what is not decided yet
        self._held = _Held("")
        self.holding = False  # a possible call was met: nothing is passed on unless it proves to be none
        self._line_start = True
        self._thinking: re.Pattern[str] | None = None
        self._begun, self._nested = "", False  # the mark that began it, and whether it came again within
        self._ticks = 0  # backticks of this line so far: an odd number means inside of code
        self._code = False  # inside a fence that only shows code
        self._words = False  # something was said already

    def feed(self, chunk: str) -> str:
        if self.holding:
            released = self._held.add(chunk)
            if released is None:
                return ""
            self.holding = False
            self._line_start = False
            return self._passed(released[0]) + self.feed(released[1])
        self._tail += chunk
        out: list[str] = []
        while self._tail and not self.holding:
            piece = self._step()
            if piece is None:
                break
            out.append(piece)
        return "".join(out)

    def _step(self) -> str | None:
        """One decision; None when more of the text is needed for it."""
        if self._thinking:
            return self._think()
        if self._line_start:
            return self._begin_line()
        suspect = _SUSPECT.search(self._tail)
        if suspect is None:
            return self._pass_until(self._safe_end())
        if suspect.start():
            return self._pass_until(min(suspect.start(), self._safe_end()))
        if suspect.group() == "\n":
            self._line_start, self._ticks = True, 0
            return self._pass_until(1)
        if self._ticks % 2 or self._code:
            return self._pass_until(1)
        verdict = "hold" if suspect.group()[-1] in ".[|{" and len(suspect.group()) > 1 else self._mark(self._tail)
        return self._follow(verdict, kind="call")

    def _follow(self, verdict: Verdict, kind: str) -> str | None:
        if verdict == "wait":
            return None
        if verdict == "pass":
            return self._pass_until(1)
        if verdict == "think":
            opener = _THINK.match(self._tail)
            begun = opener.group() if opener else self._tail
            self._tail, self._thinking, self._begun = self._tail[len(begun) :], closer_of(begun), begun.lower()
            return ""
        self.holding, self._held = True, _Held(kind)
        rest, self._tail = self._tail, ""
        return self.feed(rest)

    def _think(self) -> str | None:
        closer = self._thinking.search(self._tail) if self._thinking else None
        self._nested = self._nested or self._begun in self._tail[: closer.start() if closer else None].lower()
        if closer and self._nested:  # where reasoning within reasoning ends is seen in the whole reply
            self.holding, self._held, self._tail = True, _Held("call"), ""
            return None
        if closer is None:
            self._tail = self._tail[-32:]  # enough to see a closing mark that comes in pieces
            return None
        self._thinking, self._tail = None, self._tail[closer.end() :].lstrip()
        self._line_start = True
        return ""

    def _begin_line(self) -> str | None:
        line, newline, _ = self._tail.partition("\n")
        verdict, kind = self._first_of_line(line, ended=bool(newline))
        if verdict == "wait":
            return None
        self._line_start = False
        if verdict == "pass":
            return ""
        return self._follow(verdict, kind)

    def _first_of_line(self, line: str, *, ended: bool) -> tuple[Verdict, str]:
        plain = line.lstrip(" \t")
        if plain.startswith(("```", "~~~")) or (plain and "```".startswith(plain) and not ended):
            return self._fence(plain, ended=ended)
        if self._code:
            return "pass", ""
        if plain[:1] in ("{", "["):
            verdict = self._bracket(self._tail.lstrip(" \t"))
            if verdict != "pass":
                return verdict, "alone"
        stripped = line.lstrip(_DECORATION)
        if call := self._line_call.match(stripped):
            if call["maybe"] is not None:
                return ("wait", "") if not ended else self._at_end_of_line(line)
            return "hold", "alone" if call["alone"] else "call"
        low = stripped.lower()
        if not ended and self._undecided(line, low):
            return "wait", ""
        return "pass", ""

    def _at_end_of_line(self, line: str) -> tuple[Verdict, str]:
        """A tool's name alone on its line: its arguments may follow on the next."""
        following = self._tail[len(line) + 1 :].lstrip()
        if not following:
            return "wait", ""
        return ("hold", "call") if following[0] == "{" else ("pass", "")

    def _undecided(self, line: str, low: str) -> bool:
        if not low:
            return len(line) <= _LONGEST_DECORATION
        word = low.rstrip("*_` \t")
        inner = _NAMESPACED.sub("", word)
        return any(start.startswith((word, inner)) for start in self._starts)

    def _fence(self, plain: str, *, ended: bool) -> tuple[Verdict, str]:
        if not ended:
            return "wait", ""
        if self._code:
            self._code = False
            return "pass", ""
        mark = _FENCE.match(plain)
        language = mark[1].lower() if mark else ""
        if language in MEANT:
            return "hold", "call"
        if language in NEUTRAL or not self._words:
            return "hold", "fence"
        self._code = True
        return "pass", ""

    def _bracket(self, text: str) -> Verdict:
        """An object or a list at the start of a line: held if its first key is one of a call's."""
        key = _KEY.match(text)
        if key is None:
            listed = _LISTED.match(text)
            if listed is None or (listed.end() < len(text) and not listed[2]):
                return "pass"
            return "hold" if listed[2] else "wait"
        if key.end() >= len(text) and not key[2]:
            return "wait" if len(key[1] or "") < 40 else "pass"
        name = (key[1] or "").strip()
        return "hold" if name in CALL_KEYS or name in self._names else "pass"

    def _mark(self, text: str) -> Verdict:
        """What a `<`, a bracket or the like begins."""
        if text[0] in "[]◁":
            begun = [mark for mark in _BRACKETS if mark.startswith(text) or text.startswith(mark)]
            if not begun:
                return "pass"
            if any(text.startswith(mark) for mark in begun):
                return "think" if _THINK.match(text) else "hold"
            return "wait"
        if text[0] == ">":
            return "hold" if _TAG.match(text) else "wait" if _NAMED.fullmatch(text) else "pass"
        opener = _TAG.match(text)
        if opener and (opener.end() < len(text) or opener.group().endswith((">", "="))):
            return "think" if _THINK.match(text) else "hold"
        return "wait" if _may_become_a_tag(text) else "pass"

    def _safe_end(self) -> int:
        """All but what may be the beginning of a word that opens a call."""
        begun = _CALL_BEGUN.search(self._tail)
        end = begun.start() if begun else len(self._tail)
        for size in range(min(len(self._tail), 24), 0, -1):
            if self._tail[-size:] in _BEGUN:
                return min(end, len(self._tail) - size)
        return end

    def _pass_until(self, end: int) -> str | None:
        if not end:
            return None
        piece, self._tail = self._tail[:end], self._tail[end:]
        return self._passed(piece)

    def _passed(self, piece: str) -> str:
        self._ticks += piece.rpartition("\n")[2].count("`")
        self._words = self._words or has_words(piece)
        return piece


def _may_become_a_tag(text: str) -> bool:
    """Whether "<..." may still be the beginning of an opener."""
    if token := _TOKEN.match(text):
        return len(text) - token.end() < _LONGEST_AFTER_TOKEN
    if braced := _BRACED_TAG.match(text):
        return braced.end() == len(text)
    if opened := _OPENED.match(text):
        rest = text[opened.end() :].lstrip()
        return len(rest) < 16 and (not rest or rest[0] in "<{")
    if len(text) > _LONGEST_TAG or ">" in text or "\n" in text.rstrip():
        return False
    if text[1:2] in ("|", "｜", "‖"):
        return True
    word = _TAG_WORD.match(text)
    if word is None or text[1:2].isspace() or text[1:2].isdigit() or text[1:2] == "/":
        return False
    return not word[2] or word[2] in ":|Ġ" or word[1].lower() in _TAG_NAMES or word[1].lower() == "ifm"


class _Held:
    """Text that is held. `kind`: "call" holds to the end; "fence" and "alone" until it is seen to be no call."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._pieces: list[str] = []
        self._size = 0
        self._next_look = 0

    def add(self, chunk: str) -> tuple[str, str] | None:
        """What is prose after all, and what follows it; None while it may be a call."""
        self._pieces.append(chunk)
        self._size += len(chunk)
        if self._kind == "call" or self._size < self._next_look:
            return None
        text = "".join(self._pieces)
        self._pieces = [text]
        end = _end_of_fences(text) if self._kind == "fence" else _end_of_data(text)
        if end is None:
            # Looked at again after some more: a long text is not read once for each of its chunks.
            self._next_look = self._size + max(1, self._size // 8 if self._size > 400 else 1)
            return None
        if self._kind == "alone" and _TAG.search(text, 0, end):
            self._kind = "call"
            return None
        return text[:end], text[end:]


def _end_of_fences(text: str) -> int | None:
    """Where code blocks end that words follow: then they are shown, not meant."""
    marks = list(re.compile(r"^[ \t]*(?:```+|~~~+)([\w+#.\-]*)[^\n]*$", re.MULTILINE).finditer(text))
    if len(marks) < 2 or len(marks) % 2 or any(mark[1].lower() in MEANT for mark in marks):
        return None
    end = marks[-1].end()
    return end if has_words(text[end:]) else None


def _end_of_data(text: str) -> int | None:
    """Where an object or a call as code ends that words follow."""
    start = len(text) - len(text.lstrip(_DECORATION))
    try:
        if text[start] in "{[" and not re.match(r"\[\s*[A-Za-z_]", text[start:]):
            _, end = read_value(text, start)
        else:
            body = read_calls(text, text.index("[", start) if text[start] == "[" else start)
            if body is None:
                return None
            end = body[1]
    except (Broken, IndexError):
        return None
    rest = text[end:]
    if not has_words(rest) or CLOSER.match(rest.lstrip(" \t\n`})]")) or _GOES_ON.match(rest):
        return None
    return end
