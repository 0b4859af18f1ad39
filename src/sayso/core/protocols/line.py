"""The line protocol: `TOOL: name` and `ARGS: {...}`, as loosely as weak models write it.

Precision comes first. A call is only a call at the start of a line, with a name on offer, outside
reasoning, code and quotations, and not when it repeats what a record or the user said. What looks
like a call and is none is counted in `rejected`.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sayso.core.protocols.loose_json import read_object
from sayso.core.tools import Tool

_DECORATION = r"[ \t]*(?:(?:[-*•+>]|\d{1,2}[.)])[ \t]+)*[*_`\"'“”]*"
_TOOL_LINE = re.compile(rf"^{_DECORATION}TOOL[*_`]*[ \t]*[:：][*_`]*[ \t]*(?P<rest>.*)$", re.IGNORECASE | re.MULTILINE)
_ARGS_LINE = re.compile(rf"{_DECORATION}ARG(?:S|UMENTS)?[*_`]*[ \t]*[:：][*_`]*[ \t]*", re.IGNORECASE)
_NAME = re.compile(r"[*_`\"'“]*(?P<name>[A-Za-z_][\w.\-]*)[*_`\"'”]*[ \t]*")
_BARE = re.compile(r"^[ \t]*`?(?P<name>[A-Za-z_]\w*)[ \t]*\(", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*(```+|~~~+)[^\n]*$", re.MULTILINE)
_SPACE = re.compile(r"\s*")
_REASONING = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_REASONING_END = re.compile(r"\A(?:(?!<think).)*?</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)


Said = Callable[[], Iterable[str]]
"""Gives the texts that a model may be repeating; asked only when something looks like a call."""


@dataclass(frozen=True, slots=True)
class TextCall:
    """A call found in text: its name, its arguments as a JSON object text, and where it stood."""

    name: str
    arguments: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TextReading:
    """What a reply's text holds: calls, the prose without them, and how many look-alikes were refused."""

    calls: tuple[TextCall, ...]
    prose: str
    rejected: int = 0


def without_reasoning(text: str) -> str:
    """The reply without its thinking, which is never parsed and never shown."""
    if "<" not in text:
        return text
    return _REASONING.sub("", _REASONING_END.sub("", text))


def read_text(text: str, tools: Mapping[str, Tool], *, cut: bool = False, said: Said = lambda: ()) -> TextReading:
    """Read a whole reply. `cut`: it was not finished, so nothing in it is a call, and the
    beginning of one is not shown.

    `said` gives what records and the user said: a call that stands there word for word is an echo,
    which neither runs nor is shown.
    """
    text = without_reasoning(text)
    if not _may_hold_call(text, tools):
        return TextReading((), text)
    if cut:
        opener = _TOOL_LINE.search(text)
        return TextReading((), text[: opener.start()].strip() if opener else text, 1 if opener else 0)
    fenced = _fenced_spans(text)
    envelopes: list[TextCall] = []
    echoes: list[TextCall] = []
    rejected = 0
    position = 0
    for opener, reader in _openers(text):
        if opener.start() < position:
            continue
        found = reader(opener, tools)
        if found is None or _is_code(found, fenced, text):
            rejected += 1
            continue
        envelopes.append(found)
        position = found.end
        if _is_echo(text, found, tools, said):
            echoes.append(found)
    calls = tuple(call for call in envelopes if call not in echoes)
    return TextReading(calls, _prose(text, envelopes) if envelopes else text, rejected + len(echoes))


def _may_hold_call(text: str, tools: Mapping[str, Tool]) -> bool:
    return _TOOL_LINE.search(text) is not None or any(f"{name}" in text for name in tools)


def _openers(text: str):
    lines = [(m, _read_tool_line) for m in _TOOL_LINE.finditer(text)]
    bare = [(m, _read_bare) for m in _BARE.finditer(text)]
    return sorted(lines + bare, key=lambda pair: pair[0].start())


def _read_tool_line(line: re.Match[str], tools: Mapping[str, Tool]) -> TextCall | None:
    text, start = line.string, line.start()
    name = _NAME.match(text, line.start("rest"))
    tool = _known(name["name"], tools) if name else None
    if name is None or tool is None:
        return _unknown(name, text, line.end())
    position = name.end()
    inline: tuple[str, int] | None = None
    if position < len(text) and text[position] == "(":
        inline = _parenthesised(text, position, tool)
        position = inline[1] if inline else line.end()
    given = _args_after(text, position)
    if given is None and inline is not None and inline[0]:
        given = inline
    if given is None:
        rest = text[position : line.end()].strip("*_`\"'”.) \t")
        bare_ok = not tool.required and not rest
        return TextCall(tool.name, "{}", start, line.end()) if bare_ok else None
    return TextCall(tool.name, given[0], start, given[1])


def _unknown(name: re.Match[str] | None, text: str, line_end: int) -> TextCall | None:
    """An unknown name is a call only in the unmistakable two-line form: then it is answered with near names."""
    if name is None:
        return None
    given = _args_after(text, name.end())
    start = text.rfind("\n", 0, name.start()) + 1
    return TextCall(name["name"], given[0], start, given[1]) if given and given[0] else None


def _args_after(text: str, position: int) -> tuple[str, int] | None:
    """The object after an ARGS key (on the same or a following line), or straight after the name."""
    position = _skip_space(text, position)
    label = _ARGS_LINE.match(text, position)
    fence = None
    if label:
        position = _skip_space(text, label.end())
        fence = _FENCE.match(text, position)
        if fence:
            position = _skip_space(text, fence.end())
    if position < len(text) and text[position] == "{":
        return _object_at(text, position, in_fence=fence is not None)
    return None


