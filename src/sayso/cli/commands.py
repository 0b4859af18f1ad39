"""Every command of `sayso`, by its name. It decides nothing about how a command ends; `main` does.

A command's module is loaded when its command is named: loading all of them takes seconds, which is felt at each start.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from importlib import import_module
from importlib.metadata import version
from typing import Annotated

import typer

COMMANDS = {
    "serve": "serve:serve",
    "link": "serve:link",
    "import": "importing:import_paths",
    "ask": "ask:ask",
    "chat": "chat:chat",
    "proposals": "proposals:app",
    "users": "users:app",
    "tokens": "tokens:app",
    "audit": "audit:app",
    "keys": "keys:app",
    "models": "models:app",
    "doctor": "doctor:app",
    "mcp": "mcp:app",
    "probe": "probe:probe",
    "openapi": "openapi:openapi",
    "verify": "verify:verify",
    "eval": "evaluate:app",
}
"""The name of each command, and where in this package it is: a function, or a group of commands."""


def app_for(arguments: Sequence[str]) -> typer.Typer:
    """What can run these arguments: the command they name alone, or all of them where they name none (`--help`)."""
    first = arguments[0] if arguments else ""
    if first == "--version":
        return app_of(())
    return app_of([first] if first in COMMANDS else COMMANDS)


def app_of(names: Collection[str]) -> typer.Typer:
    """An application of these commands."""
    app = typer.Typer(
        name="sayso",
        help="Ask your own records. Every claim has a source; every action has your say-so.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    app.callback()(_root)
    for name in names:
        _add(app, name)
    return app


def _add(app: typer.Typer, name: str) -> None:
    module, _, member = COMMANDS[name].partition(":")
    command = getattr(import_module(f"sayso.cli.{module}"), member)
    if isinstance(command, typer.Typer):
        app.add_typer(command, name=name)
    else:
        app.command(name)(command)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sayso {version('sayso')}")
        raise typer.Exit


def _root(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Ask your own records. Every claim has a source; every action has your say-so."""
