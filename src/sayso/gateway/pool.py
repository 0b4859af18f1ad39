"""Runs tools apart from each other: each for a limited time, a limited number at once.

A tool that ignores its end is left behind and keeps its place until it ends, so that a broken tool cannot take
more than the places there are. It knows nothing of what a tool does.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from sayso.errors import ArgumentsUnfit

T = TypeVar("T")
PARALLEL = 8
_GRACE = 0.5  # seconds that a cancelled tool has to clean up
_log = logging.getLogger(__name__)


class ToolBroke(Exception):
    """A tool raised something, or was cancelled by itself; what it said is in the log only."""


class Pool:
    """`seconds` a call may take, the wait for a place included."""

    def __init__(self, seconds: float = 20.0, parallel: int = PARALLEL) -> None:
        self._seconds = seconds
        self._places = asyncio.Semaphore(parallel)
        self._left: set[asyncio.Task[object]] = set()

    @property
    def left_behind(self) -> int:
        """Tools that run on although their time is over."""
        return len(self._left)

    async def run(self, name: str, work: Callable[[], Awaitable[T]]) -> T:
        """Raises TimeoutError when its time is over, ToolBroke for anything that `work` raises."""
        ends = asyncio.get_running_loop().time() + self._seconds
        async with asyncio.timeout_at(ends):
            await self._places.acquire()
        task = asyncio.create_task(_guarded(name, work), name=f"tool {name}")
        task.add_done_callback(lambda _: self._places.release())
        try:
            await asyncio.wait({task}, timeout=ends - asyncio.get_running_loop().time())
            if not task.done():
                await self._end(task, name)
                raise TimeoutError
        except asyncio.CancelledError:
            await self._end(task, name)  # whoever stops a call stops its tool, and waits until it has stopped
            raise
        if task.cancelled():
            raise ToolBroke(name)
        return task.result()

    async def _end(self, task: asyncio.Task[T], name: str) -> None:
        task.cancel()
        await asyncio.wait({task}, timeout=_GRACE)
        if not task.done():
            _log.error("the tool %s does not end; it is left behind and keeps its place", name)
            self._left.add(task)  # pyright: ignore[reportArgumentType]
            task.add_done_callback(self._left.discard)  # pyright: ignore[reportArgumentType]


async def _guarded(name: str, work: Callable[[], Awaitable[T]]) -> T:
    """Whatever a tool raises ends here, also what would end the process."""
    try:
        return await work()
    except (asyncio.CancelledError, GeneratorExit):
        raise
    except ArgumentsUnfit as unfit:
        raise ToolBroke(name) from unfit
    except BaseException as fault:
        _log.exception("the tool %s failed", name)
        raise ToolBroke(name) from fault
