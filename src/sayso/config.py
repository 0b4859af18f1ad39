"""Settings: flags win over the environment, the environment over `sayso.toml`, and all over defaults.

Each value remembers where it came from, so that `sayso doctor` can show it. This module reads one
file and opens nothing else.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from platformdirs import user_data_dir

from sayso.core.actors import Grant
from sayso.errors import ConfigError
from sayso.tables import TABLES, RunsTable, check_tables, roles, section

FILE = "sayso.toml"
SAMPLE = "sample.db"
"""The made-up workspace's database under the home, apart from a person's own."""


@dataclass(frozen=True, slots=True)
class Config:
    """Every setting. `tables` are those of the file (see `tables`); `origins` names where each value came from."""

    home: Path
    database: str
    model: str | None = None
    second_opinion: str | None = None
    host: str = "127.0.0.1"
    port: int = 8787
    time_zone: str = "UTC"
    locale: str = "en"
    week_start: str = "monday"
    profile: str = "default"
    steps: int = 3
    tool_loop: bool = True
    allowed_hosts: tuple[str, ...] = ()
    sign_in: str = "link"
    public_url: str | None = None
    inference_keys: str | None = None
    shared_runs: bool = False
    run_log: str | None = None
    agent_url: str | None = None
    agent_token: str | None = None
    agent_model: str | None = None
    agent_read_only: bool = False
    smtp_url: str | None = None
    sender: str | None = None
    tables: Mapping[str, Any] = field(default_factory=dict[str, Any])
    origins: Mapping[str, str] = field(default_factory=dict[str, str], compare=False)

    @property
    def is_sample(self) -> bool:
        return self.database == f"sqlite:///{self.home / SAMPLE}"

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    @property
    def roles(self) -> tuple[Grant, ...]:
        return roles(self.tables)


_SECRET = frozenset({"agent_token", "smtp_url"})
_CHOICES: Mapping[str, tuple[str, ...]] = {
    "locale": ("en", "de"),
    "week_start": ("monday", "sunday"),
    "profile": ("default", "strict"),
    "sign_in": ("link", "users", "proxy"),
}


def load(flags: Mapping[str, object], environ: Mapping[str, str], cwd: Path) -> Config:
    """Read the settings. Raises ConfigError, which says what to change and where."""
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}

    def take(name: str, value: object, origin: str) -> None:
        values[name] = _typed(name, value, origin)
        origins[name] = origin

    home, home_origin = _home(flags, environ)
    for path in (cwd / FILE, home / FILE):
        if path.is_file():
            settings, tables = _read_file(path)
            check_tables(tables, str(path))
            values["tables"] = tables
            for name, value in {**settings, **_of_runs(tables)}.items():
                take(name, value, str(path))
            break
    for name in _NAMES:
        variable = f"SAYSO_{name.upper()}"
        if environ.get(variable):
            take(name, environ[variable], variable)
        if flags.get(name) not in (None, []):
            take(name, flags[name], f"flag --{name.replace('_', '-')}")
    take("home", home, home_origin)
    if flags.get("sample"):
        take("database", f"sqlite:///{home / SAMPLE}", "flag --sample")
    values.setdefault("database", f"sqlite:///{home / 'sayso.db'}")
    values.setdefault("time_zone", _machine_zone())
    origins = {name: origins.get(name, "default") for name in _NAMES}
    return Config(**values, origins=origins)


_NAMES = tuple(f.name for f in fields(Config) if f.name not in ("origins", "tables"))


def shown(config: Config, name: str) -> str:
    """A setting as it may be printed: secrets are only said to be set."""
    value = getattr(config, name)
    if name in _SECRET and value:
        return "(set)"
    return "(not set)" if value in (None, ()) else str(value)


def _home(flags: Mapping[str, object], environ: Mapping[str, str]) -> tuple[Path, str]:
    if flags.get("home") is not None:
        return Path(str(flags["home"])).expanduser().absolute(), "flag --home"
    if environ.get("SAYSO_HOME"):
        return Path(environ["SAYSO_HOME"]).expanduser().absolute(), "SAYSO_HOME"
    return Path(user_data_dir("sayso", appauthor=False)), "default"


def _read_file(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The settings of a file, and its tables."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise ConfigError(f"{path} is not valid TOML: {wrong}") from wrong
    for name in document:
        if name not in _NAMES and name not in TABLES:
            near = difflib.get_close_matches(name, (*_NAMES, *TABLES), n=1)
            meant = f"; did you mean {near[0]!r}?" if near else f"; known are {', '.join(_NAMES)}"
            raise ConfigError(f"{path}: unknown setting {name!r}{meant}")
    tables = {name: value for name, value in document.items() if name in TABLES}
    return {name: value for name, value in document.items() if name not in TABLES}, tables


def _of_runs(tables: Mapping[str, Any]) -> dict[str, Any]:
    """What `[runs]` says of settings that a flag or the environment may say too."""
    table = section(tables, "runs", RunsTable)
    given = {"shared_runs": table.shared, "run_log": table.log}
    return {name: value for name, value in given.items() if value is not None}


def _typed(name: str, value: object, origin: str) -> Any:
    reader = _READERS.get(name, _text)
    try:
        result = reader(value)
    except (ValueError, TypeError) as wrong:
        raise ConfigError(f"{name} = {value!r} ({origin}): {wrong}") from wrong
    if name in _CHOICES and result not in _CHOICES[name]:
        raise ConfigError(f"{name} = {value!r} ({origin}): use one of {', '.join(_CHOICES[name])}")
    return result


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("write it as text, in quotes")
    return value


def _number(low: int, high: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        if isinstance(value, bool) or not str(value).lstrip("-").isdigit() or not low <= int(str(value)) <= high:
            raise ValueError(f"use a whole number from {low} to {high}")
        return int(str(value))

    return read


def _switch(value: object) -> bool:
    if isinstance(value, bool):
        return value
    if str(value).lower() in ("1", "true", "yes", "on"):
        return True
    if str(value).lower() in ("0", "false", "no", "off"):
        return False
    raise ValueError("use true or false")


def _zone(value: object) -> str:
    try:
        ZoneInfo(str(value))
    except (ZoneInfoNotFoundError, ValueError) as wrong:
        raise ValueError("unknown time zone; use a name such as Europe/Zurich") from wrong
    return str(value)


def _names(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    if isinstance(value, list):
        return tuple(_text(item) for item in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    raise TypeError("write it as a list of names")


def _address(value: object) -> str:
    text = _text(value).rstrip("/")
    place = urlsplit(text)
    if place.scheme not in ("http", "https") or not place.netloc or place.path:
        raise ValueError("write where people open the page, such as https://sayso.example.org")
    return text


def _models(value: object) -> str:
    """One text, commas between the models: from a list, a repeated flag, or a text as it is."""
    given = cast(list[object], value) if isinstance(value, list) else [value]
    return ", ".join(part for item in given for part in _names(_text(item)))


def _run_log(value: object) -> str:
    text = _text(value)
    if not text.startswith("sqlite:///") or text == "sqlite:///":
        raise ValueError("write a database of its own, such as sqlite:////srv/sayso/runs.db")
    return text


def _locale(value: object) -> str:
    return _text(value).replace("_", "-").split("-")[0].lower()


_READERS: Mapping[str, Callable[[object], Any]] = {
    "home": lambda value: Path(str(value)).expanduser().absolute(),
    "port": _number(0, 65535),
    "steps": _number(1, 20),
    "time_zone": _zone,
    "locale": _locale,
    "allowed_hosts": _names,
    "public_url": _address,
    "agent_read_only": _switch,
    "shared_runs": _switch,
    "run_log": _run_log,
    "tool_loop": _switch,
    "model": _models,
}


def _machine_zone() -> str:
    """The machine's zone by its name where it tells one, else UTC."""
    link = Path("/etc/localtime")
    if link.is_symlink():
        name = str(link.resolve()).partition("zoneinfo/")[2]
        try:
            return _zone(name) if name else "UTC"
        except ValueError:
            return "UTC"
    return "UTC"
