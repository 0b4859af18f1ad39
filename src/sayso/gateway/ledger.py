"""The memory of calls: each runs once, and whoever repeats it gets what was recorded.

A call is known by its owner, its person and its id. Which process runs it is decided by one conditional insert;
a claim whose time is over may be taken over. Rows are kept for a day, those of changes as long as the change waits.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, text

from sayso.core.tools import Actor
from sayso.errors import Conflict
from sayso.gateway.calls import Call, CallKind
from sayso.gateway.pending import PROPOSAL_LIFETIME
from sayso.store.database import Database
from sayso.store.ports import stamp

KEPT = timedelta(days=1)
MAX_TOLD = 50  # results of an exchange by which the texts of its changes are judged

_ONE = " WHERE owner = :owner AND actor = :actor AND call_id = :call"
_LOOK = text("SELECT digest, arguments, thread_id, state, lease, result, at FROM calls" + _ONE)
_CLAIM = text(
    "INSERT INTO calls (owner, actor, call_id, name, digest, arguments, thread_id, exchange_id, kind, state, lease, at,"
    " expires) VALUES (:owner, :actor, :call, :name, :digest, :arguments, :thread, :exchange, '', 'running', :lease,"
    " :at, :expires)"
)
_TAKE_OVER = text("UPDATE calls SET lease = :lease, at = :at" + _ONE + " AND state = 'running'")
_RECORD = text(
    "UPDATE calls SET state = 'done', result = :result, kind = :kind, at = :at, expires = :expires"
    + _ONE
    + " AND state = 'running'"
)
_FORGET = text("DELETE FROM calls" + _ONE + " AND state = 'running'")
_PRUNE = text("DELETE FROM calls WHERE expires < :now")
_TOLD = text(
    "SELECT result FROM calls WHERE owner = :owner AND actor = :actor AND thread_id = :thread AND exchange_id = :ex"
    " AND kind = 'read' AND state = 'done' ORDER BY at DESC, call_id LIMIT :limit"
)


REUSED = "this call's id was used for another call; give each call an id of its own"


class CallReused(Conflict):
    """The id belongs to another call of this person."""

    code = "call_reused"


@dataclass(frozen=True, slots=True)
class Known:
    """What is recorded of a call: its result as JSON, None while it runs; until when whoever runs it may."""

    result: dict[str, Any] | None
    at: datetime
    lease: datetime
    arguments: str


class Ledger:
    """`seconds` that a claim holds: longer than a call may take."""

    def __init__(self, database: Database, seconds: float = 60.0) -> None:
        self._database = database
        self._lease = timedelta(seconds=seconds)

    async def claim(self, actor: Actor, call: Call, now: datetime) -> Known | None:
        """None: it is the caller's to run. Else what is known of it. Raises CallReused for other arguments."""

        def decide(connection: Connection) -> Known | None:
            row = _key(actor, call.id)
            connection.execute(_PRUNE, {"now": stamp(now)})
            lease = {"lease": stamp(now + self._lease), "at": stamp(now)}
            known = _known(connection, row, call)
            if known is None:
                connection.execute(_CLAIM, row | lease | _described(call) | {"expires": stamp(now + KEPT)})
                return None
            if known.result is None and known.lease <= now:
                connection.execute(_TAKE_OVER, row | lease)
                return None
            return known

        return await self._database.awrite(decide)

    async def look(self, actor: Actor, call: Call) -> Known | None:
        """What is known of a call. Raises CallReused for other arguments."""
        return await self._database.aread(lambda connection: _known(connection, _key(actor, call.id), call))

    async def record(self, actor: Actor, call_id: str, result: dict[str, Any], now: datetime) -> None:
        kind = str(result["kind"])
        kept = PROPOSAL_LIFETIME + KEPT if kind == CallKind.PROPOSE.value else KEPT
        row = _key(actor, call_id) | {
            "result": json.dumps(result), "kind": kind, "at": stamp(now), "expires": stamp(now + kept),
        }  # fmt: skip
        await self._database.awrite(lambda connection: connection.execute(_RECORD, row))

    async def forget(self, actor: Actor, call_id: str) -> None:
        """Give a claim back that came to nothing, so that the call can be made again."""
        await self._database.awrite(lambda connection: connection.execute(_FORGET, _key(actor, call_id)))

    async def told(self, actor: Actor, thread_id: str, exchange_id: str) -> list[dict[str, Any]]:
        """The results of an exchange's reads, the newest first."""
        row = {
            "owner": actor.owner, "actor": actor.id, "thread": thread_id, "ex": exchange_id, "limit": MAX_TOLD,
        }  # fmt: skip
        found = await self._database.aread(lambda connection: connection.execute(_TOLD, row).scalars().all())
        return [json.loads(result) for result in found]


def _key(actor: Actor, call_id: str) -> dict[str, Any]:
    return {"owner": actor.owner, "actor": actor.id, "call": call_id}


def _described(call: Call) -> dict[str, Any]:
    return {
        "name": call.name, "digest": call.digest, "arguments": call.arguments_digest, "thread": call.thread_id,
        "exchange": call.exchange_id,
    }  # fmt: skip


def _known(connection: Connection, key: dict[str, Any], call: Call) -> Known | None:
    row = connection.execute(_LOOK, key).first()
    if row is None:
        return None
    elsewhere = row.thread_id and call.thread_id and row.thread_id != call.thread_id
    if row.digest != call.digest or elsewhere:
        raise CallReused(REUSED)
    result = json.loads(row.result) if row.state == "done" else None
    return Known(result, datetime.fromisoformat(row.at), datetime.fromisoformat(row.lease), row.arguments)
