"""The last corners of the readers: lines, code, markup, tokens, objects, and values by the schema."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading_aids import a_tool, calls_of
from sayso.core.protocols.hiding import ProseStream
from sayso.core.protocols.loose_json import Broken, Reader, read_object, read_value
from sayso.core.protocols.objects import calls_in
from sayso.core.protocols.reading import read_text
from sayso.core.protocols.repair import repaired
from sayso.core.protocols.values import fits, fitted, from_texts

ANY: dict[str, Any] = {}
SEARCH = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "limit": {"type": "integer"},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["query"],
}
TOOLS = {
    "search_people": a_tool("search_people", SEARCH),
    "list_habits": a_tool("list_habits", {"type": "object", "properties": {"days": {"type": "integer"}}}),
    "add": a_tool("add"),
}
E = [("search_people", {"query": "Elena"})]

READ: list[tuple[str, list[tuple[str, Any]]]] = [
    # lines
    ('Action: search_people\nAction Input: {"query": "Elena"}', E),
    ("Action: search_people[Elena]", E),
    ("Action: search_people[Elena", []),
    ("Action: search_people[Ele\nna]", []),
    ("Action: search_people('Elena')", E),
    ("Action: !!", []),
    ("Action: list_habits\nObservation: three\nAction: search_people\nAction Input: x", [("list_habits", {})]),
    ("Action: search_people\nAction Input: Elena\nObservation: none", E),
    ('Action: {"name": "search_people", "arguments": {"query": "Elena"}}', E),
    ("Action: ```json\nnothing\n```", []),
    ("✿FUNCTION✿: search_people\n✿ARGS✿: {'query': 'Elena'}\n✿RESULT✿: 3", E),
    ("✿FUNCTION✿: !", []),
    ("TOOL: search_people\nARGS: query=Elena Weber", []),
    ("TOOL: search_people\nARGS: 'Elena", []),
    ("TOOL: search_people\nARGS: \"Elena\"", E),
    ("TOOL: search_people\nARGS: Elena", []),
    ("TOOL: search_people\nARGS: [{\"query\": \"Elena\"}]", E),
    ("TOOL: list_habits(7)", [("list_habits", {"days": 7})]),
    ("TOOL: list_habits(1, 2)", []),
    ("TOOL: list_habits\nARGS:\n", [("list_habits", {})]),
    ("TOOL: search_people {'query': 'Elena'}", E),
    # code
    ("print(search_people(query='Elena'))", E),
    ("print('Elena')", []),
    ("search_people(**{'query': 'Elena'})", E),
    ("search_people({'query': 'Elena'})", E),
    ("search_people({'query': 'Elena'}, 3)", []),
    ("search_people(query='a', query='b')", []),
    ("search_people(query='''Elena''')", E),
    ("[search_people(query='Elena'), list_habits()] and more", []),
    ("[search_people(query='Elena'), and more", []),
    ("list_habits(); search_people(query='Elena')", [("list_habits", {}), *E]),
    (r"add(a='\x41\u00e9\d\'\n', b=-1.5, c=(1, 2), d=1_000)", [("add", {"a": "Aé\\d'\n", "b": -1.5, "c": [1, 2], "d": 1000})]),
    ("<start_function_call>call:add{a:{b c:1},l:[x,<escape>y<escape>],n:null,f:1.5}<end_function_call>",
     [("add", {"a": {"b c": 1}, "l": ["x", "y"], "n": None, "f": 1.5})]),
    ("<start_function_call>call:add{a:<escape>x", []),
    ("<start_function_call>call:add{a:1", []),
    ("<start_function_call>call:add{a", []),
    ("<start_function_call>call:(x)", []),
    ('<|tool_call>call:add{<|"|>k<|"|>:1}<tool_call|>', [("add", {"k": 1})]),
    ("add(a=1 2)", []),
    ("add(a='x\\\ny')", [("add", {"a": "xy"})]),
    ("<start_function_call>call:add{a:<escape>x<escape>", []),
    ("Action: {}", []),
    ("Models write:\n\nlist_habits()", []),
    ("list_habits()\nand more words", []),
    ('```json\n{"name": "list_habits", "arguments": {}}\n```\n```json\n{"name": "add", "arguments": {}}\n```', [("list_habits", {}), ("add", {})]),
    ('so <tool_call>{"name": "any_name", "arguments": {}}</tool_call>', []),
    ("{\nlist_habits()\n</think>Hello.", []),
    ('<tool_call>{"name": "add", "arguments": {"a\n</think>Hello.', []),
    ('<tool_call>{"name": "search_people", "arguments": "[1] x"}</tool_call>', [("search_people", {"query": "[1] x"})]),
    ('<tool_call>{"function": {"name": "list_habits"}}</tool_call>', [("list_habits", {})]),
    ("]<]minimax[>[<tool_call>]<]minimax[>[<invoke name=\"add\">]<]minimax[>[<o>]<]minimax[>[<k>x]<]minimax[>[</k>]<]minimax[>[</o>"
     "]<]minimax[>[</invoke>]<]minimax[>[</tool_call>", [("add", {"o": {"k": "x"}})]),
    ("TOOL: search_people\nARGS: query=name of her", []),
    ("TOOL: search_people\nARGS: query=Elena", []),
    ('```\n{"name": "add", "arguments": {}}\nlist_habits()\n```', [("add", {}), ("list_habits", {})]),
    ('TOOL: search_people\nARGS: query="Elena"', E),
    ("Say `<tool_call>{\"name\": \"list_habits\", \"arguments\": {}}</tool_call>`", []),
    ("Say `x <invoke name=\"list_habits\"></invoke>` so", []),
    # markup
    ("<invoke><tool_name>search_people</tool_name><parameters><query>Elena</query></parameters></invoke>", E),
    ("<invoke><tool_name>search_people</tool_name><query>Elena</query></invoke>", E),
    ('<tool_use><name>search_people</name><arguments>{"query": "Elena"}</arguments></tool_use>', E),
    ('<invoke name="search_people"><parameters>{"query": "Elena"}</parameters></invoke>', E),
    ('<invoke name="search_people"><parameters><query>Elena</query></parameters></invoke>', E),
    ('<invoke name="search_people"><parameters><parameter name="query">Elena</parameter></parameters></invoke>', E),
    ('<invoke name="search_people"><query>Elena</query></invoke>', E),
    ('<invoke name="search_people"><parameter name="query">Elena</parameter><parameter name="query">Ilya</parameter></invoke>', []),
    ('<invoke name="search_people"><parameter name="query">\r\nElena\r\n</parameter></invoke>', E),
    ('<function=search_people>\n<parameter=query>\nElena\n</function>', E),
    ('<function=search_people>\n<parameter=query>\nElena\n</parameter1>\n</function>', E),
    ('<function=search_people>\n<parameter=query>\nElena\n</parameter\n</function>\n', E),
    ('<search_people><query>Elena</search_people>', []),
    ('<search_people><query>Elena</query></find>', []),
    ("<invoke name='search_people'><query>Elena</invoke>", []),
    ("<tool_call>search_people<arg_key>query</arg_key><arg_value>a </arg_value> b</arg_value></tool_call>",
     [("search_people", {"query": "a </arg_value> b"})]),
    ("<tool_call>search_people<arg_key>query</arg_key><arg_value>Ele", []),
    ('<ifm|tool_call>add<ifm|arg_key>a</ifm|arg_key><ifm|arg_type>integer</ifm|arg_type><ifm|arg_value>3</ifm|arg_value></ifm|tool_call>', [("add", {"a": 3})]),
    ('<｜DSML｜invoke name="add"><｜DSML｜parameter name="a" string="false">3 4</｜DSML｜parameter></｜DSML｜invoke>', [("add", {"a": "3 4"})]),
    ('<｜DSML｜invoke name="add"><｜DSML｜parameter name="a" string="false">x</｜DSML｜parameter></｜DSML｜invoke>', [("add", {"a": "x"})]),
    ('<invoke name="add"><parameter name="a"/></invoke>', [("add", {"a": ""})]),
    # tokens
    ("]<]minimax[>[<tool_call>]<]minimax[>[<invoke name=\"add\">]<]minimax[>[<l>]<]minimax[>[<item>a]<]minimax[>[</item>"
     "]<]minimax[>[<item>b]<]minimax[>[</item>]<]minimax[>[</l>]<]minimax[>[<t>1]<]minimax[>[</t>]<]minimax[>[<t>2]<]minimax[>[</t>"
     "]<]minimax[>[<t>3]<]minimax[>[</t>]<]minimax[>[<o>]<]minimax[>[<item>x]<]minimax[>[</item>]<]minimax[>[</o>"
     "]<]minimax[>[</invoke>]<]minimax[>[</tool_call>", [("add", {"l": ["a", "b"], "t": [1, 2, 3], "o": ["x"]})]),
    ("]<]minimax[>[<tool_call>]<]minimax[>[</x>", []),
    ("]<]minimax[>[<tool_call>]<]minimax[>[ add", []),
    ('<|open|>tools<|sep|><|open|>call tool="add" index="1"<|sep|><|open|>argument key="a" type="integer"<|sep|>3<|close|>argument<|sep|>'
     '<|open|>argument key="b" type="object"<|sep|>x<|close|>argument<|sep|><|open|>argument key="c" type="list"<|sep|>[1] x<|close|>argument<|sep|>'
     "<|close|>call<|sep|><|close|>tools<|sep|>", [("add", {"a": 3, "b": "x", "c": "[1] x"})]),
    ('<|open|>call tool="add" index="1"<|sep|><|open|>argument key="a"<|sep|>x', []),
    ("<|tool_call:start|>\n<|tool_call:end|>", []),
    ("<|tool_call:start|>add\n<|tool_arg:start|>a<|tool_arg:value|>1<|tool_call:end|>", [("add", {"a": 1})]),
    # objects
    ('<tool_call>{"name": "search_people", "query": "Elena"}</tool_call>', E),
    ('<tool_call>{"name": "search_people", "arguments": "Elena"}</tool_call>', E),
    ('<tool_call>{"name": "list_habits", "arguments": "now"}</tool_call>', []),
    ('<tool_call>{"name": "list_habits", "arguments": ""}</tool_call>', [("list_habits", {})]),
    ('<tool_call>{"name": "list_habits", "arguments": 3}</tool_call>', []),
    ('<tool_call>{"name": "list_habits", "arguments": [1, 2]}</tool_call>', []),
    ('<tool_call>{"name": "search_people", "arguments": {"query": "a"}, "arguments": {"query": "b"}}</tool_call>', []),
    ('<tool_call>[{"name": "list_habits", "arguments": {}}, {"name": "search_people", "arguments": {"query": "Ele', [("list_habits", {})]),
    ('<tool_call>[{"name": "list_habits", "arguments": {}}, {"note": 3}, x</tool_call>', [("list_habits", {})]),
    ('<tool_call>[{"name": "search_people", "arguments": {"query": "Ele', []),
    ('<tool_call>[{"name": "list_habits", "name": "add"}]</tool_call>', []),
    ("<tool_call>{\"name\": \"search_people\", \"arguments\": {\"query\": \"say \"Elena\" twice\"}}</tool_call>",
     [("search_people", {"query": 'say "Elena" twice'})]),
    ('<tool_call>{"name": "search_people", "arguments": {"query" "Elena"}}</tool_call>', E),
    ('<tool_call>{"name": "search_people", "arguments": {"query": Elena}}</tool_call>', []),
    ('<tool_call>{"name": "list_habits", "arguments": {"days": 7}</tool_call>', [("list_habits", {"days": 7})]),
    ('{"name": "list_habits", "arguments": {"days": 7}}; {"name": "add', []),
    ('<tool_call>{"name": "list_habits", "arguments": {}}; {"name": "add</tool_call>', [("list_habits", {})]),
    ('<tool_call>{"name": "list_habits", "arguments": {}}; {"note": 3}</tool_call>', [("list_habits", {})]),
    ('[{"name": "list_habits", "arguments": {}}, {"name": "find", "arguments": {}}]', []),
    ('{"name": "list_habits", "arguments": "x"}', []),
    ('search_people\n{"query": "Elena"}', E),
    ('search_people {"query": ', []),
    ("```json\nHere:\n{\"name\": \"list_habits\", \"arguments\": {}}\n```", []),
    ("```json\n{\"name\": \"list_habits\", \"arguments\": {}}\nas said\n```", []),
    ("```\nlist_habits()\nsearch_people(query='Elena')\n```", [("list_habits", {}), *E]),
    ("```tool_code\nx = search_people(query='Elena')\n```\nDone.", E),
    ("Look:\n```python\nsearch_people(query='Elena')\n```", []),
    ("`<tool_call>{}</tool_call>` and then", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), READ, ids=[text[:70] for text, _ in READ])
def test_each_corner(text: str, expected: list[tuple[str, Any]]) -> None:
    assert calls_of(text, TOOLS) == expected


@pytest.mark.parametrize(
    ("text", "name"),
    [('<tool_call>{"name": "list_habits", "arguments": {"days": "', "list_habits"),
     ('<tool_call>{"name": "list_habits", "arguments": [1, 2]}</tool_call>', "list_habits"),
     ("[TOOL_CALLS]search_people[ARGS]", "search_people")],
)  # fmt: skip
def test_a_call_that_cannot_be_read_is_handed_on_and_cannot_run(text: str, name: str) -> None:
    (call,) = read_text(text, TOOLS).calls
    assert (call.name, call.fault) == (name, "broken")
    with pytest.raises(ValueError, match=r"."):
        json.loads(call.arguments)


def test_arguments_that_could_be_run_by_mistake_are_marked() -> None:
    (call,) = (
        read_text("<tool_call>[7]search_people", TOOLS).calls
        or read_text('TOOL: add\nARGS: {"a": 1, "a": 2}', TOOLS).calls
    )
    assert call.arguments.startswith(("not readable", "{"))


FITTED: list[tuple[dict[str, Any], Any, Any]] = [
    ({"type": "string"}, "02134", "02134"),
    ({"type": "string"}, 5, "5"),
    ({"type": "string"}, True, True),
    ({"type": "string"}, None, None),
    ({"type": "integer"}, "3", 3),
    ({"type": "integer"}, "3.0", 3),
    ({"type": "integer"}, 3.0, 3),
    ({"type": "integer"}, "three", "three"),
    ({"type": "number"}, "3.5", 3.5),
    ({"type": "number"}, "4", 4),
    ({"type": "boolean"}, "True", True),
    ({"type": "array", "items": {"type": "integer"}}, "7", [7]),
    ({"type": "array", "items": {"type": "integer"}}, 7, [7]),
    ({"type": "array"}, '["a"]', ["a"]),
    ({"type": "array"}, '["a"', ["a"]),
    ({"type": "array"}, "a, b", ["a, b"]),
    ({"type": "array"}, {"a": 1}, [{"a": 1}]),
    ({"type": "object", "properties": {"n": {"type": "integer"}}}, '{"n": "1"}', {"n": 1}),
    ({"properties": {"n": {"type": "integer"}}}, {"n": "1"}, {"n": 1}),
    ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "null", None),
    ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, "x", "x"),
    ({"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]}, ["1"], [1]),
    ({"type": ["integer", "null"]}, "4", 4),
    ({"$ref": "#/$defs/Day"}, "4", 4),
    ({"$ref": "#/$defs/Loop"}, "4", "4"),
    ({"$ref": "#/$defs/Deep"}, "4", "4"),
    ({"type": "int"}, "4", 4),
    ({}, "4", "4"),
    (True, "4", "4"),  # pyright: ignore
]  # fmt: skip
DEFS: dict[str, Any] = {
    "Day": {"type": "integer"},
    "Loop": {"$ref": "#/$defs/Loop"},
    "Deep": {"anyOf": [{"$ref": "#/$defs/Deep"}]},
}


@pytest.mark.parametrize(("schema", "given", "wanted"), FITTED)
def test_a_value_is_brought_to_its_parameters_type_or_left_alone(schema: Any, given: Any, wanted: Any) -> None:
    assert fitted({"a": given}, {"properties": {"a": schema}, "$defs": DEFS}) == {"a": wanted}


def test_a_value_nested_too_deep_stays_as_it_is() -> None:
    deep: Any = "1"
    for _ in range(20):
        deep = [deep]
    schema: dict[str, Any] = {
        "$defs": {"L": {"type": "array", "items": {"$ref": "#/$defs/L"}}},
        "properties": {"a": {"$ref": "#/$defs/L"}},
    }
    assert fitted({"a": deep}, schema) == {"a": deep}


TEXTS: list[tuple[dict[str, Any], Any, Any]] = [
    ({"type": "string"}, " 5 ", " 5 "),
    ({"type": "integer"}, " 5 ", 5),
    ({}, "5", 5),
    ({}, "true", True),
    ({}, "x", "x"),
    ({"type": "object", "properties": {"n": {"type": "integer"}}, "additionalProperties": {"type": "string"}},
     {"n": "1", "s": "2"}, {"n": 1, "s": "2"}),
    ({"type": "array", "items": {"type": "string"}}, ["1"], ["1"]),
    ({"type": "integer"}, 3.0, 3),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "given", "wanted"), TEXTS)
def test_a_raw_text_is_what_the_schema_says(schema: Any, given: Any, wanted: Any) -> None:
    assert from_texts({"a": given}, {"properties": {"a": schema}}) == {"a": wanted}


def test_arguments_fit_when_all_that_is_required_is_there_and_nothing_unknown() -> None:
    assert fits({"query": "x"}, SEARCH)
    assert not fits({"limit": 3}, SEARCH)
    assert not fits({"query": "x", "colour": 1}, SEARCH)
    assert fits({"query": "x", "colour": 1}, {**SEARCH, "additionalProperties": True})
    assert fits({"any": 1}, {})


def test_calls_nested_without_end_are_none() -> None:
    assert calls_in([[[[[[{"name": "add", "arguments": {}}]]]]]], TOOLS) is None
    assert calls_in({"function": {"name": "add"}, "arguments": {"a": 1}}, TOOLS) == calls_in(
        {"name": "add", "arguments": {"a": 1}}, TOOLS
    )
    assert calls_in({"function": {"note": 1}}, TOOLS) == []


@pytest.mark.parametrize(
    "source", ['{"a": }', '{"a": x}', '{"a": "cut', "{" * 30_000 + "}", '{"a": "b"} {"c": "d"', "[" * 5000 + "]"]
)
def test_a_repair_that_would_guess_is_none(source: str) -> None:
    with pytest.raises(Broken):
        repaired(source)


def test_a_repair_keeps_each_value() -> None:
    assert repaired('{"a" "b", "c": [1, "d"], "e": null}') == {"a": "b", "c": [1, "d"], "e": None}


def test_a_very_long_text_is_strict_json_or_nothing() -> None:
    long = json.dumps({"a": "x" * 100_000})
    assert read_object(long, 0) == ({"a": "x" * 100_000}, len(long))
    assert read_object("{'a': '" + "x" * 100_000 + "'}", 0) is None
    with pytest.raises(Broken):
        Reader("{" * 2).value(0, 40)


def test_a_key_that_comes_twice_is_no_value_unless_it_says_the_same() -> None:
    assert read_object('{"a": 1, "a": 1}', 0) == ({"a": 1}, 16)
    assert read_object('{"a": 1, "a": 2}', 0) is None
    assert read_object("{'a': 1, 'a': 2}", 0) is None


@pytest.mark.parametrize("text", ["{'a': 1]", "{'a': @}", "{'a': 1x}", "[1 x]", "{'k", "{5@: 1}"])
def test_what_is_broken_is_no_value(text: str) -> None:
    with pytest.raises(Broken):
        read_value(text, 0)


def test_surrogate_pairs_and_line_ends_in_loose_texts() -> None:
    assert read_object("{'a': '\\ud83d\\ude00\\\nb'}", 0) == ({"a": "😀b"}, 24)


STREAMED: list[tuple[str, str]] = [
    ('{"city": "Rome"}\nThat is all.', '{"city": "Rome"}\nThat is all.'),
    ('{"name": "Elena Petrova", "email": "e@x.org"}\nThat is her card, I think.', '{"name": "Elena Petrova", "email": "e@x.org"}\nThat is her card, I think.'),
    ('{"name": "E", "email": "<tool_call>"}\nThat is her card.', ""),
    ('["a", "b"] are two.', '["a", "b"] are two.'),
    ("[F3] says so.", "[F3] says so."),
    ("[search_people(query='E')]", ""),
    ("[search_people] is a tool", "[search_people] is a tool"),
    ("{} is empty", "{} is empty"),
    ('{"' + "k" * 50 + '": 1} x', '{"' + "k" * 50 + '": 1} x'),
    ("Sure.\n```js\nlet a = 1;\n```\nDone.", "Sure.\n```js\nlet a = 1;\n```\nDone."),
    ("```js\nlet a = 1;\n```\nDone.", "```js\nlet a = 1;\n```\nDone."),
    ("```tool_code\nlist_habits()\n```\nDone.", ""),
    ("```json\n{}\n```\nwords follow it.", "```json\n{}\n```\nwords follow it."),
    ("list_habits() shows your habits, all of them.", "list_habits() shows your habits, all of them."),
    ("list_habits() <tool_call>x", ""),
    ("search_people\n{\"query\": 1}", ""),
    ("search_people\nfinds them", "search_people\nfinds them"),
    ("Use `<tool_call>` there <b> now", "Use `<tool_call>` there <b> now"),
    ("a <| b <invoked> c </tool_call> d", "a <| b <invoked> c </tool_call> d"),
    ("a [TOOL_CALLS]x", "a "),
    ("a [TOOLS] b ◁x", "a [TOOLS] b ◁x"),
    ("a [THINK]b[/THINK]c.", "a c."),
    ("a >>>add\n{}", "a "),
    ("a >>> b", "a >>> b"),
    ("use functools[{", "use "),
    ("the functions of it to=you", "the functions of it to=you"),
    ("<function>\n{", ""),
    ("<function> is a word and more", "<function> is a word and more"),
    ("<tool_call never closed" + " x" * 60, "<tool_call never closed" + " x" * 60),
]  # fmt: skip


@pytest.mark.parametrize(("text", "shown"), STREAMED, ids=[text[:40] for text, _ in STREAMED])
def test_what_streams_is_prose_and_is_not_held_for_long(text: str, shown: str) -> None:
    for size in (1, 3, len(text)):
        stream = ProseStream(TOOLS)
        assert "".join(stream.feed(text[at : at + size]) for at in range(0, len(text), size)) == shown


def test_reading_is_linear_in_the_number_of_openers() -> None:
    openers = '<tool_call>{"name": "search_people", "arguments": {"query": "x '
    reading = read_text(openers * 3000, TOOLS)
    assert all(call.fault for call in reading.calls)


@given(st.text(alphabet="<|>{}[]()\"'`\n:=_,aefghilnoprstuy TOLARGS/0", max_size=160), st.integers(0, 160))
def test_any_text_streams_as_it_is_read_at_any_split(text: str, at: int) -> None:
    stream = ProseStream(TOOLS)
    shown = stream.feed(text[:at]) + stream.feed(text[at:])
    prose = read_text(text, TOOLS).prose
    assert "".join(prose.split()).startswith("".join(shown.split()))
