"""One request read to its end: bounds on a reply, notices, reasoning, and sources of any make."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from sayso.core.deadline import Deadline
from sayso.core.draft import Draft
from sayso.core.events import Event, Status
from sayso.core.evidence import Evidence
from sayso.core.messages import Attempt, Usage
from sayso.core.ports import (
    FinishReason,
    ModelEvent,
    ModelRequest,
    NativeCall,
    Notice,
    Passed,
    ReasoningChunk,
    ReplyEnd,
    TextChunk,
)
from sayso.core.step import MAX_CALLS, MAX_REPLY, Reply, Step
from sayso.core.verify import Setting, Verifier
from sayso.errors import ModelTimeout
from small_world import NOW

pytestmark = pytest.mark.anyio
END = ReplyEnd(FinishReason.STOP, Usage(3, 4))


class Fixed:
    """Gives these events, through an iterator that cannot be closed."""

    name = "fixed"

    def __init__(self, *events: ModelEvent) -> None:
        self.left = list(events)

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        return self

    def __aiter__(self) -> AsyncIterator[ModelEvent]:
        return self

    async def __anext__(self) -> ModelEvent:
        if not self.left:
            raise StopAsyncIteration
        return self.left.pop(0)


async def asked(model: Fixed) -> tuple[list[Event], Reply]:
    draft = Draft(Verifier(Evidence(), Setting(NOW, "en", "hello")), ())
    step = Step(model, ModelRequest("", (), (), False, (), "", NOW, "en", 5.0), draft)
    return [event async for event in step.stream()], step.reply


async def test_a_whole_reply_has_its_text_calls_end_and_usage() -> None:
    found = NativeCall("1", "search_people", "{}")
    events, reply = await asked(Fixed(TextChunk("Hel"), TextChunk("lo"), found, END))
    assert (events, reply) == ([], Reply("Hello", (found,), FinishReason.STOP, Usage(3, 4), "fixed"))
    assert not reply.cut


async def test_reasoning_is_neither_text_nor_an_event() -> None:
    events, reply = await asked(Fixed(ReasoningChunk("TOOL: x"), END))
    assert (events, reply.text, reply.native) == ([], "", ())


async def test_a_notice_is_a_status_and_may_name_another_model() -> None:
    events, reply = await asked(Fixed(Notice("slow"), Notice("another answers", "other"), END))
    assert (events, reply.model) == ([Status("slow"), Status("another answers")], "other")


async def test_of_too_many_native_calls_the_first_are_looked_at() -> None:
    found = [NativeCall(str(i), "list_people", "{}") for i in range(MAX_CALLS + 3)]
    _, reply = await asked(Fixed(*found, END))
    assert reply.native == tuple(found[:MAX_CALLS])
    assert reply.end is FinishReason.STOP


async def test_a_reply_without_bound_is_cut() -> None:
    size = MAX_REPLY // 2 + 1
    model = Fixed(TextChunk(" " * size), TextChunk(" " * size), TextChunk("more"), END)
    _, reply = await asked(model)
    assert MAX_REPLY < len(reply.text) < 2 * size
    assert (reply.end, reply.cut, len(model.left)) == (None, True, 2)


async def test_m11_a_chunk_without_bound_is_cut_within() -> None:
    _, reply = await asked(Fixed(TextChunk(" " * (10 * MAX_REPLY)), END))
    assert MAX_REPLY < len(reply.text) < 1.1 * MAX_REPLY
    assert reply.cut


@pytest.mark.parametrize(("end", "cut"), [(FinishReason.LENGTH, True), (FinishReason.CONTENT_FILTER, False)])
async def test_a_reply_at_its_length_is_cut_and_a_filtered_one_is_not(end: FinishReason, cut: bool) -> None:
    assert (await asked(Fixed(TextChunk("Hello"), ReplyEnd(end))))[1].cut is cut


async def test_a_deadline_that_passed_between_two_events_refuses_the_next() -> None:
    deadline = Deadline(0)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    later = asyncio.get_running_loop().create_future()
    with pytest.raises(TimeoutError):
        await deadline.keep(later)
    deadline.close()


async def test_a_bound_on_one_await_leaves_the_deadline_to_the_next() -> None:
    deadline = Deadline(60)
    with pytest.raises(TimeoutError):
        await deadline.keep(asyncio.get_running_loop().create_future(), within=0.001)
    assert await deadline.keep(asyncio.sleep(0.002, "in time")) == "in time"
    assert await deadline.keep(asyncio.sleep(0.002, "again"), within=30) == "again"
    with pytest.raises(TimeoutError):
        await deadline.keep(asyncio.get_running_loop().create_future(), within=0.001)
    deadline.close()


async def test_a_cancelled_reader_is_cancelled_not_timed_out() -> None:
    deadline = Deadline(60)
    reader = asyncio.ensure_future(deadline.keep(asyncio.get_running_loop().create_future(), within=30))
    await asyncio.sleep(0)
    reader.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reader
    deadline.close()


async def test_a_closed_deadline_never_expires() -> None:
    deadline = Deadline(0)
    deadline.close()
    assert await deadline.keep(asyncio.sleep(0, "in time")) == "in time"


async def test_why_a_model_was_passed_over_is_kept_once_and_told_by_its_notice_alone() -> None:
    gone = Passed(Attempt("first", "model_gone", "first is gone"))
    attempts: list[Attempt] = []
    draft = Draft(Verifier(Evidence(), Setting(NOW, "en", "hello")), ())
    model = Fixed(gone, gone, Notice("", "second"), TextChunk("Hi."), END)
    step = Step(model, ModelRequest("", (), (), False, (), "", NOW, "en", 5.0), draft, attempts)
    events = [event async for event in step.stream()]
    assert (attempts, step.reply.model) == ([gone.attempt], "second")
    assert not any(isinstance(event, Status) for event in events)


async def test_half_a_character_is_replaced_wherever_it_comes_from() -> None:
    half, mark = "a\ud800b", "a\ufffdb"
    passed = Passed(Attempt(half, "model_error", half))
    attempts: list[Attempt] = []
    draft = Draft(Verifier(Evidence(), Setting(NOW, "en", "hello")), ())
    source = Fixed(passed, Notice(half, half), TextChunk(half), TextChunk("\ud83d\ude00"), NativeCall(half, half, half))
    step = Step(source, ModelRequest("", (), (), False, (), "", NOW, "en", 5.0), draft, attempts)
    assert [event async for event in step.stream()] == [Status(mark)]
    assert attempts == [Attempt(mark, "model_error", mark)]
    assert (step.reply.text, step.reply.model) == (f"{mark}\U0001f600", mark)
    assert step.reply.native == (NativeCall(mark, mark, mark),)


async def test_a_model_that_only_thinks_ends_with_the_time_of_its_step() -> None:
    class Thinker(Fixed):
        async def __anext__(self) -> ModelEvent:
            await asyncio.sleep(0.01)
            return ReasoningChunk("hm")

    draft = Draft(Verifier(Evidence(), Setting(NOW, "en", "hello")), ())
    step = Step(Thinker(), ModelRequest("", (), (), False, (), "", NOW, "en", 0.2), draft)
    with pytest.raises(ModelTimeout):
        _ = [event async for event in step.stream()]
