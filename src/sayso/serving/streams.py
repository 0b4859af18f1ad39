"""The answer of a run as an event stream over HTTP: its headers, its place in the log, and how many may be open.

Every byte is ASCII (`sayso.serving.frames`), so no character can be split, wherever a proxy cuts the stream.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from sayso.errors import StoreBusy
from sayso.serving.problems import Problem, problem
from sayso.serving.runs import Run, Runs

HEADERS = {
    # no-transform: a proxy that compresses a stream holds it back; x-accel-buffering is nginx's word for the same.
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
    "content-type": "text/event-stream; charset=utf-8",
}


class EventStream(StreamingResponse):
    """The frames of a run after number `after`; 503 when too many streams are open. Leaving it stops nothing."""

    def __init__(self, runs: Runs, run: Run, after: int = 0) -> None:
        self._runs = runs
        super().__init__(runs.read(run, after), 200, {**HEADERS, "x-sayso-run": run.id})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            self._runs.admit()
        except StoreBusy as busy:
            await problem(503, busy.code, str(busy))(scope, receive, send)
            return
        self._runs.streams += 1
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._runs.streams -= 1


def last_event_id(request: Request) -> int:
    """After which event a reader goes on. Raises Problem 400 for what is no number of one."""
    seen = request.headers.get("last-event-id", "0").strip()
    if not (seen.isascii() and seen.isdigit() and len(seen) < 10):
        raise Problem(400, "wrong_event_id", "Last-Event-ID is the number of the last event received")
    return int(seen)
