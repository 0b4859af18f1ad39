"""The protocols by name, and the model of an address. Knows what to build, not how it works."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from sayso.errors import ConfigError
from sayso.models.connection import Connection
from sayso.models.http_model import HttpModel
from sayso.models.profiles import Profile, profile_of
from sayso.models.wires.anthropic import AnthropicWire
from sayso.models.wires.chat import ChatWire
from sayso.models.wires.gemini import GeminiWire
from sayso.models.wires.responses import ResponsesWire
from sayso.models.wires.wire import Wire

PROTOCOLS: Mapping[str, Callable[[str, Profile], Wire]] = {
    "chat": ChatWire,
    "responses": lambda model, _: ResponsesWire(model),
    "anthropic": lambda model, _: AnthropicWire(model),
    "gemini": lambda model, _: GeminiWire(model),
}


def model_at(
    protocol: str,
    name: str,
    base_url: str,
    api_key: str | None = None,
    *,
    native_tools: bool | None = None,
    connection: Connection | None = None,
    profile: Profile | None = None,
    sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
) -> HttpModel:
    """The model `name` behind an address that speaks one of PROTOCOLS.

    Raises ConfigError for another protocol, and for an address or a key of a wrong form.

    `profile` says how this provider differs; without one it is told from the address.
    """
    if protocol not in PROTOCOLS:
        raise ConfigError(f"unknown protocol {protocol!r}: use one of {', '.join(PROTOCOLS)}")
    _check(base_url, (api_key or "").strip())
    known = profile or replace(profile_of(base_url), protocol=protocol)
    wire = PROTOCOLS[protocol](name, known)
    return HttpModel(
        name, base_url, wire, api_key, profile=known, native_tools=native_tools, connection=connection, sleep=sleep
    )


def _check(base_url: str, key: str) -> None:
    """Neither the address nor the key is repeated in full: people paste one in place of the other."""
    try:
        parts = urlsplit(base_url)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        fits = False
    if not fits:
        raise ConfigError("a model's address is written like https://HOST/v1 or http://127.0.0.1:8000/v1")
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise ConfigError("the key holds characters that no key has: copy it once more, without spaces or line breaks")
