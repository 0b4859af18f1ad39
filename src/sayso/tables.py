"""The tables of `sayso.toml`: `[roles.NAME]`, `[proxy]`, `[limits]` and others, each read into a model of its own.

A part that has settings of its own declares a `Table` and reads it by `section` or `sections`. Nothing here is a
secret: those come from the environment.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from sayso.core.actors import ROLES, Grant
from sayso.errors import ConfigError

TABLES = ("roles", "users", "proxy", "limits", "audit", "tools", "mcp", "gateway", "inference", "runs")
"""Every table that there may be; an unknown one is a mistake that must be said."""
_WORDS = re.compile(r"(\*|[\w.-]+)(:(\*|[\w.-]+))*(@\S+)?")
_KINDS = ("read", "propose", "execute", "admin")


class Table(BaseModel):
    """Base of every table's model: no unknown setting, no guessing of types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def permission_pattern(text: str) -> str:
    """A pattern of permissions as it may be given. Raises ValueError, which says what one looks like."""
    if not _WORDS.fullmatch(text):
        raise ValueError(f"{text!r} is no permission; write one such as read:* or execute:kind:person")
    first, colon, _ = text.partition("@")[0].partition(":")
    if first not in (*_KINDS, "*"):
        near = difflib.get_close_matches(first, _KINDS, n=1)
        meant = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"{text!r} begins with {first!r}, not with {', '.join(_KINDS)}{meant}")
    if not colon and first != "*":
        raise ValueError(
            f"{text!r} alone allows nothing; write {first}:* for all of it, or one such as read:kind:person"
        )
    return text


Pattern = Annotated[str, AfterValidator(permission_pattern)]
RoleName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,40}$")]
T = TypeVar("T", bound=Table)


class RoleTable(Table):
    """`[roles.NAME]`: what a role of your own allows."""

    permissions: Annotated[list[Pattern], Field(min_length=1, max_length=200)]


class ProxyTable(Table):
    """`[proxy]`: the addresses of the proxies that say who somebody is, and how."""

    addresses: Annotated[list[str], Field(max_length=50)] = []
    user_header: Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{1,80}$")] = "x-forwarded-user"
    roles_header: Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{0,80}$")] = ""
    owner: Annotated[str, Field(min_length=1, max_length=200)] = "local"
    roles: list[RoleName] = []


class UsersTable(Table):
    """`[users]`: after how many days somebody signs in with their password again."""

    session_days: Annotated[int, Field(ge=1, le=366)] = 30


class LimitsTable(Table):
    """`[limits]`: how often. `sign_in`: tries of a name or address in 15 minutes; the others: an actor's, a minute."""

    sign_in: Annotated[int, Field(ge=1, le=10_000)] = 10
    chat: Annotated[int, Field(ge=1, le=100_000)] = 60
    calls: Annotated[int, Field(ge=1, le=1_000_000)] = 1200


class AuditTable(Table):
    """`[audit]`: a file that the head of the log is written to, and after how many seconds at most."""

    head_file: str = ""
    head_seconds: Annotated[int, Field(ge=1, le=86_400)] = 10


class RunsTable(Table):
    """`[runs]`: whether processes share their runs, in which database, and after how many seconds of silence a run
    counts as one whose process died."""

    shared: bool | None = None
    log: str | None = None
    quiet_seconds: Annotated[int, Field(ge=5, le=3600)] = 60


def section(tables: Mapping[str, Any], name: str, model: type[T], origin: str = "sayso.toml") -> T:
    """`[name]` as `model`, its defaults where the table is not there. Raises ConfigError."""
    return _read(tables.get(name, {}), model, f"[{name}]", origin)


def sections(tables: Mapping[str, Any], name: str, model: type[T], origin: str = "sayso.toml") -> dict[str, T]:
    """Each `[name.KEY]` as `model`, by its key. Raises ConfigError."""
    entries = _table(tables.get(name, {}), f"[{name}]", origin)
    return {key: _read(entry, model, f"[{name}.{key}]", origin) for key, entry in entries.items()}


def roles(tables: Mapping[str, Any], origin: str = "sayso.toml") -> tuple[Grant, ...]:
    """Every role of this installation: the three that are always there, and those of `[roles.NAME]`."""
    built_in = {grant.role: grant for grant in ROLES}
    own = sections(tables, "roles", RoleTable, origin)
    for name in own:
        if name in built_in:
            raise ConfigError(f"{origin}: [roles.{name}] is always there and cannot be changed; choose another name")
        if not re.fullmatch(r"[a-z][a-z0-9_-]{0,40}", name):
            raise ConfigError(f"{origin}: [roles.{name}]: a role's name is lower-case letters, digits, _ and -")
    return (*ROLES, *(Grant(name, frozenset(table.permissions)) for name, table in own.items()))


def check_tables(tables: Mapping[str, Any], origin: str) -> None:
    """Read what is known here, so that a mistake is told at the start. Raises ConfigError."""
    roles(tables, origin)
    section(tables, "proxy", ProxyTable, origin)
    section(tables, "users", UsersTable, origin)
    section(tables, "limits", LimitsTable, origin)
    section(tables, "audit", AuditTable, origin)
    section(tables, "runs", RunsTable, origin)


def _table(entry: object, where: str, origin: str) -> dict[str, Any]:
    if not isinstance(entry, Mapping):
        raise ConfigError(f"{origin}: {where} is a table; write its settings on lines of their own below it")
    return dict(cast(Mapping[str, Any], entry))


def _read(entry: object, model: type[T], where: str, origin: str) -> T:
    document = _table(entry, where, origin)
    try:
        return model.model_validate(document)
    except ValidationError as wrong:
        faults = wrong.errors(include_input=False, include_url=False, include_context=False)
        fault = next((f for f in faults if f["type"] == "extra_forbidden"), faults[0])
        place = ".".join(map(str, fault["loc"]))
        if fault["type"] == "extra_forbidden":
            near = difflib.get_close_matches(place, model.model_fields, n=1)
            meant = f"; did you mean {near[0]!r}?" if near else f"; known are {', '.join(model.model_fields)}"
            raise ConfigError(f"{origin}: {where}: unknown setting {place!r}{meant}") from wrong
        words = fault["msg"].removeprefix("Value error, ")
        raise ConfigError(f"{origin}: {where} {place}: {words}") from wrong
