"""The bytes of outside servers, bounded before the SDK sees them: by a process's pipes, and over HTTP.

The SDK ends a session at one byte that is no UTF-8, keeps lines of any length, and reads any size. Here each message
is read as bytes up to a limit, cut (`cutting`), and handed on only as a whole JSON-RPC message; what is none is noise,
which is counted.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
import sys
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sayso.gateway.mcp import cutting
from sayso.gateway.mcp.settings import OutsideServer

if TYPE_CHECKING:
    import httpx2
    from mcp.client._transport import TransportStreams
    from mcp_types import JSONRPCMessage

MOST_BYTES = 32 << 20
"""A message that is larger is thrown away unread."""
READ_HERE = 512 << 10
"""A larger message is read and cut by a process of its own."""
MOST_NOISE = 10_000
"""Lines that are no message, after which the connection is given up."""
_INHERITED = (
    "HOME",
    "LOGNAME",
    "PATH",
    "SHELL",
    "TERM",
    "USER",
    "LANG",
    "SYSTEMROOT",
    "APPDATA",
    "TEMP",
    "USERPROFILE",
)
_CHUNK = 64 << 10
_log = logging.getLogger(__name__)


class TooMuch(Exception):
    """A server sent more than is read."""


async def cut(data: bytes) -> dict[str, Any] | None:
    """The message in these bytes, cut; None where there is none. A large one does not hold up anything here."""
    if len(data) <= READ_HERE:
        return cutting.read_message(data)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-I", cutting.__file__,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        out, _ = await process.communicate(data)
    finally:
        if process.returncode is None:
            process.kill()
    try:
        return json.loads(out) if process.returncode == 0 else None
    except ValueError:
        return None


class Lines:
    """Bytes in, whole lines out; a line beyond the limit is dropped up to its end, and counted."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._parts: list[bytes] = []
        self._size, self._most = 0, most
        self.dropped = 0

    def feed(self, chunk: bytes) -> list[bytes]:
        *ended, rest = chunk.split(b"\n")
        lines = [line for line in (self._close(part) for part in ended) if line is not None]
        self._take(rest)
        return lines

    def _close(self, part: bytes) -> bytes | None:
        self._take(part)
        line, fits = b"".join(self._parts), self._size <= self._most
        self._parts, self._size = [], 0
        self.dropped += not fits
        return line.strip() if fits else None

    def _take(self, part: bytes) -> None:
        self._size += len(part)
        if self._size > self._most:
            self._parts = []
        elif part:
            self._parts.append(part)


@dataclass(slots=True)
class Noise:
    """What a server sent that was no message of the protocol."""

    lines: int = 0

    def count(self) -> None:
        self.lines += 1
        if self.lines > MOST_NOISE:
            raise TooMuch("it sends too much that is no message")


def message_from(value: dict[str, Any] | None) -> JSONRPCMessage | None:
    """A JSON-RPC message of the SDK's; None for what is none."""
    from mcp_types import jsonrpc_message_adapter

    try:
        return jsonrpc_message_adapter.validate_python(value, by_name=False) if value is not None else None
    except ValueError:
        return None


@asynccontextmanager
async def over_pipes(server: OutsideServer) -> AsyncGenerator[TransportStreams]:
    """A server as a process of its own, in a group of its own, with a small environment; ended with the block."""
    import anyio
    from mcp.shared.message import SessionMessage

    read_writer, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, write_reader = anyio.create_memory_object_stream[SessionMessage](0)
    inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    process = await asyncio.create_subprocess_exec(
        *server.command, env={**inherited, **server.env}, start_new_session=True,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    stdin, stdout = process.stdin, process.stdout
    assert stdin is not None
    assert stdout is not None

    async def hear() -> None:
        lines, noise = Lines(), Noise()
        async with read_writer:
            try:
                while chunk := await stdout.read(_CHUNK):
                    for line in lines.feed(chunk):
                        message = message_from(await cut(line)) if line else None
                        if message is None:
                            noise.count()
                        else:
                            await read_writer.send(SessionMessage(message))
            except (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
                return
            except TooMuch as wrong:
                _log.warning("MCP server %s: %s", server.name, wrong)

    async def tell() -> None:
        async with write_reader:
            try:
                async for item in write_reader:
                    text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
                    stdin.write(text.encode("utf-8") + b"\n")
                    await stdin.drain()
            except (OSError, RuntimeError):
                await read_writer.aclose()

    tasks = [asyncio.create_task(hear()), asyncio.create_task(tell())]
    try:
        yield read, write
    finally:
        for stream in (read, write):
            await stream.aclose()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await _end(process)
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(2.0):
                while await stdout.read(_CHUNK):  # to its end, so that nothing of the process stays open
                    pass


async def _end(process: asyncio.subprocess.Process) -> None:
    """First its input closes, then it is asked to stop, then it and what it started are stopped."""
    assert process.stdin is not None
    process.stdin.close()
    for sent in (None, signal.SIGTERM, signal.SIGKILL):
        if sent is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, sent)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1.5):
                await process.wait()
                break
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)  # what it left behind in its group


