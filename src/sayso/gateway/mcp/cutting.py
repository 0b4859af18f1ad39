"""Cuts a message of an outside server down to what is kept, and counts what is left out.

Also runs alone, as a process of its own, for messages so large that reading them would hold up everything else: one
JSON document on stdin, the cut one on stdout. Therefore it imports the standard library only.
"""

from __future__ import annotations

import json
import sys
from typing import Any

MOST_TEXT = 20_000  # characters of one text
MOST_ITEMS = 200  # items of one list, members of one object
MOST_NODES = 20_000  # values in all
MOST_DEPTH = 24
COUNTS = "sayso/left-out"
"""The member of a result's `_meta` that holds the counts. Only this module writes it."""
MOST_TOOLS = 2_000  # of one page; the others are counted
MOST_OF_A_TOOL = 60_000  # characters of its definition as JSON
TOO_LARGE = "sayso/too-large"  # the mark of a definition of which the name alone is kept
MORE = "sayso/more"  # the mark of what stands for the tools of a page beyond the limit; its value is their number


class _Cutter:
    def __init__(self) -> None:
        self.nodes = self.characters = self.items = 0

    def cut(self, value: Any, depth: int = 0) -> Any:
        self.nodes += 1
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 2**63:
            return str(value)[:MOST_TEXT] if value.bit_length() < 10_000 else "(a very large number)"
        if not isinstance(value, list | dict):
            return value
        if depth >= MOST_DEPTH or self.nodes >= MOST_NODES:
            self.items += len(value)  # pyright: ignore[reportUnknownArgumentType]
            return [] if isinstance(value, list) else {}
        if isinstance(value, list):
            return self._list(value, depth)  # pyright: ignore[reportUnknownArgumentType]
        return self._object(value, depth)  # pyright: ignore[reportUnknownArgumentType]

    def _text(self, value: str) -> str:
        value = value.encode("utf-8", "replace").decode("utf-8").replace("\0", "\N{REPLACEMENT CHARACTER}")
        self.characters += max(0, len(value) - MOST_TEXT)
        return value[:MOST_TEXT]

    def _list(self, value: list[Any], depth: int) -> list[Any]:
        kept: list[Any] = []
        for item in value[:MOST_ITEMS]:
            if self.nodes >= MOST_NODES:
                break
            kept.append(self.cut(item, depth + 1))
        self.items += len(value) - len(kept)
        return kept

    def _object(self, value: dict[str, Any], depth: int) -> dict[str, Any]:
        kept: dict[str, Any] = {}
        for name, item in value.items():
            if len(kept) >= MOST_ITEMS or self.nodes >= MOST_NODES:
                break
            kept[self._text(name)] = self.cut(item, depth + 1)
        self.items += len(value) - len(kept)
        return kept


def cut_message(message: dict[str, Any]) -> dict[str, Any]:
    """The message with its result cut. Content that is no text is taken out and counted by its type; a list of
    tools is left as it is, for whoever judges each of them."""
    result = message.get("result")
    if not isinstance(result, dict):
        cutter = _Cutter()
        return {name: cutter.cut(value) for name, value in list(message.items())[:20]}
    found: dict[str, Any] = dict(result)  # pyright: ignore[reportUnknownArgumentType]
    tools = found.pop("tools", None)
    raw = {"tools": _bounded_tools(tools)} if isinstance(tools, list) else {}  # pyright: ignore[reportUnknownArgumentType]
    others: dict[str, int] = {}
    if isinstance(found.get("content"), list):
        found["content"], others = _texts_only(found["content"])
    cutter = _Cutter()
    kept = cutter.cut(found)
    meta = kept.get("_meta")
    kept["_meta"] = {name: value for name, value in meta.items() if name != COUNTS} if isinstance(meta, dict) else {}  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    kept["_meta"][COUNTS] = {"characters": cutter.characters, "items": cutter.items, "others": others}
    return {"jsonrpc": "2.0", "id": message.get("id"), "result": {**kept, **raw}}


def _bounded_tools(tools: list[Any]) -> list[Any]:
    more = [{"name": "", MORE: len(tools) - MOST_TOOLS}] if len(tools) > MOST_TOOLS else []
    return [_bounded_tool(tool) for tool in tools[:MOST_TOOLS]] + more


def _bounded_tool(tool: Any) -> Any:
    """A definition, or of one that is too large the name alone: so that it can be told which one is not on offer."""
    try:
        if len(json.dumps(tool)) <= MOST_OF_A_TOOL:
            return tool
    except RecursionError:
        pass
    return {"name": str(tool.get("name"))[:200], TOO_LARGE: True} if isinstance(tool, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]


def _texts_only(content: list[Any]) -> tuple[list[Any], dict[str, int]]:
    texts: list[Any] = []
    others: dict[str, int] = {}
    for item in content:
        if isinstance(item, dict) and item.get("type") == "text" and isinstance(item.get("text"), str):  # pyright: ignore[reportUnknownMemberType]
            texts.append({"type": "text", "text": item["text"]})
            continue
        sort: object = item.get("type") if isinstance(item, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        name = sort if sort in ("image", "audio", "resource", "resource_link") else "unknown"
        others[str(name)] = others.get(str(name), 0) + 1  # pyright: ignore[reportUnknownArgumentType]
    return texts, others


def read_message(data: bytes) -> dict[str, Any] | None:
    """The message in these bytes, cut; None for what is no JSON object. Bytes that are no UTF-8 are replaced."""
    try:
        value: Any = json.loads(data.decode("utf-8", "replace"), parse_constant=lambda _: None)
        return cut_message(value) if isinstance(value, dict) else None  # pyright: ignore[reportUnknownArgumentType]
    except (ValueError, RecursionError):
        return None


def _bounded() -> None:
    try:
        import resource
    except ImportError:  # not on this system; the size of the message bounds it all the same
        return
    resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))


if __name__ == "__main__":
    _bounded()
    sys.stdout.write(json.dumps(read_message(sys.stdin.buffer.read())))
