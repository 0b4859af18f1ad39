"""The days that a question names, from a Monday; and that a name with a day in it stays one."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from sayso.models.quote.days import read_days

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=ZoneInfo("Europe/Zurich"))

SPANS = {
    "what is on today": (0, 0), "tonight": (0, 0), "morgen": (1, 1), "übermorgen": (2, 2), "yesterday": (-1, -1),
    "on friday": (4, 4), "am Freitag": (4, 4), "on monday": (7, 7), "next friday": (11, 11), "nächsten Freitag": (11, 11),
    "last friday": (-3, -3), "freitags": (4, 4), "this week": (0, 7), "diese Woche": (0, 7), "next week": (7, 13),
    "nächste Woche": (7, 13), "in der kommenden Woche": (7, 13), "last week": (-7, -1), "at the weekend": (5, 6),
    "am Wochenende": (5, 6), "next weekend": (12, 13), "next month": (1, 31), "letzten Monat": (-60, -30),
    "in the next 10 days": (0, 10), "in zwei Wochen": (0, 14), "in den nächsten drei Tagen": (0, 3),
    "on 4 December": (4, 4), "am 4.12.": (4, 4), "2026-12-08": (8, 8),
    "on the 8th": (8, 8), "am 3.": (3, 3), "on the 30th": (0, 0), "on the 31st": (31, 31),
}  # fmt: skip


@pytest.mark.parametrize("text", SPANS)
def test_days_are_read(text: str) -> None:
    found = read_days(text, NOW)
    assert found is not None
    assert (found.first, found.last) == SPANS[text]


@pytest.mark.parametrize(
    "text",
    ["weekly review", "who is Elena", "31.2.", "on the 99th", "on the 2nd floor", "2026-13-40", "the last mondayish"],
)
def test_what_names_no_day_is_none(text: str) -> None:
    assert read_days(text, NOW) is None


@pytest.mark.parametrize("now", [NOW.replace(month=12, day=5), NOW.replace(month=12, day=6)])
def test_on_a_weekend_its_rest_is_meant(now: datetime) -> None:
    found = read_days("this weekend", now)
    assert found is not None
    assert found.dates == (now.date(), datetime(2026, 12, 6).date())


def test_a_look_up_without_days_is_narrowed_to_them(conversation: Any) -> None:
    assert conversation.ask("what is on tomorrow") == "- Dentist: starts 1 December 2026 at 10:00, place Bern [F3]"


def test_nothing_on_that_day_is_said(conversation: Any) -> None:
    answer = "Nothing was found for 6 December 2026 among your 3 commitments [F4]."
    assert conversation.ask("what is on sunday") == answer
