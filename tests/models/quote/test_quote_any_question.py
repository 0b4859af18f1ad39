"""Whatever is asked: no exception, an end, something said, and no call twice."""

from __future__ import annotations

import time
from typing import Any

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


def test_long_and_strange_messages_are_read_quickly(conversations: Any) -> None:
    for text in ("a " * 20_000, "write to " + "x " * 500, "remind me " + "(" * 2_000, "who " * 3_000, "1" * 5_000):
        before = time.perf_counter()
        assert conversations().ask(text).strip()
        assert time.perf_counter() - before < 2
