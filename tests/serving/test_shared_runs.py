"""Runs of several processes over one log: each process is a `Runs` of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sayso.core.events import Event, Failed, Finish, TextDelta
from sayso.core.messages import Outcome, StopReason
from sayso.errors import ContinuationUsed, NotFound, StoreBusy
from sayso.serving.run_log import MemoryRunLog
from sayso.serving.runs import Run, Runs
from sayso.store.database import open_database
from sayso.store.run_log import StoredRunLog

pytestmark = pytest.mark.anyio
END = Finish(Outcome.ANSWERED, StopReason.ANSWERED)


@pytest.fixture
def shared(tmp_path: Path):
    database = open_database(f"sqlite:///{tmp_path}/runs.db")
    yield StoredRunLog(database)
    database.close()


async def told(*events: Event) -> AsyncIterator[Event]:
    for event in events:
        yield event


async def frames(runs: Runs, run: Run, after: int = 0) -> list[bytes]:
    return [part async for part in runs.read(run, after) if not part.startswith(b":")]


async def in_log(shared, run_id: str) -> None:
    """Wait until the log knows the run."""
    while True:
        try:
            await shared.read(run_id, "me", 0)
            return
        except NotFound:
            await asyncio.sleep(0.005)


async def test_g1_a_run_is_resumed_at_another_replica(shared) -> None:
    gate = asyncio.Event()

    async def slow() -> AsyncIterator[Event]:
        yield TextDelta("a")
        yield TextDelta("b")
        await gate.wait()
        yield TextDelta("c")
        yield END

    here, there = Runs(shared=shared, poll=0.01), Runs(shared=shared, poll=0.01)
    run = here.start("r", "me", slow())
    await in_log(shared, "r")
    reading = [asyncio.create_task(frames(there, await there.find("r", "me"), after)) for after in (0, 1, 0)]
    gate.set()
    own = await frames(here, run)
    assert await asyncio.gather(*reading) == [own, own[1:], own]
    assert len(own) == 4
    with pytest.raises(NotFound):
        await there.find("r", "you")
    await asyncio.gather(here.close(), there.close())


async def test_g1_a_run_is_read_after_its_process_has_gone(shared) -> None:
    here = Runs(shared=shared, poll=0.01)
    own = await frames(here, here.start("r", "me", told(TextDelta("a"), END)))
    await here.close()
    later = Runs(shared=shared, poll=0.01)
    assert await frames(later, await later.find("r", "me"), 1) == own[1:]


async def test_g4_a_run_is_stopped_from_another_replica_before_its_first_event(shared) -> None:
    closed = asyncio.Event()

    async def endless() -> AsyncIterator[Event]:
        try:
            await asyncio.Event().wait()
            yield TextDelta("never")
        finally:
            closed.set()

    here, there = Runs(shared=shared, poll=0.01), Runs(shared=shared, poll=0.01)
    run = here.start("r", "me", endless())
    await in_log(shared, "r")
    assert (await there.halt("r", "me")).stopped
    assert [b'"reason": "stopped"' in f for f in await frames(there, await there.find("r", "me"))] == [True]
    assert await frames(here, run) == run.frames
    await asyncio.wait_for(closed.wait(), 10)
    await asyncio.gather(here.close(), there.close())


async def test_d5_a_run_whose_process_died_has_an_end_for_its_readers_and_its_claim_is_free(tmp_path: Path) -> None:
    shared = MemoryRunLog(quiet=0.0)
    await shared.begin("r", "me")
    await shared.append("r", 0, [b"id: 1\nevent: text-delta\ndata: {}\n\n"], ended=False)
    await shared.claim("token", "digest", "r")
    there = Runs(shared=shared, poll=0.001)
    heard = await frames(there, await there.find("r", "me"))
    assert len(heard) == 2
    assert b'"code": "lost"' in heard[1]
    assert (await shared.read("r", "me", 0)).ended
    assert await there.claim("token", "another", "r2") == "r2"


async def test_a_busy_log_does_not_hold_up_a_run() -> None:
    class Busy(MemoryRunLog):
        refusals = 3
        tired = asyncio.Event()

        async def append(self, run_id, after, frames, *, ended):
            if self.refusals:
                self.refusals -= 1
                raise StoreBusy("locked")
            self.tired.set()
            await super().append(run_id, after, frames, ended=ended)

    gate = asyncio.Event()

    async def slow() -> AsyncIterator[Event]:
        yield TextDelta("a")
        await gate.wait()
        yield END

    shared = Busy()
    runs = Runs(shared=shared, poll=0.001)
    run = runs.start("r", "me", slow())
    reader = runs.read(run)
    assert b"text-delta" in await anext(reader)
    await shared.tired.wait()
    gate.set()
    assert b"finish" in await anext(reader)
    assert run.task is not None
    await run.task
    assert (await shared.read("r", "me", 0)).frames == tuple(run.frames)


@pytest.mark.parametrize("with_log", [True, False])
async def test_a_failure_that_can_be_mended_gives_the_continuation_back(shared, with_log: bool) -> None:
    runs = Runs(shared=shared if with_log else None, poll=0.01)
    assert await runs.claim("token", "same", "r1") == "r1"
    await frames(runs, runs.start("r1", "me", told(Failed("model_busy", "busy", True))))
    assert await runs.claim("token", "same", "r2") == "r2"
    await frames(runs, runs.start("r2", "me", told(Failed("model_refused", "no key", False))))
    assert await runs.claim("token", "same", "r3") == "r2"
    with pytest.raises(ContinuationUsed):
        await runs.claim("token", "other", "r3")
    await runs.release("r2")
    assert await runs.claim("token", "other", "r3") == "r3"
    await runs.close()


async def test_nobody_reads_so_nobody_follows(shared) -> None:
    async def endless() -> AsyncIterator[Event]:
        await asyncio.Event().wait()
        yield END

    here, there = Runs(shared=shared, poll=0.01), Runs(shared=shared, poll=0.005, keep_alive=0.02)
    here.start("r", "me", endless())
    await in_log(shared, "r")
    run = await there.find("r", "me")
    assert run.task is not None
    await run.task
    assert (await there.find("r", "me")) is not run
    await asyncio.gather(here.close(), there.close())
