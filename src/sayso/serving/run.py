"""One run as it is kept: its frames, how far they were told, and the tasks of it. It drives nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from sayso.core.events import Finish


@dataclass(slots=True)
class Run:
    """One run's released events. `ended` is set with its one terminal event; `elsewhere`: another process drives it."""

    id: str
    owner: str
    frames: list[bytes] = field(default_factory=list[bytes])
    size: int = 0
    ended_at: float | None = None
    stopped: bool = False
    task: asyncio.Task[None] | None = None
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    elsewhere: bool = False
    readers: int = 0
    closing: Callable[[], Finish] | None = None
    shared: int = 0  # how many of the frames are in the shared log
    keeper: asyncio.Task[None] | None = None  # writes them there

    @property
    def ended(self) -> bool:
        return self.ended_at is not None

    @property
    def told(self) -> int:
        """How many frames may be read: the end only once the shared log has it.

        Else it could be heard from a process that then dies, and the others would hold the run for lost: its
        continuation would be free again, and lead to a second end.
        """
        kept = self.keeper is None or self.shared >= len(self.frames)
        held_back = self.ended and not kept
        return len(self.frames) - held_back

    def tell(self) -> None:
        """Wake whoever waits for something new."""
        self.changed.set()
        self.changed = asyncio.Event()
