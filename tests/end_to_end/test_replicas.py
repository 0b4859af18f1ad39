"""Two processes that act as one: two whole servers over one database, two inference services over one run log."""

from __future__ import annotations

import http.client
import json
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event
from typing import Any

import jwt
import pytest

from processes import PATIENCE, Answered, Served, events_in, free_port, sayso
from scripted_server import Script, Step, model_server

Json = dict[str, Any]
SLOW, QUICK, FOUND = "Take your time with this one.", "Hello there.", "Who is Elena Weber?"
QUIET = "[runs]\nquiet_seconds = 10\n"


@dataclass(slots=True)
class Pair:
    """Two replicas, a token of the one person, and the gate before which the model holds the slow answer."""

    one: Served
    two: Served
    gateway: Served
    token: str
    script: Script
    gate: Event
    reached: Event
    database: Path
    catalogue: Json = field(default_factory=dict[str, Any])

    @property
    def bearer(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.token}"}

    @property
    def proof(self) -> dict[str, str]:
        """What says who reads at an inference service."""
        return {"authorization": f"Bearer {self.catalogue['seal']}"} if self.catalogue else self.bearer

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        connection = sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)
        try:
            return connection.execute(query).fetchall()
        finally:
            connection.close()

    def ask(self, replica: Served, **body: Any) -> Answered:
        named = {"catalogue": self.catalogue} if self.catalogue else {}
        return replica.ask("POST", "/api/v1/ai/chat", {**named, **body}, self.bearer)


def _slow(gate: Event, reached: Event) -> Step:
    def says(text: str) -> str:
        reached.set()
        assert gate.wait(PATIENCE)
        return "Good morning."

    return Step(says=says)


def _steps(gate: Event, reached: Event) -> dict[str, list[Step]]:
    return {
        SLOW: [_slow(gate, reached)],
        QUICK: [Step(says="Hello! How can I help?")],
        FOUND: [Step(calls=[("search_people", {"query": "Elena Weber"})]), Step(says="Hello again!"),
                Step(says="This would be a second run.")],
    }  # fmt: skip


@contextmanager
def _started(*services: Served) -> Iterator[None]:
    try:
        for service in services:
            service.start()
        yield
    finally:
        for service in reversed(services):
            service.stop()


def _token(home: Path) -> str:
    made = sayso("tokens", "add", "test", "--scope", "*", home=home)
    assert made.returncode == 0, made.stderr
    return made.stdout.strip()


@contextmanager
def two_servers(folder: Path) -> Iterator[Pair]:
    """`sayso serve` twice over one home: one database, one set of keys."""
    home = folder / "home"
    script = Script({})
    with model_server(script) as model:
        settings = "[runs]\nshared = true\nquiet_seconds = 10\n"
        one = Served(home, ("--model", model), settings=settings)
        two = Served(home, ("--model", model), settings=settings)
        with _started(one, two):
            yield Pair(one, two, one, _token(home), script, Event(), Event(), home / "sayso.db")


@contextmanager
def two_inference_services(folder: Path) -> Iterator[Pair]:
    """Two homes, a folder of keys that both have, and a run log."""
    home, keys, log = folder / "application", folder / "keys", folder / "runs.db"
    gateway = Served(home, ("--role", "gateway"), port=free_port())
    script = Script({})
    with model_server(script) as model:
        told = ("--role", "inference", "--model", model, "--gateway-keys", f"{gateway.url}/api/v1/system/keys",
                "--keys", str(keys), "--run-log", f"sqlite:///{log}")  # fmt: skip
        one = Served(folder / "one", told, settings=QUIET)
        two = Served(folder / "two", told, settings=QUIET)
        with _started(gateway, one, two):
            pair = Pair(one, two, gateway, _token(home), script, Event(), Event(), log)
            pair.catalogue = gateway.ask("GET", "/api/v1/system/mcp/tools", headers=pair.bearer).json
            yield pair


