"""Where a running server is reached: its socket, and the note of it that other processes find.

Each server keeps one file under the home while it runs, named by its port. A file may outlive a
server that was killed, so whoever reads one asks the address whether that very server answers.
"""

from __future__ import annotations

import contextlib
import errno
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

from sayso.errors import ConfigError

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


def bound(host: str, port: int) -> socket.socket:
    """A socket on which to listen. Raises ConfigError where that is not possible, before anything is said."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as wrong:
        raise ConfigError(f"{host!r} is no address to listen on ({wrong.strerror}); use --host 127.0.0.1") from wrong
    try:
        if os.name == "posix":  # elsewhere this would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(2048)
    except OSError as wrong:
        listener.close()
        raise ConfigError(_refused(host, port, wrong)) from wrong
    return listener


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


def _refused(host: str, port: int, wrong: OSError) -> str:
    if wrong.errno == errno.EADDRINUSE:
        return f"port {port} is taken; stop what runs there, or use another one: --port {port % 65535 + 1}"
    if wrong.errno == errno.EACCES:
        return f"this user may not listen on port {port}; use one above 1023, such as --port 8787"
    if wrong.errno == errno.EADDRNOTAVAIL:
        return f"this machine has no address {host}; use --host 127.0.0.1"
    return f"cannot listen on {host}:{port}: {wrong.strerror}"
