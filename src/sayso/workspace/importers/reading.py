"""Planning and reading an import: which files, as what, and then record by record."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, tzinfo
from pathlib import Path

from sayso.errors import ImportFailed
from sayso.workspace.importers import notes, tables, vcard
from sayso.workspace.importers.columns import FIELDS, columns, guess_kind, why_unused
from sayso.workspace.importers.plans import BadValue, FilePlan, Plan, ReadProgress, Rejected
from sayso.workspace.importers.texts import read_text
from sayso.workspace.records import Record

_FORMATS = {
    ".vcf": "vcard",
    ".vcard": "vcard",
    ".csv": "csv",
    ".tsv": "csv",
    ".md": "document",
    ".markdown": "document",
    ".mdx": "document",
    ".txt": "document",
}
_SUPPORTED = "vCard (.vcf), CSV (.csv, .tsv), Markdown and text (.md, .mdx, .txt) and folders of these"
_SKIPPED = frozenset({".obsidian", ".trash", ".git", "node_modules", "__MACOSX"})


def plan(paths: Sequence[Path], mapping: Mapping[str, str] | None = None, kind: str | None = None) -> Plan:
    """What an import of `paths` would read; ImportFailed for a wrong path, kind or mapping."""
    if kind is not None and kind not in FIELDS:
        raise ImportFailed(f'no kind is called "{kind}"; there is: {", ".join(FIELDS)}')
    files = [_file_plan(path, root, mapping or {}, kind) for given in paths for path, root in _found(Path(given))]
    if mapping and not any(f.format == "csv" for f in files):
        raise ImportFailed("a mapping was given, but none of the files is a CSV table")
    return Plan(tuple(files))


def _found(given: Path) -> Iterator[tuple[Path, Path]]:
    if not given.exists():
        raise ImportFailed(f"{given} does not exist; check the path")
    if not given.is_dir():
        yield given, given.parent
        return
    inside = given.resolve()
    for folder, names, files in os.walk(given, followlinks=False):
        names[:] = sorted(n for n in names if n not in _SKIPPED and not n.startswith("."))
        for name in sorted(files):
            path = Path(folder, name)
            regular = path.is_file() and path.resolve().is_relative_to(inside)
            if regular and not name.startswith("."):
                yield path, given


def _file_plan(path: Path, root: Path, mapping: Mapping[str, str], kind: str | None) -> FilePlan:
    form = _FORMATS.get(path.suffix.lower(), "unknown")
    made = FilePlan(path, form, {"vcard": "people", "document": "documents"}.get(form, "unknown"), root)
    if form == "unknown":
        what = path.suffix or "a file without an ending"
        return dataclasses.replace(made, problem=f"{path.name}: {what} is not supported; supported: {_SUPPORTED}")
    if not path.is_file():
        return dataclasses.replace(made, problem=f"{path.name} is not a regular file")
    table = None
    count = 0
    try:
        text = read_text(path)
        if form == "csv":
            table = tables.load(text, path.name)
        if form == "document":
            warning = notes.front_matter_warning(text)
            return dataclasses.replace(made, count=1, notes=(warning,) if warning else ())
        if form == "vcard":
            count = sum(1 for _ in vcard.split_cards(text))
    except ImportFailed as error:
        return dataclasses.replace(made, problem=str(error))
    if table is not None:
        return _table_plan(made, table, mapping, kind)
    if not count:
        html = " (it looks like HTML)" if text.lstrip()[:1] == "<" else ""
        problem = f"{path.name} holds no vCard{html}; export the contacts again as vCard"
        return dataclasses.replace(made, problem=problem)
    return dataclasses.replace(made, count=count)


def _table_plan(made: FilePlan, table: tables.Table, corrections: Mapping[str, str], kind: str | None) -> FilePlan:
    chosen = kind or guess_kind(table.headers, made.path.stem)
    if chosen is None:
        problem = f"{made.path.name}: its headings do not tell what it holds; name the kind: {', '.join(FIELDS)}"
        return dataclasses.replace(made, problem=problem)
    try:
        fields = columns(chosen, table.headers, corrections)
    except ImportFailed as error:
        raise ImportFailed(f"{made.path.name}: {error}") from None
    naming = {"name", "title", "first_name", "last_name", "email", "affiliation"}
    problem = None
    if not naming & set(fields.values()):
        problem = f"{made.path.name}: no column holds the name; map one to it"
    elif chosen == "events" and not {"starts", "start_time"} & set(fields.values()):
        problem = f"{made.path.name}: no column holds the start; map one to it: --map 'Column=starts'"
    elif not table.rows:
        problem = f"{made.path.name} has a header but no rows"
    _, remarks = tables.date_orders(table, fields)
    unused = {h: why_unused(chosen, h) for h, name in fields.items() if name is None and table.holds(h)}
    return dataclasses.replace(
        made, kind=chosen, mapping=fields, count=len(table.rows), problem=problem, notes=remarks, unused=unused
    )


def read(
    plan: Plan, *, zone: tzinfo = UTC, progress: Callable[[ReadProgress], None] | None = None
) -> Iterator[Record | Rejected | BadValue]:  # fmt: skip
    """The records, rejects and left out values of a plan, file by file; stopping early leaves nothing open.

    Times without an offset are of `zone`.
    """
    records = rejected = 0
    for index, file in enumerate(plan.files, 1):
        for item in _items(file, zone):
            rejected += isinstance(item, Rejected)
            records += not isinstance(item, Rejected | BadValue)
            yield item
            if progress:
                progress(ReadProgress(str(file.path), index, len(plan.files), records, rejected))


def _items(file: FilePlan, zone: tzinfo) -> Iterator[Record | Rejected | BadValue]:
    name = file.path.name
    if file.problem:
        yield Rejected(str(file.path), "file", file.problem)
        return
    try:
        text = read_text(file.path)
        if file.format == "vcard":
            yield from vcard.read_cards(text, str(file.path), f"vcard:{name}")
        elif file.format == "csv":
            table = tables.load(text, name)
            yield from tables.read_rows(table, file.kind, file.mapping, str(file.path), f"csv:{name}", zone)
        else:
            yield _document(file, text)
    except ImportFailed as error:
        yield Rejected(str(file.path), "file", str(error))


def _document(file: FilePlan, text: str) -> Record | Rejected:
    relative = file.path.relative_to(file.root).as_posix()
    source = f"folder:{file.root.resolve().name}"
    try:
        return notes.read_document(text, relative, source)
    except (ValueError, RecursionError) as error:
        return Rejected(str(file.path), "file", f"cannot be read: {error}")


def write_rejected(rejected: Iterable[Rejected | BadValue], path: Path) -> None:
    """One JSON object a line: path, place, reason, and the raw record or the column of a value."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", errors="replace", newline="\n") as out:
        for item in rejected:
            out.write(json.dumps(dataclasses.asdict(item), ensure_ascii=False) + "\n")
