"""Chat completions, and what all protocols share, against a real server that misbehaves on command."""

from __future__ import annotations

import json
from typing import Any

import pytest

from model_server import raw, refuse, sse
from sayso.core.messages import CallPart, CallStatus, Message, ResultPart, Role, ToolCall, ToolResult, Usage
from sayso.core.ports import FinishReason, NativeCall, Notice, ReasoningChunk, ReplyEnd, TextChunk
from sayso.errors import (
    ContextOverflow,
    ModelBusy,
    ModelError,
    ModelGone,
    ModelProtocolError,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
)
from sayso.models.profiles import Profile
from sayso.models.providers import model_at
from sayso.models.wires.chat import ChatReader
from sayso.models.wires.reading import Reported
from sayso.models.wires.turns import short_id

pytestmark = pytest.mark.anyio
STOP = ReplyEnd(FinishReason.STOP)


def text(words: str) -> dict[str, Any]:
    return {"choices": [{"delta": {"content": words}}]}


def end(reason: str = "stop") -> dict[str, Any]:
    return {"choices": [{"delta": {}, "finish_reason": reason}]}


async def test_deltas_of_one_network_read_are_one_chunk_and_a_fault_behind_them_loses_none() -> None:
    reader = ChatReader()
    told, fault = reader.read(['{"choices":[{"delta":{"content":"a"}}]}', '{"choices":[{"delta":{"content":"b"}}]}',
                                '{"error":{"message":"overloaded"}}'])  # fmt: skip
    assert told == [TextChunk("ab")]
    assert isinstance(fault, Reported)


async def test_text_usage_and_end_are_passed_on(heard: Any, server: Any) -> None:
    usage = {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}
    assert await heard(raw(sse(text("Hal"), text("lo"), end(), usage, b"[DONE]"))) == [
        TextChunk("Hallo"), ReplyEnd(FinishReason.STOP, Usage(7, 2)),
    ]  # fmt: skip
    assert server.bodies[0]["messages"][0] == {"role": "system", "content": "Be brief."}
    assert server.bodies[0]["tools"][0]["function"]["name"] == "search_people"


async def test_g3_m10_a_split_at_every_byte_breaks_no_character(heard: Any) -> None:
    stream = (
        b": hi\r\ndata:" + json.dumps(text("Zürich 日本 🎉"), ensure_ascii=False).encode() + b"\r\n\r\n" + sse(end())
    )
    for at in range(1, len(stream)):
        assert await heard(raw(stream[:at], stream[at:])) == [TextChunk("Zürich 日本 🎉"), STOP]


async def test_m10_invalid_utf8_is_replaced(heard: Any) -> None:
    bad = b'data: {"choices":[{"delta":{"content":"a\xff"}}]}\n\n'
    assert await heard(raw(bad, sse(end()))) == [TextChunk("a\ufffd"), STOP]


async def test_reasoning_is_kept_apart(heard: Any) -> None:
    thought = {"choices": [{"delta": {"reasoning_content": "hm"}}]}
    assert await heard(raw(sse(thought, text("Hi"), end()))) == [ReasoningChunk("hm"), TextChunk("Hi"), STOP]


def tool(**call: Any) -> dict[str, Any]:
    return {"choices": [{"delta": {"tool_calls": [call]}}]}


@pytest.mark.parametrize(
    "chunks",
    [
        [
            tool(index=0, id="c1", function={"name": "f", "arguments": '{"a"'}),
            tool(index=0, function={"arguments": ":1}"}),
        ],
        [tool(id="c1", function={"name": "f", "arguments": '{"a"'}), tool(function={"arguments": ":1}"})],
        [tool(index=0, id="c1", function={"name": "f", "arguments": '{"a":1}'})] * 2,
    ],
)
async def test_call_deltas_are_joined(heard: Any, chunks: list[Any]) -> None:
    assert await heard(raw(sse(*chunks, end("stop")))) == [
        NativeCall("c1", "f", '{"a":1}'),
        ReplyEnd(FinishReason.TOOL_CALLS),
    ]


async def test_parallel_calls_objects_and_legacy_calls_are_read(heard: Any) -> None:
    both = [
        tool(index=0, id="a", function={"name": "f", "arguments": {"x": 1}}),
        tool(index=0, id="b", function={"name": "g"}),
    ]
    old = {"choices": [{"delta": {"function_call": {"name": "h", "arguments": "{}"}}}]}
    assert (await heard(raw(sse(*both, old, end("tool_calls")))))[:-1] == [
        NativeCall("a", "f", '{"x": 1}'), NativeCall("b", "g", "{}"), NativeCall("call_2", "h", "{}"),
    ]  # fmt: skip


async def test_m8_m14_calls_of_a_cut_reply_are_dropped(heard: Any) -> None:
    asked = tool(index=0, id="c", function={"name": "f", "arguments": "{}"})
    events = await heard(raw(sse(asked, end("length"))))
    assert not [e for e in events if isinstance(e, NativeCall)]
    with pytest.raises(ModelError, match="in the middle"):  # nothing was shown: after two more tries it is told
        await heard(raw(sse(asked, b"[DONE]")))


