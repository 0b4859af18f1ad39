"""Calls written as code: `name(key="value", 3)`, alone, in a list, or with braces as the Gemma models do."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from sayso.core.protocols.loose_json import Broken, Reader
from sayso.core.protocols.objects import Found

_CALL = re.compile(r"(?P<name>[A-Za-z_][\w.\-]*)[ \t]*\(")
_KEYWORD = re.compile(r"[ \t\n]*(?P<key>[A-Za-z_]\w*)[ \t]*(?:=(?!=)|:)")
_UNPACKED = re.compile(r"[ \t\n]*\*\*(?=\{)")
_GEMMA = re.compile(r"(?:call:)?[ \t]*(?P<name>[A-Za-z_][\w.\-]*)[ \t]*(?=\{)")
BRACED = r"[\w.\-]{1,80}[ \t]*\{[^{}<>\n]{0,80}(?:<\|\"\|>|<escape>)"
"""A call in braces which shows a string mark that nothing else has."""
_GEMMA_MARKS = {'<|"|>': '<|"|>', "<escape>": "<escape>"}
_TYPES = frozenset(
    ("str", "string", "text", "int", "integer", "float", "number", "bool", "boolean", "list", "array", "dict",
     "object", "any", "optional", "date")
)  # fmt: skip
_SIGNATURE = re.compile(r"[\w\s,?*:|\[\].]*\)")


def read_call(text: str, at: int, *, printed: bool = False) -> tuple[Found, int] | None:
    """One call `name(...)` that starts at `at`; None when it is none. Raises Broken when it is not whole."""
    opener = _CALL.match(text, at)
    if opener is None:
        return None
    name = opener["name"]
    if name == "print":
        inner = None if printed else read_call(text, opener.end(), printed=True)
        if inner is None:
            return None
        end = _space(text, inner[1])
        return inner[0], end + 1 if text[end : end + 1] == ")" else end
    arguments, end = read_arguments(text, opener.end())
    positional, keywords = arguments
    return Found(name.removesuffix(".call"), keywords, positional=positional), end


def read_arguments(text: str, at: int) -> tuple[tuple[tuple[Any, ...], dict[str, Any]], int]:
    """What stands between parentheses, from after the opening one: values by place, and values by keyword.

    Raises Broken; a signature copied from the catalogue (`query, limit`) holds no values and is broken too.
    """
    reader = Reader(text, code=True)
    keywords: dict[str, Any] = {}
    positional: list[Any] = []
    try:
        while True:
            at = reader.commas(at)
            if text[at] == ")":
                return (tuple(positional), keywords), at + 1
            if unpacked := _UNPACKED.match(text, at):
                value, at = reader.value(unpacked.end(), 0)
                keywords.update(value)
            elif key := _KEYWORD.match(text, at):
                value, at = reader.value(key.end(), 0)
                if key["key"] in keywords:
                    raise Broken("an argument twice")
                keywords[key["key"]] = value
            else:
                value, at = reader.value(at, 0)
                positional.append(value)
            at = reader.space(at)
            if text[at] not in ",)":
                raise Broken("text after a value")
    except IndexError:
        raise Broken("cut off") from None


def signature_end(text: str, at: int, keys: Collection[str]) -> int | None:
    """The end of parentheses that only repeat parameter names (and types), from after the opening one.

    Any other word there is a value without quotation marks, which nobody may drop.
    """
    found = _SIGNATURE.match(text[at : at + 2000])
    if found is None or not all(w in keys or w.lower() in _TYPES for w in re.findall(r"\w+", found.group())):
        return None
    return at + found.end()


def read_calls(text: str, at: int) -> tuple[list[Found], int] | None:
    """A list `[name(...), name(...)]`, or calls one after another."""
    listed = text[at : at + 1] == "["
    end = _space(text, at + 1) if listed else at
    found: list[Found] = []
    while (one := read_call(text, end)) is not None:
        found.append(one[0])
        end = one[1]
        following = _space(text, end, ",;" if listed else ",; \t")
        if listed and text[following : following + 1] == "]":
            return found, following + 1
        if not listed and _CALL.match(text, following) is None:
            break
        end = following
    if not found:
        return None
    if listed and end < len(text.rstrip()):
        raise Broken("the list does not end")
    return found, end


def read_braces(text: str, at: int) -> tuple[Found, int] | None:
    """`call:name{key:<mark>value<mark>, n:3}`. Raises Broken when it is not whole."""
    opener = _GEMMA.match(text, at)
    if opener is None:
        return None
    try:
        arguments, end = Reader(text, marks=_GEMMA_MARKS, bare=True).pairs(opener.end() + 1, 0, "}")
    except IndexError:
        raise Broken("cut off") from None
    if text[end - 1] != "}":
        raise Broken("cut off")
    return Found(opener["name"], arguments), end


def _space(text: str, at: int, over: str = "") -> int:
    while at < len(text) and (text[at].isspace() or text[at] in over):
        at += 1
    return at
