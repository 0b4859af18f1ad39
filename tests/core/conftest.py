"""Shared by the core's tests: small tools, a steady clock, counting ids, and a run in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pytest

from sayso.core.events import Answer, Event, Failed, Finish, Recorded
from sayso.core.evidence import Evidence
from sayso.core.facts import Fact
from sayso.core.loop import run_exchange
from sayso.core.messages import Message
from sayso.core.progress import Limits, Task
from sayso.core.runner import InProcessRunner
from sayso.core.tools import Actor, Registry, Tool, ToolContext
from sayso.core.verify import Setting, Verifier
from small_world import ACTOR, EVERYONE, NOW, PROPOSE, SEARCH, file_proposal


class SteadyClock:
    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> datetime:
        return NOW

    def monotonic(self) -> float:
        return self.seconds


class CountingIds:
    def __init__(self) -> None:
        self.count = 0

    def new(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}_{self.count}"


@dataclass
class Ran:
    """A finished run: its events and what a test wants to know of them."""

    events: list[Event] = field(default_factory=list[Event])

    @property
    def answer(self) -> Answer:
        return next(e for e in self.events if isinstance(e, Answer))

    @property
    def finish(self) -> Finish | Failed:
        ends = [e for e in self.events if isinstance(e, Finish | Failed)]
        assert len(ends) == 1, ends
        assert self.events[-1] is ends[0]
        return ends[0]

    @property
    def messages(self) -> tuple[Message, ...]:
        return tuple(e.message for e in self.events if isinstance(e, Recorded))

    def of(self, kind: type[Any]) -> list[Any]:
        return [e for e in self.events if isinstance(e, kind)]


@pytest.fixture
def run() -> Callable[..., Any]:
    """Run one exchange of a scripted model over the small tools."""

    async def run_it(
        model: Any, question: str = "Who is Elena?", *, tools: Sequence[Tool] = (SEARCH, EVERYONE, PROPOSE),
        limits: Limits | None = None, seeds: Sequence[Fact] = (), actor: Actor = ACTOR, runner: Any = None,
        second_opinion: Any = None, **task: Any,
    ) -> Ran:  # fmt: skip
        evidence = task.pop("evidence", None) or Evidence()
        registry = Registry(tools)
        context = ToolContext(actor, NOW, "en", question)
        clock = task.pop("clock", None) or SteadyClock()
        verifier = Verifier(evidence, Setting(NOW, "en", question, frozenset()))
        ran = Ran()
        events = run_exchange(
            Task("run_1", "thread_1", "ex_1", question, seeds=evidence.add_all(seeds), **task),
            model=model, tools=registry, evidence=evidence, verifier=verifier, clock=clock,
            runner=runner or InProcessRunner(registry, context, evidence, file_proposal, 5.0),
            ids=CountingIds(), limits=limits or Limits(), second_opinion=second_opinion,
        )  # fmt: skip
        async for event in events:
            ran.events.append(event)
        return ran

    return run_it
