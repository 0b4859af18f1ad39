# ruff: noqa: E501 (patterns and tables are easier to read on one line)
"""Numbers with what they count: percentages, money, durations, measures, and plain numbers.

Reads a text whose number words are digits already (`numerals.in_digits`) and whose contacts, dates and
times are blanked. One pass over the numbers; what stands around each is looked up in tables. Units are
looked up here and not by a library of quantities: those take milliseconds and one reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from sayso.core.verify.language import listed
from sayso.core.verify.language.bounds import AFTER, BEFORE, Bound
from sayso.core.verify.language.units import (
    CURRENCIES,
    DURATIONS,
    MEASURES,
    PERCENT_PHRASES,
    PERCENTS,
    SIZES,
)
from sayso.core.verify.numerals import SCALES, readings
from sayso.core.verify.value import Value, ValueKind

_NUMBER = re.compile(
    r"(?<![\w.])(?:\d{1,3}(?:[ \u2009]\d{3}){1,4}(?![\d.,'’]?\d)(?:,\d{1,2}(?!\d))?|\d(?:[\d.,'’\u00a0\u202f]{0,30}\d)?)(?P<half>\s?½|(?= ?1/2\b))?"
)
_NEXT = re.compile(r"(?P<gap>[\u00a0 -]?)(?P<word>°?[^\W\d_]+(?:/[a-z]{1,2})?|[%€£¥₹]|(?:US|C|A)?\$)(?P<dot>\.?)")
_MINUS = re.compile(r"(?:(?<![^\s(])[-−]|\bminus |\bmeno |\bmenos |\bmoins )\Z", re.IGNORECASE)
_DASH = re.compile(r"\.[-–—]")
_BEFORE_CODE = re.compile(r"(?<![^\W\d_])([^\W\d_]{2,6}|(?:US|CA?|AU?|R)?\$|[€£¥₹])(\.?)[ \u00a0]?\Z")
_ORDINALS = frozenset(
    ["st", "nd", "rd", "th", "e", "er", "re", "ère", "ème", "ième", "º", "ª", "°", "ste", "te", "ter", "ten"]
)
_SHORT_SCALES = frozenset(["k", "m", "b", "bn", "mn", "md"])
_FILLERS = frozenset(
    listed(
        "straight full more whole other further consecutive weitere weiteren ganze ganzen autres altri altre otros otras"
    )
)
_OF = frozenset(["de", "di", "d", "of"])
_EXACT_CODES = frozenset(["CHF", "EUR", "USD", "GBP"])  # in small letters too
_IDENTIFIER = re.compile(r"(?:[A-Z]|\w*\d[^\W\d_]|\w*[^\W\d_]\d)[\w]{0,20}[-_#]\Z")
_HEAD = re.compile(r"[^\W\d_]+|\d+|[~≈<>≤≥±]")
_ASIDE = re.compile(r"\s?\+|\s{0,2}([^\W\d_]+)(?:\s([^\W\d_]+))?(?:\s([^\W\d_]+))?")
_BETWEEN = frozenset(["between", "zwischen", "entre", "tra", "fra"])
_TO = re.compile(r"\s?[-–—]\s?|\s(?:to|bis|à|a|al|and|und|et|e|y)\s")
_CHANGED = ("rise", "rose", "grew", "grow", "incr", "decr", "fell", "fall", "drop", "went", "go", "mov", "chang", "pass",
            "augment", "baiss", "stieg", "stei", "fiel", "sali", "scen", "sces", "subi", "baj", "aument")  # fmt: skip
_JOINS = re.compile(r",?\s(?:(?:and|und|et|e|y)\s)?|")


def quantities(text: str, shown: str) -> Iterator[Value]:
    """Every number of `text` as what it is; `shown` is the text before number words became digits."""
    found = [v for m in _NUMBER.finditer(text) if (v := _read(text, shown, m)) is not None]
    yield from _joined(text, found)


def _read(text: str, shown: str, m: re.Match[str]) -> Value | None:
    if m.start() and text[m.start() - 1] in "-_#" and _IDENTIFIER.search(text[max(0, m.start() - 24) : m.start()]):
        return None
    after = _After(text, m)
    if after.is_identifier:
        return None
    numbers = readings(m.group().rstrip(" ½") + after.scale)
    if not numbers:
        return None
    if m["half"] is not None:
        numbers = frozenset(n + 0.5 for n in numbers)
    kind, unit, start, end = after.kind, after.unit, m.start(), after.end
    if _MINUS.search(text, max(0, start - 7), start):  # a fall of 3 % may be told without its sign, a frost not
        numbers = frozenset(-n for n in numbers) | (frozenset[float]() if unit in ("°C", "°F") else numbers)
    if kind is ValueKind.NUMBER and not unit and (code := _code_before(text, m.start())):
        kind, unit, start = ValueKind.MONEY, code[0], code[1]
    written = shown[start:end]
    in_words = kind is ValueKind.NUMBER and not unit and not any(c.isdigit() for c in written)
    bound = _bound(text, start, end)
    return Value(
        kind, start, end, written, numbers, unit, approx=bound is not Bound.NONE, spelled=in_words, bound=bound
    )


class _After:
    """What stands right after a number: a scale, then a unit."""

    __slots__ = ("end", "is_identifier", "kind", "scale", "unit")

    def __init__(self, text: str, m: re.Match[str]) -> None:
        self.end = m.end() + (4 if m["half"] == "" else 0)
        self.scale = self.unit = ""
        self.kind = ValueKind.NUMBER
        self.is_identifier = False
        plural = m.group().lstrip("0") != "1"
        millions = m.group().endswith("000000")
        word = _NEXT.match(text, self.end)
        if word is not None and self._is_scale(text, word):
            self.scale = word["word"]
            self.end = (
                word.end("dot")
                if word["dot"] and len(word["word"]) > 1 and word["word"].lower() != "million"
                else word.end("word")
            )
            word = _NEXT.match(text, self.end)
        elif word is not None and not word["gap"] and word["word"].lower() in _ORDINALS:
            self.end = word.end("word")
            return
        elif word is None and (dash := _DASH.match(text, self.end)):
            word = _NEXT.match(text, dash.end())
            self.end = dash.end() if word is None else self.end
        if word is not None:
            self._take_unit(text, word, plural, millions)

    def _is_scale(self, text: str, word: re.Match[str]) -> bool:
        written = word["word"]
        lower = written.lower()
        if (
            lower not in SCALES
            or word["gap"] == "-"
            or text[word.end("word") : word.end("word") + 1] in ("-", "'", "’")
        ):
            return False
        if lower == "m":
            return written == "M" or not word["gap"]
        return lower not in _SHORT_SCALES or not word["gap"] or len(lower) > 1 or written == "K"

    def _take_unit(self, text: str, word: re.Match[str], plural: bool, millions: bool) -> None:
        if word["word"].lower() in _FILLERS or ((self.scale or millions) and word["word"].lower() in _OF):
            word = _NEXT.match(text, word.end("word") + (text[word.end("word") : word.end("word") + 1] in "'’")) or word
        lower = word["word"].lower()
        if lower in PERCENTS:
            self._is(ValueKind.PERCENT, "%", word.end("word"))
        elif (second := _NEXT.match(text, word.end("word"))) and (lower, second["word"].lower()) in PERCENT_PHRASES:
            self._is(ValueKind.PERCENT, "%", second.end("word"))
        elif (code := _currency(word["word"])) is not None:
            self._is(ValueKind.MONEY, code, word.end() if len(lower) < 4 else word.end("word"))
        elif lower in DURATIONS and _is_duration(lower, word["gap"], plural):
            self._is(ValueKind.DURATION, DURATIONS[lower], word.end("word"))
        elif lower == "l" and text[word.end("word") : word.end("word") + 1] in ("'", "’"):
            return  # an article: "cento l'anno"
        elif lower in MEASURES and (len(lower) > 1 or word["word"] == lower or lower == "l"):
            self._is(ValueKind.NUMBER, MEASURES[lower], word.end("word"))
        elif not word["gap"] and not self.scale and word.start() == self.end:
            self.is_identifier = word["word"].isascii()  # "5G", "3D", "2FA"

    def _is(self, kind: ValueKind, unit: str, end: int) -> None:
        self.kind, self.unit, self.end = kind, unit, end


def _is_duration(word: str, gap: str, plural: bool) -> bool:
    """ "30 second-half points" are no seconds, "3 an hour" no years."""
    return not plural or gap == "-" or word not in ("second", "seconde", "secondo", "segundo", "an", "ora", "mes")


def _currency(written: str) -> str | None:
    code = CURRENCIES.get(written.lower())
    if code is None or len(written) > 3 or written.isupper() or code in _EXACT_CODES or not written.isalpha():
        return code
    return code if written == "yen" else None


def _code_before(text: str, start: int) -> tuple[str, int] | None:
    m = _BEFORE_CODE.search(text, max(0, start - 9), start)
    if m is None or (m[1].lower() == "fr" and not m[2]):
        return None
    code = _currency(m[1])
    return None if code is None else (code, m.start())


def _bound(text: str, start: int, end: int) -> Bound:
    words = _HEAD.findall(text[max(0, start - 28) : start].lower())[-4:]
    for count in range(min(4, len(words)), 0, -1):
        bound = BEFORE.get(" ".join(words[-count:]))
        if bound is not None:
            return bound
    aside = _ASIDE.match(text, end)
    if aside is None or aside[1] is None:
        return Bound.NONE if aside is None else Bound.LEAST
    said = [w.lower() for w in aside.groups() if w]
    return next((b for n in (2, 3, 1) if (b := AFTER.get(" ".join(said[:n])))), Bound.NONE)


def _joined(text: str, found: list[Value]) -> Iterator[Value]:
    """Values with their neighbours: "1 h 30 min" is one duration, "5-7 days" are two ends of a range."""
    values: list[Value] = []
    for value in found:
        before = values[-1] if values else None
        between = text[before.end : value.start] if before and value.start - before.end < 8 else None
        if before is None or between is None:
            values.append(value)
        elif (sum_ := _composite(before, value, between)) is not None:
            values[-1] = sum_
        else:
            values[-1:] = _range(text, before, value, between)
    yield from values


def _composite(a: Value, b: Value, between: str) -> Value | None:
    if not (
        a.kind is b.kind is ValueKind.DURATION and _JOINS.fullmatch(between) and len(a.numbers) == len(b.numbers) == 1
    ):
        return None
    (dimension, size), (other, part) = SIZES[a.unit], SIZES[b.unit]
    if dimension != other or size <= part:
        return None
    total = next(iter(a.numbers)) * size / part + next(iter(b.numbers))
    return replace(a, end=b.end, text=a.text + between + b.text, numbers=frozenset({total}), unit=b.unit)


def _range(text: str, a: Value, b: Value, between: str) -> tuple[Value, Value]:
    low, high = min(a.numbers), min(b.numbers)
    alike = a.kind is b.kind and a.unit == b.unit
    bare = next((v for v in (a, b) if v.kind is ValueKind.NUMBER and not v.unit), None)
    if not _TO.fullmatch(between.lower()) or low >= high or not (alike or bare):
        return a, b
    before = _HEAD.findall(text[max(0, a.start - 24) : a.start].lower())
    spanned = bool(before) and before[-1] in _BETWEEN
    changed = any(word.startswith(_CHANGED) for word in before[-3:])
    if not spanned and between.strip().lower() in ("and", "und", "et", "e", "y", "a", "al"):
        return a, b
    if not (spanned or a.unit or b.unit):
        return a, b
    whole = b if bare is a else a
    ends = None if changed else (low, high)
    return tuple(replace(v, kind=whole.kind, unit=whole.unit, within=ends, spelled=False) for v in (a, b))  # type: ignore[return-value]
