# ruff: noqa: E501 (a language's words are easier to compare on one line)
"""Words of order, as data in five languages: superlatives, comparatives and "only". No domain, no grammar beyond word lists.

A word orders by size or by time, and means the upper or the lower end ("longest", "highest"; "latest"; "next" is
the lower end of what is still to come).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from sayso.core.verify.cues import Worded
from sayso.core.verify.language import either
from sayso.core.verify.words import fold


class By(StrEnum):
    SIZE = "size"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class Order:
    by: By
    upper: bool
    ahead: bool = False  # only what is still to come


_SUPERLATIVES: tuple[tuple[Order, str], ...] = (
    (
        Order(By.SIZE, True),
        "longest, highest, most, largest, biggest, greatest, furthest, furthest along, längste, höchste, meiste, grösste, weiteste, plus long, plus longue, plus élevé, plus élevée, plus haut, plus haute, "
        "plus grand, plus grande, plus avancé, più lungo, più lunga, più alto, più alta, più grande, più avanzato, más largo, más larga, más alto, más alta, más grande, más avanzado, más avanzada",
    ),
    (
        Order(By.SIZE, False),
        "shortest, lowest, least, smallest, fewest, kürzeste, niedrigste, tiefste, kleinste, wenigste, geringste, plus court, plus courte, plus bas, plus basse, plus petit, plus petite, moins avancé, "
        "più corto, più corta, più basso, più bassa, meno avanzato, más corto, más corta, más bajo, más baja, menos avanzado, menos avanzada",
    ),
    (
        Order(By.TIME, False, True),
        "next, nearest, soonest, nächste, prochain, prochaine, plus proche, prossimo, prossima, più vicino, più vicina, próximo, próxima, más cercano, más cercana",
    ),
    (Order(By.TIME, False), "earliest, früheste, plus tôt, più presto, más temprano"),
    (Order(By.TIME, True), "latest, späteste"),
)
_THAN = r"\W{1,3}(?:\w{1,20}\W{1,3}){0,3}?(?:than|als|que|di|de|rispetto a|del|della|dell'|d')\b"
_COMPARATIVES: tuple[tuple[Order, str], ...] = (
    (
        Order(By.SIZE, True),
        "more, higher, longer, further along, further, bigger, larger, mehr, höher, länger, weiter, grösser, plus, più, más",
    ),
    (
        Order(By.SIZE, False),
        "less, fewer, lower, shorter, smaller, weniger, niedriger, kürzer, kleiner, tiefer, moins, meno, menos",
    ),
)
_MOMENTS: tuple[tuple[Order, str], ...] = (
    (
        Order(By.TIME, False),
        "before, earlier than, sooner than, vor, früher als, avant, plus tôt que, prima di, prima del, prima della, antes de, antes del, antes que",
    ),
    (
        Order(By.TIME, True),
        "after, later than, nach, später als, après, plus tard que, dopo, después de, después del, más tarde que",
    ),
)


def _folded(phrases: str) -> str:
    return either(map(fold, phrases.split(", ")))


def _any_of(phrases: str) -> str:
    return rf"\b(?:{_folded(phrases)})"


_FOUND = tuple((order, Worded(_folded(phrases), end=r"(?:[nrsm]|ns)?\b")) for order, phrases in _SUPERLATIVES)
_COMPARED = (
    *((order, Worded(_folded(phrases), end=_THAN)) for order, phrases in _COMPARATIVES),
    *((order, Worded(_folded(phrases))) for order, phrases in _MOMENTS),
)


def superlative(folded: str, cues: frozenset[str]) -> tuple[Order, int, int] | None:
    """The first word that says which of several is at an end: its order and its place."""
    tried = ((order, pattern.search(folded)) for order, pattern in _FOUND if pattern.may_match(cues))
    found = [(m.start(), m.end(), order) for order, m in tried if m]
    if not found:
        return None
    start, end, order = min(found, key=lambda f: (f[0], -f[1]))
    return order, start, end


def comparatives(folded: str, cues: frozenset[str]) -> list[tuple[Order, int, int]]:
    """Each "more than", "before", "later than": its order and its place."""
    tried = ((order, pattern) for order, pattern in _COMPARED if pattern.may_match(cues))
    return [(order, m.start(), m.end()) for order, pattern in tried for m in pattern.finditer(folded)]


_AHEAD = re.compile(
    _any_of(
        "ahead, more, higher, further, leads, leading, lead, in front, above, beats, tops, outpaces, up on, vor, voraus, vorn, vorne, voran, mehr, höher, weiter, führt, über, schlägt, übertrifft, Vorsprung, "
        "devant, devance, dépasse, de plus, avance, en tête, supérieur, supérieure, plus, avanti, in più, vantaggio, davanti, supera, precede, più, por delante, delante, más, saca, ventaja, aventaja, adelanta"
    )
    + r"\b"
)
_BEHIND = re.compile(
    _any_of(
        "behind, less, fewer, lower, trails, trailing, trail, lags, lagging, below, hinter, zurück, hinterher, Rückstand, weniger, niedriger, tiefer, unter, derrière, moins, retard, en dessous, inférieur, "
        "inférieure, dietro, indietro, meno, ritardo, svantaggio, sotto, detrás, atrás, menos, retraso, desventaja, por debajo"
    )
    + r"\b"
)
_OTHER_FIRST = re.compile(
    _any_of(
        "compared with, compared to, relative to, than, ahead of, in front of, behind, verglichen mit, im Vergleich zu, im Vergleich mit, gegenüber, vor, hinter, comparé à, comparée à, comparé avec, par rapport à, "
        "devant, derrière, rispetto a, in confronto a, confrontato con, paragonato a, davanti a, dietro, comparado con, comparada con, en comparación con, respecto a, frente a, delante de, detrás de"
    )
    + r"(?: (?:the|dem|der|das|le|la|l'|il|lo|el)(?: \w{2,12})?)?\W{0,5}$"
)
_FAR = (
    (
        True,
        re.compile(
            _any_of(
                "further, further along, farther, farther along, weiter, plus loin, plus avancé, plus avancée, più avanti, más lejos, más adelante"
            )
            + r"\b"
        ),
    ),
    (False, re.compile(_any_of("less far, weniger weit, moins loin, meno avanti, menos lejos") + r"\b")),
)
_THEN = re.compile(r"\W{1,16}(?:than|als|qu'|que|di|che|de)\b")


def first_is_further(before: str, between: str) -> bool | None:
    """ "Further along with A than with B": whether A has more; None where nothing says so. Both texts are folded."""
    if _THEN.match(between) is None:
        return None
    found = [upper for upper, pattern in _FAR if pattern.search(before)]
    return found[-1] if found else None


_OPEN = re.compile(r"\b(?:latter|second|letzter\w*|zweit\w*|dernier|derniere|ultimo|ultima|segundo|segunda)\b")


def first_leads(before: str, rest: str) -> bool | None:
    """Of two that are told to lie apart, whether the first one named has more; None where no one word tells.

    Both texts are folded and without the names: what stands before the first one, and all that follows.
    """
    text = f"{before} {rest}"
    ahead = _AHEAD.search(text) is not None or "+" in text
    behind = _BEHIND.search(text) is not None or _MINUS.search(text) is not None
    if ahead is behind or _OPEN.search(text):
        return None
    return ahead is not (_OTHER_FIRST.search(before) is not None)


_MINUS = re.compile(r"[-−]\d")
