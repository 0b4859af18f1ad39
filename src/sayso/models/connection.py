"""One HTTP session per event loop, opened on first use. Knows nothing of chats or models."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from aiohttp import ClientSession


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds: to connect, to the first byte of a body, between two reads."""

    connect: float = 5.0
    first_byte: float = 120.0
    idle: float = 60.0


def _sessions() -> WeakKeyDictionary[asyncio.AbstractEventLoop, ClientSession]:
    return WeakKeyDictionary()


@dataclass(slots=True)
class Connection:
    """Shared by the models of one process. No cookies, no proxies from the environment."""

    timeouts: Timeouts = field(default_factory=Timeouts)
    _open: WeakKeyDictionary[asyncio.AbstractEventLoop, ClientSession] = field(default_factory=_sessions)

    def session(self) -> ClientSession:
        loop = asyncio.get_running_loop()
        found = self._open.get(loop)
        if found is None or found.closed:
            import aiohttp  # 0.7 s of CPU: only when a model is really asked

            found = self._open[loop] = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=512, keepalive_timeout=60),
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=self.timeouts.connect),
                trust_env=False,
            )
        return found

    async def aclose(self) -> None:
        """Close this loop's session."""
        found = self._open.pop(asyncio.get_running_loop(), None)
        if found is not None:
            await found.close()
