"""What the routes answer with, as models: the OpenAPI document is made from them. They decide nothing."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from sayso.core.proposals import ProposalState
from sayso.core.verify.report import Verdict, ViolationKind
from sayso.serving.bodies import Strict
from sayso.serving.event_shapes import AttemptShape, FactShape, Ref, UnnumberedShape

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


class Argument(Strict):
    """One value of a card. `warnings`: `hidden` or `mixed:WORD`."""

    name: str
    value: str
    warnings: list[str]


class Inputs(Strict):
    """What a person may edit on the card: a JSON schema, and the present values."""

    schema_: Annotated[dict[str, Any], Field(alias="schema")]
    values: dict[str, Any]


class ProposalCard(Strict):
    """A change that waits for a person, or what became of it, as it must be shown."""

    id: str
    title: str
    state: ProposalState
    digest: Digest
    action: str
    target: str
    target_record: str
    target_warnings: list[str]
    arguments: list[Argument]
    created: Moment
    expires: Moment
    unbacked: list[str]
    outcome: str
    details: str
    files: list[str]
    inputs: Inputs | None
    learned: list[UnnumberedShape]


class ProposalCards(Strict):
    proposals: list[ProposalCard]


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
    """`unreadable`: a part of what is stored of it cannot be read; the rest is here."""

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


class KeptThread(Strict):
    id: str
    title: str
    exchanges: list[KeptExchange]
