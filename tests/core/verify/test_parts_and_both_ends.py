"""A part of a firm's name told as the firm, what somebody is though no role is recorded, both ends of an event."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

import sayso
from sayso.core.verify.report import Verdict

NOW = datetime(2026, 5, 14, 9, 30, tzinfo=UTC)
GAP = "<not recorded>"
FACTS = [
    {"ref": "F1", "kind": "person", "fields": {
        "name": "Bart Lund", "affiliation": "Harbour Board of Moss", "role": GAP, "birthday": GAP,
        "last_interaction": "2026-04-24", "how_met": "Bergen Design Week 2023"}},
    {"ref": "F2", "kind": "person", "fields": {
        "name": "Siobhan Hay", "affiliation": "Nike Street Dental", "role": "Practice manager"}},
    {"ref": "F3", "kind": "commitment", "fields": {"title": "Birthday card", "counterparty": "Uncle Baptiste", "status": "done"}},
    {"ref": "F4", "kind": "commitment", "fields": {
        "title": "Pay surf deposit EUR 40", "due": "2026-07-06", "counterparty": "Tidewrack Surf School", "status": "open"}},
    {"ref": "F5", "kind": "event", "fields": {
        "title": "Flight SK 936", "starts": "2026-05-15T17:35-07:00", "ends": "2026-05-16T13:20+02:00", "place": "SFO"}},
]  # fmt: skip

WRONG = [
    ("en", "He is the harbour master in Moss [F1]."),
    ("en", "Bart Lund must be the founder of the Harbour Board [F1]."),
    ("en", "He's the treasurer [F1]."),
    ("en", "She's practice manager at Nike [F2]."),
    ("de", "Sie ist Practice manager bei Nike [F2]."),
    ("en", "Uncle Baptiste's birthday card is still to do [F3]."),
    ("en", "I transferred the EUR 40 to Tidewrack Surf School [F4]."),
    ("en", "It starts at 13:20 [F5]."),
    ("es", "Cumple años el 24 de abril [F1]."),
    ("it", "Compie gli anni il 24 aprile [F1]."),
]
RIGHT = [
    ("en", "He is with the Harbour Board of Moss [F1]."),
    ("en", "She's practice manager at Nike Street Dental [F2]."),
    ("en", "She's the practice manager [F2]."),
    ("en", "Uncle Baptiste's birthday card is done [F3]."),
    ("en", "SK 936 leaves SFO on Friday at 17:35 and lands on Saturday at 13:20 local time [F5]."),
    ("en", "It starts at 17:35 at SFO and is at the gate at 13:20 the next day [F5]."),
]


def _verdict(text: str, locale: str) -> Verdict:
    (sentence,) = sayso.verify(FACTS, text, question="what do we have?", locale=locale, now=NOW).sentences
    return sentence.verdict


@pytest.mark.parametrize(("locale", "text"), WRONG)
def test_what_no_record_holds_is_contradicted(locale: str, text: str) -> None:
    assert _verdict(text, locale) is Verdict.CONTRADICTED


@pytest.mark.parametrize(("locale", "text"), RIGHT)
def test_what_a_record_holds_is_supported(locale: str, text: str) -> None:
    assert _verdict(text, locale) is Verdict.SUPPORTED
