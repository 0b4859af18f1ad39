"""Event streams as bytes arrive: a reader of `text/event-stream` (HTML standard, section 9.2.6).

It takes bytes cut anywhere, also within a character or a CRLF, and gives whole events. It knows no HTTP and does
not know what an event means.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sayso.caller.errors import Broken

MAX_EVENT = 16 << 20
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event. `id` is the last id that the stream has named, "" before the first."""

    name: str
    data: str
    id: str = ""

    @property
    def document(self) -> dict[str, Any]:
        """The data as the JSON object that our services send. Raises Broken."""
        try:
            value = json.loads(self.data)
        except (ValueError, RecursionError) as wrong:
            raise Broken(f"the data of a {self.name!r} event is no JSON") from wrong
        if not isinstance(value, dict):
            raise Broken(f"the data of a {self.name!r} event is no JSON object")
        return value  # pyright: ignore[reportUnknownVariableType]


class EventReader:
    """Feed it bytes; it gives each event once its blank line is there. `retry` is the wait that the server asks for."""

    def __init__(self, max_event: int = MAX_EVENT) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._max = max_event
        self._rest: list[str] = []
        self._began = self._after_cr = False
        self._data: list[str] = []
        self._name = ""
        self._size = 0
        self.last_id = ""
        self.retry: int | None = None

    def feed(self, data: bytes) -> list[ServerEvent]:
        """The events that these bytes complete. Raises Broken for one larger than anything our services send."""
        text = self._decoder.decode(data)
        if not text:
            return []
        if not self._began:
            self._began = True
            text = text.removeprefix("\ufeff")
        return [event for line in self._lines(text) if (event := self._take(line)) is not None]

    def _lines(self, text: str) -> Iterator[str]:
        """Whole lines. A CR ends its line at once; an LF that follows it in the next piece belongs to it."""
        if self._after_cr:
            text = text.removeprefix("\n")
        position = 0
        for end in _LINE_END.finditer(text):
            line = "".join((*self._rest, text[position : end.start()]))
            self._rest.clear()
            position = end.end()
            yield line
        self._after_cr = text.endswith("\r")
        if position < len(text):
            self._rest.append(text[position:])
            self._grow(len(text) - position)

    def _take(self, line: str) -> ServerEvent | None:
        if not line:
            return self._whole()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match name:
            case "data":
                self._data.append(value)
                self._grow(len(value))
            case "event":
                self._name = value
            case "id" if "\0" not in value:
                self.last_id = value
            case "retry" if value.isascii() and value.isdigit():
                self.retry = int(value[:9])
            case _:  # a comment, or a field of a later standard
                pass
        return None

    def _whole(self) -> ServerEvent | None:
        data, name = self._data, self._name
        self._data, self._name, self._size = [], "", 0
        return ServerEvent(name or "message", "\n".join(data), self.last_id) if data else None

    def _grow(self, size: int) -> None:
        self._size += size
        if self._size > self._max:
            raise Broken(f"an event of the stream is larger than {self._max >> 10} KiB")
