"""Attached images by the digest of their bytes: each once an owner, as long as a thread shows it.

Messages hold digests only. What was uploaded and never asked about goes after a day. It decides no format.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Protocol

from sqlalchemy import Connection, text

from sayso.core.images import Attachment
from sayso.errors import NotFound
from sayso.store.database import Database
from sayso.store.ports import stamp

UNUSED = timedelta(days=1)
"""How long an image is kept that no thread shows."""

_COLUMNS = "digest, name, media_type, width, height, content"
_KEEP = text(
    "INSERT INTO images (owner, digest, name, media_type, width, height, content, kept) VALUES"
    " (:owner, :digest, :name, :media_type, :width, :height, :content, :kept)"
    " ON CONFLICT (owner, digest) DO UPDATE SET name = :name, kept = :kept"
)
_GET = text(f"SELECT {_COLUMNS} FROM images WHERE owner = :owner AND digest = :digest")
_UNUSED = text(
    "DELETE FROM images WHERE kept < :before AND NOT EXISTS"
    " (SELECT 1 FROM thread_images t WHERE t.owner = images.owner AND t.digest = images.digest)"
)
_SHOW = text("INSERT INTO thread_images VALUES (:thread, :owner, :digest) ON CONFLICT DO NOTHING")
_ONLY_HERE = text(
    "DELETE FROM images WHERE owner = :owner AND digest IN"
    " (SELECT digest FROM thread_images WHERE thread_id = :thread AND owner = :owner) AND NOT EXISTS"
    " (SELECT 1 FROM thread_images t WHERE t.owner = images.owner AND t.digest = images.digest AND"
    " t.thread_id <> :thread)"
)


class ImageStore(Protocol):
    """An image of another owner is not found, as one that does not exist. `owner` is a person's desk."""

    async def keep(self, owner: str, images: Collection[Attachment], at: datetime) -> None: ...
    async def get(self, owner: str, digest: str) -> Attachment: ...
    async def pictures(self, owner: str, digests: Collection[str]) -> Mapping[str, bytes]: ...


class Images:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, owner: str, images: Collection[Attachment], at: datetime) -> None:
        """Store images, and forget those that were not asked about for a day."""
        rows = [_row(owner, image, at) for image in images]

        def insert(connection: Connection) -> None:
            connection.execute(_UNUSED, {"before": stamp(at - UNUSED)})
            for row in rows:
                connection.execute(_KEEP, row)

        if rows:
            await self._database.awrite(insert)

    async def get(self, owner: str, digest: str) -> Attachment:
        """Raises NotFound."""
        found = await self._database.aread(
            lambda connection: connection.execute(_GET, {"owner": owner, "digest": digest}).first()
        )
        if found is None:
            raise no_image()
        return Attachment(*found)

    async def pictures(self, owner: str, digests: Collection[str]) -> Mapping[str, bytes]:
        """The bytes of those that are there."""
        if not digests:
            return {}
        asked = [{"owner": owner, "digest": digest} for digest in digests]

        def load(connection: Connection) -> dict[str, bytes]:
            rows = (connection.execute(_GET, values).first() for values in asked)
            return {row.digest: row.content for row in rows if row is not None}

        return await self._database.aread(load)


def show_images(connection: Connection, owner: str, thread_id: str, digests: Iterable[str]) -> None:
    """Keep these images as long as the thread; within the transaction that appends their message."""
    for digest in digests:
        connection.execute(_SHOW, {"thread": thread_id, "owner": owner, "digest": digest})


def forget_images(connection: Connection, owner: str, thread_id: str) -> None:
    """Delete the images that only this thread shows; before the thread itself."""
    connection.execute(_ONLY_HERE, {"owner": owner, "thread": thread_id})


def no_image() -> NotFound:
    return NotFound("this image is no longer kept; attach it again")


def _row(owner: str, image: Attachment, at: datetime) -> dict[str, Any]:
    return {
        "owner": owner, "digest": image.digest, "name": image.name, "media_type": image.media_type,
        "width": image.width, "height": image.height, "content": image.data, "kept": stamp(at),
    }  # fmt: skip


class MemoryImages:
    """The same in memory, for as long as the process lives."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], Attachment] = {}

    async def keep(self, owner: str, images: Collection[Attachment], at: datetime) -> None:
        self._kept.update(((owner, image.digest), image) for image in images)

    async def get(self, owner: str, digest: str) -> Attachment:
        found = self._kept.get((owner, digest))
        if found is None:
            raise no_image()
        return found

    async def pictures(self, owner: str, digests: Collection[str]) -> Mapping[str, bytes]:
        return {digest: self._kept[owner, digest].data for digest in digests if (owner, digest) in self._kept}
