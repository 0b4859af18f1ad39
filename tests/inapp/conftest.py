"""An assembled assistant over a small workspace, with a model that follows a script."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sayso import config
from sayso.core.progress import Limits
from sayso.inapp.wiring import assemble
from sayso.models.scripted import Scripted
from sayso.store.database import open_database
from sayso.workspace.records import Channel, PersonRecord
from sayso.workspace.workspace import Settings, Workspace

PEOPLE = (
    PersonRecord("Elena Weber", "SINGA Switzerland", channels=(Channel("email", "elena@singa.example"),)),
    PersonRecord("Ilya Druzhnikov"),
)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    opened = Workspace(
        open_database(f"sqlite:///{tmp_path}/sayso.db"), defaults=Settings("Europe/Zurich", "en", "monday")
    )
    opened.upsert("local", PEOPLE, datetime.now(UTC))
    yield opened
    opened.database.close()


@pytest.fixture
def assistant_of(workspace: Workspace, tmp_path: Path) -> Any:
    def made(*replies: Any, **flags: Any) -> Any:
        settings = config.load({"home": tmp_path, "time_zone": "Europe/Zurich", **flags}, {}, tmp_path)
        return assemble(workspace, Scripted(replies), settings, reason="test", limits=Limits())

    return made
