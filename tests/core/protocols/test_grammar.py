"""What a grammar of calls allows: only calls that a tool takes, and answers that hold no call."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field, create_model

from gbnf import Grammar
from sayso.core.protocols.grammar import Look, answer_phrases, call_grammar
from sayso.core.protocols.grammar_schema import SchemaRules
from sayso.core.protocols.grammar_text import prose_rules, without
from sayso.core.protocols.reading import read_text
from sayso.core.runner import parse_arguments
from sayso.core.tools import Tool
from small_world import SEARCH

CORPUS = Path(__file__).parents[2] / "toolcalls" / "corpus.jsonl"


class Nested(BaseModel):
    name: Annotated[str, Field(min_length=1, max_length=12)]
    next: Nested | None = None


TYPES: tuple[Any, ...] = (
    str, int, float, bool, date, datetime, time, UUID, list[str], dict[str, int], tuple[int, str], Nested, list[Nested],
    Any, dict[str, Any], Literal["one", 'two "2"', "three\\"], Literal["only"], int | str, str | None, int | None,
    Annotated[str, Field(min_length=3, max_length=5)], Annotated[str, Field(max_length=1)],
    Annotated[int, Field(ge=1, le=7)], Annotated[int, Field(gt=17, lt=1234)], Annotated[int, Field(ge=-250, le=30)],
    Annotated[int, Field(ge=5)], Annotated[int, Field(le=-5)], Annotated[int, Field(le=40)],
    Annotated[int, Field(ge=99, le=100)], Annotated[int, Field(ge=10**10)], Annotated[float, Field(ge=0.5, le=8)],
    Annotated[list[int], Field(min_length=2, max_length=3)], Annotated[list[int], Field(max_length=0)],
    Annotated[list[str], Field(min_length=1)],
)  # fmt: skip
fields = st.dictionaries(
    st.sampled_from(["query", "days", "a_b", "größe", "when", "note"]), st.tuples(st.sampled_from(TYPES), st.booleans())
)
names = st.lists(st.sampled_from(["find", "find_people", "listAll", "go2", "x"]), min_size=1, max_size=4, unique=True)


def tool_of(name: str, shape: dict[str, tuple[Any, bool]]) -> Tool:
    declared = {key: (kind, ...) if must else (kind | None, None) for key, (kind, must) in shape.items()}
    arguments = create_model("Arguments", **declared)  # pyright: ignore
    return replace(SEARCH, name=name, arguments=arguments, schema=arguments.model_json_schema())


def repeats_a_key(arguments: str) -> bool:
    """A mapping with keys of any name may name one twice: no grammar can say that it must not; the model is asked again."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise KeyError
        return dict(pairs)

    try:
        json.loads(arguments, object_pairs_hook=once)
    except KeyError:
        return True
    return False


def offered(tools: Sequence[Tool]) -> dict[str, Tool]:
    return {tool.name: tool for tool in tools}


@settings(max_examples=150, deadline=None)
@given(names, st.data(), st.randoms(use_true_random=False))
def test_every_call_that_a_grammar_allows_is_one_that_its_tool_takes(
    names: list[str], data: Any, random: Random
) -> None:
    tools = [tool_of(name, data.draw(fields)) for name in names]
    grammar = Grammar(call_grammar(tools, Look.FIRST))
    for _ in range(3):
        text = grammar.sample(random)
        assume(not repeats_a_key(text.partition("ARGS: ")[2]))
        reading = read_text(text, offered(tools))
        assert len(reading.calls) == 1, text
        for call in reading.calls:
            assert parse_arguments(offered(tools)[call.name], call.arguments) is not None, text


@settings(max_examples=60, deadline=None)
@given(names, st.randoms(use_true_random=False))
def test_a_reply_is_calls_or_an_answer_never_both(names: list[str], random: Random) -> None:
    tools = [tool_of(name, {"query": (str, True)}) for name in names]
    text = Grammar(call_grammar(tools)).sample(random)
    reading = read_text(text, offered(tools))
    if text.startswith("TOOL: "):
        assert 1 <= len(reading.calls) <= 4
        assert not reading.prose
    else:
        assert not reading.calls
        assert reading.prose


