"""What servers do that no protocol says: calls without ids, reasons that do not fit, errors in a stream of 200."""

from __future__ import annotations

import json
from typing import Any

import pytest

from model_server import raw, refuse, sse
from sayso.core.messages import Usage
from sayso.core.ports import FinishReason, NativeCall, Notice, ReasoningChunk, ReplyEnd, TextChunk
from sayso.errors import (
    ConfigError,
    ContextOverflow,
    ModelError,
    ModelProtocolError,
    ModelRefused,
    ModelUnreachable,
    QuotaSpent,
)
from sayso.models.http_model import HttpModel
from sayso.models.profiles import Profile
from sayso.models.providers import PROTOCOLS, model_at

pytestmark = pytest.mark.anyio
STOP, CALLS = FinishReason.STOP, FinishReason.TOOL_CALLS


def read(protocol: str, *events: Any, done: bool = False) -> list[Any]:
    """What a reader makes of whole events."""
    reader = PROTOCOLS[protocol]("m", Profile()).reader()
    told, fault = reader.read([*map(json.dumps, events), *(["[DONE]"] if done else [])])
    if fault is not None:
        raise fault
    return [*told, *reader.finish()]


def delta(reason: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"choices": [{"delta": delta, "finish_reason": reason}]}


def fragment(name: str | None, arguments: str, **more: Any) -> dict[str, Any]:
    return delta(tool_calls=[{"function": {"name": name, "arguments": arguments}, **more}])


ONE, TWO = NativeCall("call_0", "f", '{"a":1}'), NativeCall("call_1", "g", "{}")


@pytest.mark.parametrize(
    "events",
    [
        [fragment("f", '{"a":1}'), fragment("g", "{}")],
        [fragment("f", '{"a":1}', index=0), fragment("g", "{}", index=0)],
        [fragment("f", '{"a"', index=0), fragment(None, ":1}", index=0), fragment("g", "{}", index=1)],
        [fragment("f", '{"a"'), fragment(None, ":1}"), fragment("g", "{}")],
    ],
)
def test_e1_calls_without_ids_or_all_numbered_0_stay_apart(events: list[Any]) -> None:
    assert read("chat", *events, delta("stop")) == [ONE, TWO, ReplyEnd(CALLS)]


def test_e1_two_calls_of_one_id_stay_apart() -> None:
    events = [fragment("f", '{"a":1}', id="x"), fragment("g", "{}", id="x"), delta("tool_calls")]
    assert [call.name for call in read("chat", *events)[:-1]] == ["f", "g"]
    numbered = [fragment("f", '{"a":1}', id="x", index=0), fragment("f", '{"a":2}', id="x", index=1), delta("stop")]
    assert [call.arguments for call in read("chat", *numbered)[:-1]] == ['{"a":1}', '{"a":2}']


