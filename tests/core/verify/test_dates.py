"""Dates as people write them, and which days each may mean on Monday 30 November 2026."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from sayso.core.verify.dates import DateSpan, find_dates

TODAY = date(2026, 11, 30)


def spans(text: str, today: date | None = TODAY) -> list[DateSpan]:
    return [span for _, _, span in find_dates(text, today)]


def near(*offsets: int) -> DateSpan:
    return DateSpan(days=frozenset(TODAY + timedelta(days=o) for o in offsets))


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("2026-12-07", DateSpan(2026, 12, 7)),
        ("--04-07", DateSpan(None, 4, 7)),
        ("7.12.2026", DateSpan(2026, 12, 7)),
        ("7.12.26", DateSpan(2026, 12, 7)),
        ("7.12.", DateSpan(None, 12, 7)),
        ("7 December 2026", DateSpan(2026, 12, 7)),
        ("7. März", DateSpan(None, 3, 7)),
        ("Dec 7th, 2026", DateSpan(2026, 12, 7)),
        ("December 2026", DateSpan(2026, 12, None)),
        ("03/04/2026", DateSpan(days=frozenset({date(2026, 3, 4), date(2026, 4, 3)}))),
        ("25/12/26", DateSpan(days=frozenset({date(2026, 12, 25)}))),
        ("29 February", DateSpan(None, 2, 29)),
        ("today", near(0)),
        ("the day after tomorrow", near(2)),
        ("day before yesterday", near(-2)),
        ("vorgestern", near(-2)),
        ("Monday", near(0, -7, 7)),
        ("Tuesday", near(1, -6, 8)),
        ("next Tuesday", near(1, 8)),
        ("letzten Dienstag", near(-6, -13)),
        ("in 3 days", near(3)),
        ("in 3 Tagen", near(3)),
        ("dans 2 jours", near(2)),
        ("vor 3 Tagen", near(-3)),
        ("two days ago", near(-2)),
        ("5 days from now", near(5)),
    ],
)
def test_a_date_means_these_days(text: str, span: DateSpan) -> None:
    assert spans(f"It is {text} then") == [span]


@pytest.mark.parametrize("text", ["2026-13-01", "31.02.2026", "45/45/2026", "30 February", "the sun and 3 sat down"])
def test_what_is_no_day_is_no_date(text: str) -> None:
    assert spans(text) == []


def test_weeks_months_and_years_are_give_or_take() -> None:
    (week,), (month,), (year,) = spans("in 2 weeks"), spans("3 months ago"), spans("in 1 Jahr")
    assert week == DateSpan(days=near(*range(11, 18)).days, loose=True)
    assert month == DateSpan(days=near(*range(-102, -77)).days, loose=True)
    assert year == DateSpan(days=near(*range(215, 516)).days, loose=True)


def test_stored_text_has_no_today_to_be_relative_to() -> None:
    assert spans("tomorrow, 3 days ago, on Friday, or 7 December", None) == [DateSpan(None, 12, 7)]


def test_a_distance_beyond_the_calendar_stays_at_today() -> None:
    assert spans("9999 days ago", date(1, 1, 5)) == [DateSpan(days=frozenset({date(1, 1, 5)}))]


@pytest.mark.parametrize(
    ("a", "b", "meet"),
    [
        (DateSpan(None, 12, 7), DateSpan(2026, 12, 7), True),
        (DateSpan(None, 12, 7), DateSpan(2026, 12, 8), False),
        (DateSpan(2026, 12), near(7), True),
        (near(7), DateSpan(2026, 11), False),
        (near(1, 8), near(8), True),
        (near(1), near(2), False),
    ],
)
def test_two_dates_meet_when_they_may_mean_one_day(a: DateSpan, b: DateSpan, meet: bool) -> None:
    assert (a.meets(b), b.meets(a)) == (meet, meet)


def test_only_a_whole_date_is_exact() -> None:
    assert [s.exact for s in (DateSpan(2026, 12, 7), DateSpan(None, 12, 7), near(1), near(1, 8))] == [
        date(2026, 12, 7), None, date(2026, 12, 1), None,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "days"), [("in two days", 2), ("in drei Tagen", 3), ("dans deux jours", 2), ("three days from now", 3)]
)
def test_a_spelled_number_without_any_digit_is_read(text: str, days: int) -> None:
    assert spans(f"It is {text}") == [near(days)]
