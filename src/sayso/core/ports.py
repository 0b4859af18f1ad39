"""What the core needs from outside, as protocols: a model, tools, a clock, ids. Nothing more."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from sayso.core.evidence import Numbered
from sayso.core.messages import Attempt, Message, ToolCall, ToolResult, Usage
from sayso.core.tools import Tool


class Clock(Protocol):
    def now(self) -> datetime:
        """The wall clock, with the user's zone."""
        ...

    def monotonic(self) -> float:
        """Seconds that only grow; for deadlines."""
        ...


class Ids(Protocol):
    def new(self, prefix: str) -> str:
        """A new identifier such as "call_8f3k...", never given out before."""
        ...


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One step's request, before any provider's format.

    `messages` are whole exchanges of history, then this exchange so far; `tools` the catalogue;
    `tools_open` is False in the last step (adapters remove the tools or forbid them, as their
    provider needs); `shown` the facts in the window; `hint` our own closing line for this step
    (also the repair's instructions); `images` the bytes of the messages' images that are sent, by digest; `earlier`
    counts the exchanges of the thread before `messages`.
    """

    system: str
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...]
    tools_open: bool
    shown: tuple[Numbered, ...]
    hint: str
    now: datetime
    locale: str
    seconds_left: float
    max_output_tokens: int = 2048
    images: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    earlier: int = 0


@dataclass(frozen=True, slots=True)
class TextChunk:
    text: str


@dataclass(frozen=True, slots=True)
class ReasoningChunk:
    """The model's private reasoning: kept apart, never parsed, never shown as an answer."""

    text: str


@dataclass(frozen=True, slots=True)
class NativeCall:
    """A complete native call. `id` is the provider's and is replaced by ours on arrival."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the person should know: another model answers, native tools were refused.

    `model` is the one that answers from here on; without `text` the person knows already.
    """

    text: str
    model: str = ""


@dataclass(frozen=True, slots=True)
class Passed:
    """For the run's record: what came of a model that was asked, or passed over, before the one that answers."""

    attempt: Attempt


class FinishReason(StrEnum):
    STOP = "stop"
    TOOL_CALLS = "tool_calls"
    LENGTH = "length"
    CONTENT_FILTER = "content_filter"


@dataclass(frozen=True, slots=True)
class ReplyEnd:
    """The reply is whole (or ended for a stated reason). A stream without it was cut."""

    reason: FinishReason
    usage: Usage = field(default_factory=Usage)


ModelEvent = TextChunk | ReasoningChunk | NativeCall | Notice | Passed | ReplyEnd


class Model(Protocol):
    @property
    def name(self) -> str: ...

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Answer one request. Raises sayso.errors.ModelError before the first text or call only;
        a stream that breaks later simply ends without ReplyEnd.

        A request with images is answered by a model that is shown them, or raises ImageRefused, which says why:
        no model answers as if there were none."""
        ...


def may_see(model: Model) -> bool:
    """Whether images may be sent to a model: its `sees` is True, None (unknown: it is tried) or absent."""
    return getattr(model, "sees", None) is not False


class ToolRunner(Protocol):
    """Runs the calls that this deployment may run itself."""

    def may_run(self, call: ToolCall) -> bool: ...

    async def run(self, call: ToolCall) -> ToolResult:
        """Run one call to its terminal result; never raises for a tool's fault."""
        ...
