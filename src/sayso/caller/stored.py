"""The thread store over HTTP: begin a thread, load one with its seal, append what was said. It reads no message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from sayso.caller.connection import Connection
from sayso.caller.errors import Broken
from sayso.caller.held import Held, ends_of


class ThreadStore:
    def __init__(self, workspace: Connection) -> None:
        self._workspace = workspace

    async def begin(self, title: str = "") -> Held:
        found = await self._workspace.json("POST", "/api/v1/threads", {"title": title} if title else {})
        if not isinstance(found.get("id"), str):
            raise Broken("the thread store named no thread")
        return Held(thread_id=found["id"])

    async def load(self, thread_id: str) -> Held:
        """The whole thread, with the proof that it is stored. Raises Refused (404) for another's."""
        found = await self._workspace.json("GET", f"{_path(thread_id)}/history")
        return _held(thread_id, found)

    async def append(self, held: Held) -> None:
        """Store what the store does not have. Raises StaleCopy where the stored thread has moved on."""
        if held.thread_id is None or not held.unsaved or not held.continuation:
            return
        body = {"expected": held.stored, "messages": held.unsaved, "continuation": held.continuation}
        await self._workspace.json("POST", f"{_path(held.thread_id)}/messages", body)
        held.saved()


def _held(thread_id: str, found: Mapping[str, Any]) -> Held:
    try:
        messages, transcript = list(found["messages"]), str(found["transcript"])
        held = Held(thread_id, messages, len(messages), history_seal=str(found["seal"]), transcript=transcript)
    except (KeyError, TypeError) as wrong:
        raise Broken(f"the stored thread cannot be read: {wrong}") from wrong
    held.ends = ends_of(messages, transcript)
    held.saved()
    return held


def _path(thread_id: str) -> str:
    return f"/api/v1/threads/{quote(thread_id, safe='')}"
