"""The gateway: decides on proposals and runs what was approved. The only executor.

It knows no model and no transcript: an approval is a row that it wrote itself, for a person whose
role allows the action, naming the digest of the exact bytes that run.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, cast

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from sayso.core.facts import Fact
from sayso.core.ports import Clock
from sayso.core.proposals import Proposal, ProposalState, Target
from sayso.core.tools import Actor
from sayso.errors import Conflict, Expired, Forbidden, StoreBusy
from sayso.gateway import results
from sayso.gateway.actions import (
    Action,
    ActionRefused,
    ActionRequest,
    Done,
    ExternalRun,
    InternalRun,
    OutFile,
)
from sayso.gateway.inputs import Schema, edited_bytes, schema_of
from sayso.store import proposal_rows as rows
from sayso.store.database import Database
from sayso.store.proposals import Proposals
from sayso.store.sqlite import named_error

State = ProposalState
People = Callable[[str, str], Actor | None]
"""Gives the person with their present role: (owner, id); None for one who is not known (any more)."""
_log = logging.getLogger(__name__)
NO_REASON = "the action failed; nothing was changed"
MAY_HAVE_RUN = "the action broke off: it may have run, look before you ask for it again"


class Gateway:
    """Approvals, denials and their execution, over one database.

    `actions` by name; a proposal of an action that is not in it can be denied, but not approved.
    `people` is asked at recovery, when nobody is signed in; without it nothing is run again.
    """

    def __init__(
        self, database: Database, proposals: Proposals, actions: Mapping[str, Action], clock: Clock,
        people: People = lambda owner, id: None,
    ) -> None:  # fmt: skip
        self._database = database
        self._proposals = proposals
        self._actions = dict(actions)
        self._clock = clock
        self._people = people
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
        """Deny a proposal for good. Raises Conflict when it was approved or has ended otherwise."""
        now = self._clock.now()

        def decide(connection: Connection) -> Fact:
            proposal = rows.load(connection, actor.owner, proposal_id)
            pending = (State.PENDING,)
            moved = rows.move(connection, proposal_id, actor.owner, pending, State.DENIED, actor.id, now, note=words)
            if not moved and proposal.state is not State.DENIED:
                raise Conflict(f"the proposal is {proposal.state} and cannot be denied any more")
            return _receipt(connection, actor.owner, proposal_id)

        return await self._database.awrite(decide, durable=True)

    async def edit(
        self, proposal_id: str, actor: Actor, changes: Mapping[str, Any], digest: str | None = None
    ) -> Proposal:
        """Change arguments of a pending proposal; whoever approves must have seen the new digest.

        `digest` is that of the card that was edited. Raises NotFound, Conflict (the card has changed, or
        was decided), Expired, WrongInputs.
        """
        now = self._clock.now()

        def change(connection: Connection) -> Proposal:
            proposal = rows.load(connection, actor.owner, proposal_id)
            if digest is not None and proposal.digest != digest:
                raise Conflict("the card has changed since it was shown; look at it again before you edit it")
            if proposal.state is not State.PENDING:
                raise Conflict(f"the proposal is {proposal.state} and cannot be edited any more")
            if proposal.expires <= now:
                raise Expired("the proposal has expired; ask for it again")
            action = self._actions.get(str(proposal.content["action"]))
            canonical = edited_bytes(proposal, action, changes, now)
            return rows.rewrite(connection, actor.owner, proposal_id, canonical, actor.id, now)

        return await self._database.awrite(change, durable=True)

    def inputs(self, proposal: Proposal) -> Schema | None:
        """The JSON schema of what a person may edit in this proposal; None when its action declares nothing."""
        action = self._actions.get(str(proposal.content["action"]))
        return schema_of(action) if action else None

    async def settle(self, proposal_id: str, actor: Actor, *, happened: bool) -> Fact:
        """Record what a person found out about a proposal whose end is unknown."""
        now, to = self._clock.now(), State.DONE if happened else State.FAILED
        note = "found out by a person"

        def decide(connection: Connection) -> Fact:
            proposal = rows.load(connection, actor.owner, proposal_id)
            self._check_role(proposal, actor)
            if not rows.move(connection, proposal_id, actor.owner, (State.UNKNOWN,), to, actor.id, now, note=note):
                raise Conflict(f"the proposal is {proposal.state}; only an unknown end can be settled")
            return _receipt(connection, actor.owner, proposal_id)

        return await self._database.awrite(decide, durable=True)

    async def receipt(self, owner: str, proposal_id: str) -> Fact | None:
        return await self._proposals.receipt(owner, proposal_id)

    async def files(self, owner: str, proposal_id: str) -> tuple[OutFile, ...]:
        """The files that an action made, in its order."""
        return await self._database.aread(lambda connection: results.load_files(connection, owner, proposal_id))

    async def facts(self, owner: str, proposal_id: str) -> tuple[Fact, ...]:
        """What an action learned, for the thread that asked: another agent's answer."""
        return await self._database.aread(lambda connection: results.load_facts(connection, owner, proposal_id))

    async def recover(self, now: datetime) -> int:
        """Finish what a dead process left: run what was approved and never claimed, if the approver's
        role still allows it, and mark what was claimed as unknown. Call it once at start. Gives the
        number of proposals touched; one that cannot be read is left as it is, and logged."""
        return await asyncio.to_thread(self._recover, now)

    def _approve(self, proposal_id: str, digest: str, actor: Actor) -> Fact:
        now = self._clock.now()

        def decide(connection: Connection) -> Fact | Expired | None:
            proposal = rows.load(connection, actor.owner, proposal_id)
            if proposal.digest != digest:
                raise Conflict("the card has changed since it was shown; look at it again before you approve it")
            self._check_role(proposal, actor)
            return _decide(connection, proposal, actor, now)

        decided = self._database.write(decide, durable=True)
        if isinstance(decided, Expired):
            raise decided
        return decided or self._run(actor.owner, proposal_id, digest, actor.id, now)

    def _check_role(self, proposal: Proposal, actor: Actor) -> None:
        action = self._action(proposal)
        if not actor.may(action.permission):
            raise Forbidden(f"{action.name} needs the permission {action.permission!r}, which your role does not have")

    def _action(self, proposal: Proposal) -> Action:
        name = str(proposal.content["action"])
        if name not in self._actions:
            raise Conflict(f"this installation does not offer the action {name!r} (any more); deny the proposal")
        return self._actions[name]

    def _run(self, owner: str, proposal_id: str, digest: str, by: str, now: datetime) -> Fact:
        """Run an approved proposal. What an internal action writes and its proposal's end are one
        transaction, so a crash leaves neither; an external one is claimed before it starts."""

        def start(connection: Connection) -> tuple[Action, ActionRequest] | Fact:
            proposal = rows.load(connection, owner, proposal_id)
            approved = (State.APPROVED,)
            if not rows.move(
                connection, proposal_id, owner, approved, State.EXECUTING, by, self._clock.now(), digest=digest
            ):
                return _recorded(connection, owner, proposal)
            action, request = self._action(proposal), _request(proposal, owner, by, now)
            if action.external:
                return action, request
            return self._finish(connection, owner, proposal_id, by, _attempt(connection, action, request))

        started = self._database.write(start, durable=True)
        if isinstance(started, Fact):
            return started
        ended = _attempt_outside(*started)
        return self._database.write(
            lambda connection: self._finish(connection, owner, proposal_id, by, ended), durable=True
        )

    def _finish(self, connection: Connection, owner: str, proposal_id: str, by: str, ended: tuple[State, Done]) -> Fact:
        state, done = ended
        rows.move(
            connection, proposal_id, owner, (State.EXECUTING,), state, by, self._clock.now(),
            note=done.details, outcome=done.outcome,
        )  # fmt: skip
        results.add(connection, proposal_id, done)
        return _receipt(connection, owner, proposal_id)

    def _recover(self, now: datetime) -> int:
        def mark(connection: Connection) -> int:
            claimed = rows.in_state(connection, State.EXECUTING)
            executing = (State.EXECUTING,)
            for owner, id in claimed:
                rows.move(connection, id, owner, executing, State.UNKNOWN, "recovery", now, note=MAY_HAVE_RUN)
            return len(claimed) + rows.expire(connection, now)

        touched = self._database.write(mark, durable=True)
        approved = self._database.read(lambda connection: rows.in_state(connection, State.APPROVED))
        return touched + sum(self._resume(owner, id, now) for owner, id in approved)

    def _resume(self, owner: str, id: str, now: datetime) -> int:
        """Run one approved proposal that no process claimed, if it still may run."""
        try:
            proposal = self._database.read(lambda connection: rows.load(connection, owner, id))
            by = self._database.read(lambda connection: rows.approved_by(connection, id)) or ""
            if reason := self._lapsed(proposal, owner, by, now):
                self._lapse(owner, id, reason, now)
            else:
                self._run(owner, id, proposal.digest, by, now)
        except StoreBusy:
            _log.warning("proposal %s stays approved: the database is busy", id)
            return 0
        except (Conflict, ValueError, KeyError, TypeError) as wrong:
            _log.error("proposal %s stays approved and is not run: %s", id, wrong)
            return 0
        return 1

    def _lapsed(self, proposal: Proposal, owner: str, by: str, now: datetime) -> str:
        """Why an approval does not hold any more; "" where it does."""
        action = self._actions.get(str(proposal.content["action"]))
        if proposal.expires <= now:
            return "its time was over before it could run"
        if action is None:
            return f"this installation does not offer the action {proposal.content['action']!r} any more"
        person = self._people(owner, by)
        if person is None or person.owner != owner or not person.may(action.permission):
            return f"the role of {by or 'whoever approved it'} does not allow {action.name} any more; nothing was done"
        return ""

    def _lapse(self, owner: str, id: str, reason: str, now: datetime) -> None:
        _log.warning("proposal %s expires at recovery: %s", id, reason)
        approved = (State.APPROVED,)
        self._database.write(
            lambda c: rows.move(c, id, owner, approved, State.EXPIRED, "recovery", now, note=reason), durable=True
        )


