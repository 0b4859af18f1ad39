"""What a lexicon declares of kinds of record, read from its mapping: when, names, fields, derived values, statements.

    [kinds.player]
    when = ["player_name"]                  # a record with these fields is of this kind
    names = ["{player_name}", "{second_name}"]
    pronouns = ["he", "him", "his"]
    known = ["Chicago|Bulls"]               # further names that are no record of these facts, by the parts of a name
    [kinds.player.aliases]
    "Los Angeles" = ["LA"]                  # other wordings of a part of a name
    [kinds.player.fields]
    pts = ["points", "pts"]                 # "12 points", "12-point", "points: 12"
    weekday = {terms = ["Monday", "Friday"]}
    [kinds.player.derived]
    team = "only(t for t in records.team if t.city == team_city)"
    [[kinds.player.statements]]
    says = ["<led> the team"]
    holds = "pts_rank == 1"

    [wordings]                              # what patterns share: "scored {pts} from @deep"
    deep = "(three|downtown|beyond the arc)"

It judges nothing; what it refuses, it says how to write.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sayso.core.verify.declared.expressions import Expression, expression
from sayso.core.verify.declared.patterns import Pattern, pattern
from sayso.errors import DeclarationError

_WORD = re.compile(r"\w+")
_OF_CONTEXT = frozenset({"told", "previous"})
_KIND = frozenset(
    {"when", "names", "pronouns", "known", "aliases", "fields", "derived", "statements", "leads", "group"}
)
_FIELD = frozenset({"words", "terms", "verbs", "within"})
_STATEMENT = frozenset({"says", "holds", "blame", "needs", "within", "scoped"})
_SCOPE = frozenset({"says", "fields", "kind"})
_TOPIC = frozenset({"says", "kind", "fields", "tells", "terms", "words", "unless"})
_SHARED = re.compile(r"@(\w+)")


@dataclass(frozen=True, slots=True)
class DeclaredField:
    name: str
    words: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    within: float = 0.0


@dataclass(frozen=True)
class Statement:
    """One wording: `holds` must be true of the records that fill it; each number slot must be its value.

    `kind` is the kind whose record a statement is about where it does not name one ("" for none). `blame` is the
    slot whose name is blamed first. `needs` must be true for the statement to be judged at all.
    """

    kind: str
    pattern: Pattern
    holds: Expression | None = None
    needs: Expression | None = None
    values: Mapping[str, Expression] = field(default_factory=dict[str, Expression])
    blame: str = ""
    within: float = 0.0
    scoped: bool = False
    """Whether it can be judged only with a phrase that says of what part it is told."""
    never: bool = False
    """No record can hold it."""
    quantity: bool = False
    """A number with the words of one field."""
    group: int = 0
    """Wordings of one statement: of those that overlap, the longest is judged."""

    @property
    def of_context(self) -> bool:
        """Whether it is true or false by what was told of before."""
        return self.holds is not None and not _OF_CONTEXT.isdisjoint(_WORD.findall(self.holds.text))

    @property
    def texts(self) -> tuple[str, ...]:
        conditions = (e.text for e in (self.holds, self.needs) if e is not None)
        return (*(e.text for e in self.values.values()), *conditions)


@dataclass(frozen=True)
class DeclaredKind:
    name: str
    when: frozenset[str]
    names: tuple[str, ...]
    pronouns: frozenset[str] = frozenset()
    leads: bool = False
    """Whether a clause speaks of a record wherever it names it; else only where it opens with the name."""
    group: str = ""
    """The derived record to which its records belong: a text that passes to another one's says so."""
    known: tuple[tuple[str, ...], ...] = ()
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, "tuple[str, ...]"])
    fields: tuple[DeclaredField, ...] = ()
    derived: Mapping[str, Expression] = field(default_factory=dict[str, Expression])


