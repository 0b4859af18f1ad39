"""M11: a reply without measure costs little memory. Asked in a process of its own, whose memory is then looked at."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from conformance.server.http import Answer, Flood, streaming
from conformance.server.provider import Provider
from conformance.server.script import say
from conformance.server.stage import Stage

pytestmark = pytest.mark.anyio

_TESTS = Path(__file__).parents[1]
_CHILD = """
import asyncio, json, resource, sys
from conformance.conftest import model_at, request_of, run_loop
from sayso.core.events import Answer, Failed
from sayso.core.ports import ReplyEnd, TextChunk
from sayso.errors import ModelError

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

async def hear(model):
    size, ended, error = 0, False, ""
    try:
        async for event in model.stream(request_of()):
            size += len(event.text) if isinstance(event, TextChunk) else 0
            ended = isinstance(event, ReplyEnd)
    except ModelError as wrong:
        error = type(wrong).__name__
    return {"size": size, "ended": ended, "error": error}

async def run(model):
    ran = await run_loop(model, "Tell me a story")
    answer = next((e for e in ran.events if isinstance(e, Answer)), None)
    code = ran.finish.code if isinstance(ran.finish, Failed) else ""
    return {"size": len(answer.text) if answer else 0, "cut": bool(answer and answer.cut), "error": code}

async def main(protocol, url, steps):
    model = model_at(protocol, url)
    await hear(model)
    await run(model)
    for step in steps:
        before = peak()
        told = await (run if step == "loop" else hear)(model)
        print(json.dumps({**told, "grown": peak() - before}))
    await model.aclose()

asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
"""
_MEGABYTES = 32.0
_LINE = 32_000_000


async def _child(stage: Stage, *steps: str) -> list[Mapping[str, Any]]:
    paths = os.pathsep.join([str(_TESTS), *(p for p in sys.path if p.endswith("src"))])
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _CHILD, stage.provider.protocol, stage.url, *steps,
        stdout=asyncio.subprocess.PIPE, env={**os.environ, "PYTHONPATH": paths},
    )  # fmt: skip
    said, _ = await process.communicate()
    assert process.returncode == 0
    return [json.loads(line) for line in said.splitlines()]


def _story(provider: Provider) -> Answer:
    """25 MB of text in events of 4 KB, which never end."""
    told = provider.stream(say("word " * 800))
    at = next(i for i, frame in enumerate(told.body) if b"word word" in frame)
    return streaming((*told.opening, *told.body[:at], Flood(told.body[at], 26_000_000 // len(told.body[at]))))


def _line(provider: Provider, *, begun: bool) -> Answer:
    """One event of 32 MB."""
    told = provider.stream(say("Hello! ", "And so on"))
    at = next(i for i, frame in enumerate(told.body) if b"Hello! " in frame) + 1
    before = (*told.opening, *told.body[:at]) if begun else ()
    return streaming((*before, b"data: ", Flood(b"x" * 64_000, _LINE // 64_000), b"\n\n"))


async def test_m11_a_reply_without_measure_is_cut_and_costs_little_memory(stage: Stage) -> None:
    greeting = say("Hello! How can I help you today?")
    stage.play(
        greeting,
        greeting,
        _story(stage.provider),
        _line(stage.provider, begun=False),
        _line(stage.provider, begun=True),
    )
    story, line, later = await _child(stage, "story", "line", "later")
    assert not story["ended"]
    assert not story["error"]
    assert 1_000_000 < story["size"] <= 26_000_000
    assert line["error"] == "ModelProtocolError"
    assert (later["error"], later["ended"], later["size"]) == ("", False, len("Hello! "))
    for one in (story, line, later):
        assert one["grown"] < _MEGABYTES, one


@pytest.mark.parametrize("protocol", ["chat"], indirect=True)
async def test_m11_the_loop_cuts_a_story_at_its_own_cap(stage: Stage) -> None:
    greeting = say("Hello! How can I help you today?")
    stage.play(greeting, greeting, _story(stage.provider))
    (told,) = await _child(stage, "loop")
    assert told["cut"]
    assert not told["error"]
    assert 0 < told["size"] < 400_000
