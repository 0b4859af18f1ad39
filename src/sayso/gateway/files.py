"""The files that actions made for a person, as rows of their receipts."""

from __future__ import annotations

from sqlalchemy import Connection, text

from sayso.gateway.actions import OutFile
from sayso.store import proposal_rows

_ADD = text("INSERT INTO receipt_files VALUES (:proposal, :number, :name, :media_type, :content)")
_LOAD = text("SELECT name, media_type, content FROM receipt_files WHERE proposal_id = :id ORDER BY number")


def add(connection: Connection, proposal_id: str, made: tuple[OutFile, ...]) -> None:
    for number, file in enumerate(made):
        row = {
            "proposal": proposal_id, "number": number, "name": file.name, "media_type": file.media_type,
            "content": file.content,
        }  # fmt: skip
        connection.execute(_ADD, row)


def load(connection: Connection, owner: str, proposal_id: str) -> tuple[OutFile, ...]:
    """Raises NotFound for a proposal of another owner."""
    proposal_rows.load(connection, owner, proposal_id)
    rows = connection.execute(_LOAD, {"id": proposal_id})
    return tuple(OutFile(row.name, row.media_type, bytes(row.content)) for row in rows)
