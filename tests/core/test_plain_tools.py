"""A plain function as a tool: it may block, and holds up nobody but who asked for it."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from functools import partial

import pytest
from pydantic import BaseModel

from sayso.core.facts import FactKind, Field
from sayso.core.plain import THREADS, in_threads, is_plain
from sayso.core.tools import ReadResult, define_tool

pytestmark = pytest.mark.anyio
FOUND = ReadResult((), 0, 0)
WHO = contextvars.ContextVar("who", default="")


class Nothing(BaseModel):
    pass


class CalledAsync:
    async def __call__(self):
        return 1


async def waits():
    return 1


def declared(run):
    covers = FactKind("thing", (Field("name"),), subject="name")
    return define_tool("things", kind="read", description="d", arguments=Nothing, run=run, example={}, covers=covers)


def test_what_is_async_stays_where_it_is():
    assert declared(waits).run is waits
    assert not any(map(is_plain, (waits, partial(waits), CalledAsync())))
    assert all(map(is_plain, (lambda: 1, partial(lambda: 1))))


async def test_a_plain_tool_is_run_in_a_thread_with_the_context_of_who_asked():
    def run(arguments, context):
        return FOUND, threading.current_thread(), WHO.get(), context

    WHO.set("ann")
    found, thread, who, context = await declared(run).run(Nothing(), "here")
    assert (found, who, context) == (FOUND, "ann", "here")
    assert thread is not threading.current_thread()
    assert thread.daemon


async def test_what_a_plain_tool_raises_is_raised_even_what_ends_a_process():
    for fault in (ValueError("no"), SystemExit(1), StopIteration()):

        def run(fault=fault):
            raise fault

        with pytest.raises((ValueError, SystemExit, RuntimeError)):
            await in_threads("odd", run)()


async def test_a_plain_function_may_hand_on_what_an_async_one_gives():
    assert await in_threads("odd", lambda: waits())() == 1


async def test_threads_left_behind_are_bounded_and_come_back():
    release = threading.Event()
    run = in_threads("stuck", release.wait)
    stuck = [asyncio.create_task(run(30)) for _ in range(THREADS)]
    await asyncio.sleep(0)
    for task in stuck:
        task.cancel()
    await asyncio.wait(stuck)
    try:
        with pytest.raises(TimeoutError, match="go on already"):
            await run(0)
    finally:
        release.set()
    while True:
        try:
            assert await run(0)
            break
        except TimeoutError:
            await asyncio.sleep(0.01)


def test_a_thread_that_ends_after_its_loop_ends_quietly():
    release, ended = threading.Event(), threading.Event()

    def run():
        release.wait(30)
        ended.set()

    async def given_up():
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(in_threads("late", run)(), 0.01)

    asyncio.run(given_up())
    thread = next(t for t in threading.enumerate() if t.name == "tool late")
    release.set()
    thread.join(30)
    assert ended.is_set()
    assert not thread.is_alive()
