"""Endpoints: routes that say what they take and give, so that the OpenAPI document is made from them.

Every HTTP route of every service is declared as one of these; nothing is routed that is not described.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sayso.serving.asker import require

Handler = Callable[[Request], Awaitable[Response]]
Answers = Mapping[int, type[BaseModel] | str | None]


class Access(StrEnum):
    """Who may call: anyone, whoever is signed in (session or API token), the holder of a signed catalogue, or whoever
    bears the token that an operator gave to the inference service."""

    OPEN = "open"
    SIGNED_IN = "signed_in"
    CATALOGUE = "catalogue"
    SERVICE = "service"


class Role(StrEnum):
    """Which service an endpoint belongs to (`sayso serve --role`)."""

    INFERENCE = "inference"
    GATEWAY = "gateway"
    WORKSPACE = "workspace"


@dataclass(frozen=True, slots=True)
class Leads:
    """Where the ids in an answer lead: to the operations at `path` and beneath it.

    `parameters` maps a parameter of their paths to its place in the answer (`body#/id`, `header.x-sayso-run`), `body`
    a member of their bodies.
    """

    path: str
    parameters: Mapping[str, str]
    body: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One method of one path.

    `answers` maps a status to the model of its JSON body, to a media type of another body, or to None for no body.
    `problems` are the statuses of the problem documents that it gives besides those that every endpoint may give
    (`COMMON`). `query` is a model of the query's parameters, `headers` names of request headers with what they mean.
    `permission` is what whoever calls must be allowed, found out before anything is read; "" where the handler judges
    each thing that is asked for by itself, or where everybody who gets here may.
    """

    method: str
    path: str
    handler: Handler
    summary: str
    role: Role
    answers: Answers
    body: type[BaseModel] | str | None = None
    query: type[BaseModel] | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    problems: tuple[int, ...] = ()
    access: Access = Access.SIGNED_IN
    permission: str = ""
    description: str = ""
    leads: Leads | None = None


COMMON = (400, 401, 403, 405, 413, 415, 421, 422, 429, 500, 503)
"""What the guard, the reading of a body and a busy store may answer anywhere."""


def routes_of(endpoints: Iterable[Endpoint]) -> list[Route]:
    """One route a path, so that a method which none of its endpoints takes is told all those that they take."""
    by_path: dict[str, dict[str, Handler]] = {}
    for endpoint in in_order(endpoints):
        by_path.setdefault(endpoint.path, {})[endpoint.method] = _permitted(endpoint)
    return [Route(path, _by_method(handlers), methods=list(handlers)) for path, handlers in by_path.items()]


def in_order(endpoints: Iterable[Endpoint]) -> list[Endpoint]:
    """As they are matched: paths without parameters come first, so `/proposals/decide` is not the proposal "decide"."""
    return sorted(endpoints, key=lambda endpoint: "{" in endpoint.path)


def _permitted(endpoint: Endpoint) -> Handler:
    if not endpoint.permission:
        return endpoint.handler

    async def handle(request: Request) -> Response:
        require(request, endpoint.permission)
        return await endpoint.handler(request)

    return handle


def _by_method(handlers: Mapping[str, Handler]) -> Handler:
    async def handle(request: Request) -> Response:
        return await handlers["GET" if request.method == "HEAD" else request.method](request)

    return handle


def operation_id(endpoint: Endpoint) -> str:
    """Its name in the document."""
    words = re.sub(r"[^A-Za-z0-9]+", "_", endpoint.path.removeprefix("/api/v1")).strip("_")
    place = "" if endpoint.path.startswith("/api/v1/") else "page_" if words else "page"
    return f"{endpoint.method.lower()}_{place}{words}"


def described_statuses(endpoint: Endpoint) -> tuple[int, ...]:
    """The statuses of all problem documents that an endpoint may answer with."""
    return tuple(sorted({*COMMON, *endpoint.problems}))
