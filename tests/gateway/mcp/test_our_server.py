"""Our tools over MCP, asked by the SDK's own client: in memory and over HTTP. Who asks is each request's."""

import contextlib
import json
from dataclasses import dataclass, field

import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection

from sayso.core.evidence import Evidence
from sayso.core.facts import Fact
from sayso.core.messages import CallStatus, ResultReason, ToolCall
from sayso.core.runner import InProcessRunner
from sayso.core.tools import Actor, Registry, ToolContext
from sayso.gateway.mcp.server import CALL_ID, Offer, build, declared
from sayso.server.mcp_routes import MAX_BODY, McpRoutes
from sayso.serving import problems
from sayso.serving.asker import Asker, set_asker
from sayso.serving.endpoints import routes_of
from small_world import ACTOR, EVERYONE, NOW, PROPOSE, SEARCH, file_proposal

pytestmark = pytest.mark.anyio
TOOLS = Registry((SEARCH, EVERYONE, PROPOSE))
READER = Actor("reader", "user", frozenset({"read:*"}))
PAGE = "http://sayso.example/proposals#prop_1"


@dataclass(frozen=True)
class Told:
    status: CallStatus
    reason: ResultReason | None = None
    facts: tuple[Fact, ...] = ()
    rule: str = ""


@dataclass
class World:
    """A dispatcher as far as the server knows one, over a small world of people."""

    calls: list = field(default_factory=list)

    def tools(self, actor):
        return [tool for tool in TOOLS if actor.may(tool.permission)]

    async def call(self, actor, call_id, name, arguments):
        self.calls.append((actor.id, call_id, name, arguments))
        runner = InProcessRunner(TOOLS, ToolContext(actor, NOW), Evidence(), file_proposal)
        result = await runner.run(ToolCall(call_id, name, json.dumps(arguments)))
        rule = "no rule of yours allows it" if result.reason is ResultReason.NOT_ALLOWED else ""
        return Told(result.status, result.reason, tuple(n.fact for n in result.facts), rule)


@contextlib.asynccontextmanager
async def client_of(world, actor=ACTOR, mode="auto"):
    server = build(Offer(world.tools, world.call, lambda request: actor, lambda request, id: f"{PAGE[:-6]}{id}"))
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
                set_asker(connection, Asker(Actor(name, "user", frozenset({"read:*"} if name == "reader" else {"*"}))))
        await self.app(scope, receive, send)


@contextlib.asynccontextmanager
async def over_http(world, name="reader"):
    routes = McpRoutes(world.tools, world.call)
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
async def test_a_client_lists_and_calls_in_both_eras_of_the_protocol(mode):
    async with client_of(World(), mode=mode) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        result = await client.call_tool("search_people", {"query": "Elena"})
    assert list(listed) == ["search_people", "list_people", "propose_message"]
    assert listed["search_people"].input_schema == dict(SEARCH.schema)
    assert [f["subject"] for f in result.structured_content["facts"]] == ["Elena Weber", 'search_people "Elena"']
    assert (result.is_error, result.structured_content["proposal"]) == (False, None)


async def test_annotations_are_those_of_our_registry():
    async with client_of(World()) as client:
        listed = {tool.name: tool.annotations for tool in (await client.list_tools()).tools}
    told = {n: (a.read_only_hint, a.destructive_hint, a.idempotent_hint, a.open_world_hint) for n, a in listed.items()}
    assert told == {
        "search_people": (True, False, True, False),
        "list_people": (True, False, True, False),
        "propose_message": (False, False, False, False),
    }


async def test_structured_content_and_text_tell_the_same_facts():
    async with client_of(World()) as client:
        result = await client.call_tool("list_people", {})
    (content,) = result.content
    for fact in result.structured_content["facts"]:
        assert fact["subject"] in content.text
        for value in fact["values"].values():
            assert str(value[0] if isinstance(value, list) else value) in content.text or fact["kind"] == "lookup"
    assert "  role, birthday: <not recorded>" in content.text
    assert "list_people: 3 of 3" in content.text


