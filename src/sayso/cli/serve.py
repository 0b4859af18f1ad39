"""`sayso serve` and `sayso link`: the page on this machine, and the one link that signs in."""

from __future__ import annotations

import asyncio
import os
import socket
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from sayso import config
from sayso.cli.compose import prepare, running
from sayso.cli.terms import HomeOption, ModelOption, SampleOption, fail, out, say
from sayso.config import Config


def serve(
    host: Annotated[str | None, typer.Option(help="Where to listen; this machine only by default.")] = None,
    port: Annotated[int | None, typer.Option(help="The port; 8787 by default (SAYSO_PORT).")] = None,
    model: ModelOption = None,
    sample: SampleOption = False,
    home: HomeOption = None,
) -> None:
    """Serve the page. Prints one link that signs in."""
    from sayso.server.address import bound

    flags = {"home": home, "host": host, "port": port, "model": model, "sample": sample}
    settings = config.load(flags, os.environ, Path.cwd())
    with bound(settings.host, settings.port) as listener:
        if settings.is_sample:
            say(
                "This is the made-up sample. Your own records are kept apart: `sayso import`, then `sayso serve`.",
                "bold",
            )
        prepare(settings)
        asyncio.run(_serve(settings, listener))


async def _serve(settings: Config, listener: socket.socket) -> None:
    import uvicorn

    from sayso.cli.desk import desk_of
    from sayso.inapp.dispatching import dispatcher_of
    from sayso.server.address import announced, url_of
    from sayso.server.app import create_app
    from sayso.server.gateway_routes import GatewayRoutes
    from sayso.server.local import LocalAssistant
    from sayso.server.signin import SignIn
    from sayso.signing.keys import open_keyring

    async with running(settings) as assistant:
        # Only the server mends what a dead process left: a command must not touch what the server runs.
        await assistant.threads.recover(datetime.now(UTC))
        recovering = asyncio.create_task(assistant.gateway.keep_recovering())
        sign_in = SignIn(settings.home)
        url = url_of(settings.host, listener)
        with announced(settings.home, url, sample=settings.is_sample) as told:
            dispatcher = dispatcher_of(assistant, open_keyring(settings.home / "keys" / "gateway"))
            app = create_app(
                LocalAssistant(assistant), settings, sign_in, instance=told.instance,
                more=GatewayRoutes(dispatcher).endpoints(),
                desk=desk_of(assistant, settings, os.environ),
            )  # fmt: skip
            server = uvicorn.Server(
                uvicorn.Config(app, log_level="warning", server_header=False, timeout_keep_alive=30,
                               h11_max_incomplete_event_size=65536)
            )  # fmt: skip
            say(f"{assistant.model_name} answers: {assistant.model_reason}")
            out.print("Open this link (it signs in once; `sayso link` prints another):")
            out.print(sign_in.new_link(url), soft_wrap=True)
            out.print("Ctrl-C stops.")
            await server.serve(sockets=[listener])
        recovering.cancel()
    if not server.started:
        fail("The server did not start; what went wrong is said above.")
        raise typer.Exit(1)


def link(
    port: Annotated[int | None, typer.Option(help="Of several servers, the one on this port.")] = None,
    home: HomeOption = None,
) -> None:
    """Print another sign-in link for the running server."""
    from sayso.server.address import servers
    from sayso.server.signin import SignIn

    settings = config.load({"home": home}, os.environ, Path.cwd())
    found = [server for server in servers(settings.home) if port in (None, server.port)]
    if not found:
        where = f" on port {port}" if port else ""
        fail(f"No server of {settings.home} runs{where}. Start one: sayso serve")
        raise typer.Exit(1)
    sign_in = SignIn(settings.home)
    for server in found:
        whose = "" if len(found) == 1 else "sample: " if server.sample else "your records: "
        out.print(whose + sign_in.new_link(server.url), soft_wrap=True)
