"""`sayso mcp`: our tools over stdio for a client on this machine, and what the operator says of outside servers."""

from __future__ import annotations

import asyncio
import importlib.util
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from sayso import config
from sayso.cli.compose import LOCAL_USER, prepare, running
from sayso.cli.terms import HomeOption, SampleOption, fail, say
from sayso.config import Config
from sayso.gateway.mcp.outside import Found, Outside, changed_or_new
from sayso.gateway.mcp.pins import Pin
from sayso.gateway.mcp.settings import read_servers
from sayso.models.choice import QUOTE

app = typer.Typer(
    help="Serve our tools on stdio to an MCP client; look at, pin and mark the tools of outside servers.",
    invoke_without_command=True,
)

NameArgument = Annotated[str, typer.Argument(help="The server's name: that of its table [mcp.NAME].")]
ToolArgument = Annotated[str, typer.Argument(help="The tool, by the server's name for it or ours.")]


@app.callback()
def mcp(context: typer.Context, sample: SampleOption = False, home: HomeOption = None) -> None:
    """Serve our tools on stdio to an MCP client on this machine, for the person who started it."""
    if context.invoked_subcommand is None:
        if importlib.util.find_spec("mcp") is None:
            fail("MCP needs the extra: pip install 'sayso[mcp]'")
            raise typer.Exit(1)
        # No model answers here: quote stands for one, so that none is looked for.
        asyncio.run(_serve_stdio({"home": home, "sample": sample, "model": [QUOTE]}))


@app.command()
def servers(home: HomeOption = None) -> None:
    """Ask every outside server for its tools: which are on offer, which have changed, which cannot be used."""

    async def look(outside: Outside) -> bool:
        found = await asyncio.gather(*(outside.look(server.name) for server in outside.servers))
        for one in found:
            _tell(one)
        if not found:
            say("No outside MCP server is set up. Add a table [mcp.NAME] with url or command to sayso.toml.")
        return not any(one.unavailable for one in found)

    _with(home, look)


@app.command()
def pin(
    name: NameArgument,
    tool: Annotated[str, typer.Argument(help="Only this tool.")] = "",
    home: HomeOption = None,
) -> None:
    """Take the definitions that a server gives now as seen. A changed tool proposes again, however it was marked."""

    async def pinned(outside: Outside) -> bool:
        found = await outside.pin(_known(outside, name), tool)
        if tool and not any(tool in (p.definition.name, p.definition.theirs) for p in found.pins.values()):
            fail(f"{name} has no tool {tool!r} that can be pinned; `sayso mcp servers` says what it lists.")
            return False
        _tell(found)
        return True

    _with(home, pinned)


@app.command("mark-read")
def mark_read(name: NameArgument, tool: ToolArgument, home: HomeOption = None) -> None:
    """Say that a tool only reads: it runs at once. It holds for the definition that is pinned, and no other."""
    _with(home, lambda outside: _mark(outside, name, tool, read=True))


@app.command("mark-write")
def mark_write(name: NameArgument, tool: ToolArgument, home: HomeOption = None) -> None:
    """Take such a mark back: each call waits for a person again."""
    _with(home, lambda outside: _mark(outside, name, tool, read=False))


def outside_of(settings: Config) -> Outside:
    """The outside servers of these settings; none is asked yet."""
    return Outside(read_servers(settings.tables, os.environ), settings.home)


async def tell_doctor(settings: Config) -> None:
    """For `sayso doctor`: one line a server, with its changed and new tools."""
    outside = outside_of(settings)
    try:
        for found in await asyncio.gather(*(outside.look(server.name) for server in outside.servers)):
            changed, new = changed_or_new(tuple(found.pins.values()))
            if found.unavailable:
                fail(f"mcp: {found.unavailable}")
            elif changed or new:
                names = ", ".join(f"{p.definition.theirs} ({p.trouble})" for p in (*changed, *new))
                fail(f"mcp: {found.server.name}: {names}; look at them, then: sayso mcp pin {found.server.name}")
            else:
                say(f"mcp: {found.server.name}: {len(found.pins)} tool{'' if len(found.pins) == 1 else 's'}")
    finally:
        await outside.aclose()


async def _serve_stdio(flags: dict[str, Any]) -> None:
    """The wire has standard output for itself: whatever else is said goes to standard error."""
    from mcp.server.stdio import stdio_server

    from sayso.gateway.mcp.server import Offer, build
    from sayso.inapp.dispatching import dispatcher_of
    from sayso.server.address import servers as running_servers
    from sayso.signing.keys import OwnKeys

    settings = config.load(flags, os.environ, Path.cwd())
    prepare(settings)

    def page(request: object, proposal_id: str) -> str:
        """The page of a server that runs, else the command that shows the card."""
        found = next((s for s in running_servers(settings.home) if s.sample == settings.is_sample), None)
        return f"{found.url}/proposals#{proposal_id}" if found else f"sayso proposals show {proposal_id}"

    async with running(settings) as assistant:
        dispatcher = dispatcher_of(assistant, OwnKeys(settings.home / "keys" / "gateway"))
        server = build(Offer(dispatcher, lambda request: LOCAL_USER, page))
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())


async def _mark(outside: Outside, name: str, tool: str, *, read: bool) -> bool:
    try:
        marked = outside.mark(_known(outside, name), tool, read=read)
    except KeyError:
        fail(f"{name} has no pinned tool {tool!r}; `sayso mcp servers` says what it lists.")
        return False
    except ValueError as wrong:
        fail(f"{tool} cannot be marked: {wrong}. Look at it, then: sayso mcp pin {name} {tool}")
        return False
    _tell_tool(marked)
    return True


def _known(outside: Outside, name: str) -> str:
    names = [server.name for server in outside.servers]
    if name not in names:
        raise typer.BadParameter(f"there is no table [mcp.{name}]; known are {', '.join(names) or 'none'}")
    return name


def _tell(found: Found) -> None:
    server = found.server
    say(f"{server.name}: {server.url or server.command[0]}", "bold")
    if found.unavailable:
        fail(f"  {found.unavailable}; check [mcp.{server.name}] in sayso.toml, and that the server runs.")
    for one in found.pins.values():
        _tell_tool(one)
    for name, why in found.refused:
        say(f"  {name}: not on offer: {why}", "yellow")
    if any(p.trouble for p in found.pins.values()):
        say(f"  What has changed or is new waits for: sayso mcp pin {server.name}", "yellow")


def _tell_tool(one: Pin) -> None:
    definition = one.definition
    kind = "reads at once (marked)" if one.read else "each call waits for a person"
    state = f"not on offer: {one.trouble}" if one.trouble else kind
    say(f"  {definition.theirs} -> {definition.name}: {state}  [{definition.fingerprint[:12]}]")


def _with(home: Path | None, what: Callable[[Outside], Awaitable[bool]]) -> None:
    async def run() -> bool:
        outside = outside_of(config.load({"home": home}, os.environ, Path.cwd()))
        try:
            return await what(outside)
        finally:
            await outside.aclose()

    if not asyncio.run(run()):
        raise typer.Exit(1)
