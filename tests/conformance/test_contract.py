"""One contract for every protocol, with native calls and in text: replies, whole exchanges, and requests that are valid.

The server refuses what its provider would refuse, so each exchange here also shows that our requests keep the rules.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from pydantic import BaseModel, Field

from conformance.conftest import Asking, CountingIds, Ran, request_of, run_loop
from conformance.server.script import Call, Reply, Text, Thought, ask, call, say
from conformance.server.stage import Stage
from sayso.core.events import FactsFound, Failed
from sayso.core.evidence import Evidence
from sayso.core.messages import (
    CallPart,
    CallStatus,
    Message,
    Outcome,
    ResultPart,
    ResultReason,
    Role,
    StopReason,
    TextPart,
    ToolCall,
    ToolResult,
    Usage,
)
from sayso.core.ports import FinishReason, NativeCall, ReasoningChunk, ReplyEnd, TextChunk
from sayso.core.progress import Limits
from sayso.core.tools import ReadResult, ToolContext, define_tool
from small_world import ELENA, PERSON

pytestmark = pytest.mark.anyio

GOOD = "Elena Weber works at SINGA Switzerland [F1]. Her role is not recorded [F1]."
SEARCH_ELENA = call("search_people", query="Elena")
SEARCH_MARA = call("search_people", query="Mara")


# --- one reply, at the seam ---------------------------------------------------------------------------------------------


async def test_text_arrives_in_order_with_its_usage_and_end(stage: Stage, asking: Asking) -> None:
    stage.play(say("Hal", "lo ", "Zürich ", "🎉", usage=(1234, 56)))
    heard = await asking.hear(asking.model(), request_of())
    assert heard.text == "Hallo Zürich 🎉"
    assert heard.end == ReplyEnd(FinishReason.STOP, Usage(1234, 56))


async def test_a_very_long_chunk_is_passed_on_whole(stage: Stage, asking: Asking) -> None:
    stage.play(say("Zürich " * 250_000, "end"))
    heard = await asking.hear(asking.model(), request_of())
    assert heard.text == "Zürich " * 250_000 + "end"
    assert heard.end is not None


async def test_reasoning_is_kept_apart(stage: Stage, asking: Asking) -> None:
    stage.play(Reply((Thought(("Let me ", "see. TOOL: search_people")), Text(("Hello",)))))
    heard = await asking.hear(asking.model(), request_of())
    assert heard.text == "Hello"
    assert "".join(e.text for e in heard.events if isinstance(e, ReasoningChunk)) == "Let me see. TOOL: search_people"
    assert not heard.calls


@pytest.mark.parametrize("arguments", ['{"query":"Elena"}', '{"query":"Zoë \\"Q\\" 🎉","limit":[1,{"a":null}]}', "{}"])
async def test_a_call_arrives_whole(stage: Stage, asking: Asking, arguments: str) -> None:
    stage.play(Reply((Text(("I look.",)), Call("search_people", arguments, pieces=7)), "calls"))
    heard = await asking.hear(asking.model(), request_of())
    assert heard.text == "I look."
    (found,) = heard.calls
    assert (found.name, json.loads(found.arguments)) == ("search_people", json.loads(arguments))
    assert heard.end is not None
    assert heard.end.reason is FinishReason.TOOL_CALLS


async def test_a_call_without_arguments_has_an_empty_object(stage: Stage, asking: Asking) -> None:
    stage.play(Reply((Call("list_people", ""),), "calls"))
    heard = await asking.hear(asking.model(), request_of())
    assert [(c.name, json.loads(c.arguments)) for c in heard.calls] == [("list_people", {})]


async def test_parallel_calls_arrive_in_order(stage: Stage, asking: Asking) -> None:
    stage.play(ask(SEARCH_ELENA, call("list_people"), SEARCH_MARA))
    heard = await asking.hear(asking.model(), request_of())
    assert [(c.name, json.loads(c.arguments)) for c in heard.calls] == [
        ("search_people", {"query": "Elena"}), ("list_people", {}), ("search_people", {"query": "Mara"}),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("reply", "reason", "runs"),
    [
        (replace(ask(SEARCH_ELENA), finish="stop"), FinishReason.TOOL_CALLS, True),
        (say("Hello", finish="calls"), FinishReason.STOP, False),
        (replace(ask(SEARCH_ELENA), finish="length"), FinishReason.LENGTH, False),
        (replace(ask(SEARCH_ELENA), finish="filter"), FinishReason.CONTENT_FILTER, False),
        (say("Hel", finish="length"), FinishReason.LENGTH, False),
        (say("Hel", finish="filter"), FinishReason.CONTENT_FILTER, False),
        (Reply(()), FinishReason.STOP, False),
    ],
    ids=["call-stop", "text-calls", "call-length", "call-filter", "text-length", "text-filter", "empty"],
)
async def test_m14_what_a_finish_means_is_one_table(
    stage: Stage, asking: Asking, reply: Reply, reason: FinishReason, runs: bool
) -> None:
    stage.play(reply)
    heard = await asking.hear(asking.model(), request_of())
    assert heard.error is None
    assert heard.end is not None
    assert heard.end.reason is reason
    assert bool(heard.calls) is runs


@pytest.mark.parametrize("native", [True, False], ids=["native", "text"])
async def test_a_request_carries_system_question_and_tools(stage: Stage, asking: Asking, native: bool) -> None:
    stage.play(say("Hi"))
    await asking.hear(asking.model(native=native), request_of(system="Be brief and kind."))
    body = json.dumps(stage.asked[0].body)
    assert not stage.refused
    assert "Be brief and kind." in body
    assert "search_people" in body
    assert ("TOOL: name" in body) is not native
    assert ("tools" in stage.asked[0].body) is native


async def test_the_key_travels_in_a_header_and_nowhere_else(stage: Stage, asking: Asking) -> None:
    stage.play(say("Hi"))
    await asking.hear(asking.model(), request_of())
    asked = stage.asked[0]
    headers = [name for name, value in asked.headers.items() if "sk-secret" in value]
    assert headers == [
        {"anthropic": "x-api-key", "gemini": "x-goog-api-key"}.get(stage.provider.protocol, "authorization")
    ]
    assert "sk-secret" not in asked.path + str(asked.query) + asked.data.decode()
    assert "cookie" not in asked.headers


# --- whole exchanges, through the loop ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scenario:
    """`said` is what the model answers in turn; `ends` the exchange's outcome and reason; `statuses` of its results."""

    name: str
    question: str
    said: Sequence[Reply]
    statuses: Sequence[CallStatus] = ()
    outcome: Outcome = Outcome.ANSWERED
    reason: StopReason = StopReason.ANSWERED
    text: str = ""
    limits: Limits = field(default_factory=Limits)
    reasons: Sequence[ResultReason | None] | None = None


