"""The whole application over a real database, with a scripted model: over HTTP in process, and for a browser."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import uvicorn
from anyio.from_thread import start_blocking_portal
from sqlalchemy import text
from starlette.applications import Starlette
from starlette.testclient import TestClient

from processes import events_in
from sayso import config
from sayso.cli.application import application
from sayso.core.progress import Limits
from sayso.inapp.assistant import Assistant
from sayso.inapp.wiring import assemble
from sayso.server.app import ALL_ROLES
from sayso.server.signin import SignIn, csrf_token
from sayso.store.database import open_database
from sayso.workspace.records import Channel, PersonRecord
from sayso.workspace.workspace import Settings, Workspace

PEOPLE = (
    PersonRecord("Elena Weber", "SINGA Switzerland", channels=(Channel("email", "elena@singa.example"),)),
    PersonRecord("Ilya Druzhnikov", channels=(Channel("email", "ilya@harvest.example"),)),
)


@dataclass
class RealApp:
    """One person's client of the application; `assistant` and `workspace` are what stands behind it."""

    client: TestClient
    assistant: Assistant
    workspace: Workspace

    def ask(self, message: str, **more: Any) -> list[tuple[str, Any]]:
        """The events of one exchange."""
        answer = self.client.post("/api/v1/ai/chat", json={"message": message, **more})
        assert answer.status_code == 200, answer.text
        return events_in(answer.text)

    def asked(self, message: str, **more: Any) -> str:
        """Ask; the thread's id."""
        return next(data["thread_id"] for name, data in self.ask(message, **more) if name == "run-started")

    def cards(self, state: str = "") -> list[dict[str, Any]]:
        """The oldest first."""
        found = self.client.get("/api/v1/proposals", params={"state": state} if state else {}).json()["proposals"]
        return sorted(found, key=lambda card: card["created"])

    def post(self, path: str, body: Any = None) -> tuple[int, Any]:
        answer = self.client.post(path, json=body or {})
        return answer.status_code, answer.json()

    def decide(self, card: dict[str, Any], verb: str = "approve", **more: Any) -> tuple[int, Any]:
        body = {"digest": card["digest"], **more} if verb == "approve" else more
        return self.post(f"/api/v1/proposals/{card['id']}/{verb}", body)

    def rows(self, query: str, **values: Any) -> list[tuple[Any, ...]]:
        return self.workspace.database.read(lambda c: [tuple(row) for row in c.execute(text(query), values)])

    def titles(self, kind: str = "event") -> list[str]:
        return sorted(stored.record.title for stored in self.workspace.list("local", kind))


@contextmanager
def opened(home: Path) -> Iterator[Workspace]:
    """The database of a home, with two people in it."""
    workspace = Workspace(
        open_database(f"sqlite:///{home}/sayso.db"), defaults=Settings("Europe/Zurich", "en", "monday")
    )
    if not workspace.count("local", "person"):
        workspace.upsert("local", PEOPLE, datetime.now(UTC))
    try:
        yield workspace
    finally:
        workspace.database.close()


def _assembled(workspace: Workspace, home: Path, model: Any) -> tuple[config.Config, Assistant]:
    settings = config.load({"home": home, "time_zone": "Europe/Zurich"}, {}, home)
    return settings, assemble(workspace, model, settings, reason="test", limits=Limits())


@contextmanager
def _put_together(*parts: Any) -> Iterator[Starlette]:
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(application(*parts, ALL_ROLES)) as app:
        yield app


@contextmanager
def real_app(home: Path, model: Any) -> Iterator[RealApp]:
    """The application, signed in to. Entered again with the same home it is a restart."""
    with opened(home) as workspace:
        settings, assistant = _assembled(workspace, home, model)
        sign_in = SignIn(home)
        with (
            _put_together(settings, workspace, assistant, sign_in) as app,
            TestClient(app, base_url="http://127.0.0.1:8787") as client,
        ):
            session = sign_in.redeem(sign_in.new_link("http://x").partition("token=")[2])
            client.cookies.set("sayso_session", session)
            client.headers["x-sayso-csrf"] = csrf_token(session)
            yield RealApp(client, assistant, workspace)


@contextmanager
def served_app(home: Path, model: Any) -> Iterator[tuple[str, Workspace]]:
    """The same on a port of its own, for a browser: its link to sign in, and what it stores in."""
    with opened(home) as workspace:
        settings, assistant = _assembled(workspace, home, model)
        sign_in = SignIn(home)
        with _put_together(settings, workspace, assistant, sign_in) as app, socket.socket() as listener:
            server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="on"))
            listener.bind(("127.0.0.1", 0))
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
            thread.start()
            try:
                yield sign_in.new_link(f"http://127.0.0.1:{listener.getsockname()[1]}"), workspace
            finally:
                server.should_exit = True
                thread.join(30)


def waited(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """What a coroutine gives, in a thread of its own: a browser's driver has a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(anyio.run, work).result()


class Gated:
    """A model that answers when it is let: `gate` opened, it gives what is scripted."""

    def __init__(self, inner: Any) -> None:
        self.inner, self.name, self.gate = inner, "gated", threading.Event()
        self.begun = threading.Event()

    @property
    def requests(self) -> Sequence[Any]:
        return self.inner.requests

    async def stream(self, request: Any) -> Any:
        self.begun.set()
        await anyio.to_thread.run_sync(self.gate.wait, abandon_on_cancel=True)
        async for event in self.inner.stream(request):
            yield event
