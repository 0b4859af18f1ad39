"""WebP: its size, and a copy of its frames and colours. It keeps no EXIF, no XMP and no part that it does not know."""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct

from sayso.core.pictures.parts import (
    CUT,
    NO_HEADER,
    NO_PICTURE,
    TWO_HEADERS,
    Damaged,
    Picture,
    at_most,
    checked_size,
)  # fmt: skip
from sayso.core.pictures.profile import colours_alone

_LITTLE, _PAIR = Struct("<I"), Struct("<HH")
_MOST = 20_000  # chunks in one list
_COLOURS, _EXIF_AND_XMP = 0x20, 0x0C  # flags of the header
_FRAME_HEADER, _LOOPS = 16, 6
_CODED = frozenset((b"VP8 ", b"VP8L"))


def read_webp(data: bytes) -> Picture:
    """Raises Damaged and OutOfBounds."""
    whole = 8 + int.from_bytes(data[4:8], "little")
    if whole > len(data):
        raise Damaged(CUT)
    chunks = [*_chunks(data[12:whole])]
    kind, body = chunks[0] if chunks else (b"", b"")
    if kind in _CODED:  # the form with one chunk
        size = _coded_size(kind, body)
        return Picture(*size, _riff(_chunk(kind, body)))
    if kind != b"VP8X" or len(body) < 10:
        raise Damaged(NO_HEADER)
    size = checked_size(_three(body, 4) + 1, _three(body, 7) + 1)
    kept = _extended(chunks[1:], size)
    flags = body[0] & ~_EXIF_AND_XMP & ~(0 if b"ICCP" in kept else _COLOURS)
    header = _chunk(b"VP8X", bytes((flags,)) + bytes(3) + body[4:10])
    return Picture(*size, _riff(header + b"".join(kept.values())))


def _extended(chunks: list[tuple[bytes, bytes]], size: tuple[int, int]) -> dict[bytes, bytes]:
    """The chunks to keep by their kind; those of all frames are one. Raises Damaged and OutOfBounds."""
    kept: dict[bytes, bytes] = {}
    frames = list[bytes]()
    for kind, body in chunks:
        if kind == b"VP8X" or (kind in _CODED and kept.keys() & _CODED):
            raise Damaged(TWO_HEADERS)
        if kind == b"ANMF":
            frames.append(_frame(body, size))
        elif kind in _CODED or kind == b"ALPH":
            kept[kind] = _drawn(kind, body, size)
        elif kind == b"ANIM":
            kept[kind] = _chunk(kind, body[:_LOOPS])
        elif kind == b"ICCP" and (colours := colours_alone(body)):
            kept[kind] = _chunk(kind, colours)
    if not frames and not kept.keys() & _CODED:
        raise Damaged(NO_PICTURE)
    return kept | ({b"ANMF": b"".join(frames)} if frames else {})


def _frame(body: bytes, size: tuple[int, int]) -> bytes:
    """A frame of an animation, with its picture alone."""
    header, parts = body[:_FRAME_HEADER], [*_chunks(body[_FRAME_HEADER:])]
    if sum(kind in _CODED for kind, _ in parts) != 1:
        raise Damaged(NO_PICTURE)
    _check_within(checked_size(_three(header, 6) + 1, _three(header, 9) + 1), size)
    drawn = (_drawn(kind, part, size) for kind, part in parts if kind in _CODED or kind == b"ALPH")
    return _chunk(b"ANMF", header + b"".join(drawn))


def _drawn(kind: bytes, body: bytes, size: tuple[int, int]) -> bytes:
    if kind in _CODED:
        _check_within(_coded_size(kind, body), size)
    return _chunk(kind, body)


def _check_within(frame: tuple[int, int], size: tuple[int, int]) -> None:
    if frame[0] > size[0] or frame[1] > size[1]:
        raise Damaged("a frame is larger than the picture")


def _coded_size(kind: bytes, body: bytes) -> tuple[int, int]:
    """From the header of a frame's two forms. Raises Damaged and OutOfBounds."""
    if kind == b"VP8 " and body[3:6] == b"\x9d\x01\x2a" and len(body) >= 10:
        width, height = _PAIR.unpack_from(body, 6)
        return checked_size(width & 0x3FFF, height & 0x3FFF)
    if kind == b"VP8L" and body[:1] == b"\x2f" and len(body) >= 5:
        bits = _LITTLE.unpack_from(body, 1)[0]
        return checked_size(1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF))
    raise Damaged(NO_HEADER)


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    return at_most(_all_chunks(data), _MOST)


def _all_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 0
    while at + 8 <= len(data):
        length = _LITTLE.unpack_from(data, at + 4)[0]
        body = data[at + 8 : at + 8 + length]
        if len(body) < length:
            raise Damaged(CUT)
        yield data[at : at + 4], body
        at += 8 + length + length % 2


def _chunk(kind: bytes, body: bytes) -> bytes:
    return kind + _LITTLE.pack(len(body)) + body + b"\0" * (len(body) % 2)


def _riff(chunks: bytes) -> bytes:
    return b"RIFF" + _LITTLE.pack(len(chunks) + 4) + b"WEBP" + chunks


def _three(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 3], "little")
