# ruff: noqa: E501 (patterns are easier to read on one line)
"""Amounts as people write them: digits and number words with a scale, a range, a unit, and what bounds them.

Units are brought to one per dimension (metres, square metres, kilograms, seconds, metres a second), so that
"over two hours" can be compared with "134 minutes". Knows units of measure and money; no record.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sayso.core.verify.language import either

_UNITS: dict[str, tuple[str, float]] = {
    word: (dimension, factor)
    for dimension, table in {
        "length": {"m metre metres meter meters": 1, "km kilometre kilometres kilometer kilometers": 1000,
                   "cm centimetre centimetres centimeter centimeters": 0.01, "mm": 0.001, "mi mile miles": 1609.344,
                   "ft foot feet": 0.3048, "inch inches": 0.0254, "yd yard yards": 0.9144},
        "area": {"sqkm": 1e6, "sqm": 1, "sqmi": 2.589988e6, "acre acres": 4046.856, "ha hectare hectares": 1e4},
        "mass": {"kg kilogram kilograms kilo kilos": 1, "g gram grams": 0.001, "lb lbs pound pounds": 0.45359237,
                 "t ton tons tonne tonnes": 1000, "oz ounce ounces": 0.02834952},
        "time": {"s sec second seconds": 1, "min mins minute minutes": 60, "h hr hrs hour hours": 3600},
        "speed": {"kmh": 1 / 3.6, "mph": 0.44704, "kn knot knots": 0.514444},
        "share": {"% percent": 1}, "money": {"dollar dollars usd": 1, "euro euros eur": 1, "pounds sterling gbp": 1},
        "span": {"year years": 1, "decade decades": 10, "century centuries": 100},
    }.items()
    for words, factor in table.items()
    for word in words.split()
}  # fmt: skip
_SMALL = {
    w: n
    for n, words in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
    )
    for w in words.split()
} | {
    w: n * 10 for n, w in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)
}  # fmt: skip
_SCALES = {"hundred": 100, "dozen": 12, "thousand": 1e3, "k": 1e3, "million": 1e6, "mio": 1e6, "billion": 1e9, "bn": 1e9, "crore": 1e7, "lakh": 1e5}  # fmt: skip
_VAGUE = {"a couple of": 2, "a couple": 2, "a few": 3, "half a": 0.5, "half of a": 0.5, "a single": 1, "a half": 0.5}
_ONES = either(_SMALL)
_SCALE = "|".join(_SCALES)
_DIGITS = r"\d{1,15}(?:,\d{3}(?!\d)){0,5}(?:\.\d{1,6})?"
_AMOUNT = re.compile(
    rf"(?<![\w.])(?P<cur>[$£€₹])?\s?(?:(?P<digits>{_DIGITS})(?:\s?(?:-|–|to|or)\s?(?P<high>{_DIGITS}))?|(?P<vague>{'|'.join(_VAGUE)})(?!\w)"
    rf"|(?P<spelled>(?:{_ONES})(?:[- ](?:{_ONES}))?)(?!\w)|(?P<one>an?)(?= (?:hundred|dozen|thousand|million|billion|years?|decade|century|hour|minute|mile|pound|kilogram)\b)|(?P<plural>millions|billions|thousands|hundreds) of(?!\w))"
    rf"(?P<half> and a half)?(?:[ -]?(?P<scale>{_SCALE})s?(?![\w-]))?(?:[ -]?(?P<scale2>{_SCALE})s?(?![\w-]))?"
    r"(?:[ -]?(?P<unit>sq\.? ?(?:km|mi|m)|square (?:kilomet(?:er|re)s?|miles?|met(?:er|re)s?)|km/h|%|[a-z]{1,12})(?!\w)(?P<half2> and a half\b)?)?"
)
_CLOCK = re.compile(r"(?<![\d:])(\d{1,3})\s?:\s?(\d\d)(?:\s?:\s?(\d\d))?(?![\d:])")


@dataclass(frozen=True, slots=True)
class Amount:
    """`low` to `high` in the base unit of its dimension ("" for plain numbers); `word` is what follows the number."""

    low: float
    high: float
    dimension: str
    start: int
    end: int
    word: str = ""


def amounts(text: str) -> Iterator[Amount]:
    """Amounts of folded text, in order. A running time such as 42:15 is one."""
    rest = text
    for m in _CLOCK.finditer(text):
        parts = [int(p) for p in m.groups() if p]
        seconds = sum(p * 60**i for i, p in enumerate(reversed(parts)))
        yield Amount(seconds, seconds, "time", m.start(), m.end())
        rest = rest[: m.start()] + " " * (m.end() - m.start()) + rest[m.end() :]
    for m in _AMOUNT.finditer(rest):
        yield _amount(m)


def _amount(m: re.Match[str]) -> Amount:
    scale = _SCALES.get(m["scale"] or "", 1) * _SCALES.get(m["scale2"] or "", 1)
    low = _number(m) + (0.5 if m["half"] or m["half2"] else 0)
    high = float(m["high"].replace(",", "")) if m["high"] else low * (1000 if m["plural"] else 1)
    dimension, factor = ("money", 1.0) if m["cur"] else _UNITS.get(_unit(m["unit"] or ""), ("", 1.0))
    known = dimension and not m["cur"]
    end = m.end() if known or not m["unit"] else m.start("unit")
    word = m["unit"] or ""
    return Amount(low * scale * factor, high * scale * factor, dimension, m.start(), _trimmed(m.string, end), word)


def _trimmed(text: str, end: int) -> int:
    while text[end - 1] in " -":
        end -= 1
    return end


def _number(m: re.Match[str]) -> float:
    if m["plural"]:
        return float(_SCALES[m["plural"][:-1]])
    if m["digits"]:
        return float(m["digits"].replace(",", ""))
    if m["vague"]:
        return _VAGUE[m["vague"]]
    if m["spelled"]:
        return float(sum(_SMALL[w] for w in re.split(r"[- ]", m["spelled"])))
    return 1.0


def _unit(written: str) -> str:
    """ "square miles" and "sq. mi" are one unit, "km/h" is "kmh"."""
    unit = written.replace("square ", "sq").replace("sq.", "sq").replace(" ", "").replace("/", "")
    return re.sub(r"^sq(km|kil|mi|m).*", lambda m: "sq" + {"kil": "km"}.get(m[1], m[1]), unit)


_BEFORE = re.compile(
    r"(?P<more>(?:more|greater|longer|older|larger|bigger|higher|later) than|over|above|past|upwards of|in excess of)"
    r"|(?P<less>(?:less|fewer|smaller|shorter|younger|lower|earlier) than|under|below|not even)"
    r"|(?P<least>at ?least|no (?:less|fewer) than|a minimum of|minimum)|(?P<most>at most|up to|no more than|not more than|a maximum of|maximum|as many as)"
    r"|(?P<near>about|around|roughly|approximately|some|close to|circa|c\.|~|nearly|almost|just under|just over|just about)"
    r"|(?P<only>only|just|exactly|a total of|a mere|precisely|merely)"
)
_BOUND = re.compile(rf"(?:{_BEFORE.pattern})(?: (?:a|an|the|just|only))?\s?$")
_AFTER = re.compile(r"\s?(?:years? |times? )?(?:or|and) (?P<least>more|longer|over|older|above)|\s?(?:or) (?P<most>less|fewer|under|younger)")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bound:
    """What a sentence says of an amount: "over 20" allows 20 to no end. `start` is where its words begin."""

    how: str
    start: int
    end: int

    def allows(self, said: Amount, low: float, high: float) -> bool | None:
        """Whether an amount between `low` and `high` is what was said; None where it may or may not be."""
        floor, ceiling = self._range(said)
        if low > ceiling or high < floor:
            return False
        return True if floor <= low and high <= ceiling else None

    def _range(self, said: Amount) -> tuple[float, float]:
        tiny = 1e-6 * max(1.0, abs(said.low))
        endless = float("inf")
        match self.how:
            case "more":
                return said.low + tiny, endless
            case "least":
                return said.low - tiny, endless
            case "less":
                return -endless, said.high - tiny
            case "most":
                return -endless, said.high + tiny
            case "near":
                return said.low * 0.85 - tiny, said.high * 1.15 + tiny
            case _:
                return said.low - tiny, said.high + tiny


def bound_of(text: str, amount: Amount) -> Bound:
    """The words that bound an amount, right before it ("at least 3") or after it ("3 or more")."""
    after = _AFTER.match(text, amount.end)
    if after is not None:
        return Bound(after.lastgroup or "", amount.start, after.end())
    window = text[max(0, amount.start - 24) : amount.start]
    found = _BOUND.search(window)
    if found is None:
        return Bound("", amount.start, amount.end)
    return Bound(found.lastgroup or "", amount.start - len(window) + found.start(), amount.end)
