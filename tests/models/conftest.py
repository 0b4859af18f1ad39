"""Shared by the tests of the model seam: a request, and a real server that misbehaves on command."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiohttp import web

from sayso.core.messages import Message, Role, TextPart
from sayso.core.ports import ModelRequest
from sayso.models.connection import Connection, Timeouts
from sayso.models.http_model import HttpModel
from sayso.models.providers import model_at
from small_world import NOW, SEARCH

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@pytest.fixture
def request_of() -> Callable[..., ModelRequest]:
    def make(**changes: Any) -> ModelRequest:
        values: dict[str, Any] = {
            "system": "Be brief.",
            "messages": (Message("m1", Role.USER, (TextPart("Who is Elena?"),), "ex_1"),),
            "tools": (SEARCH,), "tools_open": True, "shown": (), "hint": "", "now": NOW, "locale": "en",
            "seconds_left": 30.0,
        }  # fmt: skip
        return ModelRequest(**{**values, **changes})

    return make


@dataclass
class Misbehaving:
    """A model server: each request gets the next of `replies` (the last one stays)."""

    url: str = ""
    replies: list[Handler] = field(default_factory=list[Handler])
    bodies: list[Any] = field(default_factory=list[Any])
    headers: list[Any] = field(default_factory=list[Any])
    paths: list[str] = field(default_factory=list[str])

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.bodies.append(await request.json())
        self.headers.append(request.headers)
        self.paths.append(request.path_qs)
        return await self.replies[min(len(self.bodies), len(self.replies)) - 1](request)


@pytest.fixture
async def server() -> AsyncIterator[Misbehaving]:
    misbehaving = Misbehaving()
    app = web.Application(client_max_size=2**26)
    app.router.add_post("/v1/{path:.*}", misbehaving.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    misbehaving.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    yield misbehaving
    await runner.cleanup()


@pytest.fixture
def protocol() -> str:
    """The protocol of `model`, where a test names no other."""
    return "chat"


@pytest.fixture
async def model(server: Misbehaving, protocol: str) -> AsyncIterator[HttpModel]:
    """A model at that server, whose waits are noted (`waits`) and not kept."""

    async def no_wait(seconds: float) -> None:
        waits.append(seconds)

    waits: list[float] = []
    made = model_at(protocol, "m", server.url, "sk-secret", connection=Connection(Timeouts(5, 2, 2)), sleep=no_wait)
    made.waits = waits  # type: ignore[attr-defined]
    yield made
    await made.aclose()


@pytest.fixture
def heard(server: Misbehaving, model: HttpModel, request_of: Callable[..., ModelRequest]) -> Callable[..., Any]:
    """Asks `model` while the server gives these replies; the events of the answer."""

    async def ask(*replies: Handler, **changes: Any) -> list[Any]:
        server.replies = list(replies)
        return [event async for event in model.stream(request_of(**changes))]

    return ask
