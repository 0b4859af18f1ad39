"""What a provider's protocol must be able to do, and the JSON of messages that never change.

A wire knows paths, headers, bodies and events; it knows no network, no retries and no clock.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, cast

from sayso.core.ports import ModelRequest
from sayso.core.protocols.history import ChatMessage, Image, native_chat, text_chat
from sayso.core.tools import Tool
from sayso.models.wires.reading import Reader

_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_KEPT = 16_384  # messages whose JSON is kept
_KEPT_SIZE = 65_536  # bytes; a larger message is written anew each time
THINKING_ROOM = 4_096  # tokens: a limit that counts private reasoning too leaves this much for it


@dataclass(frozen=True, slots=True)
class Asking:
    """A request as it is put this time: the chat in one protocol, and what the server refused left out.

    `tools` is empty where calls are asked for as text.
    """

    chat: tuple[ChatMessage, ...]
    tools: tuple[Tool, ...]
    tools_open: bool
    max_tokens: int
    without: frozenset[str] = frozenset()

    @property
    def system(self) -> str:
        return self.chat[0].text

    @property
    def has_calls(self) -> bool:
        return any(message.calls for message in self.chat)

    @property
    def has_images(self) -> bool:
        return any(message.images for message in self.chat)

    @property
    def keeps_tools(self) -> bool:
        """Whether the tools are sent: also when none may be called, as long as the history calls them."""
        return bool(self.tools) and (self.tools_open or self.has_calls)


def asking(request: ModelRequest, *, native: bool, without: frozenset[str] = frozenset()) -> Asking:
    chat = native_chat(request) if native else text_chat(request)
    tools = request.tools if native else ()
    return Asking(chat, tools, request.tools_open, request.max_output_tokens, without)


class Wire(Protocol):
    """One provider's protocol for one model.

    `optional` are the fields that it can do without: words of a refusal that name one, and the field's own name.
    """

    optional: Mapping[str, str]

    def path(self) -> str:
        """What follows the base address."""
        ...

    def headers(self, key: str) -> Mapping[str, str]: ...

    def body(self, asking: Asking) -> bytes: ...

    def reader(self) -> Reader: ...


class Written:
    """The bytes of messages, kept by their cache key: what never changes is written once."""

    def __init__(self, write: Callable[[ChatMessage], bytes]) -> None:
        self._write = write
        self._kept: dict[str, bytes] = {}

    def __call__(self, message: ChatMessage) -> bytes:
        key = message.cache_key
        if key and (known := self._kept.get(key)) is not None:
            return known
        written = self._write(message)
        if key and len(written) <= _KEPT_SIZE:
            if len(self._kept) >= _KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = written
        return written


class WrittenTools:
    """The bytes of a catalogue; the same tools come with each request."""

    def __init__(self, write: Callable[[Tool], Any]) -> None:
        self._write = write
        self._tools: tuple[Tool, ...] = ()
        self._bytes = b"[]"

    def __call__(self, tools: tuple[Tool, ...]) -> bytes:
        if self._tools is not tools and self._tools != tools:
            self._tools, self._bytes = tools, dumps([self._write(tool) for tool in tools])
        return self._bytes


def dumps(value: Any) -> bytes:
    """Compact JSON; a lone surrogate becomes "?", since no server reads it."""
    return _JSON.encode(value).encode("utf-8", "replace")


def as_document(raw: str) -> dict[str, Any]:
    """A call's arguments as an object; history holds none that are anything else."""
    value = json.loads(raw)
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}


def base64_of(image: Image) -> str:
    return base64.b64encode(image.data).decode("ascii")


def data_url(image: Image) -> str:
    return f"data:{image.media_type};base64,{base64_of(image)}"
