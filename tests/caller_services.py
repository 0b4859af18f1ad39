"""The three services as one small server that is strict about the contract: for tests of both callers.

A script says what the model does in each request. Everything that a real service refuses is refused here: a
transcript that was edited, a result that is missing, doubled or for another call, a continuation used for another
body. What was asked, called and decided is recorded.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from aiohttp import web

Json = dict[str, Any]
TOKEN = "token-of-nora"

PEOPLE = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "minLength": 1},
        "limit": {"type": "integer", "minimum": 1, "maximum": 20},
    },
    "required": ["query"],
    "additionalProperties": False,
}
CHANGE = {
    "type": "object",
    "properties": {"action": {"enum": ["add_reminder", "update_person"]}, "about": {"type": "string"}},
    "required": ["action", "about"],
    "additionalProperties": False,
}


def declared(name: str, schema: Json, *, read_only: bool) -> Json:
    return {
        "name": name, "title": name.replace("_", " "), "description": "", "input_schema": schema,
        "read_only": read_only, "permission": f"{'read' if read_only else 'propose'}:{name}", "example": {},
        "covers": None, "words": [], "takes_name": None, "takes_text": None, "can_leave": False,
    }  # fmt: skip


TOOLS = [
    declared("search_people", PEOPLE, read_only=True),
    declared("search_goals", PEOPLE, read_only=True),
    declared("propose_action", CHANGE, read_only=False),
]
KINDS = [{"name": "person", "tolerance": 1.0}]
PAGES = [
    {"route": "/", "title": "New conversation", "kind": "create", "record_kind": "thread", "words": [], "parameters": []},
    {"route": "/proposals", "title": "Proposals", "kind": "list", "record_kind": "proposal", "words": [], "parameters": []},
    {
        "route": "/t/{thread_id}", "title": "A conversation", "kind": "detail", "record_kind": "thread", "words": [],
        "parameters": [{"name": "thread_id", "pattern": "[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,199}"}],
    },
]  # fmt: skip


@dataclass(frozen=True)
class Step:
    """What one request to the model comes to. `pause`: it waits until it is stopped; `silent`: no event at all."""

    calls: tuple[tuple[str, Any], ...] = ()
    text: str = ""
    error: str = ""
    waits: bool | None = None
    pause: bool = False
    preamble: tuple[tuple[str, Json], ...] = ()


def calls(*wanted: tuple[str, Any]) -> Step:
    return Step(calls=wanted)


def says(text: str) -> Step:
    return Step(text=text)


class Problem(Exception):
    def __init__(self, status: int, code: str, detail: str = "", **members: Any) -> None:
        super().__init__(code)
        self.status, self.code, self.detail, self.members = status, code, detail, members


@dataclass
class Run:
    frames: list[bytes] = field(default_factory=list)
    ended: bool = False
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    begun: dict[str, Any] = field(default_factory=dict)


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def digest(value: Any) -> str:
    return hashlib.sha256(canonical(value)).hexdigest()


def transcript_of(messages: list[Json], found: str = "") -> str:
    """Chained, over each message in its own order of members and spelling of numbers, as the core's."""
    for message in messages:
        text = json.dumps(message, separators=(",", ":"), ensure_ascii=True)
        found = hashlib.sha256(f"{found} {text}".encode()).hexdigest()
    return found