OK, FAILED, NOT_RUN = CallStatus.SUCCESS, CallStatus.FAILED, CallStatus.NOT_RUN
SCENARIOS = [
    Scenario("a greeting", "hello", [say("Hello! ", "How can I help?")], text="Hello! How can I help?"),
    Scenario("one read", "Who is Elena?", [ask(SEARCH_ELENA), say(GOOD)], [OK], text=GOOD),
    Scenario("a read with a preamble", "Who is Elena?", [ask(SEARCH_ELENA, before="I look that up."), say(GOOD)], [OK], text=GOOD),
    Scenario("a read after reasoning", "Who is Elena?", [Reply((Thought(("Hm.",)), SEARCH_ELENA), "calls"), say(GOOD)], [OK], text=GOOD),
    Scenario("two parallel reads", "Who are Elena and Mara?", [ask(SEARCH_ELENA, SEARCH_MARA), say("Mara Lindt is an architect [F3].")],
             [OK, OK], text="Mara Lindt is an architect [F3]."),
    Scenario("a read, then another", "Who is Mara?", [ask(call("search_people", query="Lindt")), ask(call("list_people")), say("Mara Lindt is an architect [F1].")],
             [OK, OK], text="Mara Lindt is an architect [F1]."),
    Scenario("nothing found", "Who is Zoltan?", [ask(call("search_people", query="Zoltan")), say("No person named Zoltan was found [F1].")], [OK]),
    Scenario("a proposal", "Write to Elena", [ask(call("propose_message", person="Elena", text="Hello")), say("I have proposed a message to Elena [F1].")], [OK]),
    Scenario("an unknown tool", "Who is Elena?", [ask(call("find_people", query="Elena")), ask(SEARCH_ELENA), say(GOOD)], [FAILED, OK],
             text=GOOD, reasons=[ResultReason.UNKNOWN_TOOL, None]),
    Scenario("arguments that do not fit", "Who is Elena?", [ask(call("search_people", person=7)), ask(SEARCH_ELENA), say(GOOD)], [FAILED, OK],
             text=GOOD, reasons=[ResultReason.BAD_ARGUMENTS, None]),
    Scenario("a call in the last step", "Who is Elena?", [ask(SEARCH_ELENA), ask(call("list_people")), ask(SEARCH_MARA), say(GOOD)],
             [OK, OK, NOT_RUN], Outcome.ABSTAINED, StopReason.STEP_LIMIT),
    Scenario("only one step, which is the last", "hello", [say("Hello! How can I help?")], limits=Limits(steps=1), text="Hello! How can I help?"),
    Scenario("more calls than a step may have", "Who is there?", [ask(*(call("search_people", query=f"P{n}") for n in range(6))), say("No such person was found [F1].")],
             [OK] * 4 + [NOT_RUN] * 2),
    Scenario("an empty reply, then one", "hello", [Reply(()), say("Hello! How can I help?")], text="Hello! How can I help?"),
]  # fmt: skip


