"""What others say passes for nothing of ours, whatever of ours is cited or known beside it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sayso.core.evidence import Evidence
from sayso.core.facts import RECEIPT, SECOND_HAND, Fact, Provenance
from sayso.core.verify import Setting, Verifier
from sayso.core.verify.report import Verdict, ViolationKind
from small_world import ELENA, NOW, PERSON

RECEIPT_OF_OURS = RECEIPT.fact(
    {"title": "Open a page", "outcome": "done", "action": "navigate"}, source="client", key="c1", as_of=NOW
)
THEIRS = PERSON.fact(
    {"name": "Elena Weber", "affiliation": "Evil Ltd"}, source="client: lookup", key="x", as_of=NOW,
    provenance=Provenance.REPORTED,
)  # fmt: skip
STRANGER = replace(THEIRS, subject="Zoe Quist", key="z", values={"name": "Zoe Quist", "affiliation": "Evil Ltd"})


def judged(text: str, *facts: Fact) -> tuple[Verdict, list[ViolationKind]]:
    evidence = Evidence()
    evidence.add_all(facts)
    (sentence,) = Verifier(evidence, Setting(NOW, "en", "Who is that?", frozenset())).report(text).sentences
    return sentence.verdict, [v.kind for v in sentence.violations]


UNTOLD = (Verdict.UNSUPPORTED, [ViolationKind.UNATTRIBUTED])


@pytest.mark.parametrize(
    "text",
    [
        "Elena Weber works at Evil Ltd.",
        "Elena Weber works at Evil Ltd [F2].",
        "Elena Weber works at Evil Ltd [F3].",
        "Elena Weber works at Evil Ltd [F2, F3].",
        "Elena Weber works at Evil Ltd [F2] [F3].",
    ],
)
def test_a_receipt_or_a_record_of_ours_beside_it_does_not_make_it_ours(text: str) -> None:
    assert judged(text, ELENA, RECEIPT_OF_OURS, THEIRS) == UNTOLD


def test_a_person_whom_only_others_know_is_told_with_who_says_so() -> None:
    assert judged("Zoe Quist works at Evil Ltd.", ELENA, STRANGER) == UNTOLD


@pytest.mark.parametrize(
    "text",
    [
        "According to the client, Elena Weber works at Evil Ltd [F3].",
        "Elena Weber works at Evil Ltd, the client says [F3].",
    ],
)
def test_what_is_told_with_who_says_so_stands(text: str) -> None:
    assert judged(text, ELENA, RECEIPT_OF_OURS, THEIRS)[0] is Verdict.SUPPORTED


@pytest.mark.parametrize(
    "text", ["Elena Weber works at SINGA Switzerland [F1].", "Elena Weber works at SINGA Switzerland."]
)
def test_what_our_own_record_says_needs_no_such_words(text: str) -> None:
    assert judged(text, ELENA, RECEIPT_OF_OURS, THEIRS)[0] is Verdict.SUPPORTED


def test_what_both_say_may_cite_both() -> None:
    same = replace(THEIRS, values={**ELENA.values})
    assert judged("Elena Weber works at SINGA Switzerland [F1, F2].", ELENA, same)[0] is Verdict.SUPPORTED


def test_a_second_agent_is_asked_anew_as_evidence_grows() -> None:
    evidence = Evidence()
    evidence.add(THEIRS)
    verifier = Verifier(evidence, Setting(NOW, "en", "Who is that?", frozenset()))
    text = "Elena Weber works at SINGA Switzerland."
    assert verifier.report(text).sentences[0].verdict is not Verdict.SUPPORTED
    evidence.add(ELENA)
    assert verifier.report(text).sentences[0].verdict is Verdict.SUPPORTED
    answer = SECOND_HAND.fact(
        {"agent": "Butler", "asked": "Where?", "answer": "Elena Weber works at Evil Ltd."}, source="agent", key="a",
        as_of=NOW, provenance=Provenance.SECOND_HAND,
    )  # fmt: skip
    evidence.add(answer)
    assert (
        verifier.report("Butler says that Elena Weber works at Evil Ltd [F3].").sentences[0].verdict
        is Verdict.SUPPORTED
    )


def test_sentence_after_sentence_is_judged_alike() -> None:
    evidence = Evidence()
    evidence.add_all([ELENA, RECEIPT_OF_OURS, THEIRS])
    text = "Elena Weber works at Evil Ltd [F2].\nElena Weber works at Evil Ltd [F2]."
    told = Verifier(evidence, Setting(NOW, "en", "Who is that?", frozenset())).report(text).sentences
    assert [(s.verdict, [v.kind for v in s.violations]) for s in told] == [UNTOLD, UNTOLD]
