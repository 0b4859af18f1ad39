"""Who sends a request: by a session's cookie, an API token, or the word of a trusted proxy.

A setting decides which of the ways there are (`sign_in`); an API token works beside each of them. A request that
carries a token is judged by it alone: a wrong one is refused, whatever else comes with it.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from starlette.requests import HTTPConnection

from sayso.config import Config
from sayso.core.actors import Actor
from sayso.inapp.surroundings import LOCAL_USER
from sayso.server.signin import SignIn, csrf_token
from sayso.server.tokens import actor_by_token, is_api_token
from sayso.serving.asker import Asker
from sayso.serving.problems import Problem
from sayso.store.users import User, Users, WrongUser, user_id
from sayso.tables import ProxyTable, section

COOKIE = "sayso_session"
OWNER_HEADER = "x-sayso-owner"
"""Names whose records a request is about, where a role allows those of others."""


@dataclass(frozen=True, slots=True)
class Identity:
    """How askers are found. Without `users` there are only the links of this machine."""

    config: Config
    links: SignIn
    users: Users | None = None
    proxy: ProxyTable = field(default_factory=ProxyTable)

    @property
    def by_password(self) -> bool:
        return self.config.sign_in == "users"

    @property
    def way_in(self) -> str:
        """What somebody does who is not signed in."""
        ways = {"users": "with your name and password, at /sign-in", "proxy": "through the proxy of this service"}
        own = ways.get(self.config.sign_in, "run `sayso link` and open the link it prints")
        return f"{own}; or send an API token (Authorization: Bearer TOKEN)"

    async def asker(self, request: HTTPConnection) -> Asker | None:
        """None for whoever is not signed in. Raises Problem 401 or 403 for a wrong token, header or owner."""
        found = await self._found(request)
        wanted = request.headers.get(OWNER_HEADER)
        if found is None or wanted is None:
            return found
        there = found.actor.within(wanted)
        if there is None:
            raise Problem(403, "forbidden", f"no role of yours allows anything among the records of {wanted[:100]!r}")
        return Asker(there, found.csrf, found.session)

    def address(self, request: HTTPConnection) -> str:
        """Where a request comes from: what the trusted proxy says, else its peer."""
        peer = peer_of(request)
        if not self.trusts(peer):
            return peer
        # Each proxy adds the address that it saw at the end; what stands before may be made up.
        hops = [hop.strip() for hop in request.headers.get("x-forwarded-for", "").split(",") if hop.strip()]
        return next((hop for hop in reversed(hops) if not self.trusts(hop)), peer)[:100]

    def trusts(self, address: str) -> bool:
        return trusted(address, self.proxy.addresses)

    async def _found(self, request: HTTPConnection) -> Asker | None:
        bearer = bearer_of(request.headers)
        if len(request.headers.getlist("authorization")) > 1:
            raise Problem(401, "wrong_token", "there are two Authorization headers; send one")
        if bearer is not None:
            return await self._by_token(bearer)
        if self.config.sign_in == "proxy":
            return await self._by_proxy(request)
        session = request.cookies.get(COOKIE, "")
        actor = await self._by_session(session)
        return Asker(actor, csrf_token(session), session) if actor else None

    async def _by_session(self, session: str) -> Actor | None:
        if self.by_password:
            user = await self.users.by_session(session) if self.users and session else None
            return self.users.actor(user) if self.users and user else None
        return LOCAL_USER if self.links.knows(session) else None

    async def _by_token(self, token: str) -> Asker | None:
        actor = await actor_by_token(self.users, token) if self.users else None
        if actor is None:
            raise Problem(401, "wrong_token", "this API token is not known, has expired or was revoked")
        return Asker(actor)

    async def _by_proxy(self, request: HTTPConnection) -> Asker | None:
        """The person that the proxy names. Its word counts from its own address only."""
        given = request.headers.getlist(self.proxy.user_header)
        if not self.trusts(peer_of(request)):
            raise Problem(403, "not_by_proxy", "people come through the proxy that signs them in; API tokens work here")
        if len(given) != 1 or not given[0].strip():
            return None
        try:
            user = await self._named_by_proxy(given[0], request.headers.get(self.proxy.roles_header or "-", ""))
        except WrongUser as wrong:
            raise Problem(403, "wrong_user", f"the proxy's name cannot be used: {wrong}") from wrong
        assert self.users is not None
        key = self.links.secret()
        return Asker(self.users.actor(user), hmac.new(key, user.id.encode(), sha256).hexdigest())

    async def _named_by_proxy(self, name: str, roles: str) -> User:
        if self.users is None:
            raise Problem(403, "forbidden", "this service keeps no users")
        known = await self.users.get(name)
        if known is not None and known.disabled:
            raise Problem(403, "forbidden", f"the user {known.id} is disabled here")
        told = tuple(role.strip() for role in roles.split(",") if role.strip())
        if known is not None:
            return User(known.id, known.owner, told or known.roles)
        if not (held := told or tuple(self.proxy.roles)):
            raise Problem(403, "forbidden", f"{name[:100]!r} has no role here: `sayso users add`, or roles in [proxy]")
        return User(user_id(name), self.proxy.owner, held)


def bearer_of(headers: Mapping[str, str]) -> str | None:
    """The token of an `Authorization: Bearer` header; "" for another scheme, None where there is no such header."""
    given = headers.get("authorization")
    if given is None:
        return None
    scheme, _, token = given.strip().partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def carries_catalogue(headers: Mapping[str, str]) -> bool:
    """Whether the bearer is no API token of ours: a route that takes a signed catalogue judges it itself."""
    bearer = bearer_of(headers)
    return bearer is not None and not is_api_token(bearer)


def peer_of(request: HTTPConnection) -> str:
    return request.client.host if request.client else ""


def trusted(address: str, proxies: list[str]) -> bool:
    """Whether an address is one of those listed, or in one of the listed networks."""
    try:
        place = ipaddress.ip_address(address)
        mapped = getattr(place, "ipv4_mapped", None)
        return any((mapped or place) in ipaddress.ip_network(proxy, strict=False) for proxy in proxies)
    except ValueError:
        return False


def identity_of(config: Config, links: SignIn, users: Users | None) -> Identity:
    """From the settings. Raises ConfigError."""
    return Identity(config, links, users, section(config.tables, "proxy", ProxyTable))
