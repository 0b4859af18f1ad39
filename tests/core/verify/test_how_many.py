"""Counts in five languages: by the look-up that decides them, by a state, by what the records hold."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from sayso.core.evidence import Evidence
from sayso.core.facts import lookup_fact
from sayso.core.verify import Setting, Verifier
from sayso.workspace.kinds import COMMITMENT, GOAL, PERSON

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def world(*, whole: bool = True) -> Evidence:
    """F1 F2 people at Havnelab, F3 to F5 goals, F6 F7 commitments; F8 asked for Havnelab, F9 for what is overdue, F10 for all goals."""
    evidence = Evidence()
    rows = [
        (PERSON, {"name": "Hanna Gerber", "affiliation": "Havnelab"}),
        (PERSON, {"name": "Oskar Lindqvist", "affiliation": "Havnelab", "role": "administrator"}),
        (GOAL, {"title": "Open the studio", "status": "behind", "parent": "Kookaburra"}),
        (GOAL, {"title": "Read more", "status": "on track", "parent": "Kookaburra"}),
        (GOAL, {"title": "Learn Danish", "status": "on track"}),
        (COMMITMENT, {"title": "Return projector", "due": date(2026, 11, 20), "status": "overdue"}),
        (COMMITMENT, {"title": "Renew passport", "due": date(2026, 11, 21), "status": "overdue"}),
    ]  # fmt: skip
    evidence.add_all(kind.fact(v, source=kind.name, key=str(i), as_of=NOW) for i, (kind, v) in enumerate(rows))
    evidence.add(
        lookup_fact("search_people", '"Havnelab"', covers="person", matched=2, searched=62, as_of=NOW, key="a")
    )
    evidence.add(
        lookup_fact("list_commitments", '"overdue"', covers="commitment", matched=4, searched=26, as_of=NOW, key="b")
    )
    if whole:
        evidence.add(lookup_fact("list_goals", "", covers="", matched=3, searched=3, as_of=NOW, key="c"))
    return evidence


def is_wrong(text: str, locale: str = "en", evidence: Evidence | None = None) -> bool:
    report = Verifier(evidence or world(), Setting(NOW, locale, "how many?")).report(text)
    return any(v.kind.value == "wrong_count" for v in report.violations)


COUNTS = [
    ("en", "{} of your contacts work at Havnelab [F8].", "2", "5"),
    ("en", "There are {} contacts from Havnelab in your records.", "two", "three"),
    ("en", "- Havnelab: **{}** people [F8]", "2", "4"),
    ("en", "[F9] finds {} things past their due date.", "four", "two"),
    ("en", "Goals: {} (F10)", "3", "14"),
    ("en", "There are {} goals in your workspace.", "three", "five"),
    ("en", "I went through your goals. In total there are {} of them [F10].", "3", "14"),
    ("de", "Bei Havnelab gibt es {} Kontakte.", "zwei", "vier"),
    ("de", "- ⚠️ **{}** überfällig [F9]", "4", "7"),
    ("de", "| Was | Wie viele |\n|---|---|\n| Ziele | {} [F10] |", "3", "10"),
    ("fr", "J'ai cherché Havnelab dans vos contacts. Il y en a {} [F8].", "deux", "dix-sept"),
    ("fr", "| État | Nombre |\n|---|---|\n| en retard | {} [F9] |", "4", "5"),
    ("it", "{} dei tuoi contatti lavorano presso Havnelab [F8].", "Due", "Tre"),
    ("it", "Sono {} [F8].", "due", "sei"),
    ("it", "In Havnelab ce ne sono {}, se conto bene.", "due", "quattro"),
    ("es", "{} de tus contactos trabajan en Havnelab [F8].", "Dos", "Tres"),
    ("es", "Se trata de {} compromisos [F9].", "4", "7"),
    ("es", "Contactos en Havnelab: {} (F8)", "2", "3"),
]


@pytest.mark.parametrize(("locale", "text", "right", "other"), COUNTS)
def test_the_look_up_that_decides_a_count_is_told_rightly(locale: str, text: str, right: str, other: str) -> None:
    assert not is_wrong(text.format(right), locale)
    assert is_wrong(text.format(other), locale)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Two of your goals are on track [F10].", False),
        ("One of your 3 goals is behind [F10].", False),
        ("2 goals belong to Kookaburra [F10].", False),
        ("You have 2 goals by 9 December 2026 [F10].", False),
        ("2 people: Hanna Gerber and Oskar Lindqvist.", False),
        ("At Havnelab there is 1 person called Hanna [F8].", False),
        ("I looked at 3 of these [F9].", False),
        ("It looked for 2 weeks, 4 found [F9].", False),
        ("That is 2 on track [F10].", False),
        ("That is 2 under Kookaburra [F10].", False),
        ("That is 3 under Kookaburra, no [F10].", False),
        ("1. Havnelab [F8]", False),
        ("Hanna Gerber is 1 of 5 there.", False),
        ("The last contact was in May 2026 contact [F8].", False),
        ("There are 12 months in a year.", False),
        ("Two of the goals wait [F1].", True),
        ("I found 9 of them [F1].", False),
        ("In total 5 at Havnelab, Hanna Gerber among them.", False),
    ],
)
def test_a_part_is_counted_by_what_limits_it(text: str, expected: bool) -> None:
    assert is_wrong(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Two of them are on track.", False),
        ("Three of them are on track.", True),
        ("Two of them are for Kookaburra.", False),
        ("Four of them are for Kookaburra.", True),
        ("Four of them are for the firm Kookaburra.", False),
        ("Four of them are about Lisbon.", False),
        ("Four of them are fun.", False),
    ],
)
def test_some_of_those_spoken_of_are_counted_among_them(text: str, expected: bool) -> None:
    assert is_wrong(f"Open the studio is behind [F3]. {text}") is expected


def test_those_of_the_one_kind_that_was_looked_through_are_meant() -> None:
    evidence = Evidence()
    for i in range(3):
        values = {"title": f"Goal {'abc'[i]}", "parent": "Kookaburra" if i else "Alpha"}
        evidence.add(GOAL.fact(values, source="goal", key=str(i), as_of=NOW))
    evidence.add(lookup_fact("list_goals", "", covers="", matched=3, searched=3, as_of=NOW, key="c"))
    assert is_wrong("I only looked up your goals. Four of them are for Kookaburra.", evidence=evidence)


def test_without_a_look_up_that_decides_any_count_of_the_records_may_be_told() -> None:
    assert not is_wrong("You have 2 goals on track.", evidence=world(whole=False))
    assert is_wrong("You have 9 goals.", evidence=world(whole=False))
    assert not is_wrong("You have 9 habits.", evidence=world(whole=False))
    assert is_wrong("The look-up went over 40 of 62 people.")


def test_what_several_look_ups_found_is_added_up() -> None:
    assert not is_wrong("Contacts and late commitments: 6 in total [F8][F9].")
    assert is_wrong("Contacts and late commitments: 4 in total [F8][F9].")
    assert is_wrong("There are 4 contacts in total at Havnelab and there [F8][F9].") is True
