"""The audit log: who signed in, saw, proposed, edited, approved, denied and ran what. Append-only, in one chain.

Each row holds the digest of the one before it, and its own over its canonical bytes: whoever changes, removes,
reorders or inserts a row breaks the chain there. Whoever rewrites all rows from one on has an unbroken chain, but not
the head that was written elsewhere before: so the head is exported, and `verify` compares with it.

It judges no permission and keeps no contents of records: `details` are ids, digests and a few words.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Column, Connection, Integer, MetaData, String, Table, Text, insert, select

from sayso.core.actors import Actor
from sayso.core.proposals import ProposalState, digest_of
from sayso.errors import ConfigError
from sayso.store.database import Database
from sayso.store.ports import now_utc, stamp

BEFORE_ALL = "0" * 64
"""What the first row says of the one before it."""
MAX_DETAILS = 8 << 10
_BATCH = 1000
_META = MetaData()
AUDIT = Table(
    "audit", _META,
    Column("number", Integer, primary_key=True, autoincrement=False), Column("at", String), Column("actor", String),
    Column("owner", String), Column("what", String), Column("subject", String), Column("details", Text),
    Column("previous", String), Column("digest", String),
)  # fmt: skip
_A = AUDIT.c


class Did(StrEnum):
    """What somebody did."""

    SIGNED_IN = "signed_in"
    SIGN_IN_REFUSED = "sign_in_refused"
    SIGNED_OUT = "signed_out"
    SAW = "saw"
    PROPOSED = "proposed"
    EDITED = "edited"
    APPROVED = "approved"
    DENIED = "denied"
    RAN = "ran"
    ADMINISTERED = "administered"  # users, passwords, roles, API tokens


@dataclass(frozen=True, slots=True)
class Row:
    """One entry. `at` is UTC text, `details` canonical JSON text, `digest` that of all the others."""

    number: int
    at: str
    actor: str
    owner: str
    what: str
    subject: str
    details: str
    previous: str
    digest: str

    def computed(self) -> str:
        """The digest that the row must have."""
        return digest_of(_canonical({k: v for k, v in asdict(self).items() if k != "digest"}).encode("ascii"))


_COLUMNS = tuple(f.name for f in fields(Row))


@dataclass(frozen=True, slots=True)
class Head:
    """The newest row of a log: its number (0: there is none) and digest."""

    number: int = 0
    digest: str = BEFORE_ALL


@dataclass(frozen=True, slots=True)
class Fault:
    """Where a log was altered, in words for a person."""

    number: int
    words: str


@dataclass(frozen=True, slots=True)
class Checked:
    """What `verify` found: the rows read, the head that they have, and where they are not what was written."""

    rows: int
    head: Head
    faults: tuple[Fault, ...]


class Audit:
    """The log of one database."""

    def __init__(self, database: Database, now: Callable[[], datetime] = now_utc) -> None:
        self._database, self._now = database, now

    async def record(
        self, actor: Actor, what: Did | str, subject: str, details: Mapping[str, Any] | None = None
    ) -> None:
        """Write down what an actor did to a subject (a record, a proposal, a user), in a transaction of its own."""
        await self._database.awrite(lambda connection: self.add(connection, actor, what, subject, details))

    def add(
        self, connection: Connection, actor: Actor, what: Did | str, subject: str,
        details: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        """The same within a transaction that is under way: what is rolled back was not done and is not told."""
        append(connection, actor.id, actor.owner, what, subject, details or {}, self._now())

    async def head(self) -> Head:
        return await self._database.aread(head_of)

    async def rows(self, limit: int = 100, before: int | None = None) -> tuple[Row, ...]:
        """The newest first; `before` is a row's number."""
        query = select(AUDIT).order_by(_A.number.desc()).limit(limit)
        if before is not None:
            query = query.where(_A.number < before)
        return await self._database.aread(lambda c: tuple(_row(found) for found in c.execute(query)))

    async def verify(self, heads: Sequence[Head] = ()) -> Checked:
        """Read the whole log and compare it with itself, and with heads that were exported before."""
        return await self._database.aread(lambda connection: check(_all(connection), heads))


