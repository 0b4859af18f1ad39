"""Numbers, waits, keys and files that nobody means: a refusal stays a refusal, a damaged file a damaged file."""

from __future__ import annotations

import asyncio
import json
import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from hypothesis import given, settings
from hypothesis import strategies as st

from model_server import raw, refuse, sse
from sayso.core.ports import FinishReason, ModelEvent, ModelRequest, ReplyEnd, TextChunk
from sayso.errors import ConfigError, ContextOverflow, ModelBusy, ModelError, ModelRefused, QuotaSpent
from sayso.models import http_model
from sayso.models.local import local_model
from sayso.models.local.gguf import read_header
from sayso.models.providers import model_at
from sayso.models.refusals import Asked, refusal
from sayso.models.told import told_in
from sayso.models.waits import seconds_said
from sayso.models.wires.reading import count

pytestmark = pytest.mark.anyio
Make = Callable[..., ModelRequest]
KEY = "sk-Se/cret+1"
NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
MANY = "9" * 400


async def heard(url: str, request: ModelRequest) -> list[ModelEvent]:
    model = model_at("chat", "m", url, KEY)
    try:
        return [event async for event in model.stream(request)]
    finally:
        await model.aclose()


@pytest.mark.parametrize("code", ["²", "٤٢٩", "9" * 5000, "4" * 3, 10**400, -1, 429.0, True, None, [], "429 "])
def test_only_three_plain_digits_are_a_status(code: Any) -> None:
    body = f'{{"error": {{"message": "no", "code": {json.dumps(code)}}}}}'
    assert told_in(body).status == (444 if code == "444" else 0)


def test_a_number_too_long_to_be_read_leaves_a_body_of_words() -> None:
    assert told_in('{"error": {"code": ' + "9" * 5000 + "}}").status == 0


@given(st.recursive(st.text() | st.integers() | st.floats() | st.none(), lambda inner: st.lists(inner)))
@settings(max_examples=100, deadline=None)
def test_whatever_a_code_is_a_refusal_is_typed(code: Any) -> None:
    assert isinstance(refusal(400, json.dumps({"error": {"code": code, "status": code}}), Asked("m")), ModelError)


@pytest.mark.parametrize("value", [10**400, -(10**400), 10**9, inf, nan, -1, True, "7", None])
def test_a_count_that_nothing_has_counts_as_none(value: Any) -> None:
    assert count(value) == 0


async def test_a_usage_without_end_costs_no_reply(server: Any, request_of: Make) -> None:
    usage = '{"choices": [], "usage": {"prompt_tokens": 1' + "0" * 400 + ', "completion_tokens": 1e999}}'
    first = {"choices": [{"delta": {"content": "Hi"}, "finish_reason": "stop"}]}
    server.replies = [raw(sse(first, usage.encode(), b"[DONE]"))]
    assert await heard(server.url, request_of()) == [TextChunk("Hi"), ReplyEnd(FinishReason.STOP)]


@pytest.mark.parametrize("said", ["99999999999999 days", f"{MANY} s", f"{MANY}.{MANY}h"])
@pytest.mark.parametrize(("what", "kind"), [("too many requests", ModelBusy), ("used up per day", QuotaSpent)])
def test_m1_m3_a_wait_longer_than_any_is_not_believed(said: str, what: str, kind: type[ModelBusy]) -> None:
    assert seconds_said(f"try again in {said}") is None
    wrong = refusal(429, json.dumps({"error": {"message": f"{what}: try again in {said}"}}), Asked("m"), now=NOW)
    assert isinstance(wrong, kind)
    assert wrong.seconds is None


@pytest.mark.parametrize(("after", "believed"), [(inf, 32 * 86_400.0), (nan, None), (-3.0, None), (60.0, 60.0)])
def test_m3_a_reset_is_bounded_whoever_names_it(after: float, believed: float | None) -> None:
    wrong = refusal(402, "", Asked("m"), after=after, now=NOW)
    assert isinstance(wrong, QuotaSpent)
    assert wrong.seconds == believed


@pytest.mark.parametrize("limit", [MANY, "9" * 3000, "1," * 50 + "1"])
def test_m17_a_limit_that_no_model_has_is_not_believed(limit: str) -> None:
    words = f"maximum context length is {limit} tokens, you asked for {MANY}"
    wrong = refusal(400, json.dumps({"error": {"message": words}}), Asked("m"))
    assert isinstance(wrong, ContextOverflow)
    assert (wrong.limit, wrong.tokens) == (None, None)


