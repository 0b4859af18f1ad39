"""Tools that are plain functions: each call in a thread of its own, so that one that blocks holds up nobody else.

A thread cannot be ended from outside. One whose call is given up is left behind and counts until it ends, so that a
broken tool takes no more threads than there may be. It knows nothing of what a tool does.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import inspect
from collections.abc import Awaitable, Callable
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")
THREADS = 8  # of one tool at a time, those left behind included


def is_plain(run: Callable[..., object]) -> bool:
    """Whether calling it may block: it is neither an async function nor an object that is called as one."""
    called = getattr(run, "__call__", None)  # noqa: B004
    return not (inspect.iscoroutinefunction(run) or inspect.iscoroutinefunction(called))


def in_threads(name: str, run: Callable[..., T | Awaitable[T]]) -> Callable[..., Awaitable[T]]:
    """The function as an async one. It raises TimeoutError where all of its threads are taken."""
    alive: set[Thread] = set()

    async def awaited(*arguments: Any) -> T:
        loop, inside = asyncio.get_running_loop(), contextvars.copy_context()
        ended: asyncio.Future[tuple[T | Awaitable[T] | None, BaseException | None]] = loop.create_future()

        def tell(value: T | Awaitable[T] | None, fault: BaseException | None) -> None:
            if not ended.done():
                ended.set_result((value, fault))

        def work() -> None:
            told: tuple[T | Awaitable[T] | None, BaseException | None]
            try:
                told = inside.run(run, *arguments), None
            except BaseException as fault:
                told = None, fault
            alive.discard(thread)
            with contextlib.suppress(RuntimeError):  # the loop is gone, and with it whoever asked
                loop.call_soon_threadsafe(tell, *told)

        if len(alive) >= THREADS:
            raise TimeoutError(f"{THREADS} calls of {name} go on already")
        thread = Thread(target=work, name=f"tool {name}", daemon=True)
        alive.add(thread)
        thread.start()
        value, fault = await ended
        if fault is not None:
            raise fault
        # A plain function may hand on what an async one gives.
        return await value if inspect.isawaitable(value) else value  # type: ignore[return-value]

    return awaited
