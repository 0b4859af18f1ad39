"""The chat route and its stream: framing, order, resuming, stopping, strict bodies."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.events import Event, Failed, Finish, RunStarted, TextDelta
from sayso.core.messages import Outcome, StopReason
from sayso.errors import ModelUnreachable, NotFound, StoreBusy
from sayso.serving.frames import KEEP_ALIVE, frame
from sayso.serving.runs import Runs

END = Finish(Outcome.ANSWERED, StopReason.ANSWERED)


def events_of(text: str) -> list[tuple[int, str, Any]]:
    found: list[tuple[int, str, Any]] = []
    for block in text.split("\n\n")[:-1]:
        number, name, data = block.split("\n")
        found.append((int(number[4:]), name[7:], json.loads(data[6:])))
    return found


async def told(*events: Event) -> AsyncIterator[Event]:
    for event in events:
        yield event


async def collected(runs: Runs, run: Any, after: int = 0) -> list[bytes]:
    return [part async for part in runs.read(run, after)]


def test_answer_streams_in_order_with_one_terminal_event(client: Any) -> None:
    """G1: and its headers tell each proxy to hold nothing back."""
    response = client.post("/api/v1/ai/chat", json={"message": "Where does Elena work?"})
    assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
    headers = (response.headers["cache-control"], response.headers["x-accel-buffering"])
    assert headers == ("no-cache, no-transform", "no")
    events = events_of(response.text)
    assert [number for number, _, _ in events] == list(range(1, len(events) + 1))
    names = [name for _, name, _ in events if name != "status"]
    assert names == ["run-started", "facts", "text-delta", "text-delta", "verification", "answer", "finish"]
    assert "hidden from the wire" not in response.text


def test_a_gap_is_null_and_a_withheld_sentence_says_so(client: Any) -> None:
    events = {name: data for _, name, data in events_of(client.post("/api/v1/ai/chat", json={"message": "x"}).text)}
    assert events["facts"]["facts"][0]["fields"] == {
        "name": "Elena Weber", "affiliation": "SINGA Switzerland", "channels": "whatsapp +41 77 473 00 93",
        "role": None, "how_met": None,
    }  # fmt: skip
    held = events["verification"]["sentences"][-1]
    assert (held["withheld"], held["violations"][0]["kind"]) == (True, "stated_gap")


@given(st.text(st.characters(), max_size=200))
def test_no_text_can_end_its_frame(text: str) -> None:
    hostile = text + "\n\nevent: finish\r\n\u2028\u0085\ud800"
    framed = frame(3, "text-delta", {"text": hostile})
    lines = framed.decode("ascii").split("\n")
    assert lines[:2] == ["id: 3", "event: text-delta"]
    assert (len(lines), lines[3:]) == (5, ["", ""])
    assert json.loads(lines[2][6:]) == {"text": hostile}


def test_a_run_is_resumed_after_the_last_event_seen(client: Any) -> None:
    first = client.post("/api/v1/ai/chat", json={"message": "x"})
    run = first.headers["x-sayso-run"]
    again = client.get(f"/api/v1/ai/runs/{run}/events", headers={"last-event-id": "3"})
    assert events_of(again.text) == events_of(first.text)[3:]
    assert client.get(f"/api/v1/ai/runs/{run}/events", headers={"last-event-id": "x"}).status_code == 400
    assert client.get("/api/v1/ai/runs/run_other/events").status_code == 404


def test_the_open_record_reaches_the_assistant(client: Any, assistant: Any) -> None:
    context = {"route": "/people/1", "record": {"kind": "person", "key": "p1"}}
    client.post("/api/v1/ai/chat", json={"message": "her phone?", "thread_id": "th_1", "context": context})
    message, thread, page = assistant.asked[0]
    assert (message, thread, page.record) == ("her phone?", "th_1", ("person", "p1"))


def test_an_unknown_thread_is_a_problem_not_a_stream(client: Any) -> None:
    response = client.post("/api/v1/ai/chat", json={"message": "x", "thread_id": "th_9"})
    assert (response.status_code, response.json()["code"]) == (404, "not_found")
    assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"message": "x", "model": "y"}', 422),
        (b'{"message": ""}', 422),
        (b'{"message": "  "}', 422),
        (b'{"message": 1}', 422),
        (b'{"message": "a", "message": "b"}', 422),
        (b'{"message": NaN}', 422),
        (b"[" * 40 + b"]" * 40, 422),
        (b"[" * 100_000, 422),
        (b"\xff", 422),
        (b"", 422),
        (json.dumps({"message": "x" * 32_001}).encode(), 422),
        (b'"' + b"x" * (1 << 20) + b'"', 413),
    ],
)
def test_a_wrong_body_is_refused(client: Any, body: bytes, status: int) -> None:
    response = client.post("/api/v1/ai/chat", content=body, headers={"content-type": "application/json"})
    assert response.status_code == status
    assert set(response.json()) == {"type", "title", "status", "code", "detail"}


def test_a_form_is_not_json(client: Any) -> None:
    response = client.post("/api/v1/ai/chat", content=b"{}", headers={"content-type": "text/plain"})
    assert response.status_code == 415


def test_a_lone_surrogate_reaches_nobody(client: Any, assistant: Any) -> None:
    headers = {"content-type": "application/json"}
    client.post("/api/v1/ai/chat", content=b'{"message": "a\\ud800b\\u0000"}', headers=headers)
    assistant.asked[0][0].encode("utf-8")
    assert "\x00" not in assistant.asked[0][0]


@pytest.mark.anyio
async def test_nothing_is_told_after_the_end() -> None:
    runs = Runs()
    run = await runs.start("r", "me", told(TextDelta("a"), END, TextDelta("b"), END))
    frames = await collected(runs, run)
    assert [f.split(b"\n")[1] for f in frames] == [b"event: text-delta", b"event: finish"]


@pytest.mark.anyio
async def test_a_run_without_an_end_gets_an_error() -> None:
    runs = Runs()
    assert b'"code": "no_end"' in (await collected(runs, await runs.start("r", "me", told(TextDelta("a")))))[-1]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("fault", "code"),
    [(ModelUnreachable("no connection"), "model_unreachable"), (ZeroDivisionError("SECRET"), "internal")],
)
async def test_a_fault_is_one_error_event_without_inner_words(fault: Exception, code: str) -> None:
    async def failing() -> AsyncIterator[Event]:
        yield TextDelta("a")
        raise fault

    runs = Runs()
    frames = await collected(runs, await runs.start("r", "me", failing()))
    assert len(frames) == 2
    assert f'"code": "{code}"'.encode() in frames[1]
    assert b"SECRET" not in frames[1]


@pytest.mark.anyio
async def test_g4_stopping_works_before_the_first_token_and_closes_the_source() -> None:
    closed = asyncio.Event()
    begun = asyncio.Event()

    async def endless() -> AsyncIterator[Event]:
        try:
            begun.set()
            await asyncio.Event().wait()
            yield TextDelta("never")
        finally:
            closed.set()

    runs = Runs()
    run = await runs.start("r", "me", endless())
    await begun.wait()
    runs.stop("r", "me")
    runs.stop("r", "me")
    frames = await collected(runs, run)
    assert [b'"reason": "stopped"' in f for f in frames] == [True]
    await asyncio.wait_for(closed.wait(), 1)


@pytest.mark.anyio
async def test_a_run_stopped_before_its_task_begins_has_one_end() -> None:
    runs = Runs()
    run = await runs.start("r", "me", told(RunStarted("r", "t", "e", "m"), END))
    runs.stop("r", "me")
    assert len(await collected(runs, run)) == 1


@pytest.mark.anyio
async def test_c1_a_run_outlives_its_reader() -> None:
    gate = asyncio.Event()

    async def slow() -> AsyncIterator[Event]:
        yield TextDelta("a")
        await gate.wait()
        yield END

    runs = Runs()
    run = await runs.start("r", "me", slow())
    reader = runs.read(run)
    await anext(reader)
    await reader.aclose()  # type: ignore[attr-defined]
    gate.set()
    assert len(await collected(runs, run, 1)) == 1


@pytest.mark.anyio
async def test_g1_a_quiet_stream_is_kept_alive_every_15_seconds() -> None:
    gate = asyncio.Event()

    async def quiet() -> AsyncIterator[Event]:
        await gate.wait()
        yield END

    assert Runs().keep_alive <= 15
    runs = Runs(keep_alive=0.01)
    reader = runs.read(await runs.start("r", "me", quiet()))
    assert await anext(reader) == KEEP_ALIVE
    gate.set()
    rest = [part async for part in reader]
    assert b"event: finish" in rest[-1]


@pytest.mark.anyio
async def test_another_owner_finds_no_run() -> None:
    runs = Runs()
    await runs.start("r", "me", told(END))
    with pytest.raises(NotFound):
        runs.get("r", "you")
    with pytest.raises(NotFound):
        runs.stop("r", "you")


@pytest.mark.anyio
async def test_the_log_is_bounded_in_time_number_and_size() -> None:
    clock = [0.0]
    runs = Runs(lifetime=10, max_runs=2, max_active=2, max_size=100, monotonic=lambda: clock[0])
    for name in ("a", "b", "c"):
        await collected(runs, await runs.start(name, "me", told(END)))
    with pytest.raises(NotFound):
        runs.get("a", "me")
    clock[0] = 11
    with pytest.raises(NotFound):
        runs.get("c", "me")
    big = await collected(runs, await runs.start("d", "me", told(*[TextDelta("x" * 60)] * 9, END)))
    assert b'"code": "too_long"' in big[-1]


@pytest.mark.anyio
async def test_too_many_runs_at_once_are_refused() -> None:
    async def endless() -> AsyncIterator[Event]:
        await asyncio.Event().wait()
        yield Failed("x", "x", False)

    runs = Runs(max_active=1)
    await runs.start("a", "me", endless())
    with pytest.raises(StoreBusy):
        await runs.start("b", "me", endless())
    await runs.close()
    assert runs.get("a", "me").ended
