"""Who gets in: hosts, origins, sign-in, the token of a session, headers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sayso.errors import Forbidden
from sayso.server.signin import SignIn

PATHS = ("/", "/healthz", "/sign-in", "/static/sayso.css", "/api/v1/threads", "/no/such")


@pytest.mark.parametrize("path", PATHS)
def test_an_unknown_host_is_refused_on_every_route(client: Any, path: str) -> None:
    for host in ("evil.example", "127.0.0.1.evil.example", "sayso.example.evil:8787", "", "localhost@evil"):
        assert client.get(path, headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost:8787", "127.0.0.1", "[::1]:8787", "Sayso.Example", "sayso.example:443"])
def test_allowed_hosts_are_served(stranger: Any, host: str) -> None:
    assert stranger.get("/healthz", headers={"host": host}).json() == {"status": "ok"}


def test_changes_need_the_token_of_the_session(client: Any, assistant: Any) -> None:
    for token in ("", "0" * 64, "ü"):
        headers = {"x-sayso-csrf": token.encode()}
        assert client.post("/api/v1/ai/chat", json={"message": "x"}, headers=headers).status_code == 403
    assert assistant.asked == []


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_changes_from_other_sites_are_refused(client: Any, assistant: Any, headers: dict[str, str]) -> None:
    refused = client.post("/api/v1/proposals/prop_1/approve", json={"digest": "ab" * 32}, headers=headers)
    assert (refused.status_code, "public_url" in refused.json()["detail"]) == (403, True)
    assert assistant.approvals == []


def test_our_own_page_may_change(client: Any) -> None:
    headers = {"origin": "http://127.0.0.1:8787", "sec-fetch-site": "same-origin"}
    assert client.post("/api/v1/proposals/prop_1/deny", json={}, headers=headers).status_code == 200


def test_a_stranger_gets_a_problem_or_the_friendly_page(stranger: Any) -> None:
    response = stranger.get("/api/v1/threads")
    assert (response.status_code, response.json()["code"]) == (401, "signed_out")
    assert stranger.get("/").headers["location"] == "/sign-in?next=/"
    assert "sayso link" in stranger.get("/sign-in").text
    assert stranger.post("/api/v1/ai/chat", json={"message": "x"}).status_code == 401


def test_a_method_that_an_open_path_does_not_take_is_told_so_to_a_stranger(stranger: Any) -> None:
    """Signing in would change nothing. Elsewhere a stranger learns of no path what it takes."""
    for path, allowed in (("/healthz", {"GET", "HEAD"}), ("/sign-in", {"GET", "HEAD", "POST"})):
        answer = stranger.request("TRACE", path)
        assert (answer.status_code, set(answer.headers["allow"].split(", "))) == (405, allowed), path
    for path in ("/", "/api/v1/threads", "/api/v1/proposals/decide", "/no/such"):
        assert stranger.request("TRACE", path).status_code == 401, path


@pytest.mark.parametrize("path", PATHS)
def test_every_response_has_the_safe_headers(client: Any, path: str) -> None:
    headers = client.get(path).headers
    assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self';")
    assert (headers["x-content-type-options"], headers["referrer-policy"]) == ("nosniff", "no-referrer")
    assert "access-control-allow-origin" not in headers


def test_looking_at_a_link_does_not_use_it_up(stranger: Any, sign_in: SignIn) -> None:
    token = sign_in.new_link("http://127.0.0.1:8787").partition("token=")[2]
    assert token in stranger.get(f"/sign-in?token={token}").text
    response = stranger.post("/sign-in", data={"token": token}, headers={"origin": "null"})
    cookie = response.headers["set-cookie"].lower()
    assert (response.status_code, response.headers["location"]) == (303, "/")
    assert all(part in cookie for part in ("httponly", "samesite=strict", "path=/"))
    assert stranger.get("/").status_code == 200
    assert stranger.post("/sign-in", data={"token": token}).status_code == 403


def test_the_link_page_escapes_its_token(stranger: Any) -> None:
    assert "<script>" not in stranger.get("/sign-in?token=%22%3E%3Cscript%3E").text


def test_a_link_is_old_after_fifteen_minutes(tmp_path: Path) -> None:
    now = [1000.0]
    sign_in = SignIn(tmp_path, lambda: now[0])
    token = sign_in.new_link("http://x/").partition("token=")[2]
    now[0] += 901
    with pytest.raises(Forbidden):
        sign_in.redeem(token)


@pytest.mark.parametrize("token", ["", "x", "../../etc/passwd", "\ud800", "x" * 10_000])
def test_a_made_up_token_is_refused(tmp_path: Path, token: str) -> None:
    with pytest.raises(Forbidden):
        SignIn(tmp_path).redeem(token)


def test_a_restart_keeps_sessions_and_only_hashes_are_stored(tmp_path: Path) -> None:
    session = SignIn(tmp_path).redeem(SignIn(tmp_path).new_link("http://x").partition("token=")[2])
    again = SignIn(tmp_path)
    assert again.knows(session)
    kept = [p for p in tmp_path.rglob("*") if p.is_file()]
    assert [p.stat().st_mode & 0o777 for p in kept] == [0o600]
    assert session not in kept[0].name + kept[0].read_text()
    again.sign_out(session)
    assert not again.knows(session)


def test_signing_out_ends_the_session(client: Any) -> None:
    assert client.post("/api/v1/sign-out").status_code == 204
    assert client.get("/api/v1/threads").status_code == 401


def test_both_doors_share_one_frame(stranger: Any) -> None:
    link, out = stranger.get("/sign-in?token=abc").text, stranger.get("/sign-in").text
    assert link.partition("<h1>")[0] == out.partition("<h1>")[0]
    assert ("<form" in link, "<form" in out) == (True, False)
