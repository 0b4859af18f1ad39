"""`sayso users`, `tokens` and `audit` as commands, and a server that they sign in to."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from processes import Served, sayso
from sayso.store.audit import read_heads

PASSWORD = "nine green bottles on a wall"
MAIN = "import sys; from sayso.cli.main import main; sys.exit(main())"


def typed(home: Path, text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command with a password on its standard input."""
    return subprocess.run(
        [sys.executable, "-c", MAIN, *arguments, "--home", str(home)], input=text, capture_output=True, text=True,
        timeout=120, check=False, cwd=home,
    )  # fmt: skip


def test_users_are_added_listed_changed_and_disabled(tmp_path: Path) -> None:
    short = typed(tmp_path, "short\n", "users", "add", "ada")
    assert (short.returncode, "at least 15 characters" in short.stderr) == (1, True)
    assert typed(tmp_path, f"{PASSWORD}\n", "users", "add", "Ada", "--role", "operator").returncode == 0
    again = typed(tmp_path, f"{PASSWORD}\n", "users", "add", "ADA")
    assert (again.returncode, "already" in again.stderr) == (1, True)
    wrong = sayso("users", "add", "bob", "--no-password", "--role", "king", home=tmp_path)
    assert (wrong.returncode, "viewer, operator, admin" in wrong.stderr) == (1, True)
    made = sayso("users", "add", "bob", "--generate", "--owner", "sales", home=tmp_path)
    assert len(made.stdout.splitlines()[0]) >= 20
    assert sayso("users", "roles", "ada", "viewer", home=tmp_path).returncode == 0
    assert sayso("users", "disable", "bob", home=tmp_path).returncode == 0
    unknown = sayso("users", "password", "carl", "--generate", home=tmp_path)
    assert (unknown.returncode, "sayso users list" in unknown.stderr, unknown.stdout) == (1, True, "")
    refused = sayso("users", "add", "dan", "--generate", "--role", "king", home=tmp_path)
    assert (refused.returncode, refused.stdout) == (1, "")
    listed = [line.split() for line in sayso("users", "list", home=tmp_path).stdout.splitlines()[1:]]
    assert listed == [["ada", "viewer", "local", "set"], ["bob", "viewer", "sales", "set", "disabled"]]
    told = sayso("audit", "list", home=tmp_path).stdout
    assert [line.split("  ")[2:5] for line in told.splitlines()] == [
        ["local", "administered", "user bob"],
        ["local", "administered", "user ada"],
        ["local", "administered", "user bob"],
        ["local", "administered", "user ada"],
    ]
    assert PASSWORD not in told


def test_an_altered_log_is_found_and_named(tmp_path: Path) -> None:
    for name in ("ada", "bob", "cy"):
        assert sayso("users", "add", name, "--no-password", home=tmp_path).returncode == 0
    head = sayso("audit", "head", home=tmp_path).stdout
    assert json.loads(head)["number"] == 3
    heads = tmp_path / "heads"
    heads.write_text(head)
    fine = sayso("audit", "verify", "--head", str(heads), home=tmp_path)
    assert (fine.returncode, fine.stdout.startswith("3 entries")) == (0, True)
    with sqlite3.connect(tmp_path / "sayso.db") as database:
        database.execute("UPDATE audit SET subject = 'user eve' WHERE number = 2")
        database.execute("DELETE FROM audit WHERE number = 3")
    database.close()
    found = sayso("audit", "verify", "--head", str(heads), home=tmp_path)
    assert (found.returncode, found.stdout) == (1, "")
    assert "row 2 was changed" in found.stderr
    assert "rows 3 to 3 were removed from the end" in found.stderr
    none = sayso("audit", "verify", "--head", str(tmp_path / "sayso.toml"), home=tmp_path)
    assert none.returncode == 1


def test_a_server_for_several_people_takes_tokens_and_writes_the_head_elsewhere(tmp_path: Path) -> None:
    heads = tmp_path / "kept" / "heads"
    heads.parent.mkdir()
    (tmp_path / "sayso.toml").write_text(f'sign_in = "users"\n[audit]\nhead_file = "{heads}"\nhead_seconds = 1\n')
    assert sayso("users", "add", "ada", "--no-password", "--role", "operator", home=tmp_path).returncode == 0
    token = sayso("tokens", "add", "a script", "--user", "ada", home=tmp_path).stdout.strip()
    link = sayso("link", home=tmp_path)
    assert (link.returncode, "sayso users" in link.stderr) == (1, True)
    server = Served(tmp_path, ("--model", "quote")).start()
    try:
        assert "Nobody has a password yet" in server.log.read_text()
        bearer = {"authorization": f"Bearer {token}"}
        assert server.ask("GET", "/api/v1/threads", headers=bearer).json["threads"] == []
        assert server.ask("GET", "/api/v1/system/audit/head", headers=bearer).status == 403
        spoofed = {**bearer, "x-forwarded-for": "10.0.0.1", "host": "evil.example"}
        assert server.ask("GET", "/api/v1/threads", headers=spoofed).status == 421
        (line,) = sayso("tokens", "list", home=tmp_path).stdout.splitlines()[1:]
        assert sayso("tokens", "revoke", line.split()[0], home=tmp_path).returncode == 0
        assert server.ask("GET", "/api/v1/threads", headers=bearer).status == 401
    finally:
        server.stop()
    numbers = [head.number for head in read_heads(heads.read_text(), "heads")]
    assert (numbers[-1], numbers) == (3, sorted(set(numbers)))


def test_a_sample_without_users_says_how_to_add_one_to_the_sample(tmp_path: Path) -> None:
    (tmp_path / "sayso.toml").write_text('sign_in = "users"\n')
    server = Served(tmp_path, ("--sample", "--model", "quote")).start()
    try:
        assert "sayso users add NAME --role admin --sample\n" in server.log.read_text()
    finally:
        server.stop()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(("--host", "0.0.0.0"), 'sign_in = "users"'), (("--role", "cook"), "inference, gateway, workspace")],
)
def test_s18_what_would_be_open_to_others_does_not_start(
    tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    ended = sayso("serve", "--port", "0", *arguments, home=tmp_path)
    assert (ended.returncode, words in ended.stderr) == (1, True)
