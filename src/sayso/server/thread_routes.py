"""The routes of threads: making, finding, reading, resuming, exporting, rating and deleting them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sayso.core.actors import CHANGE_THREADS, SEE_THREADS
from sayso.core.encoding import message_document
from sayso.inapp.exporting import Export, as_json, as_markdown
from sayso.inapp.threads import ThreadDesk
from sayso.server import answers, wire
from sayso.server import thread_shapes as shapes
from sayso.server.ports import Assistant, ThreadView
from sayso.serving.asker import actor_of
from sayso.serving.bodies import read, read_query
from sayso.serving.endpoints import Endpoint, Leads, Role
from sayso.serving.frames import moment_text
from sayso.serving.problems import Problem
from sayso.store.ports import Feedback, Rating, Thread

_SMALL = 64 << 10
_ALL, _ONE = "/api/v1/threads", "/api/v1/threads/{id}"
_TO_FIRST = Leads(_ONE, {"id": "body#/threads/0/id"})
_TO_SAME = Leads(_ONE, {"id": "body#/id"})
_TO_ANSWER = Leads(_ONE, {"id": "body#/id", "exchange_id": "body#/exchanges/0/id"})


@dataclass(frozen=True, slots=True)
class ThreadRoutes:
    """`assistant` shows a thread as its page does; everything else is the desk's."""

    assistant: Assistant
    desk: ThreadDesk

    def endpoints(self) -> list[Endpoint]:
        return [*self._basic(), *self._transcripts(), *self._opinions()]

    def _basic(self) -> list[Endpoint]:
        role = Role.WORKSPACE
        return [
            Endpoint(
                "GET", _ALL, self.list, "Conversations, the newest first, and those with certain words", role,
                {200: shapes.ThreadPage}, query=shapes.ThreadsQuery, problems=(404,), leads=_TO_FIRST,
                permission=SEE_THREADS,
            ),
            Endpoint(
                "POST", _ALL, self.create, "Begin a conversation", role, {201: answers.ThreadLine},
                body=shapes.NewThread, leads=_TO_SAME,
                permission=SEE_THREADS,
            ),
            Endpoint(
                "GET", _ONE, self.show, "One conversation, as its page shows it", role, {200: answers.KeptThread},
                problems=(404,), leads=_TO_ANSWER,
                permission=SEE_THREADS,
            ),
            Endpoint(
                "PATCH", _ONE, self.rename, "Give a conversation another title", role, {200: answers.ThreadLine},
                body=shapes.Renamed, problems=(404,),
                permission=CHANGE_THREADS,
            ),
            Endpoint(
                "DELETE", _ONE, self.delete, "Delete a conversation; what was done in it stays done", role,
                {204: None}, problems=(404,),
                permission=CHANGE_THREADS,
            ),
        ]  # fmt: skip

    def _transcripts(self) -> list[Endpoint]:
        role = Role.WORKSPACE
        return [
            Endpoint(
                "GET", f"{_ONE}/history", self.history, "The messages to resubmit, sealed", role,
                {200: shapes.ThreadHistory}, problems=(404,),
                permission=SEE_THREADS,
            ),
            Endpoint(
                "POST", f"{_ONE}/messages", self.take, "Store what a run added, with its continuation as proof", role,
                {200: shapes.StoredThread}, body=shapes.SentMessages, problems=(404, 409),
                description="A stale copy is a 409 `stale_copy` with the digest and the number of what is stored. "
                "The same request again changes nothing.",
                permission=SEE_THREADS,
            ),
            Endpoint(
                "GET", f"{_ONE}/export", self.export, "The conversation as a file, with its citations and facts", role,
                {200: shapes.ExportedThread}, problems=(404,),
                permission=SEE_THREADS,
            ),
            Endpoint(
                "GET", f"{_ONE}/export.md", self.export_text, "The same for people, as Markdown", role,
                {200: "text/markdown"}, problems=(404,),
                permission=SEE_THREADS,
            ),
        ]  # fmt: skip

    def _opinions(self) -> list[Endpoint]:
        role = Role.WORKSPACE
        return [
            Endpoint(
                "POST", f"{_ONE}/exchanges/{{exchange_id}}/feedback", self.rate, "Say what you think of an answer",
                role, {204: None}, body=shapes.SentFeedback, problems=(404,),
                permission=SEE_THREADS,
            ),
            Endpoint(
                "GET", f"{_ONE}/feedback", self.opinions, "What was thought of this conversation's answers", role,
                {200: shapes.GivenFeedbacks}, query=shapes.FeedbackQuery, problems=(404,),
                permission=SEE_THREADS,
            ),
            Endpoint(
                "GET", "/api/v1/feedback", self.all_opinions, "What was thought of answers, the newest first", role,
                {200: shapes.GivenFeedbacks}, query=shapes.FeedbackQuery,
                permission=SEE_THREADS,
            ),
        ]  # fmt: skip

    async def list(self, request: Request) -> Response:
        asked = read_query(request, shapes.ThreadsQuery)
        found = await self.desk.threads.list(actor_of(request).desk, asked.limit + 1, asked.before, asked.q)
        page = [_line(thread) for thread in found[: asked.limit]]
        return JSONResponse({"threads": page, "more": len(found) > asked.limit})

    async def create(self, request: Request) -> Response:
        body = await read(request, shapes.NewThread, _SMALL)
        thread = await self.desk.threads.create(actor_of(request).desk, _one_line(body.title))
        return JSONResponse(_line(thread), 201)

    async def show(self, request: Request) -> Response:
        return JSONResponse(wire.detail_json(await self.assistant.thread(actor_of(request), _id(request))))

    async def rename(self, request: Request) -> Response:
        body = await read(request, shapes.Renamed, _SMALL)
        title, owner = _one_line(body.title), actor_of(request).desk
        if not title:
            raise Problem(422, "wrong_content", "title: write a title")
        await self.desk.threads.rename(owner, _id(request), title)
        return JSONResponse(_line(await self.desk.threads.get(owner, _id(request))))

    async def delete(self, request: Request) -> Response:
        await self.desk.threads.delete(actor_of(request).desk, _id(request))
        return Response(status_code=204)

    async def history(self, request: Request) -> Response:
        told = await self.desk.history(actor_of(request), _id(request))
        messages = [message_document(message) for message in told.messages]
        numbers = {"transcript": told.transcript, "next_ref": told.next_ref}
        return JSONResponse({"id": told.thread.id, "messages": messages, **numbers, "seal": told.seal})

    async def take(self, request: Request) -> Response:
        body = await read(request, shapes.SentMessages, shapes.MESSAGES_LIMIT)
        actor = actor_of(request)
        stored = await self.desk.take(actor, _id(request), body.expected, body.messages, body.continuation)
        named = {"id": stored.thread.id, "title": stored.thread.title, "transcript": stored.transcript}
        return JSONResponse({**named, "messages": stored.messages, "added": stored.added})

    async def export(self, request: Request) -> Response:
        export = await self._export(request)
        return JSONResponse(as_json(export), headers=_download(export.thread, "json"))

    async def export_text(self, request: Request) -> Response:
        export = await self._export(request)
        text = as_markdown(export).encode("utf-8", "replace")
        return Response(
            text, headers={**_download(export.thread, "md"), "content-type": "text/markdown; charset=utf-8"}
        )  # fmt: skip

    async def _export(self, request: Request) -> Export:
        owner, thread_id, threads = actor_of(request).desk, _id(request), self.desk.threads
        return Export(
            await threads.get(owner, thread_id), await threads.exchanges(owner, thread_id),
            await threads.messages(owner, thread_id), await threads.feedback(owner, thread_id, 1000),
        )  # fmt: skip

    async def rate(self, request: Request) -> Response:
        body = await read(request, shapes.SentFeedback, _SMALL)
        actor, exchange_id = actor_of(request), str(request.path_params["exchange_id"])
        if body.rating == "none":
            await self.desk.threads.unrate(actor.desk, _id(request), exchange_id, actor.id)
        else:
            said = Feedback(
                _id(request), exchange_id, actor.id, Rating(body.rating), body.words, self.desk.clock.now()
            )  # fmt: skip
            await self.desk.threads.rate(actor.desk, said)
        return Response(status_code=204)

    async def opinions(self, request: Request) -> Response:
        owner = actor_of(request).desk
        await self.desk.threads.get(owner, _id(request))
        return await self._told(request, _id(request))

    async def all_opinions(self, request: Request) -> Response:
        return await self._told(request, None)

    async def _told(self, request: Request, thread_id: str | None) -> Response:
        limit = read_query(request, shapes.FeedbackQuery).limit
        found = await self.desk.threads.feedback(actor_of(request).desk, thread_id, limit)
        return JSONResponse({"feedback": [_opinion(one) for one in found]})


def _id(request: Request) -> str:
    return str(request.path_params["id"])


def _one_line(title: str) -> str:
    return " ".join(title.split())


def _line(thread: Thread) -> dict[str, str]:
    return wire.thread_json(ThreadView(thread.id, thread.title, thread.updated))


def _opinion(one: Feedback) -> dict[str, str]:
    named = {"thread_id": one.thread_id, "exchange_id": one.exchange_id, "by": one.by}
    return {**named, "rating": one.rating.value, "words": one.words, "at": moment_text(one.at)}


def _download(thread: Thread, ending: str) -> dict[str, str]:
    """Always a download: a thread's text must not run as a page of this site."""
    name = re.sub(r"[^\w .-]+", " ", thread.title).strip()[:80] or thread.id
    return {"content-disposition": f"attachment; filename*=UTF-8''{quote(f'{name}.{ending}', safe='')}"}
