"""Every misbehaviour, in every protocol, ends as a named outcome with the right next move: at the seam and in the loop."""

from __future__ import annotations

import asyncio
import time
from itertools import pairwise

import pytest

from conformance.conftest import KEY, Asking, Heard, request_of, run_loop
from conformance.server.faults import ELENA, HELLO, MISBEHAVIOURS, Misbehaviour
from conformance.server.http import Act, Answer, Drip, streaming
from conformance.server.script import Reply
from conformance.server.stage import PROTOCOLS, Stage
from sayso.core.events import Failed
from sayso.core.messages import Outcome, StopReason
from sayso.core.ports import Notice, ReasoningChunk
from sayso.core.progress import Limits
from sayso.errors import ModelError, ModelTimeout

pytestmark = pytest.mark.anyio

# --- the three places where an outcome is looked at ---------------------------------------------------------------------


async def _at_the_seam(stage: Stage, asking: Asking, wrong: Misbehaviour) -> None:
    stage.play(*wrong.play(stage.provider))
    model = asking.model(first_byte=wrong.first_byte, idle=wrong.idle)
    heard = await asking.hear(model, request_of(seconds_left=wrong.seconds))
    _named(heard, wrong)
    assert len(stage.asked) <= wrong.moves, "asked more often than may help"
    _patient(heard.waits, wrong.seconds)


async def _in_the_loop(stage: Stage, asking: Asking, wrong: Misbehaviour) -> None:
    """Exactly one end, by name, within the time of the run; and no call of a cut reply runs."""
    stage.play(*wrong.play(stage.provider))
    model = asking.model(first_byte=wrong.first_byte, idle=wrong.idle)
    ran = await run_loop(model, "Hello", limits=Limits(seconds=wrong.seconds))
    assert all(not result.facts for result in ran.results)
    if isinstance(ran.finish, Failed):
        assert "fails" in wrong.outcome, ran.finish
        assert ran.finish.code in _codes(wrong.error), ran.finish
        assert ran.finish.message
        return
    assert ran.finish.outcome in (Outcome.ANSWERED, Outcome.ABSTAINED)
    assert ran.answer.text.strip(), "never empty"
    ran.answer.text.encode()
    assert not ran.answer.cut or "cut" in wrong.outcome or wrong.name == "length"
    if wrong.outcome == ("whole",) and wrong.text is None:
        assert ran.answer.text == HELLO.text


async def _after_facts(stage: Stage, asking: Asking, wrong: Misbehaviour) -> None:
    """A look-up succeeded, then the server misbehaves: the facts themselves are the answer."""
    if wrong.outcome != ("fails",):
        return
    stage.play(ELENA, *wrong.play(stage.provider))
    model = asking.model(first_byte=max(wrong.first_byte, 2.0), idle=wrong.idle)
    ran = await run_loop(model, "Who is Elena?", limits=Limits(seconds=max(wrong.seconds, 3.0)))
    assert not isinstance(ran.finish, Failed), ran.finish
    assert ran.finish.reason in (StopReason.MODEL_FAILED, StopReason.TIME_LIMIT), ran.finish
    assert "Elena Weber" in ran.answer.text
    assert "[F1]" in ran.answer.text


def _named(heard: Heard, wrong: Misbehaviour) -> None:
    shown = [e for e in heard.events if not isinstance(e, Notice | ReasoningChunk)]
    if heard.error is not None:
        assert "fails" in wrong.outcome, heard.error
        assert isinstance(heard.error, wrong.error), repr(heard.error)
        assert not shown, "an error comes before anything is shown, or not at all"
        told = str(heard.error)
        assert told.isprintable(), "a message is fit for a terminal and a log"
        assert len(told) < 1200
        assert KEY not in told
        return
    heard.text.encode()  # no lone surrogate goes further
    if heard.end is None:
        assert "cut" in wrong.outcome, heard
        assert not heard.calls, "the calls of a cut reply are never run"
        assert heard.text == ("Hello! How can " if wrong.text is None else wrong.text)
    else:
        assert "whole" in wrong.outcome, heard
        assert heard.text == (HELLO.text if wrong.text is None else wrong.text)
        assert 0 <= heard.end.usage.input_tokens < 1e9
        assert 0 <= heard.end.usage.output_tokens < 1e9


