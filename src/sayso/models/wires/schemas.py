"""A JSON schema in the dialect of a provider that takes only a part of it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from sayso.models.wires.reading import as_list, as_object

_KEPT = (
    "description", "minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength", "pattern",
)  # fmt: skip
_FORMATS = ("date-time", "enum", "float", "double", "int32", "int64")
_AS_TEXT = "A JSON object, written as text."


def gemini_schema(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """A tool's arguments as Gemini declares them; None where it takes none.

    Its dialect knows no references, no null beside another type, no constants and no free-form objects.
    """
    definitions = {**(as_object(schema.get("$defs")) or {}), **(as_object(schema.get("definitions")) or {})}
    whole = _Dialect(definitions).translated(schema, ())
    return whole if whole.get("properties") else None


class _Dialect:
    def __init__(self, definitions: Mapping[str, Any]) -> None:
        self._definitions = definitions

    def translated(self, node: Mapping[str, Any], inside: tuple[str, ...]) -> dict[str, Any]:
        reference = node.get("$ref")
        if isinstance(reference, str):
            return self._referred(node, reference.rsplit("/", 1)[-1], inside)
        options = as_list(node.get("anyOf") or node.get("oneOf"))
        if options:
            return self._options(node, options, inside)
        if isinstance(node.get("type"), list):
            return self._options(node, [{**node, "type": kind} for kind in node["type"]], inside)
        out: dict[str, Any] = {key: node[key] for key in _KEPT if key in node}
        if node.get("format") in _FORMATS:
            out["format"] = node["format"]
        for part in map(as_object, as_list(node.get("allOf"))):
            out |= self.translated(part or {}, inside)
        return self._typed(node, out, inside)

    def _referred(self, node: Mapping[str, Any], name: str, inside: tuple[str, ...]) -> dict[str, Any]:
        target = as_object(self._definitions.get(name))
        if target is None or name in inside:  # what holds itself cannot be written out
            return {"type": "string", "description": _AS_TEXT}
        beside = {key: value for key, value in node.items() if key != "$ref"}
        return self.translated({**target, **beside}, (*inside, name))

    def _options(self, node: Mapping[str, Any], options: list[Any], inside: tuple[str, ...]) -> dict[str, Any]:
        found = [cast(dict[str, Any], option) for option in options if isinstance(option, dict)]
        kept = [option for option in found if option.get("type") != "null"]
        nullable = {"nullable": True} if len(kept) < len(found) else {}
        about = {key: node[key] for key in ("description",) if key in node}
        if len(kept) == 1:
            return self.translated(kept[0], inside) | about | nullable
        return {"anyOf": [self.translated(option, inside) for option in kept]} | about | nullable

    def _typed(self, node: Mapping[str, Any], out: dict[str, Any], inside: tuple[str, ...]) -> dict[str, Any]:
        choices = [node["const"]] if "const" in node else as_list(node.get("enum"))
        kind = node.get("type") or out.get("type") or ("object" if "properties" in node else "string")
        if choices and all(isinstance(choice, str) for choice in choices):
            return out | {"type": "string", "enum": choices}
        if kind == "array":
            return out | {"type": "array", "items": self.translated(as_object(node.get("items")) or {}, inside)}
        if kind != "object":
            return out | {"type": kind}
        properties = as_object(node.get("properties")) or {}
        if not properties:
            return {"type": "string", "description": node.get("description") or _AS_TEXT}
        required = [name for name in as_list(node.get("required")) if name in properties]
        out |= {"type": "object", "properties": {
            name: self.translated(as_object(value) or {}, inside) for name, value in properties.items()
        }}  # fmt: skip
        return out | ({"required": required} if required else {})
