"""Whatever an answer is made of, the verifier judges all of it, alike whole and streamed, and points into it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sayso.core.evidence import Evidence
from sayso.core.verify import Setting, Verifier, better, final_text
from sayso.core.verify.report import Report, Verdict

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)

FRAGMENTS = [
    "Elena Weber", "Marc", "Ilya Druzhnikov (UZH)", "works at", "SINGA Switzerland", "is a", "Programme lead", "surgeon",
    "+41 77 473 00 93", "elena@singa.example", "3 December 2026", "tomorrow", "14:30", "CHF 1,200", "40%", "two", "7",
    "commitments", "no", "nothing", "not recorded", "open", "overdue", "done", "I have sent", "has been deleted", "due",
    "[F1]", "[F2]", "[F99]", "【F6】", "[F1-F4]", ".", "!", "?", ":", ",", "\n", "\n\n", "- ", "| ", "1. ", "# ", '"', "(",
    ")", "**", "She", "both", "according to scout", "ist", "keine offenen Aufgaben", "、", "。", "\u202e", "\ufeff", "é", "…",
]  # fmt: skip
ANSWERS = st.lists(st.sampled_from(FRAGMENTS), max_size=40).flatmap(
    lambda parts: st.sampled_from([" ", ""]).map(lambda joint: joint.join(parts))
)
MANY = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@MANY
@given(ANSWERS, st.integers(1, 60), st.sampled_from(["en", "de", "fr"]))
def test_any_answer_is_judged_alike_whole_and_in_pieces(evidence: Evidence, text: str, size: int, locale: str) -> None:
    verifier = Verifier(evidence, Setting(NOW, locale, "Who is Elena?"))
    stream = verifier.stream()
    parts = [j for i in range(0, len(text), size) for j in stream.feed(text[i : i + size])]
    whole = verifier.report(text)
    assert (*parts, *stream.end()) == whole.sentences
    assert whole.text == text
    for sentence in whole.sentences:
        assert text[sentence.start : sentence.end] == sentence.text
        for violation in sentence.violations:
            assert sentence.start <= violation.start <= violation.end <= sentence.end
        assert bool(sentence.violations) == (sentence.verdict in (Verdict.CONTRADICTED, Verdict.UNSUPPORTED))
        assert all(evidence.get(ref) is not None for ref in sentence.refs)


@MANY
@given(ANSWERS, ANSWERS)
def test_a_repair_that_is_kept_is_never_worse(judge: Callable[..., Report], draft: str, repair: str) -> None:
    old, new = judge(draft), judge(repair)
    if better(old, new, "Who is Elena?"):
        assert len(new.violations) < len(old.violations)
        assert not better(new, old, "Who is Elena?")


@MANY
@given(ANSWERS)
def test_what_is_withheld_is_never_shown(evidence: Evidence, judge: Callable[..., Report], text: str) -> None:
    report = judge(text)
    shown = final_text(report, evidence, "en")
    if all(report.withheld(s) for s in report.sentences if "F99" in s.text):
        assert "F99" not in shown
