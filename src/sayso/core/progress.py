"""How far an exchange has come: its messages, what was asked, what it cost. The loop's one state."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sayso.core.evidence import Evidence, Numbered, within_budget
from sayso.core.facts import Value
from sayso.core.images import MAX_IMAGES
from sayso.core.messages import (
    Attempt,
    CallPart,
    CallStatus,
    FactsPart,
    ImagePart,
    Message,
    Part,
    PreamblePart,
    ResultPart,
    ResultReason,
    Role,
    TextPart,
    ToolCall,
    ToolResult,
    Usage,
)
from sayso.core.ports import Clock, Ids, ModelRequest, ToolRunner
from sayso.core.prompts import LAST_STEP, system_prompt
from sayso.core.runner import canonical_arguments
from sayso.core.tools import Registry, ToolKind
from sayso.core.verify.second_opinion import SecondOpinion


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of an exchange (DESIGN 2.5). `steps` is at most 20."""

    steps: int = 3
    calls: int = 4
    facts: int = 40
    tokens: int = 200_000
    seconds: float = 120.0
    history: int = 60_000  # characters of earlier exchanges that are sent again
    output_tokens: int = 2048  # of one reply

    def __post_init__(self) -> None:
        if not 1 <= self.steps <= 20:
            raise ValueError("an exchange has 1 to 20 steps")


@dataclass(frozen=True, slots=True)
class Task:
    """One run of an exchange: the question, or (`so_far`) an exchange that goes on.

    `images` are attached to the question; `pictures` the bytes of these and of earlier ones, by digest. Of an exchange
    that goes on, `steps_used` and `usage` are what it cost before, and `released` what was told of its answer.
    """

    run_id: str
    thread_id: str
    exchange_id: str
    question: str
    history: tuple[Message, ...] = ()
    so_far: tuple[Message, ...] = ()
    seeds: tuple[Numbered, ...] = ()
    steps_used: int = 0
    locale: str = "en"
    instructions: str = ""
    images: tuple[Numbered, ...] = ()
    pictures: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    earlier: int = 0  # exchanges of the thread before `history`
    usage: Usage = field(default_factory=Usage)
    released: str = ""


