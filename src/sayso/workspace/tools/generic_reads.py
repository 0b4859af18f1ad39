"""Reads over every kind of record: list, get, what its fields are, and what it was before."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field as Bounded
from sqlalchemy import Connection

from sayso.core.facts import Fact, FactKind, Field, FieldType
from sayso.core.tools import ReadResult, Tool, ToolContext, define_tool
from sayso.errors import NotFound
from sayso.workspace import repository, search
from sayso.workspace.facts import fact_of, passage_fact
from sayso.workspace.names import terms_of
from sayso.workspace.records import DocumentRecord, Record
from sayso.workspace.repository import Kept, Stored
from sayso.workspace.tools.arguments import MaybeNumber, MaybeText, ToolArguments
from sayso.workspace.tools.generic_fields import RECORD_KINDS, RecordKind, fields_of, meta
from sayso.workspace.typed import MaybeDay
from sayso.workspace.workspace import Workspace, settings_of

SHOWN, MOST = 40, 150
Id = Annotated[str, Bounded(min_length=1, max_length=200)]

RECORD = FactKind("record", (Field("title"), Field("kind")), subject="title")
"""What the reads over every kind cover, where no kind is named yet."""
RECORD_FIELD = FactKind(
    "record_field",
    (
        Field("field"),
        Field("kind"),
        Field("type"),
        Field("required", FieldType.BOOLEAN),
        Field("options", FieldType.LIST),
    ),
    subject="field",
)
"""What may be written into a field of a kind of record."""
RECORD_VERSION = FactKind(
    "record_version",
    (
        Field("title"),
        Field("kind"),
        Field("record"),
        Field("version", FieldType.NUMBER),
        Field("state"),
        Field("until", FieldType.DATETIME, words=("until", "replaced")),
        Field("changes", FieldType.LIST, words=("changed", "changes")),
    ),
    subject="title",
)
"""A record as it is ("present") or was ("previous", "deleted"); `changes` are those from the version before."""


class ListArguments(ToolArguments):
    kind: RecordKind
    query: MaybeText = None
    status: MaybeText = None
    first: MaybeDay = None
    last: MaybeDay = None
    limit: MaybeNumber = None
    skip: MaybeNumber = None


class KindArguments(ToolArguments):
    kind: RecordKind


class OneArguments(ToolArguments):
    kind: RecordKind
    id: Id


def list_records_tool(workspace: Workspace) -> Tool:
    async def run(arguments: ListArguments, context: ToolContext) -> ReadResult:
        return await workspace.aread(lambda connection: _listed(connection, workspace, arguments, context))

    return _tool(
        "list_records", "List records of a kind: person, project, goal, habit, commitment, event or document.",
        ListArguments, run, {"kind": "project", "status": "active"}, RECORD,
    )  # fmt: skip


def get_record_tool(workspace: Workspace) -> Tool:
    async def run(arguments: OneArguments, context: ToolContext) -> ReadResult:
        def read(connection: Connection) -> ReadResult:
            owner = context.actor.owner
            count = repository.count(connection, owner, arguments.kind)
            stored = _one(connection, owner, arguments)
            facts = _whole(connection, workspace, stored, context) if stored else ()
            return ReadResult(facts, len(facts), max(count, len(facts)))

        return await workspace.aread(read)

    example = {"kind": "person", "id": "person_1a2b3c4d5e6f7a8b"}
    return _tool("get_record", "Get one record by its kind and id.", OneArguments, run, example, RECORD)


def record_meta_tool() -> Tool:
    async def run(arguments: KindArguments, context: ToolContext) -> ReadResult:
        facts = tuple(
            RECORD_FIELD.fact(
                {"field": f.name, "kind": arguments.kind, "type": f.type, "required": f.required, "options": f.options},
                source="workspace", key=f"{arguments.kind}.{f.name}", as_of=context.now,
            )
            for f in meta(arguments.kind)
        )  # fmt: skip
        return ReadResult(facts, len(facts), len(facts))

    return _tool(
        "record_meta", "Tell the fields of a kind of record: types, which are required, options.", KindArguments, run,
        {"kind": "person"}, RECORD_FIELD,
    )  # fmt: skip


def record_history_tool(workspace: Workspace) -> Tool:
    async def run(arguments: OneArguments, context: ToolContext) -> ReadResult:
        def read(connection: Connection) -> ReadResult:
            owner = context.actor.owner
            kept = repository.history(connection, owner, arguments.kind, arguments.id)
            facts = _versions(kept, _one(connection, owner, arguments), arguments, context)
            return ReadResult(facts, len(facts), len(facts))

        return await workspace.aread(read)

    example = {"kind": "person", "id": "person_1a2b3c4d5e6f7a8b"}
    return _tool(
        "record_history", "Tell what a record was before: its versions, the newest first.", OneArguments, run,
        example, RECORD_VERSION,
    )  # fmt: skip


def _tool(name: str, description: str, arguments: Any, run: Any, example: dict[str, Any], covers: FactKind) -> Tool:
    return define_tool(
        name, kind="read", description=description, arguments=arguments, run=run, example=example, covers=covers,
        by_kind=RECORD_KINDS,
    )  # fmt: skip


def _listed(
    connection: Connection, workspace: Workspace, arguments: ListArguments, context: ToolContext
) -> ReadResult:  # fmt: skip
    owner, kind = context.actor.owner, arguments.kind
    week_start = settings_of(connection, owner, workspace.defaults).week_start
    stored = repository.list_all(
        connection, owner, kind, state=arguments.status, first=arguments.first, last=arguments.last
    )
    if arguments.query:
        hits = {hit.key for hit in search.find(connection, owner, kind, terms_of(arguments.query))}
        stored = [one for one in stored if one.id in hits]
    skip = max(arguments.skip or 0, 0)
    page = stored[skip : skip + min(max(arguments.limit or SHOWN, 1), MOST)]
    facts = tuple(fact_of(one, context.now, week_start) for one in page)
    return ReadResult(facts, len(stored), repository.count(connection, owner, kind))


def _one(connection: Connection, owner: str, arguments: OneArguments) -> Stored | None:
    try:
        return repository.get(connection, owner, arguments.kind, arguments.id.partition("#")[0])
    except NotFound:
        return None


def _whole(connection: Connection, workspace: Workspace, stored: Stored, context: ToolContext) -> tuple[Fact, ...]:
    if isinstance(stored.record, DocumentRecord):
        return tuple(passage_fact(stored, part, context.now) for part in range(max(1, len(stored.record.chunks))))
    week_start = settings_of(connection, context.actor.owner, workspace.defaults).week_start
    return (fact_of(stored, context.now, week_start),)


def _versions(
    kept: Sequence[Kept], present: Stored | None, arguments: OneArguments, context: ToolContext
) -> tuple[Fact, ...]:  # fmt: skip
    """The newest first."""
    known: list[tuple[int, Record, str, str, datetime | None]] = [
        (k.version, k.record, k.title, "previous", k.replaced) for k in kept
    ]
    if present is not None:
        known.append((present.version, present.record, present.title, "present", None))
    elif kept:
        known[-1] = (kept[-1].version, kept[-1].record, kept[-1].title, "deleted", kept[-1].replaced)
    facts: list[Fact] = []
    before: dict[str, Any] = {}
    for version, record, title, state, until in known:
        now = fields_of(record)
        changes = tuple(_change(n, before.get(n), v) for n, v in now.items() if before and before.get(n) != v)
        values = {
            "title": title, "kind": arguments.kind, "record": arguments.id, "version": version, "state": state,
            "until": until, "changes": changes,
        }  # fmt: skip
        key = f"{arguments.id}@{version}"
        facts.append(RECORD_VERSION.fact(values, source="workspace", key=key, as_of=context.now))
        before = now
    return tuple(reversed(facts))


def _change(name: str, before: Any, after: Any) -> str:
    return f"{name}: {_shown(before)} -> {_shown(after)}"


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
