"""What five languages call numbers, units, days and turns of phrase: data only, no rule and no record."""

from __future__ import annotations

import re
from collections.abc import Iterable


def listed(*texts: str) -> tuple[str, ...]:
    """The words of these texts, in order."""
    return tuple(word for text in texts for word in text.split())


def either(words: Iterable[str]) -> str:
    """An alternation of these words for a pattern, the longest first, so that none hides a longer one."""
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))
