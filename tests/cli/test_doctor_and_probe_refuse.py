"""What `doctor` finds wrong with a model, and what `probe` and `eval` refuse before they begin."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from sayso.cli.commands import COMMANDS, app_of
from sayso.cli.stored import Stored, write_stored
from sayso.probe.verdicts import counted


def run(home: Path, *arguments: str, model: str = "") -> Result:
    environ = {"COLUMNS": "300", "NO_COLOR": "1", "SAYSO_HOME": str(home), "SAYSO_MODEL": model}
    return CliRunner().invoke(app_of(COMMANDS), list(arguments), env=environ)


def test_doctor_complains_of_a_model_that_cannot_be(tmp_path: Path) -> None:
    told = run(tmp_path, "doctor", model="foo")
    assert told.exit_code == 1
    assert "unknown model 'foo'" in told.output


def test_doctor_shows_what_was_stored_and_the_servers_of_this_machine(tmp_path: Path) -> None:
    write_stored(tmp_path, Stored("http://127.0.0.1:9/v1#x", ("groq",)))
    told = run(tmp_path, "doctor")
    assert told.exit_code == 0
    assert "stored: http://127.0.0.1:9/v1#x; allowed keys: groq" in told.output
    assert "model servers on this machine:" in told.output
    assert "no model server tells its models at http://127.0.0.1:9/v1/models" in told.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(("--models", ""), "--models names no model"), (("--models", "quote"), "quote needs no probing"),
     (("--models", "ollama:x", "--html", "/nonexist/x.html"), "there is no folder /nonexist"),
     (("--models", "ollama:x", "--html", "/"), "cannot be written")],
)  # fmt: skip
def test_a_probe_that_cannot_end_well_does_not_begin(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    told = run(tmp_path, "probe", *arguments)
    assert told.exit_code == 2
    assert words in told.output


def test_a_set_without_a_reply_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").write_text("")
    told = run(tmp_path, "eval", "calls", "--data", str(tmp_path / "none.jsonl"))
    assert (told.exit_code, "holds no reply" in told.output) == (2, True)


def test_one_is_no_plural() -> None:
    assert (counted(1, "question"), counted(2, "question"), counted(0, "time")) == (
        "1 question",
        "2 questions",
        "0 times",
    )
