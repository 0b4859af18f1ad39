"""One change that makes a true claim wrong. Each function yields changes of its kind; `changes` drops those that are true.

A change is a new claim, another template, other refs, or an edit of the finished text; never two of them in one.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Any, cast

from gold import languages
from gold.claims import Claim, MonthDay, Slot, Words, claims_of, name_parts, person_gaps, true_keys
from gold.renderings import Rendered, Template, fits, templates, wrong
from gold.world import World
from sayso.core.evidence import Numbered
from sayso.core.facts import Fact, Quantity

Edit = Callable[[Rendered], tuple[str, tuple[tuple[int, int], ...]] | None]


@dataclass(frozen=True, slots=True)
class Said:
    """A true claim in a wording, over its evidence."""

    world: World
    claim: Claim
    template: Template
    refs: Mapping[str, str]
    facts: tuple[Numbered, ...]
    chance: random.Random

    @property
    def about(self) -> Fact:
        return next(iter(self.claim.cites.values()))

    @property
    def peers(self) -> list[Numbered]:
        """Other records of the same kind in the evidence."""
        cited = {fact.identity for fact in self.claim.cites.values()}
        kind = self.about.kind.name
        return [n for n in self.facts if n.fact.kind.name == kind and n.fact.identity not in cited]

    def says(self, *slots: str) -> bool:
        return bool(self.template.slots & set(slots))


@dataclass(frozen=True, slots=True)
class Changed:
    """`slots`: those whose text is the change. `facts` replaces the evidence, where the change is one of what happened."""

    kind: str
    claim: Claim
    template: Template
    refs: Mapping[str, str]
    slots: tuple[str, ...] = ()
    edit: Edit | None = None
    facts: tuple[Numbered, ...] | None = None


def changes(said: Said) -> Iterator[Changed]:
    """All changes of all kinds that make it wrong."""
    known = true_keys(said.world.now)
    for make in KINDS:
        for changed in make(said):
            if changed.claim == said.claim or changed.claim.key not in known:
                yield changed


def _slot(said: Said, kind: str, slot: str, value: Slot, *shown: str) -> Changed:
    return Changed(kind, said.claim.with_slots(**{slot: value}), said.template, said.refs, shown or (slot,))


def _values(said: Said) -> list[str]:
    """The slots of the template that hold a value of the record, not its name."""
    told = [slot for slot in said.claim.slots if slot not in said.claim.subjects]
    return [s for s in told if said.says(s) or (s == "day" and said.says(*DAYS)) or (s == "n" and said.says("n", "nw"))]


DAYS = ("D", "d", "iso", "num", "rel")
SHOWN: Mapping[str, tuple[str, ...]] = {"day": DAYS, "n": ("n", "nw"), "name": ("name", "first", "last")}


def numbers(said: Said) -> Iterator[Changed]:
    for slot in ("percent", "left", "diff", "n"):
        value = said.claim.slots.get(slot)
        if not isinstance(value, int) or slot not in _values(said) or said.claim.type.startswith("count_"):
            continue
        top = 100 if slot in ("percent", "left", "diff") else 99
        near = [value + step for step in (-20, -10, -5, -3, -1, 1, 2, 4, 5, 10, 30)]
        swapped = int(str(value)[::-1])
        options = [n for n in (*near, swapped) if 1 < n < top and n != value]
        yield _slot(said, "number", slot, said.chance.choice(options), *SHOWN.get(slot, (slot,)))


def contacts(said: Said) -> Iterator[Changed]:
    if phone := said.claim.slots.get("phone"):
        text = str(phone)
        at = said.chance.choice([i for i, letter in enumerate(text) if letter.isdigit() and i > 3])
        digit = said.chance.choice([d for d in "0123456789" if d != text[at]])
        yield _slot(said, "contact", "phone", text[:at] + digit + text[at + 1 :])
    if email := said.claim.slots.get("email"):
        name, _, host = str(email).partition("@")
        options = [f"{name}@{host.split('.')[0]}.org", f"{name[0]}.{name}@{host}", f"{name}1@{host}", f"info@{host}"]
        yield _slot(said, "contact", "email", said.chance.choice([o for o in options if o != email]))


def dates(said: Said) -> Iterator[Changed]:
    day, today = said.claim.slots.get("day"), said.world.now.date()
    if not said.says(*DAYS):
        return
    if isinstance(day, MonthDay):
        yield _slot(said, "date", "day", MonthDay(day.month, day.day % 27 + 1), "d")
    elif isinstance(day, date):
        past = day <= today
        steps = [-31, -9, -7, -2, -1, 1, 2, 3, 7, 10, 30]
        options = [day + timedelta(days=step) for step in steps]
        kept = [d for d in options if (d < today if past else d > today) or said.claim.type == "person_birthday"]
        if kept:
            yield _slot(said, "date", "day", said.chance.choice(kept), *DAYS)


def times(said: Said) -> Iterator[Changed]:
    at = said.claim.slots.get("time")
    if isinstance(at, time) and said.says("time"):
        moved = datetime.combine(date(2026, 1, 1), at) + timedelta(minutes=said.chance.choice([-60, -30, 15, 30, 120]))
        yield _slot(said, "time", "time", moved.time())


def states(said: Said) -> Iterator[Changed]:
    for slot in ("status", "frequency"):
        value = said.claim.slots.get(slot)
        if isinstance(value, Words):
            options = [key for key in STATES[said.claim.type] if key != value.key and (value.key, key) not in NEAR]
            yield _slot(said, "state", slot, Words(value.group, said.chance.choice(options)))


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
        made = [_slot(said, "name_other", slot, name, *shown) for name in kept]
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
            yield _slot(said, "name_invented", slot, said.chance.choice(invented[kind]), *shown)


def values_invented(said: Said) -> Iterator[Changed]:
    invented = cast("dict[str, list[str]]", wrong()["invented"])
    for slot in ("affiliation", "role", "how_met", "place"):
        if slot in _values(said) and not said.claim.type.startswith("count_"):
            yield _slot(said, "value_invented", slot, said.chance.choice(invented[slot]))
    if said.claim.type == "project_stack":
        yield _slot(said, "value_invented", "b", said.chance.choice(invented["stack"]))


def values_of_others(said: Said) -> Iterator[Changed]:
    """A value that another record of the evidence holds in the same field."""
    near = {n.fact.identity for n in said.peers}
    others = [
        c for c in claims_of(said.world.now)[said.claim.type]
        if any(fact.identity in near for fact in c.cites.values())
    ]  # fmt: skip
    slots = [s for s in _values(said) if s != "searched" and not said.claim.type.startswith("count_")]
    if not others or not slots or said.claim.type in ("goal_difference", "absence", "person_gap", "goal_gap"):
        return
    slot = said.chance.choice(slots)
    kept = [c.slots[slot] for c in others if slot in c.slots and _unlike(c.slots[slot], said.claim.slots[slot], said)]
    if kept:
        yield _slot(said, "swapped_record", slot, said.chance.choice(kept), *SHOWN.get(slot, (slot,)))


def _unlike(new: Slot, old: Slot, said: Said) -> bool:
    """Told apart by every reader: a "director" is no other word for a "managing director", nor "open" for "overdue"."""
    if isinstance(new, Words) and isinstance(old, Words):
        return new.key != old.key and new.key in STATES[said.claim.type] and (old.key, new.key) not in NEAR
    if isinstance(new, MonthDay) != isinstance(old, MonthDay):
        return False
    if isinstance(new, date) and isinstance(old, date):
        return (new.month, new.day) != (old.month, old.day)
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
    if value is None or slot not in _values(said) or value == slots[slot] or value in (0, 100):
        return
    if isinstance(slots[slot], MonthDay) and isinstance(value, date):
        value = MonthDay(value.month, value.day)
    yield _slot(said, "swapped_field", slot, value, *SHOWN.get(slot, (slot,)))


def _count(streak: object) -> int | None:
    return int(streak.amount) if isinstance(streak, Quantity) and streak.amount > 1 else None


def _full(born: object) -> date | None:
    return date.fromisoformat(born) if isinstance(born, str) and not born.startswith("--") else None


def _time(at: object) -> time | None:
    return at.time() if isinstance(at, datetime) else None


def _first_sentence(notes: object) -> str | None:
    return notes.split(". ")[0].rstrip(".") if isinstance(notes, str) else None


_SYMMETRIC = re.compile(
    r"between|apart|separat|differ|gap|zwischen|unterschied|abstand|auseinander|trenn|entre|écart|sépar|"
    r"differenz|\btra\b|\bfra\b|distanz|diferencia|distancia",
    re.IGNORECASE,
)


def relations_reversed(said: Said) -> Iterator[Changed]:
    claim, slots = said.claim, said.claim.slots
    if claim.type == "commitment_to":
        forms = [t for t in templates() if t.type == "commitment_from" and t.language == said.template.language]
        same = [t for t in forms if t.origin == said.template.origin] or forms
        template = said.chance.choice(same)
        yield Changed("reversed", replace(claim, type="commitment_from"), template, said.refs, ("person",))
    elif claim.type == "goal_parent":
        turned = claim.with_slots(title=slots["parent"], parent=slots["title"])
        yield Changed("reversed", turned, said.template, said.refs, ("title", "parent"))
    elif claim.type == "goal_difference" and not _SYMMETRIC.search(said.template.text):
        turned = claim.with_slots(a=slots["b"], b=slots["a"])
        refs = {"ref_a": said.refs["ref_b"], "ref_b": said.refs["ref_a"]}
        yield Changed("reversed", turned, said.template, refs, ("a", "b"))


STATED = {
    "role": ("person_role", "role"), "affiliation": ("person_affiliation", "affiliation"),
    "birthday": ("person_birthday", "day"), "how_met": ("person_met", "how_met"), "email": ("person_email", "email"),
    "phone": ("person_phone", "phone"), "last_interaction": ("person_last_interaction", "day"),
    "target_date": ("goal_target", "day"), "progress": ("goal_progress", "percent"),
    "parent": ("goal_parent", "parent"),
}  # fmt: skip


def gaps_stated(said: Said) -> Iterator[Changed]:
    """A field that is not recorded, told as known: with another record's value or an invented one."""
    gap = said.claim.slots.get("field")
    if said.claim.type not in ("person_gap", "goal_gap") or not isinstance(gap, Words) or gap.key not in STATED:
        return
    type_, slot = STATED[gap.key]
    invented = cast("dict[str, list[str]]", wrong()["invented"])
    values = [c.slots[slot] for c in claims_of(said.world.now)[type_]]
    value = said.chance.choice(values)
    if slot in invented and said.chance.random() < 0.5:
        value = said.chance.choice(invented[slot])
        parts = name_parts(str(said.claim.slots.get("name", "")))
        value = value.replace("{first}", (parts[0] if parts else "hello").casefold())
    subject = {s: v for s, v in said.claim.slots.items() if s in said.claim.subjects}
    if value in subject.values():
        return
    claim = replace(said.claim, type=type_, slots={**subject, slot: value})
    template = _wording(said, claim)
    if template:
        yield Changed("stated_gap", claim, template, said.refs, SHOWN.get(slot, (slot,)))


