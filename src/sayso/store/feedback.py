"""What people think of answers: one word a person and exchange, the newest. It goes with its thread."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from sayso.errors import NotFound
from sayso.store.ports import Feedback, Rating, stamp

_COLUMNS = "f.thread_id, f.exchange_id, f.by, f.verdict, f.words, f.at"
_OF_OWNER = f"SELECT {_COLUMNS} FROM feedback f JOIN threads t ON t.id = f.thread_id WHERE t.owner = :owner"
_NEWEST = " ORDER BY f.at DESC, f.exchange_id DESC LIMIT :limit"
_ALL = text(_OF_OWNER + _NEWEST)
_ONE = text(_OF_OWNER + " AND t.id = :thread" + _NEWEST)
_EXCHANGE = text(
    "SELECT 1 FROM exchanges e JOIN threads t ON t.id = e.thread_id"
    " WHERE e.id = :exchange AND t.id = :thread AND t.owner = :owner"
)
_RATE = text(
    "INSERT INTO feedback (thread_id, exchange_id, by, verdict, words, at) VALUES"
    " (:thread, :exchange, :by, :rating, :words, :at)"
    " ON CONFLICT (thread_id, exchange_id, by) DO UPDATE SET verdict = :rating, words = :words, at = :at"
)
_UNRATE = text("DELETE FROM feedback WHERE thread_id = :thread AND exchange_id = :exchange AND by = :by")


def rate(connection: Connection, owner: str, feedback: Feedback) -> None:
    """Raises NotFound for an exchange that this owner does not have."""
    _check(connection, owner, feedback.thread_id, feedback.exchange_id)
    row = {
        "thread": feedback.thread_id, "exchange": feedback.exchange_id, "by": feedback.by,
        "rating": feedback.rating.value, "words": feedback.words, "at": stamp(feedback.at),
    }  # fmt: skip
    connection.execute(_RATE, row)


def unrate(connection: Connection, owner: str, thread_id: str, exchange_id: str, by: str) -> None:
    _check(connection, owner, thread_id, exchange_id)
    connection.execute(_UNRATE, {"thread": thread_id, "exchange": exchange_id, "by": by})


def rated(connection: Connection, owner: str, thread_id: str | None, limit: int) -> tuple[Feedback, ...]:
    values = {"owner": owner, "thread": thread_id, "limit": limit}
    found = connection.execute(_ALL if thread_id is None else _ONE, values)
    return tuple(_feedback(row) for row in found)


def no_exchange(exchange_id: str) -> NotFound:
    return NotFound(f"this conversation has no exchange {exchange_id}")


def _check(connection: Connection, owner: str, thread_id: str, exchange_id: str) -> None:
    values = {"exchange": exchange_id, "thread": thread_id, "owner": owner}
    if connection.execute(_EXCHANGE, values).first() is None:
        raise no_exchange(exchange_id)


def _feedback(row: Any) -> Feedback:
    at = datetime.fromisoformat(row.at)
    return Feedback(row.thread_id, row.exchange_id, row.by, Rating(row.verdict), row.words, at)
