"""The reader of calls in text: one scan from left to right for the earliest opener of any family.

Precision comes first. A call names a tool on offer, stands where calls may stand (`places`), outside reasoning,
and is not what a record or the user said. What looks like a call and is none stays as it was written, and is
counted in `rejected`. A call that cannot be run (an unknown name, a value that was cut) is handed on with its
fault, so that the model is told; it never runs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, cast

from sayso.core.protocols.alone import bare_openers, read_alone
from sayso.core.protocols.bodies import CLOSER, Body
from sayso.core.protocols.families import GLUED, OPENERS, Family, Gate, family_of
from sayso.core.protocols.lines import BrokenCall
from sayso.core.protocols.loose_json import Broken
from sayso.core.protocols.objects import Found
from sayso.core.protocols.offer import Offer, is_no_name, plain_name
from sayso.core.protocols.places import Places, has_words
from sayso.core.protocols.thinking import OPENER as THINK
from sayso.core.protocols.thinking import leading_end, thinking_at
from sayso.core.tools import Tool

Said = Callable[[], Iterable[str]]
"""Gives the texts that a model may be repeating; asked only when something looks like a call."""

Fault = Literal["", "unknown", "broken"]
_MOST_QUIET = 128  # objects and lists of one reply that are no calls; a text with more of them is data
_MOST_REFUSED = 48  # look-alikes of one reply that are looked into; a text with more of them is about calls


@dataclass(frozen=True, slots=True)
class TextCall:
    """A call found in text: its name, its arguments as a JSON object text, and where it stood.

    With a `fault` it cannot run: its tool is unknown, or its arguments are handed on as they were written.
    """

    name: str
    arguments: str
    start: int
    end: int
    fault: Fault = ""


@dataclass(frozen=True, slots=True)
class TextReading:
    """What a reply's text holds: calls, the prose without them, and how many look-alikes were refused."""

    calls: tuple[TextCall, ...]
    prose: str
    rejected: int = 0


def read_text(text: str, tools: Mapping[str, Tool], *, cut: bool = False, said: Said = lambda: ()) -> TextReading:
    """Read a whole reply. `cut`: it was not finished, so nothing in it is a call, and the
    beginning of one is not shown.

    `said` gives what records and the user said: a call that stands there too is an echo, which is
    no call and stays in the prose.
    """
    scan = _Scan(text, tools, said)
    scan.run()
    calls = scan.calls
    heard = _Heard(calls, tools, said) if calls else None
    kept = tuple(c for c in calls if not (heard and heard.holds(text, c)))
    rejected = scan.rejected + len(calls) - len(kept)
    if cut and kept:
        shown = scan.prose_of([(kept[0].start, len(text))])
        return TextReading((), shown.strip(), rejected + len(kept))
    return TextReading(kept, scan.prose_of([(c.start, c.end) for c in kept], trim=bool(kept)), rejected)


def without_reasoning(text: str) -> str:
    """The reply without its thinking, which is never parsed and never shown."""
    return read_text(text, {}).prose


