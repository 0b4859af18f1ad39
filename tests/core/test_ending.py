"""How exchanges end when the repair goes wrong, the model is filtered, or time is over."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from sayso.core.events import TextDelta, Verified
from sayso.core.messages import Outcome, StopReason
from sayso.core.ports import FinishReason, ModelEvent, ModelRequest, TextChunk
from sayso.core.progress import Limits
from sayso.errors import ModelBusy
from sayso.models.scripted import Reply, Scripted, call, cut, empty, fail, say
from small_world import ELENA, NOW

pytestmark = pytest.mark.anyio
Run = Callable[..., Any]

SEARCH_ELENA = call("search_people", query="Elena")
GOOD = "Elena Weber works at SINGA Switzerland [F1]."
WRONG = "Elena Weber works at Bexley Studios [F1]."
QUOTED = (
    "Elena Weber – affiliation: SINGA Switzerland; channels: whatsapp +41 77 473 00 93 "
    "(not recorded: role, birthday) [F1]"
)


def told(ran: Any) -> str:
    return "".join(delta.text for delta in ran.of(TextDelta))


@pytest.mark.parametrize("repair", [fail(ModelBusy("busy")), cut(GOOD), empty(), say(WRONG)])
async def test_without_a_repair_that_is_better_the_fact_is_quoted(run: Run, repair: Reply) -> None:
    with Scripted([SEARCH_ELENA, say(WRONG), repair]) as model:
        ran = await run(model)
    assert ran.answer.text == told(ran) == QUOTED
    assert (ran.finish.outcome, ran.finish.reason) == (Outcome.ABSTAINED, StopReason.WITHHELD)
    assert not ran.of(Verified)[0].repaired


async def test_an_empty_reply_whose_retry_fails_ends_with_the_facts(run: Run) -> None:
    with Scripted([SEARCH_ELENA, empty(), fail(ModelBusy("busy"))]) as model:
        ran = await run(model)
    assert ran.finish.reason is StopReason.EMPTY_REPLY
    assert ran.answer.text.endswith(f"- {QUOTED}")


async def test_a_ref_alone_says_nothing_and_is_asked_again(run: Run) -> None:
    with Scripted([SEARCH_ELENA, say("[F1]."), say(GOOD)]) as model:
        ran = await run(model)
    assert ran.answer.text == told(ran) == GOOD


async def test_a_long_chunk_is_taken_in_slices_that_say_the_same(run: Run) -> None:
    long = f"{GOOD} " * 200
    with Scripted([SEARCH_ELENA, Reply(long, chunk=len(long))]) as model:
        ran = await run(model)
    assert ran.answer.text == told(ran) == long.strip()
    assert len(ran.of(TextDelta)) > 2


async def test_a_filtered_reply_is_a_recorded_reason(run: Run) -> None:
    with Scripted([SEARCH_ELENA, Reply("", end=FinishReason.CONTENT_FILTER)]) as model:
        ran = await run(model)
    assert (ran.finish.outcome, ran.finish.reason) == (Outcome.ABSTAINED, StopReason.CONTENT_FILTER)
    assert ran.answer.text.endswith(f"- {QUOTED}")


async def test_at_the_step_limit_talk_alone_is_no_answer(run: Run) -> None:
    last = Reply("Let me look.", call("list_people").calls, FinishReason.TOOL_CALLS)
    with Scripted([SEARCH_ELENA, last]) as model:
        ran = await run(model, limits=Limits(steps=2))
    assert (ran.finish.outcome, ran.finish.reason) == (Outcome.ABSTAINED, StopReason.STEP_LIMIT)
    assert ran.answer.text.endswith(f"- {QUOTED}")


async def test_a_repair_goes_on_after_what_was_released(run: Run) -> None:
    draft = f"{GOOD} She was born on 3 May 1990 [F1]. And that is all there is to say about it."
    with Scripted([SEARCH_ELENA, say(draft, 20), say("Her birthday is not recorded [F1].")]) as model:
        ran = await run(model)
    assert ran.answer.text == told(ran) == f"{GOOD} Her birthday is not recorded [F1]."
    assert ran.of(Verified)[0].repaired


class Late:
    """Says a sentence; then the exchange's time is over."""

    name = "late"

    def __init__(self, clock: Any, *texts: str) -> None:
        self.clock, self.texts = clock, texts

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        for text in self.texts:
            yield TextChunk(text)
        self.clock.seconds = 1000.0


class MovingClock:
    def __init__(self, now: Any) -> None:
        self.seconds, self._now = 0.0, now

    def now(self) -> Any:
        return self._now

    def monotonic(self) -> float:
        return self.seconds


async def test_a_reply_that_is_cut_by_the_clock_ends_at_the_time_limit(run: Run) -> None:
    clock = MovingClock(NOW)
    ran = await run(Late(clock, f"{GOOD} And her"), seeds=[ELENA], clock=clock)
    assert (ran.finish.outcome, ran.finish.reason) == (Outcome.ANSWERED, StopReason.TIME_LIMIT)
    assert ran.answer.cut
    assert ran.answer.text == told(ran) == f"{GOOD} And her\n\n(The reply was cut off here.)"


async def test_a_repair_goes_on_after_what_was_told_with_a_space(run: Run) -> None:
    draft = Reply(f"{GOOD[:-1]}。{WRONG}", chunk=4)
    with Scripted([SEARCH_ELENA, draft, say("Her role is not recorded [F1].")]) as model:
        ran = await run(model)
    assert ran.answer.text == told(ran) == f"{GOOD[:-1]}。 Her role is not recorded [F1]."


async def test_text_before_a_call_that_comes_too_late_is_told_as_it_is(run: Run) -> None:
    last = Reply(f"{GOOD}\n\nTOOL: list_people\nARGS: {{}}", chunk=12)
    with Scripted([SEARCH_ELENA, last]) as model:
        ran = await run(model, limits=Limits(steps=2))
    assert ran.answer.text == told(ran)
    assert ran.answer.text.strip() == GOOD


async def test_text_released_before_a_call_is_told_once(run: Run) -> None:
    first = Reply(f"{GOOD} Let me look further.", call("list_people").calls, FinishReason.TOOL_CALLS, chunk=10)
    with Scripted([first, say("Her role is not recorded [F1]. That is all.", 10)]) as model:
        ran = await run(model, seeds=[ELENA])
    assert ran.answer.text == told(ran) == f"{GOOD} Her role is not recorded [F1]. That is all."
