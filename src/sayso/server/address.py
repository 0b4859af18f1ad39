"""Where a running server is reached: its socket, and the note of it that other processes find.

Each server keeps one file under the home while it runs, named by its port. A file may outlive a
server that was killed, so whoever reads one asks the address whether that very server answers.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import secrets
import socket
from collections.abc import Generator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sayso.serving.listening import bound as bound

_HERE = frozenset({"127.0.0.1", "::1", "0.0.0.0", "::", ""})
_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Running:
    """A server of this home. `instance` is its own, new at each start; `sample`: it shows the sample."""

    url: str
    instance: str
    sample: bool

    @property
    def port(self) -> int:
        return urlsplit(self.url).port or 80


def url_of(host: str, listener: socket.socket) -> str:
    """Where a person opens the page; the port is the one that was really given."""
    name = "localhost" if host in _HERE else f"[{host}]" if ":" in host else host
    return f"http://{name}:{listener.getsockname()[1]}"


@contextlib.contextmanager
def announced(home: Path, url: str, *, sample: bool = False) -> Generator[Running]:
    """Tells other processes of this home where the server is, for as long as the block lasts."""
    running = Running(url, secrets.token_hex(16), sample)
    path = _folder(home) / f"{running.port}.json"
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(asdict(running)), encoding="utf-8")
    os.replace(fresh, path)
    try:
        yield running
    finally:
        if _read(path) == running:
            path.unlink(missing_ok=True)


def servers(home: Path) -> tuple[Running, ...]:
    """The servers of this home that are there now; what a dead one left is removed."""
    found: list[Running] = []
    for path in sorted(_folder(home).glob("*.json")):
        running = _read(path)
        if running and _answers(running):
            found.append(running)
        else:
            path.unlink(missing_ok=True)
    return tuple(found)


def _folder(home: Path) -> Path:
    return home / "servers"


def _read(path: Path) -> Running | None:
    try:
        document: Any = json.loads(path.read_text(encoding="utf-8"))
        running = Running(str(document["url"]), str(document["instance"]), document["sample"] is True)
        return running if running.port and urlsplit(running.url).hostname else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _answers(running: Running) -> bool:
    """Whether that very server is there, not another one on its old port."""
    place = urlsplit(running.url)
    connection = http.client.HTTPConnection(place.hostname or "", running.port, timeout=_SECONDS)
    try:
        connection.request("GET", "/healthz")
        document: Mapping[str, Any] = json.loads(connection.getresponse().read(4096))
        return document["instance"] == running.instance
    except TimeoutError:
        return True  # somebody is there, and slow
    except (OSError, ValueError, KeyError, TypeError, http.client.HTTPException):
        return False
    finally:
        connection.close()
