"""The rules' rarer turns: receipts, counts, gaps of one channel, "both", and whose words they are."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest

from sayso.core.evidence import Evidence
from sayso.core.verify.report import Report
from sayso.workspace.kinds import COMMITMENT

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
Judge = Callable[..., Report]


def kinds(report: Report) -> list[str]:
    return [v.kind.value for v in report.violations]


CASES = [
    ("I've saved a draft message for your approval [F9].", []),
    ("I've saved it.", ["false_action"]),
    ("The look-up found 25 of 60 people.", ["wrong_count"]),
    ("The look-up found 0 of 60 people.", []),
    ("Both commitments are open.", []),  # what is overdue is open too
    ("Both commitments are overdue.", ["wrong_value"]),
    ("Both commitments are done.", ["wrong_value"]),
    ("Return projector is finished [F7].", ["wrong_value"]),
    ("Return projector is not finished [F7].", []),
    ("Send budget of CHF 1,200 is offen [F6].", []),
    ("Both commitments are due on 3 December 2026 [F6][F7].", ["wrong_value"]),
    ("Elena has no e-mail recorded [F2].", ["false_absence"]),
    ("Marc has no e-mail recorded [F3].", []),
    ("Elena has no phone recorded [F2].", ["false_absence"]),
    ("Marc has no whatsapp recorded [F3].", []),
    ("Elena Weber works at Hochschule [F2].", ["swapped_record"]),
    ("Marc Müller works at Hochschule [F3].", ["wrong_value"]),
    ("Elena Weber does not work at UZH [F2].", []),
    ("Elena Weber works at home [F2].", []),
    ("Elena said \"this is not in any record\" [F2].", ["invented_quote"]),
    ("Elena's number is +41 79 999 99 99.", ["invented_contact"]),
    ("Ask someone on +41 79 999 99 99.", ["invented_contact"]),
    ("Ilya's birthday is on 4 March 1990 [F1].", ["stated_gap"]),
    ("Launch beta's target date is 20 November 2026 [F4].", ["wrong_value"]),
    ("There is nobody called Zorro in your contacts.", []),
    ("There is nobody called Elena in your contacts.", ["false_absence"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "faults"), CASES)
def test_a_sentence_has_these_faults(judge: Judge, text: str, faults: list[str]) -> None:
    assert sorted(set(kinds(judge(text)))) == sorted(faults)


def test_a_receipt_lets_it_be_said(evidence: Evidence, judge: Judge, receipt: object) -> None:
    evidence.add(receipt)  # type: ignore[arg-type]
    assert kinds(judge("I've sent the message to Elena Weber [F11].")) == []
    assert kinds(judge("I've sent the message to Elena Weber.")) == []
    assert kinds(judge("I've deleted the projector commitment of Marc.")) == ["false_action"]


def test_what_a_record_says_was_done_may_be_repeated(evidence: Evidence, judge: Judge) -> None:
    flights = {"title": "Booked flights to Bern", "due": date(2026, 12, 9), "status": "open"}
    evidence.add(COMMITMENT.fact(flights, source="commitment", key="9", as_of=NOW))
    assert kinds(judge("The flights to Bern were booked [F11].")) == []


def test_the_users_own_words_are_theirs(judge: Judge) -> None:
    report = judge("Elena Weber is now at Bexley [F2].", "Elena moved to Bexley, note that")
    assert kinds(report) == []
    report = judge('You said "she moved to Bexley last week" about Elena [F2].', "She moved to Bexley last week")
    assert kinds(report) == []


def test_a_sentence_of_a_report_knows_where_it_ends(judge: Judge) -> None:
    report = judge("Elena Weber works at SINGA Switzerland [F2]. Good luck!")
    assert [(s.start, s.end) for s in report.sentences] == [(0, 45), (45, 55)]
    assert report.refs == ("F2",)
