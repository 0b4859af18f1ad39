"""The shared run log in a database, for several processes: what `sayso.core.run_log` describes, in three tables.

It holds no application data: frames that were released and words to stop, for an hour, and continuations that were
used, for as long as they would hold.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta

from sqlalchemy import Column, Connection, ForeignKey, Index, Integer, MetaData, String, Table, Text, inspect, text
from sqlalchemy.exc import IntegrityError

from sayso.core.run_log import LIFETIME, QUIET, Claim, Kept
from sayso.errors import ConfigError, Conflict, ContinuationUsed, NoRun
from sayso.store import sqlite
from sayso.store.database import Database
from sayso.store.ports import now_utc, stamp

_TABLES = MetaData()
"""The tables as `sayso.migrations` makes them in an application's database."""
Table(
    "run_log", _TABLES, Column("id", String, primary_key=True), Column("owner", String, nullable=False),
    Column("heard", String, nullable=False), Column("ended", Integer, nullable=False),
    Column("stop", Integer, nullable=False), Index("runs_by_time", "heard"),
)  # fmt: skip
Table(
    "run_frames", _TABLES,
    Column("run_id", String, ForeignKey("run_log.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False), Column("frame", Text, nullable=False),
)  # fmt: skip
Table(
    "run_claims", _TABLES, Column("continuation", String, primary_key=True), Column("digest", String, nullable=False),
    Column("run_id", String, nullable=False), Column("until", String, nullable=False),
    Index("claims_by_run", "run_id"), Index("claims_by_time", "until"),
)  # fmt: skip

_NEVER_ENDED = text(
    "DELETE FROM run_claims WHERE run_id IN (SELECT id FROM run_log WHERE heard < :before AND ended = 0)"
)
"""What a dead process claimed may be claimed again, also where nobody asked for it in time."""
_OLD_RUNS = text("DELETE FROM run_log WHERE heard < :before")
_BEGIN = text("INSERT INTO run_log (id, owner, heard, ended, stop) VALUES (:id, :owner, :at, 0, 0)")
_GET = text("SELECT owner, heard, ended FROM run_log WHERE id = :id AND owner = :owner")
_GO_ON = text("UPDATE run_log SET heard = :at, ended = :ended WHERE id = :id AND ended = 0")
_LAST = text("SELECT COALESCE(MAX(number), 0) FROM run_frames WHERE run_id = :id")
_FRAME = text("INSERT INTO run_frames (run_id, number, frame) VALUES (:id, :number, :frame)")
_FRAMES = text("SELECT frame FROM run_frames WHERE run_id = :id AND number > :after ORDER BY number")
_STOP = text("UPDATE run_log SET stop = 1 WHERE id = :id AND owner = :owner")
_BEAT = text("UPDATE run_log SET heard = :at WHERE id = :id AND ended = 0")
_STOPS = text("SELECT id FROM run_log WHERE id = :id AND stop = 1 AND ended = 0")
_OLD_CLAIMS = text("DELETE FROM run_claims WHERE until < :at")
_CLAIM = text(
    "INSERT INTO run_claims (continuation, digest, run_id, until) VALUES (:continuation, :digest, :run_id, :until)"
    " ON CONFLICT (continuation) DO NOTHING"
)
_CLAIMED = text("SELECT digest, run_id FROM run_claims WHERE continuation = :continuation")
_FORGET = text("DELETE FROM run_log WHERE id = :run_id")
_BURY = text("UPDATE run_log SET heard = :at, ended = 1 WHERE id = :id AND ended = 0 AND heard < :silent")
_RELEASE = text("DELETE FROM run_claims WHERE run_id = :run_id")


class StoredRunLog:
    """A run of another owner is not found; `owner` is a person's desk.

    `quiet`: after how long a silent run counts as one whose process died.
    """

    def __init__(
        self, database: Database, *, lifetime: float = LIFETIME, quiet: float = QUIET,
        now: Callable[[], datetime] = now_utc,
    ) -> None:  # fmt: skip
        self._database, self._now = database, now
        self._lifetime, self._quiet = timedelta(seconds=lifetime), timedelta(seconds=quiet)

    async def begin(self, run_id: str, owner: str) -> None:
        await self._database.awrite(lambda connection: self._begin(connection, run_id, owner))

    def _begin(self, connection: Connection, run_id: str, owner: str) -> None:
        now = self._now()
        old = {"before": stamp(now - self._lifetime)}
        connection.execute(_NEVER_ENDED, old)
        connection.execute(_OLD_RUNS, old)
        try:
            connection.execute(_BEGIN, {"id": run_id, "owner": owner, "at": stamp(now)})
        except IntegrityError as twice:
            raise Conflict("this run was started already") from twice

    async def append(self, run_id: str, after: int, frames: Sequence[bytes], *, ended: bool) -> None:
        rows = [
            {"id": run_id, "number": number, "frame": frame.decode("ascii")}
            for number, frame in enumerate(frames, after + 1)
        ]
        values = {"id": run_id, "at": stamp(self._now()), "ended": int(ended)}

        def insert(connection: Connection) -> None:
            going_on = connection.execute(_GO_ON, values).rowcount
            if not going_on or connection.execute(_LAST, values).scalar_one() != after:
                raise Conflict("the run's log goes on otherwise already")
            for row in rows:
                connection.execute(_FRAME, row)

        await self._database.awrite(insert)

    async def read(self, run_id: str, owner: str, after: int) -> Kept:
        def load(connection: Connection) -> Kept:
            row = connection.execute(_GET, {"id": run_id, "owner": owner}).first()
            if row is None:
                raise NoRun
            frames = connection.execute(_FRAMES, {"id": run_id, "after": after}).scalars()
            lost = not row.ended and row.heard < stamp(self._now() - self._quiet)
            return Kept(tuple(frame.encode("ascii") for frame in frames), bool(row.ended), lost)

        return await self._database.aread(load)

    async def ask_to_stop(self, run_id: str, owner: str) -> None:
        values = {"id": run_id, "owner": owner}
        if not await self._database.awrite(lambda connection: connection.execute(_STOP, values).rowcount):
            raise NoRun

    async def beat(self, run_ids: Collection[str]) -> frozenset[str]:
        at = stamp(self._now())

        def tell(connection: Connection) -> frozenset[str]:
            stops: set[str] = set()
            for run_id in run_ids:
                connection.execute(_BEAT, {"id": run_id, "at": at})
                stops.update(connection.execute(_STOPS, {"id": run_id}).scalars())
            return frozenset(stops)

        return await self._database.awrite(tell)

    async def claim(self, claim: Claim, run_id: str, owner: str) -> str:
        now = self._now()
        values = {
            "continuation": claim.continuation, "digest": claim.digest, "run_id": run_id,
            "until": stamp(now + timedelta(seconds=claim.seconds)), "at": stamp(now),
        }  # fmt: skip

        def insert(connection: Connection) -> str:
            connection.execute(_OLD_CLAIMS, values)
            connection.execute(_CLAIM, values)
            first = connection.execute(_CLAIMED, values).one()
            if first.digest != claim.digest:
                raise ContinuationUsed
            if first.run_id == run_id:
                self._begin(connection, run_id, owner)
            return first.run_id

        # A claim that a power cut forgets could be used twice.
        return await self._database.awrite(insert, durable=True)

    async def release(self, run_id: str) -> None:
        await self._database.awrite(lambda connection: connection.execute(_RELEASE, {"run_id": run_id}))

    async def forget(self, run_id: str) -> None:
        def remove(connection: Connection) -> None:
            connection.execute(_RELEASE, {"run_id": run_id})
            connection.execute(_FORGET, {"run_id": run_id})

        await self._database.awrite(remove)

    async def bury(self, run_id: str, after: int, frame: bytes) -> None:
        now = self._now()
        values = {"id": run_id, "at": stamp(now), "silent": stamp(now - self._quiet)}

        def end(connection: Connection) -> None:
            silent = connection.execute(_BURY, values).rowcount
            if not silent or connection.execute(_LAST, values).scalar_one() != after:
                raise Conflict("the run goes on")
            connection.execute(_FRAME, {"id": run_id, "number": after + 1, "frame": frame.decode("ascii")})
            connection.execute(_RELEASE, {"run_id": run_id})

        await self._database.awrite(end, durable=True)


def open_run_log(url: str) -> Database:
    """A database that holds the run log and nothing else. Raises ConfigError for one that holds something else."""
    database = Database(url)

    def make(connection: Connection) -> None:
        others = set(inspect(connection).get_table_names()) - set(_TABLES.tables)
        if others:
            raise ConfigError(
                f"{url} is a database of something else (it has {min(others)}); the run log needs one of its own"
            )
        _TABLES.create_all(connection)

    try:
        sqlite.make_private_file(database.url)
        database.write(make, durable=True)
    except BaseException:
        database.close()
        raise
    return database
