"""Records whose kind declares nothing, told without a citation: in the default profile only what is surely false is told."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from sayso.core.evidence import Evidence
from sayso.core.facts import FactKind, Field, FieldType
from sayso.core.verify import Setting, Verifier
from sayso.core.verify.report import Profile

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
FIELDS = (Field("title"), Field("released"), Field("recorded"), Field("genre"), Field("label"))
HELD = {
    "title": "Glass Harbour", "released": "12 May 1985", "recorded": "November 1984 – February 1985", "genre": "Jazz",
    "label": "Blue Note",
}  # fmt: skip


def verdicts(text: str, *, profile: Profile = Profile.DEFAULT, words: tuple[str, ...] = (), locale: str = "en") -> str:
    kind = FactKind("album", FIELDS, subject="title", words=words)
    evidence = Evidence()
    evidence.add(kind.fact(HELD, source="albums", key="1", as_of=NOW))
    report = Verifier(evidence, Setting(NOW, locale, "tell me", profile=profile)).report(text)
    return " ".join(s.verdict.value for s in report.sentences)


@pytest.mark.parametrize(
    "text",
    ["Glass Harbour was recorded over two years.", "Glass Harbour came out in the Fall, in Europe and the USA."],
)
def test_what_is_only_inferred_of_undeclared_records_is_not_told(text: str) -> None:
    assert verdicts(text) == "supported"


@pytest.mark.parametrize(
    ("text", "profile", "words"),
    [
        ("Glass Harbour was released in 1991.", Profile.DEFAULT, ()),
        ("Glass Harbour came out in the USA [F1].", Profile.DEFAULT, ()),
        ("Glass Harbour came out in the USA.", Profile.DEFAULT, ("album",)),
    ],
)
def test_it_is_told_where_it_is_sure_cited_or_declared(text: str, profile: Profile, words: tuple[str, ...]) -> None:
    assert verdicts(text, profile=profile, words=words) == "contradicted"


def test_the_strict_profile_tells_what_nothing_speaks_for() -> None:
    assert verdicts("Glass Harbour was loved in Europe.", profile=Profile.STRICT) == "unsupported"


def test_records_of_numbers_are_not_read_so() -> None:
    kind = FactKind(
        "run", (Field("name"), Field("day", FieldType.DATE), Field("laps", FieldType.NUMBER)), subject="name"
    )
    evidence = Evidence()
    evidence.add(kind.fact({"name": "Ana Lopes", "day": date(2026, 5, 4), "laps": 8}, source="r", key="1", as_of=NOW))
    report = Verifier(evidence, Setting(NOW, "en", "tell me")).report("Ana Lopes ran 9 laps.")
    assert report.sentences[0].verdict == "contradicted"
