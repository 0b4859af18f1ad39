"""Records in the database: the functions behind `Workspace`, each on one connection.

Nothing here decides what a record means. Every query names the owner.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from sayso.errors import Conflict, NotFound
from sayso.workspace import codec, search
from sayso.workspace.records import HabitRecord, Record
from sayso.workspace.tables import record_versions, records

BATCH = 500


@dataclass(frozen=True, slots=True)
class Stored:
    """A record as it is kept. `version` (1, 2 ...) is its etag; `updated` when it was last changed."""

    id: str
    version: int
    record: Record
    created: datetime
    updated: datetime

    @property
    def kind(self) -> str:
        return codec.kind_of(self.record)

    @property
    def title(self) -> str:
        return codec.title_of(self.record)

    @property
    def etag(self) -> str:
        return str(self.version)


@dataclass(frozen=True, slots=True)
class Kept:
    """A previous version of a record, and when it was replaced or deleted."""

    version: int
    record: Record
    replaced: datetime

    @property
    def title(self) -> str:
        return codec.title_of(self.record)


@dataclass(frozen=True, slots=True)
class Upserted:
    """What an import changed."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0

    def __add__(self, other: Upserted) -> Upserted:
        return Upserted(self.new + other.new, self.changed + other.changed, self.unchanged + other.unchanged)


def get(connection: Connection, owner: str, kind: str, id: str) -> Stored:
    """Raises NotFound."""
    row = connection.execute(records.select().where(*_one(owner, kind, id))).mappings().one_or_none()
    if row is None:
        raise NotFound(f"no {kind} {id!r}")
    return _stored(row)


def get_many(connection: Connection, owner: str, kind: str, ids: Sequence[str]) -> list[Stored]:
    """The records of these ids, in this order; unknown ids are left out."""
    wanted = list(dict.fromkeys(ids))
    found: dict[str, Stored] = {}
    for start in range(0, len(wanted), BATCH):
        some = wanted[start : start + BATCH]
        query = records.select().where(records.c.owner == owner, records.c.kind == kind, records.c.id.in_(some))
        found |= {row["id"]: _stored(row) for row in connection.execute(query).mappings()}
    return [found[id] for id in wanted if id in found]


def list_all(
    connection: Connection, owner: str, kind: str, *, state: str | None = None, first: date | None = None,
    last: date | None = None, limit: int | None = None, after: str | None = None,
) -> list[Stored]:  # fmt: skip
    """Records by title (from the id `after` on, by id, when paging); `first` and `last` bound the day."""
    query = records.select().where(records.c.owner == owner, records.c.kind == kind)
    if state is not None:
        query = query.where(records.c.state == state)
    if first is not None:
        query = query.where(records.c.day >= first.isoformat())
    if last is not None:
        query = query.where(records.c.day <= last.isoformat())
    if after is not None:
        query = query.where(records.c.id > after).order_by(records.c.id)
    elif limit is not None:
        query = query.order_by(records.c.id)
    else:
        query = query.order_by(records.c.title, records.c.id)
    return [_stored(row) for row in connection.execute(query.limit(limit)).mappings()]


def by_source_key(connection: Connection, owner: str, kind: str, source_key: str) -> tuple[str, Record] | None:
    """The id and present state of the workspace's own record with this key; of one that is gone, its last version."""
    row = connection.execute(
        records.select().where(
            records.c.owner == owner, records.c.kind == kind, records.c.source == "workspace",
            records.c.source_key == source_key,
        )
    ).mappings().first()  # fmt: skip
    if row is not None:
        return row["id"], codec.load(kind, row["body"])
    table = record_versions.c
    kept = sa.select(table.id, table.body).where(
        table.owner == owner, table.kind == kind, table.body.contains(source_key, autoescape=True)
    )
    for gone in connection.execute(kept.order_by(table.version.desc())):
        record = codec.load(kind, gone.body)
        if (record.source, record.source_key) == ("workspace", source_key):
            return gone.id, record
    return None


def count(connection: Connection, owner: str, kind: str) -> int:
    query = sa.select(sa.func.count()).select_from(records).where(records.c.owner == owner, records.c.kind == kind)
    return connection.execute(query).scalar_one()


