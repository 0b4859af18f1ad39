"""True sentences about every record of the sample, in many wordings, and false ones made from them by one change.

No true one may be withheld or marked; of the false ones a measured share must be caught (the share is a floor, not a goal).
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from sayso.core.evidence import Evidence
from sayso.core.facts import Fact, Quantity
from sayso.core.verify import Setting, Verifier
from sayso.core.verify.report import Verdict
from sayso.workspace.facts import fact_of
from sayso.workspace.records import DocumentRecord
from sayso.workspace.repository import Stored
from sayso.workspace.sample import sample_records

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
MONATE = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
]
FACTS = [
    fact_of(Stored(f"r{i}", 1, record, NOW, NOW), NOW)
    for i, record in enumerate(sample_records(NOW.date(), ZoneInfo("Europe/Zurich")))
    if not isinstance(record, DocumentRecord)
]
Said = tuple[str, str]  # language, sentence


def days(day: date) -> Iterator[str]:
    month = MONTHS[day.month - 1]
    yield from (
        f"{day.day} {month} {day.year}",
        f"{month} {day.day}, {day.year}",
        f"{day.day} {month}",
        day.isoformat(),
    )


def tage(day: date) -> Iterator[str]:
    yield from (f"{day.day}. {MONATE[day.month - 1]} {day.year}", f"{day.day}.{day.month}.{day.year}")


def of_person(name: str, v: dict[str, Any]) -> Iterator[Said]:
    if at := v.get("affiliation"):
        yield from (
            ("en", f"{name} works at {at}."),
            ("en", f"{name} is with {at}."),
            ("de", f"{name} arbeitet bei {at}."),
        )
    if role := v.get("role"):
        small = role if role[1:2].isupper() else role[:1].lower() + role[1:]
        yield from (
            ("en", f"{name} is {'an' if small[0] in 'aeiou' else 'a'} {small}."),
            ("en", f"{name}'s role is {role}."),
        )
        yield from (
            ("de", f"{name} arbeitet als {role}."),
            ("en", f"{name}: {role} at {at}." if at else f"Role: {role}."),
        )
    for channel in v.get("channels", ()):
        kind, _, address = channel.partition(" ")
        address = address.split(" (")[0]
        if kind in ("phone", "whatsapp"):
            yield from (("en", f"You can reach {name} on {address}."), ("de", f"Die Nummer von {name} ist {address}."))
            yield "en", f"{name}'s number is {address.replace(' ', '')}."
        if kind == "email":
            yield "en", f"{name}'s e-mail address is {address}."
    if last := v.get("last_interaction"):
        yield from (("en", f"You last spoke with {name} on {day}.") for day in days(last))
        yield "en", f"Your last contact with {name} was {(NOW.date() - last).days} days ago."


def of_commitment(name: str, v: dict[str, Any]) -> Iterator[Said]:
    if due := v.get("due"):
        yield from (("en", f'"{name}" is due on {day}.') for day in days(due))
        yield from (("de", f"{name} ist am {day} fällig.") for day in tage(due))
    if who := v.get("counterparty"):
        yield "en", f"{name} is for {who}."
    told = {"open": ("open", "offen"), "overdue": ("overdue", "überfällig"), "done": ("done", "erledigt")}
    if v.get("status") in told:
        english, german = told[v["status"]]
        yield from (("en", f"{name} is {english}."), ("de", f"{name} ist {german}."))


def of_goal(name: str, v: dict[str, Any]) -> Iterator[Said]:
    if progress := v.get("progress"):
        share = progress.amount
        yield from (("en", f"{name} is {share}% done."), ("en", f"Progress on {name}: {share} percent."))
        yield from (("de", f"{name}: {share} % erreicht."), ("en", f"{100 - share}% of {name} is left."))
    if target := v.get("target_date"):
        yield from (("en", f"{name} has a target date of {day}.") for day in days(target))
    if "status" in v:
        yield "en", f"{name} is {v['status']}."
    if "parent" in v:
        yield "en", f"{name} is part of {v['parent']}."


def of_event(name: str, v: dict[str, Any]) -> Iterator[Said]:
    starts, ends = v["starts"], v.get("ends")
    if not isinstance(starts, datetime):
        return
    yield from (("en", f"{name} starts on {day} at {starts:%H:%M}.") for day in days(starts.date()))
    yield "en", f"{name} is on {starts:%A}, {starts.day} {MONTHS[starts.month - 1]}."
    if isinstance(ends, datetime):
        yield "en", f"{name} lasts {int((ends - starts).total_seconds() // 60)} minutes."
    if "attendees" in v:
        yield "en", f"{name} is with {' and '.join(v['attendees'])}."


def of_habit(name: str, v: dict[str, Any]) -> Iterator[Said]:
    if "streak" in v:
        yield "en", f"Your {name} streak is {v['streak']}."
    if "check_ins" in v:
        yield "en", f"You checked in {v['check_ins']} times on {name} in the last 30 days."
    if "frequency" in v:
        yield "en", f"{name} is a {v['frequency']} habit."


def of_project(name: str, v: dict[str, Any]) -> Iterator[Said]:
    if "status" in v:
        yield from (("en", f"{name} is {v['status']}."), ("en", f"The status of {name} is {v['status']}."))
    if "stack" in v:
        yield "en", f"{name} is built with {', '.join(v['stack'])}."


WORDINGS = {"person": of_person, "commitment": of_commitment, "goal": of_goal, "event": of_event, "habit": of_habit,
            "project": of_project}  # fmt: skip


def said_of(fact: Fact, ref: str, chance: random.Random) -> list[Said]:
    cite = chance.choice(["", f" [{ref}]"])
    return [(lang, f"{text[:-1]}{cite}.") for lang, text in WORDINGS[fact.kind.name](fact.subject, dict(fact.values))]


def changed(fact: Fact, chance: random.Random) -> Fact | None:
    """The same record with one value changed: another day, digit or number, or a peer's word."""
    skipped = {
        fact.kind.subject,
        "notes",
        "description",
        "log",
        "updated",
        "how_met",
        "birthday",
        "place",
        "last_check_in",
    }
    names = [n for n in fact.values if n not in skipped]
    if not names:
        return None
    name = chance.choice(names)
    new = other_value(fact, name, chance)
    return dataclasses.replace(fact, values=MappingProxyType({**fact.values, name: new})) if new is not None else None