def _object_at(text: str, position: int, *, in_fence: bool) -> tuple[str, int]:
    found = read_object(text, position)
    if found is None:  # handed on as it is: its arguments do not fit, and the example comes back
        return text[position:], len(text)
    end = found[1]
    closing = _FENCE.match(text, _skip_space(text, end)) if in_fence else None
    return json.dumps(found[0], ensure_ascii=False), closing.end() if closing else end


def _read_bare(match: re.Match[str], tools: Mapping[str, Tool]) -> TextCall | None:
    """`list_habits()` on a line of its own: exact name, and nothing else on the line."""
    text, start = match.string, match.start()
    if match["name"] not in tools:
        return None
    tool = tools[match["name"]]
    found = _parenthesised(text, match.end() - 1, tool)
    if found is None:
        return None
    line_end = text.find("\n", found[1])
    rest = text[found[1] : line_end if line_end >= 0 else len(text)]
    if rest.strip("`;. \t"):
        return None
    arguments = found[0] or "{}"
    if tool.required and arguments == "{}":
        return None
    return TextCall(tool.name, arguments, start, found[1] + len(rest))


def _parenthesised(text: str, position: int, tool: Tool) -> tuple[str, int] | None:
    """Keyword arguments, an object, or the catalogue's own parameter names in parentheses.

    Returns the arguments ("" where only names were copied) and where the parenthesis ends.
    """
    end = _closing(text, position)
    if end is None:
        return None
    inside = text[position + 1 : end - 1].strip()
    if not inside:
        return "", end
    if inside.startswith("{"):
        found = read_object(inside, 0)
        return (json.dumps(found[0], ensure_ascii=False), end) if found else None
    if re.fullmatch(r"[\w\s,?*:|=\[\]]*", inside) and "=" not in inside:
        return "", end
    return _keywords(inside, end, tool)


def _keywords(inside: str, end: int, tool: Tool) -> tuple[str, int] | None:
    try:
        call = ast.parse(f"f({inside})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(call, ast.Call):
        return None
    properties = list(tool.schema.get("properties", {}))
    arguments: dict[str, Any] = {}
    try:
        for name, node in zip(properties, call.args, strict=False):
            arguments[name] = _literal(node)
        for keyword in call.keywords:
            arguments[keyword.arg or "**"] = _literal(keyword.value)
    except ValueError:
        return None
    return json.dumps(arguments, ensure_ascii=False, default=str), end


def _literal(node: ast.expr) -> Any:
    if isinstance(node, ast.Name) and node.id in {"true", "false", "null"}:
        return {"true": True, "false": False, "null": None}[node.id]
    return ast.literal_eval(node)


def _closing(text: str, position: int, limit: int = 4000) -> int | None:
    """The end of the parenthesis that opens at `position`, quotations respected."""
    depth, quote = 0, ""
    for index in range(position, min(len(text), position + limit)):
        char = text[index]
        if quote:
            if char == quote and text[index - 1] != "\\":
                quote = ""
        elif char in "\"'":
            quote = char
        elif char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
            if depth == 0:
                return index + 1
    return None


def _known(name: str, tools: Mapping[str, Tool]) -> Tool | None:
    """Exact, then without a namespace, then the one that differs in case or hyphens alone."""
    name = name.rstrip(".-")
    short = name.rsplit(".", 1)[-1]
    for candidate in (name, short):
        if candidate in tools:
            return tools[candidate]
    folded = short.lower().replace("-", "_")
    alike = [tool for key, tool in tools.items() if key.lower() == folded]
    return alike[0] if len(alike) == 1 else None


def _fenced_spans(text: str) -> list[tuple[int, int]]:
    marks = list(_FENCE.finditer(text))
    spans = [(a.start(), b.end()) for a, b in zip(marks[::2], marks[1::2], strict=False)]
    if len(marks) % 2:
        spans.append((marks[-1].start(), len(text)))
    return spans


def _is_code(call: TextCall, fenced: list[tuple[int, int]], text: str) -> bool:
    """Inside a fence it is an example, unless the fence is all that the reply says."""
    for start, end in fenced:
        if start < call.start and call.end <= end:
            return bool((text[:start] + text[end:]).strip())
    return False


def _is_echo(text: str, call: TextCall, tools: Mapping[str, Tool], said: Said) -> bool:
    """Whether a record or the user wrote this call: word for word, or in another order or spacing."""
    block = "".join(text[call.start : call.end].split())
    for piece in said():
        if len(piece) >= len(block) and block in "".join(piece.split()):
            return True
        if call.name in piece and any(_same_call(call, held) for held in read_text(piece, tools).calls):
            return True
    return False


def _same_call(a: TextCall, b: TextCall) -> bool:
    return a.name == b.name and _in_order(a.arguments) == _in_order(b.arguments)


def _in_order(arguments: str) -> str:
    try:
        return json.dumps(json.loads(arguments or "{}"), sort_keys=True)
    except (ValueError, RecursionError):
        return arguments


def _prose(text: str, calls: list[TextCall]) -> str:
    pieces: list[str] = []
    position = 0
    for call in calls:
        pieces.append(text[position : call.start])
        position = call.end
    pieces.append(text[position:])
    prose = "".join(pieces)
    return prose.strip() if any(c.isalnum() for c in _FENCE.sub("", prose)) else ""


def _skip_space(text: str, position: int) -> int:
    return _SPACE.match(text, position).end()  # pyright: ignore[reportOptionalMemberAccess]
