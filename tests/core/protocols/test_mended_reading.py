"""Words about the work are no examples, cut calls never run, and what stands right after reasoning is read."""

from __future__ import annotations

import pytest

from reading_aids import a_tool, calls_of
from sayso.core.protocols.reading import read_text


def schema(*required: str, **types: str) -> dict[str, object]:
    return {"type": "object", "properties": {k: {"type": t} for k, t in types.items()}, "required": list(required)}


TOOLS = {
    "find": a_tool("find", schema("q", q="string", limit="integer")),
    "now": a_tool("now", schema(zone="string")),
    "tag": a_tool("tag", schema(labels="array", more="object", at="number")),
}
J = '{"name": "find", "arguments": {"q": "Elena"}}'
FOUND = [("find", {"q": "Elena"})]
TAG = f"<tool_call>{J}</tool_call>"
TOKEN = '[TOOL_CALLS]find[ARGS]{"q": "Elena"}'


@pytest.mark.parametrize("call", [TAG, TOKEN, J, 'TOOL: find\nARGS: {"q": "Elena"}'])
@pytest.mark.parametrize(
    "lead",
    [
        "Let me check the format of the file.",
        "First I look at the template.",
        "The documentation says so; checking.",
        "I would call the tool.",
        "The notes are written and formatted.",
    ],
)
def test_a_sentence_about_the_work_does_not_make_the_call_after_it_an_example(lead: str, call: str) -> None:
    assert calls_of(f"{lead}\n\n{call}", TOOLS) == FOUND


@pytest.mark.parametrize("lead", ["Formatted. ", "Use the right format: ", "Let me write the schema. ", "An example. "])
def test_a_special_token_is_a_call_whatever_is_said_before_it(lead: str) -> None:
    assert calls_of(lead + TOKEN, TOOLS) == FOUND


@pytest.mark.parametrize(
    "thought",
    [
        "<think>For example, check the date format:</think>\n",
        "The format is like this:</think>\n\n",
        "<|channel|>analysis<|message|>An example of the syntax:<|end|>",
        "[THINK]the schema looks like `[/THINK]",
        "<|channel>thought\nsuch as<channel|>",
        "<|START_THINKING|>for example:<|END_THINKING|>",
        "<think>\n```json\n{}\nfor example:</think>\n",
    ],
)
@pytest.mark.parametrize("call", [TAG, TOKEN])
def test_reasoning_explains_nothing(thought: str, call: str) -> None:
    assert calls_of(thought + call, TOOLS) == FOUND


def test_the_arguments_of_a_call_explain_nothing_about_the_next_one() -> None:
    bare = '{"name": "find", "arguments": {"q": "for example: the format"}}'
    assert [name for name, _ in calls_of(f"{bare}\n\n{TAG}", TOOLS)] == ["find", "find"]


@pytest.mark.parametrize(
    "text",
    [
        f"For example:\n\n{TAG}",
        f"The format is: {TAG}",
        f"Here is an example. {TAG}",
        f"Let me show you the format:\n{TAG}",
        f"The syntax is {TAG}",
        f"Never call {TAG}",
        f"You write, for example {TOKEN}",
    ],
)
def test_words_that_lead_into_a_call_still_make_it_an_example(text: str) -> None:
    assert calls_of(text, TOOLS) == []


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name": "now",',
        '<tool_call>{"name": "now"',
        '<tool_call>{"name": "now", "arguments": {',
        '<tool_call>{"name": "now", "arguments": {"zone": "CET",',
        '<|tool_call|> [{"name": "now", "arguments": {',
        "[TOOL_CALLS]now[ARGS]{",
        '<invoke name="now">',
        "<function=now>",
        '<tool_call>{"name": "tag", "arguments": {"labels": [',
        '<tool_call>{"name": "tag", "arguments": {"labels": ["a",',
        '<tool_call>{"name": "find", "arguments": {"limit": "3"',
        '<invoke name="find"><parameter name="limit">3</parameter>',
    ],
)
def test_a_call_that_was_cut_is_told_and_never_runs(text: str) -> None:
    assert (calls_of(text, TOOLS), [call.fault for call in read_text(text, TOOLS).calls]) == ([], ["broken"])


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ('<tool_call>{"name": "find", "arguments": {"q": "Elena"', FOUND),
        ('<invoke name="now"></invoke>', [("now", {})]),
        ('<invoke name="find"/>', [("find", {})]),
        ('<tool_call>{"name": "find", "arguments": {"limit": 3}}</tool_call>', [("find", {"limit": 3})]),
        ('[TOOL_CALLS]find[ARGS]{"limit": 3}', [("find", {"limit": 3})]),
    ],
)
def test_a_call_that_only_lacks_its_last_closers_or_a_parameter_is_whole(text: str, calls: object) -> None:
    assert calls_of(text, TOOLS) == calls


@pytest.mark.parametrize("call", [J, f"[{J}]", 'find(q="Elena")', 'TOOL: find\nARGS: {"q": "Elena"}'])
@pytest.mark.parametrize("thought", ["<think>Who?</think>", "Who?</think>", "[THINK]Who?[/THINK] "])
def test_a_call_without_a_mark_may_stand_right_after_reasoning(thought: str, call: str) -> None:
    reading = read_text(thought + call, TOOLS)
    assert (calls_of(thought + call, TOOLS), reading.prose) == (FOUND, "")
