"""The one rule for listing and calling: by tool, by record kind, by owner. What no role allows is denied.

A read tool needs the permission of its name, or that of the kind of record which it covers. A tool over every kind
(`by_kind`) needs that of the kind which a call names. Nothing that a caller, a model or another server says counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sayso.core.tools import Actor, Registry, Tool, ToolKind


@dataclass(frozen=True, slots=True)
class Ruling:
    """Whether something is allowed, and the rule that says so, for a person to read."""

    allowed: bool
    rule: str


def may_list(actor: Actor, tool: Tool) -> bool:
    """Whether a tool is shown to somebody: exactly where some call of it would be allowed."""
    return any(actor.may(permission) for permission in _ways(tool, tool.by_kind))


def ruling(actor: Actor, tool: Tool, arguments: Mapping[str, Any]) -> Ruling:
    """Whether this call is allowed. `arguments` decide only which kind of record a tool over every kind is about."""
    ways = _ways(tool, [kind for kind in tool.by_kind if kind == arguments.get("kind")])
    for permission in ways:
        if actor.may(permission):
            return Ruling(True, actor.rule_for(permission))
    if not ways:
        return Ruling(False, f"{tool.name} needs a kind: one of {', '.join(tool.by_kind)}")
    return Ruling(False, f"{tool.name} was not run: {actor.rule_for(ways[-1])}")


def listed(actor: Actor, registry: Registry) -> Registry:
    """The part of a catalogue that somebody may use."""
    return Registry(tool for tool in registry if may_list(actor, tool))


def may_read(actor: Actor, kind: str, registry: Registry) -> bool:
    """Whether somebody may see facts of a kind: by its own permission, or by a read tool that covers it."""
    if actor.may(f"read:kind:{_RECORDS.get(kind, kind)}"):
        return True
    return any(may_list(actor, tool) for tool in registry if tool.covers is not None and tool.covers.name == kind)


def _ways(tool: Tool, kinds: Iterable[str]) -> list[str]:
    """The permissions of which any one suffices."""
    verb = "read" if tool.kind is ToolKind.READ else "propose"
    if tool.by_kind:
        return [f"{verb}:kind:{kind}" for kind in kinds]
    covered = [f"{verb}:kind:{_RECORDS.get(tool.covers.name, tool.covers.name)}"] if tool.covers else []
    return [*covered, tool.permission]


_RECORDS = {"passage": "document"}
"""Fact kinds that are a part of a record, by the record's kind."""
