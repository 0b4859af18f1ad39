"""A small gateway whose tools find people and propose messages, for the tests of `dispatch` and of its routes."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import text

from sayso.core.actors import VIEWER as VIEWER_ROLE
from sayso.core.actors import actor_with
from sayso.core.proposals import digest_of
from sayso.core.tools import Actor, Registry, Tool
from sayso.gateway.actions import Action, Done
from sayso.gateway.calls import Call, canonical_json
from sayso.gateway.dispatch import Dispatcher
from sayso.gateway.filing import Filing
from sayso.gateway.gateway import Gateway
from sayso.gateway.ledger import Ledger
from sayso.gateway.outside import READ_OUTSIDE, OutsideReads
from sayso.gateway.pool import Pool
from sayso.gateway.running import CallRunner
from sayso.gateway.sealing import Sealer
from sayso.inapp.surroundings import RandomIds
from sayso.signing.keys import new_keyring
from sayso.store.audit import Audit
from sayso.store.database import Database
from sayso.store.proposals import Proposals
from small_world import ELENA, EVERYONE, PERSON, PROPOSE, SEARCH

NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
ANN, BOB = Actor("ann", "home"), Actor("bob", "home")
VIEWER = actor_with("vic", "home", (VIEWER_ROLE,))
_NUMBERS = itertools.count(1)


@dataclass
class Clock:
    moment: datetime = NOW

    def now(self) -> datetime:
        return self.moment

    def monotonic(self) -> float:
        return 0.0


def a_call(name: str, arguments: dict[str, Any], **more: Any) -> Call:
    return Call(f"call_{next(_NUMBERS)}", name, arguments, **more)


def digest_of_arguments(arguments: dict[str, Any]) -> str:
    return digest_of(canonical_json(arguments))


@dataclass
class World:
    """`ran` are the queries that a search really looked for, `effects` the texts that went out."""

    database: Database
    more: Iterable[Tool] = ()
    may_leave_to: tuple[str, ...] = ()
    seconds: float = 20.0
    slow: float = 0.0
    clock: Clock = field(default_factory=Clock)
    ran: list[str] = field(default_factory=list[str])
    effects: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        self.keyring = new_keyring()
        self.keys = self.keyring.public
        self.proposals = Proposals(self.database)
        self.registry = Registry([self._counted(SEARCH), EVERYONE, PROPOSE, *self.more])
        self.dispatcher = self.restarted()

    def restarted(self) -> Dispatcher:
        """Another one over the same database and keys, as a second process has it."""
        ids, audit = RandomIds(), Audit(self.database)
        outside = OutsideReads(self.registry, self.clock)
        actions = {
            "message": Action("message", "execute:message", self._send, external=True),
            READ_OUTSIDE: outside.action(),
        }
        self.gateway = Gateway(self.database, self.proposals, actions, self.clock)
        runner = CallRunner(
            self.registry, Filing(self.proposals, ids), self.clock, Pool(self.seconds), outside,
            self.may_leave_to, audit=audit,
        )  # fmt: skip
        return Dispatcher(
            registry=self.registry,
            offered=frozenset(tool.name for tool in self.registry if not tool.name.startswith("hidden")),
            kinds={PERSON.name: PERSON},
            runner=runner,
            ledger=Ledger(self.database),
            sealer=Sealer(lambda: self.keyring),
            gateway=self.gateway,
            proposals=self.proposals,
            seeds=self._seeds,
        )

    async def approve(self, proposal_id: str, actor: Actor = ANN) -> None:
        proposal = await self.proposals.get(actor.desk, proposal_id)
        await self.gateway.approve(proposal_id, proposal.digest, actor)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        return self.database.read(lambda c: [tuple(row) for row in c.execute(text(query))])

    def _counted(self, tool: Tool) -> Tool:
        async def run(arguments: Any, context: Any) -> Any:
            self.ran.append(arguments.query)
            await asyncio.sleep(self.slow)
            return await tool.run(arguments, context)

        return replace(tool, run=run)

    async def _seeds(self, actor: Actor, question: str, now: datetime, record: Any) -> Any:
        return (ELENA,) if "go out" in question or record else ()

    def _send(self, request: Any) -> Done:
        self.effects.append(request.arguments["text"])
        return Done("sent")
