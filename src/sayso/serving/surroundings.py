"""The clock and the ids of a real process."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo


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
