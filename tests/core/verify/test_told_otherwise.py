"""What a record says with a "not", another doer, the other way round, or no more: told as if it did not."""

from __future__ import annotations

import pytest

from .conftest import Row, verdicts_in_march

FACTS: list[Row] = [
    ("F1", "person", {"name": "Danilo Brandt", "role": "Baker", "birthday": "1990-03-20", "channels": "email danilo@brandt.example", "last_interaction": "2026-02-23"}),
    ("F2", "person", {"name": "Danila Brandt", "role": None, "birthday": "2014-03-02", "channels": "phone +49 30 5550 1177", "affiliation": None}),
    ("F3", "person", {"name": "Otis Mbeki", "affiliation": "Harbour Rentals", "role": "Driver", "birthday": None}),
    ("F4", "event", {"title": "Breakfast with Otis", "starts": "2026-03-08T09:30+01:00", "place": "Café Mole", "attendees": "Otis Mbeki", "status": "cancelled"}),
    ("F5", "document", {"title": "Clinic letter", "excerpt": "Opening 1 April, not 15 March. Meals are not reimbursed. No running before 20 July. Parking is forbidden. The check costs EUR 40 instead of EUR 55. Visits: no. No."}),
    ("F6", "document", {"title": "Minutes", "excerpt": "Present: Bess, Hugo, Wanda. Hugo collects three offers by 20 June. Wanda keeps the till."}),
    ("F7", "project", {"name": "Falcon", "description": "Old shop, replaced by Kestrel", "latest_log": "2026-02-02: handed over to Kestrel", "stack": "up to Kestrel"}),
    ("F8", "project", {"name": "Kestrel", "description": "Shop of the clinic"}),
    ("F9", "commitment", {"title": "Send forms", "due": "2026-04-01", "status": "open"}),
    ("F10", "commitment", {"title": "Dentist bill", "due": "2026-02-20", "status": "open"}),
    ("F11", "commitment", {"title": "Heating bill", "due": "2026-02-21", "status": "done"}),
    ("F12", "person", {"name": "Marcus Poe", "role": "Coach", "notes": "2026-02-26: moved practice from Monday to Wednesday"}),
    ("F13", "event", {"title": "Fair", "starts": "2026-03-03T09:30+01:00", "place": "Hall 2"}),
]  # fmt: skip


def judged(text: str, locale: str = "en", message: str = "tell me") -> list[str]:
    return verdicts_in_march(FACTS, text, locale, message)


WRONG = [
    "Danilo Brandt is a baker [F1]. His phone is +49 30 5550 1177.",
    "Otis Mbeki is a driver [F3]. He was born in 1993.",
    "Sunday: breakfast with Otis at Café Mole at 9:30 [F4].",
    "The clinic opens on 15 March [F5].",
    "The check costs EUR 55 [F5].",
    "So practice is on Monday [F12].",
    "Meals are covered as well [F5].",
    "The clinic letter is of February [F5]. Meals are reimbursed.",
    "Running is fine from 12 March on [F5].",
    "Wanda collects three offers by 20 June [F6].",
    "Falcon replaced Kestrel.",
    "Kestrel was handed over to Falcon in February.",
    "Send forms has slipped [F9].",
    "The heating bill is open as well [F11].",
    "Danilo turns 35 soon [F1].",
    "Danila is already 13 [F2].",
    "Otis Mbeki is with Brandt Bakery [F3].",
    "Danila is with Harbour Rentals [F2].",
    "You spoke with Danilo yesterday [F1].",
    "The fair takes place today [F13].",
    "Er ist dort Geschäftsführer [F3].",
]


@pytest.mark.parametrize("text", WRONG)
def test_what_the_record_says_otherwise_is_withheld(text: str) -> None:
    assert judged(text)[-1] == "contradicted", text


RIGHT = [
    "Danila Brandt has her birthday today [F2]. Her phone is +49 30 5550 1177.",
    "Breakfast with Otis on Sunday at 9:30 is off [F4].",
    "It would have been at 9:30 [F4].",
    "The clinic opens on 1 April rather than 15 March [F5].",
    "The check costs EUR 40 [F5].",
    "Practice moved from Monday to Wednesday [F12].",
    "Practice is on Wednesday [F12].",
    "Meals are not covered [F5].",
    "Running is fine from 20 July on [F5].",
    "Parking is forbidden [F5].",
    "Hugo collects three offers by 20 June [F6].",
    "Kestrel replaced Falcon.",
    "Falcon was replaced by Kestrel.",
    "Falcon was handed over to Kestrel in February.",
    "The dentist bill has slipped [F10].",
    "The heating bill is done [F11].",
    "Danilo turns 36 soon [F1].",
    "Danila turned 12 [F2].",
    "Danila is already 12 [F2].",
    "Danilo will be 36 on 20 March [F1].",
    "You spoke with Danilo a week ago [F1].",
    "The fair takes place tomorrow [F13].",
    "Bess and Hugo were present [F6].",
]


@pytest.mark.parametrize("text", RIGHT)
def test_what_the_record_says_is_let_through(text: str) -> None:
    assert "contradicted" not in judged(text), text


OTHERS = [
    ("de", "Das Frühstück mit Otis ist am Sonntag um 9:30 [F4].", "contradicted"),
    ("de", "Das Frühstück mit Otis am Sonntag um 9:30 fällt aus [F4].", "supported"),
    ("de", "Danilo wird 35 [F1].", "contradicted"),
    ("fr", "Danilo aura 36 ans [F1].", "supported"),
    ("it", "Danilo compie 35 anni [F1].", "contradicted"),
    ("es", "Danilo cumple 36 años [F1].", "supported"),
]


@pytest.mark.parametrize(("locale", "text", "verdict"), OTHERS)
def test_it_is_so_in_other_languages(locale: str, text: str, verdict: str) -> None:
    assert judged(text, locale) == [verdict], text
