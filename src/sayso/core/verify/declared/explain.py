"""The cheapest explanation of what is wrong: a number, a word, or a name under which everything else is right.

Each wrong number and each false statement costs one, each name that would have to be another costs one. It knows
claims and records only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sayso.core.verify.declared.claims import Claim
from sayso.core.verify.declared.expressions import Expression, Within, renamed
from sayso.core.verify.declared.scene import Scene
from sayso.core.verify.declared.units import Unit
from sayso.core.verify.declared.world import Record
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.words import fold

K = ViolationKind


@dataclass(frozen=True, slots=True)
class Fault:
    """Units `start` to `end` are wrong; `why` is the line for the repair."""

    start: int
    end: int
    kind: ViolationKind
    why: str
    nearest: Record | None = None
    name: bool = False
    number: bool = False


_NOTHING: dict[str, Any] = {}
_MOST_NAMES = 3  # in one sentence
_LEFT = 1  # what may stay wrong under another name; with more, it is no explanation
_MOST_OTHERS = 60  # records that are tried in the place of a named one, so that cost stays linear


@dataclass
class Explained:
    """Who each named unit means, and the faults that remain."""

    meant: dict[int, Record]
    faults: list[Fault]
    right: int


class Explaining:
    """One sentence's claims under changing assumptions of whom its names mean."""

    def __init__(self, claims: Sequence[Claim], scene: Scene) -> None:
        self._claims = claims
        self._scene = scene
        self._units = scene.units
        self._meant = {s.unit: s.mention.records[0] for s in scene.spots if s.mention.records}
        self._changed: set[int] = set()

    def explained(self) -> Explained:
        self._choose_bearers()
        faults = [*self._other_names(), *self._exchanged()]
        wrong = [list(self._faults(c)) for c in self._claims]
        faults += [f for found in wrong for f in found]
        return Explained(self._meant, faults, sum(1 for found in wrong if not found))

    def _choose_bearers(self) -> None:
        """Of those who bear a name, the one of whom it is true."""
        for at, bearers in self._explicit():
            if len(bearers) > 1:
                mine = self._resting_on(at)
                self._set(at, min(bearers, key=lambda r: self._cost(mine, {at: r})))

    def _explicit(self) -> Iterator[tuple[int, tuple[Record, ...]]]:
        for spot in self._scene.spots:
            if spot.mention.records and not spot.mention.pronoun:
                yield spot.unit, spot.mention.records

    def _other_names(self) -> Iterator[Fault]:
        """Names that would have to be another for the rest to be right, the most telling first."""
        for _ in range(_MOST_NAMES):
            changes = [c for at, bearers in self._explicit() for c in self._changes(at, bearers)]
            if not changes:
                return
            _, at, record = max(changes, key=lambda c: c[0])
            why = f"this is told of {title_of(record)}, not of {title_of(self._meant[at])}"
            self._set(at, record)
            self._changed.add(at)
            yield Fault(at, at + 1, K.SWAPPED_RECORD, why, record, name=True)

    def _changes(self, at: int, bearers: tuple[Record, ...]) -> Iterator[tuple[int, int, Record]]:
        """What is gained by each record that the name may stand for by mistake. Words alone are sooner wrong than a
        name; but those that would become wrong speak against the other one."""
        mine = self._resting_on(at)
        telling = [c for c in mine if _tells_of_names(c)]
        words = [c for c in mine if c not in telling and not self._costs(c)]
        cost = self._cost(telling, {})
        if at in self._changed or cost < 2:
            return
        for record in self._scene.world.by_kind[bearers[0].kind.name][:_MOST_OTHERS]:
            if record in bearers:
                continue
            left = self._cost((*telling, *words), {at: record})
            if left <= _LEFT and cost - 1 > left:
                yield cost - 1 - left, at, record

    def _resting_on(self, at: int) -> list[Claim]:
        return [c for c in self._claims if any(self._scene.source(u) == at for u in c.names)]

    def _set(self, at: int, record: Record) -> None:
        self._meant[at] = record
        for pronoun, antecedent in self._scene.antecedents.items():
            if antecedent == at:
                self._meant[pronoun] = record

    def _cost(self, claims: Sequence[Claim], meant: Mapping[int, Record]) -> int:
        before = dict(self._meant)
        for at, record in meant.items():
            self._set(at, record)
        cost = sum(self._costs(c) for c in claims)
        self._meant = before
        return cost

    def _costs(self, claim: Claim) -> int:
        """One for its numbers, one for its words; two more where it tells something of a record and itself."""
        wrong = {f.number for f in self._faults(claim)}
        meant = [self._meant[u] for u in claim.names if u in self._meant]
        return len(wrong) + 2 * (len(set(meant)) < len(meant))

    def _exchanged(self) -> Iterator[Fault]:
        """Two names in the wrong places, where everything fits the other way round."""
        for claim in self._claims:
            places = [u for u in claim.names if u in self._meant and self._scene.source(u) == u]
            if len(places) != 2 or sum(1 for _ in self._faults(claim)) < 3:
                continue
            first, second = places
            turned = {first: self._meant[second], second: self._meant[first]}
            if self._cost([claim], turned) == 0:
                for at in places:
                    self._set(at, turned[at])
                    why = f"this is told of {title_of(turned[at])}"
                    yield Fault(at, at + 1, K.SWAPPED_RECORD, why, turned[at], True)

    def _faults(self, claim: Claim) -> Iterator[Fault]:
        statement = claim.statement
        if statement.never:
            yield self._at_words(claim, K.UNSUPPORTED, "no record can say so: leave it out")
            return
        scope = self._scope(claim)
        unknown = statement.kind and self._subject(claim) is None
        if unknown or (statement.needs is not None and not statement.needs(scope)):
            return
        if statement.holds is not None:
            held = self._reached(statement.holds, claim)(scope)
            if held is not None and not held:
                yield self._at_words(claim, K.WRONG_VALUE, "the records say otherwise")
        for slot, unit in claim.numbers:
            fault = self._number(claim, statement.values[slot.name], unit, scope)
            if fault is not None:
                yield fault

    def _scope(self, claim: Claim) -> Within:
        names: dict[str, Any] = {name: self._meant.get(u) for name, u in claim.slots}
        names["records"] = self._scene.world
        names["previous"] = self._before(claim)
        names["told"] = self._scene.told.get(claim.about.unit) if claim.about is not None else None
        return Within(self._subject(claim) or _NOTHING, names)

    def _subject(self, claim: Claim) -> Record | None:
        return self._meant.get(claim.about.unit) if claim.about is not None else claim.carried

    def _before(self, claim: Claim) -> Record | None:
        """The record of the same kind that was told of before this one."""
        if claim.about is None:
            return None
        kind, subject = claim.about.mention.kind, self._meant.get(claim.about.unit)
        spots = [s.unit for s in self._scene.spots if s.mention.kind == kind and s.unit < claim.about.unit]
        earlier = [*(self._meant.get(u) for u in reversed(spots)), self._scene.spoken.get(kind)]
        return next((r for r in earlier if r is not None and r is not subject), None)

    def _reached(self, value: Expression, claim: Claim) -> Expression:
        return renamed(value.text, tuple(claim.reach.fields.items())) if claim.reach and claim.reach.fields else value

    def _number(self, claim: Claim, value: Expression, unit: int, scope: Within) -> Fault | None:
        if claim.reach is not None and not claim.reach.fields:
            return Fault(unit, unit + 1, K.UNSUPPORTED, "no record can say so: leave it out", number=True)
        expected = self._reached(value, claim)(scope)
        subject = self._subject(claim)
        if not isinstance(expected, str | int | float):
            if subject is None or not subject.lacks(value.text):
                return None
            why = f"{value.text} is not recorded of {title_of(subject)}"
            return Fault(unit, unit + 1, K.STATED_GAP, why, subject, number=True)
        if _same(self._units, unit, expected, claim.statement.within):
            return None
        why = f"the records say {expected:g}" if isinstance(expected, float) else f"the records say {expected}"
        return Fault(unit, unit + 1, K.WRONG_VALUE, why, subject, number=True)

    def _at_words(self, claim: Claim, kind: ViolationKind, why: str) -> Fault:
        """At the name that is declared to be wrong first, at the words that are marked, or at all of them."""
        subject = self._subject(claim)
        blamed = next((u for n, u in claim.slots if n == claim.statement.blame), None)
        if blamed is not None:
            return Fault(blamed, blamed + 1, K.SWAPPED_RECORD, why, subject, name=True)
        start, end = claim.match.marked or (claim.match.start, claim.match.end)
        return Fault(start, end, kind, why, subject)


