"""Our tools as an MCP server: what a person may use is listed, and a call is the dispatcher's, as any other.

Annotations and output come from our registry. What changes something becomes a proposal, and the answer says so. It
knows no transport, and who asks is told to it for each request.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Protocol

from sayso.core.messages import CallStatus, ResultReason
from sayso.core.tools import Actor, Tool, ToolKind
from sayso.errors import SaysoError
from sayso.gateway.calls import Call
from sayso.gateway.mcp.told import OUTPUT_SCHEMA, Outcome, plain, structured

if TYPE_CHECKING:
    import mcp_types
    from mcp.server.lowlevel import Server

CALL_ID = "sayso/call-id"
"""In a call's `_meta`: a client's own id of the call, by which a repetition is known. Without it each call is new."""
REFUSED = -32000
"""The code of a JSON-RPC error for a call that was not taken; its message says why."""
_ID = re.compile(r"[A-Za-z0-9_.:-]{1,80}")
_INSTRUCTIONS = (
    "Tools over this person's records. Answers are facts with their sources; say nothing of the records that no fact "
    "holds. A tool that changes something only files a proposal: a person approves it in Sayso, and until then "
    "nothing has been done."
)


class Dispatching(Protocol):
    """The dispatcher, as far as it is needed here."""

    def tools(self, actor: Actor, *, unoffered: bool = False) -> Iterable[Tool]: ...
    def dispatch(self, actor: Actor, call: Call) -> Awaitable[Outcome]: ...


@dataclass(frozen=True, slots=True)
class Offer:
    """What is served. `who` finds out who sends a request; `page` gives the address at which a proposal is decided
    on: (request, proposal id)."""

    dispatcher: Dispatching
    who: Callable[[Any], Actor]
    page: Callable[[Any, str], str]


def build(offer: Offer) -> Server[Any]:
    """The SDK's server over an offer. Needs the extra `mcp`."""
    import mcp_types
    from mcp import MCPError
    from mcp.server.lowlevel import Server

    async def list_tools(context: Any, params: Any) -> mcp_types.ListToolsResult:
        actor = offer.who(context.request)
        return mcp_types.ListToolsResult(tools=[declared(tool) for tool in offer.dispatcher.tools(actor)])

    async def call_tool(context: Any, params: mcp_types.CallToolRequestParams) -> mcp_types.CallToolResult:
        actor = offer.who(context.request)
        if _kept_back(offer.dispatcher, actor, params.name):
            raise MCPError(code=mcp_types.INVALID_PARAMS, message=f"Unknown tool: {params.name[:80]}")
        call = Call(_call_id(context.meta), params.name, params.arguments or {})
        try:
            outcome = await offer.dispatcher.dispatch(actor, call)
        except SaysoError as refused:  # the id is another call's, or the store is busy: not a result of the tool
            raise MCPError(code=REFUSED, message=str(refused)) from refused
        if outcome.reason is ResultReason.UNKNOWN_TOOL:
            raise MCPError(code=mcp_types.INVALID_PARAMS, message=f"Unknown tool: {params.name[:80]}")

        def page(proposal_id: str) -> str:
            return offer.page(context.request, proposal_id)

        return mcp_types.CallToolResult(
            content=[mcp_types.TextContent(type="text", text=plain(outcome, page))],
            structured_content=structured(outcome, page),
            is_error=outcome.status is not CallStatus.SUCCESS,
        )

    return Server(
        "sayso", version=version("sayso"), title="Sayso", instructions=_INSTRUCTIONS,
        on_list_tools=list_tools, on_call_tool=call_tool,
    )  # fmt: skip


def _kept_back(dispatcher: Dispatching, actor: Actor, name: str) -> bool:
    """Whether somebody may use a tool that no model is told of: what is not listed is not called either."""
    offered = any(tool.name == name for tool in dispatcher.tools(actor))
    return not offered and any(tool.name == name for tool in dispatcher.tools(actor, unoffered=True))


def declared(tool: Tool) -> mcp_types.Tool:
    """A tool as MCP clients are told of it. To file a proposal destroys nothing: the change itself is a person's."""
    import mcp_types

    reads = tool.kind is ToolKind.READ
    ending = "" if reads else " Files a proposal only: a person decides, and nothing is done before."
    return mcp_types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description + ending,
        input_schema=dict(tool.schema),
        output_schema=dict(OUTPUT_SCHEMA),
        annotations=mcp_types.ToolAnnotations(
            title=tool.title, read_only_hint=reads, destructive_hint=False, idempotent_hint=reads,
            open_world_hint=tool.can_leave,
        ),
    )  # fmt: skip


def _call_id(meta: Any) -> str:
    given: object = meta.get(CALL_ID) if isinstance(meta, Mapping) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return given if isinstance(given, str) and _ID.fullmatch(given) else f"mcp_{secrets.token_hex(12)}"
