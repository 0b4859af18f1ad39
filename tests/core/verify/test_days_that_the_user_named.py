"""A day, an hour or an amount that the user named proves nothing about a record that holds another one."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from sayso.core.evidence import Evidence
from sayso.core.facts import FactKind, Field, FieldType
from sayso.core.verify import Setting, Verifier
from sayso.core.verify.report import Verdict

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)  # a Monday
TASK = FactKind(
    "task",
    (
        Field("title"),
        Field("due", FieldType.DATE, words=("due", "fällig")),
        Field("fee"),
        Field("status"),
    ),
    subject="title",
)
MEETING = FactKind("meeting", (Field("title"), Field("starts", FieldType.DATETIME)), subject="title")


def verdict(question: str, sentence: str) -> Verdict:
    evidence = Evidence()
    evidence.add(TASK.fact({"title": "Print the licence", "due": date(2026, 12, 2), "fee": "CHF 250", "status": "open"}, source="t", key="1", as_of=NOW))  # fmt: skip
    evidence.add(MEETING.fact({"title": "Board meeting", "starts": datetime(2026, 12, 4, 9, tzinfo=UTC)}, source="m", key="2", as_of=NOW))  # fmt: skip
    (judged,) = Verifier(evidence, Setting(NOW, "en", question)).report(sentence).sentences
    return judged.verdict


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("What is due this week?", "Print the licence is due on 3 December 2026 [F1]."),
        ("What is due this week?", "- Print the licence: due 3 December [F1]"),
        ("What is due this week?", "| Print the licence | 3 December 2026 | [F1] |"),
        ("What is due next week?", "Print the licence is due on 9 December [F1]."),
        ("What is due today?", "Print the licence is due today [F1]."),
        ("What must I do today?", "Print the licence is due today [F1]."),
        ("Is anything due on Thursday?", "Print the licence is due on Thursday [F1]."),
        ("Is anything due on Thursday?", "Print the licence is due on 3 December [F1]."),
        ("What is on this week?", "The board meeting is on 3 December 2026 [F2]."),
        ("What is on on Thursday?", "The board meeting is on Thursday [F2]."),
        ("Do I have the board meeting on Thursday?", "Yes, you have the board meeting on Thursday [F2]."),
        ("Is the board meeting at 10:30?", "Yes, the board meeting starts at 10:30 [F2]."),
        ("Is the fee of the licence CHF 300?", "Yes, the fee of Print the licence is CHF 300 [F1]."),
    ],
)
def test_what_the_user_named_is_not_what_the_record_holds(question: str, sentence: str) -> None:
    assert verdict(question, sentence) is Verdict.CONTRADICTED


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("What is due this week?", "Print the licence is due on 2 December 2026 [F1]."),
        ("What is due this week?", "This week, Print the licence is due on Wednesday [F1]."),
        ("Is anything due on Thursday?", "You asked about Thursday: Print the licence is due the day before, on 2 December [F1]."),
        ("I leave on Thursday. What is due?", "Before you leave on Thursday, Print the licence is due on 2 December [F1]."),
        ("I leave on Thursday. What is due?", "You leave on Thursday; Print the licence is due on 2 December [F1]."),
        ("I leave on Thursday. Is the meeting before?", "The board meeting is the day after you leave on Thursday [F2]."),
        ("Is the board meeting tomorrow?", "Tomorrow is a Tuesday, and the board meeting is on Friday [F2]."),
        ("Is it Thursday?", "No, the board meeting is not on Thursday [F2]."),
        ("The fee went up to CHF 300", "You say CHF 300, and the fee of Print the licence is CHF 250 [F1]."),
        ("I leave on Thursday", "You leave on Thursday."),
    ],
)  # fmt: skip
def test_what_is_told_back_to_the_user_stays_theirs(question: str, sentence: str) -> None:
    assert verdict(question, sentence) in (Verdict.SUPPORTED, Verdict.YOURS, Verdict.TALK)
