"""Running the calls that a deployment may run itself, each to exactly one terminal result.

A tool's fault is a result, never an exception: an unknown answer is not the same as none. What a
proposal becomes is the host's business (`file_proposal`); nothing here executes anything.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, cast

from pydantic import BaseModel, ValidationError

from sayso.core.evidence import Evidence
from sayso.core.facts import Fact, FactKind, lookup_fact
from sayso.core.messages import CallStatus, ResultReason, ToolCall, ToolResult
from sayso.core.proposals import Change
from sayso.core.tools import ProposeResult, ReadResult, Registry, Tool, ToolContext, ToolKind
from sayso.core.verify import Setting, unbacked_words
from sayso.errors import FactError

FileProposal = Callable[[Change, Tool, ToolCall, ToolContext], Awaitable[tuple[Fact, bool]]]
"""Files a change and returns its `proposal` fact, and whether the same one was pending already."""

MAX_ARGUMENTS = 64_000
MAX_FACTS = 200


@dataclass(frozen=True, slots=True)
class InProcessRunner:
    """Runs read and propose calls in process, under one person's permissions."""

    registry: Registry
    context: ToolContext
    evidence: Evidence
    file_proposal: FileProposal
    seconds_per_call: float = 20.0

    def may_run(self, call: ToolCall) -> bool:
        return True

    async def run(self, call: ToolCall) -> ToolResult:
        tool = self.registry.get(call.name)
        if tool is None:
            return ToolResult(call.id, CallStatus.FAILED, reason=ResultReason.UNKNOWN_TOOL)
        if not self.context.actor.may(tool.permission):
            return ToolResult(call.id, CallStatus.DENIED, reason=ResultReason.NOT_ALLOWED)
        arguments = parse_arguments(tool, call.arguments)
        if arguments is None:
            return ToolResult(call.id, CallStatus.FAILED, reason=ResultReason.BAD_ARGUMENTS)
        try:
            async with asyncio.timeout(self.seconds_per_call):
                outcome = await tool.run(arguments, self.context)
            return await self._result(tool, call, arguments, outcome)
        except TimeoutError:
            return ToolResult(call.id, CallStatus.FAILED, reason=ResultReason.TOOL_TIMEOUT)
        except (Exception, BaseExceptionGroup):
            # No stack, no message: a tool's own words never reach the model, nor do its secrets.
            return ToolResult(call.id, CallStatus.FAILED, reason=ResultReason.TOOL_FAILED)

    async def _result(
        self, tool: Tool, call: ToolCall, arguments: BaseModel, outcome: ReadResult | ProposeResult
    ) -> ToolResult:
        if tool.kind is ToolKind.READ and isinstance(outcome, ReadResult):
            return self._read(tool, call, arguments, outcome)
        if tool.kind is ToolKind.PROPOSE and isinstance(outcome, ProposeResult):
            return await self._propose(tool, call, outcome)
        raise FactError(f"{tool.name} is a {tool.kind.value} tool and returned {type(outcome).__name__}")

    def _read(self, tool: Tool, call: ToolCall, arguments: BaseModel, found: ReadResult) -> ToolResult:
        covers = _covered(tool)
        facts = [_genuine(fact) for fact in found.facts[:MAX_FACTS]]
        told = _readable(arguments)
        trace = lookup_fact(
            tool.name, told, covers=covers.name, matched=found.matched, searched=found.searched,
            as_of=self.context.now, key=f"{tool.name} {told}",
        )  # fmt: skip
        return ToolResult(call.id, CallStatus.SUCCESS, self.evidence.add_all([*facts, trace]))

    async def _propose(self, tool: Tool, call: ToolCall, asked: ProposeResult) -> ToolResult:
        candidates = self.evidence.add_all(_genuine(fact) for fact in asked.facts)
        if asked.change is None:
            reason = ResultReason.NEEDS_CHOICE if candidates else ResultReason.NO_TARGET
            return ToolResult(call.id, CallStatus.FAILED, candidates, reason)
        told = Setting(self.context.now, self.context.locale, self.context.user_message)
        change = replace(asked.change, unbacked=unbacked_words(asked.change.arguments, self.evidence, told))
        fact, already = await self.file_proposal(change, tool, call, self.context)
        reason = ResultReason.ALREADY_PENDING if already else None
        return ToolResult(call.id, CallStatus.SUCCESS, (self.evidence.add(fact), *candidates), reason)


def parse_arguments(tool: Tool, raw: str) -> BaseModel | None:
    """The validated arguments, or None. Unknown ones are ignored by the model's own config."""
    if len(raw) > MAX_ARGUMENTS:
        return None
    try:
        value: Any = json.loads(raw or "{}")
        if isinstance(value, str):  # encoded twice
            value = json.loads(value)
        if not isinstance(value, Mapping):
            return None
        return tool.arguments.model_validate(value)
    except (ValidationError, ValueError, RecursionError):
        return None


@lru_cache(maxsize=128)
def canonical_arguments(raw: str) -> str:
    """One spelling of a call's arguments, to know a repeated call by."""
    try:
        value = json.loads(raw or "{}")
        return json.dumps(value, sort_keys=True, ensure_ascii=False)
    except (ValueError, RecursionError):
        return raw.strip()


def _covered(tool: Tool) -> FactKind:
    if tool.covers is None:
        raise FactError(f"{tool.name} does not say what it covers")
    return tool.covers


def _genuine(fact: Fact) -> Fact:
    if not isinstance(fact, Fact):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise FactError(f"a tool returned {type(fact).__name__} instead of a fact")
    return fact


def told_arguments(raw: str) -> str:
    """Raw arguments as a person reads them; "" where there are none, or none that can be read."""
    try:
        value: Any = json.loads(raw or "{}")
    except (ValueError, RecursionError):
        return ""
    if not isinstance(value, dict):
        return ""
    given = cast(dict[str, Any], value)
    return _told({name: one for name, one in given.items() if one is not None})


def _readable(arguments: BaseModel) -> str:
    """The arguments that were given, as a person reads them: `"Elena"`, `days=7`."""
    return _told(arguments.model_dump(mode="json", exclude_none=True))


def _told(given: Mapping[str, Any]) -> str:
    if len(given) == 1 and isinstance(next(iter(given.values())), str):
        return json.dumps(next(iter(given.values())), ensure_ascii=False)
    return ", ".join(f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in given.items())