@pytest.mark.parametrize(
    ("protocol", "reason", "wanted"),
    [
        ("chat", "stop", STOP), ("chat", "tool_calls", STOP), ("chat", "eos", STOP), ("chat", "length", "length"),
        ("chat", "content_filter", "content_filter"), ("chat", "error", None), ("chat", "strange", None),
        ("anthropic", "end_turn", STOP), ("anthropic", "tool_use", STOP), ("anthropic", "pause_turn", STOP),
        ("anthropic", "max_tokens", "length"), ("anthropic", "model_context_window_exceeded", "length"),
        ("anthropic", "refusal", "content_filter"), ("anthropic", "strange", None),
        ("gemini", "STOP", STOP), ("gemini", "MAX_TOKENS", "length"), ("gemini", "SAFETY", "content_filter"),
        ("gemini", "RECITATION", "content_filter"), ("gemini", "OTHER", None),
        ("gemini", "FINISH_REASON_UNSPECIFIED", None),
        ("responses", "completed", STOP), ("responses", "max_output_tokens", "length"),
        ("responses", "content_filter", "content_filter"), ("responses", "cancelled", None),
    ],
)  # fmt: skip
def test_m14_each_reason_has_its_meaning(protocol: str, reason: str, wanted: FinishReason | None) -> None:
    said = {
        "chat": [delta(reason, content="Hi")],
        "anthropic": [{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi"}},
                      {"type": "message_delta", "delta": {"stop_reason": reason}}],
        "gemini": [{"candidates": [{"content": {"parts": [{"text": "Hi"}]}, "finishReason": reason}]}],
        "responses": [{"type": "response.output_text.delta", "delta": "Hi"},
                      {"type": "response.completed", "response": {
                          "status": reason if reason in ("completed", "cancelled") else "incomplete",
                          "incomplete_details": {"reason": reason}}}],
    }[protocol]  # fmt: skip
    assert read(protocol, *said) == [TextChunk("Hi"), *([ReplyEnd(FinishReason(wanted))] if wanted else [])]


def test_m14_an_unknown_reason_counts_where_the_end_marker_says_so_too() -> None:
    assert read("chat", delta("strange", content="Hi"), done=True) == [TextChunk("Hi"), ReplyEnd(STOP)]
    assert read("chat", delta(content="Hi"), done=True) == [TextChunk("Hi")]


@pytest.mark.parametrize("protocol", list(PROTOCOLS))
def test_m16_odd_counts_never_reach_the_accounts(protocol: str) -> None:
    for odd in (-4, float("nan"), "7", None, True, 1e30, [1]):
        usage = {"prompt_tokens": odd, "completion_tokens": odd, "input_tokens": odd, "output_tokens": odd,
                 "promptTokenCount": odd, "candidatesTokenCount": odd}  # fmt: skip
        end = {
            "chat": {**delta("stop"), "usage": usage},
            "anthropic": {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": usage},
            "gemini": {"candidates": [{"finishReason": "STOP"}], "usageMetadata": usage},
            "responses": {"type": "response.completed", "response": {"status": "completed", "usage": usage}},
        }[protocol]
        assert read(protocol, end) == [ReplyEnd(STOP, Usage())]


@pytest.mark.parametrize("protocol", list(PROTOCOLS))
@pytest.mark.parametrize("odd", [None, 7, "x", [], {}, [None], [7], {"a": 1}])
def test_m9_fields_of_other_types_are_no_crash(protocol: str, odd: Any) -> None:
    events: list[Any] = [
        {"choices": odd}, {"choices": [{"delta": odd, "finish_reason": odd}]}, delta(content=odd, tool_calls=odd),
        delta(tool_calls=[{"function": odd, "id": odd, "index": odd}]), delta(function_call=odd), {"usage": odd},
        {"type": "message_start", "message": odd}, {"type": "content_block_start", "index": odd, "content_block": odd},
        {"type": "content_block_start", "index": odd, "content_block": {"type": "tool_use", "id": odd, "input": odd}},
        {"type": "content_block_delta", "index": odd, "delta": {"type": "input_json_delta", "partial_json": odd}},
        {"type": "message_delta", "delta": odd, "usage": odd}, {"candidates": odd}, {"candidates": [{"content": odd}]},
        {"candidates": [{"content": {"parts": odd}, "finishReason": odd, "finishMessage": odd}]},
        {"candidates": [{"content": {"parts": [{"functionCall": odd, "text": odd, "thought": odd}]}}]},
        {"promptFeedback": odd, "usageMetadata": odd}, {"type": "response.output_item.added", "item": odd},
        {"type": "response.output_item.done", "output_index": odd, "item": {"type": "function_call", "name": odd}},
        {"type": "response.function_call_arguments.delta", "item_id": odd, "delta": odd},
        {"type": "response.output_text.delta", "delta": odd}, {"type": "response.completed", "response": odd},
        {"type": "response.completed", "response": {"status": "completed", "output": odd, "usage": odd}},
        {"type": "response.completed", "response": {"status": odd, "output": [odd]}},
    ]  # fmt: skip
    for event in events:
        reader = PROTOCOLS[protocol]("m", Profile()).reader()
        reader.read([json.dumps(event)])
        reader.finish()


def test_thoughts_among_parts_are_kept_apart() -> None:
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "Hi"}]
    assert read("chat", delta("stop", content=parts)) == [ReasoningChunk("hm"), TextChunk("Hi"), ReplyEnd(STOP)]


