"""What reads like a call and is none: examples, code, data, definitions, quotations, what was, what was cut."""

from __future__ import annotations

import pytest

from reading_aids import a_tool, calls_of
from sayso.core.protocols.reading import read_text


def schema(*required: str, **types: str) -> dict[str, object]:
    return {"type": "object", "properties": {k: {"type": t} for k, t in types.items()}, "required": list(required)}


TOOLS = {
    "get_weather": a_tool("get_weather", schema("city", city="string", unit="string")),
    "search_people": a_tool("search_people", schema("query", query="string", limit="integer")),
    "list_habits": a_tool("list_habits", schema()),
    "write_file": a_tool("write_file", schema("path", "content", path="string", content="string")),
}
J = '{"name": "get_weather", "arguments": {"city": "Rome"}}'
LOOK_ALIKES = [
    f"A Hermes call looks like <tool_call>{J}</tool_call> in the output.",
    f"Hermes models write:\n\n<tool_call>\n{J}\n</tool_call>\n\nThe server parses it.",
    f"For example:\n\n{J}\n\nwould call the weather tool.",
    f"Here is an example:\n```json\n{J}\n```",
    f"You can call the tool like this:\n```json\n{J}\n```\n",
    f"```json\n{J}\n```\nThis is the JSON that the server expects.",
    '```python\nresult = get_weather(city="Rome")\nprint(result)\n```',
    'Use this code:\n```python\nget_weather(city="Rome")\n```',
    "You can use:\n\nlist_habits()\n\nIt returns all habits.",
    "list_habits() returns all habits.",
    "- list_habits(): all habits\n- get_weather(city): the weather",
    'The user said: "TOOL: list_habits" and nothing else.',
    '> TOOL: search_people\n> ARGS: {"query": "x"}\n\nThat is what you wrote.',
    'Earlier I wrote:\nTOOL: search_people\nARGS: {"query": "Elena"}\nand it found two.',
    '{"tools": [{"name": "get_weather", "description": "x", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}]}',
    '<tools>\n{"type": "function", "function": {"name": "get_weather", "description": "x", "parameters": {"type": "object", "properties": {}}}}\n</tools>',
    '<tool_response>\n{"name": "get_weather", "content": {"city": "Rome", "temp": 3}}\n</tool_response>',
    f"<tool_response>{J}</tool_response>",
    f"The log says `{J}` was sent.",
    f"Die Antwort: ein Aufruf sieht so aus: {J}",
    f"Zum Beispiel:\n\n<tool_call>{J}</tool_call>",
    f"Par exemple :\n```json\n{J}\n```",
    f"const x = {J};",
    '{"name": "get_weather", "arguments": {"city": "Ro',
    '<tool_call>{"name": "get_weather", "arguments": {"city": "Ro',
    '[TOOL_CALLS]get_weather{"city": "Ro',
    "<function=get_weather>\n<parameter=city>\nRo",
    'TOOL: get_weather\nARGS: {"city": "Ro',
    'get_weather(city="Ro',
    'The [TOOL_CALLS] token starts a call, as in [TOOL_CALLS]get_weather{"city": "Rome"}.',
    'In DeepSeek format: <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Rome"}<｜tool▁call▁end｜><｜tool▁calls▁end｜> is what you would see.',
    '{"name": "get_weather", "city": "Rome", "temperature": 3}',
    '[{"name": "get_weather", "status": "ok"}, {"name": "list_habits", "status": "failed"}]',
    '{"name": "search_people"}',
    '{"name": "list_habits", "version": "1.0.0", "dependencies": {}}',
    '```json\n{"name": "list_habits", "version": "1.0.0"}\n```',
    '{"call": {"name": "get_weather", "arguments": {"city": "Rome"}}, "note": "nested"}',
    '{"request": {"name": "get_weather", "arguments": {"city": "Rome"}}, "response": 3}',
    "Action: call Elena tomorrow",
    "Action: search_people for Elena",
    "Action items: list_habits",
    "Tool: list_habits is the one you want.",
    "TOOL: <name>\nARGS: {json}",
    "TOOL: none",
    'TOOL: name\nARGS: {"x": 1}',
    'I will call search_people(query="Elena") now.',
    "Let me use list_habits() for that.",
    "<search_people> is a tag.",
    "<div><query>x</query></div>",
    "&lt;tool_call&gt;" + J + "&lt;/tool_call&gt;",
    f'"{J}"',
    f"'<tool_call>{J}</tool_call>'",
    f"The previous turn contained <tool_call>{J}</tool_call>, which failed.",
    f"I should not call <tool_call>{J}</tool_call>.",
    "functools is a Python module; functools[0] fails.",
    'Example:\nTOOL: search_people\nARGS: {"query": "Elena"}',
    'This is the format:\n\nTOOL: search_people\nARGS: {"query": "Elena"}',
    '{"query": "Elena"}',
    '{"city": "Rome"}',
    "```\nTOOL: list_habits\n```\nis how you write it.",
    "| tool | call |\n|---|---|\n| list_habits | list_habits() |",
    "def get_weather(city):\n    return 1",
    "get_weather(city) -> str",
    'get_weather(city: str, unit: str = "C")',
    'await get_weather(city="Rome")',
    'x = get_weather(city="Rome")\nprint(x)',
    "list_habits",
    "get_weather",
    "`list_habits`",
    '{"get_weather": {"description": "x"}}',
    '{"search_people": {"count": 3}}',
    '{"list_habits": {}}x',
    '<invoke name="get_weather"> is the opening tag.',
    "<function=get_weather> begins a call.",
    "Thought: I could use search_people.\nFinal Answer: no.",
    '{"type": "object", "properties": {"name": {"type": "string"}}}',
    '{"error": "unknown tool", "tool": "get_weather"}',
    '{"tool": "get_weather", "result": {"temp": 3}}',
    '{"function": "get_weather", "result": 3}',
    '{"id": 1, "name": "list_habits"}',
    'name: get_weather\narguments: {"city": "Rome"}',
    "curl -d '" + J + "' http://x",
    "$ list_habits()",
    ">>> list_habits()\n[]",
    '>>> get_weather(city="Rome")\n3',
    'list_habits()\n# -> ["run"]',
    'search_people("Elena") => 2 matches',
]


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_a_look_alike_is_no_call(text: str) -> None:
    assert calls_of(text, TOOLS) == []


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_what_is_no_call_is_lost_nowhere(text: str) -> None:
    reading = read_text(text, TOOLS)
    if not reading.calls:  # a call that was cut is handed on, and the model is told
        assert reading.prose == text


def test_what_was_refused_is_counted() -> None:
    assert (
        read_text(f"For example:\n\n<tool_call>{J}</tool_call>\n\nand <tool_call>{J}</tool_call>", TOOLS).rejected >= 1
    )


def test_a_text_with_very_many_look_alikes_is_about_calls() -> None:
    text = f"For example <tool_call>{J}</tool_call>\n\n" * 200 + f"<tool_call>{J}</tool_call>"
    reading = read_text(text, TOOLS)
    assert (reading.calls, reading.prose) == ((), text)
