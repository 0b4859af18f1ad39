"""The events of a stream as they are described to others: the shape of each event's data, by its name.

`sayso.serving.frames` writes them, and a test holds both together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from sayso.core.facts import Provenance
from sayso.core.messages import CallStatus, Outcome, StopReason
from sayso.core.verify.report import Profile, Verdict, ViolationKind
from sayso.serving.bodies import Strict

Ref = Annotated[str, Field(description="F1, F2 ... for records, U1 ... for what the person gave; once a thread")]


class UnnumberedShape(Strict):
    """A record, with every field that its kind declares; a field that holds nothing is null."""

    kind: str
    title: str
    subject: str
    source: str
    key: str
    provenance: Provenance
    as_of: str
    fields: dict[str, str | None]
    labels: dict[str, str]


class FactShape(UnnumberedShape):
    """The same, under the number by which an answer cites it."""

    ref: Ref


class ViolationShape(Strict):
    """A claim that the facts do not carry; `nearest` is the fact that comes closest."""

    kind: ViolationKind
    words: str
    instruction: str
    nearest: Ref | None


class SentenceShape(Strict):
    """One sentence with its verdict; the texts of all sentences are the whole draft."""

    text: str
    verdict: Verdict
    withheld: bool
    refs: list[Ref]
    added: list[Ref]
    idle: list[Ref]
    second_opinion: bool
    violations: list[ViolationShape]


class AttemptShape(Strict):
    """Why a model did not answer, or what it had to do without."""

    model: str
    code: str
    reason: str
    facts: int
    exchanges: int


class RunStartedShape(Strict):
    run_id: str
    thread_id: str
    exchange_id: str
    model: str


class StatusShape(Strict):
    """What is being looked up, or what became of a call. Never part of the answer."""

    text: str
    tool: str
    call_id: str
    state: CallStatus | None


class TextDeltaShape(Strict):
    """Sentences that have passed: final, part of the answer."""

    text: str


class ClientToolCallShape(Strict):
    """A call that only the caller may run. `arguments` is the JSON text of an object."""

    call_id: str
    name: str
    arguments: str


class FactsShape(Strict):
    facts: list[FactShape]


class VerificationShape(Strict):
    repaired: bool
    profile: Profile
    sentences: list[SentenceShape]


class AnswerShape(Strict):
    """The whole answer: the same text as all deltas together."""

    text: str
    outcome: Outcome
    citations: list[Ref]
    cut: bool


class UsageShape(Strict):
    input_tokens: Annotated[int, Field(ge=0)]
    output_tokens: Annotated[int, Field(ge=0)]
    steps: Annotated[int, Field(ge=0)]
    model: str
    attempts: list[AttemptShape]


class FinishShape(Strict):
    """The one end of a run that did not fail. The members from `continuation` on come in caller-driven runs only."""

    outcome: Outcome
    reason: StopReason
    continuation: str = ""
    messages: list[dict[str, Any]] = []
    next_ref: Annotated[int, Field(ge=1)] | None = None
    transcript: Annotated[str, Field(pattern="^([0-9a-f]{64})?$")] = ""


class ErrorShape(Strict):
    """The one end of a run that failed; `retryable`: whether asking again can help."""

    code: str
    message: str
    retryable: bool
    reason: StopReason


EVENTS: Mapping[str, type[Strict]] = {
    "run-started": RunStartedShape,
    "status": StatusShape,
    "text-delta": TextDeltaShape,
    "client-tool-call": ClientToolCallShape,
    "facts": FactsShape,
    "verification": VerificationShape,
    "answer": AnswerShape,
    "usage": UsageShape,
    "finish": FinishShape,
    "error": ErrorShape,
}
"""Every event by its name. `finish` and `error` end a run, and exactly one of them comes."""
