"""What the operator has seen of outside tools, and marked as read: one small file.

A pin is a whole definition with its fingerprint and kind. A server is pinned as a whole when it is first met; what it
changes or adds afterwards is not on offer until it is pinned again. Every tool is `propose` until it is marked.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from sayso.errors import ConfigError
from sayso.gateway.mcp.definitions import Definition

FILE = "mcp_pins.json"


@dataclass(frozen=True, slots=True)
class Pin:
    """`read`: the operator's word that calling changes nothing. `trouble`: why it is not on offer; "" where it is."""

    definition: Definition
    read: bool = False
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Pins:
    """The pins by server and by our name of the tool. A server that was never met is not in `servers`."""

    servers: Mapping[str, Mapping[str, Pin]] = field(default_factory=dict[str, Mapping[str, Pin]])

    def of(self, server: str) -> Mapping[str, Pin]:
        return self.servers.get(server, {})

    def knows(self, server: str) -> bool:
        return server in self.servers

    def with_server(self, server: str, pins: Mapping[str, Pin]) -> Pins:
        return replace(self, servers={**self.servers, server: dict(pins)})


CHANGED, GONE, NEW = "its definition has changed", "the server does not list it any more", "it is new"


def compared(pinned: Mapping[str, Pin], listed: Iterable[Definition]) -> dict[str, Pin]:
    """The pins after a look at the server: the same fingerprint stays on offer, all else is said and is not."""
    now = {definition.name: definition for definition in listed}
    after: dict[str, Pin] = {}
    for name, pin in pinned.items():
        if name not in now:
            if pin.trouble != NEW:  # what was never pinned is forgotten with its listing
                after[name] = replace(pin, trouble=GONE)
        elif pin.trouble == NEW:
            after[name] = Pin(now[name], trouble=NEW)
        else:
            same = now[name].fingerprint == pin.definition.fingerprint
            after[name] = replace(pin, trouble="" if same else CHANGED)
    after.update({name: Pin(now[name], trouble=NEW) for name in now if name not in pinned})
    return after


def pinned_again(listed: Iterable[Definition], before: Mapping[str, Pin], only: str = "") -> dict[str, Pin]:
    """Pins of what the server lists now. A changed tool is `propose` again; one with the same definition keeps
    its kind. `only`: pin this tool, and leave the others as they are."""
    after = compared(before, listed) if only else {}
    for definition in listed:
        if only in ("", definition.name, definition.theirs):
            pin = before.get(definition.name)
            same = pin is not None and pin.definition.fingerprint == definition.fingerprint and pin.trouble != NEW
            after[definition.name] = Pin(definition, read=bool(pin and pin.read and same))
    return after


_PINS = TypeAdapter(dict[str, dict[str, Pin]])


def read_pins(home: Path) -> Pins:
    """Raises ConfigError for a file that cannot be read: nothing is on offer on a guess."""
    path = home / FILE
    if not path.exists():
        return Pins()
    try:
        return Pins(_PINS.validate_json(path.read_bytes()))
    except (ValueError, OSError) as wrong:
        raise ConfigError(f"{path} cannot be read; delete it and pin again: sayso mcp pin NAME") from wrong


class PinFile:
    """The pins as the file has them now: an operator's command in another process counts from the next look on. The
    file is read again only where it is another one."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._last: tuple[tuple[int, ...], Pins] | None = None

    def read(self) -> Pins:
        """Raises ConfigError. The same object as before, as long as nothing has changed."""
        stamp = _stamp(self._home / FILE)  # before the content, so that a change in between is seen the next time
        last = self._last
        if last is None or last[0] != stamp:
            last = self._last = (stamp, read_pins(self._home))
        return last[1]

    def change(self, server: str, how: Callable[[Pins], Mapping[str, Pin]]) -> Mapping[str, Pin]:
        """Replace what is pinned of a server by what `how` makes of the pins; nobody else changes them meanwhile."""
        with _alone(self._home):
            pins = read_pins(self._home)
            seen = how(pins)
            if not pins.knows(server) or dict(pins.of(server)) != dict(seen):
                write_pins(self._home, pins.with_server(server, seen))
        return seen


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        found = path.stat()
    except OSError:
        return ()
    return (found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_size)


@contextmanager
def _alone(home: Path) -> Generator[None]:
    """Of all processes on this machine one at a time, where the system can do this."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    with os.fdopen(os.open(home / f"{FILE}.lock", os.O_WRONLY | os.O_CREAT, 0o600), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def write_pins(home: Path, pins: Pins) -> None:
    """Replaces the file in one step, so that a stop in between loses nothing."""
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = home / f"{FILE}.new"
    document: Any = {s: {name: asdict(pin) for name, pin in pins.of(s).items()} for s in pins.servers}
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(json.dumps(document))
    os.replace(fresh, home / FILE)