def _tells_of_names(claim: Claim) -> bool:
    """Whether it is a matter of numbers or names, and not only of words, or of who is told of after whom."""
    statement = claim.statement
    named = bool(statement.blame) and not statement.of_context
    return any(claim.numbers) or named or len(claim.names) > 1


_ABOUT = frozenset(["about", "around", "roughly", "nearly", "almost", "approximately"])
_OVER = frozenset(["over", "than", "least"])  # "more than", "at least"
_UNDER = frozenset(["under", "below", "sub"])


def _same(units: Sequence[Unit], at: int, expected: Any, within: float) -> bool:
    unit = units[at]
    if isinstance(expected, str):
        return fold(expected) == fold(unit.text)
    return unit.number is not None and _near(units, at, unit.number, expected, within)


def _near(units: Sequence[Unit], at: int, stated: float, expected: float, within: float) -> bool:
    before = units[at - 1].word if at else ""
    fewer = at > 1 and before == "than" and units[at - 2].word in ("less", "fewer")
    if before in _UNDER or fewer:
        return expected < stated
    if before in _OVER:
        return expected >= stated
    room = within or (0.5 if stated == int(stated) and expected != int(expected) else 1e-6)
    return abs(stated - expected) <= (max(room, 0.1 * abs(expected)) if before in _ABOUT else room)


def title_of(record: Record) -> str:
    return record.entry.numbered.fact.subject
