"""Callers of one conversation, as they behave and as they do not: for tests that drive the services.

Each tab holds a copy of the conversation, asks, runs calls at the gateway, decides on cards, resubmits, stores, and lies.
What the gateway and the inference service then answer is checked at once.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from driven_checks import Observed, claims_of, read_all
from driven_services import Answer, DrivenServices
from sayso.caller.held import Call, Held
from sayso.caller.running import without
from sayso.caller.stored import ThreadStore
from sayso.core.encoding import transcript_digest
from sayso.models.scripted import Reply
from sealed_world import NAVIGATE, Json
from strict_providers import Strict

LIES = (
    "no_seal", "changed", "swapped", "never_issued", "twice", "missing", "other_arguments", "renamed", "edited",
    "dropped", "unproven", "cut", "old_seal", "client_seal", "old_results", "hidden",
)  # fmt: skip


@dataclass
class Tab:
    """One copy of the conversation. `unread` was sent, and its answer never came; `sent` are earlier requests."""

    held: Held
    unread: Json | None = None
    sent: list[Json] = field(default_factory=list[Json])
    question: str = ""
    stale: bool = False  # the store has told that its thread has moved on


def owes(tab: Tab) -> bool:
    return bool(tab.held.owed)


def has_sent(tab: Tab) -> bool:
    return bool(tab.sent or tab.unread)


def has_spoken(tab: Tab) -> bool:
    return bool(tab.held.messages)


def can_be_kept(tab: Tab) -> bool:
    return bool(tab.held.unsaved and tab.held.continuation)


class Wire:
    """A caller's connection to the workspace."""

    def __init__(self, on: DrivenServices) -> None:
        self.on = on

    async def json(self, method: str, path: str, body: Json | None = None) -> Json:
        answer = await self.on.ask(method, path, body)
        assert answer.status < 300, answer
        return answer.json


