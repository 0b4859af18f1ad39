"""Attached images in both stores: once each, for their owner, as long as a thread shows them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text

from made_images import png
from sayso.core.encoding import decode_message, encode_message
from sayso.core.evidence import Evidence
from sayso.core.images import Attachment, read_attachment
from sayso.core.messages import ImagePart, Message, Role, TextPart
from sayso.errors import NotFound
from sayso.store.images import UNUSED, Images, MemoryImages
from sayso.store.threads import CORE_KINDS, Threads

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
RECEIPT = read_attachment(png(colour=b"\1\2\3"), "receipt.png")
BOARD = read_attachment(png(colour=b"\4\5\6"), "board.png")


@pytest.fixture(params=["database", "memory"])
def images(request: Any) -> Any:
    return MemoryImages() if request.param == "memory" else Images(request.getfixturevalue("database"))


async def test_an_image_is_found_by_its_digest_and_only_by_its_owner(images: Any) -> None:
    await images.keep("ann", (RECEIPT, BOARD), NOW)
    await images.keep("ann", (RECEIPT,), NOW)
    await images.keep("ann", (), NOW)
    assert await images.get("ann", RECEIPT.digest) == RECEIPT
    assert await images.pictures("ann", [BOARD.digest, "0" * 64]) == {BOARD.digest: BOARD.data}
    assert await images.pictures("bob", [BOARD.digest]) == {}
    assert await images.pictures("ann", []) == {}
    with pytest.raises(NotFound, match="attach it again"):
        await images.get("bob", RECEIPT.digest)


def asking(id: str, *images: Attachment) -> Message:
    numbered = Evidence().add_all(image.fact(NOW) for image in images)
    return Message(id, Role.USER, (*map(ImagePart, numbered), TextPart("What is this?")), "e1")


def test_a_message_keeps_that_an_image_was_attached_and_not_its_bytes() -> None:
    message = asking("m1", RECEIPT)
    stored = encode_message(message)
    assert decode_message(stored, CORE_KINDS) == message
    assert RECEIPT.digest in stored
    assert len(stored) < 700


async def test_refs_of_images_are_never_used_again(threads: Any) -> None:
    thread = await threads.create("ann")
    await threads.append("ann", thread.id, asking("m1", RECEIPT, BOARD))
    assert (await threads.get("ann", thread.id)).next_ref == 3


async def test_an_image_goes_with_the_last_thread_that_shows_it(database: Any) -> None:
    threads, images = Threads(database), Images(database)
    await images.keep("ann", (RECEIPT, BOARD), NOW)
    one, two = await threads.create("ann"), await threads.create("ann")
    await threads.append("ann", one.id, asking("m1", RECEIPT, BOARD), asking("m2", RECEIPT))
    await threads.append("ann", two.id, asking("m3", BOARD))
    with pytest.raises(NotFound):
        await threads.delete("bob", one.id)
    await threads.delete("ann", one.id)
    assert await images.pictures("ann", [RECEIPT.digest, BOARD.digest]) == {BOARD.digest: BOARD.data}
    await threads.delete("ann", two.id)
    assert database.read(lambda c: c.execute(text("SELECT COUNT(*) FROM images")).scalar()) == 0


async def test_an_upload_that_nobody_asked_about_goes_after_a_day(database: Any) -> None:
    threads, images = Threads(database), Images(database)
    await images.keep("ann", (RECEIPT, BOARD), NOW)
    thread = await threads.create("ann")
    await threads.append("ann", thread.id, asking("m1", BOARD))
    other = read_attachment(png(colour=b"\7\7\7"), "other.png")
    await images.keep("ann", (other,), NOW + UNUSED + timedelta(minutes=1))
    found = await images.pictures("ann", [RECEIPT.digest, BOARD.digest, other.digest])
    assert set(found) == {BOARD.digest, other.digest}
