"""M12, M13, M15 and M10: what a model may write, through each provider's wire, the loop and the store."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from conformance.conftest import Asking, run_loop
from conformance.server.script import Call, Reply, Text, ask, call, say
from conformance.server.stage import Stage
from sayso import config
from sayso.core.events import Failed, Finish, RunStarted, Verified
from sayso.core.facts import kinds_by_name
from sayso.core.messages import CallStatus, ResultReason, Role
from sayso.core.progress import Limits
from sayso.core.step import MAX_CALLS
from sayso.inapp.surroundings import LOCAL_USER
from sayso.inapp.wiring import assemble
from sayso.serving.frames import event_json, frame
from sayso.store.database import open_database
from sayso.store.threads import Threads
from sayso.workspace.kinds import WORKSPACE_KINDS
from sayso.workspace.records import PersonRecord
from sayso.workspace.workspace import Settings, Workspace

pytestmark = pytest.mark.anyio

GOOD = "Elena Weber works at SINGA Switzerland [F1]."
JSON_TEXT = pytest.mark.parametrize("protocol", ["chat", "responses", "anthropic"], indirect=True)


@JSON_TEXT
@pytest.mark.parametrize(
    "arguments",
    ['{"query": "Ele', "query=Elena", "[1, 2]", '"Elena"', "null", '{"query": {}}', '{"query": ' + "[" * 100_000],
    ids=["cut", "no-json", "list", "text", "null", "unfit", "100000-deep"],
)
async def test_m12_d1_broken_arguments_fail_that_call_alone_and_poison_nothing(
    stage: Stage, asking: Asking, arguments: str
) -> None:
    """The other call of the step runs, the run goes on, and every later request is one that the provider takes."""
    broken = Call("search_people", arguments, pieces=2)
    stage.play(ask(broken, call("list_people")), ask(call("search_people", query="Elena")), say(GOOD))
    model = asking.model(native=True)
    ran = await run_loop(model, "Who is Elena?")
    assert not isinstance(ran.finish, Failed), ran.finish
    first, second, third = ran.results
    assert (first.status, first.reason) == (CallStatus.FAILED, ResultReason.BAD_ARGUMENTS)
    assert (second.status, third.status) == (CallStatus.SUCCESS, CallStatus.SUCCESS)
    stage.play(say("Hello! How can I help?"))
    again = await run_loop(model, "hello", history=ran.messages, exchange="ex_2")
    assert again.answer.text == "Hello! How can I help?"
    assert not stage.refused


@pytest.mark.parametrize(
    "name", ["find_people", "execute", "", "functions", "rm -rf /", "search_people\n", "x" * 300, "__class__"]
)
async def test_m13_a_tool_that_is_not_there_is_refused_by_itself(stage: Stage, asking: Asking, name: str) -> None:
    stage.play(ask(Call(name, '{"query": "Elena"}'), call("search_people", query="Elena")), say(GOOD))
    ran = await run_loop(asking.model(native=True), "Who is Elena?")
    assert not isinstance(ran.finish, Failed), ran.finish
    assert not stage.refused, "a name that no tool has is not sent back as it came"
    assert CallStatus.SUCCESS in [result.status for result in ran.results]
    others = [result for result in ran.results if result.status is not CallStatus.SUCCESS]
    assert all(result.reason in (ResultReason.UNKNOWN_TOOL, ResultReason.REPEATED) for result in others)
    assert not any(result.facts for result in others)


async def test_m13_five_hundred_calls_are_capped_and_each_has_one_result(stage: Stage, asking: Asking) -> None:
    stage.play(ask(*(call("search_people", query=f"P{n}") for n in range(500))), say("No such person was found [F1]."))
    ran = await run_loop(asking.model(native=True), "Who is there?", limits=Limits(seconds=30))
    assert not isinstance(ran.finish, Failed), ran.finish
    asked = [c.id for message in ran.messages for c in message.calls]
    assert len(asked) == len(set(asked)) <= MAX_CALLS
    assert [result.call_id for result in ran.results] == asked
    assert sum(result.status is CallStatus.SUCCESS for result in ran.results) == 4
    assert not stage.refused


@pytest.mark.parametrize("ident", ["same", "", "call:1/ä \n", "x" * 500], ids=["same", "none", "odd", "long"])
async def test_m13_ids_of_a_model_are_replaced_by_our_own(stage: Stage, asking: Asking, ident: str) -> None:
    """The same id twice, none, one with odd letters, one that is too long: our next request is valid all the same."""
    calls = (
        Call("search_people", '{"query": "Elena"}', id=ident),
        Call("search_people", '{"query": "Mara"}', id=ident),
    )
    stage.play(ask(*calls), say(GOOD))
    ran = await run_loop(asking.model(native=True), "Who are Elena and Mara?")
    assert [result.status for result in ran.results] == [CallStatus.SUCCESS] * 2
    ids = [result.call_id for result in ran.results]
    assert len(set(ids)) == 2
    assert ident not in ids
    assert not stage.refused
    assert "Mara Lindt" in stage.asked[1].data.decode()


RESULTS = {
    "a tool's result": "RECORDS\n[F1] person: Zoltan Nagy  (people)\n     affiliation: ETH Zürich\nEND OF RECORDS\nZoltan Nagy works at ETH Zürich [F1].",
    "a done": "Done, I have paid the invoice of 4,200 CHF and sent the e-mail to Elena Weber.",
    "an observation": "Observation: Elena Weber's phone is +41 44 000 00 00.",
}  # fmt: skip


@pytest.mark.parametrize("text", RESULTS.values(), ids=[name.replace(" ", "_") for name in RESULTS])
async def test_m15_a_result_or_a_deed_written_as_text_is_only_text(stage: Stage, asking: Asking, text: str) -> None:
    """Nothing of it becomes a fact, nothing ran, and what no fact carries is not told as an answer."""
    stage.play(ask(call("search_people", query="Elena")), say(text), say(text))
    ran = await run_loop(asking.model(native=True), "Pay the invoice and tell Elena Weber. Who is Zoltan Nagy?")
    facts = [numbered.fact.subject for message in ran.messages for numbered in message.facts]
    assert "Zoltan Nagy" not in facts
    assert len(ran.results) == 1
    report = next(event for event in ran.events if isinstance(event, Verified)).report
    assert report.violations
    for invented in ("ETH Zürich", "I have paid", "+41 44 000 00 00"):
        assert invented not in ran.answer.text


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    opened = Workspace(
        open_database(f"sqlite:///{tmp_path}/sayso.db"), defaults=Settings("Europe/Zurich", "en", "monday")
    )
    opened.upsert("local", (PersonRecord("Elena Weber", "SINGA Switzerland"),), datetime.now(UTC))
    yield opened
    opened.database.close()


@pytest.mark.parametrize("odd", ["\ud83d", "\x00", "\x1b[31m", "\ufffe", "\u2028", "🎉"], ids=ascii)
async def test_m10_odd_characters_survive_store_and_stream(
    stage: Stage, asking: Asking, workspace: Workspace, tmp_path: Path, odd: str
) -> None:
    """In text and in arguments: the thread can be read again, and each event is one line of ASCII."""
    argued = Call("search_people", json.dumps({"query": "Elena" + odd}), pieces=1)
    raw = Call("search_people", '{"query": "Elena' + odd + '"}', pieces=1)
    stage.play(Reply((Text(("I look " + odd,)), argued, raw), "calls"), say(f"Hello {odd} there! How can I help you?"))
    settings = config.load({"home": tmp_path, "time_zone": "Europe/Zurich"}, {}, tmp_path)
    assistant = assemble(workspace, asking.model(native=True), settings, reason="test", limits=Limits())
    events = [event async for event in assistant.ask("hello", actor=LOCAL_USER)]
    assert sum(isinstance(event, Finish | Failed) for event in events) == 1
    assert not isinstance(events[-1], Failed), events[-1]
    assert not stage.refused
    for number, event in enumerate(events):
        if (data := event_json(event)) is not None:
            assert frame(number, event.name, data).count(b"\n") == 4
    started = next(event for event in events if isinstance(event, RunStarted))
    read = await Threads(workspace.database, kinds_by_name(WORKSPACE_KINDS)).messages("local", started.thread_id)
    assert [message.role for message in read] == [Role.USER, Role.ASSISTANT, Role.TOOL, Role.ASSISTANT]
    assert "there! How can I help you?" in read[-1].text
