"""Who is running a proposal or an exchange, and whether that process is still there.

A claim names its holder and lasts for a lease, which the holder renews while it works. Another process may
take a claim up once its lease is over, or at once where it can be certain that the holder is dead: one of
the same machine, whose process id is gone or belongs to a later process. It knows no table.
"""

from __future__ import annotations

import os
import secrets
import socket
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path

LEASE = timedelta(seconds=30)
RENEW_SECONDS = LEASE.total_seconds() / 3
_PROC = Path("/proc")
_DEAD = frozenset("ZX")  # a process that has ended and was not yet waited for


def new_holder() -> str:
    """A name for one gateway of this process: machine, process and a random part."""
    return "/".join([*_machine(), str(os.getpid()), _started(os.getpid()), secrets.token_hex(6)])


def is_dead(holder: str) -> bool:
    """Whether the holder's process has certainly ended. False wherever that cannot be known."""
    parts = holder.split("/")
    if len(parts) != 6 or tuple(parts[:3]) != _machine() or not parts[1] or not parts[3].isdigit() or not parts[4]:
        return False
    return _started(int(parts[3])) != parts[4]


def abandoned(holder: str | None, lease: datetime | None, now: datetime) -> bool:
    """Whether a claim may be taken up by somebody else."""
    return holder is None or lease is None or lease <= now or is_dead(holder)


@lru_cache(maxsize=1)
def _machine() -> tuple[str, str, str]:
    """The host's name, its boot, and the space of process ids; the latter two empty where they are not told."""
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text("ascii").strip()
        space = os.readlink(_PROC / "self/ns/pid").strip("pid:[]")
    except OSError:
        boot = space = ""
    return socket.gethostname().replace("/", "_"), boot, space


def _started(pid: int) -> str:
    """When a process started, in ticks since the boot; "" for one that has ended or cannot be seen."""
    try:
        stat = (_PROC / str(pid) / "stat").read_text("utf-8", "replace")
    except OSError:
        return ""
    fields = stat.rpartition(")")[2].split()  # the name before it may hold anything
    return "" if fields[0] in _DEAD else fields[19]
