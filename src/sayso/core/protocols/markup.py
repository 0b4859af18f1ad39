"""Calls as XML-like markup: a tag with the tool's name, and a tag or a pair of tags for each parameter.

Values are raw texts. A newline each side belongs to the markup, everything else to the value; entities are
not decoded. A value ends at the closer that is followed by a tag which may follow it, so that markup inside a
value is data. Prefixes (`ns:`, DSML bars, `ifm|`) and suffixes (`:opensource`) of tags do not matter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any

from sayso.core.protocols.loose_json import Broken, read_value
from sayso.core.protocols.objects import Found

Keys = Callable[[str], Collection[str]]
"""The parameter names of a tool; empty when the tool is unknown."""

PREFIX = r"(?:[\w.\-]+[:|]|[|｜‖]{1,4}[ ]?DSML[ ]?[|｜‖]{1,4}[ ]?)?"
_SUFFIX = r"(?::\w+)?"
_GAP = r"[\sĠ]*"
_ATTRIBUTE = rf"{_GAP}(?:name|tool|function)?{_GAP}[=(][ ]?[\"'“]?(?P<{{}}>[^\"'“”<>\n()]+?)[\"'”]?[)]?"
_CALL = re.compile(
    rf"<{PREFIX}(?:invoke|function|tool|tool_call|function_call|tool_use)"
    rf"{_ATTRIBUTE.format('name')}(?:\s+[\w.\-]+=\"[^\"]*\")*[ ]?(?P<closed>/?)(?P<end>>|(?=[ ]*[{{(\[,]))"
)  # fmt: skip
_CALL_END = re.compile(rf"\s*</{PREFIX}(?:invoke|function|tool|tool_call|function_call|tool_use)\b{_SUFFIX}\s*>?")
_PARAMETER = re.compile(
    rf"\s*<{PREFIX}(?:parameter|param|argument|arg){_ATTRIBUTE.format('key')}"
    rf"(?:\s+(?:string=\"(?P<string>true|false)\"|[\w.\-]+=\"[^\"]*\"))*\s*(?P<closed>/?)>"
)  # fmt: skip
_VALUE_END = re.compile(rf"</{PREFIX}(?:parameter|param|argument|arg)(?:\s*/?\d*>|\s*(?=</)|=[^>]*>)")
_NEXT = re.compile(
    rf"\s*(?:\Z|<{PREFIX}(?:parameter|param|argument|arg)[\sĠ=n]|"
    rf"</?{PREFIX}(?:invoke|function|tool|tool_calls?|function_calls?|tool_use|calls?|dots_function_call)"
    rf"{_SUFFIX}[\s>=]|</{PREFIX}(?:parameters|arguments|args|input|params)\s*>|</?[|｜‖]|<\||\]<\])"
)  # fmt: skip
_STOP = re.compile(rf"<{PREFIX}(?:parameter|param)[\sĠ=]|</{PREFIX}(?:invoke|function)\s*>|</{PREFIX}tool_calls?\s*>")
_BREAK, _BREAK_AT_END = re.compile(r"\r?\n"), re.compile(r"\r?\n\Z")
_CDATA = re.compile(r"\s*<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_WRAPPER = re.compile(rf"\s*<{PREFIX}(parameters|arguments|args|input|params)\s*>")
_NAME_ELEMENT = re.compile(
    rf"\s*<{PREFIX}(?P<tag>tool_name|name|function_name|tool|function)\s*>\s*(?P<name>[\w.\-]+)\s*</{PREFIX}(?P=tag)\s*>"
)
_UNNAMED = re.compile(
    rf"<{PREFIX}(?:invoke|function|tool|tool_call|function_call|tool_use)\s*>(?={_NAME_ELEMENT.pattern})"
)
_ELEMENT = re.compile(r"\s*<(?P<key>[A-Za-z_][\w.\-]*)>")
_PAIR_KEY = re.compile(rf"\s*<{PREFIX}arg_key{_SUFFIX}>(?P<key>.*?)</{PREFIX}arg_key{_SUFFIX}>\s*"
                       rf"(?:<{PREFIX}arg_type{_SUFFIX}>(?P<type>\w*)</{PREFIX}arg_type{_SUFFIX}>\s*)?"
                       rf"<{PREFIX}arg_value{_SUFFIX}>", re.DOTALL)  # fmt: skip
_PAIR_END = re.compile(rf"</{PREFIX}arg_value{_SUFFIX}>")
_PAIR_NEXT = re.compile(rf"\s*(?:\Z|<{PREFIX}arg_key|</?{PREFIX}tool_calls?|</?function|<\|)")


def read_markup(text: str, at: int, keys: Keys) -> tuple[Found, int] | None:
    """The call whose tag stands at `at`; None when there is none. Raises Broken when it is not whole."""
    unnamed = _UNNAMED.match(text, at)
    if unnamed or _NAME_ELEMENT.match(text, at):
        return _read_named_inside(text, unnamed.end() if unnamed else at)
    opener = _CALL.match(text, at)
    if opener is None:
        return None
    name, end = opener["name"].strip(), opener.end()
    if opener["closed"]:
        return Found(name, {}), end
    body = re.compile(r"[\s,(>]*").match(text, end).end()  # pyright: ignore[reportOptionalMemberAccess]
    if text[body : body + 1] in ("{", "[") and not _PARAMETER.match(text, end):
        arguments, end = read_value(text, body)
        end = re.compile(r"[\s)>]*(?=</|\Z)|").match(text, end).end()  # pyright: ignore[reportOptionalMemberAccess]
        return Found(name, arguments), _after(_CALL_END, text, end)
    arguments, end = _parameters(text, end, keys(name))
    if not arguments and not _NEXT.match(text, end):
        return None  # a tag that is talked about
    if not arguments and not text[end:].strip():
        raise Broken("cut off after the name")
    return Found(name, arguments, typed=False), _after(_CALL_END, text, end)


def _read_named_inside(text: str, at: int) -> tuple[Found, int]:
    """The name in an element of its own, arguments in another: as elements, or as JSON."""
    given = _NAME_ELEMENT.match(text, at)
    assert given is not None, "the opener looked ahead for it"
    name, end = given["name"], given.end()
    wrapper = _WRAPPER.match(text, end)
    if wrapper is None:
        arguments, end = read_elements(text, end, ())
        return Found(name, arguments, typed=False), _after(_CALL_END, text, end)
    body = _space(text, wrapper.end())
    if text[body : body + 1] == "{":
        arguments, end = read_value(text, body)
        found = Found(name, arguments)
    else:
        arguments, end = read_elements(text, wrapper.end(), ())
        found = Found(name, arguments, typed=False)
    closer = re.compile(rf"\s*</{PREFIX}{wrapper[1]}\s*>")
    return found, _after(_CALL_END, text, _after(closer, text, end))


def _parameters(text: str, at: int, known: Collection[str]) -> tuple[dict[str, Any], int]:
    found: dict[str, Any] = {}
    wrapper = _WRAPPER.match(text, at)
    if wrapper and wrapper[1] not in known:
        at = wrapper.end()
        body = _space(text, at)
        if text[body : body + 1] == "{":
            found, at = read_value(text, body)
        elif not _PARAMETER.match(text, at):
            found, at = read_elements(text, at, known)
        else:
            found, at = _parameters(text, at, known)
        return found, _after(re.compile(rf"\s*</{PREFIX}{wrapper[1]}\s*>"), text, at)
    while opener := _PARAMETER.match(text, at):
        raw, at = ("", opener.end()) if opener["closed"] else _value(text, opener.end(), known)
        value: Any = _json(raw) if opener["string"] == "false" else raw
        _put(found, opener["key"].strip(), value)
    if not found and _ELEMENT.match(text, at):
        return read_elements(text, at, known)
    return found, at


def _put(found: dict[str, Any], key: str, value: Any) -> None:
    if key in found and found[key] != value:
        raise Broken("a parameter twice")
    found[key] = value


def _json(raw: str) -> Any:
    try:
        value, end = read_value(raw.strip(), 0, closed=True)
    except Broken:
        return raw
    return value if not raw.strip()[end:].strip() else raw


def _value(text: str, at: int, known: Collection[str]) -> tuple[str, int]:
    """A parameter's raw text and the offset after its closer."""
    if cdata := _CDATA.match(text, at):
        return cdata[1], _after(re.compile(rf"\s*{_VALUE_END.pattern}"), text, cdata.end())
    inner = _next_known(text, at, known)
    for closer in _VALUE_END.finditer(text, at):
        if inner is not None and inner < closer.start():
            return _trimmed(text[at:inner], closed=False), inner
        if _NEXT.match(text, closer.end()):
            return _trimmed(text[at : closer.start()]), closer.end()
    if stop := _STOP.search(text, at):
        return _trimmed(text[at : stop.start()], closed=False), stop.start()
    raise Broken("cut off")