def append(
    connection: Connection, actor: str, owner: str, what: Did | str, subject: str, details: Mapping[str, Any],
    at: datetime,
) -> Row:  # fmt: skip
    """Add a row after the newest one. Of two that come at once one fails, where the database lets both begin."""
    head = head_of(connection)
    told = _canonical(details)
    if len(told) > MAX_DETAILS:
        told = _canonical({"digest": digest_of(told.encode("ascii")), "cut": True})
    words = (_whole(actor), _whole(owner), str(what), _whole(subject))
    draft = Row(head.number + 1, stamp(at), *words, told, head.digest, "")
    row = replace(draft, digest=draft.computed())
    connection.execute(insert(AUDIT), asdict(row))
    return row


def told_of_proposal(
    connection: Connection, owner: str, proposal_id: str, what: Did | ProposalState, by: str, at: datetime, digest: str
) -> None:  # fmt: skip
    """Write down, in the transaction that does it, what became of a proposal: by whom, and of which exact change."""
    did = what if isinstance(what, Did) else _BECAME.get(what, what.value)
    details = {"digest": digest} if isinstance(what, Did) else {"digest": digest, "state": what.value}
    append(connection, by, owner, did, f"proposal {proposal_id}", details, at)


_BECAME: Mapping[ProposalState, Did] = {
    ProposalState.APPROVED: Did.APPROVED,
    ProposalState.DENIED: Did.DENIED,
    ProposalState.EXECUTING: Did.RAN,
    ProposalState.DONE: Did.RAN,
    ProposalState.FAILED: Did.RAN,
    ProposalState.UNKNOWN: Did.RAN,
}


def head_of(connection: Connection) -> Head:
    found = connection.execute(select(_A.number, _A.digest).order_by(_A.number.desc()).limit(1)).first()
    return Head(found.number, found.digest) if found else Head()


def check(rows: Iterable[Row], heads: Sequence[Head] = ()) -> Checked:
    """Where rows, in the order of their numbers, do not follow one another, or differ from exported heads."""
    expected = {head.number: head.digest for head in heads if head.number}
    faults: list[Fault] = []
    last, read = Head(), 0
    for row in rows:
        read += 1
        faults.extend(_against(row, last, expected.pop(row.number, None)))
        last = Head(row.number, row.digest)
    if gone := [number for number in expected if number > last.number]:
        faults.append(Fault(max(gone), f"rows {last.number + 1} to {max(gone)} were removed from the end"))
    return Checked(read, last, tuple(faults))


def _against(row: Row, last: Head, exported: str | None) -> Iterable[Fault]:
    """The faults of one row, after the one that was before it."""
    n = row.number
    if n > last.number + 1:
        gap = f"row {last.number + 1} was" if n == last.number + 2 else f"rows {last.number + 1} to {n - 1} were"
        yield Fault(last.number + 1, f"{gap} removed")
    elif row.previous != last.digest:
        yield Fault(n, f"row {n} does not follow row {last.number}: one was changed, inserted, removed or moved there")
    if row.computed() != row.digest:
        yield Fault(n, f"row {n} was changed: {row.at} {row.actor} {row.what} {row.subject}")
    if exported not in (None, row.digest):
        yield Fault(n, f"row {n} is not the one whose head was exported: it or one before it was rewritten")


def read_heads(text: str, where: str) -> tuple[Head, ...]:
    """The heads of a file, one JSON document a line. Raises ConfigError, which says which line is none."""
    return tuple(_head(line, f"{where}, line {n}") for n, line in enumerate(text.splitlines(), 1) if line.strip())


def head_line(head: Head, at: datetime) -> str:
    return json.dumps({"number": head.number, "digest": head.digest, "at": stamp(at)}) + "\n"


def _head(line: str, where: str) -> Head:
    try:
        document = json.loads(line)
        head = Head(int(document["number"]), str(document["digest"]))
    except (ValueError, KeyError, TypeError) as wrong:
        raise ConfigError(f"{where} is no head of an audit log; `sayso audit head` prints one") from wrong
    return head


def _all(connection: Connection) -> Iterable[Row]:
    """Every row, some at a time: a long log is not held in memory."""
    last = None
    while True:
        query = select(AUDIT).order_by(_A.number).limit(_BATCH)
        found = connection.execute(query if last is None else query.where(_A.number > last)).all()
        yield from (_row(row) for row in found)
        if len(found) < _BATCH:
            return
        last = found[-1].number


def _row(found: Any) -> Row:
    return Row(*(_text(getattr(found, name)) for name in _COLUMNS))


def _text(value: Any) -> Any:
    """Bytes where a text was written: somebody put them there, and the row is to be named, not to stop the reading."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def _whole(text: str) -> str:
    """As the database stores it: half a character would be another text when it is read again."""
    return text.encode("utf-8", "replace").decode("utf-8")
