"""The bodies of the requests that change or ask something, as models."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from sayso.core.proposals import ProposalState
from sayso.inapp.assistant import PageContext
from sayso.inference.bodies import Context
from sayso.serving.bodies import Strict

DECISION_LIMIT = 64 << 10
EDIT_LIMIT = 256 << 10


def page_of(context: Context) -> PageContext:
    """Where the person is, for the assistant in this process."""
    record = (context.record.kind, context.record.key) if context.record else None
    return PageContext(context.route, record, context.selection)


class Approval(Strict):
    digest: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class Edit(Strict):
    """The inputs that were changed, and the digest of the card on which they were."""

    digest: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    arguments: Annotated[dict[str, Any], Field(min_length=1, max_length=100)]


class Denial(Strict):
    words: Annotated[str, Field(max_length=2000)] = ""


class Settlement(Strict):
    """What a person found out about a proposal whose end is unknown."""

    happened: bool


Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class Decision(Strict):
    """One of several. An approval names the digest that was seen; `words` go with a denial."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    decision: Literal["approve", "deny", "supersede"]
    digest: Digest | None = None
    words: Annotated[str, Field(max_length=2000)] = ""

    @model_validator(mode="after")
    def approves_what_was_seen(self) -> Decision:
        if self.decision == "approve" and self.digest is None:
            raise ValueError("an approval names the digest of the card that was seen")
        return self


class Decisions(Strict):
    decisions: Annotated[list[Decision], Field(min_length=1, max_length=50)]


class ProposalsQuery(Strict):
    """Only the proposals in this state."""

    state: ProposalState | None = None


class AttachmentQuery(Strict):
    """The file's name, as it is to be shown."""

    name: Annotated[str, Field(max_length=1000)] = ""


class SignInQuery(Strict):
    """The token of a link that `sayso link` printed; the page to open after signing in."""

    token: str = ""
    next: Annotated[str, Field(max_length=1000)] = "/"
