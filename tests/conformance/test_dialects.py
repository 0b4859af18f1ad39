"""Peculiarities of single servers, as they send them: what each of them means, at the seam."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from conformance.conftest import Asking, request_of
from conformance.server.http import Answer, streaming
from conformance.server.stage import Stage
from sayso.core.ports import FinishReason, ReasoningChunk
from sayso.errors import ModelBusy, ModelError

pytestmark = pytest.mark.anyio

STOP, CALLS, LENGTH, FILTER = (
    FinishReason.STOP,
    FinishReason.TOOL_CALLS,
    FinishReason.LENGTH,
    FinishReason.CONTENT_FILTER,
)
DONE = b"data: [DONE]\n\n"


def sse(*events: Any, name: bool = False) -> bytes:
    told = b""
    for event in events:
        if isinstance(event, bytes):
            told += event
            continue
        head = f"event: {event['type']}\n" if name else ""
        told += f"{head}data: {json.dumps(event)}\n\n".encode()
    return told


@dataclass(frozen=True, slots=True)
class Peculiar:
    """`reason` None: the reply is cut (or, with `error`, never began)."""

    name: str
    protocol: str
    sent: bytes
    text: str = ""
    calls: Sequence[tuple[str, Any]] = ()
    reason: FinishReason | None = STOP
    thought: str = ""
    error: type[ModelError] | None = None
    document: bool = False


def delta(finish: str | None = None, **what: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": what, "finish_reason": finish}]}


def message(finish: str, **what: Any) -> bytes:
    return json.dumps(
        {"choices": [{"index": 0, "message": {"role": "assistant", **what}, "finish_reason": finish}]}
    ).encode()


def fn(ident: str | None, name: str, arguments: Any, index: int | None = 0) -> dict[str, Any]:
    told: dict[str, Any] = {"function": {"name": name, "arguments": arguments}}
    if ident is not None:
        told |= {"id": ident, "type": "function"}
    if index is not None:
        told["index"] = index
    return told


CHAT = [
    Peculiar("content as a list of parts, thinking among them", "chat", sse(
        delta(content=[{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]),
        delta(content=[{"type": "text", "text": "Hello"}]), delta("stop"), DONE), "Hello"),
    Peculiar("a refusal of the model", "chat", sse(delta(refusal="I cannot "), delta(refusal="do that."), delta("stop"), DONE), "I cannot do that."),
    Peculiar("reasoning under another name", "chat", sse(delta(reasoning="hm"), delta(content="Hello"), delta("stop"), DONE), "Hello", thought="hm"),
    Peculiar("parallel calls that are all number 0", "chat", sse(
        delta(tool_calls=[fn("a", "find", '{"q":1}')]), delta(tool_calls=[fn("b", "find", '{"q":2}')]), delta("tool_calls"), DONE),
        calls=[("find", {"q": 1}), ("find", {"q": 2})], reason=CALLS),
    Peculiar("calls without a number, arguments as objects", "chat", sse(
        delta(tool_calls=[fn("a", "find", {"q": 1}, None), fn("b", "list", {}, None)]), delta("stop"), DONE),
        calls=[("find", {"q": 1}), ("list", {})], reason=CALLS),
    Peculiar("a call without arguments and without an id", "chat", sse(delta(tool_calls=[fn(None, "list", "")]), delta("tool_calls"), DONE),
             calls=[("list", {})], reason=CALLS),
    Peculiar("null in every field that may be missing", "chat", sse(
        {"choices": [{"index": 0, "delta": {"role": "assistant", "content": None, "tool_calls": None, "reasoning_content": None}, "finish_reason": None}], "usage": None, "error": None},
        delta(content="Hello"), delta("stop"), DONE), "Hello"),
    Peculiar("the finish in the frame of the last text", "chat", sse(delta("stop", content="Hello"), DONE), "Hello"),
    Peculiar("the finish told twice", "chat", sse(delta(content="Hello"), delta("stop"), delta("stop"), DONE), "Hello"),
    Peculiar("a finish that nobody knows, and the end marker", "chat", sse(delta(content="Hello"), delta("because"), DONE), "Hello"),
    Peculiar("an error in the choice, before any text", "chat", sse(
        {"error": {"code": 502, "message": "Provider disconnected unexpectedly"}, **delta("error", content="")}, DONE), reason=None, error=ModelError),
    Peculiar("an error in the choice, after text", "chat", sse(
        delta(content="Hello"), {"error": {"code": 502, "message": "Provider disconnected"}, **delta("error", content="")}, DONE), "Hello", reason=None),
    Peculiar("a finish that is an error", "chat", sse(delta(content="Hello"), delta("error"), DONE), "Hello", reason=None),
    Peculiar("only empty lists of choices", "chat", sse({"choices": []}, {"choices": []}, DONE), reason=None, error=ModelError),
    Peculiar("no choices at all", "chat", sse({"id": "x", "object": "chat.completion.chunk"}, DONE), reason=None, error=ModelError),
    Peculiar("a named error event", "chat", b'event: error\ndata: {"error":{"message":"Rate limit reached","code":429}}\n\n', reason=None, error=ModelBusy),
    Peculiar("counts in every frame", "chat", sse(
        {**delta(content="Hel"), "usage": {"prompt_tokens": 1, "completion_tokens": 1}},
        {**delta("stop", content="lo"), "usage": {"prompt_tokens": 11, "completion_tokens": 7}}, DONE), "Hello"),
    Peculiar("a whole document", "chat", message("stop", content="Hello"), "Hello", document=True),
    Peculiar("a whole document with calls", "chat", message("tool_calls", content=None, tool_calls=[fn("a", "find", '{"q":1}')]),
             calls=[("find", {"q": 1})], reason=CALLS, document=True),
    Peculiar("a document that was cut", "chat", message("stop", content="Hello")[:-9], reason=None, error=ModelError, document=True),
    Peculiar("a call of the older form", "chat", sse(
        delta(function_call={"name": "find", "arguments": '{"q"'}), delta(function_call={"arguments": ":1}"}), delta("function_call"), DONE),
        calls=[("find", {"q": 1})], reason=CALLS),
]  # fmt: skip

_ITEM = {
    "id": "fc_1",
    "type": "function_call",
    "call_id": "c1",
    "name": "find",
    "status": "completed",
    "arguments": '{"q":1}',
}


def ended(*items: Any, status: str = "completed", **more: Any) -> dict[str, Any]:
    usage = {"input_tokens": 11, "output_tokens": 7}
    return {
        "type": f"response.{status}",
        "response": {"id": "r", "status": status, "output": list(items), "usage": usage, **more},
    }


RESPONSES = [
    Peculiar("a refusal of the model", "responses", sse(
        {"type": "response.refusal.delta", "delta": "I cannot "}, {"type": "response.refusal.delta", "delta": "do that."}, ended(), name=True), "I cannot do that."),
    Peculiar("a call that is only told when it is done", "responses", sse(
        {"type": "response.output_item.done", "output_index": 0, "item": _ITEM}, ended(_ITEM), name=True), calls=[("find", {"q": 1})], reason=CALLS),
    Peculiar("events without their names", "responses", sse(
        {"type": "response.output_text.delta", "item_id": "m", "delta": "Hello"}, ended()), "Hello"),
    Peculiar("a flat error", "responses", sse({"type": "error", "code": "rate_limit_exceeded", "message": "Rate limit reached", "param": None}, name=True),
             reason=None, error=ModelBusy),
    Peculiar("a failure without an error event", "responses", sse(
        ended(status="failed", error={"code": "server_error", "message": "The model failed"}), name=True), reason=None, error=ModelError),
    Peculiar("incomplete, by its length, after a call", "responses", sse(
        {"type": "response.output_item.done", "output_index": 0, "item": _ITEM},
        ended(_ITEM, status="incomplete", incomplete_details={"reason": "max_output_tokens"}), name=True), reason=LENGTH),
    Peculiar("cancelled", "responses", sse(
        {"type": "response.output_text.delta", "item_id": "m", "delta": "Hel"}, ended(status="cancelled"), name=True), "Hel", reason=None),
    Peculiar("a built-in tool of the provider among the items", "responses", sse(
        {"type": "response.output_item.added", "output_index": 0, "item": {"id": "ws", "type": "web_search_call", "status": "in_progress"}},
        {"type": "response.web_search_call.searching", "item_id": "ws"},
        {"type": "response.output_text.delta", "item_id": "m", "delta": "Hello"}, ended(), name=True), "Hello"),
]  # fmt: skip


def block(index: int, start: Any, *deltas: Any) -> list[Any]:
    return [
        {"type": "content_block_start", "index": index, "content_block": start},
        *({"type": "content_block_delta", "index": index, "delta": told} for told in deltas),
        {"type": "content_block_stop", "index": index},
    ]


_START = {
    "type": "message_start",
    "message": {"id": "m", "role": "assistant", "content": [], "usage": {"input_tokens": 11, "output_tokens": 1}},
}
_HELLO = block(0, {"type": "text", "text": ""}, {"type": "text_delta", "text": "Hello"})
_FIND = {"type": "tool_use", "id": "t1", "name": "find", "input": {"q": 1}}


def stopped(reason: str) -> list[Any]:
    return [
        {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 7}},
        {"type": "message_stop"},
    ]


ANTHROPIC = [
    Peculiar("a call whose input came with its start", "anthropic", sse(_START, *block(0, _FIND), *stopped("tool_use"), name=True), calls=[("find", {"q": 1})], reason=CALLS),
    Peculiar("a call without any input", "anthropic", sse(_START, *block(0, {**_FIND, "name": "list", "input": {}}), *stopped("tool_use"), name=True), calls=[("list", {})], reason=CALLS),
    Peculiar("text that came with its start", "anthropic", sse(_START, *block(0, {"type": "text", "text": "Hello"}), *stopped("end_turn"), name=True), "Hello"),
    Peculiar("thinking that is withheld", "anthropic", sse(_START, *block(0, {"type": "redacted_thinking", "data": "xx"}), *block(1, {"type": "text", "text": "Hello"}), *stopped("end_turn"), name=True), "Hello"),
    Peculiar("blocks and deltas of kinds that are not known yet", "anthropic", sse(
        _START, *block(0, {"type": "server_tool_use", "id": "s", "name": "web", "input": {}}, {"type": "input_json_delta", "partial_json": "{}"}),
        *block(1, {"type": "text", "text": ""}, {"type": "citations_delta", "citation": {}}, {"type": "text_delta", "text": "Hello"}), *stopped("end_turn"), name=True), "Hello"),
    *(Peculiar(f"stopped by {reason}", "anthropic", sse(_START, *_HELLO, *stopped(reason), name=True), "Hello", reason=meant)
      for reason, meant in (("stop_sequence", STOP), ("max_tokens", LENGTH), ("model_context_window_exceeded", LENGTH), ("refusal", FILTER))),
    Peculiar("too often, told in the stream", "anthropic", sse(_START, {"type": "error", "error": {"type": "rate_limit_error", "message": "Slow down"}}, name=True), reason=None, error=ModelBusy),
    Peculiar("a whole document", "anthropic", json.dumps({"type": "message", "role": "assistant", "content": [{"type": "text", "text": "Hello"}, _FIND],
        "stop_reason": "tool_use", "usage": {"input_tokens": 11, "output_tokens": 7}}).encode(), "Hello", [("find", {"q": 1})], CALLS, document=True),
]  # fmt: skip


def candidate(*parts: Any, finish: str | None = None) -> dict[str, Any]:
    told: dict[str, Any] = {"index": 0, "content": {"role": "model", "parts": list(parts)}}
    if finish:
        told["finishReason"] = finish
    return {"candidates": [told], "usageMetadata": {"promptTokenCount": 11, "candidatesTokenCount": 7}}


_CALL = {"functionCall": {"name": "find", "args": {"q": 1}}}
GEMINI = [
    Peculiar("a prompt that was blocked", "gemini", sse({"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 11}}), reason=FILTER),
    *(Peculiar(f"finished by {reason}", "gemini", sse(candidate({"text": "Hello"}), candidate(finish=reason)), "Hello", reason=FILTER)
      for reason in ("SAFETY", "RECITATION", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII")),
    Peculiar("a finish without any content", "gemini", sse(candidate({"text": "Hello"}), {"candidates": [{"index": 0, "finishReason": "STOP"}]}), "Hello"),
    Peculiar("two calls in one frame, one without arguments", "gemini", sse(candidate(_CALL, {"functionCall": {"name": "list"}}, finish="STOP")),
             calls=[("find", {"q": 1}), ("list", {})], reason=CALLS),
    Peculiar("no candidates at all", "gemini", sse({"candidates": []}, {"usageMetadata": {"promptTokenCount": 11}}), reason=None, error=ModelError),
    Peculiar("parts of kinds that are not known yet", "gemini", sse(
        candidate({"executableCode": {"language": "PYTHON", "code": "1"}}, {"text": "Hello"}, {"newThing": {}}, finish="STOP")), "Hello"),
    Peculiar("a list of documents instead of events", "gemini", json.dumps([candidate({"text": "Hel"}), candidate({"text": "lo"}, finish="STOP")], indent=1).encode(), "Hello", document=True),
    Peculiar("an error in a list", "gemini", json.dumps([{"error": {"code": 503, "status": "UNAVAILABLE", "message": "The model is overloaded."}}]).encode(),
             reason=None, error=ModelBusy, document=True),
    Peculiar("calls that were cut by the length", "gemini", sse(candidate(_CALL), candidate(finish="MAX_TOKENS")), reason=LENGTH),
]  # fmt: skip


@pytest.mark.parametrize(
    ("protocol", "peculiar"),
    [
        pytest.param(p.protocol, p, id=f"{p.protocol}-{p.name}".replace(" ", "_"))
        for p in (*CHAT, *RESPONSES, *ANTHROPIC, *GEMINI)
    ],
)
async def test_m14_m16_what_single_servers_send_has_one_meaning(
    stage: Stage, asking: Asking, peculiar: Peculiar
) -> None:
    kind = "application/json" if peculiar.document else "text/event-stream"
    answer: Answer = streaming((peculiar.sent,), content_type=kind)
    stage.play(answer)
    heard = await asking.hear(asking.model(), request_of())
    if peculiar.error is not None:
        assert isinstance(heard.error, peculiar.error), heard
        assert not heard.text + str(heard.calls).strip("[]")
        return
    assert heard.error is None, heard.error
    assert heard.text == peculiar.text
    assert [(c.name, json.loads(c.arguments)) for c in heard.calls] == list(peculiar.calls)
    assert (heard.end.reason if heard.end else None) is peculiar.reason
    if peculiar.thought:
        assert "".join(e.text for e in heard.events if isinstance(e, ReasoningChunk)) == peculiar.thought
