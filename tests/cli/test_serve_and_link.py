"""`serve`, `link` and `--sample` as commands: one home, two workspaces, and links that work."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

SAYSO = Path(sys.executable).with_name("sayso")
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SAYSO_")}
    return kept | {
        "SAYSO_HOME": str(tmp_path / "home"),
        "SAYSO_MODEL": "quote",
        "NO_COLOR": "1",
        "PYTHONUNBUFFERED": "1",
    }


@pytest.fixture
def run(tmp_path: Path, environ: dict[str, str]) -> Run:
    def started(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        command = [str(SAYSO), *map(str, arguments)]
        return subprocess.run(
            command, cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=60, check=False
        )

    return started


@pytest.fixture
def server(tmp_path: Path, environ: dict[str, str]) -> Iterator[tuple[int, list[str]]]:
    """A server of the sample, its port given by the environment, and what it said up to its link."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [str(SAYSO), "serve", "--sample"], cwd=tmp_path, env=environ | {"SAYSO_PORT": str(port)},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    lines: list[str] = []
    for line in process.stdout or ():
        lines.append(line)
        if "Ctrl-C" in line:
            break
    yield port, lines
    process.send_signal(signal.SIGINT)
    assert process.wait(20) in (0, 130)


def test_the_sample_is_named_first_and_link_finds_its_server(server: tuple[int, list[str]], run: Run) -> None:
    port, lines = server
    assert lines[0].startswith("This is the made-up sample.")
    found = run("link")
    assert (found.returncode, found.stderr) == (0, "")
    assert re.fullmatch(rf"http://localhost:{port}/sign-in\?token=\S+\n", found.stdout)
    assert run("link", "--port", "1").returncode == 1
    busy = run("serve", "--port", port)
    assert (busy.returncode, busy.stdout) == (1, "")
    assert f"port {port} is taken" in busy.stderr


def test_link_without_a_server_fails_and_says_how_to_start_one(run: Run) -> None:
    found = run("link")
    assert (found.returncode, found.stdout) == (1, "")
    assert "sayso serve" in found.stderr


def test_the_sample_never_mixes_with_a_persons_own_records(run: Run, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("Name,Company\nOda Lund,Fjordkraft\n", encoding="utf-8")
    asked = run("ask", "Who is Elena Weber?", "--sample")
    assert "SINGA Switzerland" in asked.stdout
    assert "Your workspace is empty" in run("ask", "Who is Elena Weber?").stderr
    assert run("import", "people.csv").returncode == 0
    assert "1 person, 0 projects" in run("doctor").stdout
    assert "62 people" in run("doctor", "--sample").stdout
    own = run("ask", "Who is Elena Weber?")
    assert "SINGA" not in own.stdout
    assert "empty" not in own.stderr
    assert "No one called Oda Lund" in run("ask", "Who is Oda Lund?", "--sample").stdout
    assert "No pending proposals" in run("proposals", "list", "--sample").stdout
