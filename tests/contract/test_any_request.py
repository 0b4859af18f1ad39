"""Any request that the OpenAPI document allows, and many that it forbids, sent to a real process by schemathesis.

No answer is a 500, of a status or a type that is not declared, or of another shape than its schema. A short run is
part of every test run; `make prove` runs it for five minutes.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from processes import Served, events_in, sayso
from sayso.server.guard import CSRF_HEADER
from sayso.serving.openapi import PATH
from sayso.signing.keys import new_keyring
from sayso.signing.tokens import TokenKind, sign

SETTINGS = Path(__file__).parent / "schemathesis.toml"
TOOL = shutil.which("schemathesis", path=str(Path(sys.executable).parent))
ASKED = ("Who is Elena Weber?", "Remind me to call Elena Weber on Friday", "What is due this week?")
ENDS_THE_SESSION = "/api/v1/sign-out"


UNHURRIED = "[limits]\nchat = 100000\ncalls = 1000000\nsign_in = 10000\n"
"""Else most requests would be told to wait."""


def started(home: Path) -> Served:
    """The sample workspace, with conversations and a proposal in it."""
    server = Served(home, ("--sample", "--model", "quote"), settings=UNHURRIED).start().sign_in()
    for question in ASKED:
        server.chat(message=question)
    return server


def with_token(server: Served) -> Served:
    """The same, asked by a program: an API token that may do everything."""
    made = sayso("tokens", "add", "any", "--scope", "*", "--sample", home=server.home)
    assert made.returncode == 0, made.stderr
    server.headers = {"authorization": f"Bearer {made.stdout.strip()}"}
    return server


def proof(headers: Mapping[str, str], scheme: str) -> str:
    """Who asks, as schemathesis is told it: it then knows which requests are to be refused for want of it."""
    if "cookie" in headers:
        given = {"session": ("api_key", headers["cookie"].partition("=")[2]), "csrf": ("api_key", headers[CSRF_HEADER])}
    else:
        given = {scheme: ("bearer", headers["authorization"].partition(" ")[2])}
    return "".join(f"\n[auth.openapi.{name}]\n{key} = {json.dumps(value)}\n" for name, (key, value) in given.items())


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = started(tmp_path_factory.mktemp("any_request"))
    yield server
    server.stop()


@pytest.fixture(scope="module")
def inference(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The inference service alone, with a gateway's public keys and somebody's seal."""
    home, keys = tmp_path_factory.mktemp("inference"), new_keyring()
    (home / "gateway-keys.json").write_text(json.dumps(keys.public.as_set()))
    arguments = ("--role", "inference", "--model", "quote", "--gateway-keys", str(home / "gateway-keys.json"))
    server = Served(home, arguments).start()
    claims = {"sub": "somebody", "owner": "local", "digest": "0" * 64}
    seal = sign(keys, TokenKind.CATALOGUE, claims, datetime.now(UTC), 3600)
    server.headers = {"authorization": f"Bearer {seal}"}
    yield server
    server.stop()


def run(
    served: Served, folder: Path, *arguments: str, scheme: str = "token"
) -> subprocess.CompletedProcess[str]:  # fmt: skip
    assert TOOL, "schemathesis is not installed beside this Python"
    settings, document = folder / "settings.toml", folder / "openapi.json"
    settings.write_text(SETTINGS.read_text() + proof(served.headers, scheme))
    document.write_text(served.ask("GET", PATH).text)
    return subprocess.run(
        [TOOL, "--config-file", str(settings), "--no-color", "run", str(document), "--url", served.url, *arguments],
        capture_output=True, text=True, check=False, cwd=folder, timeout=450,
    )  # fmt: skip


def test_the_harness_has_a_conversation_and_a_proposal_to_reach(served: Served) -> None:
    assert len(served.ask("GET", "/api/v1/threads").json["threads"]) == len(ASKED)
    assert served.ask("GET", "/api/v1/proposals").json["proposals"]
    assert events_in("event: a\ndata: {}\n\n: keep-alive\n\n") == [("a", {})]


def test_no_request_gets_an_undeclared_answer(served: Served, tmp_path: Path) -> None:
    done = run(served, tmp_path, "--exclude-path", ENDS_THE_SESSION, "--max-time", "15", "--phases", "coverage,fuzzing")
    assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-2000:]


def test_odd_messages_to_mcp_are_all_answered_also_many_at_once(served: Served) -> None:
    """Methods that there are not, of versions that there are not, with ids of every kind: none waits for ever."""
    methods = ("0", "ping", "tools/list", "notifications/cancelled", "server/discover", "$/x", "tasks/result")
    versions = ("2025-11-25", "2026-01-01", "")
    ids: tuple[dict[str, Any], ...] = ({}, {"id": 0}, {"id": -1}, {"id": ""}, {"id": 2**70}, {"id": "é" * 200})
    accepted = ("text/event-stream", "*/*")

    def asked(odd: tuple[str, str, dict[str, Any], str]) -> int:
        method, version, named, accept = odd
        message = {"jsonrpc": "2.0", "method": method, **named}
        return served.ask("POST", "/mcp", message, {"mcp-protocol-version": version, "accept": accept}).status

    with ThreadPoolExecutor(16) as pool:
        statuses = Counter(pool.map(asked, product(methods, versions, ids, accepted)))
    assert {200, 202, 400, 406} <= set(statuses) <= {200, 202, 400, 404, 406}


def test_signing_out_is_as_described(served: Served, tmp_path: Path) -> None:
    """Apart, and last: it ends the session of all other requests."""
    done = run(served, tmp_path, "--include-path", ENDS_THE_SESSION, "--phases", "coverage", "--max-time", "10")
    assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-2000:]


def test_no_request_to_the_inference_service_gets_an_undeclared_answer(inference: Served, tmp_path: Path) -> None:
    done = run(inference, tmp_path, "--max-time", "10", "--phases", "coverage,fuzzing", scheme="catalogue")
    assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-2000:]


@pytest.mark.long
def test_five_minutes_of_requests_to_the_inference_service_get_no_undeclared_answer(
    inference: Served, tmp_path: Path
) -> None:
    done = run(inference, tmp_path, "--max-time", "300", scheme="catalogue")
    assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-2000:]


@pytest.mark.long
def test_five_minutes_of_requests_get_no_undeclared_answer(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    server = with_token(started(tmp_path_factory.mktemp("five_minutes")))
    try:
        done = run(server, tmp_path, "--exclude-path", ENDS_THE_SESSION, "--max-time", "300")
        assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-2000:]
    finally:
        server.stop()


@pytest.mark.long
@pytest.mark.parametrize("role", ["gateway", "workspace"])
def test_no_request_to_a_service_that_runs_apart_gets_an_undeclared_answer(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, role: str
) -> None:
    home = tmp_path_factory.mktemp(role)
    started(home).stop()
    server = with_token(Served(home, ("--sample", "--role", role, "--model", "quote"), settings=UNHURRIED).start())
    try:
        done = run(server, tmp_path, "--exclude-path", ENDS_THE_SESSION, "--max-time", "150")
        assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-2000:]
    finally:
        server.stop()
