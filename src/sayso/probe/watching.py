"""A model with a witness beside it: what it was asked and what it gave, which the loop itself does not tell.

The loop mends ids and names, reads calls from text and rewrites answers; a measurement needs what came before that.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field

from sayso.core.evidence import Numbered
from sayso.core.messages import Role, Usage
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
from sayso.errors import ModelError


@dataclass(slots=True)
class ReplySeen:
    """One request and its reply. Seconds are from the request; `first` to the first text or call."""

    tools_open: bool
    mended: str = ""
    """The draft that this request asks to repair; empty for any other request."""
    text: str = ""
    native: list[NativeCall] = field(default_factory=list[NativeCall])
    notices: list[str] = field(default_factory=list[str])
    end: FinishReason | None = None
    usage: Usage = field(default_factory=Usage)
    first: float | None = None
    seconds: float = 0.0
    error: str = ""
    left_out: bool = False
    """Not all of the request was sent: it is more than the model reads."""


class Watched:
    """The same model, with `replies` of all that it was asked, and the `facts` that it was shown by their refs."""

    def __init__(self, model: Model, seconds: Callable[[], float] = time.monotonic) -> None:
        self._model, self._seconds = model, seconds
        self.replies: list[ReplySeen] = []
        self.facts: dict[str, Numbered] = {}

    @property
    def name(self) -> str:
        return self._model.name

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        seen, began = ReplySeen(request.tools_open, _draft_in(request)), self._seconds()
        self.replies.append(seen)
        self.facts.update((n.ref, n) for message in request.messages for n in message.facts)
        source = self._model.stream(request)
        try:
            async for event in source:
                if seen.first is None and isinstance(event, TextChunk | NativeCall):
                    seen.first = self._seconds() - began
                _take(seen, event)
                yield event
        except ModelError as wrong:
            seen.error = wrong.code
            raise
        finally:
            seen.seconds = self._seconds() - began
            if isinstance(source, AsyncGenerator):
                await source.aclose()


def _take(seen: ReplySeen, event: ModelEvent) -> None:
    match event:
        case TextChunk(text):
            seen.text += text
        case NativeCall():
            seen.native.append(event)
        case Notice(text):
            seen.notices.append(text)
        case Passed(attempt):
            seen.left_out = seen.left_out or bool(attempt.facts or attempt.exchanges)
        case ReplyEnd(reason, usage):
            seen.end, seen.usage = reason, usage
        case _:
            pass


def _draft_in(request: ModelRequest) -> str:
    """A repair hands the draft back as a last message of its own, which no transcript holds."""
    last = request.messages[-1]
    return last.text if last.role is Role.ASSISTANT and not last.id else ""
