"""Where a sentence ends, and that streaming finds the same ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.verify.segments import MAX_PIECE, Segmenter, Shape, segments, without_mark


@pytest.mark.parametrize(
    "pieces",
    [
        ["I met Dr. Weber at 5 p.m. in Bern. ", "She left."],
        ["It is J. Weber. ", "Really!"],
        ["Due on 12. März in Bern. ", "Then done."],
        ["There are 12. ", "Then more."],
        ["There are 12. ", "(All of them.)"],
        ["She is here. [F1] ", "Next."],
        ["She is here [F1]. ", "Next."],
        ["Is it so… it is. ", "Yes."],
        ["他来了。", "她走了！", "好"],
        ["One line\nthat goes on here. ", "Next."],
        ["One line:\n", "that begins anew."],
        ["# Heading\n", "- one\n", "- two. ", "More\n\n", "| a | b. c |\n", "| - | - |\n", "End"],
        ["1. First. ", "Then.\n", "2. Second"],
    ],
)
def test_text_is_cut_here_and_streaming_cuts_alike(pieces: list[str]) -> None:
    text = "".join(pieces)
    cutter = Segmenter()
    streamed = [piece for char in text for piece in cutter.feed(char)] + cutter.end()
    assert [p.text for p in segments(text)] == pieces
    assert streamed == segments(text)


@pytest.mark.parametrize(
    ("deltas", "given_out"),
    [
        (["She is here again, is she. [", "F1] Next one"], [[], ["She is here again, is she. [F1] "]]),
        (["It is all due on 12. M", "ärz in Bern. Ok"], [[], ["It is all due on 12. März in Bern. "]]),
        (["There are 12 in all, or 12. Then m", "ore. Ok"], [["There are 12 in all, or 12. "], ["Then more. "]]),
        (["他来了，他又走了，然后他们都笑了起来。a", "b"], [[], []]),
    ],
)
def test_nothing_is_given_out_that_more_text_could_change(deltas: list[str], given_out: list[list[str]]) -> None:
    cutter = Segmenter()
    assert [[p.text for p in cutter.feed(delta)] for delta in deltas] == given_out


def test_each_line_has_its_shape_and_says_whether_it_opens() -> None:
    found = [(p.shape, p.opens) for p in segments("# Title\n- one. Two\n| a |\nProse. More")]
    assert found == [
        (Shape.HEADING, True), (Shape.ITEM, True), (Shape.ITEM, False), (Shape.ROW, True), (Shape.SENTENCE, True),
        (Shape.SENTENCE, False),
    ]  # fmt: skip


@pytest.mark.parametrize(("word", "size"), [("word ", MAX_PIECE), ("x", MAX_PIECE)])
def test_a_run_without_an_end_is_cut_at_a_space_or_at_the_limit(word: str, size: int) -> None:
    text = word * (3 * MAX_PIECE // len(word))
    pieces = segments(text)
    assert "".join(p.text for p in pieces) == text
    assert [len(p.text) for p in pieces] == [size, size, size]


def test_the_mark_of_an_item_is_blanked() -> None:
    assert [without_mark(t) for t in ("- one", "12. one", "one")] == ["  one", "    one", "one"]


@given(st.text(alphabet="aB1.!?:\n \"')(]-|#。FU[", max_size=120), st.integers(1, 9))
def test_nothing_is_lost_and_chunks_do_not_matter(text: str, size: int) -> None:
    cutter = Segmenter()
    streamed = [p for at in range(0, len(text), size) for p in cutter.feed(text[at : at + size])] + cutter.end()
    assert "".join(p.text for p in streamed) == text
    assert streamed == segments(text)
