"""Kinds, messages and transcripts as JSON: what is encoded comes back the same, and odd documents are refused."""

from __future__ import annotations

import copy
import json
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.encoding import (
    canonical_digest,
    decode_attempts,
    decode_kind,
    decode_message,
    encode_attempts,
    encode_kind,
    encode_message,
    exact,
    message_document,
    read_document,
    read_outside,
    transcript_digest,
)
from sayso.core.evidence import Numbered
from sayso.core.facts import LOOKUP, PROPOSAL, RECEIPT, FactKind, Field, FieldType, Quantity
from sayso.core.messages import (
    Attempt,
    CallPart,
    CallStatus,
    FactsPart,
    ImagePart,
    Message,
    PreamblePart,
    ResultPart,
    ResultReason,
    Role,
    TextPart,
    ToolCall,
    ToolResult,
)
from sayso.errors import DeclarationError
from sayso.workspace.kinds import WORKSPACE_KINDS


@pytest.mark.parametrize("kind", [*WORKSPACE_KINDS, LOOKUP, PROPOSAL, RECEIPT], ids=lambda kind: kind.name)
def test_a_kind_comes_back_as_it_was(kind: FactKind) -> None:
    document = json.loads(json.dumps(encode_kind(kind)))
    again = decode_kind(document)
    assert (again, again.fields) == (kind, kind.fields)


def test_what_has_its_default_is_left_out() -> None:
    assert encode_kind(FactKind("tag", (Field("name"),), subject="name")) == {
        "name": "tag", "subject": "name", "fields": [{"name": "name", "type": "text"}],
    }  # fmt: skip


@pytest.mark.parametrize(
    "document",
    [
        {}, {"name": "a", "subject": "b"}, {"name": "a", "subject": "b", "fields": [{"name": "c"}]},
        {"name": "a", "subject": "b", "fields": [{"name": "b", "type": "odd"}]},
        {"name": "a", "subject": "b", "fields": [{"name": "b", "words": "one"}]},
    ],
)  # fmt: skip
def test_an_odd_declaration_is_refused(document: dict[str, object]) -> None:
    with pytest.raises((DeclarationError, ValueError, KeyError, TypeError)):
        decode_kind(document)


def test_a_transcript_is_digested_piece_by_piece() -> None:
    one, two = (Message(f"msg_{n}", Role.USER, (TextPart(f"text {n}"),), "ex_1") for n in (1, 2))
    assert transcript_digest([two], transcript_digest([one])) == transcript_digest([one, two])
    assert len({transcript_digest([]), transcript_digest([one]), transcript_digest([two, one])}) == 3


def test_a_message_is_stored_and_sent_in_one_shape() -> None:
    message = Message("msg_1", Role.USER, (TextPart("Grüezi \ud800"),), "ex_1")
    assert json.loads(encode_message(message)) == message_document(message)
    assert read_document(message_document(message), {}) == message


AS_OF = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
NUMBERS = st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False) | st.decimals(
    allow_nan=False, allow_infinity=False
)  # fmt: skip
VALUES = {
    FieldType.TEXT: st.text(),
    FieldType.NUMBER: NUMBERS,
    FieldType.QUANTITY: st.builds(Quantity, NUMBERS, st.text()),
    FieldType.DATE: st.dates(),
    FieldType.DATETIME: st.datetimes() | st.datetimes(timezones=st.just(UTC)),
    FieldType.BOOLEAN: st.booleans(),
    FieldType.LIST: st.lists(st.text()).map(tuple),
}
KIND = FactKind("thing", tuple(Field(t.value, t) for t in FieldType), subject="text")
FACTS = st.fixed_dictionaries({}, optional={t.value: values for t, values in VALUES.items()}).map(
    lambda values: Numbered("F1", KIND.fact(values, source="s", key="k", as_of=AS_OF, similarity=0.5))
)
ANY_TEXT = st.text(st.characters(codec=None))
CALLS = st.builds(ToolCall, st.text(), st.text(), ANY_TEXT, st.sampled_from(["native", "text"]))
PARTS = st.one_of(
    st.builds(TextPart, ANY_TEXT), st.builds(ImagePart, FACTS), st.builds(PreamblePart, ANY_TEXT), st.builds(CallPart, CALLS),
    st.lists(FACTS, max_size=2).map(lambda f: FactsPart(tuple(f))),
    st.builds(ToolResult, st.text(), st.sampled_from(CallStatus), st.lists(FACTS, max_size=2).map(tuple),
              st.none() | st.sampled_from(ResultReason)).map(ResultPart),
)  # fmt: skip


@given(st.lists(PARTS, max_size=3))
def test_a_message_comes_back_as_it_was(parts):
    message = Message("m", Role.ASSISTANT, tuple(parts), "e")
    back = decode_message(encode_message(message), {"thing": KIND})
    assert back == message
    for ours, theirs in zip(message.facts, back.facts, strict=True):
        types = {name: type(value) for name, value in ours.fact.values.items()}
        assert types == {name: type(value) for name, value in theirs.fact.values.items()}


@given(FACTS)
def test_a_fact_of_an_unknown_kind_stays_readable(numbered):
    message = Message("m", Role.USER, (FactsPart((numbered,)),), "e")
    (back,) = decode_message(encode_message(message), {}).facts
    assert (back.fact.kind.name, dict(back.fact.values)) == ("thing", dict(numbered.fact.values))


def test_dates_are_not_datetimes_after_a_round_trip():
    kind = FactKind("d", (Field("n"), Field("on", FieldType.DATE)), subject="n")
    fact = kind.fact({"n": "x", "on": date(2026, 1, 2)}, source="s", key="k", as_of=AS_OF)
    message = Message("m", Role.USER, (FactsPart((Numbered("F1", fact),)),), "e")
    assert type(decode_message(encode_message(message), {"d": kind}).facts[0].fact.values["on"]) is date


