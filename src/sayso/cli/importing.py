"""`sayso import`: what will be read is shown first; a second import of the same files changes nothing."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from sayso import config
from sayso.cli.compose import LOCAL_USER, open_workspace
from sayso.cli.terms import HomeOption, err, fail, say
from sayso.workspace.importers import BadValue, FilePlan, Plan, ReadProgress, Rejected, plan, read, write_rejected
from sayso.workspace.records import Record
from sayso.workspace.workspace import Workspace

BATCH = 500
SHOWN = 5
"""How many rejects and left out values are told at once; all are in the report."""


def import_paths(
    paths: Annotated[list[Path], typer.Argument(help="vCard, CSV, Markdown or text files, or folders of them.")],
    mapping: Annotated[
        list[str] | None, typer.Option("--map", help="Correct a CSV column: --map 'Column=field'.")
    ] = None,
    kind: Annotated[
        str | None, typer.Option(help="What a CSV holds: people, projects, goals, habits, commitments, events.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be read.")] = False,
    home: HomeOption = None,
) -> None:
    """Bring in people's real files."""
    settings = config.load({"home": home}, os.environ, Path.cwd())
    counts = [0, 0, 0]
    with _told_when_stopped(counts):
        planned = plan(paths, _mapping(mapping or []), kind)
        show_plan(planned)
        if dry_run:
            return
        workspace = open_workspace(settings)
        try:
            rejected, left_out = bring_in(workspace, planned, counts, settings.zone)
        finally:
            workspace.database.close()
    new, changed, unchanged = counts
    few = "value" if len(left_out) == 1 else "values"
    values = f", {len(left_out)} {few} left out" if left_out else ""
    say(f"{new} new, {changed} changed, {unchanged} unchanged, {len(rejected)} rejected{values}", "bold")
    if rejected or left_out:
        report = settings.home / f"rejected-{datetime.now(UTC):%Y%m%d-%H%M%S}.jsonl"
        write_rejected([*rejected, *left_out], report)
        for item in rejected[:SHOWN]:
            say(f"  {item.path} {item.place}: {item.reason}", "yellow")
        for value in left_out[:SHOWN]:
            say(f"  {value.path} {value.place}, {value.column}: {value.reason}", "yellow")
        say(f"What was rejected or left out, with place and reason: {report}")
    show_unused(planned)
    if rejected and not (new or changed or unchanged):
        raise typer.Exit(1)


def bring_in(
    workspace: Workspace, planned: Plan, counts: list[int], zone: tzinfo = UTC
) -> tuple[list[Rejected], list[BadValue]]:
    """Read and store in batches, with a progress bar; `counts` tells what is stored: new, changed, unchanged."""
    rejected, batch = list[Rejected](), list[Record]()
    left_out: list[BadValue] = []
    with _bar() as bar:
        task = bar.add_task("reading", total=sum(f.count for f in planned.files) or None)

        def tell(progress: ReadProgress) -> None:
            bar.update(task, completed=progress.records + progress.rejected, description=Path(progress.path).name[:30])

        for item in read(planned, zone=zone, progress=tell):
            if isinstance(item, Rejected):
                rejected.append(item)
            elif isinstance(item, BadValue):
                left_out.append(item)
            else:
                batch.append(item)
            if len(batch) >= BATCH:
                _store(workspace, batch, counts)
        _store(workspace, batch, counts)
    return rejected, left_out


@contextmanager
def _told_when_stopped(counts: Sequence[int]) -> Generator[None]:
    """Says on Ctrl-C what is in; each batch is stored whole or not at all."""
    try:
        yield
    except KeyboardInterrupt:
        new, changed, unchanged = counts
        stored = f"Stored so far: {new} new, {changed} changed, {unchanged} unchanged"
        fail(f"Stopped. {stored}. Run the same import again for the rest; nothing comes in twice.")
        raise


def _store(workspace: Workspace, batch: list[Record], counts: list[int]) -> None:
    stored = workspace.upsert(LOCAL_USER.owner, batch, datetime.now(UTC))
    for index, number in enumerate((stored.new, stored.changed, stored.unchanged)):
        counts[index] += number
    batch.clear()


def show_plan(planned: Plan) -> None:
    """The files, what they hold, and how CSV headers were understood."""
    documents = [f for f in planned.files if f.format == "document" and not f.problem]
    for file in _listed(planned):
        if file.problem:
            say(f"{file.path}: {file.problem}", "yellow")
            continue
        say(f"{file.path}: {file.format}, {file.kind}, about {file.count}")
        for column, field in file.mapping.items():
            told = field or (f"not used: {file.unused[column]}" if column in file.unused else "not used: it is empty")
            say(f"    {column} -> {told}", "dim")
        for note in file.notes:
            say(f"    note: {note}", "dim")
    if len(documents) > 3:
        say(f"{len(documents)} documents")


def show_unused(planned: Plan) -> None:
    """The columns whose content went nowhere, so that nothing is lost unsaid."""
    for file in planned.files:
        for column, why in file.unused.items():
            say(f"  {file.path.name}, {column}: not used; {why}", "yellow")


def _listed(planned: Plan) -> Iterator[FilePlan]:
    documents = 0
    for file in planned.files:
        documents += file.format == "document" and not file.problem
        if file.format != "document" or file.problem or documents <= 3 or file.notes:
            yield file


def _mapping(given: list[str]) -> dict[str, str] | None:
    pairs: dict[str, str] = {}
    for item in given:
        column, equals, field = item.rpartition("=")
        if not equals or not column:
            raise typer.BadParameter(f"{item!r}: write --map 'Column=field'")
        pairs[column.strip()] = field.strip()
    return pairs or None


def _bar() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, console=err, transient=True)