def _wording(said: Said, claim: Claim) -> Template | None:
    """A wording of the claim that names its record, in this language and, where there is one, of the same hand."""
    forms = [t for t in templates() if t.type == claim.type and t.language == said.template.language]
    forms = [t for t in forms if fits(t, claim) and (t.slots & {"name", "title", "first", "last"} or t.cites)]
    same = [t for t in forms if t.origin == said.template.origin]
    return said.chance.choice(same or forms) if forms else None


def attributes_invented(said: Said) -> Iterator[Changed]:
    kind = said.about.kind.name
    forms = cast("dict[str, dict[str, list[str]]]", wrong()["attributes"]).get(kind)
    if not forms or "ref" not in said.refs:
        return
    text = said.chance.choice(forms[said.template.language])
    template = Template("attribute", said.template.language, text, "own")
    claim = replace(said.claim, type="attribute", slots={"name": said.about.subject})
    yield Changed("invented_attribute", claim, template, said.refs, ("name",))


def letters_as_facts(said: Said) -> Iterator[Changed]:
    """Letters that stand inside the person's name, told as an employer, a town or a school."""
    if said.about.kind.name != "person" or "ref" not in said.refs:
        return
    name = said.about.subject
    for sort, pairs in cast("dict[str, list[list[str]]]", wrong()["pieces"]).items():
        for owner, piece in pairs:
            if owner == name and piece.casefold() in name.casefold().replace(" ", ""):
                yield from _letters(said, sort, name, piece)


