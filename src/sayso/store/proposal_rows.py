"""Proposals as rows, on a connection: the steps of which the store's and the gateway's
transactions are made. Every change of state is one conditional update, and is logged.

`owner` is the desk of the person whose card it is (`sayso.core.actors.Actor.desk`); whose records a proposal changes
stands in its bytes, and in the audit log.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    func,
    insert,
    select,
    update,
)

from sayso.core.actors import desks_of
from sayso.core.facts import Fact
from sayso.core.proposals import NEXT_STATES, Proposal, ProposalState, content_digest, digest_of, strict_json
from sayso.errors import Conflict, NotFound
from sayso.store.audit import Did, told_of_proposal
from sayso.store.ports import ProposalChange, stamp
from sayso.store.receipts import ENDED, UNKNOWN_DETAILS, WORDS, receipt

_logger = logging.getLogger(__name__)
T = TypeVar("T")
_META = MetaData()
PROPOSALS = Table(
    "proposals", _META,
    Column("id", String, primary_key=True), Column("owner", String), Column("thread_id", String),
    Column("exchange_id", String), Column("call_id", String), Column("canonical", LargeBinary),
    Column("digest", String), Column("content_digest", String), Column("state", String),
    Column("filed", String), Column("expires", String), Column("outcome", String),
    Column("details", String), Column("ended", String), Column("delivered", Boolean),
    Column("holder", String), Column("lease", String),
)  # fmt: skip
CHANGES = Table(
    "proposal_changes", _META,
    Column("id", Integer, primary_key=True), Column("proposal_id", String), Column("state", String),
    Column("by", String), Column("at", String), Column("digest", String), Column("note", String),
)  # fmt: skip
GROUNDS = Table(
    "proposal_grounds", _META, Column("proposal_id", String, primary_key=True), Column("body", String),
)  # fmt: skip
_P = PROPOSALS.c
_APPROVED_ONCE = tuple(
    s.value for s in (ProposalState.APPROVED, ProposalState.EXECUTING, ProposalState.DONE, ProposalState.UNKNOWN)
)


@dataclass(frozen=True, slots=True)
class Claim:
    """Who holds a proposal that is approved or executing, and until when; None where nobody said."""

    desk: str
    id: str
    state: ProposalState
    holder: str | None
    lease: datetime | None


def check_move(from_states: Collection[ProposalState], to: ProposalState) -> None:
    """Raises Conflict for a change of state that the core does not allow."""
    for state in from_states:
        if to not in NEXT_STATES.get(state, frozenset()):
            raise Conflict(f"a proposal cannot go from {state} to {to}")


def proposal_of(row: Any) -> Proposal:
    """Raises Conflict when the bytes are not those that were filed: nothing may run from them."""
    canonical = bytes(row.canonical)
    if digest_of(canonical) != row.digest:
        raise Conflict(f"proposal {row.id} was altered in the database; it cannot be used")
    return Proposal(row.id, row.thread_id, row.exchange_id, row.call_id, canonical, ProposalState(row.state))


def readable(found: Iterable[Any], read: Callable[[Any], T]) -> tuple[T, ...]:
    """The rows that can be read; one that cannot costs only itself, and is named in the log."""
    out: list[T] = []
    for row in found:
        try:
            out.append(read(row))
        except (Conflict, ValueError, KeyError, TypeError) as wrong:
            _logger.error("proposal %s is left out: %s", row.id, wrong)
    return tuple(out)


def load(connection: Connection, owner: str, proposal_id: str) -> Proposal:
    row = connection.execute(select(PROPOSALS).where(_P.id == proposal_id, _P.owner == owner)).first()
    if row is None:
        raise NotFound(f"there is no proposal {proposal_id}")
    return proposal_of(row)


def find_pending(connection: Connection, owner: str, content: str) -> Proposal | None:
    query = select(PROPOSALS).where(
        _P.owner == owner, _P.content_digest == content, _P.state == ProposalState.PENDING.value
    )
    row = connection.execute(query).first()
    return proposal_of(row) if row else None


def add(connection: Connection, proposal: Proposal, owner: str, at: datetime, grounds: str = "") -> None:
    row = {
        "id": proposal.id, "owner": owner, "thread_id": proposal.thread_id,
        "exchange_id": proposal.exchange_id, "call_id": proposal.call_id,
        "canonical": proposal.canonical, "digest": proposal.digest,
        "content_digest": content_digest(proposal.canonical), "state": ProposalState.PENDING.value,
        "filed": stamp(at), "expires": stamp(proposal.expires), "delivered": False,
    }  # fmt: skip
    connection.execute(insert(PROPOSALS), row)
    if grounds:
        connection.execute(insert(GROUNDS), {"proposal_id": proposal.id, "body": grounds})
    by = str(proposal.content.get("actor", owner))
    _log(connection, proposal.id, ProposalState.PENDING, by, at, proposal.digest, "filed")
    told_of_proposal(
        connection, _records(proposal.canonical, owner), proposal.id, Did.PROPOSED, by, at, proposal.digest
    )


def move(
    connection: Connection, proposal_id: str, owner: str, from_states: Collection[ProposalState],
    to: ProposalState, by: str, at: datetime, *, digest: str | None = None, note: str | None = None,
    outcome: str | None = None, holder: str | None = None, lease: datetime | None = None, held_by: str | None = None,
) -> bool:  # fmt: skip
    """Move a proposal, if it is in one of `from_states` (has this digest, is held by `held_by`). One
    conditional update. `holder` and `lease` say who holds it from now on."""
    check_move(from_states, to)
    values: dict[str, Any] = {"state": to.value}
    if to in ENDED:
        values |= {
            "outcome": outcome or WORDS.get(to, to.value),
            "details": note or "",
            "ended": stamp(at),
            "delivered": False,
        }
    if holder is not None:
        values |= {"holder": holder, "lease": stamp(lease) if lease else None}
    states = [state.value for state in from_states]
    statement = update(PROPOSALS).where(_P.id == proposal_id, _P.owner == owner, _P.state.in_(states))
    if digest is not None:
        statement = statement.where(_P.digest == digest)
    if held_by is not None:
        statement = statement.where(_P.holder == held_by)
    if not connection.execute(statement.values(**values)).rowcount:
        return False
    kept = connection.execute(select(_P.digest, _P.canonical).where(_P.id == proposal_id)).one()
    seen = digest or str(kept.digest)
    _log(connection, proposal_id, to, by, at, seen, note or "")
    told_of_proposal(connection, _records(bytes(kept.canonical), owner), proposal_id, to, by, at, seen)
    return True


def rewrite(connection: Connection, owner: str, proposal_id: str, canonical: bytes, by: str, at: datetime) -> Proposal:
    """Put other bytes into a pending proposal. Raises Conflict when it is not pending any more."""
    old = load(connection, owner, proposal_id)
    new = Proposal(old.id, old.thread_id, old.exchange_id, old.call_id, canonical)
    twin = find_pending(connection, owner, content_digest(canonical))
    if twin is not None and twin.id != proposal_id:
        raise Conflict(f"the same change waits already as proposal {twin.id}")
    values = {
        "canonical": canonical, "digest": new.digest, "content_digest": content_digest(canonical),
        "expires": stamp(new.expires),
    }  # fmt: skip
    pending = _P.state == ProposalState.PENDING.value
    where = update(PROPOSALS).where(_P.id == proposal_id, _P.owner == owner, pending)
    if not connection.execute(where.values(**values)).rowcount:
        raise Conflict(f"proposal {proposal_id} is {old.state} and cannot be edited any more")
    _log(connection, proposal_id, ProposalState.PENDING, by, at, new.digest, "edited")
    told_of_proposal(connection, _records(canonical, owner), proposal_id, Did.EDITED, by, at, new.digest)
    return new


def expire(connection: Connection, now: datetime) -> int:
    """Expire what waits beyond its time. An approved one is not touched: the gateway decides there."""
    query = select(_P.id, _P.owner).where(_P.state == ProposalState.PENDING.value, _P.expires <= stamp(now))
    rows = connection.execute(query).all()
    pending = (ProposalState.PENDING,)
    return sum(move(connection, row.id, row.owner, pending, ProposalState.EXPIRED, "clock", now) for row in rows)


def claims(connection: Connection, state: ProposalState) -> list[Claim]:
    """Those in this state, of all owners: for recovery only."""
    columns = (_P.owner, _P.id, _P.holder, _P.lease)
    found = connection.execute(select(*columns).where(_P.state == state.value).order_by(_P.filed, _P.id))
    return [
        Claim(r.owner, r.id, state, r.holder, datetime.fromisoformat(r.lease) if r.lease else None) for r in found
    ]  # fmt: skip


def renew(connection: Connection, proposal_id: str, holder: str, lease: datetime) -> bool:
    """Hold on to a claim for longer; False when it is not this holder's any more."""
    mine = update(PROPOSALS).where(
        _P.id == proposal_id, _P.holder == holder, _P.state == ProposalState.EXECUTING.value
    )  # fmt: skip
    return bool(connection.execute(mine.values(lease=stamp(lease))).rowcount)


