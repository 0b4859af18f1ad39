"""PNG: its size, and a copy of what shapes or colours the still picture. It keeps no animation and no text."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from struct import Struct

from sayso.core.pictures.parts import CUT, NO_HEADER, NO_PICTURE, TWO_HEADERS, Damaged, Picture, at_most, checked_size
from sayso.core.pictures.profile import colours_alone

_HEADER = Struct(">IIBBBBB")
_SIGNATURE = 8
_MOST = 20_000  # chunks; also those that are left out
_KEPT = {
    b"PLTE": 768, b"tRNS": 256, b"gAMA": 4, b"cHRM": 32, b"sRGB": 1, b"sBIT": 4, b"bKGD": 6, b"pHYs": 9,
    b"cICP": 4, b"mDCV": 24, b"cLLI": 8,
}  # fmt: skip
"""Beside header, picture and end: each once, no longer than what it says needs."""
_SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # a pixel's, by the colour type
_PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
_MAX_PROFILE = 4 << 20
_STEP = 1 << 18


def read_png(data: bytes) -> Picture:
    """Raises Damaged and OutOfBounds."""
    chunks = at_most(_chunks(data), _MOST)
    kind, header = next(chunks, (b"", b""))
    if kind != b"IHDR" or len(header) != _HEADER.size:
        raise Damaged(NO_HEADER)
    width, height, needed = _size(header)
    pieces, drawn = {kind: _chunk(kind, header)}, list[bytes]()
    for kind, body in chunks:
        if kind == b"IHDR":
            raise Damaged(TWO_HEADERS)
        if kind == b"IDAT":
            drawn.append(body)
        elif not drawn and kind not in pieces:
            pieces[kind] = _kept(kind, body)
    if not drawn:
        raise Damaged(NO_PICTURE)
    _check_picture(b"".join(drawn), needed)
    picture = b"".join(_chunk(b"IDAT", body) for body in drawn)
    return Picture(width, height, data[:_SIGNATURE] + b"".join(pieces.values()) + picture + _chunk(b"IEND", b""))


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Each kind with its body, as far as the end; what follows it is not told."""
    at, kind = _SIGNATURE, b""
    while kind != b"IEND":
        end = at + 12 + int.from_bytes(data[at : at + 4], "big")
        kind, body = data[at + 4 : at + 8], data[at + 8 : end - 4]
        if end > len(data):
            raise Damaged(CUT if at > _SIGNATURE else NO_HEADER)
        if zlib.crc32(body, zlib.crc32(kind)) != int.from_bytes(data[end - 4 : end], "big"):
            raise Damaged("its bytes were changed")
        yield kind, body
        at = end


def _chunk(kind: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(body, zlib.crc32(kind)).to_bytes(4, "big")


def _kept(kind: bytes, body: bytes) -> bytes:
    """The chunk, or nothing."""
    if kind == b"iCCP":
        return _profile(body)
    return _chunk(kind, body) if len(body) <= _KEPT.get(kind, -1) else b""


def _profile(body: bytes) -> bytes:
    """The colours of a profile, under a name that tells nothing."""
    inflater = zlib.decompressobj()
    try:
        profile = inflater.decompress(body.partition(b"\0")[2][1:], _MAX_PROFILE)
    except zlib.error:
        return b""
    colours = colours_alone(profile)
    return _chunk(b"iCCP", b"icc\0\0" + zlib.compress(colours)) if colours else b""


def _size(header: bytes) -> tuple[int, int, int]:
    """Pixels, and the bytes that they have when inflated."""
    wide, high, depth, colour, packing, filtering, interlaced = _HEADER.unpack(header)
    width, height = checked_size(wide, high)
    if colour not in _SAMPLES or depth not in (1, 2, 4, 8, 16) or packing or filtering or interlaced > 1:
        raise Damaged("its header does not fit together")
    bits = depth * _SAMPLES[colour]
    if not interlaced:
        return width, height, height * (1 + (width * bits + 7) // 8)
    needed = 0
    for left, top, right, down in _PASSES:
        columns, rows = -((left - width) // right), -((top - height) // down)
        needed += rows * (1 + (columns * bits + 7) // 8) if columns > 0 else 0
    return width, height, needed


def _check_picture(packed: bytes, needed: int) -> None:
    """That it inflates to what the header needs: no more, whatever it would come to. Raises Damaged."""
    inflater, made, rest = zlib.decompressobj(), 0, packed
    try:
        while not inflater.eof and made <= needed:
            step = len(inflater.decompress(rest, _STEP))
            made, rest = made + step, inflater.unconsumed_tail
            if not step and not rest:
                break
    except zlib.error as wrong:
        raise Damaged("its picture cannot be unpacked") from wrong
    if made != needed or not inflater.eof or inflater.unused_data:
        raise Damaged("its picture is not of the size that its header says")
