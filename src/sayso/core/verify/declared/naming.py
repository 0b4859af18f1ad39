"""Where a sentence names records: the longest name wins, a name that several bear stays open between them.

It knows names only as the lexicon makes them from fields; of spelling only that a name begins with a capital.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sayso.core.verify.declared.kinds import DeclaredKind
from sayso.core.verify.declared.units import Unit, units_of
from sayso.core.verify.declared.world import Record, World

_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True, eq=False)
class Mention:
    """`records` are those that bear the name; none for a known name that is no record here."""

    kind: str
    records: tuple[Record, ...]
    pronoun: bool = False
    partial: bool = False
    """Whether it is the last word of a longer name."""
    misnamed: bool = False
    """Whether its words are no one's name, though they end with that of these records."""


class Names:
    """The names of a world's records and the further names that its kinds know."""

    def __init__(self, world: World) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], str, Record | None]]] = {}
        for kind in world.kinds:
            for record in world.by_kind[kind.name]:
                for name in _names_of(kind, record):
                    self._add(name, kind, record)
            for parts in kind.known:
                for name in (" ".join(parts), *parts):
                    for wording in _wordings(name, kind.aliases):
                        self._add(wording, kind, None)

    def _add(self, name: str, kind: DeclaredKind, record: Record | None) -> None:
        words = _words(name)
        if words:
            self._by_first.setdefault(words[0], []).append((words, kind.name, record))

    def mentions(self, units: Sequence[Unit]) -> list[tuple[int, int, Mention]]:
        """In order, without overlap: first unit, unit after the last, and who is named."""
        found: list[tuple[int, int, Mention]] = []
        at = 0
        while at < len(units):
            mention = self._at(units, at) if units[at].capital or units[at].text[0].isdigit() else None
            if mention is None:
                at += 1
            else:
                found.append((at, at + mention[0], mention[1]))
                at += mention[0]
        return found

    def _at(self, units: Sequence[Unit], at: int) -> tuple[int, Mention] | None:
        fitting = [n for n in self._named(units[at].word) if _stands(n[0], units, at)]
        if not fitting:
            return None
        length = max(len(words) for words, _, _ in fitting)
        longest = [n for n in fitting if len(n[0]) == length]
        kind = next((k for _, k, r in longest if r is not None), longest[0][1])
        records = dict.fromkeys(r for _, k, r in longest if k == kind and r is not None)
        partial = length == 1 and any(_ends_longer(r, units[at].word) for r in records)
        return length, Mention(kind, tuple(records), partial=partial)

    def _named(self, word: str) -> Iterator[tuple[tuple[str, ...], str, Record | None]]:
        yield from self._by_first.get(word, ())
        yield from (n for n in self._by_first.get(word + "s", ()) if len(n[0]) == 1)  # one of the Hawks, a Hawk


def _ends_longer(record: Record, word: str) -> bool:
    return word in _words(record.entry.numbered.fact.subject)[1:]


@lru_cache(maxsize=8192)
def _words(name: str) -> tuple[str, ...]:
    return tuple(u.word for u in units_of(name))


def _stands(words: tuple[str, ...], units: Sequence[Unit], at: int) -> bool:
    if at + len(words) > len(units):
        return False
    rest = zip(words[1:], units[at + 1 : at + len(words)], strict=True)
    return all(w == u.word for w, u in rest)


def _names_of(kind: DeclaredKind, record: Record) -> Iterator[str]:
    for template in kind.names:
        parts = [record.get(name) for name in _SLOT.findall(template)]
        if all(isinstance(p, str) for p in parts):
            yield from _wordings(_SLOT.sub(lambda m: str(record.get(m.group(1))), template), kind.aliases)


def _wordings(name: str, aliases: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    yield name
    for part, others in aliases.items():
        if part in name:
            yield from (name.replace(part, other) for other in others)
