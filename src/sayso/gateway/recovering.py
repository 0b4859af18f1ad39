"""Finishes what a dead process left. What a live one is doing is left alone: see `holding`.

Approved and never claimed: run, if the approver's role still allows it. Claimed: looked up by its key, or run
again with the same key where the action says that this is safe; else `unknown`, which a person must look at.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime

from sayso.core.proposals import Proposal, ProposalState
from sayso.core.tools import Actor
from sayso.errors import Conflict, StoreBusy
from sayso.gateway.actions import Action, ActionRequest, Done
from sayso.gateway.executing import DID_NOT_RUN, MAY_HAVE_RUN, Executor, looked_up, request_of
from sayso.store import proposal_rows as rows
from sayso.store.holding import LEASE, abandoned
from sayso.store.proposal_rows import Claim

State = ProposalState
BY = "recovery"
_TakeUp = Callable[[Executor, Claim, datetime], int]
_log = logging.getLogger(__name__)


def recover(executor: Executor, now: datetime) -> int:
    """Gives the number of proposals touched; one that cannot be read is left as it is, and logged."""
    database = executor.database
    touched = database.write(lambda connection: rows.expire(connection, now), durable=True)
    for state, take_up in ((State.EXECUTING, _take_up), (State.APPROVED, _resume)):
        claims = database.read(lambda connection, state=state: rows.claims(connection, state))
        for claim in claims:
            if abandoned(claim.holder, claim.lease, now):
                touched += _guarded(executor, claim, now, take_up)
    return touched


def _guarded(executor: Executor, claim: Claim, now: datetime, take_up: _TakeUp) -> int:
    try:
        return take_up(executor, claim, now)
    except StoreBusy:
        _log.warning("proposal %s stays %s: the database is busy", claim.id, claim.state)
    except (Conflict, ValueError, KeyError, TypeError) as wrong:
        _log.error("proposal %s stays %s and is not run: %s", claim.id, claim.state, wrong)
    return 0


def _resume(executor: Executor, claim: Claim, now: datetime) -> int:
    """Run one approved proposal that no process claimed, if it still may run."""
    proposal, by = _loaded(executor, claim)
    if lapsed := _lapsed(executor, proposal, by, now):
        state, reason = lapsed
        _log.warning("proposal %s is %s at recovery: %s", claim.id, state, reason)
        approved = (State.APPROVED,)
        return executor.database.write(
            lambda c: rows.move(c, claim.id, claim.desk, approved, state, BY, now, note=reason), durable=True
        )
    person = executor.people(proposal.owner, by)
    assert person is not None
    executor.run(claim.desk, claim.id, proposal.digest, person, now)
    return 1


def _take_up(executor: Executor, claim: Claim, now: datetime) -> int:
    """Settle one that was claimed and never ended, as far as its action can tell."""
    try:
        proposal, by = _loaded(executor, claim)
        action = executor.actions.get(str(proposal.content["action"]))
        request = request_of(proposal, by, now)
    except (Conflict, ValueError, KeyError, TypeError) as wrong:
        _log.error("proposal %s cannot be read: %s", claim.id, wrong)
        return _mark_unknown(executor, claim, now)
    if action is None or not (action.check or action.repeatable):
        return _mark_unknown(executor, claim, now)
    if not executor.database.write(
        lambda c: rows.take_over(c, claim, executor.holder, executor.clock.now() + LEASE, BY, now), durable=True
    ):
        return 0  # another process was quicker
    _settle(executor, claim, proposal, action, request, now)
    return 1


def _settle(
    executor: Executor, claim: Claim, proposal: Proposal, action: Action, request: ActionRequest, now: datetime
) -> None:
    nobody = Actor(BY, proposal.owner, frozenset())
    found = looked_up(action, request)
    if isinstance(found, Done):
        executor.end(claim.desk, claim.id, nobody, (State.DONE, found))
    elif found is None and not action.repeatable:
        executor.end(claim.desk, claim.id, nobody, (State.UNKNOWN, Done("unknown", MAY_HAVE_RUN)))
    elif not action.external:  # it runs inside the transaction that approves, or not at all
        executor.end(claim.desk, claim.id, nobody, (State.FAILED, Done("failed", DID_NOT_RUN)))
    elif lapsed := _lapsed(executor, proposal, request.actor, now):
        unsure = (State.UNKNOWN, Done("unknown", f"{MAY_HAVE_RUN}; {lapsed[1]}"))
        ended = (State.FAILED, Done("failed", f"{DID_NOT_RUN}; {lapsed[1]}")) if found else unsure
        executor.end(claim.desk, claim.id, nobody, ended)
    else:
        person = executor.people(proposal.owner, request.actor)
        assert person is not None
        executor.run_outside(claim.desk, claim.id, action, request, person)


def _mark_unknown(executor: Executor, claim: Claim, now: datetime) -> int:
    executing = (State.EXECUTING,)
    return executor.database.write(
        lambda c: rows.move(
            c, claim.id, claim.desk, executing, State.UNKNOWN, BY, now, note=MAY_HAVE_RUN, held_by=claim.holder,
        ),
        durable=True,
    )  # fmt: skip


def _loaded(executor: Executor, claim: Claim) -> tuple[Proposal, str]:
    """The proposal, and who approved it last."""
    database = executor.database
    proposal = database.read(lambda connection: rows.load(connection, claim.desk, claim.id))
    return proposal, database.read(lambda connection: rows.approved_by(connection, claim.id)) or ""


def _lapsed(executor: Executor, proposal: Proposal, by: str, now: datetime) -> tuple[State, str] | None:
    """Why an approval does not hold any more, and the state that follows; None where it does."""
    action = executor.actions.get(str(proposal.content["action"]))
    if proposal.expires <= now:
        return State.EXPIRED, "its time was over before it could run"
    if action is None:
        name = proposal.content["action"]
        return State.EXPIRED, f"this installation does not offer the action {name!r} any more"
    person = executor.people(proposal.owner, by)
    if person is None or person.owner != proposal.owner or not person.may(action.permission):
        who = by or "whoever approved it"
        return State.DENIED, f"the role of {who} does not allow {action.name} any more; nothing was done"
    return None
