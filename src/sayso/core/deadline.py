"""One timer for many awaits: what may last how long, at no cost for each chunk. Knows no model."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine
from math import inf
from typing import Any, TypeVar

T = TypeVar("T")


class Deadline:
    """Bounds each `keep`, and all of them together. It only ever interrupts `keep`, never whoever
    reads our events between two of them."""

    def __init__(self, seconds: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._end = self._until = self._loop.time() + seconds
        self._rings = self._end
        self._timer = self._loop.call_at(self._rings, self._ring)
        self._waiting: asyncio.Task[Any] | None = None
        self._expired = False

    @property
    def seconds_left(self) -> float:
        return self._end - self._loop.time()

    async def keep(self, event: Awaitable[T], within: float = inf) -> T:
        """Await `event`. Raises TimeoutError after `within` seconds, or once the whole time is over."""
        now = self._loop.time()
        self._until = min(self._end, now + within)
        if self._until < self._rings:  # that a limit is later is found out when the timer rings
            self._set()
        self._waiting, self._expired = asyncio.current_task(), False
        try:
            if now >= self._end:
                if isinstance(event, Coroutine):
                    event.close()  # it is never begun
                raise TimeoutError
            return await event
        except asyncio.CancelledError:
            if self._expired and self._waiting is not None and self._waiting.uncancel() == 0:
                raise TimeoutError from None
            raise
        finally:
            self._waiting, self._until = None, self._end

    def close(self) -> None:
        """From here on nothing is interrupted."""
        self._timer.cancel()
        self._end = self._rings = inf

    def _set(self) -> None:
        self._timer.cancel()
        self._rings = self._until
        self._timer = self._loop.call_at(self._rings, self._ring)

    def _ring(self) -> None:
        self._rings = inf
        if self._loop.time() < self._until:
            self._set()
        elif self._waiting is not None:
            self._expired = True
            self._waiting.cancel()
