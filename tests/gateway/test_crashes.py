"""A process is killed anywhere in an approval: the change happens once, or a person is asked. Never twice, never lost."""

import asyncio
import itertools
import os
import random
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sayso.core.proposals import Change, Proposal, ProposalState, canonical_bytes
from sayso.gateway.executing import FAILPOINTS
from sayso.store.database import open_database
from sayso.store.proposals import Proposals

from .a_process import ANN, NAMES, World, effects_of, gateway_of

pytestmark = pytest.mark.anyio
CHILD = str(Path(__file__).with_name("a_process.py"))
POINTS = [  # "add" is internal: one transaction, which has no two of these points
    (action, point) for action in NAMES for point in FAILPOINTS
    if action != "add" or point not in ("claim.committed", "end.begin")
]  # fmt: skip
# A sample for every run: all points where nobody can look, and those between effect and record where somebody can.
SAMPLE = [p for p in POINTS if p[0] in ("add", "send") or p[1] in ("claim.committed", "effect.end", "end.written")]
_numbers = itertools.count()


class Scene:
    """A database, the world outside, and processes that use them."""

    def __init__(self, folder):
        self.path, self.world = f"{folder}/data/sayso.db", World(f"{folder}/world.db")
        self.database = open_database(f"sqlite:///{self.path}", busy_seconds=60)
        self.proposals = Proposals(self.database)

    async def filed(self, action):
        number, now = next(_numbers), datetime.now(UTC)
        canonical = canonical_bytes(
            Change(action, f"Do {number}", {"n": number}), tool="t", schema={}, actor="ann", owner="ann",
            created=now, expires=now + timedelta(days=1), nonce="n",
        )  # fmt: skip
        return (
            await self.proposals.file(Proposal(f"p{number}", "thread", "ex", "call", canonical), "ann", now)
        ).proposal

    def child(self, *order, **options):
        return subprocess.Popen([sys.executable, CHILD, self.path, self.world.path, *order], **options)

    def gateway(self, clock=None):
        return gateway_of(self.database, self.world, clock=clock)

    def effects(self, proposal):
        return effects_of(self.database, self.world, proposal.content["action"], proposal.digest)

    async def state(self, proposal):
        return (await self.proposals.get("ann", proposal.id)).state


@pytest.fixture
def scene(tmp_path):
    made = Scene(tmp_path)
    yield made
    made.database.close()


async def holds(scene, filed):
    """What must be true once a new process has recovered: gives the state that was found."""
    gateway = scene.gateway()
    await gateway.recover(datetime.now(UTC))
    state, effects = await scene.state(filed), scene.effects(filed)
    assert effects <= 1, "it happened twice"
    assert state in (ProposalState.PENDING, ProposalState.DONE, ProposalState.UNKNOWN), state
    assert effects == {ProposalState.PENDING: 0, ProposalState.DONE: 1}.get(state, effects), "what is told is not so"
    if state is ProposalState.UNKNOWN:
        assert filed.content["action"] == "send", "this one could be looked up, or done again"
        assert (await gateway.receipt("ann", filed.id)).values["outcome"] == "unknown", "silently unknown"
        before = scene.world.count("calls", filed.digest)
        await gateway.approve(filed.id, filed.digest, ANN)
        assert scene.world.count("calls", filed.digest) == before, "an unknown one was repeated"
        settled = await gateway.settle(filed.id, ANN, happened=bool(effects))
        assert settled.values["outcome"] == ("done" if effects else "failed")
    else:
        receipt = await gateway.approve(filed.id, filed.digest, ANN)
        assert (receipt.values["outcome"] in ("created", "sent"), scene.effects(filed)) == (True, 1), "it was lost"
    return state


