"""Answers that once passed or were withheld wrongly, each with what the rules must say of it now."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from sayso.core.evidence import Evidence
from sayso.core.facts import PROPOSAL, Quantity, lookup_fact
from sayso.core.verify import Setting, Verifier
from sayso.workspace.kinds import COMMITMENT, EVENT, GOAL, HABIT, PERSON

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)  # a Monday
Case = tuple[str, list[str]]


def world(*, proposal: bool = False) -> Evidence:
    """F1 to F4 people, F5 to F8 commitments, F9 a habit, F10 a goal, F11 an event, F12 a look-up, perhaps F13 a proposal."""
    rows = [
        (PERSON, {"name": "Priya Raman", "affiliation": "Northwind Logistics", "role": "Head of Procurement",
                  "channels": ("phone +44 20 7946 0011",), "notes": "Prefers calls before 10"}),
        (PERSON, {"name": "Tom Becker", "affiliation": "Becker Electric", "role": "Electrician"}),
        (PERSON, {"name": "Lara Lind", "affiliation": "UZH"}),
        (PERSON, {"name": "Karl Ott"}),
        (COMMITMENT, {"title": "Pay violin lessons", "due": date(2026, 11, 20), "status": "overdue"}),
        (COMMITMENT, {"title": "Fix lamp", "due": date(2026, 12, 4), "status": "open", "counterparty": "Tom Becker"}),
        (COMMITMENT, {"title": "Book flu shot", "status": "done"}),
        (COMMITMENT, {"title": "Renew passport", "due": date(2027, 1, 20), "status": "open"}),
        (HABIT, {"name": "Swim", "check_ins": 26}),
        (GOAL, {"title": "Read 24 books", "progress": Quantity(75, "%")}),
        (EVENT, {"title": "Dentist", "starts": datetime(2026, 12, 1, 8, 0, tzinfo=UTC),
                 "ends": datetime(2026, 12, 1, 9, 30, tzinfo=UTC)}),
    ]  # fmt: skip
    evidence = Evidence()
    evidence.add_all(kind.fact(v, source=kind.name, key=str(i), as_of=NOW) for i, (kind, v) in enumerate(rows))
    evidence.add(lookup_fact("search_people", '"Elena"', covers="person", matched=0, searched=4, as_of=NOW, key="l"))
    if proposal:
        evidence.add(
            PROPOSAL.fact({"title": "E-mail to Karl Ott", "state": "pending"}, source="proposals", key="1", as_of=NOW)
        )
    return evidence


def faults(text: str, evidence: Evidence, locale: str = "en") -> list[str]:
    report = Verifier(evidence, Setting(NOW, locale, "tell me")).report(text)
    return sorted({v.kind.value for v in report.violations})


ACTS = [
    "The message to Karl Ott has been sent.", "E-mail sent to Karl Ott.", "I went ahead and e-mailed Karl.",
    "I let Karl know.", "Karl Ott received the message.", "Message sent ✅", "The e-mail is delivered.",
    "Consider it done.", "Everything is marked as sent.", "I have approved the proposal.", "✅ Sent",
    "I have s\u200bent the e-mail to Karl.", "Message sent to Karl [F4].", "I went ahead and saved that for you.",
    "Your message is on its way to Karl.", "Your message to Karl has gone out.",
]  # fmt: skip
GERMAN_ACTS = ["Die Mail an Karl Ott ist raus.", "Ich habe Karl Ott geschrieben.", "Erledigt, die Nachricht ist raus."]


@pytest.mark.parametrize("proposal", [True, False])
@pytest.mark.parametrize("text", ACTS)
def test_no_wording_of_done_passes_without_a_receipt(text: str, proposal: bool) -> None:
    assert faults(text, world(proposal=proposal)) == ["false_action"]


@pytest.mark.parametrize("text", GERMAN_ACTS)
def test_no_german_wording_of_done_passes_without_a_receipt(text: str) -> None:
    assert faults(text, world(proposal=True), "de") == ["false_action"]


FALSE: list[Case] = [
    ("4 tasks are overdue.", ["wrong_count"]),
    ("You have 3 overdue tasks.", ["wrong_count"]),
    ("3 tasks are done.", ["wrong_count"]),
    ("Priya Raman is a violin teacher [F1].", ["wrong_value"]),
    ("Your calendar is free tomorrow.", ["false_absence"]),
    ("You have nothing on tomorrow.", ["false_absence"]),
    ("I don't have a phone number for Priya.", ["false_absence"]),
    ("The dentist lasts two hours [F11].", ["wrong_value"]),
    ("Karl Ott is an electrician [F2].", ["stated_gap", "swapped_record"]),
    ("Karl Ott's phone number is +44 20 7946 0011 [F1].", ["stated_gap"]),
    ("Lara and Karl work at UZH [F3][F4].", ["stated_gap"]),
    ("Elena Brandt works at Siemens.", ["invented_name"]),
    ("Bruno Maag works at Siemens.", ["unsupported"]),
]
TRUE: list[Case] = [
    ("1 task is overdue.", []),
    ("Only one of your four tasks is overdue.", []),
    ("You have 2 open tasks with a due date.", ["wrong_count"]),  # what is overdue is open too: there are 3
    ("3 tasks are open.", []),
    ("You did 26 check-ins in the last 30 days [F9].", []),
    ("There are no notes on Tom Becker.", []),
    ("I have no contact details for Tom Becker.", []),
    ("Neither role nor birthday is recorded for Lara Lind.", []),
    ("Priya prefers calls before 10 a.m. [F1].", []),
    ("25% of Read 24 books is left [F10].", []),
    ("The flu shot has been booked [F7].", []),
    ("Your calendar is free on 2 December 2026.", []),
    ("The dentist lasts 90 minutes [F11].", []),
    ("Tom Becker is an electrician, and so is his brother [F2].", []),
    ("She works with Tom Becker on it.", []),
]


@pytest.mark.parametrize(("text", "expected"), [*FALSE, *TRUE])
def test_a_sentence_is_judged_so_now(text: str, expected: list[str]) -> None:
    assert faults(text, world()) == expected


GERMAN: list[Case] = [
    ("Priya Raman arbeitet bei Siemens [F1].", ["wrong_value"]),
    ("Priya Raman ist bei Siemens [F1].", ["wrong_value"]),
    ("Priya Raman arbeitet bei Northwind Logistics [F1].", []),
    ("Tom Becker ist Elektriker [F2].", ["unsupported"]),
    ("Davon ist nichts überfällig [F8].", []),
]


@pytest.mark.parametrize(("text", "expected"), GERMAN)
def test_a_german_sentence_is_judged_so_now(text: str, expected: list[str]) -> None:
    assert faults(text, world(), "de") == expected


def test_without_any_record_a_number_to_call_is_no_knowledge() -> None:
    assert faults("Her phone number is +49 30 1234567.", Evidence()) == ["unsupported"]
    assert faults("A vector is a list of numbers.", Evidence()) == []
