"""Canonical bytes: one exact string for one exact change."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.proposals import (
    NEXT_STATES,
    Change,
    Proposal,
    ProposalState,
    Target,
    canonical_bytes,
    content_digest,
    digest_of,
    strict_json,
)
from sayso.errors import DeclarationError

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)


def made(change: Change, nonce: str = "n1", created: datetime = NOW) -> bytes:
    return canonical_bytes(
        change, tool="propose_action", schema={"type": "object"}, actor="ann", owner="ann",
        created=created, expires=created + timedelta(days=7), nonce=nonce,
    )  # fmt: skip


CHANGE = Change("message", "Message to Ilya", {"text": "Grüezi", "n": 3, "tags": ("a",), "x": None},
                Target("person", "p2", "Ilya Druzhnikov"), "v4")  # fmt: skip


def test_the_bytes_hold_everything_that_decides() -> None:
    document = json.loads(made(CHANGE))
    assert set(document) == {
        "action", "actor", "arguments", "created", "expires", "nonce", "owner", "precondition", "schema", "target",
        "title", "tool", "unbacked",
    }  # fmt: skip
    assert document["target"] == {"kind": "person", "key": "p2", "name": "Ilya Druzhnikov"}
    assert made(CHANGE).isascii()
    assert b'"target":null' in made(Change("a", "t", {}))


def test_a_proposal_reads_its_own_bytes() -> None:
    proposal = Proposal("p", "t", "e", "c", made(CHANGE))
    assert proposal.digest == digest_of(proposal.canonical)
    assert proposal.content["arguments"]["text"] == "Grüezi"
    assert proposal.expires == NOW + timedelta(days=7)
    assert proposal.state is ProposalState.PENDING


def test_another_argument_is_another_digest_and_the_same_act_is_known() -> None:
    other = Change("message", "Message to Ilya", {**CHANGE.arguments, "text": "Hallo"}, CHANGE.target, "v4")
    assert digest_of(made(other)) != digest_of(made(CHANGE))
    assert content_digest(made(CHANGE)) == content_digest(made(CHANGE, nonce="n2", created=NOW + timedelta(hours=1)))
    assert content_digest(made(CHANGE)) != content_digest(made(other))


def test_s11_true_and_one_are_not_the_same() -> None:
    assert content_digest(made(Change("a", "t", {"x": 1}))) != content_digest(made(Change("a", "t", {"x": True})))


@pytest.mark.parametrize("value", [1.5, float("nan"), 2**53, "\ud800", object(), b"x"])
def test_s11_values_that_readers_disagree_on_are_refused(value: Any) -> None:
    with pytest.raises(DeclarationError):
        made(Change("a", "t", {"x": [value]}))


@pytest.mark.parametrize(
    "text",
    ['{"a":1,"a":2}', '{"a":1.0}', '{"a":NaN}', '{"a":1e400}', '{"a":9007199254740993}', '{"a":"\\ud800"}', "{"],
)
def test_s11_the_strict_reader_refuses(text: str) -> None:
    with pytest.raises(ValueError):
        strict_json(text)


def test_final_states_lead_nowhere() -> None:
    final = set(ProposalState) - set(NEXT_STATES)
    assert final == {
        ProposalState.DONE, ProposalState.FAILED, ProposalState.DENIED, ProposalState.EXPIRED, ProposalState.SUPERSEDED,
    }  # fmt: skip


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), plain, max_size=4))
def test_what_is_written_is_what_is_read(arguments: dict[str, Any]) -> None:
    assert strict_json(made(Change("a", "t", arguments)))["arguments"] == arguments


def test_s20_a_proposal_says_whose_records_it_changes_or_cannot_be_used() -> None:
    canonical = made(Change("a", "t", {}))
    owner = strict_json(canonical)["owner"]
    assert Proposal("p", "", "", "", canonical).owner == owner
    without = canonical.replace(json.dumps({"owner": owner})[1:-1].replace(" ", "").encode(), b'"owner":null')
    with pytest.raises(ValueError, match="whose records"):
        Proposal("p", "", "", "", without).owner  # noqa: B018
