"""Which labelled texts are held out from tuning: fixed by a digest of their id, before anything was tuned.

The texts with the lowest SHA-256 of their id are held out, a third of the set (20 of 60). What is run on
them, when and with what figures is written down in `docs/heldout_runs.md`.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from hashlib import sha256

HELD_OUT_SHARE = 3  # one text in so many


class Part(StrEnum):
    ALL = "all"
    HELD_OUT = "held-out"
    TUNING = "tuning"


def held_out(ids: Iterable[str]) -> frozenset[str]:
    """The ids that are held out, of all the ids of a set."""
    ranked = sorted(set(ids), key=lambda text_id: sha256(text_id.encode()).hexdigest())
    return frozenset(ranked[: len(ranked) // HELD_OUT_SHARE])


def in_part(ids: Iterable[str], part: Part) -> frozenset[str]:
    everything = frozenset(ids)
    apart = held_out(everything)
    return {Part.ALL: everything, Part.HELD_OUT: apart, Part.TUNING: everything - apart}[part]
