"""Free text of a proposal: what in it has no source."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from sayso.core.evidence import Evidence
from sayso.core.verify import Setting, unbacked_words

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def told(text: str, evidence: Evidence, message: str = "Write to Elena about the board meeting") -> tuple[str, ...]:
    return unbacked_words({"text": text, "person": "Elena Weber", "hours": 3}, evidence, Setting(NOW, "en", message))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Dear Elena, the board meeting is on 1 December at 14:30. Best", ()),
        ("Dear Elena, the board meeting is on 2 December at 14:30. Best", ("2 December",)),
        ("Dear Elena, it takes two hours and costs CHF 300.", ("two hours", "CHF 300")),
        ("Dear Elena, call me on +41 79 999 88 77 or in 3 steps, please.", ("+41 79 999 88 77",)),
        ("Dear Elena, I have sent it already.", ()),
        ("Short note 17:15", ()),
        ("Elena Weber works at Globex as we know.", ("Globex",)),
    ],
)
def test_only_what_neither_the_records_nor_the_user_said_is_named(
    evidence: Evidence, text: str, words: tuple[str, ...]
) -> None:
    assert told(text, evidence) == words


def test_what_the_user_said_is_backed(evidence: Evidence) -> None:
    assert (
        told("Dear Elena, I am 10 minutes late on Friday.", evidence, "Tell Elena I am 10 minutes late on Friday") == ()
    )
