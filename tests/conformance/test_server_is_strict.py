"""The server that plays the providers refuses what they refuse: else the contract would prove nothing."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from conformance.server.http import Asked
from conformance.server.provider import Provider
from conformance.server.stage import provider_of

PATHS = {
    "chat": "/v1/chat/completions", "responses": "/v1/responses", "anthropic": "/v1/messages",
    "gemini": "/v1beta/models/gemini-3-flash:streamGenerateContent",
}  # fmt: skip
SCHEMA = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
GOOD: Mapping[str, Any] = {
    "chat": {
        "model": "m", "stream": True, "max_tokens": 100,
        "messages": [
            {"role": "system", "content": "Be brief."}, {"role": "user", "content": "Who?"},
            {"role": "assistant", "content": None, "tool_calls": [
                {"id": "c1abcdefg", "type": "function", "function": {"name": "find", "arguments": "{}"}},
                {"id": "c2abcdefg", "type": "function", "function": {"name": "find", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "c1abcdefg", "content": "none"}, {"role": "tool", "tool_call_id": "c2abcdefg", "content": "none"},
        ],
        "tools": [{"type": "function", "function": {"name": "find", "description": "f", "parameters": SCHEMA}}],
    },
    "responses": {
        "model": "m", "stream": True, "max_output_tokens": 100, "instructions": "Be brief.",
        "input": [
            {"role": "user", "content": "Who?"}, {"type": "function_call", "call_id": "c1abcdefg", "name": "find", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c1abcdefg", "output": "none"},
        ],
        "tools": [{"type": "function", "name": "find", "description": "f", "parameters": SCHEMA}],
    },
    "anthropic": {
        "model": "m", "stream": True, "max_tokens": 100, "system": "Be brief.",
        "messages": [
            {"role": "user", "content": "Who?"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "c1abcdefg", "name": "find", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1abcdefg", "content": "none"}]},
        ],
        "tools": [{"name": "find", "description": "f", "input_schema": SCHEMA}],
    },
    "gemini": {
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "contents": [
            {"role": "user", "parts": [{"text": "Who?"}]},
            {"role": "model", "parts": [{"functionCall": {"name": "find", "args": {}}, "thoughtSignature": "skip_thought_signature_validator"}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "find", "response": {"result": "none"}}}]},
        ],
        "tools": [{"functionDeclarations": [{"name": "find", "description": "f", "parameters": SCHEMA}]}],
        "generationConfig": {"maxOutputTokens": 100},
    },
}  # fmt: skip
Change = Callable[[Any], Any]


def check(protocol: str, body: Any) -> str:
    """The provider's refusal as text; "" where it takes the request."""
    provider: Provider = provider_of(protocol)
    query = {"alt": ["sse"]} if protocol == "gemini" else {}
    asked = Asked("POST", PATHS[protocol], query, {"anthropic-version": "2023-06-01"}, json.dumps(body).encode())
    answer = provider.check(asked)
    return "" if answer is None else b"".join(p for p in answer.pieces if isinstance(p, bytes)).decode()


@pytest.mark.parametrize("protocol", GOOD)
def test_a_good_request_is_taken(protocol: str) -> None:
    assert check(protocol, GOOD[protocol]) == ""


def _without(*path: Any) -> Change:
    def change(body: Any) -> None:
        for key in path[:-1]:
            body = body[key]
        del body[path[-1]]

    return change


def _with(value: Any, *path: Any) -> Change:
    def change(body: Any) -> None:
        for key in path[:-1]:
            body = body[key]
        body[path[-1]] = value

    return change


def _added(value: Any, *path: Any) -> Change:
    def change(body: Any) -> None:
        for key in path:
            body = body[key]
        body.append(value)

    return change


