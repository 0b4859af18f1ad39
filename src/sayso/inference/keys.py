"""The gateway's public keys, from a file or an address; looked up again when a token names one that is new.

A gateway rotates its keys; nobody has to restart this service for it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

import aiohttp
import jwt

from sayso.errors import ConfigError
from sayso.serving.problems import Problem
from sayso.signing.keys import PublicKeys, read_key_set

MAX_SET = 64 << 10
_FIRST_PAUSE = 1.0  # seconds, while there is no key yet
Source = Callable[[], Awaitable[bytes]]


@dataclass(slots=True)
class WatchedKeys:
    """Keys from a source, which is asked again for a key that is not known yet.

    After asking in vain it is left alone for `pause` seconds: tokens with invented keys cost nothing.
    """

    source: Source
    where: str
    pause: float = 10.0
    _keys: PublicKeys | None = None
    _in_vain: float = float("-inf")
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def load(self) -> PublicKeys:
        """Raises ConfigError, which says what to do."""
        self._keys = read_key_set(await self.source(), self.where)
        return self._keys

    async def for_token(self, token: str) -> PublicKeys:
        """The keys, with the one that the token names where it can be found. Raises Problem 503: none can be had."""
        async with self._lock:
            if not self._knows(token) and monotonic() - self._in_vain >= (self.pause if self._keys else _FIRST_PAUSE):
                with contextlib.suppress(ConfigError):
                    await self.load()
                if not self._knows(token):
                    self._in_vain = monotonic()
            if self._keys is None:
                raise Problem(503, "gateway_keys_missing", f"the gateway's keys cannot be had now: {self.where}")
            return self._keys

    def _knows(self, token: str) -> bool:
        return self._keys is not None and _kid(token) in self._keys.keys


@dataclass(frozen=True, slots=True)
class FixedKeys:
    """Keys that this process holds itself, as when the gateway is in it."""

    current: Callable[[], PublicKeys]

    async def for_token(self, token: str) -> PublicKeys:
        return self.current()


def keys_at(place: str) -> WatchedKeys:
    """The keys of a file, or of an `http(s)` address such as the gateway's `/api/v1/system/keys`."""
    if place.startswith(("http://", "https://")):
        return WatchedKeys(lambda: _fetched(place), place)
    return WatchedKeys(lambda: _read(Path(place)), place)


async def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as wrong:
        raise ConfigError(f"{path}: the gateway's keys cannot be read: {wrong.strerror}") from wrong


async def _fetched(url: str) -> bytes:
    timeout = aiohttp.ClientTimeout(total=10)
    try:
        async with aiohttp.ClientSession(timeout=timeout) as session, session.get(url, allow_redirects=False) as answer:
            if answer.status != 200:
                raise ConfigError(f"{url} answers {answer.status}; give the address of the gateway's keys")
            return await answer.content.read(MAX_SET)
    except (aiohttp.ClientError, TimeoutError, ValueError) as wrong:
        raise ConfigError(f"{url} cannot be reached ({wrong or 'no answer in time'}); is the gateway up?") from wrong


def _kid(token: str) -> str:
    try:
        return str(jwt.get_unverified_header(token).get("kid"))
    except jwt.InvalidTokenError:
        return ""
