"""Outside MCP servers as tools and actions of ours.

A tool is `propose` until the operator marked it as read; what runs is the definition that was pinned, or nothing. The
servers are reached on a thread of their own, so that none of them can hold up a run that does not ask it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from sayso.core.facts import FactKind
from sayso.core.proposals import Change, Target
from sayso.core.tools import ProposeResult, ReadResult, Tool, ToolContext, ToolKind, define_tool
from sayso.errors import ConfigError, FactError, SaysoError
from sayso.gateway.actions import Action, ActionRefused, ActionRequest, Done
from sayso.gateway.mcp.definitions import Definition, Unfit, quoted, shortened
from sayso.gateway.mcp.outside_arguments import arguments_of, example_of, off_card, on_card, sent
from sayso.gateway.mcp.outside_facts import declared_kind, facts_of
from sayso.gateway.mcp.outside_session import (
    Connection,
    Listing,
    OutsideFailed,
    OutsideUnavailable,
)
from sayso.gateway.mcp.pins import NEW, Pin, PinFile, Pins, compared, pinned_again
from sayso.gateway.mcp.settings import OutsideServer

R = TypeVar("R")
TARGET = "mcp_tool"
"""The kind of what a card of an outside tool is about: `Outside.version` tells whether it is still the same."""
MOST_TOOLS = 150
"""The tools of all servers together: whoever drives the assistant takes no longer catalogue."""
MOST_TOLD, MOST_OF_SERVER = 10_000, 120_000  # characters of the schema of one tool, and of all of a server
_LONGEST = 60.0  # seconds for which a run waits for one call
_SLACK = 30.0  # seconds beyond a call's own limit: the session's start and end
_log = logging.getLogger(__name__)


_NONE = Pins()


@dataclass(frozen=True, slots=True)
class Found:
    """What a look at a server showed: its tools as they stand, what is wrong with others, or that it is away."""

    server: OutsideServer
    pins: Mapping[str, Pin]
    refused: tuple[tuple[str, str], ...] = ()
    unavailable: str = ""


class Outside:
    """The configured servers. `home` holds the pins; `taken` are the names that no outside tool may have.

    The pins are those of the file at each look, so an operator's command holds from the next listing and call on. A
    file that cannot be read stops `prepare`, and puts nothing on offer afterwards.
    """

    def __init__(
        self, servers: Iterable[OutsideServer], home: Path, taken: Callable[[], Iterable[str]] = tuple
    ) -> None:
        self._file, self._taken = PinFile(home), taken
        self._servers = {server.name: server for server in servers}
        self._connections: dict[str, Connection] = {}
        self._loop = _Loop()
        self._made: tuple[Pins, tuple[Tool, ...]] = (Pins(), ())

    @property
    def servers(self) -> tuple[OutsideServer, ...]:
        return tuple(self._servers.values())

    @property
    def seconds(self) -> float:
        """The longest time that a call may take; 0.0 without servers."""
        return max((min(server.seconds, _LONGEST) for server in self._servers.values()), default=0.0)

    async def prepare(self) -> tuple[Found, ...]:
        """Meet the servers that were never met, and pin what they list. Those that are known are not asked."""
        pins = self._file.read()
        unmet = [name for name in self._servers if not pins.knows(name)]
        return tuple(await asyncio.gather(*(self.look(name) for name in unmet)))

    async def look(self, name: str) -> Found:
        """Ask a server for its tools now and record what changed. Never raises for the server's faults."""
        server = self._servers[name]
        try:
            listing = await self._ask(name, lambda connection: connection.listing())
        except OutsideUnavailable as wrong:
            return Found(server, self._file.read().of(name), unavailable=str(wrong))
        fit, refused = self._fit(listing)

        def compare(pins: Pins) -> Mapping[str, Pin]:
            return compared(pins.of(name), fit) if pins.knows(name) else pinned_again(fit, {})

        return Found(server, self._file.change(name, compare), refused)

    async def pin(self, name: str, only: str = "") -> Found:
        """Take what the server lists now as seen by the operator. A changed tool is `propose` again."""
        server = self._servers[name]
        listing = await self._ask(name, lambda connection: connection.listing())
        fit, refused = self._fit(listing)
        seen = self._file.change(name, lambda pins: pinned_again(fit, pins.of(name), only))
        return Found(server, seen, refused)

    def mark(self, name: str, tool: str, *, read: bool) -> Pin:
        """Record that a pinned tool only reads, or that it does not. Raises KeyError, ValueError."""

        def found_in(of: Mapping[str, Pin]) -> str:
            return next((key for key, pin in of.items() if tool in (key, pin.definition.theirs)), "")

        def marked(pins: Pins) -> Mapping[str, Pin]:
            of = pins.of(name)
            if not (found := found_in(of)):
                raise KeyError(tool)
            if of[found].trouble:
                raise ValueError(of[found].trouble)
            return {**of, found: Pin(of[found].definition, read)}

        seen = self._file.change(name, marked)
        return seen[found_in(seen)]

    def tools(self) -> tuple[Tool, ...]:
        """The tools that are on offer now: pinned, unchanged when last seen, and of a configured server. The same
        tuple as before where no pin has changed."""
        if not self._servers:
            return ()
        pins = self._seen()
        made = self._made
        if made[0] is not pins:
            taken = frozenset(self._taken())
            found = list(self._on_offer(pins, taken))
            if len(found) > MOST_TOOLS:
                _log.warning("%d outside tools are too many: the first %d are on offer", len(found), MOST_TOOLS)
            made = self._made = (pins, tuple(self._tool(server, pin) for server, pin in found[:MOST_TOOLS]))
        return made[1]

    def _on_offer(self, pins: Pins, taken: Collection[str]) -> Iterable[tuple[OutsideServer, Pin]]:
        for server in self._servers.values():
            for pin in pins.of(server.name).values():
                if not pin.trouble and pin.definition.name not in taken and _offered(server, pin.definition):
                    yield server, pin

    def _seen(self) -> Pins:
        """The pins now; none where they cannot be read: nothing is on offer on a guess."""
        try:
            return self._file.read()
        except ConfigError as wrong:
            _log.error("no outside tool is on offer: %s", wrong)
            return _NONE

    def kinds(self) -> tuple[FactKind, ...]:
        """The kinds of these tools' facts, for whoever reads stored ones."""
        return tuple(declared_kind(p.definition).kind for s in self._servers for p in self._seen().of(s).values())

    def version(self, target: Target) -> str | None:
        """Which definition of a tool would be called now; None for a tool that is not on offer (any more)."""
        pin = next((p for s in self._servers for name, p in self._seen().of(s).items() if name == target.key), None)
        return pin.definition.fingerprint if pin is not None and not pin.trouble else None

    def actions(self) -> dict[str, Action]:
        """One action a server: calling one of its tools, after an approval."""
        return {action.name: action for action in map(self._action, self._servers.values())}

    async def aclose(self) -> None:
        await asyncio.gather(*(self._ask(name, lambda c: c.aclose()) for name in list(self._connections)))
        await asyncio.to_thread(self._loop.close)

    def _fit(self, listing: Listing) -> tuple[list[Definition], tuple[tuple[str, str], ...]]:
        """The definitions of which a tool can be made under a name of its own."""
        taken = frozenset(self._taken())
        fit: list[Definition] = []
        refused = list(listing.refused)
        size = 0
        for definition in listing.tools.values():
            try:
                if definition.name in taken:
                    raise Unfit("one of our own tools has this name")
                told = len(json.dumps(dict(self._tool(self._servers[definition.server], Pin(definition)).schema)))
                if told > MOST_TOLD or size + told > MOST_OF_SERVER:
                    raise Unfit("its arguments are too many or too deep to be told to a model")
            except (SaysoError, ValueError, TypeError, RecursionError) as wrong:
                why = str(wrong) if isinstance(wrong, Unfit) else "no tool can be made of its schema"
                refused.append((definition.theirs, why))
                continue
            size += told
            fit.append(definition)
        return fit, tuple(refused)

    def _tool(self, server: OutsideServer, pin: Pin) -> Tool:
        definition = pin.definition

        async def read(arguments: BaseModel, context: ToolContext) -> ReadResult:
            now = self._seen().of(server.name).get(definition.name)
            if now is None or now.trouble or not now.read or now.definition.fingerprint != definition.fingerprint:
                raise OutsideUnavailable(f"{definition.name} is no read any more, by the operator's word")
            given = sent(arguments)
            result = await self._call(definition, given)
            answer = facts_of(definition, result, context.now, _told(given))
            return ReadResult(answer.facts, answer.matched, answer.matched)

        async def propose(arguments: BaseModel, context: ToolContext) -> ProposeResult:
            title = f"{server.name}: {shortened(definition.title or definition.theirs, 60)}"
            target = Target(TARGET, definition.name, f"{definition.theirs} at {server.name}")
            change = Change(action_of(server), title, on_card(sent(arguments)), target, definition.fingerprint)
            return ProposeResult(change)

        return define_tool(
            definition.name,
            kind=ToolKind.READ if pin.read else ToolKind.PROPOSE,
            description=quoted(server.name, definition, server.wording.get(definition.theirs, "")),
            arguments=arguments_of(definition),
            run=read if pin.read else propose,
            example=example_of(definition),
            covers=declared_kind(definition).kind if pin.read else None,
            words=(server.name.replace("_", " "),),
            can_leave=True,
            title=f"Asking {server.name}",
        )

    def _action(self, server: OutsideServer) -> Action:
        def run(request: ActionRequest) -> Done:
            try:
                definition, arguments = self._approved(server, request)
                result = self._loop.run(self._on_loop(server.name, definition, arguments, request.key), _limit(server))
            except (OutsideUnavailable, OutsideFailed) as wrong:
                raise ActionRefused(str(wrong)) from wrong
            try:
                answer = facts_of(definition, result, request.now, _told(arguments))
            except FactError:  # it ran: what it says of it cannot be read
                return Done("answered", f"{server.name} answered, though not in the form that it declares: look there")
            return Done("answered", f"{server.name} answered", facts=answer.facts)

        return Action(action_of(server), f"execute:{action_of(server)}", run, external=True)

    def _approved(self, server: OutsideServer, request: ActionRequest) -> tuple[Definition, dict[str, Any]]:
        """The pinned tool that was approved, and its arguments. Raises ActionRefused: nothing was sent."""
        pin = self._seen().of(server.name).get(request.target.key) if request.target else None
        if pin is None or pin.trouble or pin.definition.fingerprint != request.precondition:
            raise ActionRefused(f"the tool of {server.name} has changed since this was asked for; nothing was sent")
        try:
            arguments = off_card(request.arguments)
            return pin.definition, sent(arguments_of(pin.definition).model_validate(arguments))
        except (ValidationError, ValueError) as wrong:
            raise ActionRefused("the arguments do not fit the tool any more; nothing was sent") from wrong

    async def _call(self, definition: Definition, arguments: Mapping[str, Any]) -> dict[str, Any]:
        return await self._loop.wait(self._on_loop(definition.server, definition, arguments, ""))

    async def _on_loop(
        self, name: str, definition: Definition, arguments: Mapping[str, Any], key: str
    ) -> dict[str, Any]:
        connection = self._connection(name)
        try:
            return await connection.call(definition, arguments, key)
        except OutsideUnavailable:
            self._note(name, connection)
            raise

    def _note(self, name: str, connection: Connection) -> None:
        """Record what a call found changed: it is off offer from now on."""
        if (listing := connection.last).at and self._seen().knows(name):
            fit, _ = self._fit(listing)
            self._file.change(name, lambda pins: compared(pins.of(name), fit))

    async def _ask(self, name: str, what: Callable[[Connection], Coroutine[Any, Any, R]]) -> R:
        async def ask() -> R:
            return await what(self._connection(name))

        return await self._loop.wait(ask())

    def _connection(self, name: str) -> Connection:
        """Called on the loop of its own only."""
        if name not in self._connections:
            self._connections[name] = Connection(self._servers[name])
        return self._connections[name]


