"""Runs what was approved: claims it, runs its action, records its end. Nothing else in Sayso runs an action.

An internal action and its end are one transaction. An external one is claimed first, under a lease that is
renewed while it runs; what a dead process left is `recovering`'s business.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from sayso.core.facts import Fact
from sayso.core.ports import Clock
from sayso.core.proposals import Proposal, ProposalState, Target
from sayso.core.tools import Actor
from sayso.errors import Conflict, Expired, StoreBusy
from sayso.gateway import results
from sayso.gateway.actions import Action, ActionRefused, ActionRequest, Done, ExternalRun, InternalRun, NotRun
from sayso.store import proposal_rows as rows
from sayso.store.database import Database
from sayso.store.holding import LEASE, RENEW_SECONDS, new_holder
from sayso.store.sqlite import named_error

State = ProposalState
People = Callable[[str, str], Actor | None]
"""Gives the person with their present role: (owner, id); None for one who is not known (any more)."""
Version = Callable[[Connection, str, Target], str | None]
"""The present version of a change's target, for (connection, owner, target); None for one that is gone."""
Failpoint = Callable[[str], None]
"""Told of each point (`FAILPOINTS`) as it is passed: for tests that end the process there."""

_log = logging.getLogger(__name__)
END_TRIES = 3
NO_REASON = "the action failed; nothing was changed"
MAY_HAVE_RUN = "the action broke off: it may have run, look before you ask for it again"
DID_NOT_RUN = "the action broke off before it did anything"
FAILPOINTS = (
    "approve.begin", "approve.written", "approve.committed", "claim.begin", "claim.written", "claim.committed",
    "effect.begin", "effect.end", "end.begin", "end.written", "end.committed",
)  # fmt: skip
"""In their order. An internal action has no `claim.committed` and no `end.begin`: it is one transaction."""


def no_failpoint(point: str) -> None:
    """What a real process does at a failpoint: nothing."""


def nobody(owner: str, id: str) -> Actor | None:
    """A directory that knows nobody."""
    return None


