"""The built-in client tool `navigate`: goes to a page of the application, and says whether it got there.

A model may name any path; only one that the census knows, with a key that fits, is looked up, and only what exists
and is this person's is opened. What `open_page` does is the host's: a browser's router, a terminal's line.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import quote

from sayso.caller.client_tools import ClientFact, ClientTools, Done, NotDone
from sayso.caller.connection import Connection
from sayso.caller.errors import Broken, Refused
from sayso.core.pages import Census, read_census
from sayso.errors import DeclarationError

NAVIGATE = "navigate"
OpenPage = Callable[[str], Awaitable[str | None]]
"""Opens a path of the census, and tells the path that is shown then; None where it did not get there."""

_DESCRIPTION = (
    "Open a page of the application for the user. Take the path from find_page, "
    "and put a record's key where the route has {...}."
)
_SCHEMA = {
    "type": "object",
    "properties": {"path": {"type": "string", "minLength": 1, "maxLength": 500, "description": "such as /proposals"}},
    "required": ["path"],
    "additionalProperties": False,
}


class Navigator:
    """Resolves paths through the gateway. The census is read once."""

    def __init__(self, gateway: Connection, open_page: OpenPage) -> None:
        self._gateway, self._open = gateway, open_page
        self._census: Census | None = None

    def register(self, tools: ClientTools) -> None:
        tools.register(
            NAVIGATE, self.go, description=_DESCRIPTION, schema=_SCHEMA, example={"path": "/proposals"},
            title="Opening a page",
        )  # fmt: skip

    async def go(self, arguments: dict[str, Any]) -> Done | NotDone:
        path = str(arguments["path"])
        if (await self.census()).find(path) is None:
            return NotDone(reason="no_target")
        try:
            found = await self._gateway.json("GET", f"/api/v1/system/routes/resolve?path={quote(path, safe='')}")
        except Refused as wrong:
            if wrong.status in (403, 404, 422):
                return NotDone(reason="no_target")
            raise
        if await self._open(path) != path:
            return NotDone(reason="tool_failed")
        title = str(found.get("title") or path)
        return Done((ClientFact("page", title, {"title": title, "route": path}),))

    async def census(self) -> Census:
        if self._census is None:
            document = await self._gateway.json("GET", "/api/v1/system/routes")
            try:
                self._census = read_census(document)
            except (DeclarationError, ValueError, KeyError, TypeError) as wrong:
                raise Broken(f"the census of pages cannot be read: {wrong}") from wrong
        return self._census
