"""Each call ends in exactly one result; a tool's fault is a result and its words stay with it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from pydantic import BaseModel

from sayso.core.evidence import Evidence
from sayso.core.messages import CallStatus, ResultReason, ToolCall, ToolResult
from sayso.core.proposals import Change
from sayso.core.runner import (
    MAX_ARGUMENTS,
    MAX_FACTS,
    InProcessRunner,
    canonical_arguments,
    parse_arguments,
    told_arguments,
)
from sayso.core.tools import ProposeResult, ReadResult, Registry, Tool, ToolContext, define_tool
from small_world import ACTOR, ELENA, EVERYONE, ILYA, NOW, PERSON, PROPOSE, SEARCH, Nothing, file_proposal, person

pytestmark = pytest.mark.anyio


class Span(BaseModel):
    days: int = 7
    kind: str | None = None
    tags: list[str] = []


def reads(outcome: Any, *, arguments: type[BaseModel] = Nothing) -> Tool:
    async def run(arguments: BaseModel, context: ToolContext) -> Any:
        return await outcome() if callable(outcome) else outcome

    return define_tool(
        "look", kind="read", description="", arguments=arguments, run=run, example={}, covers=PERSON, permission="p"
    )


def proposes(outcome: Any) -> Tool:
    async def run(arguments: Nothing, context: ToolContext) -> Any:
        return outcome

    return define_tool("ask", kind="propose", description="", arguments=Nothing, run=run, example={})


async def ran(tool: Tool, arguments: str = "{}", *, file: Any = file_proposal, seconds: float = 5.0) -> ToolResult:
    runner = InProcessRunner(Registry([tool]), ToolContext(ACTOR, NOW), Evidence(), file, seconds)
    call = ToolCall("call_1", tool.name, arguments)
    assert runner.may_run(call)
    return await runner.run(call)


FAILED = ToolResult("call_1", CallStatus.FAILED, reason=ResultReason.TOOL_FAILED)


async def test_a_tool_that_takes_too_long_is_timed_out() -> None:
    result = await ran(reads(asyncio.Event().wait), seconds=0.01)
    assert result == ToolResult("call_1", CallStatus.FAILED, reason=ResultReason.TOOL_TIMEOUT)


@pytest.mark.parametrize(
    "tool",
    [
        reads(ProposeResult(None)),
        proposes(ReadResult((ELENA,), 1, 1)),
        reads(None),
        reads(ReadResult(({"name": "Elena"},), 1, 1)),  # type: ignore[arg-type]
        proposes(ProposeResult(None, ("Elena",))),  # type: ignore[arg-type]
        replace(reads(ReadResult((ELENA,), 1, 1)), covers=None),
    ],
)
async def test_a_result_of_the_wrong_kind_is_the_tools_failure_and_gives_no_fact(tool: Tool) -> None:
    assert await ran(tool) == FAILED


async def test_an_unclear_target_brings_its_candidates() -> None:
    result = await ran(proposes(ProposeResult(None, (ELENA, ILYA))))
    assert (result.status, result.reason) == (CallStatus.FAILED, ResultReason.NEEDS_CHOICE)
    assert [(n.ref, n.fact) for n in result.facts] == [("F1", ELENA), ("F2", ILYA)]


async def test_no_target_at_all_is_said() -> None:
    result = await ran(proposes(ProposeResult(None)))
    assert result == ToolResult("call_1", CallStatus.FAILED, (), ResultReason.NO_TARGET)


async def test_a_change_that_waits_already_is_said_to_wait() -> None:
    async def file_again(change: Change, tool: Tool, call: ToolCall, context: ToolContext) -> Any:
        fact, _ = await file_proposal(change, tool, call, context)
        return fact, True

    result = await ran(proposes(ProposeResult(Change("message", "Message", {}), (ELENA,))), file=file_again)
    assert (result.status, result.reason) == (CallStatus.SUCCESS, ResultReason.ALREADY_PENDING)
    assert [n.fact.kind.name for n in result.facts] == ["proposal", "person"]


async def test_a_read_gives_at_most_so_many_facts_and_says_how_many_matched() -> None:
    many = tuple(person(f"P{i}", f"k{i}") for i in range(MAX_FACTS + 5))
    result = await ran(reads(ReadResult(many, len(many), 900)))
    trace = result.facts[-1].fact
    assert len(result.facts) == MAX_FACTS + 1
    assert (trace.values["matched"], trace.values["searched"]) == (MAX_FACTS + 5, 900)


async def test_a_look_up_tells_several_arguments_by_name() -> None:
    result = await ran(reads(ReadResult((), 0, 3), arguments=Span), '{"days": 3, "tags": ["ä"]}')
    assert result.facts[0].fact.values["query"] == 'look days=3, tags=["ä"]'


@pytest.mark.parametrize(
    ("raw", "query"),
    [('{"query": "Elena"}', "Elena"), ('"{\\"query\\": \\"Elena\\"}"', "Elena"), ('{"query": "E", "x": 1}', "E")],
)
def test_arguments_are_read_once_or_twice_encoded(raw: str, query: str) -> None:
    assert parse_arguments(SEARCH, raw).query == query  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "raw", ["[1]", "3", '"Elena"', '"[1]"', "{", '{"query": 3}', "", "[" * 60_000, " " * (MAX_ARGUMENTS + 1)]
)
def test_arguments_that_do_not_fit_are_none(raw: str) -> None:
    assert parse_arguments(SEARCH, raw) is None


def test_no_arguments_are_no_arguments() -> None:
    assert parse_arguments(EVERYONE, "") == Nothing()
    assert parse_arguments(PROPOSE, '{"person": "E"}').text == ""  # type: ignore[union-attr]


def test_arguments_have_one_spelling() -> None:
    assert canonical_arguments('{"b": "ü",  "a":1}') == canonical_arguments('{"a": 1, "b": "\\u00fc"}')
    assert canonical_arguments("") == "{}"
    assert canonical_arguments(" {broken ") == "{broken"
    assert canonical_arguments("[" * 60_000) == "[" * 60_000


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ('{"query": "Elena"}', '"Elena"'), ('{"days": 3, "tags": ["ä"], "kind": null}', 'days=3, tags=["ä"]'),
        ("{}", ""), ("", ""), ("[1]", ""), ("{broken", ""), ("[" * 60_000, ""),
    ],
)  # fmt: skip
def test_a_status_line_tells_arguments_as_a_person_reads_them(raw: str, told: str) -> None:
    assert told_arguments(raw) == told