def test_m12_arguments_without_measure_are_cut_and_fit_no_tool() -> None:
    piece = fragment(None, "x" * 100_000, index=0)
    call, end = read("chat", fragment("f", '{"a": "', index=0), *[piece] * 30, delta("stop"))
    assert len(call.arguments) < 1_200_000
    assert end == ReplyEnd(CALLS)


chat = pytest.mark.parametrize("protocol", ["chat"])
gemini = pytest.mark.parametrize("protocol", ["gemini"])
HI = raw(sse(delta("stop", content="Hi")))
FAILED = {"message": "Failed to call a function.", "type": "invalid_request_error", "code": "tool_use_failed"}


@chat
@pytest.mark.parametrize("where", ["status", "stream"])
async def test_what_a_model_wrote_in_a_failed_tool_use_is_its_reply(heard: Any, where: str, protocol: str) -> None:
    error = {"error": {**FAILED, "failed_generation": "<function=f>{}</function>", "status_code": 400}}
    reply = refuse(400, error) if where == "status" else raw(b"event: error\n" + sse(error))
    assert await heard(reply) == [TextChunk("<function=f>{}</function>"), ReplyEnd(STOP)]


@chat
async def test_a_failed_tool_use_without_words_is_asked_as_text_this_once(
    heard: Any, server: Any, model: HttpModel, protocol: str
) -> None:
    events = await heard(refuse(400, {"error": FAILED}), HI)
    assert isinstance(events[0], Notice)
    assert events[1] == TextChunk("Hi")
    assert ["tools" in body for body in server.bodies] == [True, False]
    assert model.native_tools is None
    await heard(HI)
    assert "tools" in server.bodies[2]


@gemini
async def test_a_call_that_gemini_could_not_read_is_read_like_a_reply(heard: Any, server: Any, protocol: str) -> None:
    def unread(message: str) -> Any:
        return raw(sse({"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": message}]}))

    wrote = "Malformed function call: print(default_api.search_people(query='Elena'))"
    assert await heard(unread(wrote)) == [
        TextChunk("print(default_api.search_people(query='Elena'))"), ReplyEnd(STOP),
    ]  # fmt: skip
    hi = raw(sse({"candidates": [{"content": {"parts": [{"text": "Hi"}]}, "finishReason": "STOP"}]}))
    events = await heard(hi, unread(""), hi)  # the first one was given before
    assert isinstance(events[0], Notice)
    assert events[1:] == [TextChunk("Hi"), ReplyEnd(STOP)]
    assert "tools" not in server.bodies[-1]


@gemini
async def test_a_prompt_that_is_blocked_ends_as_filtered(heard: Any, protocol: str) -> None:
    blocked = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 4}}
    assert await heard(raw(sse(blocked))) == [ReplyEnd(FinishReason.CONTENT_FILTER, Usage(4, 0))]


@chat
async def test_a_field_that_is_refused_is_left_out_from_then_on(heard: Any, server: Any, protocol: str) -> None:
    refused = refuse(400, {"error": {"message": "Unsupported parameter: 'stream_options'"}})
    assert (await heard(refused, HI))[0] == TextChunk("Hi")
    await heard(HI)
    assert ["stream_options" in body for body in server.bodies] == [True, False, False]


@chat
async def test_a_field_that_is_refused_again_without_it_is_a_refusal(heard: Any, server: Any, protocol: str) -> None:
    with pytest.raises(ModelRefused):
        await heard(refuse(400, {"error": {"message": "Unsupported parameter: 'temperature'"}}))
    assert len(server.bodies) == 2


@chat
async def test_m7_a_connection_that_broke_before_a_word_is_tried_again(heard: Any, server: Any, protocol: str) -> None:
    broken = raw(b": hi\n\n", reset=True)
    assert (await heard(broken, HI))[0] == TextChunk("Hi")
    with pytest.raises((ModelUnreachable, ModelError)):
        await heard(broken)


@chat
async def test_m7_nothing_is_tried_again_once_a_word_was_shown(heard: Any, server: Any, protocol: str) -> None:
    assert await heard(raw(sse(delta(content="Hi")), reset=True), HI) == [TextChunk("Hi")]
    assert len(server.bodies) == 1


