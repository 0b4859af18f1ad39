"""`[mcp.NAME]`: what may be written there, and what a mistake is told as."""

import pytest

from sayso.errors import ConfigError
from sayso.gateway.mcp.settings import OutsideServer, read_servers

URL = {"url": "https://crm.example/mcp"}


def test_a_server_behind_an_address_and_one_as_a_program():
    tables = {"mcp": {
        "crm": {**URL, "headers": {"Authorization": "CRM_TOKEN"}, "seconds": 5, "tools": ["find"]},
        "files": {"command": ["files-mcp", "/srv"], "env": {"KEY": "FILES_KEY"}, "descriptions": {"ls": "Lists."}},
    }}  # fmt: skip
    crm, files = read_servers(tables, {"CRM_TOKEN": "Bearer x", "FILES_KEY": "k"})
    assert crm == OutsideServer("crm", URL["url"], headers={"Authorization": "Bearer x"}, seconds=5, offered=("find",))
    assert files == OutsideServer("files", command=("files-mcp", "/srv"), env={"KEY": "k"}, wording={"ls": "Lists."})
    assert "Bearer" not in repr(crm)


@pytest.mark.parametrize(
    ("name", "table", "told"),
    [
        ("crm", {}, "either url or command"),
        ("crm", {**URL, "command": ["x"]}, "either url or command"),
        ("crm", {"url": "http://crm.example/mcp"}, "use https"),
        ("crm", {"url": "https://user:secret@crm.example/mcp"}, "without a name or password"),
        ("crm", {"url": "file:///etc/passwd"}, "http\\(s\\) address"),
        ("crm", {**URL, "env": {"A": "B"}}, "env goes with command"),
        ("crm", {"command": ["x"], "headers": {"A": "B"}}, "headers go with url"),
        ("crm", {**URL, "headers": {"Authorization": "NOT_SET"}}, "environment variable NOT_SET"),
        ("crm", {**URL, "headers": {"Authorization": "BROKEN"}}, "line break"),
        ("crm", {**URL, "seconds": 0}, "seconds"),
        ("crm", {**URL, "read": ["find"]}, "unknown setting 'read'"),
        ("a__b", URL, "single underscores"),
        ("Crm", URL, "small letters"),
        ("c" * 21, URL, "at most 20"),
    ],
)
def test_a_mistake_says_what_to_change(name, table, told):
    with pytest.raises(ConfigError, match=told):
        read_servers({"mcp": {name: table}}, {"BROKEN": "a\r\nX: b"})


def test_plain_http_reaches_this_machine_only():
    (server,) = read_servers({"mcp": {"crm": {"url": "http://127.0.0.1:9000/mcp"}}}, {})
    assert server.place == "http://127.0.0.1:9000/mcp"


def test_there_are_no_servers_without_tables_and_not_too_many_with():
    assert read_servers({}, {}) == ()
    with pytest.raises(ConfigError, match="at most 20 servers"):
        read_servers({"mcp": {f"s{n}": URL for n in range(21)}}, {})