def other_value(fact: Fact, name: str, chance: random.Random) -> Any:
    old = fact.values[name]
    if isinstance(old, date):  # a moment is one too
        return old + timedelta(days=chance.choice([1, 2, 9]))
    if isinstance(old, Quantity):
        return Quantity(old.amount + chance.choice([3, 7, 11]), old.unit)
    if isinstance(old, int):
        return old + chance.choice([1, 3, 5])
    alike = {"open", "overdue", old} if old in ("open", "overdue") else {old}  # what is overdue is open too
    values = [f.values[name] for f in FACTS if f.kind.name == fact.kind.name and name in f.values]
    peers = [value for value in values if value not in alike]
    return chance.choice(peers) if peers else None


def worlds(chance: random.Random, count: int) -> Iterator[Evidence]:
    for _ in range(count):
        kind = chance.choice(FACTS).kind.name
        pool = FACTS if chance.random() < 0.5 else [f for f in FACTS if f.kind.name == kind]
        evidence = Evidence()
        evidence.add_all(chance.sample(pool, min(chance.randint(1, 6), len(pool))))
        yield evidence


@pytest.mark.parametrize("seed", [1, 2])
def test_no_true_sentence_is_withheld_or_marked(seed: int) -> None:
    chance = random.Random(seed)
    for evidence in worlds(chance, 120):
        for numbered in evidence.current():
            told = said_of(numbered.fact, numbered.ref, chance)
            for lang, text in chance.sample(told, min(3, len(told))):
                report = Verifier(evidence, Setting(NOW, lang, "tell me")).report(text)
                assert report.clean, (text, report.violations)


def test_most_false_sentences_are_caught() -> None:
    chance, caught, tried = random.Random(7), 0, 0
    for evidence in worlds(chance, 250):
        for numbered in evidence.current():
            fact = changed(numbered.fact, chance)
            if fact is None:
                continue
            true = {t for _, t in WORDINGS[fact.kind.name](fact.subject, dict(numbered.fact.values))}
            told = [(lang, t) for lang, t in WORDINGS[fact.kind.name](fact.subject, dict(fact.values)) if t not in true]
            for lang, text in chance.sample(told, min(2, len(told))):
                report = Verifier(evidence, Setting(NOW, lang, "tell me")).report(f"{text[:-1]} [{numbered.ref}].")
                tried += 1
                caught += any(s.verdict is Verdict.CONTRADICTED for s in report.sentences)
    assert tried > 700
    assert caught / tried > 0.95, f"{caught} of {tried}"
