"""OpenAI's Responses.

Rules of its own: the system text is `instructions`; calls and results are items beside the messages; nothing is
stored at the provider. Reasoning items are not sent back: they are only a must beside calls that carry the
provider's own item ids, and ours carry none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sayso.core.messages import Usage
from sayso.core.ports import FinishReason
from sayso.core.protocols.history import ChatMessage
from sayso.core.tools import Tool
from sayso.models.wires.reading import Call, Reader, Reported, as_list, as_object, as_text, count
from sayso.models.wires.turns import joined, short_id, words
from sayso.models.wires.wire import THINKING_ROOM, Asking, Written, WrittenTools, data_url, dumps

_REASONS = re.compile(r"(gpt-[5-9]|o[134])(?!.*chat)")
_SMALLEST_LIMIT = 16  # tokens; the protocol refuses less
_THOUGHTS = ("response.reasoning_text.delta", "response.reasoning_summary_text.delta")
_SAID = ("response.output_text.delta", "response.refusal.delta")


class ResponsesWire:
    """The Responses protocol for one model."""

    optional: Mapping[str, str] = {
        "reasoning.effort": "reasoning",
        "reasoning": "reasoning",
        "temperature": "temperature",
        "store": "store",
        "max_output_tokens": "max_output_tokens",
    }

    def __init__(self, model: str) -> None:
        self._model = model
        self._written = Written(_items)
        self._tools = WrittenTools(_tool)
        self._reasons = _REASONS.match(model) is not None

    def path(self) -> str:
        return "/responses"

    def headers(self, key: str) -> Mapping[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    def body(self, asking: Asking) -> bytes:
        tools = b""
        if asking.keeps_tools:
            choice = b"" if asking.tools_open else b',"tool_choice":"none"'
            tools = b',"tools":' + self._tools(asking.tools) + choice
        items = b",".join(filter(None, map(self._written, joined(asking.chat[1:]))))
        head = dumps(self._fields(asking))
        return head[:-1] + b',"input":[' + items + b"]" + tools + b"}"

    def reader(self) -> Reader:
        return ResponsesReader()

    def _fields(self, asking: Asking) -> dict[str, Any]:
        tokens = max(asking.max_tokens, _SMALLEST_LIMIT)
        fields: dict[str, Any] = {"model": self._model, "stream": True, "store": False}
        if asking.system.strip():
            fields["instructions"] = asking.system
        if self._reasons:
            fields |= {"reasoning": {"effort": "low"}, "max_output_tokens": tokens + THINKING_ROOM}
        else:
            fields |= {"temperature": 0, "max_output_tokens": tokens}
        return {key: value for key, value in fields.items() if key not in asking.without}


def _tool(tool: Tool) -> Any:
    return {"type": "function", "name": tool.name, "description": tool.description,
            "parameters": dict(tool.schema), "strict": False}  # fmt: skip


def _items(message: ChatMessage) -> bytes:
    """The items of one message, without the brackets of their list."""
    if message.call_id:
        output = {"type": "function_call_output", "call_id": short_id(message.call_id), "output": words(message)}
        return dumps(output)
    items: list[Any] = []
    if message.role == "assistant":
        if message.text.strip():
            items.append({"role": "assistant", "content": [{"type": "output_text", "text": message.text}]})
    else:
        items.append({"role": "user", "content": _user(message)})
    items += [
        {"type": "function_call", "call_id": short_id(c.id), "name": c.name, "arguments": c.arguments}
        for c in message.calls
    ]
    return dumps(items)[1:-1]


def _user(message: ChatMessage) -> list[Any]:
    images = [{"type": "input_image", "image_url": data_url(image)} for image in message.images]
    if images and not message.text.strip():
        return images
    return [{"type": "input_text", "text": words(message)}, *images]


class ResponsesReader(Reader):
    """The events of a response: items that are added, grow and are done."""

    def __init__(self) -> None:
        super().__init__()
        self._by_item: dict[str, Call] = {}
        self._spoken = False

    def take(self, event: dict[str, Any]) -> None:
        kind = as_text(event.get("type"))
        if kind == "error" or (not kind and event.get("error")):
            raise Reported(event.get("error") or event)
        response = event if event.get("object") == "response" else as_object(event.get("response"))
        if not kind.startswith("response.") and response is None:
            return
        self.seen += 1
        if kind in _SAID:
            self._spoken = True
            self.say(event.get("delta"))
        elif kind in _THOUGHTS:
            self.think(event.get("delta"))
        elif kind == "response.function_call_arguments.delta":
            self._call(event).add(event.get("delta"))
        elif kind in ("response.output_item.added", "response.output_item.done"):
            self._item(event, as_object(event.get("item")) or {})
        elif response is not None and as_text(response.get("status")) not in ("", "queued", "in_progress"):
            self._end(response)

    def _call(self, event: dict[str, Any]) -> Call:
        """The call that an event is about: by its place, or by its item where no place is given."""
        place = event.get("output_index")
        key = str(place) if place is not None else as_text(event.get("item_id"))
        if (call := self._by_item.get(key)) is None:
            call = self._by_item[key] = Call()
            self.calls.append(call)
        return call

    def _item(self, event: dict[str, Any], item: dict[str, Any]) -> None:
        if item.get("type") != "function_call":
            return
        call = self._call(event if event.get("output_index") is not None else {"item_id": item.get("id")})
        call.id = as_text(item.get("call_id")) or call.id
        call.name = as_text(item.get("name")) or call.name
        if event.get("type") == "response.output_item.done" and as_text(item.get("arguments")):
            call.replace(item["arguments"])  # whole: what came in pieces is the same

    def _end(self, response: dict[str, Any]) -> None:
        """The whole response: what was not streamed stands here too."""
        self.done = True
        if response.get("error") or response.get("status") == "failed":
            raise Reported(response.get("error") or {"message": "the response failed"})
        usage = as_object(response.get("usage")) or {}
        self.usage = Usage(count(usage.get("input_tokens")), count(usage.get("output_tokens")))
        streamed = bool(self.calls)
        for place, item in enumerate(map(as_object, as_list(response.get("output")))):
            if item is None:
                continue
            if item.get("type") == "message" and not self._spoken:
                for part in filter(None, map(as_object, as_list(item.get("content")))):
                    self.say(part.get("text") or part.get("refusal"))
            elif not streamed:
                self._item({"type": "response.output_item.done", "output_index": place}, item)
        self.reason = _reason(response)


def _reason(response: dict[str, Any]) -> FinishReason | None:
    status = response.get("status")
    if status == "completed":
        return FinishReason.STOP
    if status != "incomplete":
        return None
    why = as_text((as_object(response.get("incomplete_details")) or {}).get("reason"))
    return FinishReason.CONTENT_FILTER if why == "content_filter" else FinishReason.LENGTH
