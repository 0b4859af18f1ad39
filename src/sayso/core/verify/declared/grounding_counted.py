"""A stretch of text that counts something, and what the records say to it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Counted:
    """`right` where it is so; `sure` where the records leave no other reading; `why` what they hold."""

    start: int
    end: int
    why: str
    right: bool = False
    sure: bool = False
