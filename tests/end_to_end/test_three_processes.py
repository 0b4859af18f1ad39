"""A whole conversation over three processes: inference on its own, gateway and workspace over one database.

Driven by the Python caller, and by the one for browsers under Node. What is asserted is what a person would see, what
the stored thread and the database hold, and what the inference process cannot reach.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import sayso.web
from processes import PATIENCE
from sayso.caller import Approve, Caller, CallerError, Decision, Deny, Edit
from services import AFTER, DENIED, PERSON, TASK, Services, three_services

QUESTIONS = (PERSON, TASK, DENIED, AFTER)
STATIC = Path(sayso.web.__file__).parent / "static"
NODE = shutil.which("node")


@dataclass(slots=True)
class Heard:
    """What a caller told of a whole conversation, question by question."""

    told: list[list[tuple[str, Mapping[str, Any]]]] = field(default_factory=list[list[tuple[str, Mapping[str, Any]]]])
    cards: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    opened: list[str] = field(default_factory=list[str])
    thread: str = ""

    def events(self, question: str, name: str) -> list[Mapping[str, Any]]:
        return [data for found, data in self.told[QUESTIONS.index(question)] if found == name]

    def answer(self, question: str) -> str:
        (answer,) = self.events(question, "answer")
        return str(answer["text"])


async def decide(card: Mapping[str, Any]) -> Decision:
    """Mara's is denied with words; Elena's is approved under a better title."""
    if card["target"] == "Mara Lindt":
        return Deny("She has it already.")
    title = next(a["value"] for a in card["arguments"] if a["name"] == "title")
    return Approve() if title == "Ring Elena Weber" else Edit({"title": "Ring Elena Weber"})


def caller_of(services: Services, heard: Heard) -> Caller:
    async def shown(card: Mapping[str, Any]) -> Decision:
        heard.cards.append(card)
        return await decide(card)

    async def opened(path: str) -> str:
        heard.opened.append(path)
        return path

    return Caller(
        services.gateway.url, services.inference.url, workspace_url=services.workspace.url, token=services.token,
        decide=shown, open_page=opened,
    )  # fmt: skip


def in_python(services: Services) -> Heard:
    heard = Heard()

    async def talk() -> None:
        async with caller_of(services, heard) as caller:
            for question in QUESTIONS:
                heard.told.append([(told.name, told.data) async for told in caller.ask(question)])
            heard.thread = caller.thread_id or ""

    asyncio.run(talk())
    return heard


def in_node(services: Services) -> Heard:
    assert NODE
    options = {
        "gatewayUrl": services.gateway.url, "inferenceUrl": services.inference.url,
        "workspaceUrl": services.workspace.url, "token": services.token,
    }  # fmt: skip
    done = subprocess.run(
        [NODE, str(Path(__file__).parent / "drive_caller.mjs")], text=True, capture_output=True, check=False,
        input=json.dumps({"options": options, "questions": QUESTIONS}), timeout=2 * PATIENCE,
        env={**os.environ, "SAYSO_STATIC": str(STATIC)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    told = [[(name, data) for name, data in heard] for heard in found["told"]]
    return Heard(told, found["cards"], found["opened"], found["thread"])


@dataclass(frozen=True, slots=True)
class Talk:
    services: Services
    heard: Heard


DRIVERS: Mapping[str, Callable[[Services], Heard]] = {"python": in_python, "node": in_node}


@pytest.fixture(scope="module", params=DRIVERS)
def talk(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    if request.param == "node" and NODE is None:
        pytest.skip("Node is not installed")
    with three_services(tmp_path_factory.mktemp(request.param)) as services:
        yield Talk(services, DRIVERS[request.param](services))


def test_everything_scripted_was_asked_for_and_nothing_else(talk: Talk) -> None:
    assert talk.services.script.faults == []
    assert [q for q, steps in talk.services.script.steps.items() if steps] == []


def test_two_reads_and_a_navigation_run_for_one_step(talk: Talk) -> None:
    calls = talk.heard.events(PERSON, "client-tool-call")
    assert sorted(call["name"] for call in calls) == ["list_projects", "navigate", "search_people"]
    assert talk.heard.opened == ["/proposals"]
    results = talk.heard.events(PERSON, "result")
    assert [result["status"] for result in results] == ["success"] * 3
    assert all("seal" in r for r in results if r["name"] != "navigate")


def test_the_answer_cites_the_record_that_the_gateway_gave(talk: Talk) -> None:
    answer = talk.heard.answer(PERSON)
    assert answer.startswith("Elena Weber works at SINGA Switzerland [F")
    told = {fact["ref"]: fact for data in talk.heard.events(PERSON, "facts") for fact in data["facts"]}
    cited = told[answer.partition("[")[2].partition("]")[0]]
    assert (cited["subject"], cited["provenance"]) == ("Elena Weber", "own")


def test_a_change_is_edited_and_exactly_what_was_approved_is_done(talk: Talk) -> None:
    mine = [card for card in talk.heard.cards if card["target"] == "Elena Weber"]
    assert len({card["digest"] for card in mine}) == 2, "an edit is a new digest"
    assert talk.heard.events(TASK, "decided")[-1]["state"] == "done"
    assert talk.heard.answer(TASK).startswith("I have created the commitment [F")
    found = talk.services.rows("SELECT body FROM records WHERE kind = 'commitment' AND body LIKE '%Ring Elena Weber%'")
    assert len(found) == 1
    assert not talk.services.rows("SELECT 1 FROM records WHERE body LIKE '%\"Call Elena Weber\"%'")


def test_what_was_denied_is_not_done_and_said_to_be_so(talk: Talk) -> None:
    assert talk.heard.events(DENIED, "decided")[-1]["state"] == "denied"
    (result,) = talk.heard.events(DENIED, "result")
    assert result["status"] == "denied"
    assert talk.heard.answer(DENIED) == "All right: nothing was created."
    assert not talk.services.rows("SELECT 1 FROM records WHERE kind = 'commitment' AND body LIKE '%Send the plan%'")


def test_b21_every_request_to_the_model_begins_with_the_one_system_message(talk: Talk) -> None:
    """Also those after a denial: each is made anew from the transcript, never patched."""
    for request in talk.services.script.asked:
        roles = [message["role"] for message in request["messages"]]
        assert roles[0] == "system"
        assert roles.count("system") == 1


def test_a_later_answer_cites_the_receipt(talk: Talk) -> None:
    answer = talk.heard.answer(AFTER)
    ref = answer.partition("[")[2].partition("]")[0]
    assert answer == f"Yes: I have created the commitment [{ref}]."
    judged = talk.heard.events(AFTER, "verification")[-1]["sentences"][-1]
    assert (judged["verdict"], judged["refs"]) == ("supported", [ref])


def test_the_stored_thread_is_the_conversation(talk: Talk) -> None:
    workspace, bearer = talk.services.workspace, talk.services.bearer
    history = workspace.ask("GET", f"/api/v1/threads/{talk.heard.thread}/history", headers=bearer).json
    last = talk.heard.events(AFTER, "finish")[-1]
    assert history["transcript"] == last["transcript"]
    assert history["next_ref"] == last["next_ref"]
    assert not [data for question in QUESTIONS for data in talk.heard.events(question, "unsaved")]
    issued = [part["call"][0] for m in history["messages"] for part in m["parts"] if "call" in part]
    ended = [part["result"][0] for m in history["messages"] for part in m["parts"] if "result" in part]
    assert sorted(issued) == sorted(ended) == sorted(set(issued)), "each call has one result"
    shown = workspace.ask("GET", f"/api/v1/threads/{talk.heard.thread}", headers=bearer).json
    assert [exchange["question"] for exchange in shown["exchanges"]] == list(QUESTIONS)
    assert shown["exchanges"][0]["answer"] == talk.heard.answer(PERSON)


def test_each_proposal_ended_as_it_was_decided(talk: Talk) -> None:
    cards = talk.services.gateway.ask("GET", "/api/v1/proposals", headers=talk.services.bearer).json["proposals"]
    assert sorted((card["target"], card["state"]) for card in cards) == [
        ("Elena Weber", "done"),
        ("Mara Lindt", "denied"),
    ]


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="the system does not tell what a process holds open")
def test_the_inference_process_holds_no_database_and_knows_no_way_to_one(talk: Talk) -> None:
    held = talk.services.inference.files()
    assert not [path for path in held if path.endswith((".db", ".db-wal", ".db-shm"))], held
    assert not [path for path in held if path.startswith(str(talk.services.home))]
    assert [path for path in talk.services.gateway.files() if path.endswith(".db")]
    assert not list(talk.services.inference.home.rglob("*.db"))
    assert talk.services.token not in "".join(
        p.read_text(errors="replace") for p in talk.services.inference.home.rglob("*") if p.is_file()
    )


def test_a_secret_of_the_application_is_of_no_use_at_the_inference_service(talk: Talk) -> None:
    refused = talk.services.inference.ask("POST", "/api/v1/ai/runs/run_x/stop", {}, talk.services.bearer)
    assert (refused.status, refused.json["code"]) == (401, "catalogue_forged")


# What goes wrong on the way, each with services of its own.


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with three_services(tmp_path) as started:
        yield started


def test_the_inference_process_may_be_killed_in_mid_exchange(services: Services) -> None:
    """It keeps nothing: the continuation that the dead process signed is good for the next one."""
    heard = Heard()

    async def talk() -> str:
        async with caller_of(services, heard) as caller:
            async for told in caller.ask(PERSON):
                if told.name == "result" and len(heard.told) == 0:
                    heard.told.append([])
                    await asyncio.to_thread(services.inference.stop, signal.SIGKILL)
                    await asyncio.to_thread(services.inference.start)
                if told.name == "answer":
                    return str(told.data["text"])
        return ""

    assert asyncio.run(talk()).startswith("Elena Weber works at SINGA Switzerland [F")


def test_keys_of_both_services_may_be_changed_in_mid_exchange(services: Services) -> None:
    """What the old keys signed stays good; what comes after is signed by the new ones."""
    from sayso.signing.keys import rotate

    heard = Heard()

    async def talk() -> list[str]:
        answers: list[str] = []
        async with caller_of(services, heard) as caller:
            for question in (PERSON, TASK):
                async for told in caller.ask(question):
                    if told.name == "result" and told.data["name"] == "search_people":
                        for folder in (
                            services.home / "keys" / "gateway",
                            services.inference.home / "keys" / "inference",
                        ):
                            assert list(folder.glob("*.pem")), folder
                            rotate(folder)
                    if told.name == "answer":
                        answers.append(str(told.data["text"]))
        return answers

    first, second = asyncio.run(talk())
    assert first.startswith("Elena Weber works at")
    assert second.startswith("I have created the commitment")


def test_a_gateway_that_is_down_is_said_and_nothing_is_lost(services: Services) -> None:
    heard = Heard()

    async def talk() -> tuple[str, str]:
        async with caller_of(services, heard) as caller:
            wrong = ""
            try:
                async for told in caller.ask(PERSON):
                    if told.name == "client-tool-call" and not wrong:
                        wrong = "waits"
                        await asyncio.to_thread(services.gateway.stop)
            except CallerError as refused:
                wrong = f"{refused.code}: {refused}"
            assert caller.owes
            await asyncio.to_thread(services.gateway.start)
            answers = [str(told.data["text"]) async for told in caller.go_on() if told.name == "answer"]
            return wrong, answers[0]

    wrong, answer = asyncio.run(talk())
    assert wrong.startswith("unreachable: ")
    assert services.gateway.url in wrong
    assert answer.startswith("Elena Weber works at SINGA Switzerland [F")
