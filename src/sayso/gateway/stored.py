"""The workspace's records as cards need them: present versions, fields as plain values, people's addresses.

It changes nothing and decides nothing; what a card concludes from them is `cards`' and `risks`' business.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from sayso.core.proposals import Target
from sayso.errors import Conflict, NotFound
from sayso.workspace import codec, repository
from sayso.workspace.records import PersonRecord
from sayso.workspace.tools.generic_fields import fields_of

Fields = Mapping[str, Any]


def version_of(connection: Connection, owner: str, target: Target) -> str | None:
    """The present version of a target; None for one that is gone."""
    try:
        return repository.get(connection, owner, target.kind, target.key).etag
    except (NotFound, Conflict, KeyError):
        return None


def fields_at(connection: Connection, owner: str, target: Target, version: str | None) -> Fields | None:
    """A target's fields at a version (None: the present one), also of a gone record; None where none is kept."""
    try:
        present = repository.get(connection, owner, target.kind, target.key)
    except (NotFound, Conflict, KeyError):
        present = None
    if present is not None and version in (None, present.etag):
        return fields_of(present.record)
    kept = dict(repository.versions(connection, owner, target.kind, target.key)) if target.kind in codec.KINDS else {}
    before = kept.get(int(version)) if version and version.isdigit() else None
    return fields_of(before) if before is not None else None


def channels_of(connection: Connection, owner: str, target: Target) -> tuple[tuple[str, str], ...]:
    """(kind, address) of a person; () for any other record."""
    try:
        record = repository.get(connection, owner, target.kind, target.key).record
    except (NotFound, Conflict, KeyError):
        return ()
    return tuple((c.kind, c.value) for c in record.channels) if isinstance(record, PersonRecord) else ()


def contacts(connection: Connection, owner: str) -> tuple[tuple[str, str, str], ...]:
    """(key, name, address) of every person's every channel."""
    found = repository.list_all(connection, owner, "person")
    return tuple(
        (p.id, p.title, c.value) for p in found if isinstance(p.record, PersonRecord) for c in p.record.channels
    )  # fmt: skip
