"""Puts the application together, and listens. What it serves is given: an assistant and settings."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator
from importlib.resources import files
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from sayso.config import Config
from sayso.core.tools import Actor
from sayso.errors import SaysoError
from sayso.inapp.surroundings import LOCAL_USER
from sayso.server import problems
from sayso.server.guard import Guard
from sayso.server.ports import Assistant
from sayso.server.routes import Api
from sayso.server.runs import Runs
from sayso.server.signin import SignIn


def create_app(
    assistant: Assistant, config: Config, secrets: SignIn, *, actor: Actor = LOCAL_USER, runs: Runs | None = None
) -> Starlette:
    """The whole application. Sign-in is always on; `actor` is the one person who signs in."""
    log = runs or Runs()

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        yield
        await log.close()

    api = Api(assistant, config, secrets, log, actor)
    static = StaticFiles(directory=Path(str(files("sayso.web"))) / "static")
    return Starlette(
        routes=[*api.routes(), Mount("/static", static)],
        middleware=[Middleware(Guard, sign_in=secrets, allowed=_hosts(config))],
        exception_handlers={
            problems.Problem: problems.on_problem,
            SaysoError: problems.on_sayso_error,
            HTTPException: problems.on_http_error,
            Exception: problems.on_crash,
        },
        lifespan=lifespan,
    )


def base_url(config: Config) -> str:
    """Where a person opens the page."""
    host = "127.0.0.1" if config.host in ("0.0.0.0", "::", "") else config.host
    return f"http://{f'[{host}]' if ':' in host else host}:{config.port}"


def listen(app: Starlette, config: Config) -> None:
    """Serve until stopped by a signal. Access lines are not logged: a sign-in link holds its token."""
    uvicorn.run(
        app, host=config.host, port=config.port, access_log=False, server_header=False, log_level="warning",
        timeout_graceful_shutdown=5,
    )  # fmt: skip


def _hosts(config: Config) -> tuple[str, ...]:
    own = () if config.host in ("0.0.0.0", "::", "") else (f"[{config.host}]" if ":" in config.host else config.host,)
    return (*config.allowed_hosts, *own)
