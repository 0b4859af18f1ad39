"""OpenAI's chat completions: hosted providers, Ollama, LM Studio, llama.cpp, vLLM.

Rules of its own: neighbouring messages of one role are joined, a user comes first, an answer after results, and call
ids are nine letters and digits, since the templates of some families take nothing else; a server that numbers each
parallel call 0, or none, is understood.
Reasoning is not sent back: a provider that would insist on it is told not to reason (`Profile.extras`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from sayso.core.messages import Usage
from sayso.core.ports import FinishReason
from sayso.core.protocols.history import ChatMessage
from sayso.core.tools import Tool
from sayso.models.profiles import Profile
from sayso.models.wires.reading import FINISH, Call, Reader, Reported, as_list, as_object, as_text, count
from sayso.models.wires.turns import joined, mended, short_id
from sayso.models.wires.wire import THINKING_ROOM, Asking, Written, WrittenTools, data_url, dumps

_FOLDED = "system role"
_OPTIONAL: Mapping[str, str] = {
    "reasoning_effort": "reasoning_effort",
    "reasoning effort": "reasoning_effort",
    "max_completion_tokens": "max_completion_tokens",
    "max_tokens": "max_tokens",
    "temperature": "temperature",
    "stream_options": "stream_options",
    "thinking": "thinking",
    "system role": _FOLDED,
    "system message": _FOLDED,
}
_REASONS = re.compile(r"(gpt-[5-9]|o[134])(?!.*chat)")


class ChatWire:
    """Chat completions for one model, as its provider's profile wants them."""

    optional: Mapping[str, str] = _OPTIONAL

    def __init__(self, model: str, profile: Profile) -> None:
        self._model, self._profile = model, profile
        self._written = Written(write_message)
        self._tools = WrittenTools(_tool)
        self._reasons = profile.reasons and _REASONS.match(model) is not None

    def path(self) -> str:
        return "/chat/completions"

    def headers(self, key: str) -> Mapping[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    def body(self, asking: Asking) -> bytes:
        tools = b""
        if asking.keeps_tools and (asking.tools_open or self._profile.forbids):
            choice = b"" if asking.tools_open else b',"tool_choice":"none"'
            tools = b',"tools":' + self._tools(asking.tools) + choice
        messages = mended(joined(_folded(asking.chat) if _FOLDED in asking.without else asking.chat))
        head = _head(self._model, asking.max_tokens, self._profile, self._reasons, asking.without)
        return head + b',"messages":[' + b",".join(map(self._written, messages)) + b"]" + tools + b"}"

    def reader(self) -> Reader:
        return ChatReader()


@lru_cache(maxsize=64)
def _head(model: str, tokens: int, profile: Profile, reasons: bool, without: frozenset[str]) -> bytes:
    """The request's fields before its messages, without those that the server refused."""
    limit = profile.limit_field
    if limit in without:
        limit = "max_tokens" if limit == "max_completion_tokens" else "max_completion_tokens"
    fields: dict[str, Any] = {"model": model, "stream": True, "temperature": 0}
    fields |= {"stream_options": {"include_usage": True}, limit: tokens, **json.loads(profile.extras)}
    if reasons:  # their limit counts what they think, and they take no temperature
        fields |= {limit: tokens + THINKING_ROOM, "reasoning_effort": "low"}
        del fields["temperature"]
    return dumps({key: value for key, value in fields.items() if key not in without})[:-1]


def _folded(chat: tuple[ChatMessage, ...]) -> tuple[ChatMessage, ...]:
    """The system text at the head of the first message, for templates that know no such role."""
    system, *rest = chat
    return (ChatMessage("user", system.text, cache_key=system.cache_key + ":folded"), *rest)


def _tool(tool: Tool) -> Any:
    function = {"name": tool.name, "description": tool.description, "parameters": dict(tool.schema)}
    return {"type": "function", "function": function}


def write_message(message: ChatMessage) -> bytes:
    """One chat message as JSON."""
    value: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.images:
        images = [{"type": "image_url", "image_url": {"url": data_url(image)}} for image in message.images]
        text = [{"type": "text", "text": message.text}] if message.text.strip() else []
        value["content"] = [*text, *images]
    if message.calls:
        value["content"] = message.text or None
        value["tool_calls"] = [
            {"id": short_id(c.id), "type": "function", "function": {"name": c.name, "arguments": c.arguments}}
            for c in message.calls
        ]
    if message.call_id:
        value["tool_call_id"] = short_id(message.call_id)
    return dumps(value)


class ChatReader(Reader):
    """The chunks of a chat completion."""

    def __init__(self) -> None:
        super().__init__()
        self._by_index: dict[Any, Call] = {}
        self._said_reason = ""

    def take(self, event: dict[str, Any]) -> None:
        if event.get("error") or event.get("object") == "error":
            raise Reported(event.get("error") or event)
        if "choices" in event or "usage" in event:
            self.seen += 1
        if (usage := as_object(event.get("usage"))) is not None:
            self.usage = Usage(count(usage.get("prompt_tokens")), count(usage.get("completion_tokens")))
        choices = as_list(event.get("choices"))
        choice = as_object(choices[0]) if choices else None
        if choice is None:
            return
        self._said_reason = as_text(choice.get("finish_reason")) or self._said_reason
        if delta := as_object(choice.get("delta") or choice.get("message")):
            self._delta(delta)

    def whole(self) -> FinishReason | None:
        if not self._said_reason or self._said_reason == "error":
            return None
        # A reason that we do not know is one where the end marker says so too.
        return FINISH.get(self._said_reason.lower(), FinishReason.STOP if self.done else None)

    def _delta(self, delta: dict[str, Any]) -> None:
        self.think(delta.get("reasoning_content") or delta.get("reasoning"))
        content = delta.get("content") or delta.get("refusal")
        if isinstance(content, list):
            self._parts(as_list(delta["content"]))
        else:
            self.say(content)
        for call in as_list(delta.get("tool_calls")):
            if (one := as_object(call)) is not None:
                self._call(one)
        if (legacy := as_object(delta.get("function_call"))) is not None:
            self._call({"index": "legacy", "function": legacy})

    def _parts(self, parts: list[Any]) -> None:
        for part in filter(None, map(as_object, parts)):
            if part.get("type") == "thinking":
                thoughts = [as_object(t) or {} for t in as_list(part.get("thinking"))]
                self.think("".join(as_text(t.get("text")) for t in thoughts) or part.get("thinking"))
            else:
                self.say(part.get("text"))

    def _call(self, delta: dict[str, Any]) -> None:
        function = as_object(delta.get("function")) or {}
        name, ident, index = as_text(function.get("name")), as_text(delta.get("id")), delta.get("index")
        index = index if isinstance(index, int | str) else None
        call = self._by_index.get(index) if index is not None else (self.calls[-1] if self.calls else None)
        # Servers that number every parallel call 0, or none at all, start a new one by id or name.
        if call is None or _is_another(call, index, ident, name):
            call = Call()
            self.calls.append(call)
            if index is not None:
                self._by_index[index] = call
        call.id = call.id or ident
        call.name = call.name or name
        call.add(function.get("arguments"))


def _is_another(call: Call, index: int | str | None, ident: str, name: str) -> bool:
    if ident and call.id and ident != call.id:
        return True
    return bool(name and call.name) and (name != call.name or (index is None and not ident))
