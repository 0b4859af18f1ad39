"""The gateway's routes: its public keys, the catalogue of tools, calls, and the facts that an exchange starts with.

They read requests and write answers; what is allowed and what comes of a call is the dispatcher's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sayso.core.actors import SEE_THREADS
from sayso.core.facts import clean_text
from sayso.core.messages import CallStatus, ResultReason
from sayso.gateway.calls import Call, CallKind
from sayso.gateway.dispatch import Dispatcher
from sayso.inference.bodies import Context, Name
from sayso.server.bodies import page_of
from sayso.serving.asker import actor_of
from sayso.serving.bodies import Strict, read, read_query
from sayso.serving.endpoints import Access, Endpoint, Role

CALL_LIMIT = 256 << 10
_TEXT = Annotated[str, Field(max_length=32_000), AfterValidator(clean_text)]
_ID = Annotated[Name, AfterValidator(clean_text)]
_MOST_SECONDS = 300


class ToolsQuery(Strict):
    """`all`: also tools that no model is offered; that list has no seal."""

    all: Literal["true", "false"] = "false"


class CallBody(Strict):
    """A call with an id of its own; with `proposal_id`, what became of that proposal is asked for.

    `question` and `context` are what the person said and has open: by them a card tells why a change is proposed.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"call_id": "call_1", "name": "search_people", "arguments": {"query": "Elena Weber"}},
                {"call_id": "call_2", "name": "propose_action", "arguments": {"type": "commitment", "title": "Call"}},
            ]
        }
    )

    call_id: _ID
    name: _ID
    arguments: dict[str, Any]
    proposal_id: _ID | None = None
    thread_id: _ID | None = None
    exchange_id: _ID | None = None
    question: _TEXT = ""
    context: Context | None = None

    def call(self) -> Call:
        return Call(
            self.call_id, self.name, self.arguments, self.proposal_id, self.thread_id or "", self.exchange_id or "",
            self.question, page_of(self.context).record if self.context else None,
        )  # fmt: skip


class ContextBody(Strict):
    """What an exchange starts with: the user's message, and where they are."""

    message: Annotated[str, Field(min_length=1, max_length=32_000)]
    thread_id: Name | None = None
    context: Context | None = None


class SealedFact(Strict):
    """A fact as its store keeps it; `ref` is empty, since only a thread numbers facts."""

    ref: str
    kind: str
    subject: str
    values: dict[str, Any]
    source: str
    key: str
    as_of: str
    provenance: str
    similarity: float | None
    dropped: int


class CallResult(Strict):
    """What came of a call. `rule` says why it was refused; `seal` is the gateway's signature."""

    call_id: str
    name: str
    status: CallStatus
    reason: ResultReason | None
    facts: list[SealedFact]
    kind: CallKind
    rule: str = ""
    seal: str


class Declaration(Strict):
    """A tool that may be called."""

    name: str
    title: str
    description: str
    input_schema: dict[str, Any]
    read_only: bool
    permission: str
    example: dict[str, Any]
    covers: str | None
    words: list[str]
    takes_name: str | None
    takes_text: str | None
    can_leave: bool


class Catalogue(Strict):
    """The tools that this person may use. `kinds` are the kinds of fact that results hold, as declared."""

    tools: list[Declaration]
    kinds: list[dict[str, Any]]
    expires: str
    seal: str | None


class KeySet(Strict):
    """A JSON Web Key Set (RFC 7517) of Ed25519 keys."""

    keys: list[dict[str, str]]


@dataclass(frozen=True, slots=True)
class GatewayRoutes:
    """Who asks, the guard has found out."""

    dispatcher: Dispatcher

    def endpoints(self) -> list[Endpoint]:
        system, role = "/api/v1/system", Role.GATEWAY
        return [
            Endpoint(
                "GET", f"{system}/keys", self.keys, "The keys by which seals are checked", role, {200: KeySet},
                access=Access.OPEN,
            ),
            Endpoint(
                "GET", f"{system}/mcp/tools", self.tools, "The tools that you may use, sealed", role,
                {200: Catalogue}, query=ToolsQuery,
            ),
            Endpoint(
                "POST", f"{system}/mcp/call", self.call, "Call a tool; the same call again gives the same result",
                role, {200: CallResult}, body=CallBody, problems=(404, 409),
                description="A read runs at once. A change is filed as a proposal; once a person has decided on it, "
                "the same call with its `proposal_id` gives the receipt.",
            ),
            Endpoint(
                "POST", f"{system}/context", self.context, "The facts that an exchange starts with, sealed", role,
                {200: CallResult}, body=ContextBody, permission=SEE_THREADS,
                description="Receipts of this thread's proposals are among them until an exchange that holds them is "
                "stored with its answer. A conversation that is not kept here, or is not yours, has none.",
            ),
        ]  # fmt: skip

    async def keys(self, request: Request) -> Response:
        cached = {"cache-control": f"public, max-age={_MOST_SECONDS}"}
        return JSONResponse(self.dispatcher.sealer.key_set(), headers=cached)

    async def tools(self, request: Request) -> Response:
        unoffered = read_query(request, ToolsQuery).all == "true"
        return JSONResponse(self.dispatcher.catalogue(actor_of(request), unoffered=unoffered))

    async def call(self, request: Request) -> Response:
        body = await read(request, CallBody, CALL_LIMIT, exact=True)
        result = await self.dispatcher.dispatch(actor_of(request), body.call())
        return JSONResponse(result.document())

    async def context(self, request: Request) -> Response:
        body = await read(request, ContextBody, CALL_LIMIT)
        actor = actor_of(request)
        record = page_of(body.context).record if body.context else None
        result = await self.dispatcher.context(actor, body.message, body.thread_id or "", record)
        return JSONResponse(result.document())
