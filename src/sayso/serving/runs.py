"""Runs: each its own task that outlives the socket, with a bounded log that readers resume from.

A reader pulls from the log at its own pace, so a slow one cannot hold up a run. The log knows no
HTTP and no assistant: it is given an iterator of events.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from sayso.core.events import Event, Failed, Finish
from sayso.core.messages import Outcome, StopReason
from sayso.errors import Conflict, NotFound, SaysoError, StoreBusy
from sayso.serving.frames import KEEP_ALIVE, event_json, frame

log = logging.getLogger(__name__)

_INTERNAL = "Something went wrong on our side; the server's log has the details. Please ask again."


@dataclass(slots=True)
class Run:
    """One run's released events. `ended` is set with its one terminal event."""

    id: str
    owner: str
    frames: list[bytes] = field(default_factory=list[bytes])
    size: int = 0
    ended_at: float | None = None
    stopped: bool = False
    task: asyncio.Task[None] | None = None
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def ended(self) -> bool:
        return self.ended_at is not None


@dataclass(slots=True)
class Runs:
    """The run log of one process. `lifetime` in seconds after a run's end; `max_size` in bytes a run."""

    lifetime: float = 3600.0
    max_runs: int = 1000
    max_active: int = 16
    max_size: int = 8 << 20
    keep_alive: float = 15.0
    monotonic: Callable[[], float] = time.monotonic
    _runs: dict[str, Run] = field(default_factory=dict[str, Run])

    def start(self, run_id: str, owner: str, events: AsyncIterator[Event]) -> Run:
        """Start a run in a task of its own. Raises StoreBusy when too many run, Conflict for a used id."""
        self._prune(room_for=1)
        if run_id in self._runs:
            raise Conflict("this run was started already")
        if sum(not run.ended for run in self._runs.values()) >= self.max_active:
            raise StoreBusy("too many questions are being answered; ask again in a moment")
        run = self._runs[run_id] = Run(run_id, owner)
        run.task = asyncio.create_task(self._drive(run, events), name=f"run {run_id}")
        return run

    def get(self, run_id: str, owner: str) -> Run:
        """Raises NotFound, also for another owner's run."""
        self._prune()
        run = self._runs.get(run_id)
        if run is None or run.owner != owner:
            raise NotFound("no such run, or its hour is over; the conversation keeps its answer")
        return run

    def stop(self, run_id: str, owner: str) -> Run:
        """Stop a run, also before its first event. Stopping an ended run changes nothing."""
        run = self.get(run_id, owner)
        if not run.ended and run.task is not None and not run.stopped:
            run.stopped = True
            # The terminal event is written here: a task cancelled before it began runs none of its own code.
            self._append(run, Finish(Outcome.ABSTAINED, StopReason.STOPPED))
            run.task.cancel()
        return run

    async def read(self, run: Run, after: int = 0) -> AsyncIterator[bytes]:
        """The frames after event number `after`, then new ones until the run's end."""
        position = max(0, min(after, len(run.frames)))
        while True:
            changed = run.changed
            while position < len(run.frames):
                position += 1
                yield run.frames[position - 1]
            if run.ended:
                return
            if changed is not run.changed:
                continue
            try:
                await asyncio.wait_for(changed.wait(), self.keep_alive)
            except TimeoutError:
                yield KEEP_ALIVE

    async def close(self) -> None:
        """Stop what still runs; for the server's shutdown."""
        active = [run for run in self._runs.values() if not run.ended]
        for run in active:
            self.stop(run.id, run.owner)
        await asyncio.gather(*(run.task for run in active if run.task), return_exceptions=True)

    async def _drive(self, run: Run, events: AsyncIterator[Event]) -> None:
        try:
            async for event in events:
                # What comes after the end is read, so that the run is stored whole, but told to nobody.
                self._append(run, event)
        except SaysoError as wrong:
            self._append(run, Failed(wrong.code, str(wrong), wrong.retryable))
        except Exception:
            log.exception("run %s failed", run.id)
            self._append(run, Failed("internal", _INTERNAL, True))
        finally:
            await _closed(events)
        self._append(run, Failed("no_end", "The answer broke off before its end. Please ask again.", True))

    def _append(self, run: Run, event: Event) -> None:
        data = event_json(event)
        if run.ended or data is None:
            return
        if run.size > self.max_size and not isinstance(event, Finish | Failed):
            event = Failed("too_long", "The answer grew beyond what is kept. Ask for less at once.", False)
            data = event_json(event) or {}
        framed = frame(len(run.frames) + 1, event.name, data)
        run.frames.append(framed)
        run.size += len(framed)
        if isinstance(event, Finish | Failed):
            run.ended_at = self.monotonic()
        run.changed.set()
        run.changed = asyncio.Event()

    def _prune(self, room_for: int = 0) -> None:
        """Forget ended runs whose time is over, and the oldest of them to make room for new ones."""
        now = self.monotonic()
        ended = [run for run in self._runs.values() if run.ended_at is not None]
        excess = len(self._runs) + room_for - self.max_runs
        for number, run in enumerate(ended):
            if number < excess or now - (run.ended_at or 0.0) > self.lifetime:
                del self._runs[run.id]


async def _closed(events: AsyncIterator[Event]) -> None:
    close = getattr(events, "aclose", None)
    if close is not None:
        await close()
