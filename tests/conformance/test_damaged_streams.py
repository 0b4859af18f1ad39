"""Streams that are damaged at random: whatever arrives, a reply ends by name, and nothing else is ever raised."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

import pytest

from conformance.conftest import Asking, request_of
from conformance.server.http import streaming
from conformance.server.script import Reply, Text, Thought, call
from conformance.server.stage import Stage
from sayso.core.messages import Usage
from sayso.core.ports import FinishReason

pytestmark = pytest.mark.anyio
REPLY = Reply(
    (Thought(("Hm.",)), Text(("Hal", "lo ", "Zürich 🎉")), call("search_people", query="Elena"), call("list_people")),
    "calls",
)
_ODD = (
    b"\x00",
    b"\xff",
    b"\n",
    b"\r\n\r\n",
    b"data: ",
    b"{",
    b"}",
    b"]",
    b'"',
    b"\\",
    b"null",
    b"[DONE]",
    b"-1",
    b"1e999",
    b"event: error\n",
)


def _flip(data: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(data))
    return data[:at] + bytes((dice.randrange(256),)) + data[at + 1 :]


def _drop(data: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(data))
    return data[:at] + data[at + dice.randrange(1, 120) :]


def _double(data: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(data))
    end = at + dice.randrange(1, 400)
    return data[:end] + data[at:end] + data[end:]


def _insert(data: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(data))
    return data[:at] + dice.choice(_ODD) + data[at:]


def _value(data: bytes, dice: random.Random) -> bytes:
    """One JSON value becomes another kind of value."""
    places = [at for at in range(len(data)) if data[at : at + 1] == b":"]
    at = dice.choice(places) + 1
    end = min((e for e in (data.find(b",", at), data.find(b"}", at)) if e > 0), default=len(data))
    return data[:at] + dice.choice((b"null", b"[]", b"{}", b'"x"', b"7", b"true", b"[null]", b'{"a":{}}')) + data[end:]


def _frames(data: bytes, dice: random.Random) -> bytes:
    """Two events change places, or one is lost."""
    frames = data.split(b"\n\n") if b"\n\n" in data else data.split(b"\r\n\r\n")
    one, other = dice.randrange(len(frames)), dice.randrange(len(frames))
    frames[one], frames[other] = frames[other], frames[one]
    if dice.random() < 0.5:
        del frames[dice.randrange(len(frames))]
    return b"\n\n".join(frames)


DAMAGE: tuple[Callable[[bytes, random.Random], bytes], ...] = (_flip, _drop, _double, _insert, _value, _value, _frames)


async def _damaged(stage: Stage, asking: Asking, seeds: range) -> None:
    model = asking.model(first_byte=5, idle=5)
    for seed in seeds:
        dice = random.Random(seed)
        data = stage.provider.stream(REPLY).whole
        for _ in range(dice.choice((1, 1, 2, 4))):
            data = dice.choice(DAMAGE)(data, dice)
        stage.play(streaming((data,)))
        async with asyncio.timeout(20):
            heard = await asking.hear(model, request_of())  # only a ModelError is caught there
        heard.text.encode()
        if heard.error is not None:
            assert not heard.text, seed
            assert str(heard.error).isprintable(), seed
        for found in heard.calls:
            assert isinstance(found.name + found.arguments + found.id, str), seed
        if heard.calls:
            assert heard.end is not None, seed
            assert heard.end.reason is FinishReason.TOOL_CALLS, seed
        usage = heard.end.usage if heard.end else Usage()
        assert usage.input_tokens >= 0, seed
        assert usage.output_tokens >= 0, seed
    assert not stage.refused


async def test_m8_m9_m10_a_damaged_stream_ends_by_name(stage: Stage, asking: Asking) -> None:
    await _damaged(stage, asking, range(150))


@pytest.mark.long
async def test_m8_m9_m10_many_damaged_streams_end_by_name(stage: Stage, asking: Asking) -> None:
    await _damaged(stage, asking, range(1_000, 6_000))
