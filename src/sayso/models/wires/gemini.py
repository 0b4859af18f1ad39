"""Gemini's streamGenerateContent.

Rules of its own: roles alternate; a turn of results answers each call of the turn before, by the tool's name, in
order (it has no ids, or repeats them); schemas in its own dialect; in the last step the tools stay with mode NONE.
From its third generation on a call in the history must carry the signature of the thought behind it. Our transcript
does not carry them, so a call is sent with the value that the provider documents for calls from elsewhere; thinking
is asked to be short, or none where a model can do without.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from sayso.core.messages import Usage
from sayso.core.ports import FinishReason
from sayso.core.protocols.history import ChatMessage
from sayso.core.tools import Tool
from sayso.models.wires.reading import Call, Reader, Reported, as_list, as_object, as_text, count
from sayso.models.wires.schemas import gemini_schema
from sayso.models.wires.turns import alternating, words
from sayso.models.wires.wire import THINKING_ROOM, Asking, Written, WrittenTools, as_document, base64_of, dumps

_FINISH: Mapping[str, FinishReason] = {
    "STOP": FinishReason.STOP,
    "MAX_TOKENS": FinishReason.LENGTH,
    **dict.fromkeys(
        ("SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY"),
        FinishReason.CONTENT_FILTER,
    ),
}
_UNREAD = ("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS")
_UNREAD_HEAD = re.compile(r"\A(?:malformed function call|unexpected tool call)[^:]*:\s*", re.IGNORECASE)
_ELSEWHERE = "skip_thought_signature_validator"  # a call that no thought of this model stands behind
_GENERATION = re.compile(r"gemini-(\d+)")
_FOLDED, _SIGNED = "systemInstruction", "thoughtSignature"


class GeminiWire:
    """The generateContent protocol for one model."""

    optional: Mapping[str, str] = {
        "thought_signature": _SIGNED,
        "thought signature": _SIGNED,
        "thinking": "thinkingConfig",
        "developer instruction": _FOLDED,
        "system instruction": _FOLDED,
        "temperature": "temperature",
    }

    def __init__(self, model: str) -> None:
        self._model = model.removeprefix("models/")
        self._written = Written(self._parts)
        self._signed = Written(self._signed_parts)
        self._tools = WrittenTools(_tool)
        self._names: dict[str, str] = {}

    def path(self) -> str:
        return f"/models/{quote(self._model, safe='')}:streamGenerateContent?alt=sse"

    def headers(self, key: str) -> Mapping[str, str]:
        return {"x-goog-api-key": key} if key else {}

    def body(self, asking: Asking) -> bytes:
        self._names = {call.id: call.name for message in asking.chat for call in message.calls}
        system, *rest = asking.chat
        folded = _FOLDED in asking.without
        if folded:
            rest = [ChatMessage("user", system.text), *rest]
        fields: dict[str, Any] = {"generationConfig": self._settings(asking)}
        if system.text.strip() and not folded:
            fields["systemInstruction"] = {"parts": [{"text": system.text}]}
        tools = b""
        if asking.keeps_tools:
            choice = b"" if asking.tools_open else b',"toolConfig":{"functionCallingConfig":{"mode":"NONE"}}'
            tools = b',"tools":[{"functionDeclarations":' + self._tools(asking.tools) + b"}]" + choice
        write = self._signed if self._signs(asking) else self._written
        turns = b",".join(_turn(role, b",".join(map(write, messages))) for role, messages in alternating(rest))
        return dumps(fields)[:-1] + b',"contents":[' + turns + b"]" + tools + b"}"

    def reader(self) -> Reader:
        return GeminiReader()

    def _settings(self, asking: Asking) -> dict[str, Any]:
        """Sampling and limits; those of thinking differ by generation, and the limit counts thoughts."""
        settings: dict[str, Any] = {"temperature": 0, "maxOutputTokens": asking.max_tokens}
        if _generation(self._model) >= 3:
            del settings["temperature"]  # its makers warn of loops at 0
            settings["thinkingConfig"] = {"thinkingLevel": "low"}
        elif "2.5-pro" in self._model:
            settings["thinkingConfig"] = {"thinkingBudget": 1024}  # it cannot do without
        elif "2.5" in self._model:
            return _without(settings | {"thinkingConfig": {"thinkingBudget": 0}}, asking)
        if "thinkingConfig" in settings:
            settings["maxOutputTokens"] += THINKING_ROOM
        return _without(settings, asking)

    def _signs(self, asking: Asking) -> bool:
        return (_generation(self._model) >= 3) is not (_SIGNED in asking.without)

    def _signed_parts(self, message: ChatMessage) -> bytes:
        return self._parts(message, signed=True)

    def _parts(self, message: ChatMessage, signed: bool = False) -> bytes:
        """The parts of one message, without the brackets of their list."""
        if message.call_id:
            name = self._names.get(message.call_id, "unknown")
            return dumps({"functionResponse": {"name": name, "response": {"result": words(message)}}})
        parts: list[Any] = [
            {"inlineData": {"mimeType": image.media_type, "data": base64_of(image)}} for image in message.images
        ]
        if message.text.strip() or not (parts or message.calls):
            parts.insert(0, {"text": words(message)})
        for number, call in enumerate(message.calls):
            part: dict[str, Any] = {"functionCall": {"name": call.name, "args": as_document(call.arguments)}}
            if signed and number == 0:  # of calls side by side only the first carries one
                part["thoughtSignature"] = _ELSEWHERE
            parts.append(part)
        return dumps(parts)[1:-1]


def _generation(model: str) -> int:
    """3 for gemini-3-flash; a name that moves with time means the newest; 0 for other families."""
    found = _GENERATION.search(model)
    if found:
        return int(found[1])
    return 3 if model.startswith("gemini") and model.endswith("latest") else 0


def _without(settings: dict[str, Any], asking: Asking) -> dict[str, Any]:
    return {key: value for key, value in settings.items() if key not in asking.without}


def _turn(role: str, parts: bytes) -> bytes:
    return b'{"role":"' + (b"model" if role == "assistant" else b"user") + b'","parts":[' + parts + b"]}"


def _tool(tool: Tool) -> Any:
    declared: dict[str, Any] = {"name": tool.name, "description": tool.description}
    parameters = gemini_schema(tool.schema)
    return declared | ({"parameters": parameters} if parameters else {})


class GeminiReader(Reader):
    """The chunks of generated content. A call is whole when it comes."""

    def __init__(self) -> None:
        super().__init__()
        self._spoken = False

    def take(self, event: dict[str, Any]) -> None:
        if event.get("error"):
            raise Reported(event["error"])
        if "candidates" in event or "promptFeedback" in event or "usageMetadata" in event:
            self.seen += 1
        if (usage := as_object(event.get("usageMetadata"))) is not None:
            spoken = count(usage.get("candidatesTokenCount")) + count(usage.get("thoughtsTokenCount"))
            self.usage = Usage(count(usage.get("promptTokenCount")), spoken)
        if as_text((as_object(event.get("promptFeedback")) or {}).get("blockReason")):
            self.reason = FinishReason.CONTENT_FILTER
        candidates = as_list(event.get("candidates"))
        if candidates and (candidate := as_object(candidates[0])) is not None:
            self._candidate(candidate)

    def _candidate(self, candidate: dict[str, Any]) -> None:
        content = as_object(candidate.get("content")) or {}
        for part in filter(None, map(as_object, as_list(content.get("parts")))):
            self._part(part)
        reason = as_text(candidate.get("finishReason"))
        if reason in _UNREAD:
            self._unread(as_text(candidate.get("finishMessage")))
        elif reason and reason != "FINISH_REASON_UNSPECIFIED":
            self.reason = _FINISH.get(reason)

    def _part(self, part: dict[str, Any]) -> None:
        if (called := as_object(part.get("functionCall"))) is not None:
            call = Call(as_text(called.get("id")), as_text(called.get("name")))
            call.add(as_object(called.get("args")) or {})
            self.calls.append(call)
        elif part.get("thought"):
            self.think(part.get("text"))
        elif as_text(part.get("text")):
            self._spoken = True
            self.say(part["text"])

    def _unread(self, message: str) -> None:
        """A call that its own server could not read: what the model wrote is read like a reply."""
        wrote = _UNREAD_HEAD.sub("", message)
        if wrote == message:  # a remark of the server, no words of the model
            wrote = ""
        if not wrote and not self._spoken:
            raise Reported({"code": "tool_use_failed", "message": message or "a call could not be read"})
        self.calls.clear()
        self.say(wrote)
        self.reason = FinishReason.STOP
