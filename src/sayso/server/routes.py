"""The routes: each reads a request, asks the assistant or the run log, and writes a response."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sayso.config import Config
from sayso.core.actors import SEE_THREADS, Actor
from sayso.core.images import MAX_BYTES, too_large
from sayso.core.pages import Census
from sayso.errors import Forbidden
from sayso.inference.bodies import CHAT_LIMIT, Chat, in_process
from sayso.inference.routes import CHAT_PROBLEMS, TO_RUN
from sayso.inference.service import ChatService
from sayso.server import answers, bodies, pages, wire
from sayso.server.census import CensusRoutes
from sayso.server.ports import Assistant
from sayso.server.proposal_routes import ProposalRoutes
from sayso.serving.asker import actor_of, asker_of
from sayso.serving.bodies import Nothing, read, read_bytes, read_query
from sayso.serving.endpoints import Access, Answers, Endpoint, Leads, Role
from sayso.serving.openapi import STREAM
from sayso.serving.problems import Problem
from sayso.serving.runs import Runs
from sayso.serving.streams import EventStream, last_event_id
from sayso.workspace.pages import WORKSPACE_PAGES

_NOTHING_MORE = "default-src 'none'; sandbox"
_INFERENCE, _GATEWAY, _WORKSPACE = Role.INFERENCE, Role.GATEWAY, Role.WORKSPACE
_HTML, _BYTES = "text/html", "application/octet-stream"


@dataclass(frozen=True, slots=True)
class Api:
    """What the routes share; who asks is each request's own. `instance` tells this server from others; `driven`
    answers requests that bring a catalogue: their tools are left to the caller."""

    assistant: Assistant
    config: Config
    runs: Runs
    instance: str = ""
    driven: ChatService | None = None
    census: Census = WORKSPACE_PAGES

    def endpoints(self) -> list[Endpoint]:
        return [
            *self._page_endpoints(),
            *self._run_endpoints(),
            *ProposalRoutes(self.assistant).endpoints(),
            *CensusRoutes(self.census, {"thread": self._thread_title}).endpoints(),
        ]

    def _page_endpoints(self) -> list[Endpoint]:
        shell: Answers = {200: _HTML, 303: None}
        return [
            *(
                Endpoint("GET", page.route, self.page, f"The page: {page.title}", _WORKSPACE, shell)
                for page in self.census
            ),
            Endpoint(
                "GET", "/healthz", self.health, "Whether the server is there", _WORKSPACE, {200: answers.Health},
                access=Access.OPEN,
            ),
        ]  # fmt: skip

    def _run_endpoints(self) -> list[Endpoint]:
        return [
            Endpoint(
                "POST", "/api/v1/ai/chat", self.chat, "Ask; the answer streams", _INFERENCE, {200: STREAM},
                body=Chat, problems=CHAT_PROBLEMS, leads=TO_RUN,
                permission=SEE_THREADS,
            ),
            Endpoint(
                "POST", "/api/v1/ai/attachments", self.attach, "Attach an image", _INFERENCE, {201: answers.Attached},
                body=_BYTES, query=bodies.AttachmentQuery, problems=(413, 422),
                leads=Leads("/api/v1/ai/attachments/{id}", {"id": "body#/id"}),
                permission=SEE_THREADS,
            ),
            Endpoint(
                "GET", "/api/v1/ai/attachments/{id}", self.image, "An attached image", _INFERENCE, {200: "image/*"},
                problems=(404,),
                permission=SEE_THREADS,
            ),
            Endpoint(
                "GET", "/api/v1/ai/runs/{run_id}/events", self.events, "A run's events, from any of them on",
                _INFERENCE, {200: STREAM}, headers={"Last-Event-ID": "The number of the last event received"},
                problems=(400, 404), leads=TO_RUN,
                permission=SEE_THREADS,
            ),
            Endpoint(
                "POST", "/api/v1/ai/runs/{run_id}/stop", self.stop, "Stop a run", _INFERENCE, {200: answers.Stopped},
                body=Nothing, problems=(404,),
                permission=SEE_THREADS,
            ),
        ]  # fmt: skip

    def thread_endpoints(self) -> list[Endpoint]:
        """What is shown of threads where there is no desk for them (`sayso.server.thread_routes`)."""
        return [
            Endpoint(
                "GET", "/api/v1/threads", self.threads, "Conversations, the newest first", _WORKSPACE,
                {200: answers.ThreadLines},
                permission=SEE_THREADS,
            ),
            Endpoint(
                "GET", "/api/v1/threads/{id}", self.thread, "One conversation", _WORKSPACE, {200: answers.KeptThread},
                problems=(404,),
                permission=SEE_THREADS,
            ),
        ]  # fmt: skip

    async def _thread_title(self, actor: Actor, key: str) -> str:
        if not actor.may(SEE_THREADS):
            raise Forbidden(actor.rule_for(SEE_THREADS))
        return (await self.assistant.thread(actor, key)).title

    async def page(self, request: Request) -> Response:
        csrf = asker_of(request).csrf
        model, reason = self.assistant.model_name, self.assistant.model_reason
        sees = self.assistant.model_sees
        return pages.shell(locale=self.config.locale, csrf=csrf, model=model, reason=reason, sees=sees)

    async def health(self, request: Request) -> Response:
        return JSONResponse({"status": "ok"} | ({"instance": self.instance} if self.instance else {}))

    async def chat(self, request: Request) -> Response:
        actor = actor_of(request)
        body = await read(request, Chat, CHAT_LIMIT)
        if body.catalogue is not None and self.driven is not None:
            self.runs.admit()
            return EventStream(self.runs, await self.driven.chat(body, actor))
        message = in_process(body)
        if body.thread_id is not None:
            # An unknown thread is a 404 now, not an error inside a stream that has begun.
            await self.assistant.thread(actor, body.thread_id)
        run_id = f"run_{secrets.token_urlsafe(16)}"
        context = bodies.page_of(body.context) if body.context else None
        images = [await self.assistant.image(actor, digest) for digest in dict.fromkeys(body.attachments)]
        events = self.assistant.ask(
            message,
            actor=actor,
            thread_id=body.thread_id,
            context=context,
            run_id=run_id,
            images=images,
            supersede=body.proposals == "supersede",
        )
        self.runs.admit()
        return EventStream(self.runs, await self.runs.start(run_id, actor.desk, events))

    async def attach(self, request: Request) -> Response:
        """An image as the body, its file name as `?name=`: checked now, asked about later by its id."""
        name = read_query(request, bodies.AttachmentQuery).name
        try:
            data = await read_bytes(request, MAX_BYTES)
        except Problem as wrong:
            raise too_large(name) from wrong
        image = await self.assistant.attach(actor_of(request), data, name)
        return JSONResponse(wire.attachment_json(image), 201)

    async def image(self, request: Request) -> Response:
        found = await self.assistant.image(actor_of(request), request.path_params["id"])
        # Bytes by their digest never change; nothing but the picture itself may come of them.
        headers = {"cache-control": "private, max-age=86400, immutable", "content-security-policy": _NOTHING_MORE}
        return Response(found.data, headers={**headers, "content-type": found.media_type})

    async def events(self, request: Request) -> Response:
        run = await self.runs.find(request.path_params["run_id"], actor_of(request).desk)
        return EventStream(self.runs, run, last_event_id(request))

    async def stop(self, request: Request) -> Response:
        await read(request, Nothing, 1024)
        run = await self.runs.halt(request.path_params["run_id"], actor_of(request).desk)
        return JSONResponse({"run_id": run.id, "stopped": run.stopped})

    async def threads(self, request: Request) -> Response:
        views = await self.assistant.threads(actor_of(request))
        return JSONResponse({"threads": [wire.thread_json(v) for v in views]})

    async def thread(self, request: Request) -> Response:
        view = await self.assistant.thread(actor_of(request), request.path_params["id"])
        return JSONResponse(wire.detail_json(view))
