"""Words about the work are no examples, cut calls never run, and what stands right after reasoning is read."""

from __future__ import annotations

from typing import Any

import pytest

from reading_aids import a_tool, calls_of
from sayso.core.ports import NativeCall
from sayso.core.protocols.calls import read_reply
from sayso.core.protocols.hiding import ProseStream
from sayso.core.protocols.reading import read_text
from small_world import SEARCH


def schema(*required: str, **types: object) -> dict[str, object]:
    return {"type": "object", "properties": {k: {"type": t} for k, t in types.items()}, "required": list(required)}


class CountingIds:
    def new(self, prefix: str) -> str:
        return f"{prefix}_1"


TOOLS = {
    "find": a_tool("find", schema("q", q="string", limit="integer")),
    "now": a_tool("now", schema(zone="string")),
    "tag": a_tool("tag", schema(labels="array", more="object", at="number", either=["array", "string"])),
}
J = '{"name": "find", "arguments": {"q": "Elena"}}'
NOW: list[tuple[str, Any]] = [("now", {})]
FOUND: list[tuple[str, Any]] = [("find", {"q": "Elena"})]
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
        ('<invoke name="now"></invoke>', NOW),
        ("<function=now></function>", NOW),
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


@pytest.mark.parametrize(
    "arguments",
    [
        '{"labels": "[1, 2"}',
        '{"labels": "[1] x"}',
        '{"more": "{a"}',
        '{"more": "plain words"}',
        '{"at": 1e999}',
        '{"at": "1e999"}',
        '{"at": NaN}',
        '{"at": -Infinity}',
    ],
)
def test_what_is_no_value_of_its_type_is_told_and_never_runs(arguments: str) -> None:
    text = f'<tool_call>{{"name": "tag", "arguments": {arguments}}}</tool_call>'
    assert (calls_of(text, TOOLS), [call.fault for call in read_text(text, TOOLS).calls]) == ([], ["broken"])


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("<tool_call>call:tag{at:1e999}</tool_call>", None),
        ("<tool_call>call:tag{at:1.5}</tool_call>", {"at": 1.5}),
        ("<function=tag><parameter=other>NaN</parameter></function>", {"other": "NaN"}),
        ("[tag(either='[1')]", {"either": "[1"}),
        ("[tag(labels={'a', 'b'})]", {"labels": ["a", "b"]}),
        ("[tag(labels={1})]", {"labels": [1]}),
        ("[tag(more={})]", {"more": {}}),
        (
            '<tool_call>{"name": "tag", "arguments": {"labels": "[{\\\\"a\\\\": 1}]"}}</tool_call>',
            {"labels": [{"a": 1}]},
        ),
        ('<function=tag><parameter=labels>[{\\"a\\": 1}]</parameter></function>', {"labels": [{"a": 1}]}),
    ],
)
def test_numbers_sets_and_lists_that_were_encoded_twice_are_read_as_what_they_are(text: str, arguments: object) -> None:
    assert calls_of(text, TOOLS) == ([("tag", arguments)] if arguments is not None else [])


@pytest.mark.parametrize(
    ("value", "q"),
    [("\nx\n", "x"), ("x\n", "x\n"), ("\nx", "\nx"), ("\n\nx\n\n", "\nx\n"), ("\r\nx\r\n", "x"), ("\n", "\n")],
)
def test_newlines_belong_to_the_markup_only_as_a_pair(value: str, q: str) -> None:
    assert calls_of(f"<function=find><parameter=q>{value}</parameter></function>", TOOLS) == [("find", {"q": q})]


def test_without_a_closer_the_newline_before_the_next_tag_belongs_to_the_tag() -> None:
    text = "<function=find><parameter=q>x\n<parameter=limit>3</parameter></function>"
    assert calls_of(text, TOOLS) == [("find", {"q": "x", "limit": 3})]


def test_a_native_call_with_a_list_that_is_not_whole_is_handed_on_as_it_was_written() -> None:
    native = NativeCall("1", "tag", '{"labels": "[1, 2"}')
    reading = read_reply("", [native], TOOLS, CountingIds(), cut=False, said=tuple)
    assert [call.arguments for call in reading.calls] == [native.arguments]


G = '<|"|>'


@pytest.mark.parametrize(
    "text",
    [
        f"call:find{{q:{G}Elena{G}}}",
        f"Some words.\ncall:find{{q:{G}Elena{G}}}",
        f"<|channel>thought\nWho?<channel|>call:find{{q:{G}Elena{G}}}",
        f"<|tool_call>:call:find{{q:{G}Elena{G}}}<tool_call|>",
        f"<call>find{{q:{G}Elena{G}}}</call>",
        "call:find{q:<escape>Elena<escape>}",
        f"call:functions.find{{q:{G}Elena{G}}}",
    ],
)
def test_the_string_marks_of_gemma_tell_a_call_without_its_tokens(text: str) -> None:
    assert calls_of(text, TOOLS) == FOUND


@pytest.mark.parametrize("text", ["call:find{q:Elena}", f"call:find {G}", "call: find", f"recall:find{{q:{G}x{G}}}"])
def test_without_its_marks_a_word_and_a_colon_are_text(text: str) -> None:
    assert (calls_of(text, TOOLS), read_text(text, TOOLS).prose) == ([], text)


