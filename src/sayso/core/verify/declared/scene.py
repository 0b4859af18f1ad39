"""A sentence's units with who is named where: who a clause speaks of, whom a pronoun means, which group is told of.

It knows the small words by which English clauses open, and no record's meaning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sayso.core.verify.declared.naming import Mention
from sayso.core.verify.declared.units import BRACKETS, STOPS, Unit
from sayso.core.verify.declared.world import Record, World

_DETERMINERS = frozenset(["the", "a", "an", "both", "their", "his", "its", "s"])
_CLAUSE = frozenset(
    ["while", "but", "as", "and", "where", "when", "that", "which", "who", "however", "although", "though",
     "whereas", "next", "then", "so", "because"]
)  # fmt: skip
_OPENING = _CLAUSE | STOPS | BRACKETS
_OF_TWO = frozenset(["former", "latter"])
_RELATIVE = frozenset(["who", "which"])
_BREAKS = frozenset(["while", "but", "although", "though", "whereas"])


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a record is named or meant."""

    unit: int
    mention: Mention


@dataclass(frozen=True)
class Scene:
    """One sentence. `spoken` are the records that were spoken of last, by kind.

    By unit: `antecedents` the name that a pronoun stands for, `governing` the index of the spot that a clause speaks
    of, `segments` the number of the part between joining words, `told` the group that is told of where a record is
    named. `openers` are the units of names by which clauses open; `group` is the ref of the group that is told of at
    the end.
    """

    units: Sequence[Unit]
    world: World
    spoken: Mapping[str, Record]
    antecedents: Mapping[int, int]
    spots: tuple[Spot, ...]
    governing: tuple[int | None, ...]
    segments: tuple[int, ...]
    openers: frozenset[int]
    told: Mapping[int, Record]
    group: str

    def before(self, unit: int, kind: str) -> Spot | None:
        """The subject of the kind before a unit, or else the last name of the kind."""
        governor = self.governor(unit - 1) if unit else None
        if governor is not None and governor.mention.kind == kind:
            return governor
        earlier = [s for s in self.spots if s.unit < unit and s.mention.kind == kind]
        return next((s for s in reversed(earlier) if s.unit in self.openers), earlier[-1] if earlier else None)

    def following(self, unit: int, kind: str) -> Spot | None:
        """A name after a statement ("Scoring 12 points, Smith ..."), in its segment."""
        spot = next((s for s in self.spots if s.unit >= unit and s.mention.kind == kind), None)
        return spot if spot is not None and self.segments[spot.unit] == self.segments[unit] else None

    def governor(self, unit: int) -> Spot | None:
        index = self.governing[unit]
        return self.spots[index] if index is not None else None

    def source(self, unit: int) -> int:
        """The unit of the name that stands there, or that the pronoun there stands for."""
        return self.antecedents.get(unit, unit)


def scene_of(named: Sequence[Unit], world: World, spoken: Mapping[str, Record], group: str) -> Scene:
    pronouns = _Pronouns(named, world, spoken)
    units, antecedents = pronouns.units, pronouns.antecedents
    spots: list[Spot] = []
    governing: list[int | None] = []
    segments: list[int] = []
    openers: set[int] = set()
    current: int | None = None
    segment = 0
    for at, unit in enumerate(units):
        segment += unit.word in _BREAKS or unit.word in STOPS
        if unit.mention is not None:
            spots.append(Spot(at, unit.mention))
            if opens_clause(units, at):
                openers.add(at)
            if current is None or _speaks_of(units, at, unit.mention, world):
                current = len(spots) - 1
        governing.append(current)
        segments.append(segment)
    told, group = _told(spots, world, group)
    return Scene(
        units, world, spoken, antecedents, tuple(spots), tuple(governing), tuple(segments), frozenset(openers), told,
        group,
    )  # fmt: skip


class _Pronouns:
    """Pronouns as mentions of who they stand for: the subject of their kind in the sentence so far, or before it."""

    def __init__(self, units: Sequence[Unit], world: World, spoken: Mapping[str, Record]) -> None:
        self._given = units
        self._world = world
        self._spoken = spoken
        self._last: dict[str, int] = {}
        self._named: list[int] = []
        self.antecedents: dict[int, int] = {}
        self.units: list[Unit] = []
        for at, unit in enumerate(units):
            mention = self._meant(at, unit)
            self.units.append(unit if mention is unit.mention else replace(unit, mention=mention))

    def _meant(self, at: int, unit: Unit) -> Mention | None:
        if unit.mention is not None:
            return self._name(at, unit.mention)
        if unit.word in _OF_TWO and len(self._named) > 1:
            return self._standing_for(at, self._named[-2 if unit.word == "former" else -1])
        kind = next((k.name for k in self._world.kinds if unit.word in k.pronouns), "")
        if kind in self._last:
            return self._standing_for(at, self._last[kind])
        if kind not in self._spoken:
            return None
        self._last[kind] = at
        return Mention(kind, (self._spoken[kind],), pronoun=True)

    def _name(self, at: int, mention: Mention) -> Mention:
        self._named += [at] if self._world.leads(mention.kind) else []
        if mention.kind not in self._last or _speaks_of(self._given, at, mention, self._world):
            self._last[mention.kind] = at
        return mention

    def _standing_for(self, at: int, unit: int) -> Mention | None:
        self.antecedents[at] = self.antecedents.get(unit, unit)
        named = self.units[unit].mention
        return replace(named, pronoun=True) if named is not None else None


def _told(spots: Sequence[Spot], world: World, group: str) -> tuple[dict[int, Record], str]:
    """By unit of a name: the group that is told of there, its own where the sentence names that; and the last."""
    named = {r.ref for s in spots for r in s.mention.records}
    current = world.by_ref.get(group)
    told: dict[int, Record] = {}
    for spot in spots:
        record = next(iter(spot.mention.records), None)
        owner = owner_of(record) if record is not None else None
        if owner is not None:
            told[spot.unit] = owner if current is None or owner.ref in named else current
            current = owner
    return told, current.ref if current is not None else ""


def owner_of(record: Record) -> Record | None:
    """The record of the group to which one belongs; itself where its kind declares none."""
    owner = record.get(record.kind.group) if record.kind.group else record
    return owner if isinstance(owner, Record) else None


def _speaks_of(units: Sequence[Unit], at: int, mention: Mention, world: World) -> bool:
    """Whether what follows is said of a record that is named here."""
    after = units[at + 1].word if at + 1 < len(units) else ""
    return opens_clause(units, at) or world.leads(mention.kind) or after in _RELATIVE


def opens_clause(units: Sequence[Unit], at: int) -> bool:
    """Whether a name stands where a clause begins: at the start, after a comma or a joining word."""
    before = at - 1
    while before >= 0 and units[before].word in _DETERMINERS:
        before -= 1
    if before == at - 1 and before >= 1 and units[before - 1].word == "the":
        before -= 2  # "the visiting Hawks"
    if before < 0 or units[before].soft:
        return True
    if units[before].word == "with":  # "with the Hawks leading", not "with the Hawks"
        return at + 1 < len(units) and units[at + 1].word.endswith("ing")
    return units[before].word in _OPENING
