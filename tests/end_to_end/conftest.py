"""Exported files, read and stored as `sayso import` does it, and the assistant over them at a fixed time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from sayso import config
from sayso.core.events import Answer, Event, FactsFound, Failed, Finish, Verified
from sayso.core.evidence import Numbered
from sayso.core.ports import Model
from sayso.core.progress import Limits
from sayso.core.tools import Actor
from sayso.core.verify.report import Report, Verdict
from sayso.inapp.assistant import Assistant
from sayso.inapp.wiring import assemble
from sayso.store.database import open_database
from sayso.workspace.importers import Rejected, plan, read
from sayso.workspace.workspace import Settings, Workspace

FILES = Path(__file__).parent / "files"
ZONE = ZoneInfo("Europe/Zurich")
NOW = datetime(2026, 6, 15, 10, 0, tzinfo=ZONE)  # a Monday
ME = Actor("local", "local")


class FixedClock:
    """Always the same Monday morning: the files can hold absolute dates."""

    def now(self) -> datetime:
        return NOW

    def monotonic(self) -> float:
        return 0.0


@dataclass(slots=True)
class Told:
    """What the events of one exchange told."""

    answer: str = ""
    outcome: str = "failed"
    citations: tuple[str, ...] = ()
    facts: dict[str, Numbered] = field(default_factory=dict[str, Numbered])
    report: Report = field(default_factory=lambda: Report(()))
    repaired: bool = False
    failed: str | None = None

    def take(self, event: Event) -> None:
        match event:
            case FactsFound(facts):
                self.facts.update((n.ref, n) for n in facts)
            case Verified(report, repaired):
                self.report, self.repaired = report, repaired
            case Answer(text, outcome, citations):
                self.answer, self.outcome, self.citations = text, outcome.value, citations
            case Finish(outcome=outcome):
                self.outcome = outcome.value
            case Failed(code=code, message=message):
                self.failed = f"{code}: {message}"
            case _:
                pass

    @property
    def cited(self) -> set[str]:
        """Subjects of the cited records; lookups are not records."""
        named = (self.facts[ref].fact for ref in self.citations if ref in self.facts)
        return {fact.subject for fact in named if fact.kind.name not in ("lookup", "proposal")}

    @property
    def proposals(self) -> list[str]:
        found = (n.fact for n in self.facts.values() if n.fact.kind.name == "proposal")
        return [str(fact.values["action"]) for fact in found]

    @property
    def verdicts(self) -> list[Verdict]:
        return [s.verdict for s in self.report.sentences]


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """The exported files in a database file."""
    path = tmp_path_factory.mktemp("workspace") / "sayso.db"
    workspace = Workspace(open_database(f"sqlite:///{path}"), defaults=Settings("Europe/Zurich", "en", "monday"))
    items = list(read(plan([FILES])))
    records = [item for item in items if not isinstance(item, Rejected)]
    assert len(records) == len(items)
    workspace.upsert(ME.owner, records, NOW)
    yield workspace
    workspace.database.close()


@pytest.fixture(scope="module")
def assistant_with(imported: Workspace, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Model], Assistant]:
    """The assembled assistant with a model of the test's choice."""
    home = tmp_path_factory.mktemp("home")
    settings = config.load({"home": home, "time_zone": "Europe/Zurich"}, {}, home)

    def made(model: Model) -> Assistant:
        assistant = assemble(imported, model, settings, reason="test", limits=Limits(steps=settings.steps))
        return replace(assistant, clock=FixedClock())

    return made


@pytest.fixture(scope="module")
def ask(assistant_with: Callable[[Model], Assistant]) -> Callable[[str, Model], Told]:
    """One question in a new thread, with everything that the run told."""

    async def run(question: str, model: Model) -> Told:
        told = Told()
        async for event in assistant_with(model).ask(question, actor=ME):
            told.take(event)
        return told

    return lambda question, model: asyncio.run(run(question, model))


@pytest.fixture(scope="module")
def converse(assistant_with: Callable[[Model], Assistant]) -> Callable[[tuple[str, ...], Model], Told]:
    """Several questions in one thread; what the last run told, with the facts of all."""

    async def run(questions: tuple[str, ...], model: Model) -> Told:
        assistant = assistant_with(model)
        thread = await assistant.threads.create(ME.owner, questions[0])
        told = Told()
        for question in questions:
            told = Told(facts=told.facts)
            async for event in assistant.ask(question, actor=ME, thread_id=thread.id):
                told.take(event)
        return told

    return lambda questions, model: asyncio.run(run(questions, model))
