"""Anthropic's Messages.

Rules of its own: roles alternate and results come first in the user's turn; `max_tokens` is a must; tools stay in
the request while the history holds calls; no blank text. Thinking is never asked for: its signed blocks would have
to be sent back within an exchange, which our transcript does not carry.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sayso.core.messages import Usage
from sayso.core.ports import FinishReason
from sayso.core.protocols.history import ChatMessage
from sayso.core.tools import Tool
from sayso.models.wires.reading import Call, Reader, Reported, as_list, as_object, as_text, count
from sayso.models.wires.turns import alternating, short_id, words
from sayso.models.wires.wire import Asking, Written, WrittenTools, as_document, base64_of, dumps

VERSION = "2023-06-01"
_FINISH: Mapping[str, FinishReason] = {
    "end_turn": FinishReason.STOP,
    "stop_sequence": FinishReason.STOP,
    "pause_turn": FinishReason.STOP,
    "tool_use": FinishReason.TOOL_CALLS,
    "max_tokens": FinishReason.LENGTH,
    "model_context_window_exceeded": FinishReason.LENGTH,
    "refusal": FinishReason.CONTENT_FILTER,
}


class AnthropicWire:
    """The Messages protocol for one model."""

    optional: Mapping[str, str] = {"temperature": "temperature", "cache_control": "cache_control"}

    def __init__(self, model: str) -> None:
        self._model = model
        self._written = Written(_blocks)
        self._tools = WrittenTools(_tool)

    def path(self) -> str:
        return "/messages"

    def headers(self, key: str) -> Mapping[str, str]:
        return {"anthropic-version": VERSION, **({"x-api-key": key} if key else {})}

    def body(self, asking: Asking) -> bytes:
        fields: dict[str, Any] = {"model": self._model, "max_tokens": asking.max_tokens, "stream": True}
        if "temperature" not in asking.without:
            fields["temperature"] = 0
        if asking.system.strip():
            fields["system"] = _system(asking)
        tools = b""
        if asking.keeps_tools:
            choice = b"" if asking.tools_open else b',"tool_choice":{"type":"none"}'
            tools = b',"tools":' + self._tools(asking.tools) + choice
        turns = b",".join(self._turn(role, messages) for role, messages in alternating(asking.chat[1:]))
        return dumps(fields)[:-1] + b',"messages":[' + turns + b"]" + tools + b"}"

    def reader(self) -> Reader:
        return AnthropicReader()

    def _turn(self, role: str, messages: list[ChatMessage]) -> bytes:
        blocks = b",".join(map(self._written, messages))
        return b'{"role":"' + role.encode() + b'","content":[' + blocks + b"]}"


def _system(asking: Asking) -> Any:
    """The system text; what stands before this mark (the tools and it) is kept by the provider from step to step."""
    if "cache_control" in asking.without:
        return asking.system
    return [{"type": "text", "text": asking.system, "cache_control": {"type": "ephemeral"}}]


def _tool(tool: Tool) -> Any:
    return {"name": tool.name, "description": tool.description, "input_schema": dict(tool.schema)}


def _blocks(message: ChatMessage) -> bytes:
    """The content blocks of one message, without the brackets of their list."""
    if message.call_id:
        result = {"type": "tool_result", "tool_use_id": short_id(message.call_id), "content": words(message)}
        return dumps(result)
    blocks: list[Any] = [
        {"type": "image", "source": {"type": "base64", "media_type": i.media_type, "data": base64_of(i)}}
        for i in message.images
    ]
    if message.text.strip() or not (blocks or message.calls):
        blocks.append({"type": "text", "text": words(message)})
    blocks += [
        {"type": "tool_use", "id": short_id(c.id), "name": c.name, "input": as_document(c.arguments)}
        for c in message.calls
    ]
    return dumps(blocks)[1:-1]


class AnthropicReader(Reader):
    """The events of a message: blocks that open, grow and close."""

    def __init__(self) -> None:
        super().__init__()
        self._by_index: dict[Any, Call] = {}

    def take(self, event: dict[str, Any]) -> None:
        kind = event.get("type")
        if kind == "error" or (kind is None and event.get("error")):
            raise Reported(event.get("error") or event)
        message = as_object(event.get("message")) if kind == "message_start" else None
        if kind == "message":
            message = event
        if message is not None:
            self._message(message)
        elif kind == "content_block_start":
            self._start(event.get("index"), as_object(event.get("content_block")) or {})
        elif kind == "content_block_delta":
            self._delta(event.get("index"), as_object(event.get("delta")) or {})
        elif kind == "message_delta":
            self._end(as_object(event.get("delta")) or {}, as_object(event.get("usage")) or {})
        elif kind == "message_stop":
            self.done = True
        else:
            return
        self.seen += 1

    def _message(self, message: dict[str, Any]) -> None:
        for number, block in enumerate(as_list(message.get("content"))):
            self._start(number, as_object(block) or {})
        self._end(message, as_object(message.get("usage")) or {})

    def _start(self, index: Any, block: dict[str, Any]) -> None:
        kind = block.get("type")
        if kind == "tool_use":
            call = Call(as_text(block.get("id")), as_text(block.get("name")))
            if given := as_object(block.get("input")):  # {} here means: it comes in pieces
                call.add(given)
            self.calls.append(call)
            self._by_index[str(index)] = call
        elif kind == "text":
            self.say(block.get("text"))
        elif kind == "thinking":
            self.think(block.get("thinking"))

    def _delta(self, index: Any, delta: dict[str, Any]) -> None:
        kind = delta.get("type")
        if kind == "text_delta":
            self.say(delta.get("text"))
        elif kind == "thinking_delta":
            self.think(delta.get("thinking"))
        elif kind == "input_json_delta" and (call := self._by_index.get(str(index))) is not None:
            call.add(delta.get("partial_json"))

    def _end(self, delta: dict[str, Any], usage: dict[str, Any]) -> None:
        """A message's reason and counts; those of its input come first, those of its output last."""
        if reason := as_text(delta.get("stop_reason")):
            self.reason = _FINISH.get(reason)
        read = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
        given = sum(count(usage.get(name)) for name in read)
        self.usage = Usage(given or self.usage.input_tokens, count(usage.get("output_tokens")))