def execute(action: Action, request: ActionRequest, connection: Connection | None) -> Done:
    """Run an action. Nothing else in Sayso calls `action.run`; only approved proposals come here."""
    if action.external:
        return cast(ExternalRun, action.run)(request)
    if connection is None:
        raise ValueError(f"{action.name} runs inside a transaction")
    return cast(InternalRun, action.run)(connection, request)


def _decide(connection: Connection, proposal: Proposal, actor: Actor, now: datetime) -> Fact | Expired | None:
    """Write the approval: None when the proposal is approved now, its receipt when it has ended.

    The end of its time is given back, not raised, so that it is recorded too.
    """
    if proposal.state not in (State.PENDING, State.APPROVED):
        return _recorded(connection, actor.owner, proposal)
    if proposal.expires <= now:
        rows.move(connection, proposal.id, actor.owner, (proposal.state,), State.EXPIRED, "clock", now)
        return Expired(f"the proposal expired at {proposal.expires:%Y-%m-%d %H:%M} UTC; ask for it again")
    if proposal.state is State.PENDING:
        pending = (State.PENDING,)
        rows.move(connection, proposal.id, actor.owner, pending, State.APPROVED, actor.id, now, digest=proposal.digest)
    return None


def _recorded(connection: Connection, owner: str, proposal: Proposal) -> Fact:
    """The receipt of a proposal that has run; an error that says what became of any other."""
    if proposal.state in (State.DONE, State.FAILED, State.UNKNOWN):
        return _receipt(connection, owner, proposal.id)
    if proposal.state is State.EXPIRED:
        raise Expired("the proposal has expired; ask for it again")
    if proposal.state is State.EXECUTING:
        raise Conflict("the proposal is running; look again in a moment")
    raise Conflict(f"the proposal was {proposal.state} and cannot be approved")


