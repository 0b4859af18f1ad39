"""What is told of a person's record beside its fields: the parts of a name, channels, what is missing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from sayso.core.facts import Fact


@dataclass(frozen=True, slots=True)
class MonthDay:
    """A birthday without a year."""

    month: int
    day: int


def name_parts(name: str) -> tuple[str, str] | None:
    """First and last name; None where they are not told apart."""
    words = [word for word in name.split() if word != "Dr."]
    if len(words) < 2:
        return None
    if words[1] == "Ángel":
        return " ".join(words[:2]), words[2]
    return words[0], " ".join(words[1:])


def channels(fact: Fact) -> list[tuple[str, str]]:
    """Kind and address of each way to reach a person."""
    listed = fact.values.get("channels", ())
    assert isinstance(listed, tuple)
    return [(kind, value.split(" (")[0]) for kind, _, value in (item.partition(" ") for item in listed)]


def person_gaps(fact: Fact) -> list[str]:
    """Labels of what is not recorded; an e-mail address and a number are gaps of their own."""
    kinds = {kind for kind, _ in channels(fact)}
    told = [gap for gap in ("role", "affiliation", "birthday", "how_met", "last_interaction") if gap in fact.gaps]
    told += ["email"] if "email" not in kinds else []
    return told + (["phone"] if kinds <= {"email"} else [])


def birthday(stored: str) -> date | MonthDay:
    if stored.startswith("--"):
        return MonthDay(int(stored[2:4]), int(stored[5:7]))
    return date.fromisoformat(stored)
