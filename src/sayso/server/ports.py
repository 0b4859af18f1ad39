"""What the server needs: an assistant, and the views it shows. It knows no store, model or gateway."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from sayso.core.events import Event
from sayso.core.evidence import Numbered
from sayso.core.facts import Fact
from sayso.core.images import Attachment
from sayso.core.messages import Attempt, StopReason
from sayso.core.tools import Actor
from sayso.gateway.actions import OutFile
from sayso.gateway.cards import Card
from sayso.gateway.inputs import Schema
from sayso.inapp.assistant import PageContext


@dataclass(frozen=True, slots=True)
class ProposalView:
    """A proposal as its card shows it. `arguments` are (name, text) pairs, in the order to show them, `card` the
    same with what was before, risks and reasons, where the assistant knows its records;
    `target` is the name of the record that it is about, `target_record` its kind and key;
    `learned` are facts that its action brought back, such as another agent's answer. `schema` describes
    the inputs that a person may edit, whose `values` these are; None where nothing can be edited.
    `outcome` is how its action ended, in a few words, and `details` what its receipt adds. `can_check`:
    its end is unknown, and its action can look for it; `look` says where a person finds out."""

    id: str
    title: str
    state: str
    digest: str
    action: str
    target: str
    arguments: tuple[tuple[str, str], ...]
    created: datetime
    expires: datetime
    unbacked: tuple[str, ...] = ()
    outcome: str = ""
    details: str = ""
    files: tuple[str, ...] = ()
    target_record: str = ""
    learned: tuple[Fact, ...] = ()
    schema: Schema | None = None
    values: Mapping[str, Any] = field(default_factory=dict[str, Any])
    card: Card | None = None
    can_check: bool = False
    look: str = ""
    thread_id: str = ""


@dataclass(frozen=True, slots=True)
class ChangeView:
    """Who moved a proposal to a state (or edited it), when, and which digest they had seen."""

    state: str
    by: str
    at: datetime
    digest: str
    note: str


@dataclass(frozen=True, slots=True)
class ThreadView:
    id: str
    title: str
    updated: datetime


@dataclass(frozen=True, slots=True)
class SentenceView:
    """A sentence with its verdict, as it is kept; `violations` are (kind, words, instruction)."""

    text: str
    verdict: str
    refs: tuple[str, ...] = ()
    violations: tuple[tuple[str, str, str], ...] = ()
    withheld: bool = False


@dataclass(frozen=True, slots=True)
class ExchangeView:
    """`unreadable`: a part of what is stored of it cannot be read; the rest is shown. `state` and `reason` tell how
    far it has come; `run_id` is the run that answers it now, to be read on or stopped."""

    id: str
    question: str
    answer: str | None
    facts: tuple[Numbered, ...] = ()
    verdicts: tuple[SentenceView, ...] = ()
    model: str = ""
    asked: datetime | None = None
    unreadable: bool = False
    images: tuple[Numbered, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    state: str = "finished"
    reason: StopReason | None = None
    run_id: str | None = None


@dataclass(frozen=True, slots=True)
class ThreadDetail:
    id: str
    title: str
    exchanges: tuple[ExchangeView, ...]


class Assistant(Protocol):
    """Every method raises NotFound for what is another owner's, as for what does not exist."""

    @property
    def model_name(self) -> str: ...
    @property
    def model_reason(self) -> str: ...
    @property
    def model_sees(self) -> bool | None:
        """Whether the model reads images; None where nobody knows."""
        ...

    def ask(
        self, message: str, *, actor: Actor, thread_id: str | None, context: PageContext | None,
        run_id: str | None = None, images: Sequence[Attachment] = (), supersede: bool = False,
    ) -> AsyncIterator[Event]: ...  # fmt: skip

    async def attach(self, actor: Actor, data: bytes, name: str) -> Attachment:
        """Keep an image for a question that is to come. Raises ImageUnfit."""
        ...

    async def image(self, actor: Actor, digest: str) -> Attachment: ...

    async def proposals(self, actor: Actor, state: str | None) -> Sequence[ProposalView]: ...
    async def proposal(self, actor: Actor, proposal_id: str) -> ProposalView: ...
    async def edit(
        self, actor: Actor, proposal_id: str, digest: str, changes: Mapping[str, Any]
    ) -> ProposalView: ...  # fmt: skip
    async def approve(self, actor: Actor, proposal_id: str, digest: str) -> ProposalView: ...
    async def deny(self, actor: Actor, proposal_id: str, words: str) -> ProposalView: ...
    async def supersede(self, actor: Actor, proposal_id: str) -> ProposalView: ...
    async def settle(self, actor: Actor, proposal_id: str, *, happened: bool) -> ProposalView: ...
    async def check(self, actor: Actor, proposal_id: str) -> ProposalView: ...
    async def changes(self, actor: Actor, proposal_id: str) -> Sequence[ChangeView]: ...
    async def proposal_file(self, actor: Actor, proposal_id: str, name: str) -> OutFile | None: ...
    async def threads(self, actor: Actor) -> Sequence[ThreadView]: ...
    async def thread(self, actor: Actor, thread_id: str) -> ThreadDetail: ...
