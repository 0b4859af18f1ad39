"""Any server that speaks OpenAI's chat completions: hosted ones, Ollama, LM Studio, llama.cpp, vLLM.

Turns chat messages into bytes and bytes into events. It builds no prompt and judges no answer.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sayso.core.deadline import Deadline
from sayso.core.ports import ModelEvent, ModelRequest, Notice, ReasoningChunk
from sayso.core.protocols.history import ChatMessage, native_chat, text_chat
from sayso.core.tools import Tool
from sayso.errors import ModelError, ModelProtocolError, ModelTimeout, ModelUnreachable, ToolsRejected
from sayso.models.chat_stream import Events, ReplyReader, TooLarge, escaped
from sayso.models.connection import Connection
from sayso.models.profiles import Profile, profile_of
from sayso.models.refusals import Unsupported, refusal, retry_after

if TYPE_CHECKING:
    from aiohttp import ClientResponse

_JSON = json.JSONEncoder(ensure_ascii=False)
_RETRIES = 2
_LONGEST_WAIT = 30.0  # a person waits; longer than this "busy" is the better answer
_CACHED = 16_384  # messages whose JSON is kept
_CACHED_SIZE = 65_536  # bytes; a larger message is written anew each time


class OpenAICompatible:
    """A model behind `{base_url}/chat/completions`. `native_tools` None: tried, and given up when refused."""

    def __init__(
        self,
        name: str,
        base_url: str,
        api_key: str | None = None,
        native_tools: bool | None = None,
        connection: Connection | None = None,
        *,
        profile: Profile | None = None,
        sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
    ) -> None:
        self.name = name
        self.native_tools = native_tools
        self.base_url = base_url.rstrip("/")
        self._url = f"{self.base_url}/chat/completions"
        self._key = (api_key or "").strip()
        self._connection = connection or Connection()
        self._profile = profile or profile_of(base_url)
        self._sleep = sleep
        self._headers = {"Content-Type": "application/json", "Accept": "text/event-stream, application/json"}
        if self._key:
            self._headers["Authorization"] = f"Bearer {self._key}"
        self._written: dict[str, bytes] = {}
        self._tools: tuple[tuple[Tool, ...], bytes] = ((), b"[]")
        self._dropped: set[str] = set()

    def __repr__(self) -> str:
        return f"OpenAICompatible({self.name!r}, {self.base_url!r})"

    async def aclose(self) -> None:
        await self._connection.aclose()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """Raises ModelError before the first event only; later faults end the stream without ReplyEnd."""
        deadline = Deadline(request.seconds_left)
        response: ClientResponse | None = None
        try:
            response, notice = await self._ask(request, deadline)
            if notice:
                yield notice
            async for event in self._read(response, deadline):
                yield event
            await _drain(response, deadline)
        finally:
            deadline.close()
            if response is not None:
                response.close()

    async def _ask(self, request: ModelRequest, deadline: Deadline) -> tuple[ClientResponse, Notice | None]:
        """A response with status 200: after retries, and after doing without what the server refuses."""
        tries, notice = 0, None
        while True:
            native = self.native_tools is not False
            response = await self._post(self.body(request, native), deadline)
            if response.status == 200:
                return response, notice
            wrong, after = await self._refused(response, native and bool(request.tools), deadline)
            if isinstance(wrong, ToolsRejected) and native:
                self.native_tools = False
                notice = Notice("This model takes no native tool calls; it is asked in plain text instead.")
            elif isinstance(wrong, Unsupported) and wrong.field not in self._dropped:
                self._dropped.add(wrong.field)
            elif tries < _RETRIES and (response.status in (408, 429) or response.status >= 500):
                await self._wait(after, tries, deadline, wrong)
                tries += 1
            else:
                raise wrong

    async def _wait(self, after: float | None, tries: int, deadline: Deadline, wrong: ModelError) -> None:
        seconds = after if after is not None else 0.5 * 2**tries * random.uniform(0.5, 1.5)
        if seconds > _LONGEST_WAIT or seconds >= deadline.seconds_left:
            raise wrong
        await self._sleep(seconds)

    async def _post(self, body: bytes, deadline: Deadline) -> ClientResponse:
        import aiohttp

        asked = self._connection.session().post(self._url, data=body, headers=self._headers, allow_redirects=False)
        try:
            return await deadline.keep(asked, self._connection.timeouts.first_byte)
        except aiohttp.ClientConnectorError as wrong:
            start = self._profile.start or "check the address, and that the server runs"
            raise ModelUnreachable(f"no model server answers at {self.base_url}: {start}") from wrong
        except TimeoutError as wrong:
            raise ModelTimeout(f"{self.name} did not begin to answer in time; ask again") from wrong
        except (aiohttp.ClientError, OSError, ValueError) as wrong:
            raise ModelUnreachable(f"the connection to {self.base_url} broke: {type(wrong).__name__}") from wrong

    async def _refused(
        self, response: ClientResponse, with_tools: bool, deadline: Deadline
    ) -> tuple[ModelError, float | None]:
        data = b""
        try:
            data = await deadline.keep(response.content.read(16_384), 10)
        except Exception:  # the status alone says enough
            pass
        finally:
            response.close()
        text = data.decode("utf-8", "replace")
        if self._key:
            text = text.replace(self._key, "(key)")
        return refusal(response.status, text, self.name, with_tools), retry_after(response.headers.get("Retry-After"))

    async def _read(self, response: ClientResponse, deadline: Deadline) -> AsyncGenerator[ModelEvent, None]:
        events, reader, shown = Events(document="json" in response.content_type), ReplyReader(), False
        try:
            data = b"begin"
            while data and not reader.done:
                data = await self._chunk(response, deadline, bool(events.head))
                told, fault = reader.read(events.feed(data) if data else events.close())
                for event in told:
                    # Private reasoning shows nothing yet: a fault after it may still be raised.
                    shown = shown or not isinstance(event, ReasoningChunk)
                    yield event
                if fault is not None:
                    raise fault
        except (ModelError, TooLarge) as wrong:
            if shown:
                return
            if isinstance(wrong, ModelError):
                raise
            raise ModelProtocolError(f"{self.name} sent more than a chat can hold") from wrong
        if not reader.seen:
            raise ModelProtocolError(f"{self.base_url} answered, but not with a chat: {escaped(events.head)!r}")
        for event in reader.finish():
            yield event

    async def _chunk(self, response: ClientResponse, deadline: Deadline, begun: bool) -> bytes:
        import aiohttp

        timeouts = self._connection.timeouts
        try:
            return await deadline.keep(response.content.readany(), timeouts.idle if begun else timeouts.first_byte)
        except TimeoutError as wrong:
            raise ModelTimeout(f"{self.name} stopped answering; ask again") from wrong
        except (aiohttp.ClientError, OSError) as wrong:
            raise ModelUnreachable(f"the connection to {self.base_url} broke; ask again") from wrong

    def body(self, request: ModelRequest, native: bool) -> bytes:
        """The request's JSON. Messages that never change are written once."""
        chat = native_chat(request) if native else text_chat(request)
        tools = b""
        if native and request.tools:
            if request.tools_open:
                tools = b',"tools":' + self._tools_json(request.tools)
            elif self._profile.forbids and any(message.calls for message in chat):
                tools = b',"tools":' + self._tools_json(request.tools) + b',"tool_choice":"none"'
        head = _head(self.name, request.max_output_tokens, self._profile.limit_field, frozenset(self._dropped))
        return head + b',"messages":[' + b",".join(map(self._message, chat)) + b"]" + tools + b"}"

    def _message(self, message: ChatMessage) -> bytes:
        key = message.cache_key
        if key and (known := self._written.get(key)):
            return known
        written = write_message(message)
        if key and len(written) <= _CACHED_SIZE:
            if len(self._written) >= _CACHED:
                del self._written[next(iter(self._written))]
            self._written[key] = written
        return written

    def _tools_json(self, tools: tuple[Tool, ...]) -> bytes:
        if self._tools[0] != tools:
            functions = [
                {"type": "function",
                 "function": {"name": t.name, "description": t.description, "parameters": dict(t.schema)}}
                for t in tools
            ]  # fmt: skip
            self._tools = (tools, json.dumps(functions, ensure_ascii=False).encode("utf-8", "replace"))
        return self._tools[1]


@lru_cache(maxsize=64)
def _head(model: str, tokens: int, limit: str, dropped: frozenset[str]) -> bytes:
    """The request's fields before its messages, without those that the server refused."""
    if limit in dropped:
        limit = "max_tokens" if limit == "max_completion_tokens" else "max_completion_tokens"
    fields: dict[str, Any] = {"model": model, "stream": True, "temperature": 0}
    fields |= {"stream_options": {"include_usage": True}, limit: tokens}
    return json.dumps({k: v for k, v in fields.items() if k not in dropped})[:-1].encode()


def write_message(message: ChatMessage) -> bytes:
    """One chat message as JSON; a lone surrogate becomes "?", since no server reads it."""
    value: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.calls:
        value["content"] = message.text or None
        value["tool_calls"] = [
            {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.arguments}}
            for c in message.calls
        ]
    if message.call_id:
        value["tool_call_id"] = message.call_id
    return _JSON.encode(value).encode("utf-8", "replace")


async def _drain(response: ClientResponse, deadline: Deadline) -> None:
    """Read the empty end of the body, so that the connection can be used again; not for long."""
    try:
        while not response.content.at_eof():
            await deadline.keep(response.content.readany(), 0.05)
    except Exception:  # then it is closed instead
        return
    response.release()
