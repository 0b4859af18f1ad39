"""Whatever callers do in whatever order, through the services as they are served: requests that every provider takes,
one terminal result a call, refs that keep their meaning, writes that happen once and as approved, threads as proven.

Several tabs hold one conversation: they ask, run calls at the gateway, decide on cards, resubmit (also twice, late, or
after an answer was lost), store, reload, lie; and each service dies at any write and comes back.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from driven_checks import Observed, claims_of, read_all
from driven_services import PERSON_HERE, Answer, DrivenServices
from sayso.caller.held import Call, Held, read_held
from sayso.caller.running import pending_proposal, without
from sayso.caller.stored import ThreadStore
from sayso.core.encoding import transcript_digest
from sayso.core.transcripts import faults
from sayso.models.scripted import Reply, call, calls, cut, empty, say
from sealed_world import NAVIGATE, Json
from strict_providers import Strict

EXAMPLES = int(os.environ.get("SAYSO_INVARIANT_EXAMPLES", "10"))
TABS = 3
WRITES = st.tuples(st.sampled_from(["propose_note", "propose_letter"]), st.integers(0, 2)).map(
    lambda made: call(made[0], text=f"words {made[1]}")
)
READS = st.sampled_from([
    call("search_people", query="Elena"), call("search_people", query="Mara"), call("search_people", query="Nobody"),
    call("list_people"), call("find_nothing", x=1), call("search_people", wrong=1), call("navigate", to="/people"),
])  # fmt: skip
CALLS = st.lists(st.one_of(READS, WRITES), min_size=1, max_size=5).map(lambda some: calls(*some))
SAID = st.sampled_from([say("Elena Weber is a person [F1]."), say("It was done."), cut("Elena is"), empty()])
SCRIPTS = st.one_of(st.lists(CALLS, min_size=1, max_size=3), st.lists(st.one_of(CALLS, SAID), max_size=3))
SOME = st.integers(0, 5)
FUSE = st.one_of(st.none(), st.none(), st.tuples(st.integers(1, 5), st.booleans()))
DECISIONS = ("approve", "approve", "approve", "twice", "wrong", "deny", "supersede", "edit", "settle")
LIES = (
    "no_seal", "changed", "swapped", "never_issued", "twice", "missing", "other_arguments", "renamed", "edited",
    "dropped", "unproven", "cut", "old_seal", "client_seal", "old_results",
    "hidden",
)  # fmt: skip


def owes(tab: Tab) -> bool:
    return bool(tab.held.owed)


def has_sent(tab: Tab) -> bool:
    return bool(tab.sent or tab.unread)


def can_be_kept(tab: Tab) -> bool:
    return bool(tab.held.unsaved and tab.held.continuation)


def some_tab(fit: Callable[[Tab], bool]) -> Callable[[Any], bool]:
    """For rules that only say something of such a tab."""
    return lambda machine: any(fit(tab) for tab in getattr(machine, "tabs", ()))


@dataclass
class Tab:
    """One copy of the conversation. `unread` was sent, and its answer never came; `sent` are earlier requests."""

    held: Held
    unread: Json | None = None
    sent: list[Json] = field(default_factory=list[Json])
    question: str = ""


class Wire:
    """A caller's connection to the workspace."""

    def __init__(self, on: DrivenServices) -> None:
        self.on = on

    async def json(self, method: str, path: str, body: Json | None = None) -> Json:
        answer = await self.on.ask(method, path, body)
        assert answer.status < 300, answer
        return answer.json


