"""The events of a run, in the order in which they happen. Their names are the wire's enumeration.

`Recorded` is for the host alone: a message to append to the transcript. All others may be shown.
Exactly one of `Finish` and `Failed` ends a run.
"""

from __future__ import annotations

from dataclasses import dataclass

from sayso.core.evidence import Numbered
from sayso.core.messages import Attempt, CallStatus, Message, Outcome, StopReason, ToolCall, Usage
from sayso.core.verify.report import Report


@dataclass(frozen=True, slots=True)
class RunStarted:
    run_id: str
    thread_id: str
    exchange_id: str
    model: str
    name = "run-started"


@dataclass(frozen=True, slots=True)
class Status:
    """What is being looked up, or why another model answers. Shown quietly; never an answer."""

    text: str
    tool: str = ""
    call_id: str = ""
    state: CallStatus | None = None
    name = "status"


@dataclass(frozen=True, slots=True)
class TextDelta:
    """Released text: final, verified, part of the answer."""

    text: str
    name = "text-delta"


@dataclass(frozen=True, slots=True)
class ClientToolCall:
    """A call that only the caller may run."""

    call: ToolCall
    name = "client-tool-call"


@dataclass(frozen=True, slots=True)
class FactsFound:
    facts: tuple[Numbered, ...]
    name = "facts"


@dataclass(frozen=True, slots=True)
class Verified:
    report: Report
    repaired: bool
    name = "verification"


@dataclass(frozen=True, slots=True)
class Answer:
    """The whole answer: the same text as all deltas together, and the refs that it cites or rests on."""

    text: str
    outcome: Outcome
    citations: tuple[str, ...]
    cut: bool = False
    name = "answer"


@dataclass(frozen=True, slots=True)
class UsageReport:
    """What an exchange cost; `model` answered, and `attempts` tell why others did not."""

    usage: Usage
    steps: int
    model: str
    attempts: tuple[Attempt, ...] = ()
    name = "usage"


@dataclass(frozen=True, slots=True)
class Finish:
    """The end. Of a run that a caller drives also the signed `continuation`, the `messages` that it added to the
    thread, the number that the next ref takes, and the digest of the whole `transcript`."""

    outcome: Outcome
    reason: StopReason
    continuation: str = ""
    messages: tuple[Message, ...] = ()
    next_ref: int = 0
    transcript: str = ""
    name = "finish"


@dataclass(frozen=True, slots=True)
class Failed:
    """A named error; `retryable`: whether asking again can help."""

    code: str
    message: str
    retryable: bool
    reason: StopReason = StopReason.MODEL_FAILED
    name = "error"


@dataclass(frozen=True, slots=True)
class Recorded:
    """A message to append to the thread's transcript. Not for the wire."""

    message: Message
    name = "recorded"


Event = (
    RunStarted | Status | TextDelta | ClientToolCall | FactsFound | Verified | Answer | UsageReport
    | Finish | Failed | Recorded
)  # fmt: skip
