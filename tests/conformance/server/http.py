"""A small HTTP/1.1 server whose every byte is ours: it can stop, break or lie wherever it is told to.

Knows nothing of models. An `Answer` is a status, headers and pieces of a body; between the pieces it acts.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import zlib
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal
from urllib.parse import parse_qs, unquote, urlsplit


class Act(Enum):
    HANG = "say nothing more, and keep the connection"
    RESET = "break the connection off"
    CLOSE = "close the connection without the end of the body"
    BREATHE = "let the reader read what was sent"


@dataclass(frozen=True, slots=True)
class Drip:
    """The same bytes for ever, one lot every `seconds`."""

    data: bytes
    seconds: float = 0.002


@dataclass(frozen=True, slots=True)
class Flood:
    """The same bytes many times, without holding them all."""

    data: bytes
    times: int


Piece = bytes | Act | Drip | Flood


@dataclass(frozen=True, slots=True)
class Answer:
    """`before` acts instead of answering at all; `raw` is sent as it is, in place of an HTTP response."""

    pieces: tuple[Piece, ...] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    content_type: str = "text/event-stream"
    framing: Literal["chunked", "length", "close"] = "chunked"
    gzip: bool = False
    before: Act | None = None
    raw: bytes | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as it came."""

    method: str
    path: str
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]
    data: bytes

    @property
    def body(self) -> Any:
        try:
            return json.loads(self.data)
        except ValueError:
            return None


Handler = Callable[[Asked], Answer]
_LARGEST = 64_000_000


@dataclass
class Served:
    """`origin` such as "http://127.0.0.1:4711"; `left` is set once a reader went away before an answer's end."""

    origin: str = ""
    left: asyncio.Event = field(default_factory=asyncio.Event)


@contextlib.asynccontextmanager
async def serving(handle: Handler) -> AsyncIterator[Served]:
    """Serve on a free port of this machine."""
    tasks: set[asyncio.Task[Any]] = set()
    served = Served()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            while (asked := await _request(reader)) is not None:
                if not await _answer(reader, writer, handle(asked)):
                    break
        except ConnectionError:
            served.left.set()
        except (asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            tasks.discard(task)
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0, limit=_LARGEST)
    try:
        served.origin = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        yield served
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _request(reader: asyncio.StreamReader) -> Asked | None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None  # the client is done with this connection
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ", 2)
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    parts = urlsplit(target)
    data = await _body(reader, headers)
    return Asked(method, unquote(parts.path), parse_qs(parts.query), headers, data)


async def _body(reader: asyncio.StreamReader, headers: Mapping[str, str]) -> bytes:
    if headers.get("transfer-encoding", "").lower() != "chunked":
        return await reader.readexactly(int(headers.get("content-length", "0")))
    data = b""
    while size := int((await reader.readline()).split(b";")[0], 16):
        data += await reader.readexactly(size)
        await reader.readline()
    await reader.readline()
    return data


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answer: Answer) -> bool:
    """Send an answer; False when the connection is at its end."""
    if answer.before is not None:
        return await _act(reader, writer, answer.before)
    if answer.raw is not None:
        writer.write(answer.raw)
        await writer.drain()
        return False
    writer.write(_head(answer))
    await writer.drain()
    packer = zlib.compressobj(wbits=31) if answer.gzip else None
    for piece in answer.pieces:
        if isinstance(piece, Act):
            if not await _act(reader, writer, piece):
                return False
            continue
        async for data in _lots(piece):
            if packer is not None:
                data = packer.compress(data) + packer.flush(zlib.Z_SYNC_FLUSH)
            writer.write(_framed(data, answer.framing))
            await writer.drain()
    if packer is not None:
        writer.write(_framed(packer.flush(), answer.framing))
    if answer.framing == "chunked":
        writer.write(b"0\r\n\r\n")
    await writer.drain()
    return answer.framing != "close"


def _head(answer: Answer) -> bytes:
    lines = [f"HTTP/1.1 {answer.status} Status", f"Content-Type: {answer.content_type}"]
    lines += [f"{name}: {value}" for name, value in answer.headers.items()]
    if answer.gzip:
        lines.append("Content-Encoding: gzip")
    if answer.framing == "chunked":
        lines.append("Transfer-Encoding: chunked")
    elif answer.framing == "length":
        lines.append(f"Content-Length: {sum(len(p) for p in answer.pieces if isinstance(p, bytes))}")
    else:
        lines.append("Connection: close")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def _framed(data: bytes, framing: str) -> bytes:
    if framing != "chunked":
        return data
    return b"%x\r\n%s\r\n" % (len(data), data) if data else b""


async def _lots(piece: bytes | Drip | Flood) -> AsyncIterator[bytes]:
    if isinstance(piece, bytes):
        yield piece
    elif isinstance(piece, Flood):
        for _ in range(piece.times):
            yield piece.data
    else:
        while True:
            yield piece.data
            await asyncio.sleep(piece.seconds)


async def _act(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, act: Act) -> bool:
    if act is Act.BREATHE:
        for _ in range(4):
            await asyncio.sleep(0)
        return True
    if act is Act.HANG:
        await reader.read()  # until the other side closes
        raise ConnectionResetError("the reader went away")
    if act is Act.RESET:
        await asyncio.sleep(0.01)  # what was sent before shall arrive
        writer.transport.abort()
    return False


def refusing(status: int, body: Any, **headers: str) -> Answer:
    """A refusal as JSON (or as text, where `body` is a string)."""
    text = body if isinstance(body, str) else json.dumps(body)
    kind = "text/plain" if isinstance(body, str) else "application/json"
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer((text.encode(),), status, sent, kind, "length")


def streaming(frames: Iterable[Piece], **changes: Any) -> Answer:
    return Answer(tuple(frames), **changes)
