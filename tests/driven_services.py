"""Inference, gateway and thread store as they are served, in one loop, over one clock: for tests that drive them.

The inference service has a run log of its own and the gateway's public keys; gateway and workspace share a database
whose process may die at any write. Two actions: a note (internal) and a letter (external); what they did outlives all.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field
from sqlalchemy import text

from sayso.config import Config
from sayso.core.facts import kinds_by_name
from sayso.core.progress import Limits
from sayso.core.proposals import Change
from sayso.core.tools import ProposeResult, Registry, ToolContext, define_tool
from sayso.errors import Conflict, SaysoError
from sayso.gateway.actions import Action, Done
from sayso.gateway.dispatch import Dispatcher
from sayso.gateway.filing import Filing
from sayso.gateway.gateway import Gateway
from sayso.gateway.inputs import Inputs
from sayso.gateway.ledger import Ledger
from sayso.gateway.pool import Pool
from sayso.gateway.running import CallRunner
from sayso.gateway.sealing import Sealer
from sayso.inapp.assistant import Assistant
from sayso.inapp.surroundings import LOCAL_USER, local_person
from sayso.inapp.threads import ThreadDesk
from sayso.inference.app import create_inference_app
from sayso.inference.keys import FixedKeys
from sayso.inference.ports import Parts
from sayso.inference.service import ChatService
from sayso.server.app import create_app
from sayso.server.gateway_routes import GatewayRoutes
from sayso.server.local import LocalAssistant
from sayso.server.signin import SignIn, csrf_token
from sayso.serving.endpoints import Role
from sayso.serving.runs import Runs
from sayso.signing.keys import new_keyring
from sayso.store.audit import Audit
from sayso.store.database import open_database
from sayso.store.holding import LEASE
from sayso.store.proposals import Proposals
from sayso.store.run_log import StoredRunLog, open_run_log
from sayso.store.threads import Threads
from sealed_world import Json, MovingClock
from small_world import ELENA, EVERYONE, MARA, PERSON, SEARCH
from strict_providers import Mortal, Strict

STEPS = 3
_WORLDS = itertools.count(1)
APART = frozenset({Role.GATEWAY, Role.WORKSPACE})


class Words(BaseModel):
    text: Annotated[str, Field(min_length=1, max_length=200)]


class WordsInputs(Inputs):
    text: Annotated[str, Field(min_length=1, max_length=200)]


async def propose_note(arguments: Words, context: ToolContext) -> ProposeResult:
    return ProposeResult(Change("note", f"Note: {arguments.text}", {"text": arguments.text}))


async def propose_letter(arguments: Words, context: ToolContext) -> ProposeResult:
    return ProposeResult(Change("letter", f"Letter: {arguments.text}", {"text": arguments.text}))


TOOLS = (
    SEARCH, EVERYONE,
    define_tool("propose_note", kind="propose", description="Propose a note.", arguments=Words, run=propose_note,
                example={"text": "Hello"}),
    define_tool("propose_letter", kind="propose", description="Propose a letter.", arguments=Words, run=propose_letter,
                example={"text": "Hello"}),
)  # fmt: skip


@dataclass(frozen=True)
class Answer:
    """What a service answered; `status` is 0 where its process died before it did."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    data: bytes = b""

    @property
    def json(self) -> Json:
        return json.loads(self.data)

    @property
    def code(self) -> str:
        return str(self.json.get("code", "")) if self.status >= 400 else ""

    @property
    def events(self) -> list[tuple[str, Json]]:
        found: list[tuple[str, Json]] = []
        for block in self.data.decode("ascii").split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
            if "event" in fields:
                found.append((fields["event"], json.loads(fields["data"])))
        return found

    @property
    def finish(self) -> Json | None:
        """The end of a run that did not fail; None for any other answer."""
        if self.status != 200 or not self.headers.get("content-type", "").startswith("text/event-stream"):
            return None
        name, data = self.events[-1]
        return data if name == "finish" else None


