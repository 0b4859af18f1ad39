"""What every provider that is played here can do; and how a strict one looks at a request."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from conformance.server.http import Answer, Asked
from conformance.server.script import Reply

StreamFault = Literal["busy", "failure", "overflow"]


@dataclass(frozen=True, slots=True)
class Stream:
    """A reply as server-sent events, cut where faults like to strike.

    `opening` says nothing yet; `body` is text, reasoning and calls; `finish` carries the reason of the end and
    the usage; `done` is the end marker, where the protocol has one.
    """

    opening: tuple[bytes, ...]
    body: tuple[bytes, ...]
    finish: tuple[bytes, ...]
    done: tuple[bytes, ...] = ()

    @property
    def frames(self) -> tuple[bytes, ...]:
        return (*self.opening, *self.body, *self.finish, *self.done)

    @property
    def whole(self) -> bytes:
        return b"".join(self.frames)


class Provider(Protocol):
    """One protocol, as its provider speaks it."""

    protocol: str
    root: str  # what a base URL ends with

    def check(self, asked: Asked) -> Answer | None:
        """The provider's own refusal of a request that it would not take; None where it would."""
        ...

    def stream(self, reply: Reply) -> Stream: ...

    def fault(self, what: StreamFault) -> bytes:
        """An error in the middle of a stream whose status was 200."""
        ...

    def usage(self, tokens: str) -> bytes:
        """The finish of a text reply whose token counts are the raw JSON `tokens`."""
        ...


class Wrong(Exception):
    """A request that the provider refuses; the text is the provider's wording."""

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self.details = details


@dataclass
class Calls:
    """Follows calls and results through a conversation, as strict providers do."""

    open: dict[str, str] = field(default_factory=dict[str, str])
    seen: set[str] = field(default_factory=set[str])


def event(data: Any, name: str = "", newline: str = "\n") -> bytes:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    head = f"event: {name}{newline}" if name else ""
    return f"{head}data: {text}{newline}{newline}".encode("utf-8", "backslashreplace")  # half a character as its escape


def only(value: Any, known: Iterable[str], where: str, wording: str = "Unknown parameter: '{}'.") -> None:
    """Refuse fields that the provider does not know."""
    for key in value:
        if key not in set(known):
            raise Wrong(wording.format(f"{where}{key}"))


def as_mapping(value: Any, wording: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise Wrong(wording)
    return value


def json_object(text: Any, wording: str) -> None:
    """Arguments of a call in the history must be a JSON object: servers parse them again."""
    try:
        if isinstance(text, str) and isinstance(json.loads(text), dict):
            return
    except ValueError:
        pass
    raise Wrong(wording)
