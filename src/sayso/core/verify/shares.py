# ruff: noqa: E501 (patterns and tables are easier to read on one line)
"""Shares in words: "half of", "a third of", "drei Viertel", "la moitié". In words only, so they prove but are never wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.core.verify.language import listed
from sayso.core.verify.value import Value, ValueKind

_THREE = "0*3"
_TWO = "0*2"
_SHARES: tuple[tuple[float, str], ...] = (
    (75, rf"{_THREE} quarters|{_THREE} viertel|dreiviertel|{_THREE} quarts|{_THREE} quarti|{_THREE} cuartas partes"),
    (200 / 3, rf"{_TWO}[ -]thirds|{_TWO} drittel|{_TWO} tiers|{_TWO} terzi|{_TWO} tercios"),
    (100 / 3, r"(?:a|one)[ -]third of|ein drittel|un tiers|un terzo|un tercio"),
    (25, r"(?:a|one)[ -]quarter of(?! an hour)|ein viertel|un quart d[eu]s?|un quarto d[ei]\w*|una cuarta parte|un cuarto de(?! hora)"),
    (50, r"half of|half the|(?:die )?hälfte|la moitié|la metà|la mitad"),
)  # fmt: skip
_PATTERNS = tuple((number, re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)) for number, pattern in _SHARES)
SHARES = frozenset(
    listed(
        "quarters quarter third thirds half viertel dreiviertel drittel hälfte quart quarts tiers moitié quarto quarti terzo ",
        "terzi metà cuarta cuartas cuarto tercio tercios mitad",
    )
)
"""Where none of these is said, no share is told in words."""


def shares(text: str, shown: str) -> Iterator[Value]:
    for number, pattern in _PATTERNS:
        for m in pattern.finditer(text):
            written = shown[m.start() : m.end()]
            yield Value(ValueKind.PERCENT, m.start(), m.end(), written, frozenset({round(number, 4)}), "%", approx=True, spelled=True)  # fmt: skip
