"""Threads, their exchanges and messages in the database. It knows no tool and no model.

The statements are prepared text: an exchange appends about eight messages, and building them
anew costs more than SQLite needs to run them. They are plain SQL, the same for every dialect.
"""

from __future__ import annotations

import json
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, TextClause, text
from sqlalchemy.exc import IntegrityError

from sayso.core.encoding import decode_attempts, decode_message, encode_attempts, encode_message
from sayso.core.facts import LOOKUP, PROPOSAL, PROVIDED, RECEIPT, SECOND_HAND, FactKind, kinds_by_name
from sayso.core.images import ATTACHED
from sayso.core.messages import Attempt, Message, Outcome, Role, StopReason, TextPart, Usage
from sayso.errors import Conflict, NotFound, SaysoError
from sayso.store.database import Database
from sayso.store.images import forget_images, show_images
from sayso.store.ports import Exchange, ExchangeState, Thread, now_utc, stamp
from sayso.store.searching import searchable

CORE_KINDS = kinds_by_name((LOOKUP, PROPOSAL, RECEIPT, SECOND_HAND, PROVIDED, ATTACHED))
CACHED_MESSAGES = 20_000
UNREADABLE = "[this message cannot be read]"
"""The text of a message that stands for a row whose body cannot be read: the rest of its thread can."""

_log = logging.getLogger(__name__)

_INSERT_THREAD = text(
    "INSERT INTO threads (id, owner, title, next_ref, created, updated, folded)"
    " VALUES (:id, :owner, :title, 1, :at, :at, :folded)"
)
_THREAD = "SELECT id, owner, title, created, updated, next_ref FROM threads WHERE owner = :owner"
_GET = text(_THREAD + " AND id = :id")
_LIST = text(_THREAD + " ORDER BY updated DESC, id DESC LIMIT :limit")
_LIST_BEFORE = text(
    _THREAD + " AND (updated < :updated OR (updated = :updated AND id < :id))"
    " ORDER BY updated DESC, id DESC LIMIT :limit"
)
_TOUCH = text(
    "UPDATE threads SET updated = :at, next_ref = CASE WHEN next_ref < :next THEN :next ELSE next_ref END"
    " WHERE id = :id AND owner = :owner"
)
_LAST = text("SELECT COALESCE(MAX(number), 0) FROM messages WHERE thread_id = :id")
_INSERT_MESSAGE = text("INSERT INTO messages VALUES (:thread, :number, :id, :exchange, :body)")
_MESSAGES = text("SELECT id, exchange_id, body FROM messages WHERE thread_id = :id AND number > :after ORDER BY number")
_RENAME = text("UPDATE threads SET title = :title WHERE id = :id AND owner = :owner")
_DELETE = text("DELETE FROM threads WHERE id = :id AND owner = :owner")
_START = text(
    "INSERT INTO exchanges (id, thread_id, number, question, state, model, started, input_tokens,"
    " output_tokens, steps) SELECT :exchange, :id, COALESCE(MAX(number), 0) + 1, :question, 'running', :model,"
    " :at, 0, 0, 0 FROM exchanges WHERE thread_id = :id"
)
_FINISH = text(
    "UPDATE exchanges SET state = :state, ended = :at, outcome = :outcome, reason = :reason,"
    " input_tokens = :input, output_tokens = :output, steps = :steps, model = :model, answer = :answer,"
    " report = :report, attempts = :attempts WHERE id = :id AND state = 'running'"
)
_EXCHANGES = text(
    "SELECT e.* FROM exchanges e JOIN threads t ON t.id = e.thread_id"
    " WHERE t.id = :id AND t.owner = :owner ORDER BY e.number"
)
_RECOVER = text("UPDATE exchanges SET state = 'cut', ended = :at WHERE state = 'running'")


def new_id(prefix: str) -> str:
    return f"{prefix}_{secrets.token_hex(10)}"


