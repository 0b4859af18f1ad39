"""Importers: files in, records and rejects out. They know nothing of the database."""

from sayso.workspace.importers.plans import (
    FilePlan,
    Plan,
    ReadProgress,
    Rejected,
)
from sayso.workspace.importers.reading import plan, read, write_rejected

__all__ = ["FilePlan", "Plan", "ReadProgress", "Rejected", "plan", "read", "write_rejected"]
