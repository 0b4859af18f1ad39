# ruff: noqa: E501 (patterns and tables are easier to read on one line)
"""Words before or after a number that say how exact it is: about, at least, more than, at most, less than."""

from __future__ import annotations

from enum import StrEnum


class Bound(StrEnum):
    NONE = ""
    ABOUT = "about"
    LEAST = "at least"  # "over" too: of a time it also means "in the course of"
    MORE = "more than"
    MOST = "at most"
    LESS = "less than"


_BEFORE: dict[Bound, tuple[str, ...]] = {
    Bound.ABOUT: (
        "about", "around", "roughly", "nearly", "almost", "approximately", "approx", "circa", "ca", "some", "~", "≈",
        "±", "close to", "just under", "just over", "a little over", "rund", "etwa", "ungefähr", "fast", "knapp", "beinahe",
        "gut", "an die", "zirka", "environ", "presque", "à peu près", "près de", "autour de", "quelque", "quelques",
        "quasi", "più o meno", "intorno a", "all incirca", "attorno a", "unos", "unas", "casi", "cerca de",
        "aproximadamente", "alrededor de", "más o menos",
    ),
    Bound.LEAST: (
        "at least", "no less than", "not less than", "no fewer than", "a minimum of", "minimum", "over", "above", "≥",
        "mindestens", "wenigstens", "nicht weniger als", "über", "au moins", "au minimum", "minimum de", "pas moins de",
        "almeno", "non meno di", "minimo", "oltre", "al menos", "por lo menos", "como mínimo", "no menos de", "mínimo",
    ),
    Bound.MORE: (
        "more than", "greater than", "exceeding", "upwards of", ">", "mehr als", "plus de", "plus d", "più di",
        "più che", "más de", "superior a", "superiore a",
    ),
    Bound.MOST: (
        "at most", "up to", "no more than", "not more than", "a maximum of", "maximum", "under", "below", "≤",
        "höchstens", "maximal", "bis zu", "nicht mehr als", "unter", "au plus", "au maximum", "maximum de", "jusqu à",
        "pas plus de", "tout au plus", "al massimo", "fino a", "non più di", "massimo", "como máximo", "a lo sumo",
        "hasta", "no más de", "máximo",
    ),
    Bound.LESS: ("less than", "fewer than", "<", "weniger als", "moins de", "moins d", "meno di", "menos de"),
}  # fmt: skip
_AFTER: dict[Bound, tuple[str, ...]] = {
    Bound.LEAST: (
        "or more",
        "at least",
        "oder mehr",
        "ou plus",
        "au moins",
        "o più",
        "almeno",
        "o más",
        "al menos",
        "+",
    ),
    Bound.MOST: ("or less", "or fewer", "at most", "oder weniger", "ou moins", "o meno", "o menos", "como máximo"),
    Bound.ABOUT: ("or so", "environ", "circa", "más o menos", "più o meno"),
}
BEFORE = {phrase: bound for bound, phrases in _BEFORE.items() for phrase in phrases}
AFTER = {phrase: bound for bound, phrases in _AFTER.items() for phrase in phrases}
