"""Real `sayso serve` processes for tests: started on a free loopback port, signed in to, looked into, ended."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from sayso.server.signin import csrf_token

_MAIN = "import sys; from sayso.cli.main import main; sys.exit(main())"
_LINK = re.compile(r"(http://\S+)/sign-in\?token=(\S+)")
PATIENCE = 120.0
"""Seconds until a process must be there: the machine may be busy."""


def sayso(*arguments: str, home: Path, environ: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """One command, to its end."""
    return subprocess.run(
        [sys.executable, "-c", _MAIN, *arguments], env=surroundings(home, environ), capture_output=True, text=True,
        timeout=PATIENCE, check=False, cwd=home,
    )  # fmt: skip


def surroundings(home: Path, environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a process that knows no setting but those of the test."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SAYSO_")}
    return {**kept, "SAYSO_HOME": str(home), "PYTHONUNBUFFERED": "1", **(environ or {})}


@dataclass(slots=True)
class Answered:
    """What came back: enough of it to judge by."""

    status: int
    headers: dict[str, str]
    text: str
    cookies: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def json(self) -> Any:
        return json.loads(self.text)


@dataclass(slots=True)
class Served:
    """A running process, and who is signed in to it. `settings` are its `sayso.toml`."""

    home: Path
    arguments: tuple[str, ...]
    environ: Mapping[str, str] = field(default_factory=dict[str, str])
    settings: str = ""
    port: int = 0
    process: subprocess.Popen[str] | None = None
    headers: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        return self.home / f"serve-{self.port}.log"

    def start(self) -> Served:
        self.home.mkdir(parents=True, exist_ok=True)
        self.port = self.port or free_port()
        if self.settings:
            (self.home / "sayso.toml").write_text(self.settings)
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", _MAIN, "serve", "--port", str(self.port), *self.arguments],
                env=surroundings(self.home, self.environ), stdout=log, stderr=subprocess.STDOUT, text=True, cwd=self.home,
            )  # fmt: skip
        self._wait()
        return self

    def sign_in(self) -> Served:
        """Use up the link that it printed; every request after this is of that session."""
        found = _LINK.findall(self.log.read_text())
        assert found, f"it printed no link: {self.log.read_text()}"
        form = urlencode({"token": found[-1][1]})
        signed = self.ask("POST", "/sign-in", form, {"content-type": "application/x-www-form-urlencoded"})
        assert signed.status == 303, signed
        session = signed.cookies["sayso_session"]
        self.headers = {"cookie": f"sayso_session={session}", "x-sayso-csrf": csrf_token(session)}
        return self

    def ask(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> Answered:  # fmt: skip
        """One request, to the end of its answer. A body that is no text is sent as JSON."""
        sent, kind = (body, {}) if body is None or isinstance(body, str) else (json.dumps(body), _JSON)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, sent, {**kind, **self.headers, **(headers or {})})
            answer = connection.getresponse()
            names = {name.lower(): value for name, value in answer.getheaders()}
            set_cookies = (value.partition(";")[0].partition("=") for value in answer.headers.get_all("set-cookie", []))
            cookies = {name: value for name, _, value in set_cookies}
            return Answered(answer.status, names, answer.read().decode("utf-8"), cookies)
        finally:
            connection.close()

    def chat(self, **body: Any) -> list[tuple[str, Any]]:
        """The events of one run, each with its data."""
        answer = self.ask("POST", "/api/v1/ai/chat", body)
        assert answer.status == 200, answer
        return events_in(answer.text)

    def files(self) -> set[str]:
        """What the process holds open, by the operating system's word (Linux)."""
        assert self.process is not None
        folder = Path(f"/proc/{self.process.pid}/fd")
        found = set[str]()
        for entry in folder.iterdir():
            try:
                found.add(os.readlink(entry))
            except FileNotFoundError:
                continue  # closed meanwhile
        return found

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is None or self.process.poll() is not None:
            return
        self.process.send_signal(how)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(30)

    def _wait(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            assert self.process is not None
            assert self.process.poll() is None, f"it ended with {self.process.returncode}: {self.log.read_text()}"
            try:
                if self.ask("GET", "/healthz").status == 200:
                    return
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(0.1)
        raise AssertionError(f"it does not answer: {self.log.read_text()}")


_JSON = {"content-type": "application/json"}


def events_in(stream: str) -> list[tuple[str, Any]]:
    """The events of a whole stream: names and data."""
    found: list[tuple[str, Any]] = []
    for block in stream.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line and not line.startswith(":"))
        if "event" in lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
