"""Our tools over MCP, asked by the SDK's own client: in memory and over HTTP. Who asks is each request's."""

import contextlib
from dataclasses import dataclass, field, replace

import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection

from gateway_world import ANN, World
from sayso.core.proposals import ProposalState
from sayso.core.tools import Actor, Registry
from sayso.gateway.dispatch import Dispatcher
from sayso.gateway.mcp.server import CALL_ID, Offer, build, declared
from sayso.server.mcp_routes import MAX_BODY, McpRoutes
from sayso.serving import problems
from sayso.serving.asker import Asker, set_asker
from sayso.serving.endpoints import routes_of
from sayso.store.database import open_database
from small_world import PROPOSE, SEARCH

pytestmark = pytest.mark.anyio
READER = Actor("reader", "home", frozenset({"read:*"}))


@dataclass
class Watched:
    """A real dispatcher, and what it was asked."""

    dispatcher: Dispatcher
    calls: list = field(default_factory=list)

    def tools(self, actor, *, unoffered=False):
        return self.dispatcher.tools(actor, unoffered=unoffered)

    async def dispatch(self, actor, call):
        self.calls.append((actor.id, call.id, call.name))
        return await self.dispatcher.dispatch(actor, call)


@pytest.fixture
def world(tmp_path):
    database = open_database(f"sqlite:///{tmp_path}/sayso.db")
    world = World(database)
    world.watched = Watched(world.dispatcher)
    yield world
    database.close()


def page(id):
    return f"http://sayso.example/proposals#{id}"


@contextlib.asynccontextmanager
async def client_of(world, actor=ANN, mode="auto"):
    server = build(Offer(world.watched, lambda request: actor, lambda request, id: page(id)))
    async with Client(server, mode=mode) as client:
        yield client


