"""Which of two is the part and which has more: in five languages, whichever of the two is told first."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from sayso.core.evidence import Evidence
from sayso.core.facts import Quantity
from sayso.core.verify import Setting, Verifier
from sayso.workspace.kinds import GOAL, PERSON

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
LEASE, STUDIO, GARDEN = "Sign the lease", "Open the studio", "Plant a garden"


def faults(text: str, locale: str = "en") -> list[str]:
    facts = [
        ({"title": STUDIO, "progress": Quantity(35, "%")}, GOAL),
        ({"title": LEASE, "progress": Quantity(80, "%"), "parent": STUDIO}, GOAL),
        ({"title": GARDEN, "progress": Quantity(35, "%"), "parent": "Live outside"}, GOAL),
        ({"name": "Elena Weber"}, PERSON),
    ]
    evidence = Evidence()
    evidence.add_all(kind.fact(v, source=kind.name, key=str(i), as_of=NOW) for i, (v, kind) in enumerate(facts))
    return [v.kind.value for v in Verifier(evidence, Setting(NOW, locale, "My goals?")).report(text).violations]


TOLD = [
    ("en", "{part} is part of {whole}."),
    ("en", '"{part}" is part of "{whole}" [F2].'),
    ("en", "Part of {whole} is {part}."),
    ("en", "The parent goal of {part}: {whole} [F2]"),
    ("en", "{whole} contains the subgoal {part}."),
    ("en", "{part} is a sub-goal, and the one above it is {whole} [F2]."),
    ("en", "- {whole}\n  - {part} [F2]"),
    ("en", "| Goal | Part of |\n|---|---|\n| {part} | {whole} [F2] |"),
    ("en", "| Parent | Goal |\n|---|---|\n| {whole} | {part} [F2] |"),
    ("de", "Das hängt an «{whole}», also {part}."),
    ("fr", "« {part} » relève de « {whole} » [F2]."),
    ("it", "{part} fa parte dell'obiettivo {whole} [F2]."),
    ("es", "{part} cuelga de {whole}."),
]


@pytest.mark.parametrize(("locale", "text"), TOLD)
def test_a_part_is_told_of_its_whole(locale: str, text: str) -> None:
    assert faults(text.format(part=LEASE, whole=STUDIO), locale) == []
    assert "swapped_record" in faults(text.format(part=STUDIO, whole=LEASE), locale)


def test_a_whole_without_a_record_of_its_own_is_told_right() -> None:
    assert faults("Plant a garden is part of Live outside [F3].") == []
    assert faults("Live outside is part of Plant a garden [F3].") == ["swapped_record"]
    assert faults("Plant a garden and Live outside are both good [F3].") == []


LEADS = [
    ("en", "{more} is 45 points ahead of {less} [F1][F2]."),
    ("en", "{less} trails {more} by 45 points."),
    ("en", "Compared with {less}, the goal {more} has 45 points more."),
    ("en", "- {more} vs. {less}: +45 points"),
    ("en", "- {less} vs. {more}: -45 points"),
    ("de", "{more} liegt 45 Prozentpunkte vor {less}."),
    ("de", "{less} hinkt {more} um 45 Punkte hinterher."),
    ("fr", "{more} devance {less} de 45 points."),
    ("it", "{more} è avanti di 45 punti rispetto a {less}."),
    ("es", "{more} va 45 puntos por delante de {less}."),
]


@pytest.mark.parametrize(("locale", "text"), LEADS)
def test_the_one_that_leads_has_more(locale: str, text: str) -> None:
    assert faults(text.format(more=LEASE, less=STUDIO), locale) == []
    assert "swapped_record" in faults(text.format(more=STUDIO, less=LEASE), locale)


@pytest.mark.parametrize(
    "text",
    [
        "Between Open the studio and Sign the lease, the latter is 45 points ahead.",
        "Open the studio is ahead, and Sign the lease behind, by 45 points.",
        "Sign the lease and Plant a garden lie 45 points apart.",
        "Elena Weber follows Open the studio, 45 points behind.",
    ],
)
def test_what_names_no_leader_or_no_two_peers_is_let_be(text: str) -> None:
    assert "swapped_record" not in faults(text)


def test_a_difference_that_is_not_theirs_tells_no_leader() -> None:
    assert "swapped_record" not in faults("Open the studio is 12 points ahead of Sign the lease.")
    assert "swapped_record" not in faults("Open the studio is 45 points ahead of Plant a garden.")
