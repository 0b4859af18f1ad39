"""What is told of a known record and stands nowhere is marked, in five languages; what something explains is not."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from sayso.core.evidence import Evidence
from sayso.core.facts import PROPOSAL, Quantity, lookup_fact
from sayso.core.verify import Setting, Verifier
from sayso.workspace.kinds import COMMITMENT, EVENT, GOAL, HABIT, PERSON

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)  # a Monday


def evidence(*, proposal: bool = False) -> Evidence:
    """F1 and F2 people, F3 and F4 goals, F5 a habit, F6 a commitment, F7 an event, F8 a look-up."""
    rows = [
        (PERSON, {"name": "Elena Weber", "affiliation": "SINGA", "role": "lead", "channels": ("a@b.example", "c@d.example")}),
        (PERSON, {"name": "Ilya Frei", "how_met": "at a fair"}),
        (GOAL, {"title": "Learn Basque", "progress": Quantity(40, "%"), "target_date": date(2026, 10, 1)}),
        (GOAL, {"title": "Open the branch in Bern", "progress": Quantity(60, "%"), "status": "on track"}),
        (HABIT, {"name": "Morning swim", "streak": Quantity(6, "days"), "last_check_in": date(2026, 11, 30)}),
        (COMMITMENT, {"title": "Pay Ilya", "due": date(2026, 12, 4), "counterparty": "Ilya Frei", "status": "open"}),
        (EVENT, {"title": "Garden dinner", "starts": datetime(2026, 12, 1, 18, 0, tzinfo=UTC), "attendees": ("Elena Weber", "Ilya Frei")}),
    ]  # fmt: skip
    held = Evidence()
    held.add_all(kind.fact(v, source=kind.name, key=str(i), as_of=NOW) for i, (kind, v) in enumerate(rows))
    held.add(lookup_fact("search_people", "e", covers="person", matched=2, searched=60, as_of=NOW, key="l"))
    if proposal:
        held.add(PROPOSAL.fact({"title": "A call", "state": "pending"}, source="proposals", key="p", as_of=NOW))
    return held


def test_a_name_in_quotation_marks_days_and_a_line_over_others_claim_nothing() -> None:
    assert not marked("Elena Weber braucht noch Tage [F1].", "de")
    assert not marked("Elena Weber klettert gern\n  - Ilya Frei [F2]", "de")
    assert not marked("Here's the whole saga of Elena Weber.")


def test_a_title_in_quotation_marks_stands_for_its_record() -> None:
    held = Evidence()
    titles = ("Open the branch in Bern", "Rent a flat for the staff")
    held.add_all(GOAL.fact({"title": t}, source="goal", key=t, as_of=NOW) for t in titles)
    text = f"“{titles[0]}” rests upon “{titles[1]}” [F1][F2]."
    assert not Verifier(held, Setting(NOW, "en", "tell me")).report(text).violations


def marked(text: str, locale: str = "en", message: str = "tell me", *, proposal: bool = False) -> bool:
    report = Verifier(evidence(proposal=proposal), Setting(NOW, locale, message)).report(text)
    return [v.kind.value for v in report.violations] == ["unsupported"]


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("en", "Elena Weber has two daughters [F1]."),
        ("en", "“Open the branch in Bern” was suggested by your sister [F4]."),
        ("en", "Elena Weber and Ilya Frei play chess together [F1, F2]."),
        ("en", "Ilya Frei gave a speech at Learn Basque."),
        ("en", "Your sister sings."),
        ("en", "Learn Basque is tiring today [F3]."),
        ("de", "Elena Weber hat zwei Töchter [F1]."),
        ("de", "«Garden dinner» wird vom Fernsehen gefilmt [F7]."),
        ("fr", "Elena Weber est végétarienne [F1]."),
        ("it", "«Open the branch in Bern» è stato proposto da tua sorella [F4]."),
        ("es", "«Learn Basque» lo propuso tu hermana [F3]."),
    ],
)
def test_what_nothing_explains_is_marked(locale: str, text: str) -> None:
    assert marked(text, locale)


@pytest.mark.parametrize(
    ("locale", "text"),
    [
        ("en", "I looked through everything on Elena Weber [F1]."),
        ("en", "Here is Elena Weber [F1]."),
        ("en", "Elena Weber, in short [F1]:"),
        ("en", "| Elena Weber | tennis [F1] |"),
        ("en", "You made more headway with Learn Basque than with Open the branch in Bern."),
        ("en", "« Learn Basque » trails « Open the branch in Bern » [F3, F4]."),
        ("en", "Pay Ilya concerns Ilya Frei [F6]."),
        ("en", "Garden dinner brings two guests [F7]."),
        ("en", "Morning swim reached six [F5]."),
        ("en", "Morning swim took place today [F5]."),
        ("en", "Learn Basque is overdue [F3]."),
        ("en", "Open the branch in Bern is on track [F4]."),
        ("en", "You owe Ilya Frei."),
        ("en", "Ilya Frei loves a fair [F2]."),
        ("en", "Elena Weber's mail is known to me [F1]."),
        ("de", "Elena Weber gefunden [F1]."),
        ("de", "Bei Elena Weber lohnt sich Geduld [F1]."),
        ("fr", "Encore neuf jours pour Garden dinner !"),
        ("es", "He echado la cuenta de Garden dinner."),
        ("pt", "Elena Weber tem duas filhas [F1]."),
    ],
)
def test_what_is_explained_is_not(locale: str, text: str) -> None:
    assert not marked(text, locale)


def test_the_words_of_the_user_explain() -> None:
    assert not marked("Elena Weber sings [F1].", message="Elena sings on Sundays. What else?")


def test_yours_may_be_an_approval() -> None:
    assert not marked("Your nod came through.", proposal=True)
    assert marked("Your nod came through.")


@pytest.mark.parametrize(
    ("points", "expected"),
    [("20 points", []), ("30 points", ["wrong_value"]), ("30 points, if you will", ["wrong_value"])],
)
def test_a_gap_told_after_two_records_is_theirs(points: str, expected: list[str]) -> None:
    text = f"Open the branch in Bern [F4] is further than Learn Basque [F3]. The gap is {points}."
    report = Verifier(evidence(), Setting(NOW, "en", "compare them")).report(text)
    assert [v.kind.value for v in report.violations] == expected


def test_a_gap_told_of_nothing_is_nobodys() -> None:
    assert not Verifier(evidence(), Setting(NOW, "en", "compare")).report("The gap is 30 points.").violations
    text = "Open the branch in Bern [F4] is further than Learn Basque [F3]. The card gives 30 points."
    assert not Verifier(evidence(), Setting(NOW, "en", "compare")).report(text).violations
