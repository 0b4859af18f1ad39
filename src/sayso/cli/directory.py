"""What the commands about users, tokens and the audit log share: the database, opened for one command."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from sayso import config
from sayso.cli.compose import LOCAL_USER
from sayso.config import Config
from sayso.core.actors import ADMIN
from sayso.store.audit import Audit, Did
from sayso.store.database import open_database
from sayso.store.users import Users

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Directory:
    """`users` and `audit` over the workspace's database."""

    settings: Config
    users: Users
    audit: Audit

    async def told(self, subject: str, **details: object) -> None:
        """Who administers by the command line is whoever may use this machine: the local person."""
        await self.audit.record(LOCAL_USER, Did.ADMINISTERED, subject, details)

    async def ensure_local(self) -> None:
        """The local person as a user, so that API tokens can be theirs; they get no password by this."""
        if await self.users.get(LOCAL_USER.id) is None:
            await self.users.add(LOCAL_USER.id, LOCAL_USER.owner, [ADMIN.role])


def with_directory(home: Path | None, do: Callable[[Directory], Awaitable[T]], *, sample: bool = False) -> T:
    """Open the database, do it, and close."""
    settings = config.load({"home": home, "sample": sample}, os.environ, Path.cwd())
    database = open_database(settings.database)
    try:
        directory = Directory(settings, Users(database, settings.roles), Audit(database))
        return asyncio.run(_run(do, directory))
    finally:
        database.close()


async def _run(do: Callable[[Directory], Awaitable[T]], directory: Directory) -> T:
    return await do(directory)
