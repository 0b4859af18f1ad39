"""How the command ends where its output, its input or its time is cut off: a code and one line, never a stack."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer

from sayso.cli import importing, proposals
from sayso.cli.ending import code_of
from sayso.cli.proposals import decide
from sayso.cli.terms import Terminal
from sayso.errors import ImportFailed
from sayso.workspace.workspace import Workspace

SAYSO = Path(sys.executable).with_name("sayso")
Run = Callable[..., subprocess.CompletedProcess[str]]
STOPS_AT = """
import os, signal, sys
class Stop:
    def find_spec(self, name, *_):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Stop())
sys.argv = ["sayso", "doctor"]
from sayso.cli.main import main
main()
"""


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SAYSO_")}
    return kept | {"SAYSO_HOME": str(tmp_path / "home"), "SAYSO_MODEL": "quote", "COLUMNS": "200", "NO_COLOR": "1"}


@pytest.fixture
def shell(tmp_path: Path, environ: dict[str, str]) -> Run:
    def run(line: str) -> subprocess.CompletedProcess[str]:
        command = ["bash", "-c", line.replace("sayso", f"'{SAYSO}'")]
        return subprocess.run(
            command, cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=60, check=False
        )

    return run


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize(
    "command", ["ask --sample Elena", "ask --sample --json Elena", "doctor", "models", "--version"]
)
def test_a_full_disk_is_one_line(shell: Run, command: str) -> None:
    ended = shell(f"sayso {command} >/dev/full")
    assert (ended.returncode, ended.stderr.splitlines()[-1].startswith("the output: No space left")) == (1, True)
    assert "Traceback" not in ended.stderr
    assert "Exception ignored" not in ended.stderr


@pytest.mark.parametrize("command", ["ask --sample Elena", "doctor", "models", "proposals list --sample"])
def test_a_closed_pipe_ends_every_command_alike(shell: Run, command: str) -> None:
    ended = shell(f"sayso {command} | true; exit ${{PIPESTATUS[0]}}")
    assert ended.returncode in (0, 1)
    assert "Traceback" not in ended.stderr
    assert "Error" not in ended.stderr


def test_a_closed_pipe_is_an_error_that_goes_up(monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        Terminal(file=Closed()).print("x")


def test_chat_without_an_input_says_so(shell: Run) -> None:
    ended = shell("sayso chat --sample <&-")
    assert (ended.returncode, "Standard input is closed" in ended.stderr) == (1, True)
    assert "Traceback" not in ended.stderr


def test_bytes_that_are_no_text_are_a_question_like_others(shell: Run) -> None:
    ended = shell(r"printf '\xff\n' | sayso chat --sample")
    assert (ended.returncode, "Traceback" in ended.stderr) == (0, False)
    ended = shell(r"sayso ask --sample $'\xff'")
    assert "Traceback" not in ended.stderr


def test_a_home_of_no_name_is_wrong_usage(shell: Run) -> None:
    ended = shell('sayso doctor --home ""')
    assert (ended.returncode, "it is empty" in ended.stderr) == (2, True)


@pytest.mark.parametrize("module", ["sayso.cli.commands", "typer", "sqlalchemy", "sayso.workspace.sample"])
def test_ctrl_c_while_loading_is_no_stack(environ: dict[str, str], module: str) -> None:
    code = STOPS_AT.format(module=module)
    ended = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) in ((130, ""), (0, ""))


@pytest.mark.parametrize("way", ["to_be_approved", "at_once"])
def test_a_yes_from_a_pipe_is_no_approval(shell: Run, way: str) -> None:
    flag = "--approve-from-pipe" if way == "at_once" else ""
    ended = shell(f"printf 'Remind me to water the plants tomorrow\\nyes\\n' | sayso chat --sample {flag}")
    assert ended.returncode == 0
    assert ("created: Commitment: Water the plants" in ended.stdout) == (way == "at_once")
    assert ("It waits: a say-so needs a terminal" in ended.stdout) == (way == "to_be_approved")
    pending = shell("sayso proposals list --sample").stdout
    assert ("Water the plants" in pending) == (way == "to_be_approved")
    if way == "to_be_approved":
        refused = shell(f"yes | sayso proposals approve --sample {pending[:12]}")
        assert (refused.returncode, "--yes" in refused.stderr) == (1, True)
        assert "Water the plants" in shell("sayso proposals list --sample").stdout


@pytest.mark.anyio
async def test_an_input_that_ends_at_a_card_leaves_it_waiting(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    card = {"id": "p1", "state": "pending", "title": "Tea", "digest": "d"}

    async def get(*_: str) -> Any:
        return card

    monkeypatch.setattr(proposals.Desk, "card", get)
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    await decide(SimpleNamespace(), "p1", from_pipe=True)  # pyright: ignore[reportArgumentType]
    assert "It waits" in capsys.readouterr().out


def test_ctrl_c_in_an_import_says_what_is_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "people.csv").write_text("Name\n" + "".join(f"Person {n}\n" for n in range(1200)))
    store, calls = Workspace.upsert, list[int]()

    def stopped(self: Workspace, *arguments: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return store(self, *arguments)

    monkeypatch.setattr(Workspace, "upsert", stopped)
    with pytest.raises(KeyboardInterrupt):
        importing.import_paths([tmp_path / "people.csv"], home=tmp_path / "home")
    told = " ".join(capsys.readouterr().err.split())
    assert "Stopped. Stored so far: 500 new, 0 changed, 0 unchanged. Run the same import again" in told
    importing.import_paths([tmp_path / "people.csv"], home=tmp_path / "home")
    assert "700 new, 0 changed, 500 unchanged" in capsys.readouterr().out


def _raised(error: BaseException) -> Callable[[], None]:
    def run() -> None:
        raise error

    return run


def test_each_end_has_its_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert code_of(lambda: None) == 0
    assert code_of(_raised(SystemExit(3))) == 3
    assert code_of(_raised(ImportFailed("no such file; check the path"))) == 1
    assert code_of(_raised(PermissionError(13, "Permission denied", "/x"))) == 1
    assert "/x: Permission denied" in capsys.readouterr().err
    with pytest.raises(typer.Exit):  # only the command line itself knows what this means
        code_of(_raised(typer.Exit(2)))
