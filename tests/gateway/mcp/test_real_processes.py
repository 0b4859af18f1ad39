"""`sayso serve` and `sayso mcp` as real processes: asked by the SDK's client, and by the inspector's command line."""

import contextlib
import json
import subprocess
import sys
from pathlib import Path

import httpx2
import playwright
import pytest
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from processes import PATIENCE, Served, sayso, surroundings
from sayso.server.tokens import new_token
from sayso.store.database import open_database
from sayso.store.ports import now_utc
from sayso.store.users import Users

pytestmark = pytest.mark.anyio
FETCHED = Path(__file__).parents[3] / ".venv/inspector/node_modules/@modelcontextprotocol/inspector"
INSPECTOR = FETCHED / "clients/launcher/build/index.js"
NODE = Path(playwright.__file__).parent / "driver" / ("node.exe" if sys.platform == "win32" else "node")
MAIN = "import sys; from sayso.cli.main import main; sys.exit(main())"
OURS = {
    "search_people", "search_knowledge", "list_projects", "list_goals", "list_habits", "list_commitments",
    "propose_action", "ask_agent", "find_page",
}  # fmt: skip
CHANGE = {"type": "commitment", "title": "Water the plants", "due": "Friday"}


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    server = Served(tmp_path_factory.mktemp("mcp"), ("--sample", "--model", "quote")).start().sign_in()
    yield server
    server.stop()


def stdio(home):
    environ = {
        name: value for name, value in surroundings(home).items() if name in ("PYTHONPATH", "SAYSO_HOME", "PATH")
    }
    return StdioServerParameters(command=sys.executable, args=["-c", MAIN, "mcp", "--sample"], env=environ, cwd=home)


async def test_over_stdio_a_client_lists_reads_and_proposes(tmp_path):
    async with Client(stdio(tmp_path)) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        found = await client.call_tool("search_people", {"query": "Elena Weber"})
        filed = await client.call_tool("propose_action", CHANGE)
    assert set(listed) == OURS
    assert found.structured_content["facts"][0]["values"]["affiliation"] == "SINGA Switzerland"
    waiting = filed.structured_content["proposal"]
    assert (waiting["state"], waiting["page"]) == ("pending", f"sayso proposals show {waiting['id']}")
    assert "Nothing has been done" in filed.content[0].text
    shown = sayso("proposals", "list", "--sample", home=tmp_path)
    assert "Water the plants" in shown.stdout


async def test_over_http_a_client_with_a_session_lists_reads_and_proposes(served):
    async with (
        httpx2.AsyncClient(headers=served.headers, timeout=PATIENCE) as http,
        Client(streamable_http_client(f"{served.url}/mcp", http_client=http)) as client,
    ):
        names = {tool.name for tool in (await client.list_tools()).tools}
        found = await client.call_tool("search_people", {"query": "Elena Weber"})
        filed = await client.call_tool("propose_action", CHANGE)
    assert names == OURS
    assert found.structured_content["facts"][0]["subject"] == "Elena Weber"
    waiting = filed.structured_content["proposal"]
    assert waiting["page"] == f"{served.url}/proposals#{waiting['id']}"
    assert waiting["id"] in [p["id"] for p in served.ask("GET", "/api/v1/proposals").json["proposals"]]


async def test_over_http_an_api_token_lists_and_calls_within_its_scopes_only(served):
    made = sayso("tokens", "add", "a client", "--scope", "read:*", "--sample", home=served.home)
    token = next(word for word in made.stdout.split() if word.startswith("sayso_"))
    async with (
        httpx2.AsyncClient(headers={"authorization": f"Bearer {token}"}, timeout=PATIENCE) as http,
        Client(streamable_http_client(f"{served.url}/mcp", http_client=http)) as client,
    ):
        names = {tool.name for tool in (await client.list_tools()).tools}
        found = await client.call_tool("search_people", {"query": "Elena Weber"})
        denied = await client.call_tool("propose_action", CHANGE)
    assert names == OURS - {"propose_action", "ask_agent"}
    assert found.structured_content["facts"][0]["subject"] == "Elena Weber"
    assert (denied.is_error, denied.structured_content["status"]) == (True, "denied")
    assert "propose:propose_action" in denied.structured_content["rule"]


