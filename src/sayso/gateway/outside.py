"""Reads that leave, after a person has approved their card: the action that runs one, and what it found.

The card names the tool, its arguments and the places it would ask. What comes back are facts, as of any read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from sayso.core.facts import Fact
from sayso.core.ports import Clock
from sayso.core.proposals import Change
from sayso.core.tools import Actor, ReadResult, Registry, Tool, ToolContext, ToolKind
from sayso.errors import FactError
from sayso.gateway.actions import Action, ActionRefused, ActionRequest, Done
from sayso.gateway.bounds import bounded

READ_OUTSIDE = "gateway.read_outside"


class OutsideReads:
    """`registry` are the tools that may leave; `seconds` a read may take."""

    def __init__(self, registry: Registry, clock: Clock, seconds: float = 60.0) -> None:
        self._registry, self._clock, self._seconds = registry, clock, seconds
        self._loop: asyncio.AbstractEventLoop | None = None

    def card(self, tool: Tool, values: Mapping[str, Any], places: tuple[str, ...]) -> Change:
        """The change that a person is asked for. Numbers are written as text: a card is exact."""
        self._loop = asyncio.get_running_loop()
        arguments = {"tool": tool.name, "leaves_for": list(places), "arguments": _as_text(values)}
        return Change(READ_OUTSIDE, f"{tool.title}: {places[0]}"[:200], arguments)

    def action(self) -> Action:
        return Action(READ_OUTSIDE, "execute:read_outside", self._run, external=True)

    def _run(self, request: ActionRequest) -> Done:
        """On a worker thread. A tool's connections belong to the loop that serves, so it runs there if it can."""
        tool = self._registry.get(str(request.arguments["tool"]))
        if tool is None or tool.kind is not ToolKind.READ:
            raise ActionRefused("this tool is not offered any more; nothing was asked")
        try:
            arguments = tool.arguments.model_validate(request.arguments["arguments"])
        except ValidationError as wrong:
            raise ActionRefused("the arguments no longer fit this tool; nothing was asked") from wrong
        actor = Actor(request.actor, request.owner, frozenset({tool.permission}))
        facts = self._finish(tool, arguments, ToolContext(actor, self._clock.now()))
        return Done("looked up", f"{len(facts)} records", facts=facts)

    def _finish(self, tool: Tool, arguments: Any, context: ToolContext) -> tuple[Fact, ...]:
        async def read() -> tuple[Fact, ...]:
            async with asyncio.timeout(self._seconds):
                found = await tool.run(arguments, context)
            if not isinstance(found, ReadResult):
                raise FactError(f"{tool.name} is a read and returned {type(found).__name__}")
            return bounded(found.facts)

        loop = self._loop
        if loop is None or not loop.is_running():
            return asyncio.run(read())
        return asyncio.run_coroutine_threadsafe(read(), loop).result(self._seconds + 5)


def _as_text(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: repr(value) if isinstance(value, float) else value for name, value in values.items()}
