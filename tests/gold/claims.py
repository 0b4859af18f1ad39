"""Every true claim that the sample holds, by statement type: its slots' values and the facts that carry it.

It reads records and asks tools; it knows no language. Claims whose truth a reader could doubt are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from functools import cache
from itertools import combinations
from typing import Any, TypeGuard

from gold.people import MonthDay, birthday, channels, name_parts, person_gaps
from gold.world import SENT, Call, World, call, receipt_of
from sayso.core.facts import Fact, Quantity
from sayso.core.proposals import Change, Target


@dataclass(frozen=True, slots=True)
class Words:
    """A stored word that each language words in its own way: a group of `languages.toml` and its key."""

    group: str
    key: str


Slot = str | int | date | MonthDay | time | Words


@dataclass(frozen=True, slots=True)
class Claim:
    """`cites`: the facts that the slots {ref}, {ref_a} ... cite. `calls`: the reads that may have found them.

    `subjects`: the slots that name records, with their kind. `units`: what {n} counts, where it counts time.
    """

    type: str
    slots: Mapping[str, Slot]
    cites: Mapping[str, Fact]
    calls: tuple[Call, ...]
    subjects: Mapping[str, str] = field(default_factory=dict[str, str])
    extra: tuple[Fact, ...] = ()
    units: str = ""

    @property
    def key(self) -> tuple[str, frozenset[tuple[str, Slot]]]:
        return self.type, frozenset(self.slots.items())

    def with_slots(self, **changed: Slot) -> Claim:
        return replace(self, slots={**self.slots, **changed})


@cache
def claims_of(now: datetime) -> dict[str, tuple[Claim, ...]]:
    from gold.world import world_at  # the world is made once for all that ask

    world = world_at(now)
    found: dict[str, list[Claim]] = {}
    for claim in (*_people(world), *_goals(world), *_habits(world), *_plans(world), *_others(world)):
        found.setdefault(claim.type, []).append(claim)
    return {name: tuple(claims) for name, claims in found.items()}


@cache
def true_keys(now: datetime) -> frozenset[Any]:
    return frozenset(claim.key for claims in claims_of(now).values() for claim in claims)


def _people(world: World) -> Iterator[Claim]:
    for fact in world.kinds["person"]:
        yield from _person(world, fact)
    by_firm: dict[str, list[Fact]] = {}
    for fact in world.kinds["person"]:
        if firm := fact.values.get("affiliation"):
            by_firm.setdefault(str(firm), []).append(fact)
    yield from _at_two(world, by_firm)
    for firm, members in by_firm.items():
        asked = call("search_people", query=firm)
        shown = {fact.identity for fact in world.found(asked)}
        for a, b in list(combinations([m for m in members if m.identity in shown], 2))[:15]:
            slots: dict[str, Slot] = {"a": a.subject, "b": b.subject, "affiliation": firm}
            cites = {"ref_a": a, "ref_b": b}
            yield Claim("two_people_same_affiliation", slots, cites, (asked,), {"a": "person", "b": "person"})
        looked = world.lookup(asked)
        if len(members) > 1 and looked.values["matched"] == len(members):
            slots = {"affiliation": firm, "n": len(members)}
            yield Claim("count_people", slots, {"ref": looked}, (asked,))


def _at_two(world: World, by_firm: Mapping[str, list[Fact]]) -> Iterator[Claim]:
    """How many people there are at two firms: a sum of what two lookups counted."""
    looked = {firm: world.lookup(call("search_people", query=firm)) for firm in by_firm}
    known = [firm for firm, members in by_firm.items() if 1 < len(members) == looked[firm].values["matched"]]
    for a, b in list(combinations(known, 2))[:8]:
        slots: dict[str, Slot] = {"a": a, "b": b, "n": len(by_firm[a]) + len(by_firm[b])}
        cites = {"ref_a": looked[a], "ref_b": looked[b]}
        yield Claim("count_at_two", slots, cites, (call("search_people", query=a), call("search_people", query=b)))


def _person(world: World, fact: Fact) -> Iterator[Claim]:
    held, name = fact.values, fact.subject
    parts = name_parts(name)
    calls = [call("search_people", query=name)]
    calls += [call("search_people", query=parts[0])] if parts else []
    calls += [call("search_people", query=str(held["affiliation"]))] if "affiliation" in held else []

    def of(type: str, **slots: Slot) -> Claim:
        told: dict[str, Slot] = {"name": name, **slots}
        return Claim(type, told, {"ref": fact}, tuple(calls), {"name": "person"})

    for type_, fields in (
        ("person_affiliation", ("affiliation",)), ("person_role", ("role",)), ("person_met", ("how_met",)),
        ("person_role_affiliation", ("role", "affiliation")),
    ):  # fmt: skip
        if all(f in held for f in fields):
            yield of(type_, **{f: str(held[f]) for f in fields})
    for kind, address in channels(fact):
        if kind == "email":
            yield of("person_email", email=address)
            if "role" in held and "affiliation" in held:
                yield of("person_full", role=str(held["role"]), affiliation=str(held["affiliation"]), email=address)
        elif kind in ("phone", "whatsapp", "signal"):
            yield of("person_phone", phone=address)
    if born := held.get("birthday"):
        yield of("person_birthday", day=birthday(str(born)))
    if isinstance(last := held.get("last_interaction"), date):
        yield of("person_last_interaction", day=last)
        weeks, over = divmod((world.now.date() - last).days, 7)
        if weeks >= 3 and over in (0, 1):
            yield replace(of("person_weeks_ago", about=weeks), units="weeks")
    for gap in person_gaps(fact):
        yield of("person_gap", field=Words("field", gap))


def _goals(world: World) -> Iterator[Claim]:
    goals = world.kinds["goal"]
    for fact in goals:
        yield from _goal(world, fact)
    with_progress = [(f, _amount(f, "progress")) for f in goals if "progress" in f.values]
    for a, high in with_progress:
        for b, low in with_progress:
            if high - low > 4:
                slots: dict[str, Slot] = {"a": a.subject, "b": b.subject, "diff": high - low}
                cites = {"ref_a": a, "ref_b": b}
                calls = (call("list_goals"),)
                yield Claim("goal_difference", slots, cites, calls, {"a": "goal", "b": "goal"})
    asked = call("list_goals")
    yield Claim("count_goals", {"n": len(goals)}, {"ref": world.lookup(asked)}, (asked,))
    late = call("list_goals", status="behind")
    looked = world.lookup(late)
    yield Claim("count_behind", {"n": int(str(looked.values["matched"]))}, {"ref": looked}, (late,))


def _goal(world: World, fact: Fact) -> Iterator[Claim]:
    held, title, today = fact.values, fact.subject, world.now.date()
    calls = (
        call("list_goals"),
        *(call("list_goals", status=state) for state in ("behind", "on track")),
        call("list_goals", query="Basel"),
        call("list_goals", query="Karteikasten"),
    )

    def of(type: str, **slots: Slot) -> Claim:
        told: dict[str, Slot] = {"title": title, **slots}
        return Claim(type, told, {"ref": fact}, calls, {"title": "goal"}, units=units_of(type))

    done = held.get("status") == "done"
    if "progress" in held:
        share = _amount(fact, "progress")
        yield of("goal_progress", percent=share)
        if 0 < share < 100:
            yield of("goal_remaining", left=100 - share)
    target = held.get("target_date")
    if _is_day(target) and not done and target > today:
        yield of("goal_target", day=target)
        if "progress" in held:
            yield of("goal_and_date", percent=_amount(fact, "progress"), day=target)
        if 2 <= (target - today).days < 100:
            yield of("days_until", n=(target - today).days)
    if "parent" in held:
        yield of("goal_parent", parent=str(held["parent"]))
    if "status" in held:
        yield of("goal_status", status=Words("status", str(held["status"])))
    for gap in ("target_date", "progress", "parent", "description"):
        if gap in fact.gaps:
            yield of("goal_gap", field=Words("field", gap))


def _is_day(value: object) -> TypeGuard[date]:
    return isinstance(value, date) and not isinstance(value, datetime)


def units_of(type: str) -> str:
    return "days" if type == "days_until" else ""


def _amount(fact: Fact, name: str) -> int:
    value = fact.values[name]
    assert isinstance(value, Quantity)
    return int(value.amount)


def _habits(world: World) -> Iterator[Claim]:
    calls = (call("list_habits"),)
    for fact in world.kinds["habit"]:
        slots: dict[str, Slot] = {"title": fact.subject}
        streak = fact.values["streak"]
        assert isinstance(streak, Quantity)
        about, names = {"ref": fact}, {"title": "habit"}
        if streak.amount > 1:
            n = int(streak.amount)
            yield Claim("habit_streak", {**slots, "n": n}, about, calls, names, units=streak.unit)
        times, last = fact.values["check_ins"], fact.values.get("last_check_in")
        if isinstance(times, int) and times > 1:
            yield Claim("habit_check_ins", {**slots, "n": times}, about, calls, names)
        if _is_day(last):
            yield Claim("habit_last_check_in", {**slots, "day": last}, about, calls, names)
        frequency = Words("frequency", str(fact.values["frequency"]))
        yield Claim("habit_frequency", {**slots, "frequency": frequency}, about, calls, names)


def _plans(world: World) -> Iterator[Claim]:
    for fact in world.kinds["commitment"]:
        yield from _commitment(world, fact)
    for fact in world.kinds["event"]:
        yield from _event(world, fact)
    asked = call("list_commitments", status="overdue")
    looked = world.lookup(asked)
    yield Claim("count_overdue", {"n": int(str(looked.values["matched"]))}, {"ref": looked}, (asked,))


def _commitment(world: World, fact: Fact) -> Iterator[Claim]:
    held, title, today = fact.values, fact.subject, world.now.date()
    calls = (
        call("list_commitments"),
        *(call("list_commitments", status=state) for state in ("open", "overdue", "done", "cancelled")),
        *(call("list_commitments", query=word) for word in ("Basel", "lease", "Havnelab", "Karteikasten")),
        call("list_commitments", days=2),
        call("list_commitments", days=30),
    )

    def of(type: str, **slots: Slot) -> Claim:
        told: dict[str, Slot] = {"title": title, **slots}
        return Claim(type, told, {"ref": fact}, calls, {"title": "commitment"}, units=units_of(type))

    due, status = held.get("due"), str(held["status"])
    yield of("commitment_status", status=Words("status", status))
    if status == "overdue":
        yield of("commitment_status", status=Words("status", "open"))
    if _is_day(due) and status == "open" and due >= today:
        yield of("commitment_due", day=due)
        if (due - today).days >= 2:
            yield of("days_until", n=(due - today).days)
    who = str(held.get("counterparty", ""))
    if who:
        yield of("commitment_with", person=who)
    if who and status in ("open", "overdue"):
        yield of("commitment_to", person=who)
    if who and status == "open" and _is_day(due) and due >= today:
        yield of("commitment_full", person=who, day=due)


def _event(world: World, fact: Fact) -> Iterator[Claim]:
    held, title, now = fact.values, fact.subject, world.now
    calls = (
        call("list_commitments"),
        *(call("list_commitments", days=days) for days in (2, 14, 30)),
        *(call("list_commitments", query=word) for word in ("Basel", "Zürich", "Karteikasten", "lease")),
    )

    def of(type: str, **slots: Slot) -> Claim:
        told: dict[str, Slot] = {"title": title, **slots}
        return Claim(type, told, {"ref": fact}, calls, {"title": "event"}, units=units_of(type))

    starts = held["starts"]
    if not isinstance(starts, datetime) or starts < now:
        return
    yield of("event_when", day=starts.date(), time=starts.time())
    if isinstance(ends := held.get("ends"), datetime):
        yield of("event_length", minutes=int((ends - starts).total_seconds() // 60))
    away = (starts.date() - now.date()).days
    if away >= 2:
        yield of("days_until", n=away)
    if "place" in held:
        yield of("event_where", place=str(held["place"]))
        yield of("event_full", day=starts.date(), time=starts.time(), place=str(held["place"]))
    attendees = held.get("attendees", ())
    assert isinstance(attendees, tuple)
    for person in attendees:
        yield of("event_with", person=person)


def _others(world: World) -> Iterator[Claim]:
    calls = (
        call("list_projects"),
        *(call("list_projects", status=state) for state in ("active", "paused", "done", "idea")),
    )
    for fact in world.kinds["project"]:
        slots: dict[str, Slot] = {"name": fact.subject}
        status = Words("status", str(fact.values["status"]))
        yield Claim("project_status", {**slots, "status": status}, {"ref": fact}, calls, {"name": "project"})
        if _is_day(updated := fact.values.get("updated")):
            yield Claim("project_updated", {**slots, "day": updated}, {"ref": fact}, calls, {"name": "project"})
        stack = fact.values.get("stack", ())
        assert isinstance(stack, tuple)
        for a, b in combinations(stack, 2):
            told: dict[str, Slot] = {**slots, "a": a, "b": b}
            yield Claim("project_stack", told, {"ref": fact}, calls, {"name": "project"})
    yield from _notes(world)
    yield from _absences(world)
    yield from _proposals(world)
    yield from _receipts(world)


def _notes(world: World) -> Iterator[Claim]:
    for document in world.passages:
        asked = call("search_knowledge", query=document.subject)
        for fact in world.found(asked):
            if fact.kind.name != "passage" or fact.subject != document.subject:
                continue
            for quote in quotes(str(fact.values.get("excerpt", ""))):
                slots: dict[str, Slot] = {"title": fact.subject, "quote": quote}
                yield Claim("note_says", slots, {"ref": fact}, (asked,), {"title": "passage"})


def quotes(text: str) -> list[str]:
    """Whole sentences of running text that a person would quote."""
    lines = [line for line in text.splitlines() if line and line[0] not in "-|#>0123456789…"]
    found = [s.strip().rstrip(".") for line in lines for s in re.split(r"(?<=[.!?])\s+(?=[A-ZÄÖÜ])", line)]
    return [s for s in found if 5 <= len(s.split()) <= 16 and not re.search(r"[\[\]*\"«»“”]", s)]


ABSENT = ("Petra", "Oduya", "Salonen", "Lausanne", "Kraftwerk", "Quentin")


def _absences(world: World) -> Iterator[Claim]:
    for query in ABSENT:
        asked = call("search_people", query=query)
        looked = world.lookup(asked)
        if looked.values["matched"] == 0:
            slots: dict[str, Slot] = {"query": query, "searched": int(str(looked.values["searched"]))}
            yield Claim("absence", slots, {"ref": looked}, (asked,))


def _proposals(world: World) -> Iterator[Claim]:
    for fact in world.kinds["person"][::5]:
        asked = call("propose_action", type="message", person=fact.subject, text=SENT)
        for proposal in world.found(asked):
            if proposal.kind.name == "proposal":
                cites = {"ref": proposal}
                slots: dict[str, Slot] = {"person": fact.subject}
                yield Claim("proposal_waiting", slots, cites, (asked,), {"person": "person"})


RECEIPTS = (
    ("workspace.create_commitment", "Commitment", "Water the office plants", "created"),
    ("workspace.create_commitment", "Commitment", "Call the plumber about the sink", "created"),
    ("workspace.create_event", "Event", "Coffee at the harbour", "created"),
    ("workspace.create_note", "Note", "Ideas for the summer party", "created"),
    ("workspace.check_in", "Check-in", "Read before bed", "recorded"),
)


def _receipts(world: World) -> Iterator[Claim]:
    for change, title, outcome in receipt_changes():
        fact = receipt_of(world, change, outcome)
        yield Claim("receipt_done", {"title": title}, {"ref": fact}, (), extra=(fact,))


def receipt_changes() -> Iterable[tuple[Change, str, str]]:
    for action, word, title, outcome in RECEIPTS:
        target = Target("habit", "h1", title) if word == "Check-in" else None
        arguments = {"habit": title} if word == "Check-in" else {"title": title}
        yield Change(action, f"{word}: {title}", arguments, target), title, outcome
