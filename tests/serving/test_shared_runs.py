"""Runs of several processes over one log: each process is a `Runs` of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sayso.core.events import Event, Failed, Finish, TextDelta
from sayso.core.messages import Outcome, StopReason
from sayso.core.run_log import Claim
from sayso.errors import Conflict, ContinuationUsed, NotFound, RunForgotten, StoreBusy
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


class Hands:
    passed = 0.0

    def now(self) -> datetime:
        return datetime(2026, 12, 1, tzinfo=UTC) + timedelta(seconds=self.passed)


def used(digest: str = "same") -> Claim:
    return Claim("token", digest, 30 * 86400)


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
    run = await here.start("r", "me", slow())
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
    own = await frames(here, await here.start("r", "me", told(TextDelta("a"), END)))
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
    run = await here.start("r", "me", endless())
    await in_log(shared, "r")
    assert (await there.halt("r", "me")).stopped
    assert [b'"reason": "stopped"' in f for f in await frames(there, await there.find("r", "me"))] == [True]
    assert await frames(here, run) == run.frames
    await asyncio.wait_for(closed.wait(), 10)
    await asyncio.gather(here.close(), there.close())


async def test_d5_a_run_whose_process_died_has_an_end_for_its_readers_and_its_claim_is_free(tmp_path: Path) -> None:
    shared = MemoryRunLog(quiet=0.0)
    await shared.claim(used(), "r", "me")
    await shared.append("r", 0, [b"id: 1\nevent: text-delta\ndata: {}\n\n"], ended=False)
    there = Runs(shared=shared, poll=0.001)
    heard = await frames(there, await there.find("r", "me"))
    assert len(heard) == 2
    assert b'"code": "lost"' in heard[1]
    assert (await shared.read("r", "me", 0)).ended
    assert await shared.claim(used(digest="another"), "r2", "me") == "r2"


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
    run = await runs.start("r", "me", slow())
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
    first = await runs.start("r1", "me", told(Failed("model_busy", "busy", True)), claim=used())
    await frames(runs, first)
    second = await runs.start("r2", "me", told(Failed("model_refused", "no key", False)), claim=used())
    assert second is not first
    await frames(runs, second)
    assert await runs.start("r3", "me", told(END), claim=used()) is second
    with pytest.raises(ContinuationUsed):
        await runs.start("r3", "me", told(END), claim=used(digest="other"))
    await runs.release("r2")
    assert (await runs.start("r3", "me", told(END), claim=used(digest="other"))).id == "r3"
    await runs.close()


async def test_a_run_is_found_at_the_other_replica_as_soon_as_its_id_is_told(shared) -> None:
    here, there = Runs(shared=shared, poll=0.01), Runs(shared=shared, poll=0.01)
    for name, claim in (("r1", None), ("r2", used())):
        run = await here.start(name, "me", told(TextDelta("a"), END), claim=claim)
        other = await there.find(name, "me")  # before the first event of either
        assert await frames(there, other) == await frames(here, run)
    await asyncio.gather(here.close(), there.close())


@pytest.mark.parametrize("with_log", [True, False])
async def test_h2_the_same_request_at_the_same_moment_is_one_run(shared, with_log: bool) -> None:
    runs = Runs(shared=shared if with_log else None, poll=0.01)
    ran: list[str] = []

    async def counted(name: str) -> AsyncIterator[Event]:
        ran.append(name)
        yield END

    started = await asyncio.gather(
        *(runs.start(f"r{n}", "me", counted(f"r{n}"), claim=used()) for n in range(8)), return_exceptions=True
    )
    assert {run.id for run in started} == {started[0].id}
    assert await asyncio.gather(*(frames(runs, run) for run in started)) == [[*started[0].frames]] * 8
    assert len(ran) == 1
    await runs.close()


async def test_a_continuation_that_a_dead_process_claimed_runs_at_the_next_request_and_once(tmp_path: Path) -> None:
    moved = Hands()
    database = open_database(f"sqlite:///{tmp_path}/runs.db")
    shared = StoredRunLog(database, now=moved.now)
    await shared.claim(used(), "dead", "me")  # and no event was ever written
    moved.passed = 61
    replicas = [Runs(shared=shared, poll=0.01) for _ in range(2)]
    runs = await asyncio.gather(
        *(one.start(f"r{n}", "me", told(END), claim=used()) for n, one in enumerate(replicas))
    )  # fmt: skip
    assert runs[0].id == runs[1].id != "dead"
    heard = await asyncio.gather(*(frames(one, run) for one, run in zip(replicas, runs, strict=True)))
    assert heard[0] == heard[1]
    assert [b'"code": "lost"' in f for f in (await shared.read("dead", "me", 0)).frames] == [True]
    await asyncio.gather(*(one.close() for one in replicas))
    database.close()


async def test_a_claim_of_a_process_that_lives_is_never_taken_from_it(tmp_path: Path) -> None:
    moved = Hands()
    database = open_database(f"sqlite:///{tmp_path}/runs.db")
    shared = StoredRunLog(database, now=moved.now)
    await shared.claim(used(), "first", "me")
    moved.passed = 59
    runs = Runs(shared=shared, poll=0.01)
    run = await runs.start("r2", "me", told(END), claim=used())
    assert (run.id, run.elsewhere) == ("first", True)
    await runs.close()
    database.close()


async def test_a_process_that_was_held_for_dead_ends_its_run_as_lost(shared) -> None:
    gate = asyncio.Event()

    async def slow() -> AsyncIterator[Event]:
        yield TextDelta("a")
        await gate.wait()
        yield TextDelta("b")
        await asyncio.Event().wait()

    here = Runs(shared=shared, poll=0.01)
    run = await here.start("r", "me", slow(), claim=used())
    while True:
        if (await shared.read("r", "me", 0)).frames:
            break
        await asyncio.sleep(0.005)
    await shared.append("r", 1, [b"lost"], ended=True)
    gate.set()
    assert b'"code": "lost"' in (await frames(here, run))[-1]
    await here.close()


async def test_an_answer_that_is_not_kept_any_more_is_told_as_that(tmp_path: Path) -> None:
    moved = Hands()
    database = open_database(f"sqlite:///{tmp_path}/runs.db")
    shared = StoredRunLog(database, now=moved.now)
    here = Runs(shared=shared, poll=0.01)
    await frames(here, await here.start("r", "me", told(END), claim=used()))
    await here.close()
    moved.passed = 3700
    await shared.begin("another", "me")
    with pytest.raises(RunForgotten, match="load the thread again"):
        await Runs(shared=shared).start("r2", "me", told(END), claim=used())
    with pytest.raises(ContinuationUsed):
        await Runs(shared=shared).start("r3", "me", told(END), claim=used(digest="other"))
    database.close()


@pytest.mark.parametrize("with_log", [True, False])
async def test_a_run_for_which_there_was_no_room_leaves_its_continuation_free(shared, with_log: bool) -> None:
    runs = Runs(shared=shared if with_log else None, max_active=0)
    for _ in range(2):
        with pytest.raises(StoreBusy):
            await runs.start("r", "me", told(END), claim=used())
    runs.max_active = 1
    assert await frames(runs, await runs.start("r", "me", told(END), claim=used(digest="other")))
    await runs.close()


async def test_a_start_that_is_broken_off_leaves_nothing_and_ends_for_who_listens() -> None:
    class Slow(MemoryRunLog):
        reached = asyncio.Event()

        async def claim(self, claim, run_id, owner):
            first = await super().claim(claim, run_id, owner)
            self.reached.set()
            await asyncio.sleep(0 if first != run_id else 3600)
            return first

    shared = Slow()
    runs = Runs(shared=shared)
    starting = asyncio.create_task(runs.start("r", "me", told(END), claim=used()))
    await shared.reached.wait()
    same = await runs.start("r2", "me", told(END), claim=used())
    assert same.id == "r"
    starting.cancel()
    assert b'"code": "lost"' in (await frames(runs, same))[-1]
    await asyncio.wait([starting])
    with pytest.raises(NotFound):
        await shared.read("r", "me", 0)
    assert await MemoryRunLog.claim(shared, used(digest="other"), "r3", "me") == "r3"


async def test_nobody_reads_so_nobody_follows(shared) -> None:
    async def endless() -> AsyncIterator[Event]:
        await asyncio.Event().wait()
        yield END

    here, there = Runs(shared=shared, poll=0.01), Runs(shared=shared, poll=0.005, keep_alive=0.02)
    await here.start("r", "me", endless())
    await in_log(shared, "r")
    run = await there.find("r", "me")
    assert run.task is not None
    await run.task
    assert (await there.find("r", "me")) is not run
    await asyncio.gather(here.close(), there.close())


async def test_a_reader_that_is_ahead_of_the_log_hears_nothing_twice() -> None:
    runs, gate = Runs(), asyncio.Event()

    async def slow() -> AsyncIterator[Event]:
        await gate.wait()
        yield TextDelta("a")
        yield TextDelta("b")
        yield END

    run = await runs.start("r", "me", slow())
    readers = [asyncio.create_task(frames(runs, run, after)) for after in (0, 2, 9)]
    await asyncio.sleep(0)
    gate.set()
    whole, rest, beyond = await asyncio.gather(*readers)
    assert (rest, beyond) == (whole[2:], whole[-1:])


async def test_an_end_is_told_only_once_the_shared_log_has_it() -> None:
    class Slow(MemoryRunLog):
        async def append(self, run_id: str, after: int, frames, *, ended: bool) -> None:
            if ended:
                reached.set()
                await let.wait()
            await super().append(run_id, after, frames, ended=ended)

    reached, let = asyncio.Event(), asyncio.Event()
    runs = Runs(shared=Slow(), poll=0.001, keep_alive=0.001)
    run = await runs.start("r", "me", told(TextDelta("Hello."), END))
    heard: list[bytes] = []
    async for part in runs.read(run):
        heard.append(part)
        if part.startswith(b":") and reached.is_set():
            assert run.ended
            assert not any(b"event: finish" in earlier for earlier in heard)
            let.set()
    assert let.is_set()
    assert b"event: finish" in heard[-1]
    await runs.close()


async def test_an_end_that_others_hold_for_lost_is_told_as_lost() -> None:
    class Buried(MemoryRunLog):
        async def append(self, run_id: str, after: int, frames, *, ended: bool) -> None:
            raise Conflict("the run's log goes on otherwise already")

    runs = Runs(shared=Buried(), poll=0.001)
    run = await runs.start("r", "me", told(TextDelta("Hello."), END))
    last = (await frames(runs, run))[-1]
    assert b"event: error" in last
    assert b"lost" in last
    await runs.close()
