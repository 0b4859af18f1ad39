"""A true claim as it is said over its evidence, and what one change to it is."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gold.claims import Claim, Slot
from gold.renderings import Rendered, Template
from gold.world import World
from sayso.core.evidence import Numbered
from sayso.core.facts import Fact

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


def put(said: Said, kind: str, slot: str, value: Slot, *shown: str) -> Changed:
    return Changed(kind, said.claim.with_slots(**{slot: value}), said.template, said.refs, shown or (slot,))


def value_slots(said: Said) -> list[str]:
    """The slots of the template that hold a value of the record, not its name."""
    told = [slot for slot in said.claim.slots if slot not in said.claim.subjects]
    return [slot for slot in told if said.says(slot, *SHOWN.get(slot, ()))]


DAYS = ("D", "d", "iso", "num", "rel")
SHOWN: Mapping[str, tuple[str, ...]] = {
    "day": DAYS,
    "n": ("n", "nw"),
    "role": ("role", "a_role"),
    "name": ("name", "first", "last"),
}
