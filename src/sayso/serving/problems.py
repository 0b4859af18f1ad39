"""Errors to a browser: one problem document (RFC 9457), never a stack."""

from __future__ import annotations

import json
import logging

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from sayso.errors import Conflict, Forbidden, ImageUnfit, NotFound, SaysoError

log = logging.getLogger(__name__)

_STATUS = {"not_found": 404, "conflict": 409, "expired": 410, "forbidden": 403, "busy": 503, "wrong_inputs": 422}
_KINDS = ((Conflict, 409), (NotFound, 404), (Forbidden, 403))
_TITLES = {
    400: "Bad request", 401: "Not signed in", 403: "Not allowed", 404: "Not found", 405: "Method not allowed",
    409: "It has moved on", 410: "Expired", 413: "Too large", 415: "Not JSON", 421: "Unknown host",
    422: "Wrong content", 429: "Too often", 500: "Server error", 503: "Busy",
}  # fmt: skip


class Problem(Exception):
    """A fault of the request itself, found by the server."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(detail)
        self.status, self.code, self.detail = status, code, detail


def problem(
    status: int, code: str, detail: str, headers: dict[str, str] | None = None, **members: object
) -> Response:  # fmt: skip
    """`members` are further members of the document, such as `errors` by input."""
    title = _TITLES.get(status, "Error")
    body = {"type": f"urn:sayso:problem:{code}", "title": title, "status": status, "code": code, "detail": detail}
    extra = {"retry-after": "2"} if status == 503 else {}
    data = json.dumps({**body, **members}, ensure_ascii=True)
    return Response(data, status, {**extra, **(headers or {})}, media_type="application/problem+json")


async def on_problem(request: Request, wrong: Exception) -> Response:
    assert isinstance(wrong, Problem)
    return problem(wrong.status, wrong.code, wrong.detail)


async def on_sayso_error(request: Request, wrong: Exception) -> Response:
    assert isinstance(wrong, SaysoError)
    if isinstance(wrong, ImageUnfit):
        return problem(413 if wrong.reason == "too_large" else 422, wrong.code, str(wrong), reason=wrong.reason)
    of_kind = (status for kind, status in _KINDS if isinstance(wrong, kind))
    status = _STATUS.get(wrong.code) or next(of_kind, 503 if wrong.retryable else 500)
    if status == 500:
        log.error("%s %s: %s", request.method, request.url.path, wrong)
    return problem(status, wrong.code, str(wrong), **wrong.members)


async def on_http_error(request: Request, wrong: Exception) -> Response:
    assert isinstance(wrong, HTTPException)
    headers, what = dict(wrong.headers or {}), f"{request.method} {request.url.path}"
    if wrong.status_code == 404:
        told = f"{what} is not served here; GET /api/v1/openapi.json lists what is"
        return problem(404, "not_found", told, headers)
    if wrong.status_code == 405:
        allowed = headers.get("Allow", "")
        told = f"{what} is not served here" + (f"; this path takes {allowed}" if allowed else "")
        return problem(405, "method_not_allowed", told, headers)
    return problem(wrong.status_code, "http_error", str(wrong.detail), headers)


async def on_crash(request: Request, wrong: Exception) -> Response:
    return problem(500, "internal", "Something went wrong on our side; the server's log has the details.")