@pytest.mark.parametrize("native", [True, False], ids=["native", "text"])
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda s: s.name.replace(" ", "_"))
async def test_an_exchange_is_driven_to_its_end(stage: Stage, asking: Asking, scenario: Scenario, native: bool) -> None:
    stage.play(*(reply if native else reply.as_text() for reply in scenario.said))
    ran = await run_loop(asking.model(native=native), scenario.question, limits=scenario.limits)
    assert not stage.refused
    _ended_as(ran, scenario)
    assert len(stage.asked) <= len(scenario.said) + 1


def _ended_as(ran: Ran, scenario: Scenario) -> None:
    assert not isinstance(ran.finish, Failed), ran.finish
    assert [result.status for result in ran.results] == list(scenario.statuses)
    if scenario.reasons is not None:
        assert [result.reason for result in ran.results] == list(scenario.reasons)
    assert (ran.finish.outcome, ran.finish.reason) == (scenario.outcome, scenario.reason)
    if scenario.text:
        assert ran.answer.text == scenario.text
    assert "TOOL" not in ran.answer.text


async def test_native_and_text_calls_find_the_same_facts(stage: Stage, asking: Asking) -> None:
    found: list[Any] = []
    for native in (True, False):
        reply = ask(SEARCH_ELENA, SEARCH_MARA)
        stage.play(reply if native else reply.as_text(), say(GOOD))
        ran = await run_loop(asking.model(native=native), "Who is Elena?")
        found.append([e.facts for e in ran.events if isinstance(e, FactsFound)])
    assert found[0] == found[1]
    assert not stage.refused


@pytest.mark.parametrize("native", [True, False], ids=["native", "text"])
async def test_a_long_thread_stays_valid_from_exchange_to_exchange(stage: Stage, asking: Asking, native: bool) -> None:
    """Each exchange is sent again in the next one's request: calls, results, preambles, and the tools closed at the end."""
    evidence, ids, history = Evidence(), CountingIds(), tuple[Message, ...]()
    model = asking.model(native=native)
    for number in range(4):
        replies = [ask(SEARCH_ELENA, before="I look."), ask(call("search_people", query=f"Mara {number}")), say(GOOD)]
        stage.play(*(reply if native else reply.as_text() for reply in replies))
        ran = await run_loop(
            model, f"Who is Elena ({number})?", history=history, evidence=evidence, ids=ids, exchange=f"ex_{number}"
        )
        assert not isinstance(ran.finish, Failed)
        history += ran.messages
    assert not stage.refused
    assert len(history) == 4 * 6


BROKEN = (
    Message("m1", Role.ASSISTANT, (TextPart("Hi, I am Sayso."),), "ex_0"),
    Message("m2", Role.USER, (TextPart("Who is Elena?"),), "ex_0"),
    Message("m3", Role.ASSISTANT, (CallPart(ToolCall("call_1", "search_people", '{"query": "Ele')), CallPart(ToolCall("call_2", "gone_tool", "[1]"))), "ex_0"),
    Message("m4", Role.TOOL, (ResultPart(ToolResult("call_2", CallStatus.FAILED)), ResultPart(ToolResult("call_9", CallStatus.SUCCESS))), "ex_0"),
    Message("m5", Role.USER, (TextPart("And?"),), "ex_0"),
    Message("m6", Role.USER, (TextPart("Anyone there?"),), "ex_0"),
    Message("m7", Role.ASSISTANT, (TextPart("  \n"),), "ex_0"),
    Message("m8", Role.ASSISTANT, (TextPart("Yes."),), "ex_0"),
)  # fmt: skip


