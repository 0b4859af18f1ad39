"""Whatever callers do in whatever order, through the services as they are served: requests that every provider takes,
one terminal result a call, refs that keep their meaning, writes that happen once and as approved, threads as proven.

Several tabs hold one conversation: they ask, run calls at the gateway, decide on cards, resubmit (also twice, late, or
after an answer was lost), store, reload, lie; and each service dies at any write and comes back.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from driven_callers import LIES, Callers, Tab, can_be_kept, has_sent, has_spoken, owes
from driven_checks import claims_of, read_all
from driven_services import PERSON_HERE
from sayso.caller.held import read_held
from sayso.caller.running import pending_proposal, without
from sayso.core.encoding import transcript_digest
from sayso.core.transcripts import faults
from sayso.models.scripted import Reply, call, calls, cut, empty, say
from sealed_world import Json

EXAMPLES = int(os.environ.get("SAYSO_INVARIANT_EXAMPLES", "8"))
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
SCRIPTS = st.lists(st.one_of(CALLS, SAID), max_size=3)
SOME = st.integers(0, 5)
FUSE = st.one_of(st.none(), st.tuples(st.integers(1, 4), st.booleans()))
DECISIONS = ("approve", "approve", "approve", "twice", "wrong", "deny", "supersede", "edit", "settle")

WEIGHTS: Mapping[str, int] = {
    "say_something": 4, "ask_for_writes": 4, "go_on": 4, "run_a_call": 2, "run_with_other_arguments": 1, "decide": 4,
    "keep": 3, "reload": 2, "open_a_tab": 1, "lie": 2, "send_again": 1, "use_twice": 1, "interrupt": 2,
    "ask_the_assistant_inside": 1, "time_passes": 1, "restart": 1,
}  # fmt: skip
ACTIONS = [name for name, weight in WEIGHTS.items() for _ in range(weight)]
NEEDS: Mapping[str, Callable[[Tab], bool]] = {
    "go_on": owes, "run_a_call": owes, "run_with_other_arguments": owes, "keep": can_be_kept, "reload": has_spoken,
    "open_a_tab": has_spoken, "lie": has_spoken, "send_again": has_sent, "use_twice": lambda tab: bool(tab.sent),
    "time_passes": has_spoken, "restart": has_spoken,
}  # fmt: skip
"""What one of the tabs must be like for an action to mean anything; otherwise something is said."""


@dataclass(frozen=True)
class Step:
    """What is done next, and how. One rule draws all of it, so that the weights hold."""

    action: str
    number: int
    which: int
    script: list[Reply]
    wanted: Reply
    trim: int
    given: int
    lost: bool
    decided: bool
    recovers: bool
    several: bool
    how: str
    hows: list[tuple[str, Any]]
    fuse: Any
    leave: int | None
    minutes: int


STEPS = st.builds(
    Step, action=st.sampled_from(ACTIONS), number=SOME, which=SOME, script=SCRIPTS,
    wanted=st.lists(WRITES, min_size=1, max_size=3).map(lambda some: calls(*some)),
    trim=st.sampled_from([0, 1, 9]), given=SOME, lost=st.sampled_from([False, False, True]), decided=st.booleans(),
    recovers=st.booleans(),    several=st.booleans(), how=st.sampled_from(["stop", "crash", "leave"]),
    hows=st.lists(st.tuples(st.sampled_from(DECISIONS), FUSE), min_size=1, max_size=4), fuse=FUSE,
    leave=st.one_of(st.none(), st.integers(0, 8)), minutes=st.sampled_from([1, 17, 17, 70, 8 * 24 * 60]),
)  # fmt: skip


class Driven(Callers, RuleBasedStateMachine):
    def __init__(self) -> None:
        RuleBasedStateMachine.__init__(self)
        Callers.__init__(self)
        self.checked: set[str] = set()
        self.probed = ""

    @rule(step=STEPS)
    def act(self, step: Step) -> None:
        if step.recovers:
            self.recover(self.tab(step.number))
        needed = NEEDS.get(step.action)
        meant = needed is None or any(needed(tab) for tab in self.tabs)
        meant = meant and (step.action != "open_a_tab" or len(self.tabs) < TABS)
        getattr(self, step.action if meant else "say_something")(step)

    def recover(self, tab: Tab) -> None:
        """As callers do: a request whose answer was lost is sent again, a stale copy is loaded anew."""
        if tab.unread is not None:
            self.run(self.sent(tab, tab.unread, [], False))
        elif tab.stale:
            tab.held, tab.stale = self.run(self.store.load(self.thread)), False

    def say_something(self, step: Step) -> None:
        """A new message: what still waits is closed by it, but for the results that it brings."""

        async def saying() -> None:
            await self.sent(tab, await self.message(tab, step.trim, step.given), step.script, step.lost)

        tab = self.tab(step.number)
        self.run(saying())

    def ask_for_writes(self, step: Step) -> None:
        """A message of which cards come, at once or as far as a proposal waits already."""

        async def asking() -> None:
            await self.sent(tab, await self.message(tab, 0, 0), [step.wanted], False)
            for owed in tab.held.owed:
                if (result := await self.called(tab, owed, "")) is not None:
                    tab.held.results[owed.id] = result

        tab = self.tab(step.number)
        self.run(asking())

    def go_on(self, step: Step) -> None:
        async def going() -> None:
            await self.sent(tab, await self.results(tab), step.script, step.lost)

        tab = self.tab(step.number, owes)
        self.run(going())

    def send_again(self, step: Step) -> None:
        """The same request again: one whose answer was lost, or one that was used before."""
        tab = self.tab(step.number, has_sent)
        if tab.unread is not None:
            self.run(self.sent(tab, tab.unread, step.script, False))
        else:
            self.run(self.chat(tab.sent[step.which % len(tab.sent)], step.script))

    def use_twice(self, step: Step) -> None:
        """Another request with a continuation that was used."""
        tab = self.tab(step.number, lambda tab: tab.sent)
        kept = {k: v for k, v in tab.sent[step.which % len(tab.sent)].items() if k not in ("tool_results", "seeds")}
        self.run(self.chat({**kept, "message": f"And then? {step.which}"}, step.script))

    def interrupt(self, step: Step) -> None:
        self.run(self.interrupted(self.tab(step.number), step.script, step.how, step.lost))

    def run_a_call(self, step: Step) -> None:
        """At the gateway, perhaps again; of a proposal that was decided, what became of it."""

        async def running() -> None:
            owed = tab.held.owed[step.which % len(tab.held.owed)]
            proposal = pending_proposal(tab.held.results.get(owed.id, {})) if step.decided else ""
            self.light(step.fuse)
            result = await self.called(tab, owed, proposal)
            await self.burnt(step.fuse)
            if result is not None:
                tab.held.results[owed.id] = result

        tab = self.tab(step.number, owes)
        self.run(running())

    def run_with_other_arguments(self, step: Step) -> None:
        """A call that is made with other arguments than the model's: its result is that of another call."""

        async def running() -> None:
            fresh = [c for c in held.owed if c.name == "search_people" and c.id not in self.recorded]
            if not fresh:
                return
            asked = {"call_id": fresh[0].id, "name": "search_people", "arguments": {"query": "Ilya"}}
            answer = await self.on.ask("POST", "/api/v1/system/mcp/call", asked)
            if answer.status != 200:
                return
            self.recorded[fresh[0].id] = {k: v for k, v in answer.json.items() if k != "seal"}
            held.results[fresh[0].id] = answer.json
            assert (await self.chat(await self.results(tab), [])).status >= 400
            held.results[fresh[0].id] = without(fresh[0], "failed", None)

        tab = self.tab(step.number, owes)
        held = tab.held
        self.run(running())

    def decide(self, step: Step) -> None:
        async def deciding(how: str, fuse: Any) -> None:
            cards = (await self.on.ask("GET", "/api/v1/proposals")).json["proposals"]
            cards.sort(key=lambda card: card["id"])
            state = "unknown" if how == "settle" else "pending"
            some = [card for card in cards if card["state"] == state] or cards
            if some:
                self.light(fuse)
                await self.decided(some[step.which % len(some)], how)
                await self.burnt(fuse)

        for how, fuse in step.hows:
            self.run(deciding(how, fuse))

    def keep(self, step: Step) -> None:
        """Store what a tab holds beyond what is stored: only what is proven, and only on top of what is there. With
        `several`, each tab does."""
        some = [tab for tab in self.tabs if can_be_kept(tab)] if step.several else [self.tab(step.number, can_be_kept)]
        for tab in some:
            tab.stale = self.run(self.kept(tab.held, step.fuse))

    def reload(self, step: Step) -> None:
        tab = self.tab(step.number)
        tab.held, tab.unread, tab.stale = self.run(self.store.load(self.thread)), None, False
        claims = claims_of(tab.held.history_seal)
        messages = read_all(tab.held.messages)
        assert tab.held.transcript == claims["transcript"] == transcript_digest(messages)
        assert claims["next_ref"] > max((int(n.ref[1:]) for m in messages for n in m.numbered), default=0)

    def open_a_tab(self, step: Step) -> None:
        """The same conversation in another tab: a copy, as it is now."""
        tab = self.tab(step.number, has_spoken)
        held = read_held(json.loads(json.dumps(tab.held.document)))
        self.tabs.append(Tab(held, tab.unread, list(tab.sent), tab.question))

    def ask_the_assistant_inside(self, step: Step) -> None:
        """A run whose tools are in the application, in the same thread."""

        async def asking() -> None:
            events = self.on.assistant.ask("Is Elena there?", actor=PERSON_HERE, thread_id=self.thread)
            number = 0
            async for _ in events:
                number += 1
                if step.leave is not None and number > step.leave:
                    break
            await events.aclose()
            self.observed.proven.add(self.stored())

        self.model.play(step.script)
        self.run(asking())

    def time_passes(self, step: Step) -> None:
        self.on.later(step.minutes)
        if step.minutes > 24 * 60:
            self.recorded.clear()  # the gateway keeps them for a day

    def restart(self, step: Step) -> None:
        self.run(self.on.restart_application() if step.which % 2 else self.on.restart_inference())

    def lie(self, step: Step) -> None:
        """Requests that are not what was given out: each is refused, and nothing comes of it."""

        async def lying() -> None:
            body = await (self.results(tab) if tab.held.owed else self.message(tab, 0, 0))
            for how in LIES:
                lied = await self.lied(tab, json.loads(json.dumps(body)), how, step.which)
                if lied is not None:
                    answer = await self.chat(lied, [])
                    assert 400 <= answer.status < 500, (how, answer)

        tab = self.tab(step.number, owes)
        self.run(lying())

    # what holds after each step

    @invariant()
    def every_provider_takes_every_request(self) -> None:
        """Also the one that whoever loads the stored thread would make next."""
        if (stored := self.stored()) != self.probed:
            self.probed = stored
            self.run(self._probe())
        assert self.model.refusals == [], self.model.refusals[0]

    async def _probe(self) -> None:
        tab = Tab(await self.store.load(self.thread))
        answer = await self.chat(await self.message(tab, 0, 0), [])
        assert answer.finish is not None, answer

    @invariant()
    def every_copy_is_sound(self) -> None:
        for held in (tab.held for tab in self.tabs):
            if held.transcript not in self.checked:
                self._sound(held.messages, held.transcript)

    @invariant()
    def the_stored_thread_is_one_that_was_proven(self) -> None:
        stored = self.stored()
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
        try:
            self.run(self._last_words())
        finally:
            self.close()

    async def _last_words(self) -> None:
        """Each copy goes on once more, wherever it has come to."""
        for tab in self.tabs:
            if tab.held.owed:
                await self.sent(tab, await self.results(tab), [], False)
            await self.sent(tab, await self.message(tab, 0, 0), [], False)
        assert self.model.refusals == [], self.model.refusals[0]


