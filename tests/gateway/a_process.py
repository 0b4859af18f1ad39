"""A gateway in a process of its own, for the tests that kill it: `python a_process.py DATABASE WORLD ORDER...`.

Orders: `approve ACTION ID DIGEST POINT` (killed at that failpoint), `serve` (approves what standard input names).
The world outside is a file of its own, as another company's service would be: it notes each key that it is sent.
"""

import asyncio
import os
import signal
import sqlite3
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import text

from sayso.core.tools import Actor
from sayso.errors import SaysoError
from sayso.gateway.actions import Action, Done, NotRun
from sayso.gateway.gateway import Gateway
from sayso.store.database import open_database
from sayso.store.proposals import Proposals

ANN = Actor("ann", "ann")
NAMES = ("add", "send", "send_checked", "send_again")


class Clock:
    def now(self):
        return datetime.now(UTC)

    def monotonic(self):
        return time.monotonic()


class World:
    """What the outside notes: every call, and each key once where the service knows repetitions."""

    def __init__(self, path):
        self.path = path
        with self.opened() as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS calls (key TEXT)")
            connection.execute("CREATE TABLE IF NOT EXISTS effects (key TEXT PRIMARY KEY)")

    def opened(self):
        return sqlite3.connect(self.path, timeout=30)

    def send(self, request):
        with self.opened() as connection:
            connection.execute("INSERT INTO calls VALUES (?)", (request.key,))
            connection.execute("INSERT OR IGNORE INTO effects VALUES (?)", (request.key,))
        return Done("sent")

    def slow(self, request):
        """Lasts until the test lets it end."""
        gate = Path(self.path).with_suffix(".gate")
        Path(self.path).with_suffix(".begun").touch()
        while not gate.exists():
            time.sleep(0.02)
        return self.send(request)

    def check(self, request):
        return Done("sent") if self.count("effects", request.key) else NotRun()

    def count(self, table, key):
        with self.opened() as connection:
            return connection.execute(f"SELECT count(*) FROM {table} WHERE key = ?", (key,)).fetchone()[0]


def add(connection, request):
    connection.execute(text("CREATE TABLE IF NOT EXISTS effects (key TEXT)"))
    connection.execute(text("INSERT INTO effects VALUES (:key)"), {"key": request.key})
    return Done("created", "one row")


def gateway_of(database, world, failpoint=lambda point: None, clock=None):
    actions = {
        "add": Action("add", "act:add", add),
        "send": Action("send", "act:send", world.send, external=True),
        "send_checked": Action("send_checked", "act:send", world.send, external=True, check=world.check),
        "send_again": Action("send_again", "act:send", world.send, external=True, repeatable=True),
        "slow": Action("slow", "act:send", world.slow, external=True),
    }
    people = lambda owner, id: ANN if (owner, id) == ("ann", "ann") else None  # noqa: E731
    return Gateway(database, Proposals(database), actions, clock or Clock(), people, failpoint=failpoint)


def effects_of(database, world, action, key):
    if action != "add":
        return world.count("effects", key)
    with sqlite3.connect(database.url.database, timeout=30) as connection:
        known = connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'effects'").fetchone()[0]
        return connection.execute("SELECT count(*) FROM effects WHERE key = ?", (key,)).fetchone()[0] if known else 0


def dying_at(wanted):
    def failpoint(point):
        if point == wanted:
            os.kill(os.getpid(), signal.SIGKILL)

    return failpoint


async def serve(gateway):
    """Approves each `ID DIGEST` four times at once, and says what came of it."""
    print("ready", flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        id, digest = line.split()
        ended = await asyncio.gather(*(gateway.approve(id, digest, ANN) for _ in range(4)), return_exceptions=True)
        told = [
            e.code if isinstance(e, SaysoError) else repr(e) if isinstance(e, BaseException) else e.values["outcome"]
            for e in ended
        ]
        print(" ".join(told), flush=True)


def main(database, world, order, *rest):
    opened, outside = open_database(f"sqlite:///{database}", busy_seconds=60), World(world)
    if order == "approve":
        _, id, digest, point = rest
        asyncio.run(gateway_of(opened, outside, dying_at(point)).approve(id, digest, ANN))
        os.kill(os.getpid(), signal.SIGKILL)
    asyncio.run(serve(gateway_of(opened, outside)))


if __name__ == "__main__":
    main(*sys.argv[1:])