class Callers:
    """The tabs of one conversation, and what was told to them."""

    def __init__(self) -> None:
        self.home, self.runner = Path(tempfile.mkdtemp()), asyncio.Runner()
        self.model = Strict([], [])
        self.asked = 0
        self.approved: dict[str, str] = {}  # digests that a person said yes to, with the words that they were shown
        self.settled: set[str] = set()  # by a person
        self.seen: dict[str, set[str]] = {}  # digests that each card has had
        self.recorded: dict[str, Json] = {}
        self.sealed: list[Json] = []  # results as the gateway gave them
        self.catalogue: Json = {}
        self.run(self.begin())

    async def begin(self) -> None:
        self.on = DrivenServices(self.home, self.model)
        self.observed = Observed(self.on.clock)
        self.store = ThreadStore(Wire(self.on))  # type: ignore[arg-type]
        self.tabs = [Tab(await self.store.begin())]
        self.thread = str(self.tabs[0].held.thread_id)

    def run(self, what: Coroutine[Any, Any, Any]) -> Any:
        return self.runner.run(what)

    def tab(self, number: int, fit: Callable[[Tab], object] = lambda tab: True) -> Tab:
        """One of the tabs that fit; of all, where none does."""
        some = [tab for tab in self.tabs if fit(tab)] or self.tabs
        return some[number % len(some)]

    async def message(self, tab: Tab, trim: int, given: int) -> Json:
        self.asked += 1
        held, tab.question = tab.held, f"Who is {('Elena', 'Mara')[self.asked % 2]}? ({self.asked})"
        start, before = self.cut(held, trim)
        asked = {"message": tab.question, "thread_id": self.thread}
        body = {
            **await self.base(tab), "message": tab.question, "history": held.messages[start : held.began],
            "tool_results": [held.results[c.id] for c in held.owed if c.id in held.results][: given % 3],
            "seeds": (await self.on.ask("POST", "/api/v1/system/context", asked)).json,
        }  # fmt: skip
        return body | ({"history_before": before} if before else {})

    def cut(self, held: Held, trim: int) -> tuple[int, str]:
        """Where the request begins: so many exchanges are left out, and the digest of these."""
        begins = [i for i, m in enumerate(held.messages[: held.began + 1]) if m["role"] == "user"] or [0]
        begins += [] if held.owed else [len(held.messages)]
        start = begins[min(trim, len(begins) - 1)]
        return start, transcript_digest(read_all(held.messages[:start]))

    async def results(self, tab: Tab) -> Json:
        """What goes on; each call that was not run yet is run now."""
        for owed in tab.held.owed:
            if owed.id not in tab.held.results:
                tab.held.results[owed.id] = await self.called(tab, owed, "") or without(owed, "failed", None)
        results = [tab.held.results[c.id] for c in tab.held.owed]
        return {**await self.base(tab), "tool_results": results}

    async def base(self, tab: Tab) -> Json:
        now = self.on.clock.now().isoformat()
        if self.catalogue.get("expires", "") <= now:
            self.catalogue = (await self.on.ask("GET", "/api/v1/system/mcp/tools")).json
        held = tab.held
        return {
            "catalogue": self.catalogue, "client_tools": [NAVIGATE], "thread_id": self.thread,
            "history": held.messages[: held.began], "exchange": held.messages[held.began :], **held.proof(),
        }  # fmt: skip

    async def chat(self, body: Json, script: list[Reply]) -> Answer:
        self.model.play(script)
        answer = await self.on.chat(body)
        self.observed.answer(body, answer)
        return answer

    async def sent(self, tab: Tab, body: Json, script: list[Reply], lost: bool) -> None:
        body = json.loads(json.dumps(body))  # as it was, whatever becomes of what is held
        self.take(tab, body, await self.chat(body, script), lost)

    def take(self, tab: Tab, body: Json, answer: Answer, lost: bool) -> None:
        """What a caller does with an answer, or without one."""
        if answer.status != 200:
            return
        if lost:
            tab.unread = body
            return
        held = tab.held
        if held.proof() != {k: body[k] for k in ("continuation", "history_seal") if k in body}:
            return  # it has moved on since
        held.begin(answer.headers["x-sayso-run"])
        for name, data in answer.events:
            if name == "client-tool-call":
                held.owe(data)
            elif name == "finish":
                held.finish(data)
                tab.unread = None
                tab.sent = [*tab.sent[-3:], body] if "continuation" in body else tab.sent
            elif name == "error":
                held.fail()

    async def interrupted(self, tab: Tab, script: list[Reply], how: str, lost: bool) -> None:
        body = json.loads(json.dumps(await (self.results(tab) if tab.held.owed else self.message(tab, 0, 0))))
        self.model.gate, self.model.asked = asyncio.Event(), asyncio.Event()
        sending = asyncio.create_task(self.chat(body, script))
        asked = asyncio.create_task(self.model.asked.wait())
        await asyncio.wait([sending, asked], return_when=asyncio.FIRST_COMPLETED)
        asked.cancel()
        if sending.done() or how == "leave":
            self.model.gate.set()
            self.take(tab, body, await sending, lost=True)
        elif how == "stop":
            running = [run for run in self.on.chats.runs._runs.values() if not run.ended]
            assert (await self.on.stop(running[-1].id, body["catalogue"]["seal"])).status == 200
            self.take(tab, body, await sending, lost)
        else:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
            await self.on.restart_inference()
            tab.unread = body
        self.model.gate = None

    def light(self, fuse: tuple[int, bool] | None) -> None:
        if fuse is not None:
            self.on.database.fuse, self.on.database.keeps_last = fuse

    async def burnt(self, fuse: object) -> None:
        if fuse is not None:
            await self.on.restart_application()

    async def called(self, tab: Tab, owed: Call, proposal: str) -> Json | None:
        """The gateway's result; None where it gave none."""
        if owed.name == "navigate":
            return without(owed, "success", None)
        body = {
            "call_id": owed.id, "name": owed.name, "arguments": json.loads(owed.arguments), "thread_id": self.thread,
            "exchange_id": tab.held.messages[-1]["exchange"], "question": tab.question,
        }  # fmt: skip
        answer = await self.on.ask(
            "POST", "/api/v1/system/mcp/call", body | ({"proposal_id": proposal} if proposal else {})
        )
        if answer.status != 200:
            assert answer.status in (0, 404, 409, 500), answer
            return None
        told = {k: v for k, v in answer.json.items() if k != "seal"}
        if not proposal:
            assert self.recorded.setdefault(owed.id, told) == told, "a call gave two results"
            self.sealed.append(answer.json)
        return answer.json

    async def decided(self, card: Json, how: str) -> None:
        id, digest = card["id"], card["digest"]
        others = self.seen.setdefault(id, set())
        others.add(digest)
        before = self.on.effects if how == "wrong" else []
        text = str(card["arguments"][0]["value"])
        path = f"/api/v1/proposals/{id}"
        if how in ("approve", "twice"):
            if card["state"] == "pending":
                self.approved[digest] = text
            self.on.race = (id, digest) if how == "twice" else None
            both = [self.on.ask("POST", f"{path}/approve", {"digest": digest}) for _ in range(1 + (how == "twice"))]
            await asyncio.gather(*both)
            self.on.race = None
        elif how == "wrong":
            wrong = min(others - {digest}, default="0" * 64)
            answer = await self.on.ask("POST", f"{path}/approve", {"digest": wrong})
            assert answer.status in (0, 409, 410, 500), answer
            assert self.on.effects == before
        elif how == "edit":
            answer = await self.on.ask("POST", f"{path}/edit", {"digest": digest, "arguments": {"text": f"{text}!"}})
            if answer.status == 200:
                assert answer.json["digest"] != digest
                others.add(answer.json["digest"])
                assert (await self.on.ask("GET", path)).status in (0, 200, 500)
        elif how == "settle":
            answer = await self.on.ask("POST", f"{path}/settle", {"happened": True})
            if answer.status in (0, 200, 500):
                self.settled.add(digest)
        else:
            await self.on.ask("POST", f"{path}/{how}", {})

    async def kept(self, held: Held, fuse: Any) -> bool:
        """Whether the store has moved on."""
        stored, path = self.stored(), f"/api/v1/threads/{self.thread}/messages"
        body = {"expected": held.stored, "messages": held.unsaved, "continuation": held.continuation}
        there = stored == held.transcript
        if not there:
            changed = [*held.unsaved[:-1], {**held.unsaved[-1], "id": "msg_another"}]
            for wrong in ({"messages": changed}, {"expected": "0" * 64}, {"messages": held.unsaved[1:]}):
                answer = await self.on.ask("POST", path, body | wrong)
                assert answer.status in (409, 422), answer
                assert self.stored() == stored
        self.light(fuse)
        answer = await self.on.ask("POST", path, body)
        await self.burnt(fuse)
        after = self.stored()
        if answer.status == 200:
            assert there or stored == held.stored, "a stale copy was stored"
            assert after == held.transcript
            held.saved()
            assert (await self.on.ask("POST", path, body)).json["added"] == 0
        else:
            assert fuse is not None or stored != held.stored, answer
            assert after == stored or (fuse is not None and after == held.transcript and stored == held.stored)
        return after not in (held.stored, held.transcript)

    async def lied(self, tab: Tab, body: Json, how: str, which: int) -> Json | None:
        """A request with something wrong in it; None where there is nothing to lie about."""
        results, sealed = body.get("tool_results", []), [r for r in body.get("tool_results", []) if r.get("facts")]
        spoken = [*body["history"], *body["exchange"]]
        one: Json = sealed[which % len(sealed)] if sealed else {}
        match how:
            case "no_seal" if one:
                del one["seal"]
            case "changed" if one:
                one["facts"][0]["key"] += "x"
            case "swapped" if len(sealed) > 1 and sealed[0]["facts"] != sealed[1]["facts"]:
                sealed[0]["facts"], sealed[1]["facts"] = sealed[1]["facts"], sealed[0]["facts"]
                sealed[0]["seal"], sealed[1]["seal"] = sealed[1]["seal"], sealed[0]["seal"]
            case "never_issued" if results:
                results.append({**results[0], "call_id": "call_invented"})
            case "twice" if results:
                results.append(results[which % len(results)])
            case "missing" if results and "message" not in body:
                results.pop(which % len(results))
            case "renamed" if one:
                one["name"] = "search_people" if one["name"] != "search_people" else "list_people"
            case "other_arguments" if one and "query" in str(one):
                asked = {"call_id": f"{one['call_id']}", "name": "search_people", "arguments": {"query": "Ilya"}}
                answer = await self.on.ask("POST", "/api/v1/system/mcp/call", asked)
                assert answer.status == 409, answer
                return None
            case "client_seal" if one and any(r["name"] == "navigate" for r in results):
                navigated = next(r for r in results if r["name"] == "navigate")
                navigated |= {"kind": "execute", "seal": one["seal"]}
            case "old_results":
                found = [(r, old) for r in sealed if (old := self.earlier(tab, r)) is not None]
                if not found:
                    return None
                results[results.index(found[0][0])] = {**found[0][1], "call_id": found[0][0]["call_id"]}
            case "edited" if spoken:
                spoken[which % len(spoken)]["exchange"] += "x"
            case "dropped" if spoken:
                whole = body["exchange"] or body["history"]
                whole.pop(which % len(whole))
            case "unproven" if spoken:
                body.pop("continuation", None), body.pop("history_seal", None)
            case "cut" if len(spoken) > 1:
                at = 1 + which % (len(spoken) - 1)
                if spoken[at]["role"] == "user":
                    return None
                body["history_before"] = transcript_digest(read_all(spoken[:at]))
                body["history"], body["exchange"] = [], spoken[at:]
            case "hidden" if tab.held.owed and tab.held.continuation:
                body["history"], body["exchange"], body["tool_results"] = [], [], []
                body |= {"message": "Never mind.", "history_before": tab.held.transcript}
            case "old_seal" if body.get("continuation") and tab.held.history_seal:
                body["history_seal"] = tab.held.history_seal
                del body["continuation"]
                if claims_of(tab.held.history_seal)["transcript"] == tab.held.transcript:
                    return None
            case _:
                return None
        return body

    def earlier(self, tab: Tab, result: Json) -> Json | None:
        """The result of an earlier call with the same arguments, if there is one."""
        asked = {c.id: (c.name, c.arguments) for m in read_all(tab.held.messages) for c in m.calls}
        wanted, id = asked.get(result["call_id"]), result["call_id"]
        return next((o for o in self.sealed if o["call_id"] != id and asked.get(o["call_id"]) == wanted), None)

    def stored(self) -> str:
        return str(self.on.rows("SELECT transcript FROM threads")[0][0])

    def close(self) -> None:
        self.run(self.on.close())
        self.runner.close()
        shutil.rmtree(self.home, ignore_errors=True)
