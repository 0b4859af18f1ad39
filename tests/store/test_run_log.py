"""What both run logs promise: the one in memory and the one in the database."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import inspect

from sayso.errors import ConfigError, Conflict, ContinuationUsed, NotFound
from sayso.serving.run_log import MemoryRunLog
from sayso.store.database import open_database
from sayso.store.run_log import StoredRunLog, open_run_log

pytestmark = pytest.mark.anyio
START = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)


class Hands:
    """A clock of both sorts that the test moves."""

    def __init__(self):
        self.passed = 0.0

    def monotonic(self):
        return self.passed

    def now(self):
        return START + timedelta(seconds=self.passed)


@pytest.fixture
def clock():
    return Hands()


@pytest.fixture(params=["database", "memory"])
def run_log(request, clock):
    if request.param == "memory":
        return MemoryRunLog(lifetime=100, quiet=10, monotonic=clock.monotonic)
    return StoredRunLog(request.getfixturevalue("database"), lifetime=100, quiet=10, now=clock.now)


async def test_frames_are_read_from_where_the_reader_is(run_log):
    await run_log.begin("r", "ann")
    await run_log.append("r", 0, [b"one", b"two"], ended=False)
    await run_log.append("r", 2, [b"three"], ended=True)
    kept = await run_log.read("r", "ann", 1)
    assert (kept.frames, kept.ended, kept.lost) == ((b"two", b"three"), True, False)
    assert (await run_log.read("r", "ann", 3)).frames == ()


async def test_s20_another_owner_finds_no_run(run_log):
    await run_log.begin("r", "ann")
    for attempt in (
        run_log.read("r", "bob", 0), run_log.ask_to_stop("r", "bob"), run_log.read("none", "ann", 0),
        run_log.ask_to_stop("none", "ann"),
    ):  # fmt: skip
        with pytest.raises(NotFound):
            await attempt


async def test_a_log_goes_on_in_one_way_only(run_log):
    await run_log.begin("r", "ann")
    with pytest.raises(Conflict):
        await run_log.begin("r", "ann")
    await run_log.append("r", 0, [b"one"], ended=False)
    with pytest.raises(Conflict):
        await run_log.append("r", 0, [b"other"], ended=False)
    await run_log.append("r", 1, [b"end"], ended=True)
    with pytest.raises(Conflict):
        await run_log.append("r", 2, [b"more"], ended=False)
    with pytest.raises((Conflict, NotFound)):
        await run_log.append("none", 0, [b"x"], ended=False)
    assert (await run_log.read("r", "ann", 0)).frames == (b"one", b"end")


async def test_a_silent_run_is_lost_and_one_that_beats_is_not(run_log, clock):
    await run_log.begin("r", "ann")
    clock.passed = 9
    assert await run_log.beat(["r", "unknown"]) == frozenset()
    clock.passed = 18
    assert not (await run_log.read("r", "ann", 0)).lost
    clock.passed = 30
    assert (await run_log.read("r", "ann", 0)).lost


async def test_g4_a_word_to_stop_reaches_who_drives_the_run(run_log):
    await run_log.begin("r", "ann")
    await run_log.begin("s", "ann")
    await run_log.ask_to_stop("r", "ann")
    assert await run_log.beat(["r", "s"]) == {"r"}
    await run_log.append("r", 0, [b"end"], ended=True)
    assert await run_log.beat(["r", "s"]) == frozenset()


async def test_a_continuation_starts_one_run_and_only_for_one_request(run_log):
    assert await run_log.claim("token", "same", "run_1") == "run_1"
    assert await run_log.claim("token", "same", "run_2") == "run_1"
    with pytest.raises(ContinuationUsed):
        await run_log.claim("token", "other", "run_3")
    assert await run_log.claim("token 2", "other", "run_3") == "run_3"


async def test_a_claim_that_is_given_back_can_be_made_again(run_log):
    await run_log.claim("token", "same", "run_1")
    await run_log.release("run_2")
    with pytest.raises(ContinuationUsed):
        await run_log.claim("token", "other", "run_3")
    await run_log.release("run_1")
    assert await run_log.claim("token", "other", "run_3") == "run_3"


async def test_sixteen_claims_at_once_have_one_winner(run_log):
    won = await asyncio.gather(*(run_log.claim("token", "same", f"run_{n}") for n in range(16)))
    assert len(set(won)) == 1


async def test_what_is_old_is_forgotten(run_log, clock):
    await run_log.begin("r", "ann")
    await run_log.append("r", 0, [b"end"], ended=True)
    await run_log.claim("token", "same", "run_1", 50)
    clock.passed = 60
    assert await run_log.claim("token", "other", "run_2", 50) == "run_2"
    clock.passed = 101
    await run_log.begin("s", "ann")
    with pytest.raises(NotFound):
        await run_log.read("r", "ann", 0)
    await run_log.begin("r", "ann")


def test_a_run_log_of_its_own_holds_nothing_else_and_takes_no_application_s_database(tmp_path) -> None:
    url = f"sqlite:///{tmp_path}/runs.db"
    open_run_log(url).close()
    database = open_run_log(url)
    names = database.read(lambda connection: set(inspect(connection).get_table_names()))
    database.close()
    assert names == {"run_log", "run_frames", "run_claims"}
    application = open_database(f"sqlite:///{tmp_path}/sayso.db")
    application.close()
    with pytest.raises(ConfigError, match="of its own"):
        open_run_log(f"sqlite:///{tmp_path}/sayso.db")
