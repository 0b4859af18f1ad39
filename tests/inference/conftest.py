"""A running inference service over a scripted model, and a caller that drives it as the contract says."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from starlette.testclient import TestClient

from sayso.core.progress import Limits
from sayso.inference.app import create_inference_app
from sayso.inference.keys import FixedKeys
from sayso.inference.ports import Parts
from sayso.inference.service import ChatService
from sayso.models.scripted import Reply, Scripted
from sayso.serving.runs import Runs
from sayso.signing.keys import Keyring, new_keyring
from sealed_world import GatewayDouble, Json


class CountingIds:
    def __init__(self) -> None:
        self.count = 0

    def new(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}_{self.count}"


@dataclass
class Told:
    """An answer of the service: its status, and its events by name in their order, or its problem."""

    status: int
    events: list[tuple[str, Json]] = field(default_factory=list)
    problem: Json = field(default_factory=dict)
    run: str = ""

    def of(self, name: str) -> list[Json]:
        return [data for event, data in self.events if event == name]

    @property
    def calls(self) -> list[Json]:
        return self.of("client-tool-call")

    @property
    def finish(self) -> Json:
        assert self.events, self.problem
        assert self.events[-1][0] == "finish", self.events[-1]
        return self.events[-1][1]

    @property
    def answer(self) -> str:
        return self.of("answer")[0]["text"]

    @property
    def code(self) -> str:
        return self.problem.get("code", "")


@dataclass
class Panel:
    """Keeps what a caller keeps: the transcript in two parts, and the newest continuation."""

    post: Callable[[Json], Told]
    gateway: GatewayDouble
    history: list[Json] = field(default_factory=list)
    exchange: list[Json] = field(default_factory=list)
    continuation: str | None = None
    client_tools: list[Json] = field(default_factory=list)
    more: Json = field(default_factory=dict)

    def body(self, message: str | None = None, results: Sequence[Json] = (), **more: Any) -> Json:
        body: Json = {"catalogue": self.gateway.catalogue(), "history": self.history, "exchange": self.exchange}
        if self.client_tools:
            body["client_tools"] = self.client_tools
        if message is not None:
            body["message"] = message
        if self.continuation is not None:
            body["continuation"] = self.continuation
        if results:
            body["tool_results"] = list(results)
        return json.loads(json.dumps({**body, **self.more, **more}))

    def ask(self, message: str, **more: Any) -> Told:
        return self.send(self.body(message, **more))

    def give(self, *results: Json, **more: Any) -> Told:
        return self.send(self.body(None, results, **more))

    def send(self, body: Json) -> Told:
        told = self.post(body)
        if told.events and told.events[-1][0] == "finish":
            self.keep(told.finish)
        return told

    def keep(self, finish: Json) -> None:
        self.continuation = finish["continuation"]
        for message in finish["messages"]:
            if self.exchange and self.exchange[-1]["exchange"] != message["exchange"]:
                self.history, self.exchange = [*self.history, *self.exchange], []
            self.exchange.append(message)


@dataclass
class Service:
    """A service, its model and its gateway."""

    model: Scripted
    gateway: GatewayDouble
    keyring: list[Keyring]
    chat: ChatService
    client: TestClient

    def panel(self, **more: Any) -> Panel:
        return Panel(self.post, self.gateway, **more)

    def post(self, body: Json, **headers: str) -> Told:
        typed = {"content-type": "application/json", **headers}
        return told_by(self.client.post("/api/v1/ai/chat", content=json.dumps(body), headers=typed))

    def events(self, run: str, after: int = 0) -> Told:
        headers = {**self.bearer(), "last-event-id": str(after)}
        return told_by(self.client.get(f"/api/v1/ai/runs/{run}/events", headers=headers))

    def stop(self, run: str) -> Any:
        return self.client.post(f"/api/v1/ai/runs/{run}/stop", json={}, headers=self.bearer())

    @contextmanager
    def asking(self, body: Json) -> Iterator[tuple[str, Future[Told]]]:
        """A request that goes on; its run's id, once it has told something."""
        with ThreadPoolExecutor(1) as pool:
            told = pool.submit(self.post, body)
            for _ in range(600):
                begun = [run for run in self.chat.runs._runs.values() if run.frames and not run.ended]
                if begun:
                    yield begun[-1].id, told
                    return
                time.sleep(0.05)
            raise AssertionError("no run has begun")

    def bearer(self, actor: Any = None) -> dict[str, str]:
        catalogue = self.gateway.catalogue(actor) if actor else self.gateway.catalogue()
        return {"authorization": f"Bearer {catalogue['seal']}"}


def told_by(answer: Any) -> Told:
    if answer.status_code != 200:
        return Told(answer.status_code, problem=answer.json())
    return Told(200, read_events(answer.text), run=answer.headers["x-sayso-run"])


def read_events(text: str) -> list[tuple[str, Json]]:
    found: list[tuple[str, Json]] = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "event" in fields:
            found.append((fields["event"], json.loads(fields["data"])))
    return found


@pytest.fixture
def serve() -> Iterator[Callable[..., Service]]:
    """Start a service over a script: `serve(call(...), say(...))`."""
    with ExitStack() as stack:

        def start(*replies: Reply, sealed: bool = True, secret: str = "", origin: str = "", model: Any = None,
                  limits: Limits | None = None, **parts: Any) -> Service:  # fmt: skip
            gateway = GatewayDouble()
            keyring = [new_keyring()]
            answering = model or Scripted(replies)
            keys = FixedKeys(lambda: gateway.ring.public) if sealed else None
            made = Parts(
                answering, gateway.clock, CountingIds(), lambda: keyring[0], keys, limits or Limits(steps=8), **parts
            )
            chat = ChatService(made, Runs())
            app = create_inference_app(chat, secret=secret, origin=origin, allowed_hosts=("testserver",))
            client = stack.enter_context(TestClient(app, raise_server_exceptions=False))
            return Service(answering, gateway, keyring, chat, client)

        yield start
