"""The corpus of texts with calls, read whole and as they stream. Its texts were written by someone who did not see the reader."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from sayso.core.protocols.thinking import leading_end
from sayso.evaluation.calls import CallFigures, call_figures, labelled_replies, read_replies, shown_while_streaming

SETS = [Path(__file__).parents[1] / "toolcalls" / name for name in ("corpus.jsonl", "second.jsonl")]


@cache
def read(path: Path) -> CallFigures:
    return call_figures(read_replies(labelled_replies(path)))


def test_the_corpus_is_read_exactly_and_nothing_in_it_is_called_by_mistake() -> None:
    figures = read(SETS[0]).as_json()
    assert figures["positives"] + figures["negatives"] >= 400
    assert (figures["exact"] >= 0.98, figures["false_calls"]) == (True, 0), figures


def test_the_harder_texts_too() -> None:
    figures = read(SETS[1]).as_json()
    assert (figures["exact"] >= 0.9, figures["false_calls"]) == (True, 0), figures


@pytest.mark.parametrize("path", SETS, ids=lambda path: path.stem)
def test_what_streams_is_the_beginning_of_the_prose_at_every_split_point(path: Path) -> None:
    replies = (*read(path).scored, *read(path).contested)
    assert [r.label.id for r in replies if _leaks(r.label.text, r.label.tools, r.prose)] == []


def _leaks(text: str, names: object, prose: str) -> bool:
    """Whether more is shown than is said. Reasoning whose opener stood in the prompt cannot be known before it ends."""
    if leading_end(text) is not None:
        return False
    whole = "".join(prose.split())
    splits = [(), *((at,) for at in range(1, len(text)))]
    return any(
        not whole.startswith("".join(shown_while_streaming(text, names, cuts).split()))  # pyright: ignore[reportArgumentType]
        for cuts in splits
    )
