"""A small application of its own for the quote model: kinds that no workspace has, tools, and a loop of two steps."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

import pytest
from pydantic import BaseModel
from pydantic import Field as Parameter

from sayso.core.evidence import Evidence, Numbered
from sayso.core.facts import PROPOSAL, Fact, FactKind, Field, FieldType, Quantity
from sayso.core.messages import (
    CallPart,
    FactsPart,
    Message,
    ResultPart,
    Role,
    TextPart,
    ToolCall,
)
from sayso.core.ports import ModelEvent, ModelRequest, NativeCall, ReplyEnd, TextChunk
from sayso.core.proposals import Change
from sayso.core.runner import InProcessRunner
from sayso.core.tools import Actor, ProposeResult, ReadResult, Registry, Tool, ToolContext, define_tool
from sayso.models.quote import Quote
from sayso.workspace.kinds import COMMITMENT, EVENT, GOAL, HABIT, PASSAGE, PERSON, PROJECT

ZURICH = ZoneInfo("Europe/Zurich")
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=ZURICH)  # a Monday

PLANT = FactKind(
    "plant",
    (
        Field("name"),
        Field("species", words=("species", "sort", "art")),
        Field("height", FieldType.QUANTITY, words=("height", "tall", "grösse")),
        Field("watered", FieldType.DATE, words=("watered", "gegossen"), label="last watered"),
        Field("thirsty", FieldType.BOOLEAN, words=("thirsty", "durstig")),
    ),
    subject="name",
    words=("plant", "plants", "pflanze", "pflanzen"),
)


def _fact(kind: FactKind, key: str, **values: Any) -> Fact:
    return kind.fact(values, source=f"{kind.name}s", key=key, as_of=NOW)


PEOPLE = (
    _fact(PERSON, "p1", name="Elena Weber", affiliation="SINGA Switzerland",
          channels=("whatsapp +41 77 473 00 93",), last_interaction=date(2026, 11, 12), birthday="1988-03-04"),
    _fact(PERSON, "p2", name="Ilya Druzhnikov", role="landlord", channels=("email ilya@druzhnikov.example",)),
    _fact(PERSON, "p3", name="Anna Meier", role="dentist"),
    _fact(PERSON, "p4", name="Anna Rossi", affiliation="Uni Bern"),
    _fact(PERSON, "p5", name="Jörg Müller-Lüdenscheidt", notes="Likes chess. Moved to Bern in May."),
)  # fmt: skip
PROJECTS = (
    _fact(PROJECT, "j1", name="Atlas", status="active", updated=date(2026, 11, 20)),
    _fact(PROJECT, "j2", name="Beacon", status="paused"),
    _fact(PROJECT, "j3", name="Cedar", status="active"),
)
GOALS = (
    _fact(
        GOAL, "g1", title="Run a marathon", progress=Quantity(40, "%"), target_date=date(2026, 12, 31), status="behind"
    ),
    _fact(GOAL, "g2", title="Learn Italian", progress=Quantity(75, "%"), status="on track"),
)
HABITS = (
    _fact(HABIT, "h1", name="Running", frequency="daily", streak=Quantity(12, "days"), check_ins=20, done_today=False),
    _fact(HABIT, "h2", name="Reading", frequency="daily", streak=Quantity(3, "days"), done_today=True),
)
COMMITMENTS = (
    _fact(COMMITMENT, "c1", title="Send the offer", due=date(2026, 12, 2), counterparty="Elena Weber", status="open"),
    _fact(COMMITMENT, "c2", title="Pay the invoice", due=date(2026, 11, 20), status="overdue"),
    _fact(EVENT, "e1", title="Dentist", starts=datetime(2026, 12, 1, 10, 0, tzinfo=ZURICH), place="Bern"),
)
PASSAGES = (
    _fact(PASSAGE, "d1#0", title="Decision log", heading="Database", date=date(2026, 5, 3),
          excerpt="We met on Monday. We chose PostgreSQL as the database. Lunch was late."),
    _fact(PASSAGE, "d2#0", title="Old plan", date=date(2025, 1, 9), excerpt="The database will be MySQL."),
)  # fmt: skip
PLANTS = (
    _fact(PLANT, "t1", name="Fern", species="Boston fern", height=Quantity(45, "cm"), watered=date(2026, 11, 28)),
    _fact(PLANT, "t2", name="Fig", height=Quantity(120, "cm"), thirsty=True),
)


class ByName(BaseModel):
    query: str


class Nothing(BaseModel):
    pass


class Window(BaseModel):
    days: int | None = Parameter(None, ge=0, le=90)


class Asked(BaseModel):
    type: Literal["message", "email", "event", "commitment", "follow_up", "note", "check_in", "other"]
    title: str
    person: str | None = None
    text: str | None = None
    due: str | None = None
    starts: str | None = None
    habit: str | None = None


def searching(facts: Sequence[Fact]) -> Callable[[ByName, ToolContext], Any]:
    async def run(arguments: ByName, context: ToolContext) -> ReadResult:
        from sayso.models.quote.words import keys

        wanted = set(keys(arguments.query))
        told = [(f, {k for v in f.values.values() for k in keys(str(v))}) for f in facts]
        found = tuple(f for f, held in told if wanted & held)
        return ReadResult(found, len(found), len(facts))

    return run


def listing(facts: Sequence[Fact]) -> Callable[[Any, ToolContext], Any]:
    async def run(arguments: Any, context: ToolContext) -> ReadResult:
        return ReadResult(tuple(facts), len(facts), len(facts))

    return run


async def fails(arguments: Any, context: ToolContext) -> ReadResult:
    raise RuntimeError("the table is gone")


async def propose(arguments: Asked, context: ToolContext) -> ProposeResult:
    if arguments.person == "Anna":
        return ProposeResult(None, (PEOPLE[2], PEOPLE[3]))
    if arguments.person == "Nobody":
        return ProposeResult(None)
    return ProposeResult(Change(arguments.type, arguments.title, arguments.model_dump(exclude_none=True)))


def _reading(name: str, kind: FactKind, run: Any, arguments: type[BaseModel] = Nothing, **more: Any) -> Tool:
    example: dict[str, Any] = {"query": "Elena"} if arguments is ByName else {}
    return define_tool(
        name, kind="read", description=name, arguments=arguments, run=run, example=example, covers=kind, **more
    )


SEARCH_PEOPLE = _reading(
    "search_people", PERSON, searching(PEOPLE), ByName, words=("who", "wer", "person"), takes_name="query"
)
SEARCH_KNOWLEDGE = _reading(
    "search_knowledge", PASSAGE, searching(PASSAGES), ByName, words=("notes", "decided"), takes_text="query"
)
LIST_COMMITMENTS = _reading(
    "list_commitments",
    COMMITMENT,
    listing(COMMITMENTS),
    Window,
    words=("due", "calendar", "agenda", "fällig", "meeting", "termin"),
)
PROPOSE = define_tool(
    "propose_action", kind="propose", description="Propose.", arguments=Asked, run=propose,
    example={"type": "note", "title": "A note"},
)  # fmt: skip
TOOLS = (
    SEARCH_PEOPLE,
    _reading("list_projects", PROJECT, listing(PROJECTS)),
    SEARCH_KNOWLEDGE,
    _reading("list_goals", GOAL, listing(GOALS)),
    _reading("list_habits", HABIT, listing(HABITS)),
    LIST_COMMITMENTS,
    _reading("list_plants", PLANT, listing(PLANTS)),
    PROPOSE,
)
BROKEN = tuple(_reading(t.name, t.covers, fails) if t.name == "list_goals" and t.covers else t for t in TOOLS)


async def _filed(change: Change, tool: Tool, call: ToolCall, context: ToolContext) -> tuple[Fact, bool]:
    values = {"title": change.title, "state": "pending", "action": change.action, "proposal_id": "prop_1"}
    return PROPOSAL.fact(values, source="proposals", key="prop_1", as_of=NOW), False


@dataclass
class Conversation:
    """One exchange with the quote model: each step's calls are run, and the next step sees their results."""

    tools: tuple[Tool, ...] = TOOLS
    locale: str = "en"
    evidence: Evidence = field(default_factory=Evidence)
    calls: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def ask(self, text: str, seeds: Sequence[Fact] = (), *, steps: int = 3, tools_open: bool = True) -> str:
        return asyncio.run(self._ask(text, seeds, steps, tools_open))

    async def _ask(self, text: str, seeds: Sequence[Fact], steps: int, tools_open: bool) -> str:
        seeded: tuple[Numbered, ...] = self.evidence.add_all(seeds)
        parts = (TextPart(text), FactsPart(seeded)) if seeded else (TextPart(text),)
        messages: list[Message] = [Message("m0", Role.USER, parts, "ex_1")]
        runner = InProcessRunner(Registry(self.tools), ToolContext(Actor("user", "user"), NOW), self.evidence, _filed)
        for step in range(steps):
            opened = tools_open and step < steps - 1
            events = [e async for e in Quote().stream(self.request(tuple(messages), opened))]
            assert isinstance(events[-1], ReplyEnd)
            if answer := said(events):
                return answer
            calls = [e for e in events if isinstance(e, NativeCall)]
            assert calls
            assert opened
            assert not {(c.name, c.arguments) for c in calls} & set(self.calls)
            self.calls += [(c.name, c.arguments) for c in calls]
            ours = [ToolCall(f"c{step}_{i}", c.name, c.arguments) for i, c in enumerate(calls)]
            results = tuple([ResultPart(await runner.run(call)) for call in ours])
            messages += [
                Message(f"a{step}", Role.ASSISTANT, tuple(CallPart(c) for c in ours), "ex_1"),
                Message(f"t{step}", Role.TOOL, results, "ex_1"),
            ]
        raise AssertionError("no answer in the last step")

    def request(self, messages: tuple[Message, ...], tools_open: bool) -> ModelRequest:
        return ModelRequest("", messages, self.tools, tools_open, self.evidence.current(), "", NOW, self.locale, 5.0)


def said(events: Sequence[ModelEvent]) -> str:
    return "".join(e.text for e in events if isinstance(e, TextChunk))


@pytest.fixture
def conversation() -> Conversation:
    return Conversation()


@pytest.fixture
def conversations() -> type[Conversation]:
    return Conversation


@pytest.fixture
def people() -> tuple[Fact, ...]:
    return PEOPLE
