"""The loop over scripted models: its bounds, its ends, and the faults of FIELD-NOTES A by number."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from sayso.core.events import ClientToolCall, FactsFound, Failed, RunStarted, Status, TextDelta, UsageReport, Verified
from sayso.core.evidence import Evidence
from sayso.core.facts import Fact
from sayso.core.messages import (
    CallPart,
    CallStatus,
    Message,
    Outcome,
    PreamblePart,
    ResultPart,
    ResultReason,
    Role,
    StopReason,
    TextPart,
    ToolCall,
    ToolResult,
    Usage,
    open_calls,
)
from sayso.core.ports import ModelEvent, ModelRequest, TextChunk
from sayso.core.progress import Limits
from sayso.core.tools import Actor, ReadResult, ToolContext, define_tool
from sayso.errors import ModelBusy, ModelTimeout
from sayso.models.scripted import Scripted, call, calls, cut, empty, fail, say, text_call
from small_world import ELENA, PERSON, Query

pytestmark = pytest.mark.anyio

Run = Callable[..., Any]
GOOD = "Elena Weber works at SINGA Switzerland [F1]. Her role is not recorded [F1]."
SEARCH_ELENA = call("search_people", query="Elena")


def results(ran: Any) -> list[ToolResult]:
    return [result for message in ran.messages for result in message.results]


def told(ran: Any) -> str:
    return "".join(delta.text for delta in ran.of(TextDelta))


async def test_a_question_becomes_an_answer_with_its_source(run: Run) -> None:
    with Scripted([SEARCH_ELENA, say(GOOD)]) as model:
        ran = await run(model)
    assert ran.answer.text == GOOD
    assert ran.answer.citations == ("F1",)
    assert (ran.finish.outcome, ran.finish.reason) == (Outcome.ANSWERED, StopReason.ANSWERED)
    assert [m.role for m in ran.messages] == [Role.USER, Role.ASSISTANT, Role.TOOL, Role.ASSISTANT]
    assert [n.ref for n in ran.of(FactsFound)[0].facts] == ["F1", "F2"]
    assert told(ran) == ran.answer.text
    assert isinstance(ran.events[0], RunStarted)


async def test_the_line_protocol_drives_the_same_loop(run: Run) -> None:
    with Scripted([text_call("search_people", query="Elena"), say(GOOD)]) as model:
        ran = await run(model)
    assert ran.answer.text == GOOD
    assert "TOOL" not in told(ran)


async def test_a_call_that_came_both_ways_runs_once(run: Run) -> None:
    class Both:
        name = "both"
        asked = 0

        async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
            model = Scripted([SEARCH_ELENA] if self.asked == 0 else [say(GOOD)])
            if self.asked == 0:
                yield TextChunk('TOOL: search_people\nARGS: {"query": "Elena"}\n')
            self.asked += 1
            async for event in model.stream(request):
                yield event

    ran = await run(Both())
    assert len(results(ran)) == 1


async def test_reads_of_one_step_run_together_and_keep_their_order(run: Run) -> None:
    with Scripted([calls(SEARCH_ELENA, call("list_people")), say(GOOD)]) as model:
        ran = await run(model)
    first, second = results(ran)
    assert [n.ref for n in first.facts] == ["F1", "F2"]
    assert [n.fact.subject for n in second.facts][:3] == ["Elena Weber", "Ilya Druzhnikov", "Mara Lindt"]


async def test_a_greeting_needs_no_record(run: Run) -> None:
    with Scripted([say("Hello! How can I help?")]) as model:
        ran = await run(model, "hello")
    assert ran.answer.text == "Hello! How can I help?"
    assert ran.finish.outcome is Outcome.ANSWERED


async def test_seed_facts_come_first_and_can_be_cited(run: Run) -> None:

    with Scripted([say(GOOD)]) as model:
        ran = await run(model, seeds=[ELENA])
    assert ran.answer.text == GOOD
    assert model.requests[0].messages[0].facts[0].ref == "F1"


# --- the incident, and swaps ---------------------------------------------------------------------------------------


async def test_letters_inside_a_surname_are_no_affiliation(run: Run) -> None:
    """ "Ilya Druzhnikov (UZH)": caught, asked for again, and the repair is what the person reads."""
    wrong = "Ilya Druzhnikov (UZH) can be reached at ilya@druzhnikov.example [F1]."
    right = "Ilya Druzhnikov can be reached at ilya@druzhnikov.example [F1]. His affiliation is not recorded [F1]."
    with Scripted([call("search_people", query="Ilya"), say(wrong), say(right)]) as model:
        ran = await run(model, "Who is Ilya?")
    assert ran.answer.text == right
    assert ran.of(Verified)[0].repaired
    assert "UZH" not in told(ran)


async def test_an_invented_affiliation_that_is_not_mended_is_withheld(run: Run) -> None:
    wrong = "Ilya Druzhnikov (UZH) is your contact [F1]."
    with Scripted([call("search_people", query="Ilya"), say(wrong), say(wrong)]) as model:
        ran = await run(model, "Who is Ilya?")
    assert "UZH" not in ran.answer.text
    assert "ilya@druzhnikov.example" in ran.answer.text
    assert ran.finish.reason is StopReason.WITHHELD


@pytest.mark.parametrize(
    "swap",
    [
        "Elena Weber is an architect [F1].",
        "Elena Weber's phone number is +41 79 555 01 02 [F1].",
        "Elena Weber was born on 7 April 1981 [F1].",
    ],
)
async def test_what_belongs_to_someone_else_is_withheld(run: Run, swap: str) -> None:
    with Scripted([call("list_people"), say(swap), say(swap)]) as model:
        ran = await run(model, "Tell me about Elena")
    assert swap not in ran.answer.text
    assert "architect" not in ran.answer.text.split("Mara")[0]


async def test_a_false_done_is_withheld(run: Run) -> None:
    """M15/H10: only a receipt lets anyone say that something was done."""
    lie = "I have sent the message to Elena."
    with Scripted([call("propose_message", person="Elena", text="Hi"), say(lie), say(lie)]) as model:
        ran = await run(model, "Write to Elena")
    assert "I have sent" not in ran.answer.text


# --- bounds --------------------------------------------------------------------------------------------------------


async def test_a_model_that_calls_for_ever_is_stopped_and_the_facts_are_quoted(run: Run) -> None:
    with Scripted([SEARCH_ELENA, call("list_people"), call("search_people", query="Mara")]) as model:
        ran = await run(model)
    assert (ran.finish.outcome, ran.finish.reason) == (Outcome.ABSTAINED, StopReason.STEP_LIMIT)
    assert "SINGA Switzerland" in ran.answer.text
    assert "[F1]" in ran.answer.text
    assert results(ran)[-1].reason is ResultReason.TOOLS_CLOSED


async def test_a5_the_second_identical_call_is_answered_from_the_evidence_and_the_third_closes_the_tools(
    run: Run,
) -> None:
    again = [SEARCH_ELENA, SEARCH_ELENA, SEARCH_ELENA, say(GOOD)]
    with Scripted(again) as model:
        ran = await run(model, limits=Limits(steps=8))
    first, second, third = results(ran)
    assert (second.reason, second.facts) == (ResultReason.REPEATED, first.facts)
    assert (third.status, third.reason) == (CallStatus.NOT_RUN, ResultReason.TOOLS_CLOSED)
    assert not model.requests[3].tools_open
    assert ran.answer.text == GOOD


async def test_a7_no_progress_is_a_recorded_reason(run: Run) -> None:
    with Scripted([SEARCH_ELENA] * 4) as model:
        ran = await run(model, limits=Limits(steps=8))
    assert ran.finish.reason is StopReason.NO_PROGRESS


async def test_the_same_call_twice_in_one_step_runs_once(run: Run) -> None:
    with Scripted([calls(SEARCH_ELENA, SEARCH_ELENA), say(GOOD)]) as model:
        ran = await run(model)
    first, second = results(ran)
    assert (first.reason, second.reason) == (None, ResultReason.REPEATED)


async def test_more_than_four_calls_in_a_step_are_not_run(run: Run) -> None:
    many = [call("search_people", query=f"n{i}") for i in range(6)]
    with Scripted([calls(*many), say("Nobody by these names was found [F1].")]) as model:
        ran = await run(model)
    assert [r.reason for r in results(ran)] == [None] * 4 + [ResultReason.TOO_MANY_CALLS] * 2


async def test_unknown_tools_come_back_with_near_names(run: Run) -> None:
    with Scripted([call("search_peple", query="Elena"), SEARCH_ELENA, say(GOOD)]) as model:
        ran = await run(model)
    assert results(ran)[0].reason is ResultReason.UNKNOWN_TOOL
    from sayso.core.protocols.history import native_chat

    assert 'There is no tool "search_peple". Did you mean search_people' in native_chat(model.requests[1])[-1].text


async def test_bad_arguments_bring_back_the_example_and_no_validation_dump(run: Run) -> None:
    with Scripted([call("search_people", name="Elena"), SEARCH_ELENA, say(GOOD)]) as model:
        ran = await run(model)
    assert results(ran)[0].reason is ResultReason.BAD_ARGUMENTS
    from sayso.core.protocols.history import native_chat

    text = native_chat(model.requests[1])[-1].text
    assert '{"query": "Elena"}' in text
    assert "pydantic" not in text
    assert "Field required" not in text


async def test_a_failed_tool_reads_as_unknown(run: Run) -> None:

    async def broken(arguments: Query, context: ToolContext) -> ReadResult:
        raise RuntimeError("secret: password123")

    tool = define_tool("search_people", kind="read", description="", arguments=Query, run=broken,
                       example={"query": "x"}, covers=PERSON)  # fmt: skip
    with Scripted([SEARCH_ELENA, say("I could not look Elena up, so I do not know.")]) as model:
        ran = await run(model, tools=[tool])
    assert results(ran)[0].reason is ResultReason.TOOL_FAILED
    from sayso.core.protocols.history import native_chat

    text = native_chat(model.requests[1])[-1].text
    assert "unknown" in text
    assert "password" not in text


async def test_a_role_that_may_not_read_is_denied(run: Run) -> None:
    with Scripted([SEARCH_ELENA, say("I may not look that up.")]) as model:
        ran = await run(model, actor=Actor("x", "x", frozenset()))
    assert (results(ran)[0].status, results(ran)[0].reason) == (CallStatus.DENIED, ResultReason.NOT_ALLOWED)


async def test_g7_an_empty_reply_is_asked_once_more_and_then_the_facts_are_quoted(run: Run) -> None:
    with Scripted([SEARCH_ELENA, empty(), empty()]) as model:
        ran = await run(model)
    assert (ran.finish.outcome, ran.finish.reason) == (Outcome.ABSTAINED, StopReason.EMPTY_REPLY)
    assert "SINGA Switzerland" in ran.answer.text


async def test_an_empty_reply_may_be_made_good(run: Run) -> None:
    with Scripted([empty(), say("Hello!")]) as model:
        ran = await run(model, "hello")
    assert (ran.answer.text, ran.finish.reason) == ("Hello!", StopReason.ANSWERED)


async def test_nothing_at_all_still_ends_with_words(run: Run) -> None:
    with Scripted([empty(), empty()]) as model:
        ran = await run(model, "hello", locale="de")
    assert ran.answer.text.startswith("Darauf habe ich keine Antwort")


async def test_a9_the_last_step_says_so_and_offers_no_tools(run: Run) -> None:
    with Scripted([SEARCH_ELENA, call("list_people"), say(GOOD)]) as model:
        await run(model)
    assert [r.tools_open for r in model.requests] == [True, True, False]
    assert "Answer now" in model.requests[2].hint


async def test_a8_partial_work_is_kept_at_the_cap(run: Run) -> None:
    with Scripted([SEARCH_ELENA, call("list_people"), call("list_people")]) as model:
        ran = await run(model)
    assert len(results(ran)) == 3
    assert not open_calls(ran.messages)


async def test_a3_the_count_of_steps_survives_resubmission(run: Run) -> None:
    with Scripted([say("Hello.")]) as model:
        ran = await run(model, "hello", steps_used=2)
    assert not model.requests[0].tools_open
    assert ran.of(UsageReport)[0].steps == 3


async def test_a_cut_reply_is_verified_and_shown_as_cut(run: Run) -> None:
    with Scripted([SEARCH_ELENA, cut("Elena Weber works at SINGA Switzerland [F1]. Her ro")]) as model:
        ran = await run(model)
    assert ran.answer.cut
    assert ran.answer.text.startswith("Elena Weber works at SINGA Switzerland [F1].")
    assert "cut off" in ran.answer.text
    assert ran.finish.reason is StopReason.CUT


async def test_m7_the_calls_of_a_cut_reply_are_never_run(run: Run) -> None:
    with Scripted([cut("TOOL: list_people\nARGS: {}"), say("Hello.")]) as model:
        ran = await run(model)
    assert all(result.status is CallStatus.NOT_RUN for result in results(ran))


async def test_a_model_that_fails_is_a_named_error(run: Run) -> None:
    with Scripted([fail(ModelBusy("try later"))]) as model:
        ran = await run(model)
    assert ran.finish == Failed("model_busy", "try later", True)


async def test_a_model_that_fails_after_facts_ends_with_the_facts(run: Run) -> None:
    with Scripted([SEARCH_ELENA, fail(ModelTimeout("slow"))]) as model:
        ran = await run(model)
    assert (ran.finish.outcome, ran.finish.reason) == (Outcome.ABSTAINED, StopReason.TIME_LIMIT)
    assert "SINGA Switzerland" in ran.answer.text


async def test_the_token_budget_closes_the_tools(run: Run) -> None:
    with Scripted([say("Hello.")]) as model:
        await run(model, "hello", limits=Limits(steps=8, tokens=0))
    assert not model.requests[0].tools_open


def test_an_exchange_has_at_most_twenty_steps() -> None:
    with pytest.raises(ValueError, match="1 to 20"):
        Limits(steps=21)


# --- the two deployments -------------------------------------------------------------------------------------------


class CallersOnly:
    """A runner that may run nothing itself."""

    def may_run(self, call: ToolCall) -> bool:
        return False

    async def run(self, call: ToolCall) -> ToolResult:
        raise AssertionError("not ours to run")


async def test_a2_a_call_for_the_caller_stays_open_and_the_run_waits(run: Run) -> None:
    with Scripted([SEARCH_ELENA]) as model:
        ran = await run(model, runner=CallersOnly())
    assert ran.finish.outcome is Outcome.WAITING
    assert [c.name for c in open_calls(ran.messages)] == ["search_people"]


async def test_an_exchange_goes_on_over_the_same_transcript(run: Run) -> None:
    with Scripted([SEARCH_ELENA]) as model:
        first = await run(model, runner=CallersOnly())
    evidence = Evidence()
    (open_call,) = open_calls(first.messages)
    result = ToolResult(open_call.id, CallStatus.SUCCESS, (evidence.add(ELENA),))
    so_far = (*first.messages, Message("m9", Role.TOOL, (ResultPart(result),), "ex_1"))
    with Scripted([say(GOOD)]) as model:
        ran = await run(model, runner=CallersOnly(), so_far=so_far, steps_used=1, evidence=evidence)
    assert ran.answer.text == GOOD
    assert [m.role for m in ran.messages] == [Role.ASSISTANT]


def answered(messages: tuple[Message, ...], *found: Fact, evidence: Evidence) -> tuple[Message, ...]:
    """The transcript with a success for each open call."""
    results = [ResultPart(ToolResult(c.id, CallStatus.SUCCESS, evidence.add_all(found))) for c in open_calls(messages)]
    return (*messages, Message(f"m{len(messages)}", Role.TOOL, tuple(results), "ex_1"))


async def test_the_callers_calls_obey_the_bound_of_a_step(run: Run) -> None:
    five = calls(*(call("search_people", query=name) for name in "abcde"))
    with Scripted([five]) as model:
        ran = await run(model, runner=CallersOnly())
    assert [c.call.arguments for c in ran.of(ClientToolCall)] == [f'{{"query": "{name}"}}' for name in "abcd"]
    (refused,) = [r for m in ran.messages for r in m.results]
    assert refused.reason is ResultReason.TOO_MANY_CALLS


async def test_a_call_twice_in_one_step_goes_to_the_caller_once(run: Run) -> None:
    with Scripted([calls(SEARCH_ELENA, SEARCH_ELENA)]) as model:
        ran = await run(model, runner=CallersOnly())
    assert len(ran.of(ClientToolCall)) == 1
    (twin,) = [r for m in ran.messages for r in m.results]
    assert (twin.status, twin.reason) == (CallStatus.NOT_RUN, ResultReason.REPEATED)
    assert len(open_calls(ran.messages)) == 1


async def test_a_repeated_call_is_answered_from_the_evidence_also_after_a_resubmission(run: Run) -> None:
    """A5: the second time the evidence answers, the third closes the tools; a resubmission restarts no count."""
    evidence = Evidence()
    with Scripted([SEARCH_ELENA]) as model:
        first = await run(model, runner=CallersOnly())
    so_far = answered(first.messages, ELENA, evidence=evidence)
    with Scripted([SEARCH_ELENA, call("list_people")]) as model:
        second = await run(
            model, runner=CallersOnly(), so_far=so_far, steps_used=1, evidence=evidence, limits=Limits(steps=8)
        )
    assert [c.call.name for c in second.of(ClientToolCall)] == ["list_people"]
    repeated = second.messages[1].results[0]
    assert (repeated.reason, [n.ref for n in repeated.facts]) == (ResultReason.REPEATED, ["F1"])
    so_far = answered((*so_far, *second.messages), evidence=evidence)
    with Scripted([SEARCH_ELENA, say(GOOD)]) as model:
        third = await run(
            model, runner=CallersOnly(), so_far=so_far, steps_used=3, evidence=evidence, limits=Limits(steps=8)
        )
    assert third.messages[1].results[0].reason is ResultReason.TOOLS_CLOSED
    assert third.answer.text == GOOD
    assert not model.requests[1].tools_open
    assert third.finish.outcome is Outcome.ANSWERED


async def test_tools_that_were_closed_stay_closed_after_a_resubmission(run: Run) -> None:
    calling = Message("m1", Role.ASSISTANT, (CallPart(ToolCall("c1", "search_people", "{}")),), "ex_1")
    closed = ToolResult("c1", CallStatus.NOT_RUN, reason=ResultReason.TOOLS_CLOSED)
    so_far = (calling, Message("m2", Role.TOOL, (ResultPart(closed),), "ex_1"))
    with Scripted([say("Hello! How can I help?")]) as model:
        await run(model, so_far=so_far, steps_used=1, limits=Limits(steps=8))
    assert not model.requests[0].tools_open


async def test_usage_and_what_was_told_survive_a_resubmission(run: Run) -> None:
    evidence = Evidence()
    with Scripted([SEARCH_ELENA]) as model:
        first = await run(model, runner=CallersOnly())
    so_far = answered(first.messages, ELENA, evidence=evidence)
    with Scripted([say(GOOD)]) as model:
        ran = await run(
            model, runner=CallersOnly(), so_far=so_far, steps_used=1, evidence=evidence, usage=Usage(5, 7),
            released="Good question. ",
        )  # fmt: skip
    assert ran.answer.text == f"Good question. {GOOD}"
    assert told(ran) == GOOD
    assert ran.of(UsageReport)[0].usage == Usage(5, 7)


async def test_a_proposal_is_answered_at_once_and_is_pending(run: Run) -> None:
    good = 'I have prepared a proposal, "Message to Elena"; it waits for your approval [F1].'
    with Scripted([call("propose_message", person="Elena", text="Hi"), say(good)]) as model:
        ran = await run(model, "Write to Elena")
    assert ran.answer.text == good
    assert results(ran)[0].facts[0].fact.values["state"] == "pending"


async def test_text_before_calls_is_a_preamble_and_no_part_of_the_answer(run: Run) -> None:
    class Chatty:
        name = "chatty"

        def __init__(self) -> None:
            self.model = Scripted([SEARCH_ELENA, say(GOOD)])

        async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
            if not request.messages[-1].results:
                yield TextChunk("Let me look that up.")
            async for event in self.model.stream(request):
                yield event

    ran = await run(Chatty())
    assert ran.answer.text == GOOD
    assert ran.messages[1].parts[0] == PreamblePart("Let me look that up.")


async def test_the_status_line_tells_what_is_looked_up(run: Run) -> None:
    with Scripted([SEARCH_ELENA, say(GOOD)]) as model:
        ran = await run(model)
    assert [(s.tool, s.text, s.state) for s in ran.of(Status)] == [
        ("search_people", '"Elena"', None),
        ("search_people", "", CallStatus.SUCCESS),
    ]


async def test_released_text_is_final_and_the_answer_begins_with_it(run: Run) -> None:
    draft = f"{GOOD} She was born on 3 May 1990 [F1]."
    with Scripted([SEARCH_ELENA, say(draft, chunks=7), say("Her birthday is not recorded [F1].")]) as model:
        ran = await run(model)
    assert told(ran) == ran.answer.text
    assert ran.answer.text == f"{GOOD} Her birthday is not recorded [F1]."
    assert GOOD.split(".")[0] in ran.of(TextDelta)[0].text


async def test_a_repair_that_is_worse_is_not_kept(run: Run) -> None:
    draft = f"{GOOD} She was born on 3 May 1990 [F1]."
    with Scripted([SEARCH_ELENA, say(draft), say("I do not know.")]) as model:
        ran = await run(model)
    assert ran.answer.text.startswith(GOOD)
    assert "1990" not in ran.answer.text


class Hanging:
    """Says something, or nothing, and then never ends."""

    name = "hanging"

    def __init__(self, text: str = "") -> None:
        self.text = text

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        if self.text:
            yield TextChunk(self.text)
        await asyncio.Event().wait()


async def test_m5_a_model_that_hangs_is_timed_out(run: Run) -> None:
    ran = await run(Hanging(), limits=Limits(seconds=0.02))
    assert ran.finish.code == "model_timeout"


async def test_m6_a_model_that_hangs_in_mid_stream_is_cut(run: Run) -> None:
    ran = await run(Hanging("Hello there. How are"), "hello", limits=Limits(seconds=0.02))
    assert ran.answer.cut
    assert ran.answer.text.startswith("Hello there.")


async def test_cancelling_a_run_is_not_taken_for_a_timeout(run: Run) -> None:
    task = asyncio.create_task(run(Hanging()))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_t2_a_tool_that_hangs_ends_within_the_exchange(run: Run) -> None:
    async def hang(arguments: Query, context: ToolContext) -> ReadResult:
        await asyncio.Event().wait()
        raise AssertionError

    tool = define_tool("search_people", kind="read", description="", arguments=Query, run=hang,
                       example={"query": "x"}, covers=PERSON)  # fmt: skip
    with Scripted([SEARCH_ELENA, say("I could not look that up.")]) as model:
        ran = await run(model, tools=[tool], limits=Limits(seconds=0.02))
    assert results(ran)[0].reason is ResultReason.TOOL_TIMEOUT


async def test_a1_a_finished_exchange_cannot_be_resubmitted(run: Run) -> None:
    with Scripted([SEARCH_ELENA, say(GOOD)]) as model:
        first = await run(model)
    with Scripted([]) as model:
        ran = await run(model, so_far=first.messages, steps_used=2)
    assert ran.finish.code == "exchange_finished"
    assert model.requests == []


async def test_a2_an_exchange_whose_results_are_missing_is_not_asked_again(run: Run) -> None:
    with Scripted([SEARCH_ELENA]) as model:
        first = await run(model, runner=CallersOnly())
    with Scripted([]) as model:
        ran = await run(model, so_far=first.messages, steps_used=1)
    assert ran.finish.code == "results_missing"


async def test_a3_no_step_is_left_after_the_cap_however_often_it_is_resubmitted(run: Run) -> None:
    result = ToolResult("c1", CallStatus.SUCCESS, ())
    so_far = (
        Message("m1", Role.USER, (TextPart("Who?"),), "ex_1"),
        Message("m2", Role.ASSISTANT, (CallPart(ToolCall("c1", "list_people", "{}")),), "ex_1"),
        Message("m3", Role.TOOL, (ResultPart(result),), "ex_1"),
    )
    with Scripted([]) as model:
        ran = await run(model, so_far=so_far, steps_used=3)
    assert (ran.finish.code, ran.finish.reason) == ("step_limit", StopReason.STEP_LIMIT)