PAIRS = {"servers": two_servers, "inference": two_inference_services}


@pytest.fixture(params=PAIRS, scope="module")
def started(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Starting processes takes longer than any test of them: they are the same ones for all, started again if killed."""
    with PAIRS[request.param](tmp_path_factory.mktemp("pair")) as pair:
        yield pair


@pytest.fixture
def pair(started: Pair) -> Iterator[Pair]:
    gate, reached = Event(), Event()
    started.script.steps = _steps(gate, reached)
    try:
        yield replace(started, gate=gate, reached=reached)
    finally:
        gate.set()


servers_only = pytest.mark.parametrize("started", ["servers"], indirect=True, scope="module")
inference_only = pytest.mark.parametrize("started", ["inference"], indirect=True, scope="module")


def eventually(true: Callable[[], bool]) -> None:
    """What is told is written a moment later."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@contextmanager
def asked(pair: Pair, replica: Served, **body: Any) -> Iterator[tuple[str, http.client.HTTPResponse]]:
    """A run that has begun, and its answer, of which nothing was read yet."""
    named = {"catalogue": pair.catalogue} if pair.catalogue else {}
    connection = http.client.HTTPConnection("127.0.0.1", replica.port, timeout=PATIENCE)
    try:
        headers = {"content-type": "application/json", **pair.bearer}
        connection.request("POST", "/api/v1/ai/chat", json.dumps({**named, **body}), headers)
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        run = answer.headers["x-sayso-run"]
        eventually(lambda: bool(pair.rows(f"SELECT 1 FROM run_frames WHERE run_id = '{run}'")))
        yield run, answer
    finally:
        connection.close()


def events_at(pair: Pair, replica: Served, run: str, after: int = 0) -> Answered:
    return replica.ask("GET", f"/api/v1/ai/runs/{run}/events", headers={**pair.proof, "last-event-id": str(after)})


def told(stream: str) -> str:
    """A stream without the comments that keep it alive."""
    return "\n\n".join(block for block in stream.split("\n\n") if not block.startswith(":"))


def test_g1_a_run_of_one_is_read_and_resumed_at_the_other(pair: Pair) -> None:
    with asked(pair, pair.one, message=SLOW) as (run, answer), ThreadPoolExecutor(2) as pool:
        assert pair.reached.wait(PATIENCE)
        reading = [pool.submit(events_at, pair, pair.two, run, after) for after in (0, 1)]
        pair.gate.set()
        own = answer.read().decode()
        whole, rest = (told(future.result().text) for future in reading)
    assert whole == told(own)
    assert events_in(whole)[-1][0] == "finish"
    assert events_in(rest) == events_in(whole)[1:]
    assert events_at(pair, pair.two, "run_nobody_knows").status == 404


def test_g4_a_run_of_one_is_stopped_at_the_other(pair: Pair) -> None:
    with asked(pair, pair.one, message=SLOW) as (run, answer):
        assert pair.reached.wait(PATIENCE)
        stopped = pair.two.ask("POST", f"/api/v1/ai/runs/{run}/stop", {}, pair.proof)
        assert (stopped.status, stopped.json) == (200, {"run_id": run, "stopped": True})
        name, data = events_in(answer.read().decode())[-1]
    assert (name, data["reason"]) == ("finish", "stopped")
    assert events_in(events_at(pair, pair.two, run).text)[-1] == (name, data)


def test_d5_the_other_tells_an_end_where_one_is_killed_in_mid_run(pair: Pair) -> None:
    try:
        with asked(pair, pair.one, message=SLOW) as (run, _):
            assert pair.reached.wait(PATIENCE)
            pair.one.stop(signal.SIGKILL)
            at_two = events_at(pair, pair.two, run)
            assert at_two.status == 200, at_two
            name, data = events_in(at_two.text)[-1]
        assert (name, data["code"], data["retryable"]) == ("error", "lost", True)
        pair.gate.set()
        assert events_in(pair.ask(pair.two, message=QUICK).text)[-1][0] == "finish", "the other answers on"
    finally:
        pair.one.start()


def _continued(pair: Pair) -> Json:
    """The body that goes on with an exchange whose one call the gateway has answered."""
    begun = events_in(pair.ask(pair.one, message=FOUND, thread_id="t").text)
    (call,) = [data for name, data in begun if name == "client-tool-call"]
    finish = begun[-1][1]
    arguments = call["arguments"]
    sent = {
        "call_id": call["call_id"], "name": call["name"],
        "arguments": json.loads(arguments) if isinstance(arguments, str) else arguments,
    }  # fmt: skip
    result = pair.gateway.ask("POST", "/api/v1/system/mcp/call", sent, pair.bearer)
    assert result.status == 200, result
    return {
        "thread_id": "t", "exchange": finish["messages"], "continuation": finish["continuation"],
        "tool_results": [result.json],
    }  # fmt: skip


def test_h2_the_same_results_sent_to_both_are_one_run_and_others_are_refused_at_both(pair: Pair) -> None:
    pair.catalogue = pair.gateway.ask("GET", "/api/v1/system/mcp/tools", headers=pair.bearer).json
    body = _continued(pair)
    before, claims = len(pair.script.asked), len(pair.rows("SELECT * FROM run_claims"))
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda replica: pair.ask(replica, **body), (pair.one, pair.two)))
    assert [answer.status for answer in both] == [200, 200], both
    assert len({answer.headers["x-sayso-run"] for answer in both}) == 1
    assert told(both[0].text) == told(both[1].text)
    assert len(pair.script.asked) == before + 1, "the model was asked once"
    for replica in (pair.one, pair.two):
        other = pair.ask(replica, **body, locale="de")
        assert (other.status, other.json["code"]) == (409, "continuation_used"), other
        again = pair.ask(replica, **body)
        assert told(again.text) == told(both[0].text), "late, and finished"
    elsewhere = pair.ask(pair.two, **{**body, "thread_id": "another"})
    assert (elsewhere.status, elsewhere.json["code"]) == (409, "other_thread")
    assert len(pair.rows("SELECT * FROM run_claims")) == claims + 1
    assert len(pair.script.asked) == before + 1