@dataclass(frozen=True, slots=True)
class Executor:
    """One gateway's hands. `holder` is its name on the claims that it makes."""

    database: Database
    actions: Mapping[str, Action]
    clock: Clock
    people: People = nobody
    version: Version | None = None
    failpoint: Failpoint = no_failpoint
    holder: str = field(default_factory=new_holder)

    def action(self, proposal: Proposal) -> Action:
        name = str(proposal.content["action"])
        if name not in self.actions:
            raise Conflict(f"this installation does not offer the action {name!r} (any more); deny the proposal")
        return self.actions[name]

    def run(self, desk: str, proposal_id: str, digest: str, actor: Actor, now: datetime) -> Fact:
        """Run an approved proposal, and give its receipt. `actor` is who approved it."""

        def start(connection: Connection) -> tuple[Action, ActionRequest] | Fact:
            proposal = rows.load(connection, desk, proposal_id)
            self.failpoint("claim.begin")
            action, request = self.action(proposal), request_of(proposal, actor.id, now)
            if refused := self._not_allowed(connection, desk, proposal, action, actor):
                return refused
            if not self._claim(connection, desk, proposal_id, digest, actor.id):
                return recorded(connection, desk, proposal)
            self.failpoint("claim.written")
            if not action.external:
                self.failpoint("effect.begin")
                ended = _attempt(connection, action, request)
                self.failpoint("effect.end")
                return self._finish(connection, desk, proposal_id, actor, ended)
            if stale := self._stale(connection, proposal):
                return self._finish(connection, desk, proposal_id, actor, (State.FAILED, Done("failed", stale)))
            return action, request

        started = self.database.write(start, durable=True)
        if isinstance(started, Fact):
            self.failpoint("end.committed")
            return started
        self.failpoint("claim.committed")
        return self.run_outside(desk, proposal_id, *started, actor)

    def run_outside(self, desk: str, proposal_id: str, action: Action, request: ActionRequest, actor: Actor) -> Fact:
        """Run an external action that this gateway has claimed."""
        with self._held(proposal_id):
            self.failpoint("effect.begin")
            ended = _attempt_outside(action, request)
            self.failpoint("effect.end")
        return self.end(desk, proposal_id, actor, ended)

    def end(self, desk: str, proposal_id: str, actor: Actor, ended: tuple[State, Done]) -> Fact:
        self.failpoint("end.begin")
        receipt = self._kept(lambda connection: self._finish(connection, desk, proposal_id, actor, ended))
        self.failpoint("end.committed")
        return receipt

    def _kept(self, finish: Callable[[Connection], Fact]) -> Fact:
        """Write an end that only this process knows: a busy database is asked again before it is given up."""
        for left in range(END_TRIES, 0, -1):
            try:
                return self.database.write(finish, durable=True)
            except StoreBusy as busy:
                if left == 1 or not busy.retryable:
                    raise
        raise AssertionError("unreachable")

    def _claim(self, connection: Connection, desk: str, proposal_id: str, digest: str, by: str) -> bool:
        now = self.clock.now()
        return rows.move(
            connection, proposal_id, desk, (State.APPROVED,), State.EXECUTING, by, now, digest=digest,
            holder=self.holder, lease=now + LEASE,
        )  # fmt: skip

    def _not_allowed(
        self, connection: Connection, desk: str, proposal: Proposal, action: Action, actor: Actor
    ) -> Fact | None:
        """The role may have been taken away since the approval: then nothing runs, and the receipt says so."""
        person = self.people(proposal.owner, actor.id) or actor
        if person.owner == proposal.owner and person.may(action.permission):
            return None
        note = f"the role of {actor.id} does not allow {action.name} any more; nothing was done"
        if not rows.move(
            connection, proposal.id, desk, (State.APPROVED,), State.DENIED, "role", self.clock.now(), note=note
        ):
            return recorded(connection, desk, proposal)
        return receipt_of(connection, desk, proposal.id)

    def _stale(self, connection: Connection, proposal: Proposal) -> str:
        """Why an external action must not run any more: its target is not what the person saw. "" where it may."""
        content = proposal.content
        if self.version is None or content["target"] is None or content["precondition"] is None:
            return ""
        target = Target(**content["target"])
        present = self.version(connection, proposal.owner, target)
        if present is None:
            return f"{target.name!r} is no longer there; nothing was done"
        if present != content["precondition"]:
            return f"{target.name!r} has changed since this was proposed; ask for it again"
        return ""

    def _finish(
        self, connection: Connection, desk: str, proposal_id: str, actor: Actor, ended: tuple[State, Done]
    ) -> Fact:
        """Record the end. A process that was thought dead may still tell what it alone knows."""
        state, done = ended
        before = tuple(s for s in (State.EXECUTING, State.UNKNOWN) if s is not state)
        moved = rows.move(
            connection, proposal_id, desk, before, state, actor.id, self.clock.now(), note=done.details,
            outcome=done.outcome, held_by=self.holder,
        )  # fmt: skip
        if moved:
            results.add(connection, proposal_id, done)
        else:
            _log.warning("proposal %s was settled before its action ended as %s", proposal_id, state)
        self.failpoint("end.written")
        return receipt_of(connection, desk, proposal_id)

    @contextmanager
    def _held(self, proposal_id: str) -> Generator[None]:
        """Renews the claim's lease while its action runs."""
        over = threading.Event()

        def renewed(connection: Connection) -> bool:
            return rows.renew(connection, proposal_id, self.holder, self.clock.now() + LEASE)

        def renew() -> None:
            while not over.wait(RENEW_SECONDS):
                try:
                    self.database.write(renewed)
                except Exception as fault:  # a busy database: the next renewal comes before the lease is over
                    _log.warning("the claim of proposal %s was not renewed: %s", proposal_id, fault)

        thread = threading.Thread(target=renew, name="sayso-lease", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()


def execute(action: Action, request: ActionRequest, connection: Connection | None) -> Done:
    """Run an action. Nothing else in Sayso calls `action.run`; only approved proposals come here."""
    if action.external:
        return cast(ExternalRun, action.run)(request)
    if connection is None:
        raise ValueError(f"{action.name} runs inside a transaction")
    return cast(InternalRun, action.run)(connection, request)


def looked_up(action: Action, request: ActionRequest) -> Done | NotRun | None:
    """Whether the action has happened, by its key: how it ended, that it certainly did not, or nobody knows."""
    if action.check is None:
        return None
    try:
        return action.check(request)
    except Exception:
        _log.exception("looking for what became of %s failed", action.name)
        return None


def recorded(connection: Connection, desk: str, proposal: Proposal) -> Fact:
    """The receipt of a proposal that has run; an error that says what became of any other."""
    if proposal.state in (State.DONE, State.FAILED, State.UNKNOWN):
        return receipt_of(connection, desk, proposal.id)
    if proposal.state is State.EXPIRED:
        raise Expired("the proposal has expired; ask for it again")
    if proposal.state is State.EXECUTING:
        raise Conflict("the proposal is running; look again in a moment")
    raise Conflict(f"the proposal was {proposal.state} and cannot be approved")


def receipt_of(connection: Connection, desk: str, proposal_id: str) -> Fact:
    found = rows.load_receipt(connection, desk, proposal_id)
    if found is None:
        raise Conflict(f"proposal {proposal_id} has not ended")
    return found


def request_of(proposal: Proposal, by: str, now: datetime) -> ActionRequest:
    """Whose records it changes is in the bytes that were approved, not in the row that holds them."""
    content, owner = proposal.content, proposal.owner
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
    found = looked_up(action, request)
    if isinstance(found, Done):
        return State.DONE, found
    return (State.FAILED, Done("failed", DID_NOT_RUN)) if found else (State.UNKNOWN, Done("unknown", MAY_HAVE_RUN))
