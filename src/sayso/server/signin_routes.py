"""Signing in and out: the pages and the routes. Who may is decided elsewhere.

The form of name and password carries a token of the page that showed it, so that no other site can sign somebody in
as somebody else. What is wrong with a name or password is not told.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, field
from datetime import timedelta
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from sayso.core.actors import Actor
from sayso.errors import Forbidden
from sayso.inapp.surroundings import LOCAL_USER
from sayso.server import bodies, pages
from sayso.server.identity import COOKIE, Identity
from sayso.server.passwords import Passwords
from sayso.server.rate import Rate
from sayso.server.signin import SESSION_SECONDS, csrf_token, same
from sayso.serving.asker import asker_of
from sayso.serving.bodies import Nothing, read, read_bytes, read_query
from sayso.serving.endpoints import Access, Endpoint, Role
from sayso.store.audit import Audit, Did
from sayso.store.users import User, Users
from sayso.tables import UsersTable, section

_HTML, _FORM = "text/html", "application/x-www-form-urlencoded"
DOOR_COOKIE = "sayso_door"
_QUARTER = 15 * 60.0
_OWN_PAGE = re.compile(r"/(?![/\\])[\x21-\x7e]{0,1000}|/")
_NOBODY = Actor("", "", frozenset())


@dataclass(slots=True)
class Tries:
    """How often signing in may be tried: by a name from an address, from an address, and of a name."""

    count: int
    pair: Rate = field(init=False)
    address: Rate = field(init=False)
    name: Rate = field(init=False)

    def __post_init__(self) -> None:
        self.pair = Rate(self.count, _QUARTER)
        self.address, self.name = Rate(5 * self.count, _QUARTER), Rate(10 * self.count, _QUARTER)

    def wait(self, name: str, address: str) -> float:
        name = name.strip().casefold()[:200]
        waits = (self.pair.wait((name, address)), self.address.wait(address), self.name.wait(name))
        return max(waits)

    def succeeded(self, name: str, address: str) -> None:
        self.pair.forget((name.strip().casefold()[:200], address))


@dataclass(frozen=True, slots=True)
class SignInRoutes:
    """`passwords` and `users` where people sign in by name; without them there are only links."""

    identity: Identity
    tries: Tries
    passwords: Passwords | None = None
    audit: Audit | None = None
    lifetime: timedelta = timedelta(days=30)

    def endpoints(self) -> list[Endpoint]:
        role = Role.WORKSPACE
        return [
            Endpoint(
                "GET", "/sign-in", self.page, "The page that signs in", role, {200: _HTML, 401: _HTML},
                query=bodies.SignInQuery, access=Access.OPEN,
            ),
            Endpoint(
                "POST", "/sign-in", self.enter, "Sign in by a link's token, or by name and password", role,
                {303: None, 403: _HTML, 429: _HTML}, body=_FORM, access=Access.OPEN,
            ),
            Endpoint("POST", "/api/v1/sign-out", self.leave, "End this session", role, {204: None}, body=Nothing),
        ]  # fmt: skip

    async def page(self, request: Request) -> Response:
        query = read_query(request, bodies.SignInQuery)
        token = query.token
        if token and not self.identity.by_password:
            return pages.sign_in(self._locale, token)
        if self.passwords is not None:
            return self._form(request, query.next)
        return pages.signed_out(self._locale, by_proxy=self.identity.config.sign_in == "proxy")

    async def enter(self, request: Request) -> Response:
        form = parse_qs((await read_bytes(request, 8192)).decode("utf-8", "replace"), keep_blank_values=True)
        sent = {name: values[0] for name, values in form.items()}
        if self.passwords is not None:
            return await self._by_password(request, self.passwords, sent)
        try:
            session = self.identity.links.redeem(sent.get("token", ""))
        except Forbidden:
            await self._told(_NOBODY, Did.SIGN_IN_REFUSED, "link", request)
            return pages.signed_out(self._locale, 403, refused=True)
        await self._told(LOCAL_USER, Did.SIGNED_IN, "link", request)
        return self._entered(request, "/", session, SESSION_SECONDS)

    async def leave(self, request: Request) -> Response:
        await read(request, Nothing, 1024)
        asker = asker_of(request)
        if asker.session:
            self.identity.links.sign_out(asker.session)
            if self.identity.users is not None:
                await self.identity.users.end_session(asker.session)
            await self._told(asker.actor, Did.SIGNED_OUT, "session", request)
        response = Response(status_code=204)
        response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
        return response

    async def _by_password(self, request: Request, passwords: Passwords, sent: dict[str, str]) -> Response:
        door, name, address = request.cookies.get(DOOR_COOKIE, ""), sent.get("name", ""), self._address(request)
        next_page = sent.get("next", "/")
        if not door or not same(sent.get("door", ""), csrf_token(door)):
            return self._form(request, next_page, name, "again", 403)
        if seconds := self.tries.wait(name, address):
            return self._form(request, next_page, name, "often", 429, seconds)
        user = await passwords.check(name, sent.get("password", ""))
        if user is None:
            await self._told(_NOBODY, Did.SIGN_IN_REFUSED, f"user {name[:100]}", request)
            return self._form(request, next_page, name, "wrong", 403)
        self.tries.succeeded(name, address)
        return await self._admit(request, user, next_page)

    async def _admit(self, request: Request, user: User, next_page: str) -> Response:
        users = self.identity.users
        assert users is not None
        session = secrets.token_urlsafe(32)
        await users.start_session(user.id, session, self.lifetime)
        await self._told(users.actor(user), Did.SIGNED_IN, "password", request)
        where = next_page if _OWN_PAGE.fullmatch(next_page) else "/"
        return self._entered(request, where, session, int(self.lifetime.total_seconds()))

    def _entered(self, request: Request, where: str, session: str, seconds: int) -> Response:
        response = RedirectResponse(where, 303)
        secure = self._secure(request)
        response.set_cookie(COOKIE, session, seconds, path="/", secure=secure, httponly=True, samesite="strict")
        if DOOR_COOKIE in request.cookies:
            response.delete_cookie(DOOR_COOKIE, path="/sign-in", httponly=True, samesite="strict")
        return response

    def _form(
        self, request: Request, next_page: str, name: str = "", wrong: str = "", status: int = 200, seconds: float = 0
    ) -> Response:  # fmt: skip
        door = request.cookies.get(DOOR_COOKIE, "") or secrets.token_urlsafe(32)
        response = pages.by_password(
            self._locale, csrf_token(door), next_page=next_page, name=name, wrong=wrong, status=status, seconds=seconds
        )
        secure = self._secure(request)
        response.set_cookie(DOOR_COOKIE, door, 3600, path="/sign-in", secure=secure, httponly=True, samesite="strict")
        return response

    async def _told(self, actor: Actor, what: Did, subject: str, request: Request) -> None:
        if self.audit is not None:
            await self.audit.record(actor, what, subject, {"address": self._address(request)})

    def _address(self, request: Request) -> str:
        return self.identity.address(request)

    def _secure(self, request: Request) -> bool:
        return request.url.scheme == "https" or (self.identity.config.public_url or "").startswith("https:")

    @property
    def _locale(self) -> str:
        return self.identity.config.locale


def sign_in_routes(identity: Identity, tries: int, audit: Audit | None) -> SignInRoutes:
    users: Users | None = identity.users
    passwords = Passwords(users) if identity.by_password and users is not None else None
    days = section(identity.config.tables, "users", UsersTable).session_days
    return SignInRoutes(identity, Tries(tries), passwords, audit, timedelta(days=days))
