"""Small images made byte by byte, with what cameras and programs write beside the picture."""

from __future__ import annotations

import zlib

PLACE = b"GPS 47.3769 8.5417"


def chunk(kind: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")


def png(width: int = 3, height: int = 2, *beside: bytes, colour: bytes = b"\x20\x80\x60") -> bytes:
    """One colour; `beside` are chunks after the header."""
    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\x02\x00\x00\x00"
    rows = min(height, 2000) * (b"\x00" + min(width, 2000) * colour)
    parts = (chunk(b"IHDR", header), *beside, chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def segment(marker: int, body: bytes) -> bytes:
    return bytes((0xFF, marker)) + (len(body) + 2).to_bytes(2, "big") + body


def exif(turn: int, order: str = "big") -> bytes:
    """A camera's EXIF: the turn, a note, and the place."""

    def number(value: int, size: int) -> bytes:
        return value.to_bytes(size, order)  # type: ignore[arg-type]

    note = number(0x010E, 2) + number(2, 2) + number(4, 4) + b"abc\0"
    turned = number(0x0112, 2) + number(3, 2) + number(1, 4) + number(turn, 2) + b"\0\0"
    start = (b"MM" if order == "big" else b"II") + number(42, 2) + number(8, 4)
    return segment(0xE1, b"Exif\0\0" + start + number(2, 2) + note + turned + bytes(4) + PLACE)


def jpeg(*beside: bytes, width: int = 40, height: int = 30, after: bytes = b"") -> bytes:
    """The parts of a JPEG; its picture is only filled in. `after` follows its end."""
    size = b"\x08" + height.to_bytes(2, "big") + width.to_bytes(2, "big") + b"\x01\x01\x11\x00"
    parts = (
        segment(0xE0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0"), *beside, segment(0xC0, size), segment(0xC4, b"\0" * 17),
        segment(0xDA, b"\x01\x01\0\0\x3f\0") + b"scan\xff\x00more\xff\xd0rest", segment(0xC4, b"\1" * 17),
        segment(0xDA, b"\x01\x01\0\0\x3f\0") + b"again", b"\xff\xd9",
    )  # fmt: skip
    return b"\xff\xd8" + b"".join(parts) + after


def gif_frame(width: int = 1, height: int = 1, left: int = 0, packed: bytes = b"\x02\x02D\x01\0") -> bytes:
    place = b"".join(n.to_bytes(2, "little") for n in (left, 0, width, height))
    return b"\x2c" + place + b"\0" + packed


def gif(width: int = 5, height: int = 4, *parts: bytes) -> bytes:
    """`parts` in place of its one frame."""
    frames = b"".join(parts or (gif_frame(),))
    return (
        b"GIF89a" + width.to_bytes(2, "little") + height.to_bytes(2, "little") + b"\x80\0\0" + bytes(6) + frames + b";"
    )


def profile(*tags: tuple[bytes, bytes]) -> bytes:
    """A colour profile; its header tells who made it."""
    table, values, start = b"", b"", 132 + 12 * len(tags)
    for name, value in tags:
        found = values.find(value)
        place = start + (len(values) if found < 0 else found)
        table += name + place.to_bytes(4, "big") + len(value).to_bytes(4, "big")
        values += b"" if found >= 0 else value + bytes(-len(value) % 4)
    length = (132 + len(table) + len(values)).to_bytes(4, "big")
    header = length + b"made" + b"\4\0\0\0mntrRGB XYZ " + PLACE[:12] + b"acsp" + bytes(24) + bytes(16) + PLACE.ljust(48)
    return header + len(tags).to_bytes(4, "big") + table + values


def riff(kind: bytes, body: bytes) -> bytes:
    return kind + len(body).to_bytes(4, "little") + body + b"\0" * (len(body) % 2)


def webp(*chunks: bytes) -> bytes:
    body = b"WEBP" + b"".join(chunks)
    return b"RIFF" + len(body).to_bytes(4, "little") + body


def webp_extended(flags: int = 0x0C, width: int = 640, height: int = 480) -> bytes:
    """The header of a WebP with extra parts."""
    size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return riff(b"VP8X", bytes((flags,)) + b"\0\0\0" + size)


def webp_frame(*chunks: bytes, width: int = 33, height: int = 22) -> bytes:
    """A frame of an animation."""
    size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return riff(b"ANMF", bytes(6) + size + bytes(4) + b"".join(chunks))


LOSSY = riff(b"VP8 ", b"\x10\0\0\x9d\x01\x2a" + (33).to_bytes(2, "little") + (22).to_bytes(2, "little") + b"x")
LOSSLESS = riff(b"VP8L", b"\x2f" + ((70 - 1) | (50 - 1) << 14).to_bytes(4, "little") + b"y")
