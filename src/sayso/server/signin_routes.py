"""Signing in and out: the pages and the routes. Who may is decided elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from sayso.errors import Forbidden
from sayso.server import bodies, pages
from sayso.server.guard import COOKIE
from sayso.server.signin import SESSION_SECONDS, SignIn
from sayso.serving.asker import asker_of
from sayso.serving.bodies import Nothing, read, read_bytes
from sayso.serving.endpoints import Access, Endpoint, Role

_HTML, _FORM = "text/html", "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class SignInRoutes:
    sign_in: SignIn
    locale: str

    def endpoints(self) -> list[Endpoint]:
        role = Role.WORKSPACE
        return [
            Endpoint(
                "GET", "/sign-in", self.page, "The page that signs in", role, {200: _HTML, 401: _HTML},
                query=bodies.SignInQuery, access=Access.OPEN,
            ),
            Endpoint(
                "POST", "/sign-in", self.enter, "Sign in by a link's token", role, {303: None, 403: _HTML},
                body=_FORM, access=Access.OPEN,
            ),
            Endpoint("POST", "/api/v1/sign-out", self.leave, "End this session", role, {204: None}, body=Nothing),
        ]  # fmt: skip

    async def page(self, request: Request) -> Response:
        token = request.query_params.get("token", "")
        if token:
            return pages.sign_in(self.locale, token)
        return pages.signed_out(self.locale)

    async def enter(self, request: Request) -> Response:
        data = await read_bytes(request, 4096)
        token = parse_qs(data.decode("ascii", "replace")).get("token", [""])[0]
        try:
            session = self.sign_in.redeem(token)
        except Forbidden:
            return pages.signed_out(self.locale, 403, refused=True)
        response = RedirectResponse("/", 303)
        secure = request.url.scheme == "https"
        response.set_cookie(COOKIE, session, SESSION_SECONDS, path="/", secure=secure, httponly=True, samesite="strict")
        return response

    async def leave(self, request: Request) -> Response:
        await read(request, Nothing, 1024)
        self.sign_in.sign_out(asker_of(request).session)
        response = Response(status_code=204)
        response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
        return response