@dataclass
class Progress:
    """Mutable, and owned by one run. `blind`: images are not sent (any more); `unseen`: what the person is told
    where those that the question is about cannot be seen."""

    task: Task
    limits: Limits
    evidence: Evidence
    tools: Registry
    runner: ToolRunner
    clock: Clock
    ids: Ids
    second_opinion: SecondOpinion | None = None
    messages: list[Message] = field(default_factory=list[Message])
    usage: Usage = field(default_factory=Usage)
    attempts: list[Attempt] = field(default_factory=list[Attempt])
    steps: int = 0
    closed: bool = False
    blind: bool = False
    unseen: str = ""
    facts: dict[str, Numbered] = field(default_factory=dict[str, Numbered])
    _asked: dict[tuple[str, str], tuple[int, ToolResult]] = field(
        default_factory=dict[tuple[str, str], tuple[int, ToolResult]]
    )

    def __post_init__(self) -> None:
        self._deadline = self.clock.monotonic() + self.limits.seconds
        self._history = recent_history(self.task.history, self.limits.history)
        self._history_facts = {n.ref: n for message in self._history for n in message.facts}
        self.messages.extend(self.task.so_far)
        self.steps, self.usage = self.task.steps_used, self.task.usage
        for message in self.task.so_far:
            self._keep(message.facts)
        self._recall()

    @property
    def last_images(self) -> tuple[Numbered, ...]:
        """The images of the last message that had some."""
        return next((m.images for m in (*reversed(self.messages), *reversed(self._history)) if m.images), ())

    @property
    def has_images(self) -> bool:
        return bool(self.last_images)

    @property
    def seconds_left(self) -> float:
        return max(0.0, self._deadline - self.clock.monotonic())

    def opening(self) -> Message:
        """The user's message, with the seed facts and the images."""
        parts: tuple[Part, ...] = (*map(ImagePart, self.task.images), TextPart(self.task.question))
        if self.task.seeds:
            parts = (FactsPart(self.task.seeds), *parts)
        self._keep(self.task.seeds)
        return self.add(Role.USER, parts)

    def add(self, role: Role, parts: Sequence[Part]) -> Message:
        message = Message(self.ids.new("msg"), role, tuple(parts), self.task.exchange_id)
        self.messages.append(message)
        return message

    @property
    def last_step(self) -> bool:
        return self.closed or self.steps + 1 >= self.limits.steps or self.spent

    @property
    def spent(self) -> bool:
        return self.usage.input_tokens + self.usage.output_tokens >= self.limits.tokens

    def request(self, *, hint: str = "", extra: Sequence[Message] = (), tools_open: bool | None = None) -> ModelRequest:
        """The next model request: whole exchanges of history, this exchange, the facts in the window."""
        open_ = not self.last_step if tools_open is None else tools_open
        if not open_ and not hint and len(self.tools):
            hint = LAST_STEP
        messages = (*self._history, *self.messages, *extra)
        known = self._history_facts | {n.ref: n for message in self.messages for n in message.facts}
        shown, _ = within_budget(known.values(), asked_for=frozenset(self.facts), budget=self.limits.facts)
        now = self.clock.now()
        return ModelRequest(
            system=system_prompt(now, self.task.instructions),
            messages=messages,
            tools=tuple(self.tools),
            tools_open=open_ and len(self.tools) > 0,
            shown=shown,
            hint=hint,
            now=now,
            locale=self.task.locale,
            seconds_left=self.seconds_left,
            max_output_tokens=self.limits.output_tokens,
            images=self._pictures(messages),
            earlier=self.task.earlier,
        )

    def _pictures(self, messages: Sequence[Message]) -> Mapping[str, bytes]:
        """The bytes of the newest images, as many as one request may have; none where they cannot be seen."""
        if self.blind or not self.task.pictures:
            return {}
        digests = dict.fromkeys(n.fact.key for message in reversed(messages) for n in message.images)
        known = [digest for digest in digests if digest in self.task.pictures]
        return {digest: self.task.pictures[digest] for digest in known[:MAX_IMAGES]}

    def said(self) -> Iterable[str]:
        """What a model may be repeating: what the user wrote, now and before, and the texts of each record."""
        for message in (*self._history, *self.messages):
            if message.role is Role.USER:
                yield message.text
        for numbered in self.evidence:
            yield "\n".join(_texts(numbered.fact.values.values()))

    def record_reply(self, text: str, calls: Sequence[ToolCall], *, preamble: bool) -> Message | None:
        parts: list[Part] = []
        if text.strip():
            parts.append(PreamblePart(text) if preamble else TextPart(text))
        parts += [CallPart(call) for call in calls]
        return self.add(Role.ASSISTANT, parts) if parts else None

    def record_results(self, results: Sequence[ToolResult]) -> Message:
        for result in results:
            self._keep(result.facts)
        return self.add(Role.TOOL, [ResultPart(result) for result in results])

    def refuse(self, calls: Sequence[ToolCall], reason: ResultReason) -> list[ToolResult]:
        return [ToolResult(call.id, CallStatus.NOT_RUN, reason=reason) for call in calls]

    def left_to_caller(self, calls: Sequence[ToolCall]) -> list[ToolCall]:
        """The calls that only the caller may run: within the bounds, each once, and none whose answer is known."""
        waiting: list[ToolCall] = []
        for call in calls[: self.limits.calls]:
            known = _identity(call) in self._asked or self._same(call, waiting)
            if not known and not self.runner.may_run(call):
                waiting.append(call)
        return waiting

    async def run_calls(self, calls: Sequence[ToolCall], waiting: Sequence[ToolCall] = ()) -> list[ToolResult]:
        """One terminal result a call that is not `waiting`: reads together, the rest in order; repeats from the
        evidence."""
        settled: dict[str, ToolResult] = {}
        fresh: list[ToolCall] = []
        for position, call in enumerate(calls):
            if call in waiting:
                continue
            if position >= self.limits.calls:
                settled[call.id] = ToolResult(call.id, CallStatus.NOT_RUN, reason=ResultReason.TOO_MANY_CALLS)
            elif (known := self._repeated(call)) is not None:
                settled[call.id] = known
            elif self._same(call, waiting):  # its twin's result is still to come
                settled[call.id] = ToolResult(call.id, CallStatus.NOT_RUN, reason=ResultReason.REPEATED)
            elif not self._same(call, fresh):
                fresh.append(call)
        reads = [c for c in fresh if self._is_read(c)]
        settled.update((result.call_id, result) for result in await self._run_together(reads))
        for call in fresh:
            if call.id not in settled:
                settled[call.id] = await self._run(call)
        for call in fresh:
            self._asked[_identity(call)] = (1, settled[call.id])
        return [settled.get(call.id) or self._repeated(call) or self.refuse([call], ResultReason.STOPPED)[0]
                for call in calls if call not in waiting]  # fmt: skip

    def _recall(self) -> None:
        """What was asked before this run: the counts survive a resubmission."""
        results = {result.call_id: result for message in self.task.so_far for result in message.results}
        for call in (call for message in self.task.so_far for call in message.calls if call.id in results):
            result, known = results[call.id], self._asked.get(_identity(call))
            self.closed = self.closed or result.reason is ResultReason.TOOLS_CLOSED
            if known is not None:
                self._asked[_identity(call)] = (known[0] + 1, known[1])
            elif result.status is not CallStatus.NOT_RUN:
                self._asked[_identity(call)] = (1, result)

    async def _run_together(self, reads: Sequence[ToolCall]) -> list[ToolResult]:
        if len(reads) > 1:
            return await asyncio.gather(*(self._run(call) for call in reads))
        return [await self._run(call) for call in reads]  # a single one needs no task of its own

    async def _run(self, call: ToolCall) -> ToolResult:
        """Within the exchange's own time, whatever the runner's bound for one call is."""
        try:
            async with asyncio.timeout(self.seconds_left):
                return await self.runner.run(call)
        except TimeoutError:
            return ToolResult(call.id, CallStatus.FAILED, reason=ResultReason.TOOL_TIMEOUT)

    def _repeated(self, call: ToolCall) -> ToolResult | None:
        """The second time the evidence answers; after the third the tools are closed."""
        known = self._asked.get(_identity(call))
        if known is None:
            return None
        count, first = known[0] + 1, known[1]
        self._asked[_identity(call)] = (count, first)
        if count >= 3:
            self.closed = True
            return ToolResult(call.id, CallStatus.NOT_RUN, reason=ResultReason.TOOLS_CLOSED)
        return ToolResult(call.id, first.status, first.facts, ResultReason.REPEATED)

    def _same(self, call: ToolCall, fresh: Sequence[ToolCall]) -> bool:
        return any(_identity(call) == _identity(other) for other in fresh)

    def _is_read(self, call: ToolCall) -> bool:
        tool = self.tools.get(call.name)
        return tool is None or tool.kind is ToolKind.READ

    def _keep(self, facts: Iterable[Numbered]) -> None:
        self.facts.update((n.ref, n) for n in facts)