def take_over(connection: Connection, claim: Claim, holder: str, lease: datetime, by: str, at: datetime) -> bool:
    """Make an abandoned claim one's own; False when somebody else has, or it has ended."""
    theirs = _P.holder.is_(None) if claim.holder is None else _P.holder == claim.holder
    where = update(PROPOSALS).where(_P.id == claim.id, _P.owner == claim.desk, _P.state == claim.state.value, theirs)
    if claim.lease is not None:
        where = where.where(_P.lease == stamp(claim.lease))  # it was not renewed meanwhile
    if not connection.execute(where.values(holder=holder, lease=stamp(lease))).rowcount:
        return False
    _log(connection, claim.id, claim.state, by, at, _digest(connection, claim.id), "taken over")
    return True


def approved_by(connection: Connection, proposal_id: str) -> str | None:
    """The id of the person who approved it last."""
    query = (
        select(CHANGES.c.by)
        .where(CHANGES.c.proposal_id == proposal_id, CHANGES.c.state == ProposalState.APPROVED.value)
        .order_by(CHANGES.c.id.desc())
    )
    return connection.execute(query).scalar()


def load_grounds(connection: Connection, proposal_id: str) -> str | None:
    """What the proposal was filed with, as one JSON document; None where nothing was kept."""
    return connection.execute(select(GROUNDS.c.body).where(GROUNDS.c.proposal_id == proposal_id)).scalar()


