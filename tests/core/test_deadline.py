"""One timer for a whole reply, and for each of its waits."""

from __future__ import annotations

import asyncio
from math import inf

import pytest

from sayso.core.deadline import Deadline

pytestmark = pytest.mark.anyio


async def never() -> None:
    await asyncio.Event().wait()


async def at_once() -> int:
    return 7


async def test_what_comes_in_time_is_given() -> None:
    deadline = Deadline(60)
    assert 0 < deadline.seconds_left <= 60
    assert await deadline.keep(at_once(), within=30) == 7
    assert await deadline.keep(at_once()) == 7
    deadline.close()
    assert await deadline.keep(at_once()) == 7


@pytest.mark.parametrize(("whole", "within"), [(60, 0.001), (0.001, inf), (0.001, 60)])
async def test_a_wait_that_is_too_long_ends_with_a_timeout(whole: float, within: float) -> None:
    deadline = Deadline(whole)
    with pytest.raises(TimeoutError):
        await deadline.keep(never(), within)


async def test_a_timer_that_rings_for_an_earlier_wait_lets_the_later_one_be() -> None:
    deadline = Deadline(0.05)
    assert await deadline.keep(at_once(), within=0.001) == 7
    with pytest.raises(TimeoutError):
        await deadline.keep(never(), within=0.02)


async def test_after_the_end_nothing_is_begun() -> None:
    deadline = Deadline(0)
    with pytest.raises(TimeoutError):
        await deadline.keep(at_once())
    with pytest.raises(TimeoutError):
        await deadline.keep(asyncio.get_running_loop().create_future())


async def test_a_stop_from_outside_stays_a_stop() -> None:
    deadline = Deadline(60)
    task = asyncio.ensure_future(deadline.keep(never()))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
