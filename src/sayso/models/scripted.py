"""A model that says what a script tells it to: for tests of hosts, and for end-to-end runs without a model.

It knows nothing of prompts and never looks at the request; it only keeps it.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, cast

from sayso.core.messages import Usage
from sayso.core.ports import FinishReason, ModelEvent, ModelRequest, NativeCall, ReplyEnd, TextChunk
from sayso.errors import ConfigError, ImageRefused, ModelBusy, ModelError, ModelRefused, ModelTimeout, ModelUnreachable


@dataclass(frozen=True, slots=True)
class Reply:
    """One scripted reply. Without `end` it is cut; with `error` it fails before its first byte."""

    text: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    end: FinishReason | None = FinishReason.STOP
    error: ModelError | None = None
    chunk: int | None = None

    def __str__(self) -> str:
        if self.error is not None:
            return f"fail({self.error!r})"
        if self.calls:
            return f"call {', '.join(name for name, _ in self.calls)}"
        return f"say {self.text[:60]!r}" if self.end else f"cut {self.text[:60]!r}"


def say(text: str, chunks: int | None = None) -> Reply:
    """A whole reply; `chunks` streams it in pieces of that many characters."""
    return Reply(text, chunk=chunks)


def call(tool: str, /, **arguments: Any) -> Reply:
    """One native call."""
    return Reply(calls=((tool, json.dumps(arguments, ensure_ascii=False)),), end=FinishReason.TOOL_CALLS)


def calls(*replies: Reply) -> Reply:
    """Several native calls in one reply."""
    return Reply(calls=tuple(c for reply in replies for c in reply.calls), end=FinishReason.TOOL_CALLS)


def text_call(tool: str, /, **arguments: Any) -> Reply:
    """A call written as text, in the line protocol."""
    return Reply(f"TOOL: {tool}\nARGS: {json.dumps(arguments, ensure_ascii=False)}")


def cut(text: str) -> Reply:
    """A reply whose stream ends without a finish reason."""
    return Reply(text, end=None)


def fail(error: ModelError) -> Reply:
    """Raise before anything is said."""
    return Reply(error=error)


def empty() -> Reply:
    """A whole reply of nothing."""
    return Reply()


class Scripted:
    """Gives the replies in order and records `requests`.

    As a context manager it fails with AssertionError when replies were left over; asked more often
    than scripted, it fails at once, and there once more: a chain takes any failure for the model's.
    """

    def __init__(self, replies: Sequence[Reply], name: str = "scripted") -> None:
        self.name = name
        self.requests: list[ModelRequest] = []
        self._replies = tuple(replies)

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        step = len(self.requests)
        self.requests.append(request)
        if step >= len(self._replies):
            raise AssertionError(self._too_often(step + 1))
        reply = self._replies[step]
        if reply.error is not None:
            raise reply.error
        size = reply.chunk or max(len(reply.text), 1)
        for at in range(0, len(reply.text), size):
            yield TextChunk(reply.text[at : at + size])
        for index, (tool, arguments) in enumerate(reply.calls):
            yield NativeCall(f"scripted_{step}_{index}", tool, arguments)
        if reply.end is not None:
            yield ReplyEnd(reply.end, Usage())

    def _too_often(self, times: int) -> str:
        return f"{self.name} was asked {times} times; its script has {len(self._replies)} replies"

    def assert_used(self) -> None:
        """Every reply was asked for, and no more; else AssertionError says which were not."""
        if len(self.requests) > len(self._replies):
            raise AssertionError(self._too_often(len(self.requests)))
        unused = self._replies[len(self.requests) :]
        if unused:
            raise AssertionError(f"{self.name}: unused replies: {'; '.join(map(str, unused))}")

    async def aclose(self) -> None:
        """Nothing is open; here so that each model can be closed alike."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.assert_used()


_ERRORS: Mapping[str, type[ModelError]] = {
    kind.code: kind for kind in (ModelError, ModelBusy, ModelTimeout, ModelRefused, ModelUnreachable, ImageRefused)
}


def load_script(path: Path) -> Scripted:
    """Read a script: a JSON list of {"say": text} | {"call": tool, "arguments": {}} | {"text_call": ...}
    | {"cut": text} | {"fail": error code} | {"calls": [...]} | {"empty": true}.

    Raises ConfigError, which names the entry that is wrong.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as wrong:
        raise ConfigError(f"{path}: cannot read the script: {wrong.strerror}") from wrong
    except (ValueError, RecursionError) as wrong:
        raise ConfigError(f"{path} is not JSON: {wrong}") from wrong
    if not isinstance(document, list):
        raise ConfigError(f'{path}: a script is a list of replies, such as [{{"say": "Hello."}}]')
    entries = cast(list[Any], document)
    return Scripted([_read(entry, f"{path}, reply {n}") for n, entry in enumerate(entries, 1)], name="scripted")


def _read(entry: Any, where: str) -> Reply:
    match entry:
        case {"say": str(text)}:
            chunk = entry.get("chunks")
            return say(text, chunk if isinstance(chunk, int) and chunk > 0 else None)
        case {"call": str(tool)}:
            return call(tool, **_arguments(entry, where))
        case {"text_call": str(tool)}:
            return text_call(tool, **_arguments(entry, where))
        case {"calls": [*parts]}:
            return calls(*(_read(part, where) for part in parts))
        case {"cut": str(text)}:
            return cut(text)
        case {"fail": str(code)} if code in _ERRORS:
            return fail(_ERRORS[code]("the script says so"))
        case {"empty": True}:
            return empty()
        case _:
            raise ConfigError(
                f"{where}: use one of say, call, text_call, calls, cut, fail ({', '.join(_ERRORS)}), empty"
            )


def _arguments(entry: Mapping[str, Any], where: str) -> dict[str, Any]:
    arguments = entry.get("arguments", {})
    if not isinstance(arguments, dict):
        raise ConfigError(f'{where}: "arguments" is an object, such as {{"query": "Elena"}}')
    return cast(dict[str, Any], arguments)
