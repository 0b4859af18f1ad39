"""Everything by which a true claim becomes wrong: each function yields changes of one kind, `changes` those of all.

A change is a new claim, another template, other refs, or an edit of the finished text; never two of them in one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from typing import cast

from gold import languages
from gold import mutations_of_values as values
from gold.claims import Claim, Slot, Words, claims_of, true_keys
from gold.people import name_parts, person_gaps
from gold.renderings import Rendered, Template, fits, templates_of, wrong
from gold.saying import SHOWN, Changed, Edit, Said, put
from gold.world import World
from sayso.core.evidence import Numbered

_SYMMETRIC = re.compile(
    r"between|apart|separat|differ|gap|zwischen|unterschied|abstand|auseinander|trenn|entre|écart|sépar|"
    r"differenz|\btra\b|\bfra\b|distanz|diferencia|distancia",
    re.IGNORECASE,
)


def relations_reversed(said: Said) -> Iterator[Changed]:
    claim, slots = said.claim, said.claim.slots
    if claim.type == "commitment_to":
        forms = templates_of("commitment_from", said.template.language)
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
    forms = templates_of(claim.type, said.template.language)
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
    if said.claim.units or said.says("rel", "minutes"):
        yield Changed("unit", said.claim, said.template, said.refs, edit=_other_unit(said.template.language))
    quote = str(said.claim.slots.get("quote", ""))
    for unit, other in (("CHF", "EUR"), ("GBP", "USD"), ("m²", "m³"), ("kHz", "MHz"), ("hours", "days")):
        if unit in quote:
            yield put(said, "unit", "quote", quote.replace(unit, other, 1))


def _other_unit(language: str) -> Edit:
    pairs = cast("dict[str, str]", languages.table(language)["units"])

    def edit(rendered: Rendered) -> tuple[str, tuple[tuple[int, int], ...]] | None:
        spans = [
            span for slot in ("n", "nw", "about", "minutes", "rel", "unit") for span in rendered.places.get(slot, ())
        ]
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
        yield put(said, "number", "quote", quote[: found.start()] + other + quote[found.end() :])
    words: list[str] = re.findall(r"\b[a-z]{4,}\b", quote)
    if words:
        others = [w for c in claims_of(said.world.now)["note_says"] for w in re.findall(r"\b[a-z]{4,}\b", _quote(c))]
        new, old = said.chance.choice([w for w in others if w not in words]), said.chance.choice(words)
        yield put(said, "quote", "quote", re.sub(rf"\b{old}\b", new, quote, count=1))


def _quote(claim: Claim) -> str:
    return str(claim.slots["quote"])


def counts(said: Said) -> Iterator[Changed]:
    n = said.claim.slots.get("n")
    if said.claim.type.startswith("count_") and isinstance(n, int):
        options = [n + step for step in (-2, -1, 1, 2, 3) if n + step > 1]
        yield put(said, "count", "n", said.chance.choice(options), "n", "nw")


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
    forms = templates_of(type_, said.template.language)
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
    values.numbers, values.contacts, values.dates, values.weekdays, values.times, values.states,
    values.names_of_others, values.names_invented, values.values_invented, values.values_of_others,
    values.fields_swapped, relations_reversed, gaps_stated, attributes_invented, letters_as_facts, units, quotes_changed,
    counts, absences, gaps_invented, acts, citations_invented, citations_misplaced,
)  # fmt: skip


def changes(said: Said) -> Iterator[Changed]:
    """All changes of all kinds that make it wrong."""
    for make in KINDS:
        for changed in make(said):
            if changed.claim == said.claim or not _holds(said.world, changed.claim):
                yield changed


def _holds(world: World, claim: Claim) -> bool:
    """Whether the changed claim happens to be true: of pairs in either order too."""
    slots = claim.slots
    if claim.type == "two_people_same_affiliation":
        firms = {f.subject: f.values.get("affiliation") for f in world.kinds["person"]}
        return firms.get(str(slots["a"])) == firms.get(str(slots["b"])) == slots["affiliation"]
    if claim.type == "project_stack":
        stacks = {f.subject: f.values.get("stack", ()) for f in world.kinds["project"]}
        stack = stacks.get(str(slots["name"]), ())
        return slots["a"] == slots["b"] or (isinstance(stack, tuple) and {slots["a"], slots["b"]} <= set(stack))
    if claim.type == "person_weeks_ago":
        last = (
            world.named("person", str(slots["name"])).values.get("last_interaction") if _known(world, claim) else None
        )
        days = (world.now.date() - last).days if isinstance(last, date) else 9999
        return 0.6 < days / (7 * int(str(slots["about"]))) < 1.6  # close enough for "about"
    return claim.key in true_keys(world.now)


def _known(world: World, claim: Claim) -> bool:
    return any(fact.subject == claim.slots["name"] for fact in world.kinds["person"])
