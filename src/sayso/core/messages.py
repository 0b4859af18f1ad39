"""Messages and their parts: the transcript of a thread, the only state of a run.

Frozen values; nothing here knows a provider's wire format.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from sayso.core.evidence import Numbered


class Role(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class CallStatus(StrEnum):
    """How a call ended. Every issued call ends exactly once."""

    SUCCESS = "success"
    FAILED = "failed"
    DENIED = "denied"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"
    CANCELLED = "cancelled"
    NOT_RUN = "not_run"


class ResultReason(StrEnum):
    """Why a call ended as it did, where its status alone does not say; rendered by our code."""

    UNKNOWN_TOOL = "unknown_tool"
    BAD_ARGUMENTS = "bad_arguments"
    NOT_ALLOWED = "not_allowed"
    TOOL_FAILED = "tool_failed"
    TOOL_TIMEOUT = "tool_timeout"
    REPEATED = "repeated"
    TOOLS_CLOSED = "tools_closed"
    TOO_MANY_CALLS = "too_many_calls"
    CUT_OFF = "cut_off"
    NEEDS_CHOICE = "needs_choice"
    NO_TARGET = "no_target"
    ALREADY_PENDING = "already_pending"
    STOPPED = "stopped"


Protocol = Literal["native", "text"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call as the model wrote it. `id` is ours, unique in the thread; `arguments` is raw JSON text."""

    id: str
    name: str
    arguments: str
    protocol: Protocol = "native"


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What came of a call: a status and facts. There is no field for words."""

    call_id: str
    status: CallStatus
    facts: tuple[Numbered, ...] = ()
    reason: ResultReason | None = None


@dataclass(frozen=True, slots=True)
class TextPart:
    text: str


@dataclass(frozen=True, slots=True)
class PreamblePart:
    """Text before calls: stored, shown as a status line, never part of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class CallPart:
    call: ToolCall


@dataclass(frozen=True, slots=True)
class ResultPart:
    result: ToolResult


@dataclass(frozen=True, slots=True)
class FactsPart:
    """Seed facts of an exchange: what the host looked up before the model was asked."""

    facts: tuple[Numbered, ...]


@dataclass(frozen=True, slots=True)
class ImagePart:
    """An image of a user message, as the fact that it was attached; the fact's key is the digest of its bytes.

    The bytes are kept elsewhere: a transcript is read often, its images seldom.
    """

    attached: Numbered


Part = TextPart | PreamblePart | CallPart | ResultPart | FactsPart | ImagePart


@dataclass(frozen=True, slots=True)
class Message:
    id: str
    role: Role
    parts: tuple[Part, ...]
    exchange_id: str

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts if isinstance(part, TextPart))

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        return tuple(part.call for part in self.parts if isinstance(part, CallPart))

    @property
    def results(self) -> tuple[ToolResult, ...]:
        return tuple(part.result for part in self.parts if isinstance(part, ResultPart))

    @property
    def facts(self) -> tuple[Numbered, ...]:
        """The facts that came in with this message."""
        found: list[Numbered] = []
        for part in self.parts:
            if isinstance(part, FactsPart):
                found.extend(part.facts)
            elif isinstance(part, ResultPart):
                found.extend(part.result.facts)
        return tuple(found)

    @property
    def images(self) -> tuple[Numbered, ...]:
        """The images that the user attached to this message."""
        return tuple(part.attached for part in self.parts if isinstance(part, ImagePart))

    @property
    def numbered(self) -> tuple[Numbered, ...]:
        """All that has a ref in this message: its facts and its images."""
        return (*self.facts, *self.images)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them; never negative."""

    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.input_tokens + other.input_tokens, self.output_tokens + other.output_tokens)


@dataclass(frozen=True, slots=True)
class Attempt:
    """Why a model did not answer a request, or what its request had to do without.

    `code` is that of its error (`sayso.errors`), `cut` or `left_out`; `reason` is for a person. `facts` records and
    `exchanges` earlier exchanges were left out of what it was sent.
    """

    model: str
    code: str
    reason: str
    facts: int = 0
    exchanges: int = 0


class StopReason(StrEnum):
    """Why an exchange stopped; recorded with every one of them."""

    ANSWERED = "answered"
    WAITING = "waiting"
    STEP_LIMIT = "step_limit"
    NO_PROGRESS = "no_progress"
    EMPTY_REPLY = "empty_reply"
    WITHHELD = "withheld"
    UNSEEN = "unseen"  # nobody could look at the image, and no record says anything either
    CUT = "cut"
    CONTENT_FILTER = "content_filter"
    TIME_LIMIT = "time_limit"
    TOKEN_LIMIT = "token_limit"
    MODEL_FAILED = "model_failed"
    STOPPED = "stopped"
    REFUSED = "refused"  # the request itself could not go on


class Outcome(StrEnum):
    ANSWERED = "answered"
    WAITING = "waiting"
    ABSTAINED = "abstained"


def open_calls(messages: tuple[Message, ...]) -> tuple[ToolCall, ...]:
    """Calls without a terminal result: what a run that stopped still waits for."""
    answered = {result.call_id for message in messages for result in message.results}
    return tuple(call for message in messages for call in message.calls if call.id not in answered)