def create(connection: Connection, owner: str, record: Record, at: datetime) -> Stored:
    """Add a record. Raises Conflict when its source already gave it."""
    kind = codec.kind_of(record)
    row = _row(owner, new_id(kind), record, at)
    try:
        connection.execute(records.insert(), row)
    except IntegrityError as twice:
        raise Conflict(f"{codec.title_of(record)!r} of {record.source} is here already; update it instead") from twice
    search.put(connection, owner, kind, [(row["id"], codec.search_texts(record))])
    return _stored(row)


def update(
    connection: Connection,
    owner: str,
    id: str,
    record: Record,
    at: datetime,
    *,
    version: str | int | None = None,
) -> Stored:
    """Replace a record and keep its previous version.

    Raises NotFound; Conflict when it is no longer at `version`. What its source last gave is
    remembered, so importing the same file again does not undo the change.
    """
    kind = codec.kind_of(record)
    old = get(connection, owner, kind, id)
    if version is not None and str(version) != old.etag:
        raise Conflict(f"{old.title!r} has changed since (version {old.version}, not {version}); look at it again")
    row = _row(owner, id, record, at) | {"version": old.version + 1, "created": _utc(old.created)}
    del row["content"]
    _keep_version(connection, owner, [old], at)
    connection.execute(records.update().where(*_one(owner, kind, id)).values(row))
    search.put(connection, owner, kind, [(id, codec.search_texts(record))])
    return replace(old, version=old.version + 1, record=record, updated=at)


def delete(
    connection: Connection, owner: str, kind: str, id: str, at: datetime, *, version: str | int | None = None
) -> None:
    """Remove a record; its last version stays. Raises NotFound, Conflict."""
    old = get(connection, owner, kind, id)
    if version is not None and str(version) != old.etag:
        raise Conflict(f"{old.title!r} has changed since (version {old.version}, not {version}); look at it again")
    _keep_version(connection, owner, [old], at)
    search.remove(connection, owner, kind, [id])
    connection.execute(records.delete().where(*_one(owner, kind, id)))


def versions(connection: Connection, owner: str, kind: str, id: str) -> list[tuple[int, Record]]:
    """The previous versions of a record, oldest first."""
    return [(kept.version, kept.record) for kept in history(connection, owner, kind, id)]


def history(connection: Connection, owner: str, kind: str, id: str) -> list[Kept]:
    """The previous versions of a record with their times, oldest first; also of a deleted one."""
    table = record_versions.c
    query = (
        sa.select(table.version, table.body, table.replaced)
        .where(table.owner == owner, table.kind == kind, table.id == id)
        .order_by(table.version)
    )
    rows = connection.execute(query)
    return [Kept(row.version, codec.load(kind, row.body), datetime.fromisoformat(row.replaced)) for row in rows]


def restore(
    connection: Connection, owner: str, id: str, record: Record, at: datetime, *, version: str | int | None = None
) -> Stored:
    """Bring a record back as `record`: a deleted one under its id, its versions going on; a present one that is
    still at `version` as `update` does. Raises NotFound for one that never was, Conflict."""
    kind = codec.kind_of(record)
    if version is not None:
        return update(connection, owner, id, record, at, version=version)
    kept = history(connection, owner, kind, id)
    if not kept:
        raise NotFound(f"no {kind} {id!r} is kept")
    row = _row(owner, id, record, at) | {"version": kept[-1].version + 1}
    try:
        connection.execute(records.insert(), row)
    except IntegrityError as twice:
        raise Conflict(f"{codec.title_of(record)!r} is here already; it cannot be restored beside it") from twice
    search.put(connection, owner, kind, [(id, codec.search_texts(record))])
    return _stored(row)


def upsert(connection: Connection, owner: str, incoming: Iterable[Record], at: datetime) -> Upserted:
    """Bring in records by (source, source_key). What its source gives unchanged stays as it is."""
    total = Upserted()
    pending: dict[str, list[Record]] = {}
    for record in incoming:
        waiting = pending.setdefault(codec.kind_of(record), [])
        waiting.append(record)
        if len(waiting) >= BATCH:
            total += _upsert_batch(connection, owner, pending.pop(codec.kind_of(record)), at)
    for batch in pending.values():
        total += _upsert_batch(connection, owner, batch, at)
    return total


