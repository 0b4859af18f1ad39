"""What holds for every transcript, and the view of a damaged one for which it holds again.

A transcript is never rewritten: what is wrong stays stored, is told, and is left out of what a model is sent.
Calls that a crash left open are answered by results that are appended.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from sayso.core.evidence import Numbered
from sayso.core.facts import Fact
from sayso.core.messages import (
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
)
from sayso.core.ports import Ids


class FaultKind(StrEnum):
    DOUBLE_MESSAGE = "double_message"
    SPLIT_EXCHANGE = "split_exchange"
    NO_QUESTION = "no_question"
    WRONG_PART = "wrong_part"
    EMPTY_TEXT = "empty_text"
    EMPTY_MESSAGE = "empty_message"
    DOUBLE_CALL = "double_call"
    OPEN_CALL = "open_call"
    LATE_RESULT = "late_result"
    ORPHAN_RESULT = "orphan_result"
    DOUBLE_RESULT = "double_result"
    REDEFINED_REF = "redefined_ref"


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that must not be in a transcript: at which message, what, and what the view makes of it."""

    kind: FaultKind
    message_id: str
    words: str

    @property
    def mended(self) -> str:
        return _MENDED[self.kind]


_MENDED = {
    FaultKind.DOUBLE_MESSAGE: "the first one counts",
    FaultKind.SPLIT_EXCHANGE: "it is read where its exchange is",
    FaultKind.NO_QUESTION: "it is read as it is",
    FaultKind.WRONG_PART: "it is left out",
    FaultKind.EMPTY_TEXT: "it is left out",
    FaultKind.EMPTY_MESSAGE: "it is left out",
    FaultKind.DOUBLE_CALL: "the first one counts",
    FaultKind.OPEN_CALL: "it counts as not run",
    FaultKind.LATE_RESULT: "it is read right after its call",
    FaultKind.ORPHAN_RESULT: "it is left out",
    FaultKind.DOUBLE_RESULT: "the first one counts",
    FaultKind.REDEFINED_REF: "the first meaning counts, the second is left out",
}

_PARTS: dict[Role, tuple[type[Part], ...]] = {
    Role.USER: (TextPart, FactsPart, ImagePart),
    Role.ASSISTANT: (TextPart, PreamblePart, CallPart),
    Role.TOOL: (ResultPart,),
}


def faults(messages: Iterable[Message]) -> tuple[Fault, ...]:
    """What is wrong with a transcript, in its order; calls of the last exchange may still be open."""
    walk = _Walk(tuple(messages), True)
    walk.view()
    return tuple(walk.faults)


def sound(messages: Iterable[Message], *, may_wait: bool = False) -> tuple[Message, ...]:
    """The transcript without its faults; one without any comes back as it is.

    `may_wait`: calls at the end of the last exchange stay open, for a caller that still runs them.
    """
    return _Walk(tuple(messages), may_wait).view()


def closing(messages: Sequence[Message], ids: Ids, status: CallStatus, reason: ResultReason | None) -> list[Message]:
    """Messages to append: a terminal result for each call that has none, those of an exchange together."""
    answered = {result.call_id for message in messages for result in message.results}
    opened: dict[str, dict[str, ToolResult]] = {}
    for message in messages:
        for call in message.calls:
            if call.id not in answered:
                result = ToolResult(call.id, status, reason=reason)
                opened.setdefault(message.exchange_id, {}).setdefault(call.id, result)
    return [
        Message(ids.new("msg"), Role.TOOL, tuple(map(ResultPart, results.values())), exchange)
        for exchange, results in opened.items()
    ]


