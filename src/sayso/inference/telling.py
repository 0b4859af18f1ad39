"""The events of a caller-driven run: the loop's, with a signed continuation at their end.

It keeps what the run adds to the thread until its end tells it; afterwards nothing of it is kept here.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace

from sayso.core.encoding import canonical_digest, exact, transcript_digest
from sayso.core.events import (
    ClientToolCall,
    Event,
    FactsFound,
    Finish,
    Recorded,
    RunStarted,
    Status,
    TextDelta,
    UsageReport,
)
from sayso.core.messages import (
    CallStatus,
    Message,
    Outcome,
    ResultPart,
    ResultReason,
    Role,
    StopReason,
    TextPart,
    ToolCall,
    ToolResult,
    open_calls,
)
from sayso.core.ports import Ids
from sayso.core.proposals import digest_of
from sayso.inference.continuing import Continuation, Continuations, OpenCall, State
from sayso.inference.planning import Plan


class Telling:
    """One run's events. `stopped()` gives the end of a run that a person stopped."""

    def __init__(self, plan: Plan, continuations: Continuations, ids: Ids) -> None:
        self._plan, self._continuations, self._ids = plan, continuations, ids
        self._added: list[Message] = list(plan.before)
        self._waiting: list[OpenCall] = []
        self._told = ""
        self._steps, self._usage = plan.task.steps_used, plan.task.usage

    async def events(self, of_loop: AsyncIterator[Event]) -> AsyncIterator[Event]:
        """The events for the reader, in their order."""
        async for event in of_loop:
            told = self._take(event)
            yield told
            if isinstance(told, RunStarted):
                for one in self._results():
                    yield one

    def stopped(self) -> Finish:
        """What was told so far stays in the transcript, and no call is left open."""
        open_ = open_calls((*self._plan.task.so_far, *self._added))
        if open_:
            ended = [ResultPart(ToolResult(c.id, CallStatus.CANCELLED, reason=ResultReason.STOPPED)) for c in open_]
            self._add(Role.TOOL, tuple(ended))
        if self._told.strip():
            self._add(Role.ASSISTANT, (TextPart(self._told),))
        return self._end(Finish(Outcome.ABSTAINED, StopReason.STOPPED), State.STOPPED, ())

    def _take(self, event: Event) -> Event:
        match event:
            case Recorded(message):
                self._added.append(message)
            case TextDelta(text):
                self._told += text
            case ClientToolCall(call):
                return self._issue(call)
            case UsageReport(usage, steps):
                self._usage, self._steps = usage, steps
            case Finish(outcome=Outcome.WAITING):
                return self._end(event, State.WAITING, tuple(self._waiting))
            case Finish():
                return self._end(event, State.FINISHED, ())
            case _:
                pass
        return event

    def _results(self) -> list[Event]:
        """How the calls that this request answers ended, and what they found."""
        names = {c.id: c.name for m in self._plan.task.so_far for c in m.calls}
        results = [result for message in self._plan.before for result in message.results]
        ended: list[Event] = [Status("", names.get(r.call_id, ""), r.call_id, r.status) for r in results]
        return [*ended, FactsFound(self._plan.found)] if self._plan.found else ended

    def _issue(self, call: ToolCall) -> ClientToolCall:
        """The call as the caller gets it: its arguments as every reader writes them back."""
        declared = self._plan.asked.declared
        arguments = exact(declared.arguments(call) or {})
        self._waiting.append(OpenCall(call.id, call.name, canonical_digest(arguments), declared.kind_of(call.name)))
        return ClientToolCall(replace(call, arguments=json.dumps(arguments, ensure_ascii=False)))

    def _add(self, role: Role, parts: tuple[ResultPart, ...] | tuple[TextPart, ...]) -> None:
        self._added.append(Message(self._ids.new("msg"), role, parts, self._plan.task.exchange_id))

    def _end(self, finish: Finish, state: State, calls: tuple[OpenCall, ...]) -> Finish:
        task, proven, actor = self._plan.task, self._plan.asked.proven, self._plan.asked.actor
        transcript = transcript_digest(self._added, proven.transcript)
        continuation = Continuation(
            self._ids.new("cont"), actor.id, actor.owner, task.thread_id, task.exchange_id, state, self._steps,
            self._usage, calls, transcript, proven.count + len(self._added), self._plan.evidence.next_number,
            digest_of(task.question.encode("utf-8", "replace")), self._continuations.until(),
            task.released + self._told if state is State.WAITING else "",
        )  # fmt: skip
        return replace(
            finish, continuation=self._continuations.write(continuation), messages=tuple(self._added),
            next_ref=continuation.next_ref, transcript=transcript,
        )  # fmt: skip
