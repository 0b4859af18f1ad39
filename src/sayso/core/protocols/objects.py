"""Calls as JSON writes them: an object with a name and arguments, in all the spellings that models use.

What describes a tool is no call, and neither is any other object: a name and arguments must be recognised.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

_NAMES = ("name", "tool_name", "function", "tool", "function_name", "recipient_name", "action", "api", "func")
_ARGUMENTS = ("arguments", "parameters", "args", "input", "tool_input", "action_input", "params", "kwargs",
              "tool_args", "tool_arguments", "function_arguments", "tool_parameters", "inputs", "argument")  # fmt: skip
_LISTS = ("tool_calls", "tool_uses", "function_calls", "calls", "tools", "actions")
_WRAPPERS = ("function", "function_call", "tool_call", "functionCall", "tool_use", "action", "call", "toolUse")
_BESIDE = {"id", "type", "index", "tool_call_id", "call_id", "thought", "thoughts", "reasoning", "toolUseId"}
_AROUND = _BESIDE | {"role", "content", "refusal", "message", "finish_reason", "name"}
CALL_KEYS = frozenset((*_NAMES, *_ARGUMENTS, *_LISTS, *_WRAPPERS, *_AROUND))
"""Keys by which an object that is a call may begin."""
_RECORD = {"result", "results", "response", "output", "status", "error", "duration", "timestamp"}
"""Keys of a record that tells of a call."""
_MAX_DEPTH = 4


@dataclass(frozen=True, slots=True)
class Found:
    """A call as its body was read, before its name is looked up and its arguments are fitted.

    `arguments`: a mapping, or a text that may hold one, or None. `beside`: what stood next to the name instead
    of arguments. `typed`: the values carry types; else they are raw texts. `positional`: values by place.
    """

    name: str
    arguments: Any = None
    beside: Mapping[str, Any] = field(default_factory=dict[str, Any])
    typed: bool = True
    positional: tuple[Any, ...] = ()


def calls_in(value: Any, names: Iterable[str], depth: int = 0) -> list[Found] | None:
    """The calls of a JSON value, or None when it is something else."""
    if depth > _MAX_DEPTH:
        return None
    if isinstance(value, list):
        return _all(cast("list[Any]", value), names, depth)
    if not isinstance(value, dict) or not value:
        return None
    held = cast("dict[str, Any]", value)
    for key in _LISTS:
        if isinstance(inner := held.get(key), list) and inner and held.keys() <= {key} | _AROUND:
            return _all(cast("list[Any]", inner), names, depth)
    if all(isinstance(inner, dict) or inner is None for inner in held.values()) and held.keys() <= set(names):
        return [Found(name, arguments) for name, arguments in held.items()]
    for key in _WRAPPERS:
        if not isinstance(inner := held.get(key), dict) or not held.keys() <= {key} | _BESIDE | set(_ARGUMENTS):
            continue
        if found := calls_in(inner, names, depth + 1):
            return _with_outer_arguments(found, held)
    return list(_call(held))


def _all(values: list[Any], names: Iterable[str], depth: int) -> list[Found] | None:
    found: list[Found] = []
    for value in values:
        inner = calls_in(value, names, depth + 1)
        if not inner:
            return None
        found += inner
    return found


def _with_outer_arguments(found: list[Found], outer: Mapping[str, Any]) -> list[Found]:
    """Arguments that were written next to the object with the name."""
    if len(found) == 1 and found[0].arguments is None:
        for key in _ARGUMENTS:
            if key in outer:
                return [Found(found[0].name, outer[key])]
    return found


def _call(held: Mapping[str, Any]) -> Iterator[Found]:
    key = next((k for k in _NAMES if isinstance(held.get(k), str) and held[k]), None)
    if key is None:
        return
    name = str(held[key])
    given = next((k for k in _ARGUMENTS if k in held), None)
    if _is_definition(held, given) or held.keys() & _RECORD:
        return
    if given is not None:
        yield Found(name, held[given])
        return
    yield Found(name, None, {k: v for k, v in held.items() if k != key and k not in _BESIDE})


def _is_definition(held: Mapping[str, Any], given: str | None) -> bool:
    """A tool's declaration: it describes itself, or its parameters are a schema."""
    if "description" in held and given in (None, "parameters", "inputs"):
        return True
    inner: Any = held[given] if given else None
    if not isinstance(inner, Mapping):
        return False
    schema = cast("Mapping[str, Any]", inner)
    return "properties" in schema and schema.get("type") == "object"
