"""Tools for tests of the reader: any name, any schema, never run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel

from sayso.core.protocols.reading import read_text
from sayso.core.tools import ReadResult, Tool, ToolContext, ToolKind


async def _never_run(arguments: Any, context: ToolContext) -> ReadResult:
    raise AssertionError("only named")


def a_tool(name: str, schema: Mapping[str, Any] | None = None) -> Tool:
    return Tool(
        name=name, kind=ToolKind.READ, description="", arguments=BaseModel, example={}, permission="", covers=None,
        words=(), takes_name=None, takes_text=None, pure=True, can_leave=False, run=_never_run, title=name,
        schema=schema or {},
    )  # fmt: skip


def calls_of(text: str, tools: Mapping[str, Tool], said: Iterable[str] = ()) -> list[tuple[str, Any]]:
    """The calls that could run."""
    found = read_text(text, tools, said=lambda: said).calls
    return [(call.name, json.loads(call.arguments)) for call in found if not call.fault]
