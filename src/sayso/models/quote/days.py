"""The days that a question names: one ("on Friday", "übermorgen") or some ("next week"), as offsets from today.

It reads no clock; where a week starts, the look-up knows that takes "next week" itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sayso.models.quote.moments import NUMBERS, find_day, number_of

_NEXT = r"(?:next|following|coming|n(?:ä|ae)chste[nrs]?|kommende[nrs]?|folgende[nrs]?)"
_LAST = r"(?:last|past|previous|letzte[nrs]?|vergangene[nrs]?|vorige[nrs]?)"
_LEAD = (
    r"(?:(?:in|for|during|over|within|on|at|am|im|innert|f(?:ü|ue)rs?|(?:ü|ue)bers?) )?"
    r"(?:(?:the|this|die|diese[rnsm]?|der|den|dem) )?"
)
_WORDS = re.compile(
    rf"\b(?:(?:in|within|innert)(?: the| den)?(?: {_NEXT})?|{_NEXT}) (?P<count>{NUMBERS}) "
    r"(?P<unit>days?|weeks?|tagen?|tage|wochen?)\b"
    rf"|\b{_LEAD}(?:(?P<next>{_NEXT})|(?P<last>{_LAST})) (?P<what>week|month|weekend|woche|monat|wochenende)\b(?!-)"
    rf"|\b{_LEAD}(?P<this>weekend|week|month|wochenende|woche|monat)\b(?!-)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Days:
    """From the first to the last day, counted from `today`; `place` is where the question says so.

    `exact`: written out as a date, which may also be the name of a note. `week`: a whole week after this
    one, which starts as the person's weeks do.
    """

    today: date
    first: int
    last: int
    place: range
    exact: bool = False
    week: bool = False

    @property
    def single(self) -> bool:
        return self.first == self.last

    @property
    def dates(self) -> tuple[date, date]:
        return self.today + timedelta(days=self.first), self.today + timedelta(days=self.last)

    def hold(self, value: object, now: datetime) -> bool:
        """Whether a day or a moment is among them, in the person's zone."""
        if isinstance(value, datetime):
            value = (value.astimezone(now.tzinfo) if value.tzinfo and now.tzinfo else value).date()
        first, last = self.dates
        # Weeks may start a day earlier than Monday.
        return isinstance(value, date) and first - timedelta(days=self.week) <= value <= last

    def written(self) -> str:
        """As the argument of a look-up that takes a day or a week: ISO, or "next week"."""
        first, last = self.dates
        if self.week:
            return "next week" if self.first > 0 else "last week"
        return first.isoformat() if self.single else f"{first.isoformat()}/{last.isoformat()}"


def read_days(text: str, now: datetime) -> Days | None:
    """The first day or days that a text names, or None."""
    today = now.date()
    if match := _WORDS.search(text):
        return _some(match, today)
    if day := find_day(text, today):
        first = (day.day - today).days
        return Days(today, first, first, day.place, exact=day.exact)
    return None


def _some(match: re.Match[str], today: date) -> Days:
    place = range(*match.span())
    if count := match.group("count"):
        size = 7 if match.group("unit").lower().startswith("w") else 1
        return Days(today, 0, number_of(count) * size, place)
    what, sign = (match.group("what") or match.group("this")).lower(), 0
    if match.group("what"):
        sign = 1 if match.group("next") else -1
    if what.endswith(("end", "ende")):
        first = 7 * sign + 5 - today.weekday()
        return Days(today, first if sign else max(0, first), first + 1, place)
    if not sign:
        return Days(today, 0, 31 if what.startswith("mon") else 7, place)
    return _month(sign, today, place) if what.startswith("mon") else _week(sign, today, place)


def _week(sign: int, today: date, place: range) -> Days:
    first = 7 * sign - today.weekday()
    return Days(today, first, first + 6, place, week=True)


def _month(sign: int, today: date, place: range) -> Days:
    """All of the next or of the last month."""
    own = today.replace(day=1)
    first = ((own + timedelta(days=32)) if sign > 0 else own - timedelta(days=1)).replace(day=1)
    after = (first + timedelta(days=32)).replace(day=1)
    return Days(today, (first - today).days, (after - today).days - 1, place)
