"""The audit log: one chain whoever writes, and every alteration is found and named."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import anyio
import pytest
from sqlalchemy import text

from sayso.core.actors import Actor
from sayso.core.proposals import Change, Proposal, ProposalState, canonical_bytes
from sayso.errors import ConfigError, Conflict, StoreBusy
from sayso.store.audit import Audit, Did, Head, check, head_line, read_heads
from sayso.store.database import Database, open_database
from sayso.store.proposals import Proposals

ADA = Actor("ada", "team")
NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
pytestmark = pytest.mark.anyio


@pytest.fixture
def audit(database: Database) -> Audit:
    return Audit(database, lambda: NOW)


async def filled(audit: Audit, count: int = 9) -> Audit:
    for n in range(1, count + 1):
        await audit.record(ADA, Did.SAW, f"person {n}", {"n": n})
    return audit


async def test_each_entry_says_who_what_when_and_of_what(audit: Audit) -> None:
    await audit.record(ADA, Did.APPROVED, "proposal p1", {"digest": "ab", "a": [1]})
    await audit.record(ADA, "ran", "proposal p1")
    rows = await audit.rows()
    assert [(r.number, r.actor, r.owner, r.what, r.subject, r.details) for r in rows] == [
        (2, "ada", "team", "ran", "proposal p1", "{}"),
        (1, "ada", "team", "approved", "proposal p1", '{"a":[1],"digest":"ab"}'),
    ]
    assert rows[0].at == "2026-11-30T09:00:00.000000+00:00"
    assert rows[0].previous == rows[1].digest
    assert await audit.head() == Head(2, rows[0].digest)
    assert [r.number for r in await audit.rows(limit=1, before=2)] == [1]


async def test_a_log_that_nobody_touched_has_no_fault(audit: Audit) -> None:
    assert (await audit.verify()).faults == ()
    await filled(audit)
    heads = (await audit.head(),)
    await audit.record(ADA, Did.DENIED, "proposal \ud800 p2", {"words": "no \ud83d"})
    checked = await audit.verify(heads)
    assert (checked.rows, checked.faults, checked.head) == (10, (), await audit.head())


async def test_what_is_rolled_back_is_not_told(audit: Audit, database: Database) -> None:
    await filled(audit, 2)

    def breaks(connection: object) -> None:
        audit.add(connection, ADA, Did.RAN, "proposal p1")  # type: ignore[arg-type]
        raise StoreBusy("no")

    with pytest.raises(StoreBusy):
        await database.awrite(breaks)
    assert (await audit.head()).number == 2


async def test_long_details_are_kept_as_their_digest(audit: Audit) -> None:
    await audit.record(ADA, Did.SAW, "s", {"words": "x" * 10_000})
    (row,) = await audit.rows()
    assert len(row.details) < 120
    assert (await audit.verify()).faults == ()


SWAP = "UPDATE audit SET number = -1 WHERE number = 4; UPDATE audit SET number = 4 WHERE number = 5; UPDATE audit SET number = 5 WHERE number = -1"


@pytest.mark.parametrize(
    ("mutation", "number", "words"),
    [
        *(
            (f"UPDATE audit SET {column} = 'x' WHERE number = 4", 4, "row 4 ")
            for column in ("at", "actor", "owner", "what", "subject", "details", "digest", "previous")
        ),
        ("UPDATE audit SET details = x'ff22' WHERE number = 4", 4, "row 4 "),
        ("UPDATE audit SET details = CAST(x'ff22' AS TEXT) WHERE number = 4", 4, "row 4 "),
        ("DELETE FROM audit WHERE number = 1", 1, "row 1 was removed"),
        ("DELETE FROM audit WHERE number = 5", 5, "row 5 was removed"),
        ("DELETE FROM audit WHERE number IN (5, 6)", 5, "rows 5 to 6 were removed"),
        ("DELETE FROM audit WHERE number = 5; UPDATE audit SET number = number - 1 WHERE number > 5", 5, "row 5 "),
        ("DELETE FROM audit WHERE number > 7", 9, "rows 8 to 9 were removed from the end"),
        ("DELETE FROM audit", 9, "rows 1 to 9 were removed from the end"),
        (SWAP, 4, "row 4 "),
        (
            "UPDATE audit SET number = 10 WHERE number = 9; INSERT INTO audit SELECT 9, at, actor, owner, 'saw', 'new', details, 'p', digest FROM audit WHERE number = 3",
            9, "row 9 ",
        ),
    ],
)  # fmt: skip
async def test_every_change_removal_move_and_insertion_is_named(
    audit: Audit, database: Database, mutation: str, number: int, words: str
) -> None:
    await filled(audit)
    heads = (await audit.head(),)
    for statement in mutation.split("; "):
        await database.awrite(lambda connection, s=statement: connection.execute(text(s)))
    faults = (await audit.verify(heads)).faults
    assert faults
    assert faults[0].number == number
    assert words in faults[0].words


async def test_a_chain_that_was_computed_anew_is_found_by_its_exported_head(audit: Audit, database: Database) -> None:
    await filled(audit, 5)
    exported = read_heads(head_line(await audit.head(), NOW), "heads")
    await database.awrite(lambda connection: connection.execute(text("DELETE FROM audit WHERE number > 2")))
    await filled(audit, 4)
    assert (await audit.verify()).faults == ()
    (fault,) = (await audit.verify(exported)).faults
    assert (fault.number, "exported" in fault.words) == (5, True)


async def test_the_first_of_several_heads_that_does_not_fit_is_named(audit: Audit) -> None:
    await filled(audit, 3)
    (third, second, _) = await audit.rows()
    heads = [Head(), Head(2, second.digest), Head(3, "0" * 64)]
    assert [fault.number for fault in check(reversed([*(await audit.rows())]), heads).faults] == [3]
    assert third.number == 3


@pytest.mark.parametrize("line", ["{}", "x", '{"number": "a", "digest": ""}', "[1]"])
def test_what_is_no_head_is_said_with_its_line(line: str) -> None:
    with pytest.raises(ConfigError, match="heads, line 2"):
        read_heads(f"\n{line}", "heads")


async def test_many_at_once_write_one_chain(audit: Audit) -> None:
    async with anyio.create_task_group() as group:
        for n in range(40):
            group.start_soon(audit.record, ADA, Did.SAW, f"s{n}")
    assert ((await audit.head()).number, (await audit.verify()).faults) == (40, ())


WRITER = """
import sys
from sayso.core.actors import Actor
from sayso.store.audit import Audit
from sayso.store.database import Database
database = Database(sys.argv[1], busy_seconds=60)
audit = Audit(database)
for n in range(40):
    database.write(lambda c: audit.add(c, Actor(sys.argv[2], "team"), "saw", str(n)))
