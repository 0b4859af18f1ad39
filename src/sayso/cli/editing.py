"""Inputs of a card as a person types them: by name on the command line, or asked for one by one.

What does not fit its type stays text: whoever takes the edit says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import typer

from sayso.cli.typed import typed

Json = Mapping[str, Any]


async def edited_inputs(card: Json, changes: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Ask for each input: Enter keeps a value, "-" empties it. `changes` are those typed before."""
    found = dict(changes or {})
    for name, kind in editable(card).items():
        value = found.get(name, _values(card).get(name))
        line = await typed(f"  {name} [{written(value)}]: ")
        if line:
            found[name] = read_input(line, kind)
    return found


def named_inputs(card: Json, given: Sequence[str]) -> dict[str, Any]:
    """From `NAME=VALUE`. Raises BadParameter for what is no input of this card."""
    kinds, found = editable(card), dict[str, Any]()
    for one in given:
        name, sign, line = one.partition("=")
        if not sign or name not in kinds:
            known = ", ".join(kinds) or "nothing of it can be edited"
            raise typer.BadParameter(f"{one!r} is no NAME=VALUE of this card; its inputs: {known}")
        found[name] = read_input(line or "-", kinds[name])
    return found


def editable(card: Json) -> dict[str, str]:
    """What may be edited, by name, with its JSON type; without a schema, the texts."""
    if card.get("state", "pending") != "pending":
        return {}
    inputs = cast(Json, card.get("inputs") or {})
    if not inputs:
        return {str(a["name"]): "string" for a in card.get("arguments", ()) if a.get("before") is None}
    found: dict[str, str] = {}
    for name, spec in inputs["schema"].get("properties", {}).items():
        if not spec.get("readOnly"):
            kinds = [s.get("type", "string") for s in spec.get("anyOf", [spec])]
            found[name] = next((kind for kind in kinds if kind != "null"), "string")
    return found


def _values(card: Json) -> Json:
    inputs = cast(Json, card.get("inputs") or {})
    return inputs["values"] if inputs else {a["name"]: a["value"] for a in card.get("arguments", ())}


def written(value: Any) -> str:
    """A present value, in the form in which it can be typed."""
    if value is None:
        return ""
    return ", ".join(map(str, cast(list[Any], value))) if isinstance(value, list) else str(value)


def read_input(line: str, kind: str) -> Any:
    """What was typed, as JSON."""
    if kind == "array":
        return [] if line == "-" else [part.strip() for part in line.split(",") if part.strip()]
    if line == "-":
        return None
    if kind == "integer" and line.lstrip("-").isdecimal():
        return int(line)
    if kind == "boolean":
        return {"y": True, "n": False, "t": True, "f": False}.get(line.lower()[:1], line)
    return line
