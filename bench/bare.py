"""The floors: a three-step exchange written by hand over httpx2 and over aiohttp, with no checks at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

TOOLS = [
    {"type": "function", "function": {"name": "search_people", "description": "Find people by name.", "parameters": {
        "type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}}},
    {"type": "function", "function": {"name": "list_people", "description": "List all people.",
                                      "parameters": {"type": "object", "properties": {}}}},
]  # fmt: skip


class Reply:
    """The text and the call of one streamed reply."""

    def __init__(self) -> None:
        self.text, self.name, self.arguments = "", "", ""

    def line(self, line: str) -> None:
        if not line.startswith("data: ") or line == "data: [DONE]":
            return
        for choice in json.loads(line[6:])["choices"]:
            delta = choice["delta"]
            self.text += delta.get("content") or ""
            for piece in delta.get("tool_calls", ()):
                self.name += piece["function"]["name"]
                self.arguments += piece["function"]["arguments"]


def request(messages: list[dict[str, Any]]) -> dict[str, Any]:
    return {"model": "bench", "messages": messages, "tools": TOOLS, "stream": True}


def answer_call(messages: list[dict[str, Any]], reply: Reply, run: Callable[[str, dict[str, Any]], str]) -> None:
    function = {"name": reply.name, "arguments": reply.arguments}
    messages.append({"role": "assistant", "content": None,
                     "tool_calls": [{"id": "call_1", "type": "function", "function": function}]})  # fmt: skip
    messages.append({"role": "tool", "tool_call_id": "call_1", "content": run(reply.name, json.loads(reply.arguments))})


async def over_httpx2(client: Any, url: str, messages: list[dict[str, Any]], run: Callable[..., str]) -> str:
    while True:
        reply = Reply()
        async with client.stream("POST", f"{url}/chat/completions", json=request(messages)) as response:
            async for line in response.aiter_lines():
                reply.line(line)
        if not reply.name:
            return reply.text
        answer_call(messages, reply, run)


async def over_aiohttp(session: Any, url: str, messages: list[dict[str, Any]], run: Callable[..., str]) -> str:
    while True:
        reply = Reply()
        async with session.post(f"{url}/chat/completions", json=request(messages)) as response:
            async for line in response.content:
                reply.line(line.decode().rstrip())
        if not reply.name:
            return reply.text
        answer_call(messages, reply, run)
