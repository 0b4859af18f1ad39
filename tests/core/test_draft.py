"""What of a streaming draft is released, when, and that released text is final."""

from __future__ import annotations

from sayso.core.draft import Draft
from sayso.core.evidence import Evidence
from sayso.core.verify import Setting, Verifier
from sayso.core.verify.report import Judged, Verdict
from small_world import ELENA, NOW

TRUE = "Elena Weber works at SINGA Switzerland [F1]. "
FALSE = "Elena Weber works at Bexley Studios [F1]. "


def draft(*, released: tuple[Judged, ...] = ()) -> Draft:
    evidence = Evidence()
    evidence.add(ELENA)
    return Draft(Verifier(evidence, Setting(NOW, "en", "Who is Elena?")), ("search_people",), released=released)


def fed(taking: Draft, *chunks: str) -> list[str]:
    return [taking.feed(chunk) for chunk in chunks]


def test_a_supported_sentence_flows_once_nothing_can_change_it() -> None:
    assert fed(draft(), TRUE, "And then some more text ") == ["", TRUE]


def test_a_preamble_is_held_back() -> None:
    assert fed(draft(), "Let me see. ", "One moment please, while I look. ") == ["", ""]


def test_three_sentences_are_more_than_a_preamble() -> None:
    told = fed(draft(), "Hello there. ", "Good morning. ", "What a lovely day. ", "Here is a further one, at length. ")
    assert told == ["", "", "", "Hello there. Good morning. What a lovely day. "]


def test_nothing_flows_after_a_sentence_that_does_not_hold() -> None:
    taking = draft()
    told = fed(taking, TRUE, FALSE, TRUE, "And so on and so forth. ", "Something more to end with.")
    assert "".join(told) == TRUE
    report = taking.finish(TRUE + FALSE + TRUE + "And so on and so forth. Something more to end with.")
    assert [s.verdict for s in report.sentences[:3]] == [Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.SUPPORTED]
    assert [s.text for s in taking.released] == [TRUE]


def test_white_space_alone_releases_nothing_and_does_not_begin_the_draft() -> None:
    assert fed(draft(), " \n", "", TRUE, "And then some more text ") == ["", "", "", TRUE]


def test_a_later_step_goes_on_after_what_was_released() -> None:
    earlier = draft()
    assert "".join(fed(earlier, TRUE, "Let me see what else there is.")) == TRUE
    taking = draft(released=tuple(earlier.released))
    assert "".join(fed(taking, "Her role is not recorded [F1]. ", "That ")) == "Her role is not recorded [F1]. "


def test_a_later_step_is_reported_on_together_with_what_was_released() -> None:
    taking = draft(released=(Judged(TRUE.strip(), 0, Verdict.SUPPORTED, refs=("F1",), claims=1),))
    fed(taking, "Her role is not recorded [F1]. ", "That is all.")
    report = taking.finish("Her role is not recorded [F1]. That is all.")
    assert report.text == f"{TRUE}Her role is not recorded [F1]. That is all."


def test_a_final_reading_that_differs_is_judged_again_and_nothing_is_said_twice() -> None:
    taking = draft()
    assert "".join(fed(taking, TRUE, "And then some more text ")) == TRUE
    report = taking.finish(f"Good day. {TRUE}{FALSE}")
    assert [(s.text, s.verdict) for s in report.sentences] == [
        (TRUE, Verdict.SUPPORTED), ("Good day. ", Verdict.TALK), (FALSE.strip(), Verdict.CONTRADICTED),
    ]  # fmt: skip
    assert [s.start for s in report.sentences] == [0, len(TRUE), len(TRUE) + len("Good day. ")]


def test_a_final_reading_that_differs_before_anything_was_released_begins_at_nought() -> None:
    taking = draft()
    assert fed(taking, "One moment please, while I look. ", "There ") == ["", ""]
    report = taking.finish("Good day.")
    assert [(s.text, s.start) for s in report.sentences] == [("Good day.", 0)]