async def served(app: Any, method: str, path: str, body: Any, headers: Mapping[str, str]) -> Answer:
    """One request to an application in this loop, as its server would hand it over."""
    data = b"" if body is None else json.dumps(body).encode()
    given = {"host": "127.0.0.1:8787", "content-type": "application/json", **headers}
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
        "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
        "client": ("127.0.0.1", 5), "server": ("127.0.0.1", 8787),
    }  # fmt: skip
    sent = [{"type": "http.request", "body": data, "more_body": False}]
    told: list[Any] = []

    async def receive() -> Any:
        return sent.pop() if sent else await asyncio.Event().wait()

    async def send(message: Any) -> None:
        told.append(message)

    try:
        await app(scope, receive, send)
    except RuntimeError:
        return Answer(0)
    start = told[0]
    answered = {name.decode(): value.decode() for name, value in start["headers"]}
    return Answer(start["status"], answered, b"".join(part.get("body", b"") for part in told[1:]))


class DyingLog(StoredRunLog):
    """A process's hold on the run log; once the process is dead it writes nothing more."""

    dead = False

    def __getattribute__(self, name: str) -> Any:
        if name in ("begin", "append", "read", "beat", "claim", "release") and object.__getattribute__(self, "dead"):
            raise Conflict("the process is dead")
        return object.__getattribute__(self, name)


@cache
def _empty_database() -> bytes:
    """An application's database before its first record, made once."""
    folder = Path(tempfile.mkdtemp())
    open_database(f"sqlite:///{folder}/a.db").close()
    data = (folder / "a.db").read_bytes()
    shutil.rmtree(folder)
    return data


class CountingIds:
    """Ids in the order in which they were made, so that a test that is run again does the same. No two worlds share
    one: what is kept by its id (as adapters keep messages) is of one world."""

    def __init__(self) -> None:
        self.world, self.count = next(_WORLDS), 0

    def new(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}_{self.world}_{self.count:06}"


