"""A thread of 1,000 messages with 40 facts and a model that reads 6,000 tokens: what is sent stays whole, what is left
out is told. Over a real server that counts and refuses, and a SQLite store. FIELD-NOTES F by number, FAULTS M17.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from sayso import config
from sayso.core.events import Answer, Finish, Status, UsageReport
from sayso.core.evidence import Numbered
from sayso.core.messages import (
    CallPart,
    CallStatus,
    Message,
    Outcome,
    ResultPart,
    Role,
    StopReason,
    TextPart,
    ToolCall,
    ToolResult,
)
from sayso.core.progress import Limits
from sayso.inapp.assistant import Assistant
from sayso.inapp.surroundings import LOCAL_USER
from sayso.inapp.wiring import assemble
from sayso.models.order import build_order
from sayso.models.quote import Quote
from sayso.workspace.kinds import PERSON
from sayso.workspace.workspace import Workspace

pytestmark = pytest.mark.anyio
ROOM = 6_000
EXCHANGES, FACTS = 480, 40
WORD = re.compile(r"\w+|[^\w\s]")
TOO_LONG = (
    "This model's maximum context length is {limit} tokens. However, your messages resulted in {tokens} tokens. "
    "Please reduce the length of the messages."
)


def tokens_of(body: Any) -> int:
    """A simple count: a word of up to six letters and a sign are one each, a message costs four more."""
    texts = [message["content"] or "" for message in body["messages"]]
    texts += [json.dumps(message["tool_calls"]) for message in body["messages"] if "tool_calls" in message]
    texts += [json.dumps(tool) for tool in body.get("tools", ())]
    return 4 * len(body["messages"]) + sum(-(-len(word) // 6) for text in texts for word in WORD.findall(text))


@dataclass
class SmallServer:
    """Speaks chat completions: looks Elena up, then answers; refuses what is too large or not well formed."""

    url: str = ""
    natively: bool = True
    bodies: list[Any] = field(default_factory=list[Any])
    refused: list[int] = field(default_factory=list[int])

    async def answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        tokens = tokens_of(body)
        if not self.natively and "tools" in body:
            return _error("this model does not support tools")
        if tokens + body["max_tokens"] > ROOM:
            self.refused.append(tokens)
            return _error(TOO_LONG.format(limit=ROOM, tokens=tokens + body["max_tokens"]), "context_length_exceeded")
        if (wrong := _not_paired(body["messages"])) is not None:
            return _error(wrong)
        self.bodies.append(body)
        last = body["messages"][-1]
        found = re.search(r"\[(F\d+)\] person: Elena Weber", last["content"])
        if not found or not (last["role"] == "tool" or last["content"].startswith("Result of")):
            return await self._call(request, tokens)
        said = {"content": f"Elena Weber works at SINGA Switzerland [{found.group(1)}]."}
        return await _stream(request, said, "stop", tokens)

    async def _call(self, request: web.Request, tokens: int) -> web.StreamResponse:
        if not self.natively:
            text = 'TOOL: search_people\nARGS: {"query": "Elena Weber"}'
            return await _stream(request, {"content": text}, "stop", tokens)
        function = {"name": "search_people", "arguments": '{"query": "Elena Weber"}'}
        delta = {"tool_calls": [{"index": 0, "id": "c1", "type": "function", "function": function}]}
        return await _stream(request, delta, "tool_calls", tokens)


def _error(message: str, code: str = "invalid_request_error") -> web.Response:
    return web.json_response({"error": {"message": message, "type": "invalid_request_error", "code": code}}, status=400)


def _not_paired(messages: list[Any]) -> str | None:
    """What a provider says of a call without its result, or the reverse."""
    waiting: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting:
                return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'"
            waiting.remove(message["tool_call_id"])
        elif waiting:
            return "an assistant message with 'tool_calls' must be followed by tool messages"
        else:
            waiting = [call["id"] for call in message.get("tool_calls", ())]
    return "an assistant message with 'tool_calls' must be followed by tool messages" if waiting else None


async def _stream(request: web.Request, delta: Any, reason: str, tokens: int) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    usage = {"prompt_tokens": tokens, "completion_tokens": 20}
    for chunk in (
        {"choices": [{"delta": delta}]},
        {"choices": [{"delta": {}, "finish_reason": reason}], "usage": usage},
    ):
        await response.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
    await response.write(b"data: [DONE]\n\n")
    return response


@pytest.fixture
async def server() -> AsyncIterator[SmallServer]:
    small = SmallServer()
    app = web.Application(client_max_size=2**24)
    app.router.add_post("/v1/chat/completions", small.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    small.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    yield small
    await runner.cleanup()


def old_messages() -> list[Message]:
    """1,000 messages: 480 exchanges, the last 20 of which looked up two people each."""
    messages: list[Message] = []
    for n in range(EXCHANGES):
        id = f"ex_old_{n}"
        messages.append(Message(f"u{n}", Role.USER, (TextPart(f"Question {n}: how was day {n} at the lake?"),), id))
        if n >= EXCHANGES - FACTS // 2:
            call = ToolCall(f"call_{n}", "search_people", json.dumps({"query": f"Person {n}"}))
            at = 1 + 2 * (n - EXCHANGES + FACTS // 2)
            facts = tuple(_fact(number) for number in (at, at + 1))
            messages.append(Message(f"c{n}", Role.ASSISTANT, (CallPart(call),), id))
            result = ToolResult(call.id, CallStatus.SUCCESS, facts)
            messages.append(Message(f"r{n}", Role.TOOL, (ResultPart(result),), id))
        messages.append(Message(f"a{n}", Role.ASSISTANT, (TextPart(f"Day {n} was fine, with some wind."),), id))
    assert len(messages) == 1000
    return messages


def _fact(number: int) -> Numbered:
    values = {"name": f"Person {number}", "role": "keeper of boats", "notes": "Knows the harbour well. " * 4}
    return Numbered(f"F{number}", PERSON.fact(values, source="people", key=f"old_{number}", as_of=NOW))


NOW = datetime(2026, 11, 1, 9, 0, tzinfo=UTC)


async def ask(assistant: Assistant, thread: str, question: str) -> list[Any]:
    return [event async for event in assistant.ask(question, actor=LOCAL_USER, thread_id=thread)]


def one(events: list[Any], kind: type[Any]) -> Any:
    return next(e for e in events if isinstance(e, kind))


@pytest.fixture
async def assistant_at(workspace: Workspace, tmp_path: Path) -> AsyncIterator[Any]:
    models: list[Any] = []

    async def made(spec: str) -> tuple[Assistant, str]:
        settings = config.load({"home": tmp_path, "time_zone": "Europe/Zurich"}, {}, tmp_path)
        model = build_order(spec, quote=Quote(), environ={})
        models.append(model)
        assistant = assemble(workspace, model, settings, reason="test", limits=Limits())
        thread = await assistant.threads.create("local", "A long one")
        await assistant.threads.append("local", thread.id, *old_messages())
        return assistant, thread.id

    yield made
    for model in models:
        await model.aclose()


@pytest.mark.parametrize("natively", [True, False], ids=["native", "text"])
@pytest.mark.parametrize("known", [True, False], ids=["limit known", "limit learned"])
async def test_m17_f1_a_long_thread_runs_within_6000_tokens_and_tells_what_was_left_out(
    assistant_at: Any, server: SmallServer, natively: bool, known: bool
) -> None:
    server.natively = natively
    assistant, thread = await assistant_at(f"{server.url}#small" + ("#ctx=6000" if known else ""))
    question = "Where does Elena Weber work?"
    events = await ask(assistant, thread, question)
    assert len(server.refused) == (0 if known else 1)
    answer = one(events, Answer)
    assert "Elena Weber works at SINGA Switzerland" in answer.text
    assert (answer.outcome, one(events, Finish).reason) == (Outcome.ANSWERED, StopReason.ANSWERED)
    for body in server.bodies:  # calls and results were checked there, as a provider does
        told = json.dumps(body["messages"], ensure_ascii=False)
        assert question in told
        assert "earlier exchanges of this conversation are not shown here" in told
    left = [a for a in one(events, UsageReport).attempts if a.code == "left_out"]
    kept = len(set(re.findall(r"Question (\d+):", json.dumps(server.bodies[-1]["messages"]))))
    assert left[-1].exchanges == EXCHANGES - kept
    assert tokens_of(server.bodies[-1]) > ROOM / 3  # no more is left out than needs be
    assert left[0].facts > 0
    notices = [e.text for e in events if isinstance(e, Status) and e.text.startswith("To fit what small reads (6,000")]
    assert f"{left[0].facts} records and {left[0].exchanges} earlier exchanges." in notices[0]
    (stored,) = await assistant.threads.exchanges("local", thread)
    assert [a for a in stored.attempts if a.code == "left_out"] == left
    assert stored.model == "small"


async def test_f6_what_was_left_out_is_not_forgotten(assistant_at: Any, server: SmallServer) -> None:
    """The next question goes over the same transcript: nothing was cut from what is stored."""
    assistant, thread = await assistant_at(f"{server.url}#small#ctx=6000")
    await ask(assistant, thread, "Where does Elena Weber work?")
    again = await ask(assistant, thread, "Wo arbeitet Elena Weber?")
    assert len(await assistant.threads.messages("local", thread)) == 1000 + 2 * 4
    assert any(isinstance(e, Status) and e.text.startswith("Damit es für small passt") for e in again)
    assert server.refused == []
