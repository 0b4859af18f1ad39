"""How old somebody is, and how old they turn: worked out from a day of birth and the clock."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from sayso.core.verify.holding import years_between
from sayso.core.verify.index import Entry
from sayso.core.verify.language.granting import IS_OLD, TURNS
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.sentence import Checked, Sentence, wrong
from sayso.core.verify.values import Value, ValueKind

_CHILD = 2  # years from which a day is one of birth


def check_ages(s: Sentence) -> Iterator[Checked]:
    """ "He turns 42", "already 12": by the next birthday, and by the clock, of the one person who is told of."""
    person = s.bound.alone
    numbers = [v for v in s.values if v.kind is ValueKind.NUMBER or (v.kind, v.unit) == (ValueKind.DURATION, "year")]
    if person is None or len(numbers) != 1 or numbers[0].approx or s.advice or s.denies:
        return
    turns, old = _told(s, numbers[0])
    born = _born(person, s.setting.now.date()) if turns or old else None
    if born is None:
        return
    age = years_between(born, s.setting.now.date())
    birthday = (born.month, born.day) == (s.setting.now.month, s.setting.now.day)
    fitting = {age + 1, age} if turns and (birthday or s.folded.find("turned") >= 0) else {age + 1} if turns else {age}
    if numbers[0].numbers.isdisjoint(fitting):
        why = f"{person.ref} is {age} and turns {age + 1} next"
        yield wrong(s, ViolationKind.WRONG_VALUE, numbers[0].start, numbers[0].end, why, person)


def _told(s: Sentence, v: Value) -> tuple[bool, bool]:
    """Whether the number is told as the age that the next birthday brings, or as the age now."""
    before = s.folded[max(0, v.start - 24) : v.start]
    return TURNS.search(before) is not None, IS_OLD.search(before) is not None


def _born(person: Entry, today: date) -> date | None:
    """The one full date of a person that lies years back."""
    fields = [f for f in person.fields.values() if f.declared.name == "birthday"] or person.fields.values()
    spans = (v.span for f in fields for v in f.values if v.kind is ValueKind.DATE)
    days = {d for span in spans if span and (d := span.exact) and today.year - d.year >= _CHILD}
    return days.pop() if len(days) == 1 else None
