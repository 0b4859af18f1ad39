"""Two users over one owner's records: each has conversations, runs, uploads and cards of their own, over every route."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import pytest
from sqlalchemy import text
from starlette.testclient import TestClient

from made_images import png
from sayso import config
from sayso.cli.application import application
from sayso.core.progress import Limits
from sayso.inapp.wiring import assemble
from sayso.models.scripted import Scripted, call, say
from sayso.server.app import ALL_ROLES
from sayso.server.signin import SignIn
from sayso.server.tokens import new_token
from sayso.store.database import open_database
from sayso.store.users import Users
from sayso.workspace.records import PersonRecord
from sayso.workspace.workspace import Settings, Workspace

MEETING = {"type": "event", "person": "Elena", "title": "Lunch", "due": "2099-07-01 12:30"}
ASKED = {"call_id": "c1", "name": "propose_action", "arguments": {**MEETING, "title": "Tea"}}


@dataclass
class Office:
    """What ann has; `ann` and `bob` are clients of users whose records are the same."""

    ann: TestClient
    bob: TestClient
    app: Any
    workspace: Workspace
    ids: dict[str, str]

    def state(self) -> dict[str, list[Any]]:
        """Every row but those that tell of requests."""
        names = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('calls', 'audit', 'api_tokens')"
        return self.workspace.database.read(
            lambda c: {
                t: [tuple(row) for row in c.execute(text(f'SELECT * FROM "{t}"'))]
                for t in c.execute(text(names)).scalars()
            }
        )


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    home = tmp_path_factory.mktemp("office")
    settings = config.load({"home": home, "time_zone": "Europe/Zurich"}, {}, home)
    workspace = Workspace(
        open_database(f"sqlite:///{home}/sayso.db"), defaults=Settings("Europe/Zurich", "en", "monday")
    )
    workspace.upsert("team", (PersonRecord("Elena Weber"),), datetime.now(UTC))
    model = Scripted((call("propose_action", **MEETING), *[say("Please have a look at it.")] * 4))
    assistant = assemble(workspace, model, settings, reason="test", limits=Limits())
    with _served(workspace, settings, assistant, home) as (app, ann, bob):
        yield Office(ann, bob, app, workspace, _made(ann))
    workspace.database.close()


@contextmanager
def _served(workspace: Workspace, settings: Any, assistant: Any, home: Path) -> Iterator[Any]:
    async def people() -> list[str]:
        users = Users(workspace.database, settings.roles)
        tokens: list[str] = []
        for name in ("ann", "bob"):
            await users.add(name, "team", ["operator"])
            tokens.append((await new_token(users, name, "test", ["*"], datetime.now(UTC)))[1])
        return tokens

    ann, bob = anyio.run(people)
    made = application(settings, workspace, assistant, SignIn(home), ALL_ROLES)
    app = anyio.run(made.__aenter__)
    with TestClient(app, base_url="http://127.0.0.1:8787", headers={"authorization": f"Bearer {ann}"}) as first:
        second = TestClient(app, base_url="http://127.0.0.1:8787", headers={"authorization": f"Bearer {bob}"})
        second.portal = first.portal  # one event loop, as one server has
        yield app, first, second


def _made(ann: TestClient) -> dict[str, str]:
    """A conversation with a run and a card, an upload, and a call that filed another card."""
    stream = ann.post("/api/v1/ai/chat", json={"message": "Lunch with Elena"})
    assert stream.status_code == 200, stream.text
    run_id = re.search(r'"run_id": ?"([^"]+)"', stream.text)
    assert run_id, stream.text
    (thread,) = ann.get("/api/v1/threads").json()["threads"]
    (card,) = ann.get("/api/v1/proposals").json()["proposals"]
    image = ann.post(
        "/api/v1/ai/attachments?name=a.png", content=png(2, 2), headers={"content-type": "application/octet-stream"}
    )
    assert image.status_code == 201, image.text
    filed = ann.post("/api/v1/system/mcp/call", json=ASKED).json()
    exchange = ann.get(f"/api/v1/threads/{thread['id']}").json()["exchanges"][0]["id"]
    return {
        "thread": thread["id"], "exchange": exchange, "run": run_id[1], "card": card["id"], "digest": card["digest"],
        "image": image.json()["id"], "filed": filed["facts"][0]["key"],
    }  # fmt: skip


THREAD, CARD, RUN = "/api/v1/threads/{thread}", "/api/v1/proposals/{card}", "/api/v1/ai/runs/{run}"
ROUTES: dict[tuple[str, str], Any] = {
    ("GET", THREAD): None,
    ("PATCH", THREAD): {"title": "Mine now"},
    ("DELETE", THREAD): None,
    ("GET", f"{THREAD}/history"): None,
    ("POST", f"{THREAD}/messages"): {
        "expected": "0" * 64, "continuation": "x.y.z",
        "messages": [{"id": "m", "role": "user", "exchange_id": "ex", "parts": [{"type": "text", "text": "Hi"}]}],
    },
    ("GET", f"{THREAD}/export"): None,
    ("GET", f"{THREAD}/export.md"): None,
    ("POST", f"{THREAD}/exchanges/{{exchange}}/feedback"): {"rating": "up"},
    ("GET", f"{THREAD}/feedback"): None,
    ("GET", "/api/v1/ai/attachments/{image}"): None,
    ("GET", f"{RUN}/events"): None,
    ("POST", f"{RUN}/stop"): {},
    ("GET", CARD): None,
    ("GET", f"{CARD}/changes"): None,
    ("GET", f"{CARD}/files/a.ics"): None,
    ("POST", f"{CARD}/edit"): {"digest": "{digest}", "arguments": {"title": "Mine"}},
    ("POST", f"{CARD}/approve"): {"digest": "{digest}"},
    ("POST", f"{CARD}/deny"): {"words": "no"},
    ("POST", f"{CARD}/supersede"): {},
    ("POST", f"{CARD}/settle"): {"happened": True},
    ("POST", f"{CARD}/check"): {},
    ("POST", "/api/v1/ai/chat"): {"message": "Go on", "thread_id": "{thread}"},
}  # fmt: skip


def _filled(value: Any, ids: dict[str, str]) -> Any:
    if isinstance(value, str):
        return re.sub(r"\{(\w+)\}", lambda m: ids[m[1]], value)
    if isinstance(value, dict):
        return {name: _filled(one, ids) for name, one in value.items()}
    return value


@pytest.mark.parametrize(("method", "path"), ROUTES, ids=lambda part: str(part))
def test_s20_g7_what_is_another_users_of_the_same_owner_is_a_404_and_nothing_happens(
    office: Office, method: str, path: str
) -> None:
    before, body = office.state(), _filled(ROUTES[method, path], office.ids)
    answer = (
        office.bob.request(method, _filled(path, office.ids), json=body)
        if body is not None
        else (office.bob.request(method, _filled(path, office.ids)))
    )
    assert answer.status_code == 404, answer.text
    assert office.state() == before


def test_s20_no_route_of_one_conversation_run_upload_or_card_is_left_out() -> None:
    from sayso.server.proposal_routes import ProposalRoutes
    from sayso.server.routes import Api
    from sayso.server.thread_routes import ThreadRoutes

    nothing: Any = None
    every = [*Api(nothing, nothing, nothing).endpoints(), *ThreadRoutes(nothing, nothing).endpoints(),
             *ProposalRoutes(nothing).endpoints()]  # fmt: skip
    named = {(e.method, re.sub(r"\{\w+\}", "*", e.path)) for e in every if e.path.startswith("/api") and "{" in e.path}
    tried = {(m, re.sub(r"\{\w+\}", "*", p).replace("a.ics", "*")) for m, p in ROUTES}
    assert named <= tried


def test_s20_lists_hold_only_ones_own(office: Office) -> None:
    assert office.bob.get("/api/v1/threads").json()["threads"] == []
    assert office.bob.get("/api/v1/proposals").json()["proposals"] == []
    assert office.bob.get("/api/v1/feedback").json()["feedback"] == []
    assert office.ann.get("/api/v1/threads").json()["threads"] != []


def test_g7_a_batch_decides_on_nothing_of_another_user(office: Office) -> None:
    before = office.state()
    for decision in ("approve", "deny", "supersede"):
        one = {"id": office.ids["card"], "decision": decision}
        one |= {"digest": office.ids["digest"]} if decision == "approve" else {}
        (outcome,) = office.bob.post("/api/v1/proposals/decide", json={"decisions": [one]}).json()["outcomes"]
        assert (outcome["card"], outcome["problem"]["status"]) == (None, 404)
    assert office.state() == before


def test_s20_another_users_call_with_their_proposal_tells_nothing(office: Office) -> None:
    before = office.state()
    answer = office.bob.post("/api/v1/system/mcp/call", json={**ASKED, "proposal_id": office.ids["filed"]})
    assert answer.status_code == 404, answer.text
    assert office.state() == before
    mine = office.ann.post("/api/v1/system/mcp/call", json={**ASKED, "proposal_id": office.ids["filed"]})
    assert (mine.status_code, mine.json()["code"]) == (409, "not_approved")


def test_s20_another_users_conversation_gives_an_exchange_nothing(office: Office) -> None:
    told = office.bob.post("/api/v1/system/context", json={"message": "Hi", "thread_id": office.ids["thread"]}).json()
    assert not [fact for fact in told["facts"] if fact["kind"] == "receipt"]


def test_g7_what_one_user_approves_lands_among_the_records_that_all_of_the_owner_share(office: Office) -> None:
    """Last in this file: it decides."""
    card = office.ids["card"]
    done = office.ann.post(f"/api/v1/proposals/{card}/approve", json={"digest": office.ids["digest"]})
    assert (done.status_code, done.json()["state"]) == (200, "done"), done.text
    (name,) = done.json()["files"]
    seen = [who.get(f"/api/v1/proposals/{card}/files/{name}").status_code for who in (office.ann, office.bob)]
    assert seen == [200, 404]
    assert [stored.record.title for stored in office.workspace.list("team", "event")] == ["Lunch"]
    assert office.workspace.count("team/ann", "event") == 0
    found = office.bob.post(
        "/api/v1/system/mcp/call", json={"call_id": "b1", "name": "list_records", "arguments": {"kind": "event"}}
    ).json()
    assert "Lunch" in [fact["subject"] for fact in found["facts"]]
    assert {row[0] for row in office.workspace.database.read(
        lambda c: [tuple(r) for r in c.execute(text("SELECT owner FROM audit"))]
    )} == {"team"}  # fmt: skip
