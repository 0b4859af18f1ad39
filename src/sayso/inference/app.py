"""The inference service as an application of its own: its routes, its guard, its problem documents."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Iterable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request

from sayso.core.actors import Actor
from sayso.errors import SaysoError
from sayso.inference.guard import InferenceGuard
from sayso.inference.routes import InferenceApi
from sayso.inference.service import ChatService
from sayso.serving import problems
from sayso.serving.endpoints import Role, routes_of
from sayso.serving.openapi import describing


def create_inference_app(
    service: ChatService, *, allowed_hosts: Iterable[str] = (), origin: str = "", secret: str = ""
) -> Starlette:
    """The whole application. `origin` is the one site whose pages may ask; `secret` a token that all must bear."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        yield
        await service.runs.close()

    async def who(request: Request) -> Actor:
        return await service.proving.bearer(_bearer(request))

    endpoints = describing(InferenceApi(service, who).endpoints(), Role.INFERENCE, "inference")
    app = Starlette(
        routes=routes_of(endpoints),
        middleware=[Middleware(InferenceGuard, allowed=tuple(allowed_hosts), origin=origin, secret=secret)],
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


def _bearer(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""