class _Scan:
    """One pass over one text."""

    def __init__(self, text: str, tools: Mapping[str, Tool], said: Said) -> None:
        self.text, self.offer, self.places, self.said = text, Offer(tools), Places(text), said
        self.calls: list[TextCall] = []
        self.hidden: list[tuple[int, int]] = []
        self.rejected = 0
        self._quiet = 0
        self._openers = openers_of(tuple(tools))
        self._glued = glued_openers_of(tuple(tools))

    def run(self) -> None:
        at = self._leading_reasoning()
        while self.rejected < _MOST_REFUSED and (opener := self._next(at)):
            if opener["think"] is not None:
                at = self._think(opener)
                continue
            if opener["quiet"] is not None and self._quiet > _MOST_QUIET:
                at = max(opener.end(), opener.start() + 1)
                continue
            before = len(self.calls)
            end = self._alone(opener) if opener["alone"] is not None else self._family(opener)
            for start, stop in {(call.start, call.end) for call in self.calls[before:]}:
                self.places.blank(start, stop)
            if end is None and len(self.calls) == before:
                self.rejected += opener["quiet"] is None
                self._quiet += opener["quiet"] is not None
            at = max(end or opener.end(), opener.start() + 1) if len(self.calls) > before or end else _past(opener)

    def _next(self, at: int) -> re.Match[str] | None:
        """The next opener. What stands right after reasoning begins a line."""
        if self.hidden and self.hidden[-1][1] == at and (glued := self._glued.match(self.text, at)):
            return glued
        return self._openers.search(self.text, at)

    def prose_of(self, spans: Sequence[tuple[int, int]], *, trim: bool = False) -> str:
        """The text without reasoning and without these spans; what only wrapped calls goes too."""
        if not spans and not self.hidden:
            return self.text
        pieces: list[str] = []
        position = 0
        for start, end in sorted([*spans, *self.hidden]):
            pieces.append(self.text[position:start])
            position = max(position, end)
        pieces.append(self.text[position:])
        prose = "".join(pieces)
        if not trim:
            return prose
        return prose.strip() if has_words(_FENCE_MARK.sub("", CLOSER.sub("", prose))) else ""

    def _leading_reasoning(self) -> int:
        """Past reasoning whose opener stood in the prompt; unless its closer is a value inside a call."""
        end = leading_end(self.text)
        if end is None or self._is_said(_TAG_AT_END, end):
            return 0
        at = 0
        while opener := self._openers.search(self.text, at, end):
            body = _body(self.text, opener, self.offer)
            if body and body[1] >= end:
                return 0
            at = max(body[1] if body else 0, opener.end(), opener.start() + 1)
        self._hide(0, end)
        return end

    def _think(self, opener: re.Match[str]) -> int:
        """Past reasoning. A mark in code, or one that a record or the user wrote, is text."""
        if self.places.in_code(opener.start()) or any(opener.group() in piece for piece in self.said()):
            return opener.end()
        span = thinking_at(self.text, opener.start())
        self._hide(span.start, span.end)
        return max(span.end, span.start + 1)

    def _hide(self, start: int, end: int) -> None:
        self.hidden.append((start, end))
        self.places.blank(start, end, fences=True)

    def _is_said(self, mark: re.Pattern[str], end: int) -> bool:
        found = mark.search(self.text[max(0, end - 40) : end])
        return found is not None and any(found.group() in piece for piece in self.said())

    def _alone(self, opener: re.Match[str]) -> int | None:
        found = read_alone(self.text, opener, self.offer, self.places)
        if found is None:
            return None
        calls, start, end = found
        self.calls += [TextCall(name, _json(arguments), start, end) for name, arguments in calls]
        return end

    def _family(self, opener: re.Match[str]) -> int | None:
        family = family_of(opener)
        start = opener.start() + len(opener.group()) - len(opener.group().lstrip())
        try:
            body = family.read(self.text, opener, self.offer)
        except Broken as wrong:
            return self._broken(family, opener, start, wrong)
        if body is None:
            return None
        found, end = body
        if not self._may_stand(family, start, end):
            self.rejected += 1
            return end  # the whole of it is an example: nothing inside is looked at
        calls = [call for one in found if (call := self._call(family, one, start, end)) is not None]
        if not calls:
            return end if any(is_no_name(one.name) for one in found) and family.gate is not Gate.LINE else None
        start, end = self._with_fence(start, end)
        self.calls += [replace(call, start=start, end=end) for call in calls]
        return end

    def _call(self, family: Family, found: Found, start: int, end: int) -> TextCall | None:
        tool = self.offer.find(found.name)
        if tool is None:
            return self._unknown(family, found, start, end)
        try:
            arguments = self.offer.arguments(found, tool)
        except Broken:
            return TextCall(tool.name, _unreadable(self.text[start:end]), start, end, "broken")
        if family.gate is Gate.LINE and found.arguments is None and not found.positional and tool.required:
            return None
        lacks = (found.arguments is None and family.gate is not Gate.LINE) or set(tool.required) - arguments.keys()
        if lacks and self._was_cut(start, end):
            return TextCall(tool.name, _unreadable(self.text[start:end]), start, end, "broken")
        return TextCall(tool.name, _json(arguments), start, end)

    def _was_cut(self, start: int, end: int) -> bool:
        """Whether the reply ends where a closer is missing: more of the call was coming."""
        if self.text[end:].strip():
            return False
        written = self.text[start:end].rstrip("` \t\n")
        if written.endswith(">"):
            tag = written.rpartition("<")[2]
            return not (tag.endswith("/>") or CLOSER.fullmatch(f"<{tag}"))
        return not written.endswith(("}", "]", ")"))

    def _unknown(self, family: Family, found: Found, start: int, end: int) -> TextCall | None:
        """A name that is not on offer is answered with near names where the envelope is unmistakable."""
        if is_no_name(found.name) or (family.gate is Gate.LINE and not found.arguments):
            return None
        if family.gate is Gate.TAG and self.places.is_mid_sentence(start):
            return None
        said = cast("object", found.arguments)
        given = _json(cast("object", said)) if isinstance(said, dict) else "{}"
        return TextCall(plain_name(found.name), given, start, end, "unknown")

    def _broken(self, family: Family, opener: re.Match[str], start: int, wrong: Broken) -> int | None:
        """A call that was cut off or cannot be read, when its name is on offer: the model is told."""
        closer = CLOSER.search(self.text, opener.end())
        end = closer.end() if closer and family.gate is not Gate.LINE else len(self.text)
        if isinstance(wrong, BrokenCall):
            name, arguments = wrong.name, wrong.arguments
        else:
            name, arguments = self._name_in(opener.end(), end), self.text[opener.end() : end]
        tool = self.offer.find(name) if name else None
        if tool is None or not self._may_stand(family, start, end):
            return None
        self.calls.append(TextCall(tool.name, _unreadable(arguments), start, end, "broken"))
        return end

    def _name_in(self, start: int, end: int) -> str:
        words = re.findall(r"[A-Za-z_][\w.\-]*", self.text[start - 60 if start > 60 else 0 : min(end, start + 400)])
        return next((word for word in words if self.offer.find(word)), "")

    def _may_stand(self, family: Family, start: int, end: int) -> bool:
        fence = self.places.fence(start)
        if fence is not None and end <= fence.end:
            return not self.places.is_example(fence, lead_in=False)
        if family.gate is not Gate.LINE and self.places.is_quoted(start, end):
            return False
        return not self.places.is_explained(start, end, marked=True, token=family.gate is Gate.TOKEN)

    def _with_fence(self, start: int, end: int) -> tuple[int, int]:
        """The marks of a fence that holds nothing else go with the call."""
        fence = self.places.fence(start)
        if fence is None or self.text[fence.inside : start].strip() or self.text[end : fence.inside_end].strip():
            return start, end
        return fence.start, max(end, fence.end)


