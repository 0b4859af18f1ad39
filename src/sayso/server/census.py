"""The census of pages over HTTP: which pages there are, and whether a path leads to something that this person has.

A page of a record is resolved by who keeps such records; one that nobody can resolve is not registered.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sayso.core.actors import Actor
from sayso.core.pages import Census, PageKind
from sayso.errors import DeclarationError, NotFound
from sayso.serving.asker import actor_of
from sayso.serving.bodies import Strict, read_query
from sayso.serving.endpoints import Endpoint, Role

Resolve = Callable[[Actor, str], Awaitable[str]]
"""The title of a record by its key. Raises NotFound, also for another owner's."""

ROUTES, RESOLVE = "/api/v1/system/routes", "/api/v1/system/routes/resolve"


class PageParameter(Strict):
    name: str
    pattern: str


class PageEntry(Strict):
    """A page. `route` has `{...}` for each parameter; a detail page shows one record of `record_kind`."""

    route: str
    title: str
    kind: PageKind
    record_kind: str
    words: list[str]
    parameters: list[PageParameter]


class PageCensus(Strict):
    pages: list[PageEntry]


class ResolveQuery(Strict):
    """`path`: a path of this application, without host and query."""

    path: Annotated[str, Field(min_length=1, max_length=500, examples=["/proposals"])]


class ResolvedPage(Strict):
    """Where a path leads. `key` is the record's, None for a page of no single record."""

    path: str
    route: str
    title: str
    kind: PageKind
    record_kind: str
    key: str | None


@dataclass(frozen=True, slots=True)
class CensusRoutes:
    """`resolvers` are by the kind of record. Raises DeclarationError for a page of a record that none resolves."""

    census: Census
    resolvers: Mapping[str, Resolve]

    def __post_init__(self) -> None:
        for page in self.census:
            if page.kind is PageKind.DETAIL and page.record_kind not in self.resolvers:
                raise DeclarationError(f"page {page.route!r}: nothing here resolves a {page.record_kind}")

    def endpoints(self) -> list[Endpoint]:
        return [
            Endpoint("GET", ROUTES, self.routes, "The pages of this application", Role.GATEWAY, {200: PageCensus}),
            Endpoint(
                "GET", RESOLVE, self.resolve, "What a path leads to, if you have it", Role.GATEWAY,
                {200: ResolvedPage}, query=ResolveQuery, problems=(404,),
            ),
        ]  # fmt: skip

    async def routes(self, request: Request) -> Response:
        actor_of(request)
        return JSONResponse(self.census.document)

    async def resolve(self, request: Request) -> Response:
        actor, path = actor_of(request), read_query(request, ResolveQuery).path
        found = self.census.find(path)
        if found is None:
            raise NotFound(f"no page has this path; {ROUTES} lists those that there are")
        page, parameters = found
        key = parameters[page.parameters[-1]] if page.parameters else None
        title = page.title if key is None else await self.resolvers[page.record_kind](actor, key)
        return JSONResponse(
            {
                "path": path, "route": page.route, "title": title or page.title, "kind": page.kind.value,
                "record_kind": page.record_kind, "key": key,
            }
        )  # fmt: skip
