"""The containers of four image formats: their size in pixels, and a copy without metadata.

Whole pieces are kept or left out; the compressed picture is copied byte for byte. It decodes no pixel.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from struct import Struct
from typing import NamedTuple


class Damaged(ValueError):
    """The bytes end early, or are not what their beginning says."""


class Picture(NamedTuple):
    """Pixels, and the bytes to keep."""

    width: int
    height: int
    data: bytes


_TWO, _PAIR, _CHUNK = Struct(">H"), Struct(">HH"), Struct(">II")
_LITTLE, _LITTLE_PAIR = Struct("<I"), Struct("<HH")
_CUT = "it ends too early"

# What shapes or colours the picture; text, times, EXIF and what is unknown are left out.
_PNG_KEPT = frozenset(
    b"IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP sBIT bKGD hIST pHYs sPLT cICP mDCV cLLI acTL fcTL fdAT".split()
)
_SIGNATURE = 8


def read_png(data: bytes) -> Picture:
    """Raises Damaged."""
    if data[12:16] != b"IHDR" or len(data) < 33:
        raise Damaged("it has no header")
    width, height = _CHUNK.unpack_from(data, 16)
    kept = [data[:_SIGNATURE]]
    at, kind = _SIGNATURE, b""
    while kind != b"IEND":
        end = at + 12 + int.from_bytes(data[at : at + 4], "big")
        kind = data[at + 4 : at + 8]
        if end > len(data):
            raise Damaged(_CUT)
        if kind in _PNG_KEPT:
            kept.append(data[at:end])
        at = end
    return Picture(width, height, b"".join(kept))


_SIZES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
_SCAN, _END = 0xDA, 0xD9
_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})  # markers without a length
_AFTER_SCAN = re.compile(rb"\xff[\x01-\xcf\xd8-\xfe]")  # a marker that is no restart and no escaped byte


def read_jpeg(data: bytes) -> Picture:
    """The turn that a camera noted is kept, so that the picture stays upright; no other EXIF is. Raises Damaged."""
    width = height = 0
    kept = [data[:2]]
    for marker, piece in _segments(data):
        if marker in _SIZES and not width:
            height, width = _PAIR.unpack_from(piece.ljust(9, b"\0"), 5)
        if marker == 0xE1 and piece[4:10] == b"Exif\0\0":
            kept.append(_turn_alone(piece[10:]))
        elif not _tells_more(marker, piece):
            kept.append(piece)
    if not width:
        raise Damaged("it has no header")
    return Picture(width, height, b"".join(kept))


def _segments(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Each marker with its bytes up to the next one; what comes after the end is not told."""
    at = 2
    while True:
        while data[at : at + 2] == b"\xff\xff":
            at += 1
        if at + 2 > len(data):
            raise Damaged(_CUT)
        if data[at] != 0xFF:
            raise Damaged("its parts do not fit together")
        marker = data[at + 1]
        if marker == _END:
            yield marker, data[at : at + 2]
            return
        end = at + 2
        if marker not in _ALONE:
            end += int.from_bytes(data[end : end + 2].ljust(2, b"\0"), "big")
        if marker == _SCAN:
            found = _AFTER_SCAN.search(data, end)
            end = found.start() if found else len(data) + 1
        if end > len(data) or end < at + 2 + 2 * (marker not in _ALONE):
            raise Damaged(_CUT)
        yield marker, data[at:end]
        at = end


def _tells_more(marker: int, piece: bytes) -> bool:
    """Whether a segment is a comment or of an application, but no JFIF, colour profile or Adobe colour space."""
    if marker == 0xE2:
        return piece[4:16] != b"ICC_PROFILE\0"
    return marker == 0xFE or (0xE1 <= marker <= 0xEF and marker != 0xEE)


_ORIENTATION = 0x0112


def _turn_alone(tiff: bytes) -> bytes:
    """An EXIF segment that says how to turn the picture, and nothing else; none where it is upright."""
    order = {b"II": "little", b"MM": "big"}.get(tiff[:2])
    if order is None:
        return b""
    at = int.from_bytes(tiff[4:8], order)  # pyright: ignore[reportArgumentType]
    count = int.from_bytes(tiff[at : at + 2], order)  # pyright: ignore[reportArgumentType]
    for place in range(at + 2, min(at + 2 + 12 * count, len(tiff) - 11), 12):
        if int.from_bytes(tiff[place : place + 2], order) == _ORIENTATION:  # pyright: ignore[reportArgumentType]
            turn = int.from_bytes(tiff[place + 8 : place + 10], order)  # pyright: ignore[reportArgumentType]
            return _exif_of(turn) if 2 <= turn <= 8 else b""
    return b""


def _exif_of(turn: int) -> bytes:
    entry = _TWO.pack(_ORIENTATION) + _TWO.pack(3) + (1).to_bytes(4, "big") + _TWO.pack(turn) + b"\0\0"
    tiff = b"MM\0*" + (8).to_bytes(4, "big") + _TWO.pack(1) + entry + bytes(4)
    return b"\xff\xe1" + _TWO.pack(len(tiff) + 8) + b"Exif\0\0" + tiff


def read_gif(data: bytes) -> Picture:
    """Its comments stay: they stand among the frames. What follows the end goes. Raises Damaged."""
    end = data.rfind(b"\x3b")
    if end < 13:
        raise Damaged(_CUT)
    width, height = _LITTLE_PAIR.unpack_from(data, 6)
    return Picture(width, height, data[: end + 1])


_EXIF_AND_XMP = 0x0C  # flags of a WebP's header


def read_webp(data: bytes) -> Picture:
    """Raises Damaged."""
    whole = 8 + int.from_bytes(data[4:8], "little")
    if whole > len(data):
        raise Damaged(_CUT)
    size: tuple[int, int] | None = None
    kept: list[bytes] = []
    at = 12
    while at + 8 <= whole:
        kind, length = data[at : at + 4], _LITTLE.unpack_from(data, at + 4)[0]
        body, end = data[at + 8 : at + 8 + length], at + 8 + length + length % 2
        if end > whole + 1 or len(body) < length:
            raise Damaged(_CUT)
        size = size or _webp_size(kind, body)
        if kind == b"VP8X" and body:
            body = bytes((body[0] & ~_EXIF_AND_XMP,)) + body[1:]
        if kind not in (b"EXIF", b"XMP "):
            kept.append(kind + _LITTLE.pack(length) + body + b"\0" * (length % 2))
        at = end
    if size is None:
        raise Damaged("it has no header")
    content = b"WEBP" + b"".join(kept)
    return Picture(*size, b"RIFF" + _LITTLE.pack(len(content)) + content)


def _webp_size(kind: bytes, body: bytes) -> tuple[int, int] | None:
    """From the header of its three forms."""
    if kind == b"VP8X" and len(body) >= 10:
        return 1 + int.from_bytes(body[4:7], "little"), 1 + int.from_bytes(body[7:10], "little")
    if kind == b"VP8 " and body[3:6] == b"\x9d\x01\x2a" and len(body) >= 10:
        width, height = _LITTLE_PAIR.unpack_from(body, 6)
        return width & 0x3FFF, height & 0x3FFF
    if kind == b"VP8L" and body[:1] == b"\x2f" and len(body) >= 5:
        bits = int.from_bytes(body[1:5], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    return None
