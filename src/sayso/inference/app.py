"""The inference service as an application of its own: its routes, its guard, its problem documents."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Iterable
from dataclasses import replace

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request

from sayso.core.actors import Actor
from sayso.errors import SaysoError
from sayso.inference.guard import OPEN, SEAL_HEADER, InferenceGuard
from sayso.inference.routes import InferenceApi
from sayso.inference.service import ChatService
from sayso.serving import problems
from sayso.serving.endpoints import Access, Endpoint, Role, routes_of
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
        # A proxy before several services may set a bearer of its own: the header says more than that one does.
        seal = request.headers.get(SEAL_HEADER, "") or ("" if secret else _bearer(request))
        return await service.proving.bearer(seal)

    declared = InferenceApi(service, who).endpoints()
    declared = [_told(endpoint, secret) for endpoint in declared]
    access = Access.SERVICE if secret else Access.OPEN
    endpoints = describing(declared, Role.INFERENCE, "inference", access)
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


def _told(endpoint: Endpoint, secret: str) -> Endpoint:
    """What this service asks: a seal may come beside a bearer, and must where it asks a token of every caller."""
    if endpoint.path in OPEN:
        return endpoint
    told = {SEAL_HEADER: "The catalogue's seal: whose run it is"} if endpoint.access is Access.CATALOGUE else {}
    access = Access.SERVICE if secret else endpoint.access
    return replace(endpoint, access=access, headers={**endpoint.headers, **told})


def _bearer(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""