@dataclass(frozen=True, slots=True)
class Reach:
    """A phrase that says of what part a value is told ("in the first quarter"): which field then holds it.

    Without fields, no record holds what is told so ("over his last two games").
    """

    pattern: Pattern
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Topic:
    """Sentences about something that is told by fields of a record which may be gaps: names there are stated gaps.

    `tells` are kinds whose names, `terms` fields whose terms, `words` patterns that state such a field. `unless` leaves
    out the terms that are too often right by chance: it knows `stated` and `held`, the places of the term that is told
    and of the record's own among the terms of the field.
    """

    patterns: tuple[Pattern, ...]
    kind: str
    fields: tuple[str, ...]
    tells: frozenset[str]
    terms: frozenset[str]
    words: tuple[Pattern, ...]
    unless: Expression | None = None


@dataclass(frozen=True)
class Declarations:
    kinds: Mapping[str, DeclaredKind] = field(default_factory=dict[str, DeclaredKind])
    statements: tuple[Statement, ...] = ()
    scopes: tuple[Reach, ...] = ()
    topics: tuple[Topic, ...] = ()
    passed: tuple[Pattern, ...] = ()
    """Idioms whose numbers and words state nothing."""
    others: frozenset[str] = frozenset()
    """Words of names that no record bears; where there are any, other unknown names are faults."""


def declarations(data: Mapping[str, Any]) -> Declarations:
    """The sections `kinds`, `statements`, `scopes`, `topics`, `idioms` and `wordings` of a lexicon."""
    sections = {name: _table(spec, f"kinds.{name}", _KIND) for name, spec in _of(data, "kinds", dict).items()}
    kinds = {name: _kind(name, spec) for name, spec in sections.items()}
    terms = {f.name: frozenset(map(str.lower, f.terms)) for k in kinds.values() for f in k.fields if f.terms}
    reader = _Reader(frozenset(kinds), terms, _wordings(_of(data, "wordings", dict)))
    statements = [s for spec in _of(data, "statements", list) for s in reader.statements("", spec)]
    for name, spec in sections.items():
        statements += [s for given in _of(spec, "statements", list) for s in reader.statements(name, given)]
        statements += [s for f in kinds[name].fields for s in reader.quantities(name, f)]
    return Declarations(
        kinds,
        tuple(statements),
        tuple(s for spec in _of(data, "scopes", list) for s in reader.scopes(spec)),
        tuple(reader.topic(spec) for spec in _of(data, "topics", list)),
        tuple(reader.pattern(text) for text in _of(data, "idioms", list)),
        frozenset(t.lower() for t in _texts(data, "others")),
    )


class _Reader:
    """Reads what holds patterns: these must know the kinds and the terms."""

    def __init__(self, kinds: frozenset[str], terms: dict[str, frozenset[str]], wordings: Mapping[str, str]) -> None:
        self._kinds = kinds
        self._terms = terms
        self._wordings = wordings
        self._groups = 0

    def pattern(self, text: str) -> Pattern:
        return pattern(_spelt_out(text, self._wordings), self._kinds, self._terms)

    def patterns(self, spec: Mapping[str, Any], where: str, name: str = "says") -> tuple[Pattern, ...]:
        texts = _of(spec, name, list)
        if not texts and name == "says":
            raise DeclarationError(f"{where} lacks says = [patterns]")
        return tuple(self.pattern(t) for t in texts)

    def statements(self, kind: str, given: Any) -> list[Statement]:
        where = f"a statement of {kind or 'the lexicon'}"
        spec = _table(given, where, _STATEMENT)
        holds = spec.get("holds")
        self._groups += 1
        needs = spec.get("needs")
        return [
            Statement(
                kind,
                p,
                expression(str(holds)) if isinstance(holds, str) else None,
                expression(needs) if needs else None,
                {s.name: expression(s.value) for s in p.slots if not s.kind},
                spec.get("blame", ""),
                float(spec.get("within", 0)),
                bool(spec.get("scoped", False)),
                holds is False,
                group=self._groups,
            )
            for p in self.patterns(spec, where)
        ]

    def quantities(self, kind: str, f: DeclaredField) -> list[Statement]:
        """ "12 points", "12 points from Smith", "points: 12", "scored 12"; a term by itself."""
        texts = [f"{{~{f.name}}} [of] {w}" for w in f.words] + [f"{v} {{{f.name}}}" for v in f.verbs]
        texts += [f"{{~{f.name}}} [of] {w} ... (from|by) {{{kind}}}" for w in f.words]
        texts += [f"{w} (of|:|is|was|=) {{{f.name}}}" for w in f.words]
        texts += [f"{{{f.name}=}}"] if f.terms else []
        value = {f.name: expression(f.name)}
        return [Statement(kind, self.pattern(t), values=value, within=f.within, quantity=True) for t in texts]

    def scopes(self, given: Any) -> list[Reach]:
        spec = _table(given, "a scope", _SCOPE)
        fields = {str(k): str(v) for k, v in _of(spec, "fields", dict).items()}
        if not all(name.isidentifier() for pair in fields.items() for name in pair):
            raise DeclarationError("the fields of a scope are names: declare what is worked out as a derived value")
        return [Reach(p, fields) for p in self.patterns(spec, "a scope")]

    def topic(self, given: Any) -> Topic:
        spec = _table(given, "a topic", _TOPIC)
        kind = str(spec.get("kind", ""))
        if kind not in self._kinds:
            raise DeclarationError(f"a topic must name its kind, one of {', '.join(sorted(self._kinds))}")
        return Topic(
            self.patterns(spec, "a topic"),
            kind,
            _texts(spec, "fields"),
            frozenset(_texts(spec, "tells")),
            frozenset(_texts(spec, "terms")),
            self.patterns(spec, "a topic", "words"),
            expression(str(spec["unless"])) if "unless" in spec else None,
        )


