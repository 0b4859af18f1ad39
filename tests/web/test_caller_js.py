"""`caller.js` under Node: its parts by themselves, its types, and the whole of it against the strict services."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import sayso.web
from caller_services import TOKEN, Served, Services, Step, calls, says

STATIC = Path(sayso.web.__file__).parent / "static"
HERE = Path(__file__).parent
NODE = shutil.which("node")
TSC = Path(__file__).parents[2] / ".venv/typescript/node_modules/typescript/bin/tsc"
ELENA = ("search_people", {"query": "Elena"})
GOALS = ("search_goals", {"query": "goals"})
REMIND = ("propose_action", {"action": "add_reminder", "about": "Call Elena"})

pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed")


def node(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "SAYSO_STATIC": str(STATIC)}
    return subprocess.run(
        [str(NODE), *arguments], input=given, env=environment, capture_output=True, text=True, timeout=240, check=False
    )


def test_its_parts_do_what_they_say() -> None:
    ended = node("--test", str(HERE / "caller.test.mjs"))
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.skipif(
    not TSC.exists(), reason="TypeScript was not fetched: npm has no network (scripts/typescript-for-tests)"
)
def test_its_types_hold() -> None:
    flags = "--checkJs --allowJs --strict --noEmit --target es2023 --module nodenext --moduleResolution nodenext"
    lib = "es2023,dom,dom.iterable,dom.asynciterable"
    ended = node(str(TSC), *flags.split(), "--lib", lib, str(STATIC / "caller.js"))
    assert ended.returncode == 0, ended.stdout


SCALAR = st.none() | st.booleans() | st.integers(-3, 12) | st.sampled_from(["", "a", "ab", "é🏔", "due"]) | st.just(1.5)
VALUE = st.recursive(
    SCALAR,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object"])
PLAIN = st.fixed_dictionaries(
    {},
    optional={
        "type": TYPES | st.lists(TYPES, min_size=1, max_size=2, unique=True),
        "enum": st.lists(VALUE, min_size=1, max_size=3),
        "const": VALUE,
        "minimum": st.integers(-2, 5), "maximum": st.integers(-2, 9), "exclusiveMinimum": st.integers(-2, 5),
        "multipleOf": st.integers(1, 3), "minLength": st.integers(0, 2), "maxLength": st.integers(0, 2),
        "pattern": st.sampled_from(["^a", "b$", "^.$"]), "minItems": st.integers(0, 2), "maxItems": st.integers(0, 2),
        "uniqueItems": st.booleans(), "required": st.lists(st.sampled_from("abc"), max_size=2, unique=True),
        "minProperties": st.integers(0, 2), "maxProperties": st.integers(0, 2),
    },
)  # fmt: skip
SCHEMA = st.recursive(
    PLAIN | st.booleans(),
    lambda inner: st.tuples(
        PLAIN,
        st.fixed_dictionaries(
            {},
            optional={
                "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=2), "items": inner,
                "additionalProperties": inner, "patternProperties": st.dictionaries(st.just("^a"), inner, max_size=1),
                "prefixItems": st.lists(inner, min_size=1, max_size=2), "anyOf": st.lists(inner, min_size=1, max_size=2),
                "oneOf": st.lists(inner, min_size=1, max_size=2), "allOf": st.lists(inner, min_size=1, max_size=2),
                "not": inner,
            },
        ),
    ).map(lambda pair: {**pair[0], **pair[1]}),
    max_leaves=5,
)  # fmt: skip


@settings(max_examples=28, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(SCHEMA, VALUE), min_size=15, max_size=40))
def test_schemas_are_judged_as_the_python_caller_judges_them(pairs: list[tuple[Any, Any]]) -> None:
    ended = node(str(HERE / "judge.mjs"), given=json.dumps(pairs))
    assert ended.returncode == 0, ended.stderr
    for (schema, value), fits in zip(pairs, json.loads(ended.stdout), strict=True):
        assert fits is Draft202012Validator(schema).is_valid(value), (schema, value)


Drive = Callable[..., dict[str, Any]]


@pytest.fixture
def services() -> Services:
    return Services()


@pytest.fixture
def drive(services: Services) -> Iterator[Drive]:
    with Served(services) as served:

        def run(*acts: list[Any], options: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
            told = {"gatewayUrl": served.url, "token": TOKEN, "waits": {"pause": 10, "longest": 50}, **(options or {})}
            ended = node(str(HERE / "drive.mjs"), given=json.dumps({"options": told, "acts": list(acts), **more}))
            assert ended.returncode == 0, ended.stderr
            return json.loads(ended.stdout)

        yield run


def results_of(services: Services, chat: int = -1) -> list[tuple[str, str, str | None]]:
    return [(r["name"], r["status"], r.get("reason")) for r in services.chats[chat]["tool_results"]]


def names(told: list[Any]) -> list[str]:
    return [event["name"] for event in told]


def test_two_reads_run_together_and_the_answer_follows(services: Services, drive: Drive) -> None:
    services.script = [calls(ELENA, GOALS), says("Elena has one goal.")]
    services.gate = threading.Event()

    def release() -> None:
        while services.concurrent < 2:
            time.sleep(0.01)
        services.gate.set()

    opening = threading.Thread(target=release, daemon=True)
    opening.start()
    found = drive(["ask", "What is Elena's goal?"])
    assert services.most_concurrent == 2
    assert [e["data"]["text"] for e in found["told"][0] if e["name"] == "answer"] == ["Elena has one goal."]
    assert results_of(services) == [("search_people", "success", None), ("search_goals", "success", None)]
    assert (services.called[0]["question"], services.called[0]["exchange_id"]) == ("What is Elena's goal?", "x1")
    assert not found["owes"]


def test_messages_and_numbers_go_back_exactly_as_they_were_given(services: Services, drive: Drive) -> None:
    services.script = [calls(ELENA), says("One."), says("Two."), says("Three.")]
    found = drive(["ask", "a"], ["ask", "b"], ["ask", "c"])
    assert [names(told)[-1] for told in found["told"]] == ["finish"] * 3
    assert len(services.threads["t1"]) == 8


def test_a_stored_thread_is_taken_up_and_a_stale_copy_is_told(services: Services, drive: Drive) -> None:
    services.script = [says("One."), says("Two."), says("Three.")]
    held = drive(["ask", "a"])["held"]
    drive(["open", "t1"], ["ask", "b"])
    assert services.chats[-1]["history_seal"].startswith("history-t1")
    stale = drive(["ask", "c"], held=held)["told"][0][-1]
    assert (stale["data"]["kind"], stale["data"]["members"]["count"]) == ("StaleCopy", 4)


def test_a_write_that_is_edited_and_approved_runs_and_one_is_denied(services: Services, drive: Drive) -> None:
    other = ("propose_action", {"action": "add_reminder", "about": "Call Tom"})
    services.script = [calls(REMIND, other), says("Done.")]
    decisions = [
        {"what": "edit", "arguments": {"about": 7}}, {"what": "edit", "arguments": {"about": "Call Elena on Friday"}},
        {"what": "approve"}, {"what": "deny", "words": "not him"},
    ]  # fmt: skip
    found = drive(["ask", "remind me"], decisions=decisions)
    assert [card["title"] for card in found["cards"]] == [
        "Call Elena",
        "Call Elena",
        "Call Elena on Friday",
        "Call Tom",
    ]
    assert found["cards"][1]["errors"] == [{"field": "about", "message": "text"}]
    assert [what for what, _ in services.decisions] == ["edit", "edit", "approve", "deny"]
    assert services.decisions[2][1] == {"digest": found["cards"][2]["digest"]}
    results = services.chats[-1]["tool_results"]
    assert (results[0]["kind"], results[0]["facts"][0]["kind"]) == ("execute", "receipt")
    assert (results[1]["status"], results[1]["facts"]) == ("denied", [])


def test_without_a_person_or_until_later_a_change_waits(services: Services, drive: Drive) -> None:
    services.script = [calls(REMIND), says("Queued."), calls(REMIND), says("Queued.")]
    drive(["ask", "remind me"])
    drive(["ask", "remind me"], decisions=[{"what": "later"}])
    assert services.decisions == []
    assert services.chats[-1]["tool_results"][0]["facts"][0]["values"]["state"] == "pending"


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (("delete_everything", {}), "unknown_tool"),
        (("search_people", {"query": 7}), "bad_arguments"),
        (("search_people", {"query": "Elena", "limit": 99}), "bad_arguments"),
        (("search_people", '{"query": "a", "query": "b"}'), "bad_arguments"),
        (("search_people", "not json"), "bad_arguments"),
        (("propose_action", {"action": "drop_table", "about": "x"}), "bad_arguments"),
    ],
)
def test_i2_what_a_model_writes_is_judged_before_anything_is_called(
    services: Services, drive: Drive, call: tuple[str, Any], reason: str
) -> None:
    services.script = [calls(call), says("I could not.")]
    drive(["ask", "a"])
    assert services.called == []
    assert results_of(services) == [(call[0], "failed", reason)]


def test_a1_a2_nothing_is_resubmitted_that_is_not_owed(services: Services, drive: Drive) -> None:
    services.script = [says("One."), Step(calls=(ELENA,), waits=False), Step(text="x", waits=True)]
    found = drive(["ask", "a"], ["goOn"], ["ask", "b"], ["ask", "c"])
    assert found["told"][1] == []
    assert found["told"][3][-1]["data"]["code"] == "broken_answer"
    assert (len(services.chats), services.called) == (3, [])


def test_a3_the_step_limit_holds_however_often_it_is_taken_up(services: Services, drive: Drive) -> None:
    services.script = [calls(ELENA)] * 20
    found = drive(["ask", "a"], ["goOn"], options={"steps": 3})
    assert [told[-1]["data"]["code"] for told in found["told"]] == ["step_limit"] * 2
    assert (len(services.chats), len(services.called)) == (3, 2)


def test_b3_a_failing_gateway_loses_nothing_and_a_new_message_ends_what_was_open(
    services: Services, drive: Drive
) -> None:
    services.script = [calls(ELENA, GOALS), says("One."), calls(ELENA), says("New.")]
    services.fail["/api/v1/system/mcp/call"] = [(500, {"code": "internal"}), (503, {})]
    found = drive(["ask", "a"], ["goOn"])
    assert found["told"][0][-1]["data"]["status"] == 500
    assert len(services.called) == 2
    services.fail["/api/v1/system/mcp/call"] = [(500, {"code": "internal"})]
    found = drive(["ask", "a"], ["ask", "b"])
    assert not found["owes"]
    assert found["told"][1][-1]["name"] == "finish"


@pytest.mark.parametrize(
    ("status", "result"),
    [(403, ("denied", "not_allowed")), (404, ("failed", "unknown_tool")), (422, ("failed", "bad_arguments"))],
)
def test_b17_what_the_gateway_refuses_is_a_result_of_its_own_kind(
    services: Services, drive: Drive, status: int, result: tuple[str, str]
) -> None:
    services.script = [calls(ELENA), says("I could not.")]
    services.fail["/api/v1/system/mcp/call"] = [(status, {"code": "refused"})]
    drive(["ask", "a"])
    assert results_of(services) == [("search_people", *result)]


def test_errors_keep_their_code_and_the_conversation_goes_on(services: Services, drive: Drive) -> None:
    services.script = [Step(error="model_busy"), says("Now.")]
    found = drive(["ask", "a"], ["ask", "b"])
    assert found["told"][0][-1]["data"]["code"] == "model_busy"
    assert names(found["told"][1])[-1] == "finish"
    wrong = drive(["ask", "a"], options={"token": "old"})["told"][0][-1]["data"]
    assert (wrong["kind"], wrong["message"]) == ("SignedOut", "sign in first")
    away = drive(["ask", "a"], options={"gatewayUrl": "http://127.0.0.1:9"})["told"][0][-1]["data"]
    assert away["kind"] == "Unreachable"


def test_one_run_at_a_time(services: Services, drive: Drive) -> None:
    services.script = [says("One.")]
    found = drive(["ask", "twice"])
    assert "busy" in [e["data"].get("code") for e in found["told"][0] if e["name"] == "threw"]
    assert len(services.chats) == 1


def test_g1_a_broken_stream_is_resumed_wherever_it_breaks(services: Services, drive: Drive) -> None:
    services.chunk = 7
    script = [says("Zürich ist schön. 漢字 🏔")]
    services.script = [*script]
    whole = names(drive(["ask", "a"])["told"][0])
    for cut in (1, 90, 200, 333, 500, 700):
        services.script, services.cuts = [*script], [cut, 40]
        found = drive(["ask", "a"])["told"][0]
        assert names(found) == whole, f"cut at {cut}"
        assert [e["data"]["text"] for e in found if e["name"] == "answer"] == ["Zürich ist schön. 漢字 🏔"]


def test_g4_stop_ends_a_run_and_the_calls_that_run_here(services: Services, drive: Drive) -> None:
    services.script = [Step(pause=True), says("Here again.")]
    found = drive(["ask", "a"], stopAt="run-started")
    assert found["told"][0][-1]["data"]["reason"] == "stopped"
    drive(["ask", "b"], held=found["held"])
    services.script = [calls(ELENA), says("Later.")]
    services.gate = threading.Event()
    stopped = drive(["ask", "a"], stopAt="call")
    assert stopped["told"][0][-1]["name"] == "stopped"
    assert stopped["owes"]
    services.gate.set()
    found = drive(["goOn"], held=stopped["held"])
    assert names(found["told"][0])[-1] == "finish"


def test_leaving_in_the_middle_stops_the_run_and_loses_nothing(services: Services, drive: Drive) -> None:
    services.script = [Step(pause=True), says("Here again.")]
    found = drive(["ask", "a"], leaveAt="run-started")
    assert services.runs["run_1"].stop.is_set()
    assert not found["owes"]
    drive(["ask", "b"], held=found["held"])
    assert len(services.chats[-1]["history"]) == 1


def test_client_tools_run_here_and_say_how_they_ended(services: Services, drive: Drive) -> None:
    services.script = [calls(("zoom", {"level": 3}), ("zoom", {"level": 9}), ("zoom", {"level": "x"})), says("Ok.")]
    drive(["ask", "zoom"], zoom=True)
    assert results_of(services) == [
        ("zoom", "success", None),
        ("zoom", "denied", None),
        ("zoom", "failed", "bad_arguments"),
    ]
    assert services.chats[-1]["tool_results"][0]["facts"] == [
        {"kind": "view", "subject": "map", "values": {"level": 3}}
    ]


def test_i5_navigate_opens_only_what_the_census_knows_and_what_exists(services: Services, drive: Drive) -> None:
    paths = {
        "/proposals": "success",
        "/t/t1": "success",
        "/t/t9": "failed",
        "javascript:alert(1)": "failed",
        "//evil.example/t": "failed",
    }
    services.script = [calls(*(("navigate", {"path": path}) for path in paths)), says("Ok.")]
    found = drive(["ask", "go there"], reaches=None)
    assert [status for _, status, _ in results_of(services)] == list(paths.values())
    assert found["opened"] == ["/proposals", "/t/t1"]
    services.script = [calls(("navigate", {"path": "/proposals"})), says("Ok.")]
    drive(["ask", "go there"], reaches="/")
    assert results_of(services) == [("navigate", "failed", "tool_failed")]


def test_e4_all_calls_are_answered_in_their_order(services: Services, drive: Drive) -> None:
    services.script = [calls(REMIND, ELENA, ("navigate", {"path": "/proposals"}), ("nothing", {}), GOALS), says("Ok.")]
    drive(["ask", "all of it"], reaches=None, decisions=[{"what": "approve"}])
    assert results_of(services) == [
        ("propose_action", "success", None), ("search_people", "success", None), ("navigate", "success", None),
        ("nothing", "failed", "unknown_tool"), ("search_goals", "success", None),
    ]  # fmt: skip


def test_a_token_goes_only_to_the_service_that_it_is_for(services: Services, drive: Drive) -> None:
    services.script, services.cuts = [says("One.")], [100]
    with Served(services) as other:
        found = drive(["ask", "a"], options={"inferenceUrl": other.url, "headers": {"x-sayso-csrf": "secret"}})
    assert names(found["told"][0])[-1] == "finish"
    sent = [headers for path, headers in services.headers if path.startswith("/api/v1/ai/")]
    assert len(sent) == 2
    assert TOKEN not in str(sent)
    assert "secret" not in str(sent)


def test_a_run_that_failed_over_results_is_taken_up_with_the_same_results(services: Services, drive: Drive) -> None:
    services.script = [calls(ELENA), Step(error="model_busy"), says("Now.")]
    found = drive(["ask", "a"], ["goOn"])
    assert found["told"][1][-1]["data"]["outcome"] == "answered"
    assert len(services.called) == 1


def test_f1_a_long_conversation_is_sent_from_its_last_exchanges_on(services: Services, drive: Drive) -> None:
    text = "é\u2028\x7f\U0001f3d4" * 20
    services.threads["t1"] = [
        services._message(f"x{n // 2}", "user" if n % 2 == 0 else "assistant", [{"text": text}]) for n in range(1200)
    ]
    services.script = [calls(ELENA), says("One.")]
    drive(["open", "t1"], ["ask", "a"])
    sent = [len(chat["history"]) for chat in services.chats]
    assert sent
    assert all(200 < count <= 900 and count % 2 == 0 for count in sent)
    assert len(services.threads["t1"]) == 1204
