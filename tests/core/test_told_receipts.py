"""Which receipts a conversation was told: those of exchanges that have their answer, and only as they stand there."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from sayso.core.evidence import Numbered
from sayso.core.facts import LOOKUP, RECEIPT, SECOND_HAND, Provenance
from sayso.core.messages import (
    CallPart,
    CallStatus,
    FactsPart,
    Message,
    PreamblePart,
    ResultPart,
    Role,
    TextPart,
    ToolCall,
    ToolResult,
)
from sayso.core.receipts import GATEWAY, is_receipt, not_told, told_receipts

NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)


def receipt(outcome="sent", key="p1", source=GATEWAY, at=NOW):
    return RECEIPT.fact({"title": "Mail", "outcome": outcome, "proposal_id": key}, source=source, key=key, as_of=at)


def asked(exchange, *facts):
    numbered = tuple(Numbered(f"F{number}", fact) for number, fact in enumerate(facts, 1))
    return Message(f"{exchange}_1", Role.USER, (FactsPart(numbered), TextPart("And?")), exchange)


def said(exchange, text="It was sent [F1]."):
    return Message(f"{exchange}_2", Role.ASSISTANT, (TextPart(text),), exchange)


def test_a_receipt_was_told_with_the_answer_of_its_exchange_and_not_before():
    opening = asked("e1", receipt())
    calls = (PreamblePart("Looking."), CallPart(ToolCall("c1", "find", "{}")))
    looking = Message("e1_3", Role.ASSISTANT, (TextPart("Looking."), *calls), "e1")
    assert told_receipts([]) == told_receipts([opening]) == told_receipts([opening, looking]) == ()
    assert told_receipts([opening, said("e1", "  ")]) == ()
    assert told_receipts([opening, said("e1")]) == (receipt(),)
    assert told_receipts([asked("e2", receipt()), said("e1")]) == ()


def test_the_receipt_that_a_result_brought_was_told_too():
    result = ToolResult("c1", CallStatus.SUCCESS, (Numbered("F1", receipt()),))
    brought = Message("e1_3", Role.TOOL, (ResultPart(result),), "e1")
    assert told_receipts([asked("e1"), brought, said("e1")]) == (receipt(),)


def test_of_two_versions_the_newest_was_told():
    later = receipt("done", at=NOW + timedelta(hours=1))
    assert told_receipts([asked("e1", receipt("unknown"), later), said("e1")]) == (later,)


def test_only_the_gateways_own_receipts_are_receipts_of_proposals():
    assert is_receipt(receipt())
    assert not is_receipt(receipt(source="client"))
    assert not is_receipt(replace(receipt(), provenance=Provenance.REPORTED))
    assert not is_receipt(LOOKUP.fact({"query": "q", "matched": 1}, source=GATEWAY, key="k", as_of=NOW))


def test_what_was_told_is_no_news_and_records_are_seeds_however_often():
    heard = SECOND_HAND.fact(
        {"agent": "Hermes", "asked": "When?", "answer": "At nine."}, source="agent", key="a1", as_of=NOW,
        provenance=Provenance.SECOND_HAND,
    )  # fmt: skip
    record = LOOKUP.fact({"query": "q", "matched": 1}, source="lookup", key="k", as_of=NOW)
    thread = [asked("e1", receipt(), heard, record), said("e1")]
    fresh, changed = receipt(key="p2"), receipt("failed")
    assert not_told([receipt(), heard, record, fresh, changed], thread) == (record, fresh, changed)
    assert not_told([receipt(), heard, record], thread[:1]) == (receipt(), heard, record)
