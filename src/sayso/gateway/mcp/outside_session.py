"""One outside server: its session, made when it is needed and again after it broke, and its listing, judged.

Everything here runs on one loop of its own (`outside`). It decides nothing about what a tool may do.
"""

from __future__ import annotations

import asyncio
import importlib.util
import logging
import time
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast

from sayso.errors import SaysoError
from sayso.gateway.mcp.cutting import MORE
from sayso.gateway.mcp.definitions import Definition, Unfit, name_told, read_definition
from sayso.gateway.mcp.outside_wire import over_http, over_pipes
from sayso.gateway.mcp.settings import OutsideServer

if TYPE_CHECKING:
    from mcp import Client
    from mcp.client._transport import ReadStream, TransportStreams
    from mcp.shared.message import SessionMessage

MOST_PAGES = 20
MOST_TOOLS = 50
"""The tools of one server, where the operator names none: what every model is told of each time is kept small."""
MOST_TOLD = 50  # refused tools that are named; the others are counted
MOST_UNASKED = 20_000
"""Notifications and requests of one session, after which it is ended: the next call makes a new one."""
LISTED_FOR = 60.0  # seconds for which a listing is taken as it was
PAUSE = 5.0  # seconds after a failed start in which no other is tried
KEY = "sayso/idempotency-key"
"""In a call's `_meta`: the same for every attempt at one approval."""
_REJECTED = frozenset({-32700, -32600, -32601, -32602})  # errors that say that nothing was run
_log = logging.getLogger(__name__)


class OutsideUnavailable(SaysoError):
    """The server cannot be asked now, or not for this: nothing was sent."""

    code = "outside_unavailable"
    retryable = True


class OutsideFailed(SaysoError):
    """The server answered that it did not do it, or gave an answer that cannot be used."""

    code = "outside_failed"


class OutsideBroke(SaysoError):
    """The call was sent, and no answer came: it may have run."""

    code = "outside_broke"


@dataclass(slots=True)
class Listing:
    """What a server lists: the tools that are fit by our names, and what is wrong with each of the others."""

    tools: dict[str, Definition] = field(default_factory=dict[str, Definition])
    refused: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    at: float = 0.0
    uncounted: int = 0

    def full(self, server: OutsideServer) -> bool:
        return not server.offered and len(self.tools) >= MOST_TOOLS

    def take(self, server: OutsideServer, raw: list[Any]) -> list[dict[str, Any]]:
        """Judge the tools of one page; gives those that the SDK is told of, without what it would try out itself."""
        kept: list[dict[str, Any]] = []
        for tool in raw:
            try:
                read = self._judged(server, tool)
            except Unfit as wrong:
                self._refuse(tool, str(wrong))
                continue
            if read is not None:
                self.tools[read.name] = read
                kept.append({"name": read.theirs, "inputSchema": {"type": "object", **read.input_schema}})
        return kept

    def _judged(self, server: OutsideServer, raw: Any) -> Definition | None:
        """The tool; None for one that the operator does not want, and that there is no need to tell of."""
        if self.full(server):
            raise Unfit(
                f"the server has more than {MOST_TOOLS} tools; name those that you want in [mcp.{server.name}] tools"
            )
        read = read_definition(server, raw)
        if read.name in self.tools:
            raise Unfit("another tool of this server has the same name")
        if server.offered and read.theirs not in server.offered and len(self.tools) >= MOST_TOOLS:
            return None
        return read

    def _refuse(self, raw: Any, why: str) -> None:
        more: object = cast(dict[str, Any], raw).get(MORE) if isinstance(raw, dict) else None
        if isinstance(more, int):
            self.uncounted += min(max(more, 0), 10**6)
        elif len(self.refused) < MOST_TOLD:
            self.refused.append((name_told(raw), why))
        else:
            self.uncounted += 1

    def ended(self, *, whole: bool) -> None:
        """Say in one line each what was not named."""
        if self.uncounted:
            self.refused.append(("(others)", f"{self.uncounted:,} more tools"))
        if not whole:
            self.refused.append(("(others)", "the list goes on, and the rest of it was not read"))
        self.at = time.monotonic()


