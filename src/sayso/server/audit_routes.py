"""The audit log over HTTP, for those who may see it, and its head written to a file that is kept elsewhere."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sayso.core.actors import SEE_AUDIT
from sayso.errors import SaysoError
from sayso.serving.bodies import Strict, read_query
from sayso.serving.endpoints import Endpoint, Role
from sayso.store.audit import Audit, Head, head_line, read_heads
from sayso.store.ports import now_utc
from sayso.tables import AuditTable

_MOST = 500
_log = logging.getLogger(__name__)


class AuditHead(Strict):
    """The newest row's number (0: the log is empty) and digest. Keep it elsewhere: a rewritten log does not have it."""

    number: int
    digest: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class AuditRow(Strict):
    """`details` is canonical JSON text; `digest` is of all other members, and `previous` the row's before."""

    number: int
    at: str
    actor: str
    owner: str
    what: str
    subject: str
    details: str
    previous: str
    digest: str


class AuditRows(Strict):
    rows: list[AuditRow]


class AuditQuery(Strict):
    """Rows before this number, at most so many."""

    before: Annotated[int, Field(ge=1, le=(1 << 53) - 1)] | None = None
    limit: Annotated[int, Field(ge=1, le=_MOST)] = 100


@dataclass(frozen=True, slots=True)
class AuditRoutes:
    audit: Audit

    def endpoints(self) -> list[Endpoint]:
        role = Role.GATEWAY
        return [
            Endpoint(
                "GET", "/api/v1/system/audit/head", self.head, "The head of the audit log", role, {200: AuditHead},
                permission=SEE_AUDIT,
            ),
            Endpoint(
                "GET", "/api/v1/system/audit", self.rows, "Who did what, the newest first", role, {200: AuditRows},
                query=AuditQuery, permission=SEE_AUDIT,
            ),
        ]  # fmt: skip

    async def head(self, request: Request) -> Response:
        return JSONResponse(asdict(await self.audit.head()))

    async def rows(self, request: Request) -> Response:
        asked = read_query(request, AuditQuery)
        rows = await self.audit.rows(asked.limit, asked.before)
        return JSONResponse({"rows": [asdict(row) for row in rows]})


@dataclass(slots=True)
class HeadFile:
    """Adds the head to a file, a line each time that it has moved: what another machine or medium keeps."""

    audit: Audit
    settings: AuditTable
    _written: Head = field(default_factory=Head)

    @contextlib.asynccontextmanager
    async def kept(self) -> AsyncGenerator[None]:
        """Looks from time to time, and once at the end, for as long as the block lasts."""
        if not self.settings.head_file:
            yield
            return
        self._written = await asyncio.to_thread(self._last)
        task = asyncio.create_task(self._keep(), name="audit head")
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await self._write()

    async def _keep(self) -> None:
        while True:
            await self._write()
            await asyncio.sleep(self.settings.head_seconds)

    async def _write(self) -> None:
        try:
            head = await self.audit.head()
            if head != self._written and head.number:
                await asyncio.to_thread(self._add, head)
                self._written = head
        except (OSError, SaysoError) as wrong:
            _log.error("the head of the audit log could not be written to %s: %s", self.settings.head_file, wrong)

    def _add(self, head: Head) -> None:
        with open(self.settings.head_file, "a", encoding="ascii") as file:
            file.write(head_line(head, now_utc()))

    def _last(self) -> Head:
        path = Path(self.settings.head_file)
        heads = read_heads(path.read_text(encoding="ascii"), str(path)) if path.exists() else ()
        return heads[-1] if heads else Head()
