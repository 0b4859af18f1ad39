"""Any request that the OpenAPI document allows, and many that it forbids, sent to a real process by schemathesis.

No answer is a 500, of a status or a type that is not declared, or of another shape than its schema. A short run is
part of every test run; `make prove` runs it for five minutes.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from processes import Served, events_in
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


def run(served: Served, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    assert TOOL, "schemathesis is not installed beside this Python"
    signed = [part for name, value in served.headers.items() for part in ("-H", f"{name}: {value}")]
    return subprocess.run(
        [TOOL, "--config-file", str(SETTINGS), "--no-color", "run", served.url + PATH, *signed, *arguments],
        capture_output=True, text=True, check=False, cwd=folder, timeout=450,
    )  # fmt: skip


def test_the_harness_has_a_conversation_and_a_proposal_to_reach(served: Served) -> None:
    assert len(served.ask("GET", "/api/v1/threads").json["threads"]) == len(ASKED)
    assert served.ask("GET", "/api/v1/proposals").json["proposals"]
    assert events_in("event: a\ndata: {}\n\n: keep-alive\n\n") == [("a", {})]


def test_no_request_gets_an_undeclared_answer(served: Served, tmp_path: Path) -> None:
    done = run(served, tmp_path, "--exclude-path", ENDS_THE_SESSION, "--max-time", "25", "--phases", "coverage,fuzzing")
    assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-2000:]


def test_signing_out_is_as_described(served: Served, tmp_path: Path) -> None:
    """Apart, and last: it ends the session of all other requests."""
    done = run(served, tmp_path, "--include-path", ENDS_THE_SESSION, "--phases", "coverage", "--max-time", "20")
    assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-2000:]


def test_no_request_to_the_inference_service_gets_an_undeclared_answer(inference: Served, tmp_path: Path) -> None:
    done = run(inference, tmp_path, "--max-time", "20", "--phases", "coverage,fuzzing")
    assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-2000:]


@pytest.mark.long
def test_five_minutes_of_requests_to_the_inference_service_get_no_undeclared_answer(
    inference: Served, tmp_path: Path
) -> None:
    done = run(inference, tmp_path, "--max-time", "300")
    assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-2000:]


@pytest.mark.long
def test_five_minutes_of_requests_get_no_undeclared_answer(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    server = started(tmp_path_factory.mktemp("five_minutes"))
    try:
        done = run(server, tmp_path, "--exclude-path", ENDS_THE_SESSION, "--max-time", "300")
        assert done.returncode == 0, done.stdout[-12_000:] + done.stderr[-2000:]
    finally:
        server.stop()