async def test_h3_each_fact_has_its_source_and_where_it_is_from():
    async with client_of(World()) as client:
        result = await client.call_tool("search_people", {"query": "Elena"})
    fact = result.structured_content["facts"][0]
    assert (fact["source"], fact["key"], fact["provenance"]) == ("people", "p1", "own")


async def test_c11_a_write_of_an_outside_client_becomes_a_proposal_and_says_so():
    async with client_of(World()) as client:
        result = await client.call_tool("propose_message", {"person": "Elena", "text": "Hello"})
    assert result.structured_content["proposal"] == {
        "id": "prop_1", "state": "pending", "title": "Message to Elena", "page": PAGE,
    }  # fmt: skip
    (content,) = result.content
    assert f"Nothing has been done. This is a proposal: a person decides on it here: {PAGE}" in content.text
    assert "Files a proposal only" in declared(PROPOSE).description


async def test_c8_what_may_not_be_listed_may_not_be_called_and_the_rule_is_told():
    async with client_of(World(), READER) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        result = await client.call_tool("propose_message", {"person": "Elena"})
    assert names == ["search_people", "list_people"]
    assert (result.is_error, result.structured_content["status"]) == (True, "denied")
    assert result.structured_content["rule"] == "no rule of yours allows it"
    assert "no rule of yours allows it" in result.content[0].text


@pytest.mark.parametrize("arguments", [{}, {"query": 5}, {"query": None}])
async def test_arguments_that_do_not_fit_are_refused_by_us(arguments):
    async with client_of(World()) as client:
        result = await client.call_tool("search_people", arguments)
    assert (result.is_error, result.structured_content["reason"]) == (True, "bad_arguments")


async def test_an_unknown_tool_is_an_error_of_the_protocol():
    async with client_of(World()) as client:
        with pytest.raises(MCPError, match="Unknown tool: no_such"):
            await client.call_tool("no_such", {})


async def test_a_client_may_name_its_call_so_that_a_repetition_is_known():
    world = World()
    async with client_of(world) as client:
        await client.call_tool("list_people", {}, meta={CALL_ID: "mine-1"})
        await client.call_tool("list_people", {}, meta={CALL_ID: "x" * 500})
        await client.call_tool("list_people", {})
    ids = [call[1] for call in world.calls]
    assert ids[0] == "mine-1"
    assert all(id.startswith("mcp_") for id in ids[1:])
    assert len(set(ids)) == 3


async def test_over_http_each_request_acts_for_whoever_sends_it():
    world = World()
    async with over_http(world, "reader") as http, Client(sent_by(http)) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        result = await client.call_tool("search_people", {"query": "Elena"})
    assert names == ["search_people", "list_people"]
    assert result.structured_content["facts"][0]["subject"] == "Elena Weber"
    assert {call[0] for call in world.calls} == {"reader"}


async def test_over_http_a_proposal_links_to_the_page_of_the_same_host():
    async with over_http(World(), "user") as http, Client(sent_by(http)) as client:
        result = await client.call_tool("propose_message", {"person": "Elena"})
    assert result.structured_content["proposal"]["page"] == PAGE


async def test_s18_nobody_without_a_sign_in_gets_as_far_as_the_protocol():
    async with over_http(World(), "") as http:
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
async def test_a_body_that_is_no_sound_message_is_a_problem_and_never_a_500(content, kind, status):
    async with over_http(World()) as http:
        answer = await http.post("/mcp", content=content, headers={"content-type": kind, "accept": "application/json"})
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")


@pytest.mark.parametrize(
    "message", [{}, {"jsonrpc": "2.0"}, {"jsonrpc": "2.0", "id": 1, "method": "no/such"}, {"id": {}}]
)
async def test_a_message_that_is_none_of_the_protocol_is_refused_by_it(message):
    async with over_http(World()) as http:
        answer = await http.post("/mcp", json=message, headers={"accept": "application/json, text/event-stream"})
    assert answer.status_code in (200, 400, 404)
    assert "error" in answer.json()


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
async def test_no_other_method_is_answered(method):
    async with over_http(World()) as http:
        assert (await http.request(method, "/mcp")).status_code == 405
