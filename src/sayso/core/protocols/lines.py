"""Calls that are lines of text: `TOOL:` and `ARGS:` as loosely as weak models write them, ReAct's `Action:`.

The name stands on the line of the key; arguments follow it there, or after a key of their own. A broken object
is handed on as it was written, so that the model is told; a name alone is a call only of a tool that needs
no arguments, which the reader of the whole reply knows.
"""

from __future__ import annotations

import re
from typing import Any

from sayso.core.protocols.bodies import Body, Names, json_at, read_bodies
from sayso.core.protocols.codelike import read_arguments, signature_end
from sayso.core.protocols.loose_json import Broken
from sayso.core.protocols.objects import Found

_DECORATION = r"[ \t]*(?:(?:[-*•+>]|\d{1,2}[.)])[ \t]+)*[*_`\"'“”]*"
_ARGS = rf"{_DECORATION}(?:ARG(?:S|UMENTS)?|PARAM(?:S|ETERS)?|Action[ ]Input|Input|✿ARGS✿)[*_`]*[ \t]*[:：][*_`]*[ \t]*"
_ARGS_LINE = re.compile(_ARGS, re.IGNORECASE)
_NAME = re.compile(r"[ \t]*[*_`\"'“]*(?P<name>[A-Za-z_][\w\-]*(?:\.[\w\-]+)*)(?:<[^<>\s]*>)?[*_`\"'”]*[ \t]*")
_FENCE = re.compile(r"[ \t]*(```+|~~~+)[^\n{\[]*")
_FENCE_END = re.compile(r"\s*(```+|~~~+)[ \t]*(?=\n|\Z|<)")
_END_CODE = re.compile(r"\s*<end_(?:code|action|of_turn)>")
_KEYWORDS = re.compile(r"[A-Za-z_]\w*[ \t]*=")
_OBSERVATION = re.compile(
    r"\s*^[ \t]*[*_]*(?:Observation|✿RESULT✿|Result)[*_]*[ \t]*[:：]", re.MULTILINE | re.IGNORECASE
)
_NEXT_LINE = re.compile(r"^[ \t]*(?:Thought|Observation|Action|Final Answer|✿)", re.MULTILINE)
_REST = "*_`\"'”.) \t"


def read_tool_line(text: str, opener: re.Match[str], offer: Names) -> Body | None:
    name = _NAME.match(text, opener.end())
    if name is None:
        return None
    return _after_name(text, name, offer)


def read_action_line(text: str, opener: re.Match[str], offer: Names) -> Body | None:
    """ReAct: a name and an input, `name[input]`, `name(...)`, or a fenced object with both."""
    at = _space(text, opener.end())
    if text[at : at + 1] in ("{", "[") or _FENCE.match(text, at):
        return _stopped(text, read_bodies(text, at, offer))
    name = _NAME.match(text, opener.end())
    if name is None:
        return None
    end = name.end()
    if text[end : end + 1] == "[":
        closer = text.find("]", end)
        if closer < 0 or "\n" in text[end:closer]:
            return None
        return _stopped(text, ([Found(name["name"], text[end + 1 : closer])], closer + 1))
    found = _after_name(text, name, offer, words=True)
    return _stopped(text, found) if found else None


def read_qwen_line(text: str, opener: re.Match[str], offer: Names) -> Body | None:
    name = _NAME.match(text, opener.end())
    found = _after_name(text, name, offer, words=True) if name else None
    return _stopped(text, found) if found else None


def _stopped(text: str, body: Body | None) -> Body | None:
    """What a model writes after `Observation:` it has made up itself: nothing of it is read."""
    if body is None:
        return None
    found, end = body
    return (found, len(text)) if _OBSERVATION.match(text, end) else (found, end)


