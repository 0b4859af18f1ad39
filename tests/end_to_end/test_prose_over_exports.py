"""A language model's prose over imported files: what holds passes untouched, what does not never stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from sayso.core.verify.report import Verdict, ViolationKind
from sayso.models.scripted import Reply, Scripted, call, calls, say, text_call

K = ViolationKind


def people(*names: str) -> Reply:
    return calls(*(call("search_people", query=name) for name in names))


ELENA, ILYA, ANNA, ZOE, MARCO, UZH = (people(n) for n in ("Elena", "Ilya", "Anna", "Zoe", "Marco", "UZH"))
BOTH = people("Marco", "Zoe")
JOERG = text_call("search_people", query="Jörg")
TASKS, GOALS, HABITS = call("list_commitments"), call("list_goals"), call("list_habits")
ATLAS = text_call("list_projects", query="Atlas")
DATABASE = call("search_knowledge", query="database")
LETTER = call("propose_action", type="message", person="Elena", text="See you on Friday.")

# The question, what the model looks up first, its answer, and the verdict of each sentence.
Good = tuple[str, Reply | None, str, str]
GOOD: list[Good] = [
    ("Who is Elena?", ELENA, "Elena Weber works at SINGA Switzerland [F1].", "supported"),
    (
        "Who is Elena?",
        ELENA,
        "Elena Weber is at SINGA Switzerland, and her phone number is +41 77 473 00 93 [F1]. "
        "Her role is not recorded [F1].",
        "supported supported",
    ),
    (
        "How do I reach Elena?",
        ELENA,
        "You can call Elena on +41 77 473 00 93 [F1]. Shall I draft a message to her?",
        "supported talk",
    ),
    (
        "Where does Ilya work?",
        ILYA,
        "His affiliation is not recorded [F1]. You can write to ilya@druzhnikov.example [F1].",
        "supported supported",
    ),
    (
        "How do I reach Marco and Zoe?",
        BOTH,
        "Marco Ferrari is on +39 02 5550 771 and Zoë O'Neill on +353-1-555-0142.",
        "supported",
    ),
    ("Wer ist Jörg?", JOERG, "Jörg Müller-Lindt ist Geschäftsführer der Seilbahn Glärnisch AG [F1].", "supported"),
    ("When is Marco's birthday?", MARCO, "Marco's birthday is 23 September 1984 [F1].", "supported"),
    ("Who works at UZH?", UZH, "I found nobody at UZH among your 8 people [F1].", "supported"),
    (
        "What is due?",
        TASKS,
        'You have 4 commitments in total; "Pay the deposit" is overdue since 10 June 2026.',
        "supported",
    ),
    ("When is the lease due?", TASKS, "Send the lease is due on 16 June 2026, tomorrow.", "supported"),
    (
        "Which goal is behind?",
        GOALS,
        "Run a marathon is behind: 20% is done, with a target date of 30 September 2026.",
        "supported",
    ),
    ("How is my run?", HABITS, "Your Morning run streak is 4 days.", "supported"),
    (
        "What did we decide about the database?",
        DATABASE,
        "You decided to use PostgreSQL with pgvector for Atlas on 4 March 2026.",
        "supported",
    ),
    (
        "Who is Anna?",
        ANNA,
        "There are two people called Anna Steiner: a surgeon at Kantonsspital Aarau and a stage designer at "
        "Theater Chur. Which one do you mean?",
        "supported talk",
    ),
    ("What is the status of Atlas?", ATLAS, "Atlas is active and built with Python and PostgreSQL [F1].", "supported"),
    ("Write to Elena", LETTER, "I have prepared a message to Elena Weber; it waits for your approval.", "talk"),
    ("Hello", None, "Hello! How can I help you today?", "talk talk"),
    (
        "Write a haiku about autumn",
        None,
        "Leaves fall on still ponds,\nthe wind counts them one by one,\nthen forgets the sum.",
        "talk",
    ),
    ("What is a vector?", None, "A vector is a list of numbers that has a length and a direction.", "talk"),
    ("Thanks", None, "You're welcome.", "talk"),
    ("Translate: Guten Morgen", None, "Good morning.", "talk"),
]


@pytest.mark.parametrize(("question", "lookup", "answer", "verdicts"), GOOD)
def test_prose_that_holds_passes_untouched(
    question: str, lookup: Reply | None, answer: str, verdicts: str, ask: Callable[..., Any]
) -> None:
    with Scripted([*([lookup] if lookup else []), say(answer)]) as model:
        told = ask(question, model)
    assert (told.answer, told.outcome, told.repaired) == (answer, "answered", False), told.report.violations
    assert " ".join(v.value for v in told.verdicts) == verdicts


@dataclass(frozen=True, slots=True)
class Wrong:
    """A false answer, what exactly is false in it, and what the records hold instead."""

    question: str
    lookup: Reply
    draft: str
    lie: str
    kinds: tuple[ViolationKind, ...]
    truth: str


def wrong(question: str, lookup: Reply, draft: str, lie: str, *kinds: ViolationKind, truth: str) -> Any:
    return pytest.param(Wrong(question, lookup, draft, lie, kinds, truth), id=draft)


ROLE = (K.STATED_GAP, K.INVENTED_NAME)
AT_SINGA = "Elena Weber is at SINGA Switzerland [F1]."
REACH = "You can reach Elena Weber on +41 77 473 00 93 [F1]."
MAIL = "You can write to ilya@druzhnikov.example [F1]."
WHO, WORK = "Who is Elena?", "Where does Ilya work?"

ABOUT_PEOPLE = [
    wrong(WHO, ELENA, "Elena Weber is the CEO of SINGA Switzerland [F1].", "CEO", *ROLE, truth=AT_SINGA),
    wrong(WHO, ELENA, "Elena Weber works as a lawyer [F1].", "lawyer", *ROLE, truth=AT_SINGA),
    wrong(WHO, ELENA, "Elena Weber ist Projektleiterin bei SINGA Switzerland [F1].", "leiterin", *ROLE, truth=AT_SINGA),
    wrong(WHO, ELENA, "Elena Weber is a project manager at SINGA Switzerland [F1].", "manager", *ROLE, truth=AT_SINGA),
    wrong(WHO, ELENA, "Elena Weber is a nurse [F1].", "nurse", *ROLE, truth=AT_SINGA),
    wrong(WHO, ELENA, "Her role is project manager [F1].", "manager", *ROLE, truth=AT_SINGA),
    wrong(WHO, ELENA, "Elena Weber works at SINGA Switzerland as a project manager [F1].", "manager", *ROLE,
          truth=AT_SINGA),
    wrong(WHO, ELENA, "You can reach Elena Weber on +41 77 473 00 39 [F1].", "00 39", K.INVENTED_CONTACT, K.WRONG_VALUE,
          truth=REACH),
    wrong(WHO, ELENA, "Elena Weber's e-mail is ilya@druzhnikov.example [F1].", "ilya@", K.INVENTED_CONTACT,
          truth=REACH),
    wrong(WHO, ELENA, "Elena Weber works at SINGA Switzerland (UZH) [F1].", "UZH", K.INVENTED_NAME, truth=AT_SINGA),
    wrong(WHO, ELENA, "Elena Weber's birthday is 3 May 1990 [F1].", "1990", K.STATED_GAP, truth=AT_SINGA),
    wrong(WHO, ELENA, "Elena Weber works at SINGA Switzerland [F9].", "F9", K.UNKNOWN_REF, truth=AT_SINGA),
    wrong(WORK, ILYA, "Ilya Druzhnikov works at the University of Zurich (UZH) [F1].", "Zurich", K.STATED_GAP,
          truth=MAIL),
    wrong(WORK, ILYA, "Ilya Druzhnikov (UZH) has the e-mail ilya@druzhnikov.example [F1].", "UZH", K.INVENTED_NAME,
          truth=MAIL),
    wrong(WORK, ILYA, "Ilya Druzhnikov is at SINGA Switzerland [F1].", "SINGA", *ROLE, truth=MAIL),
    wrong("Wer ist Jörg?", JOERG, "Jörg Müller-Lindt ist Lokführer der Seilbahn Glärnisch AG [F1].", "Lokführer",
          K.INVENTED_NAME, K.WRONG_VALUE, truth="Jörg Müller-Lindt ist Geschäftsführer [F1]."),
    wrong("When is Marco's birthday?", MARCO, "Marco's birthday is 24 September 1984 [F1].", "24 September",
          K.WRONG_VALUE, truth="Marco's birthday is 23 September 1984 [F1]."),
    wrong("Who is Zoe?", ZOE, "You have no contact called Zoe.", "no contact", K.FALSE_ABSENCE,
          truth="Zoë O'Neill is a Sound editor [F1]."),
    wrong("Who is Zoe?", ZOE, "There is no Zoë O'Neill in your records.", "no Zoë", K.FALSE_ABSENCE,
          truth="Zoë O'Neill is a Sound editor [F1]."),
    wrong("How do I reach Marco and Zoe?", BOTH, "Marco Ferrari is on +353-1-555-0142, Zoë O'Neill on +39 02 5550 771.",
          "Ferrari is on +353", K.SWAPPED_RECORD, truth="Marco Ferrari is on +39 02 5550 771."),
    wrong("Who is Anna?", ANNA, "Anna Steiner is a surgeon at Theater Chur [F1].", "surgeon", K.SWAPPED_RECORD,
          K.WRONG_VALUE, truth="Anna Steiner is a stage designer at Theater Chur [F2]."),
    wrong("Who works at UZH?", UZH, "Elena Weber works at UZH.", "Elena", K.INVENTED_NAME,
          truth="I found nobody at UZH among your 8 people [F1]."),
]  # fmt: skip

LEASE = "Send the lease is due on 16 June 2026."
MARATHON = "Run a marathon is behind [F2]."
CHOSEN = "You decided to use PostgreSQL with pgvector for Atlas."
WAITS = "The message to Elena Weber waits for your approval."
DUE, BEHIND, DECIDED = "What is due?", "Which goal is behind?", "What did we decide about the database?"
STATUS, ACTIVE = "What is the status of Atlas?", "Atlas is active [F1]."

ABOUT_PLANS = [
    wrong(DUE, TASKS, "You have 7 commitments.", "7", K.WRONG_COUNT, truth="You have 4 commitments."),
    wrong(DUE, TASKS, "3 commitments are overdue.", "3 comm", K.WRONG_COUNT, truth="1 commitment is overdue."),
    wrong(DUE, TASKS, "You have no open commitments.", "no open", K.FALSE_ABSENCE, truth=LEASE),
    wrong("When is the lease due?", TASKS, "Send the lease is due on 18 June 2026.", "18 June", K.WRONG_VALUE,
          truth=LEASE),
    wrong(BEHIND, GOALS, "Run a marathon is behind: 80% is done.", "80% is", K.SWAPPED_RECORD, K.WRONG_VALUE,
          truth=MARATHON),
    wrong(BEHIND, GOALS, "Learn Italian is behind.", "Italian is behind", K.WRONG_VALUE, truth=MARATHON),
    wrong(BEHIND, GOALS, "Write a cookbook is due on 31 December 2026.", "31 December", K.SWAPPED_RECORD, K.STATED_GAP,
          truth=MARATHON),
    wrong("How is my run?", HABITS, "Your Morning run streak is 14 days.", "14", K.WRONG_VALUE,
          truth="Your Morning run streak is 4 days."),
    wrong(DECIDED, DATABASE, "You decided to use MongoDB for Atlas.", "MongoDB", K.INVENTED_NAME, truth=CHOSEN),
    wrong(DECIDED, DATABASE, "You decided on PostgreSQL on 5 March 2026.", "5 March", K.WRONG_VALUE, truth=CHOSEN),
    wrong(STATUS, ATLAS, "Atlas is built with Rust [F1].", "Rust", K.INVENTED_NAME, K.WRONG_VALUE, truth=ACTIVE),
    wrong(STATUS, ATLAS, "Atlas is paused [F1].", "paused", K.WRONG_VALUE, truth=ACTIVE),
]  # fmt: skip

ABOUT_ACTS = [
    wrong(WHO, ELENA, "I have sent Elena Weber a message.", "have sent", K.FALSE_ACTION, truth=AT_SINGA),
    wrong("Write to Elena", LETTER, "I have sent the message to Elena Weber.", "have sent", K.FALSE_ACTION,
          truth=WAITS),
    wrong("Write to Elena", LETTER, "Done, Elena has been informed.", "been informed", K.FALSE_ACTION, truth=WAITS),
    wrong("Schreib Elena", LETTER, "Ich habe die Nachricht an Elena gesendet.", "gesendet", K.FALSE_ACTION,
          truth="Die Nachricht an Elena Weber wartet auf deine Zustimmung."),
]  # fmt: skip

WRONG = [*ABOUT_PEOPLE, *ABOUT_PLANS, *ABOUT_ACTS]


@pytest.mark.parametrize("given", WRONG)
def test_prose_that_does_not_hold_is_withheld_when_the_model_insists(given: Wrong, ask: Callable[..., Any]) -> None:
    told = ask(given.question, Scripted([given.lookup, say(given.draft), say(given.draft)]))
    assert told.failed is None
    assert given.lie not in told.answer
    assert told.outcome == "abstained"
    assert told.verdicts == [Verdict.CONTRADICTED]
    assert {v.kind for v in told.report.violations} & set(given.kinds), told.report.violations
    assert "[F" in told.answer, "what was withheld gives way to facts"


@pytest.mark.parametrize("given", WRONG)
def test_prose_that_does_not_hold_gives_way_to_a_repair_that_does(given: Wrong, ask: Callable[..., Any]) -> None:
    with Scripted([given.lookup, say(given.draft), say(given.truth)]) as model:
        told = ask(given.question, model)
    assert (told.answer, told.outcome, told.repaired) == (given.truth, "answered", True), told.report.violations
    assert {Verdict.CONTRADICTED, Verdict.UNSUPPORTED}.isdisjoint(told.verdicts)
