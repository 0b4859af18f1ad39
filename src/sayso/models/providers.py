"""The protocols by name, and the model of an address. Knows what to build, not how it works."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

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
    """The model `name` behind an address that speaks one of PROTOCOLS. Raises ConfigError for another protocol.

    `profile` says how this provider differs; without one it is told from the address.
    """
    if protocol not in PROTOCOLS:
        raise ConfigError(f"unknown protocol {protocol!r}: use one of {', '.join(PROTOCOLS)}")
    known = profile or replace(profile_of(base_url), protocol=protocol)
    wire = PROTOCOLS[protocol](name, known)
    return HttpModel(
        name, base_url, wire, api_key, profile=known, native_tools=native_tools, connection=connection, sleep=sleep
    )
