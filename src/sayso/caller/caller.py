"""`Caller`: drives a conversation over HTTP. Question, run, calls, results, run ... answer.

    async with Caller("http://127.0.0.1:8787", token="...") as caller:
        async for told in caller.ask("Who is Elena?"):
            ...

The inference service is told everything it may use and holds nothing; what the model asks for is run here, under the
rights of whoever holds the token. It resubmits only where it owes a result, and never more often than it may.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Self
from urllib.parse import quote

import aiohttp

from sayso.caller.client_tools import ClientTools
from sayso.caller.connection import ENDS, Connection, Json, Waits, origin_of, root_of
from sayso.caller.deciding import Decide
from sayso.caller.declared import Catalogue, read_catalogue
from sayso.caller.errors import Broken, Busy, CallerError, RunFailed, StaleCopy, StepLimit
from sayso.caller.held import Held
from sayso.caller.navigating import Navigator, OpenPage
from sayso.caller.running import Running
from sayso.caller.stored import ThreadStore
from sayso.errors import ConfigError, DeclarationError

STEPS, MOST_STEPS = 8, 20
CHAT, ATTACH = "/api/v1/ai/chat", "/api/v1/ai/attachments"
_FRESH = timedelta(minutes=5)
_STOPPING = 5.0  # seconds that leaving may take


@dataclass(frozen=True, slots=True)
class Told:
    """What happens, as it happens: an event of the service as it came, or one of the caller's own.

    Own ones are `call` (it is run now), `refused` (its arguments do not fit), `result`, `card` (a decision is asked
    for), `decided`, `unsaved` (the thread store could not be reached) and `stopped`.
    """

    name: str
    data: Mapping[str, Any]


class Caller:
    """One conversation of one person. One run at a time.

    `decide` is asked about each change; without it, changes wait at the gateway. `open_page` makes the client tool
    `navigate`. With `save`, the conversation is kept in the thread store (`workspace_url`; the gateway's by default).
    `inference_token` is for an inference service behind a door of its own.
    """

    def __init__(
        self, gateway_url: str, inference_url: str | None = None, *, token: str = "", workspace_url: str | None = None,
        inference_token: str = "", client_tools: ClientTools | None = None, decide: Decide | None = None,
        open_page: OpenPage | None = None, steps: int = STEPS, save: bool = True, locale: str | None = None,
        waits: Waits | None = None,
    ) -> None:  # fmt: skip
        if not 1 <= steps <= MOST_STEPS:
            raise ConfigError(f"steps is from 1 to {MOST_STEPS}, not {steps}")
        self._urls = [root_of(url or gateway_url) for url in (gateway_url, inference_url, workspace_url)]
        self._tokens = (token, inference_token)
        self._tools, self._decide, self._open_page = client_tools or ClientTools(), decide, open_page
        self._steps, self._save, self._locale, self._waits = steps, save, locale, waits or Waits()
        self._catalogue: Catalogue | None = None
        self._session: aiohttp.ClientSession | None = None
        self._active = self._stopping = False
        self._details: Json = {}
        self._work: asyncio.Task[None] | None = None
        self.held = Held()

    async def __aenter__(self) -> Self:
        # No proxy, password file or cookie of the surroundings: a token goes where it was told to.
        self._session = aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar(), trust_env=False)
        gateway, inference, workspace = self._urls
        self._gateway = Connection(gateway, self._session, self._own_token, self._waits)
        self._inference = Connection(inference, self._session, self._for_inference, self._waits)
        self._store = ThreadStore(Connection(workspace, self._session, self._own_token, self._waits))
        if self._open_page is not None and "navigate" not in self._tools:
            Navigator(self._gateway, self._open_page).register(self._tools)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _own_token(self) -> Mapping[str, str]:
        return _bearer(self._tokens[0])

    def _for_inference(self) -> Mapping[str, str]:
        """The inference service has no use for our token: the catalogue's seal says who we are. At one address with
        the gateway our token goes as well: one process takes that, and a proxy may have several behind it."""
        gateway, inference, _ = self._urls
        seal = self._catalogue.seal if self._catalogue else ""
        token = self._tokens[1] or (self._tokens[0] if origin_of(inference) == origin_of(gateway) else "")
        if not token:
            return _bearer(seal)
        return {**_bearer(token), **({_SEAL: seal} if seal else {})}

    @property
    def thread_id(self) -> str | None:
        return self.held.thread_id

    @property
    def owes(self) -> bool:
        """Whether an exchange waits for results, or a run's end was not received: `go_on` takes it up."""
        return bool(self.held.owed or self.held.run)

    async def open(self, thread_id: str) -> None:
        """Take up a stored thread."""
        with self._one_at_a_time():
            self.held = await self._store.load(thread_id)

    async def attach(self, data: bytes, name: str) -> str:
        """Upload an image for the next question; its id, for `attachments`. Raises Refused, which says why not."""
        if self._session is None:
            raise CallerError("use the caller as a context manager: async with Caller(...) as caller")
        if self._tokens[1] == "" and origin_of(self._urls[1]) != origin_of(self._urls[0]):
            await self._current_catalogue()  # its seal says there who we are
        attached = await self._inference.upload(f"{ATTACH}?name={quote(name, safe='')}", data)
        if not isinstance(attached.get("id"), str):
            raise Broken("the service did not name the image")
        return attached["id"]

    async def ask(
        self, message: str, *, context: Mapping[str, Any] | None = None, attachments: Sequence[str] = (),
        model: str | None = None,
    ) -> AsyncGenerator[Told]:  # fmt: skip
        """A new exchange. Calls that were still open are over with it: the service ends them as superseded.

        `context` is the open page (`route`, `record`, `selection`), `attachments` ids of uploads. Raises CallerError;
        what was held before stays held.
        """
        with self._one_at_a_time():
            catalogue = await self._current_catalogue()
            if self.held.run:
                await self._left()
                self.held.run = ""
            if self._save and self.held.thread_id is None:
                self.held = await self._store.begin()
            given: Json = {"message": message, "context": context, "thread_id": self.held.thread_id}
            seeds = await self._gateway.json("POST", "/api/v1/system/context", _stated(given))
            self._details = _stated({"thread_id": self.held.thread_id, "question": message, "context": context})
            body = self._body(catalogue) | _stated(
                {"message": message, "context": context, "seeds": seeds, "attachments": list(attachments),
                 "model": model, "locale": self._locale}
            )  # fmt: skip
            self.held.requests = 0
            async with aclosing(self._drive(body)) as events:
                async for told in events:
                    yield told

    async def go_on(self) -> AsyncGenerator[Told]:
        """Take up what was interrupted: hear a run to its end, run the calls that are owed, resubmit."""
        with self._one_at_a_time():
            await self._current_catalogue()
            async with aclosing(self._drive(None)) as events:
                async for told in events:
                    yield told

    async def stop(self) -> None:
        """Stop what goes on: the run at the service, or the calls that are being run here. Nothing held is lost."""
        if not self._active:
            return
        self._stopping = True
        if self._work is not None:
            self._work.cancel()
        if self.held.run:
            await self._inference.stop(self.held.run)

    async def _drive(self, body: Json | None) -> AsyncGenerator[Told]:
        """Runs and calls in turn, to the exchange's end. `body` is None where it begins with what is owed."""
        while True:
            if body is not None or self.held.run:
                self.held.requests += 1
                async with aclosing(self._run(body)) as events:
                    async for told in events:
                        yield told
                async for told in self._saved():
                    yield told
            if not self.held.owed:
                return
            if self.held.requests >= self._steps:
                raise StepLimit(
                    f"the answer took {self._steps} requests, which is all that it may; ask for less at once"
                )
            async with aclosing(self._answers()) as events:
                async for told in events:
                    yield told
            if self._stopping:
                yield Told("stopped", {})
                return
            body = self._resubmission()

    async def _run(self, body: Json | None) -> AsyncGenerator[Told]:
        """One request and its events. Leaving in the middle stops the run and still takes up its end."""
        repeatable = body is not None and "continuation" in body
        events = self._inference.events(
            CHAT, body or {}, repeatable=repeatable, begun=self._run_began, run=self.held.run
        )  # fmt: skip
        ended = False
        try:
            async with aclosing(events):
                async for event in events:
                    ended = ended or event.name in ENDS
                    told = Told(event.name, event.document)
                    self._take(told)
                    yield told
                    if self._stopping and not ended:
                        await self._inference.stop(self.held.run)
        except (GeneratorExit, asyncio.CancelledError):
            if not ended and self.held.run:
                await self._left()
            raise

    def _run_began(self, run: str) -> None:
        if not run:
            raise Broken("the service did not name the run")
        self.held.begin(run)

    def _take(self, told: Told) -> None:
        match told.name:
            case "run-started":
                self.held.thread_id = self.held.thread_id or str(told.data.get("thread_id") or "") or None
                self._details |= _stated({"exchange_id": told.data.get("exchange_id")})
            case "client-tool-call":
                self.held.owe(told.data)
            case "finish":
                self.held.finish(told.data)
            case "error":
                self.held.fail()
                message = str(told.data.get("message") or "the run failed")
                raise RunFailed(str(told.data.get("code") or "error"), message, told.data.get("retryable") is True)
            case _:
                pass

    async def _left(self) -> None:
        """Stop a run that nobody hears any more, and hold its end: the conversation can go on from there."""
        with contextlib.suppress(CallerError, TimeoutError):
            async with asyncio.timeout(_STOPPING):
                run = self.held.run
                await self._inference.stop(run)
                events = self._inference.events(CHAT, {}, repeatable=False, begun=self._run_began, run=run)
                async for event in events:
                    self._take(Told(event.name, event.document))

    async def _answers(self) -> AsyncGenerator[Told]:
        """Runs the owed calls, and tells of them as they happen."""
        heard: asyncio.Queue[Told | None] = asyncio.Queue()
        catalogue = await self._current_catalogue()
        running = Running(
            self._gateway, catalogue, self._tools, self._decide,
            lambda name, data: heard.put_nowait(Told(name, data)), dict(self._details),
        )  # fmt: skip
        work = self._work = asyncio.create_task(running.answer(self.held.owed, self.held.results))
        work.add_done_callback(lambda _: heard.put_nowait(None))
        try:
            while (told := await heard.get()) is not None:
                yield told
            if not (work.cancelled() and self._stopping):
                await work
        finally:
            self._work = None
            work.cancel()
            await asyncio.wait([work])

    async def _saved(self) -> AsyncGenerator[Told]:
        if not self._save:
            return
        try:
            await self._store.append(self.held)
        except StaleCopy:
            raise
        except CallerError as wrong:
            yield Told("unsaved", {"code": wrong.code, "message": str(wrong), "messages": len(self.held.unsaved)})

    async def _current_catalogue(self) -> Catalogue:
        found = self._catalogue
        if found is None or found.expires - datetime.now(UTC) < _FRESH:
            document = await self._gateway.json("GET", "/api/v1/system/mcp/tools")
            found = self._catalogue = read_catalogue(document)
        shadowing = [name for name in found.tools if name in self._tools]
        if shadowing:
            raise DeclarationError(f"client tool {shadowing[0]!r} has the name of a tool of the gateway; rename it")
        return found

    def _body(self, catalogue: Catalogue) -> Json:
        held = self.held
        return {
            **_stated({"thread_id": held.thread_id}),
            **held.told(),
            **held.proof(), "catalogue": dict(catalogue.document), "client_tools": self._tools.documents,
        }  # fmt: skip

    def _resubmission(self) -> Json:
        """Results for every call that was asked for, in their order; with the continuation that asked for them."""
        assert self._catalogue is not None
        results = [self.held.results[call.id] for call in self.held.owed]
        return self._body(self._catalogue) | {"tool_results": results} | _stated({"locale": self._locale})

    @contextlib.contextmanager
    def _one_at_a_time(self):
        if self._session is None:
            raise CallerError("use the caller as a context manager: async with Caller(...) as caller")
        if self._active:
            raise Busy("a run goes on already; wait for its end, or stop it")
        self._active, self._stopping = True, False
        try:
            yield
        finally:
            self._active = False


_SEAL = "x-sayso-catalogue"  # where the bearer is a token


def _bearer(token: str) -> Mapping[str, str]:
    return {"authorization": f"Bearer {token}"} if token else {}


def _stated(values: Mapping[str, Any]) -> Json:
    """Without what is not given."""
    return {name: value for name, value in values.items() if value not in (None, [], ())}