def _next_known(text: str, at: int, known: Collection[str]) -> int | None:
    """Where another parameter of this tool begins: a closer before it was left out."""
    for opener in _PARAMETER.finditer(text, at):
        if opener["key"] in known:
            return opener.start()
        return None
    return None


def read_elements(text: str, at: int, known: Collection[str]) -> tuple[dict[str, Any], int]:
    """`<query>x</query><limit>3</limit>`: elements named after the parameters, those of `known` where it says any."""
    found: dict[str, Any] = {}
    while (opener := _ELEMENT.match(text, at)) and (not known or opener["key"] in known):
        closer = f"</{opener['key']}>"
        end = text.find(closer, opener.end())
        if end < 0:
            raise Broken("cut off")
        _put(found, opener["key"], _trimmed(text[opener.end() : end]))
        at = end + len(closer)
    return found, at


def read_pairs(text: str, at: int) -> tuple[dict[str, Any], int] | None:
    """`<arg_key>K</arg_key><arg_value>V</arg_value>` pairs; None when there are none."""
    found: dict[str, Any] = {}
    while key := _PAIR_KEY.match(text, at):
        raw, at = _pair_value(text, key.end())
        _put(found, key["key"].strip(), raw if key["type"] in (None, "", "string") else _json(raw))
    return (found, at) if found else None


def _pair_value(text: str, at: int) -> tuple[str, int]:
    for closer in _PAIR_END.finditer(text, at):
        if _PAIR_NEXT.match(text, closer.end()):
            return _trimmed(text[at : closer.start()]), closer.end()
    raise Broken("cut off")


def read_element_call(text: str, at: int, name: str, known: Collection[str]) -> tuple[Found, int] | None:
    """`<find><query>x</query></find>`: the tag is the tool's name. None when it is not whole."""
    try:
        arguments, end = read_elements(text, at + len(name) + 2, known)
    except Broken:
        return None
    end = _space(text, end)
    closer = f"</{name}>"
    return (Found(name, arguments, typed=False), end + len(closer)) if text.startswith(closer, end) else None


def _trimmed(raw: str, *, closed: bool = True) -> str:
    """Without the newlines that belong to the markup: one after the opener and one before the closer, or neither.

    Without a closer, the one before the next tag belongs to that.
    """
    begun = _BREAK.match(raw)
    at = begun.end() if begun else 0
    end = _BREAK_AT_END.search(raw, at)
    if closed and not (begun and end):
        return raw
    return raw[at : end.start() if end else len(raw)]


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at
