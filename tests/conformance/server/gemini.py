"""Gemini's streamGenerateContent: contents and parts, a schema dialect of its own, no end marker."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from conformance.server.http import Answer, Asked, refusing
from conformance.server.provider import Stream, StreamFault, Wrong, as_mapping, event, only
from conformance.server.script import Call, Reply, Text, Thought

_FIELDS = {
    "contents", "systemInstruction", "system_instruction", "tools", "toolConfig", "tool_config", "generationConfig",
    "generation_config", "safetySettings", "cachedContent",
}  # fmt: skip
_GENERATION = {
    "maxOutputTokens", "temperature", "topP", "topK", "stopSequences", "candidateCount", "thinkingConfig", "seed",
    "responseMimeType", "responseSchema", "presencePenalty", "frequencyPenalty", "mediaResolution",
}  # fmt: skip
_SCHEMA = {
    "type", "format", "title", "description", "nullable", "enum", "items", "minItems", "maxItems", "properties",
    "required", "minProperties", "maxProperties", "minLength", "maxLength", "pattern", "example", "anyOf",
    "propertyOrdering", "default", "minimum", "maximum",
}  # fmt: skip
_TYPES = {"STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT"}
_FORMATS = {"STRING": {"enum", "date-time"}, "NUMBER": {"float", "double"}, "INTEGER": {"int32", "int64"}}
_DATA = {"text", "inlineData", "functionCall", "functionResponse", "fileData"}
_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}")
_FIELD = 'Invalid JSON payload received. Unknown name "{}": Cannot find field.'
_PATH = re.compile(r"/v1beta/models/([^/:]+):streamGenerateContent")
_FINISH = {"stop": "STOP", "calls": "STOP", "length": "MAX_TOKENS", "filter": "SAFETY"}
_NO_SIGNATURE = "skip_thought_signature_validator"  # the documented stand-in for a signature that is not at hand
_STAND_INS = {_NO_SIGNATURE, "context_engineering_is_the_way_to_go"}
_PAIRS = "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."


class Gemini:
    protocol = "gemini"
    root = "/v1beta"

    def __init__(self) -> None:
        self._signatures = count(1)
        self._given = set(_STAND_INS)

    # --- what it takes ---------------------------------------------------------------------------------------------

    def check(self, asked: Asked) -> Answer | None:
        path = _PATH.fullmatch(asked.path)
        if asked.method != "POST" or path is None:
            return refusing(404, _error(404, "NOT_FOUND", f"{asked.path} is not found for API version v1beta"))
        if asked.query.get("alt") != ["sse"] or "key" in asked.query:
            return refusing(400, _error(400, "INVALID_ARGUMENT", "ask with alt=sse, and with the key in a header"))
        try:
            body = as_mapping(asked.body, "Invalid JSON payload received.")
            only(body, _FIELDS, "", _FIELD)
            only(body.get("generationConfig", {}), _GENERATION, "generation_config.", _FIELD)
            if "systemInstruction" in body:
                self._parts("system_instruction", body["systemInstruction"])
            self._contents(body.get("contents"), signed=path[1].startswith("gemini-3"))
            self._tools(body)
        except Wrong as wrong:
            return refusing(400, _error(400, "INVALID_ARGUMENT", str(wrong)))
        return None

    def _contents(self, contents: Any, *, signed: bool) -> None:
        if not isinstance(contents, list) or not contents:
            raise Wrong("* GenerateContentRequest.contents: contents is not specified")
        before, waiting = "", list[str]()
        for at, content in enumerate(contents):
            only(content, {"role", "parts"}, f"contents[{at}].", _FIELD)
            role = content.get("role")
            if role not in ("user", "model"):
                raise Wrong("Please use a valid role: user, model.")
            if role == before:
                raise Wrong("Please ensure that multiturn requests alternate between user and model.")
            if not before and role != "user":
                raise Wrong(
                    "Please ensure that function call turn comes immediately after a user turn or after a function response turn."
                )
            parts = self._parts(f"contents[{at}]", content)
            answers = [p["functionResponse"]["name"] for p in parts if "functionResponse" in p]
            if sorted(answers) != sorted(waiting) or (answers and role != "user"):
                raise Wrong(_PAIRS)
            waiting = [p["functionCall"]["name"] for p in parts if "functionCall" in p]
            if waiting and role != "model":
                raise Wrong(
                    "Please ensure that function call turn comes immediately after a user turn or after a function response turn."
                )
            if waiting and signed and _in_last_turn(contents, at):
                self._signed(at, parts)
            before = role
        if waiting or before != "user":
            raise Wrong("Please ensure that single turn requests end with a user role or the role field is empty.")

    def _parts(self, where: str, content: Any) -> Sequence[Mapping[str, Any]]:
        parts = content.get("parts")
        if not isinstance(parts, list) or not parts:
            raise Wrong(f"* GenerateContentRequest.{where}.parts: contents.parts must not be empty.")
        for at, part in enumerate(parts):
            only(part, _DATA | {"thought", "thoughtSignature"}, f"{where}.parts[{at}].", _FIELD)
            if len(_DATA & set(part)) != 1 or part.get("text") == "":
                raise Wrong(
                    f"* GenerateContentRequest.{where}.parts[{at}].data: required oneof field 'data' must have one initialized field"
                )
            if "functionCall" in part:
                only(part["functionCall"], {"id", "name", "args"}, f"{where}.parts[{at}].function_call.", _FIELD)
                as_mapping(
                    part["functionCall"].get("args", {}),
                    "Invalid value at 'function_call.args' (type.googleapis.com/google.protobuf.Struct)",
                )
            if "functionResponse" in part:
                only(
                    part["functionResponse"],
                    {"id", "name", "response"},
                    f"{where}.parts[{at}].function_response.",
                    _FIELD,
                )
                as_mapping(
                    part["functionResponse"].get("response"),
                    "Invalid value at 'function_response.response' (type.googleapis.com/google.protobuf.Struct)",
                )
            if "inlineData" in part:
                only(part["inlineData"], {"mimeType", "data"}, f"{where}.parts[{at}].inline_data.", _FIELD)
        return parts

    def _signed(self, at: int, parts: Sequence[Mapping[str, Any]]) -> None:
        first = next(part for part in parts if "functionCall" in part)
        if first.get("thoughtSignature") not in self._given:
            name = first["functionCall"]["name"]
            raise Wrong(f"Function call is missing a thought_signature in functionCall parts. This is required for tools to work "
                        f"correctly, and missing thought_signature may lead to degraded model performance. Function call "
                        f"`default_api:{name}`, position {at}.")  # fmt: skip

    def _tools(self, body: Mapping[str, Any]) -> None:
        for at, tool in enumerate(body.get("tools", ())):
            only(
                tool,
                {"functionDeclarations", "function_declarations", "googleSearch", "codeExecution"},
                f"tools[{at}].",
                _FIELD,
            )
            for number, declared in enumerate(tool.get("functionDeclarations", tool.get("function_declarations", ()))):
                where = f"tools[{at}].function_declarations[{number}]"
                only(
                    declared,
                    {"name", "description", "parameters", "parametersJsonSchema", "response", "behavior"},
                    where + ".",
                    _FIELD,
                )
                if not _NAME.fullmatch(str(declared.get("name"))):
                    raise Wrong(f"* GenerateContentRequest.{where}.name: Invalid function name.")
                if "parameters" in declared and "parametersJsonSchema" in declared:
                    raise Wrong(f"{where}: only one of parameters and parameters_json_schema may be set")
                if "parameters" in declared:
                    _schema(where + ".parameters", declared["parameters"], root=True)
        config = as_mapping(body.get("toolConfig", {}), "toolConfig")
        only(config, {"functionCallingConfig", "retrievalConfig"}, "tool_config.", _FIELD)
        calling = config.get("functionCallingConfig", {})
        only(calling, {"mode", "allowedFunctionNames"}, "tool_config.function_calling_config.", _FIELD)
        if calling.get("mode", "AUTO") not in ("AUTO", "ANY", "NONE", "VALIDATED"):
            raise Wrong("Invalid value at 'tool_config.function_calling_config.mode'")
        if calling and not body.get("tools"):
            raise Wrong("Function calling config is set without function_declarations.")

    # --- what it says ----------------------------------------------------------------------------------------------

    def stream(self, reply: Reply) -> Stream:
        parts: list[dict[str, Any]] = []
        calls = 0
        for part in reply.parts:
            match part:
                case Text(chunks):
                    parts += [{"text": chunk} for chunk in chunks]
                case Thought(chunks):
                    parts += [{"text": chunk, "thought": True} for chunk in chunks]
                case Call():
                    parts.append(self._call(part, first=not calls))
                    calls += 1
        finish = _frame({"content": {"parts": [{"text": ""}], "role": "model"}, "finishReason": _FINISH[reply.finish]},
                        {"promptTokenCount": reply.usage[0], "candidatesTokenCount": reply.usage[1],
                         "totalTokenCount": sum(reply.usage)})  # fmt: skip
        body = tuple(_frame({"content": {"parts": [part], "role": "model"}}) for part in parts)
        return Stream((), body, (finish,))

    def _call(self, call: Call, *, first: bool) -> dict[str, Any]:
        try:
            args: Any = json.loads(call.arguments)
        except ValueError:
            args = {}
        told: dict[str, Any] = {"functionCall": {"name": call.name, "args": args}}
        if call.id is not None:
            told["functionCall"]["id"] = call.id
        if first:
            told["thoughtSignature"] = f"Sig{next(self._signatures)}"
            self._given.add(told["thoughtSignature"])
        return told

    def fault(self, what: StreamFault) -> bytes:
        said = {
            "busy": (503, "UNAVAILABLE", "The model is overloaded. Please try again later."),
            "failure": (500, "INTERNAL", "An internal error has occurred. Please retry."),
            "overflow": (
                400,
                "INVALID_ARGUMENT",
                "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
            ),
        }
        return event(_error(*said[what]), newline="\r\n")

    def usage(self, tokens: str) -> bytes:
        counts = {"promptTokenCount": "TOKENS", "candidatesTokenCount": "TOKENS", "totalTokenCount": "TOKENS"}
        told = _frame({"content": {"parts": [{"text": ""}], "role": "model"}, "finishReason": "STOP"}, counts)
        return told.replace(b'"TOKENS"', tokens.encode())


def _schema(where: str, schema: Any, *, root: bool = False) -> None:
    as_mapping(schema, f"Invalid value at '{where}'")
    for key in schema:
        if key not in _SCHEMA:
            raise Wrong(f"Invalid JSON payload received. Unknown name \"{key}\" at '{where}': Cannot find field.")
    kind = schema.get("type")
    if isinstance(kind, list):
        raise Wrong(
            f"Invalid JSON payload received. Unknown name \"type\" at '{where}': Proto field is not repeating, cannot start list."
        )
    if kind is None and "anyOf" not in schema:
        raise Wrong(f"* GenerateContentRequest.{where}: schema didn't specify the schema type field")
    kind = str(kind or "").upper()
    if kind and kind not in _TYPES:
        raise Wrong(
            f"Invalid value at '{where}.type' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type), \"{kind}\""
        )
    if kind == "OBJECT" and not schema.get("properties"):
        raise Wrong(f"* GenerateContentRequest.{where}.properties: should be non-empty for OBJECT type")
    if kind == "ARRAY" and "items" not in schema:
        raise Wrong(f"* GenerateContentRequest.{where}.items: missing field.")
    if root and kind != "OBJECT":
        raise Wrong(f"* GenerateContentRequest.{where}: parameters schema should be of type OBJECT.")
    if "enum" in schema and (kind != "STRING" or not all(isinstance(v, str) and v for v in schema["enum"])):
        raise Wrong(f"* GenerateContentRequest.{where}.enum: only allowed for STRING type")
    if "format" in schema and schema["format"] not in _FORMATS.get(kind, set()):
        raise Wrong(
            f"* GenerateContentRequest.{where}.format: only 'enum' and 'date-time' are supported for STRING type"
        )
    for name in schema.get("required", ()):
        if name not in schema.get("properties", {}):
            raise Wrong(f"* GenerateContentRequest.{where}.required[0]: property is not defined")
    for name, inner in schema.get("properties", {}).items():
        _schema(f"{where}.properties[{name}].value", inner)
    for at, inner in enumerate(schema.get("anyOf", ())):
        _schema(f"{where}.any_of[{at}]", inner)
    if "items" in schema:
        _schema(f"{where}.items", schema["items"])


def _in_last_turn(contents: Sequence[Any], at: int) -> bool:
    """Whether the user said nothing new since: only the calls of the turn that goes on must be signed."""
    later = [content for content in contents[at + 1 :] if content["role"] == "user"]
    return all(any("functionResponse" in part for part in content["parts"]) for content in later)


def _frame(candidate: Mapping[str, Any], usage: Mapping[str, Any] | None = None) -> bytes:
    told: dict[str, Any] = {"candidates": [{**candidate, "index": 0}]}
    told["usageMetadata"] = usage or {"promptTokenCount": 11, "totalTokenCount": 11}
    return event({**told, "modelVersion": "m-1", "responseId": "r1"}, newline="\r\n")


def _error(code: int, status: str, message: str, *details: Any) -> dict[str, Any]:
    told: dict[str, Any] = {"error": {"code": code, "message": message, "status": status}}
    if details:
        told["error"]["details"] = list(details)
    return told
