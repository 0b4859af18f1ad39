"""What every reader of a reply does alike: payloads in, model events out. Knows no provider's names.

A reply is whole only with its finish reason: an end marker alone is not one, since proxies send it
after a broken upstream too. Calls of a reply that is not whole are dropped.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, cast

from sayso.core.characters import whole_characters
from sayso.core.messages import Usage
from sayso.core.ports import FinishReason, ModelEvent, NativeCall, ReasoningChunk, ReplyEnd, TextChunk
from sayso.errors import ModelError, ModelProtocolError

_JSON = json.JSONDecoder()
MAX_ARGUMENTS = 1_000_000  # characters of one call
_LONGEST_REPEATED = 20_000  # characters up to which arguments that come twice are noticed
_STOP, _CALLS = FinishReason.STOP, FinishReason.TOOL_CALLS
FINISH: dict[str, FinishReason] = {
    **dict.fromkeys(("stop", "eos", "eos_token", "end_turn", "stop_sequence", "complete", "completed"), _STOP),
    **dict.fromkeys(("tool_calls", "function_call", "tool_use", "tool_call"), _CALLS),
    **dict.fromkeys(("length", "max_tokens", "model_length"), FinishReason.LENGTH),
    **dict.fromkeys(("content_filter", "safety", "refusal"), FinishReason.CONTENT_FILTER),
}


class Reported(Exception):
    """An error that the server reports in place of a reply, or in the middle of one."""

    def __init__(self, error: Any) -> None:
        super().__init__("the model server reported an error")
        self.error = error


class Call:
    """One native call as its pieces arrive. Arguments longer than any tool's are cut, so that they fit none."""

    __slots__ = ("_pieces", "_size", "id", "name")

    def __init__(self, ident: str = "", name: str = "") -> None:
        self.id, self.name = ident, name
        self._pieces: list[str] = []
        self._size = 0

    @property
    def arguments(self) -> str:
        return "".join(self._pieces)

    def add(self, fragment: Any) -> None:
        """Fragments are joined; an object, or a whole repetition, replaces what is there."""
        if isinstance(fragment, dict):
            self.replace(json.dumps(fragment, ensure_ascii=False))
        elif isinstance(fragment, str):
            if self._repeats(fragment):
                self.replace(fragment)
            elif self._size <= MAX_ARGUMENTS:
                self._pieces.append(fragment)
                self._size += len(fragment)

    def replace(self, whole: str) -> None:
        self._pieces, self._size = [whole], len(whole)

    def _repeats(self, fragment: str) -> bool:
        if not self._pieces or self._size > _LONGEST_REPEATED or not fragment.lstrip().startswith("{"):
            return False
        return self._pieces[-1].rstrip().endswith("}") and _is_object(self.arguments)


class Reader(ABC):
    """Folds the payloads of one reply into events. A provider's reader says what each event means.

    `seen` counts the events that are of the protocol: none of them, and the reply is none.
    """

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.reason: FinishReason | None = None
        self.usage = Usage()
        self.done = False
        self.seen = 0
        self._told: list[ModelEvent] = []
        self._pieces: list[str] = []
        self._half = ""

    @abstractmethod
    def take(self, event: dict[str, Any]) -> None:
        """Take one event. Raises Reported for an error, ModelError for what is no reply."""

    def read(self, payloads: Iterable[str]) -> tuple[list[ModelEvent], ModelError | Reported | None]:
        """What the payloads of one network read say, adjacent text as one chunk; and the fault that ended it.

        Under load many small deltas arrive at once: one chunk of text is then checked once, not many times.
        """
        self._told, fault = [], None
        try:
            for payload in payloads:
                if payload == "[DONE]":
                    self.done = True
                elif payload:
                    for event in _events_of(payload):
                        self.take(event)
                if self.done:
                    break
        except (ModelError, Reported) as wrong:
            fault = wrong
        self._end_text()
        return self._told, fault

    def say(self, text: Any) -> None:
        if text and isinstance(text, str):
            self._pieces.append(text)

    def think(self, text: Any) -> None:
        if text and isinstance(text, str):
            self._end_text()
            self._told.append(ReasoningChunk(whole_characters(text)))

    def whole(self) -> FinishReason | None:
        """Why the reply ended, if it is whole."""
        return self.reason

    def finish(self) -> list[ModelEvent]:
        """The calls and the end, if the reply is whole; nothing if it was cut."""
        reason = self.whole()
        if reason is None:
            return []
        told: list[ModelEvent] = [TextChunk("\ufffd")] if self._half else []
        if reason in (_STOP, _CALLS):
            told += [
                NativeCall(c.id or f"call_{n}", whole_characters(c.name), whole_characters(c.arguments) or "{}")
                for n, c in enumerate(self.calls)
            ]
            reason = _CALLS if self.calls else _STOP
        return [*told, ReplyEnd(reason, self.usage)]

    def _end_text(self) -> None:
        if not self._pieces:
            return
        text = self._half + "".join(self._pieces)
        self._pieces.clear()
        # Some servers send the two halves of a character apart: the first one waits for the second.
        self._half = text[-1] if "\ud800" <= text[-1] <= "\udbff" else ""
        if text := whole_characters(text[: len(text) - len(self._half)]):
            self._told.append(TextChunk(text))


def _events_of(payload: str) -> list[dict[str, Any]]:
    """The event of a payload; a document may be a list of them."""
    try:
        value, end = _JSON.raw_decode(payload)
    except (ValueError, RecursionError):
        value, end = None, 0
    if end != len(payload):
        raise ModelProtocolError(f"the model server sent an event that is not JSON: {escaped(payload)}")
    found = as_list(value) if isinstance(value, list) else [value]
    events = [cast(dict[str, Any], event) for event in found if isinstance(event, dict)]
    if len(events) < len(found):
        raise ModelProtocolError(f"the model server sent an event that is not an object: {escaped(payload)}")
    return events


def as_object(value: Any) -> dict[str, Any] | None:
    return cast(dict[str, Any], value) if isinstance(value, dict) else None


def as_list(value: Any) -> list[Any]:
    return cast(list[Any], value) if isinstance(value, list) else []


def as_text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def count(value: Any) -> int:
    """A number of tokens; whatever is none counts as 0."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    return int(value) if 0 <= value < 1e9 else 0


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def escaped(text: str | bytes) -> str:
    """At most 200 characters, printable ASCII only: fit for a log and a terminal."""
    raw = text if isinstance(text, bytes) else text[:200].encode("utf-8", "replace")
    return raw[:200].decode("utf-8", "replace").encode("ascii", "backslashreplace").decode().translate(_CONTROLS)


_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), 127)}
