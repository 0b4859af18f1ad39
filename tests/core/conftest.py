"""Shared by the core's tests: small tools, a steady clock, counting ids, and a run in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import BaseModel

from sayso.core.events import Answer, Event, Failed, Finish, Recorded
from sayso.core.evidence import Evidence
from sayso.core.facts import PROPOSAL, Fact, FactKind, Field, FieldType
from sayso.core.loop import run_exchange
from sayso.core.messages import Message, ToolCall
from sayso.core.progress import Limits, Task
from sayso.core.proposals import Change
from sayso.core.runner import InProcessRunner
from sayso.core.tools import Actor, ProposeResult, ReadResult, Registry, Tool, ToolContext, define_tool
from sayso.core.verify import Setting, Verifier

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)

PERSON = FactKind(
    "person",
    (
        Field("name"),
        Field("affiliation", words=("affiliation", "works at", "company")),
        Field("role", words=("role", "works as")),
        Field("channels", FieldType.LIST, words=("phone", "e-mail", "reach")),
        Field("birthday", words=("birthday", "born")),
    ),
    subject="name",
    words=("person", "people", "contact", "contacts"),
)


def person(name: str, key: str, **values: Any) -> Fact:
    return PERSON.fact({"name": name, **values}, source="people", key=key, as_of=NOW)


ELENA = person("Elena Weber", "p1", affiliation="SINGA Switzerland", channels=("whatsapp +41 77 473 00 93",))
ILYA = person("Ilya Druzhnikov", "p2", channels=("email ilya@druzhnikov.example",))
MARA = person("Mara Lindt", "p3", role="architect", channels=("phone +41 79 555 01 02",), birthday="1981-04-07")
PEOPLE = (ELENA, ILYA, MARA)


class Query(BaseModel):
    query: str


class Nothing(BaseModel):
    pass


class Message_(BaseModel):
    person: str
    text: str = ""


async def search_people(arguments: Query, context: ToolContext) -> ReadResult:
    words = arguments.query.lower().split()
    found = tuple(p for p in PEOPLE if set(words) & set(p.subject.lower().split()))
    return ReadResult(found, len(found), len(PEOPLE))


async def list_everyone(arguments: Nothing, context: ToolContext) -> ReadResult:
    return ReadResult(PEOPLE, len(PEOPLE), len(PEOPLE))


async def propose_message(arguments: Message_, context: ToolContext) -> ProposeResult:
    return ProposeResult(Change("message", f"Message to {arguments.person}", {"text": arguments.text}))


SEARCH = define_tool(
    "search_people", kind="read", description="Find people by name.", arguments=Query, run=search_people,
    example={"query": "Elena"}, covers=PERSON, words=("who",), takes_name="query",
)  # fmt: skip
EVERYONE = define_tool(
    "list_people", kind="read", description="List all people.", arguments=Nothing, run=list_everyone,
    example={}, covers=PERSON,
)  # fmt: skip
PROPOSE = define_tool(
    "propose_message", kind="propose", description="Propose a message.", arguments=Message_, run=propose_message,
    example={"person": "Elena", "text": "Hello"},
)  # fmt: skip


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


async def file_proposal(change: Change, tool: Tool, call: ToolCall, context: ToolContext) -> tuple[Fact, bool]:
    values = {"title": change.title, "state": "pending", "action": change.action, "proposal_id": "prop_1"}
    return PROPOSAL.fact(values, source="proposals", key="prop_1", as_of=NOW), False


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


ACTOR = Actor("user", "user")


@pytest.fixture
def run() -> Callable[..., Any]:
    """Run one exchange of a scripted model over the small tools."""

    async def run_it(
        model: Any, question: str = "Who is Elena?", *, tools: Sequence[Tool] = (SEARCH, EVERYONE, PROPOSE),
        limits: Limits | None = None, seeds: Sequence[Fact] = (), actor: Actor = ACTOR, runner: Any = None, **task: Any,
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
            ids=CountingIds(), limits=limits or Limits(),
        )  # fmt: skip
        async for event in events:
            ran.events.append(event)
        return ran

    return run_it