def new_id(kind: str) -> str:
    return f"{kind}_{secrets.token_hex(8)}"


def _upsert_batch(connection: Connection, owner: str, batch: list[Record], at: datetime) -> Upserted:
    """One batch of one kind. A key that occurs twice counts once, with its last record."""
    kind = codec.kind_of(batch[0])
    by_key = {(r.source, r.source_key or codec.digest(codec.dump(r))): r for r in batch}
    known = _known(connection, owner, kind, by_key)
    rows: list[dict[str, Any]] = []
    old: list[Stored] = []
    unchanged = 0
    for (source, key), record in by_key.items():
        keyed = replace(record, source_key=key)
        before = known.get((source, key))
        if before is None:
            rows.append(_row(owner, new_id(kind), keyed, at))
        elif before["content"] == codec.digest(codec.dump(keyed)):
            unchanged += 1
        else:
            stored = _stored(before)
            old.append(stored)
            rows.append(_changed_row(owner, stored, keyed, at))
    _write_batch(connection, owner, kind, rows, old, at)
    return Upserted(len(rows) - len(old), len(old), unchanged)


def _write_batch(
    connection: Connection, owner: str, kind: str, rows: list[dict[str, Any]], old: list[Stored], at: datetime
) -> None:
    if not rows:
        return
    _keep_version(connection, owner, old, at)
    for stored in old:
        connection.execute(records.delete().where(*_one(owner, kind, stored.id)))
    connection.execute(records.insert(), rows)
    texts = [(row["id"], codec.search_texts(codec.load(kind, row["body"]))) for row in rows]
    search.put(connection, owner, kind, texts)


def _changed_row(owner: str, old: Stored, record: Record, at: datetime) -> dict[str, Any]:
    """The source's new values; check-ins made here since are not lost."""
    content = codec.digest(codec.dump(record))
    if isinstance(record, HabitRecord) and isinstance(old.record, HabitRecord):
        record = replace(record, check_ins=tuple(sorted({*record.check_ins, *old.record.check_ins})))
    row = _row(owner, old.id, record, at)
    return row | {"version": old.version + 1, "created": _utc(old.created), "content": content}


def _known(
    connection: Connection, owner: str, kind: str, keys: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], sa.RowMapping]:
    wanted = [key for _, key in keys]
    query = records.select().where(records.c.owner == owner, records.c.kind == kind, records.c.source_key.in_(wanted))
    return {(row["source"], row["source_key"]): row for row in connection.execute(query).mappings()}


def _row(owner: str, id: str, record: Record, at: datetime) -> dict[str, Any]:
    body = codec.dump(record)
    return {
        "owner": owner, "kind": codec.kind_of(record), "id": id, "version": 1,
        "title": codec.title_of(record), "state": codec.state_of(record), "day": codec.day_of(record),
        "source": record.source, "source_key": record.source_key, "content": codec.digest(body),
        "body": body, "created": _utc(at), "updated": _utc(at),
    }  # fmt: skip


def _keep_version(connection: Connection, owner: str, old: Sequence[Stored], at: datetime) -> None:
    rows = [
        {
            "owner": owner, "kind": stored.kind, "id": stored.id, "version": stored.version,
            "body": codec.dump(stored.record), "replaced": _utc(at),
        }
        for stored in old
    ]  # fmt: skip
    if rows:
        connection.execute(record_versions.insert(), rows)


def _one(owner: str, kind: str, id: str) -> tuple[sa.ColumnElement[bool], ...]:
    return (records.c.owner == owner, records.c.kind == kind, records.c.id == id)


def _stored(row: Mapping[Any, Any] | sa.RowMapping) -> Stored:
    return Stored(
        id=row["id"],
        version=row["version"],
        record=codec.load(row["kind"], row["body"]),
        created=datetime.fromisoformat(row["created"]),
        updated=datetime.fromisoformat(row["updated"]),
    )


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds")
