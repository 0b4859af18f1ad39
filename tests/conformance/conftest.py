"""The stage of a provider, a model over it, and a run of the whole loop over that model."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pytest

from conformance.server.stage import PROTOCOLS, Stage, staged
from sayso.core.events import Answer, Event, Failed, Finish, Recorded, Status
from sayso.core.evidence import Evidence
from sayso.core.loop import run_exchange
from sayso.core.messages import Message, Role, TextPart, ToolResult
from sayso.core.ports import Model, ModelEvent, ModelRequest, NativeCall, ReplyEnd, TextChunk
from sayso.core.progress import Limits, Task
from sayso.core.runner import InProcessRunner
from sayso.core.tools import Registry, Tool, ToolContext
from sayso.core.verify import Setting, Verifier
from sayso.errors import ModelError
from sayso.models import providers
from sayso.models.connection import Connection, Timeouts
from sayso.models.http_model import HttpModel
from small_world import ACTOR, EVERYONE, NOW, PROPOSE, SEARCH, file_proposal

NAMES = {"chat": "gpt-5-mini", "responses": "gpt-5", "anthropic": "claude-haiku-4-5", "gemini": "gemini-3-flash"}
KEY = "sk-secret"


def model_at(protocol: str, url: str, **how: Any) -> HttpModel:
    """The real adapter of a protocol."""
    return providers.model_at(protocol, NAMES[protocol], url, KEY, **how)


@pytest.fixture(params=PROTOCOLS)
def protocol(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
async def stage(protocol: str) -> AsyncIterator[Stage]:
    async with staged(protocol) as set_up:
        yield set_up


@dataclass
class Heard:
    """What came of one request at the seam."""

    events: list[ModelEvent] = field(default_factory=list[ModelEvent])
    error: ModelError | None = None
    waits: list[float] = field(default_factory=list[float])

    @property
    def text(self) -> str:
        return "".join(e.text for e in self.events if isinstance(e, TextChunk))

    @property
    def calls(self) -> list[NativeCall]:
        return [e for e in self.events if isinstance(e, NativeCall)]

    @property
    def end(self) -> ReplyEnd | None:
        ends = [e for e in self.events if isinstance(e, ReplyEnd)]
        assert len(ends) <= 1, "a reply ends once"
        assert not ends or self.events[-1] is ends[0], "nothing comes after the end"
        return ends[0] if ends else None


@dataclass
class Asking:
    """Makes models over the stage, with waits that are noted instead of slept, and closes them."""

    stage: Stage
    waits: list[float] = field(default_factory=list[float])
    made: list[HttpModel] = field(default_factory=list[HttpModel])

    def model(self, *, native: bool | None = None, first_byte: float = 10.0, idle: float = 10.0) -> HttpModel:
        async def no_wait(seconds: float) -> None:
            self.waits.append(seconds)

        model = model_at(
            self.stage.provider.protocol, self.stage.url, native_tools=native,
            connection=Connection(Timeouts(5.0, first_byte, idle)), sleep=no_wait,
        )  # fmt: skip
        self.made.append(model)
        return model

    async def hear(self, model: Model, request: ModelRequest) -> Heard:
        heard = Heard(waits=self.waits)
        try:
            async for event in model.stream(request):
                heard.events.append(event)
        except ModelError as error:
            heard.error = error
        return heard


@pytest.fixture
async def asking(stage: Stage) -> AsyncIterator[Asking]:
    made = Asking(stage)
    yield made
    for model in made.made:
        await model.aclose()


def request_of(**changes: Any) -> ModelRequest:
    values: dict[str, Any] = {
        "system": "Be brief.", "messages": (Message("m1", Role.USER, (TextPart("Hello"),), "ex_1"),),
        "tools": (SEARCH, EVERYONE, PROPOSE), "tools_open": True, "shown": (), "hint": "", "now": NOW, "locale": "en",
        "seconds_left": 30.0,
    }  # fmt: skip
    return ModelRequest(**{**values, **changes})


class RunningClock:
    def now(self) -> datetime:
        return NOW

    def monotonic(self) -> float:
        return time.monotonic()


class CountingIds:
    def __init__(self) -> None:
        self.count = 0

    def new(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}_{self.count}"


@dataclass
class Ran:
    """A finished run of the loop."""

    events: list[Event] = field(default_factory=list[Event])

    @property
    def finish(self) -> Finish | Failed:
        ends = [e for e in self.events if isinstance(e, Finish | Failed)]
        assert len(ends) == 1, ends
        assert self.events[-1] is ends[0]
        return ends[0]

    @property
    def answer(self) -> Answer:
        return next(e for e in self.events if isinstance(e, Answer))

    @property
    def messages(self) -> tuple[Message, ...]:
        return tuple(e.message for e in self.events if isinstance(e, Recorded))

    @property
    def results(self) -> list[ToolResult]:
        return [result for message in self.messages for result in message.results]

    @property
    def told(self) -> list[str]:
        return [e.text for e in self.events if isinstance(e, Status) and e.text]


Run = Callable[..., Any]


async def run_loop(
    model: Model, question: str, *, limits: Limits | None = None, tools: Sequence[Tool] = (SEARCH, EVERYONE, PROPOSE),
    history: tuple[Message, ...] = (), evidence: Evidence | None = None, ids: CountingIds | None = None,
    exchange: str = "ex_1",
) -> Ran:  # fmt: skip
    """One exchange over a real model at a real address, with tools that run."""
    evidence = evidence or Evidence()
    registry = Registry(tools)
    runner = InProcessRunner(registry, ToolContext(ACTOR, NOW, "en", question), evidence, file_proposal, 5.0)
    ran = Ran()
    events = run_exchange(
        Task("run_1", "thread_1", exchange, question, history=history), model=model, tools=registry, runner=runner,
        evidence=evidence, verifier=Verifier(evidence, Setting(NOW, "en", question, frozenset())),
        clock=RunningClock(), ids=ids or CountingIds(), limits=limits or Limits(),
    )  # fmt: skip
    async for event in events:
        ran.events.append(event)
    return ran
