"""What `ask` prints by default and on request, a card in words, and a model that is not there yet."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

SAYSO = Path(sys.executable).with_name("sayso")
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SAYSO_")}
    environ = kept | {"SAYSO_HOME": str(tmp_path / "home"), "NO_COLOR": "1"}

    def started(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(SAYSO), *arguments], cwd=tmp_path, env=environ | more, capture_output=True, text=True, timeout=60,
            check=False,
        )  # fmt: skip

    return started


def test_sources_are_one_line_each_unless_more_is_asked_for(run: Run) -> None:
    asked = ("ask", "Who is Elena Weber?", "--sample", "--model", "quote")
    short, full, verbose = run(*asked), run(*asked, "--sources", "full"), run(*asked, "-v")
    assert "[F1] person: Elena Weber (people)" in short.stdout
    assert "affiliation: SINGA" not in short.stdout.split("Sources")[1]
    assert "search_people" not in short.stderr
    for told in (full.stdout, verbose.stdout):
        assert "affiliation: SINGA Switzerland" in told.split("Sources")[1]
        assert "not recorded: role" in told.split("Sources")[1]
    assert "search_people" not in full.stderr
    assert "search_people" in verbose.stderr
    assert "Sources" not in run(*asked, "--sources", "none").stdout


def test_nothing_found_is_an_answer_and_no_failure(run: Run) -> None:
    asked = run("ask", "Who is Zebulon Quist?", "--sample", "--model", "quote")
    assert (asked.returncode, "No one called Zebulon Quist" in asked.stdout) == (0, True)


def test_a_local_model_that_does_not_answer_is_stored_with_a_warning(run: Run) -> None:
    used = run("models", "use", "llamacpp:nothing-of-that-name")
    assert used.returncode == 0
    assert "answers from now on" in used.stdout
    assert "llamacpp" in used.stderr
    assert "Until then quote answers." in used.stderr
    assert run("models", "use", "quote").stderr == ""


def test_several_models_are_stored_and_shown_in_their_order(run: Run) -> None:
    used = run("models", "use", "llamacpp:one", "vllm:two#ctx=6000,quote")
    assert used.returncode == 0
    assert "llamacpp:one then vllm:two#ctx=6000 then quote answers from now on." in used.stdout
    assert used.stderr.count("Until then") == 1
    shown = run("models").stdout
    assert "1. llamacpp:one\n  2. vllm:two#ctx=6000\n  3. quote\n" in shown
    wrong = run("models", "use", "quote", "llamacpp:one")
    assert (wrong.returncode, "write it last" in wrong.stderr) == (1, True)


def test_verbose_tells_who_answered_and_why_others_did_not(run: Run) -> None:
    dead = ("--model", "http://127.0.0.1:1/v1#first", "-m", "http://127.0.0.1:2/v1#second")
    asked = run("ask", "Who is Elena Weber?", "--sample", "-v", *dead)
    assert asked.returncode == 0, asked.stderr
    assert "answered by quote" in asked.stderr
    assert "first: model_unreachable" in asked.stderr
    assert "second: model_unreachable" in asked.stderr
    assert "second answers instead." in asked.stderr