def _letters(said: Said, sort: str, name: str, piece: str) -> Iterator[Changed]:
    if sort == "firm":
        claim = replace(said.claim, type="person_affiliation", slots={"name": name, "affiliation": piece})
        template = _wording(said, claim)
        shown = "affiliation"
    else:
        forms = cast("dict[str, dict[str, list[str]]]", wrong()["substring"])[sort][said.template.language]
        claim = replace(said.claim, type=f"person_{sort}", slots={"name": name, "piece": piece})
        template = Template(f"person_{sort}", said.template.language, said.chance.choice(forms), "own")
        shown = "piece"
    if template:
        yield Changed("substring_attribute", claim, template, said.refs, (shown,))


def units(said: Said) -> Iterator[Changed]:
    """Days for weeks, and one currency for another within a quotation."""
    if said.claim.units or said.says("rel"):
        yield Changed("unit", said.claim, said.template, said.refs, edit=_other_unit(said.template.language))
    quote = str(said.claim.slots.get("quote", ""))
    for unit, other in (("CHF", "EUR"), ("GBP", "USD"), ("m²", "m³"), ("kHz", "MHz"), ("hours", "days")):
        if unit in quote:
            yield _slot(said, "unit", "quote", quote.replace(unit, other, 1))


def _other_unit(language: str) -> Edit:
    pairs = cast("dict[str, str]", languages.table(language)["units"])

    def edit(rendered: Rendered) -> tuple[str, tuple[tuple[int, int], ...]] | None:
        spans = [span for slot in ("n", "nw", "rel", "unit") for span in rendered.places.get(slot, ())]
        for start, end in spans:
            found = re.compile(rf"\b({'|'.join(pairs)})\b").search(rendered.text, start, end + 14)
            if found:
                new = pairs[found[1]]
                changed = rendered.text[: found.start()] + new + rendered.text[found.end() :]
                return changed, ((found.start(), found.start() + len(new)),)
        return None

    return edit


