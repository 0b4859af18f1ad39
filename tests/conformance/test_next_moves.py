"""The next move: a model that misbehaves or refuses hands over to the next one, unless a person has read of it already."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from conformance.conftest import NAMES, Asking, Ran, run_loop
from conformance.server.faults import MISBEHAVIOURS, Misbehaviour
from conformance.server.http import Act, Answer, refusing, streaming
from conformance.server.script import say
from conformance.server.stage import Stage, staged
from conformance.server.wordings import Meaning, Wording, meaning
from sayso.core.events import Failed, UsageReport
from sayso.core.messages import (
    Attempt,
    CallPart,
    CallStatus,
    Message,
    Outcome,
    ResultPart,
    Role,
    StopReason,
    TextPart,
    ToolCall,
    ToolResult,
)
from sayso.core.progress import Limits
from sayso.errors import ModelError, ModelProtocolError, ModelTimeout
from sayso.models.chain import Chain, Link
from sayso.models.quote import Quote

pytestmark = pytest.mark.anyio
SECOND = say("Good day! ", "What can I do for you?")


@pytest.fixture
async def other() -> AsyncIterator[Stage]:
    """Another provider, which behaves."""
    async with staged("chat") as set_up:
        set_up.play(SECOND)
        yield set_up


@pytest.fixture
async def other_asking(other: Stage) -> AsyncIterator[Asking]:
    made = Asking(other)
    yield made
    for model in made.made:
        await model.aclose()


def attempts(ran: Ran) -> list[Attempt]:
    return [attempt for event in ran.events if isinstance(event, UsageReport) for attempt in event.attempts]


def _cases(outcome: str) -> list[object]:
    return [
        pytest.param(protocol, wrong, id=f"{wrong.row}-{protocol}-{wrong.name}".replace(" ", "_"))
        for wrong in MISBEHAVIOURS
        for protocol in ("chat", "anthropic")  # the chain sees typed errors, and no protocol
        if wrong.outcome == (outcome,) and (not wrong.slow or protocol == "chat")
    ]


@pytest.mark.parametrize(("protocol", "wrong"), _cases("fails"))
async def test_m1_to_m17_a_model_that_fails_hands_over_to_the_next(
    stage: Stage, asking: Asking, other: Stage, other_asking: Asking, wrong: Misbehaviour
) -> None:
    stage.play(*wrong.play(stage.provider))
    first = asking.model(first_byte=wrong.first_byte, idle=wrong.idle)
    chain = Chain([first, other_asking.model()], Quote(), sleep=_no_wait)
    async with asyncio.timeout(25):
        ran = await run_loop(chain, "Hello", limits=Limits(seconds=max(wrong.seconds, 10.0)))
    assert not isinstance(ran.finish, Failed), ran.finish
    assert ran.answer.text == SECOND.text
    assert not ran.answer.cut
    assert len(other.asked) == 1
    told = attempts(ran)
    assert told
    assert told[0].model == NAMES[stage.provider.protocol]
    assert any(told[0].code == kind.code for kind in _kinds(wrong.error) | {ModelError}), told
    assert ran.told, "the person is told who answers, and why"
    assert not stage.refused + other.refused


async def _no_wait(seconds: float) -> None:
    assert 0 <= seconds <= 30


def _kinds(error: type[ModelError]) -> set[type[ModelError]]:
    return {error}.union(*(_kinds(kind) for kind in error.__subclasses__()))


@pytest.mark.parametrize(("protocol", "wrong"), _cases("cut"))
async def test_m6_m7_m8_what_a_person_has_read_is_cut_and_no_other_model_goes_on(
    stage: Stage, asking: Asking, other: Stage, other_asking: Asking, wrong: Misbehaviour
) -> None:
    stage.play(*wrong.play(stage.provider))
    first = asking.model(first_byte=wrong.first_byte, idle=wrong.idle)
    chain = Chain([first, other_asking.model()], Quote(), sleep=_no_wait)
    async with asyncio.timeout(25):
        ran = await run_loop(chain, "Hello", limits=Limits(seconds=wrong.seconds))
    assert not isinstance(ran.finish, Failed), ran.finish
    assert ran.answer.cut
    assert not other.asked


def worded(*wanted: Meaning) -> pytest.MarkDecorator:
    cases = meaning(*wanted)
    return pytest.mark.parametrize(("protocol", "worded"), [pytest.param(w.protocol, w, id=w.name) for w in cases])


@worded("day", "gone", "key", "busy", "down", "forbidden", "overflow")
async def test_each_refusal_has_its_next_move_and_is_told(
    stage: Stage, asking: Asking, other: Stage, other_asking: Asking, worded: Wording
) -> None:
    """The next model answers. What is spent or gone is not asked again in the next exchange; what is too large is
    asked once more with less, where there is less to send."""
    stage.play(worded.answer)
    chain = Chain([asking.model(), other_asking.model()], Quote(), sleep=_no_wait)
    history = tuple(
        Message(
            f"h{n}", Role.ASSISTANT if n % 2 else Role.USER, (TextPart(f"Earlier line {n}. " * 40),), f"ex_{n // 2}"
        )
        for n in range(20)
    )
    ran = await run_loop(chain, "Hello", history=history, exchange="ex_100")
    assert ran.answer.text == SECOND.text
    assert attempts(ran)[0].model == NAMES[stage.provider.protocol]
    assert ran.told
    asked = len(stage.asked)
    if worded.means == "overflow":
        assert asked <= 2
        if asked == 2:
            assert len(stage.asked[1].data) < len(stage.asked[0].data)
            assert "Hello" in stage.asked[1].data.decode()
    if worded.means in ("day", "gone"):
        assert asked == 1
        again = await run_loop(chain, "Hello", exchange="ex_101")
        assert again.answer.text == SECOND.text
        assert len(stage.asked) == 1, "not asked again before its reset"


async def test_when_no_model_answers_the_records_are_quoted_with_the_reasons(
    stage: Stage, asking: Asking, other: Stage, other_asking: Asking
) -> None:
    stage.play(refusing(401, {"error": {"message": "bad key"}}))
    other.play(streaming((b"<html>",), content_type="text/html"))
    chain = Chain([asking.model(), other_asking.model()], Quote(), sleep=_no_wait)
    ran = await run_loop(chain, "Who is Elena Weber?")
    assert not isinstance(ran.finish, Failed), ran.finish
    assert ran.finish.outcome in (Outcome.ANSWERED, Outcome.ABSTAINED)
    assert "SINGA Switzerland" in ran.answer.text
    assert [a.code for a in attempts(ran)][:2] == ["model_refused", ModelProtocolError.code]


@pytest.mark.parametrize("native", [True, False], ids=["native", "text"])
@pytest.mark.parametrize("limit", [2_500, 4_000, 9_000])
async def test_m17_a_long_thread_is_made_to_fit_with_its_pairs_whole(
    stage: Stage, asking: Asking, native: bool, limit: int
) -> None:
    """A provider that counts: after one refusal less is sent, never without the newest question or half a pair.

    Responses tells no limit: one guess below what was refused is made, and where that is too large as well it is told.
    """
    history = _long_thread(40)
    stage.limit = limit
    stage.play(say("Hello! How can I help you?"))
    ran = await run_loop(
        Chain([asking.model(native=native)], sleep=_no_wait),
        "What is the newest question?",
        history=history,
        exchange="ex_9999",
    )
    assert not stage.refused, "half a pair was sent"
    assert "What is the newest question?" in stage.asked[-1].data.decode()
    assert len(stage.asked[-1].data) < len(stage.asked[0].data) / 1.5
    if isinstance(ran.finish, Failed) and stage.provider.protocol == "responses":
        assert (ran.finish.code, len(stage.asked)) == ("context_overflow", 2)
        return
    assert not isinstance(ran.finish, Failed), ran.finish
    assert ran.answer.text == "Hello! How can I help you?"
    assert 1 <= len(stage.asked) <= 3
    assert any(attempt.exchanges or attempt.facts for attempt in attempts(ran)), "what was left out is recorded"


def _long_thread(exchanges: int) -> tuple[Message, ...]:
    out: list[Message] = []
    for n in range(exchanges):
        ident, exchange = f"call_h{n}", f"ex_{n}"
        asked = ToolCall(ident, "search_people", '{"query": "Elena"}')
        out += [
            Message(f"q{n}", Role.USER, (TextPart(f"Question {n}: " + "who was it? " * 10),), exchange),
            Message(f"c{n}", Role.ASSISTANT, (CallPart(asked),), exchange),
            Message(f"r{n}", Role.TOOL, (ResultPart(ToolResult(ident, CallStatus.SUCCESS)),), exchange),
            Message(f"a{n}", Role.ASSISTANT, (TextPart(f"Answer {n}: " + "it was nobody. " * 40),), exchange),
        ]
    return tuple(out)


@pytest.mark.parametrize("protocol", ["chat", "anthropic"], indirect=True)
async def test_m17_a_context_that_stays_too_small_ends_by_name_where_no_other_model_is(
    stage: Stage, asking: Asking
) -> None:
    wording = next(w for w in meaning("overflow") if w.protocol == stage.provider.protocol)
    stage.play(wording.answer)
    ran = await run_loop(Chain([Link(asking.model())], sleep=_no_wait), "Hello")
    assert isinstance(ran.finish, Failed)
    assert ran.finish.code == "context_overflow"
    assert len(stage.asked) <= 2


@pytest.mark.parametrize("protocol", ["chat", "gemini"], indirect=True)
async def test_m5_m6_a_hang_of_the_first_leaves_time_for_the_second(
    stage: Stage, asking: Asking, other: Stage, other_asking: Asking
) -> None:
    """The first one may use up a share of the run's time, never all of it."""
    stage.play(Answer(before=Act.HANG))
    chain = Chain([asking.model(first_byte=60, idle=60), other_asking.model()], Quote(), sleep=_no_wait)
    async with asyncio.timeout(20):
        ran = await run_loop(chain, "Hello", limits=Limits(seconds=3))
    assert not isinstance(ran.finish, Failed), ran.finish
    assert ran.finish.reason is not StopReason.TIME_LIMIT
    assert ran.answer.text == SECOND.text
    assert attempts(ran)[0].code == ModelTimeout.code
