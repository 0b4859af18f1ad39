"""What actions made, as rows of their receipts: files for the person, facts for the thread.

A fact is kept beside the files as one JSON document with a media type of its own, which no file of
an action can have; it is not for download.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, text

from sayso.core.encoding import decode_fact, encode_fact
from sayso.core.evidence import Numbered
from sayso.core.facts import Fact
from sayso.gateway.actions import Done, OutFile
from sayso.store import proposal_rows
from sayso.store.threads import CORE_KINDS

FACT_TYPE = "application/vnd.sayso.fact+json"
_ADD = text("INSERT INTO receipt_files VALUES (:proposal, :number, :name, :media_type, :content)")
_LOAD = text("SELECT name, media_type, content FROM receipt_files WHERE proposal_id = :id ORDER BY number")
_log = logging.getLogger(__name__)


def add(connection: Connection, proposal_id: str, done: Done) -> None:
    for number, (name, media_type, content) in enumerate(_rows(done)):
        row = {
            "proposal": proposal_id, "number": number, "name": name, "media_type": media_type, "content": content,
        }  # fmt: skip
        connection.execute(_ADD, row)


def load_files(connection: Connection, desk: str, proposal_id: str) -> tuple[OutFile, ...]:
    """Raises NotFound for a proposal of another desk."""
    found = _load(connection, desk, proposal_id)
    return tuple(OutFile(r.name, r.media_type, bytes(r.content)) for r in found if r.media_type != FACT_TYPE)


def load_facts(connection: Connection, desk: str, proposal_id: str) -> tuple[Fact, ...]:
    """Raises NotFound for a proposal of another desk. A fact that cannot be read is left out, and logged."""
    found = _load(connection, desk, proposal_id)
    facts = (_fact(bytes(r.content), proposal_id) for r in found if r.media_type == FACT_TYPE)
    return tuple(fact for fact in facts if fact is not None)


def _rows(done: Done) -> Iterator[tuple[str, str, bytes]]:
    for file in done.files:
        # A file that an action calls a fact must not become one.
        media_type = "application/json" if file.media_type == FACT_TYPE else file.media_type
        yield file.name, media_type, file.content
    for fact in done.facts:
        yield fact.kind.name, FACT_TYPE, json.dumps(encode_fact(Numbered("", fact))).encode("ascii")


def _load(connection: Connection, desk: str, proposal_id: str) -> list[Any]:
    proposal_rows.load(connection, desk, proposal_id)
    return list(connection.execute(_LOAD, {"id": proposal_id}))


def _fact(content: bytes, proposal_id: str) -> Fact | None:
    try:
        return decode_fact(json.loads(content), CORE_KINDS).fact
    except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError) as wrong:
        _log.error("a fact that proposal %s gave cannot be read: %s", proposal_id, wrong)
        return None