@contextlib.asynccontextmanager
async def people_of(served):
    """The users of a running service, changed by another process than it: this one."""
    database = open_database(f"sqlite:///{served.home / 'sample.db'}")
    try:
        yield Users(database)
    finally:
        database.close()


@contextlib.asynccontextmanager
async def session_of(served, token, mode="auto"):
    async with (
        httpx2.AsyncClient(headers={"authorization": f"Bearer {token}"}, timeout=PATIENCE) as http,
        Client(streamable_http_client(f"{served.url}/mcp", http_client=http), mode=mode) as client,
    ):
        yield client


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_s18_what_a_client_may_do_changes_within_its_session_with_the_next_call(served, mode):
    async with people_of(served) as users:
        user = await users.add(f"mia_{mode}", "local", ["viewer"])
        token, text = await new_token(users, user.id, "a client", ["*"], now_utc())
        async with session_of(served, text, mode) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            denied = await client.call_tool("propose_action", {**CHANGE, "title": f"Water {mode} plants"})
            await users.set_roles(user.id, ["operator"])
            more = [tool.name for tool in (await client.list_tools()).tools]
            filed = await client.call_tool("propose_action", {**CHANGE, "title": f"Water {mode} plants"})
            await users.set_roles(user.id, ["viewer"])
            again = await client.call_tool("propose_action", {**CHANGE, "title": f"Water more {mode} plants"})
            known = await client.call_tool("search_people", {"query": "Elena Weber"})

            await users.revoke(token.id)
            for refused in (client.list_tools(), client.call_tool("search_people", {"query": "Elena Weber"})):
                with pytest.raises(MCPError, match="Server returned an error"):  # a 401, in the words of the SDK
                    await refused
    assert ("propose_action" in names, "propose_action" in more) == (False, True)
    assert [r.structured_content["status"] for r in (denied, filed, again, known)] == [
        "denied", "success", "denied", "success",
    ]  # fmt: skip


async def test_s18_a_client_of_a_user_who_is_disabled_gets_no_further_within_its_session(served):
    async with people_of(served) as users:
        user = await users.add("leo", "local", ["operator"])
        _, text = await new_token(users, user.id, "a client", ["*"], now_utc())
        async with session_of(served, text) as client:
            assert (await client.call_tool("search_people", {"query": "Elena Weber"})).is_error is False
            await users.set_disabled(user.id, True)
            with pytest.raises(MCPError, match="Server returned an error"):  # a 401, in the words of the SDK
                await client.call_tool("search_people", {"query": "Elena Weber"})
            await users.set_disabled(user.id, False)
            assert (await client.call_tool("search_people", {"query": "Elena Weber"})).is_error is False


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({"host": "evil.example"}, 421, "unknown_host"),
        ({"origin": "https://evil.example"}, 403, "cross_site"),
        ({"cookie": "", "x-sayso-csrf": ""}, 401, "signed_out"),
        ({"x-sayso-csrf": "wrong"}, 403, "csrf"),
        ({"cookie": "", "authorization": "Bearer nonsense"}, 401, "wrong_token"),
    ],
)
async def test_s17_s18_the_guard_stands_before_mcp_as_before_every_route(served, headers, status, code):
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    answer = served.ask("POST", "/mcp", message, {"accept": "application/json, text/event-stream", **headers})
    assert (answer.status, answer.json["code"]) == (status, code)


class Inspector:
    """The inspector's command line against one server, named by its own arguments; `host` has the pages of cards."""

    def __init__(self, home, host, *where):
        self.home, self.host, self.where = home, host, where

    def ask(self, method, *arguments):
        patient = ("--connect-timeout", str(int(PATIENCE * 1000)))
        done = subprocess.run(
            [NODE, INSPECTOR, "--cli", *patient, "--method", method, *arguments, *self.where], capture_output=True, text=True,
            env={**surroundings(self.home), "HOME": str(self.home)}, timeout=PATIENCE, check=False, cwd=self.home,
        )  # fmt: skip
        return done, json.loads(done.stdout) if done.stdout.lstrip().startswith("{") else {}

    def call(self, name, given):
        pairs = [part for pair in given.items() for part in ("--tool-arg", "=".join(pair))]
        return self.ask("tools/call", "--tool-name", name, *pairs)


