"""The setting `second_opinion`: a model's spec, off by default, refused where it means nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sayso.cli.commands import COMMANDS, app_of

SAID = "Ilya plays the violin."


def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opinion: str | None) -> tuple[int, str]:
    script = tmp_path / "model.json"
    script.write_text(json.dumps([{"say": SAID}, {"say": SAID}]))
    settings = {"SAYSO_HOME": str(tmp_path / "home"), "SAYSO_MODEL": f"scripted:{script}"}
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    if opinion:
        monkeypatch.setenv("SAYSO_SECOND_OPINION", opinion)
    ended = CliRunner().invoke(app_of(COMMANDS), ["ask", "--sample", "--json", "Who is Ilya Druzhnikov?"])
    return ended.exit_code, ended.stdout + str(ended.exception or "")


def test_it_is_off_by_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, told = ask(tmp_path, monkeypatch, None)
    assert json.loads(told)["answer"] == f"{SAID} (not in your records)"


def test_a_named_model_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge = tmp_path / "judge.json"
    judge.write_text('[{"say": "YES"}]')
    _, told = ask(tmp_path, monkeypatch, f"scripted:{judge}")
    assert json.loads(told)["answer"].startswith(SAID)
    assert "not in your records" not in told


def test_quote_is_refused_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, told = ask(tmp_path, monkeypatch, "quote")
    assert code != 0
    assert "quote has no opinion" in told
