"""Statements judged by a lexicon: each sentence against the records of the kinds that it declares.

State between sentences is only who was spoken of last of each kind. It knows no domain; all words are the lexicon's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sayso.core.verify.declared.claims import Grammar, claims, topics
from sayso.core.verify.declared.explain import Explaining, Fault
from sayso.core.verify.declared.expressions import Within
from sayso.core.verify.declared.focus import NO_FOCUS, Focus
from sayso.core.verify.declared.kinds import DeclaredField, Topic
from sayso.core.verify.declared.naming import Mention, Names
from sayso.core.verify.declared.scene import Scene, scene_of
from sayso.core.verify.declared.strangers import misnamed, unknown_names
from sayso.core.verify.declared.units import Unit, units_of, with_mentions
from sayso.core.verify.declared.world import Record, World
from sayso.core.verify.index import Entry
from sayso.core.verify.report import Violation, ViolationKind
from sayso.core.verify.sentence import Checked
from sayso.core.verify.words import fold

K = ViolationKind


@dataclass(frozen=True, slots=True)
class Read:
    """What a sentence states, judged; the refs of who was spoken of last, one a kind; and whether all records
    are of declared kinds."""

    checked: tuple[Checked, ...] = ()
    focus: Focus = NO_FOCUS
    covers: bool = False


NOTHING_READ = Read()


class StatementEngine:
    """One per verifier. The records are read anew when the facts have changed."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self._declared = grammar.declared
        self._entries: tuple[Entry, ...] = ()
        self._world = World((), ())
        self._covers = False
        kinds = tuple(self._declared.kinds.values())
        self._leading = next((k.name for k in kinds if k.leads), kinds[0].name)
        self._terms = frozenset(fold(t) for k in kinds for f in k.fields for t in f.terms)
        self._names = Names(self._world)

    def read(self, clean: str, entries: tuple[Entry, ...], focus: Focus) -> Read:
        if entries is not self._entries:
            self._entries = entries
            self._world = World(self._declared.kinds.values(), entries)
            self._names = Names(self._world)
            self._covers = all(e.ref in self._world.by_ref for e in entries if e.is_record)
        if not self._world.by_ref:
            return NOTHING_READ
        scene = self._scene(clean, focus)
        faults, told = self._topics(scene)
        judged = frozenset(u for f in faults for u in range(f.start, f.end))
        judged |= {u for u in told if scene.units[u].word in self._terms}
        explained = Explaining(claims(self._grammar, scene, judged), scene).explained()
        faults += [f for f in explained.faults if not (f.name and told.intersection(range(f.start, f.end)))]
        faults += self._strangers(scene.units, told)
        checked = [_checked(f, scene.units, clean) for f in _each_once(faults)]
        right = (Checked() for _ in range(explained.right))
        return Read((*checked, *right), Focus(_last(scene, explained.meant), scene.group), self._covers)

    def _scene(self, clean: str, focus: Focus) -> Scene:
        spoken = {r.kind.name: r for ref in focus.last if (r := self._world.by_ref.get(ref)) is not None}
        plain = units_of(clean)
        mentions = self._names.mentions(plain)
        if not self._declared.others:
            return scene_of(with_mentions(plain, mentions), self._world, spoken, focus.group)
        units = with_mentions(plain, misnamed(plain, mentions, self._declared.others))
        strangers = [
            (start, end, Mention(self._leading, ()))
            for start, end in unknown_names(units, self._declared.others, self._terms)
        ]
        return scene_of(with_mentions(units, strangers), self._world, spoken, focus.group)

    def _topics(self, scene: Scene) -> tuple[list[Fault], frozenset[int]]:
        """What is told of something that the records declare and do not hold."""
        faults: list[Fault] = []
        told: set[int] = set()
        for topic, start in topics(self._grammar, scene):
            record = next(iter(self._world.by_kind[topic.kind]), None)
            if record is not None and all(record.lacks(f) for f in topic.fields):
                told |= set(range(start, len(scene.units)))
                faults += (Fault(a, b, K.STATED_GAP, f"{topic.fields[0]} is not recorded: say so", record)
                           for a, b in _stated(topic, start, scene, record))  # fmt: skip
        return faults, frozenset(told)

    def _strangers(self, units: Sequence[Unit], told: frozenset[int]) -> Iterator[Fault]:
        """Known names that are no record of these facts, and names that nobody bears."""
        why = "no record is of this name: leave it out"
        for at, unit in enumerate(units):
            mention = unit.mention
            known = mention is None or mention.pronoun or (mention.records and not mention.misnamed)
            if not known and at not in told:
                yield Fault(at, at + 1, K.INVENTED_NAME, why, name=True)


def _stated(topic: Topic, start: int, scene: Scene, record: Record) -> Iterator[tuple[int, int]]:
    """The names, terms and words by which a sentence tells of a topic."""
    terms = {t for f in record.kind.fields if f.name in topic.terms for t in _telling(topic, f, record)}
    for at in range(start, len(scene.units)):
        unit = scene.units[at]
        named = unit.mention is not None and not unit.mention.pronoun and unit.mention.kind in topic.tells
        if unit.word in terms or (named and not _is_subject(scene, at)):
            yield at, at + 1
        for stated in topic.words:
            if unit.word in stated.opens and (match := stated.at(scene.units, at)) is not None:
                yield match.marked or (match.start, match.end)


def _telling(topic: Topic, f: DeclaredField, record: Record) -> Iterator[str]:
    """The terms of a field, but for those that a topic leaves out."""
    terms = [fold(t) for t in f.terms]
    held = record.get(f.name)
    for stated, term in enumerate(terms):
        if topic.unless is not None and isinstance(held, str) and fold(held) in terms:
            names = {"stated": stated, "held": terms.index(fold(held))}
            if topic.unless(Within(record, names)):
                continue
        yield term


def _is_subject(scene: Scene, at: int) -> bool:
    """The name by which the clause opens, or for whom something is told ("on deck for ...")."""
    units, mention = scene.units, scene.units[at].mention
    before = at - 1 - (at > 0 and units[at - 1].word == "the")
    word = units[before].word if before >= 0 else ""
    known = mention is not None and bool(mention.records)
    return known and (word == "for" or at in scene.openers)


def _last(scene: Scene, meant: Mapping[int, Record]) -> tuple[str, ...]:
    """The last of each kind; of the subjects of clauses rather than of others, where there are any."""
    last = dict(scene.spoken)
    opened: set[str] = set()
    for spot in scene.spots:
        record = meant.get(spot.unit)
        opens = spot.unit in scene.openers
        if record is not None and (opens or spot.mention.kind not in opened):
            last[record.kind.name] = record
            opened |= {spot.mention.kind} if opens else set()
    return tuple(r.ref for r in last.values())


def _each_once(faults: Sequence[Fault]) -> Iterator[Fault]:
    taken: set[int] = set()
    for fault in faults:
        places = range(fault.start, fault.end)
        if taken.isdisjoint(places):
            taken |= set(places)
            yield fault


def _checked(fault: Fault, units: Sequence[Unit], clean: str) -> Checked:
    start, end = units[fault.start].start, units[max(fault.end - 1, fault.start)].end
    nearest = fault.nearest.ref if fault.nearest is not None else None
    return Checked(Violation(fault.kind, clean[start:end], start, end, fault.why, nearest))
