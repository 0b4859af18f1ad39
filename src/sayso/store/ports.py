"""What a store offers: its values and its two protocols. Both stores pass one suite of tests."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Protocol

from sayso.core.facts import Fact, FactKind
from sayso.core.messages import Attempt, Message, Outcome, StopReason, Usage
from sayso.core.proposals import Proposal, ProposalState


class ExchangeState(StrEnum):
    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"
    CUT = "cut"  # its process died; what was recorded is shown as cut
    WAITING = "waiting"  # for its caller, who runs the calls that are open


@dataclass(frozen=True, slots=True)
class Thread:
    """`next_ref` is the number of the next fact: refs are never used again. `transcript` is the chained digest of its
    messages (`sayso.core.encoding.transcript_digest`), "" for none."""

    id: str
    owner: str
    title: str
    created: datetime
    updated: datetime
    next_ref: int = 1
    transcript: str = ""


@dataclass(frozen=True, slots=True)
class Exchange:
    """`first_ref` is the number of the first fact that it may add; only its start tells it."""

    id: str
    thread_id: str
    question: str
    state: ExchangeState
    model: str
    started: datetime
    ended: datetime | None = None
    outcome: Outcome | None = None
    reason: StopReason | None = None
    usage: Usage = field(default_factory=Usage)
    steps: int = 0
    answer: str | None = None
    report_json: str | None = None
    attempts: tuple[Attempt, ...] = ()
    first_ref: int = 1


@dataclass(frozen=True, slots=True)
class Filed:
    """A proposal as it is kept. `is_new` is False when the same act was waiting already."""

    proposal: Proposal
    is_new: bool


@dataclass(frozen=True, slots=True)
class ProposalChange:
    """Who moved a proposal to a state, when, and which digest they had seen."""

    state: ProposalState
    by: str
    at: datetime
    digest: str
    note: str = ""


class Rating(StrEnum):
    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class Feedback:
    """What a person (`by`) thinks of an exchange's answer; their newest word counts."""

    thread_id: str
    exchange_id: str
    by: str
    rating: Rating
    words: str
    at: datetime


class ThreadStore(Protocol):
    """Every method raises NotFound for a thread of another owner, as for one that does not exist.

    `owner` is whose a conversation is: a person's desk (`sayso.core.actors.Actor.desk`).
    """

    @property
    def kinds(self) -> Mapping[str, FactKind]:
        """The fact kinds that messages may hold, by their names."""
        ...

    async def create(self, owner: str, title: str = "") -> Thread: ...
    async def get(self, owner: str, thread_id: str) -> Thread: ...
    async def list(
        self, owner: str, limit: int = 50, before: str | None = None, search: str = ""
    ) -> tuple[Thread, ...]: ...  # fmt: skip
    async def messages(self, owner: str, thread_id: str) -> tuple[Message, ...]: ...
    async def start_exchange(
        self, owner: str, thread_id: str, exchange_id: str, question: str, model: str, at: datetime
    ) -> Exchange: ...
    async def hold(self, exchange_id: str) -> None: ...
    async def append(self, owner: str, thread_id: str, *messages: Message) -> None: ...
    async def extend(
        self, owner: str, thread_id: str, messages: Sequence[Message], exchanges: Sequence[Exchange], *, expected: str,
        title: str = "",
    ) -> Thread: ...  # fmt: skip
    async def finish_exchange(
        self, exchange_id: str, outcome: Outcome | None, reason: StopReason, usage: Usage, steps: int,
        model: str, answer: str | None, report_json: str | None, at: datetime, attempts: Sequence[Attempt] = (),
    ) -> None: ...  # fmt: skip
    async def exchanges(self, owner: str, thread_id: str) -> tuple[Exchange, ...]: ...
    async def rename(self, owner: str, thread_id: str, title: str) -> None: ...
    async def delete(self, owner: str, thread_id: str) -> None: ...
    async def rate(self, owner: str, feedback: Feedback) -> None: ...
    async def unrate(self, owner: str, thread_id: str, exchange_id: str, by: str) -> None: ...
    async def feedback(self, owner: str, thread_id: str | None = None, limit: int = 200) -> tuple[Feedback, ...]: ...
    async def recover(self, at: datetime) -> int: ...
    async def keep_recovering(self) -> None: ...


class ProposalStore(Protocol):
    """Every method raises NotFound for a proposal of another owner, as for one that does not exist.

    `owner` is who decides: a person's desk, not whose records it changes.
    """

    async def file(self, proposal: Proposal, owner: str, at: datetime, grounds: str = "") -> Filed: ...
    async def get(self, owner: str, proposal_id: str) -> Proposal: ...
    async def list(
        self, owner: str, states: Collection[ProposalState] | None = None, thread_id: str | None = None
    ) -> tuple[Proposal, ...]: ...
    async def move(
        self, proposal_id: str, owner: str, from_states: Collection[ProposalState], to: ProposalState, by: str,
        at: datetime, digest: str | None = None, note: str | None = None,
    ) -> bool: ...  # fmt: skip
    async def replace(self, owner: str, proposal_id: str, canonical: bytes, by: str, at: datetime) -> Proposal: ...
    async def expire(self, now: datetime) -> int: ...
    async def changes(self, owner: str, proposal_id: str) -> tuple[ProposalChange, ...]: ...
    async def receipts_for(self, owner: str, thread_id: str) -> tuple[Fact, ...]: ...
    async def mark_delivered(self, owner: str, receipts: Collection[Fact]) -> None:
        """These were told. One whose proposal has ended otherwise since is told anew all the same."""
        ...


def stamp(moment: datetime) -> str:
    """A moment as text that sorts by time: UTC, always with microseconds."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def now_utc() -> datetime:
    return datetime.now(UTC)
