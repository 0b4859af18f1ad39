"""Attacks on the server by their numbers: what must hold on every route, and between two people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

import anyio
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from made_images import png
from sayso import config
from sayso.core.progress import Limits
from sayso.inapp.wiring import assemble
from sayso.models.quote import Quote
from sayso.server.app import create_app
from sayso.server.local import LocalAssistant
from sayso.server.signin import SignIn
from sayso.server.tokens import new_token
from sayso.serving.endpoints import Access
from sayso.store.audit import Audit
from sayso.store.database import open_database
from sayso.store.ports import now_utc
from sayso.store.users import Users
from sayso.workspace.workspace import Settings, Workspace

DIGEST = "ab" * 32


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Starlette]:
    settings = config.load({"home": tmp_path}, {}, tmp_path)
    database = open_database(f"sqlite:///{tmp_path}/sayso.db")
    workspace = Workspace(database, defaults=Settings("UTC", "en", "monday"))
    assistant = assemble(workspace, Quote(), settings, reason="test", limits=Limits())
    users = Users(database)
    made = create_app(LocalAssistant(assistant), settings, SignIn(tmp_path), users=users, audit=Audit(database))
    made.state.tokens = anyio.run(_people, users)
    yield made
    database.close()


async def _people(users: Users) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, owner in (("ada", "team"), ("eve", "others")):
        await users.add(name, owner, ["admin"])
        found[name] = (await new_token(users, name, "test", ["*"], now_utc()))[1]
    return found


@pytest.fixture
def http(app: Starlette) -> Iterator[TestClient]:
    with TestClient(app, base_url="http://127.0.0.1:8787", follow_redirects=False) as client:
        yield client


def of(http: Any, name: str) -> dict[str, str]:
    return {"authorization": f"Bearer {http.app.state.tokens[name]}"}


def every_path(app: Any) -> list[tuple[str, str]]:
    return [(e.method, re.sub(r"{\w+(:\w+)?}", "x", e.path)) for e in app.state.endpoints]


def test_s17_an_unknown_host_is_refused_on_every_route_reads_too(app: Any, http: Any) -> None:
    for method, path in [*every_path(app), ("GET", "/static/app.js"), ("GET", "/nowhere")]:
        answer = http.request(method, path, headers={**of(http, "ada"), "host": "rebound.example"})
        assert answer.status_code == 421, f"{method} {path}"


def test_s18_nothing_but_the_door_is_open_to_a_stranger(app: Any, http: Any) -> None:
    """A route that takes a signed catalogue is no more open: it must refuse whoever holds none."""
    is_open = {e.path for e in app.state.endpoints if e.access is Access.OPEN}
    assert is_open <= {"/healthz", "/sign-in", "/api/v1/system/keys"}
    for endpoint, (method, path) in zip(app.state.endpoints, every_path(app), strict=True):
        if endpoint.access is not Access.OPEN:
            status = http.request(method, path, json={} if method == "POST" else None).status_code
            assert status in (303, 401), f"{method} {path}: {status}"
    for path in ("/metrics", "/docs", "/api", "/api/v1/openapi.json"):
        assert http.get(path).status_code in (303, 401)


def test_s19_no_answer_shares_itself_with_another_site(app: Any, http: Any) -> None:
    for method, path in every_path(app):
        sent = {**of(http, "ada"), "origin": "https://evil.example", "access-control-request-method": "POST"}
        for verb in (method, "OPTIONS"):
            headers = http.request(verb, path, headers=sent).headers
            assert not any(name.startswith("access-control-") for name in headers), f"{verb} {path}"


def test_s16_a_change_with_a_cookie_needs_our_origin_our_token_and_json(http: Any, tmp_path: Path) -> None:
    links = SignIn(tmp_path)
    session = links.redeem(links.new_link("http://x").partition("token=")[2])
    http.cookies.set("sayso_session", session)
    csrf = re.findall(r'name="csrf" content="([^"]+)"', http.get("/").text)[0]
    chat, good = "/api/v1/ai/chat", {"x-sayso-csrf": csrf}
    for headers in ({}, {**good, "origin": "https://evil.example"}, {**good, "sec-fetch-site": "same-site"}):
        assert http.post(chat, json={"message": "Hello"}, headers=headers).status_code == 403
    form = {**good, "content-type": "text/plain"}
    assert http.post(chat, content='{"message": "Hello"}', headers=form).status_code == 415
    assert http.post(chat, json={"message": "Hello"}, headers=good).status_code == 200


def test_s20_another_owners_things_are_not_there_streams_neither(http: Any) -> None:
    ada, eve = of(http, "ada"), of(http, "eve")
    answer = http.post("/api/v1/ai/chat", json={"message": "Create a task: call Elena tomorrow"}, headers=ada)
    run = answer.headers["x-sayso-run"]
    thread = http.get("/api/v1/threads", headers=ada).json()["threads"][0]["id"]
    image = http.post("/api/v1/ai/attachments?name=a.png", content=png(2, 2), headers=ada).json()["id"]
    mine = [
        ("GET", f"/api/v1/threads/{thread}", None),
        ("GET", f"/api/v1/ai/runs/{run}/events", None),
        ("GET", f"/api/v1/ai/attachments/{image}", None),
        ("POST", f"/api/v1/ai/runs/{run}/stop", {}),
    ]
    waiting = http.get("/api/v1/proposals", headers=ada).json()["proposals"]
    assert waiting
    for card in waiting:
        mine.append(("GET", f"/api/v1/proposals/{card['id']}", None))
        decided = {"digest": card["digest"]}
        assert http.post(f"/api/v1/proposals/{card['id']}/approve", json=decided, headers=eve).status_code == 404
        assert http.post(f"/api/v1/proposals/{card['id']}/deny", json={}, headers=eve).status_code == 404
    for method, path, body in mine:
        assert http.request(method, path, json=body, headers=eve).status_code == 404, path
    for method, path, body in mine:
        assert http.request(method, path, json=body, headers=ada).status_code == 200, path
    continued = {"message": "And then?", "thread_id": thread}
    assert http.post("/api/v1/ai/chat", json=continued, headers=eve).status_code == 404
    assert http.get("/api/v1/threads", headers=eve).json()["threads"] == []
    assert http.get("/api/v1/proposals", headers=eve).json()["proposals"] == []


def test_s12_s14_pages_load_nothing_from_elsewhere_and_run_no_text(http: Any) -> None:
    policy = dict(
        part.strip().split(" ", 1) for part in http.get("/sign-in").headers["content-security-policy"].split(";")
    )
    assert policy["default-src"] == "'none'"
    assert {policy[name] for name in ("script-src", "style-src", "img-src", "connect-src", "form-action")} == {"'self'"}
    assert (policy["base-uri"], policy["frame-ancestors"]) == ("'none'", "'none'")
    assert (policy["require-trusted-types-for"], policy["trusted-types"]) == ("'script'", "'none'")
    static = Path(str(files("sayso.web"))) / "static"
    scripts = "".join(path.read_text(encoding="utf-8") for path in static.rglob("*.js"))
    for sink in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
        assert sink not in scripts


def test_s23_bodies_are_bounded_and_the_static_files_library_is_a_mended_one(http: Any) -> None:
    ada = of(http, "ada")
    large = {"digest": DIGEST, "words": "x" * (64 << 10)}
    assert http.post("/api/v1/proposals/p/approve", json=large, headers=ada).status_code == 413
    assert http.post("/api/v1/ai/chat", json={"message": "x" * (1 << 20)}, headers=ada).status_code == 413
    deep = {**ada, "content-type": "application/json"}
    nested = '{"message": ' + "[" * 40 + "]" * 40 + "}"
    assert http.post("/api/v1/ai/chat", content=nested, headers=deep).json()["code"] == "too_deep"
    assert tuple(map(int, version("starlette").split(".")[:2])) >= (0, 50)
    ranges = "bytes=" + ",".join(f"{n}-{n}" for n in range(0, 4000, 2))
    assert http.get("/static/app.js", headers={"range": ranges}).status_code in (200, 206, 400, 416)
