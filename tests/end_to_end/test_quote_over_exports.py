"""Questions over imported files, answered without a language model: what is said, cited and proposed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from sayso.core.verify.report import Verdict
from sayso.models.quote import Quote


@dataclass(frozen=True, slots=True)
class Case:
    """What an answer must hold: each of `says`, none of `never`, exactly the records `cites`."""

    question: str
    says: tuple[str, ...] = ()
    cites: frozenset[str] = frozenset()
    proposes: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    outcome: str = "answered"


def case(question: str, *says: str, cites: str = "", proposes: str = "", never: str = "") -> Any:
    split = [tuple(filter(None, text.split(" | "))) for text in (cites, proposes, never)]
    made = Case(question, says, frozenset(split[0]), split[1], split[2])
    return pytest.param(made, id=question)


ELENA = ("SINGA Switzerland", "+41 77 473 00 93")
JOERG = ("Seilbahn Glärnisch AG", "Geschäftsführer", "+41 55 640 11 22", "joerg@seilbahn.example")
ZOE = ("Lakeside Film Co-op", "Sound editor", "+353-1-555-0142")
MESSAGE, COMMITMENT = "workspace.prepare_message", "workspace.create_commitment"

PEOPLE = [
    case("Who is Elena Weber?", *ELENA, "Role", "not recorded", cites="Elena Weber"),
    case("who is elena?", *ELENA, cites="Elena Weber"),
    case("tell me about elena weber", *ELENA, cites="Elena Weber"),
    case("Wer ist Elena?", *ELENA, "nicht erfasst", cites="Elena Weber"),
    case("What is Elena's role?", "not recorded", cites="Elena Weber", never="SINGA"),
    case("Where does Elena Weber work?", "SINGA Switzerland", cites="Elena Weber"),
    case("Wo arbeitet Elena?", "SINGA Switzerland", cites="Elena Weber"),
    case("What is Elena Weber's e-mail address?", cites="Elena Weber", never="@"),
    case("How do I reach Ilya?", "ilya@druzhnikov.example", cites="Ilya Druzhnikov"),
    case("how can i reach ilya druzhnikov", "ilya@druzhnikov.example", cites="Ilya Druzhnikov"),
    case("Where does Ilya Druzhnikov work?", "ffiliation", "not recorded", cites="Ilya Druzhnikov", never="UZH"),
    case("Wer ist Jörg Müller-Lindt?", *JOERG, cites="Jörg Müller-Lindt"),
    case("who is jorg muller-lindt?", *JOERG, cites="Jörg Müller-Lindt"),
    case("Wie erreiche ich Jörg?", *JOERG[2:], cites="Jörg Müller-Lindt"),
    case("What is Zoe O'Neill's phone number?", ZOE[2], cites="Zoë O'Neill"),
    case("who is zoë", *ZOE, cites="Zoë O'Neill"),
    case("When is Marco's birthday?", "23 September 1984", cites="Marco Ferrari"),
    case("Wann hat Marco Geburtstag?", "23. September 1984", cites="Marco Ferrari"),
    case("What is Priya's role?", "Data engineer", cites="Priya Nair"),
    case("Who is Anna Steiner?", "Theater Chur", "Kantonsspital Aarau", "?", cites="Anna Steiner"),
    case("How do I reach Anna Steiner?", "anna@theater-chur.example", "+41 62 838 00 01", cites="Anna Steiner"),
    case("Who works at UZH?", "UZH", never="Elena | Ilya | Zoë | works at"),
    case("Wer arbeitet an der UZH?", "UZH", never="Elena | Ilya | Zoë"),
    case("Who is Peter Hauser?", "Peter Hauser", "8 people"),
]

PLANS = [
    case("What is due this week?", "Send the lease", "16 June 2026", "Pay the deposit", "2 of your 4",
         cites="Send the lease | Pay the deposit", never="drill | sound studio"),
    case("Was ist diese Woche fällig?", "Send the lease", "16. Juni 2026", "überfällig",
         cites="Send the lease | Pay the deposit"),
    case("What is overdue?", "Pay the deposit", "10 June 2026", cites="Pay the deposit"),
    case("What do I owe Marco?", "Pay the deposit", "10 June 2026", cites="Pay the deposit"),
    case("What do I owe Marco Ferrari?", "Pay the deposit", "10 June 2026", cites="Pay the deposit"),
    case("Which tasks do I owe Zoe?", "Book the sound studio", "20 July 2026", cites="Book the sound studio"),
    case("How is my morning run habit?", "4 days", cites="Morning run"),
    case("How is my morning run going?", "4 days", "check ins 4", cites="Morning run"),
    case("how is my stretching habit?", "0", cites="Stretching"),
    case("Which goal is behind?", "Run a marathon", "20%", "30 September 2026", cites="Run a marathon"),
    case("Welches Ziel ist im Rückstand?", "Run a marathon", "20%", "30. September 2026", cites="Run a marathon"),
    case("What is the status of Atlas?", "active", cites="Atlas"),
    case("What is Lantern built with?", "Rust", cites="Lantern"),
]  # fmt: skip

NOTES = [
    case("What did we decide about the database?", "PostgreSQL", "4 March 2026", cites="Database for Atlas"),
    case("what did we decide about the film licence", "Apache 2.0", "18 May 2026", cites="Film licence"),
    case("What is pgvector?", "PostgreSQL with pgvector", cites="Database for Atlas"),
    case("How many huts are in the hut data?", "153", cites="Hut data"),
]

REQUESTS = [
    case("Draft a message to Elena about the workshop on Friday", "Elena Weber", "approval", proposes=MESSAGE),
    case("draft a message to zoe about the licence", "Zoë O'Neill", "approval", proposes=MESSAGE),
    case("Remind me to call Marco tomorrow", "Call Marco", "approval", proposes=COMMITMENT, never="I have sent"),
    case("Erinnere mich morgen daran, Marco anzurufen", "Vorschlag", "Marco", "Zustimmung", proposes=COMMITMENT),
]

TALK = [
    case("Hello", "Hello"),
    case("Hallo", "Hallo"),
    case("Thanks!", "welcome"),
    case("Danke!", "Gern geschehen"),
    case("Write a haiku about autumn", "language model"),
    case("Translate this: Guten Morgen", "odel"),
]


ALL = [*PEOPLE, *PLANS, *NOTES, *REQUESTS, *TALK]


@pytest.mark.parametrize("expected", ALL)
def test_answer_says_cites_and_proposes_what_the_files_hold(expected: Case, ask: Callable[..., Any]) -> None:
    told = ask(expected.question, Quote())
    assert told.failed is None
    assert (told.outcome, told.cited) == (expected.outcome, expected.cites), told.answer
    assert [part for part in expected.says if part not in told.answer] == [], told.answer
    assert [part for part in expected.never if part in told.answer] == [], told.answer
    assert tuple(told.proposals) == expected.proposes


@pytest.mark.parametrize("question", [parameters.id for parameters in ALL])
def test_no_sentence_of_quote_is_contradicted_or_unsupported(question: str, ask: Callable[..., Any]) -> None:
    told = ask(question, Quote())
    assert {Verdict.CONTRADICTED, Verdict.UNSUPPORTED}.isdisjoint(told.verdicts), told.report.violations
