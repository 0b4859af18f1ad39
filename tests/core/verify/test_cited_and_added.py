"""Citations that a sentence lacks are added, and those that carry nothing of it are told."""

from __future__ import annotations

from collections.abc import Callable

from sayso.core.verify.report import Report

Judge = Callable[..., Report]


def test_the_one_record_that_carries_a_sentence_is_added(judge: Judge) -> None:
    (sentence,) = judge("Elena Weber works at SINGA Switzerland.").sentences
    assert (sentence.refs, sentence.added) == (("F2",), ("F2",))


def test_what_is_cited_is_not_added(judge: Judge) -> None:
    assert judge("Elena Weber works at SINGA Switzerland [F2].").sentences[0].added == ()


def test_a_cited_record_that_carries_nothing_is_told(judge: Judge) -> None:
    (sentence,) = judge("Elena Weber works at SINGA Switzerland [F2][F7].").sentences
    assert sentence.idle == ("F7",)


def test_records_that_each_carry_something_are_not_idle(judge: Judge) -> None:
    assert judge("Elena Weber and Ilya Druzhnikov are contacts [F1][F2].").sentences[0].idle == ()
