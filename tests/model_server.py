"""Replies of a local model server: whole, broken off, hanging or refused."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from aiohttp import web


def sse(*chunks: Any) -> bytes:
    return b"".join(
        b"data: " + (c if isinstance(c, bytes) else json.dumps(c, ensure_ascii=False).encode()) + b"\n\n"
        for c in chunks
    )


def raw(*pieces: bytes, content_type: str = "text/event-stream", hang: bool = False, reset: bool = False) -> Any:
    async def answer(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": content_type})
        await response.prepare(request)
        for piece in pieces:
            await response.write(piece)
        if hang:
            await asyncio.Event().wait()
        if reset and request.transport:
            request.transport.abort()
        return response

    return answer


def refuse(status: int, body: Any = "", **headers: str) -> Any:
    async def answer(_: web.Request) -> web.StreamResponse:
        return web.Response(
            status=status, text=json.dumps(body), headers={k.replace("_", "-"): v for k, v in headers.items()}
        )

    return answer
