"""Values as people write them, read by what they mean; and when two of them are the same."""

from __future__ import annotations

from datetime import date

import pytest

from sayso.core.verify.holding import same
from sayso.core.verify.values import Value, find_values, readings

TODAY = date(2026, 11, 30)


def one(text: str) -> Value:
    (value,) = find_values(text, TODAY)
    return value


@pytest.mark.parametrize(
    ("written", "numbers"),
    [
        ("1.350", {1.35, 1350.0}), ("1'200", {1200.0}), ("1,234.5", {1234.5}), ("1.2k", {1200.0}), ("3 Mio", {3e6}),
        ("2 bn", {2e9}), ("1,2,3", set()), ("12", {12.0}), ("²", set()),
    ],
)  # fmt: skip
def test_digits_with_marks_have_these_readings(written: str, numbers: set[float]) -> None:
    assert readings(written) == numbers


@pytest.mark.parametrize(
    ("text", "kind", "key"),
    [
        ("at 2 pm", "time", "840"), ("at 12 am", "time", "0"), ("at 14:30", "time", "870"), ("um 14 Uhr", "time", "840"),
        ("at 2:30 p.m.", "time", "870"), ("write @elena", "email", "@elena"), ("see notes/plan.md", "path", "plan.md"),
        ("on https://www.singa.example/", "url", "singa.example"), ("on +41 77 473 00 93", "phone", "774730093"),
        ("on 0041 77 473 00 93", "phone", "774730093"),
    ],
)  # fmt: skip
def test_a_value_is_compared_by_its_key(text: str, kind: str, key: str) -> None:
    assert (one(text).kind.value, one(text).key) == (kind, key)


def test_digits_of_no_reading_are_no_number() -> None:
    assert find_values("versions 1,2,3", TODAY) == []


@pytest.mark.parametrize(
    ("claim", "held", "alike"),
    [
        ("at 2:30", "at 14:30", True), ("at 3:30", "at 14:30", False), ("at 14", "at 14:30", False),
        ("14.3", "at 14:30", True), ("2.5", "at 14:30", True), ("2026", "2026-12-07", True), ("8", "2026-12-07", False),
        ("about 100", "95", True), ("100", "95", False), ("CHF 20", "EUR 20", False), ("CHF 20", "20 %", False),
        ("3 days", "3 weeks", False), ("a@b.example", "a@b.example", True), ("a@b.example", "2026-12-07", False),
        ("2026-04-07", "1981-04-07", False), ("today", "1990-11-30", True),
    ],
)  # fmt: skip
def test_two_values_are_the_same_when_they_mean_the_same(claim: str, held: str, alike: bool) -> None:
    first, second = find_values(claim, TODAY), find_values(held, TODAY)
    assert any(same(a, b) for a in first for b in second) is alike
