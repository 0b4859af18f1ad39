"""Changes to every kind of record: create, update, delete, restore. Each is proposed as one exact change.

A change holds the values after it; what they were is the record at the version that it names. No record is guessed:
a change names its kind and id.
"""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationError
from sqlalchemy import Connection

from sayso.core.proposals import Change, Target
from sayso.core.tools import ProposeResult, Tool, ToolContext, define_tool
from sayso.errors import ArgumentsUnfit, NotFound
from sayso.workspace import codec, repository
from sayso.workspace.repository import Stored
from sayso.workspace.tools.arguments import MaybeNumber, ToolArguments
from sayso.workspace.tools.generic_fields import (
    CHANGES,
    RECORD_KINDS,
    WHOLE,
    RecordKind,
    checked,
    faults_of,
    fields_of,
    record_of,
    wrong,
)
from sayso.workspace.tools.generic_reads import Id
from sayso.workspace.workspace import Workspace


def _object(value: Any) -> Any:
    """Values as an object; a weak model writes it as text."""
    if isinstance(value, str):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


Values = Annotated[dict[str, Any], BeforeValidator(_object), Field(min_length=1, max_length=50)]


class CreateArguments(ToolArguments):
    kind: RecordKind
    values: Values


class UpdateArguments(ToolArguments):
    kind: RecordKind
    id: Id
    values: Values
    version: MaybeNumber = None


class DeleteArguments(ToolArguments):
    kind: RecordKind
    id: Id
    version: MaybeNumber = None


class RestoreArguments(ToolArguments):
    kind: RecordKind
    id: Id
    version: MaybeNumber = None


def create_record_tool(workspace: Workspace) -> Tool:
    async def run(arguments: CreateArguments, context: ToolContext) -> ProposeResult:
        kind, values = arguments.kind, dict(arguments.values)
        if kind == "document" and "path" not in values:
            values["path"] = f"notes/{repository.new_id('note')}.md"
        given = checked(WHOLE, kind, values, context.now)
        record = record_of(kind, given, "workspace", None)
        title = f"New {kind}: {codec.title_of(record)}"
        return ProposeResult(Change(f"workspace.create_record.{kind}", title, given))

    example = {"kind": "person", "values": {"name": "Elena Weber", "role": "architect"}}
    return _tool("create_record", "Propose a new record of a kind; record_meta tells the fields.", CreateArguments,
                 run, example)  # fmt: skip


def update_record_tool(workspace: Workspace) -> Tool:
    async def run(arguments: UpdateArguments, context: ToolContext) -> ProposeResult:
        return await workspace.aread(lambda connection: _update(connection, arguments, context))

    example = {"kind": "person", "id": "person_1a2b3c4d5e6f7a8b", "values": {"role": "architect"}}
    return _tool("update_record", "Propose to change fields of one record.", UpdateArguments, run, example)


def delete_record_tool(workspace: Workspace) -> Tool:
    async def run(arguments: DeleteArguments, context: ToolContext) -> ProposeResult:
        def compile_change(connection: Connection) -> ProposeResult:
            stored = _present(connection, arguments, context)
            if stored is None:
                return ProposeResult(None)
            title = f"Delete {stored.kind}: {stored.title}"
            return ProposeResult(
                Change(f"workspace.delete_record.{stored.kind}", title, {}, _target(stored), stored.etag)
            )

        return await workspace.aread(compile_change)

    example = {"kind": "commitment", "id": "commitment_1a2b3c4d5e6f7a8b"}
    return _tool("delete_record", "Propose to delete one record; it can be restored.", DeleteArguments, run, example)


def restore_record_tool(workspace: Workspace) -> Tool:
    async def run(arguments: RestoreArguments, context: ToolContext) -> ProposeResult:
        return await workspace.aread(lambda connection: _restore(connection, arguments, context))

    example = {"kind": "person", "id": "person_1a2b3c4d5e6f7a8b", "version": 1}
    return _tool(
        "restore_record", "Propose to bring back a deleted record, or what one was in an earlier version.",
        RestoreArguments, run, example,
    )  # fmt: skip


def _tool(name: str, description: str, arguments: Any, run: Any, example: dict[str, Any]) -> Tool:
    async def judged(given: Any, context: ToolContext) -> ProposeResult:
        try:
            return await run(given, context)
        except ValidationError as wrong:
            raise ArgumentsUnfit(faults_of(wrong)) from wrong

    return define_tool(
        name, kind="propose", description=description, arguments=arguments, run=judged, example=example,
        by_kind=RECORD_KINDS,
    )  # fmt: skip


def _update(connection: Connection, arguments: UpdateArguments, context: ToolContext) -> ProposeResult:
    stored = _present(connection, arguments, context)
    if stored is None:
        return ProposeResult(None)
    before = fields_of(stored.record)
    given = checked(CHANGES, stored.kind, arguments.values, context.now)
    after = {name: value for name, value in given.items() if value != before.get(name)}
    if not after:
        raise wrong("values", f"{stored.title} has these values already; nothing would change")
    record_of(stored.kind, {**before, **after}, stored.record.source, stored.record.source_key)
    title = f"Change {stored.kind}: {stored.title}"
    action = f"workspace.update_record.{stored.kind}"
    return ProposeResult(Change(action, title, after, _target(stored), stored.etag))


def _restore(connection: Connection, arguments: RestoreArguments, context: ToolContext) -> ProposeResult:
    """To the version that is named, else to the one before the present one; of a deleted record to its last."""
    kind, owner = arguments.kind, context.actor.owner
    kept = {k.version: k for k in repository.history(connection, owner, kind, arguments.id)}
    wanted = kept.get(arguments.version or max(kept, default=0))
    if wanted is None:
        return ProposeResult(None)
    try:
        present = repository.get(connection, owner, kind, arguments.id)
    except NotFound:
        present = None
    before = fields_of(present.record) if present else {}
    changed = {n: v for n, v in fields_of(wanted.record).items() if n not in before or v != before[n]}
    if not changed:
        raise wrong("version", f"{wanted.title} is what it was in version {wanted.version}; nothing would change")
    title = f"Restore {kind}: {wanted.title} (version {wanted.version})"
    target = Target(kind, arguments.id, present.title if present else wanted.title)
    change = Change(
        f"workspace.restore_record.{kind}", title, {"version": wanted.version, **changed}, target,
        present.etag if present else None,
    )  # fmt: skip
    return ProposeResult(change)


def _present(
    connection: Connection, arguments: UpdateArguments | DeleteArguments, context: ToolContext
) -> Stored | None:  # fmt: skip
    """The record that is meant; None where there is none. Raises ValidationError where it has another version."""
    try:
        stored = repository.get(connection, context.actor.owner, arguments.kind, arguments.id)
    except NotFound:
        return None
    if arguments.version is not None and arguments.version != stored.version:
        raise wrong("version", f"{stored.title} is at version {stored.version}; look at it again")
    return stored


def _target(stored: Stored) -> Target:
    return Target(stored.kind, stored.id, stored.title)
