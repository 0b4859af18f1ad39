"""One value or name of a true claim changed, so that it is wrong: each function yields changes of one kind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from typing import Any, cast

from gold.claims import Slot, Words, claims_of
from gold.people import MonthDay, name_parts
from gold.renderings import fits, wrong
from gold.saying import DAYS, SHOWN, Changed, Said, put, value_slots
from gold.world import World
from sayso.core.facts import Fact, Quantity


def numbers(said: Said) -> Iterator[Changed]:
    for slot in ("percent", "left", "diff", "n", "minutes", "about"):
        value = said.claim.slots.get(slot)
        if not isinstance(value, int) or slot not in value_slots(said) or said.claim.type.startswith("count_"):
            continue
        top = 600 if slot == "minutes" else 100
        near = [value + step for step in (-20, -10, -5, -3, -1, 1, 2, 4, 5, 10, 30)]
        if slot == "about":  # a rounded number is wrong only when it is far off
            near = [2 * value + 1, 3 * value, value // 3 + 1]
        swapped = int(str(value)[::-1])
        near += [swapped] if slot != "about" else []
        options = [n for n in near if 1 < n < top and n != value]
        yield put(said, "number", slot, said.chance.choice(options), *SHOWN.get(slot, (slot,)))


def contacts(said: Said) -> Iterator[Changed]:
    if phone := said.claim.slots.get("phone"):
        text = str(phone)
        at = said.chance.choice([i for i, letter in enumerate(text) if letter.isdigit() and i > 3])
        digit = said.chance.choice([d for d in "0123456789" if d != text[at]])
        yield put(said, "contact", "phone", text[:at] + digit + text[at + 1 :])
    if email := said.claim.slots.get("email"):
        name, _, host = str(email).partition("@")
        options = [f"{name}@{host.split('.')[0]}.org", f"{name[0]}.{name}@{host}", f"{name}1@{host}", f"info@{host}"]
        yield put(said, "contact", "email", said.chance.choice([o for o in options if o != email]))


def dates(said: Said) -> Iterator[Changed]:
    day, today = said.claim.slots.get("day"), said.world.now.date()
    if not said.says(*DAYS):
        return
    if isinstance(day, MonthDay):
        yield put(said, "date", "day", MonthDay(day.month, day.day % 27 + 1), "d")
    elif isinstance(day, date):
        past = day <= today
        steps = [-31, -9, -7, -2, -1, 1, 2, 3, 7, 10, 30]
        options = [day + timedelta(days=step) for step in steps]
        kept = [d for d in options if (d < today if past else d > today) or said.claim.type == "person_birthday"]
        kept = [d for d in kept if not _rounds_to(d, day, said)]
        if kept:
            yield put(said, "date", "day", said.chance.choice(kept), *DAYS, "weekday")


def _rounds_to(new: date, old: date, said: Said) -> bool:
    """Told in weeks, a day near the right one may only be rounded: "in 3 weeks" for 19 days."""
    away = abs((new - said.world.now.date()).days)
    return said.says("rel") and away >= 14 and away % 7 == 0 and abs((new - old).days) <= 4


def weekdays(said: Said) -> Iterator[Changed]:
    """Another weekday beside the right date."""
    day = said.claim.slots.get("day")
    if said.says("weekday") and isinstance(day, date):
        yield put(said, "weekday", "weekday", (day.weekday() + said.chance.choice([1, 2, 5, 6])) % 7)


def times(said: Said) -> Iterator[Changed]:
    at = said.claim.slots.get("time")
    if isinstance(at, time) and said.says("time"):
        moved = datetime.combine(date(2026, 1, 1), at) + timedelta(minutes=said.chance.choice([-60, -30, 15, 30, 120]))
        yield put(said, "time", "time", moved.time())


def states(said: Said) -> Iterator[Changed]:
    for slot in ("status", "frequency"):
        value = said.claim.slots.get(slot)
        if isinstance(value, Words):
            options = [key for key in STATES[said.claim.type] if key != value.key and (value.key, key) not in NEAR]
            yield put(said, "state", slot, Words(value.group, said.chance.choice(options)))


STATES: Mapping[str, tuple[str, ...]] = {
    "commitment_status": ("open", "overdue", "done", "cancelled"),
    "goal_status": ("behind", "on track", "done"),
    "project_status": ("active", "paused", "done"),
    "habit_frequency": ("daily", "weekly"),
}
NEAR = {("3 per week", "weekly"), ("idea", "paused"), ("idea", "active")}
"""Not told apart by every reader: a habit of three times a week is done each week too."""


def names_of_others(said: Said) -> Iterator[Changed]:
    """The sentence told of another record, or with another person in it."""
    for slot, kind in (*said.claim.subjects.items(), *_persons(said)):
        shown = SHOWN.get(slot, (slot,))
        if not said.says(*shown):
            continue
        options = [n.fact.subject for n in said.facts if n.fact.kind.name == kind]
        if said.template.cites and said.chance.random() < 0.5:
            options += [f.subject for f in _records(said.world, kind)]
        held = {str(value) for value in said.claim.slots.values()}
        kept = [o for o in options if o not in held and _unlike_name(o, held, said, slot)]
        made = [put(said, "name_other", slot, name, *shown) for name in kept]
        made = [changed for changed in made if fits(said.template, changed.claim)]
        if made:
            yield said.chance.choice(made)


def _persons(said: Said) -> list[tuple[str, str]]:
    known = {fact.subject for fact in said.world.kinds["person"]}
    named = "person" in said.claim.slots and "person" not in said.claim.subjects
    return [("person", "person")] if named and said.claim.slots["person"] in known else []


def _records(world: World, kind: str) -> tuple[Fact, ...]:
    return world.passages if kind == "passage" else world.kinds[kind]


def _unlike_name(name: str, held: set[str], said: Said, slot: str) -> bool:
    """No part of the name is the right one's, so that "Claudia" alone cannot be meant rightly."""
    if said.says("first", "last") and slot == "name" and name_parts(name) is None:
        return False
    words = {word.casefold() for other in held for word in re.findall(r"\w{3,}", other)}
    return said.claim.subjects.get(slot) not in ("person", None) or not words & {
        word.casefold() for word in re.findall(r"\w{3,}", name)
    }