class Connection:
    """A server's session. All methods run on the loop that made it."""

    def __init__(self, server: OutsideServer, *, pause: float = PAUSE, listed_for: float = LISTED_FOR) -> None:
        self.server = server
        self._pause, self._listed_for = pause, listed_for
        self._lock = asyncio.Lock()
        self._client: Client | None = None
        self._task: asyncio.Task[None] | None = None
        self._stop = asyncio.Event()
        self._listing = Listing()
        self._not_before = 0.0
        self._unasked = 0

    @property
    def last(self) -> Listing:
        """The last listing; its `at` is 0.0 where there was none."""
        return self._listing

    async def listing(self, *, fresh: bool = True) -> Listing:
        """What the server lists. Raises OutsideUnavailable."""
        async with self._lock:
            if self._client is not None:
                try:
                    return await self._listed(fresh)
                except (Exception, BaseExceptionGroup):
                    await self._drop()  # an old session may have ended; a new one is tried at once
            try:
                return await self._listed(fresh)
            except OutsideUnavailable:
                raise
            except (Exception, BaseExceptionGroup) as wrong:
                await self._drop()
                self._not_before = time.monotonic() + self._pause
                raise OutsideUnavailable(f"MCP server {self.server.name} cannot be reached or gives no list") from wrong

    async def _listed(self, fresh: bool) -> Listing:
        async with asyncio.timeout(self.server.seconds):
            client = await self._connected()
            if fresh or time.monotonic() - self._listing.at > self._listed_for:
                await self._list(client)
            return self._listing

    async def call(self, definition: Definition, arguments: Mapping[str, Any], key: str = "") -> dict[str, Any]:
        """Call a tool as it was pinned. Raises OutsideUnavailable, OutsideFailed, OutsideBroke or TimeoutError."""
        listing = await self.listing(fresh=bool(key))
        if not key and not _holds(listing, definition):
            listing = await self.listing()  # the pin may be newer than what was listed
        if not _holds(listing, definition):
            raise OutsideUnavailable(
                f"the tool {definition.theirs} of MCP server {self.server.name} is no longer what was pinned; "
                f"look at it, then: sayso mcp pin {self.server.name}"
            )
        client = self._client
        if client is None:
            raise OutsideUnavailable(f"MCP server {self.server.name} has just gone")
        return await self._called(client, definition.theirs, arguments, key)

    async def aclose(self) -> None:
        async with self._lock:
            await self._drop()

    async def _called(self, client: Client, name: str, arguments: Mapping[str, Any], key: str) -> dict[str, Any]:
        from mcp import MCPError

        meta: Any = {KEY: key} if key else None
        try:
            async with asyncio.timeout(self.server.seconds):
                result = await client.session.call_tool(name, dict(arguments), meta=meta)
        except MCPError as wrong:
            if wrong.code in _REJECTED:
                raise OutsideFailed(f"MCP server {self.server.name} refused the call") from wrong
            await self._broken(client)
            raise OutsideBroke(f"MCP server {self.server.name} gave no answer that can be read") from wrong
        except (TimeoutError, asyncio.CancelledError):
            await asyncio.shield(self._broken(client))
            raise
        except (Exception, BaseExceptionGroup) as wrong:  # it asks for input, or its answer is none of the protocol
            await self._broken(client)
            raise OutsideBroke(f"MCP server {self.server.name} gave no answer that can be read") from wrong
        document: dict[str, Any] = result.model_dump(by_alias=True, mode="json", exclude_none=True)
        if result.is_error:
            raise OutsideFailed(f"MCP server {self.server.name} reports that the call failed")
        return document

    async def _broken(self, client: Client) -> None:
        """End this session, if no other has taken its place; the next call makes a new one."""
        async with self._lock:
            if self._client is client:
                await self._drop()

    async def _connected(self) -> Client:
        if self._client is not None and self._task is not None and not self._task.done():
            return self._client
        await self._drop()
        if importlib.util.find_spec("mcp") is None:
            raise OutsideUnavailable("asking MCP servers needs the extra: pip install 'sayso[mcp]'")
        if time.monotonic() < self._not_before:
            raise OutsideUnavailable(f"MCP server {self.server.name} was unavailable a moment ago")
        self._stop = asyncio.Event()
        ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._hold(ready, self._stop))
        client = await asyncio.shield(ready)
        self._client, self._listing, self._unasked = client, Listing(), 0
        return client

    async def _hold(self, ready: asyncio.Future[Client], stop: asyncio.Event) -> None:
        """Keep one session open: it begins and ends in this task, as its scopes must."""
        from mcp import Client

        try:
            transport = cast(
                Any, _Sifting(self, over_http(self.server) if self.server.url else over_pipes(self.server))
            )
            async with Client(transport, read_timeout_seconds=self.server.seconds) as client:
                if not ready.done():
                    ready.set_result(client)
                await stop.wait()
        except (Exception, BaseExceptionGroup) as wrong:
            if not ready.done():
                ready.set_exception(OutsideUnavailable(f"MCP server {self.server.name} does not start"))
            _log.info("MCP server %s: the session ended: %s", self.server.name, type(wrong).__name__)
        finally:
            if not ready.done():
                ready.cancel()
            elif not ready.cancelled():
                ready.exception()  # looked at, whoever waits for it may have gone

    async def _drop(self) -> None:
        task, client, self._task, self._client = self._task, self._client, None, None
        if task is None:
            return
        self._stop.set()
        done, _ = await asyncio.wait([task], timeout=6.0 if client is not None else 0.0)
        if not done:
            task.cancel()
            await asyncio.wait([task], timeout=6.0)

    async def _list(self, client: Client) -> None:
        import mcp_types

        self._listing = Listing()
        cursor: str | None = None
        for _ in range(MOST_PAGES):
            params = mcp_types.PaginatedRequestParams(cursor=cursor) if cursor else None
            cursor = (await client.session.list_tools(params=params)).next_cursor
            if not cursor or self._listing.full(self.server):
                break
        self._listing.ended(whole=not cursor)

    def sifted(self, item: SessionMessage | Exception) -> SessionMessage | Exception:
        """A message on its way to the SDK: of a list of tools only what is fit, without descriptions and outputs."""
        if not isinstance(item, Exception):
            result: Any = getattr(item.message, "result", None)
            if isinstance(result, dict) and isinstance(cast(dict[str, Any], result).get("tools"), list):
                result["tools"] = self._listing.take(self.server, cast(list[Any], result["tools"]))
            method: object = getattr(item.message, "method", None)
            if method == "notifications/tools/list_changed":
                self._listing.at = 0.0
            if method is not None:
                self._unasked += 1
                if self._unasked == MOST_UNASKED:
                    _log.warning("MCP server %s sends too much that nobody asked for", self.server.name)
                    self._stop.set()
        return item


