"""A GGUF file as a model: the line protocol, held by a grammar made from the tools on offer.

Every call that it gives is valid: the grammar sees to names, arguments and types, and a call that a
tool's own check would still refuse is asked for once more, then not at all.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any

from sayso.core.deadline import Deadline
from sayso.core.messages import FactsPart, Role, Usage
from sayso.core.ports import FinishReason, ModelEvent, ModelRequest, Notice, ReplyEnd, TextChunk
from sayso.core.protocols.grammar import Look, call_grammar
from sayso.core.protocols.history import ChatMessage, text_chat
from sayso.core.protocols.reading import read_text
from sayso.core.runner import parse_arguments
from sayso.core.tools import Tool, ToolKind
from sayso.errors import ContextOverflow, ImageRefused, ModelError, ModelTimeout
from sayso.models.local.engine import Chunk, Engine, fault, part

_ROOM = 256  # tokens that must be left for the reply
_CALL = "TOOL: "
_AGAIN: Mapping[str, Any] = {"temperature": 0.7, "seed": 1}
# A text whose last words stand five times in its end goes round in circles, as very small models do.
_WORDS, _TIMES, _WITHIN = 32, 5, 1_200


@dataclass(slots=True)
class _Reply:
    """One generation as it comes in."""

    held: bool
    text: str = ""
    end: FinishReason | None = None
    usage: Usage = field(default_factory=Usage)
    stuck: bool = False
    _told: int = 0

    @property
    def calls(self) -> bool:
        return self.held and self.text.startswith(_CALL)

    def take(self, chunk: Chunk) -> str:
        """The text that may be told now. What begins as a call is kept back: it is judged whole."""
        if progress := part(chunk, "prompt_progress"):
            self.usage = Usage(progress.get("total", 0), 0)
        for choice in chunk.get("choices", ()):
            self._say(part(choice, "delta").get("content") or "")
            if reason := choice.get("finish_reason"):
                self.end = FinishReason.LENGTH if reason == "length" else FinishReason.STOP
        if used := part(chunk, "usage"):
            self.usage = Usage(used.get("prompt_tokens", 0), used.get("completion_tokens", 0))
        if self.calls or (self.held and self.end is None and _CALL.startswith(self.text)):
            return ""
        fresh, self._told = self.text[self._told :], len(self.text)
        return fresh

    def _say(self, text: str) -> None:
        """Counts as well, for a reply that is cut before the engine tells what it used."""
        if text:
            self.text += text
            self.usage += Usage(0, 1)
            if self._in_circles():
                self.stuck, self.end = True, FinishReason.LENGTH

    def _in_circles(self) -> bool:
        return len(self.text) > _WITHIN and self.text.count(self.text[-_WORDS:], len(self.text) - _WITHIN) >= _TIMES


class LocalModel:
    """`held`: by the grammar (else it writes what it likes, for comparison). `looks_up_first`: a question
    without records is answered with one call, since very small models look nothing up by themselves. `longest`:
    tokens of a reply at most."""

    native_tools = False
    sees = False

    def __init__(
        self, name: str, engine: Engine, *, size: str = "", held: bool = True, looks_up_first: bool = False,
        longest: int = 4_096,
    ) -> None:  # fmt: skip
        self.name = name
        self.held = held
        self.looks_up_first = looks_up_first
        self._engine = engine
        self._size = size
        self._longest = longest
        self._made: tuple[tuple[Tool, ...], Look, str] = ((), Look.CLOSED, "")

    def __repr__(self) -> str:
        return f"LocalModel({self.name!r}, {str(self._engine.path)!r})"

    @property
    def context_limit(self) -> int:
        """Tokens that it reads and writes together."""
        return self._engine.context

    async def aclose(self) -> None:
        await self._engine.aclose()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """Raises ModelError before the first text; a reply that breaks later ends without ReplyEnd."""
        if any(message.images for message in text_chat(request)):
            raise ImageRefused(f"{self.name} reads no images: choose a model that does (`sayso models`)")
        deadline, told = Deadline(request.seconds_left), False
        try:
            if not self._engine.is_loaded:
                yield Notice(f"loading {self.name}{self._size} ...", model=self.name)
                await deadline.keep(self._engine.load())
            async for event in self._answer(request, deadline):
                told = True
                yield event
        except TimeoutError as wrong:
            if not told:
                advice = "ask less at once, or use a smaller file"
                raise ModelTimeout(f"{self.name} did not begin to answer in time: {advice}") from wrong
        finally:
            deadline.close()

    async def _answer(self, request: ModelRequest, deadline: Deadline) -> AsyncGenerator[ModelEvent, None]:
        """Prose as it comes. Calls when they are whole and valid; else once more; else an answer without calls."""
        usage, reply = Usage(), _Reply(self.held)
        for body in self._bodies(request):
            reply = _Reply(self.held)
            async for event in self._generated(body, reply, deadline):
                yield event
            usage += reply.usage
            if not reply.calls or reply.end is not FinishReason.STOP or all_valid(reply.text, request.tools):
                break
        if reply.calls:
            yield TextChunk(reply.text)
        if reply.end is not None:
            yield ReplyEnd(reply.end, usage)

    def _bodies(self, request: ModelRequest) -> Iterator[Mapping[str, Any]]:
        """What is asked, one after the other, until a reply will do."""
        if not self.held or not request.tools:
            yield self._body(request)
            return
        look, tools = self._look(request)
        if look is not Look.CLOSED:
            held = {**self._body(request, look), "grammar": self._grammar(tools, look)}
            yield held
            yield {**held, **_AGAIN}
        yield {**self._body(request), "grammar": self._grammar(request.tools, Look.CLOSED)}

    async def _generated(
        self, body: Mapping[str, Any], reply: _Reply, deadline: Deadline
    ) -> AsyncGenerator[ModelEvent, None]:
        async with aclosing(self._engine.chat(body)) as chunks:
            while (chunk := await deadline.keep(anext(chunks, None))) is not None:
                if wrong := fault(chunk):
                    if reply.text:  # it may have been told: the reply is cut
                        return
                    raise self._error(wrong)
                self._check_room(chunk)
                if fresh := reply.take(chunk):
                    yield TextChunk(fresh)
                if reply.stuck:
                    return

    def _look(self, request: ModelRequest) -> tuple[Look, tuple[Tool, ...]]:
        """What the reply may be, and the tools that it may call."""
        if not request.tools_open or not request.tools:
            return Look.CLOSED, request.tools
        last = request.messages[-1]
        asks = last.role is Role.USER and not any(isinstance(part, FactsPart) for part in last.parts)
        if not (self.looks_up_first and asks):
            return Look.OPEN, request.tools
        return Look.FIRST, tuple(tool for tool in request.tools if _meant(tool, last.text)) or request.tools

    def _grammar(self, tools: tuple[Tool, ...], look: Look) -> str:
        if self._made[0] != tools or self._made[1] is not look:
            self._made = tools, look, call_grammar(tools, look)
        return self._made[2]

    def _body(self, request: ModelRequest, look: Look = Look.OPEN) -> dict[str, Any]:
        if look is Look.FIRST:  # rules of answering are of no use yet, and confuse very small models
            request = replace(request, system="")
        return {
            "messages": [{"role": m.role, "content": m.text.strip()} for m in merged(text_chat(request))],
            "stream": True, "stream_options": {"include_usage": True}, "return_progress": True,
            "max_tokens": min(request.max_output_tokens, self._longest), "temperature": 0, "cache_prompt": True,
            # Thoughts are no prose of the grammar, and what the file's template puts before the reply is none of ours.
            "reasoning_format": "none", "chat_template_kwargs": {"enable_thinking": False},
        }  # fmt: skip

    def _check_room(self, chunk: Chunk) -> None:
        """Once the prompt is counted: what is left must hold a reply."""
        tokens: int = part(chunk, "prompt_progress").get("total", 0)
        if tokens > self._engine.context - min(_ROOM, self._engine.context // 4):
            raise self._overflow(tokens)

    def _error(self, wrong: Mapping[str, Any]) -> ModelError:
        if wrong.get("type") == "exceed_context_size_error":
            return self._overflow(wrong.get("n_prompt_tokens", 0))
        return ModelError(f"{self.name} failed: {str(wrong.get('message', 'no reason was given'))[:200]}; ask again")

    def _overflow(self, tokens: int) -> ContextOverflow:
        limit = self._engine.context
        told = f"the conversation has {tokens} tokens and {self.name} reads {limit}, its reply included"
        return ContextOverflow(f"{told}: start a new one", limit, tokens or None)


def merged(chat: Sequence[ChatMessage]) -> list[ChatMessage]:
    """One message for several of the same role in a row: many templates insist that roles take turns."""
    out: list[ChatMessage] = []
    for message in chat:
        if out and out[-1].role == message.role:
            last = out[-1]
            out[-1] = last._replace(text=f"{last.text}\n\n{message.text}", images=last.images + message.images)
        else:
            out.append(message)
    return out


def all_valid(text: str, tools: Sequence[Tool]) -> bool:
    """Whether each call of a reply passes its tool's own check."""
    by_name = {tool.name: tool for tool in tools}
    calls = read_text(text, by_name).calls
    return bool(calls) and all(
        call.name in by_name and parse_arguments(by_name[call.name], call.arguments) is not None for call in calls
    )


def _meant(tool: Tool, question: str) -> bool:
    """A read always; a proposal only where the question has one of the words by which people ask for it."""
    low = question.lower()
    return tool.kind is ToolKind.READ or any(word in low for word in tool.words)