"""


def test_several_processes_cannot_fork_the_chain(tmp_path) -> None:
    url = f"sqlite:///{tmp_path}/sayso.db"
    open_database(url).close()
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, url, name]) for name in ("a", "b", "c")]
    assert [writer.wait(240) for writer in writers] == [0, 0, 0]
    database = open_database(url)
    checked = anyio.run(Audit(database).verify)
    database.close()
    assert (checked.rows, checked.faults) == (120, ())


async def test_each_change_of_a_proposal_is_told_in_the_transaction_that_makes_it(
    audit: Audit, database: Database
) -> None:
    store = Proposals(database)
    change = Change("remind", "Call Elena", {"text": "Call Elena"})
    filed = Proposal("p1", "t1", "e1", "c1", canonical(change, "a"))
    await store.file(filed, "team", NOW)
    edited = await store.replace("team", "p1", canonical(change, "b"), "bob", NOW)
    pending, approved = (ProposalState.PENDING,), (ProposalState.APPROVED,)
    await store.move("p1", "team", pending, ProposalState.APPROVED, "bob", NOW, edited.digest)
    await store.move("p1", "team", approved, ProposalState.EXECUTING, "bob", NOW)
    await store.move("p1", "team", (ProposalState.EXECUTING,), ProposalState.DONE, "bob", NOW)
    told = [(r.actor, r.what, r.subject, json.loads(r.details)) for r in reversed(await audit.rows())]
    new = {"digest": edited.digest}
    assert told == [
        ("ada", "proposed", "proposal p1", {"digest": filed.digest}),
        ("bob", "edited", "proposal p1", new),
        ("bob", "approved", "proposal p1", {**new, "state": "approved"}),
        ("bob", "ran", "proposal p1", {**new, "state": "executing"}),
        ("bob", "ran", "proposal p1", {**new, "state": "done"}),
    ]
    with pytest.raises(Conflict):
        await store.replace("team", "p1", canonical(change, "c"), "bob", NOW)
    assert (await audit.head()).number == 5


def canonical(change: Change, nonce: str) -> bytes:
    return canonical_bytes(
        change, tool="t", schema={}, actor="ada", owner="team", created=NOW, expires=NOW + timedelta(days=9),
        nonce=nonce,
    )  # fmt: skip
