"""Proposals in the database. It keeps and moves them; it runs nothing and judges no permission."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Connection, select, update

from sayso.core.facts import Fact
from sayso.core.proposals import Proposal, ProposalState, content_digest
from sayso.store import proposal_rows as rows
from sayso.store.database import Database
from sayso.store.ports import Filed, ProposalChange, stamp
from sayso.store.receipts import ENDED

_P = rows.PROPOSALS.c


class Proposals:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def file(self, proposal: Proposal, owner: str, at: datetime, grounds: str = "") -> Filed:
        """File a proposal with its grounds; the same act that waits already is given back instead (never two cards)."""

        def put(connection: Connection) -> Filed:
            rows.expire(connection, at)
            waiting = rows.find_pending(connection, owner, content_digest(proposal.canonical))
            if waiting is not None:
                return Filed(waiting, is_new=False)
            rows.add(connection, proposal, owner, at, grounds)
            return Filed(proposal, is_new=True)

        return await self._database.awrite(put)

    async def get(self, owner: str, proposal_id: str) -> Proposal:
        return await self._database.aread(lambda connection: rows.load(connection, owner, proposal_id))

    async def list(
        self, owner: str, states: Collection[ProposalState] | None = None, thread_id: str | None = None
    ) -> tuple[Proposal, ...]:
        """The newest first."""
        query = select(rows.PROPOSALS).where(_P.owner == owner).order_by(_P.filed.desc(), _P.id.desc())
        if states is not None:
            query = query.where(_P.state.in_([state.value for state in states]))
        if thread_id is not None:
            query = query.where(_P.thread_id == thread_id)
        return await self._database.aread(lambda connection: rows.readable(connection.execute(query), rows.proposal_of))

    async def move(
        self, proposal_id: str, owner: str, from_states: Collection[ProposalState], to: ProposalState, by: str,
        at: datetime, digest: str | None = None, note: str | None = None,
    ) -> bool:  # fmt: skip
        """Whether it was moved. Raises Conflict for a change of state that is never allowed."""

        def change(connection: Connection) -> bool:
            return rows.move(connection, proposal_id, owner, from_states, to, by, at, digest=digest, note=note)

        return await self._database.awrite(change, durable=True)

    async def replace(self, owner: str, proposal_id: str, canonical: bytes, by: str, at: datetime) -> Proposal:
        """An edit: new bytes, so a new digest; an approval of the old ones is refused from now on."""
        return await self._database.awrite(
            lambda connection: rows.rewrite(connection, owner, proposal_id, canonical, by, at), durable=True
        )

    async def expire(self, now: datetime) -> int:
        return await self._database.awrite(lambda connection: rows.expire(connection, now))

    async def changes(self, owner: str, proposal_id: str) -> tuple[ProposalChange, ...]:
        return await self._database.aread(lambda connection: rows.changes(connection, owner, proposal_id))

    async def receipt(self, owner: str, proposal_id: str) -> Fact | None:
        return await self._database.aread(lambda connection: rows.load_receipt(connection, owner, proposal_id))

    async def receipts_for(self, owner: str, thread_id: str) -> tuple[Fact, ...]:
        """Receipts that this thread has not been told yet, the oldest first."""
        query = (
            select(rows.PROPOSALS)
            .where(_P.owner == owner, _P.thread_id == thread_id, _P.delivered.is_(False))
            .where(_P.state.in_([state.value for state in ENDED]))
            .order_by(_P.ended, _P.id)
        )
        return await self._database.aread(lambda connection: rows.readable(connection.execute(query), rows.receipt_of))

    async def mark_delivered(self, owner: str, receipts: Collection[Fact]) -> None:
        """These were told. One whose proposal has ended otherwise since is told anew all the same."""

        def mark(connection: Connection) -> None:
            for fact in receipts:
                this = update(rows.PROPOSALS).where(_P.owner == owner, _P.id == fact.key, _P.delivered.is_(False))
                connection.execute(this.where(_P.ended == stamp(fact.as_of)).values(delivered=True))

        if receipts:
            await self._database.awrite(mark)
