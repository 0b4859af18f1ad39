"""The operator's escape hatch: another agent answers, where no model of ours is to drive the loop, or none can.

It asks by the read tool `ask_agent` and tells what comes back sentence by sentence, each with its source in words, so
that the verifier judges it as what it is: another's word. Without an answer of the agent's, `otherwise` is asked.
It knows no address, and shows the agent nothing but the question.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator
from dataclasses import replace

from sayso.core.evidence import Numbered
from sayso.core.facts import SECOND_HAND
from sayso.core.messages import CallStatus, Message, Role, ToolCall
from sayso.core.ports import FinishReason, Model, ModelEvent, ModelRequest, NativeCall, Notice, ReplyEnd, TextChunk
from sayso.core.rendering import escape
from sayso.core.tools import ToolKind

_TOOL = "ask_agent"
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|\n+")
_MARK = re.compile(r"^(?:[-*•#>]+|\d{1,3}[.)])\s+")
_MOST = 60  # sentences that are told; the fact holds the rest
_WORDS = {
    "en": ("According to {agent}", "(There is more; its record holds all of it.)", "The agent gave no answer."),
    "de": ("Laut {agent}", "(Es geht weiter; der Eintrag enthält alles.)", "Der Agent gab keine Antwort."),
}


class SecondHand:
    """Another agent as a model. `otherwise` answers where it cannot be asked or gives nothing."""

    name = "agent"
    sees = False

    def __init__(self, otherwise: Model) -> None:
        self._otherwise = otherwise

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent]:
        own = [m for m in request.messages if m.exchange_id == request.messages[-1].exchange_id]
        asked = [call for message in own for call in message.calls if call.name == _TOOL]
        if not asked and _may_be_asked(request):
            question = next((m.text for m in own if m.role is Role.USER), "")
            yield NativeCall("agent_1", _TOOL, json.dumps({"question": question}, ensure_ascii=False))
            yield ReplyEnd(FinishReason.TOOL_CALLS)
            return
        if told := [n for message in own for n in _answers(message, asked)]:
            yield TextChunk(_told(told[0], request.locale))
            yield ReplyEnd(FinishReason.STOP)
            return
        yield Notice(_words(request.locale)[2] if asked else "", model=self._otherwise.name)
        source = self._otherwise.stream(_as_if_not_asked(request, asked))
        try:
            async for event in source:
                yield event
        finally:
            if isinstance(source, AsyncGenerator):
                await source.aclose()

    async def aclose(self) -> None:
        close = getattr(self._otherwise, "aclose", None)
        if close is not None:
            await close()


def _may_be_asked(request: ModelRequest) -> bool:
    return request.tools_open and any(t.name == _TOOL and t.kind is ToolKind.READ for t in request.tools)


def _answers(message: Message, asked: list[ToolCall]) -> list[Numbered]:
    ids = {call.id for call in asked}
    results = [r for r in message.results if r.call_id in ids and r.status is CallStatus.SUCCESS]
    return [n for result in results for n in result.facts if n.fact.kind.name == SECOND_HAND.name]


def _told(numbered: Numbered, locale: str) -> str:
    """The agent's words, each sentence with who says so and its ref; nothing in them can be read as structure."""
    says, more, _ = _words(locale)
    whole = str(numbered.fact.values["answer"])
    parts = [_MARK.sub("", part.strip()) for part in _SENTENCE.split(whole)]
    sentences = [escape(part) for part in parts if any(c.isalnum() for c in part)]
    source = says.format(agent=escape(str(numbered.fact.values["agent"])))
    lines = [f"{source}: {sentence} [{numbered.ref}]" for sentence in sentences[:_MOST]]
    if len(lines) > 1:
        lines = [f"- {line}" for line in lines]
    return "\n".join([*lines, more] if len(sentences) > _MOST else lines)


def _as_if_not_asked(request: ModelRequest, asked: list[ToolCall]) -> ModelRequest:
    """The request without the question to the agent and what came of it."""
    ids = {call.id for call in asked}
    kept = [
        m for m in request.messages
        if not ids.intersection(call.id for call in m.calls) and not ids.intersection(r.call_id for r in m.results)
    ]  # fmt: skip
    return replace(request, messages=tuple(kept))


def _words(locale: str) -> tuple[str, str, str]:
    return _WORDS["de" if locale.startswith("de") else "en"]