def step(action: str, **more: Any) -> Step:
    plain = {
        "number": 0, "which": 0, "script": [], "wanted": say(""), "trim": 0, "given": 0, "lost": False, "decided": False,
        "recovers": False, "several": False, "how": "stop", "hows": [], "fuse": None, "leave": None, "minutes": 1,
    }  # fmt: skip
    return Step(action, **{**plain, **more})


ELENA, BOTH = call("search_people", query="Elena"), calls(call("search_people", query="Elena"), call("list_people"))
LETTER, NOTE = call("propose_letter", text="words"), call("propose_note", text="words")
ASK, GO_ON, KEEP = step("say_something", script=[BOTH]), step("go_on", script=[say("Yes.")]), step("keep", several=True)
ANY_WRITE = [(writes, keeps) for writes in range(1, 5) for keeps in (False, True)]
WALKS: Mapping[str, list[Step]] = {
    "the_process_dies_at_each_write_of_an_approval": [
        s for wanted in (LETTER, NOTE) for fuse in ANY_WRITE
        for s in (step("ask_for_writes", wanted=wanted), step("decide", hows=[("approve", fuse), ("settle", None)]))
    ],
    "two_replicas_approve_at_once": [
        s for wanted in (LETTER, NOTE)
        for s in (step("ask_for_writes", wanted=wanted), step("decide", hows=[("edit", None), ("wrong", None)]),
                  step("decide", hows=[("twice", None)]))
    ],
    "the_process_dies_at_each_write_of_a_call": [
        s for fuse in ANY_WRITE
        for s in (step("say_something", script=[LETTER]), step("run_a_call", fuse=fuse), step("run_a_call"), GO_ON)
    ],
    "calls_without_end": [ASK, *[step("go_on", script=[call("search_people", query=f"Mara {n}")]) for n in range(4)]],
    "results_come_too_late": [
        s for asked in (ASK, step("say_something", script=[ELENA]))
        for s in (asked, step("time_passes", minutes=17), step("lie"), GO_ON, step("say_something"))
    ],
    "two_tabs_store": [
        ASK, GO_ON, KEEP, step("open_a_tab"), step("reload"), step("reload", number=1), step("say_something"),
        step("say_something", number=1, script=[ELENA]), KEEP, step("reload", number=1),
        step("say_something", number=1), KEEP,
    ],
    "the_assistant_inside_goes_on": [
        ASK, KEEP, step("ask_the_assistant_inside"), step("reload"), ASK, KEEP, step("ask_the_assistant_inside", leave=2),
    ],
    "a_result_of_before": [ASK, GO_ON, ASK, step("lie"), GO_ON, step("say_something", trim=9), step("use_twice")],
    "other_arguments": [ASK, step("run_with_other_arguments"), GO_ON],
    "a_waiting_thread_is_taken_up": [ASK, KEEP, step("reload"), step("lie"), step("say_something", trim=9), ASK, KEEP],
    "the_answer_is_lost": [
        s for how in ("stop", "crash", "leave")
        for s in (ASK, step("interrupt", how=how, lost=True, script=[say("Yes.")]), step("restart"),
                  step("send_again"), step("use_twice"), KEEP)
    ],
}  # fmt: skip


@pytest.mark.parametrize("walk", WALKS)
def test_everything_holds_when(walk: str) -> None:
    machine = Driven()
    try:
        for step in WALKS[walk]:
            machine.act(step)
            machine.every_provider_takes_every_request()
            machine.every_copy_is_sound()
            machine.the_stored_thread_is_one_that_was_proven()
            machine.nothing_happened_twice_or_without_a_say_so()
    finally:
        machine.teardown()


class TestDriven(Driven.TestCase):
    settings = settings(
        max_examples=EXAMPLES, stateful_step_count=20, deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )  # fmt: skip


class LongDriven(Driven):
    pass


@pytest.mark.long
class TestDrivenLong(LongDriven.TestCase):
    settings = settings(TestDriven.settings, max_examples=10 * EXAMPLES, stateful_step_count=40)
