"""What several processes share of runs, as a protocol: released frames, used continuations, stop flags.

It knows no event and no HTTP: frames are bytes under a number. An hour, then they are forgotten; a used continuation
is remembered for as long as it would hold.
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


@dataclass(frozen=True, slots=True)
class Claim:
    """A continuation that a request uses up. `digest` is of the whole request, `seconds` how long to remember it: at
    least as long as the continuation is taken, else it could be used twice."""

    continuation: str
    digest: str
    seconds: float


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

    async def claim(self, claim: Claim, run_id: str, owner: str) -> str:
        """Use a continuation, and begin its run, in one step: gives `run_id`, or the id of the run that the same
        request started before. Raises ContinuationUsed for another request."""
        ...

    async def release(self, run_id: str) -> None:
        """Take a run's claim back: it failed in a way that asking again can mend."""
        ...

    async def forget(self, run_id: str) -> None:
        """Take a run back that did not begin, with its claim."""
        ...

    async def bury(self, run_id: str, after: int, frame: bytes) -> None:
        """End a run whose process died with this frame, the one that follows number `after`, and take its claim back,
        in one step. Raises Conflict where it is not silent any more, or has ended."""
        ...