@dataclass(slots=True)
class _Walk:
    """One pass over a transcript, exchange by exchange."""

    messages: tuple[Message, ...]
    may_wait: bool
    faults: list[Fault] = field(default_factory=list[Fault])
    calls: set[str] = field(default_factory=set[str])
    settled: set[str] = field(default_factory=set[str])
    refs: dict[str, Fact] = field(default_factory=dict[str, Fact])
    asked: frozenset[str] = frozenset()
    moved: set[str] = field(default_factory=set[str])  # results that the view has put after their calls

    def view(self) -> tuple[Message, ...]:
        exchanges = self._exchanges()
        self.asked = frozenset(call.id for message in self.messages for call in message.calls)
        elsewhere = {r.call_id: r for m in reversed(self.messages) for r in reversed(m.results)}
        out: list[Message] = []
        for number, exchange in enumerate(exchanges, 1):
            last = self.may_wait and number == len(exchanges)
            out.extend(self._exchange(exchange, elsewhere, last))
        return tuple(out)

    def _exchanges(self) -> list[list[Message]]:
        """Whole exchanges in the order in which they began; each message once."""
        seen: set[str] = set()
        found: dict[str, list[Message]] = {}
        newest = ""
        for message in self.messages:
            if message.id in seen:
                self._tell(FaultKind.DOUBLE_MESSAGE, message, "a message is here a second time")
                continue
            seen.add(message.id)
            of_it = found.setdefault(message.exchange_id, [])
            if of_it and message.exchange_id != newest and not _closes_only(message):
                self._tell(FaultKind.SPLIT_EXCHANGE, message, "another exchange began before this message of it")
            if not of_it:
                newest = message.exchange_id
                if message.role is not Role.USER:
                    self._tell(FaultKind.NO_QUESTION, message, "its exchange begins without a question")
            of_it.append(message)
        return list(found.values())

    def _exchange(
        self, messages: list[Message], elsewhere: dict[str, ToolResult], may_wait: bool
    ) -> Iterator[Message]:  # fmt: skip
        asking: Message | None = None
        waiting: dict[str, ToolCall] = {}
        for message in messages:
            if message.role is not Role.TOOL and asking is not None and waiting:
                yield self._closed(asking, waiting, elsewhere)
                waiting = {}
            kept = self._kept(message, waiting)
            if kept is None:
                continue
            yield kept
            if kept.role is not Role.TOOL:
                asking, waiting = kept, {call.id: call for call in kept.calls}
        if asking is None or not waiting:
            return
        missing = {name: call for name, call in waiting.items() if name not in elsewhere or name in self.settled}
        if missing and not may_wait:
            yield self._closed(asking, waiting, elsewhere)
        elif len(missing) < len(waiting):
            there = {name: call for name, call in waiting.items() if name not in missing}
            yield self._closed(asking, there, elsewhere)

    def _kept(self, message: Message, waiting: dict[str, ToolCall]) -> Message | None:
        parts = tuple(kept for part in message.parts if (kept := self._part(part, message, waiting)) is not None)
        if not parts:
            if not message.parts:
                self._tell(FaultKind.EMPTY_MESSAGE, message, "a message has nothing in it")
            return None
        unchanged = len(parts) == len(message.parts) and all(a is b for a, b in zip(parts, message.parts, strict=True))
        return message if unchanged else replace(message, parts=parts)

    def _part(self, part: Part, message: Message, waiting: dict[str, ToolCall]) -> Part | None:
        if not isinstance(part, _PARTS[message.role]):
            if not isinstance(part, ResultPart):  # a result is told of where its call is, or as an orphan
                words = f"a message of the {message.role} holds {_NAMES[type(part)]}"
                self._tell(FaultKind.WRONG_PART, message, words)
                return None
            self._misplaced(part.result, message)
            return None
        match part:
            case TextPart(text) | PreamblePart(text):
                if text.strip():
                    return part
                self._tell(FaultKind.EMPTY_TEXT, message, "a text is empty")
                return None
            case CallPart(call):
                return part if self._is_new(call, message) else None
            case ResultPart(result):
                return self._result(part, result, message, waiting)
            case FactsPart(facts):
                kept = self._meant(facts, message)
                return part if len(kept) == len(facts) else FactsPart(kept) if kept else None
            case _:
                return part if self._meant((part.attached,), message) else None

    def _is_new(self, call: ToolCall, message: Message) -> bool:
        if call.id in self.calls:
            self._tell(FaultKind.DOUBLE_CALL, message, f"the call {call.id} was made before under the same id")
            return False
        self.calls.add(call.id)
        return True

    def _result(
        self, part: ResultPart, result: ToolResult, message: Message, waiting: dict[str, ToolCall]
    ) -> ResultPart | None:  # fmt: skip
        if result.call_id not in waiting:
            self._misplaced(result, message)
            return None
        del waiting[result.call_id]
        self.settled.add(result.call_id)
        kept = self._meant(result.facts, message)
        return part if len(kept) == len(result.facts) else ResultPart(replace(result, facts=kept))

    def _misplaced(self, result: ToolResult, message: Message) -> None:
        """A result that does not follow its call: a second one, one that came late, or one of no call at all."""
        if result.call_id in self.settled and result.call_id not in self.moved:
            self._tell(FaultKind.DOUBLE_RESULT, message, f"the call {result.call_id} has a result already")
        elif result.call_id in self.asked:
            self.moved.discard(result.call_id)
            if result.status not in _CLOSING:
                self._tell(FaultKind.LATE_RESULT, message, f"the result of {result.call_id} comes late")
        else:
            self._tell(FaultKind.ORPHAN_RESULT, message, f"there is no call {result.call_id} for this result")

    def _closed(self, asking: Message, waiting: dict[str, ToolCall], elsewhere: dict[str, ToolResult]) -> Message:
        """The results of calls that nothing follows: where they are found elsewhere, these; else that they did not
        run."""
        results: list[ToolResult] = []
        for name in waiting:
            found = elsewhere.get(name) if name not in self.settled else None
            if found is None:
                self._tell(FaultKind.OPEN_CALL, asking, f"the call {name} has no result")
                found = ToolResult(name, CallStatus.NOT_RUN, reason=ResultReason.STOPPED)
            else:
                self.moved.add(name)
            self.settled.add(name)
            results.append(replace(found, facts=self._meant(found.facts, asking)))
        return Message(f"{asking.id}.results", Role.TOOL, tuple(map(ResultPart, results)), asking.exchange_id)

    def _meant(self, facts: tuple[Numbered, ...], message: Message) -> tuple[Numbered, ...]:
        """The facts whose refs mean what they meant before."""
        kept: list[Numbered] = []
        for numbered in facts:
            first = self.refs.setdefault(numbered.ref, numbered.fact)
            if first is numbered.fact or (
                first.identity == numbered.fact.identity and first.same_content(numbered.fact)
            ):
                kept.append(numbered)
            else:
                self._tell(FaultKind.REDEFINED_REF, message, f"{numbered.ref} means another record than before")
        return tuple(kept)

    def _tell(self, kind: FaultKind, message: Message, words: str) -> None:
        self.faults.append(Fault(kind, message.id, words))


_CLOSING = frozenset([CallStatus.NOT_RUN, CallStatus.CANCELLED, CallStatus.SUPERSEDED, CallStatus.EXPIRED])
"""How calls end that nobody will run any more: such a result may be appended long after its call."""


def _closes_only(message: Message) -> bool:
    results = message.results
    return len(results) == len(message.parts) and all(result.status in _CLOSING for result in results)


_NAMES: dict[type[Part], str] = {
    TextPart: "text", PreamblePart: "a text before calls", CallPart: "a call", FactsPart: "facts of its own",
    ImagePart: "an image",
}  # fmt: skip
