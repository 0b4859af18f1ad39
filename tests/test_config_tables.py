"""The tables of `sayso.toml`: roles of one's own, the proxy, limits; errors say what to do and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from sayso.config import Config, load
from sayso.core.actors import ROLES, Grant
from sayso.errors import ConfigError
from sayso.tables import LimitsTable, ProxyTable, section, sections


def read(folder: Path, text: str) -> Config:
    (folder / "sayso.toml").write_text(text)
    return load({"home": folder}, {}, folder)


def test_a_role_of_ones_own_stands_beside_those_that_are_always_there(tmp_path: Path) -> None:
    config = read(tmp_path, '[roles.clerk]\npermissions = ["read:*", "execute:kind:person", "read:*@sales"]\n')
    clerk = Grant("clerk", frozenset({"read:*", "execute:kind:person", "read:*@sales"}))
    assert config.roles == (*ROLES, clerk)


def test_settings_stand_beside_tables(tmp_path: Path) -> None:
    config = read(tmp_path, 'sign_in = "users"\nport = 1234\n[limits]\nchat = 5\n[mcp.other]\nurl = "http://x"\n')
    assert (config.sign_in, config.port) == ("users", 1234)
    assert section(config.tables, "limits", LimitsTable) == LimitsTable(chat=5)
    assert section(config.tables, "proxy", ProxyTable) == ProxyTable()
    assert config.tables["mcp"] == {"other": {"url": "http://x"}}
    assert "tables" not in config.origins


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[roles.admin]\npermissions = ["*"]', "always there"),
        ('[roles.Clerk]\npermissions = ["*"]', "lower-case"),
        ('[roles.clerk]\npermissions = ["read"]', r"write read:\*"),
        ("[roles.clerk]\npermissions = []", r"\[roles.clerk\] permissions"),
        ("[roles.clerk]", r"\[roles.clerk\] permissions"),
        ('[roles.clerk]\npermissions = ["raed:*"]', "did you mean 'read'"),
        ('[roles.clerk]\npermissions = ["rread"]', "did you mean 'read'"),
        ('[roles.clerk]\npermissions = ["read:"]', "is no permission"),
        ('[roles.clerk]\npermision = ["read:*"]', "did you mean 'permissions'"),
        ("roles = 3", "table"),
        ('[roles]\nclerk = "read:*"', r"\[roles.clerk\] is a table"),
        ("[limits]\nchat = 0", r"\[limits\] chat"),
        ('[limits]\nchat = "5"', r"\[limits\] chat"),
        ("[users]\nsession_days = 0", r"\[users\] session_days"),
        ("[limit]\nchat = 5", "did you mean 'limits'"),
        ('[proxy]\nuser_header = "a: b"', r"\[proxy\] user_header"),
        ('sign_in = "none"', "link, users, proxy"),
        ('public_url = "sayso.example.org"', "https://sayso.example.org"),
        ('public_url = "https://x.org/sayso"', "https://sayso.example.org"),
    ],
)
def test_a_wrong_table_says_where_and_what_to_do(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words) as told:
        read(tmp_path, text)
    assert "sayso.toml" in str(told.value)


def test_a_table_of_another_part_is_read_into_its_own_model(tmp_path: Path) -> None:
    config = read(tmp_path, "[mcp.one]\nchat = 1\n[mcp.two]\nchat = 2\n")
    assert {name: one.chat for name, one in sections(config.tables, "mcp", LimitsTable).items()} == {"one": 1, "two": 2}


def test_shared_runs_are_a_table_and_the_environment_and_flags_win_over_it(tmp_path: Path) -> None:
    config = read(tmp_path, '[runs]\nshared = true\nlog = "sqlite:////srv/runs.db"\nquiet_seconds = 10\n')
    assert (config.shared_runs, config.run_log) == (True, "sqlite:////srv/runs.db")
    told = load({"home": tmp_path, "run_log": "sqlite:///a.db"}, {"SAYSO_SHARED_RUNS": "0"}, tmp_path)
    assert (told.shared_runs, told.run_log) == (False, "sqlite:///a.db")
    keys = load({"home": tmp_path}, {"SAYSO_INFERENCE_KEYS": "http://x/keys"}, tmp_path)
    assert (keys.inference_keys, keys.origins["inference_keys"]) == ("http://x/keys", "SAYSO_INFERENCE_KEYS")
    with pytest.raises(ConfigError, match="a database of its own"):
        load({"home": tmp_path, "run_log": "runs.db"}, {}, tmp_path)
