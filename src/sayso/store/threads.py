"""Threads, their exchanges and messages in the database. It knows no tool and no model."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import ChainMap, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, cast

from sqlalchemy import Connection, TextClause

from sayso.core.encoding import decode_message, encode_message
from sayso.core.facts import LOOKUP, PROPOSAL, PROVIDED, RECEIPT, SECOND_HAND, FactKind, kinds_by_name
from sayso.core.images import ATTACHED
from sayso.core.messages import Attempt, Message, Outcome, StopReason, TextPart, Usage
from sayso.errors import Conflict, SaysoError, StaleCopy
from sayso.store import feedback as opinions
from sayso.store import thread_rows
from sayso.store.database import Database
from sayso.store.holding import LEASE, new_holder
from sayso.store.images import forget_images, show_images
from sayso.store.ports import Exchange, ExchangeState, Feedback, Thread, now_utc, stamp
from sayso.store.searching import searchable
from sayso.store.thread_rows import BROKEN, no_thread, the_thread

CORE_KINDS = kinds_by_name((LOOKUP, PROPOSAL, RECEIPT, SECOND_HAND, PROVIDED, ATTACHED))
CACHED_MESSAGES = 20_000
UNREADABLE = "[this message cannot be read]"
"""The text of a message that stands for a row whose body cannot be read: the rest of its thread can."""

_log = logging.getLogger(__name__)


def new_id(prefix: str) -> str:
    return f"{prefix}_{secrets.token_hex(10)}"


class Threads:
    """`kinds` are the fact kinds by name that messages may hold; those of the core are known. The mapping is
    asked at each look, so it may change. `holder` names whoever runs the exchanges that start here."""

    def __init__(
        self,
        database: Database,
        kinds: Mapping[str, FactKind] | None = None,
        *,
        now: Callable[[], datetime] = now_utc,
        ids: Callable[[str], str] = new_id,
        cached_messages: int = CACHED_MESSAGES,
        holder: str | None = None,
    ) -> None:
        self._database = database
        # Only read, never written: a mapping will do.
        self._kinds = ChainMap(dict(CORE_KINDS), cast(dict[str, FactKind], kinds or {}))
        self._now = now
        self._ids = ids
        self._cache = _Cache(cached_messages)
        self._holder = holder or new_holder()

    @property
    def kinds(self) -> Mapping[str, FactKind]:
        return self._kinds

    async def create(self, owner: str, title: str = "") -> Thread:
        at = self._now()
        thread = Thread(self._ids("thread"), owner, title, at, at)
        row = {"id": thread.id, "owner": owner, "title": title, "at": stamp(at), "folded": searchable(title)}
        await self._database.awrite(lambda connection: connection.execute(thread_rows.INSERT_THREAD, row))
        return thread

    async def get(self, owner: str, thread_id: str) -> Thread:
        return await self._database.aread(lambda connection: the_thread(connection, owner, thread_id))

    async def list(
        self, owner: str, limit: int = 50, before: str | None = None, search: str = ""
    ) -> tuple[Thread, ...]:  # fmt: skip
        """The newest first; `before` is the id of the last thread of the page before this one. `search`: those that
        hold each of these words, in a title, a question or an answer; case and accents do not matter."""
        return await self._database.aread(
            lambda connection: thread_rows.page(connection, owner, limit, before, search)
        )  # fmt: skip

    async def messages(self, owner: str, thread_id: str) -> tuple[Message, ...]:
        """The transcript. Only messages that this process has not seen yet are decoded."""
        known = self._cache.get(thread_id)

        def newer(connection: Connection) -> list[Any]:
            the_thread(connection, owner, thread_id)
            return list(connection.execute(thread_rows.MESSAGES, {"id": thread_id, "after": len(known)}))

        found = await self._database.aread(newer)
        everything = known + tuple(self._decoded(row, thread_id) for row in found)
        self._cache.put(thread_id, everything)
        return everything

    async def start_exchange(
        self, owner: str, thread_id: str, exchange_id: str, question: str, model: str, at: datetime
    ) -> Exchange:
        """Record that an exchange runs. Raises Conflict when its id was used before."""
        exchange = Exchange(exchange_id, thread_id, question, ExchangeState.RUNNING, model, at)

        def start(connection: Connection) -> int:
            first = thread_rows.refs_from(connection, owner, thread_id, at)
            thread_rows.begin_exchange(connection, exchange, self._holder)
            return first

        return replace(exchange, first_ref=await self._database.awrite(start))

    async def append(self, owner: str, thread_id: str, *messages: Message) -> None:
        """Append messages in one transaction. Raises Conflict for a message id that is there already."""
        await self._append(owner, thread_id, messages, lambda connection: None)

    async def extend(
        self, owner: str, thread_id: str, messages: Sequence[Message], exchanges: Sequence[Exchange], *, expected: str,
        title: str = "",
    ) -> Thread:  # fmt: skip
        """Append what a caller ran, with how far its exchanges have come, in one transaction; a thread without a
        title gets this one. Raises StaleCopy unless `expected` is the digest of what is stored."""

        def before(connection: Connection) -> None:
            stored, number = thread_rows.end_of(connection, owner, thread_id)
            if stored != expected:
                raise StaleCopy(stored, number)
            for exchange in exchanges:
                thread_rows.put_exchange(connection, exchange)
            if title:
                thread_rows.entitle(connection, owner, thread_id, title)

        await self._append(owner, thread_id, tuple(messages), before)
        return await self.get(owner, thread_id)

    async def _append(
        self, owner: str, thread_id: str, messages: tuple[Message, ...], before: Callable[[Connection], None]
    ) -> None:  # fmt: skip
        bodies = [encode_message(message) for message in messages]
        digests = dict.fromkeys(numbered.fact.key for message in messages for numbered in message.images)
        at = self._now()

        def insert(connection: Connection) -> int:
            before(connection)
            pairs = zip(messages, bodies, strict=True)
            last = thread_rows.add_messages(connection, owner, thread_id, pairs, at)
            show_images(connection, owner, thread_id, digests)
            return last

        last = await self._database.awrite(insert)
        self._cache.extend(thread_id, last, messages)

    async def hold(self, exchange_id: str) -> None:
        """Say that an exchange goes on that started here."""
        values = {"id": exchange_id, "holder": self._holder, "lease": stamp(self._now() + LEASE)}
        await self._database.awrite(lambda connection: connection.execute(thread_rows.HOLD, values))

    async def finish_exchange(
        self, exchange_id: str, outcome: Outcome | None, reason: StopReason, usage: Usage, steps: int,
        model: str, answer: str | None, report_json: str | None, at: datetime, attempts: Sequence[Attempt] = (),
    ) -> None:  # fmt: skip
        """Record how a running exchange ended; without an outcome it failed.

        Raises Conflict when it does not run (any more).
        """
        state = ExchangeState.FINISHED if outcome else ExchangeState.FAILED
        ended = Exchange(
            exchange_id, "", "", state, model, at, at, outcome, reason, usage, steps, answer, report_json,
            tuple(attempts),
        )  # fmt: skip
        values = {**thread_rows.ending_of(ended), "holder": self._holder}
        changed = await self._database.awrite(
            lambda connection: connection.execute(thread_rows.FINISH, values).rowcount
        )  # fmt: skip
        if not changed:
            raise Conflict(f"exchange {exchange_id} is not running")

    async def exchanges(self, owner: str, thread_id: str) -> tuple[Exchange, ...]:
        def load(connection: Connection) -> tuple[Exchange, ...]:
            the_thread(connection, owner, thread_id)
            rows = connection.execute(thread_rows.EXCHANGES, {"id": thread_id, "owner": owner})
            return tuple(thread_rows.exchange_of(row) for row in rows)

        return await self._database.aread(load)

    async def rename(self, owner: str, thread_id: str, title: str) -> None:
        values = {"id": thread_id, "owner": owner, "title": title, "folded": searchable(title)}
        await self._change(thread_rows.RENAME, values)

    async def delete(self, owner: str, thread_id: str) -> None:
        """Delete a thread with its exchanges, messages and images; its proposals and receipts stay."""

        def remove(connection: Connection) -> int:
            forget_images(connection, owner, thread_id)
            return connection.execute(thread_rows.DELETE, {"id": thread_id, "owner": owner}).rowcount

        if not await self._database.awrite(remove):
            raise no_thread(thread_id)
        self._cache.drop(thread_id)

    async def rate(self, owner: str, feedback: Feedback) -> None:
        """Keep a person's word on an answer; their newest counts. Raises NotFound."""
        await self._database.awrite(lambda connection: opinions.rate(connection, owner, feedback))

    async def unrate(self, owner: str, thread_id: str, exchange_id: str, by: str) -> None:
        await self._database.awrite(lambda connection: opinions.unrate(connection, owner, thread_id, exchange_id, by))

    async def feedback(self, owner: str, thread_id: str | None = None, limit: int = 200) -> tuple[Feedback, ...]:
        """The newest first, of one thread or of all that this owner has."""
        return await self._database.aread(lambda connection: opinions.rated(connection, owner, thread_id, limit))

    async def recover(self, at: datetime) -> int:
        """Mark the exchanges that a dead process left running as cut. What a live process runs is left alone."""
        if not await self._database.aread(lambda connection: thread_rows.abandoned_exchanges(connection, at)):
            return 0
        return await self._database.awrite(lambda connection: thread_rows.cut_abandoned(connection, at))

    async def keep_recovering(self, seconds: float = LEASE.total_seconds()) -> None:
        """Recover now and then, for as long as it is awaited: another process may die at any time."""
        while True:
            try:
                await self.recover(self._now())
            except SaysoError as wrong:
                _log.warning("recovery of exchanges is tried again later: %s", wrong)
            await asyncio.sleep(seconds)

    async def _change(self, statement: TextClause, values: Mapping[str, Any]) -> None:
        changed = await self._database.awrite(lambda connection: connection.execute(statement, values).rowcount)
        if not changed:
            raise no_thread(str(values["id"]))

    def _decoded(self, row: Any, thread_id: str) -> Message:
        """The message, or one that says that it cannot be read, so that numbers and order stay."""
        try:
            return decode_message(row.body, self._kinds)
        except BROKEN as wrong:
            _log.error("message %s of thread %s cannot be read: %s", row.id, thread_id, wrong)
            return Message(row.id, thread_rows.role_of(row.body), (TextPart(UNREADABLE),), row.exchange_id)


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