async def killed_at(scene, action, point):
    filed = await scene.filed(action)
    child = scene.child("approve", action, filed.id, filed.digest, point)
    assert await asyncio.to_thread(child.wait, 120) == -signal.SIGKILL
    state = await holds(scene, filed)
    expected = {"approve.begin", "approve.written"}
    assert (state is ProposalState.PENDING) == (point in expected)
    unsure = FAILPOINTS[FAILPOINTS.index("claim.committed") : FAILPOINTS.index("end.written") + 1]
    assert (state is ProposalState.UNKNOWN) == (action == "send" and point in unsure)


@pytest.mark.parametrize(("action", "point"), SAMPLE)
async def test_g1_g2_g3_killed_at_a_failpoint_it_happens_once_or_a_person_is_asked(scene, action, point):
    await killed_at(scene, action, point)


@pytest.mark.long
@pytest.mark.parametrize(("action", "point"), POINTS)
async def test_killed_at_each_failpoint_ten_times(scene, action, point):
    for _ in range(10):
        await killed_at(scene, action, point)


BURST = 8


async def killed_at_random(scene, chance, seconds):
    """A process that works through a burst of approvals is killed somewhere among them; gives what is found of each."""
    filed = [await scene.filed(NAMES[n % len(NAMES)]) for n in range(BURST)]
    child = scene.child("serve", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    await asyncio.to_thread(child.stdout.readline)
    child.stdin.write("".join(f"{one.id} {one.digest}\n" for one in filed))
    child.stdin.flush()
    await asyncio.sleep(chance.uniform(0, seconds))
    child.kill()
    child.communicate()
    return [await holds(scene, one) for one in filed]


async def burst_seconds(scene):
    """How long a burst takes here, now, when nobody is killed."""
    child = scene.child("serve", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    await asyncio.to_thread(child.stdout.readline)
    filed = [await scene.filed(NAMES[n % len(NAMES)]) for n in range(BURST)]
    started = time.monotonic()
    child.stdin.write("".join(f"{one.id} {one.digest}\n" for one in filed))
    child.stdin.close()
    await asyncio.to_thread(child.stdout.read)
    child.wait(60)
    child.stdout.close()
    return time.monotonic() - started


async def test_killed_at_random_times_it_happens_once_or_a_person_is_asked(scene):
    assert len(await killed_at_random(scene, random.Random(1), 0.3)) == BURST


@pytest.mark.long
async def test_killed_fifty_times_at_random(scene, capsys):
    seed = random.randrange(1 << 32)
    chance, seconds = random.Random(seed), await burst_seconds(scene)
    with capsys.disabled():
        print(f"\nthe kills follow the seed {seed}")
    states = [state for _ in range(50) for state in await killed_at_random(scene, chance, seconds)]
    with capsys.disabled():
        found = {state.value: states.count(state) for state in sorted(set(states))}
        print(f"\nfifty kills within bursts of {BURST} approvals ({seconds:.1f} s): {found}")
    assert {ProposalState.PENDING, ProposalState.DONE} <= set(states), "the kills struck before or after everything"


async def sixteen(scene, rounds):
    """Four processes, each with four approvals at once, of the same proposal."""
    children = [scene.child("serve", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    told = []
    try:
        for child in children:
            await asyncio.to_thread(child.stdout.readline)
        for number in range(rounds):
            filed = await scene.filed(NAMES[number % 2])
            for child in children:
                child.stdin.write(f"{filed.id} {filed.digest}\n")
                child.stdin.flush()
            for child in children:
                told += (await asyncio.to_thread(child.stdout.readline)).split()
            assert (scene.effects(filed), await scene.state(filed)) == (1, ProposalState.DONE)
            assert scene.world.count("calls", filed.digest) == number % 2
    finally:
        for child in children:
            child.stdin.close()
            child.wait(60)
            child.stdout.close()
    assert set(told) <= {"created", "sent", "conflict"}
    return told


async def test_s8_sixteen_approvals_at_once_from_four_processes_have_one_effect(scene):
    assert len(await sixteen(scene, 4)) == 64


@pytest.mark.long
async def test_sixteen_approvals_at_once_a_hundred_times(scene):
    assert len(await sixteen(scene, 100)) == 1600


async def running_elsewhere(scene, action="slow"):
    """A proposal whose action another process has begun, and that process."""
    filed = await scene.filed(action)
    child = scene.child("serve", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    await asyncio.to_thread(child.stdout.readline)
    child.stdin.write(f"{filed.id} {filed.digest}\n")
    child.stdin.flush()
    begun = Path(scene.world.path).with_suffix(".begun")
    await asyncio.to_thread(waited_for, begun)
    return filed, child


def waited_for(path):
    while not path.exists():
        time.sleep(0.02)


def let_end(scene, child):
    Path(scene.world.path).with_suffix(".gate").touch()
    told = child.stdout.readline().split()
    child.stdin.close()
    child.wait(60)
    child.stdout.close()
    return told


async def test_recovery_leaves_alone_what_another_live_process_is_executing(scene):
    filed, child = await running_elsewhere(scene)
    assert await scene.gateway().recover(datetime.now(UTC)) == 0
    assert await scene.state(filed) is ProposalState.EXECUTING
    assert await asyncio.to_thread(let_end, scene, child) == ["sent"] * 4
    assert (await scene.state(filed), scene.effects(filed)) == (ProposalState.DONE, 1)


async def test_recovery_knows_at_once_that_the_other_process_is_dead(scene):
    filed, child = await running_elsewhere(scene)
    child.kill()
    child.communicate()
    assert await scene.gateway().recover(datetime.now(UTC)) == 1
    assert await scene.state(filed) is ProposalState.UNKNOWN


async def test_one_that_hung_beyond_its_lease_is_unknown_until_it_tells_how_it_ended(scene):
    filed, child = await running_elsewhere(scene)
    os.kill(child.pid, signal.SIGSTOP)
    later = datetime.now(UTC) + timedelta(minutes=5)
    assert await scene.gateway().recover(later) == 1
    assert await scene.state(filed) is ProposalState.UNKNOWN
    os.kill(child.pid, signal.SIGCONT)
    await asyncio.to_thread(let_end, scene, child)
    assert (await scene.state(filed), scene.effects(filed)) == (ProposalState.DONE, 1)


async def test_two_gateways_that_recover_at_once_run_what_was_approved_once(scene):
    filed = await scene.filed("send_again")
    move = scene.proposals.move
    await move(filed.id, "ann", (ProposalState.PENDING,), ProposalState.APPROVED, "ann", datetime.now(UTC))
    await asyncio.gather(*(scene.gateway().recover(datetime.now(UTC)) for _ in range(8)))
    assert (await scene.state(filed), scene.world.count("calls", filed.digest)) == (ProposalState.DONE, 1)


async def test_a_clock_that_stands_still_keeps_no_claim_of_a_dead_process(scene):
    filed = await scene.filed("send_checked")
    child = scene.child("approve", "send_checked", filed.id, filed.digest, "effect.begin")
    assert await asyncio.to_thread(child.wait, 120) == -signal.SIGKILL
    await scene.gateway().recover(datetime.now(UTC) - timedelta(hours=1))
    assert (await scene.state(filed), scene.effects(filed)) == (ProposalState.DONE, 1)


class Unreachable:
    """The world outside while nobody answers there."""

    def send(self, request):
        raise ConnectionError

    slow = check = send


async def test_an_unknown_end_is_settled_by_fact_once_somebody_can_look(scene):
    filed = await scene.filed("send_checked")
    child = scene.child("approve", "send_checked", filed.id, filed.digest, "effect.end")
    assert await asyncio.to_thread(child.wait, 120) == -signal.SIGKILL
    await gateway_of(scene.database, Unreachable()).recover(datetime.now(UTC))
    assert await scene.state(filed) is ProposalState.UNKNOWN
    assert (await gateway_of(scene.database, Unreachable()).check(filed.id, ANN)).values["outcome"] == "unknown"
    await scene.gateway().check(filed.id, ANN)
    assert (await scene.state(filed), scene.effects(filed)) == (ProposalState.DONE, 1)
