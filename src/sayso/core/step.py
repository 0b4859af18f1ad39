"""One step: one model request, read to its end, with the events that it gives on the way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from dataclasses import dataclass, replace

from sayso.core.characters import whole_characters
from sayso.core.deadline import Deadline
from sayso.core.draft import Draft
from sayso.core.events import Event, Status, TextDelta
from sayso.core.messages import Attempt, Usage
from sayso.core.ports import (
    FinishReason,
    Model,
    ModelEvent,
    ModelRequest,
    NativeCall,
    Notice,
    Passed,
    ReplyEnd,
    TextChunk,
)
from sayso.errors import ModelTimeout

MAX_REPLY = 200_000  # characters; more is cut
_SLICE = 4_000  # characters that are checked at once: between slices others have their turn
MAX_CALLS = 64  # native calls of one reply that are looked at


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said in one step. `end` is None when the reply was cut."""

    text: str
    native: tuple[NativeCall, ...]
    end: FinishReason | None
    usage: Usage
    model: str

    @property
    def cut(self) -> bool:
        return self.end is None or self.end is FinishReason.LENGTH


class Step:
    """Asks the model once. Iterate `stream()`, then read `reply`. `attempts` grows, also where no reply comes."""

    def __init__(
        self, model: Model, request: ModelRequest, draft: Draft, attempts: list[Attempt] | None = None
    ) -> None:
        self._model, self._request, self._draft = model, request, draft
        self._attempts = [] if attempts is None else attempts
        self._text: list[str] = []
        self._size = 0
        self._native: list[NativeCall] = []
        self._end: FinishReason | None = None
        self._usage = Usage()
        self._name = model.name

    @property
    def request(self) -> ModelRequest:
        return self._request

    @property
    def has_released(self) -> bool:
        """Whether a part of the answer was told already, by this step or before it."""
        return bool(self._draft.released)

    def hold(self) -> None:
        """Nothing is told before the whole reply was judged."""
        self._draft.hold()

    def ask_instead(self, request: ModelRequest) -> None:
        """Another request, after one to which nothing was answered."""
        self._request = request

    @property
    def reply(self) -> Reply:
        return Reply("".join(self._text), tuple(self._native), self._end, self._usage, self._name)

    async def stream(self) -> AsyncIterator[Event]:
        """Raises ModelError when the model gave nothing at all; a reply that breaks later is cut."""
        source = self._model.stream(self._request)
        deadline = Deadline(self._request.seconds_left)
        try:
            while self._size <= MAX_REPLY:
                event = await deadline.keep(anext(source, None))
                if event is None:
                    break
                for part in _slices(_whole(event)):
                    if told := self._take(part):
                        yield told
                    if self._size > MAX_REPLY:
                        break
                    if isinstance(event, TextChunk) and len(event.text) > _SLICE:
                        await asyncio.sleep(0)
        except TimeoutError:
            if not self._text:
                raise ModelTimeout("the model took longer than the exchange may last") from None
        finally:
            deadline.close()
            if isinstance(source, AsyncGenerator):
                await source.aclose()

    def _take(self, event: ModelEvent) -> Event | None:
        if isinstance(event, TextChunk):
            self._text.append(event.text)
            self._size += len(event.text)
            released = self._draft.feed(event.text)
            return TextDelta(released) if released else None
        if isinstance(event, NativeCall) and len(self._native) < MAX_CALLS:
            self._native.append(event)
        elif isinstance(event, ReplyEnd):
            self._end, self._usage = event.reason, event.usage
        elif isinstance(event, Notice):
            self._name = event.model or self._name
            return Status(event.text) if event.text else None
        elif isinstance(event, Passed) and event.attempt not in self._attempts:
            self._attempts.append(event.attempt)
        return None


def _whole(event: ModelEvent) -> ModelEvent:
    """Of whole characters: this is where the words of every model come in, whoever made it."""
    match event:
        case TextChunk(text):
            return TextChunk(whole_characters(text))
        case NativeCall(id, name, arguments):
            return NativeCall(whole_characters(id), whole_characters(name), whole_characters(arguments))
        case Notice(text, model):
            return Notice(whole_characters(text), whole_characters(model))
        case Passed(attempt):
            model, reason = whole_characters(attempt.model), whole_characters(attempt.reason)
            return Passed(replace(attempt, model=model, reason=reason))
        case _:
            return event


def _slices(event: ModelEvent) -> Iterable[ModelEvent]:
    """A very long chunk in pieces; any other event as it is."""
    if not isinstance(event, TextChunk) or len(event.text) <= _SLICE:
        return (event,)
    return (TextChunk(event.text[at : at + _SLICE]) for at in range(0, len(event.text), _SLICE))