def action_of(server: OutsideServer) -> str:
    return f"mcp.{server.name}"


def changed_or_new(pins: Sequence[Pin]) -> tuple[list[Pin], list[Pin]]:
    """The pins that are not on offer because of a change, and the tools that were never pinned."""
    troubled = [pin for pin in pins if pin.trouble]
    return [p for p in troubled if p.trouble != NEW], [p for p in troubled if p.trouble == NEW]


def _offered(server: OutsideServer, definition: Definition) -> bool:
    return not server.offered or definition.theirs in server.offered


def _told(arguments: Mapping[str, Any]) -> str:
    """The arguments as one text that tells one question from another."""
    return json.dumps(arguments, sort_keys=True, ensure_ascii=False) if arguments else ""


def _limit(server: OutsideServer) -> float:
    return 3 * server.seconds + _SLACK


class _Loop:
    """A thread with a loop, started when it is first needed."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    def run(self, work: Coroutine[Any, Any, R], seconds: float) -> R:
        """From another thread: wait for it. Raises TimeoutError."""
        future = self._submit(work)
        try:
            return future.result(seconds)
        except TimeoutError:
            future.cancel()
            raise

    async def wait(self, work: Coroutine[Any, Any, R]) -> R:
        """From a loop; to be cancelled there cancels the work here."""
        return await asyncio.wrap_future(self._submit(work))

    def close(self) -> None:
        with self._starting:
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is not None and thread is not None:
            loop.call_soon_threadsafe(loop.stop)
            thread.join(10)

    def _submit(self, work: Coroutine[Any, Any, R]) -> Future[R]:
        with self._starting:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=_serve, args=(self._loop,), name="mcp", daemon=True)
                self._thread.start()
            return asyncio.run_coroutine_threadsafe(work, self._loop)


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0.1))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
