"""`sayso keys`: the signing keys of the gateway and of the inference service, under this home or in a folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from sayso import config
from sayso.cli.terms import HomeOption, fail, out, safe, say
from sayso.errors import ConfigError
from sayso.signing.keys import KEPT, key_files, rotate

app = typer.Typer(help="Signing keys: the newest signs, those before it still verify.", no_args_is_help=True)


class Service(StrEnum):
    GATEWAY = "gateway"
    INFERENCE = "inference"


ServiceOption = Annotated[
    Service | None, typer.Option("--service", help="Whose keys; of every service that has some here by default.")
]
FolderOption = Annotated[
    Path | None, typer.Option("--keys", help="The folder where one service's keys lie; under the home by default.")
]


@app.command("list")
def list_keys(service: ServiceOption = None, keys: FolderOption = None, home: HomeOption = None) -> None:
    """Every key, the one that signs first; never the key itself."""
    table = Table("service", "key", "made", "what it does", box=None)
    for name, folder in _folders(service, keys, home).items():
        for number, path in enumerate(reversed(key_files(folder))):
            made = datetime.fromtimestamp(path.stat().st_mtime).astimezone()
            use = "verifies" if number else "signs, verifies"
            table.add_row(safe(name), safe(path.stem), f"{made:%Y-%m-%d %H:%M}", use)
    if not table.rows:
        say("There is no key yet; each service makes its own when it starts first.")
        return
    out.print(table)


@app.command("rotate")
def rotate_keys(service: ServiceOption = None, keys: FolderOption = None, home: HomeOption = None) -> None:
    """Make a new key, which signs from now on. Processes that run take it up by themselves."""
    folders = {name: folder for name, folder in _folders(service, keys, home).items() if key_files(folder)}
    if not folders:
        fail("There is no key to follow; each service makes its first one when it starts.")
        raise typer.Exit(1)
    for name, folder in folders.items():
        _rotate(name, folder)


def _rotate(name: str, folder: Path) -> None:
    before = {path.stem for path in key_files(folder)}
    try:
        made = rotate(folder)
    except OSError as wrong:
        raise ConfigError(f"{folder} cannot be written to: {wrong.strerror}") from wrong
    gone = sorted(before - {path.stem for path in key_files(folder)})
    say(f"{name}: {made} signs from now on; the last {KEPT} verify.")
    if gone:
        say(f"{name}: {', '.join(gone)} is gone: what it signed is refused from now on.", "yellow")


def _folders(service: Service | None, keys: Path | None, home: Path | None) -> Mapping[str, Path]:
    """The folders by the names of the services."""
    if keys is not None:
        if not keys.is_dir():
            raise ConfigError(f"{keys} is no folder; name the one that --keys of `sayso serve` names")
        return {service or "keys": keys}
    under = config.load({"home": home}, os.environ, Path.cwd()).home / "keys"
    return {one.value: under / one.value for one in ([service] if service else Service)}
