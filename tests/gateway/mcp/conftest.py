"""Outside servers for tests: processes that misbehave as asked, and their pins in a home of their own."""

import json
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sayso.core.evidence import Evidence
from sayso.core.messages import ToolCall
from sayso.core.runner import InProcessRunner
from sayso.core.tools import Actor, Registry, ToolContext
from sayso.gateway.mcp.outside import Outside
from sayso.gateway.mcp.settings import OutsideServer

NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
SERVER = Path(__file__).with_name("hostile_server.py")
OURS = ("search_people", "propose_action")


@dataclass
class Met:
    """One outside server of a mode, met and pinned."""

    outside: Outside
    log: Path
    server: OutsideServer
    filed: list = field(default_factory=list)
    found: tuple = ()

    @property
    def calls(self):
        """What the server was asked to run."""
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def tool(self, name="ext__find"):
        return next(tool for tool in self.outside.tools() if tool.name == name)

    def read(self, name="ext__find"):
        self.outside.mark("ext", name, read=True)
        return self.tool(name)

    async def run(self, name="ext__find", arguments='{"query": "Elena"}', seconds=60.0):
        """The result of one call, as a run of the assistant gets it."""

        async def file(change, tool, call, context):
            self.filed.append(change)
            raise AssertionError("nothing is filed here")

        context = ToolContext(Actor("ann", "ann"), NOW)
        runner = InProcessRunner(Registry(self.outside.tools()), context, Evidence(), file, seconds)
        return await runner.run(ToolCall("call_1", name, arguments))


@pytest.fixture
async def meet(tmp_path):
    """Start a server in a mode: `await meet("hangs", seconds=2)`."""
    started = []

    async def start(mode, *, seconds=30.0, home=None, taken=OURS, **settings):
        log = tmp_path / f"{mode}.log"
        log.touch()
        command = (sys.executable, str(SERVER), mode, str(log))
        server = OutsideServer("ext", command=command, seconds=seconds, **settings)
        outside = Outside([server], home or tmp_path / "home", lambda: taken)
        started.append(outside)
        met = Met(outside, log, server)
        met.found = await outside.prepare()
        return met

    yield start
    for outside in started:
        await outside.aclose()