class Driven(RuleBasedStateMachine):
    @initialize()
    def begin(self) -> None:
        self.home, self.runner = Path(tempfile.mkdtemp()), asyncio.Runner()
        self.model = Strict([], [])
        self.asked = 0
        self.approved: dict[str, str] = {}  # digests that a person said yes to, with the words that they were shown
        self.settled: set[str] = set()  # by a person
        self.seen: dict[str, set[str]] = {}  # digests that each card has had
        self.recorded: dict[str, Json] = {}
        self.catalogue: Json = {}
        self.checked: set[str] = set()
        self.run(self._begin())

    async def _begin(self) -> None:
        self.on = DrivenServices(self.home, self.model)
        self.observed = Observed(self.on.clock)
        self.store = ThreadStore(Wire(self.on))  # type: ignore[arg-type]
        self.tabs = [Tab(await self.store.begin())]
        self.thread = str(self.tabs[0].held.thread_id)
        self.probed = ""

    def run(self, what: Coroutine[Any, Any, Any]) -> Any:
        return self.runner.run(what)

    def tab(self, number: int, fit: Callable[[Tab], object] = lambda tab: True) -> Tab:
        """One of the tabs that fit; of all, where none does."""
        some = [tab for tab in self.tabs if fit(tab)] or self.tabs
        return some[number % len(some)]

    # asking and resubmitting

    @rule(number=SOME, script=SCRIPTS, trim=st.sampled_from([0, 0, 1, 9, 9]), given=SOME, lost=st.booleans())
    def say_something(self, number: int, script: list[Reply], trim: int, given: int, lost: bool) -> None:
        """A new message: what still waits is closed by it, but for the results that it brings."""

        async def saying() -> None:
            await self._sent(tab, await self._message(tab, trim, given), script, lost)

        tab = self.tab(number)
        self.run(saying())

    @rule(number=SOME, wanted=st.lists(WRITES, min_size=1, max_size=3).map(lambda some: calls(*some)))
    def ask_for_writes(self, number: int, wanted: Reply) -> None:
        """A message of which cards come, at once or as far as a proposal waits already."""

        async def asking() -> None:
            await self._sent(tab, await self._message(tab, 0, 0), [wanted], False)
            for owed in tab.held.owed:
                if (result := await self._called(tab, owed, "")) is not None:
                    tab.held.results[owed.id] = result

        tab = self.tab(number)
        self.run(asking())

    @precondition(some_tab(owes))
    @rule(number=SOME, script=SCRIPTS, lost=st.booleans())
    def go_on(self, number: int, script: list[Reply], lost: bool) -> None:
        async def going() -> None:
            await self._sent(tab, await self._results(tab), script, lost)

        tab = self.tab(number, owes)
        self.run(going())

    @precondition(some_tab(has_sent))
    @rule(number=SOME, which=SOME, script=SCRIPTS)
    def send_again(self, number: int, which: int, script: list[Reply]) -> None:
        """The same request again: one whose answer was lost, or one that was used before."""
        tab = self.tab(number, has_sent)
        if tab.unread is not None:
            self.run(self._sent(tab, tab.unread, script, False))
        else:
            self.run(self._chat(tab.sent[which % len(tab.sent)], script))

    @precondition(some_tab(lambda tab: bool(tab.sent)))
    @rule(number=SOME, which=SOME, script=SCRIPTS)
    def use_twice(self, number: int, which: int, script: list[Reply]) -> None:
        """Another request with a continuation that was used."""
        tab = self.tab(number, lambda tab: tab.sent)
        kept = {k: v for k, v in tab.sent[which % len(tab.sent)].items() if k not in ("tool_results", "seeds")}
        self.run(self._chat({**kept, "message": f"And then? {which}"}, script))

    @rule(number=SOME, script=SCRIPTS, how=st.sampled_from(["stop", "crash", "leave"]), lost=st.booleans())
    def interrupt(self, number: int, script: list[Reply], how: str, lost: bool) -> None:
        self.run(self._interrupted(self.tab(number), script, how, lost))

    # what callers do between requests

    @precondition(some_tab(owes))
    @rule(number=SOME, which=SOME, decided=st.booleans(), fuse=FUSE)
    def run_a_call(self, number: int, which: int, decided: bool, fuse: Any) -> None:
        """At the gateway, perhaps again; of a proposal that was decided, what became of it."""

        async def running() -> None:
            owed = tab.held.owed[which % len(tab.held.owed)]
            proposal = pending_proposal(tab.held.results.get(owed.id, {})) if decided else ""
            self._light(fuse)
            result = await self._called(tab, owed, proposal)
            await self._burnt(fuse)
            if result is not None:
                tab.held.results[owed.id] = result

        tab = self.tab(number, owes)
        self.run(running())

    @precondition(lambda self: getattr(self, "recorded", None))
    @rule(which=SOME, fuse=FUSE, how=st.sampled_from(DECISIONS))
    def decide(self, which: int, how: str, fuse: Any) -> None:
        async def deciding() -> None:
            cards = (await self.on.ask("GET", "/api/v1/proposals")).json["proposals"]
            state = "unknown" if how == "settle" else "pending"
            some = [card for card in cards if card["state"] == state] or cards
            if some:
                self._light(fuse)
                await self._decided(some[which % len(some)], how)
                await self._burnt(fuse)

        self.run(deciding())

    @precondition(some_tab(can_be_kept))
    @rule(number=SOME, fuse=FUSE, how=st.sampled_from(["right", "right", "right", "twice", "changed", "ahead"]))
    def keep(self, number: int, fuse: Any, how: str) -> None:
        """Store what a tab holds beyond what is stored: only what is proven, and only on top of what is there."""
        self.run(self._kept(self.tab(number, can_be_kept).held, fuse, how))

    @rule(number=SOME)
    def reload(self, number: int) -> None:
        tab = self.tab(number)
        tab.held, tab.unread = self.run(self.store.load(self.thread)), None
        claims = claims_of(tab.held.history_seal)
        assert tab.held.transcript == claims["transcript"] == transcript_digest(read_all(tab.held.messages))

    @rule(number=SOME)
    def open_a_tab(self, number: int) -> None:
        """The same conversation in another tab: a copy, as it is now."""
        if len(self.tabs) < TABS:
            tab = self.tab(number)
            held = read_held(json.loads(json.dumps(tab.held.document)))
            self.tabs.append(Tab(held, tab.unread, list(tab.sent), tab.question))

    @rule(script=SCRIPTS, leave=st.one_of(st.none(), st.integers(0, 8)))
    def ask_the_assistant_inside(self, script: list[Reply], leave: int | None) -> None:
        """A run whose tools are in the application, in the same thread."""

        async def asking() -> None:
            events = self.on.assistant.ask("Is Elena there?", actor=PERSON_HERE, thread_id=self.thread)
            number = 0
            async for _ in events:
                number += 1
                if leave is not None and number > leave:
                    break
            await events.aclose()
            self.observed.proven.add(self._stored())

        self.model.play(script)
        self.run(asking())

    @rule(minutes=st.sampled_from([1, 16, 16, 70, 8 * 24 * 60]))
    def time_passes(self, minutes: int) -> None:
        self.on.later(minutes)
        if minutes > 24 * 60:
            self.recorded.clear()  # the gateway keeps them for a day

    @rule(which=st.sampled_from(["application", "inference"]))
    def restart(self, which: str) -> None:
        self.run(self.on.restart_application() if which == "application" else self.on.restart_inference())

    @rule(number=SOME, which=SOME)
    def lie(self, number: int, which: int) -> None:
        """Requests that are not what was given out: each is refused, and nothing comes of it."""

        async def lying() -> None:
            body = await (self._results(tab) if tab.held.owed else self._message(tab, 0, 0))
            for how in LIES:
                lied = await self._lied(tab, json.loads(json.dumps(body)), how, which)
                if lied is not None:
                    answer = await self._chat(lied, [])
                    assert 400 <= answer.status < 500, (how, answer)

        tab = self.tab(number, owes)
        self.run(lying())

    # how they do it

    async def _message(self, tab: Tab, trim: int, given: int) -> Json:
        self.asked += 1
        held, tab.question = tab.held, f"Who is {('Elena', 'Mara')[self.asked % 2]}? ({self.asked})"
        cuts = [(0, ""), *(end for end in held.ends if end[0] <= held.began)]
        start, before = cuts[min(trim, len(cuts) - 1)]
        asked = {"message": tab.question, "thread_id": self.thread}
        body = {
            **await self._base(tab), "message": tab.question, "history": held.messages[start : held.began],
            "tool_results": [held.results[c.id] for c in held.owed if c.id in held.results][: given % 3],
            "seeds": (await self.on.ask("POST", "/api/v1/system/context", asked)).json,
        }  # fmt: skip
        return body | ({"history_before": before} if before else {})

    async def _results(self, tab: Tab) -> Json:
        """What goes on; each call that was not run yet is run now."""
        for owed in tab.held.owed:
            if owed.id not in tab.held.results:
                tab.held.results[owed.id] = await self._called(tab, owed, "") or without(owed, "failed", None)
        results = [tab.held.results[c.id] for c in tab.held.owed]
        return {**await self._base(tab), "tool_results": results}

    async def _base(self, tab: Tab) -> Json:
        now = self.on.clock.now().isoformat()
        if self.catalogue.get("expires", "") <= now:
            self.catalogue = (await self.on.ask("GET", "/api/v1/system/mcp/tools")).json
        held = tab.held
        return {
            "catalogue": self.catalogue, "client_tools": [NAVIGATE], "thread_id": self.thread,
            "history": held.messages[: held.began], "exchange": held.messages[held.began :], **held.proof(),
        }  # fmt: skip

    async def _chat(self, body: Json, script: list[Reply]) -> Answer:
        self.model.play(script)
        answer = await self.on.chat(body)
        self.observed.answer(body, answer)
        return answer

    async def _sent(self, tab: Tab, body: Json, script: list[Reply], lost: bool) -> None:
        body = json.loads(json.dumps(body))  # as it was, whatever becomes of what is held
        self._take(tab, body, await self._chat(body, script), lost)

    def _take(self, tab: Tab, body: Json, answer: Answer, lost: bool) -> None:
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

    async def _interrupted(self, tab: Tab, script: list[Reply], how: str, lost: bool) -> None:
        body = json.loads(json.dumps(await (self._results(tab) if tab.held.owed else self._message(tab, 0, 0))))
        self.model.gate, self.model.asked = asyncio.Event(), asyncio.Event()
        sending = asyncio.create_task(self._chat(body, script))
        asked = asyncio.create_task(self.model.asked.wait())
        await asyncio.wait([sending, asked], return_when=asyncio.FIRST_COMPLETED)
        asked.cancel()
        if sending.done() or how == "leave":
            self.model.gate.set()
            self._take(tab, body, await sending, lost=True)
        elif how == "stop":
            running = [run for run in self.on.chats.runs._runs.values() if not run.ended]
            assert (await self.on.stop(running[-1].id, body["catalogue"]["seal"])).status == 200
            self._take(tab, body, await sending, lost)
        else:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
            await self.on.restart_inference()
            tab.unread = body
        self.model.gate = None

    def _light(self, fuse: tuple[int, bool] | None) -> None:
        if fuse is not None:
            self.on.database.fuse, self.on.database.keeps_last = fuse

    async def _burnt(self, fuse: object) -> None:
        if fuse is not None:
            await self.on.restart_application()

    async def _called(self, tab: Tab, owed: Call, proposal: str) -> Json | None:
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
        return answer.json

    async def _decided(self, card: Json, how: str) -> None:
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
            await self.on.ask("POST", f"{path}/edit", {"digest": digest, "arguments": {"text": f"{text}!"}})
        elif how == "settle":
            answer = await self.on.ask("POST", f"{path}/settle", {"happened": True})
            if answer.status in (0, 200, 500):
                self.settled.add(digest)
        else:
            await self.on.ask("POST", f"{path}/{how}", {})

    async def _kept(self, held: Held, fuse: Any, how: str) -> None:
        stored = self._stored()
        there = stored == held.transcript
        body = {"expected": held.stored, "messages": held.unsaved, "continuation": held.continuation}
        if how == "changed":
            body["messages"] = [*held.unsaved[:-1], {**held.unsaved[-1], "exchange": "another"}]
        elif how == "ahead":
            body["expected"] = "0" * 64
        path = f"/api/v1/threads/{self.thread}/messages"
        self._light(fuse)
        answer = await self.on.ask("POST", path, body)
        await self._burnt(fuse)
        after = self._stored()
        if answer.status == 200:
            assert there or (how in ("right", "twice") and stored == held.stored)
            assert after == held.transcript
            held.saved()
        else:
            assert fuse is not None or how in ("changed", "ahead") or stored != held.stored, answer
            assert after == stored or (fuse is not None and after == held.transcript and stored == held.stored)
        if how == "twice" and answer.status == 200:
            assert (await self.on.ask("POST", path, body)).json["added"] == 0

    async def _lied(self, tab: Tab, body: Json, how: str, which: int) -> Json | None:
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
            case "old_results" if results and tab.sent and tab.sent[-1].get("tool_results"):
                old = tab.sent[-1]["tool_results"][0]
                body["tool_results"] = [{**old, "call_id": results[0]["call_id"], "name": results[0]["name"]}]
                if not old.get("facts"):
                    return None
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

    # what holds after each step

    def _stored(self) -> str:
        return str(self.on.rows("SELECT transcript FROM threads")[0][0])

    @precondition(lambda self: hasattr(self, "probed"))
    @invariant()
    def every_provider_takes_every_request(self) -> None:
        """Also the one that whoever loads the stored thread would make next."""
        if (stored := self._stored()) != self.probed:
            self.probed = stored
            self.run(self._probe())
        assert self.model.refusals == []

    async def _probe(self) -> None:
        tab = Tab(await self.store.load(self.thread))
        answer = await self._chat(await self._message(tab, 0, 0), [])
        assert answer.finish is not None, answer

    @precondition(lambda self: hasattr(self, "probed"))
    @invariant()
    def every_copy_is_sound(self) -> None:
        for held in (tab.held for tab in self.tabs):
            if held.transcript not in self.checked:
                self._sound(held.messages, held.transcript)

    @precondition(lambda self: hasattr(self, "probed"))
    @invariant()
    def the_stored_thread_is_one_that_was_proven(self) -> None:
        stored = self._stored()
        assert stored in self.observed.proven
        if stored not in self.checked:
            rows = self.on.rows("SELECT body FROM messages ORDER BY number")
            self._sound([json.loads(row[0]) for row in rows], stored)
        refs = [
            n.ref
            for (body,) in self.on.rows("SELECT body FROM messages")
            for n in read_all([json.loads(body)])[0].numbered
        ]
        assert self.on.rows("SELECT next_ref FROM threads")[0][0] > max((int(ref[1:]) for ref in refs), default=0)

    def _sound(self, documents: list[Json], transcript: str) -> None:
        messages = read_all(documents)
        assert transcript_digest(messages) == transcript
        assert not faults(messages), faults(messages)
        self.checked.add(transcript)

    @precondition(lambda self: hasattr(self, "probed"))
    @invariant()
    def nothing_happened_twice_or_without_a_say_so(self) -> None:
        effects = self.on.effects
        assert max(Counter(digest for digest, _ in effects).values(), default=1) == 1, "a write happened twice"
        assert all(self.approved.get(digest) == words for digest, words in effects), "a write that nobody approved"
        states = {row[0]: row[1] for row in self.on.rows("SELECT digest, state FROM proposals")}
        assert not set(states.values()) & {"approved", "executing"}, "a decision was lost"
        done = {digest for digest, state in states.items() if state == "done"}
        happened = {digest for digest, _ in effects}
        assert done - self.settled <= happened
        assert all(states[digest] in ("done", "unknown") for digest in happened)

    def teardown(self) -> None:
        if hasattr(self, "on"):
            try:
                self.run(self._last_words())
            finally:
                self.run(self.on.close())
                self.runner.close()
                shutil.rmtree(self.home, ignore_errors=True)

    async def _last_words(self) -> None:
        """Each copy goes on once more, wherever it has come to."""
        for tab in self.tabs:
            if tab.held.owed:
                await self._sent(tab, await self._results(tab), [], False)
            await self._sent(tab, await self._message(tab, 0, 0), [], False)
        assert self.model.refusals == []


class TestDriven(Driven.TestCase):
    settings = settings(
        max_examples=EXAMPLES, stateful_step_count=16, deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )  # fmt: skip


class LongDriven(Driven):
    pass


@pytest.mark.long
class TestDrivenLong(LongDriven.TestCase):
    settings = settings(TestDriven.settings, max_examples=10 * EXAMPLES, stateful_step_count=30)
