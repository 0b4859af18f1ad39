"""The assistant of one application: exchanges over stored threads, and proposals.

It puts the loop, the store and the gateway together and keeps what the loop records. It knows no
transport: the server and the command line read its events.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from sayso.core.events import (
    Answer,
    Event,
    Failed,
    Finish,
    Recorded,
    UsageReport,
    Verified,
)
from sayso.core.evidence import Evidence, Numbered
from sayso.core.facts import Fact
from sayso.core.images import MAX_IMAGES, Attachment, checked_number
from sayso.core.loop import run_exchange
from sayso.core.messages import CallStatus, Message, Outcome, ResultReason, Role, StopReason, Usage, open_calls
from sayso.core.ports import Clock, Ids, Model, may_see
from sayso.core.progress import Limits, Task, exchanges_in, recent_history
from sayso.core.proposals import Proposal
from sayso.core.receipts import not_told, told_receipts
from sayso.core.sight import images_meant
from sayso.core.tools import Actor, Registry, ToolContext
from sayso.core.transcripts import closing, sound
from sayso.core.verify import Setting, Verifier
from sayso.core.verify.report import Profile, Report
from sayso.core.verify.second_opinion import SecondOpinion
from sayso.errors import SaysoError
from sayso.gateway.gateway import Gateway
from sayso.gateway.inprocess import InProcess
from sayso.gateway.ledger import Ledger
from sayso.gateway.rules import listed
from sayso.gateway.running import CallRunner
from sayso.inapp.conversation import known_words
from sayso.inapp.settling import settle
from sayso.models.quote.question import MAX_QUESTION
from sayso.models.quote.words import keys, language_of
from sayso.store.holding import RENEW_SECONDS
from sayso.store.images import ImageStore, MemoryImages
from sayso.store.ports import Exchange, ProposalStore, Thread, ThreadStore
from sayso.vocabulary import ordinary_words

_log = logging.getLogger(__name__)
T = TypeVar("T")
Seeds = Callable[[Actor, str, datetime, tuple[str, str] | None], Awaitable[tuple[Fact, ...]]]
"""Gives the facts that an exchange starts with: (actor, question, now, open record as kind and key)."""


@dataclass(frozen=True, slots=True)
class PageContext:
    """Where the user is: the page's route, its open record (kind, key), the selected text."""

    route: str = ""
    record: tuple[str, str] | None = None
    selection: str = ""


