"""The `[reading]` section of a lexicon: by which words people speak of a record's fields, places, eras and kinds.

    as_of    the day on which the records were true
    closed   true: a word that neither record nor lexicon explains is unsupported
    fields   [{names = ["Born"], tells = ["born", "birthday"]}]: words that tell of the fields of these names;
             `along` are words that go with them and tell nothing
    places   {"California" = {said = ["Californian"], within = ["United States"], level = "state", holds = ["Fresno"]}}
    eras     {"World War I" = ["1914-07-28", "1918-11-11"]}
    same     [["film", "movie"]]: words for one thing
    balances [{gain = "Box office", cost = "Budget", won = ["profit"], lost = ["flop"]}]

Knows the section's form, and no word of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, TypeVar

from sayso.core.verify.declared.reading import ReadField, label_roots
from sayso.core.verify.declared.reading_words import roots, spelled_words
from sayso.errors import DeclarationError

Phrase = tuple[str, ...]
T = TypeVar("T")
_KEYS = frozenset({"as_of", "closed", "fields", "places", "eras", "same", "balances"})


@dataclass(frozen=True, slots=True)
class Telling:
    """A phrase, the labels of the fields that it speaks of, and whether it tells of them or only goes along."""

    phrase: Phrase
    labels: frozenset[Phrase]
    along: bool = False

    def of(self, fields: Iterable[ReadField]) -> tuple[ReadField, ...]:
        return tuple(f for f in fields if f.names in self.labels)


@dataclass(frozen=True, slots=True)
class Balance:
    """What a difference of two fields is called when it is a gain, and when it is a loss."""

    gain: Phrase
    cost: Phrase
    won: tuple[Phrase, ...]
    lost: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class ReadingLexicon:
    """`tells`, `places` and `eras` by the first stem of their phrases; `held` is what each place lies in,
    `levels` whether it is a state, a country or a continent."""

    as_of: date | None = None
    closed: bool = False
    tells: Mapping[str, tuple[Telling, ...]] = field(default_factory=dict[str, tuple[Telling, ...]])
    places: Mapping[str, tuple[tuple[Phrase, str], ...]] = field(
        default_factory=dict[str, tuple[tuple[Phrase, str], ...]]
    )
    held: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    levels: Mapping[str, str] = field(default_factory=dict[str, str])
    eras: Mapping[str, tuple[tuple[Phrase, tuple[date, date]], ...]] = field(
        default_factory=dict[str, tuple[tuple[Phrase, tuple[date, date]], ...]]
    )
    same: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    balances: tuple[Balance, ...] = ()


NO_READING = ReadingLexicon()


def reading_of(data: Mapping[str, Any]) -> ReadingLexicon:
    """Raises DeclarationError for an entry that is not known."""
    extra = sorted(set(data) - _KEYS)
    if extra:
        raise DeclarationError(f"[reading] has no {', '.join(extra)}; known are {', '.join(sorted(_KEYS))}")
    tellings = [t for entry in data.get("fields", ()) for t in _tellings(entry)]
    places = _places(data.get("places", {}))
    eras = [(roots(name), (_day(a), _day(b))) for name, (a, b) in data.get("eras", {}).items()]
    as_of = data.get("as_of")
    return ReadingLexicon(
        None if as_of is None else _day(as_of),
        bool(data.get("closed", False)),
        _by_first((t.phrase, t) for t in tellings),
        _by_first(
            (p, (p, name)) for name, place in places.items() for p in map(spelled_words, (name, *place.get("said", ())))
        ),
        {name: frozenset(_around(name, places)) for name in places},
        {name: place["level"] for name, place in places.items() if "level" in place},
        _by_first((p, (p, days)) for p, days in eras),
        _groups(data.get("same", ())),
        tuple(_balance(b) for b in data.get("balances", ())),
    )


def _places(written: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Mapping[str, Any]]:
    """Each place with what it lies in; those that another one only lists among what it holds are places too."""
    found = {name: dict(place) for name, place in written.items()}
    for name, place in written.items():
        for inner in place.get("holds", ()):
            known = found.setdefault(inner, {})
            known["within"] = [*known.get("within", ()), name]
    return found


def _tellings(entry: Mapping[str, Any]) -> Iterator[Telling]:
    labels = frozenset(label_roots(name) for name in entry["names"])
    for key in ("tells", "along"):
        yield from (Telling(p, labels, key == "along") for p in _phrases(entry.get(key, ())))


def _balance(entry: Mapping[str, Any]) -> Balance:
    won, lost = tuple(_phrases(entry["won"])), tuple(_phrases(entry["lost"]))
    return Balance(label_roots(entry["gain"]), label_roots(entry["cost"]), won, lost)


def _phrases(written: Iterable[str]) -> Iterator[Phrase]:
    return (roots(w) for w in written)


def _by_first(pairs: Iterable[tuple[Phrase, T]]) -> dict[str, tuple[T, ...]]:
    found: dict[str, list[tuple[int, T]]] = {}
    for phrase, value in pairs:
        found.setdefault(phrase[0], []).append((len(phrase), value))
    return {first: tuple(v for _, v in sorted(values, key=lambda p: -p[0])) for first, values in found.items()}


def _around(name: str, places: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """A place and all that it lies in; a place that is not declared has no more around it."""
    todo, seen = [name], set[str]()
    while todo:
        place = todo.pop()
        if place not in seen:
            seen.add(place)
            yield place
            todo += places.get(place, {}).get("within", ())


def _groups(written: Iterable[Iterable[str]]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for group in written:
        members = frozenset(r for word in group for r in roots(word))
        for member in members:
            found[member] = found.get(member, frozenset()) | members
    return found


def _day(written: date | str) -> date:
    return date.fromisoformat(written) if isinstance(written, str) else written
