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
from sayso.cli import doctor_thread
from sayso.cli.compose import LOCAL_USER, choose_model, open_workspace
from sayso.cli.mcp import tell_doctor
from sayso.cli.reachable import trouble_with
from sayso.cli.stored import read_stored
from sayso.cli.terms import HomeOption, ModelOption, SampleOption, fail, out, safe, say
from sayso.errors import SaysoError
from sayso.models.choice import Choice
from sayso.models.local_servers import find_local
from sayso.models.order import build_order, read_order
from sayso.models.quote import Quote

app = typer.Typer(invoke_without_command=True)
app.command("thread")(doctor_thread.thread)


@app.callback()
def doctor(
    context: typer.Context, model: ModelOption = None, sample: SampleOption = False, home: HomeOption = None
) -> None:
    """Show each setting and where it came from, and check the database and the model."""
    if context.invoked_subcommand is not None:
        return
    settings = config.load({"home": home, "model": model, "sample": sample}, os.environ, Path.cwd())
    table = Table("setting", "value", "from", box=None)
    for item in fields(config.Config):
        if item.name not in ("origins", "tables"):
            table.add_row(item.name, safe(config.shown(settings, item.name)), settings.origins[item.name])
    out.print(table)
    say(f"\nPython {sys.version.split()[0]}, SQLite {sqlite3.sqlite_version}")
    well = _database(settings)
    chosen = asyncio.run(choose_model(settings))
    say(f"model: {chosen.spec} ({chosen.reason})")
    well = _models(settings, chosen) and well
    asyncio.run(tell_doctor(settings))
    if not well:
        raise typer.Exit(1)


def _models(settings: config.Config, chosen: Choice) -> bool:
    """What was stored, which servers run here, and whether the model that is chosen can be made at all."""
    stored = read_stored(settings.home)
    say(f"stored: {stored.model or 'no choice of a model'}; allowed keys: {', '.join(stored.consented) or 'none'}")
    running = [f"{server.server} ({', '.join(server.models)})" for server in asyncio.run(find_local())]
    say(f"model servers on this machine: {', '.join(running) or 'none on its usual port'}")
    if not settings.tool_loop:
        return True
    try:
        build_order(chosen.spec, quote=Quote(), environ=os.environ)
    except SaysoError as wrong:
        fail(f"model: {wrong}")
        return False
    for one in read_order(chosen.spec):
        if trouble := asyncio.run(trouble_with(one.spec)):
            fail(f"model: {trouble}")
    return True


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
