"""The inference service as a process of its own: what it loads, what it opens, and that it answers."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from sayso.signing.keys import open_keyring
from sealed_world import GatewayDouble, MovingClock

FORBIDDEN = ("sqlalchemy", "sqlite3", "alembic", "sayso.store", "sayso.workspace", "sayso.gateway", "sayso.inapp",
             "sayso.server", "sayso.caller")  # fmt: skip
SCRIPT = [{"call": "search_people", "arguments": {"query": "Elena"}}, {"say": "Hello! How can I help?"}]
# The same entry point, which tells on a signal what is loaded.
ENTRY = """
import json, os, signal, sys
def tell(*_):
    with open(os.environ["LOADED"] + ".new", "w") as file:
        json.dump(sorted(sys.modules), file)
    os.replace(os.environ["LOADED"] + ".new", os.environ["LOADED"])
signal.signal(signal.SIGUSR1, tell)
from sayso.cli.main import main
main()
"""


@contextmanager
def served(home: Path, *arguments: str, **environ: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    script = home / "script.json"
    script.write_text(json.dumps(SCRIPT))
    told = {**os.environ, "SAYSO_MODEL": f"scripted:{script}", "LOADED": str(home / "loaded.json"), **environ}
    command = [sys.executable, "-c", ENTRY, "serve", "--role", "inference", "--port", "0", "--home", str(home)]
    process = subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, text=True, env=told, cwd=home)
    try:
        assert process.stdout is not None
        lines = iter(process.stdout.readline, "")
        url = next(m[1] for line in lines if (m := re.search(r"listens on (http://\S+)", line)))
        yield url, process
    finally:
        process.terminate()
        process.wait(30)


def loaded_by(process: subprocess.Popen[str], told: Path) -> list[str]:
    process.send_signal(signal.SIGUSR1)
    for _ in range(600):
        if told.exists():
            return json.loads(told.read_text())
        time.sleep(0.1)
    raise AssertionError("the process does not tell")


def post(url: str, body: object, **headers: str) -> tuple[int, str]:
    request = Request(url, json.dumps(body).encode(), {"content-type": "application/json", **headers})
    try:
        with urlopen(request, timeout=60) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as refused:
        return refused.code, refused.read().decode()


def test_it_answers_without_loading_or_opening_any_store(tmp_path: Path) -> None:
    clock = MovingClock()
    clock.at = datetime.now(UTC)
    gateway = GatewayDouble(clock, open_keyring(tmp_path / "elsewhere"))
    keys = tmp_path / "gateway.json"
    keys.write_text(json.dumps(gateway.ring.public.as_set()))
    home = tmp_path / "home"
    home.mkdir()
    with served(home, "--gateway-keys", str(keys)) as (url, process):
        status, text = post(f"{url}/api/v1/ai/chat", {"message": "Who is Elena?", "catalogue": gateway.catalogue()})
        assert status == 200
        assert "event: client-tool-call" in text
        opened = [os.readlink(f"/proc/{process.pid}/fd/{n}") for n in os.listdir(f"/proc/{process.pid}/fd")]
        assert not [path for path in opened if path.startswith(str(home)) or ".db" in path]
        forged = gateway.catalogue() | {"tools": []}
        assert post(f"{url}/api/v1/ai/chat", {"message": "Hi", "catalogue": forged})[0] == 401
        loaded = loaded_by(process, home / "loaded.json")
    assert "sayso.inference.app" in loaded
    assert [m for m in loaded if any(m == f or m.startswith(f"{f}.") for f in FORBIDDEN)] == []
    assert sorted(str(p.relative_to(home)) for p in home.rglob("*") if p.is_file() and "keys" not in p.parts) == [
        "loaded.json", "script.json",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "--gateway-keys"),
        (("--gateway-keys", "nowhere.json"), "nowhere.json"),
        (("--allow-unsealed", "--host", "0.0.0.0"), "SAYSO_INFERENCE_TOKEN"),
    ],
)
def test_it_does_not_start_open(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    command = [sys.executable, "-m", "sayso", "serve", "--role=inference", "--home", str(tmp_path), "--port", "0"]
    code = "from sayso.cli.main import main; import sys; sys.argv = ['sayso', *sys.argv[1:]]; main()"
    command = [sys.executable, "-c", code, *command[3:]]
    ended = subprocess.run([*command, *arguments], capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert ended.returncode == 1
    assert words in ended.stderr
    assert "Traceback" not in ended.stderr
