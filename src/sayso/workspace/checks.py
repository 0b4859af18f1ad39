"""Whether an approved change of the records has happened: found out from the records themselves, never by doing it.

A created record carries its approval's key; a changed one is at most one version after the one that the card showed,
and holds the card's values there. Where the records do not say, a check says that nobody knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

from pydantic import ValidationError
from sqlalchemy import Connection

from sayso.core.proposals import Target
from sayso.errors import Conflict, NotFound
from sayso.workspace import codec, repository
from sayso.workspace.actions import (
    ActionOutcome,
    Approved,
    checked_day,
    created_commitment,
    created_event,
    created_note,
    source_key,
)
from sayso.workspace.generic_actions import ended
from sayso.workspace.records import HabitRecord, Record
from sayso.workspace.repository import Stored
from sayso.workspace.tools.generic_fields import fields_of, record_of


class Found(Enum):
    """`NOT_RUN`: certainly not; `UNSURE`: the records do not say."""

    NOT_RUN = "not run"
    UNSURE = "unsure"


Check = Callable[[Connection, Approved], ActionOutcome | Found]
_Versions = dict[int, Record]


def check_of(action: str) -> Check | None:
    """By the action's name; None for one that leaves the system, of which the records tell nothing."""
    verb, _, kind = action.removeprefix("workspace.").partition(".")
    if kind in codec.KINDS and verb in _GENERIC:
        check = _GENERIC[verb]
        return lambda connection, approved: check(connection, approved, kind)
    return _OWN.get(verb)


def _created(kind: str, told: Callable[[Record, Approved, str], ActionOutcome]) -> Check:
    def check(connection: Connection, approved: Approved) -> ActionOutcome | Found:
        key = source_key(approved)
        if key is None:
            return Found.UNSURE
        found = repository.by_source_key(connection, approved.owner, kind, key)
        return told(found[1], approved, found[0]) if found else Found.NOT_RUN

    return check


def _created_generic(connection: Connection, approved: Approved, kind: str) -> ActionOutcome | Found:
    def told(record: Record, approved: Approved, id: str) -> ActionOutcome:
        return ended("created", kind, record, id)

    return _created(kind, told)(connection, approved)


def _updated(connection: Connection, approved: Approved, kind: str) -> ActionOutcome | Found:
    """The version after the one that was shown: nothing else can have taken its number."""
    target, shown = approved.target, approved.precondition
    if target is None or target.kind != kind or shown is None:
        return Found.UNSURE
    known = _versions(connection, approved.owner, target)
    before, after = known.get(int(shown)), known.get(int(shown) + 1)
    if before is None:
        return Found.UNSURE
    if after is None or not _holds(after, approved.arguments, before):
        return Found.NOT_RUN
    return ended("changed", kind, after, target.key, approved.arguments)


def _deleted(connection: Connection, approved: Approved, kind: str) -> ActionOutcome | Found:
    target, shown = approved.target, approved.precondition
    if target is None or target.kind != kind or shown is None:
        return Found.UNSURE
    known, present = _versions(connection, approved.owner, target), _present(connection, approved.owner, target)
    if present is not None:
        return Found.NOT_RUN if present.etag == shown else Found.UNSURE  # it may have been brought back since
    if max(known, default=0) != int(shown):
        return Found.UNSURE
    return ended("deleted", kind, known[int(shown)], target.key)


def _restored(connection: Connection, approved: Approved, kind: str) -> ActionOutcome | Found:
    target, wanted = approved.target, approved.arguments.get("version")
    if target is None or target.kind != kind or not isinstance(wanted, int):
        return Found.UNSURE
    known = _versions(connection, approved.owner, target)
    base = known.get(wanted)
    values = {name: value for name, value in approved.arguments.items() if name != "version"}
    if base is None:
        return Found.UNSURE
    if approved.precondition is None:
        present = _present(connection, approved.owner, target)
        if present is not None and _holds(present.record, values, base):
            return ended("restored", kind, present.record, target.key)
        later = any(number > wanted and _holds(record, values, base) for number, record in known.items())
        return Found.UNSURE if later or present is not None else Found.NOT_RUN
    after = known.get(int(approved.precondition) + 1)
    if after is None or not _holds(after, values, base):
        return Found.NOT_RUN
    return ended("restored", kind, after, target.key)


def _checked_in(connection: Connection, approved: Approved) -> ActionOutcome | Found:
    """A day counts once, so that it is there is all there is to know; one that is gone again tells nothing."""
    target = approved.target
    if target is None or target.kind != "habit":
        return Found.UNSURE
    day = checked_day(approved)
    present = _present(connection, approved.owner, target)
    if present is None:
        return Found.UNSURE
    assert isinstance(present.record, HabitRecord)
    if day in present.record.check_ins:
        return ActionOutcome("recorded", f"{present.record.name} on {day}")
    kept = _versions(connection, approved.owner, target).values()
    return Found.UNSURE if any(isinstance(r, HabitRecord) and day in r.check_ins for r in kept) else Found.NOT_RUN


def _nothing(connection: Connection, approved: Approved) -> Found:
    """What only makes a text or a note of what to do by hand: without its receipt, nothing has come of it."""
    return Found.NOT_RUN


_GENERIC: dict[str, Callable[[Connection, Approved, str], ActionOutcome | Found]] = {
    "create_record": _created_generic,
    "update_record": _updated,
    "delete_record": _deleted,
    "restore_record": _restored,
}
_OWN: dict[str, Check] = {
    "create_commitment": _created("commitment", created_commitment),
    "create_follow_up": _created("commitment", created_commitment),
    "create_event": _created("event", created_event),
    "create_note": _created("document", created_note),
    "check_in": _checked_in,
    "other": _nothing,
    "prepare_message": _nothing,
    "prepare_email": _nothing,
}


def _versions(connection: Connection, owner: str, target: Target) -> _Versions:
    """Every version of a record that is known, by its number; the present one is the last."""
    known = dict(repository.versions(connection, owner, target.kind, target.key))
    present = _present(connection, owner, target)
    return {**known, present.version: present.record} if present else known


def _present(connection: Connection, owner: str, target: Target) -> Stored | None:
    try:
        return repository.get(connection, owner, target.kind, target.key)
    except (NotFound, Conflict):
        return None


def _holds(record: Record, values: Mapping[str, Any], base: Record) -> bool:
    """Whether a record is just what the card showed: these values over the fields that were there."""
    kind = codec.kind_of(base)
    try:
        wanted = record_of(kind, {**fields_of(base), **values}, base.source, base.source_key)
    except ValidationError:
        return False
    return fields_of(record) == fields_of(wanted)
