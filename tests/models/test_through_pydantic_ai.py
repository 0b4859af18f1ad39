"""Other providers through pydantic-ai, with its own models for tests."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ToolCallPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, DeltaThinkingPart, DeltaToolCall, FunctionModel
from pydantic_ai.models.test import TestModel as Rehearsed

from sayso.core.messages import CallPart, CallStatus, Message, ResultPart, Role, ToolCall, ToolResult
from sayso.core.ports import FinishReason, NativeCall, Notice, ReasoningChunk, ReplyEnd, TextChunk
from sayso.errors import ConfigError, ContextOverflow, ModelBusy, ModelTimeout, QuotaSpent
from sayso.models.choice import build
from sayso.models.scripted import Scripted
from sayso.models.through_pydantic_ai import ThroughPydanticAI, through_pydantic_ai

pytestmark = pytest.mark.anyio
Stream = Callable[[list[Any], AgentInfo], AsyncIterator[Any]]


async def heard(function: Stream, request: Any) -> list[Any]:
    model = ThroughPydanticAI(FunctionModel(stream_function=function))
    return [event async for event in model.stream(request)]


async def test_text_reasoning_and_calls_are_told_apart(request_of: Any) -> None:
    async def function(messages: list[Any], info: AgentInfo) -> AsyncIterator[Any]:
        yield {0: DeltaThinkingPart(content="hm")}
        yield "Hi "
        yield "there"
        yield {2: DeltaToolCall(name="search_people", json_args='{"query"', tool_call_id="a")}
        yield {2: DeltaToolCall(json_args=': "Elena"}')}

    events = await heard(function, request_of())
    assert events[:-1] == [ReasoningChunk("hm"), TextChunk("Hi "), TextChunk("there"),
                           NativeCall("a", "search_people", '{"query": "Elena"}')]  # fmt: skip
    assert events[-1].reason is FinishReason.TOOL_CALLS
    assert events[-1].usage.output_tokens > 0


CALLED = (
    Message("m2", Role.ASSISTANT, (CallPart(ToolCall("call_1", "search_people", "{}")),), "ex_1"),
    Message("m3", Role.TOOL, (ResultPart(ToolResult("call_1", CallStatus.FAILED)),), "ex_1"),
)


async def test_history_tools_and_the_last_step_arrive_as_they_are(request_of: Any) -> None:
    seen: list[Any] = []

    async def function(messages: list[Any], info: AgentInfo) -> AsyncIterator[Any]:
        seen.extend([messages, info])
        yield "Hi"

    asked = request_of()
    await heard(function, request_of(messages=asked.messages + CALLED, tools_open=False))
    (first, called, answered), info = seen
    assert isinstance(first.parts[0], UserPromptPart)
    assert isinstance(called.parts[0], ToolCallPart)
    assert isinstance(answered.parts[0], ToolReturnPart)
    assert called.parts[0].tool_call_id == answered.parts[0].tool_call_id
    assert answered.parts[0].tool_name == "search_people"
    assert info.instructions == "Be brief."
    assert [tool.name for tool in info.function_tools] == ["search_people"]
    assert info.model_settings == {"max_tokens": 2048, "tool_choice": "none"}


async def test_its_own_model_for_tests_drives_the_seam(request_of: Any) -> None:
    model = ThroughPydanticAI(Rehearsed(call_tools=["search_people"]))
    calls = [event async for event in model.stream(request_of()) if isinstance(event, NativeCall)]
    assert [call.name for call in calls] == ["search_people"]
    await model.aclose()


def _refusing(status: int, body: Any) -> Stream:
    async def function(messages: list[Any], info: AgentInfo) -> AsyncIterator[Any]:
        if True:
            raise ModelHTTPError(status, "m", body)
        yield ""

    return function


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (429, {"message": "Rate limit reached", "code": "rate_limit_exceeded"}, ModelBusy),
        (429, {"error": {"message": "quota", "code": "insufficient_quota"}}, QuotaSpent),
        (400, '{"error": {"message": "prompt is too long: 5 tokens > 4 maximum"}}', ContextOverflow),
    ],
)
async def test_its_refusals_are_understood_like_ours(request_of: Any, status: int, body: Any, kind: Any) -> None:
    with pytest.raises(kind):
        await heard(_refusing(status, body), request_of())


async def test_refused_tools_are_asked_as_text_and_generated_text_is_read(request_of: Any) -> None:
    async def function(messages: list[Any], info: AgentInfo) -> AsyncIterator[Any]:
        if info.function_tools:
            raise ModelHTTPError(400, "m", {"message": "m does not support tools"})
        yield "Hi"

    events = await heard(function, request_of())
    assert isinstance(events[0], Notice)
    assert events[1] == TextChunk("Hi")
    failed = {"message": "Failed to call a function.", "code": "tool_use_failed", "failed_generation": "list()"}
    assert (await heard(_refusing(400, failed), request_of())) == [TextChunk("list()"), ReplyEnd(FinishReason.STOP)]


async def test_a_fault_after_text_only_cuts(request_of: Any) -> None:
    async def function(messages: list[Any], info: AgentInfo) -> AsyncIterator[Any]:
        yield "Hi"
        raise ModelHTTPError(500, "m", None)

    assert await heard(function, request_of()) == [TextChunk("Hi")]


async def test_m5_a_model_that_hangs_is_a_timeout(request_of: Any) -> None:
    async def function(messages: list[Any], info: AgentInfo) -> AsyncIterator[Any]:
        await asyncio.Event().wait()
        yield ""

    with pytest.raises(ModelTimeout):
        await heard(function, request_of(seconds_left=0.05))


def test_a_spec_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    quote = Scripted([])
    assert build("pydantic-ai:test", quote=quote, environ={}, fall_back=False).name == "test"
    with pytest.raises(ConfigError, match="nonsense"):
        through_pydantic_ai("nonsense:m")
    monkeypatch.setitem(sys.modules, "pydantic_ai.models", None)
    with pytest.raises(ConfigError, match=r"sayso\[providers\]"):
        through_pydantic_ai("bedrock:m")


def test_a_providers_own_library_that_is_missing_is_named() -> None:
    with pytest.raises(ConfigError, match="groq"):
        through_pydantic_ai("groq:llama")
