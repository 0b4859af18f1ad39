"""What every request passes before a route sees it: host, origin, sign-in, and the safe headers after.

It wraps the whole application, static files and unknown paths included.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sayso.inapp.surroundings import LOCAL_USER
from sayso.server.signin import SignIn, csrf_token, same
from sayso.serving.asker import Asker, set_asker
from sayso.serving.problems import problem

COOKIE = "sayso_session"
CSRF_HEADER = "x-sayso-csrf"
_OPEN_PATHS = frozenset({"/sign-in", "/healthz"})
_READS = frozenset({"GET", "HEAD", "OPTIONS"})
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class Guard:
    """`allowed` are host names beside loopback, each with or without a port."""

    def __init__(self, app: ASGIApp, sign_in: SignIn, allowed: Iterable[str]) -> None:
        self._app, self._sign_in = app, sign_in
        self._allowed = frozenset(name.lower() for name in (*_LOOPBACK, *allowed))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # no web sockets here
            await send({"type": "websocket.close", "code": 1008})
            return
        refusal = self._refusal(scope)
        target = refusal if refusal is not None else self._app
        await target(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope) -> Response | None:
        request = HTTPConnection(scope)
        path, method = scope["path"], scope["method"]
        host = request.headers.getlist("host")
        if len(host) != 1 or not self._serves(host[0]):
            return problem(421, "unknown_host", "this host name is not allowed; add it to allowed_hosts")
        if method not in _READS and not _same_origin(request.headers, path):
            return problem(403, "cross_site", "changes are taken from this site's own pages only")
        if path in _OPEN_PATHS or path.startswith("/static/"):
            return None
        session = request.cookies.get(COOKIE, "")
        if not self._sign_in.knows(session):
            return _signed_out(path, method)
        if method not in _READS and not same(request.headers.get(CSRF_HEADER, ""), csrf_token(session)):
            return problem(403, "csrf", f"the {CSRF_HEADER} header is missing or old; reload the page")
        set_asker(request, Asker(LOCAL_USER, csrf_token(session), session))
        return None

    def _serves(self, host: str) -> bool:
        host = host.lower()
        name, colon, port = host.rpartition(":")
        if colon and port.isdigit():
            return name in self._allowed or host in self._allowed
        return host in self._allowed


def _same_origin(headers: Headers, path: str) -> bool:
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
    return urlsplit(origin).netloc.lower() == headers.get("host", "").lower()


def _signed_out(path: str, method: str) -> Response:
    if path.startswith("/api/") or method not in ("GET", "HEAD"):
        return problem(401, "signed_out", "sign in first: run `sayso link` and open the link it prints")
    return RedirectResponse(f"/sign-in?next={quote(path)}", 303)


def _with_headers(send: Send) -> Send:
    async def sender(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return sender
