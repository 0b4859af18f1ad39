"""Puts the application together. What it serves is given: an assistant and settings."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator
from importlib.resources import files
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from sayso.config import Config
from sayso.errors import SaysoError
from sayso.server.guard import Guard
from sayso.server.ports import Assistant
from sayso.server.routes import Api
from sayso.server.signin import SignIn
from sayso.server.signin_routes import SignInRoutes
from sayso.serving import problems
from sayso.serving.endpoints import Role, routes_of
from sayso.serving.openapi import describing
from sayso.serving.runs import Runs


def create_app(
    assistant: Assistant, config: Config, secrets: SignIn, *, runs: Runs | None = None, instance: str = ""
) -> Starlette:  # fmt: skip
    """The whole application. Sign-in is always on."""
    log = runs or Runs()

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        yield
        await log.close()

    api = Api(assistant, config, log, instance)
    static = StaticFiles(directory=Path(str(files("sayso.web"))) / "static")
    doors = SignInRoutes(secrets, config.locale)
    endpoints = describing([*api.endpoints(), *doors.endpoints()], Role.WORKSPACE)
    app = Starlette(
        routes=[*routes_of(endpoints), Mount("/static", static)],
        middleware=[Middleware(Guard, sign_in=secrets, allowed=_hosts(config))],
        exception_handlers={
            problems.Problem: problems.on_problem,
            SaysoError: problems.on_sayso_error,
            HTTPException: problems.on_http_error,
            Exception: problems.on_crash,
        },
        lifespan=lifespan,
    )
    app.state.endpoints = tuple(endpoints)
    return app


def _hosts(config: Config) -> tuple[str, ...]:
    own = () if config.host in ("0.0.0.0", "::", "") else (f"[{config.host}]" if ":" in config.host else config.host,)
    return (*config.allowed_hosts, *own)
