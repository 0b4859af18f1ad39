"""`POST /mcp`: our tools over MCP's streamable HTTP, behind the same guard as every other route.

Each request stands alone: no session is kept, so nothing of one asker's can be had by another, and any replica may
answer. The SDK is loaded with the first request.
"""

from __future__ import annotations

import asyncio
import importlib
import json
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from sayso.gateway.mcp.server import Dispatching, Offer, build
from sayso.serving.asker import actor_of
from sayso.serving.bodies import Strict, read
from sayso.serving.endpoints import Endpoint, Role
from sayso.serving.problems import Problem

MAX_BODY = 1 << 20


class McpMessage(Strict):
    """A request of the Model Context Protocol, or, without `id`, a notification. Which methods and parameters there
    are is the protocol's to say."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}]}
    )

    jsonrpc: Literal["2.0"]
    method: Annotated[str, Field(min_length=1, max_length=200)]
    id: int | Annotated[str, Field(max_length=200)] = 0
    params: dict[str, Any] = {}


class McpRoutes:
    """`public_url` is where people open the page, where it is not at the host that a client asks."""

    def __init__(self, dispatcher: Dispatching, public_url: str = "") -> None:
        def page(request: Any, proposal_id: str) -> str:
            return f"{(public_url or str(request.base_url)).rstrip('/')}/proposals#{proposal_id}"

        self._offer = Offer(dispatcher, actor_of, page)
        self._manager: Any = None
        self._holding: asyncio.Task[None] | None = None
        self._stop = asyncio.Event()
        self._starting = asyncio.Lock()

    def endpoints(self) -> list[Endpoint]:
        return [
            Endpoint(
                "POST", "/mcp", self.answer, "The tools over MCP (streamable HTTP)", Role.GATEWAY,
                # A refusal of the protocol itself is a JSON-RPC error, by which a client finds a version in common.
                {200: "application/json", 202: None, **dict.fromkeys((400, 404, 406), "application/json")},
                body=McpMessage, headers={"MCP-Protocol-Version": "The version of MCP that the client speaks."},
                problems=(501,),
                description="JSON-RPC 2.0 messages of the Model Context Protocol. No session is kept between requests.",
            )
        ]  # fmt: skip

    async def answer(self, request: Request) -> Response:
        """Read the body as strictly as every other, then let the SDK answer it."""
        actor_of(request)  # before anything is read
        message = await read(request, McpMessage, MAX_BODY)
        manager = await self._ready()
        return _Through(manager, json.dumps(message.model_dump(exclude_unset=True)).encode("ascii"))

    async def aclose(self) -> None:
        self._stop.set()
        if self._holding is not None:
            await asyncio.gather(self._holding, return_exceptions=True)

    async def _ready(self) -> Any:
        async with self._starting:
            if self._manager is None:
                try:
                    await asyncio.to_thread(importlib.import_module, "mcp.server.streamable_http_manager")
                except ImportError as missing:
                    told = "MCP is not installed here; install sayso with its extra: pip install 'sayso[mcp]'"
                    raise Problem(501, "mcp_not_installed", told) from missing
                started: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
                self._holding = asyncio.create_task(self._hold(started))
                self._manager = await started
            return self._manager

    async def _hold(self, started: asyncio.Future[Any]) -> None:
        """Keep the SDK's manager running: it begins and ends in this task, as its scopes must."""
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
        from mcp.server.transport_security import TransportSecuritySettings

        checked = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # the guard has checked the host
        manager = StreamableHTTPSessionManager(
            build(self._offer), json_response=True, stateless=True, security_settings=checked,
            max_request_body_size=2 * MAX_BODY,
        )  # fmt: skip
        async with manager.run():
            started.set_result(manager)
            await self._stop.wait()


class _Through(Response):
    """The SDK's own answer to a body that we have read and found to be sound JSON."""

    def __init__(self, manager: Any, body: bytes) -> None:
        super().__init__()
        self._manager, self._message = manager, body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        told = False

        async def replayed() -> Any:
            nonlocal told
            if told:
                return await receive()
            told = True
            return {"type": "http.request", "body": self._message, "more_body": False}

        headers = [(n, v) for n, v in scope["headers"] if n != b"content-length"]
        length = (b"content-length", str(len(self._message)).encode("ascii"))
        await self._manager.handle_request({**scope, "headers": [*headers, length]}, replayed, send)
