"""What five languages call numbers, units, days and turns of phrase: data only, no rule and no record."""

from __future__ import annotations


def listed(*texts: str) -> tuple[str, ...]:
    """The words of these texts, in order."""
    return tuple(word for text in texts for word in text.split())
