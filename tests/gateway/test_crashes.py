"""A process is killed in the middle of an approval; the next one makes it happen once, or asks."""

import signal
import subprocess
import sys

import pytest

from sayso.core.proposals import ProposalState

pytestmark = pytest.mark.anyio

CHILD = """
import asyncio, os, signal, sys
from datetime import datetime, timedelta, UTC
from sqlalchemy import text
from sayso.core.tools import Actor
from sayso.gateway.actions import Action, Done
from sayso.gateway import gateway as g
from sayso.store.database import open_database
from sayso.store.proposals import Proposals
url, digest, when, external = sys.argv[1:5]
die = lambda: os.kill(os.getpid(), signal.SIGKILL)
class Clock:
    def now(self): return datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
def add(connection, request):
    connection.execute(text("INSERT INTO effects VALUES (:k)"), {"k": request.key})
    if when == "inside": die()
    return Done("created")
def send(request):
    die()
if when == "before":
    g.Gateway._run = lambda *a: die()
db = open_database(url)
actions = {"add": Action("add", "a", add), "send": Action("send", "a", send, external=True)}
asyncio.run(g.Gateway(db, Proposals(db), actions, Clock()).approve("p1", digest, Actor("ann", "ann")))
die()
"""


def killed(bench, digest, when):
    url = f"sqlite:///{bench.database.url.database}"
    child = subprocess.run([sys.executable, "-c", CHILD, url, digest, when, ""], timeout=60, check=False)
    assert child.returncode == -signal.SIGKILL


@pytest.mark.parametrize("when", ["before", "inside", "after"])
async def test_killed_internal_action_happens_once(bench, when):
    filed = await bench.filed()
    killed(bench, filed.digest, when)
    assert bench.effects == (1 if when == "after" else 0)
    assert await bench.gateway.recover(bench.clock.now()) == (0 if when == "after" else 1)
    assert bench.effects == 1
    assert (await bench.proposals.get("ann", "p1")).state is ProposalState.DONE


async def test_killed_external_action_is_unknown_and_not_repeated(bench):
    filed = await bench.filed(action="send")
    killed(bench, filed.digest, "inside")
    await bench.gateway.recover(bench.clock.now())
    receipt = await bench.gateway.approve("p1", filed.digest, bench.actor)
    assert (receipt.values["outcome"], bench.sent) == ("unknown", [])