def _after_name(text: str, name: re.Match[str], offer: Names, *, words: bool = False) -> Body | None:
    given, at = name["name"], name.end()
    line_end = text.find("\n", at)
    line_end = line_end if line_end >= 0 else len(text)
    inline: tuple[Found, int] | None = None
    unread = text[at : at + 1] == "("
    if text[at : at + 1] == "(":
        inline = _parenthesised(text, at, given, offer)
        at = inline[1] if inline else line_end
    label = _label(text, at)
    if label is not None:
        followed = _labelled(text, label, given, words=words)
        if followed is not None:
            return [followed[0]], followed[1]
    elif text[_space(text, at) : _space(text, at) + 1] == "{":
        return _object(text, _space(text, at), given)
    if inline is not None and (inline[0].arguments or inline[0].positional):
        return [inline[0]], inline[1]
    if inline is None and unread and label is None:
        return None
    if text[at:line_end].strip(_REST) and label is None:
        return None
    return [Found(given)], label if label is not None else line_end


def _label(text: str, at: int) -> int | None:
    """The offset after an ARGS key, on the same line or a following one."""
    label = _ARGS_LINE.match(text, _space(text, at)) or _ARGS_LINE.match(text, at)
    return label.end() if label else None


def _labelled(text: str, at: int, name: str, *, words: bool) -> tuple[Found, int] | None:
    """The arguments after their key: an object (fenced or not), a text with JSON, keywords, or one text."""
    fence = _FENCE.match(text, _space(text, at))
    start = _space(text, fence.end()) if fence else _space(text, at)
    if text[start : start + 1] in ("{", "["):
        body = _object(text, start, name)
        return body[0][0], _past_fence(text, body[1], fenced=fence is not None)
    line_end = text.find("\n", at)
    line = text[at : line_end if line_end >= 0 else len(text)].strip()
    end = line_end if line_end >= 0 else len(text)
    if _KEYWORDS.match(line):
        try:
            (_, keywords), _ = read_arguments(line + ")", 0)
        except Broken:
            return None
        return Found(name, keywords), end
    if line[:1] in "\"'“" and len(line) > 1:
        return Found(name, _unquoted(line)), end
    if line and words and not fence:
        return Found(name, _words(text, at)), _end_of_words(text, at)
    return None


def _unquoted(line: str) -> Any:
    try:
        value, _ = json_at(line, 0)
    except Broken:
        return None
    return value


def _end_of_words(text: str, at: int) -> int:
    following = _NEXT_LINE.search(text, at)
    return following.start() if following else len(text)


def _words(text: str, at: int) -> str:
    return text[at : _end_of_words(text, at)].strip()


def _object(text: str, at: int, name: str) -> Body:
    try:
        value, end = json_at(text, at)
    except Broken:  # handed on as it is: its arguments do not fit, and the example comes back
        raise BrokenCall(name, text[at:]) from None
    return [Found(name, value)], end


class BrokenCall(Broken):
    """A call with a name and arguments that were cut off or cannot be read."""

    def __init__(self, name: str, arguments: str) -> None:
        super().__init__("cut off")
        self.name, self.arguments = name, arguments


def _past_fence(text: str, at: int, *, fenced: bool) -> int:
    closing = _FENCE_END.match(text, at) if fenced else None
    end = closing.end() if closing else at
    code = _END_CODE.match(text, end)
    return code.end() if code else end


def _parenthesised(text: str, at: int, name: str, offer: Names) -> tuple[Found, int] | None:
    """Arguments in parentheses, or the catalogue's own parameter names copied into them (then none)."""
    if (end := signature_end(text, at + 1, offer.keys(name))) is not None and not _has_values(text[at + 1 : end - 1]):
        return Found(name, {}), end
    try:
        (positional, keywords), end = read_arguments(text, at + 1)
    except Broken:
        return None
    return Found(name, keywords, positional=positional), end


def _has_values(inside: str) -> bool:
    """Numbers are values; words are names of parameters or of types."""
    return bool(re.search(r"(?<![\w.])\d", inside))


def _space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at
