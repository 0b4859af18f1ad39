"""What is special to SQLite: its connections, pragmas and error codes. It knows no table."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool, StaticPool

from sayso.core.characters import whole_characters
from sayso.errors import ConfigError, StoreBusy


class StoreUnwritable(StoreBusy):
    """The disk is full, read-only or broken: nothing was written, and trying again cannot help."""

    code = "store_unwritable"
    retryable = False


def in_memory(url: URL) -> bool:
    return url.database in (None, "", ":memory:")


def engine(url: URL, *, busy_seconds: float, writes: bool = False) -> Engine:
    """An engine whose transactions begin as we say: the driver's own way takes the write lock only
    in mid-transaction, where waiting for it is a deadlock."""
    connect_args = {"check_same_thread": False, "timeout": busy_seconds}
    if in_memory(url):
        made = create_engine(url, connect_args=connect_args, poolclass=StaticPool)
    else:
        size = 1 if writes else 4
        made = create_engine(
            url, connect_args=connect_args, poolclass=QueuePool, pool_size=size, max_overflow=0 if writes else 8
        )
    begin = "BEGIN IMMEDIATE" if writes else "BEGIN"

    def on_connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        connection.text_factory = _readable
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "temp_store=MEMORY"):
            connection.execute(f"PRAGMA {pragma}")

    def on_begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    event.listen(made, "connect", on_connect)
    event.listen(made, "begin", on_begin)
    event.listen(made, "before_cursor_execute", _with_whole_characters, retval=True)
    return made


def _readable(stored: bytes) -> str:
    """Text whose bytes were damaged costs a character, not every row that is read with it."""
    return stored.decode("utf-8", "replace")


def _with_whole_characters(
    _connection: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, _many: bool
) -> tuple[str, Any]:
    """Half a character cannot be written as UTF-8: one in a text must not cost the whole transaction."""
    return statement, _whole(parameters)


def _whole(parameters: Any) -> Any:
    """Rows of values, or lists of rows, as the driver takes them."""
    if isinstance(parameters, str):
        return whole_characters(parameters)
    if isinstance(parameters, tuple | list):
        rows = cast(Sequence[Any], parameters)
        return type(rows)(_whole(value) for value in rows)  # pyright: ignore[reportCallIssue]
    return parameters


def set_durable(connection: Connection, durable: bool) -> None:
    """Whether the next commit waits for the disk. Must be said before the transaction begins."""
    driver: Any = connection.connection.driver_connection
    if connection.info.get("durable") != durable:
        driver.execute("PRAGMA synchronous=" + ("FULL" if durable else "NORMAL"))
        connection.info["durable"] = durable


def make_private_file(url: URL) -> None:
    """Make the database's folder (0700) and file (0600) where they do not exist yet."""
    if in_memory(url) or url.database is None or url.database.startswith("file:"):
        return
    path = Path(url.database)
    try:
        if not path.parent.exists():
            path.parent.mkdir(mode=0o700, parents=True)
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as fault:
        raise ConfigError(f"cannot make the database {path}: {fault.strerror}; choose another folder") from fault


def named_error(fault: DBAPIError) -> Exception | None:
    """The error of our own tree for a fault of the driver, where there is one."""
    name = str(getattr(fault.orig, "sqlite_errorname", ""))
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StoreBusy("the database is locked by another process; try again")
    if name.startswith("SQLITE_FULL"):
        return StoreUnwritable("the disk of the database is full; free some space, nothing was written")
    if name.startswith("SQLITE_READONLY"):
        return StoreUnwritable("the database is read-only; check the rights of its file and folder")
    if name.startswith("SQLITE_CANTOPEN"):
        return StoreUnwritable("the database file cannot be opened; check that its folder exists and may be used")
    if name.startswith("SQLITE_IOERR"):
        return StoreUnwritable(f"the disk of the database fails ({name}); check the disk, nothing was written")
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return ConfigError("the file is no intact SQLite database; restore it from a backup")
    return None