@dataclass(frozen=True, slots=True)
class Assistant:
    """One application's assistant. All state is in the store.

    `registry` are the tools that its model is told of, `calls` runs these and any others that a person may call.
    """

    registry: Registry
    threads: ThreadStore
    proposals: ProposalStore
    gateway: Gateway
    model: Model
    clock: Clock
    ids: Ids
    seeds: Seeds
    limits: Limits
    calls: CallRunner
    ledger: Ledger
    locale: str = "en"
    profile: Profile = Profile.DEFAULT
    second_opinion: SecondOpinion | None = None
    model_reason: str = ""
    instructions: str = ""
    images: ImageStore = field(default_factory=MemoryImages)

    @property
    def model_name(self) -> str:
        return self.model.name

    async def ask(
        self, message: str, *, actor: Actor, thread_id: str | None = None, context: PageContext | None = None,
        run_id: str | None = None, model: Model | None = None, images: Sequence[Attachment] = (),
        supersede: bool = False,
    ) -> AsyncGenerator[Event]:  # fmt: skip
        """Run one exchange; events as the loop gives them, each message stored before it is told on.

        `supersede` closes what still waits in this thread: the person goes on without it. What the message says
        decides on no proposal.

        Raises NotFound for a thread that this person does not have, ImageUnfit for too many images.
        """
        checked_number(len(images))
        model = model or self.model
        now = self.clock.now()
        thread = await self._thread(actor, thread_id, message)
        if supersede:
            await self.gateway.supersede_thread(thread.id, actor)
        record = context.record if context else None
        run_id = run_id or self.ids.new("run")
        keeper = _Keeper(self, actor, thread.id, exchange_of(run_id), model.name)
        try:
            first_ref = await keeper.begin(message, now)
            task, evidence = await self._prepared(keeper, message, context, run_id, model, images, first_ref, now)
            async for event in self._run(task, actor, evidence, model, now, record):
                await keeper.take(event)
                yield event
        finally:
            # A run that is stopped, also twice, still ends in the store: no call without its result.
            await asyncio.shield(asyncio.ensure_future(keeper.close()))

    async def _prepared(
        self, keeper: _Keeper, message: str, context: PageContext | None, run_id: str, model: Model,
        images: Sequence[Attachment], first_ref: int, now: datetime,
    ) -> tuple[Task, Evidence]:  # fmt: skip
        """What the loop begins with: the history without its damages, and the facts that are known from the start."""
        actor, thread_id = keeper.actor, keeper.thread_id
        messages = sound(await self._settled(actor, thread_id))
        history = recent_history(messages, self.limits.history)
        known = {n.ref: n for m in history for n in m.numbered}
        evidence = Evidence(known.values(), next_number=first_ref)
        record = context.record if context else None
        receipts = await self.proposals.receipts_for(actor.desk, thread_id)
        learned = [fact for receipt in receipts for fact in await self.gateway.facts(actor.desk, receipt.key)]
        known_first = [*receipts, *learned, *await self.seeds(actor, message, now, record)]
        seeds = evidence.add_all(not_told(known_first, messages))
        await self.images.keep(actor.desk, images, now)
        attached = tuple({n.ref: n for n in evidence.add_all(image.fact(now) for image in images)}.values())
        task = Task(
            run_id, thread_id, keeper.exchange_id, message, history, seeds=seeds,
            locale=language_of(keys(message[:MAX_QUESTION]), self.locale), instructions=self.instructions,
            earlier=exchanges_in(messages) - exchanges_in(history),
            images=attached, pictures=await self._pictures(actor, model, attached, history),
        )  # fmt: skip
        return task, evidence

    async def _settled(self, actor: Actor, thread_id: str) -> tuple[Message, ...]:
        """The transcript; calls that nobody will answer any more get their result now."""
        messages = await self.threads.messages(actor.desk, thread_id)
        if not open_calls(messages):
            return messages
        return await settle(self.threads, actor.desk, thread_id, self.ids, self.clock.now())

    def _run(
        self, task: Task, actor: Actor, evidence: Evidence, model: Model, now: datetime,
        record: tuple[str, str] | None = None,
    ) -> AsyncIterator[Event]:  # fmt: skip
        tools = listed(actor, self.registry)
        told = ToolContext(actor, now, task.locale, task.question, record)
        words = (task.question, *(m.text for m in reversed(task.history) if m.role is Role.USER))
        setting = Setting(
            now, task.locale, task.question, known_words(tools), self.profile, ordinary=ordinary_words(task.locale),
            images=tuple(n.ref for n in images_meant(task)),
        )  # fmt: skip
        runner = InProcess(self.calls, tools, told, evidence, task.thread_id, task.exchange_id, words)
        return run_exchange(
            task, model=model, tools=tools, evidence=evidence, verifier=Verifier(evidence, setting),
            runner=runner, clock=self.clock, ids=self.ids, limits=self.limits,
            second_opinion=self.second_opinion,
        )  # fmt: skip

    async def _pictures(
        self, actor: Actor, model: Model, attached: Sequence[Numbered], history: Sequence[Message]
    ) -> Mapping[str, bytes]:
        """The bytes of the attached images and of the newest ones before them, for a model that may see."""
        before = (n for message in reversed(history) for n in message.images)
        digests = list(dict.fromkeys(n.fact.key for n in (*attached, *before)))
        return await self.images.pictures(actor.desk, digests[:MAX_IMAGES]) if may_see(model) else {}

    async def _thread(self, actor: Actor, thread_id: str | None, message: str) -> Thread:
        if thread_id is None:
            return await self.threads.create(actor.desk, title_of(message))
        return await self.threads.get(actor.desk, thread_id)

    async def edit(
        self, actor: Actor, proposal_id: str, changes: Mapping[str, Any], digest: str | None = None
    ) -> Proposal:
        """Change arguments of a pending proposal, as `Gateway.edit` does."""
        return await self.gateway.edit(proposal_id, actor, changes, digest)


