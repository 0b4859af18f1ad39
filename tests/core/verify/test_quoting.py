"""Facts told as they are: cited, gaps stated, in English and German, and no longer than a line."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from sayso.core.evidence import Numbered
from sayso.core.facts import Fact, FactKind, Field, Provenance, lookup_fact
from sayso.core.verify import quote_facts
from sayso.core.verify.quoting import quote_fact

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
NOTE = FactKind("note", (Field("title"), Field("body")), subject="title")


def note(provenance: Provenance | None = None, **values: str) -> Fact:
    more = {} if provenance is None else {"provenance": provenance}
    return NOTE.fact({"title": "Walk", **values}, source="scout", key="1", as_of=NOW, **more)


def look(matched: int) -> Numbered:
    fact = lookup_fact("find", '"UZH"', covers="note", matched=matched, searched=60, as_of=NOW, key="l")
    return Numbered("F2", fact)


@pytest.mark.parametrize(
    ("fact", "german", "text"),
    [
        (note(body="By the\n lake"), False, "Walk – body: By the lake [F1]"),
        (note(), False, "Walk (not recorded: body) [F1]"),
        (note(), True, "Walk (nicht erfasst: body) [F1]"),
        (note(Provenance.SECOND_HAND, body="x"), False, "According to scout: Walk – body: x [F1]"),
        (note(Provenance.SECOND_HAND, body="x"), True, "Laut scout: Walk – body: x [F1]"),
        (note(body="y" * 301), False, f"Walk – body: {'y' * 299}… [F1]"),
    ],
)
def test_a_fact_is_quoted(fact: Fact, german: bool, text: str) -> None:
    assert quote_fact(Numbered("F1", fact), german=german) == text


def test_a_look_up_says_what_was_searched() -> None:
    query = look(0).fact.values["query"]
    assert quote_facts([look(0)], "en") == f"- {query}: nothing found in 60 records [F2]"
    assert quote_facts([look(3)], "de-CH") == f"- {query}: 3 von 60 Einträgen gefunden [F2]"
    assert quote_facts([look(0)], "de") == f"- {query}: nichts von 60 Einträgen gefunden [F2]"


def test_records_come_before_look_ups_and_the_rest_is_counted() -> None:
    facts = [Numbered(f"F{i}", note(body=str(i))) for i in range(3, 10)]
    lines = quote_facts([look(1), *facts], "en", limit=2).split("\n")
    assert lines == ["- Walk – body: 3 [F3]", "- Walk – body: 4 [F4]", "- … and 5 more."]
    assert quote_facts(facts, "de", limit=6).endswith("\n- … und 1 weitere.")