def _wordings(given: Mapping[str, Any]) -> Mapping[str, str]:
    """Each may use those before it."""
    found: dict[str, str] = {}
    for name, text in given.items():
        found[name] = _spelt_out(str(text), found)
    return found


def _spelt_out(text: str, wordings: Mapping[str, str]) -> str:
    """Raises DeclarationError for a wording that is not declared before it is used."""
    if missing := next((n for n in _SHARED.findall(text) if n not in wordings), None):
        raise DeclarationError(f"{text!r}: no wording {missing} is declared before it is used")
    return _SHARED.sub(lambda m: wordings[m.group(1)], text)


def _kind(name: str, spec: Mapping[str, Any]) -> DeclaredKind:
    when = _texts(spec, "when")
    if not when:
        raise DeclarationError(f"kinds.{name} lacks when = [the fields by which its records are known]")
    return DeclaredKind(
        name,
        frozenset(when),
        _texts(spec, "names"),
        frozenset(t.lower() for t in _texts(spec, "pronouns")),
        bool(spec.get("leads", False)),
        str(spec.get("group", "")),
        tuple(tuple(part.strip() for part in text.split("|")) for text in _texts(spec, "known")),
        {part: _texts(_of(spec, "aliases", dict), part) for part in _of(spec, "aliases", dict)},
        tuple(_field(f"kinds.{name}.fields", f, given) for f, given in _of(spec, "fields", dict).items()),
        {d: expression(str(text)) for d, text in _of(spec, "derived", dict).items()},
    )


def _field(where: str, name: str, given: Any) -> DeclaredField:
    if isinstance(given, list):
        return DeclaredField(name, _texts({name: given}, name))
    spec = _table(given, f"{where}.{name}", _FIELD)
    return DeclaredField(
        name, _texts(spec, "words"), _texts(spec, "verbs"), _texts(spec, "terms"), float(spec.get("within", 0))
    )


def _table(given: Any, where: str, known: frozenset[str]) -> Mapping[str, Any]:
    if not isinstance(given, dict):
        raise DeclarationError(f"{where} must be a table with {', '.join(sorted(known))}")
    table = dict[str, Any](given)  # pyright: ignore[reportUnknownArgumentType]
    extra = sorted(set(table) - known)
    if extra:
        raise DeclarationError(f"{where} does not know {', '.join(extra)}; known are {', '.join(sorted(known))}")
    return table


def _of(spec: Mapping[str, Any], name: str, kind: type) -> Any:
    value = spec.get(name, kind())
    if not isinstance(value, kind):
        raise DeclarationError(f"{name} must be a {'list' if kind is list else 'table'}")
    return value


def _texts(spec: Mapping[str, Any], name: str) -> tuple[str, ...]:
    values: Sequence[Any] = _of(spec, name, list)
    if not all(isinstance(v, str) and v for v in values):
        raise DeclarationError(f"{name} must be a list of texts")
    return tuple(values)
