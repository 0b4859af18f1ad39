"""Each family's ways of writing a call, as its models write them: one text a line, and what it asks for.

Names and arguments are this test's own. A family whose form is read here streams without showing any of it, too.
"""

from __future__ import annotations

from typing import Any

import pytest

from reading_aids import a_tool, calls_of
from sayso.core.protocols.families import FAMILIES, OPENERS, family_of
from sayso.core.protocols.hiding import ProseStream
from sayso.core.protocols.reading import read_text

SCHEMA = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("city", "state", "unit", "location")}
    | {"n": {"type": "integer"}},
    "required": ["city"],
}
NAMES = ("get_weather", "get_time", "add", "search", "web.search", "get-weather", "write_file", "now", "register_user")
PLAIN = {name: a_tool(name) for name in NAMES}
TYPED = {name: a_tool(name, SCHEMA) for name in NAMES}
CASES: list[tuple[str, list[tuple[str, Any]], Any]] = []


def case(text: str, *expected: tuple[str, Any], tools: Any = PLAIN) -> None:
    CASES.append((text, list(expected), tools))


W = ("get_weather", {"city": "Paris"})
W2 = ("get_weather", {"city": "Rome"})
J = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
J2 = '{"name": "get_weather", "arguments": {"city": "Rome"}}'
# hermes
case(f"<tool_call>\n{J}\n</tool_call>\n<tool_call>\n{J2}\n</tool_call>", W, W2)
case(f"<tool_call>{J}", W)
case(f"<tool_call>[{J}, {J2}]</tool_call>", W, W2)
case(f"<tool_call>{J}\n{J2}</tool_call>", W, W2)
case(f"Sure<tool_call>{J}</tool_call>then", W)
case(f"<think>hm</think>\n\n<tool_call>\n{J}\n</tool_call><|im_end|>", W)
case('<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>', ("now", {}))
case('<tool_call>\n{"arguments": {"city": "Paris"}, "name": "get_weather"}\n</tool_call>', W)
case("<tool_call>\n{'name': 'get_weather', 'arguments': {'city': 'Paris'}}\n</tool_call>", W)
case(
    '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Par',
)
case(
    '<tool_call>\n{"name": "get_weather", "arguments": {"city": "a </tool_call> b"}}\n</tool_call>',
    ("get_weather", {"city": "a </tool_call> b"}),
)
case("<tool_call>\nnot json\n</tool_call>")
case("<tool_call></tool_call>")
# llama
case('<|python_tag|>{"name": "get_weather", "parameters": {"city": "Paris"}}', W)
case('{"name": "get_weather", "parameters": {"city": "Paris"}}<|eot_id|>', W)
case(
    '{"name": "get_weather", "arguments": {"city": "Paris"}}; {"name": "get_weather", "arguments": {"city": "Rome"}}',
    W,
    W2,
)
case(
    '{"name": "get_weather", "parameters": {"city": "Paris"}};{"name": "get_weather", "parameters": {"city": "Rome"}}<|eom_id|>',
    W,
    W2,
)
case(
    '<|python_tag|>{"name": "get_weather", "parameters": {"city": "Paris"}}; {"name": "get_weather", "parameters": {"city": "Rome"}}',
    W,
    W2,
)
case('<function=get_weather>{"city": "Paris"}</function><function=get_weather>{"city": "Rome"}</function>', W, W2)
case('<function=get_weather>{"city": "Paris"}</function>\n\nok', W)
case('<|python_tag|>web.search.call(query="x")', ("web.search", {"query": "x"}))
# mistral
case(f"[TOOL_CALLS][{J}]", W)
case(f"[TOOL_CALLS] [{J}, {J2}]", W, W2)
case('[TOOL_CALLS]get_weather{"city": "Paris"}[TOOL_CALLS]get_weather{"city": "Rome"}', W, W2)
case('[TOOL_CALLS]get_weather[ARGS]{"city": "Paris"}</s>', W)
case('[TOOL_CALLS]get_weather[CALL_ID]abc123456[ARGS]{"city": "Paris"}', W)
case('hello [TOOL_CALLS]add{"a": 3.5, "b": 4}', ("add", {"a": 3.5, "b": 4}))
case('[TOOL_CALLS] [{"arguments":{"city": "Paris"}, "name": "get_weather", "id":"abcdefghi"}]', W)
case('[TOOL_CALLS] {"name": "get_weather", "arguments": {"city": "Paris"}}', W)
case('[TOOL_CALLS] [{"name": "get_weather", "arguments":{"city": "Paris"}}', W)
# deepseek
B, E = "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"
b, e, s = "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>", "<｜tool▁sep｜>"
case(
    f'{B}{b}function{s}get_weather\n```json\n{{"city": "Paris"}}\n```{e}\n{b}function{s}get_weather\n```json\n{{"city": "Rome"}}\n```{e}{E}',
    W,
    W2,
)
case(f'{B}{b}get_weather{s}{{"city": "Paris"}}{e}{b}get_weather{s}{{"city": "Rome"}}{e}{E}<｜end▁of▁sentence｜>', W, W2)
case(f"{B}{b}now{s}{{}}{e}{E}", ("now", {}))
case(f'{b}get_weather{s}{{"city": "Paris"}}{e}', W)
case(f'hi {B}function{s}get_weather\n```json\n{{"city": "Paris"}}\n```{e}', W)
D = "｜DSML｜"
case(
    f'<{D}function_calls>\n<{D}invoke name="get_weather">\n<{D}parameter name="city" string="true">Paris</{D}parameter>\n<{D}parameter name="n" string="false">3</{D}parameter>\n</{D}invoke>\n</{D}function_calls>',
    ("get_weather", {"city": "Paris", "n": 3}),
)
case(
    f'<{D}tool_calls><{D}invoke name="get_weather"><{D}parameter name="city" string="true">Paris</{D}parameter></{D}invoke><{D}invoke name="get_weather"><{D}parameter name="city" string="true">Rome</{D}parameter></{D}invoke></{D}tool_calls>',
    W,
    W2,
)
case(f'<{D}function_calls><{D}invoke name="get_weather">{{"city": "Paris"}}</{D}invoke></{D}function_calls>', W)
case(f'<{D}invoke name="now"></{D}invoke>', ("now", {}))
case(f'<{D}invoke name="now"/>', ("now", {}))
case(
    '<||DSML||tool_calls><||DSML||invoke name="get_weather"><||DSML||parameter name="city" string="true">Paris</||DSML||parameter></||DSML||invoke></||DSML||tool_calls>',
    W,
)
# kimi
case(
    'I see. <|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Paris"}<|tool_call_end|><|tool_call_begin|>functions.get_weather:1<|tool_call_argument_begin|>{"city": "Rome"}<|tool_call_end|><|tool_calls_section_end|>',
    W,
    W2,
)
case(
    '<think>hm <|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Paris"}<|tool_call_end|><|tool_calls_section_end|>',
    W,
)
case('functions.get_weather:0{"city": "Paris"}', W)
case('functions.get_weather:0<|tool_call_argument_begin|>{"city": "Paris"}<|tool_call_end|>', W)
case(
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.get-weather:0<|tool_call_argument_begin|> {"city": "Paris"} <|tool_call_end|><|tool_calls_section_end|>',
    ("get-weather", {"city": "Paris"}),
)
# harmony
case(
    '<|channel|>analysis<|message|>think<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Paris"}<|call|>',
    W,
)
case('<|channel|>commentary to=functions.get_weather<|message|>{"city": "Paris"}', W)
case('<|start|>assistant to=functions.get_weather<|channel|>commentary json<|message|>{"city": "Paris"}<|call|>', W)
case(
    '<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Paris"}<|call|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Rome"}<|call|>',
    W,
    W2,
)
case('commentary to=functions.get_weather json{"city": "Paris"}', W)
case("<|channel|>final<|message|>Hello<|return|>")
case('<|channel|>commentary to=get_weather <|constrain|>json<|message|>{"city": "Paris"}<|call|>', W)
# glm
case(
    "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n</tool_call>\n<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Rome</arg_value>\n</tool_call>",
    W,
    W2,
)
case(
    "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value><arg_key>n</arg_key><arg_value>3</arg_value></tool_call>",
    ("get_weather", {"city": "Paris", "n": 3}),
    tools=TYPED,
)
case("<tool_call>now</tool_call>", ("now", {}))
case("<tool_call>now\n</tool_call>", ("now", {}))
case("<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>", W)
case("Let me check<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n</tool_call>\nok", W)
# qwen3 coder
case(
    "<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n<parameter=state>\nTX\n</parameter>\n</function>\n</tool_call>",
    ("get_weather", {"city": "Paris", "state": "TX"}),
)
case("<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n</function>\n</tool_call>", W)
case("<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n</function>", W)
case(
    "<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n<parameter=state>\nTX\n</parameter>\n</function>\n</tool_call>",
    ("get_weather", {"city": "Paris", "state": "TX"}),
    tools=TYPED,
)
case(
    "<tool_call>\n<function=get_weather>\n<parameter=city>Paris</parameter></function></tool_call><tool_call>\n<function=get_weather>\n<parameter=city>Rome</parameter></function></tool_call>",
    W,
    W2,
)
case("<tool_call>\n<function=now>\n</function>\n</tool_call>", ("now", {}))
case(
    '<tool_call>\n<function=write_file>\n<parameter=content>\ndef f():\n    return "<a>"\n\n</parameter>\n</function>\n</tool_call>',
    ("write_file", {"content": 'def f():\n    return "<a>"\n'}),
)
case(
    "<tool_call>\n<function=write_file>\n<parameter=content>\nThis </parameter> text\nand </function> too\n</parameter>\n</function>\n</tool_call>",
    ("write_file", {"content": "This </parameter> text\nand </function> too"}),
)
case("<seed:tool_call>\n<function=get_weather>\n<parameter=city>Paris</parameter>\n</function>\n</seed:tool_call>", W)
case("<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n</function>\n", W)
case(
    '<tool_call>\n<function=add>\n<parameter=a>\n{"x": 1}\n</parameter>\n<parameter=b>\n[1, 2]\n</parameter>\n</function>\n</tool_call>',
    ("add", {"a": {"x": 1}, "b": [1, 2]}),
)
# minimax
case(
    '<minimax:tool_call>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n</invoke>\n<invoke name="get_weather">\n<parameter name="city">Rome</parameter>\n</invoke>\n</minimax:tool_call>',
    W,
    W2,
)
N = "]<]minimax[>["
case(
    f'x\n{N}<tool_call>\n{N}<invoke name="get_weather">{N}<city>Paris{N}</city>{N}</invoke>\n{N}<invoke name="get_weather">{N}<city>Rome{N}</city>{N}</invoke>\n{N}</tool_call>',
    W,
    W2,
)
case(
    '<tool_calls>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_calls>',
    W,
    W2,
)
# step3
case(
    f'{B}{b}function{s}<steptml:invoke name="get_weather"><steptml:parameter name="city">Paris</steptml:parameter></steptml:invoke>{e}{E}',
    W,
)
# granite / phi / internlm / jamba / nemotron
case(f"<|tool_call|>[{J}]", W)
case(f"<|tool_call|> [{J}, {J2}]", W, W2)
case(
    '<function_call> {"name": "get_weather", "arguments": {"city": "Paris"}}\n<function_call> {"name": "get_weather", "arguments": {"city": "Rome"}}',
    W,
    W2,
)
case(f"functools[{J}]", W)
case(
    'functools[{"name": "get_weather", "arguments": {"city": "Paris"}}, {"name": "get_weather", "arguments": {"city": "Rome"}}]',
    W,
    W2,
)
case('hi<|action_start|><|plugin|>{"name": "get_weather", "parameters": {"city": "Paris"}}<|action_end|>', W)
case('<|action_start|> <|plugin|>\n{"name": "get_weather", "parameters": {"city": "Paris"}}\n<|action_end|>', W)
case(f" <tool_calls>[\n    {J},\n {J2}\n]</tool_calls>", W, W2)
case(f"<TOOLCALL>[{J}]</TOOLCALL>", W)
case('<TOOLCALL>[get_weather(city="Paris")]</TOOLCALL>', W)
case('<longcat_tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</longcat_tool_call>', W)
case('<|message_sep|>\n\nfunction call<|role_sep|>\n{"name": "get_weather", "arguments": {"city": "Paris"}}', W)
case('function call<|role_sep|>\n{"name": "get_weather", "arguments": {"city": "Paris"}}<|message_sep|>\n\n', W)
case('<|function_call|>{"name": "get_weather", "arguments": {"city": "Paris"}}', W)
case('<|tools_prefix|>[{"get_weather": {"city": "Paris"}}, {"get_weather": {"city": "Rome"}}]<|tools_suffix|>', W, W2)
case('<|content_invoke_tool_json|>{"name":"get_weather","args":{"city":"Paris"}}<|end_message|>', W)
case(
    '<|START_THINKING|>hm<|END_THINKING|><|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Paris"}}\n]<|END_ACTION|>',
    W,
)
case(
    'Action: ```json\n[\n    {\n        "tool_name": "get_weather",\n        "parameters": {"city": "Paris"}\n    }\n]\n```',
    W,
)
# functionary
case('get_weather\n{"city": "Paris"}', W)
case('>>>get_weather\n{"city": "Paris"}', W)
case('all\nSome text>>>get_weather\n{"city": "Paris"}\n>>>get_weather\n{"city": "Rome"}', W, W2)
case('<|from|>assistant\n<|recipient|>get_weather\n<|content|>{"city": "Paris"}<|stop|>', W)
case(
    '<|from|>assistant\n<|recipient|>all\n<|content|>hello\n<|from|>assistant\n<|recipient|>get_weather\n<|content|>{"city": "Paris"}',
    W,
)
# hunyuan
case(
    "<tool_calls><tool_call>get_weather<tool_sep><arg_key>city</arg_key><arg_value>Paris</arg_value></tool_call></tool_calls>",
    W,
)
case('<tool_calls>[{"name": "get_weather", "arguments": {"city": "Paris"}}]</tool_calls></answer>', W)
case(
    '<tool_calls:opensource><tool_call:opensource>get_weather<tool_sep:opensource>{"city": "Paris"}<end_of_tool_call:opensource></tool_calls:opensource>',
    W,
)
# plamo / ifm / k3
P = '<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>get_weather<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|>{"city": "Paris"}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|><|plamo:msg|>'
case(P, W)
case(
    "<|tool_call:start|>get_weather\n<|tool_arg:start|>city<|tool_arg:value|>Paris<|tool_arg:end|>\n<|tool_call:end|>",
    W,
)
case("<|think:start|>hm<|think:end|>x<|tool_call:start|>now\n<|tool_call:end|>", ("now", {}))
case("<|tool_call:start|>get_weather\n<|tool_arg:start|>city<|tool_arg:value|>Pa")
case(f"[TOOL_REQUEST]{J}[END_TOOL_REQUEST]", W)
case(
    "Before <ifm|tool_calls><ifm|tool_call>get_weather<ifm|arg_key>city</ifm|arg_key><ifm|arg_value>Paris</ifm|arg_value></ifm|tool_call>\n<ifm|tool_call>now</ifm|tool_call></ifm|tool_calls> after.",
    W,
    ("now", {}),
)
case(
    '<ifm|tool_calls><ifm|tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</ifm|tool_call></ifm|tool_calls>',
    W,
)
case(
    '<|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Paris<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
    W,
)
# pythonic
case('[get_weather(city="Paris"), get_weather(city="Rome")]', W, W2)
case("[get_weather(city='Paris')]", W)
case('<|python_start|>[get_weather(city="Paris")]<|python_end|>', W)
case(
    '[register_user(name="J", age=30, ok=True, role=None, address={"city": "X"}, tags=["a", "b"], empty=[], d={})]',
    (
        "register_user",
        {
            "name": "J",
            "age": 30,
            "ok": True,
            "role": None,
            "address": {"city": "X"},
            "tags": ["a", "b"],
            "empty": [],
            "d": {},
        },
    ),
)
case("[get_weather(city='L\\'A')]", ("get_weather", {"city": "L'A"}))
case('<|tool_call_start|>[get_weather(city="Paris")]<|tool_call_end|>ok', W)
case('<function_calls>get_weather(city="Paris")\nnow()</function_calls>', W, ("now", {}))
case('<function_calls>\nget_weather(city="Paris")\nget_weather(city="Rome")\n</function_calls>', W, W2)
case('```tool_code\nget_weather(city="Paris")\n```', W)
case("<start_function_call>call:get_weather{city:<escape>Paris<escape>}<end_function_call>", W)
case(
    "<start_function_call>call:get_weather{city:<escape>Paris<escape>}<end_function_call><start_function_call>call:add{a:3,b:true,c:1.5}<end_function_call>",
    W,
    ("add", {"a": 3, "b": True, "c": 1.5}),
)
case(
    '<|tool_call>call:get_weather{city:<|"|>Paris<|"|>}<tool_call|><|tool_call>call:get_weather{city:<|"|>Rome<|"|>}<tool_call|>',
    W,
    W2,
)
case(
    '<|tool_call>call:add{nested:{inner:<|"|>v<|"|>},list:[<|"|>a<|"|>,<|"|>b<|"|>]}<tool_call|>',
    ("add", {"nested": {"inner": "v"}, "list": ["a", "b"]}),
)
case('[get_weather(city="Paris")]\n', W)
case("[now()]", ("now", {}))
# minicpm
case(
    '<function name="get_weather"><param name="city">Paris</param></function>\nTXT\n<function name="get_weather"><param name="city">Rome</param></function>',
    W,
    W2,
)
case(
    '<functionname="get_weather"><paramname="city"><![CDATA[Pa\nris]]></param></function>',
    ("get_weather", {"city": "Pa\nris"}),
)
# openai obj
case(
    '{"tool_calls": [{"id": "1", "type": "function", "function": {"name": "get_weather", "arguments": "{\\"city\\": \\"Paris\\"}"}}]}',
    W,
)
case('```json\n{"tool_calls": [{"function": {"name": "get_weather", "arguments": {"city": "Paris"}}}]}\n```', W)
case(
    '<tool-use>\n{"tool_calls": [{"id": "p", "type": "function", "function": {"name": "get_weather"}, "parameters": {"city": "Paris"}}]}\n</tool-use>',
    W,
)
case(
    '[{"name": "get_weather", "arguments": {"city": "Paris"}}, {"name": "get_weather", "arguments": {"city": "Rome"}}]',
    W,
    W2,
)
case('I\'ll help.\n```json\n[{"name": "get_weather", "arguments": {"city": "Paris"}}]\n```', W)
case('get_weather{"city": "Paris"}</function>', W)
case('<function(get_weather){"city": "Paris"}</function>', W)
case('[Calling tool: get_weather({"city": "Paris"})]', W)
case(
    '<function_calls>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n</invoke>\n</function_calls>',
    W,
)
case('<tool name="get_weather">{"city": "Paris"}</tool>', W)
case('<tool_call name="get_weather">{"city": "Paris"}</tool_call>', W)
case('<tool_call>{"function": "get_weather", "arguments": {"city": "Paris"}}</tool_call>', W)
case('<tool_call>{"tool": "get_weather", "input": {"city": "Paris"}}</tool_call>', W)
case('<tool_call>get_weather(city="Paris")</tool_call>', W)
case('<tool_call>get_weather\n{"city": "Paris"}\n</tool_call>', W)
case('```json\n{"action": "get_weather", "action_input": {"city": "Paris"}}\n```', W)
case('Thought: x\nAction:\n```json\n{"action": "get_weather", "action_input": {"city": "Paris"}}\n```', W)
case(
    '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>\n\n\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>',
    W,
    W2,
)
case(
    '{"name": "get_weather", "arguments": {"city": "Paris"}}\n{"name": "get_weather", "arguments": {"city": "Rome"}}',
    W,
    W2,
)
case('<tools>{"name": "get_weather", "arguments": {"city": "Paris"}}</tools>', W)
case('<tool_calls>{"tool_calls": [{"name": "get_weather", "arguments": {"city": "Paris"}}]}</tool_calls>', W)
case('<｜tool▁calls｜>\n{"name": "get_weather", "arguments": {"city": "Paris"}}', W)
case(
    '<dots_function_call>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n</invoke>\n</dots_function_call>',
    W,
)
case(
    '<atem:function_calls>\n<atem:invoke name="get_weather">\n<atem:parameter name="city">Paris</atem:parameter>\n</atem:invoke>\n</atem:function_calls>',
    W,
)
case('<|tool_call|>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n<|/tool_call|>', W)
case('<|tool_list_start|>[{"name": "get_weather", "arguments": {"city": "Paris"}}]<|tool_list_end|>', W)
case(
    '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris", "n": "3"}}\n</tool_call>',
    ("get_weather", {"city": "Paris", "n": 3}),
    tools=TYPED,
)
case('[unused11][{"name": "get_weather", "arguments": {"city": "Paris"}}][unused12]', W)
case('<|tool_calls|>[{"name": "get_weather", "arguments": {"city": "Paris"}}]</tool_calls>', W)


@pytest.mark.parametrize(("text", "expected", "tools"), CASES, ids=[text[:60] for text, _, _ in CASES])
def test_a_familys_call_is_read(text: str, expected: list[tuple[str, Any]], tools: Any) -> None:
    assert calls_of(text, tools) == expected


@pytest.mark.parametrize(
    ("text", "expected", "tools"), [c for c in CASES if c[1]], ids=[c[0][:60] for c in CASES if c[1]]
)
def test_no_call_text_shows_while_it_streams(text: str, expected: list[tuple[str, Any]], tools: Any) -> None:
    stream = ProseStream(tools)
    shown = "".join(map(stream.feed, text))
    assert " ".join(read_text(text, tools).prose.split()).startswith(" ".join(shown.split()))


def test_every_family_of_the_table_is_tested() -> None:
    met = {family_of(opener).name for text, _, _ in CASES for opener in OPENERS.finditer(text)}
    assert {family.name for family in FAMILIES} - met == {"line", "qwen-agent"}  # tested in files of their own
