"""Every other provider, through pydantic-ai's direct requests: `pydantic-ai:PROVIDER:MODEL`, extra `sayso[providers]`.

The package is imported when such a model is first built. It brings its provider's own library, keys and retries;
what it says and refuses is told in the same events and errors as our own protocols tell it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from importlib import import_module
from typing import Any

from sayso.core.deadline import Deadline
from sayso.core.messages import Usage
from sayso.core.ports import (
    FinishReason,
    ModelEvent,
    ModelRequest,
    NativeCall,
    Notice,
    ReasoningChunk,
    ReplyEnd,
    TextChunk,
)
from sayso.core.protocols.history import ChatMessage
from sayso.errors import ConfigError, ModelError, ModelTimeout, ModelUnreachable, ToolsRejected
from sayso.models.refusals import Asked, CallUnread, Spoken, refusal
from sayso.models.wires.reading import as_object, count, escaped
from sayso.models.wires.turns import alternating, short_id, words
from sayso.models.wires.wire import Asking, asking

SPEC = "pydantic-ai"
_INSTALL = "install it with `pip install 'sayso[providers]'`, and what that provider needs beside it"
_FINISH = {
    "stop": FinishReason.STOP,
    "tool_call": FinishReason.TOOL_CALLS,
    "length": FinishReason.LENGTH,
    "content_filter": FinishReason.CONTENT_FILTER,
}
_TEXT_INSTEAD = "This model takes no native tool calls; it is asked in plain text instead."


def through_pydantic_ai(model: str, *, native_tools: bool | None = None) -> ThroughPydanticAI:
    """The model that pydantic-ai knows as PROVIDER:MODEL. Raises ConfigError, which says what is missing."""
    try:
        models = import_module("pydantic_ai.models")
    except ImportError as wrong:
        raise ConfigError(f"{SPEC}:{model} needs the package pydantic-ai: {_INSTALL}") from wrong
    try:
        return ThroughPydanticAI(models.infer_model(model), native_tools=native_tools)
    except ImportError as wrong:
        raise ConfigError(f"{SPEC}:{model} needs one more package: {_one_line(wrong)}") from wrong
    except Exception as wrong:  # a name it does not know, a key that is not set; in its own words
        raise ConfigError(f"{SPEC}:{model}: {_one_line(wrong)}") from wrong


class ThroughPydanticAI:
    """One of pydantic-ai's models. `native_tools` None: tried, and given up when refused."""

    def __init__(self, model: Any, *, native_tools: bool | None = None) -> None:
        self.name: str = str(model.model_name)
        self.native_tools = native_tools
        self._model = model

    def __repr__(self) -> str:
        return f"ThroughPydanticAI({self.name!r})"

    async def aclose(self) -> None:
        """Its connections are shared within its own library, which closes them."""

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """Raises ModelError before the first text or call only; later faults end the stream without ReplyEnd."""
        native, shown = self.native_tools is not False, False
        while True:
            put = asking(request, native=native)
            asked = Asked(self.name, bool(put.tools), put.has_images)
            try:
                async with aclosing(self._once(put, asked, request.seconds_left)) as events:
                    async for event in events:
                        shown = shown or not isinstance(event, ReasoningChunk)
                        yield event
                return
            except Spoken as instead:
                if shown:
                    return
                spoken = instead
            except ToolsRejected as wrong:
                if shown or not native:
                    raise
                native, spoken = False, None
                if not isinstance(wrong, CallUnread):
                    self.native_tools = False
            except ModelError:
                if shown:
                    return
                raise
            if spoken is None:
                yield Notice(_TEXT_INSTEAD)
                continue
            if spoken.text:
                yield TextChunk(spoken.text)
            yield ReplyEnd(spoken.reason)
            return

    async def _once(self, put: Asking, asked: Asked, seconds: float) -> AsyncGenerator[ModelEvent, None]:
        """One request's events. Raises ModelError for whatever its library raises."""
        direct = import_module("pydantic_ai.direct")
        deadline = Deadline(seconds)
        opened = direct.model_request_stream(
            self._model, _messages(put), model_settings=_settings(put), model_request_parameters=_parameters(put)
        )
        try:
            stream = await deadline.keep(opened.__aenter__())
            try:
                source = aiter(stream)
                while (event := await deadline.keep(anext(source, None))) is not None:
                    for told in _told(event):
                        yield told
                for told in _ended(stream.get()):
                    yield told
            finally:
                await opened.__aexit__(None, None, None)
        except (ModelError, GeneratorExit, asyncio.CancelledError):
            raise
        except TimeoutError as wrong:
            raise ModelTimeout(f"{self.name} did not answer in time; ask again") from wrong
        except Exception as wrong:
            raise _understood(wrong, asked) from wrong
        finally:
            deadline.close()


