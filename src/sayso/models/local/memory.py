"""How much memory there is for a model, and how much context fits into it. Knows no file format."""

from __future__ import annotations

import os
from pathlib import Path

from sayso.errors import ModelUnreachable

LARGEST = 16_384  # tokens of context; more makes weak models slower, not better
_SMALLEST = 2_048  # below this a catalogue and a few facts leave no room for an answer
_WORKING = 256 << 20  # bytes for buffers beside weights and context
_CGROUP = Path("/sys/fs/cgroup")


def free_memory() -> int | None:
    """Bytes that a program may still take, within its container's limit; None where the system does not say."""
    found = [bytes_ for bytes_ in (_available(), _left_in_container(_CGROUP)) if bytes_ is not None]
    return min(found, default=None)


def fitting_context(name: str, trained: int, cell: int, size: int, free: int | None) -> int:
    """Tokens of context for weights of `size` bytes. Raises ModelUnreachable where even a small one does not fit.

    The weights are mapped from the file, so what matters is that they fit at all: else each token reads the disk.
    """
    wanted = min(trained, LARGEST)
    if free is None:
        return wanted
    room = (free - size - _WORKING) // max(cell, 1)
    if room < min(wanted, _SMALLEST):
        needs = size + _WORKING + _SMALLEST * cell
        raise ModelUnreachable(
            f"{name} needs about {_gigabytes(needs)} of memory and {_gigabytes(free)} are free: "
            "close other programs, or use a smaller or more strongly quantized file"
        )
    return min(wanted, room // 256 * 256 or room)


def _gigabytes(size: int) -> str:
    return f"{size / (1 << 30):.1f} GB"


def _available() -> int | None:
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    try:  # no system tells what is free in the same way: half of what there is
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, ValueError, OSError):
        return None


def _left_in_container(folder: Path) -> int | None:
    try:
        limit = (folder / "memory.max").read_text(encoding="ascii").strip()
        used = (folder / "memory.current").read_text(encoding="ascii").strip()
        return max(int(limit) - int(used), 0) if limit != "max" else None
    except (OSError, ValueError):
        return None
