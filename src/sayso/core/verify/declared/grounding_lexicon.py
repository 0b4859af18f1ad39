"""The `[grounding]` section of a lexicon: which words mean which fields, and which words no record carries.

Read from a mapping; nothing of any domain is known here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sayso.core.verify.declared.grounding_events import EventLexicon
from sayso.core.verify.declared.grounding_lexicon_phrases import Phrases
from sayso.core.verify.declared.grounding_tally import TallyLexicon
from sayso.core.verify.words import fold
from sayso.errors import DeclarationError

_KEYS = frozenset({"known", "unlicensed", "quantity", "state", "units", "tally", "hours", "event"})


@dataclass(frozen=True, slots=True)
class Quantity:
    """Fields that hold one measure, the phrases that speak of it and the units that it is told in."""

    fields: tuple[str, ...]
    phrases: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    slack: float = 0.0


@dataclass(frozen=True, slots=True)
class State:
    """A field of words: each meaning's stored words, and the phrases by which people tell it."""

    field: str
    meanings: tuple[tuple[tuple[str, ...], Phrases], ...]


@dataclass(frozen=True, slots=True)
class GroundingLexicon:
    """`known`: words that a text may use though no record holds them. `unlicensed`: what no record can carry.

    `hours`: whether the records' times of day may be told; else their zone is unknown. `units`: unit -> (the
    quantity's own unit, factor, offset). `declares`: whether there is a section at all.
    """

    known: Phrases = field(default_factory=lambda: Phrases(()))
    unlicensed: Phrases = field(default_factory=lambda: Phrases(()))
    quantities: tuple[Quantity, ...] = ()
    states: tuple[State, ...] = ()
    units: Mapping[str, tuple[str, float, float]] = field(default_factory=dict[str, tuple[str, float, float]])
    tally: TallyLexicon | None = None
    hours: bool = True
    events: tuple[EventLexicon, ...] = ()
    declares: bool = False

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> GroundingLexicon:
        extra = sorted(set(data) - _KEYS)
        if extra:
            raise DeclarationError(f"[grounding] has no {', '.join(extra)}; known are {', '.join(sorted(_KEYS))}")
        try:
            return cls._read(data)
        except (KeyError, TypeError, ValueError, AttributeError) as wrong:
            raise DeclarationError(f"[grounding]: an entry lacks or mistakes {wrong}") from wrong

    @classmethod
    def _read(cls, data: Mapping[str, Any]) -> GroundingLexicon:
        return cls(
            Phrases(data.get("known", ())),
            Phrases(data.get("unlicensed", ())),
            tuple(_quantity(q) for q in data.get("quantity", ())),
            tuple(_state(s) for s in data.get("state", ())),
            {fold(u): (fold(own), float(f), float(o)) for u, (own, f, o) in data.get("units", {}).items()},
            TallyLexicon.from_mapping(data["tally"]) if "tally" in data else None,
            bool(data.get("hours", True)),
            tuple(EventLexicon.from_mapping(e) for e in data.get("event", ())),
            True,
        )


NO_GROUNDING = GroundingLexicon()


def _quantity(entry: Mapping[str, Any]) -> Quantity:
    return Quantity(
        tuple(entry["fields"]),
        tuple(fold(p) for p in entry.get("words", ())),
        tuple(fold(u) for u in entry.get("units", ())),
        float(entry.get("slack", 0.0)),
    )


def _state(entry: Mapping[str, Any]) -> State:
    meanings = tuple((tuple(fold(h) for h in m["held"]), Phrases(m["words"])) for m in entry["meaning"])
    return State(entry["field"], meanings)