class DrivenServices:
    """Each service can die and come back; keys, databases and what went out stay."""

    def __init__(self, home: Path, model: Strict) -> None:
        self.home, self.model, self.clock, self.ids = home, model, MovingClock(), CountingIds()
        self.seals, self.own = new_keyring(), new_keyring()
        self.letters: list[tuple[str, str]] = []
        self.race: tuple[str, str] | None = None
        (home / "a.db").write_bytes(_empty_database())
        self.log_file = open_run_log(f"sqlite:///{home}/runs.db")
        self.sign_in = SignIn(home)
        session = self.sign_in.redeem(self.sign_in.new_link("http://x").partition("token=")[2])
        self.signed_in = {"cookie": f"sayso_session={session}", "x-sayso-csrf": csrf_token(session)}
        self.start_application()
        self.database.write(lambda c: c.execute(text("CREATE TABLE notes (digest TEXT, words TEXT)")))
        self.start_inference()

    def start_application(self) -> None:
        """Gateway and workspace."""
        self.database = Mortal(f"sqlite:///{self.home}/a.db")
        threads = Threads(self.database, kinds_by_name((PERSON,)), now=self.clock.now, ids=self.ids.new)
        proposals, ids, registry = Proposals(self.database), self.ids, Registry(TOOLS)
        actions = {
            "note": Action("note", "execute:note", self._note, inputs=WordsInputs),
            "letter": Action("letter", "execute:letter", self._letter, external=True, inputs=WordsInputs),
        }
        self.gateway = Gateway(
            self.database, proposals, actions, self.clock, local_person, failpoint=self._passed
        )  # fmt: skip
        self.replica = Gateway(self.database, proposals, actions, self.clock, local_person)
        audit = Audit(self.database)
        calls = CallRunner(registry, Filing(proposals, ids, threads), self.clock, Pool(60.0), audit=audit)
        self.assistant = Assistant(
            registry, threads, proposals, self.gateway, self.model, self.clock, ids, _seeds, Limits(steps=STEPS), calls,
            Ledger(self.database),
        )  # fmt: skip
        dispatcher = Dispatcher(
            registry, frozenset(tool.name for tool in registry), {PERSON.name: PERSON}, calls, self.assistant.ledger,
            Sealer(lambda: self.seals), self.gateway, proposals, _seeds,
        )  # fmt: skip
        desk = ThreadDesk(threads, self.clock, lambda: self.seals, FixedKeys(lambda: self.own.public))
        limits = {"limits": {"chat": 100_000, "calls": 1_000_000}}
        self.application = create_app(
            LocalAssistant(self.assistant), Config(self.home, "sqlite://", tables=limits), self.sign_in, audit=audit,
            roles=APART, more=GatewayRoutes(dispatcher).endpoints(), desk=desk,
        )  # fmt: skip

    def start_inference(self) -> None:
        self.log = DyingLog(self.log_file, now=self.clock.now)
        parts = Parts(
            self.model, self.clock, self.ids, lambda: self.own, FixedKeys(lambda: self.seals.public),
            Limits(steps=STEPS),
        )  # fmt: skip
        self.chats = ChatService(parts, Runs(shared=self.log, poll=0.01))
        self.inference = create_inference_app(self.chats)

    async def restart_application(self) -> None:
        """It has died; another one comes up after a while, and takes up what was left."""
        self.database.fuse = None
        self.database.close()
        self.clock.pass_(seconds=3 * LEASE.total_seconds())
        self.start_application()
        await self.assistant.threads.recover(self.clock.now())
        await self.gateway.recover(self.clock.now())

    async def restart_inference(self) -> None:
        self.log.dead = True
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        self.model.gate = None
        await asyncio.gather(*tasks, return_exceptions=True)
        self.clock.pass_(seconds=90)  # nothing was heard of its runs
        self.start_inference()

    async def close(self) -> None:
        await self.chats.runs.close()
        self.database.fuse = None
        self.database.close()
        self.log_file.close()

    async def ask(self, method: str, path: str, body: Any = None) -> Answer:
        """A request to the gateway or the workspace, by the one person."""
        return await served(self.application, method, path, body, self.signed_in)

    async def chat(self, body: Json) -> Answer:
        return await served(self.inference, "POST", "/api/v1/ai/chat", body, {})

    async def stop(self, run_id: str, seal: str) -> Answer:
        path = f"/api/v1/ai/runs/{run_id}/stop"
        return await served(self.inference, "POST", path, {}, {"authorization": f"Bearer {seal}"})

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        return self.database.read(lambda c: [tuple(row) for row in c.execute(text(query))])

    @property
    def effects(self) -> list[tuple[str, str]]:
        """What was done: the digest that it was done for, and the words."""
        return [*self.letters, *((digest, words) for digest, words in self.rows("SELECT digest, words FROM notes"))]

    def _passed(self, point: str) -> None:
        """Another replica approves what `race` names, between an approval here and what it leads to."""
        if point == "approve.committed" and self.race is not None:
            (proposal_id, digest), self.race = self.race, None
            with suppress(SaysoError):
                self.replica._approve(proposal_id, digest, LOCAL_USER)

    def later(self, minutes: float) -> None:
        self.clock.at += timedelta(minutes=minutes)

    def _note(self, connection: Any, request: Any) -> Done:
        connection.execute(
            text("INSERT INTO notes VALUES (:digest, :words)"),
            {"digest": request.key, "words": request.arguments["text"]},
        )
        return Done("created")

    def _letter(self, request: Any) -> Done:
        self.letters.append((request.key, request.arguments["text"]))
        return Done("sent")


async def _seeds(actor: Any, question: str, now: Any, record: Any) -> Any:
    return (ELENA if "Elena" in question else MARA,)


PERSON_HERE = LOCAL_USER
