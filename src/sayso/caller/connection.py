"""One service over HTTP: JSON in and out, and the event stream of a run, resumed where it breaks.

It knows paths of runs and problem documents, nothing of tools, transcripts or decisions. It follows no redirect: a
token must not travel to a place that nobody named.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlsplit

import aiohttp

from sayso.caller.errors import Broken, CallerError, Refused, Unreachable, refusal
from sayso.caller.stream import EventReader, ServerEvent
from sayso.errors import ConfigError

Json = dict[str, Any]
ENDS = frozenset({"finish", "error"})
MAX_BODY = 32 << 20
_GONE = (aiohttp.ClientError, TimeoutError, OSError)


@dataclass(frozen=True, slots=True)
class Waits:
    """Seconds. `silence` is how long a stream may say nothing: our services send a heartbeat every 15.

    A broken stream is resumed up to `tries` times without a new event, after `pause`, doubled each time.
    """

    call: float = 75.0
    silence: float = 60.0
    pause: float = 0.25
    longest: float = 8.0
    tries: int = 6

    def before(self, attempt: int, asked: float | None = None) -> float:
        return min(self.pause * 2**attempt if asked is None else asked, self.longest)


@dataclass(slots=True)
class Connection:
    """`url` is the service's root. `headers` give what proves who calls; they are sent there and nowhere else."""

    url: str
    session: aiohttp.ClientSession
    headers: Callable[[], Mapping[str, str]] = dict[str, str]
    waits: Waits = field(default_factory=Waits)

    async def json(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Json:
        """The answer's JSON object, {} for none. Raises Refused, Unreachable, Broken.

        A busy service (429, 503) is asked again: everything that is asked this way is safe to repeat.
        """
        for attempt in range(self.waits.tries):
            try:
                return await self._json(method, path, body)
            except Refused as wrong:
                if not wrong.retryable or attempt == self.waits.tries - 1:
                    raise
                await asyncio.sleep(self.waits.before(attempt, wrong.members.get("retry_after")))
        raise AssertionError("the last attempt returns or raises")

    async def upload(self, path: str, data: bytes) -> Json:
        """Send bytes as they are; the answer's JSON object. Raises as `json` does."""
        return await self._sent("POST", path, data, {"content-type": "application/octet-stream"})

    async def _json(self, method: str, path: str, body: Mapping[str, Any] | None) -> Json:
        return await self._sent(method, path, None if body is None else written(body))

    async def _sent(self, method: str, path: str, data: bytes | None, more: Mapping[str, str] | None = None) -> Json:
        timeout = aiohttp.ClientTimeout(total=self.waits.call)
        try:
            async with self._request(method, path, data, timeout, more) as response:
                found = await _read(response)
                if response.status >= 300:
                    raise _refusal(response, found)
                return _object(found, f"{method} {path}") if found else {}
        except _GONE as wrong:
            raise Unreachable(f"{self.url} cannot be reached: {_words(wrong)}") from wrong

    async def events(
        self, path: str, body: Mapping[str, Any], *, repeatable: bool, begun: Callable[[str], None], run: str = ""
    ) -> AsyncGenerator[ServerEvent]:
        """The events of one run, each once, up to its one terminal event; `begun` is told the run's id.

        `repeatable`: the same body gives the same run, so that it may be sent again when it is not known to have
        arrived. With `run`, that one is heard from its beginning, and `body` is not sent.
        """
        data, last, attempt, told = written(body), 0, 0, False
        while True:
            try:
                async with AsyncExitStack() as stack:
                    response = await stack.enter_async_context(self._stream(path, data, run, last))
                    await _expect_stream(response)
                    run = run or response.headers.get("x-sayso-run", "")
                    if not told:
                        begun(run)
                        told = True
                    reader = EventReader()
                    async for piece in response.content.iter_any():
                        for event in reader.feed(piece):
                            number = _number(event)
                            if number <= last:
                                continue  # resumed a little too early
                            last, attempt = number, 0
                            yield event
                            if event.name in ENDS:
                                return
                wrong: CallerError = Unreachable(f"the stream of {self.url} ended before the run's end")
            except _GONE as broken:
                wrong = Unreachable(f"{self.url} cannot be reached: {_words(broken)}")
                wrong.__cause__ = broken
            except Refused as refused:
                if not (refused.retryable and (run or repeatable)):
                    raise
                wrong = refused
            if attempt >= self.waits.tries or not (run or repeatable):
                raise wrong
            await asyncio.sleep(self.waits.before(attempt, wrong.members.get("retry_after")))
            attempt += 1

    async def stop(self, run: str) -> None:
        """Stop a run; one that ended already stays as it is."""
        await self.json("POST", f"/api/v1/ai/runs/{quote(run, safe='')}/stop", {})

    def _stream(self, path: str, data: bytes, run: str, last: int):
        timeout = aiohttp.ClientTimeout(total=None, connect=self.waits.call, sock_read=self.waits.silence)
        if not run:
            return self._request("POST", path, data, timeout)
        resumed = {"last-event-id": str(last)}
        return self._request("GET", f"/api/v1/ai/runs/{quote(run, safe='')}/events", None, timeout, resumed)

    def _request(
        self, method: str, path: str, data: bytes | None, timeout: aiohttp.ClientTimeout,
        more: Mapping[str, str] | None = None,
    ):  # fmt: skip
        typed = {} if data is None else {"content-type": "application/json"}
        headers = {**self.headers(), **typed, **(more or {})}
        url = self.url + path
        return self.session.request(
            method, url, data=data, headers=headers, timeout=timeout, allow_redirects=False
        )  # fmt: skip


def root_of(url: str) -> str:
    """A service's root without its last slash. Raises ConfigError for what is no http(s) address."""
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment or parts.username:
        raise ConfigError(f"{url!r} is no address of a service; write one such as http://127.0.0.1:8787")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def written(body: Mapping[str, Any]) -> bytes:
    return json.dumps(body, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def origin_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}".lower()


async def _read(response: aiohttp.ClientResponse) -> bytes:
    found = bytearray()
    async for piece in response.content.iter_any():
        found += piece
        if len(found) > MAX_BODY:
            raise Broken(f"an answer is larger than {MAX_BODY >> 20} MiB")
    return bytes(found)


async def _expect_stream(response: aiohttp.ClientResponse) -> None:
    if response.status >= 300:
        raise _refusal(response, await _read(response))
    if response.status != 200 or response.content_type != "text/event-stream":
        raise Broken(f"the service answered {response.status} {response.content_type} instead of an event stream")


def _refusal(response: aiohttp.ClientResponse, found: bytes) -> Refused:
    try:
        document = _object(found, "the answer")
    except Broken:
        document = {}
    wait = response.headers.get("retry-after", "")
    asked = {"retry_after": float(wait)} if wait.isascii() and wait.isdigit() and len(wait) < 6 else {}
    return refusal(response.status, {**document, **asked})


def _object(found: bytes, what: str) -> Json:
    try:
        value = json.loads(found)
    except (ValueError, RecursionError) as wrong:
        raise Broken(f"{what}: this is no JSON") from wrong
    if not isinstance(value, dict):
        raise Broken(f"{what}: this is no JSON object")
    return value  # pyright: ignore[reportUnknownVariableType]


def _number(event: ServerEvent) -> int:
    if event.id.isascii() and event.id.isdigit() and len(event.id) < 10:
        return int(event.id)
    raise Broken(f"the event {event.name!r} has no number")


def _words(wrong: BaseException) -> str:
    return str(wrong) or type(wrong).__name__
