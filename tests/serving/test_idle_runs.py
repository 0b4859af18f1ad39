"""What runs and their readers cost: nothing that is idle has a task of its own (FAULTS C1, C4)."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
from collections.abc import AsyncIterator

import pytest

from sayso.core.events import Event, Finish, TextDelta
from sayso.core.messages import Outcome, StopReason
from sayso.serving.runs import Runs

pytestmark = pytest.mark.anyio
END = Finish(Outcome.ANSWERED, StopReason.ANSWERED)
NUMBER = 300


async def short() -> AsyncIterator[Event]:
    yield TextDelta("Hello! How can I help?")
    yield END


async def endless() -> AsyncIterator[Event]:
    yield TextDelta("Hello!")
    await asyncio.Event().wait()
    yield END


def held() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


async def test_c1_c4_a_run_that_has_ended_keeps_no_task_and_less_than_5_kb() -> None:
    runs = Runs()
    before = asyncio.all_tasks()
    tracemalloc.start()
    try:
        await _run_and_leave(runs)  # what is made once
        at_first = held()
        await _run_and_leave(runs, NUMBER)
        each = (held() - at_first) / NUMBER
    finally:
        tracemalloc.stop()
    assert asyncio.all_tasks() == before
    assert each < 5 * 1024


async def _run_and_leave(runs: Runs, number: int = 1) -> None:
    """Each is read for its first event by somebody who goes away."""
    for _ in range(number):
        run = await runs.start(f"run_{len(runs._runs)}", "me", short())
        reader = runs.read(run)
        await anext(reader)
        await reader.aclose()  # type: ignore[attr-defined]
        assert run.task is not None
        await run.task
        assert run.readers == 0


async def test_c4_a_stream_that_waits_holds_less_than_100_kb() -> None:
    runs = Runs()
    run = await runs.start("r", "me", endless())
    readers = [runs.read(run) for _ in range(NUMBER)]
    tracemalloc.start()
    try:
        before = held()
        for reader in readers:
            await anext(reader)
        waiting = [asyncio.ensure_future(anext(reader)) for reader in readers]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        each = (held() - before) / NUMBER
    finally:
        tracemalloc.stop()
    assert run.readers == NUMBER
    assert each < 100 * 1024
    await runs.close()
    ends = await asyncio.gather(*waiting)
    assert all(b"event: finish" in end for end in ends)
