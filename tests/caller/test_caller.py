"""The caller against services that are strict about the contract."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import pytest

from caller_services import TOKEN, Services, Step, calls, says
from sayso.caller import (
    Approve,
    Broken,
    Busy,
    Caller,
    ClientFact,
    ClientTools,
    Decision,
    Deny,
    Done,
    Edit,
    Later,
    NotDone,
    Refused,
    RunFailed,
    SignedOut,
    StaleCopy,
    StepLimit,
    Told,
    Unreachable,
)
from sayso.caller.held import read_held
from sayso.errors import ConfigError, DeclarationError

pytestmark = pytest.mark.anyio
Make = Callable[..., Caller]
ELENA = ("search_people", {"query": "Elena"})
GOALS = ("search_goals", {"query": "goals"})
REMIND = ("propose_action", {"action": "add_reminder", "about": "Call Elena"})


def names(heard: list[Told]) -> list[str]:
    return [told.name for told in heard]


def results_of(services: Services, chat: int = -1) -> list[tuple[str, str, str | None]]:
    return [(r["name"], r["status"], r.get("reason")) for r in services.chats[chat]["tool_results"]]


def deciding(*decisions: Decision) -> tuple[Callable[[Mapping[str, Any]], Any], list[Mapping[str, Any]]]:
    left, cards = list(decisions), []

    async def decide(card: Mapping[str, Any]) -> Decision:
        cards.append(card)
        return left.pop(0)

    return decide, cards


async def test_two_reads_run_together_and_the_answer_follows(services: Services, caller: Make, heard: Any) -> None:
    services.script = [calls(ELENA, GOALS), says("Elena has one goal.")]
    services.gate = threading.Event()

    async def release() -> None:
        while services.concurrent < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        services.gate.set()

    async with caller() as c:
        opening = asyncio.create_task(release())
        found = await heard(c.ask("What is Elena's goal?"))
        await opening
        assert not c.owes
    assert services.most_concurrent == 2
    assert [t.data["text"] for t in found if t.name == "answer"] == ["Elena has one goal."]
    assert results_of(services) == [("search_people", "success", None), ("search_goals", "success", None)]
    assert services.called[0]["question"] == "What is Elena's goal?"
    assert services.called[0]["exchange_id"] == "x1"
    assert services.called[0]["thread_id"] == "t1"


async def test_messages_go_back_exactly_as_they_were_given(services: Services, caller: Make, heard: Any) -> None:
    services.script = [calls(ELENA), says("One."), says("Two."), says("Three.")]
    async with caller() as c:
        for question in ("a", "b", "c"):
            await heard(c.ask(question))
    assert len(services.chats[-1]["history"]) == 6
    assert "exchange" not in services.chats[-1]


async def test_the_conversation_is_kept_in_the_thread_store_and_can_be_taken_up(
    services: Services, caller: Make, heard: Any
) -> None:
    services.script = [calls(ELENA), says("One."), says("Two.")]
    async with caller() as c:
        await heard(c.ask("a"))
        thread = c.thread_id
    assert thread == "t1"
    assert len(services.threads["t1"]) == 4
    async with caller() as later:
        await later.open("t1")
        await heard(later.ask("b"))
    assert services.chats[-1]["history_seal"].startswith("history-t1")
    assert len(services.threads["t1"]) == 6


async def test_a_stale_copy_is_told_and_can_be_loaded_again(services: Services, caller: Make, heard: Any) -> None:
    services.script = [says("One."), says("Two."), says("Three."), says("Four.")]
    async with caller() as one, caller() as two:
        await heard(one.ask("a"))
        await two.open("t1")
        await heard(two.ask("b"))
        with pytest.raises(StaleCopy) as stale:
            await heard(one.ask("c"))
        assert stale.value.members["count"] == 4
        await one.open("t1")
        await heard(one.ask("d"))


async def test_without_a_thread_store_nothing_is_kept(services: Services, caller: Make, heard: Any) -> None:
    services.script = [says("One.")]
    async with caller(save=False) as c:
        await heard(c.ask("a"))
    assert services.threads == {}


async def test_a_store_that_is_away_is_told_and_caught_up_with(services: Services, caller: Make, heard: Any) -> None:
    services.script = [says("One."), says("Two.")]
    services.fail["/api/v1/threads/t1/messages"] = [(500, {"code": "internal"})]
    async with caller() as c:
        found = await heard(c.ask("a"))
        assert found[-1].name == "unsaved"
        assert found[-1].data["messages"] == 2
        await heard(c.ask("b"))
    assert len(services.threads["t1"]) == 4


async def test_a_write_that_is_edited_and_approved_runs_and_its_receipt_goes_back(
    services: Services, caller: Make, heard: Any
) -> None:
    services.script = [calls(REMIND), says("Done.")]
    decide, cards = deciding(Edit({"about": "Call Elena on Friday"}), Approve())
    async with caller(decide=decide) as c:
        found = await heard(c.ask("remind me to call Elena"))
    assert [what for what, _ in services.decisions] == ["edit", "approve"]
    assert [card["title"] for card in cards] == ["Call Elena", "Call Elena on Friday"]
    assert services.decisions[1][1] == {"digest": cards[1]["digest"]}
    assert [t.name for t in found if t.name in ("card", "decided")] == ["card", "card", "decided"]
    result = services.chats[-1]["tool_results"][0]
    assert (result["kind"], result["facts"][0]["kind"]) == ("execute", "receipt")


async def test_an_edit_that_does_not_fit_is_asked_again_with_what_is_wrong(
    services: Services, caller: Make, heard: Any
) -> None:
    services.script = [calls(REMIND), says("Done.")]
    decide, cards = deciding(Edit({"about": 7}), Later())
    async with caller(decide=decide) as c:
        await heard(c.ask("remind me"))
    assert cards[1]["errors"] == [{"field": "about", "message": "text"}]
    assert services.chats[-1]["tool_results"][0]["kind"] == "propose"


async def test_a_denied_write_never_runs_and_the_model_hears_that_it_was_denied(
    services: Services, caller: Make, heard: Any
) -> None:
    services.script = [calls(REMIND), says("Nothing was changed.")]
    decide, _ = deciding(Deny("not her"))
    async with caller(decide=decide) as c:
        await heard(c.ask("remind me"))
    assert services.decisions == [("deny", {"words": "not her"})]
    assert results_of(services) == [("propose_action", "denied", None)]


async def test_without_a_person_a_change_waits_and_the_model_hears_that_it_is_queued(
    services: Services, caller: Make, heard: Any
) -> None:
    services.script = [calls(REMIND), says("Queued.")]
    async with caller() as c:
        await heard(c.ask("remind me"))
    assert services.decisions == []
    assert services.chats[-1]["tool_results"][0]["facts"][0]["values"]["state"] == "pending"


async def test_c13_each_write_is_asked_about_once_and_approved_once(
    services: Services, caller: Make, heard: Any
) -> None:
    services.script = [calls(REMIND, ("propose_action", {"action": "add_reminder", "about": "Call Tom"})), says("Ok.")]
    decide, cards = deciding(Approve(), Deny())
    async with caller(decide=decide) as c:
        await heard(c.ask("remind me of both"))
    assert [card["title"] for card in cards] == ["Call Elena", "Call Tom"]
    assert [what for what, _ in services.decisions] == ["approve", "deny"]


async def test_a_card_that_was_decided_elsewhere_is_not_decided_again(
    services: Services, caller: Make, heard: Any
) -> None:
    services.script = [calls(REMIND), says("Ok.")]

    async def decide(card: Mapping[str, Any]) -> Decision:
        services.proposals[card["id"]]["state"] = "done"
        return Deny()

    async with caller(decide=decide) as c:
        await heard(c.ask("remind me"))
    assert services.chats[-1]["tool_results"][0]["kind"] == "execute"


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (("delete_everything", {}), "unknown_tool"),
        (("search_people", {"query": 7}), "bad_arguments"),
        (("search_people", {"query": "Elena", "limit": 99}), "bad_arguments"),
        (("search_people", {"query": "Elena", "surprise": 1}), "bad_arguments"),
        (("search_people", '{"query": "a", "query": "b"}'), "bad_arguments"),
        (("search_people", "not json"), "bad_arguments"),
        (("search_people", '{"query": NaN}'), "bad_arguments"),
        (("search_people", "[" * 50_000), "bad_arguments"),
        (("search_people", '{"query": "' + "x" * 70_000 + '"}'), "bad_arguments"),
        (("propose_action", {"action": "drop_table", "about": "x"}), "bad_arguments"),
    ],
)
async def test_i2_what_a_model_writes_is_judged_before_anything_is_called(
    services: Services, caller: Make, heard: Any, call: tuple[str, Any], reason: str
) -> None:
    services.script = [calls(call), says("I could not.")]
    async with caller() as c:
        await heard(c.ask("a"))
    assert services.called == []
    assert results_of(services) == [(call[0], "failed", reason)]


async def test_i3_a_tool_that_does_not_say_that_it_reads_is_a_write(
    services: Services, caller: Make, heard: Any
) -> None:
    services.tools = [{**tool, "read_only": "true"} for tool in services.tools if tool["name"] == "propose_action"]
    services.script = [calls(REMIND), says("Ok.")]
    decide, cards = deciding(Later())
    async with caller(decide=decide) as c:
        await heard(c.ask("a"))
    assert len(cards) == 1


async def test_a1_a_finished_exchange_is_never_sent_again(services: Services, caller: Make, heard: Any) -> None:
    services.script = [says("One.")]
    async with caller() as c:
        await heard(c.ask("a"))
        assert await heard(c.go_on()) == []
    assert len(services.chats) == 1


async def test_a2_calls_of_a_run_that_does_not_wait_for_them_are_neither_run_nor_resubmitted(
    services: Services, caller: Make, heard: Any
) -> None:
    services.script = [Step(calls=(ELENA,), waits=False)]
    async with caller() as c:
        await heard(c.ask("a"))
    assert (len(services.chats), services.called) == (1, [])


async def test_a2_a_service_that_waits_for_nothing_is_a_broken_answer(
    services: Services, caller: Make, heard: Any
) -> None:
    services.script = [Step(text="x", waits=True)]
    async with caller() as c:
        with pytest.raises(Broken, match="did not ask for"):
            await heard(c.ask("a"))
    assert len(services.chats) == 1


async def test_a3_the_step_limit_holds_whatever_the_service_says_and_however_often_it_is_taken_up(
    services: Services, caller: Make, heard: Any
) -> None:
    services.script = [calls(ELENA)] * 20
    async with caller(steps=3) as c:
        with pytest.raises(StepLimit):
            await heard(c.ask("a"))
        with pytest.raises(StepLimit):
            await heard(c.go_on())
        assert len(services.chats) == 3
        assert len(services.called) == 2
        services.script = [says("A new question is a new exchange.")]
        found = await heard(c.ask("b"))
    assert found[-1].name == "finish"


async def test_b3_a_new_message_ends_what_was_open(services: Services, caller: Make, heard: Any) -> None:
    services.script = [calls(ELENA), says("New.")]
    services.fail["/api/v1/system/mcp/call"] = [(500, {"code": "internal"})]
    async with caller() as c:
        with pytest.raises(Refused):
            await heard(c.ask("a"))
        assert c.owes
        await heard(c.ask("b"))
        assert not c.owes
        statuses = [part["result"][1] for m in c.held.messages for part in m["parts"] if "result" in part]
    assert statuses == ["superseded"]


async def test_e1_a_call_id_that_was_used_is_refused(services: Services, caller: Make, heard: Any) -> None:
    again = ("client-tool-call", {"call_id": "c1_0", "name": "search_people", "arguments": "{}"})
    services.script = [calls(ELENA), Step(text="x", preamble=(again,))]
    async with caller() as c:
        with pytest.raises(Broken, match="twice"):
            await heard(c.ask("a"))
    assert len(services.called) == 1


async def test_a_gateway_that_fails_loses_nothing_and_what_is_owed_can_be_taken_up(
    services: Services, caller: Make, heard: Any
) -> None:
    services.script = [calls(ELENA, GOALS), says("One.")]
    services.fail["/api/v1/system/mcp/call"] = [(500, {"code": "internal"})]
    async with caller() as c:
        with pytest.raises(Refused):
            await heard(c.ask("a"))
        kept = read_held(c.held.document)
    async with caller() as later:
        later.held = kept
        await heard(later.go_on())
    assert len(services.called) == 2  # the one that had run was not run again
    assert results_of(services) == [("search_people", "success", None), ("search_goals", "success", None)]


async def test_a_busy_gateway_is_asked_again(services: Services, caller: Make, heard: Any) -> None:
    services.script = [calls(ELENA), says("One.")]
    services.fail["/api/v1/system/mcp/call"] = [(503, {}), (429, {})]
    async with caller() as c:
        await heard(c.ask("a"))
    assert results_of(services) == [("search_people", "success", None)]


@pytest.mark.parametrize(
    ("status", "result"),
    [(403, ("denied", "not_allowed")), (404, ("failed", "unknown_tool")), (422, ("failed", "bad_arguments"))],
)
async def test_b17_what_the_gateway_refuses_is_a_result_of_its_own_kind(
    services: Services, caller: Make, heard: Any, status: int, result: tuple[str, str]
) -> None:
    services.script = [calls(ELENA), says("I could not.")]
    services.fail["/api/v1/system/mcp/call"] = [(status, {"code": "refused"})]
    async with caller() as c:
        await heard(c.ask("a"))
    assert results_of(services) == [("search_people", *result)]


async def test_an_error_event_is_raised_with_its_own_code(services: Services, caller: Make, heard: Any) -> None:
    services.script = [Step(error="model_busy"), says("Now.")]
    async with caller() as c:
        with pytest.raises(RunFailed, match="It failed") as failed:
            await heard(c.ask("a"))
        assert (failed.value.code, failed.value.retryable) == ("model_busy", True)
        await heard(c.ask("a"))


async def test_a_run_that_failed_over_results_is_taken_up_with_the_same_results(
    services: Services, caller: Make, heard: Any
) -> None:
    services.script = [calls(ELENA), Step(error="model_busy"), says("Now.")]
    async with caller() as c:
        with pytest.raises(RunFailed):
            await heard(c.ask("a"))
        assert c.owes
        assert (await heard(c.go_on()))[-1].data["outcome"] == "answered"
    assert len(services.called) == 1


async def test_f1_a_long_conversation_is_sent_from_its_last_exchanges_on(
    services: Services, caller: Make, heard: Any
) -> None:
    stored = [
        services._message(f"x{n // 2}", "user" if n % 2 == 0 else "assistant", [{"text": "é" * 100}])
        for n in range(1500)
    ]
    services.threads["t1"] = stored
    services.script = [calls(ELENA), says("One."), says("Two.")]
    async with caller() as c:
        await c.open("t1")
        await heard(c.ask("a"))
        await heard(c.ask("b"))
    sent = [len(chat["history"]) for chat in services.chats]
    assert all(400 < count <= 900 and count % 2 == 0 for count in sent)
    assert all(len(chat["history_before"]) == 64 for chat in services.chats)
    assert len(services.threads["t1"]) == 1506


async def test_a_wrong_token_says_so(caller: Make, heard: Any) -> None:
    async with caller(token="old") as c:
        with pytest.raises(SignedOut, match="sign in first"):
            await heard(c.ask("a"))


async def test_an_old_catalogue_is_fetched_again(services: Services, caller: Make, heard: Any) -> None:
    services.script = [says("One."), says("Two.")]
    services.expires = timedelta(minutes=1)
    async with caller() as c:
        await heard(c.ask("a"))
        await heard(c.ask("b"))
    assert services.catalogues == 2


async def test_g1_a_broken_stream_is_resumed_wherever_it_breaks(services: Services, caller: Make, heard: Any) -> None:
    services.script = [says("Zürich ist schön.")]
    async with caller() as c:
        whole = names(await heard(c.ask("a")))
    for cut in range(1, 900, 60):
        services.script, services.cuts = [says("Zürich ist schön.")], [cut, 40]
        async with caller() as c:
            assert names(await heard(c.ask("a"))) == whole, f"cut at {cut}"


async def test_g3_streams_of_single_bytes_are_read(services: Services, caller: Make, heard: Any) -> None:
    services.chunk = 1
    services.script = [says("漢字 🏔")]
    async with caller() as c:
        assert [t.data["text"] for t in await heard(c.ask("a")) if t.name == "answer"] == ["漢字 🏔"]


async def test_a_service_that_is_not_there_is_unreachable_and_nothing_is_lost(heard: Any) -> None:
    async with Caller("http://127.0.0.1:9", token="x") as c:
        with pytest.raises(Unreachable):
            await heard(c.ask("a"))
        assert not c.owes


async def test_one_run_at_a_time(services: Services, caller: Make, heard: Any) -> None:
    services.script = [Step(pause=True)]
    async with caller() as c:
        first = c.ask("a")
        assert (await anext(first)).name == "run-started"
        with pytest.raises(Busy):
            await heard(c.ask("b"))
        await first.aclose()


async def test_g4_stop_ends_a_run_before_its_first_token_and_the_conversation_goes_on(
    services: Services, caller: Make, heard: Any
) -> None:
    services.script = [Step(pause=True), says("Here again.")]
    async with caller() as c:
        found = []
        async for told in c.ask("a"):
            found.append(told)
            if told.name == "run-started":
                await c.stop()
        assert found[-1].data["reason"] == "stopped"
        await heard(c.ask("b"))


async def test_leaving_in_the_middle_stops_the_run_and_loses_nothing(
    services: Services, caller: Make, heard: Any
) -> None:
    services.script = [Step(pause=True), says("Here again.")]
    async with caller() as c:
        task = asyncio.create_task(heard(c.ask("a")))
        while not services.runs:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert services.runs["run_1"].stop.is_set()
        assert not c.owes
        await heard(c.ask("b"))
    assert len(services.chats[-1]["history"]) == 1


async def test_stop_ends_the_calls_that_run_here_too(services: Services, caller: Make, heard: Any) -> None:
    services.script = [calls(ELENA), says("Later.")]
    services.gate = threading.Event()
    async with caller() as c:
        found = []
        async for told in c.ask("a"):
            found.append(told)
            if told.name == "call":
                await c.stop()
        assert found[-1].name == "stopped"
        assert c.owes
        services.gate.set()
        await heard(c.go_on())
    assert len(services.chats) == 2


async def test_a_client_tool_says_how_it_ended_and_what_it_saw(services: Services, caller: Make, heard: Any) -> None:
    tools = ClientTools()
    schema = {"type": "object", "properties": {"level": {"type": "integer"}}, "required": ["level"]}
    seen: list[Any] = []

    async def zoom(arguments: dict[str, Any]) -> Done | NotDone:
        seen.append(arguments)
        return (
            Done((ClientFact("view", "map", {"level": arguments["level"]}),))
            if arguments["level"] < 9
            else NotDone("denied", None)
        )

    tools.register("zoom", zoom, description="Zoom.", schema=schema, example={"level": 1})
    services.script = [calls(("zoom", {"level": 3}), ("zoom", {"level": 9}), ("zoom", {"level": "x"})), says("Ok.")]
    async with caller(client_tools=tools) as c:
        await heard(c.ask("zoom"))
    assert seen == [{"level": 3}, {"level": 9}]
    assert results_of(services) == [
        ("zoom", "success", None),
        ("zoom", "denied", None),
        ("zoom", "failed", "bad_arguments"),
    ]
    assert services.chats[-1]["tool_results"][0]["facts"] == [
        {"kind": "view", "subject": "map", "values": {"level": 3}}
    ]
    assert services.called == []


async def test_b23_a_client_tool_that_returns_nothing_has_not_succeeded() -> None:
    tools = ClientTools()
    nothing = {"type": "object"}

    async def silent(_: dict[str, Any]) -> Any:
        return None

    def raises(_: dict[str, Any]) -> Any:
        raise ValueError("secret")

    async def hangs(_: dict[str, Any]) -> Any:
        await asyncio.Event().wait()

    for name, handler in {"silent": silent, "plain": lambda _: None, "raises": raises, "hangs": hangs}.items():
        tools.register(name, handler, description="", schema=nothing, example={})
    tools.seconds = 0.05
    ended = {name: await tools.invoke(name, {}) for name in ("silent", "plain", "raises", "hangs", "unknown")}
    assert ended == {
        "silent": NotDone(), "plain": NotDone(), "raises": NotDone(), "hangs": NotDone(reason="tool_timeout"),
        "unknown": NotDone(reason="unknown_tool"),
    }  # fmt: skip


async def test_client_tools_are_declared_well_or_not_at_all(caller: Make, services: Services, heard: Any) -> None:
    tools = ClientTools()
    made = {"description": "", "schema": {"type": "object", "required": ["x"]}, "example": {"x": 1}}
    tools.register("one", lambda _: Done(), **made)
    with pytest.raises(DeclarationError, match="already"):
        tools.register("one", lambda _: Done(), **made)
    with pytest.raises(DeclarationError, match="letters"):
        tools.register("a b", lambda _: Done(), **made)
    with pytest.raises(DeclarationError, match="example"):
        tools.register("two", lambda _: Done(), **{**made, "example": {}})
    with pytest.raises(DeclarationError, match="no JSON schema"):
        tools.register("three", lambda _: Done(), **{**made, "schema": {"type": 7}})
    tools.clear("one")
    tools.register("search_people", lambda _: Done(), **made)
    async with caller(client_tools=tools) as c:
        with pytest.raises(DeclarationError, match="rename"):
            await heard(c.ask("a"))
    tools.clear()
    assert tools.documents == []


@pytest.mark.parametrize(
    ("path", "ended"),
    [
        ("/proposals", ("success", None)),
        ("/t/t1", ("success", None)),
        ("/t/t9", ("failed", "no_target")),
        ("javascript:alert(1)", ("failed", "no_target")),
        ("//evil.example/t", ("failed", "no_target")),
        ("https://evil.example/", ("failed", "no_target")),
        ("/t/../proposals", ("failed", "no_target")),
        ("/t/a%2fb", ("failed", "no_target")),
        ("/proposals?next=//evil", ("failed", "no_target")),
        ("/settings", ("failed", "no_target")),
        ("\\\\evil", ("failed", "no_target")),
        ("/proposals\n", ("failed", "no_target")),
        ("", ("failed", "bad_arguments")),
    ],
)
async def test_i5_navigate_opens_only_what_the_census_knows_and_what_exists(
    services: Services, caller: Make, heard: Any, path: str, ended: tuple[str, str | None]
) -> None:
    opened: list[str] = []

    async def open_page(path: str) -> str | None:
        opened.append(path)
        return path

    services.script = [calls(("navigate", {"path": path})), says("Ok.")]
    async with caller(open_page=open_page) as c:
        await heard(c.ask("go there"))
    assert results_of(services) == [("navigate", *ended)]
    assert opened == ([path] if ended[0] == "success" else [])


async def test_navigate_says_so_where_the_page_was_not_reached(services: Services, caller: Make, heard: Any) -> None:
    async def elsewhere(path: str) -> str | None:
        return "/"

    services.script = [calls(("navigate", {"path": "/proposals"})), says("Ok.")]
    async with caller(open_page=elsewhere) as c:
        await heard(c.ask("go there"))
    assert results_of(services) == [("navigate", "failed", "tool_failed")]


async def test_e4_all_calls_are_answered_in_their_order(services: Services, caller: Make, heard: Any) -> None:
    async def open_page(path: str) -> str | None:
        return path

    decide, _ = deciding(Approve())
    services.script = [calls(REMIND, ELENA, ("navigate", {"path": "/proposals"}), ("nothing", {}), GOALS), says("Ok.")]
    async with caller(open_page=open_page, decide=decide) as c:
        await heard(c.ask("all of it"))
    assert results_of(services) == [
        ("propose_action", "success", None), ("search_people", "success", None), ("navigate", "success", None),
        ("nothing", "failed", "unknown_tool"), ("search_goals", "success", None),
    ]  # fmt: skip


async def test_a_token_goes_only_to_the_service_that_it_is_for(
    services: Services, caller: Make, heard: Any, url: str
) -> None:
    services.script, services.cuts = [says("One.")], [100]
    elsewhere = url.replace("127.0.0.1", "localhost")
    async with caller(inference_url=elsewhere) as c:
        assert (await heard(c.ask("a")))[-1].name == "finish"
    sent = [headers for path, headers in services.headers if path.startswith("/api/v1/ai/")]
    assert len(sent) == 2
    assert TOKEN not in str(sent)


@pytest.mark.parametrize("wrong", ["", "ftp://x", "http://", "http://u:p@x", "http://x?y", "nonsense"])
def test_an_address_that_is_none_is_refused_at_once(wrong: str) -> None:
    with pytest.raises(ConfigError):
        Caller(wrong)


@pytest.mark.parametrize("steps", [0, -1, 21])
def test_a_step_limit_has_bounds(steps: int) -> None:
    with pytest.raises(ConfigError):
        Caller("http://127.0.0.1", steps=steps)
