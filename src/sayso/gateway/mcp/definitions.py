"""What an outside server says of a tool, judged one by one: a bad definition costs that tool only.

A definition is another's text. Its name, hints and descriptions decide nothing: what a tool may do is the operator's
word (`pins`), and what the model reads of it is quoted and bounded here.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from sayso.core.proposals import digest_of
from sayso.core.rendering import escape
from sayso.gateway.mcp.cutting import TOO_LARGE
from sayso.gateway.mcp.settings import OutsideServer

_TOOL = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}")
_PROPERTY = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}")
MOST_NAME = 64  # what every provider takes as the name of a function
MOST_DEPTH = 12
MOST_NODES = 2_000
MOST_PROPERTIES = 60
MOST_WORDS = 300
MOST_WORDS_OF_PROPERTY = 120
RESERVED = "mcp_"
"""Arguments of a card that are ours start so; a tool with such a property is refused."""


class Unfit(ValueError):
    """A definition that is not taken; the message says why."""


@dataclass(frozen=True, slots=True)
class Definition:
    """One tool of an outside server. `name` is ours (`SERVER__tool`), `theirs` the name to call it by."""

    server: str
    theirs: str
    name: str
    title: str
    description: str
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any] | None
    fingerprint: str


def read_definition(server: OutsideServer, raw: Any) -> Definition:
    """Raises Unfit, which says what is wrong with it."""
    if not isinstance(raw, dict):
        raise Unfit("it is no object")
    given = cast(dict[str, Any], raw)
    if TOO_LARGE in given:
        raise Unfit("its definition is too large")
    theirs = given.get("name")
    if not isinstance(theirs, str) or not _TOOL.fullmatch(theirs):
        raise Unfit("its name is not 1 to 64 letters, digits, underscores, dots or hyphens")
    name = f"{server.name}__{re.sub(r'[.-]', '_', theirs)}"
    if len(name) > MOST_NAME:
        raise Unfit(f"its name is too long: {name!r} has more than {MOST_NAME} characters")
    inputs = _schema(given.get("inputSchema"), "inputSchema")
    _check_properties(inputs)
    outputs = None if given.get("outputSchema") is None else _schema(given["outputSchema"], "outputSchema")
    return Definition(
        server.name, theirs, name, _text(given, "title"), _text(given, "description"), inputs, outputs,
        fingerprint_of(server, given),
    )  # fmt: skip


def name_told(raw: Any) -> str:
    """A refused tool's name as it may be shown."""
    name: object = cast(dict[str, Any], raw).get("name") if isinstance(raw, dict) else None
    return escape(str(name))[:80] if name is not None else "(no name)"


def fingerprint_of(server: OutsideServer, raw: Mapping[str, Any]) -> str:
    """A hash of all that was said of a tool, and of where the server is. Any change is another fingerprint."""
    told = {name: value for name, value in raw.items() if name != "_meta"}
    document = json.dumps([server.name, server.place, told], sort_keys=True, separators=(",", ":"))
    return digest_of(document.encode("ascii"))


def quoted(server: str, definition: Definition, wording: str = "") -> str:
    """What the model is told of a tool: the operator's words, or the server's own in quotes, within bounds."""
    if wording:
        return f"{escape(wording)[:MOST_WORDS]} (asks the outside server {server})"
    said = shortened(definition.description or definition.title, MOST_WORDS)
    own = f' It says of itself: "{said}".' if said else ""
    return f"Asks the outside server {server}: {definition.theirs}.{own}"


def shortened(text: str, most: int) -> str:
    """One line of another's text: nothing in it is invisible, reads as structure, or closes our quotes."""
    line = escape(_visible(text)).replace('"', "'")
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def local_target(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """What a local `$ref` of the schema points to; None where it has none."""
    ref = schema.get("$ref")
    if not isinstance(ref, str):
        return None
    target: Any = root
    for part in ref.removeprefix("#").split("/")[1:]:
        target = cast(dict[str, Any], target).get(part) if isinstance(target, dict) else None
    return cast(dict[str, Any], target) if isinstance(target, dict) else {}


def _visible(text: str) -> str:
    return "".join(c for c in text if c in "\n\t " or unicodedata.category(c)[0] != "C")


def _text(given: Mapping[str, Any], name: str) -> str:
    value = given.get(name)
    return value if isinstance(value, str) else ""


def _schema(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise Unfit(f"its {where} is no object")
    schema = cast(dict[str, Any], value)
    if schema.get("type", "object") != "object":
        raise Unfit(f"its {where} describes no object")
    for nodes, (depth, name, item) in enumerate(_walk(schema)):
        if depth > MOST_DEPTH or nodes > MOST_NODES:
            raise Unfit(f"its {where} is too deep or too large")
        if name in ("$ref", "$dynamicRef") and not (isinstance(item, str) and item.startswith("#")):
            raise Unfit(f"its {where} refers to another place, and nothing is fetched")
    return schema


def _walk(schema: Mapping[str, Any]) -> Iterator[tuple[int, str, Any]]:
    """Every value with its depth and the name that holds it; without recursion, so that nothing runs out of stack."""
    waiting: list[tuple[int, str, Any]] = [(0, "", schema)]
    while waiting:
        depth, name, value = waiting.pop()
        yield depth, name, value
        if depth > MOST_DEPTH:
            continue
        if isinstance(value, dict):
            waiting.extend((depth + 1, str(n), v) for n, v in cast(dict[str, Any], value).items())
        elif isinstance(value, list):
            waiting.extend((depth + 1, "", v) for v in cast(list[Any], value))


def _check_properties(schema: Mapping[str, Any]) -> None:
    properties = schema.get("properties", {})
    required = schema.get("required", [])
    if not isinstance(properties, dict) or not isinstance(required, list):
        raise Unfit("its inputSchema has no properties as an object, or no required ones as a list")
    names = [str(name) for name in cast(dict[str, Any], properties)]
    if len(names) > MOST_PROPERTIES:
        raise Unfit(f"its inputSchema has more than {MOST_PROPERTIES} properties")
    for name in names:
        if not _PROPERTY.fullmatch(name) or name.startswith(RESERVED):
            raise Unfit(f"its argument {escape(name)[:40]!r} has a name that is not taken")
    if unknown := [n for n in cast(list[Any], required) if n not in names]:
        raise Unfit(f"it requires an argument that it does not describe: {escape(str(unknown[0]))[:40]!r}")
