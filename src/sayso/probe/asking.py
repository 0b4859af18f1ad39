"""One question to one model over a fresh copy of the world, and what it came to."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from sayso.core.events import Answer, Event, FactsFound, Failed, Finish, Recorded, UsageReport, Verified
from sayso.core.evidence import Evidence, Numbered
from sayso.core.messages import CallPart, Message, Outcome, ResultPart, StopReason, ToolResult
from sayso.core.ports import FinishReason, Model
from sayso.core.progress import Limits
from sayso.core.verify import Setting, Verifier
from sayso.core.verify.report import Report, Violation
from sayso.inapp.assistant import Assistant
from sayso.inapp.conversation import known_words
from sayso.inapp.surroundings import LOCAL_USER
from sayso.probe.judging import MILD, Shown, judged
from sayso.probe.sample import CallMade, Judged, Place, Sample, has_failed
from sayso.probe.scenarios import DAY, Scenario, Wording
from sayso.probe.watching import ReplySeen, Watched
from sayso.probe.world import World
from sayso.vocabulary import ordinary_words

LATE = "it did not end within the time of one question"
KEPT = 2000  # characters of an answer that a report keeps


async def ask_once(world: World, model: Model, scenario: Scenario, place: Place, limits: Limits) -> Sample:
    """Ask, and judge. What the model does wrong is measured, never raised."""
    wording = scenario.wordings[place.wording]
    watched, told = Watched(model), _Told()
    began = time.monotonic()
    async with world.assistant(watched, limits) as assistant:
        thread = world.thread if scenario.long else None
        try:
            async with aclosing(assistant.ask(wording.text, actor=LOCAL_USER, thread_id=thread)) as events:
                async for event in events:
                    told.take(event)
        except Exception as fault:  # a model's fault must not end a probe of others
            told.error, told.message = type(fault).__name__, str(fault)
        seconds = time.monotonic() - began
        return await _sample(assistant, scenario, place, wording, watched, told, seconds)


@dataclass(slots=True)
class _Told:
    """What the events of one exchange told."""

    messages: list[Message] = field(default_factory=list[Message])
    facts: dict[str, Numbered] = field(default_factory=dict[str, Numbered])
    report: Report = field(default_factory=lambda: Report(()))
    repaired: bool = False
    answer: Answer | None = None
    usage: UsageReport | None = None
    outcome: str = "failed"
    reason: str = ""
    error: str = ""
    message: str = ""

    def take(self, event: Event) -> None:
        match event:
            case Recorded(message):
                self.messages.append(message)
            case FactsFound(facts):
                self.facts.update((n.ref, n) for n in facts)
            case Verified(report, repaired):
                self.report, self.repaired = report, repaired
            case Answer():
                self.answer = event
            case UsageReport():
                self.usage = event
            case Finish(outcome, reason):
                self.outcome, self.reason = outcome.value, reason.value
            case Failed(code, message, _, reason):
                self.error, self.message, self.reason = code, message, reason.value
            case _:
                pass

    @property
    def said(self) -> str:
        """The model's own words that were kept: what we quote in their stead is no merit of its."""
        if self.answer is None or self.answer.outcome is Outcome.ABSTAINED:
            return ""
        return "".join(s.text for s in self.report.sentences if not self.report.withheld(s))


async def _sample(
    assistant: Assistant, scenario: Scenario, place: Place, wording: Wording, watched: Watched, told: _Told,
    seconds: float,
) -> Sample:  # fmt: skip
    facts = watched.facts | told.facts
    draft = _draft_violations(assistant, wording, watched.replies, facts, told.report)
    proposals = await assistant.proposals.list(LOCAL_USER.desk)
    calls = _calls(told.messages)
    cited = told.answer.citations if told.answer else ()
    tools = frozenset(tool.name for tool in assistant.registry)
    shown = Shown(
        told.said, tuple(reply.text for reply in watched.replies), calls, tuple(facts.values()),
        tuple(facts[ref] for ref in cited if ref in facts), tuple(v.kind for v in draft), proposals, tools,
    )  # fmt: skip
    replies = watched.replies
    late = told.reason == StopReason.TIME_LIMIT.value
    error = told.error or next((r.error for r in replies if r.error), "model_timeout" if late else "")
    return Sample(
        place, wording.language, wording.text,
        answer=told.answer.text[:KEPT] if told.answer else "",
        said=told.said[:KEPT],
        calls=calls,
        judged=Judged() if has_failed(told.outcome, told.reason) else judged(scenario, shown),
        before=sum(v.kind not in MILD for v in draft),
        after=sum(v.kind not in MILD for v in told.report.violations),
        unsupported=sum(v.kind in MILD for v in told.report.violations),
        kinds=tuple(dict.fromkeys(v.kind.value for v in draft)),
        withheld=sum(told.report.withheld(s) for s in told.report.sentences),
        repaired=told.repaired,
        odd_ids=_odd_ids(replies),
        odd_names=any(c.name not in tools and c.name.rsplit(".", 1)[-1] in tools for r in replies for c in r.native),
        cut=any(r.end is FinishReason.LENGTH for r in replies),
        left_out=any(r.left_out for r in replies),
        proposals=len(proposals),
        requests=len(replies),
        steps=told.usage.steps if told.usage else 0,
        input_tokens=sum(r.usage.input_tokens for r in replies),
        output_tokens=sum(r.usage.output_tokens for r in replies),
        longest_reply=max((r.usage.output_tokens for r in replies), default=0),
        first_token=next((r.first for r in replies if r.first is not None), None),
        seconds=seconds,
        outcome=told.outcome,
        stop_reason=told.reason,
        error=error,
        message=told.message[:300] or (LATE if late else ""),
        notices=tuple(dict.fromkeys(n for r in replies for n in r.notices)),
    )  # fmt: skip


def _draft_violations(
    assistant: Assistant, wording: Wording, replies: Sequence[ReplySeen], facts: dict[str, Numbered], report: Report
) -> tuple[Violation, ...]:
    """Of the draft before any repair: the loop tells only of what was kept in the end."""
    draft = next((reply.mended for reply in replies if reply.mended), None)
    if draft is None:
        return report.violations
    evidence = Evidence(sorted(facts.values(), key=lambda n: int(n.ref[1:])))
    setting = Setting(
        DAY, wording.language, wording.text, known_words(assistant.registry), assistant.profile,
        ordinary=ordinary_words(wording.language),
    )  # fmt: skip
    return Verifier(evidence, setting).report(draft).violations


def _calls(messages: Sequence[Message]) -> tuple[CallMade, ...]:
    results = {r.call_id: r for m in messages for p in m.parts if isinstance(p, ResultPart) for r in [p.result]}
    asking = [[p.call for p in m.parts if isinstance(p, CallPart)] for m in messages]
    steps = [calls for calls in asking if calls]
    return tuple(
        CallMade(call.name, call.arguments[:KEPT], call.protocol, step, *_ended(results.get(call.id)))
        for step, calls in enumerate(steps, 1)
        for call in calls
    )


def _ended(result: ToolResult | None) -> tuple[str, str]:
    if result is None:
        return "open", ""
    return result.status.value, result.reason.value if result.reason else ""


def _odd_ids(replies: Sequence[ReplySeen]) -> bool:
    """Native calls without an id, or two of one exchange that share theirs."""
    ids = [call.id for reply in replies for call in reply.native]
    return "" in ids or len(set(ids)) < len(ids)
