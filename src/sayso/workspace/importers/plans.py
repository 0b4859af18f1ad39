"""What an import is going to do, and what it could not take. Values only; no file is opened here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

RAW_LIMIT = 500


@dataclass(frozen=True, slots=True)
class Rejected:
    """A record that was not taken: where it is and why. `raw` is its beginning, bounded."""

    path: str
    place: str
    reason: str
    raw: str = ""


@dataclass(frozen=True, slots=True)
class BadValue:
    """A value that could not be read and was left out; the rest of its record was taken."""

    path: str
    place: str
    column: str
    reason: str


@dataclass(frozen=True, slots=True)
class FilePlan:
    """One file of an import. With a `problem` it is not read; `notes` are only shown. `unused` names each
    column with content that becomes nothing, and why."""

    path: Path
    format: str  # "vcard", "csv", "document" or "unknown"
    kind: str
    root: Path
    mapping: Mapping[str, str | None] = field(default_factory=dict[str, "str | None"])
    count: int = 0
    problem: str | None = None
    notes: tuple[str, ...] = ()
    unused: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Plan:
    files: tuple[FilePlan, ...]


@dataclass(frozen=True, slots=True)
class ReadProgress:
    path: str
    file: int  # from 1
    files: int
    records: int
    rejected: int


def bounded(text: str) -> str:
    clean = text.encode("utf-8", "replace").decode("utf-8")
    return clean if len(clean) <= RAW_LIMIT else clean[:RAW_LIMIT] + "…"
