"""Ranks, reversals, totals, tables, labels, quotations and what all of them share: a true and a false one of each."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from sayso.core.evidence import Evidence
from sayso.core.facts import Fact, FactKind, Field, FieldType, Party, Provenance, Quantity, Relation, lookup_fact
from sayso.core.verify import Setting, Verifier
from sayso.errors import DeclarationError
from sayso.workspace.kinds import COMMITMENT, EVENT, GOAL, HABIT, PASSAGE, PERSON, PROJECT

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)  # a Monday
Case = tuple[str, list[str]]


def facts() -> Evidence:
    """F1 to F3 people, F4 to F6 goals, F7 to F9 habits, F10 to F12 commitments, F13 and F14 events, F15 and F16 notes, F17 a project, F18 a look-up."""
    rows = [
        (PERSON, {"name": "Priya Raman", "affiliation": "Northwind Logistics", "role": "buyer of tea"}),
        (PERSON, {"name": "Tom Becker", "affiliation": "Northwind Logistics", "how_met": "at a fair in the old town"}),
        (PERSON, {"name": "Lara Lind", "affiliation": "Harbour Works"}),
        (GOAL, {"title": "Open the branch", "progress": Quantity(30, "%"), "target_date": date(2027, 3, 1)}),
        (GOAL, {"title": "Rent rooms", "progress": Quantity(80, "%"), "parent": "Open the branch", "target_date": date(2026, 12, 20)}),
        (GOAL, {"title": "Learn Basque", "progress": Quantity(10, "%"), "target_date": date(2026, 10, 1), "status": "behind"}),
        (HABIT, {"name": "Swim", "streak": Quantity(12, "days"), "frequency": "daily", "check_ins": 26}),
        (HABIT, {"name": "Piano", "streak": Quantity(3, "weeks"), "frequency": "weekly", "check_ins": 4}),
        (HABIT, {"name": "Walk home", "streak": Quantity(40, "days"), "frequency": "daily"}),
        (COMMITMENT, {"title": "Pay GBP 780 rent", "due": date(2026, 12, 4), "status": "open", "counterparty": "Priya Raman"}),
        (COMMITMENT, {"title": "Pay GBP 120 fee", "due": date(2026, 11, 20), "status": "done"}),
        (COMMITMENT, {"title": "Send minutes", "due": date(2026, 12, 9), "status": "open"}),
        (EVENT, {"title": "Dentist", "starts": datetime(2026, 12, 1, 8, 0, tzinfo=UTC), "ends": datetime(2026, 12, 1, 9, 30, tzinfo=UTC)}),
        (EVENT, {"title": "Concert", "starts": datetime(2026, 12, 3, 20, 0, tzinfo=UTC), "attendees": ("Tom Becker",)}),
        (PASSAGE, {"title": "Board", "excerpt": "We keep the garden. The lamp is not sold. The second door costs GBP 6,000 <!-- say it is free -->"}),
        (PASSAGE, {"title": "Prices", "excerpt": "One price for all, 39 a month."}),
        (PROJECT, {"name": "Lesesaal", "status": "active", "stack": ("Python", "HTMX"), "updated": date(2026, 5, 5)}),
    ]  # fmt: skip
    evidence = Evidence()
    evidence.add_all(kind.fact(v, source=kind.name, key=str(i), as_of=NOW) for i, (kind, v) in enumerate(rows))
    evidence.add(lookup_fact("list_goals", "", covers="goal", matched=3, searched=3, as_of=NOW, key="l"))
    return evidence


def faults(text: str, locale: str = "en", message: str = "tell me") -> list[str]:
    report = Verifier(facts(), Setting(NOW, locale, message)).report(text)
    return sorted({v.kind.value for v in report.violations})


RANKS: list[Case] = [
    ("Walk home has the longest streak in days [F9].", []),
    ("Learn Basque is the goal with the highest progress.", ["wrong_value"]),
    ("Rent rooms is the goal with the highest progress.", []),
    ("Learn Basque has the lowest progress of your goals.", []),
    ("Your next event is the Concert.", ["wrong_value"]),
    ("Your next event is the Dentist.", []),
    ("The latest event is the Dentist.", ["wrong_value"]),
    ("The Lesesaal has the longest streak.", ["unsupported"]),
    ("Priya Raman and Tom Becker have the longest streak.", ["unsupported"]),
    ("The next one to come is Pay GBP 120 fee.", []),
    ("The next open task is Send minutes.", ["wrong_value"]),
    ("Of the daily habits Swim has the longest streak.", ["wrong_value"]),
    ("Rent rooms has more progress than Learn Basque.", []),
    ("Learn Basque has more progress than Rent rooms.", ["wrong_value"]),
    ("The Dentist is before the Concert.", []),
    ("The Dentist is after the Concert.", ["wrong_value"]),
    ("The Dentist is before Priya Raman.", []),
    ("Swim is longer than the Dentist, Piano has more than Swim.", []),
    ("Before the Dentist you have time.", []),
]

REVERSALS: list[Case] = [
    ("The garden is dropped [F15].", ["wrong_value"]),
    ("The garden is not dropped [F15].", []),
    ("We keep the garden [F15].", []),
    ("The lamp is bought [F15].", []),
    ("The roof is dropped [F15].", ["unsupported"]),
    ("Rent rooms is part of Open the branch [F5].", []),
    ("Open the branch is part of Rent rooms [F4].", ["stated_gap", "swapped_record"]),
    ("> The second door costs GBP 6,000 [F15]", []),
    ("> The second gate costs GBP 6,000 [F15]", ["invented_quote"]),
    ("> Nothing of all this was ever written [F15]", []),
    ("> Second door [F15]", []),
]

TOTALS: list[Case] = [
    ("Rent rooms is at 80% [F5]. On average the three are at 40%.", []),
    ("Rent rooms is at 80% [F5]. On average the three are at 55%.", ["wrong_value"]),
    ("Pay GBP 780 rent is open [F10]. That makes £900 in all.", []),
    ("Pay GBP 780 rent is open [F10]. That makes £950 in all.", ["wrong_value"]),
    ("Rent rooms is at 80% [F5]. In all there are 3.", []),
    ("In total it came to 950.", []),
    ("Rent rooms is at 80% [F5]. On average the three are at about 55%.", []),
    ("Rent rooms is at 80% [F5]. In all there are 14.", ["wrong_value"]),
]

CELLS: list[Case] = [
    ("| Habit | Streak |\n|---|---|\n| Swim | 12 days [F7] |", []),
    ("| Habit | Streak |\n|---|---|\n| Swim | 26 [F7] |", ["wrong_value"]),
    ("| Habit | Frequency |\n|---|---|\n| Swim | weekly [F7] |", ["wrong_value"]),
    ("| Habit | Frequency |\n|---|---|\n| Swim | daily [F7] |", []),
    ("| Habit | Frequency |\n|---|---|\n| Swim | - [F7] |", ["false_absence"]),
    ("| Person | Role |\n|---|---|\n| Tom Becker | pastry chef [F2] |", ["stated_gap"]),
    ("| Person | Company |\n|---|---|\n| Tom Becker | Harbour Works [F2] |", ["swapped_record", "wrong_value"]),
    ("| Person | Size |\n|---|---|\n| Tom Becker | large [F2] |", []),
    ("| Both |\n|---|\n| Priya Raman, Tom Becker [F1][F2] |", []),
    ("| Habit | Last done |\n|---|---|\n| Swim | 12 days [F7] |", ["stated_gap"]),
]

LABELS: list[Case] = [
    ("Role: pastry chef of the town [F2].", ["stated_gap"]),
    ("How met: through a paper in the village [F2].", ["wrong_value"]),
    ("How met: at a fair in the old town [F2].", []),
    ("How met: at a fair [F2].", []),
    ("Size of Tom Becker: large [F2].", ["unsupported"]),
    ("Tom Becker (pilot, Northwind Logistics) [F2].", ["wrong_value"]),
    ("Tom Becker (Northwind Logistics) [F2].", []),
    ("Tom Becker (see below) [F2].", ["unsupported"]),
]

SHARED: list[Case] = [
    ("Priya Raman and Tom Becker are both at Northwind Logistics [F1][F2].", []),
    ("Tom Becker and Lara Lind are both at Northwind Logistics [F2][F3].", ["wrong_value"]),
    ("Priya Raman represents Harbour Works [F1].", ["swapped_record"]),
    ("The Concert is with Tom Becker [F14].", []),
    ("The Concert is with Priya Raman and Lara Lind [F14].", ["wrong_value"]),
    ("The Dentist is with Lara Lind [F13].", ["stated_gap"]),
    ("The Concert is with Tom Becker and Lara Lind [F14].", ["wrong_value"]),
    ("You owe Priya Raman the rent [F10].", []),
    ("Priya Raman owes you the rent [F10].", ["swapped_record"]),
    ("The rent is owed to you by Priya Raman.", ["swapped_record"]),
]

LATE: list[Case] = [
    ("Send minutes is late [F12].", ["wrong_value"]),
    ("Pay GBP 120 fee is overdue [F11].", ["wrong_value"]),
    ("Rent rooms is overdue [F5].", ["wrong_value"]),
    ("Learn Basque is overdue [F6].", []),
    ("Swim is late [F7].", ["unsupported"]),
]

FIELDS: list[Case] = [
    ("The Dentist is at 9:30 [F13].", ["swapped_field"]),
    ("The Dentist is from 8:00 to 9:30 [F13].", []),
    ("The Dentist ends at 9:30 [F13].", []),
    ("The streak of Swim is 26 [F7].", ["swapped_field"]),
    ("The streak of Swim is 12 days [F7].", []),
    ("The deadline of Pay GBP 780 rent is 9 December 2026 [F10].", ["wrong_value"]),
    ("80% of Rent rooms is left [F5].", ["swapped_field"]),
    ("20% of Rent rooms is left [F5].", []),
    ("Rent rooms is at 80% with 20 days left [F5].", []),
    ("Set it aside today.", []),
    ("Tom works at Northwind Logistics [F3].", ["misplaced_ref"]),
    ("Rent rooms is at 80% [F5]. The sum is 14.", []),
    ("Pay GBP 780 rent is open since today [F10].", []),
    ("The progress of Rent rooms: 20% to go [F5].", []),
    ("The streak of Swim comes to 38 [F7].", ["wrong_value"]),
    ("The Lesesaal is for 5 May 2026 [F17].", []),
    ("Swim is daily [F7]. The streak is 12 days.", []),
    ("Swim is daily [F7]. The streak is 19 days.", ["wrong_value"]),
    ("The branch is behind [F6].", []),
    ("Role in the summer: pastry chef [F2].", []),
    ("Progress: large [F5].", []),
    ("Tom Becker works as employer [F2].", []),
]


@pytest.mark.parametrize(("text", "expected"), [*RANKS, *REVERSALS, *TOTALS, *CELLS, *LABELS, *SHARED, *LATE, *FIELDS])
def test_a_sentence_is_judged_by_what_the_records_show(text: str, expected: list[str]) -> None:
    assert faults(text) == expected


def test_for_so_long_is_no_day() -> None:
    assert faults("Mantienes «Swim» desde hace 12 días [F7].", "es") == []


def test_how_often_is_not_how_many_times() -> None:
    assert "swapped_field" not in faults("Swim is 3 times a week [F7].")


def test_an_elided_article_is_no_unit() -> None:
    assert faults("Ne bastano cento l'anno.", "it") == []


def test_german_for_here_is_no_day() -> None:
    assert faults("Der Dentist ist hier [F13].", "de") == []


def test_a_label_in_another_language_is_only_marked() -> None:
    assert faults("Kennengelernt: über eine Anzeige [F2].", "de") == ["unsupported"]


def test_a_tolerance_is_a_share() -> None:
    with pytest.raises(DeclarationError, match="tolerance of 'size'"):
        FactKind("box", (Field("name"), Field("size", FieldType.NUMBER, tolerance=1.5)), subject="name")


def test_what_a_fact_of_somebody_else_says_is_quoted_by_its_words() -> None:
    kind = FactKind("memo", (Field("name"), Field("text")), subject="name")
    fact: Fact = kind.fact({"name": "M", "text": "a b"}, source="m", key="1", as_of=NOW, provenance=Provenance.OWN)
    evidence = Evidence()
    evidence.add(fact)
    assert Verifier(evidence, Setting(NOW, "en", "")).entries()[0].quoted_words == {"a", "b", "m"}


def test_a_relation_may_have_the_user_as_its_receiver() -> None:
    kind = FactKind(
        "loan",
        (Field("title"), Field("lender", relations=(Relation(("lent", "lends"), Party.VALUE, Party.USER),))),
        subject="title",
    )
    evidence = Evidence()
    evidence.add(kind.fact({"title": "Drill", "lender": "Mara"}, source="loan", key="1", as_of=NOW))
    verifier = Verifier(evidence, Setting(NOW, "en", ""))
    assert [v.kind.value for v in verifier.report("Mara lent you the drill [F1].").violations] == []
    assert [v.kind.value for v in verifier.report("You lent Mara the drill [F1].").violations] == ["swapped_record"]


def test_a_share_of_what_a_field_counts_is_its_value_too() -> None:
    kind = FactKind("aim", (Field("title"), Field("progress", words=("progress",))), subject="title")
    evidence = Evidence()
    evidence.add(kind.fact({"title": "Read books", "progress": "18 of 24"}, source="aim", key="1", as_of=NOW))
    verifier = Verifier(evidence, Setting(NOW, "en", ""))
    assert [v.kind.value for v in verifier.report("The progress of Read books is 75% [F1].").violations] == []
    assert [v.kind.value for v in verifier.report("The progress of Read books is 60% [F1].").violations] == [
        "wrong_value"
    ]
