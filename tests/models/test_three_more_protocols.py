"""Responses, Messages and generateContent against a real server: each turns one request into one stream of parts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from model_server import raw, refuse, sse
from sayso.core.messages import CallPart, CallStatus, Message, ResultPart, Role, TextPart, ToolCall, ToolResult, Usage
from sayso.core.ports import FinishReason, NativeCall, Notice, ReasoningChunk, ReplyEnd, TextChunk
from sayso.errors import ModelBusy, ModelProtocolError
from sayso.models.http_model import HttpModel

pytestmark = pytest.mark.anyio

CALL = ToolCall("call_one", "search_people", '{"query": "Elena"}')
CALLED = (
    Message("m1", Role.USER, (TextPart("Who is Elena?"),), "ex_1"),
    Message("m2", Role.ASSISTANT, (CallPart(CALL), CallPart(ToolCall("call_two", "search_people", "{}"))), "ex_1"),
    Message(
        "m3", Role.TOOL,
        (ResultPart(ToolResult("call_one", CallStatus.FAILED)), ResultPart(ToolResult("call_two", CallStatus.FAILED))),
        "ex_1",
    ),
)  # fmt: skip


class Spoken:
    """How one provider says a text, a thought, two calls and an end."""

    def __init__(self, text: list[Any], thought: list[Any], calls: list[Any], end: list[Any]) -> None:
        self.text, self.thought, self.calls, self.end = text, thought, calls, end


def _anthropic() -> Spoken:
    def block(index: int, content: Any, *deltas: Any) -> list[Any]:
        opened = {"type": "content_block_start", "index": index, "content_block": content}
        grown = [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        return [opened, *grown, {"type": "content_block_stop", "index": index}]

    start = {"type": "message_start", "message": {"content": [], "usage": {"input_tokens": 5, "output_tokens": 1}}}
    pieces = [{"type": "input_json_delta", "partial_json": piece} for piece in ("", '{"query": ', '"Elena"}')]
    stop = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 3}}
    return Spoken(
        text=[start, {"type": "ping"}, *block(0, {"type": "text", "text": ""}, {"type": "text_delta", "text": "Hi"})],
        thought=block(0, {"type": "thinking", "thinking": ""}, {"type": "thinking_delta", "thinking": "hm"},
                      {"type": "signature_delta", "signature": "x"}),
        calls=[start, *block(1, {"type": "tool_use", "id": "toolu_1", "name": "search_people", "input": {}}, *pieces),
               *block(2, {"type": "tool_use", "id": "toolu_2", "name": "list_people", "input": {}})],
        end=[stop, {"type": "message_stop"}],
    )  # fmt: skip


def _responses() -> Spoken:
    def call(place: int, name: str, arguments: str) -> list[Any]:
        item = {"type": "function_call", "id": f"fc_{place}", "call_id": f"call_{place}", "name": name}
        about = {"item_id": f"fc_{place}", "output_index": place}
        return [
            {"type": "response.output_item.added", "output_index": place, "item": {**item, "arguments": ""}},
            {"type": "response.function_call_arguments.delta", **about, "delta": arguments[:4]},
            {"type": "response.function_call_arguments.delta", **about, "delta": arguments[4:]},
            {"type": "response.output_item.done", "output_index": place, "item": {**item, "arguments": arguments}},
        ]

    usage = {"input_tokens": 5, "output_tokens": 3, "total_tokens": 8}
    done = {"type": "response.completed", "response": {"object": "response", "status": "completed", "usage": usage,
                                                       "output": []}}  # fmt: skip
    return Spoken(
        text=[{"type": "response.created", "response": {"object": "response", "status": "in_progress"}},
              {"type": "response.output_text.delta", "output_index": 0, "delta": "Hi"},
              {"type": "response.output_text.done", "output_index": 0, "text": "Hi"}],
        thought=[{"type": "response.reasoning_summary_text.delta", "delta": "hm"}],
        calls=[*call(0, "search_people", '{"query": "Elena"}'), *call(1, "list_people", "{}")],
        end=[done],
    )  # fmt: skip


def _gemini() -> Spoken:
    def parts(*parts: Any, **more: Any) -> dict[str, Any]:
        return {"candidates": [{"content": {"role": "model", "parts": list(parts)}, "index": 0, **more}]}

    usage = {"promptTokenCount": 5, "candidatesTokenCount": 2, "thoughtsTokenCount": 1}
    return Spoken(
        text=[parts({"text": "Hi"})],
        thought=[parts({"text": "hm", "thought": True})],
        calls=[parts({"functionCall": {"name": "search_people", "args": {"query": "Elena"}}, "thoughtSignature": "s"},
                     {"functionCall": {"name": "list_people", "args": {}}})],
        end=[{**parts(finishReason="STOP"), "usageMetadata": usage}],
    )  # fmt: skip


SPOKEN = {"anthropic": _anthropic(), "responses": _responses(), "gemini": _gemini()}
protocols = pytest.mark.parametrize("protocol", list(SPOKEN))


END = ReplyEnd(FinishReason.STOP, Usage(5, 3))


@protocols
async def test_a_thought_a_text_and_an_end_are_told_apart(heard: Any, protocol: str) -> None:
    spoken = SPOKEN[protocol]
    usage = Usage(0 if protocol == "anthropic" else 5, 3)
    events = await heard(raw(sse(*spoken.thought, *spoken.text, *spoken.end)))
    assert [type(event) for event in events] == [ReasoningChunk, TextChunk, ReplyEnd]
    assert events[0] == ReasoningChunk("hm")
    assert events[1] == TextChunk("Hi")
    assert events[2].usage.output_tokens == usage.output_tokens


@protocols
async def test_parallel_calls_are_whole_whatever_their_pieces(heard: Any, protocol: str) -> None:
    spoken = SPOKEN[protocol]
    *calls, end = await heard(raw(sse(*spoken.calls, *spoken.end)))
    assert [(c.name, json.loads(c.arguments)) for c in calls] == [("search_people", {"query": "Elena"}),
                                                                   ("list_people", {})]  # fmt: skip
    assert end == ReplyEnd(FinishReason.TOOL_CALLS, Usage(5, 3))


@protocols
async def test_g3_m10_a_split_at_every_byte_changes_nothing(heard: Any, protocol: str) -> None:
    spoken = SPOKEN[protocol]
    stream = sse(*spoken.text, *spoken.calls, *spoken.end)
    whole = await heard(raw(stream))
    for at in range(1, len(stream), 7):
        assert await heard(raw(stream[:at], stream[at:])) == whole


@protocols
async def test_m7_m8_a_reply_without_its_reason_is_cut_and_its_calls_are_dropped(heard: Any, protocol: str) -> None:
    spoken = SPOKEN[protocol]
    assert await heard(raw(sse(*spoken.text, *spoken.calls))) == [TextChunk("Hi")]
    assert await heard(raw(sse(*spoken.text), reset=True)) == [TextChunk("Hi")]


@protocols
async def test_m9_another_protocols_reply_is_none(heard: Any, protocol: str) -> None:
    with pytest.raises(ModelProtocolError, match="not with a chat"):
        await heard(raw(b"<html>\x1b", content_type="text/html"))


@protocols
async def test_the_key_goes_into_a_header_and_the_path_is_the_protocols(heard: Any, server: Any, protocol: str) -> None:
    spoken = SPOKEN[protocol]
    await heard(raw(sse(*spoken.text, *spoken.end)))
    header = {"anthropic": "x-api-key", "gemini": "x-goog-api-key", "responses": "Authorization"}[protocol]
    assert server.headers[0][header].endswith("sk-secret")
    paths = {"anthropic": "/v1/messages", "responses": "/v1/responses",
             "gemini": "/v1/models/m:streamGenerateContent?alt=sse"}  # fmt: skip
    assert server.paths == [paths[protocol]]


@protocols
async def test_m16_an_error_in_the_stream_is_typed_and_tried_again(heard: Any, server: Any, protocol: str) -> None:
    error = {"anthropic": {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
             "responses": {"type": "response.failed", "response": {"status": "failed", "error": {
                 "code": "rate_limit_exceeded", "message": "Rate limit reached"}}},
             "gemini": {"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}},
             }[protocol]  # fmt: skip
    spoken = SPOKEN[protocol]
    told = await heard(raw(sse(error)), raw(sse(*spoken.text, *spoken.end)))
    assert told[0] == TextChunk("Hi")
    with pytest.raises(ModelBusy):
        await heard(raw(sse(error)))
    assert await heard(raw(sse(*spoken.text, error))) == [TextChunk("Hi")]


@protocols
async def test_refused_tools_are_asked_again_as_text_and_remembered(
    heard: Any, server: Any, model: HttpModel, protocol: str
) -> None:
    spoken = SPOKEN[protocol]
    refused = refuse(400, {"error": {"code": 400, "message": "Function calling is not enabled for models/m"}})
    events = await heard(refused, raw(sse(*spoken.text, *spoken.end)))
    assert isinstance(events[0], Notice)
    assert events[1] == TextChunk("Hi")
    assert "tools" not in server.bodies[1]
    assert "TOOL: name" in json.dumps(server.bodies[1])
    assert model.native_tools is False


@protocols
async def test_a_call_of_this_exchange_goes_back_with_its_result(heard: Any, server: Any, protocol: str) -> None:
    spoken = SPOKEN[protocol]
    await heard(raw(sse(*spoken.text, *spoken.end)), messages=CALLED)
    body = server.bodies[0]
    if protocol == "anthropic":
        roles = [message["role"] for message in body["messages"]]
        called, answered = body["messages"][1]["content"], body["messages"][2]["content"]
        ids = ([block["id"] for block in called], [block["tool_use_id"] for block in answered])
    elif protocol == "gemini":
        roles = [turn["role"].replace("model", "assistant") for turn in body["contents"]]
        called, answered = body["contents"][1]["parts"], body["contents"][2]["parts"]
        ids = ([p["functionCall"]["name"] for p in called], [p["functionResponse"]["name"] for p in answered])
    else:
        roles = ["user", "assistant", "user"]
        items = body["input"]
        ids = ([i["call_id"] for i in items if i.get("type") == "function_call"],
               [i["call_id"] for i in items if i.get("type") == "function_call_output"])  # fmt: skip
    assert roles == ["user", "assistant", "user"]
    assert len(ids[0]) == 2
    assert ids[0] == ids[1]


@protocols
async def test_a10_a11_the_last_step_forbids_calls_where_the_history_has_them(
    heard: Any, server: Any, protocol: str
) -> None:
    spoken = SPOKEN[protocol]
    for messages in (CALLED[:1], CALLED):
        await heard(raw(sse(*spoken.text, *spoken.end)), tools_open=False, messages=messages)
    plain, called = server.bodies
    assert "tools" not in plain
    assert called["tools"]
    forbidden = {"anthropic": {"tool_choice": {"type": "none"}}, "responses": {"tool_choice": "none"},
                 "gemini": {"toolConfig": {"functionCallingConfig": {"mode": "NONE"}}}}[protocol]  # fmt: skip
    assert forbidden.items() <= called.items()


@protocols
async def test_a_whole_document_is_read_like_a_stream(heard: Any, protocol: str) -> None:
    text = {"type": "text", "text": "Hi"}
    whole = {
        "anthropic": {"type": "message", "content": [text, {"type": "tool_use", "id": "t", "name": "f",
                      "input": {"a": 1}}], "stop_reason": "tool_use"},
        "responses": {"object": "response", "status": "completed", "output": [
            {"type": "message", "content": [{"type": "output_text", "text": "Hi"}]},
            {"type": "function_call", "call_id": "t", "name": "f", "arguments": '{"a": 1}'}]},
        "gemini": [{"candidates": [{"content": {"parts": [{"text": "Hi"}, {"functionCall": {"name": "f",
                    "args": {"a": 1}}}]}, "finishReason": "STOP"}]}],
    }[protocol]  # fmt: skip
    events = await heard(raw(json.dumps(whole, indent=1).encode(), content_type="application/json"))
    assert events[0] == TextChunk("Hi")
    assert [(c.name, c.arguments) for c in events if isinstance(c, NativeCall)] == [("f", '{"a": 1}')]
    assert events[-1] == ReplyEnd(FinishReason.TOOL_CALLS)
