"""What the routes answer with, as models: the OpenAPI document is made from them. They decide nothing."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from sayso.core.facts import Provenance
from sayso.core.messages import StopReason
from sayso.core.proposals import ProposalState
from sayso.core.verify.report import Verdict, ViolationKind
from sayso.gateway.risks import RiskCode
from sayso.serving.bodies import Strict
from sayso.serving.event_shapes import AttemptShape, FactShape, Ref, UnnumberedShape
from sayso.store.ports import ExchangeState

Moment = Annotated[str, Field(description="ISO 8601, with the offset from UTC")]
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$", description="SHA-256, as hexadecimal digits")]


class Health(Strict):
    """`instance` is new at each start; only a server that announced itself tells it."""

    status: str
    instance: str = ""


class Stopped(Strict):
    """`stopped` is false where the run had ended before."""

    run_id: str
    stopped: bool


class Attached(Strict):
    """An image that may be asked about by its `id`."""

    id: Digest
    name: str
    media_type: str
    width: int
    height: int


class RiskLine(Strict):
    """What to know before approving: a stable code, what it is about, and words in English."""

    code: RiskCode
    values: list[str]
    words: str


class Argument(Strict):
    """One value of a card, in full. `before` is what the record holds, where the change alters it; of a list both
    hold only what is taken away and added, and `unchanged` counts the rest."""

    name: str
    value: str
    before: str | None
    unchanged: int
    risks: list[RiskLine]


class ReasonLine(Strict):
    """A fact that the change rests on; `ref` is its citation in the conversation, "" where it has none."""

    ref: str
    kind: str
    subject: str
    source: str
    key: str
    provenance: Provenance


class Inputs(Strict):
    """What a person may edit on the card: a JSON schema, and the present values."""

    schema_: Annotated[dict[str, Any], Field(alias="schema")]
    values: dict[str, Any]


class ProposalCard(Strict):
    """A change that waits for a person, or what became of it, as it must be shown. Where its end is unknown,
    `can_check` tells that its action can find out, and `look` where a person can."""

    id: str
    title: str
    state: ProposalState
    digest: Digest
    action: str
    target: str
    target_record: str
    target_risks: list[RiskLine]
    arguments: list[Argument]
    created: Moment
    expires: Moment
    unbacked: list[str]
    risks: list[RiskLine]
    reasons: list[ReasonLine]
    can_check: bool
    look: str
    thread_id: str
    outcome: str
    details: str
    files: list[str]
    inputs: Inputs | None
    learned: list[UnnumberedShape]


class ProposalCards(Strict):
    proposals: list[ProposalCard]


class ProposalChangeLine(Strict):
    """Somebody's step: to a state, or an edit (`pending`, with a new digest)."""

    state: ProposalState
    by: str
    at: Moment
    digest: Digest
    note: str


class ProposalChanges(Strict):
    """The oldest first."""

    changes: list[ProposalChangeLine]


class DecisionOutcome(Strict):
    """The card after the decision, or the problem document that refuses it."""

    id: str
    card: ProposalCard | None
    problem: dict[str, Any] | None


class Decided(Strict):
    """In the order of the request."""

    outcomes: list[DecisionOutcome]


class ThreadLine(Strict):
    id: str
    title: str
    updated: Moment


class ThreadLines(Strict):
    threads: list[ThreadLine]


class KeptViolation(Strict):
    kind: ViolationKind
    words: str
    instruction: str


class KeptSentence(Strict):
    text: str
    verdict: Verdict
    withheld: bool
    refs: list[Ref]
    violations: list[KeptViolation]


class KeptImage(Strict):
    id: str
    ref: Ref
    name: str


class KeptExchange(Strict):
    """`unreadable`: a part of what is stored of it cannot be read; the rest is here. `run_id`: the run that answers it
    now (`state` is `running`), to be read on or stopped; `waiting`: its caller has the calls that are open."""

    id: str
    question: str
    answer: str | None
    model: str
    asked: Moment | None
    facts: list[FactShape]
    sentences: list[KeptSentence]
    unreadable: bool
    images: list[KeptImage]
    attempts: list[AttemptShape]
    state: ExchangeState
    reason: StopReason | None
    run_id: str | None


class KeptThread(Strict):
    id: str
    title: str
    exchanges: list[KeptExchange]
