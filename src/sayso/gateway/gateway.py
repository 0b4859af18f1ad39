"""The gateway: decides on proposals and has run what was approved. Nothing else leads to an action.

It knows no model and no transcript: an approval is a row that it wrote itself, for a person whose
role allows the action, naming the digest of the exact bytes that run.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from sayso.core.actors import SEE_CARDS
from sayso.core.facts import Fact
from sayso.core.ports import Clock
from sayso.core.proposals import Proposal, ProposalState
from sayso.core.tools import Actor
from sayso.errors import Conflict, Expired, Forbidden, SaysoError
from sayso.gateway import results
from sayso.gateway.actions import Action, Done, NotRun, OutFile
from sayso.gateway.cards import Card, card_of
from sayso.gateway.executing import (
    DID_NOT_RUN,
    Executor,
    Failpoint,
    People,
    Version,
    looked_up,
    no_failpoint,
    nobody,
    receipt_of,
    recorded,
    request_of,
)
from sayso.gateway.inputs import Schema, edited_bytes, schema_of
from sayso.gateway.outside import READ_OUTSIDE
from sayso.gateway.recovering import recover
from sayso.store import proposal_rows as rows
from sayso.store.database import Database
from sayso.store.holding import LEASE
from sayso.store.ports import ProposalChange
from sayso.store.proposals import Proposals

State = ProposalState
_log = logging.getLogger(__name__)
_PENDING = (State.PENDING,)
SETTLED = "found out by a person"


class Gateway:
    """Approvals, denials and their execution, over one database that other processes may use as well.

    `actions` by name; a proposal of an action that is not in it can be denied, but not approved. `people` is
    asked for a person's present role: before an action runs, and at recovery, when nobody is signed in; a
    recovery without it runs nothing. `version` tells whether a target is still what was shown.
    """

    def __init__(
        self, database: Database, proposals: Proposals, actions: Mapping[str, Action], clock: Clock,
        people: People = nobody, *, version: Version | None = None, failpoint: Failpoint = no_failpoint,
    ) -> None:  # fmt: skip
        self._database = database
        self._proposals = proposals
        self._clock = clock
        self._actions = dict(actions)
        self._executor = Executor(database, self._actions, clock, people, version, failpoint)
        self._running: dict[str, asyncio.Future[Fact]] = {}

    async def approve(self, proposal_id: str, digest: str, actor: Actor) -> Fact:
        """Approve the exact change that was shown, run it, and give its receipt.

        Approving again gives the recorded receipt and runs nothing. Raises NotFound, Conflict (the
        card has changed, or was decided otherwise), Expired, Forbidden, StoreBusy. A caller that
        goes away does not stop what has begun.
        """
        while (running := self._running.get(proposal_id)) is not None:
            await asyncio.wait([running])
            await asyncio.sleep(0)
        attempt = asyncio.ensure_future(asyncio.to_thread(self._approve, proposal_id, digest, actor))
        self._running[proposal_id] = attempt
        attempt.add_done_callback(lambda _: self._running.pop(proposal_id, None))
        return await asyncio.shield(attempt)

    async def deny(self, proposal_id: str, actor: Actor, words: str = "") -> Fact:
        """Deny a proposal for good; `words` reach the thread with its receipt. Raises NotFound, Forbidden,
        Conflict when it was approved or has ended otherwise."""
        return await self._close(proposal_id, actor, State.DENIED, words)

    async def supersede(self, proposal_id: str, actor: Actor, words: str = "") -> Fact:
        """Close a proposal for good because something else took its place. Raises as `deny` does."""
        return await self._close(proposal_id, actor, State.SUPERSEDED, words)

    async def supersede_thread(self, thread_id: str, actor: Actor) -> Sequence[str]:
        """Close whatever waits in one thread, since its person goes on without it. Gives the ids that were."""
        waiting = await self._proposals.list(actor.desk, _PENDING, thread_id)
        closed: list[str] = []
        for proposal in waiting:
            try:
                await self.supersede(proposal.id, actor, "a new message took its place")
                closed.append(proposal.id)
            except SaysoError as wrong:  # decided meanwhile, or not this person's to close: it stays what it is
                _log.info("proposal %s is not superseded: %s", proposal.id, wrong)
        return closed

    async def edit(
        self, proposal_id: str, actor: Actor, changes: Mapping[str, Any], digest: str | None = None
    ) -> Proposal:
        """Change arguments of a pending proposal; whoever approves must have seen the new digest.

        `digest` is that of the card that was edited. Raises NotFound, Conflict (the card has changed, or
        was decided), Expired, Forbidden, WrongInputs.
        """
        now = self._clock.now()

        def change(connection: Connection) -> Proposal:
            proposal = rows.load(connection, actor.desk, proposal_id)
            self._check_theirs(proposal, actor)
            if digest is not None and proposal.digest != digest:
                raise Conflict("the card has changed since it was shown; look at it again before you edit it")
            if proposal.state is not State.PENDING:
                raise Conflict(f"the proposal is {proposal.state} and cannot be edited any more")
            if proposal.expires <= now:
                raise Expired("the proposal has expired; ask for it again")
            canonical = edited_bytes(proposal, self._actions.get(_name(proposal)), changes, now)
            return rows.rewrite(connection, actor.desk, proposal_id, canonical, actor.id, now)

        return await self._database.awrite(change, durable=True)

    def action(self, proposal: Proposal) -> Action | None:
        """What a proposal would run; None when this installation does not offer it (any more)."""
        return self._actions.get(_name(proposal))

    def inputs(self, proposal: Proposal) -> Schema | None:
        """The JSON schema of what a person may edit in this proposal; None when its action declares nothing."""
        action = self.action(proposal)
        return schema_of(action) if action else None

    def check_sees(self, proposal: Proposal, actor: Actor) -> None:
        """Who may read, ask for or approve such a change may see it. Raises Forbidden."""
        if not self.sees(proposal, actor):
            raise Forbidden(actor.rule_for(SEE_CARDS))

    def sees(self, proposal: Proposal, actor: Actor) -> bool:
        action = self.action(proposal)
        ways = [SEE_CARDS, *_ways_to_ask(proposal, action), *([action.permission] if action else [])]
        return any(map(actor.may, ways))

    async def card(self, desk: str, proposal: Proposal) -> Card:
        """What a person must see of a proposal before they decide."""
        action, now = self.action(proposal), self._clock.now()
        return await self._database.aread(lambda connection: card_of(connection, desk, proposal, action, now))

    async def changes(self, desk: str, proposal_id: str) -> tuple[ProposalChange, ...]:
        """Who did what to a proposal, and when: the oldest first."""
        return await self._proposals.changes(desk, proposal_id)

    async def settle(self, proposal_id: str, actor: Actor, *, happened: bool) -> Fact:
        """Record what a person found out about a proposal whose end is unknown. Raises NotFound, Forbidden,
        Conflict when its end is known."""
        ended = State.DONE if happened else State.FAILED
        return await self._database.awrite(lambda c: self._settle(c, proposal_id, actor, ended), durable=True)

    async def check(self, proposal_id: str, actor: Actor) -> Fact:
        """Have the action look, by its key, whether an unknown one has happened; what it finds is recorded.

        The receipt still says unknown where nobody can tell. Raises NotFound, Forbidden, Conflict.
        """
        return await asyncio.to_thread(self._check, proposal_id, actor)

    async def receipt(self, desk: str, proposal_id: str) -> Fact | None:
        return await self._proposals.receipt(desk, proposal_id)

    async def files(self, desk: str, proposal_id: str) -> tuple[OutFile, ...]:
        """The files that an action made, in its order."""
        return await self._database.aread(lambda connection: results.load_files(connection, desk, proposal_id))

    async def facts(self, desk: str, proposal_id: str) -> tuple[Fact, ...]:
        """What an action learned, for the thread that asked: another agent's answer."""
        return await self._database.aread(lambda connection: results.load_facts(connection, desk, proposal_id))

    async def recover(self, now: datetime) -> int:
        """Finish what a dead process left: run what was approved and never claimed, if the approver's
        role still allows it, and settle what was claimed, as far as that can be known. What a live
        process does is left alone. Gives the number of proposals touched."""
        return await asyncio.to_thread(recover, self._executor, now)

    async def keep_recovering(self, seconds: float = LEASE.total_seconds()) -> None:
        """Recover now and then, for as long as it is awaited: another process may die at any time."""
        while True:
            try:
                await self.recover(self._clock.now())
            except SaysoError as wrong:
                _log.warning("recovery is tried again later: %s", wrong)
            await asyncio.sleep(seconds)

    def _approve(self, proposal_id: str, digest: str, actor: Actor) -> Fact:
        now, failpoint = self._clock.now(), self._executor.failpoint
        failpoint("approve.begin")

        def decide(connection: Connection) -> Fact | Expired | None:
            proposal = rows.load(connection, actor.desk, proposal_id)
            self._check_role(proposal, actor)  # first: who may not approve is told nothing of the card
            if proposal.digest != digest:
                raise Conflict("the card has changed since it was shown; look at it again before you approve it")
            decided = self._decide(connection, proposal, actor, now)
            failpoint("approve.written")
            return decided

        decided = self._database.write(decide, durable=True)
        failpoint("approve.committed")
        if isinstance(decided, Expired):
            raise decided
        return decided or self._executor.run(actor.desk, proposal_id, digest, actor, now)

    def _decide(self, connection: Connection, proposal: Proposal, actor: Actor, now: datetime) -> Fact | Expired | None:
        """Write the approval: None when the proposal is approved now, its receipt when it has ended.

        The end of its time is given back, not raised, so that it is recorded too.
        """
        if proposal.state not in (State.PENDING, State.APPROVED):
            return recorded(connection, actor.desk, proposal)
        if proposal.expires <= now:
            rows.move(connection, proposal.id, actor.desk, (proposal.state,), State.EXPIRED, "clock", now)
            return Expired(f"the proposal expired at {proposal.expires:%Y-%m-%d %H:%M} UTC; ask for it again")
        if proposal.state is State.PENDING:
            rows.move(
                connection, proposal.id, actor.desk, _PENDING, State.APPROVED, actor.id, now, digest=proposal.digest,
                holder=self._executor.holder, lease=now + LEASE,
            )  # fmt: skip
        return None

    async def _close(self, proposal_id: str, actor: Actor, to: State, words: str) -> Fact:
        now = self._clock.now()

        def close(connection: Connection) -> Fact:
            proposal = rows.load(connection, actor.desk, proposal_id)
            self._check_theirs(proposal, actor)
            moved = rows.move(connection, proposal_id, actor.desk, _PENDING, to, actor.id, now, note=words)
            if not moved and proposal.state is not to:
                raise Conflict(f"the proposal is {proposal.state} and cannot be {to} any more")
            return receipt_of(connection, actor.desk, proposal_id)

        return await self._database.awrite(close, durable=True)

    def _settle(
        self, connection: Connection, proposal_id: str, actor: Actor, to: State, done: Done | None = None
    ) -> Fact:
        proposal = rows.load(connection, actor.desk, proposal_id)
        self._check_role(proposal, actor)
        note, outcome = (done.details, done.outcome) if done else (SETTLED, None)
        if not rows.move(
            connection, proposal_id, actor.desk, (State.UNKNOWN,), to, actor.id, self._clock.now(), note=note,
            outcome=outcome,
        ):  # fmt: skip
            raise Conflict(f"the proposal is {proposal.state}; only an unknown end can be settled")
        if done:
            results.add(connection, proposal_id, done)
        return receipt_of(connection, actor.desk, proposal_id)

    def _check(self, proposal_id: str, actor: Actor) -> Fact:
        proposal = self._database.read(lambda connection: rows.load(connection, actor.desk, proposal_id))
        self._check_role(proposal, actor)
        if proposal.state is not State.UNKNOWN:
            raise Conflict(f"the proposal is {proposal.state}; only an unknown end is looked for")
        by = self._database.read(lambda connection: rows.approved_by(connection, proposal_id)) or actor.id
        found = looked_up(self._action(proposal), request_of(proposal, by, self._clock.now()))
        if found is None:
            return self._database.read(lambda connection: receipt_of(connection, actor.desk, proposal_id))
        done = Done("failed", DID_NOT_RUN) if isinstance(found, NotRun) else found
        to = State.FAILED if isinstance(found, NotRun) else State.DONE
        return self._database.write(lambda c: self._settle(c, proposal_id, actor, to, done), durable=True)

    def _check_role(self, proposal: Proposal, actor: Actor) -> None:
        action = self._action(proposal)
        if not actor.may(action.permission):
            raise Forbidden(f"{action.name}: {actor.rule_for(action.permission)}")

    def _check_theirs(self, proposal: Proposal, actor: Actor) -> None:
        """Whoever asked for a change may close or edit it while they may ask for such, and so may whoever could
        approve it. An API token of theirs that only reads may do neither."""
        action = self.action(proposal)
        asks = _ways_to_ask(proposal, action)
        if any(map(actor.may, asks)) and (action is None or proposal.content["actor"] == actor.id):
            return
        if action is None:
            raise Forbidden(f"{_name(proposal)}: {actor.rule_for(asks[0])}")
        self._check_role(proposal, actor)

    def _action(self, proposal: Proposal) -> Action:
        return self._executor.action(proposal)


def _ways_to_ask(proposal: Proposal, action: Action | None) -> list[str]:
    """The permissions of which any one lets somebody ask for such a change: by its tool, or by its kind of record.
    For a read that leaves it is that of the read."""
    verb = "read" if _name(proposal) == READ_OUTSIDE else "propose"
    kind = action.permission.removeprefix("execute:") if action is not None else ""
    return [f"{verb}:{proposal.content['tool']}", *([f"{verb}:{kind}"] if kind.startswith("kind:") else [])]


def _name(proposal: Proposal) -> str:
    return str(proposal.content["action"])