def _messages(put: Asking) -> Sequence[Any]:
    """The chat as pydantic-ai's messages; the system text goes with the last of them."""
    kinds = import_module("pydantic_ai.messages")
    names = {call.id: call.name for message in put.chat for call in message.calls}
    out: list[Any] = []
    for role, messages in alternating(put.chat[1:]):
        if role == "assistant":
            out.append(kinds.ModelResponse(parts=[part for message in messages for part in _said(message, kinds)]))
        else:
            out.append(kinds.ModelRequest(parts=[_heard(message, names, kinds) for message in messages]))
    out[-1].instructions = put.system or None
    return out


def _said(message: ChatMessage, kinds: Any) -> list[Any]:
    text = [kinds.TextPart(content=message.text)] if message.text.strip() else []
    calls = [kinds.ToolCallPart(tool_name=c.name, args=c.arguments, tool_call_id=short_id(c.id)) for c in message.calls]
    return [*text, *calls]


def _heard(message: ChatMessage, names: dict[str, str], kinds: Any) -> Any:
    if message.call_id:
        name = names.get(message.call_id, "unknown")
        return kinds.ToolReturnPart(tool_name=name, content=words(message), tool_call_id=short_id(message.call_id))
    images = [kinds.BinaryContent(data=image.data, media_type=image.media_type) for image in message.images]
    return kinds.UserPromptPart(content=[words(message), *images] if images else words(message))


def _settings(put: Asking) -> dict[str, Any]:
    settings: dict[str, Any] = {"max_tokens": put.max_tokens}
    return settings if put.tools_open or not put.keeps_tools else settings | {"tool_choice": "none"}


def _parameters(put: Asking) -> Any:
    tools = import_module("pydantic_ai.tools")
    declared = [
        tools.ToolDefinition(name=t.name, description=t.description, parameters_json_schema=dict(t.schema))
        for t in (put.tools if put.keeps_tools else ())
    ]
    return import_module("pydantic_ai.models").ModelRequestParameters(function_tools=declared)


def _told(event: Any) -> list[ModelEvent]:
    """A part that starts or grows; its calls are told at the end, when they are whole."""
    part = getattr(event, "part", None) if event.event_kind == "part_start" else getattr(event, "delta", None)
    kind = getattr(part, "part_kind", None) or getattr(part, "part_delta_kind", None)
    text = getattr(part, "content", None) or getattr(part, "content_delta", None)
    if not isinstance(text, str):
        return []
    return [TextChunk(text)] if kind == "text" else [ReasoningChunk(text)] if kind == "thinking" else []


def _ended(response: Any) -> list[ModelEvent]:
    """The calls and the end of a whole response; nothing where it was broken off."""
    if response.finish_reason == "error" or response.state != "complete":
        return []
    usage = Usage(count(response.usage.input_tokens), count(response.usage.output_tokens))
    reason = _FINISH.get(response.finish_reason, FinishReason.STOP)
    if reason not in (FinishReason.STOP, FinishReason.TOOL_CALLS):
        return [ReplyEnd(reason, usage)]
    calls = [
        NativeCall(
            part.tool_call_id, part.tool_name, part.args if isinstance(part.args, str) else part.args_as_json_str()
        )
        for part in response.parts
        if part.part_kind == "tool-call"
    ]
    return [*calls, ReplyEnd(FinishReason.TOOL_CALLS if calls else FinishReason.STOP, usage)]


def _understood(wrong: Exception, asked: Asked) -> ModelError:
    """An exception of the library or of its provider's: by its status and body, else by its words."""
    kind = " ".join(base.__name__ for base in type(wrong).__mro__)
    if "ModelConnectionError" in kind or isinstance(wrong, OSError):
        return ModelUnreachable(f"{asked.name} cannot be reached: {_one_line(wrong)}")
    if "ModelRequestTimeout" in kind:
        return ModelTimeout(f"{asked.name} did not answer in time; ask again")
    body = getattr(wrong, "body", None)
    document = as_object(body) or {}
    document = document if "error" in document else {"error": body or str(wrong)}
    text = body if isinstance(body, str) else json.dumps(document, default=str)
    status = getattr(wrong, "status_code", 0)
    return refusal(status if isinstance(status, int) else 0, text, asked, after=getattr(wrong, "retry_after", None))


def _one_line(wrong: Exception) -> str:
    return escaped(" ".join(str(wrong).split()))
