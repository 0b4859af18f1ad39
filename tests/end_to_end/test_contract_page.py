"""The examples of docs/contract.md, as somebody who copies them runs them: one process, the sample, an API token."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import sayso.web
from processes import PATIENCE, Served
from processes import sayso as run_sayso
from sayso.serving.event_shapes import EVENTS

PAGE = Path(__file__).parents[2] / "docs" / "contract.md"
STATIC = Path(sayso.web.__file__).parent / "static"
TEXT = PAGE.read_text(encoding="utf-8")


def block(language: str) -> str:
    found = re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)
    assert found, f"the page has no example in {language}"
    return "\n".join(found)


@pytest.fixture(scope="module")
def environ(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, str]]:
    home = tmp_path_factory.mktemp("contract_page")
    server = Served(home, ("--sample", "--model", "quote")).start()
    made = run_sayso("tokens", "add", "try-it", "--scope", "*", "--sample", home=home)
    assert made.returncode == 0, made.stderr
    yield {**os.environ, "SAYSO": server.url, "TOKEN": made.stdout.strip()}
    server.stop()


def ran(command: list[str], code: str, folder: Path, environ: Mapping[str, str]) -> str:
    done = subprocess.run(
        command, input=code, env=dict(environ), cwd=folder, capture_output=True, text=True, check=False,
        timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_curl_example_asks_and_is_told_what_to_call(environ: Mapping[str, str], tmp_path: Path) -> None:
    told = ran(["sh", "-eu"], block("sh"), tmp_path, environ)
    counts = {name: int(number) for number, name in re.findall(r"(\d+) event: (\S+)", told)}
    assert counts["run-started"] == counts["finish"] == 1
    assert '"outcome":"created"' in told
    assert [change["note"] or change["state"] for change in json.loads(told.rpartition("\n")[2])["changes"]][:2] == [
        "filed", "edited",
    ]  # fmt: skip
    assert counts.get("client-tool-call", 0) + counts.get("answer", 0) >= 1


def test_the_python_example_answers_and_asks_a_person(environ: Mapping[str, str], tmp_path: Path) -> None:
    told = ran([sys.executable, "-"], block("python"), tmp_path, environ)
    assert "SINGA Switzerland" in told
    assert "done\n" in told


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_the_javascript_example_answers(environ: Mapping[str, str], tmp_path: Path) -> None:
    shutil.copytree(STATIC, tmp_path / "static")
    (tmp_path / "static" / "package.json").write_text('{"type": "module"}')
    (tmp_path / "static" / "example.js").write_text(block("js"))
    assert "SINGA Switzerland" in ran(["node", "static/example.js"], "", tmp_path, environ)


def test_the_page_names_every_event_and_no_other() -> None:
    table = TEXT.split("## Events", 1)[1]
    assert re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE) == list(EVENTS)
