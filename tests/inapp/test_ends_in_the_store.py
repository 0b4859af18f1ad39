"""However a run ends, its transcript is whole: stopped, crashed, beside another, after a caller that never came back."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from sayso import config
from sayso.core.events import Answer, Event, Recorded
from sayso.core.facts import RECEIPT
from sayso.core.messages import CallPart, CallStatus, Message, Outcome, Role, StopReason, TextPart, ToolCall
from sayso.core.progress import Limits
from sayso.core.tools import ReadResult, Registry, ToolContext, define_tool
from sayso.core.transcripts import faults, sound
from sayso.errors import StoreBusy
from sayso.inapp.assistant import Assistant
from sayso.inapp.surroundings import LOCAL_USER
from sayso.inapp.wiring import assemble
from sayso.models.scripted import Scripted, call, say
from sayso.serving.runs import Runs
from sayso.store.database import open_database
from sayso.store.ports import Exchange, ExchangeState
from sayso.workspace.workspace import Settings, Workspace
from small_world import EVERYONE

pytestmark = pytest.mark.anyio


class Nothing(BaseModel):
    pass


@dataclass
class Slow:
    """A tool that is at work until somebody lets it go, and knows whether it was stopped."""

    begun: asyncio.Event
    stopped: bool = False

    def tool(self) -> Any:
        async def wait(arguments: Nothing, context: ToolContext) -> ReadResult:
            self.begun.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.stopped = True
                raise
            raise AssertionError

        return replace(EVERYONE, name="slow_read", run=wait, arguments=Nothing)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    database = open_database(f"sqlite:///{tmp_path}/sayso.db")
    yield Workspace(database, defaults=Settings("Europe/Zurich", "en", "monday"))
    database.close()


def assistant(workspace: Workspace, home: Path, *script: Any, tools: tuple[Any, ...] = (EVERYONE,)) -> Assistant:
    settings = config.load({"home": home, "time_zone": "Europe/Zurich"}, {}, home)
    made = assemble(workspace, Scripted(script), settings, reason="test", limits=Limits())
    return replace(made, registry=Registry(tools))


async def whole(on: Assistant, question: str, thread: str | None = None) -> list[Event]:
    return [event async for event in on.ask(question, actor=LOCAL_USER, thread_id=thread)]


async def the_thread(on: Assistant) -> str:
    (thread,) = await on.threads.list(LOCAL_USER.owner)
    return thread.id


async def test_g4_stopping_stops_the_tools_and_each_call_ends_cancelled(workspace: Workspace, tmp_path: Path) -> None:
    slow = Slow(asyncio.Event())
    on = assistant(workspace, tmp_path, call("slow_read"), say("never"), tools=(slow.tool(),))
    runs = Runs()
    run = await runs.start("r", "local", on.ask("Who?", actor=LOCAL_USER))
    await slow.begun.wait()
    runs.stop("r", "local")
    assert run.task is not None
    await asyncio.wait([run.task])
    assert slow.stopped
    thread = await the_thread(on)
    messages = await on.threads.messages("local", thread)
    assert [r.status for m in messages for r in m.results] == [CallStatus.CANCELLED]
    assert faults((*messages, Message("next", Role.USER, (TextPart("And?"),), "e2"))) == ()
    (exchange,) = await on.threads.exchanges("local", thread)
    assert (exchange.state, exchange.reason) == (ExchangeState.FAILED, StopReason.STOPPED)


@pytest.mark.parametrize("after", range(1, 9))
async def test_c1_a_run_that_is_left_at_any_event_is_stored_whole(
    workspace: Workspace, tmp_path: Path, after: int
) -> None:
    on = assistant(workspace, tmp_path, call("list_everyone"), say("There are three people."))
    async with aclosing(on.ask("Who is there?", actor=LOCAL_USER)) as events:
        for _ in range(after):
            await anext(events)
    thread = await the_thread(on)
    messages = await on.threads.messages("local", thread)
    assert faults((*messages, Message("next", Role.USER, (TextPart("And?"),), "e2"))) == ()
    (exchange,) = await on.threads.exchanges("local", thread)
    assert exchange.state is not ExchangeState.RUNNING


async def test_b3_b19_a_question_after_a_caller_that_never_came_back_supersedes_its_calls(
    workspace: Workspace, tmp_path: Path
) -> None:
    on = assistant(workspace, tmp_path, say("Hello."))
    thread = await on.threads.create("local", "x")
    asked = Message("m1", Role.USER, (TextPart("Who?"),), "e1")
    calls = Message("m2", Role.ASSISTANT, (CallPart(ToolCall("c1", "list_everyone", "{}")),), "e1")
    now = datetime.now(UTC)
    waits = Exchange("e1", thread.id, "Who?", ExchangeState.WAITING, "m", now, now, Outcome.WAITING)
    await on.threads.extend("local", thread.id, [asked, calls], [waits], expected="")
    events = await whole(on, "Hello", thread.id)
    assert any(isinstance(event, Answer) for event in events)
    messages = await on.threads.messages("local", thread.id)
    assert [(r.call_id, r.status) for m in messages for r in m.results] == [("c1", CallStatus.SUPERSEDED)]
    assert sound(messages) == messages
    first, second = await on.threads.exchanges("local", thread.id)
    assert (first.state, second.state) == (ExchangeState.FINISHED, ExchangeState.FINISHED)


async def test_e8_two_questions_at_once_in_one_thread_share_no_ref(workspace: Workspace, tmp_path: Path) -> None:
    on = assistant(workspace, tmp_path, *[call("list_everyone"), say("Three.")] * 2)
    await whole(assistant(workspace, tmp_path, say("Hello.")), "Hello")
    thread = await the_thread(on)
    models = [Scripted((call("list_everyone"), say("There are three people."))) for _ in range(3)]
    both = [replace(on, model=model) for model in models]
    await asyncio.gather(*(whole(one, "Who is there?", thread) for one in both))
    messages = await on.threads.messages("local", thread)
    assert {fault.kind.value for fault in faults(messages)} <= {"split_exchange"}
    refs = [n.ref for m in messages for n in m.numbered]
    assert len(set(refs)) == len(refs)


@dataclass
class Receipts:
    """One receipt, told again until it is marked as told."""

    delivered: tuple[Any, ...] = ()
    broken: bool = False

    async def receipts_for(self, owner: str, thread_id: str) -> tuple[Any, ...]:
        values = {"title": "Remind", "outcome": "done", "proposal_id": "prop_1"}
        at = datetime(2026, 12, 1, tzinfo=UTC)
        return () if self.delivered else (RECEIPT.fact(values, source="gateway", key="prop_1", as_of=at),)

    async def mark_delivered(self, owner: str, receipts: Any) -> None:
        if self.broken:
            raise StoreBusy("the disk is gone")
        self.delivered = tuple(fact.key for fact in receipts)


class Learned:
    async def facts(self, owner: str, proposal_id: str) -> tuple[Any, ...]:
        return ()


async def opened_with(on: Assistant, thread: str) -> list[list[str]]:
    """The kinds of the facts that each exchange opened with."""
    opening = [m for m in await on.threads.messages("local", thread) if m.role is Role.USER]
    return [[n.fact.kind.name for n in m.facts] for m in opening]


async def test_a_receipt_is_not_lost_with_the_run_that_was_to_tell_it(workspace: Workspace, tmp_path: Path) -> None:
    class NoDisk:
        """A store that cannot write messages any more."""

        def __init__(self, real: Any) -> None:
            self._real = real

        def __getattr__(self, name: str) -> Any:
            return getattr(self._real, name)

        async def append(self, *_: Any) -> None:
            raise ConnectionError("the disk is gone")

    receipts = Receipts()
    on = assistant(workspace, tmp_path, say("Hello."), say("Hello again."))
    on = replace(on, proposals=receipts, gateway=Learned())  # type: ignore[arg-type]
    with pytest.raises(ConnectionError):
        await whole(replace(on, threads=NoDisk(on.threads)), "Hello")  # type: ignore[arg-type]
    thread = await the_thread(on)
    assert (await on.threads.exchanges("local", thread))[0].state is ExchangeState.FAILED
    assert receipts.delivered == ()
    await whole(on, "Hello", thread)
    assert receipts.delivered == ("prop_1",)
    assert "receipt" in {n.fact.kind.name for m in await on.threads.messages("local", thread) for n in m.facts}


async def test_a_receipt_comes_again_after_a_run_that_ended_between_its_opening_and_its_answer(
    workspace: Workspace, tmp_path: Path
) -> None:
    receipts = Receipts()
    on = assistant(workspace, tmp_path, say("Hello."), say("Hello again."))
    on = replace(on, proposals=receipts, gateway=Learned())  # type: ignore[arg-type]
    async with aclosing(on.ask("Hello", actor=LOCAL_USER)) as stopped:
        async for event in stopped:
            if isinstance(event, Recorded):
                break
    thread = await the_thread(on)
    assert (await opened_with(on, thread), receipts.delivered) == ([["receipt"]], ())
    await whole(on, "Hello", thread)
    assert (await opened_with(on, thread), receipts.delivered) == ([["receipt"], ["receipt"]], ("prop_1",))


async def test_a_receipt_is_told_once_even_if_that_cannot_be_written_down(workspace: Workspace, tmp_path: Path) -> None:
    receipts = Receipts(broken=True)
    on = assistant(workspace, tmp_path, say("Hello."), say("Hello again."))
    on = replace(on, proposals=receipts, gateway=Learned())  # type: ignore[arg-type]
    await whole(on, "Hello")
    thread = await the_thread(on)
    await whole(on, "Hello", thread)
    assert (await opened_with(on, thread), receipts.delivered) == ([["receipt"], []], ())


async def test_t2_a_tool_that_blocks_holds_up_no_heartbeat_no_other_question_and_not_its_own_stop(
    workspace: Workspace, tmp_path: Path
) -> None:
    begun, release = threading.Event(), threading.Event()

    def blocks(arguments: Nothing, context: ToolContext) -> ReadResult:
        begun.set()
        while not release.is_set():  # it computes, and never lets go by itself
            sum(range(1000))
        return ReadResult((), 0, 0)

    stuck = define_tool(
        "stuck_read", kind="read", description="d", arguments=Nothing, run=blocks, example={}, covers=EVERYONE.covers
    )
    on = assistant(workspace, tmp_path, call("stuck_read"), say("Hello! How can I help?"), tools=(stuck,))
    runs = Runs(keep_alive=0.01)
    try:
        slow = await runs.start("slow", "local", on.ask("Who?", actor=LOCAL_USER))
        reader = runs.read(slow)
        beats = 0
        while not begun.is_set() or beats < 3:
            beats += (await anext(reader)).startswith(b":")
        other = await runs.start("other", "local", on.ask("Hello", actor=LOCAL_USER))
        assert b"finish" in [frame async for frame in runs.read(other)][-1]
        assert not slow.ended
        runs.stop("slow", "local")
        assert b'"reason": "stopped"' in [frame async for frame in reader][-1]
        await runs.close()
        assert not release.is_set()
    finally:
        release.set()
    stopped = next(t for t in await on.threads.list("local") if t.title == "Who?")
    assert [r.status for m in await on.threads.messages("local", stopped.id) for r in m.results] == [
        CallStatus.CANCELLED
    ]
