"""True sentences that were stopped once, each beside a false one that must be."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from sayso.core.evidence import Evidence
from sayso.core.facts import FactKind, Field, FieldType, Quantity, lookup_fact
from sayso.core.verify import Setting, Verifier
from sayso.workspace.kinds import COMMITMENT, EVENT, GOAL, HABIT, PASSAGE, PERSON

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
VISIT = FactKind(
    "visit",
    (
        Field("reason"),
        Field("patient", refers_to="person"),
        Field("day", FieldType.DATE, words=("takes place", "day")),
        Field("paid", FieldType.DATE, words=("paid",)),
        Field("place", words=("place", "lieu")),
        Field("remarks", words=("remarks", "agenda")),
    ),
    subject="reason", words=("visit", "visits", "consultation"),
)  # fmt: skip


def judged(text: str, locale: str = "en", asked: str = "tell me") -> list[str]:
    evidence = Evidence()
    evidence.add_all(
        kind.fact(values, source=kind.name, key=str(n), as_of=NOW)
        for n, (kind, values) in enumerate(
            (
                (GOAL, {"title": "Run 10 km without a break", "progress": Quantity(40, "%"), "status": "behind"}),
                (GOAL, {"title": "Open the second shop", "progress": Quantity(70, "%"), "status": "on track"}),
                (GOAL, {"title": "Rent a stall", "progress": Quantity(20, "%"), "status": "on track", "parent": "Open the second shop"}),
                (VISIT, {"reason": "Check-up Boris", "patient": "Boris", "day": date(2026, 12, 6)}),
                (VISIT, {"reason": "Vaccination", "patient": "May Lin", "day": date(2026, 12, 6), "place": "Ward 3", "remarks": "Bring the yellow card"}),
                (HABIT, {"name": "Inbox to zero", "frequency": "3 per week", "check_ins": 18, "last_check_in": date(2026, 11, 29)}),
                (HABIT, {"name": "Stretching", "frequency": "daily", "check_ins": 9, "last_check_in": date(2026, 11, 30)}),
                (HABIT, {"name": "Weekly review", "frequency": "weekly", "check_ins": 4, "last_check_in": date(2026, 11, 27)}),
                (PERSON, {"name": "Nora Blum", "affiliation": "Atelier Blum", "role": "potter", "last_interaction": date(2026, 11, 10)}),
                (PASSAGE, {"title": "Prices", "excerpt": "At CHF 39 we lose money on each of them."}),
                (PASSAGE, {"title": "Prices", "heading": "Rules", "excerpt": "Each of them is open at nine."}),
                (EVENT, {"title": "Tasting", "starts": datetime(2026, 12, 2, 18, 0, tzinfo=UTC), "attendees": ("Nora Blum",)}),
                (COMMITMENT, {"title": "Pay the deposit for the stall", "due": date(2026, 12, 4), "counterparty": "Stefan Burri", "status": "open"}),
            ),
            1,
        )
    )  # fmt: skip
    evidence.add_all(
        lookup_fact("search_people", f'"{firm}"', covers="person", matched=2, searched=60, as_of=NOW, key=firm)
        for firm in ("Kiln", "Loom")
    )
    report = Verifier(evidence, Setting(NOW, locale, asked)).report(text)
    return [f"{s.verdict.value} {' '.join(v.kind.value for v in s.violations)}".strip() for s in report.sentences]


def stopped(text: str, locale: str = "en", asked: str = "tell me") -> list[str]:
    return [v for v in judged(text, locale, asked) if v.split()[0] in ("contradicted", "unsupported")]


@pytest.mark.parametrize(
    ("locale", "right", "wrong"),
    [
        ("fr", "« Run 10 km without a break » a soixante-dix-huit pour cent de moins ? Non : il en reste 60 % [F1].", "Il reste quatre-vingt-dix-huit pour cent de Run 10 km without a break [F1]."),
        ("fr", "Vous avez coché Inbox to zero dix-huit fois [F6].", "Vous avez coché Inbox to zero 25 fois [F6]."),
        ("en", "Taking 100 minus what is done, Run 10 km without a break still lacks 60 % [F1].", "Run 10 km without a break still lacks 65 % [F1]."),
        ("en", "Rent a stall is 20 % complete [F3].", "Rent a stall is 1 % complete [F3]."),
        ("en", "Vaccination was for May Lin [F5].", "Vaccination is in May [F5]."),
        ("en", '"Open the second shop" is 30 points ahead of "Run 10 km without a break" [F2, F1].', '"Run 10 km without a break" is 30 points ahead of "Open the second shop" [F1, F2].'),
        ("en", "You are further along with Open the second shop [F2] than with Run 10 km without a break [F1].", "You are further along with Run 10 km without a break [F1] than with Open the second shop [F2]."),
        ("fr", "Vous êtes moins loin avec Run 10 km without a break [F1] qu'avec Open the second shop [F2].", "Vous êtes plus loin avec Run 10 km without a break [F1] qu'avec Open the second shop [F2]."),
        ("en", "The rhythm of Inbox to zero is noted as “3 times a week” [F6].", "The rhythm of Inbox to zero is noted as “4 times a week” [F6]."),
        ("es", "La vacuna de May Lin, «una cosa pequeña», es Vaccination [F5].", "La nota de Vaccination dice «una cosa pequeña» [F5]."),
        ("en", "Open the second shop is marked as on track [F2].", "Open the second shop has been deleted [F2]."),
        ("en", "So far 40% of the goal has been completed [F1].", "The goal Run 10 km without a break has been completed [F1]."),
        ("de", "Open the second shop soll bald erreicht sein [F2].", "Open the second shop ist erreicht [F2]."),
        ("en", "The plan is to have reached Open the second shop by spring [F2].", "You have reached Open the second shop [F2]."),
        ("de", "Run 10 km without a break hinkt Open the second shop um 30 Punkte hinterher [F1, F2].", "Open the second shop ist im Rückstand [F2]."),
        ("en", "At the clinic and the loom together you know 4 people [F14][F15].", "At the clinic and the loom together you know 5 people [F14][F15]."),
        ("en", "[F6] shows 29 November as the latest day on which Inbox to zero was done.", "Inbox to zero is the latest habit to be done [F6]."),
        ("fr", "La Check-up Boris a lieu le 6 décembre [F4].", "La Check-up Boris a lieu le 7 décembre [F4]."),
        ("en", "Check-up Boris takes place on 6 December [F4].", "Check-up Boris was paid on 6 December [F4]."),
        ("en", "Stretching is kept “on a daily basis” [F7].", "The log says “on a rainy morning” of Stretching [F7]."),
        ("en", "Your habit Stretching is planned daily [F7].", "Your habit Stretching is planned weekly [F7]."),
        ("fr", "Rent a stall est marqué comme en retard ou dans les temps : dans les temps [F3].", "Rent a stall est marqué comme terminé [F3]."),
        ("fr", "Rent a stall fait partie de l'objectif « Open the second shop » [F3].", "Rent a stall fait partie de l'objectif « Run 10 km without a break » [F3]."),
        ("en", "Atelier Blum is listed as the place where Nora works [F9].", "Nora Blum is listed as the plumber of the place [F9]."),
        ("fr", "Nora Blum : l'atelier, Atelier Blum, et le métier, potter [F9].", "Nora Blum, designer de métier, fait tout [F9]."),
    ],
)  # fmt: skip
def test_a_truth_passes_where_its_change_is_stopped(locale: str, right: str, wrong: str) -> None:
    assert (stopped(right, locale), bool(stopped(wrong, locale))) == ([], True)


def test_what_a_block_quotes_is_told_of_nobody_else() -> None:
    assert (
        stopped("> At CHF 39 we lose money on each of them.\n\n– Prices [F10]", asked="What do the prices say?") == []
    )


@pytest.mark.parametrize(
    ("text", "locale"),
    [
        ("There is a visit called Vaccination.", "en"),
        ("Here is what I have on Nora Blum.", "en"),
        ("Voici ce que j'ai sur Nora.", "fr"),
        ("Ich habe mir Vaccination angesehen.", "de"),
        ("J'ai vérifié Vaccination.", "fr"),
        ("Boris's the one on the other side of Check-up Boris.", "en"),
        ("In deinem Plan steht Rent a stall unter Open the second shop [F3].", "de"),
        ("- Open the second shop matters greatly\n  - Rent a stall [F3]", "en"),
        ("The second language of children grows quickly.", "en"),
        ("For a birthday with Nora I would bake something.", "en"),
    ],
)
def test_what_states_nothing_of_a_record_is_not_marked(text: str, locale: str) -> None:
    assert stopped(text, locale) == []


@pytest.mark.parametrize(
    "text",
    [
        "Vaccination amazes doctors everywhere [F5].",
        "Here is Nora Blum: she collects stamps [F9].",
        "Nora Blum collects stamps [F9].",
        "Your stamp collection grows fast.",
    ],
)
def test_what_no_record_says_is_marked_still(text: str) -> None:
    assert stopped(text) == ["unsupported unsupported"]


@pytest.mark.parametrize(
    ("text", "strange"),
    [
        ("Cold shower: 40 % done [F1].", True),
        ("**Cold shower**: 40 %.", True),
        ("The turning point: 40 % done [F1].", False),
        ('"Which of two venues?" ends 40 % sooner.', False),
        ('"Cold shower of 40 %" sounds chilly.', False),
        ("**Cold shower** with 18 friends.", False),
        ("**Tell goal**: 40 %.", False),
    ],
)
def test_a_strange_name_is_one_that_stands_for_a_record(text: str, strange: bool) -> None:
    assert bool(stopped(text)) is strange


def test_of_two_that_are_cited_one_stands_for_another() -> None:
    names = '"Open the second shop" is 30 points ahead of "Run 10 km without a break"'
    assert (stopped(f"{names} [F2, F1]."), bool(stopped(f"{names} [F2, F3]."))) == ([], True)
