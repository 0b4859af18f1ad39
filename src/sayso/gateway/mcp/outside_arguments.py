"""The arguments of an outside tool as a model of ours: what its schema asks for, without running its schema.

Only types, members, choices and what is required are taken over; a pattern is never tried and a reference never
followed beyond this schema. So a schema can neither take time nor words: the outside server judges the rest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, create_model

from sayso.core.proposals import MAX_SAFE_INTEGER
from sayso.gateway.mcp.definitions import MOST_WORDS_OF_PROPERTY, Definition, local_target, shortened

MOST_CHOICES = 50
MOST_TEXT = 20_000
MOST_DESCRIBED = 1_500  # characters of all descriptions of one tool's arguments
AS_JSON = "mcp_as_json"
"""The argument of a card that names those which are held as JSON text, since amounts are never binary numbers."""
_DEPTH = 4


class Given(BaseModel):
    """Base of every outside tool's arguments."""

    model_config = ConfigDict(extra="ignore", frozen=True, protected_namespaces=())


def arguments_of(definition: Definition) -> type[BaseModel]:
    """The model that a call's arguments must fit."""
    return _Reading(definition).model()


def example_of(definition: Definition) -> dict[str, Any]:
    """The smallest arguments that fit: one value of its type for each that is required."""
    root = definition.input_schema
    properties = _members(root)
    return {name: _sample(properties[name], root) for name in _required(root)}


def sent(arguments: BaseModel) -> dict[str, Any]:
    """What is sent: the arguments that were given, by the server's own names."""
    return arguments.model_dump(mode="json", by_alias=True, exclude_unset=True)


def on_card(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments as a proposal holds them: exact, so what holds a binary number is JSON text."""
    inexact = sorted(name for name, value in arguments.items() if _inexact(value))
    shown = {name: json.dumps(value) if name in inexact else value for name, value in arguments.items()}
    return {**shown, AS_JSON: inexact} if inexact else shown


def off_card(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that a card holds, to be sent. Raises ValueError for one that is no JSON value any more."""
    inexact = cast(list[Any], arguments.get(AS_JSON, []))
    return {
        name: json.loads(value) if name in inexact else value
        for name, value in arguments.items()
        if not name.startswith("mcp_")
    }


class _Reading:
    """One schema on its way to a model."""

    def __init__(self, definition: Definition) -> None:
        self._root = definition.input_schema
        self._server = definition.server
        self._name = definition.name
        self._words_left = MOST_DESCRIBED

    def model(self) -> type[BaseModel]:
        return self._object(self._root, self._name, 0)

    def _object(self, schema: Mapping[str, Any], name: str, depth: int) -> type[BaseModel]:
        required = _required(schema)
        fields: dict[str, Any] = {}
        for number, (alias, described) in enumerate(_members(schema).items()):
            taken = self._type(described, f"{name}_{alias}", depth + 1)
            words = self._words(described)
            if alias in required:
                fields[f"a{number}"] = (taken, Field(alias=alias, description=words))
            else:
                fields[f"a{number}"] = (taken | None, Field(default=None, alias=alias, description=words))
        made: type[BaseModel] = create_model(name, __base__=Given, **fields)
        return made

    def _type(self, described: Mapping[str, Any], name: str, depth: int) -> Any:
        schema = _resolved(described, self._root)
        if choices := _choices(schema):
            return Literal[tuple(choices)]
        match schema.get("type"):
            case "string":
                return Annotated[str, Field(max_length=MOST_TEXT)]
            case "integer":
                return Annotated[int, Field(ge=-MAX_SAFE_INTEGER, le=MAX_SAFE_INTEGER)]
            case "number":
                return Annotated[float, Field(allow_inf_nan=False)]
            case "boolean":
                return bool
            case "array":
                item = self._type(_mapping(schema.get("items")), f"{name}_item", depth + 1) if depth < _DEPTH else Any
                return Annotated[list[item], Field(max_length=1_000)]
            case "object" if depth < _DEPTH and _members(schema):
                return self._object(schema, name, depth)
            case "object":
                return Annotated[dict[str, Any], AfterValidator(_small)]
            case _:
                return Annotated[Any, AfterValidator(_small)]

    def _words(self, described: Mapping[str, Any]) -> str | None:
        said = described.get("description")
        if not isinstance(said, str) or self._words_left <= 0:
            return None
        line = shortened(said, min(MOST_WORDS_OF_PROPERTY, self._words_left))
        self._words_left -= len(line)
        return f'{self._server} says: "{line}"' if line else None


def _resolved(described: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema without the references and the null beside it: what a value of it is."""
    schema = described
    for _ in range(_DEPTH):
        target = local_target(schema, root)
        if target is None:
            break
        schema = target
    for name in ("anyOf", "oneOf"):
        branches = [_mapping(b) for b in cast(list[Any], schema.get(name) or [])]
        real = [b for b in branches if b.get("type") != "null"]
        if len(real) == 1:
            return local_target(real[0], root) or real[0]
    if isinstance(schema.get("type"), list):
        types = [t for t in cast(list[Any], schema["type"]) if t != "null"]
        return {**schema, "type": types[0] if len(types) == 1 else None}
    return schema


def _choices(schema: Mapping[str, Any]) -> list[Any]:
    found = cast(list[Any], schema.get("enum")) if isinstance(schema.get("enum"), list) else []
    fit = [c for c in found if isinstance(c, bool | int) or (isinstance(c, str) and c == shortened(c, 100))]
    return fit if fit and len(fit) == len(found) <= MOST_CHOICES else []


def _members(schema: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return {}
    found = cast(dict[str, Any], properties)
    return {name: _mapping(described) for name, described in list(found.items())[:60] if name == shortened(name, 64)}


def _required(schema: Mapping[str, Any]) -> list[str]:
    required = schema.get("required")
    members = _members(schema)
    return [n for n in cast(list[Any], required) if n in members] if isinstance(required, list) else []


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}


def _sample(described: Mapping[str, Any], root: Mapping[str, Any], depth: int = 0) -> Any:
    schema = _resolved(described, root)
    if choices := _choices(schema):
        return choices[0]
    if schema.get("type") == "object" and depth < _DEPTH:
        members = _members(schema)
        return {name: _sample(members[name], root, depth + 1) for name in _required(schema)}
    plain: dict[Any, Any] = {"integer": 1, "number": 1.5, "boolean": True, "array": [], "object": {}}
    return plain.get(schema.get("type"), "text")


def _small(value: Any) -> Any:
    """A value of a shape that nobody declared: JSON of bounded size."""
    try:
        if len(json.dumps(value, allow_nan=False)) > MOST_TEXT:
            raise ValueError(f"is larger than {MOST_TEXT} characters")
    except (TypeError, RecursionError) as wrong:
        raise ValueError("is no JSON value") from wrong
    return value


def _inexact(value: Any) -> bool:
    if isinstance(value, float):
        return True
    if isinstance(value, int) and not isinstance(value, bool):
        return abs(value) > MAX_SAFE_INTEGER
    if isinstance(value, list):
        return any(_inexact(item) for item in cast(list[Any], value))
    if isinstance(value, dict):
        return any(_inexact(item) for item in cast(dict[str, Any], value).values())
    return False
