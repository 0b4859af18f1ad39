"""Puts the application together. What it serves is given: an assistant and settings."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Collection, Iterable
from importlib.resources import files
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from sayso.config import Config
from sayso.errors import SaysoError
from sayso.inapp.threads import ThreadDesk
from sayso.inference.service import ChatService
from sayso.server.audit_routes import AuditRoutes, HeadFile
from sayso.server.guard import Guard, access_by
from sayso.server.identity import identity_of
from sayso.server.ports import Assistant
from sayso.server.routes import Api
from sayso.server.signin import SignIn
from sayso.server.signin_routes import sign_in_routes
from sayso.server.thread_routes import ThreadRoutes
from sayso.serving import problems
from sayso.serving.endpoints import Endpoint, Role, routes_of
from sayso.serving.openapi import describing
from sayso.serving.runs import Runs
from sayso.store.audit import Audit
from sayso.store.users import Users
from sayso.tables import AuditTable, LimitsTable, section

ALL_ROLES = frozenset(Role)


def create_app(
    assistant: Assistant, config: Config, secrets: SignIn, *, runs: Runs | None = None, instance: str = "",
    users: Users | None = None, audit: Audit | None = None, roles: Collection[Role] = ALL_ROLES,
    more: Iterable[Endpoint] = (), driven: ChatService | None = None, desk: ThreadDesk | None = None,
) -> Starlette:  # fmt: skip
    """The services of these roles in one application; `more` are endpoints of other parts; `driven`
    answers chat requests whose tools are left to the caller. Sign-in is always on.

    Without `users` there is signing in by link only, and no API tokens. Without a `desk` threads are only shown.
    """
    log = runs or (driven.runs if driven else Runs())
    identity = identity_of(config, secrets, users)
    limits = section(config.tables, "limits", LimitsTable)
    heads = HeadFile(audit, section(config.tables, "audit", AuditTable)) if audit else None

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        async with heads.kept() if heads else contextlib.nullcontext():
            yield
            await log.close()

    api = Api(assistant, config, log, instance, driven)
    admin = [*AuditRoutes(audit).endpoints()] if audit else []
    threads = ThreadRoutes(assistant, desk).endpoints() if desk else api.thread_endpoints()
    every = [*api.endpoints(), *threads, *sign_in_routes(identity, limits.sign_in, audit).endpoints(), *admin, *more]
    served = [endpoint for endpoint in every if endpoint.role in roles or endpoint.path == "/healthz"]
    endpoints = describing(served, Role.WORKSPACE)
    static = StaticFiles(directory=Path(str(files("sayso.web"))) / "static")
    app = Starlette(
        routes=[*routes_of(endpoints), *([Mount("/static", static)] if Role.WORKSPACE in roles else [])],
        middleware=[
            Middleware(
                Guard, identity=identity, open_to=access_by(endpoints), allowed=_hosts(config), limits=limits,
                public_url=config.public_url or "",
            )
        ],
        exception_handlers={
            problems.Problem: problems.on_problem,
            SaysoError: problems.on_sayso_error,
            HTTPException: problems.on_http_error,
            Exception: problems.on_crash,
        },
        lifespan=lifespan,
    )  # fmt: skip
    app.state.endpoints = tuple(endpoints)
    return app


def _hosts(config: Config) -> tuple[str, ...]:
    own = () if config.host in ("0.0.0.0", "::", "") else (f"[{config.host}]" if ":" in config.host else config.host,)
    return (*config.allowed_hosts, *own)