def _holds(listing: Listing, definition: Definition) -> bool:
    now = listing.tools.get(definition.name)
    return now is not None and now.fingerprint == definition.fingerprint


class _Sifting:
    """A transport whose messages pass `Connection.sifted`."""

    def __init__(self, connection: Connection, inner: AbstractAsyncContextManager[TransportStreams]) -> None:
        self._connection, self._inner = connection, inner

    async def __aenter__(self) -> Any:
        read, write = await self._inner.__aenter__()
        return _Sifted(read, self._connection), write

    async def __aexit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return await self._inner.__aexit__(kind, wrong, trace)


class _Sifted:
    """A stream of messages, each of them sifted."""

    def __init__(self, inner: ReadStream[SessionMessage | Exception], connection: Connection) -> None:
        self._inner, self._connection = inner, connection

    @property
    def last_context(self) -> Any:
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        return self._connection.sifted(await self._inner.receive())

    def close(self) -> None:
        getattr(self._inner, "close", lambda: None)()

    async def aclose(self) -> None:
        await self._inner.aclose()

    def __aiter__(self) -> _Sifted:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        return self._connection.sifted(await self._inner.__anext__())

    async def __aenter__(self) -> _Sifted:
        await self._inner.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return await self._inner.__aexit__(kind, wrong, trace)
