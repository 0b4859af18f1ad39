"""Records of a workspace and answers about them, of any size, for measuring time; no rule was tuned on any of them.

Everything comes from a number, so that two runs measure the same texts; about one sentence in six is false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import count

from bench.people import firm_of, name_of, phone_of
from sayso.core.evidence import Evidence
from sayso.core.facts import Fact, FactKind, Quantity, Value, lookup_fact
from sayso.workspace.kinds import COMMITMENT, EVENT, GOAL, PERSON

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
ROLES = ("designer", "head of research", "accountant", "programme lead", "engineer", "lawyer", "surgeon")
THINGS = ("budget", "contract", "slides", "invoice", "report", "survey", "draft", "photographs", "licence")
DEEDS = ("Send", "Review", "Sign", "Return", "Translate", "Print")
GATHERINGS = ("review", "workshop", "board meeting", "interview", "lunch", "rehearsal")
A_SET = 5  # records told of each person: the person, two commitments, an event, a goal


def evidence_of(size: int, first: int = 0) -> Evidence:
    """`size` facts, one of them a look-up; `first` is the number of the first person."""
    evidence = Evidence()
    people = -(-size // A_SET)
    made = (fact for number in range(first, first + people) for fact in about(number))
    evidence.add_all(fact for fact, _ in zip(made, range(size - 1), strict=False))
    evidence.add(
        lookup_fact(
            "search_people", '"all"', covers="person", matched=people, searched=people, as_of=NOW, key=f"l{first}"
        )
    )
    return evidence


def about(number: int) -> Iterator[Fact]:
    """What the workspace holds of one person, and around them."""
    name = name_of(number)

    def own(kind: FactKind, mark: str, **values: Value) -> Fact:
        return kind.fact(values, source=kind.name, key=f"{number}{mark}", as_of=NOW)

    yield own(PERSON, "", name=name, affiliation=firm_of(name), role=role_of(number), channels=(phone_of(name),))
    yield own(COMMITMENT, "a", title=task_of(number), due=due_of(number), counterparty=name, status="open")
    yield own(EVENT, "b", title=f"{firm_of(name)} {GATHERINGS[number % 6]}", starts=start_of(number), attendees=(name,))
    yield own(
        GOAL, "c", title=f"Win {firm_of(name)}", progress=Quantity(number * 7 % 100, "%"), target_date=due_of(number)
    )
    yield own(COMMITMENT, "d", title=task_of(number + 4), due=due_of(number + 9), counterparty=name, status="done")


def role_of(number: int) -> str:
    return ROLES[number % len(ROLES)]


def task_of(number: int) -> str:
    return f"{DEEDS[number % len(DEEDS)]} the {THINGS[number % len(THINGS)]} of {name_of(number * 31 + 5).split()[1]}"


def due_of(number: int) -> date:
    return date(2026, 12, 1) + timedelta(days=number * 13 % 200)


def start_of(number: int) -> datetime:
    return datetime(2026, 12, 1, 8 + number % 9, 15 * (number % 4), tzinfo=UTC) + timedelta(days=number * 11 % 90)


def _day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


_SAYINGS: tuple[Callable[[int, str], str], ...] = (
    lambda n, who: f"{who} is {role_of(n)} at {firm_of(who)}.",
    lambda n, who: f'The commitment "{task_of(n)}" is due on {_day(due_of(n))} and still open.',
    lambda n, who: f"You can reach {who} at {phone_of(who)}.",
    lambda n, who: f"The {firm_of(who)} {GATHERINGS[n % 6]} starts on {_day(start_of(n))} at {start_of(n):%H:%M}.",
    lambda n, who: f'The goal "Win {firm_of(who)}" stands at {n * 7 % 100}%, and its target date is {_day(due_of(n))}.',
    lambda n, who: f"{who} works for {firm_of(name_of(n + 1))} and was born in 1981.",
    lambda n, who: f"I found no birthday of {who}, so tell me if you would like to add one.",
    lambda n, who: f"Write to them before {_day(due_of(n))}, since that is when it is due.",
)


def sentences_of(people: int, first: int = 0) -> Iterator[str]:
    """Without end: a saying of each person in turn, then the next one of each."""
    for turn in count():
        for place in range(people):
            number = first + place
            yield _SAYINGS[(turn + place) % len(_SAYINGS)](number, name_of(number))


def answer_of(words: int, facts: int, first: int = 0) -> str:
    """An answer of exactly so many words about so many facts."""
    told: list[str] = []
    for sentence in sentences_of(max(1, (facts - 1) // A_SET), first):
        if len(told) >= words:
            break
        told += sentence.split()
    return " ".join(told[:words])
