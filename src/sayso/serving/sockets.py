"""Deadlines for sockets that the HTTP server itself never closes: silent ones, slow senders, readers that stand still.

A request's head must be there within `HEAD_SECONDS` of its first byte (of the connection, for the first one), its body
must keep coming, and a reader must take what is sent. Whoever does not is cut off; the run that they read goes on.
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 15.0
BODY_SECONDS = 20.0
BODY_RATE = 4096  # bytes a second, on average: an upload of 10 MB may take 40 minutes on the worst of lines
READ_SECONDS = 60.0


class BoundedProtocol(H11Protocol):
    """uvicorn's protocol with deadlines; pass it as `http=` to `uvicorn.Config`."""

    head_seconds = HEAD_SECONDS
    body_seconds = BODY_SECONDS
    read_seconds = READ_SECONDS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._waiting: asyncio.TimerHandle | None = None
        self._standing: asyncio.TimerHandle | None = None
        self._body_since = 0.0
        self._body_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait(self.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._waiting, self._standing):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        before = self.conn.their_state
        super().data_received(data)
        self._judge(before, len(data))

    def on_response_complete(self) -> None:
        super().on_response_complete()
        # A body that nobody read to its end, or the next request: the keep-alive time judges an idle connection.
        self._stop_waiting()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._standing is None:
            self._standing = self.loop.call_later(self.read_seconds, self._cut)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._standing is not None:
            self._standing.cancel()
            self._standing = None

    def _judge(self, before: Any, received: int) -> None:
        """Which deadline holds after these bytes."""
        now = self.conn.their_state
        if now is h11.SEND_BODY:
            if before is not h11.SEND_BODY:
                self._body_since, self._body_bytes = self.loop.time(), 0
            self._body_bytes += received
            earned = self._body_since + self.body_seconds + self._body_bytes / BODY_RATE
            self._wait(earned - self.loop.time())
        elif now is h11.IDLE:
            if self._waiting is None:  # the first bytes of a request: its deadline does not move with the next ones
                self._wait(self.head_seconds)
        else:
            self._stop_waiting()

    def _wait(self, seconds: float) -> None:
        self._stop_waiting()
        self._waiting = self.loop.call_later(max(0.0, seconds), self._late)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _late(self) -> None:
        self._waiting = None
        if self.flow.read_paused:  # it is we who do not read
            self._wait(self.body_seconds)
            return
        self._cut()

    def _cut(self) -> None:
        if not self.transport.is_closing():
            self.transport.abort()