class Door:
    """Stands for the guard: who asks is what the request's header says."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        if scope["type"] == "http":
            connection = HTTPConnection(scope)
            name = connection.headers.get("authorization", "").removeprefix("Bearer ")
            if name:
                set_asker(connection, Asker(Actor(name, "home", frozenset({"read:*"} if name == "reader" else {"*"}))))
        await self.app(scope, receive, send)


@contextlib.asynccontextmanager
async def over_http(world, name="reader"):
    routes = McpRoutes(world.watched)
    handlers = {problems.Problem: problems.on_problem}
    app = Starlette(routes=routes_of(routes.endpoints()), middleware=[Middleware(Door)], exception_handlers=handlers)
    headers = {"authorization": f"Bearer {name}"} if name else {}
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app=app), headers=headers, base_url="http://sayso.example"
    ) as http:
        yield http
    await routes.aclose()


def sent_by(http):
    return streamable_http_client("http://sayso.example/mcp", http_client=http)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_client_lists_and_calls_in_both_eras_of_the_protocol(world, mode):
    async with client_of(world, mode=mode) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        result = await client.call_tool("search_people", {"query": "Elena"})
    assert list(listed) == ["search_people", "list_people", "propose_message"]
    assert listed["search_people"].input_schema == dict(SEARCH.schema)
    assert [f["subject"] for f in result.structured_content["facts"]] == ["Elena Weber", 'search_people "Elena"']
    assert (result.is_error, result.structured_content["proposal"]) == (False, None)


async def test_annotations_are_those_of_our_registry(world):
    async with client_of(world) as client:
        listed = {tool.name: tool.annotations for tool in (await client.list_tools()).tools}
    told = {n: (a.read_only_hint, a.destructive_hint, a.idempotent_hint, a.open_world_hint) for n, a in listed.items()}
    assert told == {
        "search_people": (True, False, True, False),
        "list_people": (True, False, True, False),
        "propose_message": (False, False, False, False),
    }


async def test_structured_content_and_text_tell_the_same_facts(world):
    async with client_of(world) as client:
        result = await client.call_tool("list_people", {})
    (content,) = result.content
    for fact in result.structured_content["facts"]:
        assert fact["subject"] in content.text
        for value in fact["values"].values():
            assert str(value[0] if isinstance(value, list) else value) in content.text or fact["kind"] == "lookup"
    assert "  role, birthday: <not recorded>" in content.text
    assert "list_people: 3 of 3" in content.text


async def test_h3_each_fact_has_its_source_and_where_it_is_from(world):
    async with client_of(world) as client:
        result = await client.call_tool("search_people", {"query": "Elena"})
    fact = result.structured_content["facts"][0]
    assert (fact["source"], fact["key"], fact["provenance"]) == ("people", "p1", "own")


async def test_c11_a_write_of_an_outside_client_becomes_a_proposal_and_says_so(world):
    async with client_of(world) as client:
        result = await client.call_tool("propose_message", {"person": "Elena", "text": "Hello"})
    (filed,) = await world.proposals.list(ANN.desk, [ProposalState.PENDING])
    assert result.structured_content["proposal"] == {
        "id": filed.id, "state": "pending", "title": "Message to Elena", "page": page(filed.id),
    }  # fmt: skip
    (content,) = result.content
    assert f"Nothing has been done. This is a proposal: a person decides on it here: {page(filed.id)}" in content.text
    assert world.effects == []
    assert "Files a proposal only" in declared(PROPOSE).description


async def test_c8_what_may_not_be_listed_may_not_be_called_and_the_rule_is_told(world):
    async with client_of(world, READER) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        result = await client.call_tool("propose_message", {"person": "Elena"})
    assert names == ["search_people", "list_people"]
    assert (result.is_error, result.structured_content["status"]) == (True, "denied")
    assert "propose:propose_message" in result.structured_content["rule"]
    assert result.structured_content["rule"] in result.content[0].text


async def test_c8_a_tool_that_no_model_is_told_of_is_neither_listed_nor_called(world):
    hidden = replace(SEARCH, name="hidden_search", permission="read:hidden_search")
    world.registry = Registry([*world.registry, hidden])
    world.watched.dispatcher = world.restarted()
    async with client_of(world) as client:
        assert "hidden_search" not in [tool.name for tool in (await client.list_tools()).tools]
        with pytest.raises(MCPError, match="Unknown tool: hidden_search"):
            await client.call_tool("hidden_search", {"query": "Elena"})
    assert world.watched.calls == []


@pytest.mark.parametrize("arguments", [{}, {"query": 5}, {"query": None}])
async def test_arguments_that_do_not_fit_are_refused_by_us(world, arguments):
    async with client_of(world) as client:
        result = await client.call_tool("search_people", arguments)
    assert (result.is_error, result.structured_content["reason"]) == (True, "bad_arguments")


async def test_an_unknown_tool_is_an_error_of_the_protocol(world):
    async with client_of(world) as client:
        with pytest.raises(MCPError, match="Unknown tool: no_such"):
            await client.call_tool("no_such", {})


async def test_a_client_may_name_its_call_so_that_a_repetition_is_known(world):
    async with client_of(world) as client:
        await client.call_tool("list_people", {}, meta={CALL_ID: "mine-1"})
        await client.call_tool("list_people", {}, meta={CALL_ID: "x" * 500})
        await client.call_tool("list_people", {})
    ids = [call[1] for call in world.watched.calls]
    assert ids[0] == "mine-1"
    assert all(id.startswith("mcp_") for id in ids[1:])
    assert len(set(ids)) == 3


async def test_over_http_each_request_acts_for_whoever_sends_it(world):
    async with over_http(world, "reader") as http, Client(sent_by(http)) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        result = await client.call_tool("search_people", {"query": "Elena"})
    assert names == ["search_people", "list_people"]
    assert result.structured_content["facts"][0]["subject"] == "Elena Weber"
    assert {call[0] for call in world.watched.calls} == {"reader"}


async def test_over_http_a_proposal_links_to_the_page_of_the_same_host(world):
    async with over_http(world, "ann") as http, Client(sent_by(http)) as client:
        result = await client.call_tool("propose_message", {"person": "Elena"})
    assert result.structured_content["proposal"]["page"].startswith("http://sayso.example/proposals#prop_")


async def test_s18_nobody_without_a_sign_in_gets_as_far_as_the_protocol(world):
    async with over_http(world, "") as http:
        answer = await http.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    assert (answer.status_code, answer.json()["code"]) == (401, "signed_out")


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"{", "application/json", 422),
        (b"[1]", "application/json", 422),
        (b'{"a": 1, "a": 2}', "application/json", 422),
        (b"[" * 40 + b"]" * 40, "application/json", 422),
        (b'{"x": NaN}', "application/json", 422),
        (b"{}", "text/plain", 415),
        (b" " * (MAX_BODY + 1), "application/json", 413),
    ],
)
async def test_a_body_that_is_no_sound_message_is_a_problem_and_never_a_500(world, content, kind, status):
    async with over_http(world) as http:
        answer = await http.post("/mcp", content=content, headers={"content-type": kind, "accept": "application/json"})
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")


@pytest.mark.parametrize(
    "message", [{}, {"jsonrpc": "2.0"}, {"jsonrpc": "2.0", "id": {}, "method": "ping"}, {"result": {}}]
)
async def test_a_message_of_another_shape_is_a_problem(world, message):
    async with over_http(world) as http:
        answer = await http.post("/mcp", json=message, headers={"accept": "application/json, text/event-stream"})
    assert (answer.status_code, answer.json()["code"]) == (422, "wrong_content")


@pytest.mark.parametrize(
    ("message", "headers"),
    [
        ({"id": 1, "method": "no/such"}, {}),
        ({"id": 1, "method": "tools/call", "params": {"name": {}}}, {}),
        ({"id": 1, "method": "tools/list"}, {"mcp-protocol-version": "1999-01-01"}),
        ({"id": 1, "method": "tools/list"}, {"mcp-protocol-version": "2026-07-28"}),
    ],
)
async def test_what_the_protocol_does_not_know_is_refused_by_it(world, message, headers):
    accept = {"accept": "application/json, text/event-stream"}
    async with over_http(world) as http:
        answer = await http.post("/mcp", json={"jsonrpc": "2.0", **message}, headers={**accept, **headers})
    assert answer.status_code in (200, 400, 404), answer.text
    assert (answer.headers["content-type"], "error" in answer.json()) == ("application/json", True)


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
async def test_no_other_method_is_answered(world, method):
    async with over_http(world) as http:
        assert (await http.request(method, "/mcp")).status_code == 405