def _codes(error: type[ModelError]) -> set[str]:
    return {error.code}.union(*(_codes(kind) for kind in error.__subclasses__()))


def _patient(waits: list[float], seconds: float) -> None:
    """At most two waits, none of them absurd, and together within the time of the run."""
    assert len(waits) <= 2
    assert all(0 <= wait <= 30 for wait in waits)
    assert sum(waits) < seconds


PLACES = {"seam": _at_the_seam, "loop": _in_the_loop, "after-facts": _after_facts}


def row(number: str) -> pytest.MarkDecorator:
    """All misbehaviours of a row of FAULTS.md, in every protocol that can show them, in every place."""
    return pytest.mark.parametrize(
        ("protocol", "place", "wrong"),
        [
            pytest.param(protocol, place, wrong, id=f"{protocol}-{place}-{wrong.name}".replace(" ", "_"))
            for wrong in MISBEHAVIOURS
            for protocol in PROTOCOLS
            for place in PLACES
            if wrong.row == number
            and (place == "seam" or not wrong.slow or protocol in ("chat", "anthropic"))
            and (place != "after-facts" or protocol in ("chat", "gemini"))  # from here on the loop sees the same errors
            and protocol in wrong.protocols
            and (place != "after-facts" or "fails" in wrong.outcome)
        ],
    )


async def _holds(stage: Stage, asking: Asking, place: str, wrong: Misbehaviour) -> None:
    async with asyncio.timeout(25):  # only so that a hang fails here, and not the whole suite
        await PLACES[place](stage, asking, wrong)
    assert not stage.refused, "our own request broke the provider's rules"


@row("m1")
async def test_m1_a_busy_server_is_waited_for_as_it_asks_and_no_longer(
    stage: Stage, asking: Asking, place: str, wrong: Misbehaviour
) -> None:
    await _holds(stage, asking, place, wrong)


@row("m2")
async def test_m2_absurd_waits_are_replaced_by_our_own(
    stage: Stage, asking: Asking, place: str, wrong: Misbehaviour
) -> None:
    await _holds(stage, asking, place, wrong)


@row("m3")
async def test_m3_failures_are_tried_again_and_refusals_are_not(
    stage: Stage, asking: Asking, place: str, wrong: Misbehaviour
) -> None:
    await _holds(stage, asking, place, wrong)


@row("m4")
async def test_m4_a_redirect_to_a_metadata_address_is_not_followed(
    stage: Stage, asking: Asking, place: str, wrong: Misbehaviour
) -> None:
    await _holds(stage, asking, place, wrong)


@row("m5")
async def test_m5_silence_before_the_first_word_is_a_timeout(
    stage: Stage, asking: Asking, place: str, wrong: Misbehaviour
) -> None:
    await _holds(stage, asking, place, wrong)


@row("m6")
async def test_m6_silence_or_a_drip_in_mid_stream_is_a_cut(
    stage: Stage, asking: Asking, place: str, wrong: Misbehaviour
) -> None:
    await _holds(stage, asking, place, wrong)


@row("m7")
async def test_m7_a_reset_is_a_cut_and_no_call_of_it_runs(
    stage: Stage, asking: Asking, place: str, wrong: Misbehaviour
) -> None:
    await _holds(stage, asking, place, wrong)


@row("m8")
async def test_m8_a_clean_close_without_a_finish_is_a_cut(
    stage: Stage, asking: Asking, place: str, wrong: Misbehaviour
) -> None:
    await _holds(stage, asking, place, wrong)


@row("m9")
async def test_m9_what_is_no_chat_is_told_as_such(
    stage: Stage, asking: Asking, place: str, wrong: Misbehaviour
) -> None:
    await _holds(stage, asking, place, wrong)


@row("m10")
async def test_m10_bytes_that_are_no_text_do_no_harm(
    stage: Stage, asking: Asking, place: str, wrong: Misbehaviour
) -> None:
    await _holds(stage, asking, place, wrong)


@row("m14")
async def test_m14_ends_that_contradict_have_their_table(
    stage: Stage, asking: Asking, place: str, wrong: Misbehaviour
) -> None:
    await _holds(stage, asking, place, wrong)


@row("m16")
async def test_m16_errors_and_absurd_counts_within_the_stream_are_typed(
    stage: Stage, asking: Asking, place: str, wrong: Misbehaviour
) -> None:
    await _holds(stage, asking, place, wrong)


