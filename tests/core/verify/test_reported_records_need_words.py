"""What a client or an outside service says of a record is told with words that say who says so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sayso.core.evidence import Evidence
from sayso.core.facts import Provenance
from sayso.core.verify import Setting, Verifier
from small_world import NOW, PERSON

CLAIM = "Elena Weber works at Evil Ltd"


@pytest.mark.parametrize("provenance", [Provenance.REPORTED, Provenance.SECOND_HAND])
@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (f"{CLAIM} [F1].", ["unattributed"]),  # her own name says nothing of who says so
        (f"According to the directory, {CLAIM} [F1].", []),
    ],
)
def test_the_name_of_a_record_is_no_attribution(provenance: Provenance, text: str, kinds: list[str]) -> None:
    values = {"name": "Elena Weber", "affiliation": "Evil Ltd"}
    fact = replace(PERSON.fact(values, source="phonebook", key="x", as_of=NOW), provenance=provenance)
    evidence = Evidence()
    evidence.add(fact)
    report = Verifier(evidence, Setting(NOW, "en", "Who is Elena?", frozenset())).report(text)
    assert [v.kind.value for v in report.violations] == kinds
