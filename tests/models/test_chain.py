"""A chain of models: what each refusal is understood as, the next move, what is told and what is recorded."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest

from sayso.core.evidence import Numbered
from sayso.core.messages import Attempt, FactsPart, Message, Role, TextPart, Usage
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
from sayso.core.protocols.fitting import size
from sayso.errors import (
    ContextOverflow,
    ImageRefused,
    ModelBusy,
    ModelError,
    ModelGone,
    ModelProtocolError,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
    QuotaSpent,
)
from sayso.models.chain import Chain, Link
from sayso.models.scripted import Scripted, call, cut, empty, fail, say
from small_world import ELENA, person

pytestmark = pytest.mark.anyio
Make = Callable[..., ModelRequest]
STOP = ReplyEnd(FinishReason.STOP)


class Clock:
    """Seconds that pass only when somebody waits, or when a test says so."""

    def __init__(self) -> None:
        self.seconds, self.slept = 1000.0, list[float]()

    def __call__(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds


class Heard:
    """What came out of a chain."""

    def __init__(self, events: list[ModelEvent]) -> None:
        self.events = events
        self.text = "".join(e.text for e in events if isinstance(e, TextChunk))
        self.notices = [e.text for e in events if isinstance(e, Notice) and e.text]
        self.attempts = [e.attempt for e in events if isinstance(e, Passed)]
        self.codes = [a.code for a in self.attempts]
        named = [e.model for e in events if isinstance(e, Notice) and e.model]
        self.model = named[-1] if named else ""


def chain(*models: Any, last: Any = None, clock: Clock | None = None) -> Chain:
    clock = clock or Clock()
    return Chain(models, last, monotonic=clock, sleep=clock.sleep)


async def ask(on: Chain, request: ModelRequest) -> Heard:
    return Heard([event async for event in on.stream(request)])


def next_exchange(request: ModelRequest, id: str) -> ModelRequest:
    return replace(request, messages=(*request.messages, Message(f"m_{id}", Role.USER, (TextPart("And?"),), id)))


async def test_the_first_model_answers_and_nothing_is_told(request_of: Make) -> None:
    with Scripted([say("Hi")], "a") as first, Scripted([], "b") as second:
        heard = await ask(chain(first, second), request_of())
    assert heard.events == [TextChunk("Hi"), STOP]


@pytest.mark.parametrize(
    ("reply", "code", "told"),
    [
        (fail(ModelTimeout("slow")), "model_timeout", "a did not answer in time"),
        (fail(ModelProtocolError("<html>")), "model_protocol_error", "a gave no reply that can be read"),
        (fail(ModelError("a: the server failed with 500")), "model_error", "a: the server failed with 500"),
        (fail(ModelRefused("a: the key was not accepted.")), "model_refused", "a: the key was not accepted"),
        (fail(ModelUnreachable("no server answers")), "model_unreachable", "no server answers"),
        (fail(ModelGone("a was taken down")), "model_gone", "a is gone: its provider has no such model any more; take it off your list"),
        (fail(ModelBusy("a: 429", 60)), "model_busy", "a is busy"),
        (fail(QuotaSpent("a: 429 per day", 7200)), "model_quota", "a: its allowance is used up until 11:00"),
        (fail(QuotaSpent("a: no more credit")), "model_quota", "a: its allowance is used up"),
        (cut(""), "cut", "a broke off before it said anything"),
    ],
)  # fmt: skip
async def test_m1_m2_m3_each_refusal_steps_down_with_its_reason(
    request_of: Make, reply: Any, code: str, told: str
) -> None:
    with Scripted([reply], "a") as first, Scripted([say("Hi")], "b") as second:
        heard = await ask(chain(first, second), request_of())
    assert heard.notices == [f"{told}. b answers instead."]
    assert (heard.text, heard.model, heard.codes) == ("Hi", "b", [code])


async def test_the_person_is_told_in_their_language(request_of: Make) -> None:
    with Scripted([fail(ModelTimeout("slow"))], "a") as first, Scripted([say("Hallo")], "b") as second:
        heard = await ask(chain(first, second), request_of(locale="de-CH"))
    assert heard.notices == ["a hat nicht rechtzeitig geantwortet. b antwortet stattdessen."]


async def test_when_none_answers_the_last_does_with_every_reason(request_of: Make) -> None:
    with (
        Scripted([fail(ModelUnreachable("no server answers"))], "a") as first,
        Scripted([fail(ModelTimeout("slow"))], "b") as second,
        Scripted([say("Records.")], "quote") as last,
    ):
        heard = await ask(chain(first, second, last=last), request_of())
    assert heard.notices == [
        "no server answers. b answers instead.", "b did not answer in time. quote answers instead.",
    ]  # fmt: skip
    assert (heard.text, heard.model) == ("Records.", "quote")


async def test_without_a_last_one_the_error_is_raised(request_of: Make) -> None:
    first, second = Scripted([fail(ModelUnreachable("none"))], "a"), Scripted([fail(ModelBusy("b", 90))], "b")
    with first, second, pytest.raises(ModelBusy):
        await ask(chain(first, second), request_of())
    with pytest.raises(ModelBusy, match="no model is left to ask"):
        await ask(chain(), request_of())


async def test_what_breaks_after_something_was_said_stays_cut(request_of: Make) -> None:
    """M7: a person who has read the first words never reads those of another model after them."""
    with Scripted([cut("Elena is")], "a") as first, Scripted([], "b") as second:
        heard = await ask(chain(first, second), request_of())
    assert heard.events == [TextChunk("Elena is")]


async def test_reasoning_shows_nothing_so_that_the_next_model_may_still_answer(request_of: Make) -> None:
    class Thinks:
        name = "a"

        async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
            yield ReasoningChunk("hm")
            raise ModelProtocolError("garbage")

    with Scripted([say("Hi")], "b") as second:
        heard = await ask(chain(Thinks(), second), request_of())
    assert (heard.text, heard.codes) == ("Hi", ["model_protocol_error"])


async def test_an_error_after_the_first_word_is_not_hidden(request_of: Make) -> None:
    class Rude:
        name = "a"

        async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
            yield TextChunk("Hi")
            raise ModelError("broken")

    with Scripted([], "b") as second, pytest.raises(ModelError, match="broken"):
        await ask(chain(Rude(), second), request_of())


async def test_an_empty_reply_is_left_to_the_next_model_once_an_exchange(request_of: Make) -> None:
    with Scripted([empty(), say("Back.")], "a") as first, Scripted([empty(), say("Hi")], "b") as second:
        on = chain(first, second, Scripted([], "c"))
        heard = await ask(on, request_of())
        assert (heard.codes, heard.notices) == (["empty"], ["a said nothing. b answers instead."])
        assert (heard.events[-1], heard.text) == (STOP, "")
        assert (await ask(on, request_of())).text == "Hi"
        assert (await ask(on, next_exchange(request_of(), "ex_2"))).text == "Back."


async def test_an_empty_reply_of_the_only_model_is_the_loops_business(request_of: Make) -> None:
    with Scripted([empty()], "a") as only, Scripted([], "quote") as last:
        assert (await ask(chain(only, last=last), request_of())).events == [STOP]


async def test_what_failed_in_an_exchange_is_not_asked_again_in_it(request_of: Make) -> None:
    with Scripted([fail(ModelUnreachable("down")), say("Back.")], "a") as first:
        with Scripted([say("1"), say("2")], "b") as second:
            on = chain(first, second)
            assert (await ask(on, request_of())).notices == ["down. b answers instead."]
            again = await ask(on, request_of())
            assert (again.notices, again.model, again.text, again.codes) == ([], "b", "2", ["model_unreachable"])
        assert (await ask(on, next_exchange(request_of(), "ex_2"))).text == "Back."


async def test_a_spent_allowance_skips_every_model_of_that_provider_until_its_reset(request_of: Make) -> None:
    clock = Clock()
    with Scripted([fail(QuotaSpent("per day", 3600)), say("Fresh.")], "groq-a") as first:
        with Scripted([say("1"), say("2")], "local") as local:
            on = chain(Link(first, provider="groq"), Link(Scripted([], "groq-b"), provider="groq"), local, clock=clock)
            assert on.name == "groq-a"
            told = await ask(on, request_of())
            assert told.codes == ["model_quota", "model_quota"]
            assert on.name == "local"
            clock.seconds += 3599
            later = await ask(on, next_exchange(request_of(), "ex_2"))
            assert later.notices[0].startswith("groq-a: its allowance is used up until 09:00. groq-b: its allowance")
            clock.seconds += 2
        assert (await ask(on, next_exchange(request_of(), "ex_3"))).text == "Fresh."


async def test_the_provider_is_known_by_its_address(request_of: Make) -> None:
    class At(Scripted):
        base_url = "https://api.groq.example/openai/v1"

    with At([fail(QuotaSpent("per day"))], "a") as first, Scripted([say("Hi")], "c") as third:
        assert (await ask(chain(first, At([], "b"), third), request_of())).text == "Hi"


async def test_m1_a_short_wait_is_kept_for_the_same_model(request_of: Make) -> None:
    clock = Clock()
    with Scripted([fail(ModelBusy("429", 1.0)), say("Hi")], "a") as first, Scripted([], "b") as second:
        heard = await ask(chain(first, second, clock=clock), request_of())
    assert (heard.text, clock.slept) == ("Hi", [1.0])
    assert heard.notices == ["a is busy. a is asked again in 1 s."]


async def test_m1_a_short_wait_is_kept_once(request_of: Make) -> None:
    clock = Clock()
    busy = fail(ModelBusy("429", 1.0))
    with Scripted([busy, busy], "a") as first, Scripted([say("Hi")], "b") as second:
        heard = await ask(chain(first, second, clock=clock), request_of())
    assert (heard.text, clock.slept, heard.model) == ("Hi", [1.0], "b")


async def test_m1_a_longer_wait_steps_down_and_is_kept_only_where_nobody_else_is_left(request_of: Make) -> None:
    clock = Clock()
    with (
        Scripted([fail(ModelBusy("429", 9.0)), say("Hi")], "a") as first,
        Scripted([fail(ModelUnreachable("down"))], "b") as second,
        Scripted([], "quote") as last,
    ):
        heard = await ask(chain(first, second, last=last, clock=clock), request_of(seconds_left=60.0))
    assert (heard.text, clock.slept, heard.model) == ("Hi", [9.0], "a")
    assert heard.notices == ["a is busy. b answers instead.", "down. a is asked again in 9 s."]


@pytest.mark.parametrize("seconds", [None, 25.0, 500.0])
async def test_m2_no_wait_beyond_what_a_person_waits_or_the_exchange_may_last(request_of: Make, seconds: Any) -> None:
    clock = Clock()
    with Scripted([fail(ModelBusy("429", seconds))], "a") as first, Scripted([say("Records.")], "quote") as last:
        heard = await ask(chain(first, last=last, clock=clock), request_of(seconds_left=30.0))
    assert (heard.text, clock.slept) == ("Records.", [])
    assert heard.notices == ["a is busy. quote answers instead."]


async def test_a_busy_model_rests_also_for_the_next_exchange(request_of: Make) -> None:
    clock = Clock()
    with Scripted([fail(ModelBusy("429", 60))], "a") as first, Scripted([say("1"), say("2")], "b") as second:
        on = chain(first, second, clock=clock)
        await ask(on, request_of())
        heard = await ask(on, next_exchange(request_of(), "ex_2"))
    assert (heard.text, heard.codes, heard.notices) == ("2", ["model_busy"], ["a is busy. b answers instead."])


async def test_a_model_that_is_gone_is_dropped_for_good_and_said_once(request_of: Make) -> None:
    with Scripted([fail(ModelGone("decommissioned"))], "a") as first, Scripted([say("1"), say("2")], "b") as second:
        on = chain(first, second)
        assert len((await ask(on, request_of())).notices) == 1
        later = await ask(on, next_exchange(request_of(), "ex_2"))
    assert (later.notices, later.attempts, on.name) == ([], [Attempt("a", "model_gone", "decommissioned")], "b")


async def test_m5_a_model_that_hangs_leaves_time_for_the_next(request_of: Make) -> None:
    class Hangs:
        name = "a"

        async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
            await asyncio.Event().wait()
            yield TextChunk("never")

    with Scripted([say("Hi"), say("Hello")], "b") as second:
        on = Chain([Hangs(), second])
        heard = await ask(on, request_of(seconds_left=0.2))
        assert (heard.text, heard.codes) == ("Hi", ["model_timeout"])
        assert (await ask(on, next_exchange(request_of(), "ex_2"))).text == "Hello"  # and is not waited for again


async def test_m5_when_the_only_model_hangs_quote_still_has_time(request_of: Make) -> None:
    class Hangs:
        name = "a"

        async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
            await asyncio.Event().wait()
            yield TextChunk("never")

    with Scripted([say("Records.")], "quote") as last:
        heard = await ask(Chain([Hangs()], last), request_of(seconds_left=0.2))
    assert heard.text == "Records."


async def test_g4_stopping_works_while_a_wait_is_kept(request_of: Make) -> None:
    begun = asyncio.Event()

    async def for_ever(_: float) -> None:
        begun.set()
        await asyncio.Event().wait()

    on = Chain([Scripted([fail(ModelBusy("429", 1.0))], "a")], sleep=for_ever)
    task = asyncio.create_task(ask(on, request_of()))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


# --- room ----------------------------------------------------------------------------------------------------------


def long_request(make: Make, exchanges: int = 40) -> ModelRequest:
    messages: list[Message] = []
    for n in range(exchanges):
        messages.append(Message(f"u{n}", Role.USER, (TextPart(f"Question {n} " + "word " * 30),), f"ex_old_{n}"))
        messages.append(Message(f"a{n}", Role.ASSISTANT, (TextPart(f"Answer {n} " + "word " * 30),), f"ex_old_{n}"))
    facts = tuple(Numbered(f"F{n}", person(f"Person {n}", f"p{n}", role="role " * 10)) for n in range(10))
    messages.append(Message("now", Role.USER, (FactsPart(facts), TextPart("Who is Elena?")), "ex_now"))
    return make(messages=tuple(messages), shown=facts)


class Small(Scripted):
    """Counts `per_token` characters a token, and refuses what is larger than `limit`."""

    def __init__(self, replies: list[Any], limit: int, *, names_it: bool = True, per_token: float = 4.0) -> None:
        super().__init__(replies, "small")
        self.limit, self.names_it, self.per_token = limit, names_it, per_token
        self.refused = 0

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        tokens = int(size(request) / self.per_token)
        if tokens > self.limit:
            self.refused += 1
            raise ContextOverflow("too long", self.limit if self.names_it else None)
        async for event in super().stream(request):
            yield ReplyEnd(event.reason, Usage(tokens, 1)) if isinstance(event, ReplyEnd) else event


async def test_m17_a_request_that_is_too_large_is_asked_again_with_less_and_says_so(request_of: Make) -> None:
    with Small([say("Hi")], 1500) as small, Scripted([], "b") as second:
        heard = await ask(chain(small, second), long_request(request_of))
    assert (heard.text, small.refused) == ("Hi", 1)
    assert heard.codes == ["context_overflow", "left_out"]
    left = heard.attempts[1]
    assert left.exchanges > 0
    (told,) = heard.notices
    assert told.startswith("To fit what small reads (1,500 tokens), this was left out: ")
    assert told.endswith(f"{left.exchanges} earlier exchanges.")
    (sent,) = small.requests
    assert sent.messages[-1].text == "Who is Elena?"
    assert f"{left.exchanges} earlier exchanges of this conversation are not shown" in sent.hint


async def test_m17_once_refused_a_limit_is_kept_before_it_is_reached(request_of: Make) -> None:
    with Small([say("1"), say("2")], 1500) as small:
        on = chain(small)
        await ask(on, long_request(request_of))
        again = await ask(on, next_exchange(long_request(request_of), "ex_2"))
    assert (small.refused, again.codes) == (1, ["left_out"])


async def test_a_limit_that_the_operator_knows_is_kept_from_the_start(request_of: Make) -> None:
    with Small([say("Hi")], 1500, per_token=3.0) as small:
        heard = await ask(chain(Link(small, room=1500)), long_request(request_of))
    assert (heard.text, small.refused, heard.codes) == ("Hi", 0, ["left_out"])
    assert small.requests[0].max_output_tokens == 375


async def test_a_model_may_know_its_own_limit(request_of: Make) -> None:
    small = Small([say("Hi")], 1500, per_token=3.0)
    small.context_limit = 1500  # type: ignore[attr-defined]
    assert (await ask(chain(small), long_request(request_of))).codes == ["left_out"]


async def test_estimates_learn_from_what_the_provider_counts(request_of: Make) -> None:
    """One character a token: the guess of three would be refused, the count of the first reply prevents it."""
    with Small([say("1"), say("2")], 6000, per_token=1.0) as small:
        on = chain(Link(small, room=6000))
        await ask(on, request_of())
        heard = await ask(on, next_exchange(long_request(request_of), "ex_2"))
    assert (small.refused, heard.codes) == (0, ["left_out"])


async def test_m17_where_nobody_says_the_limit_half_is_tried(request_of: Make) -> None:
    with Small([say("Hi")], 3000, names_it=False) as small:
        heard = await ask(chain(small), long_request(request_of))
    assert (heard.text, small.refused, heard.codes) == ("Hi", 1, ["context_overflow", "left_out"])


async def test_m17_what_is_still_too_large_goes_to_a_model_with_more_room(request_of: Make) -> None:
    with Small([], 10) as small, Scripted([say("Hi")], "large") as large:
        heard = await ask(chain(small, large), long_request(request_of))
    assert (heard.text, heard.model) == ("Hi", "large")
    assert heard.notices[-1] == "small reads less than this conversation needs. large answers instead."
    assert large.requests[0].messages == long_request(request_of).messages


async def test_m17_without_a_larger_one_it_is_a_context_overflow(request_of: Make) -> None:
    small = Small([], 30)
    with pytest.raises(ContextOverflow):
        await ask(chain(small), long_request(request_of))
    assert small.refused <= 2


# --- images --------------------------------------------------------------------------------------------------------


class Sees(Scripted):
    def __init__(self, replies: list[Any], name: str, sees: bool | None) -> None:
        super().__init__(replies, name)
        self.sees = sees


async def test_an_image_goes_to_the_first_model_that_may_see(request_of: Make) -> None:
    unknown = Sees([fail(ImageRefused("b takes no images"))], "b", None)
    with Sees([], "a", False) as blind, unknown, Sees([say("A cat.")], "c", True) as seeing:
        on = chain(blind, unknown, seeing)
        assert on.sees is True
        heard = await ask(on, request_of(images={"digest": b"..."}))
    assert (heard.text, heard.codes) == ("A cat.", ["image_refused", "image_refused"])
    assert heard.notices == ["a reads no images. b answers instead.", "b reads no images. c answers instead."]


async def test_where_no_model_can_see_the_error_names_each_and_why(request_of: Make) -> None:
    busy = Sees([fail(ModelBusy("429", 90))], "b", True)
    blind, last = Sees([], "a", False), Sees([], "quote", False)
    with busy, pytest.raises(ImageRefused, match=r"a reads no images\. b is busy"):
        await ask(chain(blind, busy, last=last), request_of(images={"digest": b"..."}))


async def test_who_could_not_look_still_answers_without_the_image(request_of: Make) -> None:
    with Sees([fail(ImageRefused("no images")), say("Hi")], "a", None) as first, Scripted([], "quote") as last:
        on = chain(first, last=last)
        for _ in range(2):  # the second time it is not even asked
            with pytest.raises(ImageRefused, match="a reads no images"):
                await ask(on, request_of(images={"digest": b"..."}))
        assert (await ask(on, request_of())).text == "Hi"


async def test_after_a_detour_the_one_that_answers_is_named_again(request_of: Make) -> None:
    first = Sees([say("Hi")], "a", False)
    with first, Sees([fail(ImageRefused("no"))], "b", True) as second:
        on = chain(first, second)
        with pytest.raises(ImageRefused):
            await ask(on, request_of(images={"digest": b"..."}))
        assert (await ask(on, request_of())).model == "a"


async def test_a_chain_sees_as_its_models_do() -> None:
    assert chain(Sees([], "a", False)).sees is False
    assert chain(Sees([], "a", False), Scripted([])).sees is None


async def test_calls_count_as_something_said(request_of: Make) -> None:
    with Scripted([call("search_people", query="Elena")], "a") as first, Scripted([], "b") as second:
        heard = await ask(chain(first, second), request_of(shown=(Numbered("F1", ELENA),)))
    assert any(isinstance(event, NativeCall) for event in heard.events)


async def test_closing_a_chain_closes_every_model() -> None:
    closed: list[str] = []

    class Closes(Scripted):
        async def aclose(self) -> None:
            closed.append(self.name)

    await chain(Closes([], "a"), Closes([], "b"), last=Closes([], "quote")).aclose()
    assert closed == ["a", "b", "quote"]


async def test_m1_who_answers_is_told_though_the_reason_was_told_with_the_wait(request_of: Make) -> None:
    busy = fail(ModelBusy("429", 1.0))
    with Scripted([busy, busy], "a") as first, Scripted([say("1"), say("2")], "quote") as last:
        on = chain(first, last=last, clock=Clock())
        heard = await ask(on, request_of())
        again = await ask(on, request_of())
    assert heard.notices == ["a is busy. a is asked again in 1 s.", "a is busy. quote answers instead."]
    assert (again.text, again.notices) == ("2", [])


async def test_m1_a_spent_allowance_is_told_once_an_exchange(request_of: Make) -> None:
    with Scripted([fail(QuotaSpent("402"))], "a") as first, Scripted([say("1"), say("2")], "quote") as last:
        on = chain(first, last=last)
        heard = [await ask(on, request_of()), await ask(on, request_of())]
    assert [one.notices for one in heard] == [["a: its allowance is used up. quote answers instead."], []]