def quotes_changed(said: Said) -> Iterator[Changed]:
    """A quotation with another number, or with one word that is not in it."""
    quote = str(said.claim.slots.get("quote", ""))
    if found := re.search(r"\b\d{1,3}\b(?![-,.]\d)", quote):
        other = str(int(found[0]) + said.chance.choice([1, 2, 10]))
        yield _slot(said, "number", "quote", quote[: found.start()] + other + quote[found.end() :])
    words: list[str] = re.findall(r"\b[a-z]{4,}\b", quote)
    if words:
        others = [w for c in claims_of(said.world.now)["note_says"] for w in re.findall(r"\b[a-z]{4,}\b", _quote(c))]
        new, old = said.chance.choice([w for w in others if w not in words]), said.chance.choice(words)
        yield _slot(said, "quote", "quote", re.sub(rf"\b{old}\b", new, quote, count=1))


def _quote(claim: Claim) -> str:
    return str(claim.slots["quote"])


def counts(said: Said) -> Iterator[Changed]:
    n = said.claim.slots.get("n")
    if said.claim.type.startswith("count_") and isinstance(n, int):
        options = [n + step for step in (-2, -1, 1, 2, 3) if n + step > 1]
        yield _slot(said, "count", "n", said.chance.choice(options), "n", "nw")


