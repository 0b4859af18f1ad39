"""A model behind HTTP: requests, retries, time limits and bounds. What is asked and answered is the wire's affair.

A request goes on until a first text or call was handed out: up to then it is tried again after what may pass, put
without a field that the server refuses, or asked as text. After it, a fault only cuts the reply.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sayso.core.deadline import Deadline
from sayso.core.ports import ModelEvent, ModelRequest, Notice, ReasoningChunk, ReplyEnd, TextChunk
from sayso.errors import (
    ModelBusy,
    ModelError,
    ModelProtocolError,
    ModelTimeout,
    ModelUnreachable,
    QuotaSpent,
    ToolsRejected,
)
from sayso.models.connection import Connection
from sayso.models.profiles import Profile
from sayso.models.refusals import Asked, CallUnread, ServerFailed, Spoken, Unsupported, refusal
from sayso.models.waits import retry_after
from sayso.models.wires.events import Events, TooLarge
from sayso.models.wires.reading import Reported, escaped
from sayso.models.wires.wire import Asking, Wire, asking

if TYPE_CHECKING:
    from aiohttp import ClientResponse

_RETRIES = 2
_LONGEST_WAIT = 30.0  # a person waits; longer than this "busy" is the better answer
_REFUSAL_SIZE = 262_144  # bytes of a refusal that are read: some hold a whole reply
_AFTER_END = 2.0  # seconds that are waited for what may follow a reply's end
_TEXT_INSTEAD = "This model takes no native tool calls; it is asked in plain text instead."
_TEXT_THIS_ONCE = "The model's tool call could not be read by its provider; it is asked in plain text instead."


class Broken(ModelUnreachable):
    """A connection that was there broke before anything was said; another may hold."""


@dataclass(slots=True)
class _Attempt:
    """What is known of one request while it is tried."""

    native: bool
    tries: int = 0
    shown: bool = False


class HttpModel:
    """A model at `base_url` that speaks `wire`. `native_tools` None: tried, and given up when refused."""

    def __init__(
        self,
        name: str,
        base_url: str,
        wire: Wire,
        api_key: str | None = None,
        *,
        profile: Profile,
        native_tools: bool | None = None,
        connection: Connection | None = None,
        sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
    ) -> None:
        self.name = name
        self.native_tools = native_tools
        self.base_url = base_url.rstrip("/")
        self._wire = wire
        self._url = self.base_url + wire.path()
        self._key = (api_key or "").strip()
        self._secret = _spellings(self._key) if self._key else None
        self._connection = connection or Connection()
        self._profile = profile
        self._sleep = sleep
        accepted = "text/event-stream, application/json"
        self._headers = {"Content-Type": "application/json", "Accept": accepted, **wire.headers(self._key)}
        self._without: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        return f"HttpModel({self.name!r}, {self.base_url!r}, {type(self._wire).__name__})"

    async def aclose(self) -> None:
        await self._connection.aclose()

    def body(self, request: ModelRequest, native: bool) -> bytes:
        """The request's JSON, as it is sent."""
        return self._wire.body(asking(request, native=native, without=self._without))

    def _asked(self, put: Asking) -> Asked:
        variable = self._profile.key_variable
        return Asked(self.name, bool(put.tools), put.has_images, self._wire.optional, self._url, variable)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """Raises ModelError before the first text or call only; later faults end the stream without ReplyEnd."""
        deadline = Deadline(request.seconds_left)
        attempt = _Attempt(self.native_tools is not False)
        response: ClientResponse | None = None
        try:
            while True:
                try:
                    put = asking(request, native=attempt.native, without=self._without)
                    asked = self._asked(put)
                    response = await self._ask(self._wire.body(put), asked, deadline)
                    async for event in self._read(response, asked, deadline):
                        # Private reasoning shows nothing yet: after it another try is still possible.
                        attempt.shown = attempt.shown or not isinstance(event, ReasoningChunk)
                        yield event
                    await _drain(response, deadline)
                    return
                except ModelError as error:
                    wrong = error
                if response is not None:
                    response.close()
                if attempt.shown:
                    return
                for event in await self._next_move(wrong, attempt, deadline):
                    yield event
                if isinstance(wrong, Spoken):
                    return
        finally:
            deadline.close()
            if response is not None:
                response.close()

    async def _next_move(self, wrong: ModelError, attempt: _Attempt, deadline: Deadline) -> list[ModelEvent]:
        """What to say before the request is put once more. Raises `wrong` where that cannot help."""
        if isinstance(wrong, Spoken):
            return [*([TextChunk(wrong.text)] if wrong.text else []), ReplyEnd(wrong.reason)]
        if isinstance(wrong, ToolsRejected) and attempt.native:
            attempt.native = False
            if isinstance(wrong, CallUnread):
                return [Notice(_TEXT_THIS_ONCE)]
            self.native_tools = False
            return [Notice(_TEXT_INSTEAD)]
        if isinstance(wrong, Unsupported) and wrong.field not in self._without:
            self._without |= {wrong.field}
            return []
        passing = isinstance(wrong, ModelBusy | ServerFailed | Broken) and not isinstance(wrong, QuotaSpent)
        if not passing or attempt.tries >= _RETRIES:
            raise wrong
        await self._wait(wrong, attempt.tries, deadline)
        attempt.tries += 1
        return []

    async def _wait(self, wrong: ModelError, tries: int, deadline: Deadline) -> None:
        said = wrong.seconds if isinstance(wrong, ModelBusy) else None
        seconds = said if said is not None else 0.5 * 2**tries * random.uniform(0.5, 1.5)
        if seconds > _LONGEST_WAIT or seconds >= deadline.seconds_left:
            raise wrong
        await self._sleep(seconds)

    async def _ask(self, body: bytes, asked: Asked, deadline: Deadline) -> ClientResponse:
        """A response with status 200. Raises what any other means."""
        import aiohttp

        session = self._connection.session()
        posted = session.post(self._url, data=body, headers=self._headers, allow_redirects=False)
        try:
            response = await deadline.keep(posted, self._connection.timeouts.first_byte)
        except aiohttp.ClientConnectorError as wrong:
            start = self._profile.start or "check the address, and that the server runs"
            raise ModelUnreachable(f"no model server answers at {self.base_url}: {start}") from wrong
        except TimeoutError as wrong:
            raise ModelTimeout(f"{self.name} did not begin to answer in time; ask again") from wrong
        except ValueError:  # of which the words may hold the key
            raise ModelUnreachable(
                f"{self.base_url} cannot be asked: its address or its key has a wrong form"
            ) from None
        except (aiohttp.ClientError, OSError) as wrong:
            raise Broken(f"the connection to {self.base_url} broke: {type(wrong).__name__}") from wrong
        if response.status != 200:
            raise await self._refused(response, asked, deadline)
        return response

    async def _refused(self, response: ClientResponse, asked: Asked, deadline: Deadline) -> ModelError:
        data = b""
        try:
            while len(data) < _REFUSAL_SIZE and (more := await deadline.keep(response.content.readany(), 10)):
                data += more
        except Exception:  # the status alone says enough
            pass
        finally:
            response.close()
        text = self._without_key(data.decode("utf-8", "replace"))
        return refusal(response.status, text, asked, after=retry_after(response.headers))

    def _without_key(self, text: str) -> str:
        return self._secret.sub("(key)", text) if self._secret else text

    async def _read(
        self, response: ClientResponse, asked: Asked, deadline: Deadline
    ) -> AsyncGenerator[ModelEvent, None]:
        """The events of a reply. Raises ModelError for a fault in it, or when it was none."""
        events, reader = Events(document="json" in response.content_type), self._wire.reader()
        try:
            data, until = b"begin", 0.0  # what is left of the time when no more is waited for
            while data and not reader.done:
                whole = reader.whole() is not None
                if whole and not until:  # counts may follow
                    until = max(deadline.seconds_left - _AFTER_END, 0.0)
                if whole and deadline.seconds_left <= until:
                    break
                data = await self._chunk(response, deadline, events, deadline.seconds_left - until)
                told, fault = reader.read(events.feed(data) if data else events.close())
                for event in told:
                    yield event
                if fault is not None:
                    raise self._fault(fault, asked)
        except TooLarge as wrong:
            raise ModelProtocolError(f"{self.name} sent more than a chat can hold") from wrong
        except ModelError:
            if reader.whole() is None:
                raise
        if not reader.seen:
            head = escaped(self._without_key(events.head.decode("utf-8", "replace")))
            raise ModelProtocolError(f"{self.base_url} answered, but not with a chat: {head!r}")
        if reader.whole() is None:  # a fault like any other: tried again, unless something was shown
            raise ServerFailed(f"{self.name} ended its reply in the middle; ask again")
        for event in reader.finish():
            yield event

    def _fault(self, fault: ModelError | Reported, asked: Asked) -> ModelError:
        if isinstance(fault, ModelError):  # it repeats what the server sent
            return type(fault)(self._without_key(str(fault)))
        return refusal(0, self._without_key(json.dumps({"error": fault.error}, ensure_ascii=False)), asked)

    async def _chunk(self, response: ClientResponse, deadline: Deadline, events: Events, longest: float) -> bytes:
        import aiohttp

        timeouts = self._connection.timeouts
        within = timeouts.idle if events.head else timeouts.first_byte
        try:
            return await deadline.keep(response.content.readany(), min(within, longest))
        except TimeoutError as wrong:
            raise ModelTimeout(f"{self.name} stopped answering; ask again") from wrong
        except (aiohttp.ClientError, OSError) as wrong:
            raise Broken(f"the connection to {self.base_url} broke; ask again") from wrong


def _spellings(key: str) -> re.Pattern[str]:
    """The key also where JSON escapes its characters, once or more often: decoding the text shows it no more."""
    return re.compile("".join(rf"(?:{_literal(char)}|\\+u(?i:{ord(char):04x}))" for char in key))


def _literal(char: str) -> str:
    return re.escape(char) if char.isalnum() else rf"\\*{re.escape(char)}"


async def _drain(response: ClientResponse, deadline: Deadline) -> None:
    """Read the empty end of the body, so that the connection can be used again; not for long."""
    try:
        until = deadline.seconds_left - 0.05
        while not response.content.at_eof():
            await deadline.keep(response.content.readany(), deadline.seconds_left - until)
            if deadline.seconds_left <= until:
                return
    except Exception:  # then it is closed instead
        return
    response.release()
