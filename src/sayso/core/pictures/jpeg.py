"""JPEG: its size, and a copy of what a decoder needs. It keeps no comments, thumbnails and parts of applications."""

from __future__ import annotations

import re
from collections.abc import Iterator
from struct import Struct

from sayso.core.pictures.parts import CUT, NO_HEADER, NO_PICTURE, TWO_HEADERS, Damaged, Picture, at_most, checked_size
from sayso.core.pictures.profile import colours_alone

_TWO, _PAIR = Struct(">H"), Struct(">HH")
_MOST = 2000  # segments; also those that are left out
_SIZES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
_TABLES = frozenset((0xC4, 0xCC, 0xDB, 0xDD))
_SCAN, _END = 0xDA, 0xD9
_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})  # markers without a length
_FILL = re.compile(rb"\xff*")
_AFTER_SCAN = re.compile(rb"\xff[\x01-\xcf\xd8-\xfe]")  # a marker that is no restart and no escaped byte
_JFIF = b"\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0"  # without a thumbnail
_ADOBE = b"\xff\xee\0\x0eAdobe\0\x64\0\0\0\0"  # then how its colours are coded
_ICC, _ICC_ROOM = b"ICC_PROFILE\0", 65_000


def read_jpeg(data: bytes) -> Picture:
    """The turn that a camera noted is kept, so that the picture stays upright. Raises Damaged and OutOfBounds."""
    size: tuple[int, int] | None = None
    beside: dict[bytes, bytes] = {}
    profile, picture = list[bytes](), list[bytes]()
    scans = 0
    for marker, piece in at_most(_segments(data), _MOST):
        if marker in _SIZES:
            if size:
                raise Damaged(TWO_HEADERS)
            height, width = _PAIR.unpack_from(piece.ljust(9, b"\0"), 5)
            size = checked_size(width, height)
        if marker in _SIZES or marker in _TABLES or marker == _SCAN:
            picture.append(piece)
            scans += marker == _SCAN and size is not None
        elif marker == 0xE2 and piece.startswith(_ICC, 4):
            profile.append(piece[4 + len(_ICC) :])
        else:
            beside.setdefault(*_beside(marker, piece))
    if not size:
        raise Damaged(NO_HEADER)
    if not scans:
        raise Damaged(NO_PICTURE)
    start = b"".join(beside.get(told, b"") for told in (b"JFIF", b"Exif", b"Adobe"))
    return Picture(*size, data[:2] + start + _profile(profile) + b"".join(picture) + b"\xff\xd9")


def _segments(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Each marker with its bytes up to the next one; what comes after the end is not told."""
    at = 2
    while True:
        filled = _FILL.match(data, at)
        mark = filled.end() if filled else at
        if mark >= len(data):
            raise Damaged(CUT)
        if mark == at:
            raise Damaged("its parts do not fit together")
        marker, at = data[mark], mark - 1
        if marker == _END:
            return
        end = at + 2
        if marker not in _ALONE:
            end += int.from_bytes(data[end : end + 2].ljust(2, b"\0"), "big")
        if marker == _SCAN:
            found = _AFTER_SCAN.search(data, end)
            end = found.start() if found else len(data) + 1
        if end > len(data) or end < at + 2 + 2 * (marker not in _ALONE):
            raise Damaged(CUT)
        yield marker, data[at:end]
        at = end


_NOTHING = (b"", b"")


def _beside(marker: int, piece: bytes) -> tuple[bytes, bytes]:
    """What a segment tells of how to show the picture, written anew, by its name; nothing of others."""
    told = piece[4:].split(b"\0", 1)[0][:5]
    if marker == 0xE0 and told == b"JFIF":
        return told, _JFIF
    if marker == 0xE1 and piece.startswith(b"Exif\0\0", 4):
        return told, _turn_alone(piece[10:])
    if marker == 0xEE and told == b"Adobe" and len(piece) >= 16:
        return told, _ADOBE + piece[15:16]
    return _NOTHING


def _profile(parts: list[bytes]) -> bytes:
    """The colours of a profile, in as many segments as it needs."""
    colours = colours_alone(b"".join(part[2:] for part in sorted(parts, key=lambda part: part[:1])))
    rooms = [colours[at : at + _ICC_ROOM] for at in range(0, len(colours), _ICC_ROOM)]
    return b"".join(
        b"\xff\xe2" + _TWO.pack(len(room) + 16) + _ICC + bytes((number, len(rooms))) + room
        for number, room in enumerate(rooms[:255], 1)
    )


_ORIENTATION = 0x0112
_MOST_ENTRIES = 500


def _turn_alone(tiff: bytes) -> bytes:
    """An EXIF segment that says how to turn the picture, and nothing else; none where it is upright."""
    order = {b"II": "little", b"MM": "big"}.get(tiff[:2])
    if order is None:
        return b""
    at = int.from_bytes(tiff[4:8], order)  # pyright: ignore[reportArgumentType]
    count = int.from_bytes(tiff[at : at + 2], order)  # pyright: ignore[reportArgumentType]
    for place in range(at + 2, min(at + 2 + 12 * min(count, _MOST_ENTRIES), len(tiff) - 11), 12):
        if int.from_bytes(tiff[place : place + 2], order) == _ORIENTATION:  # pyright: ignore[reportArgumentType]
            turn = int.from_bytes(tiff[place + 8 : place + 10], order)  # pyright: ignore[reportArgumentType]
            return _exif_of(turn) if 2 <= turn <= 8 else b""
    return b""


def _exif_of(turn: int) -> bytes:
    entry = _TWO.pack(_ORIENTATION) + _TWO.pack(3) + (1).to_bytes(4, "big") + _TWO.pack(turn) + b"\0\0"
    tiff = b"MM\0*" + (8).to_bytes(4, "big") + _TWO.pack(1) + entry + bytes(4)
    return b"\xff\xe1" + _TWO.pack(len(tiff) + 8) + b"Exif\0\0" + tiff
