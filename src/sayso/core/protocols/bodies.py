"""The readers of what stands inside an envelope. One set for all families, since models mix them freely.

A body is an object or a list of JSON, a call as code, a name with an object or pairs of tags, or markup. Its end
is found by reading it, never by searching for the closer. Nothing here knows which tools exist, except for the
names of parameters (which tell a parameter's tag from text).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, Protocol

from sayso.core.protocols.codelike import BRACED, read_braces, read_calls
from sayso.core.protocols.loose_json import Broken, Repeated, read_value
from sayso.core.protocols.markup import PREFIX, read_markup, read_pairs
from sayso.core.protocols.objects import Found, calls_in
from sayso.core.protocols.repair import repaired

Body = tuple[list[Found], int]


class Names(Protocol):
    """What a body reader may ask of the tools on offer."""

    @property
    def names(self) -> Collection[str]: ...

    def keys(self, name: str) -> Collection[str]: ...


_B = r"[|｜‖]{1,2}"
_U = r"[_▁ ]?"
_TAGS = (
    r"(?:tool[_-]?calls?|function[_-]?calls?|calls?|tools?|tool_use|tool_code|functions?|toolcall|invoke|tool_response)"
)
CLOSER = re.compile(
    rf"</{PREFIX}(?:{_TAGS}|\w*_?(?:tool|function)_calls?|TOOLCALL|answer|s)(?::\w+)?\s*>|<tool_call\|>|<end_function_call>"
    rf"|\[unused12\]|<end_of_tool_call(?::\w+)?>|<end_code>|\[/?(?:END_)?TOOL_(?:CALLS?|REQUEST)\](?<!\[TOOL_CALLS\])(?<!\[TOOL_CALL\])"
    rf"|<{_B}/?(?:im_end|eo[tms]_id|eom|end|call|return|endoftext|end_of_text|end▁of▁sentence|eot|end_message|action_end"
    rf"|END_ACTION|END_RESPONSE|END_OF_TURN_TOKEN|tools_suffix|python_end|tool_call_end|tool_list_end|/tool_call"
    rf"|tool{_U}calls?{_U}(?:section{_U})?end|plamo:end_[\w]+:plamo|plamo:msg|end_of_\w+|assistant|message_sep){_B}>"
    rf"|</{_B}[ ]?DSML[^<>]*>",
    re.IGNORECASE,
)  # fmt: skip
_INNER = re.compile(
    rf"<{PREFIX}{_TAGS}(?::\w+)?(?:\s+(?:id|index|type)=[^<>]*)?>|<{_B}(?:tool{_U}calls?{_U}(?:section{_U})?begin|tool_call(?:_start)?"
    rf"|plamo:begin_[\w]+:plamo|recipient|from|plugin|interpreter|content|message|open){_B}>"
    rf"|<\|tool_call>|<start_function_call>|<ifm\|tool_calls?>|(?:function|tool)(?=\s*<{_B}?tool{_U}sep{_B}?>)|<{_B}?tool{_U}sep{_B}?>",
    re.IGNORECASE,
)  # fmt: skip
_OPEN = re.compile(rf"(?:\s|```[\w]*(?=\s)|{_INNER.pattern})*", re.IGNORECASE)
_NAME = re.compile(r"(?:functions?[.:](?=\w))?(?P<name>[A-Za-z_][\w\-/]*(?:[.:][\w\-/]+)*)")
_DIVIDER = re.compile(
    r"(?:\s|<[|｜][^<>]{0,60}[|｜]>|<tool_sep(?::\w+)?>|\[ARGS\]|\[CALL_ID\][ ]?[\w\-]*"
    r"|```\w*|(?:commentary|analysis|json|code)(?=[\s{<])"
    r"|(?:with[ ])?arguments?[ ]?[:=]?(?=[\s{\"])|[:=]|</?name>)*"
)  # fmt: skip
_SURPLUS = re.compile(r"[\s}\])\"'`;,]*")
_ITEM = re.compile(r"\s*[\[,]\s*(?=\{)")
_BRACED = re.compile(BRACED)
_NAMED_ARGS = re.compile(r"[A-Za-z_][\w.\-]*\[ARGS\]")
_JOINED = re.compile(r"\s*[;,]\s*(?=\{)")
_END_OF_NAME = re.compile(r"[ \t]*[\n<]")


def read_bodies(text: str, at: int, offer: Names) -> Body | None:
    """All calls of an envelope from after its opener, and the offset after its closers.

    None when nothing there begins like a call. Raises Broken when the first one is not whole.
    """
    found: list[Found] = []
    at = _OPEN.match(text, at).end()  # pyright: ignore[reportOptionalMemberAccess]
    while True:
        try:
            body = read_body(text, at, offer)
        except Broken:
            if not found:
                raise
            break
        if body is None:
            break
        found += body[0]
        at = skip_closers(text, body[1])
        following = _OPEN.match(text, at).end()  # pyright: ignore[reportOptionalMemberAccess]
        if not _goes_on(text, at, following, closed=at > body[1]):
            break
        at = following
    return (found, at) if found else None


def _goes_on(text: str, at: int, following: int, *, closed: bool) -> bool:
    """Whether another body follows: after an inner opener, or straight after the last body."""
    if _INNER.search(text, at, following) or _NAMED_ARGS.match(text, following):
        return True
    return not closed and text[following : following + 1] in ("{", "[", "<")


def skip_closers(text: str, at: int) -> int:
    """Past closers, and past brackets and fences that stand before one."""
    while True:
        surplus = _SURPLUS.match(text, at)
        closer = CLOSER.match(text, surplus.end()) if surplus else None
        if closer is None:
            fence = re.compile(r"\s*```[ \t]*(?=\n|\Z|<)").match(text, at)
            if fence is None:
                return at
            at = fence.end()
        else:
            at = closer.end()


def read_body(text: str, at: int, offer: Names) -> Body | None:
    """The body that starts at `at`, by its first characters; None when nothing begins there."""
    first = text[at : at + 1]
    if first == "{":
        return _objects(text, at, offer)
    if first == "[":
        return _list(text, at, offer)
    if first == "<":
        one = read_markup(text, at, offer.keys)
        return ([one[0]], one[1]) if one else None
    if text.startswith("call:", at) or _BRACED.match(text, at):
        one = read_braces(text, at)
        return ([one[0]], one[1]) if one else None
    if re.compile(r"[A-Za-z_][\w.\-]*[ \t]*\(").match(text, at):
        return read_calls(text, at)
    return _named(text, at, offer)


def _objects(text: str, at: int, offer: Names) -> Body | None:
    """One object; several joined by `;` or `,` are read one after another."""
    value, end = json_at(text, at)
    found = calls_in(value, offer.names)
    while found and (joined := _JOINED.match(text, end)):
        try:
            value, after = json_at(text, joined.end())
        except Broken:
            break
        following = calls_in(value, offer.names)
        if not following:
            break
        found, end = found + following, after
    return (found, end) if found else None


def _list(text: str, at: int, offer: Names) -> Body | None:
    if re.compile(r"\[\s*[A-Za-z_][\w.\-]*\s*\(").match(text, at):
        return read_calls(text, at)
    try:
        value, end = json_at(text, at)
    except Repeated:
        raise
    except Broken:
        return whole_items(text, at, offer)
    found = calls_in(value, offer.names)
    return (found, end) if found else None


def whole_items(text: str, at: int, offer: Names) -> Body:
    """The calls of a list that was cut, as far as they are whole. Raises Broken when none is."""
    found: list[Found] = []
    while item := _ITEM.match(text, at):
        try:
            value, at = read_value(text, item.end())
        except Broken:
            break
        if text[at - 1] != "}" or not (calls := calls_in(value, offer.names)):
            break
        found += calls
    if not found:
        raise Broken("cut off")
    closer = CLOSER.search(text, at)
    return found, closer.start() if closer else len(text)


def _named(text: str, at: int, offer: Names) -> Body | None:
    """A name, what divides it from its arguments, and an object or pairs of tags; or nothing but a name."""
    name = _NAME.match(text, at)
    if name is None:
        return None
    at = _DIVIDER.match(text, name.end()).end()  # pyright: ignore[reportOptionalMemberAccess]
    given = re.sub(r":\d+$", "", name["name"])
    if text[at : at + 1] in ("{", "["):
        arguments, end = json_at(text, at)
        return [Found(given, arguments)], end
    if pairs := read_pairs(text, at):
        return [Found(given, pairs[0], typed=False)], pairs[1]
    if at >= len(text):
        raise Broken("cut off after the name")
    if not CLOSER.match(text, at) and not text.startswith("<tool_sep", at):
        return None
    return ([Found(given, {})], at) if _END_OF_NAME.match(text, name.end()) else None


def json_at(text: str, at: int) -> tuple[Any, int]:
    """The value at `at`; where it is not whole but a closer shows its end, what can be read without guessing."""
    try:
        return read_value(text, at)
    except Repeated:
        raise
    except Broken:
        closer = CLOSER.search(text, at)
        if closer is None:
            raise
    inside = text[at : closer.start()].rstrip().removesuffix("```").rstrip()
    try:
        return read_value(inside, 0, closed=True)[0], closer.start()
    except Broken:
        return repaired(inside), closer.start()
