"""The loop: question, model, tools, facts, draft, verify, repair, answer. One generator of events.

    question -> seed facts -> model -> tool calls -> facts -> model -> draft -> verify -> answer

Everything it needs is passed in. It serves both deployments: a call that `runner` may not run
stays unanswered, the run ends as `waiting`, and a later run goes on over the same transcript.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

from sayso.core.draft import Draft
from sayso.core.ending import Closing, close, tell
from sayso.core.events import (
    ClientToolCall,
    Event,
    FactsFound,
    Failed,
    Finish,
    Recorded,
    RunStarted,
    Status,
    UsageReport,
)
from sayso.core.evidence import Evidence
from sayso.core.messages import Message, Outcome, ResultReason, Role, StopReason, ToolCall, open_calls
from sayso.core.ports import Clock, FinishReason, Ids, Model, ToolRunner
from sayso.core.progress import Limits, Progress, Task
from sayso.core.protocols.calls import read_reply
from sayso.core.runner import told_arguments
from sayso.core.sight import seen
from sayso.core.step import Step
from sayso.core.tools import Registry
from sayso.core.verify import Verifier
from sayso.core.verify.report import Report
from sayso.core.verify.second_opinion import SecondOpinion
from sayso.errors import ModelError, ModelTimeout


async def run_exchange(
    task: Task, *, model: Model, tools: Registry, runner: ToolRunner, evidence: Evidence,
    verifier: Verifier, clock: Clock, ids: Ids, limits: Limits, second_opinion: SecondOpinion | None = None,
) -> AsyncIterator[Event]:  # fmt: skip
    """Run one exchange, or go on with one, to exactly one `Finish` or `Failed`.

    `evidence` holds the thread's facts, those of `task.seeds` among them; the run adds what it
    finds. Nothing is stored here: `Recorded` events carry the messages to keep. A `second_opinion` is asked
    about what is unsupported before a repair is.
    """
    progress = Progress(task, limits, evidence, tools, runner, clock, ids, second_opinion)
    by_name = {tool.name: tool for tool in tools}
    name = model.name
    released = verifier.report(task.released).sentences if task.released else ()
    yield RunStarted(task.run_id, task.thread_id, task.exchange_id, name)
    if refused := refusal(task, limits):
        yield refused
        return
    if not task.so_far:
        yield Recorded(progress.opening())
        if task.seeds or task.images:
            yield FactsFound((*task.seeds, *task.images))
    try:
        while True:
            last = progress.last_step
            draft = Draft(verifier, by_name, released=released)
            step = Step(model, progress.request(), draft, progress.attempts)
            async for event in seen(progress, step, model):
                yield event
            reply, name = step.reply, step.reply.model
            progress.steps += 1
            progress.usage += reply.usage
            reading = read_reply(reply.text, reply.native, by_name, ids, cut=reply.cut, said=progress.said)
            if not reading.calls or last:
                break
            yield Recorded(_required(progress.record_reply(reading.prose, reading.calls, preamble=True)))
            released = tuple(draft.released)
            waiting = [] if reply.cut else progress.left_to_caller(reading.calls)
            for call in reading.calls:
                yield ClientToolCall(call) if call in waiting else _looking_up(call)
            own = [call for call in reading.calls if call not in waiting]
            results = (
                progress.refuse(own, ResultReason.CUT_OFF)
                if reply.cut
                else await progress.run_calls(reading.calls, waiting)
            )
            if results:
                yield Recorded(progress.record_results(results))
                for call, result in zip(own, results, strict=True):
                    yield Status("", call.name, call.id, result.status)
                yield FactsFound(tuple({n.ref: n for r in results for n in r.facts}.values()))
            if waiting:
                yield UsageReport(progress.usage, progress.steps, name, tuple(progress.attempts))
                yield Finish(Outcome.WAITING, StopReason.WAITING)
                return
        if reading.calls:  # asked for in the last step: never run
            yield Recorded(_required(progress.record_reply(reading.prose, reading.calls, preamble=True)))
            yield Recorded(progress.record_results(progress.refuse(reading.calls, ResultReason.TOOLS_CLOSED)))
        reason = _reason(progress, reply.end, bool(reading.calls))
        closing = await close(progress, model, verifier, draft, reading.prose, reason, cut=reply.cut)
    except ModelError as failure:
        if not progress.facts:
            yield UsageReport(progress.usage, progress.steps, name, tuple(progress.attempts))
            yield Failed(failure.code, str(failure), failure.retryable)
            return
        why = StopReason.TIME_LIMIT if isinstance(failure, ModelTimeout) else StopReason.MODEL_FAILED
        closing = Closing(Report(released, verifier.profile), released, why, cut=bool(released))
    async for event in tell(progress, closing, name):
        yield event


def refusal(task: Task, limits: Limits) -> Failed | None:
    """Why an exchange may not go on: it has its answer, results are missing, or its steps are used up."""
    if not task.so_far:
        return None
    last, refused = task.so_far[-1], StopReason.REFUSED
    if last.role is Role.ASSISTANT and not last.calls:
        return Failed("exchange_finished", "this exchange has its answer already; ask anew", False, refused)
    if open_calls(task.so_far):
        return Failed("results_missing", "send the results of the calls that are still open first", True, refused)
    if task.steps_used >= limits.steps:
        return Failed("step_limit", "this exchange has used its steps; ask anew", False, StopReason.STEP_LIMIT)
    return None


def _reason(progress: Progress, end: FinishReason | None, called: bool) -> StopReason:
    if end is FinishReason.CONTENT_FILTER:
        return StopReason.CONTENT_FILTER
    if end is None and progress.seconds_left <= 0:
        return StopReason.TIME_LIMIT
    if not called:
        return StopReason.ANSWERED
    if progress.closed:
        return StopReason.NO_PROGRESS
    return StopReason.TOKEN_LIMIT if progress.spent else StopReason.STEP_LIMIT


def _looking_up(call: ToolCall) -> Status:
    return Status(told_arguments(call.arguments), call.name, call.id)


def _required(value: Message | None) -> Message:
    assert value is not None  # a reply with calls always makes a message
    return value