@asynccontextmanager
async def over_http(server: OutsideServer) -> AsyncGenerator[TransportStreams]:
    """A server behind an address. Redirects leave nothing: the SDK stays within the address's origin."""
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    timeout = httpx2.Timeout(server.seconds, pool=None)
    client = httpx2.AsyncClient(
        transport=_bounded_transport(), headers=dict(server.headers), timeout=timeout, trust_env=False
    )
    async with (
        client,
        streamable_http_client(
            server.url, http_client=client, terminate_on_close=False, max_sse_event_size=MOST_BYTES
        ) as (read, write),
    ):
        yield read, write


def _bounded_transport() -> httpx2.AsyncBaseTransport:
    import httpx2

    class Bounded(httpx2.AsyncHTTPTransport):
        """Answers whose bytes are bounded and cut before anything is made of them."""

        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            request.headers["accept-encoding"] = "identity"  # nothing may unpack to more than was counted
            response = await super().handle_async_request(request)
            kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
            if response.headers.get("content-encoding", "identity") not in ("", "identity"):
                await response.aclose()
                raise httpx2.DecodingError("the server packs its answers though it was asked not to", request=request)
            stream = response.stream
            assert isinstance(stream, httpx2.AsyncByteStream)
            if kind == "text/event-stream":
                response.stream = _Cut(stream, _events)
            elif response.status_code == 200 and kind == "application/json":
                response.stream = _Cut(stream, _document)
                del response.headers["content-length"]
            else:
                response.stream = _Cut(stream, _limited)
            if kind == "text/event-stream" or response.status_code == 200:
                response.headers.pop("content-length", None)
            return response

    class _Cut(httpx2.AsyncByteStream):
        def __init__(self, source: httpx2.AsyncByteStream, how: Any) -> None:
            self._source, self._how = source, how

        def __aiter__(self) -> AsyncIterator[bytes]:
            return self._how(self._source)

        async def aclose(self) -> None:
            await self._source.aclose()

    return Bounded()


async def _limited(source: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    size = 0
    async for chunk in source:
        size += len(chunk)
        if size > READ_HERE:
            return
        yield chunk


async def _document(source: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    """One JSON document, cut; nothing where it is none or too large."""
    parts: list[bytes] = []
    size = 0
    async for chunk in source:
        size += len(chunk)
        if size > MOST_BYTES:
            return
        parts.append(chunk)
    message = await cut(b"".join(parts))
    if message is not None:
        yield json.dumps(message).encode("ascii")


async def _events(source: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    """Events whose data is one cut message each; what holds none is left out."""
    lines, noise = Lines(), Noise()
    data: list[bytes] = []
    held = 0
    async for chunk in source:
        for line in lines.feed(chunk):
            if line.startswith(b"data:"):
                data.append(line[5:].strip())
                held += len(line)
                if held > MOST_BYTES:
                    raise TooMuch("an event is too large")
            elif line.startswith((b"id:", b"retry:")) and len(line) < 200:
                yield line.decode("utf-8", "replace").encode() + b"\n"
            elif not line and data:
                message = await cut(b"\n".join(data))
                data, held = [], 0
                if message is None:
                    noise.count()
                else:
                    yield b"data: " + json.dumps(message).encode("ascii") + b"\n\n"
