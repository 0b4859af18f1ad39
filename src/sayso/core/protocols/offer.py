"""The tools on offer, as the reader of calls asks for them: by name, by a name written loosely, by parameters."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, cast

from sayso.core.protocols.loose_json import Broken, read_value
from sayso.core.protocols.objects import Found
from sayso.core.protocols.values import fits, fitted, from_texts
from sayso.core.tools import Tool

_LEAKED = re.compile(r"<[|｜].*", re.DOTALL)  # a marker that a server left in the name
_NUMBERED = re.compile(r":\d+$")
_SPACES = ("functions.", "function.", "default_api.", "tools.", "tool.", "functions:", "multi_tool_use.")
_NO_NAME = {"", "none", "null", "no_tool", "n/a", "nil", "directly_answer", "directly-answer", "final_answer", "name",
            "tool_name", "function_name", "tool", "function", "undefined"}  # fmt: skip


class Offer:
    """Looks names up, and makes a found body's arguments fit. Knows no format."""

    def __init__(self, tools: Mapping[str, Tool]) -> None:
        self._tools = tools
        self._folded: dict[str, list[Tool]] = {}
        for name, tool in tools.items():
            self._folded.setdefault(_fold(name), []).append(tool)

    @property
    def names(self) -> Collection[str]:
        return self._tools.keys()

    def find(self, name: str) -> Tool | None:
        """The tool that a name means: exactly, without a namespace, or the only one that differs in case or hyphens."""
        plain = plain_name(name)
        for candidate in (name, plain, plain.rsplit(".", 1)[-1], plain.rsplit(":", 1)[-1], plain.rsplit("/", 1)[-1]):
            if candidate in self._tools:
                return self._tools[candidate]
        alike = self._folded.get(_fold(plain), ())
        return alike[0] if len(alike) == 1 else None

    def keys(self, name: str) -> Collection[str]:
        tool = self.find(name)
        return cast("Mapping[str, Any]", tool.schema.get("properties") or {}).keys() if tool else ()

    def arguments(self, found: Found, tool: Tool) -> dict[str, Any]:
        """The arguments as the tool's schema wants them. Raises Broken where they say nothing that can be read."""
        given = _mapping(found, tool)
        if found.positional:
            given = {**_by_place(found.positional, given, tool), **given}
        return (fitted if found.typed else from_texts)(given, tool.schema)


def plain_name(name: str) -> str:
    """A name without namespaces, numbers and markers that servers and models put around it."""
    plain = _LEAKED.sub("", name).strip().strip("\"'`*“”").strip()
    for space in _SPACES:
        plain = plain.removeprefix(space)
    return _NUMBERED.sub("", plain)


def is_no_name(name: str) -> bool:
    """A placeholder, or a model's own word for "no tool"."""
    return plain_name(name).lower() in _NO_NAME or not re.fullmatch(r"[\w.\-:/]+", plain_name(name))


def suits(arguments: Mapping[str, Any], tool: Tool) -> bool:
    """Whether the arguments are all that the tool needs, and nothing that it does not have."""
    return fits(arguments, tool.schema)


def _fold(name: str) -> str:
    return name.lower().replace("-", "_").replace(" ", "_")


def _mapping(found: Found, tool: Tool) -> dict[str, Any]:
    given: Any = found.arguments
    if given is None:
        return _beside(found, tool)
    if isinstance(given, str):
        given = _from_text(given, tool)
    if isinstance(given, list):
        items = cast("list[Any]", given)
        given = items[0] if len(items) == 1 else items or {}
    if not isinstance(given, dict):
        raise Broken("arguments are no object")
    return cast("dict[str, Any]", given)


def _beside(found: Found, tool: Tool) -> dict[str, Any]:
    """Arguments that stand flat beside the name, if the tool has parameters of these names."""
    properties = cast("Mapping[str, Any]", tool.schema.get("properties") or {})
    if found.beside and found.beside.keys() <= properties.keys():
        return dict(found.beside)
    return {}


def _from_text(text: str, tool: Tool) -> Any:
    """Arguments encoded twice, or the bare text of the one required parameter."""
    stripped = text.strip()
    if not stripped:
        return {}
    if stripped[0] in "{[":
        value, end = read_value(stripped, 0)
        if not stripped[end:].strip() and isinstance(value, dict | list):
            return cast("Any", value)
    if len(tool.required) == 1:
        return {tool.required[0]: text}
    raise Broken("a text instead of arguments")


def _by_place(positional: tuple[Any, ...], named: Mapping[str, Any], tool: Tool) -> dict[str, Any]:
    if len(positional) == 1 and isinstance(positional[0], dict):
        return cast("dict[str, Any]", positional[0])
    if isinstance(positional[0], dict):
        raise Broken("an object and values after it")
    properties = [key for key in cast("Mapping[str, Any]", tool.schema.get("properties") or {}) if key not in named]
    if len(positional) > len(properties):
        raise Broken("more values than parameters")
    return dict(zip(properties, positional, strict=False))
