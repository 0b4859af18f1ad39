"""Who gets in with a password, an API token or a proxy's word, and as whom; strangers learn nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest
from argon2 import PasswordHasher
from starlette.testclient import TestClient

from sayso.config import load
from sayso.core.actors import ROLES, Actor, Grant
from sayso.server import passwords as passwords_module
from sayso.server.app import create_app
from sayso.server.passwords import Passwords, WrongPassword, hashed
from sayso.server.signin import SignIn
from sayso.server.tokens import WrongToken, actor_by_token, new_token
from sayso.store.audit import Audit
from sayso.store.database import Database, open_database
from sayso.store.users import Users, WrongUser, user_id

PASSWORD = "nine green bottles on a wall"
NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
Made = Callable[..., TestClient]


class Clock:
    def __init__(self) -> None:
        self.moment = NOW

    def __call__(self) -> datetime:
        return self.moment


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(f"sqlite:///{tmp_path}/sayso.db")
    yield opened
    opened.close()


@pytest.fixture
def made(assistant: Any, database: Database, tmp_path: Path, clock: Clock) -> Iterator[Made]:
    """Makes a client of an application with these settings; users ada (operator), vi (viewer), bob of another owner."""
    clients: list[TestClient] = []

    def make(toml: str = 'sign_in = "users"', peer: str = "127.0.0.1") -> TestClient:
        (tmp_path / "sayso.toml").write_text(toml)
        config = load({"home": tmp_path}, {}, tmp_path)
        users = Users(database, config.roles, clock)
        if not clients:
            anyio.run(_filled, users)
        app = create_app(assistant, config, SignIn(tmp_path), users=users, audit=Audit(database))
        client = TestClient(app, base_url="http://127.0.0.1:8787", follow_redirects=False, client=(peer, 5000))
        clients.append(client)
        client.__enter__()
        return client

    yield make
    for client in clients:
        client.__exit__(None, None, None)


async def _filled(users: Users) -> None:
    kept = CHEAP.hash(PASSWORD)
    await users.add("ada", "team", ["operator"], kept)
    await users.add("vi", "team", ["viewer"], kept)
    await users.add("bob", "sales", ["admin"], kept)
    await users.add("nopass", "team", ["viewer"])


CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords_module, "_HASHER", CHEAP)


def sign_in(client: TestClient, name: str, password: str = PASSWORD, next_page: str = "/") -> Any:
    page = client.get("/sign-in").text
    door = re.search(r'name="door" value="([^"]+)"', page)
    assert door
    sent = {"door": door[1], "name": name, "password": password, "next": next_page}
    return client.post("/sign-in", data=sent, headers={"origin": "http://127.0.0.1:8787"})


def token_of(database: Database, user: str, *scopes: str, clock: Clock | None = None, days: int = 90) -> str:
    async def make() -> str:
        now = clock or (lambda: NOW)
        return (await new_token(Users(database, now=now), user, "test", scopes or ("*",), now(), days))[1]

    return anyio.run(make)


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def acting(assistant: Any) -> list[Actor]:
    """Notes the actor of each question for its list of conversations."""
    seen: list[Actor] = []
    inner = assistant.threads

    async def threads(actor: Actor) -> Any:
        seen.append(actor)
        return await inner(actor)

    assistant.threads = threads
    return seen


def test_a_name_and_its_password_open_a_session_of_that_user(made: Made, assistant: Any) -> None:
    client, seen = made(), acting(assistant)
    response = sign_in(client, " Ada ", next_page="/t/th_1")
    cookie = response.headers["set-cookie"].lower()
    assert (response.status_code, response.headers["location"]) == (303, "/t/th_1")
    assert all(part in cookie for part in ("sayso_session=", "httponly", "samesite=strict", "path=/"))
    assert client.get("/api/v1/threads").status_code == 200
    assert [(a.id, a.owner, a.may("execute:x"), a.may("admin:users")) for a in seen] == [("ada", "team", True, False)]


def test_a_change_needs_the_token_of_that_session(made: Made) -> None:
    client = made()
    sign_in(client, "ada")
    assert client.post("/api/v1/ai/chat", json={"message": "x"}).json()["code"] == "csrf"
    csrf = re.search(r'name="csrf" content="([^"]+)"', client.get("/").text)
    assert csrf
    headers = {"x-sayso-csrf": csrf[1]}
    assert client.post("/api/v1/ai/chat", json={"message": "x"}, headers=headers).status_code == 200
    assert client.post("/api/v1/sign-out", headers=headers).status_code == 204
    assert client.get("/api/v1/threads").status_code == 401


def test_wrong_names_wrong_passwords_and_disabled_users_look_alike(made: Made, database: Database) -> None:
    client = made()
    anyio.run(Users(database).set_disabled, "vi", True)
    answers = {
        re.sub(r'(name="(name|door)" value=")[^"]*|autofocus', r"\1", sign_in(client, name, password).text)
        for name, password in [
            ("ada", "x" * 20), ("nobody", PASSWORD), ("nopass", PASSWORD), ("vi", PASSWORD), ("ada", "x" * 5000),
            ("a b<script>", PASSWORD), ("ada", ""),
        ]
    }  # fmt: skip
    assert len(answers) == 1
    assert "do not belong together" in answers.pop()
    assert client.get("/api/v1/threads").status_code == 401


def test_a_name_that_nobody_has_costs_a_comparison_too(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    client, compared = made(), list[str]()
    monkeypatch.setattr(passwords_module, "matches", lambda kept, password: bool(compared.append(kept)))
    for name in ("ada", "nobody", "nopass"):
        sign_in(client, name)
    assert len(compared) == 3
    assert all(kept.startswith("$argon2id$") for kept in compared)


def test_another_sites_form_signs_nobody_in(made: Made) -> None:
    client = made()
    sent = {"door": "x", "name": "ada", "password": PASSWORD}
    assert client.post("/sign-in", data=sent, headers={"origin": "https://evil.example"}).json()["code"] == "cross_site"
    assert "grown old" in client.post("/sign-in", data=sent, headers={"origin": "null"}).text
    assert client.get("/api/v1/threads").status_code == 401


@pytest.mark.parametrize(
    "place", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:x", "/a\r\nb", ""]
)
def test_after_signing_in_only_our_own_pages_are_opened(made: Made, place: str) -> None:
    assert sign_in(made(), "ada", next_page=place).headers["location"] == "/"


def test_tries_are_counted_by_name_and_address_and_the_right_password_waits_too(made: Made) -> None:
    client = made('sign_in = "users"\n[limits]\nsign_in = 3')
    assert [sign_in(client, "ada", "wrong").status_code for _ in range(4)] == [403, 403, 403, 429]
    late = sign_in(client, "ada")
    assert (late.status_code, late.headers["retry-after"].isdigit(), "Too many tries" in late.text) == (429, True, True)
    assert sign_in(client, "vi").status_code == 303


def test_links_sign_nobody_in_where_there_are_passwords(made: Made, tmp_path: Path) -> None:
    client = made()
    token = SignIn(tmp_path).new_link("http://x").partition("token=")[2]
    assert 'name="password"' in client.get(f"/sign-in?token={token}").text
    assert client.post("/sign-in", data={"token": token}).status_code == 403
    session = SignIn(tmp_path).redeem(token)
    client.cookies.set("sayso_session", session)
    assert client.get("/api/v1/threads").status_code == 401


def test_a_new_password_or_being_disabled_ends_sessions_at_once(made: Made, database: Database, clock: Clock) -> None:
    client, users = made(), Users(database, now=clock)
    sign_in(client, "ada")
    anyio.run(users.set_password, "ada", CHEAP.hash(PASSWORD))
    assert client.get("/api/v1/threads").status_code == 401
    sign_in(client, "ada")
    anyio.run(users.set_disabled, "ada", True)
    assert client.get("/api/v1/threads").status_code == 401


def test_k1_a_session_ends_by_the_servers_clock_in_utc(made: Made, clock: Clock) -> None:
    client = made()
    sign_in(client, "ada")
    for jump, status in ((timedelta(hours=-1), 200), (timedelta(hours=2), 200), (timedelta(days=30), 401)):
        clock.moment += jump
        assert client.get("/api/v1/threads").status_code == status


def test_a_role_that_is_taken_away_holds_from_the_next_request_on(
    made: Made, database: Database, assistant: Any
) -> None:
    client, seen = made(), acting(assistant)
    sign_in(client, "ada")
    client.get("/api/v1/threads")
    anyio.run(Users(database).set_roles, "ada", ["viewer"])
    client.get("/api/v1/threads")
    assert [actor.may("execute:x") for actor in seen] == [True, False]


def test_an_api_token_acts_for_its_user_within_its_scopes_and_needs_no_csrf(
    made: Made, database: Database, assistant: Any
) -> None:
    client, seen = made(), acting(assistant)
    token = token_of(database, "bob", "read:*", "propose:*")
    assert client.get("/api/v1/threads", headers=bearer(token)).status_code == 200
    assert client.post("/api/v1/ai/chat", json={"message": "x"}, headers=bearer(token)).status_code == 200
    (actor,) = seen
    may = [p for p in ("read:x", "propose:x", "execute:x", "admin:audit") if actor.may(p)]
    assert (actor.id, actor.owner, may) == ("bob", "sales", ["read:x", "propose:x"])
    told = client.get("/api/v1/system/audit/head", headers=bearer(token))
    assert (told.status_code, "scopes (propose:*, read:*) leave out" in told.json()["detail"]) == (403, True)


@pytest.mark.parametrize("change", ["expired", "revoked", "disabled", "wrong secret", "unknown", "malformed", "basic"])
def test_a_token_that_does_not_hold_is_refused_even_with_a_good_session(
    made: Made, database: Database, clock: Clock, change: str
) -> None:
    client, users = made(), Users(database, now=clock)
    token = token_of(database, "vi", clock=clock, days=1)
    sign_in(client, "ada")
    header = bearer(token)
    match change:
        case "expired":
            clock.moment += timedelta(days=1, seconds=1)
        case "revoked":
            anyio.run(users.revoke, token.split("_")[1])
        case "disabled":
            anyio.run(users.set_disabled, "vi", True)
        case "wrong secret":
            header = bearer(token[:-1] + ("A" if token[-1] != "A" else "B"))
        case "unknown":
            header = bearer("sayso_000000000000_" + "A" * 43)
        case "malformed":
            header = bearer("sayso_" + "A" * 5000)
        case _:
            header = {"authorization": "Basic YWRhOng="}
    response = client.get("/api/v1/threads", headers=header)
    assert (response.status_code, response.json()["code"]) == (401, "wrong_token")
    assert response.headers["www-authenticate"] == "Bearer"


def test_a_token_tells_when_it_was_last_used_and_is_kept_as_a_digest_only(
    made: Made, database: Database, clock: Clock, tmp_path: Path
) -> None:
    client, users = made(), Users(database, now=clock)
    token = token_of(database, "vi", "read:*", clock=clock)
    clock.moment += timedelta(hours=1)
    client.get("/api/v1/threads", headers=bearer(token))
    (kept,) = anyio.run(users.tokens)
    assert (kept.last_used[:16], kept.scopes, kept.user_id) == ("2026-11-30T10:00", ("read:*",), "vi")
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("sayso.db*"))
    assert token.split("_", 2)[2].encode() not in stored
    assert PASSWORD.encode() not in stored


@pytest.mark.parametrize(
    ("scopes", "days", "words"),
    [
        ((), 9, "at least one scope"),
        (("raed:*",), 9, "did you mean 'read'"),
        (("*",), 0, "days"),
        (("*",), 9999, "days"),
    ],
)
def test_a_token_that_cannot_be_made_says_why(
    database: Database, scopes: tuple[str, ...], days: int, words: str
) -> None:
    with pytest.raises(WrongToken, match=words):
        anyio.run(lambda: new_token(Users(database), "ada", "t", scopes, NOW, days))


PROXY = """sign_in = "proxy"
[proxy]
addresses = ["10.0.0.0/24", "::1"]
user_header = "x-user"
roles_header = "x-roles"
owner = "team"
"""


def test_a_listed_proxy_says_who_somebody_is(made: Made, assistant: Any) -> None:
    client, seen = made(PROXY, peer="10.0.0.7"), acting(assistant)
    assert client.get("/api/v1/threads", headers={"x-user": "Cy", "x-roles": "viewer, nonsense"}).status_code == 200
    assert client.get("/api/v1/threads", headers={"x-user": "ada"}).status_code == 200
    assert [(a.id, a.owner, a.may("read:x"), a.may("execute:x")) for a in seen] == [
        ("cy", "team", True, False),
        ("ada", "team", True, True),
    ]


@pytest.mark.parametrize(
    ("peer", "headers", "status", "code"),
    [
        ("10.0.1.7", {"x-user": "ada"}, 403, "not_by_proxy"),
        ("127.0.0.1", {"x-user": "ada", "x-forwarded-for": "10.0.0.7"}, 403, "not_by_proxy"),
        ("not an address", {"x-user": "ada"}, 403, "not_by_proxy"),
        ("10.0.0.7", {}, 401, "signed_out"),
        ("10.0.0.7", {"x-user": " "}, 401, "signed_out"),
        ("10.0.0.7", {"x-user": "a b"}, 403, "wrong_user"),
        ("10.0.0.7", {"x-user": "dora"}, 403, "forbidden"),
        ("10.0.0.7", {"x-forwarded-user": "ada"}, 401, "signed_out"),
    ],
)
def test_anybody_elses_word_is_refused(made: Made, peer: str, headers: dict[str, str], status: int, code: str) -> None:
    response = made(PROXY, peer=peer).get("/api/v1/threads", headers=headers)
    assert (response.status_code, response.json()["code"]) == (status, code)


def test_two_names_from_a_proxy_are_none(made: Made) -> None:
    client = made(PROXY, peer="10.0.0.7")
    assert client.get("/api/v1/threads", headers=[("x-user", "ada"), ("x-user", "bob")]).status_code == 401


def test_a_change_through_a_proxy_needs_the_token_of_the_page(made: Made, database: Database) -> None:
    client = made(PROXY, peer="10.0.0.7")
    client.headers["x-user"] = "ada"
    assert client.post("/api/v1/ai/chat", json={"message": "x"}).json()["code"] == "csrf"
    csrf = re.search(r'name="csrf" content="([^"]+)"', client.get("/").text)
    assert csrf
    chat = {"json": {"message": "x"}, "headers": {"x-sayso-csrf": csrf[1]}}
    assert client.post("/api/v1/ai/chat", **chat).status_code == 200
    client.headers["x-user"] = "vi"
    assert client.post("/api/v1/ai/chat", **chat).json()["code"] == "csrf"
    anyio.run(Users(database).set_disabled, "vi", True)
    assert client.get("/api/v1/threads").status_code == 403


def test_roles_from_a_header_count_only_where_that_is_configured(made: Made, assistant: Any) -> None:
    client = made(PROXY.replace('roles_header = "x-roles"', 'roles = ["viewer"]'), peer="10.0.0.7")
    seen = acting(assistant)
    client.get("/api/v1/threads", headers={"x-user": "cy", "x-roles": "admin"})
    assert [actor.may("admin:users") for actor in seen] == [False]


def test_an_actor_that_asks_too_often_waits_and_others_do_not(made: Made, database: Database) -> None:
    client = made('sign_in = "users"\n[limits]\nchat = 2\ncalls = 3')
    one, other = bearer(token_of(database, "ada")), bearer(token_of(database, "vi"))
    ask = {"json": {"message": "x"}}
    assert [client.post("/api/v1/ai/chat", **ask, headers=one).status_code for _ in range(3)] == [200, 200, 429]
    late = client.post("/api/v1/ai/chat", **ask, headers=one)
    assert (late.json()["code"], 1 <= int(late.headers["retry-after"]) <= 30) == ("too_often", True)
    assert client.post("/api/v1/ai/chat", **ask, headers=other).status_code == 200
    assert [client.get("/api/v1/threads", headers=one).status_code for _ in range(4)] == [200, 200, 200, 429]
    assert client.get("/healthz").status_code == 200


def test_records_of_another_owner_are_reached_only_where_a_role_says_so(
    made: Made, database: Database, assistant: Any, tmp_path: Path
) -> None:
    client = made('sign_in = "users"\n[roles.auditor]\npermissions = ["read:*@sales"]')
    seen, token = acting(assistant), bearer(token_of(database, "vi", "*", "read:*@*"))
    there = {"x-sayso-owner": "sales"}
    assert client.get("/api/v1/threads", headers={**token, **there}).json()["code"] == "forbidden"
    anyio.run(Users(database, load({"home": tmp_path}, {}, tmp_path).roles).set_roles, "vi", ["viewer", "auditor"])
    assert client.get("/api/v1/threads", headers={**token, **there}).status_code == 200
    assert [(a.owner, a.may("read:x"), a.may("propose:x")) for a in seen] == [("sales", True, False)]


def test_a_header_that_names_no_owner_leads_to_no_records_that_everybody_shares(made: Made, database: Database) -> None:
    client, token = made(), bearer(token_of(database, "bob", "*"))
    response = client.get("/api/v1/threads", headers={**token, "x-sayso-owner": ""})
    assert (response.status_code, response.json()["code"]) == (403, "forbidden")


def test_two_authorization_headers_are_refused_whichever_comes_first(made: Made, database: Database) -> None:
    client, token = made(), bearer(token_of(database, "bob", "*"))["authorization"]
    for first, second in ((token, "Bearer x"), ("Bearer x", token), (token, token)):
        response = client.get("/api/v1/threads", headers=[("authorization", first), ("authorization", second)])
        assert (response.status_code, response.json()["code"]) == (401, "wrong_token")


def test_signing_in_and_being_refused_are_in_the_audit_log(made: Made, database: Database) -> None:
    client = made()
    sign_in(client, "ada", "wrong words of mine")
    sign_in(client, "ada")
    client.post(
        "/api/v1/sign-out",
        headers={"x-sayso-csrf": re.findall(r'name="csrf" content="([^"]+)"', client.get("/").text)[0]},
    )
    rows = anyio.run(Audit(database).rows)
    assert [(row.actor, row.what, row.subject) for row in reversed(rows)] == [
        ("", "sign_in_refused", "user ada"),
        ("ada", "signed_in", "password"),
        ("ada", "signed_out", "session"),
    ]
    admin = bearer(token_of(database, "bob"))
    head = client.get("/api/v1/system/audit/head", headers=admin).json()
    assert head == {"number": 3, "digest": rows[0].digest}
    told = client.get("/api/v1/system/audit?limit=1&before=3", headers=admin).json()["rows"]
    assert [row["number"] for row in told] == [2]
    for wrong in ("limit=0", "limit=501", "before=0", f"before={1 << 53}", "before=x", "limit=1&limit=2", "after=1"):
        assert client.get(f"/api/v1/system/audit?{wrong}", headers=admin).status_code == 422, wrong
    for fine in ("limit=500", f"before={(1 << 53) - 1}"):
        assert client.get(f"/api/v1/system/audit?{fine}", headers=admin).status_code == 200, fine
    assert client.get("/api/v1/system/audit", headers=bearer(token_of(database, "ada"))).status_code == 403


def test_s17_s18_health_tells_strangers_nothing_of_the_installation(made: Made) -> None:
    assert made().get("/healthz").json() == {"status": "ok"}


def test_behind_https_cookies_are_secure_and_only_the_public_address_may_change(made: Made) -> None:
    client = made('sign_in = "users"\npublic_url = "https://sayso.example.org"')
    client.headers["host"] = "sayso.example.org"
    page = client.get("/sign-in")
    assert "secure" in page.headers["set-cookie"].lower()
    assert page.headers["strict-transport-security"]
    chat = {"json": {"message": "x"}}
    for origin, status in (("https://sayso.example.org", 401), ("http://sayso.example.org", 403)):
        assert client.post("/api/v1/ai/chat", **chat, headers={"origin": origin}).status_code == status


def test_a_hash_with_older_parameters_is_renewed_at_the_next_sign_in(
    made: Made, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passwords_module, "_HASHER", PasswordHasher(time_cost=2, memory_cost=16, parallelism=1))
    client = made()
    assert sign_in(client, "ada").status_code == 303
    user = anyio.run(Users(database).get, "ada")
    assert user is not None
    assert "m=16,t=2,p=1" in (user.password or "")
    assert client.get("/api/v1/threads").status_code == 200


def test_the_parameters_of_passwords_are_those_of_rfc_9106(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert hashed(PASSWORD).startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    for wrong in ("x" * 14, "x" * 257):
        with pytest.raises(WrongPassword, match="characters"):
            hashed(wrong)


@pytest.mark.parametrize("name", ["", "*", "a b", "a/b", "x" * 101, "-x", "a:b", "\u202eada"])
def test_a_name_that_could_mislead_is_no_users(name: str) -> None:
    with pytest.raises(WrongUser):
        user_id(name)


def test_names_in_other_letter_forms_are_one_user() -> None:
    assert {user_id(name) for name in ("Ada", "ada", "ＡＤＡ", " ADA ")} == {"ada"}


async def _nobody(users: Users) -> Actor | None:
    return await actor_by_token(users, "sayso_x")


def test_a_cut_token_acts_for_nobody(database: Database) -> None:
    assert anyio.run(_nobody, Users(database)) is None
    assert isinstance(Passwords(Users(database)), Passwords)


def test_who_is_known_at_recovery_has_present_roles(database: Database) -> None:
    users = Users(database)
    anyio.run(_filled, users)
    ada = users.person("team", "ada")
    assert ada is not None
    assert (ada.may("execute:x"), users.person("team", "zed")) == (True, None)
    assert users.person("sales", "ada") == Actor("ada", "sales", frozenset())


def test_who_is_disabled_is_known_and_allowed_nothing_so_that_what_they_approved_does_not_run(
    database: Database,
) -> None:
    users = Users(database)
    anyio.run(_filled, users)
    anyio.run(users.set_disabled, "ada", True)
    assert users.person("team", "ada") == Actor("ada", "team", frozenset())


def test_who_is_known_at_recovery_has_what_they_have_among_another_owners_records(database: Database) -> None:
    users = Users(database, (Grant("admin", frozenset({"*", "execute:kind:person@team"})), *ROLES))
    anyio.run(_filled, users)
    bob = users.person("team", "bob")
    assert bob is not None
    assert (bob.id, bob.owner, bob.desk) == ("bob", "team", "team/bob")
    assert (bob.may("execute:kind:person"), bob.may("read:kind:person")) == (True, False)