@pytest.fixture(params=["stdio", "http"])
def inspector(request, served, tmp_path):
    if not INSPECTOR.exists():
        pytest.skip("the MCP inspector was not fetched: npm has no network (scripts/inspector-for-tests)")
    if request.param == "stdio":
        environ = [part for pair in stdio(served.home).env.items() for part in ("-e", "=".join(pair))]
        return Inspector(
            tmp_path, f"http://localhost:{served.port}", *environ, "--", sys.executable, "-c", MAIN, "mcp", "--sample"
        )
    headers = [part for pair in served.headers.items() for part in ("--header", ": ".join(pair))]
    return Inspector(tmp_path, served.url, "--transport", "http", "--server-url", f"{served.url}/mcp", *headers)


def test_the_inspector_s_command_line_lists_reads_and_proposes(inspector, served):
    done, listed = inspector.ask("tools/list", "--strict")
    assert done.returncode == 0, done.stdout + done.stderr
    assert {tool["name"] for tool in listed["tools"]} == OURS
    hints = {tool["name"]: tool["annotations"]["readOnlyHint"] for tool in listed["tools"]}
    assert (hints["search_people"], hints["propose_action"]) == (True, False)

    done, found = inspector.call("search_people", {"query": "Elena Weber"})
    assert done.returncode == 0, done.stdout + done.stderr
    assert found["structuredContent"]["facts"][0]["subject"] == "Elena Weber"

    done, filed = inspector.call("propose_action", {**CHANGE, "title": f"Water the plants of {inspector.host}"})
    assert done.returncode == 0, done.stdout + done.stderr
    waiting = filed["structuredContent"]["proposal"]
    assert (waiting["state"], waiting["page"]) == ("pending", f"{inspector.host}/proposals#{waiting['id']}")
    assert "Nothing has been done. This is a proposal" in filed["content"][0]["text"]
    assert waiting["id"] in [p["id"] for p in served.ask("GET", "/api/v1/proposals").json["proposals"]]


async def test_c11_an_outside_server_s_tool_goes_the_whole_way_of_a_proposal_in_a_running_service(tmp_path):
    log = tmp_path / "log"
    log.touch()
    command = json.dumps([sys.executable, str(Path(__file__).with_name("hostile_server.py")), "plain", str(log)])
    settings = f"[mcp.ext]\ncommand = {command}\n"
    server = Served(tmp_path / "home", ("--sample", "--model", "quote"), settings=settings).start().sign_in()
    try:
        listed = server.ask("GET", "/api/v1/system/mcp/tools").json["tools"]
        assert {t["name"]: t["read_only"] for t in listed}["ext__find"] is False
        call = {"call_id": "c1", "name": "ext__find", "arguments": {"query": "plants"}}
        filed = server.ask("POST", "/api/v1/system/mcp/call", call).json
        assert (filed["status"], filed["facts"][0]["kind"], log.read_text()) == ("success", "proposal", "")
        (card,) = server.ask("GET", "/api/v1/proposals").json["proposals"]
        decided = server.ask("POST", f"/api/v1/proposals/{card['id']}/approve", {"digest": card["digest"]})
        assert decided.json["state"] == "done", decided.text
        (sent,) = [json.loads(line) for line in log.read_text().splitlines()]
        assert (sent["name"], sent["arguments"]) == ("find", {"query": "plants"})
        again = server.ask("POST", "/api/v1/system/mcp/call", {**call, "proposal_id": card["id"]}).json
        assert [(f["kind"], f["provenance"]) for f in again["facts"]][:2] == [
            ("receipt", "own"),
            ("ext__find", "second_hand"),
        ]
        # A running service takes up what the operator says meanwhile.
        assert sayso("mcp", "mark-read", "ext", "find", home=server.home).returncode == 0
        listed = server.ask("GET", "/api/v1/system/mcp/tools").json["tools"]
        assert {t["name"]: t["read_only"] for t in listed}["ext__find"] is True
        read = server.ask("POST", "/api/v1/system/mcp/call", {**call, "call_id": "c2"}).json
        assert (read["status"], read["kind"], [f["kind"] for f in read["facts"]]) == (
            "success",
            "read",
            ["ext__find", "lookup"],
        )
        assert sayso("mcp", "mark-write", "ext", "find", home=server.home).returncode == 0
        filed = server.ask("POST", "/api/v1/system/mcp/call", {**call, "call_id": "c3"}).json
        assert [f["kind"] for f in filed["facts"]] == ["proposal"]
    finally:
        server.stop()