@pytest.mark.parametrize("native", [True, False], ids=["native", "text"])
@pytest.mark.parametrize("tools_open", [True, False], ids=["open", "closed"])
async def test_f1_h1_a_damaged_history_is_sent_as_a_valid_request(
    stage: Stage, asking: Asking, native: bool, tools_open: bool
) -> None:
    """Orphan calls and results, broken arguments, two questions in a row, an opening line of ours, blank text."""
    stage.play(say("Hello"))
    now = (Message("m9", Role.USER, (TextPart("Hello"),), "ex_1"),)
    request = request_of(messages=BROKEN + now, tools_open=tools_open, hint="(Answer now.)")
    heard = await asking.hear(asking.model(native=native), request)
    assert not stage.refused
    assert heard.text == "Hello"
    body = json.dumps(stage.asked[0].body)
    assert "(Answer now.)" in body
    assert "Anyone there?" in body


@pytest.mark.parametrize("native", [True, False], ids=["native", "text"])
async def test_a10_a11_the_last_step_closes_the_tools_as_its_provider_needs(
    stage: Stage, asking: Asking, native: bool
) -> None:
    """Calls stand in the history: the tools are forbidden or removed, and the request is valid either way."""
    replies = [ask(SEARCH_ELENA), ask(SEARCH_MARA), say(GOOD)]
    stage.play(*(reply if native else reply.as_text() for reply in replies))
    await run_loop(asking.model(native=native), "Who is Elena?")
    assert not stage.refused
    last = json.dumps(stage.asked[2].body)
    assert '"tools"' not in last or '"none"' in last.lower()
    assert "TOOL: name" not in last


async def test_a_request_without_tools_is_valid(stage: Stage, asking: Asking) -> None:
    stage.play(say("Hello"))
    for native in (True, False):
        heard = await asking.hear(asking.model(native=native), request_of(tools=(), tools_open=False))
        assert heard.text == "Hello"
    assert not stage.refused


class Demanding(BaseModel):
    """A schema with what dialects differ about."""

    class Span(BaseModel):
        start: str
        end: str | None = None

    query: str = Field(min_length=1)
    kind: str | None = None
    days: int = Field(default=7, ge=1, le=90)
    spans: list[Span] = []
    labels: dict[str, str] = {}
    exact: bool = False


async def demand(arguments: Demanding, context: ToolContext) -> ReadResult:
    return ReadResult((ELENA,), 1, 3)


DEMANDING = define_tool(
    "search_spans", kind="read", description="Find people by spans.", arguments=Demanding, run=demand,
    example={"query": "Elena"}, covers=PERSON,
)  # fmt: skip


async def test_a_schema_with_references_and_unions_is_written_in_the_providers_dialect(
    stage: Stage, asking: Asking
) -> None:
    asked = call("search_spans", query="Elena", spans=[{"start": "2026-01-01"}], kind=None)
    stage.play(ask(asked), say(GOOD))
    ran = await run_loop(asking.model(native=True), "Who is Elena?", tools=[DEMANDING])
    assert not stage.refused
    assert [result.status for result in ran.results] == [OK]
    assert "search_spans" in stage.asked[0].data.decode()


async def test_one_connection_serves_several_requests(stage: Stage, asking: Asking) -> None:
    stage.play(say("Hello"))
    model = asking.model()
    for _ in range(3):
        assert (await asking.hear(model, request_of())).text == "Hello"


async def test_two_runs_over_one_model_do_not_mix(stage: Stage, asking: Asking) -> None:
    import asyncio

    stage.play(say(*(f"word{n} " for n in range(50))))
    model = asking.model()
    heard = await asyncio.gather(*(asking.hear(model, request_of()) for _ in range(8)))
    assert {one.text for one in heard} == {"".join(f"word{n} " for n in range(50))}


async def test_a_reader_that_stops_early_leaves_the_model_usable(stage: Stage, asking: Asking) -> None:
    stage.play(say(*["word "] * 500))
    model = asking.model()
    source: Any = model.stream(request_of())
    async for event in source:
        if isinstance(event, TextChunk | NativeCall):
            break
    await source.aclose()
    assert (await asking.hear(model, request_of())).text == "word " * 500
