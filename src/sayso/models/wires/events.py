"""Bytes as the payloads of a reply: server-sent events, or one JSON document. Knows no provider."""

from __future__ import annotations

MAX_LINE = 8_000_000  # bytes of one event; more is no chat
MAX_OUTPUT = 25_000_000  # bytes of one reply; the rest is cut
_HEAD = 200
_MARK = b"\xef\xbb\xbf"  # a byte order mark: some put one before everything


class TooLarge(Exception):
    """A line or a reply is larger than any chat."""


class Events:
    """Cuts bytes into the data of events, or gathers them where the reply is one JSON document.

    Lines are cut as bytes and decoded whole: a newline byte is never inside a UTF-8 character, so
    no split of the stream can break one.
    """

    def __init__(self, *, document: bool = False) -> None:
        self._rest = bytearray()
        self._size = 0
        self._document = document
        self.head = b""

    def feed(self, data: bytes) -> list[str]:
        """The payloads that are complete now."""
        self._size += len(data)
        if not self.head and data.startswith(_MARK):
            data = data[len(_MARK) :]
        if not self.head and data.lstrip()[:1] in (b"{", b"["):
            self._document = True
        if len(self.head) < _HEAD:
            self.head = (self.head + data)[:_HEAD]
        found: list[str] = []
        if self._document or b"\n" not in data:
            self._rest += data
        else:
            *lines, rest = (bytes(self._rest) + data).split(b"\n") if self._rest else data.split(b"\n")
            self._rest = bytearray(rest)
            found = [line[5:].decode("utf-8", "replace").strip() for line in lines if line.startswith(b"data:")]
        if len(self._rest) > MAX_LINE or self._size > MAX_OUTPUT:
            raise TooLarge
        return found

    def close(self) -> list[str]:
        """What is left at the end: the document, or a last line without its newline."""
        if self._document:
            return [self._rest.decode("utf-8", "replace").strip()]
        # Such a line is either complete JSON or what a broken stream left.
        last = self._rest[5:].decode("utf-8", "replace").strip() if self._rest.startswith(b"data:") else ""
        return [last] if last == "[DONE]" or last.endswith("}") else []
