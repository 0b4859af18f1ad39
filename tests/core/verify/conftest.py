from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime

import pytest

from sayso.core.evidence import Evidence
from sayso.core.facts import PROPOSAL, RECEIPT, SECOND_HAND, Provenance, Quantity, lookup_fact
from sayso.core.verify import Setting, Verifier
from sayso.core.verify.report import Report
from sayso.verifying.reading import read_facts
from sayso.workspace.kinds import COMMITMENT, EVENT, GOAL, PERSON

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)  # a Monday
IN_MARCH = datetime.fromisoformat("2026-03-02T09:00:00+01:00")  # a Monday
Row = tuple[str, str, dict[str, str | None]]
"""A fact in short: its ref, its kind, its fields."""


@pytest.fixture
def evidence() -> Evidence:
    """F1 Ilya, F2 Elena, F3 Marc, F4 goal, F5 event, F6 F7 commitments, F8 look-up, F9 proposal, F10 agent."""

    def own(kind, key, **values):  # type: ignore[no-untyped-def]
        return kind.fact(values, source=kind.name, key=key, as_of=NOW)

    return Evidence_of(
        own(PERSON, "1", name="Ilya Druzhnikov", how_met="ETH hackathon"),
        own(PERSON, "2", name="Elena Weber", affiliation="SINGA Switzerland", role="Programme lead",
            channels=("whatsapp +41 77 473 00 93", "email elena@singa.example"), last_interaction=date(2026, 11, 23)),
        own(PERSON, "3", name="Marc Müller", affiliation="Hochschule Luzern", role="Designer", channels=("phone +41 79 111 22 33",)),
        own(GOAL, "1", title="Launch beta", progress=Quantity(40, "%"), target_date=date(2026, 12, 7)),
        own(EVENT, "1", title="Board meeting", starts=datetime(2026, 12, 1, 14, 30, tzinfo=UTC), attendees=("Elena Weber",)),
        own(COMMITMENT, "1", title="Send budget of CHF 1,200", due=date(2026, 12, 3), counterparty="Elena Weber", status="open"),
        own(COMMITMENT, "2", title="Return projector", due=date(2026, 11, 20), counterparty="Marc Müller", status="overdue"),
        lookup_fact("search_people", '"UZH"', covers="person", matched=0, searched=60, as_of=NOW, key="l1"),
        own(PROPOSAL, "1", title="Message to Elena Weber", state="pending", target="Elena Weber"),
        SECOND_HAND.fact({"agent": "scout", "asked": "Elena", "answer": "Elena moves to Bexley Studios in May"}, source="scout",
                         key="1", as_of=NOW, provenance=Provenance.SECOND_HAND),
    )  # fmt: skip


def Evidence_of(*facts) -> Evidence:  # type: ignore[no-untyped-def]
    evidence = Evidence()
    evidence.add_all(facts)
    return evidence


@pytest.fixture
def receipt() -> object:
    values = {"title": "Message to Elena Weber", "outcome": "done", "action": "send_message"}
    return RECEIPT.fact(values, source="receipts", key="1", as_of=NOW)


@pytest.fixture
def judge(evidence: Evidence) -> Callable[..., Report]:
    def run(text: str, message: str = "tell me", locale: str = "en") -> Report:
        return Verifier(evidence, Setting(NOW, locale, message)).report(text)

    return run


def verdicts_in_march(rows: Iterable[Row], text: str, locale: str, message: str) -> list[str]:
    """The verdict of each sentence over such facts."""
    facts = read_facts({"ref": ref, "kind": kind, "fields": fields} for ref, kind, fields in rows)
    return [s.verdict.value for s in Verifier(facts, Setting(IN_MARCH, locale, message)).report(text).sentences]
