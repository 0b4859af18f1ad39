# ruff: noqa: E501 (patterns and tables are easier to read on one line)
"""Durations that are told by halves and quarters: "two and a half hours", "anderthalb Stunden", "une demi-heure"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.core.verify.language import either, listed
from sayso.core.verify.language.units import DURATIONS
from sayso.core.verify.value import Value, ValueKind

_I = re.IGNORECASE
_UNIT = either(w for w in DURATIONS if len(w) > 1)
HALVES = frozenset(
    listed(
        "half halbe halben halbes halbstündig eineinhalb einundeinhalb anderthalb zweieinhalb dreieinhalb viereinhalb ",
        "fünfeinhalb sechseinhalb demi demie mezzo mezza mezz media medio quarter quarters viertelstunde dreiviertelstunde ",
        "quart quarts quarto quarti cuarto cuartos minutes minuten minuti minutos",
    )
)
_GERMAN = {"eineinhalb": 1.5, "einundeinhalb": 1.5, "anderthalb": 1.5, "zweieinhalb": 2.5, "dreieinhalb": 3.5,
           "viereinhalb": 4.5, "fünfeinhalb": 5.5, "sechseinhalb": 6.5}  # fmt: skip
_ONES = r"an?|one|une?|un['’]|una|uno|0*\d{1,3}"
_AND_HALF = re.compile(
    rf"\b(?:(?P<n1>{_ONES})\s?(?P<u1>{_UNIT})\s(?:and a half|et demie?|e mezz[ao]|y medi[ao])"
    rf"|(?P<n2>{_ONES})\sand a half\s(?P<u2>{_UNIT})|(?P<g>{'|'.join(_GERMAN)})\s(?P<u3>{_UNIT}))\b",
    _I,
)
_AND_MINUTES = re.compile(
    r"\b(?:an|one|eine|une|un['’]|una) (?:hour|stunde|heure|ora|hora),? (?:and|und|et|e|y) (?P<m>0*\d{1,2}) minut\w{1,2}\b",
    _I,
)
_PARTS: tuple[tuple[re.Pattern[str], float, str], ...] = tuple(
    (re.compile(rf"\b(?:{pattern})\b", _I), number, unit)
    for pattern, number, unit in (
        (r"0*3[ -]quarters of an hour|dreiviertelstunde|0*3 quarts d['’]heure|0*3 quarti d['’]ora|0*3 cuartos de hora", 45, "minute"),
        (r"(?:a )?quarter of an hour|viertelstunde|quart d['’]heure|quarto d['’]ora|cuarto de hora", 15, "minute"),
        (r"half an hour|half[- ]hour|halben? stunde|demi-heure|mezz['’ ]ora|mezza ora|media hora", 30, "minute"),
        (r"half a year|halbes jahr|halben jahr|demi-année|mezzo anno|medio año", 6, "month"),
    )
)  # fmt: skip
_SINGLE = re.compile(r"\b(?:one|une?|una|eine[rmn]?|un['’])\s?(?P<u>minute|hour|week|month|year|stunde|woche|minute|jahr|"
                     r"monat|heure|semaine|an|ora|settimana|mese|anno|hora|semana|mes|año)\b", _I)  # fmt: skip
SINGLES = frozenset(["one", "un", "une", "una", "eine", "einer", "einem", "einen"])


def halves(text: str, shown: str) -> Iterator[Value]:
    for m in _AND_HALF.finditer(text):
        told = m["n1"] or m["n2"]
        number = _GERMAN[m["g"].lower()] if m["g"] else (float(told) if told.isdigit() else 1) + 0.5
        yield _duration(shown, m, number, DURATIONS[(m["u1"] or m["u2"] or m["u3"]).lower()])
    for m in _AND_MINUTES.finditer(text):
        yield _duration(shown, m, 60 + int(m["m"]), "minute")
    for pattern, number, unit in _PARTS:
        for m in pattern.finditer(text):
            yield _duration(shown, m, number, unit)


def singles(text: str, shown: str) -> Iterator[Value]:
    """ "One hour", "eine Stunde": an article as well, so it proves but is never wrong."""
    for m in _SINGLE.finditer(text):
        yield _duration(shown, m, 1, DURATIONS[m["u"].lower()], spelled=True)


def _duration(shown: str, m: re.Match[str], number: float, unit: str, *, spelled: bool = False) -> Value:
    return Value(ValueKind.DURATION, m.start(), m.end(), shown[m.start() : m.end()], frozenset({float(number)}), unit, spelled=spelled)  # fmt: skip
