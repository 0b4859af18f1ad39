"""`sayso probe` as a person types it: over a script, over a server of its own, stopped and gone on with."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from typer.testing import CliRunner, Result

from sayso import config
from sayso.cli.commands import COMMANDS, app_of
from sayso.cli.compose import running
from sayso.cli.stored import read_stored, write_stored
from sayso.inapp.surroundings import LOCAL_USER

SCRIPT = [{"call": "list_habits"}, {"say": "The streak of Italian vocabulary is 12 days."}]


def run(home: Path, *arguments: str | Path) -> Result:
    environ = {"COLUMNS": "120", "NO_COLOR": "1", "SAYSO_HOME": str(home), "SAYSO_MODEL": ""}
    return CliRunner().invoke(app_of(COMMANDS), ["probe", *map(str, arguments)], env=environ)


@pytest.fixture
def script(tmp_path: Path) -> str:
    path = tmp_path / "script.json"
    path.write_text(json.dumps(SCRIPT))
    return f"scripted:{path}"


def lines(body: dict[str, Any]) -> dict[str, Any]:
    """Writes `TOOL:` lines, whether it is given native tools or not."""
    last = body["messages"][-1]
    asked = last["content"].startswith("Result of") or last["role"] == "tool"
    return {"content": "The streak of Italian vocabulary is 12 days." if asked else "TOOL: list_habits\nARGS: {}"}


def same_ids(body: dict[str, Any]) -> dict[str, Any]:
    """Calls natively, where it may: two calls of one id, and a prefix before their names."""
    if not body.get("tools") or body["messages"][-1]["role"] == "tool":
        return lines(body)
    calls = [
        {"index": n, "id": "call_0", "function": {"name": f"functions.{name}", "arguments": "{}"}}
        for n, name in enumerate(("list_habits", "list_commitments"))
    ]
    return {"tool_calls": calls}


class Server:
    """A model behind chat completions; it keeps what it was asked. `rejects`: it takes no native tools."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.reply: Callable[[dict[str, Any]], dict[str, Any]] = lines
        self.rejects = False
        self.url = ""

    async def answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.bodies.append(body)
        if self.rejects and body.get("tools"):
            error = {"error": {"message": "registry/lines does not support tools"}}
            return web.json_response(error, status=400)
        delta = self.reply(body)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        usage = {"prompt_tokens": 700, "completion_tokens": 300}
        for chunk in (
            {"delta": delta},
            {"delta": {}, "finish_reason": "tool_calls" if "tool_calls" in delta else "stop"},
        ):
            await response.write(b"data: " + json.dumps({"choices": [chunk]}).encode() + b"\n\n")
        await response.write(b"data: " + json.dumps({"choices": [], "usage": usage}).encode() + b"\n\ndata: [DONE]\n\n")
        return response


@pytest.fixture
def server() -> Iterator[Server]:
    """On a loop and a thread of its own, as the command runs its own loop."""
    played, loop, ready = Server(), asyncio.new_event_loop(), threading.Event()

    async def start() -> web.AppRunner:
        application = web.Application()
        application.router.add_post("/v1/chat/completions", played.answer)
        runner = web.AppRunner(application)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        played.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        return runner

    def serve() -> None:
        runner = loop.run_until_complete(start())
        ready.set()
        loop.run_forever()
        loop.run_until_complete(runner.cleanup())
        loop.close()

    thread = threading.Thread(target=serve)
    thread.start()
    ready.wait(10)
    yield played
    loop.call_soon_threadsafe(loop.stop)
    thread.join(10)


def test_a_script_is_probed_into_a_table_a_file_and_a_page(tmp_path: Path, script: str) -> None:
    done = run(tmp_path, "--models", script, "--quick", "--json", tmp_path / "p.json", "--html", tmp_path / "p.html")
    assert done.exit_code == 0, done.output
    assert "loop driven" in done.stdout
    assert "drives natively" in done.stdout
    told = json.loads((tmp_path / "p.json").read_text())
    assert (len(told["samples"]), told["whole"]) == (10, True)
    assert (tmp_path / "p.html").read_text().startswith("<!doctype html>")


def test_a_server_is_asked_in_both_protocols_and_what_suits_it_is_used(tmp_path: Path, server: Server) -> None:
    spec = f"{server.url}#lines"
    done = run(tmp_path, "--models", spec, "--quick", "--samples", "2", "--apply")
    assert done.exit_code == 0, done.output
    with_tools = [bool(body.get("tools")) for body in server.bodies]
    assert True in with_tools
    assert False in with_tools
    assert "drives as text only" in done.stdout
    stored = read_stored(tmp_path)
    found = stored.proven[spec]
    assert (found.native_tools, found.max_output_tokens) == (False, 1024)
    assert found.verdict.startswith("drives as text only")
    server.bodies.clear()
    asyncio.run(_asked(tmp_path, spec))
    assert [body.get("tools") for body in server.bodies] == [None] * len(server.bodies)
    assert {body.get("max_tokens") or body.get("max_completion_tokens") for body in server.bodies} == {1024}


def test_a_server_that_refuses_native_tools_is_known_for_it(tmp_path: Path, server: Server) -> None:
    server.rejects = True
    done = run(tmp_path, "--models", f"{server.url}#lines", "--quick")
    assert "drives as text only" in done.stdout
    assert "its server takes no native tools" in done.stdout


