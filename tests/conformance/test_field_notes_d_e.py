"""FIELD-NOTES rows D1 and E by number, through each provider's wire and the loop."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from conformance.conftest import Asking, CountingIds, model_at, request_of, run_loop
from conformance.server.http import Asked
from conformance.server.script import Call, ask, call, say
from conformance.server.stage import PROTOCOLS, Stage, provider_of
from conformance.test_server_is_strict import PATHS
from sayso.core.events import ClientToolCall, Failed, Finish, Recorded
from sayso.core.evidence import Evidence
from sayso.core.loop import run_exchange
from sayso.core.messages import (
    CallPart,
    CallStatus,
    FactsPart,
    Message,
    Outcome,
    Part,
    PreamblePart,
    ResultPart,
    Role,
    TextPart,
    ToolCall,
    ToolResult,
)
from sayso.core.ports import Model
from sayso.core.progress import Limits, Task
from sayso.core.tools import ReadResult, Registry, ToolContext, define_tool
from sayso.core.verify import Setting, Verifier
from small_world import ELENA, EVERYONE, NOW, PERSON, PROPOSE, SEARCH

pytestmark = pytest.mark.anyio

GOOD = "Elena Weber works at SINGA Switzerland [F1]."


class CallersTools:
    """A deployment that may run nothing itself."""

    def may_run(self, call: ToolCall) -> bool:
        return False

    async def run(self, call: ToolCall) -> ToolResult:
        raise AssertionError("this deployment runs no tool")


async def test_e1_two_calls_that_share_an_id_both_keep_their_result(stage: Stage, asking: Asking) -> None:
    shared = [Call("search_people", json.dumps({"query": name}), id="call_0") for name in ("Elena", "Mara")]
    stage.play(ask(*shared), say(GOOD))
    ran = await run_loop(asking.model(native=True), "Who are Elena and Mara?")
    assert [result.status for result in ran.results] == [CallStatus.SUCCESS] * 2
    assert len({result.call_id for result in ran.results}) == 2
    sent = stage.asked[1].data.decode()
    assert "SINGA Switzerland" in sent
    assert "Mara Lindt" in sent
    assert not stage.refused


@pytest.mark.parametrize("text", ["I will look that up for you now.", "Let me check that first."])
async def test_d11_an_announcement_without_a_call_is_not_nudged(stage: Stage, asking: Asking, text: str) -> None:
    """It may be all that the model has to say: nobody asks it to go on, and nothing runs."""
    stage.play(say(text))
    ran = await run_loop(asking.model(), "hello")
    assert ran.answer.text == text
    assert not ran.results
    assert len(stage.asked) == 1


@pytest.mark.parametrize("ident", ["call_0", "search_people", None], ids=["restarting", "by-name", "provided"])
async def test_e2_ids_that_start_again_each_turn_stay_apart_in_the_thread(
    stage: Stage, asking: Asking, ident: str | None
) -> None:
    evidence, ids, history, model = Evidence(), CountingIds(), tuple[Message, ...](), asking.model(native=True)
    for exchange in ("ex_1", "ex_2"):
        calls = [
            Call("search_people", json.dumps({"query": f"{name} {exchange}"}), id=ident) for name in ("Elena", "Mara")
        ]
        stage.play(ask(calls[0]), ask(calls[1]), say(GOOD))
        ran = await run_loop(model, "Who are they?", history=history, evidence=evidence, ids=ids, exchange=exchange)
        history += ran.messages
    asked = [c.id for message in history for c in message.calls]
    assert len(set(asked)) == len(asked) == 4
    assert [result.call_id for message in history for result in message.results] == asked
    assert not stage.refused


async def _as_caller(model: Model, task: Task, ids: CountingIds) -> list[Any]:
    evidence = Evidence()
    registry = Registry((SEARCH, EVERYONE, PROPOSE))
    events = run_exchange(
        task, model=model, tools=registry, runner=CallersTools(), evidence=evidence,
        verifier=Verifier(evidence, Setting(NOW, "en", task.question, frozenset())), clock=_Clock(), ids=ids, limits=Limits(),
    )  # fmt: skip
    return [event async for event in events]


class _Clock:
    def now(self) -> Any:
        return NOW

    def monotonic(self) -> float:
        return 0.0


async def test_e4_all_calls_for_the_caller_are_sent_and_none_has_an_invented_result(
    stage: Stage, asking: Asking
) -> None:
    stage.play(ask(call("search_people", query="Elena"), call("list_people"), call("propose_message", person="Elena")))
    events = await _as_caller(asking.model(native=True), Task("run_1", "th", "ex_1", "Who?"), CountingIds())
    assert [e.call.name for e in events if isinstance(e, ClientToolCall)] == [
        "search_people",
        "list_people",
        "propose_message",
    ]
    assert isinstance(events[-1], Finish)
    assert events[-1].outcome is Outcome.WAITING
    recorded = [e.message for e in events if isinstance(e, Recorded)]
    assert not [result for message in recorded for result in message.results]


async def test_e8_a_caller_that_goes_on_sees_each_message_once(stage: Stage, asking: Asking) -> None:
    """The run after the caller's results adds messages of its own; none of the earlier ones comes again."""
    ids, model = CountingIds(), asking.model(native=True)
    stage.play(ask(call("search_people", query="Elena"), before="I look."))
    first = [
        e.message for e in await _as_caller(model, Task("run_1", "th", "ex_1", "Who?"), ids) if isinstance(e, Recorded)
    ]
    (asked,) = first[-1].calls
    result = Message("msg_caller", Role.TOOL, (ResultPart(ToolResult(asked.id, CallStatus.SUCCESS)),), "ex_1")
    stage.play(say("Hello! How can I help you?"))
    events = await _as_caller(model, Task("run_2", "th", "ex_1", "Who?", so_far=(*first, result), steps_used=1), ids)
    assert not isinstance(events[-1], Failed), events[-1]
    second = [e.message for e in events if isinstance(e, Recorded)]
    assert [message.role for message in second] == [Role.ASSISTANT]
    every = [message.id for message in (*first, result, *second)]
    assert len(set(every)) == len(every)
    assert not stage.refused


