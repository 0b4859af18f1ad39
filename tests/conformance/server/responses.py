"""OpenAI's Responses: items in, typed events out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from conformance.server.http import Answer, Asked, refusing
from conformance.server.provider import Calls, Stream, StreamFault, Wrong, as_mapping, event, json_object, only
from conformance.server.script import Call, Reply, Text, Thought

_FIELDS = {
    "model", "input", "instructions", "stream", "tools", "tool_choice", "parallel_tool_calls", "max_output_tokens",
    "temperature", "top_p", "store", "reasoning", "include", "metadata", "text", "truncation", "user",
    "previous_response_id", "service_tier", "stream_options", "max_tool_calls", "prompt_cache_key",
}  # fmt: skip
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_ROLES = ("user", "assistant", "system", "developer")


class Responses:
    protocol = "responses"
    root = "/v1"

    def __init__(self) -> None:
        self._ids = count(1)

    # --- what it takes ---------------------------------------------------------------------------------------------

    def check(self, asked: Asked) -> Answer | None:
        if asked.method != "POST" or asked.path != "/v1/responses":
            return refusing(404, _error(f"Invalid URL ({asked.method} {asked.path})"))
        try:
            body = as_mapping(asked.body, "We could not parse the JSON body of your request.")
            only(body, _FIELDS, "")
            if not body.get("model"):
                raise Wrong("Missing required parameter: 'model'.")
            limit = body.get("max_output_tokens", 16)
            if not isinstance(limit, int) or limit < 16:
                raise Wrong("Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16.")
            if "instructions" in body and not isinstance(body["instructions"], str):
                raise Wrong("Invalid type for 'instructions': expected a string.")
            self._input(body.get("input"))
            self._tools(body)
        except Wrong as wrong:
            return refusing(400, _error(str(wrong)))
        return None

    def _input(self, items: Any) -> None:
        if isinstance(items, str) and items:
            return
        if not isinstance(items, list) or not items:
            raise Wrong(
                "One of \"input\" or \"previous_response_id\" or 'prompt' or 'conversation_id' must be provided."
            )
        calls = Calls()
        for at, given in enumerate(items):
            item = as_mapping(given, f"Invalid type for 'input[{at}]': expected an object.")
            match item.get("type", "message"):
                case "message":
                    self._message(at, item)
                case "function_call":
                    self._function_call(at, item, calls)
                case "function_call_output":
                    self._output(at, item, calls)
                case "reasoning":
                    only(item, {"type", "id", "summary", "encrypted_content"}, f"input[{at}].")
                case other:
                    raise Wrong(f"Invalid value: '{other}'. Supported values are: 'message', 'function_call', ...")
        for ident in calls.open:
            raise Wrong(f"No tool output found for function call {ident}.")

    def _message(self, at: int, item: Mapping[str, Any]) -> None:
        only(item, {"type", "role", "content", "id", "status"}, f"input[{at}].")
        role, content = item.get("role"), item.get("content")
        if role not in _ROLES:
            raise Wrong(f"Invalid value: '{role}'. Supported values are: {', '.join(map(repr, _ROLES))}.")
        if isinstance(content, str):
            if not content:
                raise Wrong(f"Invalid 'input[{at}].content': empty string.")
            return
        if not isinstance(content, list) or not content:
            raise Wrong(f"Invalid type for 'input[{at}].content': expected one of an array of objects or string.")
        text = "output_text" if role == "assistant" else "input_text"
        for part in content:
            if part.get("type") == "input_image" and role == "user":
                only(part, {"type", "image_url", "detail", "file_id"}, f"input[{at}].content.")
                if not str(part.get("image_url")).startswith("data:image/"):
                    raise Wrong("Error while downloading the image.")
            elif part.get("type") != text or not part.get("text"):
                raise Wrong(f"Invalid value: '{part.get('type')}'. Supported values are: '{text}'.")

    def _function_call(self, at: int, item: Mapping[str, Any], calls: Calls) -> None:
        only(item, {"type", "id", "call_id", "name", "arguments", "status"}, f"input[{at}].")
        if "id" in item and not str(item["id"]).startswith("fc"):
            raise Wrong(f"Invalid 'input[{at}].id': '{item['id']}'. Expected an ID that begins with 'fc'.")
        ident = item.get("call_id")
        if not isinstance(ident, str) or not 1 <= len(ident) <= 64:
            raise Wrong(f"Missing required parameter: 'input[{at}].call_id'.")
        if ident in calls.seen:
            raise Wrong(f"Duplicate function call found with call_id {ident}.")
        if not _NAME.fullmatch(str(item.get("name"))):
            raise Wrong(f"Invalid 'input[{at}].name': string does not match pattern.")
        json_object(item.get("arguments"), f"Invalid 'input[{at}].arguments': expected a JSON object in a string.")
        calls.seen.add(ident)
        calls.open[ident] = item["name"]

    def _output(self, at: int, item: Mapping[str, Any], calls: Calls) -> None:
        only(item, {"type", "id", "call_id", "output", "status"}, f"input[{at}].")
        if item.get("call_id") not in calls.open:
            raise Wrong(f"No tool call found for function call output with call_id {item.get('call_id')}.")
        if not isinstance(item.get("output"), str) or not item["output"]:
            raise Wrong(f"Missing required parameter: 'input[{at}].output'.")
        del calls.open[item["call_id"]]

    def _tools(self, body: Mapping[str, Any]) -> None:
        if "tools" not in body:
            if body.get("tool_choice", "auto") not in ("auto", "none"):
                raise Wrong("Tool choice 'required' must be specified with 'tools' parameter.")
            return
        for at, tool in enumerate(body["tools"]):
            if "function" in tool:
                raise Wrong(f"Missing required parameter: 'tools[{at}].name'.")
            only(tool, {"type", "name", "description", "parameters", "strict"}, f"tools[{at}].")
            if tool.get("type") != "function" or not _NAME.fullmatch(str(tool.get("name"))):
                raise Wrong(f"Missing required parameter: 'tools[{at}].name'.")
            if tool.get("strict") is True:
                _strict(tool["parameters"], tool["name"])
        if body.get("tool_choice", "auto") not in ("auto", "none", "required"):
            raise Wrong("Invalid value for 'tool_choice'.")

    # --- what it says ----------------------------------------------------------------------------------------------

    def stream(self, reply: Reply) -> Stream:
        number, body = count(2), list[bytes]()
        items: list[dict[str, Any]] = []

        def tell(kind: str, **data: Any) -> None:
            body.append(event({"type": kind, "sequence_number": next(number), **data}, kind))

        for index, part in enumerate(reply.parts):
            match part:
                case Text(chunks):
                    items.append(_say(tell, index, chunks))
                case Thought(chunks):
                    items.append(_think(tell, index, chunks))
                case Call():
                    ident = f"call_{next(self._ids):022d}" if part.id is None else part.id
                    items.append(_ask(tell, index, part, ident))
        usage = {
            "input_tokens": reply.usage[0], "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": reply.usage[1], "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": sum(reply.usage),
        }  # fmt: skip
        finish = _ending(reply.finish, items, usage, next(number))
        opening = tuple(
            event({"type": kind, "sequence_number": at, "response": _response("in_progress")}, kind)
            for at, kind in enumerate(("response.created", "response.in_progress"))
        )
        return Stream(opening, tuple(body), (finish,))

    def fault(self, what: StreamFault) -> bytes:
        said = {
            "busy": ("rate_limit_exceeded", "Rate limit reached on tokens per min (TPM): Limit 30000, Used 29900."),
            "failure": ("server_error", "An error occurred while processing your request."),
            "overflow": ("context_length_exceeded", "Your input exceeds the context window of this model."),
        }
        code, message = said[what]
        wrong = {"type": code, "code": code, "message": message, "param": None}
        first = event({"type": "error", "sequence_number": 2, "error": wrong}, "error")
        failed = _response("failed") | {"error": {"code": code, "message": message}}
        return first + event({"type": "response.failed", "sequence_number": 3, "response": failed}, "response.failed")

    def usage(self, tokens: str) -> bytes:
        usage = {"input_tokens": "TOKENS", "output_tokens": "TOKENS", "total_tokens": "TOKENS"}
        return _ending("stop", [], usage, 9).replace(b'"TOKENS"', tokens.encode())


def _say(tell: Any, index: int, chunks: Sequence[str]) -> dict[str, Any]:
    item = {"id": f"msg_{index}", "type": "message", "status": "in_progress", "role": "assistant", "content": []}
    text, at = "".join(chunks), {"item_id": item["id"], "output_index": index, "content_index": 0}
    part = {"type": "output_text", "text": "", "annotations": [], "logprobs": []}
    tell("response.output_item.added", output_index=index, item=item)
    tell("response.content_part.added", **at, part=part)
    for chunk in chunks:
        tell("response.output_text.delta", **at, delta=chunk, logprobs=[])
    tell("response.output_text.done", **at, text=text, logprobs=[])
    tell("response.content_part.done", **at, part={**part, "text": text})
    done = {**item, "status": "completed", "content": [{**part, "text": text}]}
    tell("response.output_item.done", output_index=index, item=done)
    return done


def _think(tell: Any, index: int, chunks: Sequence[str]) -> dict[str, Any]:
    item: dict[str, Any] = {"id": f"rs_{index}", "type": "reasoning", "summary": []}
    at = {"item_id": item["id"], "output_index": index, "summary_index": 0}
    tell("response.output_item.added", output_index=index, item=item)
    tell("response.reasoning_summary_part.added", **at, part={"type": "summary_text", "text": ""})
    for chunk in chunks:
        tell("response.reasoning_summary_text.delta", **at, delta=chunk)
    whole = {"type": "summary_text", "text": "".join(chunks)}
    tell("response.reasoning_summary_text.done", **at, text=whole["text"])
    tell("response.reasoning_summary_part.done", **at, part=whole)
    done = {**item, "summary": [whole]}
    tell("response.output_item.done", output_index=index, item=done)
    return done


def _ask(tell: Any, index: int, call: Call, ident: str) -> dict[str, Any]:
    item = {"id": f"fc_{index}", "type": "function_call", "status": "in_progress", "arguments": "",
            "call_id": ident, "name": call.name}  # fmt: skip
    at = {"item_id": item["id"], "output_index": index}
    tell("response.output_item.added", output_index=index, item=item)
    for fragment in call.fragments:
        tell("response.function_call_arguments.delta", **at, delta=fragment)
    tell("response.function_call_arguments.done", **at, name=call.name, arguments=call.arguments)
    done = {**item, "status": "completed", "arguments": call.arguments}
    tell("response.output_item.done", output_index=index, item=done)
    return done


def _response(status: str) -> dict[str, Any]:
    return {
        "id": "resp_1", "object": "response", "created_at": 1796000000, "status": status, "error": None,
        "incomplete_details": None, "model": "m-1", "output": [], "parallel_tool_calls": True, "tools": [],
        "tool_choice": "auto", "usage": None,
    }  # fmt: skip


def _ending(finish: str, items: Sequence[Any], usage: Mapping[str, Any], number: int) -> bytes:
    why = {"length": "max_output_tokens", "filter": "content_filter"}.get(finish)
    status = "incomplete" if why else "completed"
    told = {**_response(status), "output": list(items), "usage": usage}
    if why:
        told["incomplete_details"] = {"reason": why}
    kind = f"response.{status}"
    return event({"type": kind, "sequence_number": number, "response": told}, kind)


def _strict(schema: Any, name: str) -> None:
    if schema.get("additionalProperties") is not False or set(schema.get("required", ())) != set(schema["properties"]):
        raise Wrong(
            f"Invalid schema for function '{name}': 'additionalProperties' is required to be false: {json.dumps(schema)}"
        )


def _error(message: str, code: str | None = None) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": code}}
