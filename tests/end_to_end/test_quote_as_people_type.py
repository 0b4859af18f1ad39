"""Questions as people type them over imported files: fragments, slips, no punctuation, follow-ups; two languages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from sayso.core.verify.report import Verdict
from sayso.models.quote import Quote

ELENA, ILYA, JOERG, ZOE = "Elena Weber", "Ilya Druzhnikov", "Jörg Müller-Lindt", "Zoë O'Neill"
ANNA, MARCO, PRIYA = "Anna Steiner", "Marco Ferrari", "Priya Nair"
EVERYBODY = " | ".join((ANNA, ELENA, ILYA, JOERG, MARCO, PRIYA, ZOE))
DEPOSIT, LEASE, STUDIO, DRILL = "Pay the deposit", "Send the lease", "Book the sound studio", "Return the drill"
DATABASE, FILM, HUTS = "Database for Atlas", "Film licence", "Hut data"
MESSAGE, COMMITMENT = "workspace.prepare_message", "workspace.create_commitment"


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


PEOPLE = [
    case("elena phone", "+41 77 473 00 93", cites=ELENA),
    case("zoe email", "zoe@lakeside.example", cites=ZOE),
    case("jörg tel?", "+41 55 640 11 22", "Telefon", cites=JOERG, never="phone | work"),
    case("whats marcos birthday", "23 September 1984", cites=MARCO, never="language model"),
    case("wann ist marcos geburtstag", "23. September 1984", cites=MARCO),
    case("who works for theater chur", "Stage designer", cites=ANNA, never="Surgeon"),
    case("who is elna weber", "SINGA", cites=ELENA),
    case("priya", "Data engineer", cites=PRIYA),
    case("who is an architect?", "Marco Ferrari", cites=MARCO),
    case("who do i know at seilbahn glärnisch", "Jörg", cites=JOERG),
    case("email address of ilya druzhnikov??", "ilya@druzhnikov.example", cites=ILYA),
    case("wo arbeitet zoe", "Lakeside Film Co-op", cites=ZOE, never="353"),
    case("was macht priya beruflich", "Data engineer", cites=PRIYA, never="@"),
    case("where did i meet marco", "not recorded", cites=MARCO),
    case("when did i last talk to elena", "not recorded", cites=ELENA),
    case("nummer von elena", "+41 77 473 00 93", cites=ELENA),
    case("Kontaktdaten von Frau Steiner", "+41 62 838 00 01", "anna@theater-chur.example", "?", cites=ANNA),
    case("whose birthday is in september?", "23 September 1984", cites=MARCO),
    case("wer hat im september geburtstag", "23. September 1984", cites=MARCO),
    case("birthdays in may", "8 people"),
    case("hat marco eine telefonnummer", "+39 02 5550 771", cites=MARCO),
    case("what do you know about jörg", "Seilbahn", cites=JOERG, never="cable car"),
    case("zoe's employer", "Lakeside Film Co-op", cites=ZOE),
]

LISTS = [
    case("who are my contacts?", "8 people", cites=EVERYBODY),
    case("list my people", "8 people", cites=EVERYBODY),
    case("how many contacts do i have", "8 people"),
    case("wer sind meine kontakte", "8 Personen", "Telefon", cites=EVERYBODY, never="phone | email"),
    case("wie viele Kontakte habe ich?", "8 Personen"),
    case("projekte", "2 Projekte", "aktiv", "pausiert", cites="Atlas | Lantern", never="active"),
    case("list my notes", "4 notes", "11 June 2026", cites=f"{DATABASE} | {FILM} | {HUTS} | 2026-06-11", never="- 2026-06"),
]  # fmt: skip

PLANS = [
    case("due this week", "16 June 2026", cites=f"{LEASE} | {DEPOSIT}"),
    case("goals behind", "20%", cites="Run a marathon"),
    case("how many goals are behind", "1 goal", cites="Run a marathon"),
    case("overdue?", "10 June 2026", cites=DEPOSIT),
    case("what is due in july", "20 July 2026", cites=STUDIO),
    case("how's the marathon coming along", "20%", cites="Run a marathon"),
    case("italian goal progress", "80%", cites="Learn Italian"),
    case("cookbook progress", "not recorded", cites="Write a cookbook"),
    case("did i do my morning run today", "Yes", "Morning run is done", cites="Morning run"),
    case("habits not done today", "not done", cites="Read Italian | Stretching", never="done no"),
    case("welche gewohnheiten sind heute noch nicht erledigt", "nicht erledigt", "Wochen",
         cites="Read Italian | Stretching", never="weeks | daily"),
    case("how often did i read italian", "3 per week", cites="Read Italian"),
    case("longest streak", "4 days", cites="Morning run"),
    case("what projects are paused", "Lantern", cites="Lantern"),
    case("is lantern active?", "paused", cites="Lantern"),
    case("wie läuft lantern", "pausiert", cites="Lantern"),
    case("what's atlas about", "Map of the alpine huts", cites="Atlas"),
    case("when was lantern last updated", "updated 11 February 2026", cites="Lantern", never="The updated"),
    case("was schulde ich marco", "10. Juni 2026", "überfällig", cites=DEPOSIT, never="overdue | counterparty"),
    case("was schulde ich Jörg?", "kein Eintrag offen", "erledigt", cites=DRILL, never="done"),
    case("what do i owe jörg", "None of them is open", cites=DRILL),
    case("wem schulde ich noch etwas", "Marco", "Ilya", cites=f"{DEPOSIT} | {LEASE}"),
    case("what do i have to do for ilya", "16 June 2026", cites=LEASE),
    case("did i return the drill", "status done", cites=DRILL),
    case("is the deposit paid", "overdue", cites=DEPOSIT),
    case("wann muss ich die kaution zahlen", "10. Juni 2026", cites=DEPOSIT),
    case("when do i have to send the lease", "due 16 June 2026", cites=LEASE, never="The due"),
    case("book the sound studio - when?", "20 July 2026", cites=STUDIO),
    case("what is open", "3 of your 4", "overdue", cites=f"{DEPOSIT} | {LEASE} | {STUDIO}"),
    case("offene aufgaben", "3 von deinen 4", "überfällig", cites=f"{DEPOSIT} | {LEASE} | {STUDIO}"),
    case("erledigte aufgaben", "erledigt", cites=DRILL),
    case("any habits i missed today", "not done", cites="Read Italian | Stretching"),
    case("when did i last stretch", "Last check-in is not recorded", cites="Stretching"),
    case("which project uses rust", "stack Rust", cites="Lantern"),
    case("welches projekt verwendet postgresql", "Technologie Python, PostgreSQL", cites="Atlas"),
]  # fmt: skip

NOTES = [
    case("database decision", "We decided to use PostgreSQL with pgvector", cites=DATABASE),
    case("Was haben wir zur Datenbank entschieden?", "We decided to use PostgreSQL", "4. März 2026", cites=DATABASE),
    case("what did we decide?", "PostgreSQL", "Apache 2.0", cites=f"{DATABASE} | {FILM}"),
    case("which licence did we pick for the film", "Apache 2.0", cites=FILM),
    case("who agreed to the film licence", "Zoë O'Neill agreed", cites=FILM),
    case("what did marco say about the terrace", "larch", "11 June 2026", cites="2026-06-11", never="2026-06-11,"),
    case("why not a second database", "One backup and one login", cites=DATABASE),
    case("tags of film licence", "decision, lantern", cites=FILM),
    case("how many huts", "153", cites=f"{HUTS} | Atlas"),
]

FOLLOW_UPS = [
    case("Who is Zoë? >> and her email?", "zoe@lakeside.example", cites=ZOE),
    case("wer ist jörg >> und seine nummer?", "+41 55 640 11 22", cites=JOERG),
    case("Who is Marco Ferrari? >> what do i owe him", "10 June 2026", cites=DEPOSIT, never="lease"),
    case("Which goal is behind? >> when is it due?", "30 September 2026", cites="Run a marathon"),
    case("What is Elena's role? >> and zoe?", "Sound editor", cites=ZOE),
    case("Which habits do I have? >> which of them are not done?", "not done", cites="Read Italian | Stretching"),
    case("What is due this week? >> and overdue?", "10 June 2026", cites=DEPOSIT, never="lease"),
]

REQUESTS = [
    case("remind me to water the plants on friday", "Water the plants", "approval", proposes=COMMITMENT),
    case("Erinnere mich, Marco anzurufen", "Marco anrufen", "Zustimmung", proposes=COMMITMENT, never="anzurufen"),
    case("schreib elena eine nachricht wegen dem workshop", "Elena Weber", "Zustimmung", proposes=MESSAGE),
    case("message zoe that the studio is booked", "Zoë O'Neill", "approval", proposes=MESSAGE),
    case("schedule call with Priya tomorrow at 9", "Call with Priya", proposes="workspace.create_event"),
    case("termin mit elena am freitag um 14 uhr", "Termin mit elena", proposes="workspace.create_event"),
    case("schreib jörg dass ich später komme", "Zustimmung", proposes=MESSAGE),
    case("check in stretching", "Stretching", "approval", proposes="workspace.check_in"),
]

ALL = [*PEOPLE, *LISTS, *PLANS, *NOTES, *FOLLOW_UPS, *REQUESTS]


@pytest.mark.parametrize("typed", ALL)
def test_typed_question_is_answered_from_the_right_records(typed: Case, converse: Callable[..., Any]) -> None:
    told = converse(typed.questions, Quote())
    assert (told.failed, told.outcome, told.cited) == (None, "answered", typed.cites), told.answer
    assert [part for part in typed.says if part not in told.answer] == [], told.answer
    assert [part for part in typed.never if part in told.answer] == [], told.answer
    assert tuple(told.proposals) == typed.proposes
    assert told.citations
    assert {Verdict.CONTRADICTED, Verdict.UNSUPPORTED}.isdisjoint(told.verdicts), told.report.violations


def test_what_cannot_be_changed_here_is_said(converse: Callable[..., Any]) -> None:
    told = converse(("delete all my contacts",), Quote())
    assert (told.answer, told.proposals) == ("I cannot prepare this kind of change here.", [])