def names_invented(said: Said) -> Iterator[Changed]:
    invented = cast("dict[str, list[str]]", wrong()["invented"])
    for slot, kind in (*said.claim.subjects.items(), *_persons(said)):
        shown = SHOWN.get(slot, (slot,))
        if said.says(*shown) and kind in invented:
            yield put(said, "name_invented", slot, said.chance.choice(invented[kind]), *shown)


def values_invented(said: Said) -> Iterator[Changed]:
    invented = cast("dict[str, list[str]]", wrong()["invented"])
    for slot in ("affiliation", "role", "how_met", "place"):
        if slot in value_slots(said) and not said.claim.type.startswith("count_"):
            yield put(said, "value_invented", slot, said.chance.choice(invented[slot]), *SHOWN.get(slot, (slot,)))
    if said.claim.type == "project_stack":
        yield put(said, "value_invented", "b", said.chance.choice(invented["stack"]))


def values_of_others(said: Said) -> Iterator[Changed]:
    """A value that another record of the evidence holds in the same field."""
    near = {n.fact.identity for n in said.peers}
    others = [
        c for c in claims_of(said.world.now)[said.claim.type]
        if any(fact.identity in near for fact in c.cites.values())
    ]  # fmt: skip
    slots = [s for s in value_slots(said) if s != "searched" and not said.claim.type.startswith("count_")]
    if not others or not slots or said.claim.type in ("goal_difference", "absence", "person_gap", "goal_gap"):
        return
    slot = said.chance.choice(slots)
    kept = [c.slots[slot] for c in others if slot in c.slots and _unlike(c.slots[slot], said.claim.slots[slot], said)]
    if kept:
        yield put(said, "swapped_record", slot, said.chance.choice(kept), *SHOWN.get(slot, (slot,)))


def _unlike(new: Slot, old: Slot, said: Said) -> bool:
    """Told apart by every reader: a "director" is no other word for a "managing director", nor "open" for "overdue"."""
    if isinstance(new, Words) and isinstance(old, Words):
        return new.key != old.key and new.key in STATES[said.claim.type] and (old.key, new.key) not in NEAR
    if isinstance(new, MonthDay) != isinstance(old, MonthDay):
        return False
    if isinstance(new, date) and isinstance(old, date):
        return (new.month, new.day) != (old.month, old.day) and not _rounds_to(new, old, said)
    if not (isinstance(new, str) and isinstance(old, str)):
        return new != old
    if "quote" in said.claim.slots or "phone" in said.claim.slots:
        return new != old
    return not _words(new) & _words(old)


def _words(text: str) -> set[str]:
    return {word.casefold() for word in re.findall(r"\w{4,}", text)}


def fields_swapped(said: Said) -> Iterator[Changed]:
    """The right record's value of another field."""
    held, slots = said.about.values, said.claim.slots
    options: dict[str, tuple[str, Any]] = {
        "goal_target": ("day", held.get("updated")),
        "goal_and_date": ("day", held.get("updated")),
        "habit_check_ins": ("n", _count(held.get("streak"))),
        "goal_progress": ("percent", 100 - int(str(slots.get("percent", 0)))),
        "goal_remaining": ("left", 100 - int(str(slots.get("left", 0)))),
        "person_last_interaction": ("day", _full(held.get("birthday"))),
        "person_birthday": ("day", held.get("last_interaction")),
        "event_when": ("time", _time(held.get("ends"))),
        "habit_streak": ("n", held.get("check_ins")),
        "person_met": ("how_met", _first_sentence(held.get("notes"))),
    }
    slot, value = options.get(said.claim.type, ("", None))
    if value is None or slot not in value_slots(said) or value == slots[slot] or value in (0, 100):
        return
    if said.claim.type == "person_last_interaction" and said.says("rel"):  # nobody says "19,874 days ago"
        return
    if isinstance(slots[slot], MonthDay) and isinstance(value, date):
        value = MonthDay(value.month, value.day)
    yield put(said, "swapped_field", slot, value, *SHOWN.get(slot, (slot,)))


def _count(streak: object) -> int | None:
    return int(streak.amount) if isinstance(streak, Quantity) and streak.amount > 1 else None


def _full(born: object) -> date | None:
    return date.fromisoformat(born) if isinstance(born, str) and not born.startswith("--") else None


def _time(at: object) -> time | None:
    return at.time() if isinstance(at, datetime) else None


def _first_sentence(notes: object) -> str | None:
    return notes.split(". ")[0].rstrip(".") if isinstance(notes, str) else None