def test_attempts_come_back_as_they_were():
    attempts = (Attempt("a", "model_busy", "busy"), Attempt("b", "left_out", "too long", 3, 1))
    assert decode_attempts(encode_attempts(attempts)) == attempts
    assert (encode_attempts(()), decode_attempts(None)) == (None, ())


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3), max_leaves=8,
)  # fmt: skip


@given(st.lists(PARTS, min_size=1, max_size=3))
def test_a_message_from_outside_is_read_as_it_was_given_out(parts):
    message = Message("m", Role.TOOL, tuple(parts), "e")
    assert read_outside(json.loads(encode_message(message)), {"thing": KIND}) == message


@given(JSON)
def test_noise_from_outside_is_refused(document: Any):
    with pytest.raises(ValueError, match="no message"):
        read_outside(document, {})


@given(st.lists(PARTS, min_size=1, max_size=3), st.data())
def test_a_document_with_one_place_changed_is_a_message_or_refused(parts, data: st.DataObject):
    document = json.loads(encode_message(Message("m", Role.TOOL, tuple(parts), "e")))
    changed = _with_another(copy.deepcopy(document), data)
    try:
        message = read_outside(changed, {"thing": KIND})
    except ValueError:
        return
    assert message_document(message) == changed


def _with_another(value: Any, data: st.DataObject) -> Any:
    """The same JSON with one place, drawn anywhere in it, replaced by any other JSON."""
    if isinstance(value, dict) and value and data.draw(st.booleans()):
        key = data.draw(st.sampled_from(sorted(value)))
        return value | {key: _with_another(value[key], data)}
    if isinstance(value, list) and value and data.draw(st.booleans()):
        place = data.draw(st.integers(0, len(value) - 1))
        return [*value[:place], _with_another(value[place], data), *value[place + 1 :]]
    return data.draw(JSON)


def _with_value(value: Any) -> dict[str, Any]:
    fact = KIND.fact({"text": "x"}, source="s", key="k", as_of=AS_OF)
    document = message_document(Message("m", Role.USER, (FactsPart((Numbered("F1", fact),)),), "e"))
    document["parts"][0]["facts"][0]["values"]["number"] = value
    return document


@pytest.mark.parametrize(
    "value",
    [
        None, float("inf"), float("nan"), {"decimal": "NaN"}, {"decimal": 5}, {"odd": 1}, {}, [1],
        {"quantity": [True, "kg"]}, {"quantity": ["5", "kg"]}, {"quantity": [5, 5]}, {"date": "soon"},
    ],
)  # fmt: skip
def test_what_is_no_value_of_a_fact_is_refused(value: Any):
    with pytest.raises(ValueError, match="no message"):
        read_outside(_with_value(value), {"thing": KIND})


@pytest.mark.parametrize("ref", ["", "F", "F0", "G1", "F01", "F1 ", "F9999999999"])
def test_an_odd_ref_is_refused(ref: str):
    document = _with_value(5)
    document["parts"][0]["facts"][0]["ref"] = ref
    with pytest.raises(ValueError, match="a ref is"):
        read_outside(document, {"thing": KIND})


def test_more_members_than_a_message_has_are_refused():
    document = message_document(Message("m", Role.USER, (TextPart("x"),), "e")) | {"approved": True}
    with pytest.raises(ValueError, match="members"):
        read_outside(document, {})


def test_a_part_that_this_version_does_not_know_is_refused():
    with pytest.raises(ValueError, match="does not know"):
        read_document({"id": "m", "role": "user", "exchange": "e", "parts": [{"approval": "yes"}]}, {})


def test_a_fact_comes_back_from_javascript_with_the_same_digest() -> None:
    """JavaScript writes 1.0 as 1, orders members that look like numbers, and loses digits beyond 2^53-1."""
    fields = (Field("name"), Field("2024", FieldType.NUMBER), Field("n", FieldType.NUMBER))
    kind = FactKind("sum", fields, subject="name")
    fact = kind.fact({"name": "Fees", "2024": 3.0, "n": 2**60}, source="s", key="k", as_of=AS_OF, similarity=1.0)
    message = Message("msg_1", Role.USER, (FactsPart((Numbered("F1", fact),)),), "x")
    document = message_document(message)
    sent = document["parts"][0]["facts"][0]
    assert sent["values"] == {"name": "Fees", "2024": {"float": "3.0"}, "n": {"integer": str(2**60)}}
    assert type(sent["similarity"]) is int
    sent["values"] = dict(reversed(sent["values"].items()))
    again = read_outside(json.loads(json.dumps(document)), {})
    assert transcript_digest([again]) == transcript_digest([message])


def test_a_digest_does_not_depend_on_the_order_of_members() -> None:
    assert canonical_digest({"b": 1, "a": 2}) == canonical_digest({"a": 2, "b": 1})


@pytest.mark.parametrize("value", [{"float": "inf"}, {"float": "a"}, {"integer": "1.5"}, {"float": 1.0}])
def test_an_odd_number_is_refused(value: Any) -> None:
    message = Message(
        "m", Role.USER, (FactsPart((Numbered("F1", KIND.fact({}, source="s", key="k", as_of=AS_OF)),)),), "x"
    )
    document = message_document(message)
    document["parts"][0]["facts"][0]["values"] = {"number": value}
    with pytest.raises(ValueError):
        read_outside(document, {})


def test_numbers_are_written_as_every_reader_writes_them_back() -> None:
    given = {"max": 5.0, "steps": [0.5, 2.0, True, None, "1.0"], "far": 1e300}
    assert json.dumps(exact(given)) == '{"max": 5, "steps": [0.5, 2, true, null, "1.0"], "far": 1e+300}'