def test_a_second_name_after_a_mark_of_mistral_is_a_second_call() -> None:
    text = '[TOOL_CALLS]find[ARGS]{"q": "Elena"}now[ARGS]{"zone": "CET"} done'
    assert calls_of(text, TOOLS) == [*FOUND, ("now", {"zone": "CET"})]


def test_a_call_of_gemma_without_its_tokens_is_not_shown_while_it_streams() -> None:
    for opener in ("call:", "<call>"):
        text = f"I call: now.\nLet me look. {opener}find{{q:{G}Elena{G}}}"
        for size in (1, 3, 7):
            stream = ProseStream(TOOLS)
            shown = "".join(stream.feed(text[at : at + size]) for at in range(0, len(text), size))
            assert shown.strip() == "I call: now.\nLet me look."


@pytest.mark.parametrize(
    "text", ["now(zone: Antwerp)", "now(Antwerp)", "TOOL: now(Antwerp)", "TOOL: now(zone: Antwerp)"]
)
def test_a_word_without_quotation_marks_is_never_dropped_from_a_call(text: str) -> None:
    assert calls_of(text, TOOLS) == []


@pytest.mark.parametrize("text", ['now(zone: "CET")', 'TOOL: now(zone: "CET")', '[TOOL_CALLS]now(zone: "CET")'])
def test_a_colon_may_stand_between_a_parameter_and_its_value(text: str) -> None:
    assert calls_of(text, TOOLS) == [("now", {"zone": "CET"})]


@pytest.mark.parametrize("text", ["TOOL: now(zone)", "TOOL: now(zone: str)", "now(zone)"])
def test_the_names_and_types_of_the_catalogue_are_no_values(text: str) -> None:
    assert calls_of(text, TOOLS) == [("now", {})]


def test_a_call_in_reasoning_within_reasoning_never_runs() -> None:
    text = f"<think>a<think>b</think>{TAG} still thinking</think>Answer"
    reading = read_text(text, TOOLS)
    assert (reading.calls, reading.prose) == ((), "Answer")
    for size in (1, 5, len(text)):
        stream = ProseStream(TOOLS)
        assert "Answer".startswith("".join(stream.feed(text[at : at + size]) for at in range(0, len(text), size)))


def test_a_mark_of_reasoning_that_only_comes_again_does_not_hide_the_answer() -> None:
    assert read_text("<think>I write <think> once</think>Answer", TOOLS).prose == "Answer"
    assert read_text(f"{'<think>' * 20}a</think>Answer", TOOLS).prose == "Answer"


def test_a_number_longer_than_any_is_no_value() -> None:
    digits = "9" * 5000
    assert calls_of(f"Pi:\n[{digits}]", TOOLS) == []
    assert calls_of(f'<tool_call>{{"name": "tag", "arguments": {{"at": {digits}}}}}</tool_call>', TOOLS) == []
    assert calls_of(f"<function=tag><parameter=at>{digits}</parameter></function>", TOOLS) == [("tag", {"at": digits})]


def test_the_plus_and_the_zeros_of_a_number_for_a_text_are_kept() -> None:
    assert calls_of('TOOL: find\nARGS: {"query": 1, "q": +41774730093, "limit": 007}', TOOLS) == [
        ("find", {"query": 1, "q": "+41774730093", "limit": 7})
    ]


def test_calls_that_are_printed_a_thousand_times_are_text() -> None:
    text = "print(" * 1000
    assert read_text(text, TOOLS).calls == ()


def test_very_many_calls_that_are_joined_are_all_read() -> None:
    assert len(calls_of(f"<|python_tag|>{'; '.join([J] * 1500)}", TOOLS)) == 1500


@pytest.mark.parametrize("tail", ["{", '{"a": 1}', '{"name": "find"'])
def test_what_is_joined_to_a_call_and_is_none_does_not_hide_it(tail: str) -> None:
    assert calls_of(f"<|python_tag|>{J}; {tail}", TOOLS) == FOUND


def test_a_reply_full_of_data_is_read_in_one_go() -> None:
    text = "[\n" * 3000 + f"\n{TAG}"
    assert calls_of(text, TOOLS) == FOUND


def test_words_between_fences_are_seen_when_reasoning_and_calls_are_not() -> None:
    fence = f"```json\n{J}\n```"
    assert calls_of(f"<think>so</think>\n{fence}\n", TOOLS) == FOUND
    assert calls_of(f"{fence}\nDone.", TOOLS) == []
    assert calls_of(f"{fence}\n<think>so</think>\n\n{J}", TOOLS) == FOUND


@pytest.mark.parametrize("around", ["<!-- {} -->", "| a call | {} |"])
def test_a_call_in_a_comment_or_a_table_is_shown_and_not_meant(around: str) -> None:
    text = around.format('<tool_call>{"name": "search_people", "arguments": {"query": "x"}}</tool_call>')
    reading = read_text(text, {"search_people": SEARCH})
    assert (reading.calls, reading.prose) == ((), text)
