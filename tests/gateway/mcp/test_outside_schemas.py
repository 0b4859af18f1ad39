"""Any schema and any answer of an outside server: read within bounds, or refused; never an exception of its making."""

import json
from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from sayso.core.facts import Provenance
from sayso.core.tools import define_tool
from sayso.errors import FactError
from sayso.gateway.mcp import cutting
from sayso.gateway.mcp.definitions import Unfit, read_definition
from sayso.gateway.mcp.outside_arguments import arguments_of, example_of, off_card, on_card, sent
from sayso.gateway.mcp.outside_facts import declared_kind, facts_of
from sayso.gateway.mcp.outside_wire import Lines
from sayso.gateway.mcp.settings import OutsideServer

SERVER = OutsideServer("ext", url="https://ext.example/mcp")
NOW = datetime(2026, 12, 1, tzinfo=UTC)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12)
values = st.recursive(
    scalars, lambda v: st.lists(v, max_size=4) | st.dictionaries(st.text(max_size=8), v, max_size=4), max_leaves=20
)
names = st.sampled_from(["name", "due", "a-b", "model_config", "schema", "class", "_x", "left_out", "title", "copy"])
types = st.sampled_from(
    ["string", "number", "integer", "boolean", "array", "object", "null", ["string", "null"], "odd"]
)
leaf = st.fixed_dictionaries({}, optional={
    "type": types, "enum": st.lists(scalars, max_size=3), "format": st.sampled_from(["date", "date-time", "uri"]),
    "description": st.text(max_size=20), "$ref": st.sampled_from(["#", "#/$defs/A", "#/nowhere", "#/properties/name"]),
    "anyOf": st.lists(st.fixed_dictionaries({"type": types}), max_size=3), "items": st.just({"type": "string"}) | values, "pattern": st.text(max_size=5),
})  # fmt: skip


def objects(inner):
    return st.fixed_dictionaries(
        {"type": st.just("object"), "properties": st.dictionaries(names, inner, max_size=4)},
        optional={"required": st.lists(names, max_size=2, unique=True), "$defs": st.just({"A": {"type": "object", "properties": {"x": {"type": "string"}}}})},
    )  # fmt: skip


schemas = objects(
    st.recursive(
        leaf, lambda s: objects(s) | st.fixed_dictionaries({"type": st.just("array"), "items": s}), max_leaves=4
    )
    | values
)


async def nothing(arguments, context):
    raise AssertionError


def definition(inputs, outputs=None):
    raw = {"name": "find", "inputSchema": inputs, **({"outputSchema": outputs} if outputs is not None else {})}
    try:
        return read_definition(SERVER, raw)
    except Unfit:
        return None


@settings(deadline=None, max_examples=150)
@given(schemas)
def test_p2_of_any_schema_a_tool_is_made_whose_example_fits_or_it_is_refused(schema):
    read = definition(schema)
    if read is None:
        return
    tool = define_tool(
        "ext__find",
        kind="propose",
        description="d",
        arguments=arguments_of(read),
        run=nothing,
        example=example_of(read),
    )
    arguments = tool.arguments.model_validate(dict(tool.example))
    assert sent(arguments) == json.loads(json.dumps(tool.example))
    assert off_card(on_card(sent(arguments))) == sent(arguments)
    json.dumps(tool.schema)


@settings(deadline=None, max_examples=150)
@given(schemas, schemas | values)
def test_p3_of_any_answer_bounded_second_hand_facts_are_made(schema, structured):
    read = definition({"type": "object"}, schema)
    if read is None:
        return
    data = json.dumps(
        {
            "jsonrpc": "2.0",
            "id": 1,
            "result": {
                "content": [{"type": "text", "text": "t"}],
                "structuredContent": structured,
                "_meta": structured,
            },
        }
    )
    message = cutting.read_message(data.encode())
    try:
        answer = facts_of(read, message["result"], NOW, "x")
    except FactError:  # not as it was declared: no facts, and no absence
        assert declared_kind(read).rows is not None
        return
    assert all(f.provenance is Provenance.SECOND_HAND and f.kind.name == "ext__find" for f in answer.facts)
    assert len(answer.facts) <= 50
    assert declared_kind(read).kind.subject


@settings(deadline=None)
@given(values)
def test_t3_whatever_is_cut_is_bounded_and_counted(value):
    cut = cutting.cut_message(
        {"jsonrpc": "2.0", "id": 7, "result": {"structuredContent": value, "_meta": {cutting.COUNTS: {"items": -5}}}}
    )
    counts = cut["result"]["_meta"][cutting.COUNTS]
    assert (counts["items"] >= 0, counts["characters"] >= 0, cut["id"]) == (True, True, 7)
    json.dumps(cut)


def test_t3_a_value_of_each_sort_is_cut_at_its_bound():
    value = {"long": "x" * 30_000, "list": list(range(1000)), "deep": json.loads("[" * 60 + "]" * 60), "big": 2**80}
    cut = cutting.cut_message({"result": {"structuredContent": value}})["result"]
    kept = cut["structuredContent"]
    assert (len(kept["long"]), len(kept["list"]), kept["big"]) == (20_000, 200, str(2**80))
    assert cut["_meta"][cutting.COUNTS] == {"characters": 10_000, "items": 801, "others": {}}


@given(st.binary(max_size=300))
def test_p1_any_bytes_are_a_message_or_none(data):
    message = cutting.read_message(data)
    assert message is None or isinstance(message, dict)


def test_p1_a_nested_bomb_is_no_message():
    assert cutting.read_message(b"[" * 200_000) is None
    assert cutting.read_message(b'{"a":' * 100_000 + b"1" + b"}" * 100_000) is None


@given(st.lists(st.binary(max_size=20)), st.integers(1, 30))
def test_p1_lines_are_whole_however_they_arrive_and_a_long_one_is_dropped_alone(chunks, most):
    lines = Lines(most)
    got = [line for chunk in [*chunks, b"\n"] for line in lines.feed(chunk)]
    whole = (b"".join(chunks) + b"\n").split(b"\n")[:-1]
    assert got == [line.strip() for line in whole if len(line) <= most]
    assert lines.dropped == sum(len(line) > most for line in whole)


def test_a_title_that_is_no_text_gives_way_to_one_of_ours_and_another_s_stays():
    listed = {
        "type": "object",
        "properties": {"title": {"type": "array", "items": {"type": "string"}}, "due": {"type": "string"}},
    }
    named = {"type": "object", "properties": {"name": {"type": "string"}, "title": {"type": "string"}}}
    assert [f.name for f in declared_kind(definition({"type": "object"}, listed)).kind.fields] == [
        "title",
        "due",
        "left_out",
    ]
    assert [f.name for f in declared_kind(definition({"type": "object"}, named)).kind.fields] == [
        "name",
        "title",
        "left_out",
    ]
    result = {"structuredContent": {"title": ["a"], "due": "x"}, "content": []}
    (fact,) = facts_of(definition({"type": "object"}, listed), result, NOW).facts
    assert (dict(fact.values), fact.dropped) == ({"due": "x"}, 1)
