"""Settings: what wins, where it came from, and errors that say what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from sayso.config import load, shown
from sayso.errors import ConfigError


def test_flags_win_over_the_environment_and_that_over_the_file(tmp_path: Path) -> None:
    (tmp_path / "sayso.toml").write_text('model = "file"\nport = 1000\nsteps = 5\n')
    environ = {"SAYSO_HOME": str(tmp_path), "SAYSO_MODEL": "environment", "SAYSO_PORT": "2000"}
    config = load({"model": "flag", "port": None}, environ, tmp_path)
    assert (config.model, config.port, config.steps) == ("flag", 2000, 5)
    told = {name: config.origins[name] for name in ("model", "port", "steps", "locale", "home")}
    assert told == {
        "model": "flag --model", "port": "SAYSO_PORT", "steps": str(tmp_path / "sayso.toml"), "locale": "default",
        "home": "SAYSO_HOME",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('modle = "x"', "did you mean 'model'"),
        ("port = 70000", "0 to 65535"),
        ("port = true", "whole number"),
        ("model = 3", "in quotes"),
        ('time_zone = "Mars/Olympus"', "Europe/Zurich"),
        ('locale = "fr"', "en, de"),
        ("model = ", "not valid TOML"),
        ("allowed_hosts = [1]", "in quotes"),
    ],
)
def test_a_wrong_setting_says_what_to_do(tmp_path: Path, line: str, words: str) -> None:
    (tmp_path / "sayso.toml").write_text(line)
    with pytest.raises(ConfigError, match=words):
        load({"home": tmp_path}, {}, tmp_path)


@pytest.mark.parametrize(
    ("line", "environ", "flag"),
    [
        ('model = ["groq:a", "ollama:b"]', {}, None),
        ('model = "groq:a,ollama:b"', {}, []),
        ("", {"SAYSO_MODEL": "groq:a,  ollama:b,"}, None),
        ('model = "quote"', {"SAYSO_MODEL": "quote"}, ["groq:a", "ollama:b"]),
        ("", {}, ["groq:a,ollama:b"]),
    ],
)
def test_several_models_may_be_named_anywhere(tmp_path: Path, line: str, environ: dict[str, str], flag: object) -> None:
    (tmp_path / "sayso.toml").write_text(line)
    assert load({"home": tmp_path, "model": flag}, environ, tmp_path).model == "groq:a, ollama:b"


def test_the_tool_loop_can_be_switched_off(tmp_path: Path) -> None:
    assert load({"home": tmp_path}, {}, tmp_path).tool_loop
    assert not load({"home": tmp_path}, {"SAYSO_TOOL_LOOP": "0"}, tmp_path).tool_loop


def test_secrets_are_never_shown(tmp_path: Path) -> None:
    config = load({"home": tmp_path}, {"SAYSO_SMTP_URL": "smtp://me:secret@mail"}, tmp_path)
    assert (shown(config, "smtp_url"), shown(config, "agent_token")) == ("(set)", "(not set)")
