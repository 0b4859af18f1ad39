"""What every request passes before a route sees it: host, origin, sign-in, and the safe headers after.

It wraps the whole application, static files and unknown paths included.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from urllib.parse import quote, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sayso.errors import SaysoError
from sayso.server.identity import Identity, carries_catalogue
from sayso.server.rate import Rate
from sayso.server.signin import same
from sayso.serving.asker import Asker, set_asker
from sayso.serving.endpoints import Access, Endpoint, in_order
from sayso.serving.problems import Problem, on_sayso_error, problem
from sayso.tables import LimitsTable

OpenTo = Callable[[str, str], Access]
CSRF_HEADER = "x-sayso-csrf"
CHAT = "/api/v1/ai/chat"
_CHALLENGE = {"www-authenticate": "Bearer"}
_READS = frozenset({"GET", "HEAD", "OPTIONS"})
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_CROSS_SITE = (
    "changes are taken from this site's own pages only; behind a server of yours, set public_url to its address"
)
_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class Guard:
    """`allowed` are host names beside loopback, each with or without a port; `public_url` is where people open the
    page behind a proxy. `open_to` says of a method and path who may call it."""

    def __init__(
        self, app: ASGIApp, identity: Identity, open_to: OpenTo, allowed: Iterable[str], limits: LimitsTable,
        public_url: str = "",
    ) -> None:  # fmt: skip
        self._app, self._identity, self._open_to, self._public = app, identity, open_to, urlsplit(public_url)
        self._allowed = frozenset(name.lower() for name in (*_LOOPBACK, *allowed, self._public.netloc) if name)
        self._chats, self._calls = Rate(limits.chat, 60), Rate(limits.calls, 60)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # no web sockets here
            await send({"type": "websocket.close", "code": 1008})
            return
        refusal = await self._refusal(scope)
        target = refusal if refusal is not None else self._app
        await target(scope, receive, _with_headers(send, self._public.scheme == "https"))

    async def _refusal(self, scope: Scope) -> Response | None:
        request = HTTPConnection(scope)
        path, method = scope["path"], scope["method"]
        host = request.headers.getlist("host")
        if len(host) != 1 or not self._serves(host[0]):
            return problem(421, "unknown_host", "this host name is not allowed; add it to allowed_hosts")
        if method not in _READS and not self._same_origin(request.headers, path):
            return problem(403, "cross_site", _CROSS_SITE)
        access = Access.OPEN if path.startswith("/static/") else self._open_to(method, path)
        if access is Access.OPEN or (access is Access.CATALOGUE and carries_catalogue(request.headers)):
            return None
        try:
            asker = await self._identity.asker(request)
        except Problem as wrong:
            return problem(wrong.status, wrong.code, wrong.detail, _CHALLENGE if wrong.status == 401 else None)
        except SaysoError as wrong:
            return await on_sayso_error(Request(scope), wrong)
        if asker is None:
            return None if access is Access.CATALOGUE else self._signed_out(path, method)
        return self._admitted(request, asker, path, method)

    def _admitted(self, request: HTTPConnection, asker: Asker, path: str, method: str) -> Response | None:
        if method not in _READS and asker.csrf and not same(request.headers.get(CSRF_HEADER, ""), asker.csrf):
            return problem(403, "csrf", f"the {CSRF_HEADER} header is missing or old; reload the page")
        rate = self._chats if (method, path) == ("POST", CHAT) else self._calls
        if seconds := rate.wait((asker.actor.owner, asker.actor.id)):
            return too_often(seconds, "you ask more often than this service allows")
        set_asker(request, asker)
        return None

    def _serves(self, host: str) -> bool:
        host = host.lower()
        name, colon, port = host.rpartition(":")
        if colon and port.isdigit():
            return name in self._allowed or host in self._allowed
        return host in self._allowed

    def _same_origin(self, headers: Headers, path: str) -> bool:
        """Whether a change comes from our own page, or from a program (which sends neither header)."""
        site = headers.get("sec-fetch-site")
        if site is not None and site not in ("same-origin", "none"):
            return False
        origin = headers.get("origin")
        if origin is None:
            return True
        if origin == "null":
            # A form on a page without referrer says "null"; the browser's own word on the site decides
            # then, and for the sign-in form of a plain-http host its one-time token.
            return site == "same-origin" or (site is None and path == "/sign-in")
        told = urlsplit(origin)
        if self._public.netloc and told.netloc.lower() == self._public.netloc.lower():
            return told.scheme == self._public.scheme
        return told.netloc.lower() == headers.get("host", "").lower()

    def _signed_out(self, path: str, method: str) -> Response:
        if path.startswith("/api/") or method not in ("GET", "HEAD"):
            return problem(401, "signed_out", f"sign in first: {self._identity.way_in}", _CHALLENGE)
        return RedirectResponse(f"/sign-in?next={quote(path)}", 303)


def access_by(endpoints: Iterable[Endpoint]) -> OpenTo:
    """Who may call what, from the endpoints. What is not declared is for those who are signed in; a method that a path
    open to all does not take is for all, who are then told so."""
    known = [(compile_path(e.path)[0], e.method, e.access) for e in in_order(endpoints)]

    def open_to(method: str, path: str) -> Access:
        asked = "GET" if method == "HEAD" else method
        here = {m: access for pattern, m, access in reversed(known) if pattern.match(path)}
        for_all = bool(here) and set(here.values()) == {Access.OPEN}
        return here.get(asked, Access.OPEN if for_all else Access.SIGNED_IN)

    return open_to


def too_often(seconds: float, why: str) -> Response:
    wait = max(1, math.ceil(seconds))
    return problem(429, "too_often", f"{why}; come again in {wait} s", {"retry-after": str(wait)})


def _with_headers(send: Send, secure: bool) -> Send:
    async def sender(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-store")
            if secure:
                headers.setdefault("strict-transport-security", "max-age=31536000")
        await send(message)

    return sender
