"""What every request to the inference service passes: host, origin, bearer, and the safe headers after.

No cookie exists here, so no page can act in somebody's name; one explicit origin may read answers, none otherwise.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sayso.serving.problems import problem

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
OPEN = frozenset({"/healthz", "/api/v1/ai/keys"})
SEAL_HEADER = "x-sayso-catalogue"
"""The catalogue's seal beside a bearer that is something else: the service's token, or one of the caller's."""
_HEADERS = {
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
}
_PREFLIGHT = {
    "access-control-allow-methods": "GET, POST",
    "access-control-allow-headers": f"authorization, content-type, last-event-id, {SEAL_HEADER}",
    "access-control-max-age": "600",
}


class InferenceGuard:
    """`allowed` are host names beside loopback; `origin` the one site whose pages may ask; `secret` what every
    caller must bear where seals say nothing of who they are."""

    def __init__(self, app: ASGIApp, allowed: Iterable[str] = (), origin: str = "", secret: str = "") -> None:
        self._app, self._origin, self._secret = app, origin.rstrip("/").lower(), secret
        self._allowed = frozenset(name.lower() for name in (*LOOPBACK, *allowed))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        answer = self._answer(scope)
        await (self._app if answer is None else answer)(scope, receive, self._with_headers(scope, send))

    def _answer(self, scope: Scope) -> Response | None:
        """What is answered instead of the route."""
        headers = HTTPConnection(scope).headers
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._serves(hosts[0]):
            return problem(421, "unknown_host", "this host name is not allowed; add it to allowed_hosts")
        if not self._welcome(headers):
            return problem(403, "cross_site", "pages of this site may not ask here; --origin names the one that may")
        if scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            return Response(status_code=204, headers=_PREFLIGHT)
        if self._secret and scope["path"] not in OPEN and not self._bears(headers):
            return problem(401, "bearer_missing", "send the service's token: Authorization: Bearer TOKEN")
        return None

    def _serves(self, host: str) -> bool:
        name, colon, port = host.lower().rpartition(":")
        return host.lower() in self._allowed or (bool(colon) and port.isdigit() and name in self._allowed)

    def _welcome(self, headers: Headers) -> bool:
        """Whether a request comes from no page (a program), or from the one site that may ask."""
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
        if origin is not None:
            return bool(self._origin) and origin.lower() == self._origin
        return site in ("none", "same-origin")

    def _bears(self, headers: Headers) -> bool:
        given = headers.get("authorization", "").partition(" ")[2].strip()
        return hmac.compare_digest(given.encode("utf-8", "replace"), self._secret.encode())

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        origin = HTTPConnection(scope).headers.get("origin", "")
        shared = bool(self._origin) and origin.lower() == self._origin

        async def sender(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-store")
                headers.setdefault("vary", "origin")
                if shared:
                    headers["access-control-allow-origin"] = origin
                    headers["access-control-expose-headers"] = "x-sayso-run, retry-after"
            await send(message)

        return sender
