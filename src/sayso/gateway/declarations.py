"""What a caller is told of the tools: their declarations, and the kinds of fact that they may give."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sayso.core.encoding import encode_kind, exact
from sayso.core.facts import FactKind
from sayso.core.tools import Tool, ToolKind


def declaration(tool: Tool) -> dict[str, Any]:
    """One tool as JSON values."""
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "input_schema": dict(tool.schema),
        "read_only": tool.kind is ToolKind.READ,
        "permission": tool.permission,
        "example": dict(tool.example),
        "covers": tool.covers.name if tool.covers else None,
        "words": list(tool.words),
        "takes_name": tool.takes_name,
        "takes_text": tool.takes_text,
        "can_leave": tool.can_leave,
    }


def declared(tools: Iterable[Tool], kinds: Iterable[FactKind]) -> dict[str, Any]:
    """The part of a catalogue that its seal is made of: tools, and kinds by name, each once."""
    offered = tuple(tools)
    known = {kind.name: kind for kind in (*kinds, *(tool.covers for tool in offered if tool.covers))}
    # A seal is of these values: what a browser sends back must be the same ones.
    return exact({"kinds": [encode_kind(k) for k in known.values()], "tools": [declaration(t) for t in offered]})
