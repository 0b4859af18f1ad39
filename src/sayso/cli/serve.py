"""`sayso serve` and `sayso link`: the page on this machine, and the one link that signs in."""

from __future__ import annotations

import asyncio
import os
import socket
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sayso import config
from sayso.cli.compose import prepare, running_over
from sayso.cli.terms import HomeOption, ModelOption, SampleOption, fail, out, say
from sayso.config import Config
from sayso.errors import ConfigError
from sayso.serving.endpoints import Role

if TYPE_CHECKING:
    from sayso.server.signin import SignIn
    from sayso.store.users import Users


RoleOption = Annotated[
    str,
    typer.Option(
        "--role",
        help="Which services: inference, gateway, workspace; several by commas. All by default. "
        "`serve --role inference --help` tells the options of that one alone.",
    ),
]


def serve(
    host: Annotated[str | None, typer.Option(help="Where to listen; this machine only by default.")] = None,
    port: Annotated[int | None, typer.Option(help="The port; 8787 by default (SAYSO_PORT).")] = None,
    role: RoleOption = "all",
    model: ModelOption = None,
    inference_keys: Annotated[
        str | None,
        typer.Option(help="The public keys of an inference service that runs apart: a file, or their address."),
    ] = None,
    shared_runs: Annotated[
        bool | None,
        typer.Option("--shared-runs/--own-runs", help="Several of these over one database act as one; off by default."),
    ] = None,
    run_log: Annotated[
        str | None, typer.Option(help="Share runs in a database of their own (sqlite:///path) instead.")
    ] = None,
    sample: SampleOption = False,
    home: HomeOption = None,
) -> None:
    """Serve the page. Prints one link that signs in."""
    from sayso.server.address import bound
    from sayso.server.exposure import check_exposure

    flags = {
        "home": home, "host": host, "port": port, "model": model, "sample": sample, "inference_keys": inference_keys,
        "shared_runs": shared_runs, "run_log": run_log,
    }  # fmt: skip
    settings = config.load(flags, os.environ, Path.cwd())
    roles = read_roles(role)
    check_exposure(settings)
    with bound(settings.host, settings.port) as listener:
        if settings.is_sample:
            say(
                "This is the made-up sample. Your own records are kept apart: `sayso import`, then `sayso serve`.",
                "bold",
            )
        prepare(settings)
        asyncio.run(_serve(settings, listener, roles))


def read_roles(given: str) -> frozenset[Role]:
    """The services that `--role` names. Raises ConfigError for an unknown one."""
    names = [name.strip() for name in given.split(",") if name.strip()]
    known = [role.value for role in Role]
    if names in ([], ["all"]):
        return frozenset(Role)
    for name in names:
        if name not in known:
            raise ConfigError(f"there is no role {name!r}; --role is all, or some of {', '.join(known)}")
    return frozenset(Role(name) for name in names)


async def _serve(settings: Config, listener: socket.socket, roles: frozenset[Role]) -> None:
    import uvicorn

    from sayso.cli.application import application
    from sayso.server.address import announced, url_of
    from sayso.server.signin import SignIn
    from sayso.serving.sockets import BoundedProtocol
    from sayso.store.users import Users

    async with running_over(settings, answers=Role.INFERENCE in roles) as (workspace, assistant):
        # Only the server mends what a dead process left: a command must not touch what the server runs.
        if Role.WORKSPACE in roles:
            await assistant.threads.recover(datetime.now(UTC))
        recovering = [
            *([asyncio.create_task(assistant.gateway.keep_recovering())] if Role.GATEWAY in roles else []),
            *([asyncio.create_task(assistant.threads.keep_recovering())] if Role.WORKSPACE in roles else []),
        ]
        sign_in = SignIn(settings.home)
        users = Users(workspace.database, settings.roles)
        url = url_of(settings.host, listener)
        with announced(settings.home, url, sample=settings.is_sample) as told:
            parts = application(settings, workspace, assistant, sign_in, roles, instance=told.instance)
            async with parts as app:
                # The guard judges itself what a proxy says: a header must not change where a request comes from.
                server = uvicorn.Server(
                    uvicorn.Config(app, http=BoundedProtocol, log_level="warning", server_header=False,
                                   timeout_keep_alive=30, h11_max_incomplete_event_size=65536, proxy_headers=False)
                )  # fmt: skip
                if Role.INFERENCE in roles:
                    say(f"{assistant.model_name} answers: {assistant.model_reason}")
                await _say_the_way_in(settings, sign_in, users, url, roles)
                out.print("Ctrl-C stops.")
                await server.serve(sockets=[listener])
        for task in recovering:
            task.cancel()
    if not server.started:
        fail("The server did not start; what went wrong is said above.")
        raise typer.Exit(1)


async def _say_the_way_in(settings: Config, sign_in: SignIn, users: Users, url: str, roles: frozenset[Role]) -> None:
    place = settings.public_url or url
    if Role.WORKSPACE not in roles:
        out.print(f"The {', '.join(sorted(roles))} service listens on {url}", soft_wrap=True)
    elif settings.sign_in == "link":
        out.print("Open this link (it signs in once; `sayso link` prints another):")
        out.print(sign_in.new_link(url), soft_wrap=True)
    elif settings.sign_in == "proxy":
        out.print(f"Open {place} through the proxy that signs people in.", soft_wrap=True)
    else:
        out.print(f"Sign in with a name and password: {place}", soft_wrap=True)
        if not any(user.password for user in await users.list()):
            there = " --sample" if settings.is_sample else ""
            say(f"Nobody has a password yet: sayso users add NAME --role admin{there}", "yellow")


def link(
    port: Annotated[int | None, typer.Option(help="Of several servers, the one on this port.")] = None,
    home: HomeOption = None,
) -> None:
    """Print another sign-in link for the running server."""
    from sayso.server.address import servers
    from sayso.server.signin import SignIn

    settings = config.load({"home": home}, os.environ, Path.cwd())
    if settings.sign_in != "link":
        raise ConfigError(f"sign_in is {settings.sign_in!r}, so links sign nobody in; see `sayso users`")
    found = [server for server in servers(settings.home) if port in (None, server.port)]
    if not found:
        where = f" on port {port}" if port else ""
        fail(f"No server of {settings.home} runs{where}. Start one: sayso serve")
        raise typer.Exit(1)
    sign_in = SignIn(settings.home)
    for server in found:
        whose = "" if len(found) == 1 else "sample: " if server.sample else "your records: "
        out.print(whose + sign_in.new_link(server.url), soft_wrap=True)