class Threads:
    """`kinds` are the fact kinds by name that messages may hold; those of the core are known."""

    def __init__(
        self,
        database: Database,
        kinds: Mapping[str, FactKind] | None = None,
        *,
        now: Callable[[], datetime] = now_utc,
        ids: Callable[[str], str] = new_id,
        cached_messages: int = CACHED_MESSAGES,
    ) -> None:
        self._database = database
        self._kinds = {**CORE_KINDS, **(kinds or {})}
        self._now = now
        self._ids = ids
        self._cache = _Cache(cached_messages)

    async def create(self, owner: str, title: str = "") -> Thread:
        at = self._now()
        thread = Thread(self._ids("thread"), owner, title, at, at)
        row = {"id": thread.id, "owner": owner, "title": title, "at": stamp(at), "folded": searchable(title)}
        await self._database.awrite(lambda connection: connection.execute(_INSERT_THREAD, row))
        return thread

    async def get(self, owner: str, thread_id: str) -> Thread:
        return await self._database.aread(lambda connection: _get(connection, owner, thread_id))

    async def list(self, owner: str, limit: int = 50, before: str | None = None) -> tuple[Thread, ...]:
        """The newest first; `before` is the id of the last thread of the page before this one."""

        def page(connection: Connection) -> tuple[Thread, ...]:
            values: dict[str, Any] = {"owner": owner, "limit": limit}
            statement = _LIST
            if before is not None:
                statement = _LIST_BEFORE
                values |= {"id": before, "updated": stamp(_get(connection, owner, before).updated)}
            return tuple(_thread(row) for row in connection.execute(statement, values))

        return await self._database.aread(page)

    async def messages(self, owner: str, thread_id: str) -> tuple[Message, ...]:
        """The transcript. Only messages that this process has not seen yet are decoded."""
        known = self._cache.get(thread_id)

        def newer(connection: Connection) -> list[Any]:
            _get(connection, owner, thread_id)
            return list(connection.execute(_MESSAGES, {"id": thread_id, "after": len(known)}))

        found = await self._database.aread(newer)
        everything = known + tuple(self._decoded(row, thread_id) for row in found)
        self._cache.put(thread_id, everything)
        return everything

    async def start_exchange(
        self, owner: str, thread_id: str, exchange_id: str, question: str, model: str, at: datetime
    ) -> Exchange:
        """Record that an exchange runs. Raises Conflict when its id was used before."""
        values = {"id": thread_id, "exchange": exchange_id, "question": question, "model": model, "at": stamp(at)}

        def start(connection: Connection) -> None:
            _touch(connection, owner, thread_id, at, 0)
            _unique(connection, _START, values, f"exchange {exchange_id} exists already")

        await self._database.awrite(start)
        return Exchange(exchange_id, thread_id, question, ExchangeState.RUNNING, model, at)

    async def append(self, owner: str, thread_id: str, *messages: Message) -> None:
        """Append messages in one transaction. Raises Conflict for a message id that is there already."""
        refs = [int(numbered.ref[1:]) for message in messages for numbered in message.numbered]
        bodies = [encode_message(message) for message in messages]
        digests = dict.fromkeys(numbered.fact.key for message in messages for numbered in message.images)
        at = self._now()

        def insert(connection: Connection) -> int:
            _touch(connection, owner, thread_id, at, max(refs, default=0) + 1)
            last = int(connection.execute(_LAST, {"id": thread_id}).scalar_one())
            for number, (message, body) in enumerate(zip(messages, bodies, strict=True), last + 1):
                row = {
                    "thread": thread_id, "number": number, "id": message.id,
                    "exchange": message.exchange_id, "body": body,
                }  # fmt: skip
                _unique(connection, _INSERT_MESSAGE, row, f"message {message.id} was appended before")
            show_images(connection, owner, thread_id, digests)
            return last

        last = await self._database.awrite(insert)
        self._cache.extend(thread_id, last, messages)

    async def finish_exchange(
        self, exchange_id: str, outcome: Outcome | None, reason: StopReason, usage: Usage, steps: int,
        model: str, answer: str | None, report_json: str | None, at: datetime, attempts: Sequence[Attempt] = (),
    ) -> None:  # fmt: skip
        """Record how a running exchange ended; without an outcome it failed.

        Raises Conflict when it does not run (any more).
        """
        values = {
            "id": exchange_id, "state": ExchangeState.FINISHED if outcome else ExchangeState.FAILED,
            "outcome": outcome, "reason": reason, "input": usage.input_tokens, "output": usage.output_tokens,
            "steps": steps, "model": model, "answer": answer, "report": report_json, "at": stamp(at),
            "attempts": encode_attempts(attempts),
        }  # fmt: skip
        changed = await self._database.awrite(lambda connection: connection.execute(_FINISH, values).rowcount)
        if not changed:
            raise Conflict(f"exchange {exchange_id} is not running")

    async def exchanges(self, owner: str, thread_id: str) -> tuple[Exchange, ...]:
        def load(connection: Connection) -> tuple[Exchange, ...]:
            _get(connection, owner, thread_id)
            rows = connection.execute(_EXCHANGES, {"id": thread_id, "owner": owner})
            return tuple(_exchange(row) for row in rows)

        return await self._database.aread(load)

    async def rename(self, owner: str, thread_id: str, title: str) -> None:
        await self._change(_RENAME, {"id": thread_id, "owner": owner, "title": title})

    async def delete(self, owner: str, thread_id: str) -> None:
        """Delete a thread with its exchanges, messages and images; its proposals and receipts stay."""

        def remove(connection: Connection) -> int:
            forget_images(connection, owner, thread_id)
            return connection.execute(_DELETE, {"id": thread_id, "owner": owner}).rowcount

        if not await self._database.awrite(remove):
            raise _no_thread(thread_id)
        self._cache.drop(thread_id)

    async def recover(self, at: datetime) -> int:
        """Mark the exchanges that a dead process left running as cut. Call it at start, before any runs."""
        values = {"at": stamp(at)}
        return await self._database.awrite(lambda connection: connection.execute(_RECOVER, values).rowcount)

    async def _change(self, statement: TextClause, values: Mapping[str, Any]) -> None:
        changed = await self._database.awrite(lambda connection: connection.execute(statement, values).rowcount)
        if not changed:
            raise _no_thread(str(values["id"]))

    def _decoded(self, row: Any, thread_id: str) -> Message:
        """The message, or one that says that it cannot be read, so that numbers and order stay."""
        try:
            return decode_message(row.body, self._kinds)
        except _BROKEN as wrong:
            _log.error("message %s of thread %s cannot be read: %s", row.id, thread_id, wrong)
            return Message(row.id, _role_of(row.body), (TextPart(UNREADABLE),), row.exchange_id)


