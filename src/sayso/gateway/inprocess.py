"""The runner of an assistant in the same process: the model's calls go the way of everybody's, and get their refs.

Only what the model was offered can be called. Raw arguments are read once, here, so that they need not be exact.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sayso.core.evidence import Evidence
from sayso.core.messages import CallStatus, ResultReason, ToolCall, ToolResult
from sayso.core.tools import Registry, ToolContext
from sayso.gateway.calls import Call, canonical_json
from sayso.gateway.running import MAX_ARGUMENTS, CallRunner


@dataclass(frozen=True, slots=True)
class InProcess:
    """`offered` is this person's part of the catalogue; `context` says for whom, when and in answer to which words;
    `words` are those of the thread, the newest first."""

    calls: CallRunner
    offered: Registry
    context: ToolContext
    evidence: Evidence
    thread_id: str
    exchange_id: str
    words: tuple[str, ...] = ()

    def may_run(self, call: ToolCall) -> bool:
        return True

    async def run(self, call: ToolCall) -> ToolResult:
        if self.offered.get(call.name) is None:
            return ToolResult(call.id, CallStatus.FAILED, reason=ResultReason.UNKNOWN_TOOL)
        arguments = arguments_of(call.arguments)
        if arguments is None:
            return ToolResult(call.id, CallStatus.FAILED, reason=ResultReason.BAD_ARGUMENTS)
        made = Call(
            call.id, call.name, arguments, None, self.thread_id, self.exchange_id, self.context.user_message
        )  # fmt: skip
        calls = replace(self.calls, registry=self.offered)
        result = await calls.run(self.context.actor, made, self.evidence, within=self.context, words=self.words)
        return ToolResult(call.id, result.status, self.evidence.add_all(result.facts), result.reason)


def arguments_of(raw: str) -> Mapping[str, Any] | None:
    """The object that a model wrote, also where it is encoded twice; None for anything else."""
    if len(raw) > MAX_ARGUMENTS:
        return None
    try:
        value: Any = json.loads(raw or "{}")
        if isinstance(value, str):
            value = json.loads(value)
        canonical_json(value)  # what is nested too deeply for one of both is refused here
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None  # pyright: ignore[reportUnknownVariableType]
