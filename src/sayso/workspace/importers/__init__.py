"""Importers: files in, records, rejects and bad values out. They know nothing of the database."""

from sayso.workspace.importers.plans import (
    BadValue,
    FilePlan,
    Plan,
    ReadProgress,
    Rejected,
)
from sayso.workspace.importers.reading import plan, read, write_rejected

__all__ = ["BadValue", "FilePlan", "Plan", "ReadProgress", "Rejected", "plan", "read", "write_rejected"]