def escaped(key: str) -> str:
    return "".join(f"\\u{ord(char):04X}" for char in key)


def told_as(spelt: str) -> str:
    return '{"error": {"message": "bad key ' + spelt + '"}}'


@pytest.mark.parametrize("spelt", [
    told_as(KEY), told_as(escaped(KEY)), told_as(KEY.replace("/", "\\/")), told_as(escaped(KEY[:4]) + KEY[4:]),
    json.dumps({"error": {"message": told_as(escaped(KEY))}}),
])  # fmt: skip
async def test_the_key_is_told_in_no_spelling(server: Any, request_of: Make, spelt: str) -> None:
    async def answer(_: web.Request) -> web.StreamResponse:
        return web.Response(status=401, text=spelt)

    server.replies = [answer]
    with pytest.raises(ModelRefused) as told:
        await heard(server.url, request_of())
    assert "(key)" in str(told.value)
    assert "cret" not in str(told.value)
    assert "0063" not in str(told.value)


async def test_a_text_that_has_no_key_is_told_as_it_is(server: Any, request_of: Make) -> None:
    server.replies = [refuse(401, {"error": {"message": "no key, no sk-Se, nothing"}})]
    with pytest.raises(ModelRefused, match="no key, no sk-Se, nothing"):
        await heard(server.url, request_of())


@pytest.mark.parametrize("pause", [0.0, 0.03])
async def test_comments_after_the_end_keep_no_reply_open(
    server: Any, request_of: Make, monkeypatch: pytest.MonkeyPatch, pause: float
) -> None:
    """The time after a reply's end is one, however often something comes in it."""
    monkeypatch.setattr(http_model, "_AFTER_END", 0.2)
    first = {"choices": [{"delta": {"content": "Hi"}, "finish_reason": "stop"}]}
    ended = asyncio.Event()

    async def answer(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        await response.write(sse(first))
        try:
            while True:
                await response.write(b": keep-alive\n\n")
                await asyncio.sleep(pause)
        finally:
            ended.set()

    server.replies = [answer]
    async with asyncio.timeout(60):
        events = await heard(server.url, replace(request_of(), seconds_left=600.0))
        await ended.wait()
    assert events == [TextChunk("Hi"), ReplyEnd(FinishReason.STOP)]


def field(kind: int, data: bytes) -> bytes:
    key = b"general.name"
    return b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, len(key)) + key + struct.pack("<I", kind) + data


HUGE = 2**64 - 1


@pytest.mark.parametrize("data", [
    field(8, struct.pack("<Q", HUGE)),
    field(9, struct.pack("<IQ", 4, HUGE)),
    field(9, struct.pack("<IQ", 8, HUGE)),
    field(9, struct.pack("<IQQ", 8, 1, HUGE)),
    field(9, struct.pack("<IQQ", 8, 2, 2**63 - 1) + bytes(8)),
    field(9, struct.pack("<IQ", 9, 1) * 5000),
    field(9, struct.pack("<IQ", 9, HUGE) * 3),
    field(4_000_000, b""),
    b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, HUGE),
])  # fmt: skip
def test_a_file_of_impossible_sizes_is_damaged(tmp_path: Path, data: bytes) -> None:
    (path := tmp_path / "bad.gguf").write_bytes(data)
    with pytest.raises(ConfigError, match="damaged or not whole: fetch it anew"):
        read_header(path)


@given(st.binary(max_size=80))
@settings(max_examples=200, deadline=None)
def test_whatever_follows_the_first_bytes_is_a_header_or_damaged(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    (path := tmp_path_factory.getbasetemp() / "any.gguf").write_bytes(b"GGUF\x03\0\0\0" + bytes(8) + data)
    with suppress(ConfigError):
        assert read_header(path).cell >= 0


@pytest.mark.parametrize("name", ["a\0b.gguf", "~nobody-of-that-name/x.gguf", "x" * 5000 + ".gguf", "\ud800.gguf"])
def test_a_path_that_can_be_none_is_a_wrong_setting(name: str) -> None:
    with pytest.raises(ConfigError):
        local_model(name, {})
