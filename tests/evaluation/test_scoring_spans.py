"""The scores of predicted spans, worked out by hand on small texts."""

from __future__ import annotations

import pytest

from sayso.evaluation.intervals import intervals, wilson
from sayso.evaluation.scoring import Counts, counted, hits, scores, share, summed
from sayso.evaluation.sentences import scored_sentences

TEXT = "Ann scored 12. Bob had 7 rebounds. They won."


def cut(text: str) -> list[str]:
    return [text[a:b] for a, b in scored_sentences(text)]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (TEXT, ["Ann scored 12.", "Bob had 7 rebounds.", "They won."]),
        ("He met Dr. Lee. St. Gallen vs. Bern.", ["He met Dr. Lee.", "St. Gallen vs. Bern."]),
        ("The U.S. Team. A. Smith, no. 4.", ["The U.S. Team.", "A. Smith, no.", "4."]),
        ('He said "Go!" Then (yes.) 3 left.', ['He said "Go!', "Then (yes.", "3 left."]),
        ("One\nTwo. three\n\nFour? “Five”", ["One", "Two. three", "Four?", "“Five”"]),
        ("e.g. Bern i.e. Rome approx. 3 rising.", ["e.g. Bern i.e. Rome approx. 3 rising."]),
        ("Wait... What?! Now", ["Wait...", "What?!", "Now"]),
        ("end. ", ["end. "]), ("", []), ("\n\n", []), ("  \nA", ["  ", "A"]),
    ],
)  # fmt: skip
def test_sentences_are_cut_by_one_rule(text: str, sentences: list[str]) -> None:
    assert cut(text) == sentences


def test_a_text_counts_its_spans_characters_and_sentences() -> None:
    gold = [(11, 13), (23, 24)]  # 12, 7
    found = [(11, 14), (35, 39), (11, 14)]  # "12.", "They"
    assert counted(TEXT, gold, found) == Counts(
        hits=1, annotated=2, predicted=2, char_right=2, char_excess=5, char_missed=1,
        faulty_flagged=1, faulty_missed=1, fine_flagged=1, fine_left=0,
        faulty_texts_flagged=1, faulty_texts=1, fine_texts_flagged=0, fine_texts=0,
    )  # fmt: skip


def test_the_scores_follow_from_the_counts() -> None:
    found = scores(counted(TEXT, [(11, 13), (23, 24)], [(11, 14), (35, 39)]))
    assert {name: round(value, 3) for name, value in found.items()} == {
        "span_precision": 0.5, "span_recall": 0.5, "span_f1": 0.5,
        "character_precision": 0.286, "character_recall": 0.667, "character_f1": 0.4,
        "sentence_precision": 0.5, "sentence_recall": 0.5, "sentence_f1": 0.5,
        "balanced_accuracy": 0.25, "balanced_accuracy_texts": 0.5,
    }  # fmt: skip


def test_white_space_is_no_character() -> None:
    assert counted("a b", [(0, 3)], [(1, 3)]).char_missed == 1
    assert counted("a b", [(0, 3)], [(1, 3)]).char_right == 1


def test_a_predicted_span_is_used_once() -> None:
    assert hits([(0, 3), (4, 7)], [(2, 5)]) == 1
    assert hits([(0, 3), (4, 7)], [(2, 5), (6, 9)]) == 2
    assert hits([(0, 9)], [(0, 1), (2, 3)]) == 1
    assert hits([(0, 3)], [(3, 5)]) == 0


def test_spans_beyond_the_text_count_as_spans_only() -> None:
    assert counted("ab", [(1, 9)], [(-4, -2), (7, 9)]) == Counts(
        hits=1, annotated=1, predicted=2, char_missed=1, faulty_missed=1, faulty_texts_flagged=1, faulty_texts=1
    )


def test_flagging_everything_or_nothing_gets_a_half() -> None:
    gold = [(11, 13)]
    assert scores(counted(TEXT, gold, [(0, len(TEXT))]))["balanced_accuracy"] == 0.5
    assert scores(counted(TEXT, gold, []))["balanced_accuracy"] == 0.5


def test_nothing_at_all_scores_nothing_and_divides_by_nothing() -> None:
    assert set(scores(summed([])).values()) == {0.0}
    assert share(0, 0) == 0.0


def test_texts_are_summed_before_they_are_scored() -> None:
    one, other = counted(TEXT, [(11, 13)], [(11, 13)]), counted(TEXT, [], [(0, 3)])
    assert scores(summed([one, other]))["span_precision"] == 0.5


def test_intervals_are_the_same_each_time_and_hold_the_score() -> None:
    rows = [(i % 3 == 0, 1) for i in range(90)]
    first = intervals(rows, lambda s: {"share": share(*s)}, resamples=200)
    assert first == intervals(rows, lambda s: {"share": share(*s)}, resamples=200)
    low, high = first["share"]
    assert 0.2 < low < 1 / 3 < high < 0.5


def test_texts_that_are_all_alike_leave_no_doubt() -> None:
    assert intervals([(1, 2)] * 10, lambda s: {"share": share(*s)}, resamples=50) == {"share": (0.5, 0.5)}
    assert intervals([], lambda s: {"share": share(*s)}) == {}


def test_none_of_many_is_no_proof_of_none() -> None:
    assert [tuple(round(e, 3) for e in wilson(*p)) for p in ((0, 132), (132, 132), (5, 10), (0, 0))] == [
        (0.0, 0.028), (0.972, 1.0), (0.237, 0.763), (0.0, 1.0),
    ]  # fmt: skip
