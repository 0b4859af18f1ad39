"""Locked, full, newer and fresh databases; the encoding of facts."""

import sqlite3
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text as sql

from sayso.errors import ConfigError, StoreBusy
from sayso.store.database import open_database

AS_OF = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)


def test_a_locked_database_is_busy_and_half_writes_nothing(database):
    other = sqlite3.connect(database.url.database)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusy):
        database.write(lambda c: c.exec_driver_sql("DELETE FROM threads"))
    other.rollback()
    database.write(lambda c: c.exec_driver_sql("DELETE FROM threads"))


def test_a_full_disk_is_named_and_the_transaction_undone(database):
    with database._writer.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")

    def fill(c):
        for n in range(100):
            c.exec_driver_sql(
                "INSERT INTO threads (id, owner, title, next_ref, created, updated) VALUES (?, 'o', ?, 1, '', '')",
                (str(n), "x" * 4000),
            )

    with pytest.raises(StoreBusy, match="full"):
        database.write(fill)
    assert database.read(lambda c: c.exec_driver_sql("SELECT count(*) FROM threads").scalar()) == 0


def test_a_newer_database_is_refused(database):
    database.write(lambda c: c.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(ConfigError, match="newer version"):
        open_database(str(database.url))


def test_the_folder_and_file_belong_to_their_owner_alone(database):
    path = Path(database.url.database)
    assert [stat.S_IMODE(p.stat().st_mode) for p in (path.parent, path)] == [0o700, 0o600]


def test_approvals_wait_for_the_disk_and_other_writes_do_not(database):
    level = lambda c: c.exec_driver_sql("PRAGMA synchronous").scalar()  # noqa: E731
    assert [database.write(level, durable=d) for d in (True, False, True)] == [2, 1, 2]
    assert database.read(lambda c: c.exec_driver_sql("PRAGMA foreign_keys").scalar()) == 1


def test_half_a_character_costs_no_transaction(database):
    with_half = {"one": "a\ud800b", "two": 3}
    told = database.write(lambda c: c.execute(sql("SELECT :one || '', :two, NULL"), with_half).one())
    assert tuple(told) == ("a\ufffdb", 3, None)
    many = [{"one": "\udfff"}, {"one": "b"}]
    database.write(lambda c: c.execute(sql("CREATE TABLE halves (one TEXT)")))
    database.write(lambda c: c.execute(sql("INSERT INTO halves VALUES (:one)"), many))
    assert database.read(lambda c: [row.one for row in c.execute(sql("SELECT one FROM halves"))]) == ["\ufffd", "b"]
