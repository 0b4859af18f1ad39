"""The statements of a sentence: which patterns it fills, of whom, and within which reach.

The longest pattern has the first say; a number or a blamed word belongs to one statement only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sayso.core.verify.declared.kinds import Declarations, Reach, Statement, Topic
from sayso.core.verify.declared.patterns import Match, Pattern, Slot
from sayso.core.verify.declared.scene import Scene, Spot, owner_of
from sayso.core.verify.declared.units import Unit, units_of
from sayso.core.verify.declared.world import Record

_BEFORE = 3  # a phrase after a statement is nearer to it than one before it by so many units
_RIGHT_AFTER = 2
_NEAR = 12  # units between a statement and the phrase that says of what part it is told
_LISTING = frozenset(["and", "of", "just", "only", "about", "nearly", "almost", "over"])


@dataclass(frozen=True, eq=False)
class Claim:
    """A statement as a sentence makes it. `about` is where its subject is named, `carried` who it is otherwise."""

    statement: Statement
    match: Match
    about: Spot | None = None
    carried: Record | None = None
    reach: Reach | None = None
    slots: tuple[tuple[str, int], ...] = ()  # the units of the records that it names itself

    @property
    def numbers(self) -> Iterator[tuple[Slot, int]]:
        return ((s, u) for s, u in self.match.slots if not s.kind)

    @property
    def names(self) -> tuple[int, ...]:
        """The units of the names that it rests on."""
        own = tuple(u for _, u in self.slots)
        return (self.about.unit, *own) if self.about is not None and self.about.unit not in own else own


_Worded = tuple[Statement | None, Pattern]


class Grammar:
    """The patterns of a lexicon, found by the words that they need; made once for each lexicon."""

    def __init__(self, declared: Declarations) -> None:
        self.declared = declared
        counted = (w for k in declared.kinds.values() for f in k.fields for w in f.words)
        self._listed = _LISTING.union(u.word for w in counted for u in units_of(w))
        self._by_anchor: dict[str, list[_Worded]] = {}
        stated = [(s, s.pattern) for s in declared.statements]
        for statement, pattern in (*stated, *((None, p) for p in declared.passed)):
            for word in pattern.anchors:
                self._by_anchor.setdefault(word, []).append((statement, pattern))

    def listed(self, units: Sequence[Unit]) -> bool:
        """Whether units may stand between the parts of a list of quantities ("12 points and 3 assists")."""
        return all(u.soft or u.number is not None or u.word in self._listed for u in units)

    def matches(self, units: Sequence[Unit]) -> list[tuple[Statement | None, Match]]:
        opening = self._opening(units)
        found: list[tuple[Statement | None, Match]] = []
        for at, unit in enumerate(units):
            firsts = [(unit.word, "")]
            if unit.mention is not None or unit.number is not None:
                firsts += [("", ""), ("", _next_word(units, at + 1))]
            for statement, pattern in (pair for first in dict.fromkeys(firsts) for pair in opening.get(first, ())):
                if (match := pattern.at(units, at)) is not None:
                    found.append((statement, match))
        return found

    def _opening(self, units: Sequence[Unit]) -> dict[tuple[str, str], list[_Worded]]:
        """The patterns whose telling words are there, by their first word ("" for a slot) and the one after a slot."""
        words = dict.fromkeys(["", *(u.word for u in units)])
        there = {id(pair[1]): pair for word in words for pair in self._by_anchor.get(word, ())}
        opening: dict[tuple[str, str], list[_Worded]] = {}
        for pair in there.values():
            for first in pair[1].opens:
                for second in (pair[1].second or ("",)) if first == "" else ("",):
                    if not second or second in words:
                        opening.setdefault((first, second), []).append(pair)
        return opening


def _next_word(units: Sequence[Unit], at: int) -> str:
    while at < len(units) and units[at].soft:
        at += 1
    return units[at].word if at < len(units) else ""


_Place = tuple[Reach, int, int]


def claims(grammar: Grammar, scene: Scene, judged: frozenset[int]) -> list[Claim]:
    """`judged` are units that a topic has judged already."""
    reaches = list(_places(grammar.declared.scopes, scene.units))
    taken: set[int] = set(judged)
    groups: dict[int, set[int]] = {}
    chosen: list[Claim] = []
    for statement, match in sorted(grammar.matches(scene.units), key=lambda pair: _order(pair, scene)):
        whole = set(range(match.start, match.end))
        if statement is None:
            taken |= set() if whole & taken else whole
            continue
        used, same = set(_used(match)), groups.setdefault(statement.group, set())
        if used & taken or (statement.group and whole & same):
            continue
        claim = _bound(statement, match, scene, [p for p in reaches if _reaches(grammar, scene, match, p)])
        if claim is not None and statement.kind and claim.about is None and claim.carried is None:
            continue  # of nobody: another reading may be of somebody
        taken |= used
        same |= whole
        chosen += [claim] if claim is not None else []
    return sorted(chosen, key=lambda c: c.match.start)


def _order(pair: tuple[Statement | None, Match], scene: Scene) -> tuple[int, bool, bool, int]:
    """The longest first; what is said of several kinds in the same words is said of the kind that governs it."""
    statement, match = pair
    governor = scene.governor(match.start)
    foreign = statement is not None and governor is not None and governor.mention.kind != statement.kind
    return match.start - match.end, statement is not None and statement.quantity, foreign, match.start


def _used(match: Match) -> Iterable[int]:
    """The numbers that a statement takes, and the words that it blames."""
    return [*(u for s, u in match.slots if not s.kind), *(range(*match.marked) if match.marked else ())]


def _bound(statement: Statement, match: Match, scene: Scene, reaches: Sequence[_Place]) -> Claim | None:
    """The claim with whom it is about and what part it is told of; None where that part cannot be judged."""
    reach = _reach_of(statement, match, reaches)
    if (statement.scoped and reach is None) or (reach is None and statement.quantity and _of_a_part(match, reaches)):
        return None
    slots = tuple((s.name, u) for s, u in match.slots if s.kind)
    kind = statement.kind
    about: Spot | None = None
    carried: Record | None = None
    own = next((u for s, u in match.slots if s.kind == kind and s.name == kind), None)
    if own is not None:
        about = next(s for s in scene.spots if s.unit == own)
    elif kind:
        records = scene.world.by_kind[kind]
        alone = records[0] if len(records) == 1 else None
        about = None if alone else scene.before(match.start, kind) or scene.following(match.start, kind)
        carried = alone or (_carried(statement, match, scene) if about is None else None)
    return Claim(statement, match, about, carried, reach, slots)


def _carried(statement: Statement, match: Match, scene: Scene) -> Record | None:
    """Who was spoken of last, where the sentence speaks of nobody; words that speak of somebody may be of his group."""
    governor = scene.governor(match.start)
    if governor is None:
        return scene.spoken.get(statement.kind)
    record = next(iter(governor.mention.records), None)
    owner = owner_of(record) if record is not None else None
    return owner if owner is not None and owner.kind.name == statement.kind and not statement.values else None


def _of_a_part(match: Match, reaches: Sequence[_Place]) -> bool:
    """Whether a phrase right after it tells it of a part ("12 rebounds in the first half") that no field holds."""
    return any(bool(reach.fields) and 0 <= start - match.end <= _RIGHT_AFTER for reach, start, _ in reaches)


def _places(reaches: Sequence[Reach], units: Sequence[Unit]) -> Iterator[_Place]:
    """Where phrases stand that say of what part something is told, the longest of those that begin together."""
    for at, unit in enumerate(units):
        fitting = [
            (reach, match.start, match.end)
            for reach in reaches
            if unit.word in reach.pattern.opens and (match := reach.pattern.at(units, at)) is not None
        ]
        if fitting:
            yield max(fitting, key=lambda place: place[2])


def _reach_of(statement: Statement, match: Match, reaches: Sequence[_Place]) -> Reach | None:
    """The nearest phrase in the statement's segment; one after it is nearer than one before it."""
    near = [
        (max(start - match.end, _BEFORE + match.start - end if end <= match.start else 0, 0), reach)
        for reach, start, end in reaches
        if _maps(reach, statement)
    ]
    distance, reach = min(near, key=lambda n: n[0], default=(0, None))
    return reach if distance <= _NEAR else None


def _reaches(grammar: Grammar, scene: Scene, match: Match, place: _Place) -> bool:
    """Whether a phrase and a statement are of one part of the sentence; one that no record can hold reaches no further
    than over a list: "averaging 12 points and 3 assists", not "averaging 12 points, he scored 20 points"."""
    reach, start, end = place
    if scene.segments[start] != scene.segments[match.start]:
        return False
    first, after = (match.end, start) if start >= match.end else (end, match.start)
    return bool(reach.fields) or (after - first <= _NEAR and grammar.listed(scene.units[first:after]))


def _maps(reach: Reach, statement: Statement) -> bool:
    """A phrase without fields speaks of quantities only; another one of statements with a field that it maps."""
    if not reach.fields:
        return statement.quantity
    return any(name in text for name in reach.fields for text in statement.texts)


def topics(grammar: Grammar, scene: Scene) -> Iterator[tuple[Topic, int]]:
    """The topics that a sentence takes up, and the unit from which on it speaks of them."""
    units = scene.units
    for topic in grammar.declared.topics:
        for at, unit in enumerate(units):
            if any(unit.word in p.opens and p.at(units, at) is not None for p in topic.patterns):
                yield topic, scene.segments.index(scene.segments[at])
                break
