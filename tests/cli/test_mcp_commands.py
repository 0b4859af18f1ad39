"""`sayso mcp servers|pin|mark-read|mark-write` and the doctor's lines, as an operator types them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from processes import sayso

HOSTILE = Path(__file__).parent.parent / "gateway" / "mcp" / "hostile_server.py"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "log").touch()
    command = json.dumps([sys.executable, str(HOSTILE), "changing", str(tmp_path / "log")])
    (tmp_path / "sayso.toml").write_text(f'model = "quote"\n[mcp.ext]\ncommand = {command}\n')
    return tmp_path


def test_a_server_s_tools_are_shown_marked_changed_and_pinned_again(home: Path) -> None:
    assert "find -> ext__find: each call waits for a person" in sayso("mcp", "servers", home=home).stdout
    assert "reads at once (marked)" in sayso("mcp", "mark-read", "ext", "find", home=home).stdout
    assert "mcp: ext: 1 tool\n" in sayso("doctor", home=home).stdout
    (home / "log").write_text("{}\n")  # what the server says of its tool depends on it
    told = sayso("doctor", home=home)
    assert "mcp: ext: find (its definition has changed)" in told.stderr.replace("\n", " ")
    refused = sayso("mcp", "mark-read", "ext", "ext__find", home=home)
    assert (refused.returncode, "has changed" in refused.stderr) == (1, True)
    assert "each call waits for a person" in sayso("mcp", "pin", "ext", home=home).stdout
    assert "each call waits" in sayso("mcp", "mark-write", "ext", "find", home=home).stdout


def test_a_server_that_is_away_and_a_name_that_nobody_gave_are_told_with_what_to_do(home: Path) -> None:
    text = (home / "sayso.toml").read_text()
    (home / "sayso.toml").write_text(text + '[mcp.gone]\nurl = "http://127.0.0.1:9/mcp"\nseconds = 5\n')
    told = sayso("mcp", "servers", home=home)
    assert (told.returncode, "check [mcp.gone] in sayso.toml" in told.stderr) == (1, True)
    assert "ext__find" in told.stdout
    assert "gone" in sayso("doctor", home=home).stderr
    assert "known are ext, gone" in sayso("mcp", "pin", "nobody", home=home).stderr
    assert sayso("mcp", "pin", "ext", "no_tool", home=home).returncode == 1
    assert sayso("mcp", "mark-read", "ext", "no_tool", home=home).returncode == 1


def test_without_servers_it_says_how_to_set_one_up(tmp_path: Path) -> None:
    assert "Add a table [mcp.NAME]" in sayso("mcp", "servers", home=tmp_path).stdout


def test_a_secret_that_is_not_set_is_named(tmp_path: Path) -> None:
    (tmp_path / "sayso.toml").write_text(
        '[mcp.crm]\nurl = "https://crm.example/mcp"\nheaders = {Authorization = "CRM_TOKEN"}\n'
    )
    told = sayso("mcp", "servers", home=tmp_path)
    assert told.returncode == 1
    assert "environment variable CRM_TOKEN; set it" in told.stderr.replace("\n", " ")
