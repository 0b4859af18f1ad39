"""Anthropic's Messages: content blocks, strict pairs of calls and results, named events."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from conformance.server.http import Answer, Asked, refusing
from conformance.server.provider import Stream, StreamFault, Wrong, as_mapping, event, only
from conformance.server.script import Call, Reply, Text, Thought

_FIELDS = {
    "model", "messages", "max_tokens", "system", "stream", "temperature", "top_p", "top_k", "tools", "tool_choice",
    "thinking", "stop_sequences", "metadata", "service_tier", "container", "context_management", "output_config",
}  # fmt: skip
_BLOCKS = {
    "text": {"type", "text", "cache_control", "citations"},
    "image": {"type", "source", "cache_control"},
    "tool_use": {"type", "id", "name", "input", "cache_control"},
    "tool_result": {"type", "tool_use_id", "content", "is_error", "cache_control"},
    "thinking": {"type", "thinking", "signature"},
    "redacted_thinking": {"type", "data"},
}
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_ID = re.compile(r"[a-zA-Z0-9_-]+")
_FINISH = {"stop": "end_turn", "calls": "tool_use", "length": "max_tokens", "filter": "refusal"}
_EXTRA = "{}: Extra inputs are not permitted"


class Anthropic:
    protocol = "anthropic"
    root = "/v1"

    def __init__(self) -> None:
        self._ids = count(1)

    # --- what it takes ---------------------------------------------------------------------------------------------

    def check(self, asked: Asked) -> Answer | None:
        if asked.method != "POST" or asked.path != "/v1/messages":
            return refusing(404, _error("Not found", "not_found_error"))
        if not asked.headers.get("anthropic-version"):
            return refusing(400, _error("anthropic-version: header is required"))
        try:
            body = as_mapping(asked.body, "The request body is not valid JSON")
            self._fields(body)
            self._system(body)
            used = self._messages(body["messages"], thinking=_thinks(body))
            self._tools(body, used)
        except Wrong as wrong:
            return refusing(400, _error(str(wrong)))
        return None

    def _fields(self, body: Mapping[str, Any]) -> None:
        only(body, _FIELDS, "", _EXTRA)
        for name in ("model", "max_tokens", "messages"):
            if name not in body:
                raise Wrong(f"{name}: Field required")
        if not isinstance(body["max_tokens"], int) or body["max_tokens"] < 1:
            raise Wrong("max_tokens: must be greater than or equal to 1")
        if not 0 <= body.get("temperature", 1) <= 1:
            raise Wrong("temperature: range: 0..1")
        if _thinks(body):
            if not 1024 <= body["thinking"]["budget_tokens"] < body["max_tokens"]:
                raise Wrong("`max_tokens` must be greater than `thinking.budget_tokens`.")
            if body.get("temperature", 1) != 1:
                raise Wrong("`temperature` may only be set to 1 when thinking is enabled.")

    def _system(self, body: Mapping[str, Any]) -> None:
        system = body.get("system", "x")
        blocks = [{"type": "text", "text": system}] if isinstance(system, str) else system
        for at, block in enumerate(blocks):
            only(block, _BLOCKS["text"], f"system.{at}.", _EXTRA)
            if block.get("type") != "text" or not block.get("text"):
                raise Wrong("system: text content blocks must be non-empty")

    def _messages(self, messages: Any, *, thinking: bool) -> bool:
        """True when calls or results are among them."""
        if not isinstance(messages, list) or not messages:
            raise Wrong("messages: at least one message is required")
        open_calls: list[str] = []
        seen: set[str] = set()
        before = ""
        for at, given in enumerate(messages):
            message = as_mapping(given, f"messages.{at}: Input should be an object")
            only(message, {"role", "content"}, f"messages.{at}.", _EXTRA)
            role = message.get("role")
            if role not in ("user", "assistant"):
                raise Wrong(f'messages: Unexpected role "{role}". The Messages API accepts a top-level `system` parameter, '
                            'not "system" as an input message role.')  # fmt: skip
            if role == before:
                raise Wrong(f'messages: roles must alternate between "user" and "assistant", but found multiple "{role}" '
                            "roles in a row")  # fmt: skip
            if not before and role != "user":
                raise Wrong('messages: first message must use the "user" role')
            before = role
            blocks = _blocks(at, message.get("content"))
            self._results(at, role, blocks, open_calls)
            open_calls = self._uses(at, role, blocks, seen)
            if thinking and open_calls and blocks[0]["type"] not in ("thinking", "redacted_thinking"):
                raise Wrong(
                    f"messages.{at}.content.0.type: Expected `thinking` or `redacted_thinking`, but found `{blocks[0]['type']}`."
                )
        if open_calls:
            raise Wrong(_unanswered(len(messages) - 1, open_calls))
        _last(messages[-1])
        return bool(seen)

    def _results(self, at: int, role: str, blocks: Sequence[Mapping[str, Any]], open_calls: list[str]) -> None:
        told = [b["tool_use_id"] for b in blocks if b["type"] == "tool_result"]
        if told and role != "user":
            raise Wrong(f"messages.{at}: `tool_result` blocks can only be in `user` messages")
        for number, ident in enumerate(told):
            if ident not in open_calls or told.count(ident) > 1:
                raise Wrong(f"messages.{at}.content.{number}: unexpected `tool_use_id` found in `tool_result` blocks: {ident}. "
                            "Each `tool_result` block must have a corresponding `tool_use` block in the previous message.")  # fmt: skip
        first = [b["type"] for b in blocks][: len(told)]
        if missing := [ident for ident in open_calls if ident not in told]:
            raise Wrong(_unanswered(at - 1, missing))
        if told and set(first) != {"tool_result"}:
            raise Wrong(_unanswered(at - 1, open_calls))

    def _uses(self, at: int, role: str, blocks: Sequence[Mapping[str, Any]], seen: set[str]) -> list[str]:
        found: list[str] = []
        for number, block in enumerate(blocks):
            if block["type"] != "tool_use":
                continue
            where = f"messages.{at}.content.{number}.tool_use"
            if role != "assistant":
                raise Wrong(f"messages.{at}: `tool_use` blocks can only be in `assistant` messages")
            if not _ID.fullmatch(str(block.get("id"))):
                raise Wrong(f"{where}.id: String should match pattern '^[a-zA-Z0-9_-]+$'")
            if block["id"] in seen:
                raise Wrong("messages: `tool_use` ids must be unique")
            if not isinstance(block.get("input"), dict):
                raise Wrong(f"{where}.input: Input should be a valid dictionary")
            if not _NAME.fullmatch(str(block.get("name"))):
                raise Wrong(f"{where}.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'")
            seen.add(block["id"])
            found.append(block["id"])
        return found

    def _tools(self, body: Mapping[str, Any], used: bool) -> None:
        if "tools" not in body:
            if used:
                raise Wrong("Requests which include `tool_use` or `tool_result` blocks must define tools")
            if "tool_choice" in body:
                raise Wrong("tool_choice: may only be specified while providing tools")
            return
        if used and not body["tools"]:
            raise Wrong("Requests which include `tool_use` or `tool_result` blocks must define tools")
        for at, tool in enumerate(body["tools"]):
            only(
                tool,
                {"type", "name", "description", "input_schema", "cache_control", "strict"},
                f"tools.{at}.custom.",
                _EXTRA,
            )
            if not _NAME.fullmatch(str(tool.get("name"))):
                raise Wrong(f"tools.{at}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'")
            if (
                as_mapping(tool.get("input_schema"), f"tools.{at}.custom.input_schema: Field required").get("type")
                != "object"
            ):
                raise Wrong(f"tools.{at}.custom.input_schema.type: Input should be 'object'")
            if set(tool["input_schema"]) & {"oneOf", "allOf", "anyOf"}:
                raise Wrong(
                    f"tools.{at}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level"
                )
        if (choice := body.get("tool_choice")) is not None:
            only(choice, {"type", "name", "disable_parallel_tool_use"}, "tool_choice.", _EXTRA)
            if choice.get("type") not in ("auto", "any", "tool", "none"):
                raise Wrong("tool_choice.type: Input should be 'auto', 'any', 'tool' or 'none'")

    # --- what it says ----------------------------------------------------------------------------------------------

    def stream(self, reply: Reply) -> Stream:
        body: list[bytes] = []
        for index, part in enumerate(reply.parts):
            start, deltas = self._block(part)
            body.append(_named("content_block_start", index=index, content_block=start))
            if index == 0:
                body.append(_named("ping"))
            body += [_named("content_block_delta", index=index, delta=delta) for delta in deltas]
            body.append(_named("content_block_stop", index=index))
        told = _ended(_FINISH[reply.finish], {"output_tokens": reply.usage[1]})
        usage = {"input_tokens": reply.usage[0], "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
                 "output_tokens": 1}  # fmt: skip
        return Stream((_started(usage),), tuple(body), (told,), (_named("message_stop"),))

    def _block(self, part: Text | Thought | Call) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        match part:
            case Text(chunks):
                return {"type": "text", "text": ""}, [{"type": "text_delta", "text": chunk} for chunk in chunks]
            case Thought(chunks):
                deltas = [{"type": "thinking_delta", "thinking": chunk} for chunk in chunks]
                deltas.append({"type": "signature_delta", "signature": "EqQBCkYIARgC"})
                return {"type": "thinking", "thinking": "", "signature": ""}, deltas
            case Call():
                ident = f"toolu_{next(self._ids):024d}" if part.id is None else part.id
                fragments = ("", *part.fragments)
                deltas = [{"type": "input_json_delta", "partial_json": fragment} for fragment in fragments]
                return {"type": "tool_use", "id": ident, "name": part.name, "input": {}}, deltas

    def fault(self, what: StreamFault) -> bytes:
        said = {
            "busy": ("overloaded_error", "Overloaded"),
            "failure": ("api_error", "Internal server error"),
            "overflow": ("invalid_request_error", "prompt is too long: 209275 tokens > 200000 maximum"),
        }
        kind, message = said[what]
        return _named("error", error={"type": kind, "message": message})

    def usage(self, tokens: str) -> bytes:
        told = _ended("end_turn", {"input_tokens": "TOKENS", "output_tokens": "TOKENS"})
        return told.replace(b'"TOKENS"', tokens.encode()) + _named("message_stop")


def _blocks(at: int, content: Any) -> Sequence[Mapping[str, Any]]:
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    if not isinstance(blocks, list) or not blocks:
        raise Wrong(
            f"messages.{at}: all messages must have non-empty content except for the optional final assistant message"
        )
    for number, block in enumerate(blocks):
        kind = block.get("type")
        if kind not in _BLOCKS:
            raise Wrong(
                f"messages.{at}.content.{number}: Input tag '{kind}' found using 'type' does not match any of the expected tags"
            )
        only(block, _BLOCKS[kind], f"messages.{at}.content.{number}.{kind}.", _EXTRA)
        if kind == "text" and not block.get("text"):
            raise Wrong("messages: text content blocks must be non-empty")
        if kind == "text" and not block["text"].strip():
            raise Wrong("messages: text content blocks must contain non-whitespace text")
        if kind == "image":
            _image(f"messages.{at}.content.{number}.image.source", block["source"])
        if kind == "tool_result" and isinstance(block.get("content"), list):
            _blocks(at, block["content"])
    return blocks


def _image(where: str, source: Any) -> None:
    only(source, {"type", "media_type", "data"}, where + ".", _EXTRA)
    if source.get("type") != "base64" or source.get("media_type") not in (
        "image/png",
        "image/jpeg",
        "image/gif",
        "image/webp",
    ):
        raise Wrong(
            f"{where}.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'"
        )


def _last(message: Mapping[str, Any]) -> None:
    if message["role"] == "assistant":
        raise Wrong(
            "This model does not support assistant message prefill. The conversation must end with a user message."
        )


def _unanswered(at: int, idents: Sequence[str]) -> str:
    return (
        f"messages.{at}: `tool_use` ids were found without `tool_result` blocks immediately after: {', '.join(idents)}. "
        "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
    )


def _thinks(body: Mapping[str, Any]) -> bool:
    return (body.get("thinking") or {}).get("type") == "enabled"


def _named(kind: str, **data: Any) -> bytes:
    return event({"type": kind, **data}, kind)


def _started(usage: Mapping[str, Any]) -> bytes:
    return _named("message_start", message={
        "id": "msg_01", "type": "message", "role": "assistant", "model": "m-1", "content": [], "stop_reason": None,
        "stop_sequence": None, "usage": usage,
    })  # fmt: skip


def _ended(reason: str, usage: Mapping[str, Any]) -> bytes:
    return _named("message_delta", delta={"stop_reason": reason, "stop_sequence": None}, usage=usage)


def _error(message: str, kind: str = "invalid_request_error") -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_011"}
