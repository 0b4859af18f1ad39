"""The bodies of the requests that change or ask something, as models."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

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


ProposalId = Annotated[str, Field(min_length=1, max_length=200)]


class ApproveOne(Strict):
    """An approval names the digest of the card that was seen."""

    id: ProposalId
    decision: Literal["approve"]
    digest: Digest
    words: Annotated[str, Field(max_length=2000)] = ""


class CloseOne(Strict):
    """`words` go with a denial. A digest is of no account: what is closed does not happen."""

    id: ProposalId
    decision: Literal["deny", "supersede"]
    digest: Digest | None = None
    words: Annotated[str, Field(max_length=2000)] = ""


Decision = ApproveOne | CloseOne
"""One of several, told apart by `decision`."""


class Decisions(Strict):
    decisions: Annotated[list[Annotated[Decision, Field(discriminator="decision")]], Field(min_length=1, max_length=50)]


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
