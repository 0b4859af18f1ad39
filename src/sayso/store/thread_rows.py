"""The statements on threads, exchanges and messages, and their rows as values.

They are prepared text: an exchange appends about eight messages, and building statements anew costs more than SQLite
needs to run them. They are plain SQL, the same for every dialect.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, TextClause, text
from sqlalchemy.exc import IntegrityError

from sayso.core.encoding import decode_attempts, encode_attempts, transcript_digest
from sayso.core.messages import Message, Outcome, Role, StopReason, Usage
from sayso.errors import Conflict, NotFound, SaysoError
from sayso.store.holding import LEASE, abandoned
from sayso.store.ports import Exchange, ExchangeState, Thread, stamp
from sayso.store.searching import patterns, searchable

INSERT_THREAD = text(
    "INSERT INTO threads (id, owner, title, next_ref, created, updated, folded)"
    " VALUES (:id, :owner, :title, 1, :at, :at, :folded)"
)
_THREAD = "SELECT id, owner, title, created, updated, next_ref, transcript FROM threads t WHERE owner = :owner"
_GET = text(_THREAD + " AND id = :id")
_BEFORE = " AND (updated < :updated OR (updated = :updated AND id < :id))"
_NEWEST = " ORDER BY updated DESC, id DESC LIMIT :limit"
APART = 10_000
"""How far apart two exchanges of one thread number their facts that run at the same time: more than one can find."""
_REFS = text(
    "UPDATE threads SET updated = :at, next_ref = next_ref + CASE WHEN EXISTS"
    " (SELECT 1 FROM exchanges e WHERE e.thread_id = :id AND e.state = 'running') THEN :apart ELSE 0 END"
    " WHERE id = :id AND owner = :owner RETURNING next_ref"
)
_APPENDED = text(
    "UPDATE threads SET updated = :at, next_ref = CASE WHEN next_ref < :next THEN :next ELSE next_ref END,"
    " transcript = :transcript WHERE id = :id AND owner = :owner"
)
_END = text(
    "SELECT transcript, (SELECT COALESCE(MAX(number), 0) FROM messages m WHERE m.thread_id = t.id) AS last"
    " FROM threads t WHERE id = :id AND owner = :owner"
)
_INSERT_MESSAGE = text("INSERT INTO messages VALUES (:thread, :number, :id, :exchange, :body)")
MESSAGES = text("SELECT id, exchange_id, body FROM messages WHERE thread_id = :id AND number > :after ORDER BY number")
RENAME = text("UPDATE threads SET title = :title, folded = :folded WHERE id = :id AND owner = :owner")
_ENTITLE = text("UPDATE threads SET title = :title, folded = :folded WHERE id = :id AND owner = :owner AND title = ''")
DELETE = text("DELETE FROM threads WHERE id = :id AND owner = :owner")
START = text(
    "INSERT INTO exchanges (id, thread_id, number, question, state, model, started, input_tokens,"
    " output_tokens, steps, folded, holder, lease) SELECT :exchange, :id, COALESCE(MAX(number), 0) + 1, :question,"
    " 'running', :model, :at, 0, 0, 0, :folded, :holder, :lease FROM exchanges WHERE thread_id = :id"
)
_END_OF = (
    "UPDATE exchanges SET state = :state, ended = :at, outcome = :outcome, reason = :reason,"
    " input_tokens = :input, output_tokens = :output, steps = :steps, model = :model, answer = :answer,"
    " report = :report, attempts = :attempts, folded = folded || ' ' || :folded WHERE id = :id"
)
FINISH = text(_END_OF + " AND (state = 'running' OR (state = 'cut' AND holder = :holder))")
"""Whoever runs an exchange ends it, also where another process held them for dead."""
_WENT_ON = text(_END_OF + " AND thread_id = :thread AND state <> 'running'")
EXCHANGES = text(
    "SELECT e.* FROM exchanges e JOIN threads t ON t.id = e.thread_id"
    " WHERE t.id = :id AND t.owner = :owner ORDER BY e.number"
)
HOLD = text("UPDATE exchanges SET lease = :lease WHERE id = :id AND state = 'running' AND holder = :holder")
_RUNNING = text("SELECT id, holder, lease FROM exchanges WHERE state = 'running'")
_CUT = text("UPDATE exchanges SET state = 'cut', ended = :at WHERE id = :id AND state = 'running'")

_log = logging.getLogger(__name__)
BROKEN = (ValueError, KeyError, IndexError, TypeError, AttributeError, ArithmeticError, RecursionError, SaysoError)
"""What decoding a damaged body may raise."""


def the_thread(connection: Connection, owner: str, thread_id: str) -> Thread:
    row = connection.execute(_GET, {"owner": owner, "id": thread_id}).first()
    if row is None:
        raise no_thread(thread_id)
    return thread_of(row)


def page(connection: Connection, owner: str, limit: int, before: str | None, search: str) -> tuple[Thread, ...]:
    """The newest first, those that hold each word of `search` in their title, a question or an answer."""
    values: dict[str, Any] = {"owner": owner, "limit": limit}
    statement = _THREAD
    for number, pattern in enumerate(patterns(search)):
        word = f":word{number} ESCAPE '\\'"
        values[f"word{number}"] = pattern
        statement += (
            f" AND (t.folded LIKE {word} OR EXISTS"
            f" (SELECT 1 FROM exchanges e WHERE e.thread_id = t.id AND e.folded LIKE {word}))"
        )
    if before is not None:
        statement += _BEFORE
        values |= {"id": before, "updated": stamp(the_thread(connection, owner, before).updated)}
    return tuple(thread_of(row) for row in connection.execute(text(statement + _NEWEST), values))


def end_of(connection: Connection, owner: str, thread_id: str) -> tuple[str, int]:
    """The digest of a thread's messages, and how many these are."""
    row = connection.execute(_END, {"id": thread_id, "owner": owner}).first()
    if row is None:
        raise no_thread(thread_id)
    return row.transcript, row.last


