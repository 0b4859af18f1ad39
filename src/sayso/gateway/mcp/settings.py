"""Which outside MCP servers there are: the `[mcp.NAME]` tables of `sayso.toml`, read and judged.

It opens no connection. Secrets are named, never written: a header or variable gives the name of the environment
variable that holds its value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import Field

from sayso.errors import ConfigError
from sayso.tables import Table, sections

_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
MOST_SERVERS = 20


@dataclass(frozen=True, slots=True)
class OutsideServer:
    """One outside server: `url` (streamable HTTP) or `command` (stdio), never both.

    `headers` and `env` hold values that were read from the environment; `offered` limits the tools by their own
    names (empty: all); `wording` replaces their descriptions by the operator's.
    """

    name: str
    url: str = ""
    command: tuple[str, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    env: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    seconds: float = 20.0
    offered: tuple[str, ...] = ()
    wording: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def place(self) -> str:
        """Where it is: what a fingerprint holds, so that pins do not pass to another server of the same name."""
        return self.url or "\0".join(self.command)


class McpTable(Table):
    """`[mcp.NAME]`. `headers` and `env` name the environment variables that hold the values."""

    url: str = ""
    command: Annotated[list[str], Field(max_length=64)] = []
    headers: dict[str, str] = {}
    env: dict[str, str] = {}
    seconds: Annotated[float, Field(gt=0, le=300)] = 20.0
    tools: Annotated[list[str], Field(max_length=100)] = []
    descriptions: dict[str, Annotated[str, Field(min_length=1, max_length=1000)]] = {}


def read_servers(tables: Mapping[str, Any], environ: Mapping[str, str]) -> tuple[OutsideServer, ...]:
    """The servers that the settings' tables name. Raises ConfigError, which says what to change."""
    found = sections(tables, "mcp", McpTable)
    if len(found) > MOST_SERVERS:
        raise ConfigError(f"[mcp]: at most {MOST_SERVERS} servers, not {len(found)}")
    return tuple(_server(name, table, environ) for name, table in found.items())


def _server(name: str, read: McpTable, environ: Mapping[str, str]) -> OutsideServer:
    where = f"[mcp.{name}]"
    if not _NAME.fullmatch(name) or len(name) > 20:
        raise ConfigError(f"{where}: a name is at most 20 small letters, digits and single underscores")
    if bool(read.url) == bool(read.command):
        raise ConfigError(f"{where}: give either url or command (a list: program and arguments)")
    if read.url:
        _check_url(where, read.url)
    if read.url and read.env:
        raise ConfigError(f"{where}: env goes with command; a url takes headers")
    if read.command and read.headers:
        raise ConfigError(f"{where}: headers go with url; a command takes env")
    return OutsideServer(
        name, read.url, tuple(read.command), _from_environment(where, read.headers, environ),
        _from_environment(where, read.env, environ), read.seconds, tuple(read.tools), read.descriptions,
    )  # fmt: skip


def _check_url(where: str, url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.fragment:
        raise ConfigError(f"{where}: url is an http(s) address without a name or password in it")
    if parts.scheme == "http" and parts.hostname not in _LOOPBACK:
        raise ConfigError(f"{where}: use https; plain http only reaches this machine")


def _from_environment(where: str, named: Mapping[str, str], environ: Mapping[str, str]) -> dict[str, str]:
    values: dict[str, str] = {}
    for name, variable in named.items():
        value = environ.get(variable)
        if not value:
            raise ConfigError(f"{where}: {name} takes its value from the environment variable {variable}; set it")
        if "\n" in value or "\r" in value or "\0" in value:
            raise ConfigError(f"{where}: the value in {variable} holds a line break")
        values[name] = value
    return values
