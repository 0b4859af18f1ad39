"""Locked, full, newer and fresh databases; the encoding of facts."""

import sqlite3
import stat
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text as sql

from sayso.core.encoding import decode_message, encode_message
from sayso.core.evidence import Numbered
from sayso.core.facts import FactKind, Field, FieldType, Quantity
from sayso.core.messages import (
    CallPart,
    CallStatus,
    FactsPart,
    Message,
    PreamblePart,
    ResultPart,
    Role,
    TextPart,
    ToolCall,
    ToolResult,
)
from sayso.errors import ConfigError, StoreBusy
from sayso.store.database import open_database

AS_OF = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
NUMBERS = st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False) | st.decimals(
    allow_nan=False, allow_infinity=False
)  # fmt: skip
VALUES = {
    FieldType.TEXT: st.text(),
    FieldType.NUMBER: NUMBERS,
    FieldType.QUANTITY: st.builds(Quantity, NUMBERS, st.text()),
    FieldType.DATE: st.dates(),
    FieldType.DATETIME: st.datetimes() | st.datetimes(timezones=st.just(UTC)),
    FieldType.BOOLEAN: st.booleans(),
    FieldType.LIST: st.lists(st.text()).map(tuple),
}
KIND = FactKind("thing", tuple(Field(t.value, t) for t in FieldType), subject="text")
FACTS = st.fixed_dictionaries({}, optional={t.value: values for t, values in VALUES.items()}).map(
    lambda values: Numbered("F1", KIND.fact(values, source="s", key="k", as_of=AS_OF, similarity=0.5))
)
ANY_TEXT = st.text(st.characters(codec=None))
CALLS = st.builds(ToolCall, st.text(), st.text(), ANY_TEXT, st.sampled_from(["native", "text"]))
PARTS = st.one_of(
    st.builds(TextPart, ANY_TEXT), st.builds(PreamblePart, ANY_TEXT), st.builds(CallPart, CALLS),
    st.lists(FACTS, max_size=2).map(lambda f: FactsPart(tuple(f))),
    st.builds(ToolResult, st.text(), st.sampled_from(CallStatus), st.lists(FACTS, max_size=2).map(tuple)).map(ResultPart),
)  # fmt: skip


@given(st.lists(PARTS, max_size=3))
def test_a_message_comes_back_as_it_was(parts):
    message = Message("m", Role.ASSISTANT, tuple(parts), "e")
    back = decode_message(encode_message(message), {"thing": KIND})
    assert back == message
    for ours, theirs in zip(message.facts, back.facts, strict=True):
        types = {name: type(value) for name, value in ours.fact.values.items()}
        assert types == {name: type(value) for name, value in theirs.fact.values.items()}


@given(FACTS)
def test_a_fact_of_an_unknown_kind_stays_readable(numbered):
    message = Message("m", Role.USER, (FactsPart((numbered,)),), "e")
    (back,) = decode_message(encode_message(message), {}).facts
    assert (back.fact.kind.name, dict(back.fact.values)) == ("thing", dict(numbered.fact.values))


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
            c.exec_driver_sql("INSERT INTO threads VALUES (?, 'o', ?, 1, '', '')", (str(n), "x" * 4000))

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


def test_dates_are_not_datetimes_after_a_round_trip():
    kind = FactKind("d", (Field("n"), Field("on", FieldType.DATE)), subject="n")
    fact = kind.fact({"n": "x", "on": date(2026, 1, 2)}, source="s", key="k", as_of=AS_OF)
    message = Message("m", Role.USER, (FactsPart((Numbered("F1", fact),)),), "e")
    assert type(decode_message(encode_message(message), {"d": kind}).facts[0].fact.values["on"]) is date


def test_half_a_character_costs_no_transaction(database):
    with_half = {"one": "a\ud800b", "two": 3}
    told = database.write(lambda c: c.execute(sql("SELECT :one || '', :two, NULL"), with_half).one())
    assert tuple(told) == ("a\ufffdb", 3, None)
    many = [{"one": "\udfff"}, {"one": "b"}]
    database.write(lambda c: c.execute(sql("CREATE TABLE halves (one TEXT)")))
    database.write(lambda c: c.execute(sql("INSERT INTO halves VALUES (:one)"), many))
    assert database.read(lambda c: [row.one for row in c.execute(sql("SELECT one FROM halves"))]) == ["\ufffd", "b"]
