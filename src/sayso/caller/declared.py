"""What may be called: the gateway's catalogue as it came, and the judging of a call's arguments.

What a model writes is untrusted: its arguments are read strictly and held against the tool's schema before anything
is called. This module calls nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError
from referencing import Registry
from referencing.exceptions import Unresolvable

from sayso.caller.errors import Broken
from sayso.core.proposals import unique_pairs
from sayso.errors import DeclarationError

MAX_ARGUMENTS = 64_000
MAX_DEPTH = 32
_NOWHERE: Registry[Any] = Registry()  # a schema is never fetched from anywhere


@dataclass(frozen=True, slots=True)
class Declaration:
    """A tool as it may be called: of the catalogue, or one of the caller's own."""

    name: str
    title: str
    read_only: bool
    schema: Mapping[str, Any]

    def faults(self, arguments: Mapping[str, Any]) -> tuple[str, ...]:
        """Why these arguments do not fit, a few words each; () where they do."""
        judge = Draft202012Validator(dict(self.schema), registry=_NOWHERE)
        try:
            found: list[ValidationError] = list(judge.iter_errors(arguments))  # pyright: ignore[reportUnknownMemberType]
        except (Unresolvable, RecursionError) as wrong:
            return (f"the schema of {self.name} cannot be used: {type(wrong).__name__}",)
        return tuple(f"{'.'.join(map(str, e.absolute_path)) or 'arguments'}: {e.message[:200]}" for e in found[:5])


@dataclass(frozen=True, slots=True)
class Catalogue:
    """`document` goes to the inference service exactly as it came: the gateway's seal is over it."""

    document: Mapping[str, Any]
    tools: Mapping[str, Declaration]
    expires: datetime

    @property
    def seal(self) -> str:
        return str(self.document.get("seal", ""))


def read_catalogue(document: Mapping[str, Any]) -> Catalogue:
    """Raises Broken for what is no catalogue."""
    try:
        tools = [declaration_of(entry) for entry in document["tools"]]
        expires = datetime.fromisoformat(document["expires"])
    except (KeyError, TypeError, ValueError, DeclarationError) as wrong:
        raise Broken(f"the catalogue of tools cannot be read: {wrong}") from wrong
    if expires.tzinfo is None:
        raise Broken("the catalogue's end has no time zone")
    return Catalogue(document, {tool.name: tool for tool in tools}, expires)


def declaration_of(entry: Mapping[str, Any]) -> Declaration:
    """Raises DeclarationError for a schema that is none. What does not say `read_only: true` is a write."""
    schema = entry["input_schema"]
    check_schema(str(entry["name"]), schema)
    title = str(entry.get("title") or entry["name"])
    return Declaration(str(entry["name"]), title, entry.get("read_only") is True, schema)


def check_schema(name: str, schema: Any) -> None:
    if not isinstance(schema, Mapping):
        raise DeclarationError(f"tool {name!r}: its schema is no object")
    try:
        Draft202012Validator.check_schema(schema)  # pyright: ignore[reportUnknownArgumentType]
    except (SchemaError, RecursionError) as wrong:
        raise DeclarationError(f"tool {name!r}: its schema is no JSON schema: {str(wrong)[:200]}") from wrong


def read_arguments(raw: str) -> dict[str, Any] | None:
    """A call's arguments as an object; None for what is none, is too large or too deep, or says a key twice."""
    if len(raw) > MAX_ARGUMENTS:
        return None
    try:
        value = _strict(raw.strip() or "{}")
        if isinstance(value, str):  # encoded twice
            value = _strict(value)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and _depth([value]) <= MAX_DEPTH else None  # pyright: ignore[reportUnknownVariableType]


def _strict(raw: str) -> Any:
    return json.loads(raw, object_pairs_hook=unique_pairs, parse_constant=_no_constant)


def _no_constant(text: str) -> Any:
    raise ValueError(f"{text} is not a JSON value")


def _depth(level: Iterable[Any]) -> int:
    """How deep values are nested, level by level: a recursive count could run out of stack."""
    depth, values = 0, list(level)
    while values := [inner for value in values for inner in _inside(value)]:
        depth += 1
    return depth


def _inside(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()  # pyright: ignore[reportUnknownVariableType]
    return value if isinstance(value, list) else ()  # pyright: ignore[reportUnknownVariableType]
