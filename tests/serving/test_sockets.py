"""Slow, silent and standing clients over real sockets (FAULTS C1 to C5). Deadlines are shortened, none is asserted."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from sayso.core.events import Event, Finish, TextDelta
from sayso.core.messages import Outcome, StopReason
from sayso.errors import SaysoError
from sayso.serving import problems
from sayso.serving.bodies import Strict, read
from sayso.serving.runs import Runs
from sayso.serving.sockets import BoundedProtocol
from sayso.serving.streams import EventStream, last_event_id

pytestmark = pytest.mark.anyio
END = Finish(Outcome.ANSWERED, StopReason.ANSWERED)
HEAD = b"Host: 127.0.0.1\r\nContent-Type: application/json\r\n"


class Quick(BoundedProtocol):
    head_seconds = 0.3
    body_seconds = 0.3
    read_seconds = 0.3


class Said(Strict):
    text: str


class Served:
    """A small service over a real socket, with the real protocol, streams and bodies."""

    def __init__(self, runs: Runs) -> None:
        self.runs, self.port = runs, 0

    async def say(self, request: Request) -> Response:
        body = await read(request, Said, 1 << 20)
        return JSONResponse({"length": len(body.text)})

    async def events(self, request: Request) -> Response:
        run = await self.runs.find(request.path_params["id"], "me")
        return EventStream(self.runs, run, last_event_id(request))

    def app(self) -> Starlette:
        routes = [Route("/say", self.say, methods=["POST"]), Route("/runs/{id}", self.events)]
        handlers: Any = {
            problems.Problem: problems.on_problem, SaysoError: problems.on_sayso_error, Exception: problems.on_crash,
        }  # fmt: skip
        return Starlette(routes=routes, exception_handlers=handlers)

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port)

    async def ask(self, data: bytes) -> bytes:
        """Everything that comes back until the server closes; "" where it only hangs up."""
        reader, writer = await self.connect()
        writer.write(data)
        try:
            await writer.drain()
            return await asyncio.wait_for(reader.read(), 60)
        except ConnectionError:
            return b""
        finally:
            writer.close()

    async def honest(self) -> bytes:
        body = b'{"text": "hello"}'
        return await self.ask(
            b"POST /say HTTP/1.1\r\n%sConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (HEAD, len(body), body)
        )


class Door(Runs):
    """Runs that tell when a reader has come."""

    def __init__(self) -> None:
        super().__init__()
        self.arrived = asyncio.Event()

    def admit(self) -> None:
        self.arrived.set()
        super().admit()


async def until(holds: Callable[[], bool]) -> None:
    for _ in range(6000):
        if holds():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not come to that in a minute")


@contextlib.asynccontextmanager
async def served(runs: Runs, protocol: Any = Quick) -> AsyncIterator[Served]:
    made = Served(runs)
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    made.port = listener.getsockname()[1]
    server = uvicorn.Server(
        uvicorn.Config(made.app(), http=protocol, log_level="critical", lifespan="off", timeout_graceful_shutdown=1)
    )
    task = asyncio.create_task(server.serve(sockets=[listener]))
    await until(lambda: server.started)
    try:
        yield made
    finally:
        server.should_exit = True
        await task
        await runs.close()
        listener.close()


@pytest.mark.parametrize(
    "begun",
    [b"", b"POST /say HT", b"POST /say HTTP/1.1\r\nHost: 127", b"POST /say HTTP/1.1\r\n" + HEAD + b"Content-Length: 900\r\n\r\n{"],
    ids=["silent", "line", "head", "body"],
)  # fmt: skip
async def test_c3_whoever_stands_still_is_cut_off_and_others_are_served(begun: bytes) -> None:
    async with served(Runs()) as there:
        slow = asyncio.create_task(there.ask(begun))
        assert b'{"length":5}' in await there.honest()
        assert b"200 OK" not in await slow


async def test_c3_a_head_that_drips_in_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    async with served(Runs()) as there:
        reader, writer = await there.connect()
        gone = asyncio.create_task(reader.read())
        with contextlib.suppress(ConnectionError):
            writer.write(b"GET /say HTTP/1.1\r\n")
            while not gone.done():
                writer.write(b"X-A: b\r\n")
                await writer.drain()
                await asyncio.sleep(0.02)
        with contextlib.suppress(ConnectionError):
            assert await gone == b""
        writer.close()


async def test_a_large_body_that_keeps_coming_is_read_to_its_end() -> None:
    async with served(Runs()) as there:
        body = b'{"text": "%s"}' % (b"x" * 60_000)
        reader, writer = await there.connect()
        writer.write(b"POST /say HTTP/1.1\r\n%sConnection: close\r\nContent-Length: %d\r\n\r\n" % (HEAD, len(body)))
        for start in range(0, len(body), 4096):
            writer.write(body[start : start + 4096])
            await writer.drain()
            await asyncio.sleep(0.05)
        assert b'{"length":60000}' in await reader.read()
        writer.close()


async def test_c1_c2_a_reader_that_stands_still_is_dropped_and_the_run_goes_on() -> None:
    async def long() -> AsyncIterator[Event]:
        for _ in range(400):
            yield TextDelta("x" * 16_000)
            await asyncio.sleep(0)
        yield END

    runs = Door()
    async with served(runs) as there:
        run = await runs.start("r", "me", long())
        standing = socket.create_connection(("127.0.0.1", there.port))
        standing.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        standing.sendall(b"GET /runs/r HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert run.task is not None
        await run.task
        assert run.ended
        await runs.arrived.wait()
        await until(lambda: runs.streams == 0)  # the standing reader is dropped
        standing.close()
        read_again = await there.ask(
            b"GET /runs/r HTTP/1.1\r\nHost: 127.0.0.1\r\nLast-Event-ID: 398\r\nConnection: close\r\n\r\n"
        )
        assert b"event: finish" in read_again


async def test_c4_over_the_cap_a_stream_is_a_503_that_says_when_to_come_back() -> None:
    async def endless() -> AsyncIterator[Event]:
        await asyncio.Event().wait()
        yield END

    runs = Runs(max_streams=2)
    async with served(runs) as there:
        await runs.start("r", "me", endless())
        ask = b"GET /runs/r HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        held = [await there.connect() for _ in range(2)]
        for reader, writer in held:
            writer.write(ask)
            await reader.readuntil(b"\r\n\r\n")
        refused = await there.ask(ask.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        assert refused.startswith(b"HTTP/1.1 503")
        assert b"retry-after: " in refused
        for _, writer in held:
            writer.close()


MALFORMED = {
    "nothing but a line end": b"\r\n\r\n", "no method": b" /say HTTP/1.1\r\nHost: x\r\n\r\n",
    "no version": b"GET /say\r\n\r\n", "HTTP 9": b"GET /say HTTP/9.9\r\nHost: x\r\n\r\n",
    "binary": bytes(range(256)) + b"\r\n\r\n", "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 50 + b"\r\n\r\n",
    "a NUL in a header": b"GET /say HTTP/1.1\r\nHost: a\x00b\r\n\r\n", "no colon": b"GET /say HTTP/1.1\r\nHost\r\n\r\n",
    "a space before the colon": b"GET /say HTTP/1.1\r\nHost : x\r\n\r\n", "a folded header": b"GET /say HTTP/1.1\r\nHost: x\r\n y\r\n\r\n",
    "two lengths": b"POST /say HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "a negative length": b"POST /say HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    "a length in words": b"POST /say HTTP/1.1\r\nHost: x\r\nContent-Length: two\r\n\r\n{}",
    "a huge length": b"POST /say HTTP/1.1\r\n%sContent-Length: %d\r\n\r\n{}" % (HEAD, 10**18),
    "length and chunks": b"POST /say HTTP/1.1\r\n%sContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" % HEAD,
    "a wrong chunk": b"POST /say HTTP/1.1\r\n%sTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n" % HEAD,
    "an unknown coding": b"POST /say HTTP/1.1\r\n%sTransfer-Encoding: squeezed\r\n\r\n" % HEAD,
    "a long line": b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "a long header": b"GET /say HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 100_000 + b"\r\n\r\n",
    "many headers": b"GET /say HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 20_000 + b"\r\n",
    "a broken path": b"GET /%zz%00%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "a path with bytes": b"GET /\xff\xfe HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "an unknown method": b"FROBNICATE /say HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "an upgrade": b"GET /runs/r HTTP/1.1\r\nHost: x\r\nConnection: upgrade, close\r\nUpgrade: websocket\r\n\r\n",
    "CONNECT": b"CONNECT x:443 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "an event id in words": b"GET /runs/r HTTP/1.1\r\nHost: x\r\nLast-Event-ID: one\r\nConnection: close\r\n\r\n",
    "an unknown run": b"GET /runs/none HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
}  # fmt: skip
BODIES = {
    "no JSON": b"{", "not UTF-8": b"\xff\xfe", "an array": b"[]", "a wrong type": b'{"text": 1}',
    "an unknown member": b'{"text": "a", "b": 1}', "the same twice": b'{"text": "a", "text": "b"}',
    "NaN": b'{"text": NaN}', "deep": b"[" * 5000, "a number with many digits": b'{"text": ' + b"9" * 10_000 + b"}",
    "half a character": b'{"text": 1, "\\ud800": 2}', "too large": b'{"text": "' + b"x" * (1 << 20) + b'"}',
}  # fmt: skip


async def test_c5_malformed_requests_are_refused_and_never_our_fault() -> None:
    requests = dict(MALFORMED)
    for name, body in BODIES.items():
        requests[name] = b"POST /say HTTP/1.1\r\n%sConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (
            HEAD,
            len(body),
            body,
        )
    assert len(requests) >= 30
    async with served(Runs()) as there:
        answers = await asyncio.gather(*map(there.ask, requests.values()))  # some wait until the service gives up
        for name, answered in zip(requests, answers, strict=True):
            status = answered.split(b" ", 2)[1][:3] if answered.startswith(b"HTTP/") else b""
            assert status[:1] in (b"4", b""), (name, answered[:200])
            assert b"Traceback" not in answered, name
        assert b'{"length":5}' in await there.honest()


async def test_g3_a_stream_may_be_cut_at_any_byte() -> None:
    """All of it is ASCII: no cut parts a character, and the text comes back whole."""
    text = "Zürich 🗝️ 日本語 \u2028 e\u0301"

    async def told() -> AsyncIterator[Event]:
        yield TextDelta(text)
        yield END

    runs = Runs()
    run = await runs.start("r", "me", told())
    whole = b"".join([part async for part in runs.read(run)])
    for cut in range(len(whole) + 1):
        assert whole[:cut].decode("ascii") + whole[cut:].decode("ascii") == whole.decode("ascii")
    await runs.close()