def filed_in(connection: Connection, owner: str, thread_id: str, exchange_id: str) -> int:
    """How many proposals one exchange filed."""
    where = (_P.owner == owner, _P.thread_id == thread_id, _P.exchange_id == exchange_id)
    return connection.execute(select(func.count()).select_from(PROPOSALS).where(*where)).scalar_one()


def approved_alike(connection: Connection, proposal: Proposal, since: datetime) -> datetime | None:
    """When the same act (action, arguments, target) on the same owner's records was approved last, by another
    proposal: at anybody's desk, since done twice is done twice."""
    wanted, spelt = _act(proposal), _spelt(proposal.content["arguments"])
    own, others = desks_of(proposal.owner)
    approved = CHANGES.c.state == ProposalState.APPROVED.value
    query = (
        select(PROPOSALS, CHANGES.c.at)
        .join(CHANGES, CHANGES.c.proposal_id == _P.id)
        .where((_P.owner == own) | _P.owner.startswith(others, autoescape=True))
        .where(_P.id != proposal.id, _P.state.in_(_APPROVED_ONCE), approved, CHANGES.c.at >= stamp(since))
        .order_by(CHANGES.c.id.desc())
    )
    # Most are of other acts, and told apart before they are read whole.
    near = (row for row in connection.execute(query) if spelt in bytes(row.canonical))
    alike = readable(near, lambda row: row.at if _act(proposal_of(row)) == wanted else None)
    return next((datetime.fromisoformat(at) for at in alike if at is not None), None)


def _spelt(value: Any) -> bytes:
    """As it stands in the canonical bytes."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def _act(proposal: Proposal) -> tuple[Any, ...]:
    content = proposal.content
    target = content["target"]
    target_named = (target["kind"], target["key"]) if target else None
    return proposal.owner, content["action"], content["arguments"], target_named


def changes(connection: Connection, owner: str, proposal_id: str) -> tuple[ProposalChange, ...]:
    load(connection, owner, proposal_id)
    rows = connection.execute(select(CHANGES).where(CHANGES.c.proposal_id == proposal_id).order_by(CHANGES.c.id))
    return tuple(
        ProposalChange(ProposalState(r.state), r.by, datetime.fromisoformat(r.at), r.digest, r.note) for r in rows
    )


def receipt_of(row: Any) -> Fact:
    details = row.details or (UNKNOWN_DETAILS if row.state == ProposalState.UNKNOWN.value else "")
    return receipt(proposal_of(row), row.outcome, details, datetime.fromisoformat(row.ended))


def load_receipt(connection: Connection, owner: str, proposal_id: str) -> Fact | None:
    """The receipt of a proposal that has ended; None while it has none."""
    row = connection.execute(select(PROPOSALS).where(_P.id == proposal_id, _P.owner == owner)).first()
    if row is None:
        raise NotFound(f"there is no proposal {proposal_id}")
    return receipt_of(row) if row.state in {state.value for state in ENDED} else None


def _records(canonical: bytes, desk: str) -> str:
    """Whose records the bytes are about; the desk where they cannot be read, so that what was done is told."""
    try:
        return str(strict_json(canonical)["owner"])
    except (ValueError, KeyError, TypeError):
        return desk


def _digest(connection: Connection, proposal_id: str) -> str:
    return str(connection.execute(select(_P.digest).where(_P.id == proposal_id)).scalar_one())


def _log(
    connection: Connection, proposal_id: str, state: ProposalState, by: str, at: datetime, digest: str, note: str
) -> None:
    row = {
        "proposal_id": proposal_id, "state": state.value, "by": by, "at": stamp(at), "digest": digest, "note": note,
    }  # fmt: skip
    connection.execute(insert(CHANGES), row)
