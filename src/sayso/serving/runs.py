"""Runs: each its own task that outlives the socket, with a bounded log that readers resume from.

A reader pulls from the log at its own pace, so a slow one cannot hold up a run. The log knows no
HTTP and no assistant: it is given an iterator of events. With a shared log any other process can read a run on,
and stop it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from sayso.core.events import Event, Failed, Finish
from sayso.core.messages import Outcome, StopReason
from sayso.core.run_log import LIFETIME, Claim, RunLog
from sayso.errors import Conflict, NoRun, RunForgotten, SaysoError, StoreBusy
from sayso.serving.frames import KEEP_ALIVE, event_json, frame
from sayso.serving.run import Run as Run
from sayso.serving.run_log import Claims

log = logging.getLogger(__name__)

_INTERNAL = "Something went wrong on our side; the server's log has the details. Please ask again."
_LOST = Failed("lost", "The server that answered stopped before the answer's end. Please ask again.", True)


@dataclass(slots=True)
class Runs:
    """The runs of one process. `lifetime` in seconds after a run's end; `max_size` in bytes a run.

    `shared` is the log by which several processes share them; `poll` how often it is looked at, in seconds.
    """

    lifetime: float = LIFETIME
    max_runs: int = 1000
    max_active: int = 16
    max_size: int = 8 << 20
    max_streams: int = 1000
    keep_alive: float = 15.0
    monotonic: Callable[[], float] = time.monotonic
    shared: RunLog | None = None
    poll: float = 0.5
    streams: int = 0  # open now
    _runs: dict[str, Run] = field(default_factory=dict[str, Run])
    _claims: Claims = field(default_factory=Claims)
    _beats: asyncio.Task[None] | None = None

    async def start(
        self, run_id: str, owner: str, events: AsyncIterator[Event], closing: Callable[[], Finish] | None = None,
        claim: Claim | None = None,
    ) -> Run:  # fmt: skip
        """Start a run in a task of its own, once every process that shares the log can find it.

        With a `claim` it may be the run that the same request started before. The claim is given back when the run
        fails in a way that asking again can mend. `closing` gives the end of a run that a person stops. Raises
        StoreBusy when too many run, Conflict for a used id, ContinuationUsed, and RunForgotten.
        """
        self._prune(room_for=1)
        if run_id in self._runs:
            raise Conflict("this run was started already")
        if claim is None:
            self._check_room()
        # It is here before its claim: who sends the same request meanwhile must not look for it elsewhere.
        run = self._runs[run_id] = Run(run_id, owner, closing=closing)
        entered = False
        try:
            before = await self._enter(run, claim)
            if before is not None:
                del self._runs[run_id]
                return before
            entered = True
            self._check_room()
        except BaseException as wrong:
            # Whether what was cancelled was written nobody knows.
            await asyncio.shield(self._take_back(run, entered=entered or not isinstance(wrong, SaysoError)))
            raise
        if self.shared is not None:
            run.keeper = asyncio.create_task(self._keep(run, self.shared), name=f"keeping {run_id}")
        run.task = asyncio.create_task(self._drive(run, events), name=f"run {run_id}")
        if self.shared is not None and (self._beats is None or self._beats.done()):
            self._beats = asyncio.create_task(self._beat(self.shared), name="runs: beats")
        return run

    def _check_room(self) -> None:
        running = sum(run.task is not None and not run.ended and not run.elsewhere for run in self._runs.values())
        if running >= self.max_active:
            raise StoreBusy("too many questions are being answered; ask again in a moment")

    async def _enter(self, run: Run, claim: Claim | None) -> Run | None:
        """Write a run into the log; gives the one instead that has its claim already."""
        if claim is None:
            if self.shared is not None:
                await self.shared.begin(run.id, run.owner)
            return None
        looked_at = ""
        while (first := await self._claim(claim, run)) != run.id:
            try:
                known = await self.find(first, run.owner)
            except NoRun as gone:
                raise RunForgotten from gone
            # What ended elsewhere may have been buried this moment: then its claim is free by now.
            if first == looked_at or not (known.elsewhere and (known.ended or await self._is_over(known))):
                return known
            if not known.ended:
                await self._bury(known)
            looked_at = first
        return None

    async def _claim(self, claim: Claim, run: Run) -> str:
        if self.shared is None:
            return self._claims.claim(claim, run.id)
        return await self.shared.claim(claim, run.id, run.owner)

    async def _is_over(self, run: Run) -> bool:
        """Whether its process died, or another has said so (or heard its end) since it was found."""
        if self.shared is None:
            return False
        kept = await self.shared.read(run.id, run.owner, len(run.frames))
        return kept.lost or kept.ended

    async def _take_back(self, run: Run, *, entered: bool) -> None:
        """A run that did not begin: as if it had never been asked for, also for who listens already."""
        del self._runs[run.id]
        if entered:
            self._claims.release(run.id)
            try:
                if self.shared is not None:
                    await self.shared.forget(run.id)
            except SaysoError as wrong:
                log.warning("run %s cannot be taken back: %s", run.id, wrong)
        self._append(run, _LOST)

    async def release(self, run_id: str) -> None:
        """Take back the claim of a run that failed."""
        if self.shared is None:
            self._claims.release(run_id)
        else:
            await self.shared.release(run_id)

    def get(self, run_id: str, owner: str) -> Run:
        """A run of this process. Raises NotFound, also for another owner's run."""
        self._prune()
        run = self._runs.get(run_id)
        if run is None or run.owner != owner:
            raise NoRun
        return run

    async def find(self, run_id: str, owner: str) -> Run:
        """A run of this process or of another one that shares the log. Raises NotFound."""
        self._prune()
        if run_id in self._runs or self.shared is None:
            return self.get(run_id, owner)
        kept = await self.shared.read(run_id, owner, 0)
        run = self._runs.setdefault(run_id, Run(run_id, owner, elsewhere=True))
        if run.task is None:
            self._take(run, kept.frames, kept.ended)
            run.task = asyncio.create_task(self._follow(run, self.shared), name=f"following {run_id}")
        return run

    def stop(self, run_id: str, owner: str) -> Run:
        """Stop a run of this process, also before its first event. Stopping an ended run changes nothing."""
        run = self.get(run_id, owner)
        if not run.ended and not run.elsewhere and run.task is not None and not run.stopped:
            run.stopped = True
            # The terminal event is written here: a task cancelled before it began runs none of its own code.
            self._append(run, run.closing() if run.closing else Finish(Outcome.ABSTAINED, StopReason.STOPPED))
            run.task.cancel()
        return run

    async def halt(self, run_id: str, owner: str) -> Run:
        """Stop a run wherever it is driven. Raises NotFound."""
        run = await self.find(run_id, owner)
        if not run.elsewhere:
            return self.stop(run_id, owner)
        if not run.ended and self.shared is not None:
            await self.shared.ask_to_stop(run_id, owner)
            run.stopped = True
        return run

    def admit(self) -> None:
        """Raises StoreBusy when as many streams are open as there may be."""
        if self.streams >= self.max_streams:
            raise StoreBusy("too many answers are being read at once; try again in a moment")

    async def read(self, run: Run, after: int = 0) -> AsyncIterator[bytes]:
        """The frames after event number `after`, then new ones until the run's end.

        A reader may be ahead of what is known here: it heard the process that drives the run. Whoever claims more than
        there is hears the end.
        """
        position = max(0, after)
        run.readers += 1
        try:
            while True:
                changed = run.changed
                while position < run.told:
                    position += 1
                    yield run.frames[position - 1]
                if run.ended and run.told == len(run.frames):
                    if position > len(run.frames):
                        yield run.frames[-1]
                    return
                if changed is not run.changed:
                    continue
                try:
                    await asyncio.wait_for(changed.wait(), self.keep_alive)
                except TimeoutError:
                    yield KEEP_ALIVE
        finally:
            run.readers -= 1

    async def close(self) -> None:
        """Stop what still runs; for the server's shutdown."""
        active = [run for run in self._runs.values() if not run.ended]
        for run in active:
            self.stop(run.id, run.owner)
            if run.elsewhere and run.task is not None:
                run.task.cancel()
        # Also those that have told their end: what they store may still be on its way.
        tasks = [task for run in self._runs.values() for task in (run.task, run.keeper) if task is not None]
        if self._beats is not None:
            self._beats.cancel()
            tasks.append(self._beats)
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _drive(self, run: Run, events: AsyncIterator[Event]) -> None:
        try:
            await self._run(run, events)
        finally:
            if run.keeper is not None:
                await asyncio.shield(run.keeper)

    async def _run(self, run: Run, events: AsyncIterator[Event]) -> None:
        try:
            async for event in events:
                # What comes after the end is read, so that the run is stored whole, but told to nobody.
                await self._give_back(run, event)
                self._append(run, event)
        except SaysoError as wrong:
            await self._fail(run, Failed(wrong.code, str(wrong), wrong.retryable))
        except Exception:
            log.exception("run %s failed", run.id)
            await self._fail(run, Failed("internal", _INTERNAL, True))
        finally:
            await _closed(events)
        if not run.ended:
            await self._fail(run, Failed("no_end", "The answer broke off before its end. Please ask again.", True))

    async def _fail(self, run: Run, failure: Failed) -> None:
        await self._give_back(run, failure)
        self._append(run, failure)

    async def _give_back(self, run: Run, event: Event) -> None:
        """Its claim, before the failure is told: whoever hears of it may ask the same again at once."""
        if not run.ended and isinstance(event, Failed) and event.retryable:
            try:
                await self.release(run.id)
            except SaysoError as wrong:
                log.warning("the claim of run %s cannot be given back: %s", run.id, wrong)

    def _append(self, run: Run, event: Event) -> None:
        data = event_json(event)
        if run.ended or data is None:
            return
        if run.size > self.max_size and not isinstance(event, Finish | Failed):
            event = Failed("too_long", "The answer grew beyond what is kept. Ask for less at once.", False)
            data = event_json(event) or {}
        framed = frame(len(run.frames) + 1, event.name, data)
        self._take(run, (framed,), isinstance(event, Finish | Failed))

    def _take(self, run: Run, frames: tuple[bytes, ...], ended: bool) -> None:
        run.frames.extend(frames)
        run.size += sum(map(len, frames))
        if ended:
            run.ended_at, run.closing = self.monotonic(), None
        run.tell()

    async def _keep(self, run: Run, shared: RunLog) -> None:
        """Write a run's frames to the shared log as they come, several at once when they come fast."""
        try:
            await self._write(run, shared)
        finally:
            run.keeper = None
            run.tell()

    async def _write(self, run: Run, shared: RunLog) -> None:
        while run.shared < len(run.frames) or not run.ended:
            changed = run.changed
            try:
                fresh, ended = run.frames[run.shared :], run.ended
                if fresh:
                    await shared.append(run.id, run.shared, fresh, ended=ended)
                    run.shared += len(fresh)
            except StoreBusy as busy:
                log.warning("run %s is not shared for now: %s", run.id, busy)
                if run.ended:
                    return
                await asyncio.sleep(self.poll)
            except Conflict as wrong:
                # It was silent for so long that another process held this one for dead: its claim is free by now.
                log.error("run %s is not ours any more: %s", run.id, wrong)
                self._lose(run)
                return
            except SaysoError as wrong:
                log.error("run %s is not shared any more: %s", run.id, wrong)
                return
            else:
                if run.shared == len(run.frames) and not run.ended and changed is run.changed:
                    await changed.wait()

    def _lose(self, run: Run) -> None:
        """End a run that others hold for dead; an end of its own was told to nobody yet."""
        if run.ended:
            run.frames[-1] = frame(len(run.frames), _LOST.name, event_json(_LOST) or {})
            return
        self._append(run, _LOST)
        if run.task is not None:
            run.task.cancel()

    async def _beat(self, shared: RunLog) -> None:
        """Say that our runs go on, and stop those that another process was asked to stop."""
        while mine := [run for run in self._runs.values() if not run.ended and not run.elsewhere]:
            try:
                stops = await shared.beat([run.id for run in mine])
            except SaysoError as wrong:
                log.warning("the shared run log does not answer: %s", wrong)
                stops = frozenset[str]()
            for run in mine:
                if run.id in stops:
                    self.stop(run.id, run.owner)
            await asyncio.sleep(self.poll)

    async def _follow(self, run: Run, shared: RunLog) -> None:
        """Read another process's run from the shared log for as long as somebody reads it here."""
        idle = 0.0
        while not run.ended and idle < self.keep_alive:
            await asyncio.sleep(self.poll)
            idle = 0.0 if run.readers else idle + self.poll
            try:
                kept = await shared.read(run.id, run.owner, len(run.frames))
            except StoreBusy:
                continue
            except SaysoError:
                self._append(run, _LOST)
                break
            if kept.frames or kept.ended:
                self._take(run, kept.frames, kept.ended)
            elif kept.lost:
                await self._bury(run)
        if not run.ended:
            self._runs.pop(run.id, None)  # whoever comes next follows it anew

    async def _bury(self, run: Run) -> None:
        """End a run whose process died, for all who read it; what it claimed may be claimed again."""
        number = len(run.frames)
        framed = frame(number + 1, _LOST.name, event_json(_LOST) or {})
        try:
            if self.shared is not None:
                await self.shared.bury(run.id, number, framed)
        except SaysoError as moved:
            log.info("run %s is not lost: %s", run.id, moved)
        else:
            self._take(run, (framed,), True)

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
