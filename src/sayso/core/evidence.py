"""Evidence: the facts of a thread, with their refs. Only this module numbers facts.

A ref never changes its meaning and is never used again. The same record with the same values
keeps its ref; a record that has changed gets a new one, and the old ref becomes stale.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sayso.core.facts import Fact, Provenance


@dataclass(frozen=True, slots=True)
class Numbered:
    """A fact under its ref ("F3"; "U1" for what the user provided)."""

    ref: str
    fact: Fact


class Evidence:
    """The growing, numbered facts of one thread. The one place of its state."""

    def __init__(self, known: Iterable[Numbered] = (), *, next_number: int = 1) -> None:
        self._by_ref: dict[str, Numbered] = {}
        self._current: dict[tuple[str, str, str], Numbered] = {}
        self._next = next_number
        for numbered in known:
            self._remember(numbered)

    def __len__(self) -> int:
        return len(self._by_ref)

    def __iter__(self) -> Iterator[Numbered]:
        return iter(self._by_ref.values())

    @property
    def next_number(self) -> int:
        return self._next

    def get(self, ref: str) -> Numbered | None:
        return self._by_ref.get(ref)

    def is_stale(self, ref: str) -> bool:
        """Whether a newer version of the same record has been seen since."""
        numbered = self._by_ref[ref]
        return self._current[numbered.fact.identity] is not numbered

    def newest(self, ref: str) -> Numbered:
        """The newest version of the record that a ref stands for."""
        return self._current[self._by_ref[ref].fact.identity]

    def current(self) -> tuple[Numbered, ...]:
        """The newest version of each record, in the order of its ref."""
        return tuple(n for n in self._by_ref.values() if self._current[n.fact.identity] is n)

    def add(self, fact: Fact) -> Numbered:
        """Number a fact, or give the ref that the same record with the same values has already."""
        known = self._current.get(fact.identity)
        if known is not None and known.fact.same_content(fact):
            return known
        letter = "U" if fact.provenance is Provenance.PROVIDED else "F"
        numbered = Numbered(f"{letter}{self._next}", fact)
        self._remember(numbered)
        return numbered

    def add_all(self, facts: Iterable[Fact]) -> tuple[Numbered, ...]:
        return tuple(self.add(fact) for fact in facts)

    def _remember(self, numbered: Numbered) -> None:
        self._by_ref[numbered.ref] = numbered
        self._current[numbered.fact.identity] = numbered
        self._next = max(self._next, int(numbered.ref[1:]) + 1)


def within_budget(
    facts: Iterable[Numbered], *, asked_for: frozenset[str], budget: int
) -> tuple[tuple[Numbered, ...], int]:
    """The facts to show a model, at most `budget` of them, and how many were left out.

    What the model just asked for (`asked_for`) is always kept; then the newest. Lookups are
    outside the budget: they are one line each. The order of refs is kept.
    """
    everything = tuple(facts)
    records = [n for n in everything if n.fact.kind.name != "lookup"]
    kept = {n.ref for n in records if n.ref in asked_for}
    for numbered in reversed(records):
        if len(kept) >= budget:
            break
        kept.add(numbered.ref)
    shown = tuple(n for n in everything if n.ref in kept or n.fact.kind.name == "lookup")
    return shown, len(everything) - len(shown)
