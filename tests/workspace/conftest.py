"""A workspace in memory with namesakes, accents, gaps and a surname that contains an acronym."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from sayso.core.tools import Actor, ToolContext
from sayso.store.database import open_database
from sayso.workspace.records import (
    Channel,
    Chunk,
    CommitmentRecord,
    DocumentRecord,
    EventRecord,
    GoalRecord,
    HabitRecord,
    PersonRecord,
    ProjectRecord,
)
from sayso.workspace.workspace import Settings, Workspace

ZONE = ZoneInfo("Europe/Zurich")
NOW = datetime(2026, 12, 2, 9, 30, tzinfo=ZONE)  # a Wednesday
TODAY = NOW.date()


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture
def context() -> ToolContext:
    return ToolContext(Actor("me", "me"), NOW)


@pytest.fixture
def empty(tmp_path) -> Iterator[Workspace]:
    database = open_database(f"sqlite:///{tmp_path / 'sayso.db'}")
    yield Workspace(database, defaults=Settings("Europe/Zurich"))
    database.close()


@pytest.fixture
def workspace(empty: Workspace) -> Workspace:
    empty.upsert("me", [*people(), *plans(), *documents()], NOW)
    empty.upsert("other", [PersonRecord("Elena Geheim", source="x", source_key="1")], NOW)
    return empty


def people() -> list[PersonRecord]:
    made = [
        PersonRecord("Elena Weber", "SINGA Switzerland", channels=(Channel("whatsapp", "+41 77 473 00 93"),)),
        PersonRecord("Elena Rossi", role="architect", channels=(Channel("email", "elena@rossi.example"),)),
        PersonRecord("Ilya Druzhnikov", notes="met at the spring conference"),
        PersonRecord("Jörg Müller", channels=(Channel("email", "joerg@mueller.example"),), nicknames=("Jogi",)),
        PersonRecord("Anna-Lena Huber-Frei", affiliation="Zürich Insurance"),
        PersonRecord("Mark Baumann", role="lawyer"),
        PersonRecord("May Lee"),
        PersonRecord("Siobhán O'Brien", birthday="--04-09"),
    ]
    return [_keyed(record, i) for i, record in enumerate(made)]


def plans() -> list[object]:
    day = timedelta(days=1)
    made = [
        ProjectRecord("Lighthouse", "active", ("Python", "PostgreSQL"), "A map of advice centres"),
        ProjectRecord("Old Site", "paused"),
        GoalRecord("Run a marathon", progress=20, started=date(2026, 1, 1), target_date=date(2026, 12, 31)),
        GoalRecord("Run 10 km", "Run a marathon", 90, date(2026, 11, 1), date(2026, 12, 20)),
        GoalRecord("Learn Italian"),
        HabitRecord("Meditate", "daily", tuple(TODAY - day * n for n in (1, 2, 3, 5))),
        HabitRecord("Swim", "2 per week", (date(2026, 11, 24), date(2026, 11, 27), date(2026, 12, 1))),
        CommitmentRecord("Send the lease to Ilya", TODAY - day, "Ilya Druzhnikov"),
        CommitmentRecord("Pay the invoice", TODAY),
        CommitmentRecord("Order paper", TODAY + day * 30),
        CommitmentRecord("Water the plants", TODAY - day, status="done"),
        CommitmentRecord("Think about the roof"),
        EventRecord("Dentist", datetime(2026, 12, 3, 13, 0, tzinfo=UTC), place="Bahnhofstrasse 1"),
        EventRecord("Review", datetime(2026, 12, 28, 13, 0, tzinfo=UTC), attendees=("Elena Weber",)),
    ]
    return [_keyed(record, 100 + i) for i, record in enumerate(made)]


def documents() -> list[DocumentRecord]:
    decided = "We decided to use PostgreSQL for the vectors. " + "Other words follow here. " * 60
    made = [
        DocumentRecord(
            "Architecture", "notes/architecture.md",
            (Chunk("Decisions / Database", decided), Chunk("Open", "Hosting is open.")),
            ("tech",), date=date(2026, 5, 4),
        ),
        DocumentRecord("Holiday", "holiday.md", (Chunk("", "Pack the tent and the map."),)),
    ]  # fmt: skip
    return [_keyed(record, 200 + i) for i, record in enumerate(made)]


def _keyed(record, number):
    from dataclasses import replace

    return replace(record, source="test", source_key=str(number))
