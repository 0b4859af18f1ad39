"""How often: a bound for each key, by the generic cell rate algorithm (ITU-T I.371).

One moment a key: when the next request would be due if all came evenly. `count` may come at once, then one each
`seconds / count`. It lives in one process, judges by a clock that is passed in, and forgets whoever has waited.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

_SWEEP = 4096


@dataclass(slots=True)
class Rate:
    """At most `count` in `seconds`."""

    count: int
    seconds: float
    monotonic: Callable[[], float] = time.monotonic
    _due: dict[Hashable, float] = field(default_factory=dict[Hashable, float])
    _swept: int = 0

    def wait(self, key: Hashable) -> float:
        """0 where one more may come now, and it is counted; else the seconds to wait, and it is not."""
        now = self.monotonic()
        each = self.seconds / self.count
        due = max(self._due.get(key, now), now)
        early = due + each - now - self.seconds
        if early > 1e-9:
            return early
        self._due[key] = due + each
        self._sweep(now)
        return 0.0

    def forget(self, key: Hashable) -> None:
        self._due.pop(key, None)

    def __len__(self) -> int:
        return len(self._due)

    def _sweep(self, now: float) -> None:
        self._swept += 1
        if self._swept >= _SWEEP:
            self._swept = 0
            self._due = {key: due for key, due in self._due.items() if due > now}
