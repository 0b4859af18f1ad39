""" "What did I write on Saturday?", "was ist gestern passiert?": put as a question for the notes of that day."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from sayso.models.quote.days import read_days

_DAY = r"(?:on |am )?(?P<{name}>[^?!]{{3,30}}?)"
_ASKS = re.compile(
    r"^\W*(?:what (?:did i (?:write|note)(?: down)?|have i written|happened) " + _DAY.format(name="en") + r"|"
    r"was (?:habe? ich|ist) " + _DAY.format(name="de") + r" (?:geschrieben|notiert|passiert|geschehen))\W*$",
    re.IGNORECASE,
)


def notes_of_day(text: str, now: datetime) -> str:
    """The question for that day's notes, with the day as they are titled; any other text as it is.

    A weekday or a day of the year is the last one: what is to come was not written about yet.
    """
    match = _ASKS.match(text)
    told = (match.group("en") or match.group("de")) if match else ""
    on = read_days(told, now) if told else None
    if (
        on is None
        or not on.single
        or (on.dates[0].month, on.dates[0].day) == (2, 29)
        or len(on.place) < len(told.strip()) - 3
    ):
        return text
    day = on.dates[0]
    if on.first > 0 and not re.search(r"\d{4}", told):
        day = (
            day - timedelta(days=7) if on.first <= 7 and not re.search(r"\d", told) else day.replace(year=day.year - 1)
        )
    return f"documents of {day.isoformat()}" if match and match.group("en") else f"Dokumente vom {day.isoformat()}"