@inference_only
def test_the_run_log_of_inference_services_holds_nothing_else(pair: Pair) -> None:
    pair.ask(pair.one, message=QUICK)
    names = {name for (name,) in pair.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert names == {"run_log", "run_frames", "run_claims"}


@inference_only
def test_a_rotated_key_of_each_service_is_used_without_a_restart(pair: Pair) -> None:
    folder = pair.database.parent
    for service, keys in (("gateway", folder / "application/keys/gateway"), ("inference", folder / "keys")):
        made = sayso("keys", "rotate", "--service", service, "--keys", str(keys), home=folder)
        assert made.returncode == 0, made.stderr
    old = pair.catalogue["seal"]
    pair.catalogue = pair.gateway.ask("GET", "/api/v1/system/mcp/tools", headers=pair.bearer).json
    assert _kid(pair.catalogue["seal"]) != _kid(old)
    body = _continued(pair)
    assert _kid(body["continuation"]).startswith("0002-")
    assert pair.ask(pair.two, **body).status == 200


def _kid(token: str) -> str:
    return str(jwt.get_unverified_header(token)["kid"])


@servers_only
def test_a_second_server_that_starts_leaves_the_first_ones_exchange_alone(pair: Pair) -> None:
    with asked(pair, pair.one, message=SLOW) as (_, answer):
        assert pair.reached.wait(PATIENCE)
        pair.two.stop()
        pair.two.start()
        newest = "SELECT state FROM exchanges ORDER BY started DESC LIMIT 1"
        assert pair.rows(newest) == [("running",)]
        pair.gate.set()
        assert events_in(answer.read().decode())[-1][0] == "finish"
        eventually(lambda: pair.rows(newest) == [("finished",)])
