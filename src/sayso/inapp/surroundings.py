"""The clock, the ids and the one person of a real process."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from sayso.core.tools import Actor

LOCAL_USER = Actor("local", "local")
"""The one person of an assistant on their own machine: everything is theirs and allowed."""


def local_person(owner: str, id: str) -> Actor | None:
    """Who that is, with their present role; nobody but the local user is known."""
    return LOCAL_USER if (owner, id) == (LOCAL_USER.owner, LOCAL_USER.id) else None


@dataclass(frozen=True, slots=True)
class SystemClock:
    """The machine's clock in the user's zone (None: the machine's); deadlines run on the monotonic one."""

    zone: tzinfo | None

    def now(self) -> datetime:
        return datetime.now(UTC).astimezone(self.zone)

    def monotonic(self) -> float:
        return time.monotonic()


@dataclass(frozen=True, slots=True)
class RandomIds:
    """96 random bits: not to be guessed, and not ordered by time."""

    def new(self, prefix: str) -> str:
        return f"{prefix}_{secrets.token_hex(12)}"
