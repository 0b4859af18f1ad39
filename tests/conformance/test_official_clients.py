"""The providers' own client libraries read what the server plays, and their requests pass its strict rules.

They are no dependency of ours: where they are not installed, these tests are skipped. To run them, install openai,
anthropic and google-genai into a folder of their own and add it to PYTHONPATH.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from conformance.server.script import Reply, Text, Thought, call
from conformance.server.stage import staged

pytestmark = pytest.mark.anyio
REPLY = Reply(
    (Thought(("Hm ", "so.")), Text(("Hal", "lo ", "🎉")), call("find", query="Elena"), call("find", query="Zoë")),
    "calls",
    (12, 34),
)
SCHEMA: dict[str, Any] = {
    "type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"], "additionalProperties": False,
}  # fmt: skip
ASKED = [("find", {"query": "Elena"}), ("find", {"query": "Zoë"})]


async def test_the_chat_completions_that_are_played_are_read_by_the_openai_client() -> None:
    openai: Any = pytest.importorskip("openai")
    async with staged("chat") as stage:
        stage.play(REPLY)
        client = openai.AsyncOpenAI(api_key="k", base_url=stage.url, max_retries=0)
        function = {"name": "find", "description": "d", "strict": True, "parameters": SCHEMA}
        async with client.chat.completions.stream(
            model="m", messages=[{"role": "user", "content": "hi"}], stream_options={"include_usage": True},
            max_tokens=50, tools=[{"type": "function", "function": function}],
        ) as stream:  # fmt: skip
            whole = await stream.get_final_completion()
        await client.close()
    said = whole.choices[0].message
    assert said.content == "Hallo 🎉"
    assert [(c.function.name, json.loads(c.function.arguments)) for c in said.tool_calls] == ASKED
    assert (whole.choices[0].finish_reason, whole.usage.prompt_tokens) == ("tool_calls", 12)
    assert not stage.refused


async def test_the_responses_that_are_played_are_read_by_the_openai_client() -> None:
    openai: Any = pytest.importorskip("openai")
    async with staged("responses") as stage:
        stage.play(REPLY)
        client = openai.AsyncOpenAI(api_key="k", base_url=stage.url, max_retries=0)
        tool = {"type": "function", "name": "find", "description": "d", "strict": True, "parameters": SCHEMA}
        async with client.responses.stream(
            model="m", input="hi", instructions="x", max_output_tokens=50, tools=[tool]
        ) as stream:
            whole = await stream.get_final_response()
        await client.close()
    assert whole.output_text == "Hallo 🎉"
    assert [(o.name, json.loads(o.arguments)) for o in whole.output if o.type == "function_call"] == ASKED
    assert (whole.status, whole.usage.output_tokens) == ("completed", 34)
    assert not stage.refused


async def test_the_messages_that_are_played_are_read_by_the_anthropic_client() -> None:
    anthropic: Any = pytest.importorskip("anthropic")
    async with staged("anthropic") as stage:
        stage.play(REPLY)
        client = anthropic.AsyncAnthropic(api_key="k", base_url=stage.url.removesuffix("/v1"), max_retries=0)
        async with client.messages.stream(
            model="m", max_tokens=100, messages=[{"role": "user", "content": "hi"}],
            tools=[{"name": "find", "description": "d", "input_schema": SCHEMA}],
        ) as stream:  # fmt: skip
            whole = await stream.get_final_message()
        await client.close()
    assert [block.type for block in whole.content] == ["thinking", "text", "tool_use", "tool_use"]
    assert [(block.name, block.input) for block in whole.content[2:]] == ASKED
    assert (whole.stop_reason, whole.usage.input_tokens, whole.usage.output_tokens) == ("tool_use", 12, 34)
    assert not stage.refused


async def test_the_contents_that_are_played_are_read_by_the_google_client() -> None:
    genai: Any = pytest.importorskip("google.genai")
    types = genai.types
    async with staged("gemini") as stage:
        stage.play(REPLY)
        address = types.HttpOptions(base_url=stage.url.removesuffix("/v1beta"), api_version="v1beta")
        client = genai.Client(api_key="k", http_options=address)
        schema = types.Schema(type="OBJECT", properties={"query": types.Schema(type="STRING")})
        declared = types.FunctionDeclaration(name="find", description="d", parameters=schema)
        asked = types.GenerateContentConfig(
            system_instruction="x", tools=[types.Tool(function_declarations=[declared])],
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        )  # fmt: skip
        parts: list[Any] = []
        last: Any = None
        async for last in await client.aio.models.generate_content_stream(
            model="gemini-3-flash", contents="hi", config=asked
        ):
            parts += last.candidates[0].content.parts or []
        await client.aio.aclose()
    assert "".join(p.text for p in parts if p.text and not p.thought) == "Hallo 🎉"
    assert [(p.function_call.name, p.function_call.args) for p in parts if p.function_call] == ASKED
    assert (last.candidates[0].finish_reason.name, last.usage_metadata.prompt_token_count) == ("STOP", 12)
    assert not stage.refused
