"""What several processes share of runs, as a protocol: released frames, used continuations, stop flags.

It knows no event and no HTTP: frames are bytes under a number. An hour, then all of it is forgotten.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

LIFETIME = 3600.0
QUIET = 60.0
"""Seconds after which a run of which nothing was heard is one whose process died."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The frames of a run after those that the reader has. `lost`: its process died before the run's end."""

    frames: tuple[bytes, ...]
    ended: bool
    lost: bool


class RunLog(Protocol):
    """Another owner's run is not found, as one that does not exist."""

    async def begin(self, run_id: str, owner: str) -> None:
        """Raises Conflict for an id that was used before."""
        ...

    async def append(self, run_id: str, after: int, frames: Sequence[bytes], *, ended: bool) -> None:
        """Add the frames that follow number `after`. Raises Conflict where others follow it already."""
        ...

    async def read(self, run_id: str, owner: str, after: int) -> Kept:
        """The frames after number `after`. Raises NotFound."""
        ...

    async def ask_to_stop(self, run_id: str, owner: str) -> None:
        """Leave word for the process that drives the run. Raises NotFound."""
        ...

    async def beat(self, run_ids: Collection[str]) -> frozenset[str]:
        """Say that these runs go on; gives those of them that are to be stopped."""
        ...

    async def claim(self, continuation: str, digest: str, run_id: str, seconds: float = LIFETIME) -> str:
        """Use a continuation for the request with this digest, once: gives `run_id`, or the id of the run that the
        same request started before. Raises ContinuationUsed for another request. Kept for `seconds`."""
        ...

    async def release(self, run_id: str) -> None:
        """Take a run's claim back: it did not begin, or failed in a way that asking again can mend."""
        ...
