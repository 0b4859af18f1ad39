"""What `models use` warns of and says, what `models forget` takes back, and which specs are refused."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from sayso.cli.reachable import sent_to

SAYSO = Path(sys.executable).with_name("sayso")
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def run(tmp_path: Path, home: Path) -> Run:
    kept = {n: v for n, v in os.environ.items() if not n.startswith("SAYSO_") and not n.endswith("_API_KEY")}
    environ = kept | {"SAYSO_HOME": str(home), "NO_COLOR": "1"}

    def started(*arguments: str, typed: str = "", **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(SAYSO), *arguments], cwd=tmp_path, env=environ | more, capture_output=True, text=True, timeout=120,
            check=False, input=typed,
        )  # fmt: skip

    return started


class _Models(BaseHTTPRequestHandler):
    """A server that has the model `here`, and answers /v1/models only."""

    def do_GET(self) -> None:
        known = self.path == "/v1/models"
        self.send_response(200 if known else 404)
        self.end_headers()
        self.wfile.write(json.dumps({"data": [{"id": "here"}]}).encode() if known else b"404 page not found")

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    running = ThreadingHTTPServer(("127.0.0.1", 0), _Models)
    thread = threading.Thread(target=running.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{running.server_address[1]}"
    running.shutdown()
    thread.join()
    running.server_close()


def test_an_address_of_this_machine_is_looked_at_when_it_is_chosen(run: Run, server: str) -> None:
    assert run("models", "use", f"{server}/v1#here").stderr == ""
    assert "has no model 'other'; it has here." in run("models", "use", f"{server}/v1#other").stderr
    without = run("models", "use", f"{server}#here").stderr
    assert "(is /v1 missing?)" in without
    assert "Until then quote answers." in without
    assert "start it, or check the address." in run("models", "use", "http://127.0.0.1:9/v1#x").stderr


def test_naming_a_hosted_model_says_to_whom_records_are_sent(run: Run) -> None:
    used = run("models", "use", "openai:gpt-x", OPENAI_API_KEY="sk-x")
    assert (used.returncode, used.stderr) == (0, "")
    assert "Your records are sent to openai with each question." in used.stdout
    assert "until it is started again" in used.stdout
    shown = run("models", OPENAI_API_KEY="sk-x", GROQ_API_KEY="gsk-x").stdout
    assert "models allow openai" not in shown
    assert "models allow groq" in shown


def test_only_what_is_beyond_this_machine_is_sent_records() -> None:
    specs = (
        "quote",
        "gguf:a.gguf",
        "ollama:x",
        "http://localhost:1/v1#x",
        "http://[::1]:1/v1#x",
        "http://127.0.0.2/v1#x",
    )
    assert sent_to(specs) == ()
    elsewhere = ("groq:x", "anthropic+https://models.example/v1#x", "pydantic-ai:bedrock:x", "groq:y")
    assert sent_to(elsewhere) == ("groq", "models.example", "bedrock")


def test_what_was_stored_can_be_taken_back_one_by_one_and_whole(run: Run, home: Path) -> None:
    file = home / "models.json"
    run("models", "use", "llamacpp:one")
    run("models", "allow", "groq", "--yes")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    kept = json.loads(file.read_text()) | {"proven": {"quote": {"steps": 2}}}
    file.write_text(json.dumps(kept))
    assert run("models", "forget", "groq").returncode == 0
    assert json.loads(file.read_text())["consented"] == []
    assert run("models", "forget", "groq").returncode == 2
    run("models", "forget", "results")
    assert json.loads(file.read_text()) == {"model": "llamacpp:one", "consented": [], "proven": {}}
    told = run("models", "forget")
    assert "Forgotten: choice, results." in told.stdout
    assert json.loads(file.read_text())["model"] is None


@pytest.mark.parametrize(
    ("spec", "words"),
    [("anthropic:", "names no model"), ("ollama:x#foo=3", "'#foo=3' is unknown"), ("ollama:x,ollama:x", "named twice"),
     ("http://127.0.0.1:9/v1#x#foo=3", "'#foo=3' is unknown")],
)  # fmt: skip
def test_a_spec_that_cannot_be_meant_is_refused(run: Run, spec: str, words: str) -> None:
    used = run("models", "use", spec)
    assert (used.returncode != 0, words in used.stderr) == (True, True), used.stderr


def test_a_question_is_asked_for_where_there_is_none_and_may_come_from_standard_input(run: Run) -> None:
    for empty in ("", "   "):
        asked = run("ask", empty, "--sample", "--model", "quote")
        assert (asked.returncode, "question is empty" in asked.stderr, asked.stdout) == (2, True, "")
    assert run("ask", "-", "--sample", "--model", "quote").returncode == 2
    piped = run("ask", "-", "--sample", "--model", "quote", typed="Who is Elena Weber?\n")
    assert (piped.returncode, "Elena Weber" in piped.stdout) == (0, True)
    image = run("ask", "What is this?", "--image", "-", "--sample", "--model", "quote")
    assert (image.returncode, "not read from standard input: name its file" in image.stderr) == (2, True)


def test_that_something_was_withheld_is_said_in_one_line(run: Run, tmp_path: Path) -> None:
    said = [{"call": "search_people", "arguments": {"query": "Elena Weber"}},
            {"say": "Elena Weber lives in Oslo [F1]."}, {"say": "Elena Weber lives in Oslo [F1]."}]  # fmt: skip
    (tmp_path / "wrong.json").write_text(json.dumps(said))
    asked = run("ask", "Where does Elena live?", "--sample", "--model", "scripted:wrong.json")
    assert asked.returncode == 3
    assert "1 sentence was withheld: your records do not carry it." in asked.stderr
    assert "Oslo" not in asked.stdout


def test_a_chat_knows_its_commands_and_says_so_of_others(run: Run) -> None:
    told = run("chat", "--sample", "--model", "quote", typed="/help\n/foo bar\n/quit\nWho is Elena Weber?\n")
    assert told.stderr.count("/image FILE attaches an image") == 2
    assert "There is no command /foo." in told.stderr
    assert "Elena" not in told.stdout