def add_messages(
    connection: Connection, owner: str, thread_id: str, messages: Iterable[tuple[Message, str]], at: datetime
) -> int:
    """Append messages with their bodies; gives the number of the last one before them."""
    digest, last = end_of(connection, owner, thread_id)
    next_ref = 1
    for number, (message, body) in enumerate(messages, last + 1):
        row = {
            "thread": thread_id, "number": number, "id": message.id, "exchange": message.exchange_id, "body": body,
        }  # fmt: skip
        insert_once(connection, _INSERT_MESSAGE, row, f"message {message.id} was appended before")
        digest = transcript_digest((message,), digest)
        next_ref = max(next_ref, *(int(numbered.ref[1:]) + 1 for numbered in message.numbered), 1)
    values = {"id": thread_id, "owner": owner, "at": stamp(at), "next": next_ref, "transcript": digest}
    connection.execute(_APPENDED, values)
    return last


def entitle(connection: Connection, owner: str, thread_id: str, title: str) -> None:
    """Give a thread its title where it has none."""
    values = {"id": thread_id, "owner": owner, "title": title, "folded": searchable(title)}
    connection.execute(_ENTITLE, values)


def begin_exchange(connection: Connection, exchange: Exchange, holder: str = "") -> None:
    """Record that an exchange runs, held by this process (`sayso.store.holding`)."""
    values = {
        "id": exchange.thread_id, "exchange": exchange.id, "question": exchange.question, "model": exchange.model,
        "at": stamp(exchange.started), "folded": searchable(exchange.question),
        "holder": holder, "lease": stamp(exchange.started + LEASE),
    }  # fmt: skip
    insert_once(connection, START, values, f"exchange {exchange.id} exists already")


def refs_from(connection: Connection, owner: str, thread_id: str, at: datetime) -> int:
    """From which number on a new exchange's facts are new, whatever runs beside it. Before it begins."""
    values = {"id": thread_id, "owner": owner, "at": stamp(at), "apart": APART}
    first = connection.execute(_REFS, values).scalar()
    if first is None:
        raise no_thread(thread_id)
    return int(first)


def put_exchange(connection: Connection, exchange: Exchange) -> None:
    """Record how far an exchange has come that a caller drives. Raises Conflict while one of this id runs here."""
    values = ending_of(exchange)
    if connection.execute(_WENT_ON, values).rowcount:
        return
    begin_exchange(connection, exchange)
    connection.execute(FINISH, {**values, "holder": ""})


def abandoned_exchanges(connection: Connection, at: datetime) -> list[str]:
    """The ids of the running exchanges whose process died."""
    return [
        row.id
        for row in connection.execute(_RUNNING)
        if abandoned(row.holder, datetime.fromisoformat(row.lease) if row.lease else None, at)
    ]


def cut_abandoned(connection: Connection, at: datetime) -> int:
    """Mark the running exchanges whose process died as cut; gives their number."""
    found = abandoned_exchanges(connection, at)
    return sum(connection.execute(_CUT, {"id": one, "at": stamp(at)}).rowcount for one in found)


def ending_of(exchange: Exchange) -> dict[str, Any]:
    """The values by which an exchange's end is written."""
    return {
        "id": exchange.id, "thread": exchange.thread_id, "state": exchange.state, "outcome": exchange.outcome,
        "reason": exchange.reason, "input": exchange.usage.input_tokens, "output": exchange.usage.output_tokens,
        "steps": exchange.steps, "model": exchange.model, "answer": exchange.answer, "report": exchange.report_json,
        "at": stamp(exchange.ended) if exchange.ended else None, "attempts": encode_attempts(exchange.attempts),
        "folded": searchable(exchange.answer or ""),
    }  # fmt: skip


def insert_once(connection: Connection, statement: TextClause, row: Mapping[str, Any], otherwise: str) -> None:
    try:
        connection.execute(statement, row)
    except IntegrityError as twice:
        raise Conflict(otherwise) from twice


def no_thread(thread_id: str) -> NotFound:
    return NotFound(f"there is no thread {thread_id}")


def thread_of(row: Any) -> Thread:
    created, updated = datetime.fromisoformat(row.created), datetime.fromisoformat(row.updated)
    return Thread(row.id, row.owner, row.title, created, updated, row.next_ref, row.transcript)


def role_of(body: str) -> Role:
    """The role of a message whose body cannot be read otherwise."""
    try:
        return Role(json.loads(body)["role"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return Role.ASSISTANT


def exchange_of(row: Any) -> Exchange:
    try:
        return _read_exchange(row)
    except BROKEN as wrong:
        _log.error("exchange %s of thread %s cannot be read: %s", row.id, row.thread_id, wrong)
        began = datetime.min.replace(tzinfo=UTC)
        failed = ExchangeState.FAILED
        return Exchange(row.id, row.thread_id, row.question, failed, row.model, began, answer=row.answer)


def _read_exchange(row: Any) -> Exchange:
    return Exchange(
        id=row.id,
        thread_id=row.thread_id,
        question=row.question,
        state=ExchangeState(row.state),
        model=row.model,
        started=datetime.fromisoformat(row.started),
        ended=datetime.fromisoformat(row.ended) if row.ended else None,
        outcome=Outcome(row.outcome) if row.outcome else None,
        reason=StopReason(row.reason) if row.reason else None,
        usage=Usage(row.input_tokens, row.output_tokens),
        steps=row.steps,
        answer=row.answer,
        report_json=row.report,
        attempts=decode_attempts(row.attempts),
    )
