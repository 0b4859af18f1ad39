"""Brings a database's tables up to date by the one linear history in `sayso.migrations`.

Alembic is imported only when there is something to do: it costs more than opening the database.
"""

from __future__ import annotations

import re
from pathlib import Path

from sqlalchemy import Connection, inspect

from sayso.errors import ConfigError

MIGRATIONS = Path(__file__).parent.parent / "migrations"
_REVISION = re.compile(r"^revision(?:\s*:[^=]+)?\s*=\s*[\"']([^\"']+)[\"']", re.MULTILINE)


def known_revisions(folder: Path = MIGRATIONS / "versions") -> tuple[str, ...]:
    """The revisions of this version of Sayso, oldest first: the files' names begin with their number."""
    found = (_REVISION.search(path.read_text("utf-8")) for path in sorted(folder.glob("[0-9]*.py")))
    return tuple(match.group(1) for match in found if match)


def current_revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()


def is_up_to_date(connection: Connection) -> bool:
    """Whether the tables are those that this version knows.

    Raises ConfigError when they are of a newer version.
    """
    known = known_revisions()
    current = current_revision(connection)
    if current is not None and current not in known:
        raise ConfigError(
            f"the database was written by a newer version of Sayso (its tables are at {current}, "
            f"this version knows {known[-1]}); update Sayso, or use another database"
        )
    return current == known[-1]


def upgrade(connection: Connection) -> None:
    """Run the migrations that are missing, in the transaction of `connection`."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
