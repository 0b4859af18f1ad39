"""Every command of `sayso`, by its name. It decides nothing about how a command ends; `main` does."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated

import typer

from sayso.cli import (
    ask,
    audit,
    chat,
    doctor,
    evaluate,
    importing,
    keys,
    mcp,
    models,
    openapi,
    probe,
    proposals,
    serve,
    tokens,
    users,
    verify,
)

app = typer.Typer(
    name="sayso",
    help="Ask your own records. Every claim has a source; every action has your say-so.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("serve")(serve.serve)
app.command("link")(serve.link)
app.command("import")(importing.import_paths)
app.command("ask")(ask.ask)
app.command("chat")(chat.chat)
app.add_typer(proposals.app, name="proposals")
app.add_typer(users.app, name="users")
app.add_typer(tokens.app, name="tokens")
app.add_typer(audit.app, name="audit")
app.add_typer(keys.app, name="keys")
app.add_typer(models.app, name="models")
app.add_typer(doctor.app, name="doctor")
app.add_typer(mcp.app, name="mcp")
app.command("probe")(probe.probe)
app.command("openapi")(openapi.openapi)
app.command("verify")(verify.verify)
app.add_typer(evaluate.app, name="eval")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sayso {version('sayso')}")
        raise typer.Exit


@app.callback()
def root(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Ask your own records. Every claim has a source; every action has your say-so."""
