"""Kinds, messages and transcripts as JSON: what is encoded comes back the same, and odd documents are refused."""

from __future__ import annotations

import json

import pytest

from sayso.core.encoding import (
    decode_kind,
    encode_kind,
    encode_message,
    message_document,
    read_document,
    transcript_digest,
)
from sayso.core.facts import LOOKUP, PROPOSAL, RECEIPT, FactKind, Field
from sayso.core.messages import Message, Role, TextPart
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
