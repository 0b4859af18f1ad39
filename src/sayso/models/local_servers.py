"""Looks for model servers on this machine's usual ports. Never asks another machine."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from sayso.models.profiles import PROFILES

_NOT_CHAT = ("embed", "bge-", "rerank", "whisper", "nomic-", "minilm", "e5-", "gte-", "tts")
LOCAL: Mapping[str, str] = {p.name: p.base_url for p in PROFILES if p.start}


@dataclass(frozen=True, slots=True)
class Found:
    """A server that answered, and its chat models in its own order."""

    server: str
    base_url: str
    models: tuple[str, ...]


async def find_local(addresses: Mapping[str, str] = LOCAL, seconds: float = 0.3) -> tuple[Found, ...]:
    """Every server that answers in time, asked all at once, in the order of `addresses`."""
    import aiohttp

    timeout = aiohttp.ClientTimeout(total=seconds)
    async with aiohttp.ClientSession(timeout=timeout, trust_env=False, cookie_jar=aiohttp.DummyCookieJar()) as session:
        found = await asyncio.gather(*(_probe(session, name, url) for name, url in addresses.items()))
    return tuple(one for one in found if one is not None)


async def _probe(session: Any, server: str, base_url: str) -> Found | None:
    try:
        async with session.get(f"{base_url}/models", allow_redirects=False) as response:
            if response.status != 200:
                return None
            names = chat_models(await response.json(content_type=None))
    except Exception:  # whatever else listens on that port is no model server
        return None
    return Found(server, base_url, names) if names else None


def chat_models(document: Any) -> tuple[str, ...]:
    """The names in a /models reply, without those that only embed, rank or hear."""
    entries = cast(dict[str, Any], document).get("data") if isinstance(document, dict) else None
    if not isinstance(entries, Sequence) or isinstance(entries, str):
        return ()
    names = [cast(dict[str, Any], e).get("id") for e in cast(list[Any], entries) if isinstance(e, dict)]
    return tuple(n for n in names if isinstance(n, str) and n and not any(w in n.lower() for w in _NOT_CHAT))
