"""Facts, kinds and evidence."""

from __future__ import annotations

import dataclasses
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core import facts
from sayso.core.evidence import Evidence, Numbered, within_budget
from sayso.core.facts import (
    LOOKUP,
    Fact,
    FactKind,
    Field,
    FieldType,
    Provenance,
    Quantity,
    lookup_fact,
    value_text,
)
from sayso.core.messages import ToolResult
from sayso.core.tools import ProposeResult, ReadResult
from sayso.errors import DeclarationError, FactError

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
GOAL = FactKind(
    "goal",
    (
        Field("title"),
        Field("progress", FieldType.QUANTITY, unit="%"),
        Field("due", FieldType.DATE),
        Field("open", FieldType.BOOLEAN),
        Field("tags", FieldType.LIST),
        Field("score", FieldType.NUMBER),
        Field("seen", FieldType.DATETIME),
    ),
    subject="title",
)


def goal(key: str = "g1", provenance: Provenance = Provenance.OWN, **values: object) -> Fact:
    return GOAL.fact({"title": "Run", **values}, source="goals", key=key, as_of=NOW, provenance=provenance)  # pyright: ignore


def test_missing_values_are_gaps() -> None:
    fact = goal(progress=None, tags=(), score=0)
    assert fact.subject == "Run"
    assert dict(fact.values) == {"title": "Run", "score": 0}
    assert fact.gaps == ("progress", "due", "open", "tags", "seen")
    assert GOAL.field("due") == Field("due", FieldType.DATE)
    assert GOAL.field("nothing") is None


def test_our_own_tools_may_not_state_an_undeclared_field() -> None:
    with pytest.raises(FactError, match="goal does not declare mood"):
        goal(mood="good")


def test_undeclared_values_from_outside_are_dropped_and_counted() -> None:
    fact = goal(provenance=Provenance.SECOND_HAND, mood="good", luck="bad")
    assert fact.dropped == 2
    assert dict(fact.values) == {"title": "Run"}


@pytest.mark.parametrize(
    "values",
    [
        {"progress": 40}, {"due": "tomorrow"}, {"open": "yes"}, {"tags": ["a"]}, {"tags": (1,)}, {"score": "1"},
        {"score": True}, {"score": float("nan")}, {"score": float("inf")}, {"title": 5}, {"seen": "now"},
    ],
)  # fmt: skip
def test_t5_a_value_of_another_type_is_refused(values: dict[str, object]) -> None:
    with pytest.raises(FactError):
        goal(**values)


def test_t5_surrogates_and_nul_are_replaced() -> None:
    fact = goal(title="a\ud800b\x00c", tags=("\udfff",))
    assert fact.subject == "a?b�c"
    assert fact.values["tags"] == ("?",)


def test_a_kind_declares_each_field_once_and_its_subject() -> None:
    with pytest.raises(DeclarationError, match="twice"):
        FactKind("x", (Field("a"), Field("a")), "a")
    with pytest.raises(DeclarationError, match="subject"):
        FactKind("x", (Field("a"),), "b")


def test_values_as_text() -> None:
    assert [value_text(v) for v in (True, False, ("a", "b"), date(2026, 12, 7), NOW, Quantity(40, "%"), Decimal("1.50"))] == [
        "true", "false", "a; b", "2026-12-07", "2026-11-30 09:00+00:00", "40%", "1.50",
    ]  # fmt: skip
    assert str(Quantity(3, "days")) == "3 days"
    assert Field("how_met").title == "how met"
    assert Field("x", label="Y").title == "Y"
    assert facts.kinds_by_name([GOAL]) == {"goal": GOAL}


def test_only_these_fields_exist_on_what_a_tool_returns() -> None:
    """Nothing by which a tool could put words before the model. A new field here is a decision, not a detail."""
    fields = {cls.__name__: tuple(f.name for f in dataclasses.fields(cls))
              for cls in (ReadResult, ProposeResult, ToolResult, Fact)}  # fmt: skip
    assert fields == {
        "ReadResult": ("facts", "matched", "searched"),
        "ProposeResult": ("change", "facts"),
        "ToolResult": ("call_id", "status", "facts", "reason"),
        "Fact": ("kind", "subject", "values", "source", "key", "as_of", "provenance", "similarity", "dropped"),
    }


def test_a_ref_is_given_once_and_kept_for_the_same_values() -> None:
    evidence = Evidence()
    first = evidence.add(goal(score=1))
    assert (first.ref, evidence.add(goal(score=1)).ref) == ("F1", "F1")
    changed = evidence.add(goal(score=2))
    assert changed.ref == "F2"
    assert evidence.is_stale("F1")
    assert not evidence.is_stale("F2")
    assert evidence.current() == (changed,)
    assert evidence.get("F1") == first
    assert evidence.get("F9") is None
    assert (len(evidence), evidence.next_number, list(evidence)) == (2, 3, [first, changed])


def test_what_the_user_pasted_is_numbered_apart() -> None:
    evidence = Evidence()
    provided = facts.PROVIDED.fact({"title": "t"}, source="user", key="1", as_of=NOW, provenance=Provenance.PROVIDED)
    assert evidence.add(provided).ref == "U1"


def test_evidence_goes_on_where_a_thread_stopped() -> None:
    evidence = Evidence([Numbered("F7", goal())])
    assert evidence.add(goal("g2")).ref == "F8"
    assert Evidence(next_number=12).add(goal()).ref == "F12"


def test_the_budget_keeps_what_was_just_asked_for() -> None:
    evidence = Evidence()
    records = evidence.add_all(goal(f"g{i}") for i in range(6))
    trace = evidence.add(lookup_fact("t", '"x"', covers="goal", matched=0, searched=6, as_of=NOW, key="k"))
    shown, left_out = within_budget([*records, trace], asked_for=frozenset({"F1"}), budget=3)
    assert [n.ref for n in shown] == ["F1", "F5", "F6", "F7"]
    assert left_out == 3
    shown, _ = within_budget(records, asked_for=frozenset(n.ref for n in records), budget=1)
    assert len(shown) == 6
    assert trace.fact.kind is LOOKUP


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2))))
def test_refs_never_change_their_meaning(changes: list[tuple[int, int]]) -> None:
    evidence, meaning = Evidence(), {}
    for key, score in changes:
        numbered = evidence.add(goal(str(key), score=score))
        assert meaning.setdefault(numbered.ref, numbered.fact).same_content(numbered.fact)
    assert [n.ref for n in evidence] == [f"F{i + 1}" for i in range(len(evidence))]