class _Keeper:
    """Stores what a run tells, and closes the exchange however the run ends.

    A write that has begun is waited for, also by a run that is stopped meanwhile: else what is stored and what is
    known to be stored would differ.
    """

    def __init__(self, assistant: Assistant, actor: Actor, thread_id: str, exchange_id: str, model: str) -> None:
        self._on, self.actor, self.thread_id, self.exchange_id = assistant, actor, thread_id, exchange_id
        self._model, self._answer, self._reason = model, "", StopReason.STOPPED
        self._outcome: Outcome | None = None
        self._report: str | None = None
        self._usage = UsageReport(Usage(), 0, model)
        self._writing: asyncio.Future[Any] | None = None
        self._begun = False
        self._holding: asyncio.Task[None] | None = None
        self._stored: list[Message] = []

    async def begin(self, question: str, now: datetime) -> int:
        """Record that the exchange runs; gives the number of its first new fact."""
        begun = await self._write(self._begin(question, now))
        return begun.first_ref

    async def _begin(self, question: str, now: datetime) -> Exchange:
        begun = await self._on.threads.start_exchange(
            self.actor.desk, self.thread_id, self.exchange_id, question=question, model=self._model, at=now
        )
        self._begun = True
        self._holding = asyncio.create_task(self._hold())
        return begun

    async def _hold(self) -> None:
        """Say now and then that this process is there and runs the exchange."""
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            try:
                await self._on.threads.hold(self.exchange_id)
            except SaysoError as wrong:
                _log.warning("exchange %s is not held for longer: %s", self.exchange_id, wrong)

    async def _write(self, what: Coroutine[Any, Any, T]) -> T:
        writing = asyncio.ensure_future(what)
        self._writing = writing
        return await asyncio.shield(writing)

    async def take(self, event: Event) -> None:
        match event:
            case Recorded(message):
                await self._write(self._store(message))
            case Verified(report, _):
                self._report = report_json(report)
            case Answer(text=text):
                self._answer = text
            case UsageReport():
                self._usage, self._model = event, event.model
            case Finish(outcome=outcome, reason=reason):
                self._outcome, self._reason = outcome, reason
            case Failed(reason=reason):
                self._outcome, self._reason = None, reason
            case _:
                pass

    async def _store(self, *messages: Message) -> None:
        await self._on.threads.append(self.actor.desk, self.thread_id, *messages)
        self._stored.extend(messages)

    async def close(self) -> None:
        if self._writing is not None:
            await asyncio.wait([self._writing])
        if not self._begun:
            return
        if self._holding is not None:
            self._holding.cancel()
        try:
            left = closing(self._stored, self._on.ids, CallStatus.CANCELLED, ResultReason.STOPPED)
            if left:
                await self._store(*left)
        finally:
            await self._on.threads.finish_exchange(
                self.exchange_id, self._outcome, self._reason, self._usage.usage, self._usage.steps, self._model,
                self._answer or None, self._report, self._on.clock.now(), self._usage.attempts,
            )  # fmt: skip
        if self._outcome is not None and self._answer:
            await self._deliver()

    async def _deliver(self) -> None:
        """Not before: a receipt without an answer comes again. If this fails the transcript says the same."""
        try:
            await self._on.proposals.mark_delivered(self.actor.desk, told_receipts(self._stored))
        except SaysoError as wrong:
            _log.warning("receipts of exchange %s are not marked as told: %s", self.exchange_id, wrong)


def exchange_of(run_id: str) -> str:
    """The exchange that a run here is: it is one run, and its number is the run's."""
    return f"ex_{run_id.removeprefix('run_')}"


def run_of(exchange_id: str) -> str:
    """The run that an exchange here is: whoever finds the exchange in the store can read the run on, or stop it."""
    return f"run_{exchange_id.removeprefix('ex_')}"


def title_of(message: str) -> str:
    """A thread's first title: the beginning of its first question."""
    line = " ".join(message.split())
    return line if len(line) <= 60 else line[:57].rsplit(" ", 1)[0] + "..."


def report_json(report: Report) -> str:
    """A report as it is kept with its exchange: verdicts, violations, refs."""
    return json.dumps(
        [
            {
                "text": s.text,
                "verdict": s.verdict.value,
                "refs": list(s.refs),
                "withheld": report.withheld(s),
                "violations": [
                    {"kind": v.kind.value, "words": v.words, "instruction": v.instruction} for v in s.violations
                ],
            }
            for s in report.sentences
        ],
        ensure_ascii=False,
    )
