"""Calls whose parts are divided by tokens of their own: MiniMax M3's elements and Kimi K3's sections."""

from __future__ import annotations

import re
from typing import Any, cast

from sayso.core.protocols.loose_json import Broken, read_value
from sayso.core.protocols.objects import Found

M3 = "]<]minimax[>["
_M3_PIECE = re.compile(r"<(?P<end>/?)(?P<tag>[\w.\-]+)(?:\s+name=\"(?P<name>[^\"]+)\")?\s*>(?P<text>.*)", re.DOTALL)
_K3_CALL = re.compile(r"\s*<\|open\|>call\s+tool=\"(?P<name>[^\"]+)\"[^<]*<\|sep\|>")
_K3_ARGUMENT = re.compile(
    r"\s*<\|open\|>argument\s+key=\"(?P<key>[^\"]+)\"(?:\s+type=\"(?P<type>\w+)\")?[^<]*<\|sep\|>"
    r"(?P<value>.*?)<\|close\|>argument<\|sep\|>",
    re.DOTALL,
)
_K3_END = re.compile(r"\s*<\|close\|>call<\|sep\|>|\s*(?=\Z|<\|close\|>tools)")
_K3_SECTION = re.compile(r"\s*<\|close\|>tools<\|sep\|>|\s*<\|open\|>tools<\|sep\|>")


def read_m3(text: str, at: int) -> tuple[list[Found], int]:
    """The invocations from `at`, where the token stands. Raises Broken when none is whole."""
    found: list[Found] = []
    stack: list[tuple[str, dict[str, Any], str]] = []
    name = ""
    end = at
    while text.startswith(M3, at):
        following = text.find(M3, at + len(M3))
        piece = _M3_PIECE.match(text[at + len(M3) : following if following >= 0 else len(text)])
        if piece is None:
            raise Broken("no tag after the token")
        if not piece["end"]:
            name = piece["name"] or name
            stack.append((piece["tag"], {}, piece["text"]))
        elif stack and stack[-1][0] == piece["tag"]:
            tag, held, said = stack.pop()
            if tag == "invoke":
                found.append(Found(name, held, typed=False))
            elif stack:
                _hold(stack[-1][1], tag, _held(held, said))
        else:
            break
        end = at + len(M3) + len(piece[0]) - len(piece["text"])
        if piece["end"] and not stack:
            break
        at = following if following >= 0 else len(text)
    if not found:
        raise Broken("no whole call")
    return found, end


def _held(held: dict[str, Any], said: str) -> Any:
    if not held:
        return said
    if held.keys() == {"item"}:
        items: Any = held["item"]
        return cast("list[Any]", items) if isinstance(items, list) else [items]
    return held


def _hold(parent: dict[str, Any], tag: str, value: Any) -> None:
    """An element that comes again makes a list of its values."""
    if tag not in parent:
        parent[tag] = value
    elif isinstance(parent[tag], list):
        parent[tag].append(value)
    else:
        parent[tag] = [parent[tag], value]


def read_k3(text: str, at: int) -> tuple[list[Found], int]:
    found: list[Found] = []
    at = _after(_K3_SECTION, text, at)
    while call := _K3_CALL.match(text, at):
        at = call.end()
        arguments: dict[str, Any] = {}
        while argument := _K3_ARGUMENT.match(text, at):
            arguments[argument["key"]] = _typed(argument["value"], argument["type"])
            at = argument.end()
        end = _K3_END.match(text, at)
        if end is None:
            break
        found.append(Found(call["name"], arguments, typed=False))
        at = end.end()
    if not found:
        raise Broken("no whole call")
    return found, _after(_K3_SECTION, text, at)


_SOLAR_NAME = re.compile(r"[ \t]*(?P<name>[\w.\-]+)[ \t]*(?=\n|<\|)")
_SOLAR_ARGUMENT = re.compile(
    r"\s*<\|tool_arg:start\|>(?P<key>[^<\n]+)<\|tool_arg:value\|>(?P<value>.*?)"
    r"(?:<\|tool_arg:end\|>|(?=<\|tool_arg:start\|>|<\|tool_call:(?:end|start)\|>))",
    re.DOTALL,
)
_SOLAR_END = re.compile(r"\s*<\|tool_call:end\|>")


def read_solar(text: str, at: int) -> tuple[list[Found], int] | None:
    """One call: its name on a line, then an argument after another."""
    name = _SOLAR_NAME.match(text, at)
    if name is None:
        return None
    at = name.end()
    arguments: dict[str, Any] = {}
    while argument := _SOLAR_ARGUMENT.match(text, at):
        arguments.setdefault(argument["key"].strip(), argument["value"])
        at = argument.end()
    if text.startswith("<|tool_arg:start|>", _space(text, at)):
        raise Broken("cut off")
    return [Found(name["name"], arguments, typed=False)], _after(_SOLAR_END, text, at)


def _space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _typed(raw: str, type_: str | None) -> Any:
    if type_ in (None, "string"):
        return raw
    try:
        value, end = read_value(raw.strip(), 0, closed=True)
    except Broken:
        return raw
    return raw if raw.strip()[end:] else value


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
