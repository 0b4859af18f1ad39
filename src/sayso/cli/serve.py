"""`sayso serve` and `sayso link`: the page on this machine, and the one link that signs in."""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from sayso import config
from sayso.cli.compose import LOCAL_USER, open_workspace, running
from sayso.cli.terms import HomeOption, ModelOption, fail, out, say
from sayso.config import Config
from sayso.workspace.workspace import Workspace


def serve(
    host: Annotated[str | None, typer.Option(help="Where to listen; this machine only by default.")] = None,
    port: Annotated[int | None, typer.Option(help="The port; 8787 by default.")] = None,
    model: ModelOption = None,
    sample: Annotated[bool, typer.Option("--sample", help="Fill an empty workspace with the sample first.")] = False,
    home: HomeOption = None,
) -> None:
    """Serve the page. Prints one link that signs in."""
    flags = {"home": home, "host": host, "port": port, "model": model}
    settings = config.load(flags, os.environ, Path.cwd())
    if sample:
        _fill_sample(settings)
    asyncio.run(_serve(settings))


def _fill_sample(settings: Config) -> None:
    from sayso.workspace.sample import sample_records

    workspace = open_workspace(settings)
    try:
        if not _is_empty(workspace):
            return
        now = datetime.now(UTC)
        records = sample_records(now.astimezone(settings.zone).date(), settings.zone)
        workspace.upsert(LOCAL_USER.owner, records, now)
        say(f"Filled an empty workspace with {len(records)} sample records ({settings.home}).")
    finally:
        workspace.database.close()


def _is_empty(workspace: Workspace) -> bool:
    return not any(workspace.count(LOCAL_USER.owner, kind) for kind in ("person", "goal", "project", "document"))


async def _serve(settings: Config) -> None:
    import uvicorn

    from sayso.server.app import create_app
    from sayso.server.local import LocalAssistant
    from sayso.server.signin import SignIn

    async with running(settings) as assistant:
        # Only the server mends what a dead process left: a command must not touch what the server runs.
        now = datetime.now(UTC)
        await assistant.threads.recover(now)
        await assistant.gateway.recover(now)
        sign_in = SignIn(settings.home)
        app = create_app(LocalAssistant(assistant), settings, sign_in)
        server = uvicorn.Server(
            uvicorn.Config(app, host=settings.host, port=settings.port, log_level="warning", server_header=False,
                           timeout_keep_alive=30, h11_max_incomplete_event_size=65536)
        )  # fmt: skip
        say(f"{assistant.model_name} answers: {assistant.model_reason}")
        out.print("Open this link (it signs in once; `sayso link` prints another):")
        out.print(sign_in.new_link(f"http://{_named(settings.host)}:{settings.port}"), soft_wrap=True)
        out.print("Ctrl-C stops.")
        await server.serve()
    if not server.started:
        fail(f"Port {settings.port} is taken. Stop what runs there, or use --port.")
        raise typer.Exit(1)


def _named(host: str) -> str:
    return "localhost" if host in ("127.0.0.1", "::1") else host


def link(
    port: Annotated[int | None, typer.Option(help="The port that the server listens on.")] = None,
    home: HomeOption = None,
) -> None:
    """Print another sign-in link for the running server."""
    from sayso.server.signin import SignIn

    settings = config.load({"home": home, "port": port}, os.environ, Path.cwd())
    out.print(SignIn(settings.home).new_link(f"http://{_named(settings.host)}:{settings.port}"), soft_wrap=True)
