"""Whatever happens in whatever order: what providers are sent is valid, calls end once, writes happen once and approved.

Questions, results, decisions, callers that go on or not, stopped runs, processes that die at any write, and restarts.
Each request that the loop makes is shown to the strict provider of every protocol.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import aclosing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from sayso import config
from sayso.core.encoding import transcript_digest
from sayso.core.evidence import Numbered
from sayso.core.messages import CallPart, CallStatus, Message, Outcome, ResultPart, Role, TextPart, ToolCall, ToolResult
from sayso.core.progress import Limits
from sayso.core.proposals import ProposalState
from sayso.core.transcripts import FaultKind, faults, sound
from sayso.errors import Conflict, SaysoError, StoreBusy
from sayso.inapp.assistant import Assistant
from sayso.inapp.surroundings import LOCAL_USER
from sayso.inapp.wiring import assemble
from sayso.models.scripted import Reply, call, calls, cut, empty, say
from sayso.store.database import open_database
from sayso.store.holding import LEASE
from sayso.store.ports import Exchange, ExchangeState
from sayso.workspace.records import PersonRecord
from sayso.workspace.workspace import Settings, Workspace
from small_world import ELENA, ILYA, MARA
from strict_providers import Mortal, Strict

EXAMPLES = int(os.environ.get("SAYSO_INVARIANT_EXAMPLES", "8"))


MEETINGS = st.integers(0, 2).map(
    lambda n: call("propose_action", type="event", person="Elena", title=f"Lunch {n}", due="2099-07-01 12:30")
)
READS = st.sampled_from(
    [call("search_people", query="Elena"), call("search_people", query="Nobody"), call("find_nothing", x=1),
     call("search_people", wrong=1)]
)  # fmt: skip
REPLIES = st.one_of(
    st.sampled_from([say("Elena Weber is a person [F1]."), say("It was done."), cut("Elena is"), empty()]),
    READS, MEETINGS, st.lists(st.one_of(READS, MEETINGS), min_size=2, max_size=5).map(lambda some: calls(*some)),
)  # fmt: skip
SCRIPTS = st.lists(REPLIES, max_size=4)


class Threads_(RuleBasedStateMachine):
    @initialize()
    def begin(self) -> None:
        self.home = Path(tempfile.mkdtemp())
        self.runner = asyncio.Runner()
        self.refusals: list[str] = []
        self.approved: set[str] = set()
        self.asked = 0
        self.doubled = 0  # results that were put into the store a second time
        self.thread = ""
        self.url = f"sqlite:///{self.home}/sayso.db"
        open_database(self.url).close()
        self._open()
        self.workspace.upsert("local", (PersonRecord("Elena Weber"),), datetime.now(UTC))
        self.thread = self.run(self.on([]).threads.create("local", "x")).id

    def _open(self) -> None:
        self.database = Mortal(self.url)
        self.workspace = Workspace(self.database, defaults=Settings("Europe/Zurich", "en", "monday"))

    def run(self, what: Any) -> Any:
        return self.runner.run(what)

    def on(self, script: list[Reply]) -> Assistant:
        chosen = config.load({"home": self.home, "time_zone": "Europe/Zurich"}, {}, self.home)
        model: Any = Strict(script, self.refusals)
        return assemble(self.workspace, model, chosen, reason="test", limits=Limits(steps=3))

    def _restarted(self) -> None:
        self.database.fuse = None
        self.database.close()
        self._open()
        on = self.on([])
        self.run(on.threads.recover(datetime.now(UTC) + LEASE))
        self.run(on.gateway.recover(datetime.now(UTC) + 2 * LEASE))

    @rule(script=SCRIPTS, leave=st.one_of(st.none(), st.integers(0, 12)))
    def ask(self, script: list[Reply], leave: int | None) -> None:
        async def asking() -> None:
            self.asked += 1
            question = f"Is Elena there? ({self.asked})"
            async with aclosing(on.ask(question, actor=LOCAL_USER, thread_id=self.thread)) as events:
                seen = 0
                async for _ in events:
                    seen += 1
                    if leave is not None and seen > leave:
                        return

        on = self.on(script)
        self.run(asking())
        stored = self.run(on.threads.messages("local", self.thread))
        assert FaultKind.OPEN_CALL not in {fault.kind for fault in faults(stored)}

    @rule(script=SCRIPTS, after=st.integers(0, 40))
    def stop(self, script: list[Reply], after: int) -> None:
        """A run that is cancelled wherever it is, as the stop button does."""

        async def stopped() -> None:
            async def asking() -> None:
                async for _ in on.ask("Who is Elena?", actor=LOCAL_USER, thread_id=self.thread):
                    pass

            task = asyncio.create_task(asking())
            for _ in range(after):
                await asyncio.sleep(0.0005)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

        on = self.on(script)
        self.run(stopped())

    @rule(script=SCRIPTS, writes=st.integers(1, 14), keeps=st.booleans())
    def die(self, script: list[Reply], writes: int, keeps: bool) -> None:
        async def dying() -> None:
            async for _ in on.ask("Who is Elena?", actor=LOCAL_USER, thread_id=self.thread):
                pass

        on = self.on(script)
        self.database.fuse, self.database.keeps_last = writes, keeps
        try:
            self.run(dying())
        except (RuntimeError, SaysoError):
            pass
        self._restarted()

    @rule()
    def restart(self) -> None:
        self._restarted()

    @rule(
        number=st.integers(0, 3), yes=st.booleans(), writes=st.one_of(st.none(), st.integers(1, 6)), keeps=st.booleans()
    )
    def decide(self, number: int, yes: bool, writes: int | None, keeps: bool) -> None:
        on = self.on([])
        pending = self.run(on.proposals.list("local", [ProposalState.PENDING]))
        if not pending:
            return
        chosen = pending[number % len(pending)]
        if yes:
            self.approved.add(chosen.id)
        self.database.fuse, self.database.keeps_last = writes, keeps
        try:
            act = (
                on.gateway.approve(chosen.id, chosen.digest, LOCAL_USER)
                if yes
                else on.gateway.deny(chosen.id, LOCAL_USER)
            )
            self.run(act)
        except (RuntimeError, Conflict, StoreBusy):
            pass
        if writes is not None:
            self._restarted()

    @rule(answers=st.integers(0, 2), orphan=st.booleans(), doubled=st.booleans())
    def caller(self, answers: int, orphan: bool, doubled: bool) -> None:
        """What a caller ran is taken in, perhaps never to go on; and a store that was damaged."""

        async def extend() -> None:
            thread = await on.threads.get("local", self.thread)
            name, now = f"c{self.asked}", datetime.now(UTC)
            made = [Message(f"m{name}a", Role.USER, (TextPart("Who is there?"),), name)]
            parts = tuple(CallPart(ToolCall(f"{name}.{n}", "search_people", "{}")) for n in range(2))
            made.append(Message(f"m{name}b", Role.ASSISTANT, parts, name))
            for number in range(answers):
                fact = Numbered(f"F{thread.next_ref + number}", (ELENA, ILYA, MARA)[number])
                result = ResultPart(ToolResult(f"{name}.{number}", CallStatus.SUCCESS, (fact,)))
                made.append(Message(f"m{name}r{number}", Role.TOOL, (result,) * (2 if doubled else 1), name))
            if orphan:
                gone = ResultPart(ToolResult(f"{name}.gone", CallStatus.SUCCESS))
                made.append(Message(f"m{name}o", Role.TOOL, (gone,), name))
            row = Exchange(
                name, thread.id, "Who is there?", ExchangeState.WAITING, "m", now, now, Outcome.WAITING
            )  # fmt: skip
            await on.threads.extend("local", thread.id, made, [row], expected=thread.transcript)

        on = self.on([])
        self.asked += 1
        self.doubled += answers * doubled
        self.run(extend())

    @precondition(lambda self: bool(self.thread))
    @invariant()
    def every_provider_takes_every_request(self) -> None:
        assert self.refusals == []

    @precondition(lambda self: bool(self.thread))
    @invariant()
    def the_transcript_is_sound(self) -> None:
        on = self.on([])
        messages = self.run(on.threads.messages("local", self.thread))
        twice = [fault for fault in faults(messages) if fault.kind is FaultKind.DOUBLE_RESULT]
        assert len(twice) <= self.doubled, twice
        view = sound(messages)
        assert {fault.kind for fault in faults(view)} <= {FaultKind.NO_QUESTION}
        results = [result.call_id for message in view for result in message.results]
        asked = [one.id for message in view for one in message.calls]
        assert sorted(results) == sorted(asked)
        refs: dict[str, Any] = {}
        for numbered in (n for message in messages for n in message.numbered):
            first = refs.setdefault(numbered.ref, numbered.fact)
            assert first.identity == numbered.fact.identity
        thread = self.run(on.threads.get("local", self.thread))
        assert thread.transcript == transcript_digest(messages)
        assert thread.next_ref > max((int(ref[1:]) for ref in refs), default=0)
        states = [exchange.state for exchange in self.run(on.threads.exchanges("local", self.thread))]
        assert ExchangeState.RUNNING not in states

    @precondition(lambda self: bool(self.thread))
    @invariant()
    def nothing_happened_twice_or_without_a_say_so(self) -> None:
        made = self.database.read(
            lambda c: c.exec_driver_sql("SELECT title FROM records WHERE kind = 'event'").scalars().all()
        )
        every = self.run(self.on([]).proposals.list("local"))
        for title in set(made):
            may = [p for p in every if p.id in self.approved and json.loads(p.canonical)["arguments"]["title"] == title]
            assert len([one for one in made if one == title]) <= len(may), title
        assert not {p.state for p in every} & {ProposalState.APPROVED, ProposalState.EXECUTING}, "a decision was lost"
        done = [p for p in every if p.state is ProposalState.DONE]
        assert len(done) == len(made)
        assert {p.id for p in done} <= self.approved

    def teardown(self) -> None:
        if hasattr(self, "database"):
            self.database.fuse = None
            self.database.close()
            self.runner.close()
            shutil.rmtree(self.home, ignore_errors=True)


MEETING = call("propose_action", type="event", person="Elena", title="Lunch", due="2099-07-01 12:30")
SEEN = [calls(call("search_people", query="Elena"), call("find_nothing", x=1)), say("Elena Weber is a person [F1].")]


def approvals(on: Threads_) -> Iterator[None]:
    """The process dies at each write of an approval."""
    for writes in (None, 1, 2, 3, 4):
        for keeps in (False, True):
            yield on.ask([MEETING], None)
            yield on.decide(0, True, writes, keeps)
            yield on.restart()
    assert on.database.read(lambda c: c.exec_driver_sql("SELECT count(*) FROM records WHERE kind = 'event'").scalar())


def deaths(on: Threads_) -> Iterator[None]:
    """It dies at each write of an exchange, and is asked again."""
    for writes in range(1, 13):
        yield on.die(SEEN, writes, writes % 2 == 0)
        yield on.ask(SEEN, None)


def callers(on: Threads_) -> Iterator[None]:
    """What callers left open is closed; what was damaged in the store is told around."""
    for answers in (0, 1, 2):
        for orphan, doubled in ((False, False), (True, False), (False, True)):
            yield on.caller(answers, orphan, doubled)
            yield on.ask(SEEN, None)


@pytest.mark.parametrize("walk", [approvals, deaths, callers])
def test_everything_holds_at(walk: Callable[[Threads_], Iterator[None]]) -> None:
    machine = Threads_()
    try:
        machine.begin()
        for _ in walk(machine):
            machine.every_provider_takes_every_request()
            machine.the_transcript_is_sound()
            machine.nothing_happened_twice_or_without_a_say_so()
    finally:
        machine.teardown()


class TestTranscripts(Threads_.TestCase):
    settings = settings(
        max_examples=EXAMPLES, stateful_step_count=12, deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )  # fmt: skip
