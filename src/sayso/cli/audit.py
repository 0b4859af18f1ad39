"""`sayso audit`: who did what, the head of the chain, and whether anything in it was altered."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sayso.cli.directory import Directory, with_directory
from sayso.cli.terms import HomeOption, SampleOption, fail, say
from sayso.store.audit import Head, head_line, read_heads
from sayso.store.ports import now_utc

app = typer.Typer(help="The log of who signed in, saw, proposed, approved and ran what.", no_args_is_help=True)


@app.command("list")
def list_rows(
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many, the newest first.")] = 50,
    sample: SampleOption = False,
    home: HomeOption = None,
) -> None:
    """The newest entries: number, moment (UTC), who, what, of what, and more."""

    async def do(directory: Directory) -> None:
        for row in await directory.audit.rows(limit):
            moment = row.at[:19].replace("T", " ")
            say(f"{row.number}  {moment}  {row.actor or '-'}  {row.what}  {row.subject}  {row.details}")

    with_directory(home, do, sample=sample)


@app.command()
def head(sample: SampleOption = False, home: HomeOption = None) -> None:
    """Print the head, as one line of JSON: keep it where nobody who writes the database can change it."""

    async def do(directory: Directory) -> Head:
        return await directory.audit.head()

    found = with_directory(home, do, sample=sample)
    typer.echo(head_line(found, now_utc()), nl=False)


@app.command()
def verify(
    head: Annotated[
        Path | None, typer.Option(help="A file of heads that were printed before: finds a rewrite.")
    ] = None,
    sample: SampleOption = False,
    home: HomeOption = None,
) -> None:
    """Find every entry that was changed, removed, moved or inserted. Ends with 1 where there is one."""
    heads = read_heads(head.read_text(encoding="utf-8"), str(head)) if head else ()
    checked = with_directory(home, lambda directory: directory.audit.verify(heads), sample=sample)
    for fault in checked.faults:
        fail(fault.words)
    if checked.faults:
        raise typer.Exit(1)
    compared = f", and with {len(heads)} head{'s' if len(heads) != 1 else ''} kept elsewhere" if heads else ""
    say(f"{checked.rows} entries, each as it was written: they agree with one another{compared}.")
