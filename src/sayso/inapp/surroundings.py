"""The clock, the ids and the one person of a real process."""

from __future__ import annotations

from sayso.core.tools import Actor
from sayso.serving.surroundings import RandomIds as RandomIds
from sayso.serving.surroundings import SystemClock as SystemClock

LOCAL_USER = Actor("local", "local")
"""The one person of an assistant on their own machine: everything is theirs and allowed."""


def local_person(owner: str, id: str) -> Actor | None:
    """Who that is, with their present role; nobody but the local user is known."""
    return LOCAL_USER if (owner, id) == (LOCAL_USER.owner, LOCAL_USER.id) else None
