"""Text of whole characters: a half of one can be neither stored nor sent. Knows nothing of who wrote it."""

from __future__ import annotations

import re

_HALF = re.compile("[\ud800-\udfff]")


def whole_characters(text: str) -> str:
    """Halves of a character put together where both are there, replaced where one is alone: nothing stores a half."""
    if text.isascii() or not _HALF.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
