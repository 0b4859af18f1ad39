"""The run log of one process, in memory. `sayso.store.run_log` keeps the same in a database, for several."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from sayso.core.run_log import LIFETIME, QUIET, Claim, Kept
from sayso.errors import Conflict, ContinuationUsed, NoRun


@dataclass(slots=True)
class _Row:
    owner: str
    heard: float
    frames: list[bytes] = field(default_factory=list[bytes])
    ended: bool = False
    stop: bool = False


@dataclass(slots=True)
class Claims:
    """Which continuations were used, by which run and request.

    They take memory: of more than `most`, the oldest are forgotten before their time.
    """

    monotonic: Callable[[], float] = time.monotonic
    most: int = 100_000
    _claims: dict[str, tuple[str, str, float]] = field(default_factory=dict[str, tuple[str, str, float]])

    def claim(self, claim: Claim, run_id: str) -> str:
        """As `RunLog.claim`."""
        now = self.monotonic()
        self._drop_old(now)
        asked, first, _ = self._claims.setdefault(claim.continuation, (claim.digest, run_id, now + claim.seconds))
        if asked != claim.digest:
            raise ContinuationUsed()
        return first

    def release(self, run_id: str) -> None:
        for name in [name for name, (_, first, _) in self._claims.items() if first == run_id]:
            del self._claims[name]

    def _drop_old(self, now: float) -> None:
        """In the order in which they were made: all are kept for about the same time."""
        while self._claims:
            oldest = next(iter(self._claims))
            if self._claims[oldest][2] >= now and len(self._claims) < self.most:
                return
            del self._claims[oldest]


@dataclass(slots=True)
class MemoryRunLog:
    """The same for one process, for as long as it lives."""

    lifetime: float = LIFETIME
    quiet: float = QUIET
    monotonic: Callable[[], float] = time.monotonic
    _rows: dict[str, _Row] = field(default_factory=dict[str, _Row])
    _claims: Claims = field(init=False)

    def __post_init__(self) -> None:
        self._claims = Claims(self.monotonic)

    async def begin(self, run_id: str, owner: str) -> None:
        now = self.monotonic()
        for old in [name for name, row in self._rows.items() if now - row.heard > self.lifetime]:
            if not self._rows.pop(old).ended:
                await self.release(old)
        if run_id in self._rows:
            raise Conflict("this run was started already")
        self._rows[run_id] = _Row(owner, now)

    async def append(self, run_id: str, after: int, frames: Sequence[bytes], *, ended: bool) -> None:
        row = self._rows.get(run_id)
        if row is None:
            raise NoRun()
        if len(row.frames) != after or row.ended:
            raise Conflict("the run's log goes on otherwise already")
        row.frames.extend(frames)
        row.ended, row.heard = ended, self.monotonic()

    async def read(self, run_id: str, owner: str, after: int) -> Kept:
        row = self._of(run_id, owner)
        silent = self.monotonic() - row.heard > self.quiet
        return Kept(tuple(row.frames[after:]), row.ended, silent and not row.ended)

    async def ask_to_stop(self, run_id: str, owner: str) -> None:
        self._of(run_id, owner).stop = True

    async def beat(self, run_ids: Collection[str]) -> frozenset[str]:
        now = self.monotonic()
        mine = {run_id: self._rows[run_id] for run_id in run_ids if run_id in self._rows}
        for row in mine.values():
            row.heard = now
        return frozenset(run_id for run_id, row in mine.items() if row.stop and not row.ended)

    async def claim(self, claim: Claim, run_id: str, owner: str) -> str:
        first = self._claims.claim(claim, run_id)
        if first == run_id:
            await self.begin(run_id, owner)
        return first

    async def release(self, run_id: str) -> None:
        self._claims.release(run_id)

    async def forget(self, run_id: str) -> None:
        await self.release(run_id)
        self._rows.pop(run_id, None)

    async def bury(self, run_id: str, after: int, frame: bytes) -> None:
        row = self._rows.get(run_id)
        if row is None or self.monotonic() - row.heard <= self.quiet:
            raise Conflict("the run goes on")
        await self.append(run_id, after, [frame], ended=True)
        await self.release(run_id)

    def _of(self, run_id: str, owner: str) -> _Row:
        row = self._rows.get(run_id)
        if row is None or row.owner != owner:
            raise NoRun()
        return row
