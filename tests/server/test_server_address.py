"""Where a running server is found: its note lives as long as it does, and a dead one's is not believed."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from sayso.errors import ConfigError
from sayso.server.address import Running, announced, bound, servers, url_of
from sayso.server.app import create_app


@pytest.fixture
def started(assistant: Any, config: Any, sign_in: Any) -> Iterator[Running]:
    """A server that listens and has told where."""
    with bound("127.0.0.1", 0) as listener, announced(config.home, url_of("127.0.0.1", listener)) as running:
        app = create_app(assistant, config, sign_in, instance=running.instance)
        server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield running
        server.should_exit = True
        thread.join(10)


def test_a_running_server_is_found_and_a_dead_ones_note_is_removed(started: Running, config: Any) -> None:
    folder = config.home / "servers"
    stale = {"url": "http://localhost:9", "instance": "x", "sample": False}
    (folder / "9.json").write_text(json.dumps(stale))
    (folder / "10.json").write_text("{")
    assert servers(config.home) == (started,)
    assert [path.name for path in folder.iterdir()] == [f"{started.port}.json"]


def test_another_server_on_the_old_port_is_not_believed(started: Running, tmp_path: Path) -> None:
    home = tmp_path / "other"
    with announced(home, started.url):
        assert servers(home) == ()


def test_the_note_is_gone_when_the_server_has_ended(tmp_path: Path) -> None:
    with announced(tmp_path, "http://localhost:8787", sample=True) as running:
        assert json.loads((tmp_path / "servers" / "8787.json").read_text())["sample"] is True
        assert running.port == 8787
    assert list((tmp_path / "servers").iterdir()) == []


def test_a_busy_port_says_what_to_do(tmp_path: Path) -> None:
    with bound("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(ConfigError, match=f"port {port} is taken; .* --port {port + 1}"):
            bound("127.0.0.1", port)


def test_an_impossible_host_says_what_to_do() -> None:
    with pytest.raises(ConfigError, match="no address"):
        bound("203.0.113.7", 0)


@pytest.mark.parametrize(
    ("host", "name"), [("127.0.0.1", "localhost"), ("0.0.0.0", "localhost"), ("10.0.0.7", "10.0.0.7"), ("fe80::1", "[fe80::1]")]
)  # fmt: skip
def test_the_link_names_a_host_that_a_browser_can_open(host: str, name: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        assert url_of(host, listener) == f"http://{name}:{listener.getsockname()[1]}"
