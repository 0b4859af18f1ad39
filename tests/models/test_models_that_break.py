"""Models that fail in no foreseen way: a chain goes on, within its time, and says who failed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from math import inf, nan

import pytest

from sayso.core.ports import ModelEvent, ModelRequest, Notice, Passed, ReasoningChunk, TextChunk
from sayso.errors import ContextOverflow, FactError, ModelBusy, ModelError, ModelTimeout, QuotaSpent
from sayso.models.chain import Chain, Link
from sayso.models.scripted import Scripted, call, fail, say

pytestmark = pytest.mark.anyio
Make = Callable[..., ModelRequest]
Speak = Callable[[], AsyncIterator[ModelEvent]]


class Strange:
    """A model that says whatever a test's generator does."""

    def __init__(self, speak: Speak, name: str = "strange") -> None:
        self.name, self._speak = name, speak

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        return self._speak()


def raising(wrong: Exception, *first: ModelEvent) -> Speak:
    async def speak() -> AsyncIterator[ModelEvent]:
        for event in first:
            yield event
        raise wrong

    return speak


def without_end(event: ModelEvent) -> Speak:
    async def speak() -> AsyncIterator[ModelEvent]:
        while True:
            await asyncio.sleep(0.01)
            yield event

    return speak


async def heard(on: Chain, request: ModelRequest) -> list[ModelEvent]:
    return [event async for event in on.stream(request)]


def words(events: list[ModelEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextChunk))


@pytest.mark.parametrize("wrong", [RuntimeError("secret"), ValueError("secret"), KeyError("secret"), RecursionError()])
async def test_any_exception_of_a_model_is_that_of_a_failed_model(request_of: Make, wrong: Exception) -> None:
    with Scripted([say("Hi")], "b") as second:
        events = await heard(Chain([Strange(raising(wrong)), second]), request_of())
    assert words(events) == "Hi"
    (passed,) = [event.attempt for event in events if isinstance(event, Passed)]
    assert (passed.code, passed.reason) == ("model_error", f"strange failed unexpectedly ({type(wrong).__name__})")
    assert "secret" not in str(events)


async def test_a_model_that_cannot_even_be_asked_is_a_failed_one(request_of: Make) -> None:
    def refuse() -> AsyncIterator[ModelEvent]:
        raise TypeError

    with Scripted([say("Hi")], "b") as second:
        assert words(await heard(Chain([Strange(refuse), second]), request_of())) == "Hi"


async def test_what_breaks_unexpectedly_after_the_first_word_is_cut(request_of: Make) -> None:
    broken = Strange(raising(RuntimeError(), TextChunk("Half")))
    assert await heard(Chain([broken], Scripted([], "quote")), request_of()) == [TextChunk("Half")]


async def test_an_error_of_ours_keeps_its_own_words(request_of: Make) -> None:
    with pytest.raises(FactError, match="undeclared"):
        await heard(Chain([Strange(raising(FactError("undeclared")))]), request_of())


async def test_a_last_model_that_fails_is_a_failed_model_too(request_of: Make) -> None:
    with pytest.raises(ModelError, match=r"strange failed unexpectedly \(ValueError\)"):
        await heard(Chain([], Strange(raising(ValueError()))), request_of())


async def test_a_model_that_fails_while_it_is_stopped_has_still_answered(request_of: Make) -> None:
    async def speak() -> AsyncIterator[ModelEvent]:
        try:
            for event in [event async for event in Scripted([say("Hi")]).stream(request_of())]:
                yield event
            await asyncio.sleep(60)
        finally:
            raise RuntimeError

    on = Chain([Strange(speak)])
    stream = on.stream(request_of())
    assert await anext(stream) == TextChunk("Hi")
    await stream.aclose()


@pytest.mark.parametrize("event", [ReasoningChunk("hm"), Notice("hm")])
async def test_m5_a_model_that_never_says_anything_is_left_in_time(request_of: Make, event: ModelEvent) -> None:
    with Scripted([say("From the records.")], "quote") as last:
        events = await heard(Chain([Strange(without_end(event))], last), replace(request_of(), seconds_left=0.4))
    assert words(events) == "From the records."
    assert [e.attempt.code for e in events if isinstance(e, Passed)] == [ModelTimeout.code]


async def test_m5_a_model_that_hangs_after_its_first_word_is_cut_in_time(request_of: Make) -> None:
    async def speak() -> AsyncIterator[ModelEvent]:
        yield TextChunk("One")
        await asyncio.sleep(600)

    request = replace(request_of(), seconds_left=0.3)
    assert await heard(Chain([Strange(speak)], Scripted([], "quote")), request) == [TextChunk("One")]


@pytest.mark.parametrize("seconds", [inf, nan, 1e300, 1e12, -1.0, 0.0])
@pytest.mark.parametrize("kind", [ModelBusy, QuotaSpent])
async def test_m1_m3_a_wait_without_end_is_none(request_of: Make, kind: type[ModelBusy], seconds: float) -> None:
    first = Scripted([fail(kind("a", seconds)) for _ in range(2)], "a")
    with Scripted([say("1"), say("2")], "quote") as last:
        on = Chain([first], last)
        assert words(await heard(on, request_of())) == "1"
        assert words(await heard(on, request_of())) == "2"


@pytest.mark.parametrize("limit", [10**400, 10**18, 0, -1])
async def test_m17_a_limit_that_no_model_has_is_none(request_of: Make, limit: int) -> None:
    first = Scripted([fail(ContextOverflow("long", limit)), fail(ContextOverflow("long", limit))], "a")
    with Scripted([say("Hi")], "b") as second:
        assert words(await heard(Chain([Link(first, room=10**400), second]), request_of())) == "Hi"


async def test_a_request_without_messages_is_asked_like_any_other(request_of: Make) -> None:
    with Scripted([say("Hi")], "a") as first:
        assert words(await heard(Chain([Link(first, room=10)]), request_of(messages=()))) == "Hi"


async def test_a_script_that_was_asked_too_often_fails_also_behind_a_chain(request_of: Make) -> None:
    first, second = Scripted([], "a"), Scripted([call("list_people")], "b")
    with pytest.raises(AssertionError, match="asked 1 times"), first, second:
        await heard(Chain([first, second]), request_of())