_DECORATION = ">-*•+`\"'“_0123456789.)"
_TAG_AT_END = re.compile(r"[<\[◁][^<\[◁]*\Z")
_FENCE_MARK = re.compile(r"^[ \t]*(?:```+|~~~+)[^\n]*$", re.MULTILINE)


def _past(opener: re.Match[str]) -> int:
    return max(opener.start() + 1, opener.start() + len(opener.group().rstrip()) if opener["alone"] is None else 0)


def _body(text: str, opener: re.Match[str], offer: Offer) -> Body | None:
    """What a family reads at an opener, without a judgement on its place."""
    if opener["think"] is not None or opener["alone"] is not None:
        return None
    try:
        return family_of(opener).read(text, opener, offer)
    except Broken:
        return None


@lru_cache(maxsize=64)
def openers_of(names: tuple[str, ...]) -> re.Pattern[str]:
    """All openers of a reply to which these tools are on offer."""
    return re.compile(f"(?=[<\\[◁])(?P<think>(?i:{THINK}))|{OPENERS.pattern}|{bare_openers(names)}", re.MULTILINE)


@lru_cache(maxsize=64)
def glued_openers_of(names: tuple[str, ...]) -> re.Pattern[str]:
    """The same where reasoning has just ended."""
    return re.compile(f"(?=[<\\[◁])(?P<think>(?i:{THINK}))|{GLUED}|{bare_openers(names, '')}", re.MULTILINE)


def _unreadable(arguments: str) -> str:
    """Arguments that are handed on as they were written, and are no JSON object for certain."""
    try:
        json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments
    return f"not readable: {arguments}"


def _json(arguments: object) -> str:
    return json.dumps(arguments, ensure_ascii=False, default=str)


class _Heard:
    """What records and the user said, read once for all calls of a reply: word for word, and as calls."""

    def __init__(self, calls: Sequence[TextCall], tools: Mapping[str, Tool], said: Said) -> None:
        names = {call.name for call in calls}
        self._plain: list[str] = []
        self._calls: set[tuple[str, str]] = set()
        self._blocks: dict[tuple[int, int, bool], bool] = {}  # calls of one envelope share their words
        for piece in said():
            self._plain.append("".join(piece.split()))
            if any(name in piece for name in names):
                self._calls.update(map(_identity, read_text(piece, tools).calls))

    def holds(self, text: str, call: TextCall) -> bool:
        """Whether a call was said before: its words, or the same call in another order or spacing.

        What cannot run anyway is an echo when only its mark stands there: the words around it are the model's.
        """
        place = (call.start, call.end, bool(call.fault))
        if place not in self._blocks:
            self._blocks[place] = self._says("".join(text[call.start : call.end].split()), begun=bool(call.fault))
        return self._blocks[place] or (bool(self._calls) and _identity(call) in self._calls)

    def _says(self, block: str, *, begun: bool) -> bool:
        return any(block in plain or (begun and _begins_there(block, plain)) for plain in self._plain)


def _begins_there(block: str, plain: str) -> bool:
    """Whether a text ends with the mark that these words begin with, or with more of them."""
    block = block.lstrip(_DECORATION)
    mark = block[:12] if block[0] in "<[]" else block[: block.find("{") + 1 or 24]
    at = plain.find(mark)
    while at >= 0:
        if block[0] in "<[]" or block.startswith(plain[at:]):
            return True
        at = plain.find(mark, at + 1)
    return False


def _identity(call: TextCall) -> tuple[str, str]:
    return call.name, _in_order(call.arguments)


def _in_order(arguments: str) -> str:
    try:
        return json.dumps(json.loads(arguments or "{}"), sort_keys=True)
    except (ValueError, RecursionError):
        return arguments
