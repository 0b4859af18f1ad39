"""`Workspace`: the built-in application's records, by owner. The facade over the repository.

It opens no database and knows no model: give it a `Database`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sqlalchemy import Connection

from sayso.errors import ConfigError
from sayso.store.database import Database
from sayso.workspace import repository, tables
from sayso.workspace.records import Record
from sayso.workspace.repository import Stored, Upserted

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Settings:
    """An owner's place and habits: `week_start` is "monday" or "sunday"."""

    time_zone: str = "UTC"
    locale: str = "en"
    week_start: str = "monday"

    def __post_init__(self) -> None:
        if self.week_start not in ("monday", "sunday"):
            raise ConfigError(f"week_start is monday or sunday, not {self.week_start!r}")
        try:
            ZoneInfo(self.time_zone)
        except (ZoneInfoNotFoundError, ValueError, OSError) as unknown:
            raise ConfigError(f"unknown time zone {self.time_zone!r}; write one such as Europe/Zurich") from unknown

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)


class Workspace:
    """The records of every owner in one database. Safe to share between threads."""

    def __init__(self, database: Database, *, defaults: Settings | None = None) -> None:
        self.database = database
        self.defaults = defaults or Settings()

    def settings(self, owner: str) -> Settings:
        return self.database.read(lambda connection: settings_of(connection, owner, self.defaults))

    def set_settings(self, owner: str, settings: Settings) -> None:
        values = {
            "owner": owner, "time_zone": settings.time_zone, "locale": settings.locale,
            "week_start": settings.week_start,
        }  # fmt: skip

        def put(connection: Connection) -> None:
            connection.execute(tables.settings.delete().where(tables.settings.c.owner == owner))
            connection.execute(tables.settings.insert(), values)

        self.database.write(put)

    def upsert(self, owner: str, records: Iterable[Record], at: datetime) -> Upserted:
        """Bring in records by their source and key, in one transaction."""
        return self.database.write(lambda connection: repository.upsert(connection, owner, records, at))

    def get(self, owner: str, kind: str, id: str) -> Stored:
        """Raises NotFound."""
        return self.database.read(lambda connection: repository.get(connection, owner, kind, id))

    def list(
        self, owner: str, kind: str, *, state: str | None = None, first: date | None = None,
        last: date | None = None, limit: int | None = None, after: str | None = None,
    ) -> list[Stored]:  # fmt: skip
        """Records by title; with `limit` by id, page by page (`after` is the last id seen)."""
        return self.database.read(
            lambda connection: repository.list_all(
                connection, owner, kind, state=state, first=first, last=last, limit=limit, after=after
            )
        )

    def count(self, owner: str, kind: str) -> int:
        return self.database.read(lambda connection: repository.count(connection, owner, kind))

    def create(self, owner: str, record: Record, at: datetime) -> Stored:
        """Raises Conflict when the record's source gave it already."""
        return self.database.write(lambda connection: repository.create(connection, owner, record, at))

    def update(self, owner: str, id: str, record: Record, at: datetime, *, version: str | int | None = None) -> Stored:
        """Replace a record, if it is still at `version`. Raises NotFound, Conflict."""
        return self.database.write(
            lambda connection: repository.update(connection, owner, id, record, at, version=version)
        )

    def delete(self, owner: str, kind: str, id: str, at: datetime, *, version: str | int | None = None) -> None:
        """Raises NotFound, Conflict."""
        self.database.write(lambda connection: repository.delete(connection, owner, kind, id, at, version=version))

    def versions(self, owner: str, kind: str, id: str) -> list[tuple[int, Record]]:  # pyright: ignore
        """The previous versions of a record, oldest first; also of a deleted one."""
        return self.database.read(lambda connection: repository.versions(connection, owner, kind, id))

    async def aread(self, fn: Callable[[Connection], T]) -> T:
        return await self.database.aread(fn)


def settings_of(connection: Connection, owner: str, defaults: Settings) -> Settings:
    row = connection.execute(tables.settings.select().where(tables.settings.c.owner == owner)).one_or_none()
    return Settings(row.time_zone, row.locale, row.week_start) if row else defaults
