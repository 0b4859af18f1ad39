"""What a sentence works out itself: products, distances, another clock's hour; and what only advises."""

from __future__ import annotations

import pytest

from .conftest import Row, verdicts_in_march

FACTS: list[Row] = [
    ("F1", "event", {"title": "Ferry to Naxos", "starts": "2026-03-05T07:00+02:00", "ends": "2026-03-05T12:15+02:00", "place": "Piraeus", "attendees": "Ada Quint"}),
    ("F2", "event", {"title": "Supplier call", "starts": "2026-03-04T16:00+09:00", "ends": "2026-03-04T16:40+09:00", "place": None}),
    ("F3", "person", {"name": "Ada Quint", "role": "Owner", "affiliation": "Quint Optics", "notes": "lives in Athens (1 hour ahead)", "channels": "phone +30 21 0555 0144"}),
    ("F4", "commitment", {"title": "Scanner lease", "due": "2026-03-10", "counterparty": "Medirent", "status": "open"}),
    ("F5", "document", {"title": "Price list", "excerpt": "A frame is EUR 42, a lens EUR 65. Rent EUR 310 per month."}),
    ("F6", "event", {"title": "Garden day", "starts": "2026-03-14T10:00+01:00", "ends": "2026-03-14T18:00+01:00"}),
    ("F7", "commitment", {"title": "Water invoice EUR 120.40", "due": "2026-02-25", "counterparty": "Alpina", "status": "open"}),
    ("F8", "habit", {"title": "Cold plunge", "frequency": "weekly", "current_streak": "4"}),
    ("F9", "event", {"title": "Broken", "starts": "2026-02-31T10:00+01:00"}),
    ("F11", "event", {"title": "Fitting", "starts": "2026-03-06T10:00+01:00", "ends": "2026-03-06T11:40+01:00"}),
    ("F12", "event", {"title": "Stock count", "starts": "2026-03-05T07:30+09:00", "ends": None}),
    ("F10", "event", {"title": "Flight", "starts": "2026-03-06T10:00+01:00", "ends": "2026-03-06T13:30-05:00"}),
]  # fmt: skip


def verdicts(text: str, message: str = "tell me", locale: str = "en") -> list[str]:
    return verdicts_in_march(FACTS, text, locale, message)


RIGHT = [
    ("The garden day is on from 10 to 6 pm [F6].", "tell me"),
    ("It runs from 10 bis 18 Uhr [F6].", "tell me"),
    ("You land at 12:15 [F1].", "tell me"),
    ("At 12:15 [F1].", "when does the ferry get in?"),
    ("Tu arrives à 12:15 [F1].", "tell me"),
    ("In your own time the call is at 8:00, that is 16:00 in Tokyo and 08:00 in Bern [F2].", "tell me"),
    ("At 23:30 your time on Wednesday, the stock count starts [F12].", "tell me"),
    ("For her that is 08:00 Athens time [F1].", "tell me"),
    ("Twelve frames come to 504 euros [F5].", "tell me"),
    ("The ferry leaves nine days before the garden day [F1].", "tell me"),
    ("Five days before that the lease is due [F4].", "when is the ferry?"),
    ("Her number starts with +30 [F3].", "tell me"),
    ("It takes eight hours [F6].", "tell me"),
    ("The fitting takes an hour and 40 minutes [F11].", "tell me"),
    ("You are in the air for nine and a half hours [F10].", "tell me"),
    ("The ferry is three days from today [F1].", "tell me"),
]


@pytest.mark.parametrize(("text", "message"), RIGHT)
def test_what_follows_from_the_sentence_itself_is_let_through(text: str, message: str) -> None:
    assert verdicts(text, message) == ["supported"], text


def test_other_languages_work_things_out_as_well() -> None:
    assert verdicts("Du kommst um 12:15 an [F1].", locale="de") == ["supported"]
    assert verdicts("Drei Linsen kosten 195 Euro [F5].", locale="de") == ["supported"]
    assert verdicts("Tre lenti costano 195 euro [F5].", locale="it") == ["supported"]
    assert verdicts("Tres lentes son 205 euros [F5].", locale="es") == ["contradicted"]


WRONG = [
    "The garden day is on from 10 to 7 pm [F6].",
    "It starts at 12:15 [F1].",
    "The call is at 9:00 your time [F2].",
    "For her that is 11:00 Athens time [F1].",
    "Twelve frames come to 540 euros [F5].",
    "The ferry leaves eight days before the garden day [F1].",
    "The ferry takes 4 hours 15 [F1].",
    "Her number starts with +39 [F3].",
    "The fitting takes an hour and 50 minutes [F11].",
    "At midnight Japan time, on Sunday, that is 09:00 in Tokyo [F2].",
    "You are in the air for 3.5 hours [F10].",
]


@pytest.mark.parametrize("text", WRONG)
def test_what_does_not_follow_is_withheld(text: str) -> None:
    assert verdicts(text) == ["contradicted"], text


ADVICE = [
    "Leave ten minutes early, garden days fill up fast.",
    "Ask the owner for 10 % off.",
    "A plant would be nice for the garden day.",
    "Better pay it within 3 days.",
    "Worth it if you take 20 of them.",
    "A cold plunge means sitting in water of roughly 10 to 15 °C for a few minutes.",
]


@pytest.mark.parametrize("text", ADVICE)
def test_advice_and_explanations_are_let_through(text: str) -> None:
    assert verdicts(text)[0] in ("talk", "supported"), text


def test_an_imperative_before_a_records_own_name_still_tells_of_it() -> None:
    assert verdicts("Note that the lease for Scanner lease is due on 12 March.") == ["contradicted"]
    assert verdicts("Plan 45 hours for Supplier call.") == ["contradicted"]


def test_a_length_of_time_names_no_record() -> None:
    assert verdicts("The scanner lease is due on 10 March [F4]. You have eight days.")[1] != "contradicted"


def test_a_day_that_no_calendar_has_is_no_time() -> None:
    assert verdicts("Broken is at 10:00 your time [F9].") == ["supported"]


def test_the_day_after_is_no_role() -> None:
    assert verdicts("Her visit is the day after [F3].") != ["contradicted"]
