"""The run log of one process, in memory. `sayso.store.run_log` keeps the same in a database, for several."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from sayso.core.run_log import LIFETIME, QUIET, Kept
from sayso.errors import Conflict, ContinuationUsed, NoRun


@dataclass(slots=True)
class _Row:
    owner: str
    heard: float
    frames: list[bytes] = field(default_factory=list[bytes])
    ended: bool = False
    stop: bool = False


@dataclass(slots=True)
class MemoryRunLog:
    """The same for one process, for as long as it lives."""

    lifetime: float = LIFETIME
    quiet: float = QUIET
    monotonic: Callable[[], float] = time.monotonic
    _rows: dict[str, _Row] = field(default_factory=dict[str, _Row])
    _claims: dict[str, tuple[str, str, float]] = field(default_factory=dict[str, tuple[str, str, float]])

    async def begin(self, run_id: str, owner: str) -> None:
        now = self.monotonic()
        for old in [name for name, row in self._rows.items() if now - row.heard > self.lifetime]:
            del self._rows[old]
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

    async def claim(self, continuation: str, digest: str, run_id: str, seconds: float = LIFETIME) -> str:
        now = self.monotonic()
        for old in [name for name, (_, _, until) in self._claims.items() if until < now]:
            del self._claims[old]
        asked, first, _ = self._claims.setdefault(continuation, (digest, run_id, now + seconds))
        if asked != digest:
            raise ContinuationUsed()
        return first

    async def release(self, run_id: str) -> None:
        for name in [name for name, (_, first, _) in self._claims.items() if first == run_id]:
            del self._claims[name]

    def _of(self, run_id: str, owner: str) -> _Row:
        row = self._rows.get(run_id)
        if row is None or row.owner != owner:
            raise NoRun()
        return row