class Services:
    """`script` is taken step by step. `cuts` are numbers of bytes after which a stream's connection is dropped."""

    def __init__(self) -> None:
        self.script: list[Step] = []
        self.cuts: list[int] = []
        self.runs: dict[str, Run] = {}
        self.chats: list[Json] = []
        self.called: list[Json] = []
        self.decisions: list[tuple[str, Json]] = []
        self.proposals: dict[str, Json] = {}
        self.receipts: dict[str, Json] = {}
        self.used: dict[str, tuple[str, str]] = {}
        self.open: dict[str, Json] = {}
        self.results: dict[str, Json] = {}
        self.threads: dict[str, list[Json]] = {}
        self.seeds: list[Json] = []
        self.attached: list[tuple[str, bytes]] = []
        self.headers: list[tuple[str, dict[str, str]]] = []
        self.fail: dict[str, list[tuple[int, Json]]] = {}
        self.tools = list(TOOLS)
        self.expires = timedelta(hours=1)
        self.slow = asyncio.Event
        self.concurrent = self.most_concurrent = 0
        self.gate: threading.Event | None = None
        self.number = 0
        self.opened: list[str] = []
        self.chunk = 0
        self.raw_events: Callable[[Run], list[bytes]] | None = None
        self.catalogues = 0

    # what the inference service does

    async def chat(self, request: web.Request) -> web.StreamResponse:
        data = await request.read()
        body = json.loads(data)
        self.chats.append(body)
        run_id = self._begin(body, hashlib.sha256(data).hexdigest())
        return await self._stream(request, run_id, 0)

    def _begin(self, body: Json, told: str) -> str:
        self._admit_members(body)
        history, exchange = body.get("history", []), body.get("exchange", [])
        proof = body.get("continuation") or body.get("history_seal")
        open_calls: list[Any] = []
        if proof in self.used:
            if self.used[proof][0] != told:
                raise Problem(409, "continuation_used")
            return self.used[proof][1]
        if history or exchange or proof:
            if proof not in self.open:
                raise Problem(409, "history_unproven")
            claims = self.open[proof]
            if claims["transcript"] != transcript_of([*history, *exchange], body.get("history_before", "")):
                raise Problem(409, "history_changed")
            open_calls = claims["calls"]
        if not body.get("message"):
            self._admit_results(body.get("tool_results", []), open_calls)
        self.number += 1
        run_id = f"run_{self.number}"
        self.runs[run_id] = Run()
        if body.get("continuation"):
            self.used[proof] = (told, run_id)
        ended = [] if not body.get("message") else open_calls
        asyncio.get_running_loop().create_task(self._drive(run_id, body, [*history, *exchange], ended, proof))
        return run_id

    def _admit_members(self, body: Json) -> None:
        allowed = {"message", "thread_id", "history", "exchange", "continuation", "history_seal", "history_before", "catalogue",
                   "client_tools", "tool_results", "seeds", "context", "attachments", "model", "locale"}  # fmt: skip
        if unknown := set(body) - allowed:
            raise Problem(422, "wrong_content", f"unknown members {sorted(unknown)}")
        if len(body.get("history", [])) + len(body.get("exchange", [])) > 1000 or len(json.dumps(body)) > 1 << 20:
            raise Problem(413, "too_large", "send fewer messages")
        catalogue = body["catalogue"]
        if catalogue["seal"] != digest({"kinds": catalogue["kinds"], "tools": catalogue["tools"]}):
            raise Problem(403, "seal_broken")
        names = {tool["name"] for tool in catalogue["tools"]}
        if any(tool["name"] in names or "covers" in tool for tool in body.get("client_tools", [])):
            raise Problem(422, "wrong_content", "a client tool shadows another")
        if bool(body.get("message")) == bool(body.get("tool_results")):
            raise Problem(422, "wrong_content", "a message, or results")

    def _admit_results(self, results: list[Json], open_calls: list[Any]) -> None:
        if [r["call_id"] for r in results] != [call[0] for call in open_calls]:
            raise Problem(409, "results_do_not_fit", "a result for each open call, once, in their order")
        for result, (call_id, name, _) in zip(results, open_calls, strict=True):
            if result["name"] != name or set(result) - {
                "call_id",
                "name",
                "status",
                "reason",
                "facts",
                "kind",
                "seal",
                "rule",
            }:
                raise Problem(422, "wrong_content", f"the result of {call_id}")
            sealed = result.get("seal") == digest([result["facts"], result["reason"], result["status"]])
            own = name in {t["name"] for t in self.tools}
            if own and not sealed and (result["facts"] or result["status"] == "success"):
                raise Problem(403, "seal_missing")

    async def _drive(self, run_id: str, body: Json, before: list[Json], ended: list[Any], proof: Any) -> None:
        run, step = self.runs[run_id], self.script.pop(0)
        exchange = f"x{self.number}" if body.get("message") else before[-1]["exchange"]
        added: list[Json] = []
        if ended:
            added.append(
                self._message(
                    before[-1]["exchange"], "tool", [{"result": [c[0], "superseded", None, []]} for c in ended]
                )
            )
        if body.get("message"):
            added.append(self._message(exchange, "user", [{"text": body["message"]}]))
        else:
            added.append(
                self._message(
                    exchange,
                    "tool",
                    [
                        {"result": [r["call_id"], r["status"], r.get("reason"), r["facts"]]}
                        for r in body["tool_results"]
                    ],
                )
            )
        self._tell(
            run,
            "run-started",
            {
                "run_id": run_id,
                "thread_id": body.get("thread_id") or "t1",
                "exchange_id": exchange,
                "model": "scripted",
            },
        )
        if step.pause:
            await run.stop.wait()
            self._finish(run, body, before, added, "abstained", "stopped", [])
            return
        for name, data in step.preamble:
            self._tell(run, name, data)
        if step.error:
            self.used.pop(proof, None)
            self._end(
                run,
                "error",
                {
                    "code": step.error,
                    "message": f"It failed: {step.error}.",
                    "retryable": True,
                    "reason": "model_failed",
                },
            )
            return
        wanted = [
            (
                f"c{self.number}_{n}",
                name,
                arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False),
            )
            for n, (name, arguments) in enumerate(step.calls)
        ]
        parts = [{"call": [i, name, arguments, "native"]} for i, name, arguments in wanted] or [{"text": step.text}]
        added.append(self._message(exchange, "assistant", parts))
        for i, name, arguments in wanted:
            self._tell(run, "client-tool-call", {"call_id": i, "name": name, "arguments": arguments})
        if step.text:
            self._tell(run, "text-delta", {"text": step.text})
            self._tell(run, "answer", {"text": step.text, "outcome": "answered", "citations": [], "cut": False})
        waiting = bool(wanted) if step.waits is None else step.waits
        self._finish(
            run, body, before, added, "waiting" if waiting else "answered", "waiting" if waiting else "answered", wanted
        )

    def _finish(
        self, run: Run, body: Json, before: list[Json], added: list[Json], outcome: str, reason: str, wanted: list[Any]
    ) -> None:
        continuation = f"continuation-{self.number}"
        transcript = transcript_of([*before, *added], body.get("history_before", ""))
        self.open[continuation] = {"calls": wanted, "transcript": transcript}
        self._end(run, "finish", {
            "outcome": outcome, "reason": reason, "continuation": continuation, "messages": added, "next_ref": 1,
            "transcript": transcript,
        })  # fmt: skip

    def _message(self, exchange: str, role: str, parts: list[Json]) -> Json:
        # Members in an order of their own, and numbers as only some languages keep them.
        return {
            "id": f"m{self.number}_{role}",
            "role": role,
            "exchange": exchange,
            "parts": parts,
            "kept": [1.0, 9007199254740993, 1e-7],
        }

    def _tell(self, run: Run, name: str, data: Json) -> None:
        run.frames.append(f"id: {len(run.frames) + 1}\nevent: {name}\ndata: {json.dumps(data)}\n\n".encode())

    def _end(self, run: Run, name: str, data: Json) -> None:
        self._tell(run, name, data)
        run.ended = True

    async def events(self, request: web.Request) -> web.StreamResponse:
        return await self._stream(request, request.match_info["run"], int(request.headers["last-event-id"]))

    async def _stream(self, request: web.Request, run_id: str, after: int) -> web.StreamResponse:
        if run_id not in self.runs:
            raise Problem(404, "not_found")
        run, cut = self.runs[run_id], self.cuts.pop(0) if self.cuts else None
        response = web.StreamResponse(
            headers={"content-type": "text/event-stream; charset=utf-8", "x-sayso-run": run_id}
        )
        await response.prepare(request)
        sent = 0
        while True:
            for frame in run.frames[after:]:
                after += 1
                for piece in (
                    (frame[i : i + self.chunk] for i in range(0, len(frame), self.chunk)) if self.chunk else (frame,)
                ):
                    room = len(piece) if cut is None else min(len(piece), cut - sent)
                    await response.write(piece[:room])
                    sent += room
                    if cut is not None and sent >= cut:
                        assert request.transport is not None
                        request.transport.close()
                        return response
            if run.ended and after >= len(run.frames):
                return response
            await response.write(b": keep-alive\n\n")
            await asyncio.sleep(0.02)

    async def stop_run(self, request: web.Request) -> web.StreamResponse:
        self.runs[request.match_info["run"]].stop.set()
        return web.json_response({"run_id": request.match_info["run"], "stopped": True})

    # what the gateway does

    async def catalogue(self, request: web.Request) -> web.StreamResponse:
        self.catalogues += 1
        document = {"tools": self.tools, "kinds": KINDS}
        expires = (datetime.now(UTC) + self.expires).isoformat()
        return web.json_response({**document, "expires": expires, "seal": digest(document)})

    async def attach(self, request: web.Request) -> web.StreamResponse:
        self.attached.append((request.query["name"], await request.read()))
        return web.json_response({"id": f"{len(self.attached):064x}"}, status=201)

    async def context(self, request: web.Request) -> web.StreamResponse:
        self.seeds.append(await request.json())
        return web.json_response(self._sealed("", "context", "success", None, [], "read"))

    async def call(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.called.append(body)
        self.concurrent += 1
        self.most_concurrent = max(self.most_concurrent, self.concurrent)
        try:
            while self.gate is not None and not self.gate.is_set():  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            return web.json_response(self._called(body))
        finally:
            self.concurrent -= 1

    def _called(self, body: Json) -> Json:
        call_id, name = body["call_id"], body["name"]
        if proposal_id := body.get("proposal_id"):
            proposal = self.proposals[proposal_id]
            if proposal["state"] != "done":
                raise Problem(409, "not_approved", f"the proposal is {proposal['state']}")
            receipt = {"ref": "", "kind": "receipt", "subject": proposal["title"], "values": {"outcome": "done"}}
            return self._sealed(call_id, name, "success", None, [receipt], "execute")
        if call_id in self.results:
            return self.results[call_id]
        tool = next((t for t in self.tools if t["name"] == name), None)
        if tool is None:
            raise Problem(404, "not_found")
        if tool["read_only"] is True:
            fact = {
                "ref": "",
                "kind": "person",
                "subject": "Elena Weber",
                "values": {"name": "Elena Weber"},
                "similarity": 1.0,
            }
            found = self._sealed(call_id, name, "success", None, [fact], "read")
        else:
            self.number_of_proposals = len(self.proposals) + 1
            proposal_id = f"prop_{self.number_of_proposals}"
            self.proposals[proposal_id] = {
                "id": proposal_id, "title": f"{body['arguments']['about']}", "state": "pending",
                "digest": digest(body["arguments"]), "given": body["arguments"],
                "arguments": [{"name": n, "value": str(v), "warnings": []} for n, v in body["arguments"].items()],
            }  # fmt: skip
            fact = {
                "ref": "",
                "kind": "proposal",
                "subject": "x",
                "values": {"state": "pending", "proposal_id": proposal_id},
            }
            found = self._sealed(call_id, name, "success", None, [fact], "propose")
        self.results[call_id] = found
        return found

    def _sealed(self, call_id: str, name: str, status: str, reason: str | None, facts: list[Json], kind: str) -> Json:
        seal = digest([facts, reason, status])
        return {
            "call_id": call_id,
            "name": name,
            "status": status,
            "reason": reason,
            "facts": facts,
            "kind": kind,
            "seal": seal,
        }

    async def proposal(self, request: web.Request) -> web.StreamResponse:
        return web.json_response(self.proposals[request.match_info["id"]])

    async def decide(self, request: web.Request) -> web.StreamResponse:
        proposal, what, body = (
            self.proposals[request.match_info["id"]],
            request.match_info["what"],
            await request.json(),
        )
        self.decisions.append((what, body))
        if proposal["state"] != "pending":
            raise Problem(409, "conflict", "it was decided already")
        if what in ("approve", "edit") and body["digest"] != proposal["digest"]:
            raise Problem(409, "conflict", "the card has changed")
        if what == "edit":
            if not all(isinstance(v, str) for v in body["arguments"].values()):
                raise Problem(422, "wrong_inputs", "it does not fit", errors=[{"field": "about", "message": "text"}])
            proposal["given"] = {**proposal["given"], **body["arguments"]}
            proposal["title"], proposal["digest"] = proposal["given"]["about"], digest(proposal["given"])
        else:
            proposal["state"] = {"approve": "done", "deny": "denied"}[what]
        return web.json_response(proposal)

    async def routes(self, request: web.Request) -> web.StreamResponse:
        return web.json_response({"pages": PAGES})

    async def resolve(self, request: web.Request) -> web.StreamResponse:
        path = request.query["path"]
        if path.startswith("/t/") and path[3:] not in self.threads:
            raise Problem(404, "not_found")
        return web.json_response({"path": path, "title": "Proposals" if path == "/proposals" else "A conversation"})

    # what the thread store does

    async def begin_thread(self, request: web.Request) -> web.StreamResponse:
        thread_id = f"t{len(self.threads) + 1}"
        self.threads[thread_id] = []
        return web.json_response({"id": thread_id}, status=201)

    async def append(self, request: web.Request) -> web.StreamResponse:
        stored, body = self.threads[request.match_info["id"]], await request.json()
        if body["expected"] != transcript_of(stored):
            raise Problem(
                409, "stale_copy", "the conversation has moved on", transcript=transcript_of(stored), count=len(stored)
            )
        if self.open[body["continuation"]]["transcript"] != transcript_of([*stored, *body["messages"]]):
            raise Problem(409, "history_changed")
        stored.extend(body["messages"])
        return web.json_response({"transcript": transcript_of(stored), "count": len(stored)})

    async def history(self, request: web.Request) -> web.StreamResponse:
        stored = self.threads[request.match_info["id"]]
        seal = f"history-{request.match_info['id']}-{len(stored)}"
        self.open[seal] = {"calls": [], "transcript": transcript_of(stored)}
        return web.json_response({"messages": stored, "next_ref": 1, "transcript": transcript_of(stored), "seal": seal})

    def _bearers(self, path: str) -> set[str]:
        """The inference service takes a catalogue's seal, and for a chat nothing: its body says who asks."""
        seal = digest({"kinds": KINDS, "tools": self.tools})
        return {TOKEN, seal, ""} if path.endswith("/chat") else {TOKEN, seal} if "/ai/" in path else {TOKEN}

    def application(self) -> web.Application:
        @web.middleware
        async def checked(request: web.Request, handler: Any) -> web.StreamResponse:
            self.headers.append((request.path, dict(request.headers)))
            try:
                if request.headers.get("authorization", "").removeprefix("Bearer ") not in self._bearers(request.path):
                    raise Problem(401, "signed_out", "sign in first")
                if planned := self.fail.get(request.path):
                    status, members = planned.pop(0)
                    raise Problem(status, **{"code": "busy", "detail": "planned", **members})
                return await handler(request)
            except Problem as wrong:
                document = {
                    "type": "about:blank",
                    "title": "",
                    "status": wrong.status,
                    "code": wrong.code,
                    "detail": wrong.detail or wrong.code,
                    **wrong.members,
                }
                headers = {"retry-after": "0"} if wrong.status in (429, 503) else {}
                return web.json_response(
                    document, status=wrong.status, content_type="application/problem+json", headers=headers
                )

        app = web.Application(middlewares=[checked], client_max_size=64 << 20)
        app.add_routes([
            web.post("/api/v1/ai/chat", self.chat), web.get("/api/v1/ai/runs/{run}/events", self.events),
            web.post("/api/v1/ai/attachments", self.attach), web.post("/api/v1/ai/runs/{run}/stop", self.stop_run), web.get("/api/v1/system/mcp/tools", self.catalogue),
            web.post("/api/v1/system/mcp/call", self.call), web.post("/api/v1/system/context", self.context),
            web.get("/api/v1/system/routes", self.routes), web.get("/api/v1/system/routes/resolve", self.resolve),
            web.get("/api/v1/proposals/{id}", self.proposal), web.post("/api/v1/proposals/{id}/{what}", self.decide),
            web.post("/api/v1/threads", self.begin_thread), web.post("/api/v1/threads/{id}/messages", self.append),
            web.get("/api/v1/threads/{id}/history", self.history),
        ])  # fmt: skip
        return app


class Served:
    """The services on a free loopback port, in a thread of their own: also for a browser's caller."""

    def __init__(self, services: Services) -> None:
        self.services, self.url = services, ""
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Served:
        self._thread.start()
        assert self._ready.wait(30)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(30)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        runner = web.AppRunner(self.services.application(), shutdown_timeout=0.1)
        self._loop.run_until_complete(runner.setup())
        site = web.TCPSite(runner, "127.0.0.1", 0)
        self._loop.run_until_complete(site.start())
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        self._ready.set()
        self._loop.run_forever()
        self._loop.run_until_complete(runner.cleanup())
        self._loop.close()
