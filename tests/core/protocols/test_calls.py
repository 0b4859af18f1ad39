"""Both protocols of one reply become one list of calls with our own ids."""

from __future__ import annotations

import pytest

from sayso.core.messages import ToolCall
from sayso.core.ports import NativeCall
from sayso.core.protocols.calls import read_reply
from small_world import EVERYONE, SEARCH

TOOLS = {tool.name: tool for tool in (SEARCH, EVERYONE)}


class Counting:
    def __init__(self) -> None:
        self.count = 0

    def new(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}_{self.count}"


def read(text: str, *native: NativeCall) -> tuple[ToolCall, ...]:
    return read_reply(text, native, TOOLS, Counting(), cut=False, said=lambda: ()).calls


def test_a_namespace_and_the_providers_id_are_dropped() -> None:
    assert read("", NativeCall("0", "functions.list_people", "")) == (
        ToolCall("call_1", "list_people", "{}", "native"),
    )


def test_an_unknown_dotted_name_is_kept_for_the_answer_with_near_names() -> None:
    assert read("", NativeCall("0", "a.b", "{}"))[0].name == "a.b"


def test_the_same_call_by_both_ways_is_one() -> None:
    text = "TOOL: search_people\nARGS: {'query': 'Elena'}"
    assert read(text, NativeCall("0", "search_people", '{ "query":"Elena" }')) == (
        ToolCall("call_1", "search_people", '{ "query":"Elena" }', "native"),
    )


def test_broken_native_arguments_are_compared_as_text_and_handed_on() -> None:
    text = "TOOL: search_people\nARGS: {'query': 'Elena'}"
    assert read(text, NativeCall("0", "search_people", '{"query": ')) == (
        ToolCall("call_1", "search_people", '{"query": ', "native"),
        ToolCall("call_2", "search_people", '{"query": "Elena"}', "text"),
    )


@pytest.mark.parametrize(
    "name",
    ["functions.search_people", "search_people<|channel|>commentary", "default_api.search_people", "search-people:0",
     "search_people<|tool_call_argument_begin|>{}", "tools.Search_People"],
)  # fmt: skip
def test_a_marker_that_leaked_into_a_native_name_is_taken_off(name: str) -> None:
    assert [call.name for call in read("", NativeCall("0", name, '{"query": "E"}'))] == ["search_people"]


@pytest.mark.parametrize(
    ("written", "handed_on"),
    [("{'query': 'Elena'}", '{"query": "Elena"}'), ('{"query": 5}', '{"query": "5"}'), ('{"query": "Elena"', '{"query": "Elena"}'),
     ('{"query": "Ele', '{"query": "Ele'), ('{"query": "a"} x', '{"query": "a"} x'), ("[1]", "[1]"),
     ('{"query": "anna", "query": "mallory"}', 'a key twice: {"query": "anna", "query": "mallory"}')],
)  # fmt: skip
def test_native_arguments_are_read_as_those_of_a_text_call(written: str, handed_on: str) -> None:
    assert [call.arguments for call in read("", NativeCall("0", "search_people", written))] == [handed_on]


def test_an_unknown_name_keeps_its_arguments_as_they_are() -> None:
    assert read("", NativeCall("0", "<|x|>", "{")) == (ToolCall("call_1", "<|x|>", "{", "native"),)