@chat
async def test_a_thought_is_no_word_that_was_shown(heard: Any, server: Any, protocol: str) -> None:
    thought = raw(sse(delta(reasoning_content="hm"), {"error": {"message": "Overloaded"}}))
    assert [type(event) for event in await heard(thought, HI)] == [ReasoningChunk, TextChunk, ReplyEnd]


@chat
async def test_what_hangs_after_its_end_is_whole(heard: Any, protocol: str) -> None:
    assert await heard(raw(sse(delta("stop", content="Hi")), hang=True)) == [TextChunk("Hi"), ReplyEnd(STOP)]


@chat
async def test_garbage_after_the_end_is_not_read(heard: Any, protocol: str) -> None:
    stream = sse(delta("stop", content="Hi"), b"[DONE]") + b'data: {"error": "late"}\n\ndata: nonsense\n\n'
    assert await heard(raw(stream)) == [TextChunk("Hi"), ReplyEnd(STOP)]
    assert await heard(raw(sse(delta("stop", content="Hi"), b"nonsense"))) == [TextChunk("Hi"), ReplyEnd(STOP)]


@chat
async def test_m1_a_wait_longer_than_a_person_waits_is_not_waited(
    heard: Any, server: Any, model: Any, protocol: str
) -> None:
    with pytest.raises(ModelError) as told:
        await heard(refuse(429, {"error": {"message": "slow down"}}, Retry_After="120"))
    assert told.value.seconds == 120
    assert (len(server.bodies), model.waits) == (1, [])


@chat
async def test_a_spent_allowance_is_not_asked_again(heard: Any, server: Any, protocol: str) -> None:
    with pytest.raises(QuotaSpent):
        await heard(refuse(429, {"error": {"message": "no", "code": "insufficient_quota"}}, Retry_After="1"))
    assert len(server.bodies) == 1


@chat
async def test_m2_no_wait_goes_past_the_deadline(heard: Any, model: Any, protocol: str) -> None:
    with pytest.raises(ModelError):
        await heard(refuse(429, {"error": "slow down"}, Retry_After="4"), seconds_left=3.0)
    assert model.waits == []


@chat
async def test_the_key_is_in_no_message_wherever_it_is_repeated(heard: Any, protocol: str) -> None:
    for reply in (raw(sse({"error": {"message": "bad key sk-secret"}})), raw(b"<html>sk-secret", content_type="text/html"),
                  raw(sse(b"sk-secret")), refuse(400, {"error": {"message": "bad key sk-secret"}})):  # fmt: skip
        with pytest.raises(ModelError) as told:
            await heard(reply)
        assert "sk-secret" not in str(told.value)


@pytest.mark.parametrize("protocol", list(PROTOCOLS))
async def test_m11_an_event_larger_than_a_chat_is_none(heard: Any, protocol: str) -> None:
    with pytest.raises(ModelProtocolError, match="more than"):
        await heard(raw(b"data: " + b"x" * 9_000_000))


@pytest.mark.parametrize("protocol", list(PROTOCOLS))
async def test_m17_a_limit_that_is_named_comes_along(heard: Any, protocol: str) -> None:
    with pytest.raises(ContextOverflow) as told:
        await heard(refuse(400, {"error": {"message": "prompt is too long: 9000 tokens > 8000 maximum"}}))
    assert told.value.limit == 8000


@pytest.mark.parametrize(
    ("address", "key"),
    [("http://[odd/v1", ""), ("ftp://a/v1", ""), ("sk-secret", ""), ("http://a:99999/v1", ""),
     ("http://a/v1", "sk-s\r\nX-Evil: 1"), ("http://a/v1", "sk-sécret"), ("http://a/v1", "sk-s ecret")],
)  # fmt: skip
def test_an_address_or_key_of_a_wrong_form_is_told_without_repeating_it(address: str, key: str) -> None:
    with pytest.raises(ConfigError) as told:
        model_at("chat", "m", address, key)
    assert "sk-s" not in str(told.value)


def test_another_protocol_is_told_with_those_that_are_there() -> None:
    with pytest.raises(ConfigError, match="chat, responses, anthropic, gemini"):
        model_at("soap", "m", "http://a/v1")
