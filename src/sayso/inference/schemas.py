"""JSON Schemas from outside, brought within bounds: no deep nesting, no references that unfold without end.

A pattern is left out, since matching one may take for ever; whoever runs the tool judges by it. Nothing is fetched.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

MAX_SIZE = 64_000  # characters of one schema
MAX_DEPTH = 24
MAX_UNFOLDED = 20_000  # places, once every reference is followed

_MATCHED = frozenset(
    {"pattern", "patternProperties", "propertyNames", "$dynamicRef", "$recursiveRef", "$schema", "$id"}
)
_NAMED = frozenset({"properties", "$defs", "definitions", "dependentSchemas"})  # their members are names, not words
_AS_IT_IS = frozenset({"const", "enum", "default", "examples", "example"})


def bounded(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """The schema without what could cost without end; None where it is out of bounds."""
    try:
        if len(json.dumps(schema)) > MAX_SIZE:
            return None
        plain = cast(dict[str, Any], _plain(schema, MAX_DEPTH))
        return plain if _Unfolding(plain).size(plain) <= MAX_UNFOLDED else None
    except (_OutOfBounds, RecursionError, ValueError, TypeError):
        return None


class _OutOfBounds(Exception):
    pass


def _plain(schema: Any, depth: int) -> Any:
    if depth == 0:
        raise _OutOfBounds
    if isinstance(schema, list):
        return [_plain(item, depth - 1) for item in cast(list[Any], schema)]
    if not isinstance(schema, dict):
        return schema
    kept: dict[str, Any] = {}
    for word, value in cast(dict[str, Any], schema).items():
        if word in _AS_IT_IS:
            kept[word] = value
        elif word in _NAMED and isinstance(value, dict):
            kept[word] = {name: _plain(v, depth - 2) for name, v in cast(dict[str, Any], value).items()}
        elif word not in _MATCHED:
            kept[word] = _plain(value, depth - 1)
    return kept


class _Unfolding:
    """How many places a schema has once each reference is followed. One that leads back to itself has no end."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self._sizes: dict[str, int] = {}
        self._open: set[str] = set()

    def size(self, schema: Any) -> int:
        if isinstance(schema, list):
            return sum(map(self.size, cast(list[Any], schema)))
        if not isinstance(schema, dict):
            return 1
        entries = cast(dict[str, Any], schema)
        inner = sum(self.size(v) for word, v in entries.items() if word not in _AS_IT_IS and word != "$ref")
        return 1 + inner + (self._followed(entries["$ref"]) if "$ref" in entries else 0)

    def _followed(self, reference: Any) -> int:
        if not isinstance(reference, str) or reference in self._open:
            raise _OutOfBounds
        if reference not in self._sizes:
            self._open.add(reference)
            self._sizes[reference] = self.size(self._target(reference))
            self._open.discard(reference)
        if self._sizes[reference] > MAX_UNFOLDED:
            raise _OutOfBounds
        return self._sizes[reference]

    def _target(self, reference: str) -> Any:
        if not reference.startswith("#/"):
            raise _OutOfBounds
        place: Any = self._root
        for step in reference[2:].split("/"):
            name = step.replace("~1", "/").replace("~0", "~")
            if not isinstance(place, dict) or name not in place:
                raise _OutOfBounds
            place = cast(dict[str, Any], place)[name]
        return place
