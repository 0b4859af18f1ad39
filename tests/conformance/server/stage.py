"""One provider on one address: plays replies and misbehaviours in order, and refuses what it would not take."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

from conformance.server.anthropic import Anthropic
from conformance.server.chat import Chat
from conformance.server.gemini import Gemini
from conformance.server.http import Answer, Asked, Served, serving, streaming
from conformance.server.provider import Provider
from conformance.server.responses import Responses
from conformance.server.script import Reply
from conformance.server.wordings import too_long

PROTOCOLS = ("chat", "responses", "anthropic", "gemini")


@dataclass
class Stage:
    """`replies`: to the first, second ... request; the last one stays. `refused`: what broke the provider's rules."""

    provider: Provider
    url: str = ""
    replies: Sequence[Reply | Answer] = ()
    asked: list[Asked] = field(default_factory=list[Asked])
    refused: list[str] = field(default_factory=list[str])
    came: asyncio.Event = field(default_factory=asyncio.Event)
    served: Served = field(default_factory=Served)
    limit: int | None = None  # tokens that the model reads, at four bytes each; more is refused as too long

    def play(self, *replies: Reply | Answer) -> None:
        self.replies = replies
        self.asked.clear()

    def handle(self, asked: Asked) -> Answer:
        self.asked.append(asked)
        self.came.set()
        if (wrong := self.provider.check(asked)) is not None:
            self.refused.append(b"".join(p for p in wrong.pieces if isinstance(p, bytes)).decode())
            return wrong
        if self.limit is not None and len(asked.data) // 4 > self.limit:
            return too_long(self.provider.protocol, len(asked.data) // 4, self.limit)
        reply = self.replies[min(len(self.asked), len(self.replies)) - 1]
        return reply if isinstance(reply, Answer) else streaming(self.provider.stream(reply).frames)


def provider_of(protocol: str) -> Provider:
    kinds: dict[str, type[Chat] | type[Responses] | type[Anthropic] | type[Gemini]] = {
        "chat": Chat, "responses": Responses, "anthropic": Anthropic, "gemini": Gemini,
    }  # fmt: skip
    return kinds[protocol]()


@contextlib.asynccontextmanager
async def staged(protocol: str) -> AsyncIterator[Stage]:
    stage = Stage(provider_of(protocol))
    async with serving(stage.handle) as stage.served:
        stage.url = stage.served.origin + stage.provider.root
        yield stage
