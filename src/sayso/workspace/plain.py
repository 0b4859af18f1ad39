"""Text as it may stand on a card and leave in a letter: lines of characters that can be seen, nothing else."""

from __future__ import annotations

import re

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def plain(text: str) -> str:
    """The text without control characters; tabs and line breaks stay, the latter as one sign."""
    return _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\x85", "\n"))
