"""Two users over one owner's records: each has conversations, runs, uploads and cards of their own, over every route.

And permissions on these: a token of one's own that was made for one tool reaches none of them.
"""

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
from sayso.serving.endpoints import Access
from sayso.store.database import open_database
from sayso.store.users import Users
from sayso.workspace.pages import WORKSPACE_PAGES
from sayso.workspace.records import PersonRecord
from sayso.workspace.workspace import Settings, Workspace

MEETING = {"type": "event", "person": "Elena", "title": "Lunch", "due": "2099-07-01 12:30"}
ASKED = {"call_id": "c1", "name": "propose_action", "arguments": {**MEETING, "title": "Tea"}}


@dataclass
class Office:
    """What ann has; `ann` and `bob` are clients of users whose records are the same. `tool` bears a token of ann's for
    one tool, `reads` one for everything that reads."""

    ann: TestClient
    bob: TestClient
    tool: TestClient
    reads: TestClient
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
    with _served(workspace, settings, assistant, home) as (app, clients):
        yield Office(*clients, app, workspace, _made(clients[0]))
    workspace.database.close()


@contextmanager
def _served(workspace: Workspace, settings: Any, assistant: Any, home: Path) -> Iterator[Any]:
    async def people() -> list[str]:
        users = Users(workspace.database, settings.roles)
        for name in ("ann", "bob"):
            await users.add(name, "team", ["operator"])
        given = (("ann", "*"), ("bob", "*"), ("ann", "read:search_people"), ("ann", "read:*"))
        return [(await new_token(users, name, "test", [scope], datetime.now(UTC)))[1] for name, scope in given]

    tokens = anyio.run(people)
    made = application(settings, workspace, assistant, SignIn(home), ALL_ROLES)
    app = anyio.run(made.__aenter__)
    clients = [
        TestClient(app, base_url="http://127.0.0.1:8787", headers={"authorization": f"Bearer {token}"})
        for token in tokens
    ]
    with clients[0] as first:
        for other in clients[1:]:
            other.portal = first.portal  # one event loop, as one server has
        yield app, clients


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


def test_s20_another_users_conversation_gives_an_exchange_what_an_unknown_one_gives(office: Office) -> None:
    """A caller may keep its conversations itself, so an unknown id is no fault; whose it is must not show."""
    gone = office.ann.post("/api/v1/proposals/{filed}/deny".format(**office.ids), json={"words": "not now"})
    assert gone.status_code == 200, gone.text
    before = office.state()
    asked = [{"message": "Hi", "thread_id": name} for name in (office.ids["thread"], "th_nobodys")]
    theirs, unknown = (office.bob.post("/api/v1/system/context", json=body).json() for body in asked)
    assert [{**fact, "as_of": ""} for fact in theirs["facts"]] == [{**fact, "as_of": ""} for fact in unknown["facts"]]
    assert office.state() == before


@pytest.mark.parametrize(("method", "path"), ROUTES, ids=lambda part: str(part))
def test_a_token_for_one_tool_reaches_no_conversation_run_upload_or_card_of_its_own_user(
    office: Office, method: str, path: str
) -> None:
    before, body = office.state(), _filled(ROUTES[method, path], office.ids)
    told = {"json": body} if body is not None else {}
    answer = office.tool.request(method, _filled(path, office.ids), **told)
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden"), answer.text
    assert "which the API token's scopes (read:search_people) leave out" in answer.json()["detail"]
    assert office.state() == before


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/api/v1/threads", None),
        ("POST", "/api/v1/threads", {"title": "Planted"}),
        ("GET", "/api/v1/feedback", None),
        ("POST", "/api/v1/ai/chat", {"message": "Hi"}),
        ("POST", "/api/v1/ai/attachments?name=a.png", None),
        ("POST", "/api/v1/system/context", {"message": "Who is Elena Weber?"}),
        ("POST", "/api/v1/system/context", {"message": "Hi", "thread_id": "{thread}"}),
        ("POST", "/api/v1/system/mcp/call", {**ASKED, "proposal_id": "{filed}"}),
        ("GET", "/api/v1/system/routes/resolve?path=/t/{thread}", None),
        ("GET", "/api/v1/system/audit", None),
        ("GET", "/api/v1/system/audit/head", None),
    ],
)  # fmt: skip
def test_a_token_for_one_tool_is_told_nothing_elsewhere_either(
    office: Office, method: str, path: str, body: Any
) -> None:
    before = office.state()
    told = {"json": _filled(body, office.ids)} if body is not None else {}
    answer = office.tool.request(method, _filled(path, office.ids), **told)
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden"), answer.text
    assert office.state() == before


def test_a_token_for_one_tool_has_no_cards_and_no_seal_to_ask_with_and_may_call_its_tool(office: Office) -> None:
    assert office.tool.get("/api/v1/proposals").json() == {"proposals": []}
    catalogue = office.tool.get("/api/v1/system/mcp/tools").json()
    assert ([tool["name"] for tool in catalogue["tools"]], catalogue["seal"]) == (["search_people"], None)
    call = {"call_id": "t1", "name": "search_people", "arguments": {"query": "Elena"}}
    assert office.tool.post("/api/v1/system/mcp/call", json=call).json()["facts"][0]["subject"] == "Elena Weber"
    again = office.tool.post("/api/v1/system/mcp/call", json=ASKED).json()
    assert (again["status"], again["facts"]) == ("denied", [])


def test_a_batch_of_a_token_for_one_tool_decides_on_nothing(office: Office) -> None:
    before = office.state()
    one = {"id": office.ids["card"], "decision": "approve", "digest": office.ids["digest"]}
    (outcome,) = office.tool.post("/api/v1/proposals/decide", json={"decisions": [one]}).json()["outcomes"]
    assert (outcome["card"], outcome["problem"]["status"]) == (None, 403)
    assert office.state() == before


def test_a_token_that_reads_sees_conversations_and_cards_and_changes_neither(office: Office) -> None:
    before = office.state()
    seen = [path for method, path in ROUTES if method == "GET" and "/files/" not in path]
    assert {office.reads.get(_filled(path, office.ids)).status_code for path in seen} == {200}
    assert office.reads.get("/api/v1/proposals").json()["proposals"] != []
    for method, path in (
        ("PATCH", THREAD),
        ("DELETE", THREAD),
        *[k for k in ROUTES if k[0] == "POST" and CARD in k[1]],
    ):
        body = _filled(ROUTES[method, path], office.ids)
        answer = office.reads.request(method, _filled(path, office.ids), **({"json": body} if body is not None else {}))
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden"), (path, answer.text)
    assert office.state() == before


JUDGED_ONE_BY_ONE = {
    "/api/v1/proposals", "/api/v1/proposals/{id}", "/api/v1/proposals/{id}/*", "/api/v1/proposals/decide",  # by card
    "/api/v1/system/mcp/tools", "/api/v1/system/mcp/call", "/mcp",  # by tool
    "/api/v1/system/routes", "/api/v1/system/routes/resolve",  # no records; by record
    "/api/v1/openapi.json", "/api/v1/sign-out",  # nobody's
}  # fmt: skip


def test_every_route_has_a_permission_or_judges_each_thing_by_itself(office: Office) -> None:
    pages = {page.route for page in WORKSPACE_PAGES}
    bare = [e.path for e in office.app.state.endpoints if e.access is not Access.OPEN and not e.permission]
    kept = {re.sub(r"(/api/v1/proposals/\{id\})/.+", r"\1/*", path) for path in bare} - pages
    assert kept <= JUDGED_ONE_BY_ONE, kept - JUDGED_ONE_BY_ONE


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
