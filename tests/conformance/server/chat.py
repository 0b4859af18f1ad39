"""OpenAI's chat completions, as its strictest servers take them (the rules of several, together)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from conformance.server.http import Answer, Asked, refusing
from conformance.server.provider import Calls, Stream, StreamFault, Wrong, as_mapping, event, json_object, only
from conformance.server.script import Call, Reply, Text, Thought

_FIELDS = {
    "model", "messages", "stream", "stream_options", "temperature", "top_p", "max_tokens", "max_completion_tokens",
    "tools", "tool_choice", "parallel_tool_calls", "reasoning_effort", "response_format", "seed", "stop", "user",
    "store", "metadata", "n", "presence_penalty", "frequency_penalty", "logit_bias", "service_tier",
}  # fmt: skip
_MESSAGE = {
    "system": {"role", "content", "name"},
    "user": {"role", "content", "name"},
    "assistant": {"role", "content", "name", "tool_calls", "refusal"},
    "tool": {"role", "content", "tool_call_id"},
}
_ID = re.compile(r"[a-zA-Z0-9]{9}")
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_FINISH = {"stop": "stop", "calls": "tool_calls", "length": "length", "filter": "content_filter"}


class Chat:
    protocol = "chat"
    root = "/v1"

    def __init__(self) -> None:
        self._ids = count(1)

    # --- what it takes ---------------------------------------------------------------------------------------------

    def check(self, asked: Asked) -> Answer | None:
        if asked.method != "POST" or asked.path != "/v1/chat/completions":
            message = f"Invalid URL ({asked.method} {asked.path})"
            return refusing(404, _error(message, "invalid_request_error"))
        try:
            body = as_mapping(asked.body, "We could not parse the JSON body of your request.")
            self._fields(body)
            self._messages(body["messages"])
            self._tools(body)
        except Wrong as wrong:
            return refusing(400, _error(str(wrong), "invalid_request_error"))
        return None

    def _fields(self, body: Mapping[str, Any]) -> None:
        only(body, _FIELDS, "")
        if not isinstance(body.get("model"), str) or not body["model"]:
            raise Wrong("you must provide a model parameter")
        if not isinstance(body.get("messages"), list) or not body["messages"]:
            raise Wrong(
                "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array."
            )
        if body.get("stream") is not True and "stream_options" in body:
            raise Wrong("The 'stream_options' parameter is only allowed when 'stream' is enabled.")
        if "max_tokens" in body and "max_completion_tokens" in body:
            raise Wrong("Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.")
        limit = body.get("max_tokens", body.get("max_completion_tokens", 1))
        if not isinstance(limit, int) or limit < 1:
            raise Wrong(f"Invalid value for 'max_tokens': {limit!r} is less than the minimum of 1.")

    def _messages(self, messages: Sequence[Any]) -> None:
        calls = Calls()
        for at, given in enumerate(messages):
            message = as_mapping(given, f"Invalid type for 'messages[{at}]': expected an object.")
            role = message.get("role")
            if role not in _MESSAGE:
                raise Wrong(
                    f"Invalid value: '{role}'. Supported values are: 'system', 'assistant', 'user', and 'tool'."
                )
            only(message, _MESSAGE[role], f"messages[{at}].")
            if role == "system" and at:
                raise Wrong("System message must be at the beginning.")
            _order(messages[at - 1]["role"] if at else "", role)
            self._pairing(at, message, calls)
            self._content(at, message)
        _all_answered(calls)
        if messages[-1]["role"] not in ("user", "tool"):
            raise Wrong(f"Expected last role User or Tool for serving but got {messages[-1]['role']}")

    def _pairing(self, at: int, message: Mapping[str, Any], calls: Calls) -> None:
        if message["role"] == "tool":
            ident = message.get("tool_call_id")
            if ident not in calls.open:
                raise Wrong("Invalid parameter: messages with role 'tool' must be a response to a preceeding message "
                            "with 'tool_calls'.", param=f"messages.[{at}].role")  # fmt: skip
            del calls.open[str(ident)]
            return
        _all_answered(calls)
        for number, call in enumerate(message.get("tool_calls") or ()):
            where = f"messages[{at}].tool_calls[{number}]"
            only(call, {"id", "type", "function"}, where + ".")
            only(call["function"], {"name", "arguments"}, where + ".function.")
            if call.get("type") != "function" or not call.get("id"):
                raise Wrong(f"Missing required parameter: '{where}.id'.")
            if not _ID.fullmatch(call["id"]):
                raise Wrong(f"Tool call id was {call['id']} but must be a-z, A-Z, 0-9, with a length of 9.")
            if call["id"] in calls.seen:
                raise Wrong(f"Duplicate value for 'tool_call_id' of '{call['id']}'")
            if not _NAME.fullmatch(str(call["function"].get("name"))):
                raise Wrong(f"Invalid '{where}.function.name': string does not match pattern.")
            json_object(call["function"].get("arguments"), f"{where}.function.arguments is not a JSON object")
            calls.seen.add(call["id"])
            calls.open[call["id"]] = call["function"]["name"]

    def _content(self, at: int, message: Mapping[str, Any]) -> None:
        content = message.get("content")
        if content is None and message.get("tool_calls"):
            return
        if isinstance(content, str):
            if not content:
                raise Wrong(f"Invalid 'messages[{at}].content': message must not be empty")
            return
        if not isinstance(content, list) or not content:
            raise Wrong("Invalid value for 'content': expected a string, got null.")
        for part in content:
            if part.get("type") == "image_url" and message["role"] == "user":
                only(part["image_url"], {"url", "detail"}, f"messages[{at}].content.")
                if not str(part["image_url"]["url"]).startswith("data:image/"):
                    raise Wrong("Error while downloading the image.")
            elif part.get("type") != "text" or not part.get("text"):
                raise Wrong(f"Invalid value: '{part.get('type')}'. Supported values are: 'text', 'image_url'.")

    def _tools(self, body: Mapping[str, Any]) -> None:
        if "tools" not in body:
            if "tool_choice" in body or "parallel_tool_calls" in body:
                raise Wrong(
                    "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified."
                )
            return
        if not body["tools"]:
            raise Wrong("[] is too short - 'tools'")
        if body.get("tool_choice", "auto") not in ("auto", "none", "required"):
            raise Wrong("Invalid value for 'tool_choice'.")
        for at, tool in enumerate(body["tools"]):
            only(tool, {"type", "function"}, f"tools[{at}].")
            only(tool["function"], {"name", "description", "parameters", "strict"}, f"tools[{at}].function.")
            if not _NAME.fullmatch(str(tool["function"].get("name"))):
                raise Wrong(f"Invalid 'tools[{at}].function.name': string does not match pattern.")
            if tool["function"]["parameters"].get("type") != "object":
                raise Wrong("Invalid schema for function: schema must be a JSON Schema of 'type: \"object\"'.")

    # --- what it says ----------------------------------------------------------------------------------------------

    def stream(self, reply: Reply) -> Stream:
        body: list[bytes] = []
        number = count()
        for part in reply.parts:
            match part:
                case Text(chunks):
                    body += [_chunk({"content": chunk}) for chunk in chunks]
                case Thought(chunks):
                    body += [_chunk({"reasoning_content": chunk}) for chunk in chunks]
                case Call():
                    body += self._call(part, next(number))
        finish = (
            _chunk({}, _FINISH[reply.finish]),
            _usage(
                f'{{"prompt_tokens":{reply.usage[0]},"completion_tokens":{reply.usage[1]},"total_tokens":{sum(reply.usage)}}}'
            ),
        )
        return Stream((_chunk({"role": "assistant", "content": ""}),), tuple(body), finish, (b"data: [DONE]\n\n",))

    def _call(self, call: Call, number: int) -> list[bytes]:
        ident = f"call_{next(self._ids):024d}" if call.id is None else call.id
        opening = {"index": number, "id": ident, "type": "function", "function": {"name": call.name, "arguments": ""}}
        rest = [{"index": number, "function": {"arguments": fragment}} for fragment in call.fragments]
        return [_chunk({"tool_calls": [delta]}) for delta in (opening, *rest)]

    def fault(self, what: StreamFault) -> bytes:
        said = {
            "busy": ("Rate limit reached for model in organization on tokens per min (TPM)", "rate_limit_exceeded"),
            "failure": ("The server had an error while processing your request. Sorry about that!", "server_error"),
            "overflow": ("This model's maximum context length is 8192 tokens.", "context_length_exceeded"),
        }
        message, code = said[what]
        return event({"error": {"message": message, "type": code, "param": None, "code": code}})

    def usage(self, tokens: str) -> bytes:
        return (
            _chunk({}, "stop")
            + _usage(f'{{"prompt_tokens":{tokens},"completion_tokens":{tokens}}}')
            + b"data: [DONE]\n\n"
        )


def _order(before: str, role: str) -> None:
    """The chat templates of several families want turns that alternate; one provider wants an answer after results."""
    if before == role and role in ("user", "assistant"):
        raise Wrong("Conversation roles must alternate user/assistant/user/assistant/...")
    if (before, role) == ("tool", "user"):
        raise Wrong("Unexpected role 'user' after role 'tool'")
    if (before, role) == ("system", "assistant"):
        raise Wrong("After the optional system message, conversation roles must alternate user/assistant/user/...")


def _all_answered(calls: Calls) -> None:
    if calls.open:
        raise Wrong(
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
            "'tool_call_id'. The following tool_call_ids did not have response messages: " + ", ".join(calls.open)
        )


def _error(message: str, kind: str, code: str | None = None) -> dict[str, Any]:
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


_COMMON = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1796000000, "model": "m-1"}


def _chunk(delta: Mapping[str, Any], finish: str | None = None) -> bytes:
    return event({**_COMMON, "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}]})


def _usage(usage: str) -> bytes:
    return event({**_COMMON, "choices": [], "usage": None}).replace(b'"usage":null', b'"usage":' + usage.encode())
