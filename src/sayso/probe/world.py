"""The workspace that every question is asked over: the sample on one fixed day, a fresh copy for each of them.

With it comes one long conversation. It asks no model of its own.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from sayso.config import Config
from sayso.core.ports import Model
from sayso.core.progress import Limits
from sayso.inapp.assistant import Assistant
from sayso.inapp.surroundings import LOCAL_USER
from sayso.inapp.wiring import assemble
from sayso.models.scripted import Reply, Scripted, call, say
from sayso.probe.scenarios import DAY
from sayso.store.database import open_database
from sayso.workspace.sample import sample_records
from sayso.workspace.workspace import Settings, Workspace

_ZONE = "Europe/Zurich"
_BEFORE: tuple[tuple[str, tuple[Reply, ...]], ...] = (
    ("Good morning!", (say("Good morning! What would you like to know?"),)),
    ("Which projects are paused?", (call("list_projects", status="paused"),
     say("Winter School is paused until a teacher for electronics is found."))),
    ("Who is the auditor?", (call("search_people", query="auditor"),
     say("Katharina Zbinden of Treuhand Zbinden is the auditor."))),
    ("Wie viele Stunden sind ein volles Pensum?", (call("search_knowledge", query="Vollzeit Stunden working hours"),
     say("Ein volles Pensum sind 36 Stunden."))),
    ("What is a good way to open a meeting?", (say("Say what shall be decided, and by when you want to be done. "
     "Then let everybody say in one sentence what they bring."),)),
    ("Which goals are done?", (call("list_goals", status="done"), say("Publish the price list is done."))),
    ("Who repairs the lift?", (call("search_people", query="lift"), say("Mark repairs the lift in Zürich."))),
    ("Up to which sum does nobody ask?", (call("search_knowledge", query="expenses"),
     say("Up to CHF 200 nobody asks; above that a second signature is needed."))),
    ("Danke. Und was machst du, wenn du etwas nicht weisst?", (say("Dann sage ich es."),)),
    ("Which tasks are overdue?", (call("list_commitments", status="overdue"),
     say("Overdue are the lease comments to Claudia Schmidt and the question to Mark about the lift noise."))),
    ("Who at the museum is the director?", (call("search_people", query="Museum am Wehr director"),
     say("Ludmila Horáková is the director of Museum am Wehr."))),
    ("What did we decide about backups?", (call("search_knowledge", query="backups"),
     say("Backups go to the Basel machine every night, and every week to a disk that Reto takes home."))),
    ("Write me a toast for the members' dinner, one sentence.", (say("To all who keep the lights on and each other "
     "warm!"),)),
    ("Which habits do I have?", (call("list_habits"), say("You have six habits, such as the morning run."))),
    ("Wer unterrichtet Italienisch?", (call("search_people", query="Italian teacher"),
     say("Giulia Ferrario unterrichtet Italienisch."))),
    ("Which projects use PostgreSQL?", (call("list_projects", query="PostgreSQL"),
     say("Karteikasten and Lesesaal use PostgreSQL."))),
    ("How does one stop a cold?", (say("Rest, drink enough, and see a doctor when it lasts."),)),
    ("When does the lift stop, what do I press?", (call("search_knowledge", query="lift stops"),
     say("Press the yellow button for five seconds, then call Mark."))),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FixedDay:
    """Always `DAY`; only seconds that are counted for a deadline go on."""

    def now(self) -> datetime:
        return DAY

    def monotonic(self) -> float:
        return time.monotonic()


@dataclass(frozen=True, slots=True)
class World:
    """A prepared database in a folder of its own, and the id of the long conversation in it."""

    folder: Path
    thread: str

    @asynccontextmanager
    async def assistant(self, model: Model, limits: Limits) -> AsyncGenerator[Assistant]:
        """An assistant over a fresh copy, which is gone with the block."""
        with TemporaryDirectory(prefix="sayso-probe-") as place:
            for file in self.folder.iterdir():
                shutil.copy(file, place)
            with _assistant(Path(place), model, limits) as assistant:
                yield assistant


@asynccontextmanager
async def made_world() -> AsyncGenerator[World]:
    """Made once for a probe; gone with the block."""
    with TemporaryDirectory(prefix="sayso-probe-") as place:
        yield await prepared(Path(place))


async def prepared(folder: Path) -> World:
    """Make a world in an empty folder."""
    replies = [reply for _, given in _BEFORE for reply in given]
    with Scripted(replies) as model, _assistant(folder, model, Limits()) as assistant:
        thread = await assistant.threads.create(LOCAL_USER.desk, "A long conversation")
        for question, _ in _BEFORE:
            async for _event in assistant.ask(question, actor=LOCAL_USER, thread_id=thread.id):
                pass
    return World(folder, thread.id)


@contextmanager
def _assistant(folder: Path, model: Model, limits: Limits) -> Generator[Assistant]:
    settings = Config(home=folder, database=f"sqlite:///{folder / 'probe.db'}", time_zone=_ZONE)
    defaults = Settings(settings.time_zone, settings.locale, settings.week_start)
    workspace = Workspace(open_database(settings.database), defaults=defaults)
    try:
        if not workspace.count(LOCAL_USER.owner, "person"):
            workspace.upsert(LOCAL_USER.owner, sample_records(DAY.date(), settings.zone), DAY)
        assembled = assemble(workspace, model, settings, reason="it is probed", limits=limits)
        yield replace(assembled, clock=FixedDay())
    finally:
        workspace.database.close()
