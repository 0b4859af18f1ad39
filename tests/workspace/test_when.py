"""Dates as people write them, at Wednesday 2 December 2026, 9:30 in Zurich."""

from datetime import date, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.workspace.dates import When, parse_when

D = date


@pytest.mark.parametrize(
    ("text", "day", "clock"),
    [
        ("2026-12-24", D(2026, 12, 24), None),
        ("2026-12-24T15:30", D(2026, 12, 24), time(15, 30)),
        ("2026-12-24T14:30Z", D(2026, 12, 24), time(15, 30)),
        ("Friday", D(2026, 12, 4), None),
        ("on Friday", D(2026, 12, 4), None),
        ("Wednesday", D(2026, 12, 9), None),
        ("next Friday", D(2026, 12, 11), None),
        ("next tuesday 15:00", D(2026, 12, 8), time(15)),
        ("nächsten Dienstag", D(2026, 12, 8), None),
        ("tomorrow", D(2026, 12, 3), None),
        ("tomorrow at 3pm", D(2026, 12, 3), time(15)),
        ("tomorrow morning", D(2026, 12, 3), time(9)),
        ("morgen um 15 Uhr", D(2026, 12, 3), time(15)),
        ("morgen um 15.30 Uhr", D(2026, 12, 3), time(15, 30)),
        ("morgen", D(2026, 12, 3), None),
        ("heute Abend", D(2026, 12, 2), time(18)),
        ("tonight", D(2026, 12, 2), time(20)),
        ("übermorgen", D(2026, 12, 4), None),
        ("the day after tomorrow", D(2026, 12, 4), None),
        ("in 3 days", D(2026, 12, 5), None),
        ("in zwei Wochen", D(2026, 12, 16), None),
        ("in a month", D(2027, 1, 2), None),
        ("end of month", D(2026, 12, 31), None),
        ("by the end of the month", D(2026, 12, 31), None),
        ("Ende nächsten Monats", D(2027, 1, 31), None),
        ("end of the week", D(2026, 12, 4), None),
        ("first monday of january", D(2027, 1, 4), None),
        ("half past four on thursday", D(2026, 12, 3), time(16, 30)),
        ("Donnerstag halb drei", D(2026, 12, 3), time(14, 30)),
        ("24.12.", D(2026, 12, 24), None),
        ("24.12.2027 um 18 Uhr", D(2027, 12, 24), time(18)),
        ("24 December", D(2026, 12, 24), None),
        ("3. März", D(2027, 3, 3), None),
        ("March 3", D(2027, 3, 3), None),
        ("Friday 4 December at 10:00", D(2026, 12, 4), time(10)),
        ("at 8", D(2026, 12, 3), time(8)),
        ("15:00", D(2026, 12, 2), time(15)),
        ("next week", D(2026, 12, 7), None),
    ],
)
def test_phrases_mean_a_day_and_a_time(text, day, clock, now):
    assert parse_when(text, now) == When(day, clock)


@pytest.mark.parametrize("text", ["", "soon", "05/06", "whenever you like", "31.02.2027", "25:99"])
def test_what_is_not_clear_is_not_guessed(text, now):
    assert parse_when(text, now) is None


@given(st.text(alphabet="0123456789 .:/abcdefimnorstuwy-", max_size=3) | st.text(max_size=3))
def test_any_text_is_survived(text):
    from datetime import UTC, datetime

    parse_when(text, datetime(2026, 12, 2, tzinfo=UTC))