def recent_history(history: tuple[Message, ...], characters: int) -> tuple[Message, ...]:
    """The newest whole exchanges that fit; a call is never parted from its result."""
    start, size = len(history), 0
    for index in range(len(history) - 1, -1, -1):
        size += _size(history[index])
        if size > characters:
            break
        if index == 0 or history[index - 1].exchange_id != history[index].exchange_id:
            start = index
    return history[start:]


def exchanges_in(messages: Sequence[Message]) -> int:
    return len({message.exchange_id for message in messages})


_IMAGE_SIZE = 4_000  # an image costs a model about as much as so many characters


def _size(message: Message) -> int:
    size = 0
    for part in message.parts:
        if isinstance(part, TextPart | PreamblePart):
            size += len(part.text)
        elif isinstance(part, CallPart):
            size += len(part.call.arguments) + 40
        elif isinstance(part, ResultPart):
            size += 160 * len(part.result.facts) + 40
        elif isinstance(part, ImagePart):
            size += _IMAGE_SIZE
        else:
            size += 160 * len(part.facts)
    return size + 16


def _texts(values: Iterable[Value | None]) -> Iterable[str]:
    """The texts among a record's values, those of lists too."""
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, tuple):
            yield from value


def _identity(call: ToolCall) -> tuple[str, str]:
    return call.name, canonical_arguments(call.arguments)
