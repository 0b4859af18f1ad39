"""The database: connections, transactions and worker threads. It knows no table.

SQLite allows one writer, so writes take turns here instead of failing there. What is special to
SQLite is in `sqlite`; everything else must run on PostgreSQL as well.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from sqlalchemy import Connection
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from sayso.errors import ConfigError, StoreBusy
from sayso.store import schema, sqlite

T = TypeVar("T")
READERS = 4
BUSY_SECONDS = 5.0


class Database:
    """One database, shared by all threads of a process.

    `url` is "sqlite:///path" or "sqlite://" (in memory, for tests). Raises ConfigError for any
    other; StoreBusy when another process keeps the database locked for `busy_seconds`.
    """

    def __init__(self, url: str, *, busy_seconds: float = BUSY_SECONDS) -> None:
        try:
            self.url = make_url(url)
        except ArgumentError as wrong:
            raise ConfigError(f"{url!r} is no database URL; write sqlite:///path/to/sayso.db") from wrong
        if self.url.get_backend_name() != "sqlite":
            raise ConfigError(f"databases of {self.url.get_backend_name()} are not supported; use sqlite:///path")
        self.busy_seconds = busy_seconds
        self._writer = sqlite.engine(self.url, busy_seconds=busy_seconds, writes=True)
        # In memory there is one connection only: readers and the writer share it, in turns.
        self._in_memory = sqlite.in_memory(self.url)
        self._reader = self._writer if self._in_memory else sqlite.engine(self.url, busy_seconds=busy_seconds)
        self._turn = threading.Lock()
        self._write_thread = ThreadPoolExecutor(1, thread_name_prefix="sayso-writer")
        self._read_threads = ThreadPoolExecutor(READERS, thread_name_prefix="sayso-reader")

    def read(self, fn: Callable[[Connection], T]) -> T:
        """Run `fn` on one consistent view of the database; what it writes is not kept."""
        if not self._in_memory:
            with _named_errors(), self._reader.connect() as connection:
                return fn(connection)
        with self._my_turn(), _named_errors(), self._reader.connect() as connection:
            return fn(connection)

    def write(self, fn: Callable[[Connection], T], *, durable: bool = False) -> T:
        """Run `fn` in one transaction, one writer at a time; an exception rolls it back.

        `durable`: what is committed survives a power cut (approvals); otherwise only a crash.
        `fn` must not call `write` again.
        """
        with self._my_turn(), _named_errors(), self._writer.connect() as connection:
            sqlite.set_durable(connection, durable)
            with connection.begin():
                return fn(connection)

    async def aread(self, fn: Callable[[Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._read_threads, self.read, fn)

    async def awrite(self, fn: Callable[[Connection], T], *, durable: bool = False) -> T:
        """`write` on the writer's thread. A cancelled caller never leaves half a transaction: what
        has begun is completed, what has not begun is not run."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._write_thread, lambda: self.write(fn, durable=durable))

    def close(self) -> None:
        """Wait for running work, then close every connection."""
        self._write_thread.shutdown(wait=True)
        self._read_threads.shutdown(wait=True)
        self._reader.dispose()
        self._writer.dispose()

    @contextmanager
    def _my_turn(self) -> Generator[None]:
        if not self._turn.acquire(timeout=self.busy_seconds):
            raise StoreBusy("the database is busy with another write; try again")
        try:
            yield
        finally:
            self._turn.release()


def open_database(url: str, *, busy_seconds: float = BUSY_SECONDS) -> Database:
    """Open a database, make its folder (for its owner only) and bring its tables up to date.

    Raises ConfigError when the folder cannot be made or a newer version of Sayso wrote the file.
    """
    database = Database(url, busy_seconds=busy_seconds)
    try:
        sqlite.make_private_file(database.url)
        if not database.read(schema.is_up_to_date):
            database.write(schema.upgrade, durable=True)
    except BaseException:
        database.close()
        raise
    return database


@contextmanager
def _named_errors() -> Generator[None]:
    try:
        yield
    except DBAPIError as fault:
        named = sqlite.named_error(fault)
        if named is None:
            raise
        raise named from fault
