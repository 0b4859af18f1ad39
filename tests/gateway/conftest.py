"""A gateway over a real database file, with one internal and one external action."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from gateway_world import World
from sayso.core.proposals import Change, Proposal, Target, canonical_bytes
from sayso.core.tools import Actor
from sayso.gateway.actions import Action, ActionRefused, Done, OutFile
from sayso.gateway.gateway import Gateway
from sayso.store.database import open_database
from sayso.store.proposals import Proposals

NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)


@dataclass
class FixedClock:
    moment: datetime = NOW

    def now(self):
        return self.moment

    def monotonic(self):
        return 0.0


@dataclass
class Bench:
    database: object
    clock: FixedClock = field(default_factory=FixedClock)
    sent: list = field(default_factory=list)
    fault: Exception | None = None
    people: dict = field(default_factory=lambda: {"ann": Actor("ann", "ann")})

    def __post_init__(self):
        self.database.write(lambda c: c.execute(text("CREATE TABLE IF NOT EXISTS effects (key TEXT)")))
        self.proposals = Proposals(self.database)
        self.gateway = self.restarted()
        self.actor = Actor("ann", "ann")

    def restarted(self):
        actions = {
            "add": Action("add", "act:add", self._add),
            "send": Action("send", "act:send", self._send, external=True),
        }
        return Gateway(self.database, self.proposals, actions, self.clock, lambda owner, id: self.people.get(id))

    def _add(self, connection, request):
        connection.execute(text("INSERT INTO effects VALUES (:key)"), {"key": request.key})
        if self.fault:
            raise self.fault
        return Done("created", "one row", (OutFile("a.ics", "text/calendar", b"BEGIN"),))

    def _send(self, request):
        self.sent.append(request.key)
        if self.fault:
            raise self.fault
        return Done("sent")

    def proposal(self, id="p1", action="add", nonce="n", title="Add a row", about=None, owner="ann", n=1):
        canonical = canonical_bytes(
            Change(action, title, {"n": n}, Target("person", about, "Elena") if about else None, "3" if about else None), tool="t", schema={}, actor="ann", owner=owner,
            created=NOW, expires=NOW + timedelta(hours=1), nonce=nonce,
        )  # fmt: skip
        return Proposal(id, "thread", "ex", "call", canonical)

    async def filed(self, **changes):
        return (await self.proposals.file(self.proposal(**changes), "ann", NOW)).proposal

    @property
    def effects(self):
        return self.database.read(lambda c: c.execute(text("SELECT count(*) FROM effects")).scalar())


@pytest.fixture
def bench(tmp_path):
    database = open_database(f"sqlite:///{tmp_path}/data/sayso.db", busy_seconds=2)
    yield Bench(database)
    database.close()


@pytest.fixture
def refused():
    return ActionRefused


@pytest.fixture
def world(tmp_path):
    """A gateway that dispatches calls."""
    database = open_database(f"sqlite:///{tmp_path}/calls/sayso.db", busy_seconds=5)
    yield World(database)
    database.close()


@pytest.fixture
def world_with(tmp_path):
    """The same with further tools or settings."""
    database = open_database(f"sqlite:///{tmp_path}/calls/sayso.db", busy_seconds=5)
    yield lambda *more, **settings: World(database, more, **settings)
    database.close()
