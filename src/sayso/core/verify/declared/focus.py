"""Who was spoken of last: all that is remembered between sentences."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Focus:
    """Refs: of the last record of each kind, and of the group whose records are being told of ("" for none)."""

    last: tuple[str, ...] = ()
    group: str = ""


NO_FOCUS = Focus()