async def test_e9_each_of_many_parallel_calls_has_exactly_one_result(stage: Stage, asking: Asking) -> None:
    """One fails, one is unknown, one repeats another, one has broken arguments, and two are too many."""

    class Nothing(BaseModel):
        pass

    async def breaks(arguments: Nothing, context: ToolContext) -> ReadResult:
        raise RuntimeError("secret")

    broken = define_tool(
        "list_broken", kind="read", description="Fails.", arguments=Nothing, run=breaks, example={}, covers=PERSON
    )
    stage.play(
        ask(call("search_people", query="Elena"), call("list_broken"), call("no_such_tool"), call("search_people", query="Elena"),
            call("search_people", who=1), call("list_people")),
        say(GOOD),
    )  # fmt: skip
    ran = await run_loop(asking.model(native=True), "Who?", tools=(SEARCH, EVERYONE, broken))
    assert not isinstance(ran.finish, Failed), ran.finish
    asked = [c.id for message in ran.messages for c in message.calls]
    assert len(asked) == 6
    assert [result.call_id for result in ran.results] == asked
    assert "secret" not in stage.asked[1].data.decode()
    assert not stage.refused


# --- E6, E9, F1, D1: whatever becomes of a transcript, the next request is one that the provider takes ---------------------


NAMES = st.sampled_from(["search_people", "list_people", "gone_tool", "bad name!", ""])
ARGUMENTS = st.sampled_from(["{}", '{"query": "Elena"}', '{"query": "Ele', "[1]", "", "null", '"{}"'])
TEXTS = st.sampled_from(["Hello", "", " \n", "Zürich 🎉", "\x00\x1b", "\ud83d", "TOOL: search_people"])
IDS = st.sampled_from([f"call_{n}" for n in range(5)])
CALLS = st.builds(ToolCall, IDS, NAMES, ARGUMENTS)
RESULTS = st.builds(ToolResult, IDS, st.sampled_from(list(CallStatus)))
PARTS: st.SearchStrategy[Part] = st.one_of(
    st.builds(TextPart, TEXTS),
    st.builds(PreamblePart, TEXTS),
    st.builds(CallPart, CALLS),
    st.builds(ResultPart, RESULTS),
)
MESSAGES = st.builds(
    Message, st.just("m"), st.sampled_from(list(Role)), st.lists(PARTS, max_size=4).map(tuple), st.just("ex_0")
)


def _numbered(parts: tuple[Part, ...], message: int) -> tuple[Part, ...]:
    """Ids are ours and unique in a thread: so are those of the calls here; results name any of the first five."""
    calls = iter(range(5 * message, 5 * message + 5))
    return tuple(
        CallPart(ToolCall(f"call_{next(calls)}", p.call.name, p.call.arguments)) if isinstance(p, CallPart) else p
        for p in parts
    )


@pytest.mark.parametrize("protocol", PROTOCOLS)
@given(
    history=st.lists(MESSAGES, max_size=8),
    native=st.booleans(),
    tools_open=st.booleans(),
    hint=st.sampled_from(["", "(Answer.)"]),
)
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_e6_any_transcript_at_all_makes_a_valid_request(
    protocol: str, history: Sequence[Message], native: bool, tools_open: bool, hint: str
) -> None:
    """Dropped, doubled, reordered and damaged messages: the strict rules of each provider are kept all the same."""
    numbered = [Message(f"m{n}", m.role, _numbered(m.parts, n), m.exchange_id) for n, m in enumerate(history)]
    question = Message("q", Role.USER, (TextPart("Who is Elena?"),), "ex_1")
    request = request_of(messages=(*numbered, question), tools_open=tools_open, hint=hint)
    model: Any = model_at(protocol, "http://127.0.0.1:1" + provider_of(protocol).root)
    body = model.body(request, native)
    query = {"alt": ["sse"]} if protocol == "gemini" else {}
    refused = provider_of(protocol).check(Asked("POST", PATHS[protocol], query, {"anthropic-version": "x"}, body))
    assert refused is None, refused.pieces
    assert b"Who is Elena?" in body


async def test_e6_a_seed_fact_before_the_question_changes_no_rule(stage: Stage, asking: Asking) -> None:
    evidence = Evidence()
    seeds = evidence.add_all((ELENA,))
    stage.play(say(GOOD))
    question = Message("q", Role.USER, (FactsPart(seeds), TextPart("Who is she?")), "ex_1")
    heard = await asking.hear(asking.model(), request_of(messages=(question,), shown=seeds))
    assert heard.text == GOOD
    assert not stage.refused
    assert "SINGA Switzerland" in stage.asked[0].data.decode()


async def test_d1_what_a_model_wrote_is_kept_as_it_was_and_sent_as_an_object(stage: Stage, asking: Asking) -> None:
    if stage.provider.protocol == "gemini":
        pytest.skip("its arguments are objects already")
    stage.play(ask(Call("search_people", '{"query": "Ele')), say("I could not look that up."))
    ran = await run_loop(asking.model(native=True), "Who is Elena?")
    (asked,) = [c for message in ran.messages for c in message.calls]
    assert asked.arguments == '{"query": "Ele'
    assert not stage.refused
