"""What a request becomes: a task for the loop, and the message that comes before it.

A new message begins an exchange; what an older one still waited for is closed first, so that no call is ever left
without its result. Results go on with the exchange that asked for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sayso.core.actors import Actor
from sayso.core.evidence import Evidence, Numbered
from sayso.core.facts import Fact
from sayso.core.images import Attachment
from sayso.core.messages import CallStatus, Message, ResultPart, Role, ToolCall, ToolResult, open_calls
from sayso.core.ports import Ids
from sayso.core.progress import Task, exchanges_in, recent_history
from sayso.core.receipts import not_told
from sayso.inference.admitting import Admitted
from sayso.inference.continuing import Continuation
from sayso.inference.declared import Declared
from sayso.inference.proving import Proven
from sayso.models.quote.question import MAX_QUESTION
from sayso.models.quote.words import keys, language_of
from sayso.serving.problems import Problem


@dataclass(frozen=True, slots=True)
class Asked:
    """A request whose parts have all been judged. `page` are the facts of what the person selected."""

    actor: Actor
    declared: Declared
    proven: Proven
    results: tuple[Admitted, ...] = ()
    seeds: tuple[Fact, ...] = ()
    page: tuple[Fact, ...] = ()
    images: Mapping[str, tuple[Attachment, Fact]] = field(default_factory=dict[str, tuple[Attachment, Fact]])
    locale: str = "en"


@dataclass(frozen=True, slots=True)
class Plan:
    """One run. `before` is the message of results that the request itself adds, if it brings or closes some."""

    task: Task
    asked: Asked
    evidence: Evidence
    before: tuple[Message, ...] = ()

    @property
    def found(self) -> tuple[Numbered, ...]:
        """The facts that came with the results."""
        return tuple({n.ref: n for message in self.before for n in message.facts}.values())


@dataclass(frozen=True, slots=True)
class Planning:
    """Makes plans; it judges nothing any more. `history` is in characters of earlier exchanges."""

    ids: Ids
    history: int
    instructions: str

    def begin(self, question: str, asked: Asked, run_id: str, *, expired: bool) -> Plan:
        """A new exchange. Calls that still wait are `superseded` by it, or have `expired`."""
        messages = asked.proven.messages
        history = recent_history(messages, self.history)
        evidence = _evidence(history, asked.proven)
        ended = CallStatus.EXPIRED if expired else CallStatus.SUPERSEDED
        closing = self._results(_last_open(messages), asked.results, evidence, messages, ended)
        window = (*history, *closing) if history else ()
        seeds = evidence.add_all([*not_told(asked.seeds, messages), *asked.page])
        attached = evidence.add_all(fact for _, fact in asked.images.values())
        task = Task(
            run_id, asked.proven.thread or self.ids.new("th"), self.ids.new("ex"), question, window,
            seeds=_each_once(seeds), locale=_language(question, asked.locale), instructions=self.instructions,
            images=_each_once(attached), pictures=_pictures(asked),
            earlier=exchanges_in(messages) - exchanges_in(window),
        )  # fmt: skip
        return Plan(task, asked, evidence, closing)

    def go_on(self, at: Continuation, asked: Asked, run_id: str) -> Plan:
        """The exchange that waited, with its results. Raises Problem 409 where a part of it was not sent."""
        messages = asked.proven.messages
        current = tuple(m for m in messages if m.exchange_id == at.exchange)
        if not current or current[0].role is not Role.USER:
            raise Problem(409, "exchange_incomplete", "send all messages of the exchange that goes on")
        history = recent_history(messages[: len(messages) - len(current)], self.history)
        evidence = _evidence((*history, *current), asked.proven)
        results = self._results(_last_open(messages), asked.results, evidence, messages, CallStatus.CANCELLED)
        question = current[0].text
        task = Task(
            run_id, at.thread, at.exchange, question, history, (*current, *results), steps_used=at.steps,
            usage=at.usage, released=at.told, locale=_language(question, asked.locale),
            instructions=self.instructions, pictures=_pictures(asked),
            earlier=exchanges_in(messages) - 1 - exchanges_in(history),
        )  # fmt: skip
        return Plan(task, asked, evidence, results)

    def _results(
        self, calls: Sequence[ToolCall], given: Sequence[Admitted], evidence: Evidence, messages: Sequence[Message],
        otherwise: CallStatus,
    ) -> tuple[Message, ...]:  # fmt: skip
        """One message with one terminal result a call that was open; facts get their refs here."""
        by_id = {admitted.call.id: admitted for admitted in given}
        parts: list[ResultPart] = []
        for call in calls:
            found = by_id.get(call.id)
            if found is None:
                parts.append(ResultPart(ToolResult(call.id, otherwise)))
            else:
                facts = evidence.add_all(found.facts)
                parts.append(ResultPart(ToolResult(call.id, found.status, facts, found.reason)))
        if not parts:
            return ()
        return (Message(self.ids.new("msg"), Role.TOOL, tuple(parts), messages[-1].exchange_id),)


def _last_open(messages: tuple[Message, ...]) -> tuple[ToolCall, ...]:
    """The open calls of the last exchange. Those of older ones, if there are any, no result can reach any more."""
    if not messages:
        return ()
    return open_calls(tuple(m for m in messages if m.exchange_id == messages[-1].exchange_id))


def _evidence(messages: Sequence[Message], proven: Proven) -> Evidence:
    known = {n.ref: n for message in messages for n in message.numbered}
    return Evidence(known.values(), next_number=proven.next_ref)


def _each_once(facts: Sequence[Numbered]) -> tuple[Numbered, ...]:
    return tuple({n.ref: n for n in facts}.values())


def _pictures(asked: Asked) -> Mapping[str, bytes]:
    return {digest: image.data for digest, (image, _) in asked.images.items()}


def _language(question: str, default: str) -> str:
    return language_of(keys(question[:MAX_QUESTION]), default)