_BROKEN = (ValueError, KeyError, IndexError, TypeError, AttributeError, ArithmeticError, RecursionError, SaysoError)
"""What decoding a damaged body may raise."""


def _role_of(body: str) -> Role:
    try:
        return Role(json.loads(body)["role"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return Role.ASSISTANT


class _Cache:
    """Decoded transcripts, least recently used out first, bounded by their messages together."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._size = 0
        self._threads: OrderedDict[str, tuple[Message, ...]] = OrderedDict()

    def get(self, thread_id: str) -> tuple[Message, ...]:
        return self._threads.get(thread_id, ())

    def put(self, thread_id: str, messages: tuple[Message, ...]) -> None:
        self.drop(thread_id)
        self._threads[thread_id] = messages
        self._size += len(messages)
        while self._size > self._limit:
            self.drop(next(iter(self._threads)))

    def extend(self, thread_id: str, after: int, messages: tuple[Message, ...]) -> None:
        """Add what was just written, if the cache holds all that came before it."""
        known = self.get(thread_id)
        if len(known) == after and (known or after == 0):
            self.put(thread_id, known + messages)

    def drop(self, thread_id: str) -> None:
        self._size -= len(self._threads.pop(thread_id, ()))


def _get(connection: Connection, owner: str, thread_id: str) -> Thread:
    row = connection.execute(_GET, {"owner": owner, "id": thread_id}).first()
    if row is None:
        raise _no_thread(thread_id)
    return _thread(row)


def _touch(connection: Connection, owner: str, thread_id: str, at: datetime, next_ref: int) -> None:
    values = {"id": thread_id, "owner": owner, "at": stamp(at), "next": next_ref}
    if not connection.execute(_TOUCH, values).rowcount:
        raise _no_thread(thread_id)


def _unique(connection: Connection, statement: TextClause, row: Mapping[str, Any], otherwise: str) -> None:
    try:
        connection.execute(statement, row)
    except IntegrityError as twice:
        raise Conflict(otherwise) from twice


def _no_thread(thread_id: str) -> NotFound:
    return NotFound(f"there is no thread {thread_id}")


def _thread(row: Any) -> Thread:
    created, updated = datetime.fromisoformat(row.created), datetime.fromisoformat(row.updated)
    return Thread(row.id, row.owner, row.title, created, updated, row.next_ref)


def _exchange(row: Any) -> Exchange:
    try:
        return _read_exchange(row)
    except _BROKEN as wrong:
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
