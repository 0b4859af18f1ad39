"""The gateway over HTTP: public keys, the sealed catalogue, calls, and what an exchange starts with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import HTTPConnection
from starlette.testclient import TestClient

from gateway_world import ANN, VIEWER, World
from sayso.config import Config
from sayso.core.encoding import decode_kind
from sayso.core.proposals import digest_of
from sayso.errors import SaysoError
from sayso.server.app import create_app
from sayso.server.gateway_routes import GatewayRoutes
from sayso.server.signin import csrf_token
from sayso.serving import problems
from sayso.serving.asker import Asker, set_asker
from sayso.serving.endpoints import routes_of
from sayso.signing.keys import read_key_set
from sayso.signing.tokens import TokenKind, read
from sayso.store.database import open_database

CALL = "/api/v1/system/mcp/call"
TOOLS = "/api/v1/system/mcp/tools"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    database = open_database(f"sqlite:///{tmp_path}/sayso.db")
    yield World(database)
    database.close()


@pytest.fixture
def signed_in(world: World) -> Iterator[Any]:
    """Gives a client of any person, signed in: who asks is what the guard found out."""
    opened: list[TestClient] = []
    handlers = {problems.Problem: problems.on_problem, SaysoError: problems.on_sayso_error}

    def as_person(actor: Any) -> TestClient:
        inner = Starlette(routes=routes_of(GatewayRoutes(world.dispatcher).endpoints()), exception_handlers=handlers)

        async def app(scope: Any, receive: Any, send: Any) -> None:
            if scope["type"] == "http":
                set_asker(HTTPConnection(scope), Asker(actor, "", ""))
            await inner(scope, receive, send)

        client = TestClient(app, base_url="http://127.0.0.1:8787", follow_redirects=False)
        opened.append(client.__enter__())
        return client

    yield as_person
    for client in opened:
        client.__exit__(None, None, None)


@pytest.fixture
def served(world: World, assistant: Any, config: Config, sign_in: Any) -> Iterator[TestClient]:
    """The whole application behind its guard, with a session."""
    app = create_app(assistant, config, sign_in, more=GatewayRoutes(world.dispatcher).endpoints())
    with TestClient(app, base_url="http://127.0.0.1:8787", follow_redirects=False) as client:
        session = sign_in.redeem(sign_in.new_link("http://x").partition("token=")[2])
        client.cookies.set("sayso_session", session)
        client.headers["x-sayso-csrf"] = csrf_token(session)
        yield client


@pytest.fixture
def ann(signed_in: Any) -> TestClient:
    return signed_in(ANN)


def test_the_public_keys_are_open_and_check_every_seal(served: TestClient, world: World) -> None:
    served.cookies.clear()
    answer = served.get("/api/v1/system/keys")
    assert answer.status_code == 200
    keys = read_key_set(answer.content)
    assert read(keys, TokenKind.CATALOGUE, world.dispatcher.catalogue(ANN)["seal"], world.clock.now())["sub"] == "ann"
    assert "d" not in answer.json()["keys"][0]


def test_the_catalogue_declares_each_tool_and_its_seal_is_of_what_is_declared(ann: TestClient, world: World) -> None:
    import json

    catalogue = ann.get(TOOLS).json()
    tools = {tool["name"]: tool for tool in catalogue["tools"]}
    assert set(tools) == {"search_people", "list_people", "propose_message"}
    assert tools["search_people"] == {
        "name": "search_people", "title": "search people", "description": "Find people by name.",
        "input_schema": {"properties": {"query": {"type": "string"}}, "required": ["query"], "type": "object"},
        "read_only": True, "permission": "read:search_people", "example": {"query": "Elena"}, "covers": "person",
        "words": ["who"], "takes_name": "query", "takes_text": None, "can_leave": False,
    }  # fmt: skip
    assert tools["propose_message"]["read_only"] is False
    assert [decode_kind(kind).name for kind in catalogue["kinds"]] == ["person"]
    claims = read(world.keys, TokenKind.CATALOGUE, catalogue["seal"], world.clock.now())
    canonical = json.dumps(
        {"kinds": catalogue["kinds"], "tools": catalogue["tools"]}, sort_keys=True, separators=(",", ":")
    )
    assert (claims["sub"], claims["owner"], claims["digest"]) == ("ann", "home", digest_of(canonical.encode()))
    assert catalogue["expires"] == "2026-12-01T10:00:00+00:00"


def test_c8_who_is_listed_a_tool_may_call_it_and_nobody_else(signed_in: Any, world: World) -> None:
    arguments = {"search_people": {"query": "Elena"}, "propose_message": {"person": "Elena"}}
    for actor in (ANN, VIEWER, replace(VIEWER, id="n", permissions=frozenset({"read:list_people"}))):
        client = signed_in(actor)
        listed = {tool["name"] for tool in client.get(TOOLS).json()["tools"]}
        for name in ("search_people", "list_people", "propose_message"):
            body = {"call_id": f"c_{name}", "name": name, "arguments": arguments.get(name, {})}
            denied = client.post(CALL, json=body).json()["status"] == "denied"
            assert denied == (name not in listed), (actor.id, name)


def test_a_call_gives_its_result_and_the_same_again(ann: TestClient, world: World) -> None:
    body = {"call_id": "c1", "name": "search_people", "arguments": {"query": "Elena"}}
    first = ann.post(CALL, json=body)
    assert first.status_code == 200
    assert {k: first.json()[k] for k in ("call_id", "name", "status", "reason", "kind")} == {
        "call_id": "c1", "name": "search_people", "status": "success", "reason": None, "kind": "read",
    }  # fmt: skip
    assert first.json()["facts"][0]["values"]["affiliation"] == "SINGA Switzerland"
    assert (ann.post(CALL, json=body).json(), world.ran) == (first.json(), ["Elena"])
    reused = ann.post(CALL, json={**body, "arguments": {"query": "Ilya"}})
    assert (reused.status_code, reused.json()["code"]) == (409, "call_reused")


def test_a_change_waits_and_its_receipt_is_given_once_it_was_decided(ann: TestClient, world: World) -> None:
    body = {"call_id": "c1", "name": "propose_message", "arguments": {"person": "Elena", "text": "Hi"}}
    key = ann.post(CALL, json=body).json()["facts"][0]["key"]
    asked = {**body, "proposal_id": key}
    waiting = ann.post(CALL, json=asked)
    assert (waiting.status_code, waiting.json()["code"], world.effects) == (409, "not_approved", [])
    assert ann.post(CALL, json={**body, "proposal_id": "prop_9"}).status_code == 404


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b'{"call_id":"c","name":"list_people","arguments":{},"arguments":{}}', 422),
        (b'{"call_id":"c","name":"list_people","arguments":{"a":NaN}}', 422),
        (b'{"call_id":"\\ud800","name":"list_people","arguments":{}}', 422),
        (b'{"call_id":"c","name":"list_people","arguments":[]}', 422),
        (b'{"call_id":"c","name":"list_people","arguments":{},"actor":"bob"}', 422),
        (b'{"call_id":"c","name":"list_people","arguments":{},"approved":true}', 422),
        (b'{"call_id":"","name":"list_people","arguments":{}}', 422),
        (b'{"name":"list_people","arguments":{}}', 422),
        (b"{", 422),
        (b'{"call_id":"c","name":"x","arguments":{"a":' + b"[" * 40 + b"]" * 40 + b"}}", 422),
        (b'{"call_id":"c","name":"x","arguments":{"a":"' + b"x" * 300_000 + b'"}}', 413),
    ],
)
def test_s11_h3_a_body_that_two_readers_may_read_differently_is_refused(ann: TestClient, raw: bytes, status: int):
    answer = ann.post(CALL, content=raw, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")


@pytest.mark.parametrize("query", ['"a\\ud800"', '"a\\u0000"', "9007199254740993", "1e400"])
def test_s11_what_is_no_exact_text_runs_nothing_and_is_told(ann: TestClient, world: World, query: str) -> None:
    raw = '{"call_id":"c","name":"search_people","arguments":{"query":' + query + "}}"
    told = ann.post(CALL, content=raw, headers={"content-type": "application/json"}).json()
    assert (told["status"], told["reason"], world.ran) == ("failed", "bad_arguments", [])
    assert told["rule"]


def test_a_call_needs_a_session_and_its_token(served: TestClient) -> None:
    body = {"call_id": "c1", "name": "list_people", "arguments": {}}
    assert served.post(CALL, json=body).json()["status"] == "success"
    del served.headers["x-sayso-csrf"]
    assert served.post(CALL, json={**body, "call_id": "c2"}).status_code == 403
    served.cookies.clear()
    assert (served.post(CALL, json=body).status_code, served.get(TOOLS).status_code) == (401, 401)


def test_the_context_gives_seed_facts_and_a_receipt_until_it_was_told(ann: TestClient, world: World) -> None:
    call = {"call_id": "c1", "name": "propose_message", "arguments": {"person": "Elena", "text": "Hi"}}
    key = ann.post(CALL, json={**call, "thread_id": "th_1"}).json()["facts"][0]["key"]
    world.gateway._approve(key, _digest(world, key), ANN)  # the decision's own route is another part's
    body = {"message": "Did it go out?", "thread_id": "th_1", "context": {"route": "/people/p1"}}
    first = ann.post("/api/v1/system/context", json=body).json()
    assert [fact["kind"] for fact in first["facts"]] == ["receipt", "person"]
    assert (first["name"], first["call_id"], first["kind"]) == ("context", "", "read")
    second = ann.post("/api/v1/system/context", json=body).json()
    assert second["facts"] == first["facts"]


def _digest(world: World, key: str) -> str:
    return str(world.rows(f"SELECT digest FROM proposals WHERE id = '{key}'")[0][0])
