"""Running exchanges of several processes over one database: only those of dead ones are cut."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sayso.core.messages import Outcome, StopReason, Usage
from sayso.errors import Conflict
from sayso.store.database import open_database
from sayso.store.holding import LEASE
from sayso.store.ports import ExchangeState
from sayso.store.threads import Threads

pytestmark = pytest.mark.anyio
START = """
import asyncio, sys
from sayso.store.database import open_database
from sayso.store.ports import now_utc
from sayso.store.threads import Threads
threads = Threads(open_database(sys.argv[1]))
asyncio.run(threads.start_exchange("ann", sys.argv[2], "theirs", "Who?", "m", now_utc()))
print("runs", flush=True)
sys.stdin.read()
"""
END = (Outcome.ANSWERED, StopReason.ANSWERED, Usage(), 1, "m", "Ann.", None)


async def test_a_second_process_leaves_the_first_ones_exchange_alone_until_that_one_is_killed(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/sayso.db"
    threads = Threads(open_database(url))
    thread = await threads.create("ann")
    other = subprocess.Popen(  # noqa: ASYNC220 - nothing else runs in this loop
        [sys.executable, "-c", START, url, thread.id], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == "runs\n"
        assert await threads.recover(datetime.now(UTC)) == 0
        assert (await threads.exchanges("ann", thread.id))[0].state is ExchangeState.RUNNING
    finally:
        other.kill()
        other.communicate()
    # Where a process can be seen to be gone it is cut at once, elsewhere after its lease.
    at = datetime.now(UTC) + (LEASE if not Path("/proc/self/stat").exists() else LEASE * 0)
    assert await threads.recover(at) == 1
    assert (await threads.exchanges("ann", thread.id))[0].state is ExchangeState.CUT


async def test_an_exchange_is_held_for_as_long_as_its_process_says_so_and_ends_also_when_held_for_dead(
    tmp_path: Path,
) -> None:
    database, began = open_database(f"sqlite:///{tmp_path}/sayso.db"), datetime(2026, 5, 1, tzinfo=UTC)
    at = [began]
    mine, other = Threads(database, now=lambda: at[0]), Threads(database, now=lambda: at[0])
    thread = await mine.create("ann")
    await mine.start_exchange("ann", thread.id, "e", "Who?", "m", began)
    at[0] = began + LEASE / 2
    await other.hold("e")  # not theirs to hold
    await mine.hold("e")
    assert await other.recover(began + LEASE) == 0
    assert await other.recover(began + 2 * LEASE) == 1
    with pytest.raises(Conflict):
        await other.finish_exchange("e", *END, at[0])
    await mine.finish_exchange("e", *END, at[0])
    assert (await other.exchanges("ann", thread.id))[0].state is ExchangeState.FINISHED
