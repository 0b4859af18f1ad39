"""The routes: each reads a request, asks the assistant or the run log, and writes a response."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from urllib.parse import parse_qs, quote

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from sayso.config import Config
from sayso.core.images import MAX_BYTES, too_large
from sayso.core.proposals import ProposalState
from sayso.core.tools import Actor
from sayso.errors import Forbidden, NotFound
from sayso.server import bodies, pages, wire
from sayso.server.guard import COOKIE
from sayso.server.ports import Assistant
from sayso.server.signin import SESSION_SECONDS, SignIn, csrf_token
from sayso.serving.bodies import Nothing, read, read_bytes
from sayso.serving.problems import Problem
from sayso.serving.runs import Run, Runs

_STREAM_HEADERS = {"cache-control": "no-cache", "x-accel-buffering": "no"}
_NOTHING_MORE = "default-src 'none'; sandbox"
_STATES = frozenset(state.value for state in ProposalState)


@dataclass(frozen=True, slots=True)
class Api:
    """What the routes share. One signed-in person: `actor`. `instance` tells this server from others."""

    assistant: Assistant
    config: Config
    sign_in: SignIn
    runs: Runs
    actor: Actor
    instance: str = ""

    def routes(self) -> list[Route]:
        return [
            Route("/", self.page),
            Route("/proposals", self.page),
            Route("/t/{thread_id}", self.page),
            Route("/healthz", self.health),
            Route("/sign-in", self.sign_in_page, methods=["GET"]),
            Route("/sign-in", self.sign_in_post, methods=["POST"]),
            Route("/api/v1/sign-out", self.sign_out, methods=["POST"]),
            Route("/api/v1/ai/chat", self.chat, methods=["POST"]),
            Route("/api/v1/ai/attachments", self.attach, methods=["POST"]),
            Route("/api/v1/ai/attachments/{id}", self.image),
            Route("/api/v1/ai/runs/{run_id}/events", self.events),
            Route("/api/v1/ai/runs/{run_id}/stop", self.stop, methods=["POST"]),
            Route("/api/v1/proposals", self.proposals),
            Route("/api/v1/proposals/{id}", self.proposal),
            Route("/api/v1/proposals/{id}/edit", self.edit, methods=["POST"]),
            Route("/api/v1/proposals/{id}/approve", self.approve, methods=["POST"]),
            Route("/api/v1/proposals/{id}/deny", self.deny, methods=["POST"]),
            Route("/api/v1/proposals/{id}/files/{name}", self.file),
            Route("/api/v1/threads", self.threads),
            Route("/api/v1/threads/{id}", self.thread),
        ]

    async def page(self, request: Request) -> Response:
        csrf = csrf_token(request.state.session)
        model, reason = self.assistant.model_name, self.assistant.model_reason
        sees = self.assistant.model_sees
        return pages.shell(locale=self.config.locale, csrf=csrf, model=model, reason=reason, sees=sees)

    async def health(self, request: Request) -> Response:
        return JSONResponse({"status": "ok"} | ({"instance": self.instance} if self.instance else {}))

    async def sign_in_page(self, request: Request) -> Response:
        token = request.query_params.get("token", "")
        if token:
            return pages.sign_in(self.config.locale, token)
        return pages.signed_out(self.config.locale)

    async def sign_in_post(self, request: Request) -> Response:
        data = await read_bytes(request, 4096)
        token = parse_qs(data.decode("ascii", "replace")).get("token", [""])[0]
        try:
            session = self.sign_in.redeem(token)
        except Forbidden:
            return pages.signed_out(self.config.locale, 403, refused=True)
        response = RedirectResponse("/", 303)
        secure = request.url.scheme == "https"
        response.set_cookie(COOKIE, session, SESSION_SECONDS, path="/", secure=secure, httponly=True, samesite="strict")
        return response

    async def sign_out(self, request: Request) -> Response:
        await read(request, Nothing, 1024)
        self.sign_in.sign_out(request.state.session)
        response = Response(status_code=204)
        response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
        return response

    async def chat(self, request: Request) -> Response:
        body = await read(request, bodies.Chat, bodies.CHAT_LIMIT)
        if not body.message.strip():
            raise Problem(422, "wrong_content", "message: write something to ask")
        if body.thread_id is not None:
            # An unknown thread is a 404 now, not an error inside a stream that has begun.
            await self.assistant.thread(self.actor, body.thread_id)
        run_id = f"run_{secrets.token_urlsafe(16)}"
        context = body.context.page() if body.context else None
        images = [await self.assistant.image(self.actor, digest) for digest in dict.fromkeys(body.attachments)]
        events = self.assistant.ask(
            body.message, actor=self.actor, thread_id=body.thread_id, context=context, run_id=run_id, images=images
        )
        return self._stream(self.runs.start(run_id, self.actor.owner, events), 0)

    async def attach(self, request: Request) -> Response:
        """An image as the body, its file name as `?name=`: checked now, asked about later by its id."""
        name = request.query_params.get("name", "")
        try:
            data = await read_bytes(request, MAX_BYTES)
        except Problem as wrong:
            raise too_large(name) from wrong
        image = await self.assistant.attach(self.actor, data, name)
        return JSONResponse(wire.attachment_json(image), 201)

    async def image(self, request: Request) -> Response:
        found = await self.assistant.image(self.actor, request.path_params["id"])
        # Bytes by their digest never change; nothing but the picture itself may come of them.
        headers = {"cache-control": "private, max-age=86400, immutable", "content-security-policy": _NOTHING_MORE}
        return Response(found.data, headers={**headers, "content-type": found.media_type})

    async def events(self, request: Request) -> Response:
        run = self.runs.get(request.path_params["run_id"], self.actor.owner)
        seen = request.headers.get("last-event-id", "0").strip()
        if not (seen.isascii() and seen.isdigit() and len(seen) < 10):
            raise Problem(400, "wrong_event_id", "Last-Event-ID is the number of the last event received")
        return self._stream(run, int(seen))

    async def stop(self, request: Request) -> Response:
        await read(request, Nothing, 1024)
        run = self.runs.stop(request.path_params["run_id"], self.actor.owner)
        return JSONResponse({"run_id": run.id, "stopped": run.stopped})

    def _stream(self, run: Run, after: int) -> Response:
        headers = {**_STREAM_HEADERS, "x-sayso-run": run.id}
        return StreamingResponse(self.runs.read(run, after), 200, headers, media_type="text/event-stream")

    async def proposals(self, request: Request) -> Response:
        state = request.query_params.get("state") or None
        if state is not None and state not in _STATES:
            raise Problem(422, "wrong_content", f"state is one of {', '.join(sorted(_STATES))}")
        views = await self.assistant.proposals(self.actor, state)
        return JSONResponse({"proposals": [wire.proposal_json(v) for v in views]})

    async def proposal(self, request: Request) -> Response:
        view = await self.assistant.proposal(self.actor, request.path_params["id"])
        return JSONResponse(wire.proposal_json(view))

    async def edit(self, request: Request) -> Response:
        body = await read(request, bodies.Edit, bodies.EDIT_LIMIT)
        view = await self.assistant.edit(self.actor, request.path_params["id"], body.digest, body.arguments)
        return JSONResponse(wire.proposal_json(view))

    async def approve(self, request: Request) -> Response:
        body = await read(request, bodies.Approval, bodies.DECISION_LIMIT)
        view = await self.assistant.approve(self.actor, request.path_params["id"], body.digest)
        return JSONResponse(wire.proposal_json(view))

    async def deny(self, request: Request) -> Response:
        body = await read(request, bodies.Denial, bodies.DECISION_LIMIT)
        view = await self.assistant.deny(self.actor, request.path_params["id"], body.words)
        return JSONResponse(wire.proposal_json(view))

    async def file(self, request: Request) -> Response:
        found = await self.assistant.proposal_file(self.actor, request.path_params["id"], request.path_params["name"])
        if found is None:
            raise NotFound("this proposal made no such file")
        # Always a download: a file's text must not run as a page of this site.
        name = {"content-disposition": f"attachment; filename*=UTF-8''{quote(found.name, safe='')}"}
        return Response(found.content, headers={**name, "content-type": found.media_type})

    async def threads(self, request: Request) -> Response:
        views = await self.assistant.threads(self.actor)
        return JSONResponse({"threads": [wire.thread_json(v) for v in views]})

    async def thread(self, request: Request) -> Response:
        view = await self.assistant.thread(self.actor, request.path_params["id"])
        return JSONResponse(wire.detail_json(view))
