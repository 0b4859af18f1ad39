"""The routes of the inference service: a chat request, its run's events, and the stop."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sayso.core.actors import Actor
from sayso.inference.bodies import CHAT_LIMIT, Chat
from sayso.inference.service import ChatService
from sayso.serving.bodies import Nothing, Strict, read
from sayso.serving.endpoints import Access, Endpoint, Leads, Role
from sayso.serving.openapi import STREAM
from sayso.serving.streams import EventStream, last_event_id

CHAT, RUN_EVENTS, RUN_STOP = "/api/v1/ai/chat", "/api/v1/ai/runs/{run_id}/events", "/api/v1/ai/runs/{run_id}/stop"
KEYS = "/api/v1/ai/keys"
TO_RUN = Leads("/api/v1/ai/runs/{run_id}", {"run_id": "header.x-sayso-run"})
CHAT_PROBLEMS = (403, 404, 409, 410)
_RESUMED = {"Last-Event-ID": "The number of the last event received"}


class Health(Strict):
    status: str
    role: str


class Stopped(Strict):
    run_id: str
    stopped: bool


class KeySet(Strict):
    """A JSON Web Key Set: the public keys that continuations are signed by."""

    keys: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class InferenceApi:
    """`who` finds out whose a request without a catalogue is: by the catalogue's seal, as a bearer."""

    service: ChatService
    who: Callable[[Request], Awaitable[Actor]]

    def endpoints(self) -> list[Endpoint]:
        return [
            Endpoint(
                "POST", CHAT, self.chat, "Ask, or go on with results; the answer streams", Role.INFERENCE,
                {200: STREAM}, body=Chat, problems=CHAT_PROBLEMS, access=Access.OPEN,
                leads=TO_RUN,
                description="The catalogue's seal in the body says who asks; no other proof is needed.",
            ),
            Endpoint(
                "GET", RUN_EVENTS, self.events, "A run's events, from any of them on", Role.INFERENCE, {200: STREAM},
                headers=_RESUMED, problems=(404,), access=Access.CATALOGUE, leads=TO_RUN,
            ),
            Endpoint(
                "POST", RUN_STOP, self.stop, "Stop a run", Role.INFERENCE, {200: Stopped}, body=Nothing,
                problems=(404,), access=Access.CATALOGUE,
            ),
            *self.open_endpoints(),
        ]  # fmt: skip

    def open_endpoints(self) -> list[Endpoint]:
        """What also those may have who bear nothing."""
        return [
            Endpoint(
                "GET", KEYS, self.keys, "The public keys that continuations are signed by", Role.INFERENCE,
                {200: KeySet}, access=Access.OPEN,
            ),
            Endpoint(
                "GET", "/healthz", self.health, "Whether the service is there", Role.INFERENCE, {200: Health},
                access=Access.OPEN,
            ),
        ]  # fmt: skip

    async def chat(self, request: Request) -> Response:
        body = await read(request, Chat, CHAT_LIMIT)
        return EventStream(self.service.runs, await self.service.chat(body))

    async def events(self, request: Request) -> Response:
        actor = await self.who(request)
        run = await self.service.runs.find(request.path_params["run_id"], actor.desk)
        return EventStream(self.service.runs, run, last_event_id(request))

    async def stop(self, request: Request) -> Response:
        await read(request, Nothing, 1024)
        actor = await self.who(request)
        run = await self.service.runs.halt(request.path_params["run_id"], actor.desk)
        return JSONResponse({"run_id": run.id, "stopped": run.stopped})

    async def keys(self, request: Request) -> Response:
        return JSONResponse(self.service.parts.keyring().public.as_set())

    async def health(self, request: Request) -> Response:
        return JSONResponse({"status": "ok", "role": "inference"})