@settings(max_examples=200, deadline=None)
@given(names, st.booleans(), st.randoms(use_true_random=False))
def test_no_answer_that_a_grammar_allows_is_read_as_a_call(
    names: list[str], with_arguments: bool, random: Random
) -> None:
    tools = [tool_of(name, {"query": (str, True)} if with_arguments else {}) for name in names]
    text = Grammar(call_grammar(tools, Look.CLOSED)).sample(random)
    assert read_text(text, offered(tools)).calls == ()
    assert answer_phrases(tools).allow(text)
    assert text.strip()


def test_no_text_with_a_call_of_any_family_could_be_written_as_an_answer() -> None:
    for line in CORPUS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        tools = [replace(SEARCH, name=tool["name"], schema=tool["schema"]) for tool in row["advertised_tools"]]
        if row["expected_calls"]:
            assert not answer_phrases(tools).allow(row["text"].strip()), row["id"]


@pytest.mark.parametrize(
    "answer",
    [
        "Elena works at SINGA [F3]. Her phone: +41 77 473 00 93, e-mail elena_w@singa.example.",
        "3 goals:\n- Run a marathon (20 %)\n- Learn Italian: <not recorded>\n\n**Next:** write to Ilya.",
        "I could find nobody; the tool that I used looked at 60 people.",
        "```python\nprint({'a': [1, 2]})\n```",
        'She said "call me" on 2026-12-07; to = the person whom I called.',
    ],
)
def test_ordinary_answers_can_be_written(answer: str) -> None:
    assert answer_phrases([tool_of("find_people", {}), tool_of("find", {})]).allow(answer)


@pytest.mark.parametrize(
    "answer", ["", " x", "\nx", "find_people()", "see Find-People", "find(1)", "TOOL: go", "a\x00b"]
)
def test_what_an_answer_may_not_be(answer: str) -> None:
    assert not answer_phrases([tool_of("find_people", {}), tool_of("find", {"query": (str, True)})]).allow(answer)


def test_in_the_last_step_and_without_tools_there_is_nothing_to_call() -> None:
    assert "TOOL" not in Grammar(call_grammar([SEARCH], Look.CLOSED)).rules["root"][0]
    assert call_grammar([]) == call_grammar([], Look.CLOSED)


def test_phrases_that_lie_within_one_another_are_barred_each() -> None:
    phrases = without(["she said", "he", "\nend"])
    assert not phrases.allow("then")
    assert not phrases.allow("she")
    assert not phrases.allow("End it")
    assert phrases.allow("an end")
    assert phrases.allow("s" * 50)


@pytest.mark.parametrize("schema", [{"type": ["integer", "boolean"]}, {"allOf": [{"type": "integer"}, {"maximum": 9}]},
                                    {"oneOf": [{"const": 1}, {"enum": [2, None]}]}, {"type": "null"},
                                    {"type": "string", "maxLength": 0}, {"type": "number", "minimum": 0.2, "maximum": 0.8},
                                    {"type": "array"}, {"type": "object"}])  # fmt: skip
def test_other_forms_of_a_schema_give_json(schema: dict[str, Any]) -> None:
    rules = SchemaRules()
    rules.add("root", schema)
    for seed in range(20):
        json.loads(Grammar(rules.written()).sample(Random(seed)))


def test_rules_are_written_once_however_often_they_are_used() -> None:
    rules = SchemaRules()
    for name in ("a", "b"):
        rules.add(name, {"type": "object", "properties": {"x": {"type": "string"}, "y": {"type": "integer"}}})
    assert rules.written().count("integer ::=") == 1


def test_a_texts_own_limit_is_kept_below_ours() -> None:
    rules = SchemaRules()
    shape = {
        "type": "object",
        "properties": {"text": {"type": "string", "maxLength": 90_000}, "name": {"type": "string"}},
    }
    rules.add("root", shape, texts={"text": 500})
    assert "char{0,1199}" in rules.written()
    assert "char{0,159}" in rules.written()


def test_prose_rules_name_each_state_that_can_be_reached() -> None:
    assert not Grammar(prose_rules(without(["ab", "abc", "x"])).replace("prose ::=", "root ::=", 1)).unused