def _receipt(connection: Connection, owner: str, proposal_id: str) -> Fact:
    found = rows.load_receipt(connection, owner, proposal_id)
    if found is None:
        raise Conflict(f"proposal {proposal_id} has not ended")
    return found


def _request(proposal: Proposal, owner: str, by: str, now: datetime) -> ActionRequest:
    content = proposal.content
    target = Target(**content["target"]) if content["target"] else None
    return ActionRequest(content["arguments"], target, content["precondition"], owner, by, proposal.digest, now)


def _attempt(connection: Connection, action: Action, request: ActionRequest) -> tuple[State, Done]:
    """Run an internal action under a savepoint: when it fails, what it wrote is undone.

    A database that cannot be written is no failure of the action: that goes up, and the proposal
    stays approved.
    """
    try:
        with connection.begin_nested():
            return State.DONE, execute(action, request, connection)
    except ActionRefused as refused:
        return State.FAILED, Done("failed", str(refused))
    except StoreBusy:
        raise
    except Exception as fault:
        if isinstance(fault, DBAPIError) and named_error(fault) is not None:
            raise
        _log.exception("action %s failed", action.name)
        return State.FAILED, Done("failed", NO_REASON)


def _attempt_outside(action: Action, request: ActionRequest) -> tuple[State, Done]:
    try:
        return State.DONE, execute(action, request, None)
    except ActionRefused as refused:
        return State.FAILED, Done("failed", str(refused))
    except Exception:
        _log.exception("action %s broke off", action.name)
        return State.UNKNOWN, Done("unknown", MAY_HAVE_RUN)
