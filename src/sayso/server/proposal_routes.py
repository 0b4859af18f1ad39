"""Proposals over HTTP: their cards, and a person's decisions. Nothing else on the wire decides."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sayso.core.actors import Actor
from sayso.errors import Forbidden, NotFound, SaysoError
from sayso.server import answers, bodies, wire
from sayso.server.ports import Assistant, ProposalView
from sayso.serving.asker import actor_of
from sayso.serving.bodies import Nothing, read, read_query
from sayso.serving.endpoints import Answers, Endpoint, Leads, Role
from sayso.serving.problems import Problem, on_sayso_error

_ONE = "/api/v1/proposals/{id}"
_TO_FIRST = Leads(_ONE, {"id": "body#/proposals/0/id"}, {"digest": "body#/proposals/0/digest"})
_TO_SAME = Leads(_ONE, {"id": "body#/id", "name": "body#/files/0"}, {"digest": "body#/digest"})
_DECIDED = (404, 409, 410)
_CARD: Answers = {200: answers.ProposalCard}


@dataclass(frozen=True, slots=True)
class ProposalRoutes:
    """Who decides is each request's own: whoever is signed in, under their own role."""

    assistant: Assistant

    def endpoints(self) -> list[Endpoint]:
        return [
            Endpoint(
                "GET", "/api/v1/proposals", self.proposals, "Proposals, the newest first", Role.GATEWAY,
                {200: answers.ProposalCards}, query=bodies.ProposalsQuery, leads=_TO_FIRST,
            ),
            Endpoint(
                "GET", _ONE, self.proposal, "One proposal", Role.GATEWAY, _CARD, problems=(404,), leads=_TO_SAME
            ),
            Endpoint(
                "GET", f"{_ONE}/changes", self.changes, "Who did what to it, and when", Role.GATEWAY,
                {200: answers.ProposalChanges}, problems=(404,),
            ),
            Endpoint(
                "GET", f"{_ONE}/files/{{name}}", self.file, "A file that its action made", Role.GATEWAY, {200: "*/*"},
                problems=(404,),
            ),
            *self._decisions(),
        ]  # fmt: skip

    def _decisions(self) -> list[Endpoint]:
        def one(verb: str, handler: Any, summary: str, body: type[Any], said: str = "") -> Endpoint:
            return Endpoint(
                "POST", f"{_ONE}/{verb}", handler, summary, Role.GATEWAY, _CARD, body=body, problems=_DECIDED,
                description=said, leads=_TO_SAME if verb == "edit" else None,
            )  # fmt: skip

        return [
            one("edit", self.edit, "Change what a proposal would do; its digest changes", bodies.Edit),
            one("approve", self.approve, "Approve exactly what was shown", bodies.Approval,
                "Runs the change once; approving again gives what came of it."),
            one("deny", self.deny, "Deny it, perhaps with words", bodies.Denial,
                "The words reach the conversation with its receipt."),
            one("supersede", self.supersede, "Close it because something else took its place", Nothing),
            one("settle", self.settle, "Say what became of one whose end is unknown", bodies.Settlement),
            one("check", self.check, "Have its action look whether it happened", Nothing,
                "Only where the card says `can_check`; the state stays unknown where nobody can tell."),
            Endpoint(
                "POST", "/api/v1/proposals/decide", self.decide, "Decide several, each by itself", Role.GATEWAY,
                {200: answers.Decided}, body=bodies.Decisions, problems=(409,),
                description="Approvals in one request are of one action; each outcome stands by itself.",
            ),
        ]  # fmt: skip

    async def proposals(self, request: Request) -> Response:
        asked = read_query(request, bodies.ProposalsQuery)
        views = await self.assistant.proposals(actor_of(request), asked.state)
        return JSONResponse({"proposals": [wire.proposal_json(v) for v in views]})

    async def proposal(self, request: Request) -> Response:
        return _card(await self.assistant.proposal(actor_of(request), _id(request)))

    async def changes(self, request: Request) -> Response:
        views = await self.assistant.changes(actor_of(request), _id(request))
        return JSONResponse({"changes": [wire.change_json(v) for v in views]})

    async def edit(self, request: Request) -> Response:
        body = await read(request, bodies.Edit, bodies.EDIT_LIMIT)
        return _card(await self.assistant.edit(actor_of(request), _id(request), body.digest, body.arguments))

    async def approve(self, request: Request) -> Response:
        body = await read(request, bodies.Approval, bodies.DECISION_LIMIT)
        return _card(await self.assistant.approve(actor_of(request), _id(request), body.digest))

    async def deny(self, request: Request) -> Response:
        body = await read(request, bodies.Denial, bodies.DECISION_LIMIT)
        return _card(await self.assistant.deny(actor_of(request), _id(request), body.words))

    async def supersede(self, request: Request) -> Response:
        await read(request, Nothing, 1024)
        return _card(await self.assistant.supersede(actor_of(request), _id(request)))

    async def settle(self, request: Request) -> Response:
        body = await read(request, bodies.Settlement, bodies.DECISION_LIMIT)
        return _card(await self.assistant.settle(actor_of(request), _id(request), happened=body.happened))

    async def check(self, request: Request) -> Response:
        await read(request, Nothing, 1024)
        return _card(await self.assistant.check(actor_of(request), _id(request)))

    async def decide(self, request: Request) -> Response:
        """A batch. Only what is alike is approved together: a person cannot weigh a letter and a payment at once."""
        body = await read(request, bodies.Decisions, bodies.DECISION_LIMIT)
        actor = actor_of(request)
        if len({one.id for one in body.decisions}) != len(body.decisions):
            raise Problem(409, "mixed_batch", "a proposal is named twice; decide each once")
        if len(await self._approved_actions(actor, body)) > 1:
            raise Problem(409, "mixed_batch", "approve only changes of one kind together; nothing was decided")
        return JSONResponse({"outcomes": [await self._outcome(request, actor, one) for one in body.decisions]})

    async def _approved_actions(self, actor: Actor, body: bodies.Decisions) -> set[str]:
        found: set[str] = set()
        for one in body.decisions:
            if one.decision == "approve":
                try:
                    found.add((await self.assistant.proposal(actor, one.id)).action)
                except (NotFound, Forbidden):
                    continue  # its outcome says so
        return found

    async def _outcome(self, request: Request, actor: Actor, one: bodies.Decision) -> dict[str, Any]:
        verbs: dict[str, Callable[[], Awaitable[ProposalView]]] = {
            "approve": lambda: self.assistant.approve(actor, one.id, one.digest or ""),
            "deny": lambda: self.assistant.deny(actor, one.id, one.words),
            "supersede": lambda: self.assistant.supersede(actor, one.id),
        }
        try:
            return {"id": one.id, "card": wire.proposal_json(await verbs[one.decision]()), "problem": None}
        except SaysoError as wrong:
            told = await on_sayso_error(request, wrong)
            return {"id": one.id, "card": None, "problem": json.loads(bytes(told.body))}

    async def file(self, request: Request) -> Response:
        found = await self.assistant.proposal_file(actor_of(request), _id(request), request.path_params["name"])
        if found is None:
            raise NotFound("this proposal made no such file")
        # Always a download: a file's text must not run as a page of this site.
        disposition = {"content-disposition": f"attachment; filename*=UTF-8''{quote(found.name, safe='')}"}
        return Response(found.content, headers={**disposition, "content-type": found.media_type})


def _id(request: Request) -> str:
    return request.path_params["id"]


def _card(view: ProposalView) -> Response:
    return JSONResponse(wire.proposal_json(view))