def absences(said: Said) -> Iterator[Changed]:
    """That nothing was found, where a lookup of the evidence found something."""
    if said.claim.type == "absence" or not said.claim.type.startswith("person_"):
        return
    found = [n for n in said.facts if n.fact.values.get("tool") == "search_people" and n.fact.values["matched"]]
    if not found:
        return
    looked = said.chance.choice(found)
    query = str(looked.fact.values["arguments"]).strip('"')
    if not any(query in fact.subject for fact in said.world.kinds["person"]):  # nobody is called "coordinator"
        return
    slots: dict[str, Slot] = {"query": query, "searched": int(str(looked.fact.values["searched"]))}
    claim = Claim("absence", slots, {"ref": looked.fact}, said.claim.calls)
    template = _wording_of("absence", said)
    if template and "ref" in said.refs:
        yield Changed("false_absence", claim, template, {"ref": looked.ref}, ("query",))


def _wording_of(type_: str, said: Said) -> Template | None:
    forms = [t for t in templates() if t.type == type_ and t.language == said.template.language]
    same = [t for t in forms if t.origin == said.template.origin] or forms
    return said.chance.choice(same) if same else None


def gaps_invented(said: Said) -> Iterator[Changed]:
    """That something is not recorded which is."""
    kind = said.about.kind.name
    if kind not in ("person", "goal") or "ref" not in said.refs or said.claim.type in ("person_gap", "goal_gap"):
        return
    labels = languages.table("en")["field"]
    held = [name for name in said.about.values if name in labels and name != "channels"]
    if kind == "person":
        held += [label for label in ("email", "phone") if label not in person_gaps(said.about)]
        held = [name for name in held if name not in ("description",)]
    if not held:
        return
    subject: dict[str, Slot] = {"name" if kind == "person" else "title": said.about.subject}
    slots = {**subject, "field": Words("field", said.chance.choice(held))}
    claim = replace(said.claim, type=f"{kind}_gap", slots=slots)
    template = _wording(said, claim)
    if template:
        yield Changed("false_gap", claim, template, said.refs, ("field",))


def acts(said: Said) -> Iterator[Changed]:
    """A waiting proposal, or a failed act, told as done."""
    if said.claim.type == "proposal_waiting":
        text = said.chance.choice(cast("dict[str, list[str]]", wrong()["sent"])[said.template.language])
        template = Template("sent", said.template.language, text, "own")
        yield Changed("false_action", replace(said.claim, type="sent"), template, said.refs, ("person",))
    elif said.claim.type == "receipt_done":
        failed = tuple(_failed(n) if n.fact.kind.name == "receipt" else n for n in said.facts)
        claim = replace(said.claim, type="failed")
        yield Changed("false_action", claim, said.template, said.refs, ("title",), facts=failed)


def _failed(numbered: Numbered) -> Numbered:
    values = {**numbered.fact.values, "outcome": "failed", "details": "the server could not be reached"}
    fact = numbered.fact
    made = fact.kind.fact(values, source=fact.source, key=fact.key, as_of=fact.as_of, provenance=fact.provenance)
    return Numbered(numbered.ref, made)


def citations_invented(said: Said) -> Iterator[Changed]:
    for slot in said.refs:
        if said.says(slot):
            last = max(int(n.ref[1:]) for n in said.facts)
            ref = f"F{last + said.chance.choice([1, 2, 7, 30])}"
            yield Changed("invented_citation", said.claim, said.template, {**said.refs, slot: ref}, (slot,))
            return


def citations_misplaced(said: Said) -> Iterator[Changed]:
    """Another record's ref, of a record that the sentence does not name."""
    named = {str(value) for value in said.claim.slots.values()}
    options = [n for n in said.peers if n.fact.subject not in named]
    slot = next((slot for slot in said.refs if said.says(slot)), None)
    if slot and options and said.about.kind.name != "lookup":
        ref = said.chance.choice(options).ref
        yield Changed("misplaced_citation", said.claim, said.template, {**said.refs, slot: ref}, (slot,))


KINDS: tuple[Callable[[Said], Iterator[Changed]], ...] = (
    numbers, contacts, dates, times, states, names_of_others, names_invented, values_invented, values_of_others,
    fields_swapped, relations_reversed, gaps_stated, attributes_invented, letters_as_facts, units, quotes_changed,
    counts, absences, gaps_invented, acts, citations_invented, citations_misplaced,
)  # fmt: skip
