"""Images that a user attaches: what they are by their bytes, their bounds, and what is taken out of them.

PNG, JPEG, GIF and WebP, known by their bytes and never by their names. What a camera or a program wrote beside
the picture (place, time, owner, comments) is left out, without touching the picture. Nothing is decoded here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sayso.core.facts import Fact, FactKind, Field, Provenance, clean_text
from sayso.core.pictures import MAX_SIDE, Damaged, OutOfBounds, Picture, read_gif, read_jpeg, read_png, read_webp
from sayso.errors import ImageUnfit

MAX_BYTES = 5 << 20
"""Of one image."""
MAX_IMAGES = 4
"""With one question, and in one request to a model."""
_MAX_NAME = 120

ATTACHED = FactKind(
    "attached_image",
    (Field("name"), Field("format"), Field("size")),
    subject="name",
    title="attached image",
)
"""An image that the user attached (refs U1, U2 ...). What it shows is the user's word, never a record's value."""


class Image(NamedTuple):
    """An image that the user attached: its media type ("image/png"), its bytes, its file name."""

    media_type: str
    data: bytes
    name: str = ""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A checked image. `digest` names its bytes, which are without metadata."""

    digest: str
    name: str
    media_type: str
    width: int
    height: int
    data: bytes

    def fact(self, as_of: datetime) -> Fact:
        """That it was attached; its key is the digest."""
        values = {"name": self.name, "format": self.media_type, "size": f"{self.width} × {self.height} pixels"}
        return ATTACHED.fact(
            values, source="attachment", key=self.digest, as_of=as_of, provenance=Provenance.PROVIDED
        )  # fmt: skip


_READERS: tuple[tuple[str, bytes, Callable[[bytes], Picture]], ...] = (
    ("image/png", b"\x89PNG\r\n\x1a\n", read_png),
    ("image/jpeg", b"\xff\xd8\xff", read_jpeg),
    ("image/gif", b"GIF87a", read_gif),
    ("image/gif", b"GIF89a", read_gif),
    ("image/webp", b"RIFF", read_webp),
)
_OTHERS: tuple[tuple[str, Sequence[bytes]], ...] = (
    ("a PDF", (b"%PDF",)),
    ("a HEIC or AVIF image", (b"ftypheic", b"ftypheix", b"ftypmif1", b"ftypavif", b"ftypavis")),
    ("a TIFF image", (b"II*\x00", b"MM\x00*")),
    ("a BMP image", (b"BM",)),
    ("an icon", (b"\x00\x00\x01\x00",)),
)


def read_attachment(data: bytes, name: str) -> Attachment:
    """Check an image and take out its metadata. Raises ImageUnfit, which names the image and says what to do."""
    name = shown_name(name)
    if not data:
        raise ImageUnfit(f"{name} is empty: attach another file", "empty")
    if len(data) > MAX_BYTES:
        raise too_large(name)
    media_type, reader = _format_of(data, name)
    try:
        picture = reader(data)
    except Damaged as wrong:
        raise ImageUnfit(f"{name} is damaged ({wrong}): save it again, then attach it", "damaged") from wrong
    except OutOfBounds as wrong:
        raise ImageUnfit(
            f"{name} has {wrong} pixels; each side may have 1 to {MAX_SIDE}: scale it", "pixels"
        ) from wrong
    digest = hashlib.sha256(picture.data).hexdigest()
    return Attachment(digest, name, media_type, picture.width, picture.height, picture.data)


def too_large(name: str) -> ImageUnfit:
    """The error for an image of more than MAX_BYTES."""
    return ImageUnfit(f"{shown_name(name)} is larger than {MAX_BYTES >> 20} MB: make it smaller", "too_large")


def checked_number(count: int) -> None:
    """Raises ImageUnfit for more images than a question may have."""
    if count > MAX_IMAGES:
        raise ImageUnfit(f"{count} images are attached; a question may have {MAX_IMAGES}: remove some", "too_many")


def shown_name(name: str) -> str:
    """The file's own name, without folders, on one line, of a length that fits."""
    last = clean_text(name).replace("\\", "/").rstrip("/").rpartition("/")[2]
    line = " ".join("".join(c if c.isprintable() else " " for c in last).split())
    if len(line) > _MAX_NAME:
        half = _MAX_NAME // 2
        line = f"{line[:half]}…{line[-half:]}"
    return line or "image"


def _format_of(data: bytes, name: str) -> tuple[str, Callable[[bytes], Picture]]:
    for media_type, start, reader in _READERS:
        if data.startswith(start) and (media_type != "image/webp" or data[8:12] == b"WEBP"):
            return media_type, reader
    head = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    what = next((what for what, marks in _OTHERS if data[:12].startswith(tuple(marks)) or data[4:12] in marks), "")
    if head.startswith((b"<svg", b"<?xml", b"<!doctype svg", b"<!--")) and b"<svg" in data[:4096].lower():
        what = "an SVG drawing"
    told = f"{name} is {what}" if what else f"{name} is no image that can be read"
    raise ImageUnfit(f"{told}: attach a PNG, JPEG, GIF or WebP", "format")
