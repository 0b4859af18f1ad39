"""C4 on a real server: a thousand sockets that listen, what each of them costs, and that nothing of them stays."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import sqlite3
import time
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from processes import PATIENCE, Served, events_in, sayso
from scripted_server import Script, Step, model_server

pytestmark = [pytest.mark.long, pytest.mark.anyio]
STREAMS, THREADS = 1000, 10_000
SLOW, QUICK = "Take your time with this one.", "Hello there."


def memory(pid: int) -> int:
    """The resident bytes of a process."""
    line = next(x for x in Path(f"/proc/{pid}/status").read_text().splitlines() if x.startswith("VmRSS:"))
    return int(line.split()[1]) * 1024


def sockets(pid: int) -> int:
    return sum(
        os.readlink(link).startswith("socket:") for link in Path(f"/proc/{pid}/fd").iterdir() if link.is_symlink()
    )


def begun_at(server: Served, bearer: dict[str, str]) -> http.client.HTTPResponse:
    """A run that goes on; its answer is not read yet."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10 * PATIENCE)
    connection.request(
        "POST", "/api/v1/ai/chat", json.dumps({"message": SLOW}), {"content-type": "application/json", **bearer}
    )
    answer = connection.getresponse()
    assert answer.status == 200, answer.read()
    return answer


async def listen(server: Served, run: str, bearer: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A socket that has had its first event."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(
        f"GET /api/v1/ai/runs/{run}/events HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"Authorization: Bearer {bearer}\r\n\r\n".encode()
    )
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), head
    await reader.readuntil(b"run-started")
    return reader, writer


async def eventually(true: Any) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.1)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the server's memory from /proc")
async def test_c4_a_thousand_streams_cost_less_than_100_kb_each_and_leave_nothing(tmp_path: Path) -> None:
    gate, reached = Event(), Event()

    def slow(_: str) -> str:
        reached.set()
        assert gate.wait(10 * PATIENCE)
        return "Good morning."

    script = Script({SLOW: [Step(says=slow)], QUICK: [Step(says="Hello! How can I help?")] * 3})
    with model_server(script) as model:
        server = Served(tmp_path, ("--model", model), settings="[limits]\ncalls = 100000\n")
        server.start()
        try:
            made = sayso("tokens", "add", "test", "--scope", "*", home=tmp_path)
            assert made.returncode == 0, made.stderr
            await _measure(server, made.stdout.strip(), gate, reached, tmp_path)
        finally:
            gate.set()
            server.stop()


async def test_c4_ten_thousand_conversations_cost_the_server_less_than_5_kb_each(tmp_path: Path) -> None:
    script = Script({})
    with model_server(script) as model:
        server = Served(tmp_path, ("--model", model), settings="[limits]\ncalls = 100000\n")
        server.start()
        try:
            made = sayso("tokens", "add", "test", "--scope", "*", home=tmp_path)
            assert made.returncode == 0, made.stderr
            bearer = {"authorization": f"Bearer {made.stdout.strip()}"}
            first = server.ask("POST", "/api/v1/threads", {"title": "first"}, bearer)
            assert first.status == 201, first
            _fill(tmp_path / "sayso.db", first.json["id"])
            assert server.process is not None
            seen = [_page(server, bearer, None)]
            at_rest = memory(server.process.pid)
            while seen[-1]["more"]:
                seen.append(_page(server, bearer, seen[-1]["threads"][-1]["id"]))
            grown = memory(server.process.pid) - at_rest
        finally:
            server.stop()
    assert len({thread["id"] for page in seen for thread in page["threads"]}) == THREADS + 1
    print(json.dumps({"threads": THREADS, "bytes_each": grown / THREADS}))
    assert grown / THREADS < 5 * 1024


def _page(server: Served, bearer: dict[str, str], before: str | None) -> Any:
    answer = server.ask("GET", f"/api/v1/threads?limit=100{f'&before={before}' if before else ''}", None, bearer)
    assert answer.status == 200, answer
    return answer.json


def _fill(file: Path, like: str) -> None:
    """As many conversations as one that is there."""
    connection = sqlite3.connect(file, timeout=60)
    columns = [row[1] for row in connection.execute("PRAGMA table_info(threads)") if row[1] != "id"]
    named = ", ".join(columns)
    statement = f"INSERT INTO threads (id, {named}) SELECT ?, {named} FROM threads WHERE id = ?"
    connection.executemany(statement, ((f"thread_{number:05d}", like) for number in range(THREADS)))
    connection.commit()
    connection.close()


async def _measure(server: Served, token: str, gate: Event, reached: Event, folder: Path) -> None:
    assert server.process is not None
    pid, bearer = server.process.pid, {"authorization": f"Bearer {token}"}
    ask = asyncio.to_thread
    warm = await ask(server.ask, "POST", "/api/v1/ai/chat", {"message": QUICK}, bearer)
    assert warm.status == 200, warm
    answer = await ask(begun_at, server, bearer)
    assert await ask(reached.wait, PATIENCE)
    run = str(answer.headers["x-sayso-run"])
    at_rest, open_before = memory(pid), sockets(pid)
    rounds: list[dict[str, float]] = []
    for _ in range(2):
        held = []
        for start in range(0, STREAMS - 2, 50):
            many = range(start, min(start + 50, STREAMS - 2))
            held += await asyncio.gather(*(listen(server, run, token) for _ in many))
        full = memory(pid)
        begun = time.monotonic()
        other = await ask(server.ask, "POST", "/api/v1/ai/chat", {"message": QUICK}, bearer)
        rounds.append({
            "streams": len(held), "kb_each": round((full - at_rest) / len(held) / 1024, 1),
            "seconds_of_another_request": round(time.monotonic() - begun, 2), "status_of_another": other.status,
        })  # fmt: skip
        for _, writer in held:
            writer.close()
        await eventually(lambda: sockets(pid) <= open_before)
        rounds[-1]["mb_left_after_close"] = round((memory(pid) - at_rest) / 2**20, 1)
    gate.set()
    events = events_in((await ask(answer.read)).decode())
    assert events[-1][0] == "finish", "the run was unaffected"
    at = datetime.now(UTC).isoformat(timespec="seconds")
    told = {"at": at, "mb_at_rest": round(at_rest / 2**20, 1), "rounds": rounds}
    (folder / "many_streams.json").write_text(json.dumps(told, indent=1))
    print(json.dumps(told))
    assert all(one["kb_each"] < 100 for one in rounds), told
    # What the allocator keeps of the first thousand serves the second: a leak would be there twice.
    assert rounds[1]["mb_left_after_close"] - rounds[0]["mb_left_after_close"] < 5, told
