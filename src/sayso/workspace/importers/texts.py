"""Bytes to text: encodings, line ends, and files that are not what their name says."""

from __future__ import annotations

import codecs
from pathlib import Path

from charset_normalizer import from_bytes

from sayso.errors import ImportFailed

_SIGNATURES = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF", "a PDF"),
    (b"PK\x03\x04", "a ZIP or an Office file (XLSX, DOCX)"),
    (b"\xd0\xcf\x11\xe0", "an old Office file (XLS, DOC)"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"SQLite format 3", "an SQLite database"),
)
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 65536


def read_text(path: Path) -> str:
    """The file's text; ImportFailed with what to do when it cannot be read or is not text."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ImportFailed(f"{path.name}: cannot be read ({error.strerror}); check the path and rights") from None
    for signature, what in _SIGNATURES:
        if data.startswith(signature):
            raise ImportFailed(f"{path.name} is {what}, not text; export it as CSV, vCard or Markdown")
    if _looks_binary(data):
        raise ImportFailed(f"{path.name} is a binary file, not text; export it as CSV, vCard or Markdown")
    return decode(data)


def decode(data: bytes) -> str:
    text = _decoded(data).replace("\x00", "")
    text = text.encode("utf-8", "replace").decode("utf-8")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decoded(data: bytes) -> str:
    for bom, name in _BOMS:
        if data.startswith(bom):
            return data.decode(name, "replace")
    wide = _wide(data)
    if wide:
        return data.decode(wide, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _legacy(data)


def _wide(data: bytes) -> str | None:
    """UTF-16 without a mark: every other byte of mostly Latin text is zero."""
    head = data[:2000]
    if len(head) < 8:
        return None
    half = len(head) // 2
    if head[1::2].count(0) > half * 0.7:
        return "utf-16-le"
    return "utf-16-be" if head[0::2].count(0) > half * 0.7 else None


def _legacy(data: bytes) -> str:
    """Western text has few bytes above 127; guessing is left to texts that have many."""
    sample = data[:_SAMPLE]
    if sum(byte > 127 for byte in sample) > len(sample) * 0.3:
        best = from_bytes(sample).best()
        if best is not None:
            return data.decode(best.encoding, "replace")
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _looks_binary(data: bytes) -> bool:
    head = data[:4096]
    if any(head.startswith(bom) for bom, _ in _BOMS) or _wide(data):
        return False
    controls = sum(byte < 9 or 13 < byte < 27 or 27 < byte < 32 for byte in head)
    return controls > max(4, len(head) * 0.1)
