"""Arguments fitted to a tool's schema: the schema decides what a text means, and nothing is guessed.

A string parameter keeps its text letter for letter. Any other type is read from the text, whole or not at all:
what does not fit stays as it was written, and the tool says what it wanted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, cast

from sayso.core.protocols.loose_json import Broken, finite, read_value

Schema = Mapping[str, Any]

_WHOLE = re.compile(r"[+-]?\d+(?:\.0+)?")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_WORDS = {"true": True, "false": False}
_NOTHING = {"null", "none"}
_ALIASES = {"str": "string", "text": "string", "int": "integer", "float": "number", "double": "number",
            "bool": "boolean", "dict": "object", "list": "array", "tuple": "array"}  # fmt: skip
_MAX_DEPTH = 12
_LONGEST = 400  # characters of a number


def fitted(arguments: Mapping[str, Any], schema: Schema) -> dict[str, Any]:
    """Arguments whose values carry types already (JSON, Python), each brought to its parameter's type."""
    properties = _properties(schema)
    return {key: _fitted(value, properties.get(key, {}), schema, 0) for key, value in arguments.items()}


def from_texts(arguments: Mapping[str, Any], schema: Schema) -> dict[str, Any]:
    """Arguments that came as raw texts (XML-like formats): types come from the schema alone."""
    properties = _properties(schema)
    return {
        key: _from_text(value, properties.get(key, {}), schema)
        if isinstance(value, str)
        else _from_parts(value, properties.get(key, {}), schema)
        for key, value in arguments.items()
    }


def fits(arguments: Mapping[str, Any], schema: Schema) -> bool:
    """Whether each required parameter is there, and no parameter that the tool does not have."""
    properties = _properties(schema)
    if any(name not in arguments for name in schema.get("required", ())):
        return False
    return not properties or schema.get("additionalProperties") is True or arguments.keys() <= properties.keys()


def _properties(schema: Schema) -> Mapping[str, Schema]:
    return cast("Mapping[str, Schema]", schema.get("properties") or {})


def _from_text(text: str, schema: Schema, root: Schema) -> Any:
    schema = _resolved(schema, root)
    types = _types(schema, root)
    if types == {"string"}:
        return text
    if types:
        return _fitted(text, schema, root, 0)
    stripped = text.strip()
    if stripped in _WORDS:
        return _WORDS[stripped]
    try:
        return json.loads(stripped, parse_float=finite, parse_constant=finite)
    except (ValueError, RecursionError):
        return text


def _from_parts(value: Any, schema: Schema, root: Schema) -> Any:
    """Elements within elements: each text of them by its own part of the schema."""
    schema = _resolved(schema, root)
    if isinstance(value, dict):
        inner = _properties(schema)
        rest = _resolved(schema.get("additionalProperties"), root)
        held = cast("dict[str, Any]", value)
        return {key: _from_parts(part, inner.get(key, rest), root) for key, part in held.items()}
    if isinstance(value, list):
        return [_from_parts(part, schema.get("items") or {}, root) for part in cast("list[Any]", value)]
    return _from_text(value, schema, root) if isinstance(value, str) else _fitted(value, schema, root, 0)


def _fitted(value: Any, schema: Schema, root: Schema, depth: int) -> Any:
    schema = _resolved(schema, root)
    types = _types(schema, root)
    if not types or depth > _MAX_DEPTH:
        return value
    if isinstance(value, str):
        return _from_string(value, types, schema, root, depth)
    if isinstance(value, dict):
        if types >= {"array"} and "object" not in types:
            return [_fitted(value, schema.get("items") or {}, root, depth + 1)]
        inner = _properties(_part(schema, root, "properties"))
        held = cast("dict[str, Any]", value)
        return {key: _fitted(part, inner.get(key, {}), root, depth + 1) for key, part in held.items()}
    if isinstance(value, list):
        items: Any = _part(schema, root, "items").get("items") or {}
        return [_fitted(part, items, root, depth + 1) for part in cast("list[Any]", value)]
    return _from_number(value, types, schema, root, depth)


def _from_string(text: str, types: set[str], schema: Schema, root: Schema, depth: int) -> Any:
    """A text where something else is wanted: read whole as that, or left as it is."""
    if types == {"string"}:
        return text
    stripped = text.strip()
    low = stripped.lower()
    if "null" in types and low in _NOTHING:
        return None
    if "boolean" in types and low in _WORDS:
        return _WORDS[low]
    if "integer" in types and len(stripped) < _LONGEST and _WHOLE.fullmatch(stripped):
        return int(stripped.split(".")[0])
    if "number" in types and len(stripped) < _LONGEST and _NUMBER.fullmatch(stripped):
        return int(stripped) if stripped.lstrip("+-").isdigit() else finite(stripped)
    if types & {"array", "object"} and stripped[:1] in ("[", "{"):
        held = _parsed(stripped)
        if (isinstance(held, dict) and "object" in types) or (isinstance(held, list) and "array" in types):
            return _fitted(held, schema, root, depth + 1)
        if "string" not in types:
            raise Broken("a list or an object that is not whole")
    if "object" in types <= {"object", "null"}:
        raise Broken("a text instead of an object")
    if "string" not in types and "array" in types:
        return [_fitted(text, _part(schema, root, "items").get("items") or {}, root, depth + 1)]
    return text


def _from_number(value: Any, types: set[str], schema: Schema, root: Schema, depth: int) -> Any:
    if value is None:
        return value
    if isinstance(value, float) and value.is_integer() and types & {"integer"} and "number" not in types:
        return int(value)
    if types <= {"string", "null"} and not isinstance(value, bool):
        return json.dumps(value)
    if "array" in types and not types & {"integer", "number", "boolean"}:
        return [_fitted(value, _part(schema, root, "items").get("items") or {}, root, depth + 1)]
    return value


def _parsed(text: str) -> Any:
    """What a text holds, also when it was encoded twice and lost its outer quotation marks."""
    try:
        value, end = read_value(text, 0)
    except Broken:
        if '{\\"' not in text:
            return None
        return _parsed(text.replace("\\\\", "\\").replace('\\"', '"'))
    return value if not text[end:].strip() else None


def _resolved(schema: Any, root: Schema) -> Schema:
    """A schema behind its references."""
    for _ in range(4):
        if not isinstance(schema, Mapping):
            return {}
        given = cast("Schema", schema)
        name = str(given.get("$ref", ""))
        if not name:
            return given
        defined = cast("Schema", root.get("$defs") or root.get("definitions") or {})
        schema = defined.get(name.rsplit("/", 1)[-1], {})
    return {}


def _types(schema: Schema, root: Schema, depth: int = 0) -> set[str]:
    """The types that a schema allows; empty where it does not say."""
    given = schema.get("type")
    names: list[str] = [given] if isinstance(given, str) else list(cast("list[str]", given or ()))
    found = {_ALIASES.get(name, name) for name in names}
    for choice in _choices(schema) if depth < _MAX_DEPTH else ():
        found |= _types(_resolved(choice, root), root, depth + 1)
    if not found and "properties" in schema:
        return {"object"}
    return found


def _choices(schema: Schema) -> list[Any]:
    return [choice for key in ("anyOf", "oneOf", "allOf") for choice in cast("list[Any]", schema.get(key) or ())]


def _part(schema: Schema, root: Schema, key: str) -> Schema:
    """The schema itself or that of its choices which says something under `key`."""
    for choice in (schema, *(_resolved(c, root) for c in _choices(schema))):
        if choice.get(key):
            return choice
    return {}
