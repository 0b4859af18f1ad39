"""What people ask of records they keep here: when it is due, what it is, whether it was done, where somebody works."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

from sayso import config
from sayso.core.events import Answer, FactsFound, Verified
from sayso.core.progress import Limits
from sayso.core.tools import Actor
from sayso.core.verify.report import Verdict
from sayso.inapp.wiring import assemble
from sayso.models.quote import Quote
from sayso.store.database import open_database
from sayso.workspace.records import (
    Channel,
    Chunk,
    CommitmentRecord,
    DocumentRecord,
    GoalRecord,
    HabitRecord,
    PersonRecord,
)
from sayso.workspace.workspace import Settings, Workspace

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
EXTENSION = "pgvector is a PostgreSQL extension that stores embeddings and searches them"


def note(title: str, text: str, day: date | None = None) -> DocumentRecord:
    return DocumentRecord(title, f"{title}.md", (Chunk("", text),), date=day)


RECORDS = [
    PersonRecord("Sam Hartley", affiliation="Hartley Joinery", role="Joiner"),
    PersonRecord("Adaeze Obi", affiliation="St. Brigid Hospital, Cardiology", role="Doctor"),
    PersonRecord("Pavel Novak", affiliation="UZH", channels=(Channel("phone", "+420 555 010 222"),)),
    CommitmentRecord("Renew passport", due=date(2027, 1, 20)),
    CommitmentRecord("Pay dentist", due=date(2026, 12, 2)),
    GoalRecord("Orchard guide", target_date=date(2026, 12, 10), progress=40),
    HabitRecord("Swim", "weekly", (date(2026, 11, 28),)),
    HabitRecord("Portuguese flashcards"),
    HabitRecord("Stretch", "daily", (date(2026, 11, 29),)),
    note("Search notes", f"We use pgvector in the main database as one backup is enough for pgvector.\n\n{EXTENSION}."),
    note("Orchard", "The orchard needs a guide for pruning and one rope."),
    note("2026-11-27", "Planted two pear trees with Sam. The soil was wet.", date(2026, 11, 27)),
    note("2026-11-28", "Bought a ladder at the market.", date(2026, 11, 28)),
]


class FixedClock:
    def now(self) -> datetime:
        return NOW

    def monotonic(self) -> float:
        return 0.0


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], tuple[str, list[str]]]]:
    """The answer to a question, and the actions that were proposed; no sentence may be marked."""
    home = tmp_path_factory.mktemp("home")
    workspace = Workspace(open_database(f"sqlite:///{home}/own.db"), defaults=Settings("Europe/Zurich", "en", "monday"))
    workspace.upsert("local", RECORDS, NOW)
    settings = config.load({"home": home, "time_zone": "Europe/Zurich"}, {}, home)
    assembled = assemble(workspace, Quote(), settings, reason="test", limits=Limits(steps=settings.steps))
    assistant = replace(assembled, clock=FixedClock())

    async def ask(question: str) -> tuple[str, list[str]]:
        answer, proposed = "", list[str]()
        async for event in assistant.ask(question, actor=Actor("local", "local")):
            if isinstance(event, FactsFound):
                proposed += [str(n.fact.values["action"]) for n in event.facts if n.fact.kind.name == "proposal"]
            elif isinstance(event, Verified):
                verdicts = {sentence.verdict for sentence in event.report.sentences}
                assert {Verdict.CONTRADICTED, Verdict.UNSUPPORTED}.isdisjoint(verdicts), event.report.violations
            elif isinstance(event, Answer):
                answer = event.text
        return answer, proposed

    yield lambda question: asyncio.run(ask(question))
    workspace.database.close()


def case(question: str, *says: str) -> Any:
    return pytest.param(question, says, id=question)


DUE = [
    case("When is my passport due?", "due 20 January 2027"),
    case("when is my passport task due", "due 20 January 2027"),
    case("When is the orchard guide due?", "10 December 2026"),
    case("Wann ist Orchard guide fällig?", "10. Dezember 2026"),
    case("deadline for the orchard guide", "10 December 2026"),
    case("when is the rent due?", 'Nothing on "rent"'),
]
WHAT = [
    case("What is pgvector?", EXTENSION),
    case("pgvector?", EXTENSION),
    case("Was ist pgvector?", EXTENSION),
    case("What is Adaeze's affiliation?", "St. Brigid Hospital, Cardiology"),
    case("Who is Adaeze?", "affiliation St. Brigid Hospital, Cardiology"),
]
HABITS = [
    case("Did I stretch yesterday?", "Yes, Stretch: last check-in 29 November 2026"),
    case("Did I swim yesterday?", "No, Swim: last check-in 28 November 2026"),
    case("Did I do my flashcards yesterday?", "Last check-in is not recorded"),
    case("Habe ich mich gestern gedehnt?", "Ja, Stretch: zuletzt 29. November 2026"),
    case("Wie läuft mein Schwimmen?", "Swim:", "1 Woche"),
    case("How is my swimming habit?", "Swim:", "1 week"),
    case("how's my swimming going", "Swim:", "1 week"),
]
PEOPLE = [
    case("Does Sam Hartley work at UZH?", "No: ", "Hartley Joinery"),
    case("Does Sam Hartley work at Hartley Joinery?", "Yes: ", "Hartley Joinery"),
    case("Arbeitet Sam Hartley bei der UZH?", "Nein: ", "Hartley Joinery"),
    case("What is Pavel's email?", "E-mail is not recorded for Pavel Novak", "+420 555 010 222"),
    case("What is Pavel's phone number?", "phone +420 555 010 222"),
    case("Who is Adaeze's boss?", 'Nothing on "boss" is recorded for Adaeze Obi'),
]
DAYS = [
    case("What did I write on 27 November?", "Planted two pear trees with Sam"),
    case("what happened on saturday", "Bought a ladder at the market"),
    case("Was ist am Samstag passiert?", "Bought a ladder at the market"),
]
ALL = [*DUE, *WHAT, *HABITS, *PEOPLE, *DAYS]


@pytest.mark.parametrize(("question", "says"), ALL)
def test_question_on_own_records_is_answered(question: str, says: tuple[str, ...], told: Callable[..., Any]) -> None:
    answer, _ = told(question)
    assert [part for part in says if part not in answer] == [], answer


@pytest.mark.parametrize("done", ["I did my Portuguese flashcards today", "I went swimming today", "Tick off the swim"])
def test_deed_that_is_told_becomes_a_check_in(done: str, told: Callable[..., Any]) -> None:
    assert told(done)[1] == ["workspace.check_in"]
