"""`sayso doctor`: every setting with where it came from, and whether the parts are well."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
from dataclasses import fields
from pathlib import Path

import typer
from rich.table import Table

from sayso import config
from sayso.cli.compose import LOCAL_USER, choose_model, open_workspace
from sayso.cli.terms import HomeOption, ModelOption, SampleOption, fail, out, safe, say
from sayso.errors import SaysoError


def doctor(model: ModelOption = None, sample: SampleOption = False, home: HomeOption = None) -> None:
    """Show each setting and where it came from, and check the database and the model."""
    settings = config.load({"home": home, "model": model, "sample": sample}, os.environ, Path.cwd())
    table = Table("setting", "value", "from", box=None)
    for item in fields(config.Config):
        if item.name != "origins":
            table.add_row(item.name, safe(config.shown(settings, item.name)), settings.origins[item.name])
    out.print(table)
    say(f"\nPython {sys.version.split()[0]}, SQLite {sqlite3.sqlite_version}")
    well = _database(settings)
    chosen = asyncio.run(choose_model(settings))
    say(f"model: {chosen.spec} ({chosen.reason})")
    if not well:
        raise typer.Exit(1)


def _database(settings: config.Config) -> bool:
    try:
        workspace = open_workspace(settings)
    except SaysoError as wrong:
        fail(f"database: {wrong}")
        return False
    try:
        kinds = ("person", "project", "goal", "habit", "commitment", "event", "document")
        counts = {kind: workspace.count(LOCAL_USER.owner, kind) for kind in kinds}
        say("database: well; " + ", ".join(_counted(kind, number) for kind, number in counts.items()))
    finally:
        workspace.database.close()
    return True


def _counted(kind: str, number: int) -> str:
    many = "people" if kind == "person" else f"{kind}s"
    return f"{number} {kind if number == 1 else many}"