BAD: list[tuple[str, Change, str]] = [
    ("chat", _without("messages", 4), "did not have response messages"),
    ("chat", _without("messages", 2), "must be a response to a preceeding"),
    ("chat", _with("c1abcdefg", "messages", 2, "tool_calls", 1, "id"), "Duplicate value"),
    ("chat", _with("call_1", "messages", 2, "tool_calls", 1, "id"), "with a length of 9"),
    ("chat", _added({"role": "user", "content": "x"}, "messages"), "Unexpected role 'user' after role 'tool'"),
    ("chat", _with({"role": "user", "content": "x"}, "messages", 2), "must alternate"),
    ("chat", _with("{", "messages", 2, "tool_calls", 0, "function", "arguments"), "not a JSON object"),
    ("chat", _with("", "messages", 1, "content"), "must not be empty"),
    ("chat", _with(None, "messages", 1, "content"), "expected a string, got null"),
    ("chat", _added({"role": "system", "content": "x"}, "messages"), "at the beginning"),
    ("chat", _with([], "tools"), "too short"),
    ("chat", _with(5, "max_completion_tokens"), "at the same time"),
    ("chat", _with(1, "wheels"), "Unknown parameter"),
    ("chat", _with([], "messages"), "empty array"),
    ("responses", _without("input", 2), "No tool output found"),
    ("responses", _without("input", 1), "No tool call found"),
    ("responses", _with("call_1", "input", 1, "id"), "begins with 'fc'"),
    ("responses", _with(5, "max_output_tokens"), "below minimum"),
    ("responses", _with("", "input", 2, "output"), "Missing required parameter"),
    ("responses", _with({"name": "find"}, "tools", 0, "function"), "tools[0].name"),
    ("responses", _with(True, "tools", 0, "strict"), "additionalProperties"),
    ("responses", _with([{"type": "text", "text": "x"}], "input", 0, "content"), "input_text"),
    ("anthropic", _without("max_tokens"), "max_tokens: Field required"),
    ("anthropic", _with("system", "messages", 0, "role"), "Unexpected role"),
    ("anthropic", _added({"role": "user", "content": "x"}, "messages"), "roles must alternate"),
    ("anthropic", _without("messages", 2), "were found without `tool_result`"),
    ("anthropic", _with("c9", "messages", 2, "content", 0, "tool_use_id"), "unexpected `tool_use_id`"),
    ("anthropic", _with("c:1", "messages", 1, "content", 0, "id"), "should match pattern"),
    ("anthropic", _without("tools"), "must define tools"),
    ("anthropic", _with([], "tools"), "must define tools"),
    ("anthropic", _with("", "messages", 0, "content"), "non-empty"),
    ("anthropic", _with(" ", "messages", 0, "content"), "non-whitespace"),
    ("anthropic", _with("{}", "messages", 1, "content", 0, "input"), "valid dictionary"),
    ("anthropic", _added({"role": "assistant", "content": "x"}, "messages"), "prefill"),
    ("anthropic", _with(1, "messages", 0, "id"), "Extra inputs"),
    ("anthropic", _with(2, "temperature"), "temperature"),
    ("gemini", _without("contents", 2), "end with a user role"),
    ("gemini", _with("other", "contents", 2, "parts", 0, "functionResponse", "name"), "function response parts"),
    ("gemini", _with("assistant", "contents", 1, "role"), "valid role"),
    ("gemini", _added({"role": "user", "parts": [{"text": "x"}]}, "contents"), "alternate"),
    ("gemini", _with("", "contents", 0, "parts", 0, "text"), "data"),
    ("gemini", _with([], "contents", 0, "parts"), "must not be empty"),
    ("gemini", _with(False, "tools", 0, "functionDeclarations", 0, "parameters", "additionalProperties"), "Cannot find field"),
    ("gemini", _with({}, "tools", 0, "functionDeclarations", 0, "parameters", "properties"), "should be non-empty for OBJECT"),
    ("gemini", _with(["string", "null"], "tools", 0, "functionDeclarations", 0, "parameters", "properties", "query", "type"), "not repeating"),
    ("gemini", _with({"$ref": "#/x"}, "tools", 0, "functionDeclarations", 0, "parameters", "properties", "query"), "Cannot find field"),
    ("gemini", _with("none", "contents", 2, "parts", 0, "functionResponse", "response"), "Struct"),
    ("gemini", _without("contents", 1, "parts", 0, "thoughtSignature"), "thought_signature"),
    ("gemini", _with([], "contents"), "contents is not specified"),
]  # fmt: skip


@pytest.mark.parametrize(("protocol", "change", "wording"), BAD, ids=[f"{p}-{w}".replace(" ", "_") for p, _, w in BAD])
def test_a_bad_request_is_refused_in_the_providers_words(protocol: str, change: Change, wording: str) -> None:
    body = copy.deepcopy(GOOD[protocol])
    change(body)
    assert wording in check(protocol, body).replace('\\"', '"')
