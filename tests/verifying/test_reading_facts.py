"""Facts from plain JSON: both shapes, their types, and what is told of those that are none."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.evidence import Evidence
from sayso.core.facts import FactKind, Field, FieldType, Provenance, Quantity, value_text
from sayso.errors import FactError
from sayso.verifying.calling import verify
from sayso.verifying.inferring import typed
from sayso.verifying.reading import read_facts

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
PERSON = {
    "ref": "F2", "kind": "person", "subject": "Elena Weber", "source": "people", "provenance": "second_hand",
    "fields": {
        "name": "Elena Weber", "role": "<not recorded>", "channels": "email e@x.example; signal 1",
        "last_interaction": "2026-02-26", "shoe_size": 38,
    },
}  # fmt: skip


def test_a_fact_keeps_its_ref_source_and_provenance() -> None:
    (numbered,) = read_facts([PERSON])
    fact = numbered.fact
    assert (numbered.ref, fact.source, fact.provenance) == ("F2", "people", Provenance.SECOND_HAND)
    assert fact.gaps == ("role",)
    assert fact.kind.subject == "name"


def test_a_built_in_kind_lends_its_words_and_types_to_the_fields_that_it_knows() -> None:
    (numbered,) = read_facts([PERSON])
    kind, values = numbered.fact.kind, numbered.fact.values
    role = kind.field("role")
    assert "people" in kind.words
    assert role
    assert "works as" in role.words
    assert values["channels"] == ("email e@x.example", "signal 1")
    assert values["last_interaction"] == date(2026, 2, 26)
    assert values["shoe_size"] == 38


def test_a_value_that_is_not_of_its_declared_type_is_a_text() -> None:
    (numbered,) = read_facts([{"kind": "person", "subject": "A B", "fields": {"last_interaction": "some day in May"}}])
    declared = numbered.fact.kind.field("last_interaction")
    assert declared
    assert (declared.type, numbered.fact.values["last_interaction"]) == (FieldType.TEXT, "some day in May")


@pytest.mark.parametrize(
    ("progress", "unit"), [("80%", "%"), (80, "%"), ("USD 13,500 of USD 18,000", None), (["a"], None), (None, "%")]
)
def test_a_text_in_place_of_an_amount_says_its_own_unit(progress: object, unit: str | None) -> None:
    (numbered,) = read_facts([{"kind": "goal", "subject": "Roof", "fields": {"progress": progress}}])
    declared = numbered.fact.kind.field("progress")
    assert declared
    assert declared.unit == unit


def test_plain_facts_are_numbered_in_order_unless_their_id_is_a_ref() -> None:
    facts = [{"id": i, "entity": "x", "fields": {}} for i in ("crm-1", "F7", None, 12)]
    assert [(n.ref, n.fact.key) for n in read_facts(facts)] == [
        ("F8", "crm-1"), ("F7", "F7"), ("F9", "#3"), ("F10", "12"),
    ]  # fmt: skip


def test_a_ref_of_what_the_user_gave_is_provided() -> None:
    (numbered,) = read_facts([{"id": "u1", "entity": "pasted text", "fields": {"text": "hello"}}])
    assert (numbered.ref, numbered.fact.provenance) == ("U1", Provenance.PROVIDED)


def test_the_subject_is_found_in_the_fields_where_it_is_not_said() -> None:
    (numbered,) = read_facts([{"fields": {"title": "Launch Ember", "progress": "80%"}}])
    assert (numbered.fact.subject, numbered.fact.kind.subject) == ("Launch Ember", "title")


def test_facts_that_are_made_already_are_taken_as_they_are() -> None:
    plant = FactKind("plant", (Field("name"),), "name").fact({"name": "Aloe"}, source="s", key="k", as_of=NOW)
    first = read_facts([plant])
    assert [(n.ref, n.fact) for n in read_facts(first)] == [("F1", plant)]


def test_a_built_in_kind_keeps_what_else_it_declares() -> None:
    (numbered,) = read_facts([PERSON])
    assert numbered.fact.kind.named_by_parts


def test_a_gap_has_the_type_that_its_field_has_elsewhere() -> None:
    values = ["2026-02-26", None, 3, None, "x", 4, None]
    names = ["due", "due", "n", "n", "n", "count", "count"]
    facts = [{"entity": "x", "kind": "bill", "fields": {n: v}} for n, v in zip(names, values, strict=True)]
    types = [n.fact.kind.fields[-1].type.value for n in read_facts(facts)]
    assert types == ["date", "date", "number", "text", "text", "number", "number"]
    assert [n.fact.gaps for n in read_facts(facts)][1] == ("due",)


def test_a_name_that_a_record_uses_itself_is_not_taken_for_its_subject() -> None:
    (numbered,) = read_facts([{"entity": "Ann", "fields": {"_subject": "opera", "name": "Bo"}}])
    assert numbered.fact.kind.subject == "_subject_"
    assert dict(numbered.fact.values) == {"_subject_": "Ann", "_subject": "opera", "name": "Bo"}


def test_records_that_declare_the_same_share_one_kind() -> None:
    one, two = read_facts([{"entity": e, "fields": {"n": 1}} for e in "ab"])
    assert one.fact.kind is two.fact.kind


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("2026-02-26", (FieldType.DATE, date(2026, 2, 26))),
        ("2026-02-31", (FieldType.TEXT, "2026-02-31")),
        ("2026-02-26T09:30", (FieldType.DATETIME, datetime(2026, 2, 26, 9, 30))),
        ("2026-02-26T09:30:15", (FieldType.TEXT, "2026-02-26T09:30:15")),
        ("2026-02-26T09:30:00Z", (FieldType.DATETIME, datetime(2026, 2, 26, 9, 30, tzinfo=UTC))),
        ("80%", (FieldType.QUANTITY, Quantity(80, "%"))),
        ("84.10 CHF", (FieldType.QUANTITY, Quantity(Decimal("84.10"), "CHF"))),
        ("16GB RAM", (FieldType.TEXT, "16GB RAM")),
        ("12 monkeys", (FieldType.TEXT, "12 monkeys")),
        ("42", (FieldType.NUMBER, 42)),
        ("-0", (FieldType.NUMBER, Decimal("-0"))),
        ("1.50", (FieldType.NUMBER, Decimal("1.50"))),
        ("007", (FieldType.TEXT, "007")),
        ("+41 77", (FieldType.TEXT, "+41 77")),
        (" Bern ", (FieldType.TEXT, " Bern ")),
        (True, (FieldType.BOOLEAN, True)),
        (0, (FieldType.NUMBER, 0)),
        (["a", 2, None, {"b": 1}], (FieldType.LIST, ("a", "2", '{"b": 1}'))),
        ({"amount": 40, "unit": "km"}, (FieldType.QUANTITY, Quantity(40, "km"))),
        ({"amount": True, "unit": "km"}, (FieldType.TEXT, '{"amount": true, "unit": "km"}')),
        ({"x": 1}, (FieldType.TEXT, '{"x": 1}')),
        (date(2026, 1, 2), (FieldType.DATE, date(2026, 1, 2))),
        (NOW, (FieldType.DATETIME, NOW)),
        (None, None), ("", None), ("  ", None), ("<not recorded>", None), ([], None), ([None, ""], None), ({}, None),
    ],
)  # fmt: skip
def test_a_value_is_read_as_what_it_is(value: object, read: object) -> None:
    assert typed(value) == read


@given(st.text(max_size=60) | st.from_regex(r"-?\d{1,5}(\.\d{1,3})? ?[%km]{0,2}", fullmatch=True))
def test_what_is_read_of_a_text_is_written_the_same_way_again(text: str) -> None:
    found = typed(text)
    assert found is None or "".join(value_text(found[1]).split()) == "".join(
        text.encode("utf-8", "replace").decode().replace("\x00", "\N{REPLACEMENT CHARACTER}").split()
    )


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        (["x"], "fact 1 is a text"),
        ([None], "fact 1 is null"),
        ([{"id": "F1", "entity": "x"}], "fact 1: it has no fields: write an object"),
        ([{"id": "F1", "entity": "x", "fields": [1]}], "fact 1: it has fields that are a list"),
        ([{"id": "F1", "fields": {}}], "fact 1: it has no subject"),
        ([{"id": "F1", "entity": {}, "fields": {}}], 'fact 1: its "entity" is an object: write a text'),
        ([{"id": [], "entity": "x", "fields": {}}], 'fact 1: its "ref" or "id" is a list'),
        ([{"ref": "X9", "entity": "x", "fields": {}}], "fact 1: its ref is 'X9': write F and a number"),
        ([{"ref": "F1", "entity": "x", "fields": {}}, {"id": "f01", "entity": "y", "fields": {}}],
         "facts 1 and 2 both have the ref F1"),
        ([{"entity": "x", "provenance": "mine", "fields": {}}], "fact 1: its provenance is 'mine'; known are own"),
        ([{"entity": "x", "kind": True, "fields": {}}], 'fact 1: its "kind" is true or false'),
        ([{"entity": "x", "fields": {" ": 1}}], "fact 1: a field has no name"),
        ([{"entity": "x", "fields": {3: 1}}], "fact 1: a field has no name"),
        ([{"entity": "x", "fields": {"n": float("nan")}}], "fact 1: field 'n': a number is not finite"),
        ([{"entity": "x", "fields": {"n": 10**4000}}], "fact 1: field 'n': a number is not finite"),
        ([{"entity": "x", "fields": {"n": b"x"}}], "fact 1: field 'n': a value is bytes"),
    ],
)  # fmt: skip
def test_what_is_no_fact_is_told_in_one_line_with_its_place(facts: list[Any], told: str) -> None:
    with pytest.raises(FactError) as wrong:
        read_facts(facts)
    assert str(wrong.value).startswith(told)
    assert "\n" not in str(wrong.value)


def test_a_value_that_holds_itself_is_told() -> None:
    circle: list[Any] = []
    circle.append([circle])
    with pytest.raises(FactError, match="nested too deeply"):
        typed(circle)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
FACT = st.fixed_dictionaries(
    {},
    optional={
        "ref": JSON | st.sampled_from(["F1", "F2", "U3"]), "id": JSON, "kind": JSON | st.sampled_from(["person", "lookup"]),
        "subject": JSON | st.just("Ann Lee"), "entity": JSON, "source": JSON, "provenance": JSON,
        "fields": JSON | st.dictionaries(st.sampled_from(["name", "role", "_subject", "x"]), JSON, max_size=4),
    },
)  # fmt: skip


@given(st.lists(JSON | FACT, max_size=4), st.text(max_size=80))
def test_any_json_is_facts_or_is_told_in_one_line(records: list[Any], text: str) -> None:
    told = ""
    try:
        evidence = read_facts(records)
    except FactError as wrong:
        evidence, told = Evidence(), str(wrong)
    if told:
        assert told.startswith("fact")
        assert "\n" not in told
    else:
        assert len(evidence) == len(records)
        assert verify(evidence, f"{text} [F1]").text == f"{text} [F1]"
