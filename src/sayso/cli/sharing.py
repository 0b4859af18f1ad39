"""The run log that several processes share: in the application's database, or in one that holds nothing else.

What stores anything is loaded only where a log is wanted: the inference service runs without.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from sayso.config import Config
from sayso.core.run_log import RunLog
from sayso.tables import RunsTable, section

if TYPE_CHECKING:
    from sayso.store.database import Database


@asynccontextmanager
async def own_log(settings: Config) -> AsyncGenerator[RunLog | None]:
    """The log in the database that `run_log` names. Raises ConfigError for one that holds something else."""
    if settings.run_log is None:
        yield None
        return
    from sayso.store.run_log import StoredRunLog, open_run_log

    database = open_run_log(settings.run_log)
    try:
        yield StoredRunLog(database, quiet=_quiet(settings))
    finally:
        database.close()


@asynccontextmanager
async def log_of(settings: Config, database: Database) -> AsyncGenerator[RunLog | None]:
    """The log of an application: its own database serves where runs are shared and none is named."""
    async with own_log(settings) as own:
        if own is not None or not settings.shared_runs:
            yield own
            return
        from sayso.store.run_log import StoredRunLog

        yield StoredRunLog(database, quiet=_quiet(settings))


def _quiet(settings: Config) -> float:
    return section(settings.tables, "runs", RunsTable).quiet_seconds
