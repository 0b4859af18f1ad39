"""What an approval of a generic change does: one record made, changed, deleted or restored, inside its transaction.

Each keeps the version before it, so each can be undone. A record that is no longer what was shown is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError
from sqlalchemy import Connection

from sayso.core.proposals import Target
from sayso.errors import NotFound
from sayso.workspace import codec, repository
from sayso.workspace.actions import (
    ActionImpossible,
    ActionOutcome,
    Approved,
    WorkspaceAction,
    check_target,
    source_key,
)
from sayso.workspace.records import Record
from sayso.workspace.repository import Stored
from sayso.workspace.tools.generic_fields import (
    CHANGES,
    RECORD_KINDS,
    RESTORED,
    WHOLE,
    faults_of,
    fields_of,
    record_of,
)


@dataclass(frozen=True, slots=True)
class GenericAction:
    """An action with the form by which its change is edited, and its card's title (None: it stays)."""

    action: WorkspaceAction
    inputs: type[BaseModel] | None
    title: Callable[[Mapping[str, Any]], str] | None = None


def generic_actions() -> tuple[GenericAction, ...]:
    """Four for each kind; each is allowed by its kind."""
    return tuple(action for kind in RECORD_KINDS for action in _of_kind(kind))


def _of_kind(kind: str) -> tuple[GenericAction, ...]:
    def declared(verb: str, run: Callable[[Connection, Approved, str], ActionOutcome]) -> WorkspaceAction:
        return WorkspaceAction(
            f"workspace.{verb}_record.{kind}", f"execute:kind:{kind}", lambda c, approved: run(c, approved, kind)
        )

    def title(arguments: Mapping[str, Any]) -> str:
        return f"New {kind}: {arguments.get('name') or arguments.get('title')}"[:300]

    return (
        GenericAction(declared("create", _create), WHOLE[kind], title),
        GenericAction(declared("update", _update), CHANGES[kind]),
        GenericAction(declared("delete", _delete), None),
        GenericAction(declared("restore", _restore), RESTORED[kind]),
    )


def _create(connection: Connection, approved: Approved, kind: str) -> ActionOutcome:
    record = _record(kind, approved.arguments, "workspace", source_key(approved))
    stored = repository.create(connection, approved.owner, record, approved.now)
    return _ended("created", stored)


def _update(connection: Connection, approved: Approved, kind: str) -> ActionOutcome:
    stored = _shown(connection, approved, kind)
    fields = {**fields_of(stored.record), **approved.arguments}
    record = _record(kind, fields, stored.record.source, stored.record.source_key)
    changed = repository.update(
        connection, approved.owner, stored.id, record, approved.now, version=approved.precondition
    )
    return _ended("changed", changed, approved.arguments)


def _delete(connection: Connection, approved: Approved, kind: str) -> ActionOutcome:
    stored = _shown(connection, approved, kind)
    repository.delete(connection, approved.owner, kind, stored.id, approved.now, version=approved.precondition)
    return _ended("deleted", stored)


def _restore(connection: Connection, approved: Approved, kind: str) -> ActionOutcome:
    """The fields of the kept version with those of the card over them: exactly what was shown."""
    target, version = _target(approved, kind), approved.arguments.get("version")
    kept = {k.version: k for k in repository.history(connection, approved.owner, kind, target.key)}
    if not isinstance(version, int) or version not in kept:
        raise ActionImpossible(f"version {version} of {target.name!r} is not kept")
    shown = {name: value for name, value in approved.arguments.items() if name != "version"}
    present = _present(connection, approved, target)
    base = kept[version].record
    record = _record(kind, {**fields_of(base), **shown}, base.source, base.source_key)
    stored = repository.restore(
        connection, approved.owner, target.key, record, approved.now, version=present.etag if present else None
    )
    return _ended("restored", stored, shown if present else {})


def _present(connection: Connection, approved: Approved, target: Target) -> Stored | None:
    """The record as it was shown; None where it was shown as deleted, and still is."""
    if approved.precondition is not None:
        return check_target(connection, approved)
    try:
        repository.get(connection, approved.owner, target.kind, target.key)
    except NotFound:
        return None
    raise ActionImpossible(f"{target.name!r} is there again since this was proposed; ask for it again")


def _shown(connection: Connection, approved: Approved, kind: str) -> Stored:
    _target(approved, kind)
    stored = check_target(connection, approved)
    if stored is None or approved.precondition is None:
        raise ActionImpossible("the change does not say which version of the record it was made for")
    return stored


def _target(approved: Approved, kind: str) -> Target:
    if approved.target is None or approved.target.kind != kind:
        raise ActionImpossible(f"the change names no {kind}")
    return approved.target


def _record(kind: str, values: Mapping[str, Any], source: str, source_key: str | None) -> Record:
    try:
        return record_of(kind, values, source, source_key)
    except ValidationError as wrong:
        raise ActionImpossible(f"these values make no {kind}: {faults_of(wrong)}") from wrong


def ended(outcome: str, kind: str, record: Record, id: str, fields: Iterable[str] = ()) -> ActionOutcome:
    """What the receipt of a generic action says; so does whoever finds out later that it has happened."""
    of = f", {', '.join(fields)}" if fields else ""
    return ActionOutcome(outcome, f"{kind} {codec.title_of(record)} ({id}){of}")


def _ended(outcome: str, stored: Stored, fields: Iterable[str] = ()) -> ActionOutcome:
    return ended(outcome, stored.kind, stored.record, stored.id, fields)
