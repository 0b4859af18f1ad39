"""What people ask of a calendar, a few contacts and notes in their first hour: days, letters, choices, slips."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from sayso.core.verify.report import Verdict
from sayso.models.quote import Quote
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
    Record,
)
from sayso.workspace.workspace import Settings, Workspace

ZONE = ZoneInfo("Europe/Zurich")
TODAY = date(2026, 6, 15)  # a Monday
OTHERS = "Bo Rast, Cy Sund, Di Tell, Ed Uhl, Flo Vogt, Gus Wyss, Hal Xaver, Ida York, Jo Zobel, Kim Amrein, Lea Bucher"


def day(ahead: int) -> date:
    return TODAY + timedelta(days=ahead)


def event(title: str, ahead: int, at: str, minutes: int = 60, **more: Any) -> EventRecord:
    starts = datetime.combine(day(ahead), datetime.strptime(at, "%H:%M").time(), ZONE)
    return EventRecord(title, starts, starts + timedelta(minutes=minutes), **more)


def mail(address: str) -> tuple[Channel, ...]:
    return (Channel("email", address),)


PEOPLE: tuple[Record, ...] = (
    PersonRecord("Sam Okafor", role="Editor", affiliation="Nordlicht Verlag", birthday="1990-05-02",
                 channels=mail("sam@nordlicht.example"), last_interaction=day(-40)),
    PersonRecord("Tom Becker", role="Plumber", birthday="1979-01-20", channels=mail("tom@becker.example"),
                 last_interaction=day(-3)),
    PersonRecord("Elena Weber", affiliation="SINGA", channels=(Channel("whatsapp", "+41 77 473 00 93"),),
                 last_interaction=day(-200)),
    PersonRecord("Lukas Frei", role="Carpenter", channels=mail("lukas@frei.example")),
    PersonRecord("Priya Nair", role="Data engineer", affiliation="ETH"),
    PersonRecord("Anna Steiner", role="Stage designer", channels=mail("anna@theater.example")),
    PersonRecord("Anna Steiner", role="Surgeon", channels=(Channel("phone", "+41 62 838 00 01"),)),
    *(PersonRecord(name) for name in OTHERS.split(", ")),
)  # fmt: skip
PLANS: tuple[Record, ...] = (
    ProjectRecord("Atlas", status="active"),
    GoalRecord("Run a marathon", progress=20, started=day(-100), target_date=day(100)),
    HabitRecord("Meditate", check_ins=(day(-1),)),
    HabitRecord("Gym", frequency="3 per week", check_ins=(day(-2),)),
    CommitmentRecord("Pay the plumber's invoice", due=day(-5), counterparty="Tom Becker"),
    CommitmentRecord("Offerte an Lukas schicken", due=day(2), counterparty="Lukas Frei"),
    CommitmentRecord("Return the drill", due=day(4), counterparty="Elena Weber"),
    CommitmentRecord("Send the tax form", due=day(9)),
    event("Stand-up", 0, "09:15", 15, attendees=("Priya Nair",)),
    event("Italian lesson", 1, "18:00"),
    event("Review", 3, "10:30", place="Museum"),
    event("Board meeting", 4, "17:00"),
    event("Dinner at Elena's", 8, "19:00", attendees=("Elena Weber", "Sam Okafor")),
    event("Interview", 9, "13:30"),
    event("Ferien", 22, "08:00"),
)
NOTES: tuple[Record, ...] = (
    DocumentRecord("House", "house.md", (
        Chunk("WLAN", 'The guest wifi password is "blauer-wal-42".'), Chunk("Boiler", "It is serviced in May."),
    )),
    DocumentRecord("Flyer", "flyer.md", (
        Chunk("Decision", "We compared three variants. We went for variant B, since it is cheaper."),
        Chunk("Variants", "Variant A is blue. Variant B is green."),
    ), date=day(-30)),
)  # fmt: skip


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """These records in place of the exported files."""
    path = tmp_path_factory.mktemp("office") / "sayso.db"
    workspace = Workspace(open_database(f"sqlite:///{path}"), defaults=Settings("Europe/Zurich", "en", "monday"))
    records = [replace(r, source_key=str(n)) for n, r in enumerate((*PEOPLE, *PLANS, *NOTES))]
    workspace.upsert("local", records, datetime(2026, 6, 15, 10, 0, tzinfo=ZONE))
    yield workspace
    workspace.database.close()


@dataclass(frozen=True, slots=True)
class Case:
    """The questions of one thread, the last of which counts: what its answer holds, lacks, cites and proposes."""

    questions: tuple[str, ...]
    says: tuple[str, ...]
    cites: frozenset[str]
    never: tuple[str, ...]
    proposes: tuple[str, ...]


def case(typed: str, *says: str, cites: str = "", never: str = "", proposes: str = "") -> Any:
    split = [tuple(filter(None, text.split(" | "))) for text in (cites, never, proposes)]
    made = Case(tuple(typed.split(" >> ")), says, frozenset(split[0]), split[1], split[2])
    return pytest.param(made, id=typed)


DRILL, OFFER, INVOICE, TAX = (
    "Return the drill", "Offerte an Lukas schicken", "Pay the plumber's invoice", "Send the tax form",
)  # fmt: skip
CONTACTS = " | ".join(["Anna Steiner", *OTHERS.split(", ")[:5], "Elena Weber", *OTHERS.split(", ")[4:7]])
REST = " | ".join([*OTHERS.split(", ")[7:], "Lukas Frei", "Priya Nair", "Sam Okafor", "Tom Becker"])
BOARD, REVIEW, LESSON = "Board meeting", "Review", "Italian lesson"

DAYS = [
    case("events next week", "23 June 2026, 19:00 to 20:00", cites="Dinner at Elena's | Interview"),
    case("termine nächste woche", "24. Juni 2026, 13:30 bis 14:30", cites="Dinner at Elena's | Interview"),
    case("was ist morgen? >> und übermorgen?", cites=OFFER),
    case("events tomorrow >> and next week?", cites="Dinner at Elena's | Interview"),
    case("what have I got on friday", cites=f"{DRILL} | {BOARD}"),
    case("was ist am donnerstag", "18. Juni 2026", cites=REVIEW),
    case("Hab ich morgen was vor?", cites=LESSON),
    case("am i free on thursday?", cites=REVIEW),
    case("what's on next friday", "Nothing was found for 26 June 2026"),
    case("was ist am wochenende los", "Für diese Tage"),
    case("anything next month?", cites="Ferien"),
    case("what did i do last week", cites=INVOICE),
    case("what have i got on the 18th", cites=REVIEW),
    case("wie sieht mein freitag aus", cites=f"{DRILL} | {BOARD}"),
    case("meetings on 2026-06-18", cites=REVIEW),
    case("wann sind die ferien", "7. Juli 2026", cites="Ferien"),
    case("was muss ich diese woche machen", cites=f"{INVOICE} | {OFFER} | {DRILL} | Stand-up | {LESSON} | {REVIEW} | {BOARD}"),
    case("what's due next week", cites=f"{TAX} | Dinner at Elena's | Interview", never="drill"),
]  # fmt: skip
WORDING = [
    case("what's the wifi password", '“The guest wifi password is "blauer-wal-42"”', cites="House"),
    case(
        "asdf qwer zxcv", 'Nothing on "asdf qwer zxcv" was found among your 18 people, 2 notes, 1 project, ', never="\n"
    ),
    case("xyzzy quux zu finden", "18 Personen, 2 Notizen, 1 Projekt, 1 Ziel und 4 Aufgaben"),
    case("how is my meditate habit", "streak 1 day,", cites="Meditate"),
    case("tell me about the stand-up", "15 June 2026, 09:15 to 09:30", cites="Stand-up"),
]

MESSAGE, EMAIL, TASK = "workspace.prepare_message", "workspace.prepare_email", "workspace.create_commitment"
CHECK_IN = "workspace.check_in"
ANNA, CANNOT = "Anna Steiner", "I cannot prepare a change of this kind here"

LETTERS = [
    case("who is sam >> email him that I'm late", "E-mail to Sam Okafor", proposes=EMAIL),
    case("who is sam >> write to him that I'm late", "Message to Sam Okafor", proposes=MESSAGE),
    case("wer ist elena >> schreib ihr dass ich krank bin", "Message to Elena Weber", proposes=MESSAGE),
    case("what do i owe tom >> text him that i pay tomorrow", "Message to Tom Becker", proposes=MESSAGE),
    case("what is due this week >> text him that i pay tomorrow", "Whom or what do you mean?"),
    case("who is sam >> remind me to call him tomorrow", "Call Sam Okafor", proposes=TASK),
    case("text sam I'm running late", "Message to Sam Okafor", proposes=MESSAGE),
    case("tell tom becker i'm running late", "Message to Tom Becker", proposes=MESSAGE),
    case("sag sam dass ich später komme", "Message to Sam Okafor", proposes=MESSAGE),
    case("Schreib Elena Weber, dass ich zu spät komme", "Message to Elena Weber", proposes=MESSAGE),
    case("remind me to call tom in two weeks", "Call tom", proposes=TASK, never="weeks"),
    case("erinnere mich in zwei wochen an die steuern", "Steuern", proposes=TASK, never="wochen"),
]
CHOICES = [
    case("who is anna steiner >> the second one", "[", cites=ANNA, never="Which one"),
    case("who is anna steiner >> 1", "[", cites=ANNA, never="Which one"),
    case("who is anna steiner >> 3", cites="", never="[F1]"),
    case("wer ist anna steiner >> die zweite", "Kontakt", cites=ANNA, never="Welchen"),
    case("who is anna steiner >> the one with the phone", "Surgeon", cites=ANNA, never="Stage"),
    case("who is anna steiner >> the stage designer one", "Stage", cites=ANNA, never="Surgeon"),
    case("what is anna steiner's role? >> the one with the phone", "is Surgeon", cites=ANNA, never="Stage"),
    case("who is anna steiner >> the surgeon >> email her about dinner", "E-mail to Anna Steiner", proposes=EMAIL),
    case("draft an email to anna steiner about dinner >> the second one", "E-mail to Anna Steiner", proposes=EMAIL),
    case("wer ist anna steiner >> die mit dem telefon", "Surgeon", cites=ANNA, never="Stage"),
    case("who are my contacts", 'Say "show more" for the other 8.', "18 people", cites=CONTACTS),
    case("who are my contacts >> show more", cites=REST, never="show more | Elena"),
    case("wer sind meine kontakte", "Sag «mehr» für die übrigen 8.", cites=CONTACTS),
    case("wer sind meine kontakte >> mehr", cites=REST),
    case("who are my contacts >> show more >> the last one", cites="Tom Becker"),
]
CHANGES = [
    case("i went to the gym today", "Check-in: Gym", proposes=CHECK_IN),
    case("ich habe heute meditiert", "Check-in: Meditate", proposes=CHECK_IN),
    case("heute war ich im gym", "Check-in: Gym", proposes=CHECK_IN),
    case("i sent the tax form", "status open", cites=TAX),
    case("i talked to sam today", cites="Sam Okafor"),
    case("set marathon progress to 35%", CANNOT, "is 20%", cites="Run a marathon"),
    case("change sam's email to sam@okafor.example", CANNOT, "sam@nordlicht.example", cites="Sam Okafor"),
    case("mark offerte an lukas as done", CANNOT, "status open", cites=OFFER),
    case("mark gym as done", "Check-in: Gym", proposes=CHECK_IN),
    case("lösch tom becker", "Diese Art Änderung"),
]
PICKS = [
    case("when is sams birthday", "2 May 1990", cites="Sam Okafor"),
    case("when is toms birthday", "20 January 1979", cites="Tom Becker"),
    case("which variant did we choose", "variant B", cites="Flyer"),
    case("did i meditate yesterday", "Yes, Meditate: last check-in 14 June 2026", cites="Meditate"),
    case("did i go to the gym yesterday", "last check-in 13 June 2026", cites="Gym", never="Yes"),
    case("who's coming to dinner", "Elena Weber, Sam Okafor", cites="Dinner at Elena's"),
    case("wer kommt zum dinner", "Elena Weber, Sam Okafor", cites="Dinner at Elena's"),
    case("wer ist beim dinner dabei", "Sam Okafor", cites="Dinner at Elena's"),
    case("wer ist an der eth", cites="Priya Nair"),
    case("what does priya earn", 'Nothing on "earn" is recorded for Priya Nair', cites="Priya Nair"),
    case("how old is tom", "20 January 1979", cites="Tom Becker"),
    case("next meeting with elena", "23 June 2026", cites="Dinner at Elena's"),
    case("last meeting with priya", "15 June 2026, 09:15", cites="Stand-up"),
    case("events in january", "Nothing matching"),
    case("list my projects >> show more", "nothing to add"),
    case("list everyone", "18 people", cites=CONTACTS),
    case("is there anything i owe tom", "overdue", cites=INVOICE),
    case("who haven't I talked to in a while", "27 November 2025", cites="Elena Weber | Sam Okafor | Tom Becker"),
]

ALL = [*DAYS, *WORDING, *LETTERS, *CHOICES, *CHANGES, *PICKS]


@pytest.mark.parametrize("typed", ALL)
def test_question_of_the_first_hour_is_answered(typed: Case, converse: Callable[..., Any]) -> None:
    told = converse(typed.questions, Quote())
    assert (told.failed, told.outcome, told.cited) == (None, "answered", typed.cites), told.answer
    assert [part for part in typed.says if part not in told.answer] == [], told.answer
    assert [part for part in typed.never if part in told.answer] == [], told.answer
    assert tuple(told.proposals) == typed.proposes
    assert {Verdict.CONTRADICTED, Verdict.UNSUPPORTED}.isdisjoint(told.verdicts), told.report.violations
