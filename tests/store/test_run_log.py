"""What both run logs promise: the one in memory and the one in the database."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import inspect

from sayso.core.run_log import Claim, Kept
from sayso.errors import ConfigError, Conflict, ContinuationUsed, NotFound
from sayso.serving.run_log import Claims, MemoryRunLog
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


def used(continuation="token", digest="same", seconds=1000.0):
    return Claim(continuation, digest, seconds)


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
    assert await run_log.claim(used(), "run_1", "ann") == "run_1"
    assert await run_log.claim(used(), "run_2", "ann") == "run_1"
    with pytest.raises(ContinuationUsed):
        await run_log.claim(used(digest="other"), "run_3", "ann")
    assert await run_log.claim(used("token 2", "other"), "run_3", "ann") == "run_3"


async def test_a_claimed_run_is_in_the_log_at_once_and_only_the_first(run_log):
    await run_log.claim(used(), "run_1", "ann")
    await run_log.claim(used(), "run_2", "ann")
    assert (await run_log.read("run_1", "ann", 0)).frames == ()
    with pytest.raises(NotFound):
        await run_log.read("run_2", "ann", 0)


async def test_a_run_that_did_not_begin_leaves_nothing(run_log):
    await run_log.claim(used(), "run_1", "ann")
    await run_log.forget("run_1")
    await run_log.forget("none")
    with pytest.raises(NotFound):
        await run_log.read("run_1", "ann", 0)
    assert await run_log.claim(used(digest="other"), "run_2", "ann") == "run_2"


async def test_a_silent_run_is_buried_once_and_its_claim_is_free_with_that(run_log, clock):
    await run_log.claim(used(), "run_1", "ann")
    await run_log.append("run_1", 0, [b"one"], ended=False)
    for wrong in (run_log.bury("run_1", 1, b"lost"), run_log.bury("none", 0, b"lost")):
        with pytest.raises(Conflict):
            await wrong
    clock.passed = 11
    with pytest.raises(Conflict):
        await run_log.bury("run_1", 0, b"lost")
    assert await run_log.claim(used(), "run_2", "ann") == "run_1"
    await run_log.bury("run_1", 1, b"lost")
    assert await run_log.read("run_1", "ann", 0) == Kept((b"one", b"lost"), ended=True, lost=False)
    for wrong in (run_log.bury("run_1", 2, b"lost"), run_log.append("run_1", 2, [b"more"], ended=True)):
        with pytest.raises(Conflict):
            await wrong
    assert await run_log.claim(used(), "run_2", "ann") == "run_2"


async def test_a_claim_outlives_its_run_s_frames_unless_the_run_never_ended(run_log, clock):
    for name in ("ended", "dead"):
        await run_log.claim(used(name), name, "ann")
    await run_log.append("ended", 0, [b"end"], ended=True)
    clock.passed = 101
    await run_log.begin("s", "ann")
    for name in ("ended", "dead"):
        with pytest.raises(NotFound):
            await run_log.read(name, "ann", 0)
    assert await run_log.claim(used("ended"), "again", "ann") == "ended"
    assert await run_log.claim(used("dead"), "again", "ann") == "again"


async def test_a_claim_that_is_given_back_can_be_made_again(run_log):
    await run_log.claim(used(), "run_1", "ann")
    await run_log.release("run_2")
    with pytest.raises(ContinuationUsed):
        await run_log.claim(used(digest="other"), "run_3", "ann")
    await run_log.release("run_1")
    assert await run_log.claim(used(digest="other"), "run_3", "ann") == "run_3"


def test_in_memory_the_oldest_claims_make_room():
    claims = Claims(most=3)
    for number in range(5):
        claims.claim(used(f"token {number}"), f"run_{number}")
    assert claims.claim(used("token 4"), "again") == "run_4"
    assert claims.claim(used("token 0"), "again") == "again"


async def test_sixteen_claims_at_once_have_one_winner(run_log):
    won = await asyncio.gather(*(run_log.claim(used(), f"run_{n}", "ann") for n in range(16)))
    assert len(set(won)) == 1


async def test_what_is_old_is_forgotten(run_log, clock):
    await run_log.begin("r", "ann")
    await run_log.append("r", 0, [b"end"], ended=True)
    await run_log.claim(used(seconds=50), "run_1", "ann")
    clock.passed = 60
    assert await run_log.claim(used(digest="other", seconds=50), "run_2", "ann") == "run_2"
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
