"""What looks like a call of the line protocol and is none, and the last of its leniencies."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel

from sayso.core.facts import LOOKUP
from sayso.core.protocols.reading import read_text
from sayso.core.tools import ReadResult, ToolContext, define_tool


class Query(BaseModel):
    query: str
    limit: int = 5
    exact: bool = False


class Nothing(BaseModel):
    pass


async def run(arguments: BaseModel, context: ToolContext) -> ReadResult:
    return ReadResult((), 0, 0)


TOOLS = {
    "search_people": define_tool(
        "search_people", kind="read", description="", arguments=Query, run=run, example={"query": "E"}, covers=LOOKUP
    ),
    "list_habits": define_tool(
        "list_habits", kind="read", description="", arguments=Nothing, run=run, example={}, covers=LOOKUP
    ),
}

REFUSED = [
    "TOOL: (search_people)",
    "TOOL: find_anyone",
    "TOOL: search_people",
    "TOOL: search_people(",
    "TOOL: search_people({query: ",
    "TOOL: search_people({'query' 'Elena'})",
    "TOOL: search_people(query=Elena Weber)",
    "TOOL: search_people(query=name)",
    "TOOL: list_habits please",
    "search_people(",
    "search_people()",
    "search_people(query, limit)",
    "list_habits() shows them",
    "search_people(query=name)",
    "search_people('Elena' 'Weber' +)",
    "search_people(a)(b)",
]


def test_what_only_begins_like_a_call_is_none() -> None:
    assert read_text('search_people("\\\\")+(1 # "\n+2)', TOOLS).calls == ()


@pytest.mark.parametrize("text", REFUSED)
def test_a_look_alike_is_counted_and_stays_prose(text: str) -> None:
    reading = read_text(f"{text}\n", TOOLS)
    assert (reading.calls, reading.prose, reading.rejected) == ((), f"{text}\n", 1)


CALLS: list[tuple[str, str, dict[str, Any]]] = [
    ("search_people(query='Elena (Zurich)', exact=true)", "search_people", {"query": "Elena (Zurich)", "exact": True}),
    (r"search_people(query='it\'s (her')", "search_people", {"query": "it's (her"}),
    ("search_people('Elena', max((1), 2) if False else 3)", "", {}),
    ("`list_habits()`;", "list_habits", {}),
    ("TOOL: functions.search_people\nARGS: {query: 'Elena'}", "search_people", {"query": "Elena"}),
    ("TOOL: SEARCH-PEOPLE {'query': 'Elena'}", "search_people", {"query": "Elena"}),
    ("TOOL: find_anyone\nARGS: {'query': 'Elena'}", "find_anyone", {"query": "Elena"}),
    ("TOOL: list_habits.", "list_habits", {}),
]


@pytest.mark.parametrize(("text", "name", "arguments"), CALLS)
def test_a_call_is_read_with_its_arguments(text: str, name: str, arguments: dict[str, Any]) -> None:
    found = [(c.name, json.loads(c.arguments)) for c in read_text(text, TOOLS).calls]
    assert found == ([(name, arguments)] if name else [])


def test_a_broken_object_is_handed_on_as_it_was_written() -> None:
    (call,) = read_text("TOOL: search_people\nARGS: {'query': 'Ele", TOOLS).calls
    assert call.arguments == "{'query': 'Ele"


def test_an_opener_inside_an_earlier_call_is_no_second_call() -> None:
    text = "TOOL: search_people\nARGS: {'query': 'x\nTOOL: list_habits\n'}\nfine"
    reading = read_text(text, TOOLS)
    assert [json.loads(c.arguments) for c in reading.calls] == [{"query": "x\nTOOL: list_habits\n"}]
    assert (reading.prose, reading.rejected) == ("fine", 0)


def test_a_cut_reply_without_an_opener_is_shown_as_it_is() -> None:
    reading = read_text("I will use search_people and", TOOLS, cut=True)
    assert (reading.calls, reading.prose, reading.rejected) == ((), "I will use search_people and", 0)


def test_an_open_fence_reaches_to_the_end() -> None:
    reading = read_text("Like this:\n```\nTOOL: list_habits\n", TOOLS)
    assert (reading.calls, reading.rejected) == ((), 1)


def test_a_name_that_is_not_on_offer_is_no_bare_call() -> None:
    reading = read_text("find_anyone()\nlist_habits()", TOOLS)
    assert ([c.name for c in reading.calls], reading.prose, reading.rejected) == (["list_habits"], "find_anyone()", 1)
