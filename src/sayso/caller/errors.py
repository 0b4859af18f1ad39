"""What can go wrong while a conversation is driven over HTTP, as one branch of Sayso's tree of exceptions.

    CallerError
    ├── Busy             a run goes on already: one at a time
    ├── Unreachable      no connection, or it broke more often than it was resumed
    ├── Refused          a service answered with a problem document; `status`, `code` and `members` are its own
    │   ├── SignedOut        401: the token is missing, wrong or old
    │   └── StaleCopy        409: the stored thread has moved on; load it again
    ├── Broken           a service answered what the contract does not allow
    ├── RunFailed        the run ended with an `error` event; `retryable` tells whether asking again can help
    └── StepLimit        the exchange took more requests than it may

None of them loses anything: what was held before stays held, and `go_on` or `ask` may follow.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sayso.errors import SaysoError


class CallerError(SaysoError):
    code = "caller_error"


class Busy(CallerError):
    code = "busy"


class Unreachable(CallerError):
    code = "unreachable"
    retryable = True


class Refused(CallerError):
    """A problem document (RFC 9457). `members` are those beside type, title, status, code and detail."""

    def __init__(self, status: int, code: str, detail: str, members: Mapping[str, Any] | None = None) -> None:
        super().__init__(detail)
        self.status, self.code, self.detail = status, code, detail
        self._members = dict(members or {})
        self.retryable = status in (429, 503)

    @property
    def members(self) -> dict[str, Any]:
        return dict(self._members)


class SignedOut(Refused):
    pass


class StaleCopy(Refused):
    pass


class Broken(CallerError):
    code = "broken_answer"


class RunFailed(CallerError):
    """`code` and the words are those of the service's `error` event."""

    def __init__(self, code: str, message: str, retryable: bool) -> None:
        super().__init__(message)
        self.code, self.retryable = code, retryable


class StepLimit(CallerError):
    code = "step_limit"


_KEPT = frozenset({"type", "title", "status", "code", "detail"})


def refusal(status: int, document: Mapping[str, Any]) -> Refused:
    """The exception for a problem document, or for any other answer of 400 and above."""
    code = str(document.get("code") or "http_error")
    detail = str(document.get("detail") or f"the service answered {status}")
    members = {name: value for name, value in document.items() if name not in _KEPT}
    kind = SignedOut if status == 401 else StaleCopy if code == "stale_copy" else Refused
    return kind(status, code, detail, members)
