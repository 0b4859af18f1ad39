"""A conversation over an application's own tools, kept in memory: no store, no server, no actions.

It is the short way to embed the loop. What a model proposes is handed back as it would be filed;
carrying it out, after a person has said yes to it, is the host's business.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from sayso.core.events import Answer, Event, FactsFound, Failed, Finish, Recorded, Verified
from sayso.core.evidence import Evidence, Numbered
from sayso.core.facts import Fact
from sayso.core.images import Attachment, checked_number
from sayso.core.loop import run_exchange
from sayso.core.messages import Message, Outcome, StopReason, ToolCall
from sayso.core.ports import Clock, Ids, Model
from sayso.core.progress import Limits, Task, exchanges_in, recent_history
from sayso.core.proposals import Change, Proposal, content_digest
from sayso.core.runner import InProcessRunner
from sayso.core.sight import images_meant
from sayso.core.tools import Actor, Registry, Tool, ToolContext
from sayso.core.verify import Setting, Verifier
from sayso.core.verify.report import Profile, Report
from sayso.core.verify.second_opinion import SecondOpinion
from sayso.gateway.pending import canonical_of, proposal_fact
from sayso.inapp.surroundings import LOCAL_USER, RandomIds, SystemClock
from sayso.models.order import build_order
from sayso.models.quote import Quote
from sayso.models.quote.question import MAX_QUESTION
from sayso.models.quote.words import keys, language_of
from sayso.models.second_opinion import build_opinion
from sayso.vocabulary import ordinary_words


@dataclass(frozen=True, slots=True)
class Reply:
    """What one question came to. `sources` are the cited facts, in the order of the answer.

    `outcome` is None, and `error` tells why, where the exchange failed; `text` is what may be shown.
    `proposals` wait for a person: nothing has been done.
    """

    text: str = ""
    outcome: Outcome | None = None
    reason: StopReason | None = None
    sources: tuple[Numbered, ...] = ()
    report: Report = field(default_factory=lambda: Report(()))
    proposals: tuple[Proposal, ...] = ()
    error: Failed | None = None


class Conversation:
    """Questions over `tools`, each with what came before. One question at a time.

    `model` is a model, or its spec ("ollama:qwen2.5", "http://host:port/v1#NAME"), or several specs with commas
    between them, each asked where those before it cannot answer; without one, records
    are quoted. `zone` is the user's, the machine's by default. `second_opinion` is asked about sentences for which
    no record speaks: a model's spec, or a judge of your own.
    """

    def __init__(
        self, tools: Iterable[Tool], model: Model | str | None = None, *, actor: Actor = LOCAL_USER,
        zone: tzinfo | None = None, clock: Clock | None = None, ids: Ids | None = None,
        limits: Limits | None = None, profile: Profile = Profile.DEFAULT, locale: str = "en", instructions: str = "",
        second_opinion: SecondOpinion | str | None = None,
    ) -> None:  # fmt: skip
        self.tools = Registry(tools).for_actor(actor)
        self.model: Model = (
            build_order(model, quote=Quote(), environ=os.environ) if isinstance(model, str) else model or Quote()
        )
        self.second_opinion = build_opinion(second_opinion) if isinstance(second_opinion, str) else second_opinion
        self.proposals: list[Proposal] = []
        self._actor, self._profile, self._locale, self._instructions = actor, profile, locale, instructions
        self._clock = clock or SystemClock(zone or datetime.now().astimezone().tzinfo)
        self._ids, self._limits = ids or RandomIds(), limits or Limits()
        self._thread = self._ids.new("th")
        self._messages: list[Message] = []
        self._evidence = Evidence()
        self._pictures: dict[str, bytes] = {}

    async def ask(self, question: str, *, facts: Sequence[Fact] = (), images: Sequence[Attachment] = ()) -> Reply:
        """The whole reply to one question. `facts` are known from the start, such as the open record.

        `images` come from `sayso.core.images.read_attachment`. Raises ImageUnfit for too many.
        """
        before, found, reply = len(self.proposals), dict[str, Numbered](), _Told()
        async for event in self.stream(question, facts=facts, images=images):
            if isinstance(event, FactsFound):
                found.update((n.ref, n) for n in event.facts)
            reply.take(event)
        known = {n.ref: n for m in self._messages for n in m.numbered} | found
        return Reply(
            reply.text, reply.outcome, reply.reason, tuple(known[ref] for ref in reply.cited if ref in known),
            reply.report, tuple(self.proposals[before:]), reply.error,
        )  # fmt: skip

    async def stream(
        self, question: str, *, facts: Sequence[Fact] = (), images: Sequence[Attachment] = ()
    ) -> AsyncIterator[Event]:
        """The events of one exchange, as the loop gives them; the last is `Finish` or `Failed`."""
        checked_number(len(images))
        now = self._clock.now()
        evidence, history = self._evidence, recent_history(tuple(self._messages), self._limits.history)
        task = Task(
            self._ids.new("run"), self._thread, self._ids.new("ex"), question, history,
            seeds=evidence.add_all(facts), locale=language_of(keys(question[:MAX_QUESTION]), self._locale),
            instructions=self._instructions, earlier=exchanges_in(self._messages) - exchanges_in(history),
            images=self._attached(images, now), pictures=self._pictures,
        )  # fmt: skip
        told = ToolContext(self._actor, now, task.locale, question)

        async def file(change: Change, tool: Tool, call: ToolCall, context: ToolContext) -> tuple[Fact, bool]:
            return self._file(change, tool, call, context, task)

        setting = Setting(
            now, task.locale, question, known_words(self.tools), self._profile, ordinary=ordinary_words(task.locale),
            images=tuple(n.ref for n in images_meant(task)),
        )  # fmt: skip
        async for event in run_exchange(
            task, model=self.model, tools=self.tools, evidence=evidence, verifier=Verifier(evidence, setting),
            runner=InProcessRunner(self.tools, told, evidence, file), clock=self._clock, ids=self._ids,
            limits=self._limits, second_opinion=self.second_opinion,
        ):  # fmt: skip
            if isinstance(event, Recorded):
                self._messages.append(event.message)
            yield event

    def _attached(self, images: Sequence[Attachment], now: datetime) -> tuple[Numbered, ...]:
        """The images under their refs; their bytes are kept for later questions."""
        self._pictures |= {image.digest: image.data for image in images}
        found = self._evidence.add_all(image.fact(now) for image in images)
        return tuple({n.ref: n for n in found}.values())

    def _file(self, change: Change, tool: Tool, call: ToolCall, context: ToolContext, task: Task) -> tuple[Fact, bool]:
        """Keep a change for a person. The same change that waits already is not kept twice."""
        canonical = canonical_of(change, tool, context, self._ids)
        same = content_digest(canonical)
        for waiting in self.proposals:
            if content_digest(waiting.canonical) == same:
                return proposal_fact(waiting, context.now), True
        proposal = Proposal(self._ids.new("prop"), task.thread_id, task.exchange_id, call.id, canonical)
        self.proposals.append(proposal)
        return proposal_fact(proposal, context.now), False


async def ask(question: str, tools: Iterable[Tool], model: Model | str | None = None) -> Reply:
    """Ask one question over `tools`, with nothing before it. See `Conversation` for more."""
    return await Conversation(tools, model).ask(question)


class _Told:
    """What the events of one exchange told."""

    def __init__(self) -> None:
        self.text, self.cited = "", tuple[str, ...]()
        self.outcome: Outcome | None = None
        self.reason: StopReason | None = None
        self.report, self.error = Report(()), None

    def take(self, event: Event) -> None:
        match event:
            case Verified(report=report):
                self.report = report
            case Answer(text=text, outcome=outcome, citations=cited):
                self.text, self.outcome, self.cited = text, outcome, cited
            case Finish(outcome=outcome, reason=reason):
                self.outcome, self.reason = outcome, reason
            case Failed(reason=reason):
                self.error, self.outcome, self.reason = event, None, reason
            case _:
                pass


def known_words(tools: Registry) -> frozenset[str]:
    """The words of the catalogue: known to the verifier, but no evidence."""
    words: set[str] = set()
    for tool in tools:
        words.update(tool.name.split("_"), tool.title.lower().split())
        words.update(word for phrase in tool.words for word in phrase.split())
    return frozenset(words)
