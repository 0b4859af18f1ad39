"""The bodies of the requests that change or ask something, as models."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from sayso.core.images import MAX_IMAGES
from sayso.core.proposals import ProposalState
from sayso.inapp.assistant import PageContext
from sayso.serving.bodies import Strict

CHAT_LIMIT = 1 << 20
DECISION_LIMIT = 64 << 10
EDIT_LIMIT = 256 << 10

Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Name = Annotated[str, Field(min_length=1, max_length=200)]


class Record(Strict):
    kind: Name
    key: Name


class Context(Strict):
    route: Annotated[str, Field(max_length=2000)] = ""
    record: Record | None = None
    selection: Annotated[str, Field(max_length=8000)] = ""

    def page(self) -> PageContext:
        record = (self.record.kind, self.record.key) if self.record else None
        return PageContext(self.route, record, self.selection)


class Chat(Strict):
    message: Annotated[str, Field(min_length=1, max_length=32_000, pattern=r"\S")]
    thread_id: Name | None = None
    context: Context | None = None
    attachments: Annotated[list[Digest], Field(max_length=MAX_IMAGES)] = []


class Approval(Strict):
    digest: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class Edit(Strict):
    """The inputs that were changed, and the digest of the card on which they were."""

    digest: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    arguments: Annotated[dict[str, Any], Field(min_length=1, max_length=100)]


class Denial(Strict):
    words: Annotated[str, Field(max_length=2000)] = ""


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
