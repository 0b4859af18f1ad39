"""Estimates of tokens: careful until something was counted, then as the provider counts."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.errors import ContextOverflow
from sayso.models.refusals import Asked, refusal
from sayso.models.tokens import Scale


def test_a_count_of_an_answered_request_is_believed_at_once_and_refined_slowly_upwards() -> None:
    scale = Scale()
    assert not scale.learned
    scale.counted(4000, 1000)
    assert (scale.per_token, scale.sure) == (4.0, True)
    scale.counted(6000, 1000)
    assert scale.per_token == pytest.approx(4.6)
    scale.counted(2000, 1000)
    assert scale.per_token == 2.0


@pytest.mark.parametrize(("characters", "tokens"), [(100, 10), (0, 100), (100, 0)])
def test_what_is_too_little_to_tell_changes_nothing(characters: int, tokens: int) -> None:
    scale = Scale()
    scale.counted(characters, tokens)
    scale.refused(characters, tokens)
    assert scale == Scale()


def test_a_refusal_only_makes_more_careful() -> None:
    scale = Scale()
    scale.refused(80_000, 6000, 20_000)  # four characters a token, all in all
    assert scale.characters(1000) == 2500
    scale.refused(8000, 6000, 8000)  # one
    assert scale.characters(1000) < 800
    scale.counted(1000, 1000)
    scale.refused(6000, 6000)
    assert scale.characters(1000) < 950


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 10**7), st.integers(0, 10**7)), max_size=20))
def test_whatever_a_provider_counts_the_estimate_stays_sane(counts: list[tuple[bool, int, int]]) -> None:
    scale = Scale()
    for answered, characters, tokens in counts:
        scale.counted(characters, tokens) if answered else scale.refused(characters, tokens, tokens * 2)
    assert 0 < scale.per_token <= 8
    assert 0 < scale.characters(1000) <= 8000


@pytest.mark.parametrize(
    ("message", "limit", "tokens"),
    [
        ("This model's maximum context length is 6000 tokens. However, your messages resulted in 7,423 tokens.", 6000, 7423),
        ("This model's maximum context length is 6000 tokens. Please reduce the length of the messages.", 6000, None),
    ],
)  # fmt: skip
def test_a_refusal_may_tell_how_many_tokens_the_request_has(message: str, limit: int, tokens: int | None) -> None:
    wrong = refusal(400, json.dumps({"error": {"message": message}}), Asked("m"))
    assert isinstance(wrong, ContextOverflow)
    assert (wrong.limit, wrong.tokens) == (limit, tokens)