def test_wrong_ids_of_a_server_are_seen_behind_the_adapter(tmp_path: Path, server: Server) -> None:
    server.reply = same_ids
    done = run(tmp_path, "--models", f"{server.url}#ids", "--quick", "--apply")
    assert "drives natively, with wrong ids" in done.stdout
    assert read_stored(tmp_path).proven[f"{server.url}#ids"].native_tools is True


def test_a_model_with_little_room_is_asked_as_it_would_be_in_use(tmp_path: Path, server: Server) -> None:
    file, spec = tmp_path / "p.json", f"{server.url}#small#ctx=4000"
    done = run(tmp_path, "--models", spec, "--only", "long_history,planning", "--json", file, "--apply")
    assert done.exit_code == 0, done.output
    assert any(s["left_out"] for s in json.loads(file.read_text())["samples"])
    assert "records were left out" in done.stdout
    assert list(read_stored(tmp_path).proven) == [f"{server.url}#small"]


def test_several_models_are_asked_one_after_the_other(tmp_path: Path, server: Server, script: str) -> None:
    file = tmp_path / "p.json"
    done = run(tmp_path, "--models", f"{script},{server.url}#lines", "--only", "one_read", "--json", file)
    assert done.exit_code == 0, done.output
    told = json.loads(file.read_text())
    assert [v["model"] for v in told["verdicts"]] == [script, f"{server.url}#lines"]
    assert len(told["samples"]) == 16


async def _asked(home: Path, spec: str) -> None:
    settings = config.load({"home": home, "sample": True, "model": spec}, {}, home)
    async with running(settings) as assistant:
        async for _ in assistant.ask("How long is my streak in Italian vocabulary?", actor=LOCAL_USER):
            pass


def test_settings_of_other_models_stay_when_one_is_probed(tmp_path: Path, script: str) -> None:
    from sayso.cli.stored import Proven, Stored

    write_stored(tmp_path, Stored("ollama:b", ("groq",), {"ollama:b": Proven(steps=7)}))
    assert run(tmp_path, "--models", script, "--quick", "--apply").exit_code == 0
    stored = read_stored(tmp_path)
    assert (stored.model, stored.consented, stored.proven["ollama:b"].steps) == ("ollama:b", ("groq",), 7)
    assert script in stored.proven


def test_without_a_model_it_says_how_to_name_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def none(*_: object, **__: object) -> tuple[()]:
        return ()

    monkeypatch.setattr("sayso.cli.answering.find_local", none)
    done = run(tmp_path)
    assert done.exit_code == 2
    assert "name one, such as --models" in done.output


@pytest.mark.parametrize("spec", ["nonsense", "scripted:/no/such/file", "http://127.0.0.1:1/v1"])
def test_a_wrong_spec_ends_before_anything_is_asked(tmp_path: Path, spec: str) -> None:
    done = run(tmp_path, "--models", spec, "--json", tmp_path / "p.json")
    assert done.exit_code == 2, done.output
    assert not (tmp_path / "p.json").exists()


def test_a_server_that_is_not_there_is_told_and_fails(tmp_path: Path) -> None:
    done = run(tmp_path, "--models", "http://127.0.0.1:1/v1#m", "--quick", "--apply")
    assert done.exit_code == 1
    assert "gives no replies" in done.stdout
    assert read_stored(tmp_path).proven == {}


def test_going_on_takes_no_other_plan(tmp_path: Path, script: str) -> None:
    file = tmp_path / "p.json"
    assert run(tmp_path, "--models", script, "--quick", "--json", file).exit_code == 0
    done = run(tmp_path, "--resume", file, "--models", "ollama:other")
    assert done.exit_code == 2
    assert "leave --models" in done.output


def test_some_situations_may_be_asked_alone(tmp_path: Path, script: str) -> None:
    file = tmp_path / "p.json"
    done = run(tmp_path, "--models", script, "--only", "gap, planning", "--samples", "1", "--json", file)
    assert done.exit_code == 0, done.output
    assert [s["place"]["scenario"] for s in json.loads(file.read_text())["samples"]] == ["gap", "planning"] * 2
    wrong = run(tmp_path, "--models", script, "--only", "gaps")
    assert wrong.exit_code == 2
    assert "known are one_read" in wrong.output


def test_ctrl_c_keeps_what_was_measured_and_it_is_gone_on_with(tmp_path: Path, script: str) -> None:
    file = tmp_path / "p.json"
    command = ["probe", "--models", script, "--samples", "2", "--json", str(file)]
    environ = os.environ | {"SAYSO_HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path), "COLUMNS": "120"}
    code = "from sayso.cli.main import main; main()"
    running_one = subprocess.Popen(
        [sys.executable, "-c", code, *command], env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while running_one.poll() is None and measured(file) < 3:
        time.sleep(0.05)
    running_one.send_signal(signal.SIGINT)
    out, err = running_one.communicate(timeout=60)
    assert running_one.returncode == 130, err
    assert "Traceback" not in err
    assert "loop driven" in out
    assert "sayso probe --resume" in err
    before = json.loads(file.read_text())["samples"]
    assert 3 <= len(before) < 44
    done = run(tmp_path, "--resume", file)
    assert done.exit_code == 0, done.output
    after = json.loads(file.read_text())
    assert (after["whole"], len(after["samples"])) == (True, 44)
    assert after["samples"][: len(before)] == before


def measured(file: Path) -> int:
    return len(json.loads(file.read_text())["samples"]) if file.exists() else 0
