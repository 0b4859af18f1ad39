"""Whatever is asked: no exception, an end, something said, and no call twice."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

WORDS = st.sampled_from(
    [
        "who",
        "is",
        "Elena",
        "Weber's",
        "birthday",
        "goal",
        "goals",
        "due",
        "write",
        "remind",
        "me",
        "to",
        "Ilya",
        "morgen",
        "um",
        "12",
        "an",
        "am",
        "with",
        "Anna",
        "31.2.",
        "next",
        "behind",
        '"',
        "«",
        "[F1]",
        "?",
        ",",
        ":",
        "was",
        "ist",
        "fällig",
        "Rückstand",
        "\x00",
        "ß",
        "ſ",
        "İ",
        "漢字",
        "99999",
        "in",
        "days",
        "2026-13-40",
        "check",
        "in",
        "tell",
        "that",
        "note",
    ]
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.text(max_size=80), st.lists(WORDS, max_size=10).map(" ".join)))
def test_any_message_is_answered(conversations: Any, text: str) -> None:
    assert conversations().ask(text).strip()


STRANGE = {
    "words": "a ", "names": "Anna ", "questions": "who ", "brackets": "(", "digits": "1", "quotes": '"x ',
    "dates": "31.2. ", "commas": "a, ", "spaces": " \t",
}  # fmt: skip
OPENINGS = ("", "write to ", "remind me ", "text sam i ", "schedule call with ", "in 2 ")


def calls_for(work: Callable[[], object]) -> int:
    """How many functions are called: the same number however busy the machine is."""
    counted = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return counted


@pytest.mark.parametrize("opening", OPENINGS)
@pytest.mark.parametrize("shape", STRANGE)
def test_four_times_the_text_is_at_most_four_times_the_work(conversations: Any, opening: str, shape: str) -> None:
    """Up to where a long text is cut; the first run fills what is kept between questions."""
    work: list[int] = []
    for size in (400, 1_600):
        text = (opening + STRANGE[shape] * size)[:size] + "?"
        assert conversations().ask(text).strip()
        work.append(calls_for(partial(conversations().ask, text)))
    assert work[1] < 5 * work[0]


@pytest.mark.parametrize("shape", STRANGE)
def test_what_comes_after_the_first_pages_is_not_read(conversations: Any, shape: str) -> None:
    work: list[int] = []
    for size in (5_000, 80_000):
        text = STRANGE[shape] * size
        assert conversations().ask(text).strip()
        work.append(calls_for(partial(conversations().ask, text)))
    assert work[1] < 1.2 * work[0]