async def test_m7_m8_a_broken_stream_ends_without_an_end(heard: Any) -> None:
    assert await heard(raw(sse(text("Hi")), reset=True)) == [TextChunk("Hi")]
    assert await heard(raw(sse(text("Hi")), b'data: {"cho')) == [TextChunk("Hi")]


async def test_m6_silence_in_mid_stream_is_a_cut(heard: Any) -> None:
    assert await heard(raw(sse(text("Hi")), hang=True)) == [TextChunk("Hi")]


async def test_m5_silence_before_the_first_byte_is_a_timeout(heard: Any) -> None:
    with pytest.raises(ModelTimeout):
        await heard(raw(hang=True))


async def test_m9_html_with_200_is_a_protocol_error(heard: Any) -> None:
    with pytest.raises(ModelProtocolError, match="<html>"):
        await heard(raw(b"<html>\x1b", content_type="text/html"))


async def test_a_whole_json_reply_is_read(heard: Any) -> None:
    whole = {"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]}
    assert await heard(raw(json.dumps(whole, indent=1).encode(), content_type="application/json")) == [
        TextChunk("Hi"),
        STOP,
    ]


async def test_m11_a_huge_line_is_no_chat(heard: Any) -> None:
    with pytest.raises(ModelProtocolError, match="more than"):
        await heard(raw(b"data: " + b"x" * 9_000_000))


async def test_m16_errors_in_the_stream_are_typed_and_usage_is_clamped(heard: Any) -> None:
    with pytest.raises(ModelBusy):
        await heard(raw(sse({"error": {"message": "Overloaded"}})))
    assert await heard(raw(sse(text("a"), {"error": {"message": "x"}}))) == [TextChunk("a")]
    bad = b'{"choices":[],"usage":{"prompt_tokens":NaN,"completion_tokens":-4}}'
    assert await heard(raw(sse(text("a"), end(), bad))) == [TextChunk("a"), STOP]


async def test_m1_a_429_waits_as_told(heard: Any, model: Any) -> None:
    assert await heard(refuse(429, Retry_After="1"), raw(sse(end()))) == [STOP]
    assert model.waits == [1.0]


async def test_m2_absurd_waits_are_ignored_and_retries_bounded(heard: Any, model: Any, server: Any) -> None:
    with pytest.raises(ModelBusy):
        await heard(refuse(429, Retry_After="-7"))
    assert len(server.bodies) == 3
    assert all(0 < wait < 2 for wait in model.waits)


@pytest.mark.parametrize(
    ("status", "kind"), [(401, ModelRefused), (404, ModelGone), (413, ContextOverflow), (302, ModelRefused)]
)
async def test_m3_m4_refusals_are_not_retried_and_never_show_the_key(
    heard: Any, server: Any, status: int, kind: Any
) -> None:
    with pytest.raises(kind) as told:
        await heard(
            refuse(status, {"error": {"message": "model x: bad key sk-secret"}}, Location="http://127.0.0.1:1/")
        )
    assert "sk-secret" not in str(told.value)
    assert len(server.bodies) == 1


async def test_m3_a_500_is_retried(heard: Any) -> None:
    assert await heard(refuse(500), raw(sse(end()))) == [STOP]
    with pytest.raises(ModelError):
        await heard(refuse(503))


async def test_m17_a_too_long_conversation_is_named(heard: Any) -> None:
    with pytest.raises(ContextOverflow):
        await heard(refuse(400, {"error": {"message": "maximum context length is 4096 tokens"}}))


async def test_refused_tools_are_asked_again_as_text_and_remembered(heard: Any, server: Any, model: Any) -> None:
    events = await heard(refuse(400, {"error": "m does not support tools"}), raw(sse(text("Hi"), end())))
    assert isinstance(events[0], Notice)
    assert events[1:] == [TextChunk("Hi"), STOP]
    assert "tools" not in server.bodies[1]
    assert "TOOL: name" in server.bodies[1]["messages"][0]["content"]
    assert model.native_tools is False


CALLED = (
    Message("m2", Role.ASSISTANT, (CallPart(ToolCall("call_1", "search_people", "{}")),), "ex_1"),
    Message("m3", Role.TOOL, (ResultPart(ToolResult("call_1", CallStatus.FAILED)),), "ex_1"),
)


@pytest.mark.parametrize("forbids", [True, False])
async def test_a10_a11_the_last_step_forbids_or_removes_tools_as_its_provider_needs(
    request_of: Any, forbids: bool
) -> None:
    model = model_at("chat", "m", "http://127.0.0.1:1/v1", profile=Profile(forbids=forbids))
    asked = request_of(tools_open=False)
    assert "tools" not in json.loads(model.body(asked, True))
    body = json.loads(model.body(request_of(tools_open=False, messages=asked.messages + CALLED), True))
    assert body.get("tool_choice") == ("none" if forbids else None)
    assert bool(body.get("tools")) is forbids
    assert body["messages"][-1]["tool_call_id"] == short_id("call_1")


async def test_nobody_listening_says_how_to_start(request_of: Any) -> None:
    model = model_at("chat", "m", "http://127.0.0.1:1/v1", profile=Profile(start="start it with `ollama serve`"))
    with pytest.raises(ModelUnreachable, match="ollama serve"):
        await anext(model.stream(request_of()))
    await model.aclose()
