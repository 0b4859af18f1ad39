"""A field says by what share a told number may differ from the held one."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from sayso.core.evidence import Evidence
from sayso.core.facts import FactKind, Field, FieldType, Quantity
from sayso.core.verify import Setting, Verifier
from sayso.core.verify.report import Verdict

NOW = datetime(2026, 11, 30, tzinfo=UTC)
TANK = FactKind(
    "tank",
    (
        Field("name"),
        Field("level", FieldType.QUANTITY, words=("level", "holds"), tolerance=0.05),
        Field("price", FieldType.QUANTITY, words=("price", "costs")),
        Field("checks", FieldType.NUMBER, words=("checks",)),
    ),
    subject="name",
    words=("tank", "tanks"),
)
VALUES = {"name": "North tank", "level": Quantity(1240, "kg"), "price": Quantity(900, "CHF"), "checks": 14}


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ("The North tank holds 1,240 kg [F1].", Verdict.SUPPORTED),
        ("The North tank holds 1,200 kg [F1].", Verdict.SUPPORTED),
        ("The North tank holds 1.2 t [F1].", Verdict.SUPPORTED),
        ("The North tank holds 1,300 kg [F1].", Verdict.SUPPORTED),
        ("The North tank holds 1100 kg [F1].", Verdict.CONTRADICTED),
        ("The North tank holds 1400 kg [F1].", Verdict.CONTRADICTED),
        ("The North tank costs CHF 890 [F1].", Verdict.CONTRADICTED),
        ("The North tank was checked on 3 May [F1].", Verdict.CONTRADICTED),
    ],
)
def test_a_told_number_may_be_off_by_what_its_field_declares(told: str, verdict: Verdict) -> None:
    evidence = Evidence()
    evidence.add(TANK.fact(VALUES, source="tanks", key="1", as_of=NOW))
    (sentence,) = Verifier(evidence, Setting(NOW, "en", "tell me")).report(told).sentences
    assert sentence.verdict is verdict


@pytest.mark.parametrize("told", ["1,100 kg", "1,700 kg", "1.700 kg"])
def test_a_thousands_mark_does_not_make_a_number_a_rounded_ratio(told: str) -> None:
    """1240 by 900 is 1.38, and "1,700" could be read as 1.7."""
    evidence = Evidence()
    evidence.add(TANK.fact(VALUES, source="tanks", key="1", as_of=NOW))
    (sentence,) = (
        Verifier(evidence, Setting(NOW, "en", "tell me")).report(f"The North tank holds {told} [F1].").sentences
    )
    assert sentence.verdict is Verdict.CONTRADICTED


@pytest.mark.parametrize(("cell", "verdict"), [("1200 kg", Verdict.SUPPORTED), ("1100 kg", Verdict.CONTRADICTED)])
def test_in_a_table_too(cell: str, verdict: Verdict) -> None:
    evidence = Evidence()
    evidence.add(TANK.fact(VALUES, source="tanks", key="1", as_of=NOW))
    table = f"| Tank | Level |\n|---|---|\n| North tank [F1] | {cell} |\n"
    assert Verifier(evidence, Setting(NOW, "en", "tell me")).report(table).sentences[-1].verdict is verdict
