"""The strict provider of every protocol as a judge of requests, and a database whose process dies: for the invariants.

A model that shows each request to all of them, whatever it then says.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

from conformance.server.http import Asked
from conformance.server.stage import PROTOCOLS, provider_of
from sayso.core.ports import ModelEvent, ModelRequest
from sayso.models import providers
from sayso.models.scripted import Reply, Scripted, say
from sayso.store.database import Database

NAMES = {"chat": "gpt-5-mini", "responses": "gpt-5", "anthropic": "claude-haiku-4-5", "gemini": "gemini-3-flash"}
PATHS = {
    "chat": "/v1/chat/completions", "responses": "/v1/responses", "anthropic": "/v1/messages",
    "gemini": "/v1beta/models/gemini-3-flash:streamGenerateContent",
}  # fmt: skip
BODIES: dict[str, Callable[[ModelRequest, bool], bytes]] = {
    protocol: providers.model_at(protocol, NAMES[protocol], "http://127.0.0.1:1/v1", "k").body for protocol in PROTOCOLS
}


def refused_by(request: ModelRequest) -> list[str]:
    """What strict providers would answer to this request, in both ways of calling tools."""
    found: list[str] = []
    for protocol in PROTOCOLS:
        query = {"alt": ["sse"]} if protocol == "gemini" else {}
        for native in (True, False):
            data = BODIES[protocol](request, native)
            asked = Asked("POST", PATHS[protocol], query, {"anthropic-version": "2023-06-01"}, data)
            wrong = provider_of(protocol).check(asked)
            if wrong is not None:
                found.append(f"{protocol}: " + b"".join(p for p in wrong.pieces if isinstance(p, bytes)).decode())
    return found


class Strict:
    """A model that plays a script, after every provider has looked at the request.

    With a `gate` it says nothing until that opens; `asked` is set with each request.
    """

    name = "strict"

    def __init__(self, script: list[Reply], refusals: list[str]) -> None:
        self.refusals = refusals
        self.gate: asyncio.Event | None = None
        self.asked = asyncio.Event()
        self.play(script)

    def play(self, script: list[Reply]) -> None:
        self._inner = Scripted([*script, *[say("That is all.")] * 8])

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        self.refusals.extend(refused_by(request))
        self.asked.set()
        if self.gate is not None:
            await self.gate.wait()
        async for event in self._inner.stream(request):
            await asyncio.sleep(0)
            yield event


class Mortal(Database):
    """A database whose process dies at a write: before it, or right after it."""

    fuse: int | None = None
    keeps_last = False

    def write(self, fn: Any, *, durable: bool = False) -> Any:
        if self.fuse is None:
            return super().write(fn, durable=durable)
        self.fuse -= 1
        if self.fuse > 0 or (self.fuse == 0 and self.keeps_last):
            told = super().write(fn, durable=durable)
            if self.fuse > 0:
                return told
        raise RuntimeError("the process is dead")
