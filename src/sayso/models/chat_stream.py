"""The bytes of a chat completion as model events: server-sent events or one JSON document.

Pure: no network, no clock. A reply is whole only with a finish reason: `[DONE]` alone is not one,
since proxies send it after a broken upstream too. Calls of a reply that is not whole are dropped.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from typing import Any, cast

from sayso.core.messages import Usage
from sayso.core.ports import FinishReason, ModelEvent, NativeCall, ReasoningChunk, ReplyEnd, TextChunk
from sayso.errors import ContextOverflow, ModelBusy, ModelError, ModelProtocolError

_JSON = json.JSONDecoder()
MAX_LINE = 8_000_000  # bytes of one event; more is no chat
MAX_OUTPUT = 25_000_000  # bytes of one reply; the rest is cut

_STOP, _CALLS = FinishReason.STOP, FinishReason.TOOL_CALLS
FINISH: dict[str, FinishReason] = {
    **dict.fromkeys(("stop", "eos", "eos_token", "end_turn", "stop_sequence", "complete", "completed"), _STOP),
    **dict.fromkeys(("tool_calls", "function_call", "tool_use", "tool_call"), _CALLS),
    **dict.fromkeys(("length", "max_tokens", "model_length"), FinishReason.LENGTH),
    **dict.fromkeys(("content_filter", "safety", "refusal"), FinishReason.CONTENT_FILTER),
}
_OVERFLOW = (
    "context length", "context_length", "context size", "context window", "maximum context", "exceed_context",
    "too many tokens", "prompt is too long", "input is too long", "reduce the length",
)  # fmt: skip


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
        if not self.head and data.lstrip()[:1] == b"{":
            self._document = True
        if len(self.head) < 200:
            self.head = (self.head + data)[:200]
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


class _Call:
    __slots__ = ("arguments", "id", "name")

    def __init__(self) -> None:
        self.id, self.name, self.arguments = "", "", ""

    def add(self, fragment: Any) -> None:
        """Fragments are joined; an object, or a whole repetition, replaces what is there."""
        if isinstance(fragment, dict):
            self.arguments = json.dumps(fragment, ensure_ascii=False)
        elif isinstance(fragment, str):
            again = fragment.lstrip().startswith("{") and self.arguments.rstrip().endswith("}")
            self.arguments = fragment if again and _is_object(self.arguments) else self.arguments + fragment


class ReplyReader:
    """Folds the chunks of one reply into events. Raises ModelError for an error object."""

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._by_index: dict[Any, _Call] = {}
        self._reason: str | None = None
        self._usage = Usage()
        self._told: list[ModelEvent] = []
        self._pieces: list[str] = []
        self.done = False
        self.seen = 0

    def read(self, payloads: Iterable[str]) -> tuple[list[ModelEvent], ModelError | None]:
        """What the payloads of one network read say, adjacent text as one chunk; and the fault that ended it.

        Under load many small deltas arrive at once: one chunk of text is then checked once, not many times.
        """
        self._told, fault = [], None
        try:
            for payload in payloads:
                self._take(payload)
                if self.done:
                    break
        except ModelError as wrong:
            fault = wrong
        self._end_text()
        return self._told, fault

    def _end_text(self) -> None:
        if self._pieces:
            self._told.append(TextChunk("".join(self._pieces)))
            self._pieces.clear()

    def _take(self, payload: str) -> None:
        if payload == "[DONE]":
            self.done = True
            return
        if not payload:
            return
        try:
            chunk, end = _JSON.raw_decode(payload)
        except (ValueError, RecursionError):
            chunk, end = None, 0
        if end != len(payload):
            raise ModelProtocolError(f"the model server sent an event that is not JSON: {escaped(payload)}")
        if not isinstance(chunk, dict):
            raise ModelProtocolError(f"the model server sent an event that is not an object: {escaped(payload)}")
        self._take_chunk(cast(dict[str, Any], chunk))

    def _take_chunk(self, chunk: dict[str, Any]) -> None:
        self.seen += 1
        if chunk.get("error"):
            raise error_of(chunk["error"])
        if isinstance(chunk.get("usage"), dict):
            self._usage = usage_of(chunk["usage"])
        choices = as_list(chunk.get("choices"))
        choice = as_object(choices[0]) if choices else None
        if choice is None:
            return
        if isinstance(choice.get("finish_reason"), str) and choice["finish_reason"]:
            self._reason = choice["finish_reason"]
        delta = as_object(choice.get("delta") or choice.get("message"))
        if delta:
            self._delta(delta)

    def _delta(self, delta: dict[str, Any]) -> None:
        thought = delta.get("reasoning_content") or delta.get("reasoning")
        if thought and isinstance(thought, str):
            self._end_text()
            self._told.append(ReasoningChunk(thought))
        content = delta.get("content") or delta.get("refusal")
        if isinstance(content, list):
            parts = [as_object(part) or {} for part in as_list(delta["content"])]
            content = "".join(str(part.get("text") or "") for part in parts)
        if content and isinstance(content, str):
            self._pieces.append(content)
        for call in as_list(delta.get("tool_calls")):
            if (one := as_object(call)) is not None:
                self._call(one)
        if (legacy := as_object(delta.get("function_call"))) is not None:
            self._call({"index": "legacy", "function": legacy})

    def _call(self, delta: dict[str, Any]) -> None:
        function = as_object(delta.get("function")) or {}
        name, ident, index = function.get("name"), delta.get("id"), delta.get("index")
        index = index if isinstance(index, int | str) else None
        name, ident = name if isinstance(name, str) else "", ident if isinstance(ident, str) else ""
        call = self._by_index.get(index) if index is not None else (self._calls[-1] if self._calls else None)
        # Servers that number every parallel call 0, or none at all, start a new one by id or name.
        other_id = call is not None and bool(ident and call.id and ident != call.id)
        unnumbered = call is not None and index is None and bool(name and call.name and not ident)
        if call is None or other_id or unnumbered:
            call = _Call()
            self._calls.append(call)
            if index is not None:
                self._by_index[index] = call
        call.id = call.id or ident
        call.name = call.name or name
        call.add(function.get("arguments"))

    def finish(self) -> Iterator[ModelEvent]:
        """The calls and the end, if the reply is whole; nothing if it was cut."""
        if self._reason is None or self._reason == "error":
            return
        reason = FINISH.get(self._reason.lower(), _STOP if self.done else None)
        if reason is None:
            return
        if reason in (_STOP, _CALLS):
            for number, call in enumerate(self._calls):
                yield NativeCall(call.id or f"call_{number}", call.name, call.arguments or "{}")
            reason = _CALLS if self._calls else _STOP
        yield ReplyEnd(reason, self._usage)


def as_object(value: Any) -> dict[str, Any] | None:
    return cast(dict[str, Any], value) if isinstance(value, dict) else None


def as_list(value: Any) -> list[Any]:
    return cast(list[Any], value) if isinstance(value, list) else []


def usage_of(usage: dict[str, Any]) -> Usage:
    return Usage(_count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")))


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return 0
    return int(value) if 0 <= value < 1e9 else 0


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def names_overflow(text: str) -> bool:
    low = text.lower()
    return any(words in low for words in _OVERFLOW)


def error_of(error: Any) -> ModelError:
    """An error object of a 200 stream, typed."""
    text = message_of(error)
    told = as_object(error) or {}
    low = f"{text} {told.get('code', '')} {told.get('type', '')}".lower()
    if names_overflow(low):
        return ContextOverflow(f"the conversation is longer than this model reads: {escaped(text)}")
    if any(words in low for words in ("429", "rate limit", "rate_limit", "overloaded", "503", "capacity")):
        return ModelBusy(f"the model is busy: {escaped(text)}; ask again in a minute")
    return ModelError(f"the model server reported an error: {escaped(text)}")


def message_of(error: Any) -> str:
    told = as_object(error) or {}
    return str(told.get("message") or told.get("detail") or told.get("error") or error)


def escaped(text: str | bytes) -> str:
    """At most 200 characters, printable ASCII only: fit for a log and a terminal."""
    raw = text if isinstance(text, bytes) else text[:200].encode("utf-8", "replace")
    return raw[:200].decode("utf-8", "replace").encode("ascii", "backslashreplace").decode().translate(_CONTROLS)


_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), 127)}