@row("m17")
async def test_m17_a_context_that_is_too_small_is_named_in_the_stream_too(
    stage: Stage, asking: Asking, place: str, wrong: Misbehaviour
) -> None:
    await _holds(stage, asking, place, wrong)


# --- whole families of bytes --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reply", [HELLO, ELENA], ids=["text", "call"])
async def test_m7_m8_a_stream_that_ends_at_any_byte_is_cut_unless_its_finish_came(
    stage: Stage, asking: Asking, reply: Reply
) -> None:
    """Ends cleanly (HTTP says 200 and all is well) at every byte: text before it is kept, no character is broken."""
    told = stage.provider.stream(reply)
    needed = len(b"".join((*told.opening, *told.body)))
    model = asking.model()
    for at in (*range(1, needed, 5), *range(needed, len(told.whole) + 1, 3), len(told.whole)):
        stage.play(streaming((told.whole[:at],)))
        heard = await asking.hear(model, request_of())
        assert "�" not in heard.text
        assert reply.text.startswith(heard.text)
        if heard.end is None or heard.error is not None:
            assert not heard.calls
            assert at < len(told.whole)
        else:
            assert at > needed, "an end without its finish"
            assert heard.text == reply.text
            assert [call.name for call in heard.calls] == [call.name for call in reply.calls]


async def test_g3_m10_a_stream_split_at_any_byte_says_the_same(stage: Stage, asking: Asking) -> None:
    reply = Reply((*HELLO.parts, *ELENA.parts), "calls")
    whole, model, heard = stage.provider.stream(reply).whole, asking.model(), list[Heard]()
    for at in range(1, len(whole), 9):
        stage.play(streaming((whole[:at], Act.BREATHE, whole[at:])))
        heard.append(await asking.hear(model, request_of()))
    assert all(one.text == HELLO.text for one in heard)
    for one, other in pairwise(heard):
        assert one.error is None
        assert [(c.name, c.arguments) for c in one.calls] == [(c.name, c.arguments) for c in other.calls]
        assert one.end == other.end


async def test_m4_no_redirect_is_followed_to_any_address(asking: Asking, stage: Stage) -> None:
    """Not even to the server itself: one request, one refusal."""
    target = stage.url + "/somewhere"
    stage.play(streaming((), status=307, headers={"Location": target}), HELLO)
    heard = await asking.hear(asking.model(), request_of())
    assert heard.error is not None
    assert not heard.error.retryable
    assert len(stage.asked) == 1


async def test_m1_m5_a_run_ends_within_its_time_whatever_the_server_does(asking: Asking, stage: Stage) -> None:
    """A hang costs the time limit of the run, not that of the connection."""
    stage.play(streaming((Act.HANG,)))
    began = time.monotonic()
    async with asyncio.timeout(15):
        ran = await run_loop(asking.model(first_byte=60, idle=60), "Hello", limits=Limits(seconds=0.3))
    assert isinstance(ran.finish, Failed)
    assert ran.finish.code == "model_timeout"
    assert time.monotonic() - began >= 0.3


HANGS = {
    "before_headers": Answer(before=Act.HANG),
    "after_headers": streaming((Act.HANG,)),
    "dripping": streaming((Drip(b": keep-alive\n\n"),)),
}


@pytest.mark.parametrize("answer", HANGS.values(), ids=HANGS)
async def test_m5_m6_the_connection_of_a_reply_that_is_given_up_is_closed(
    stage: Stage, asking: Asking, answer: Answer
) -> None:
    stage.play(answer)
    heard = await asking.hear(asking.model(first_byte=0.1, idle=0.1), request_of(seconds_left=0.2))
    assert isinstance(heard.error, ModelTimeout)
    async with asyncio.timeout(10):
        await stage.served.left.wait()


async def test_m6_a_person_who_stops_the_run_closes_the_connection(stage: Stage, asking: Asking) -> None:
    told = stage.provider.stream(HELLO)
    stage.play(streaming((*told.opening, *told.body, Act.HANG)))
    run = asyncio.create_task(run_loop(asking.model(), "Hello"))
    async with asyncio.timeout(10):
        await stage.came.wait()
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        await stage.served.left.wait()
