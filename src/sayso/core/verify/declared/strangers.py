"""Names that are nobody's: a known last name after a first name that is not its own, and names of no record at all.

Only a lexicon that lists the words of names which no record bears (`others`: halls, leagues) asks for this; where it
lists none, nothing is inferred from capitals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sayso.core.verify.declared.naming import Mention
from sayso.core.verify.declared.units import Unit
from sayso.core.verify.lexicon import STOP

Named = tuple[int, int, Mention]


def misnamed(units: Sequence[Unit], mentions: Sequence[Named], others: frozenset[str]) -> list[Named]:
    """The mentions, each with the capitalised words that belong to its name: then it is another name.

    A name that goes on in words that no record bears ("King" in "King Center") is left out.
    """
    found: list[Named] = []
    for first, after, mention in mentions:
        floor = found[-1][1] if found else 0
        start = first
        while start > floor and mention.partial and _belongs(units, start - 1):
            start -= 1
        end = after
        while end < len(units) and units[end].word in others and _adjoins(units[end - 1], units[end]):
            end += 1
        if end > after:
            continue
        found.append((start, after, replace(mention, misnamed=True) if start < first else mention))
    return found


def unknown_names(units: Sequence[Unit], others: frozenset[str], terms: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Two or more capitalised words that follow each other and name nobody: first unit, unit after the last.

    Those with a word of `others`, or that such a word introduces ("coach"), are left out."""
    at = 0
    while at < len(units):
        end = at
        while end < len(units) and _capital(units[end]) and (end == at or _adjoins(units[end - 1], units[end])):
            end += 1
        run = units[at:end]
        stated = at > 0 and units[at - 1].word not in _LACKING and units[at - 1].word not in others
        if len(run) > 1 and stated and not any(u.word in others or u.word in terms for u in run):
            yield at, end
        at = max(end, at + 1)


_LACKING = frozenset(["without", "missing"])


def _capital(unit: Unit) -> bool:
    return unit.mention is None and unit.capital and unit.word.isalpha()


def _belongs(units: Sequence[Unit], at: int) -> bool:
    opening = at == 0 and units[at].word in STOP
    return _capital(units[at]) and _adjoins(units[at], units[at + 1]) and not opening


def _adjoins(before: Unit, after: Unit) -> bool:
    return after.start - before.end == 1
