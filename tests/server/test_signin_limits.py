"""The bound on how often, the exposure that is refused, and the head of the audit log in its file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.config import Config
from sayso.core.actors import Actor
from sayso.errors import ConfigError
from sayso.server.app import create_app
from sayso.server.audit_routes import HeadFile
from sayso.server.exposure import check_exposure, is_loopback
from sayso.server.identity import trusted
from sayso.server.rate import Rate
from sayso.server.signin import SignIn
from sayso.serving.endpoints import Role
from sayso.store.audit import Audit, read_heads
from sayso.store.database import open_database
from sayso.tables import AuditTable


@given(st.integers(1, 20), st.integers(1, 100), st.lists(st.floats(0, 50), max_size=80))
def test_no_window_of_that_time_sees_twice_the_count(count: int, seconds: int, gaps: list[float]) -> None:
    """The bound of the algorithm: a full burst, and what becomes due while it lasts."""
    now, admitted = [0.0], list[float]()
    rate = Rate(count, seconds, lambda: now[0])
    for gap in gaps:
        now[0] += gap
        wait = rate.wait("k")
        assert 0 <= wait <= seconds + 1e-6
        if wait == 0:
            admitted.append(now[0])
    for start in admitted:
        assert sum(start <= moment < start + seconds - 1e-6 for moment in admitted) <= 2 * count


def test_whoever_waits_as_long_as_told_may_come_again() -> None:
    now = [0.0]
    rate = Rate(3, 60, lambda: now[0])
    assert [rate.wait("a") for _ in range(3)] == [0, 0, 0]
    wait = rate.wait("a")
    assert wait == pytest.approx(20)
    assert rate.wait("b") == 0
    now[0] += wait
    assert rate.wait("a") == 0
    assert rate.wait("a") > 0
    rate.forget("a")
    assert rate.wait("a") == 0


def test_keys_that_came_long_ago_are_forgotten() -> None:
    now = [0.0]
    rate = Rate(1, 60, lambda: now[0])
    for n in range(20_000):
        now[0] += 1
        rate.wait(n)
    assert len(rate) < 5000


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"host": "0.0.0.0"}, 'sign_in = "users"'),
        ({"host": "192.168.1.5"}, "open this to other machines"),
        ({"host": "::"}, "open this to other machines"),
        ({"host": "sayso.example.org"}, "open this to other machines"),
        ({"sign_in": "proxy"}, "addresses"),
        ({"sign_in": "proxy", "tables": {"proxy": {"addresses": ["x"]}}}, "no address or network"),
    ],
)
def test_s18_what_would_let_strangers_in_is_refused(tmp_path: Path, settings: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        check_exposure(Config(home=tmp_path, database="sqlite://", **settings))


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"host": "::1"},
        {"host": "localhost"},
        {"host": "0.0.0.0", "sign_in": "users"},
        {"host": "0.0.0.0", "sign_in": "proxy", "tables": {"proxy": {"addresses": ["10.0.0.0/8"]}}},
    ],
)
def test_what_is_safe_is_served(tmp_path: Path, settings: dict[str, Any]) -> None:
    check_exposure(Config(home=tmp_path, database="sqlite://", **settings))


def test_addresses_are_compared_as_addresses() -> None:
    assert trusted("::ffff:10.0.0.7", ["10.0.0.0/24"])
    assert not trusted("10.0.0.7.evil", ["10.0.0.0/24"])
    assert not trusted("", ["0.0.0.0/0"])
    assert is_loopback("[::1]")
    assert not is_loopback("")


def test_the_head_is_added_to_its_file_whenever_it_has_moved(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path}/sayso.db")
    audit, file = Audit(database), tmp_path / "heads"
    settings = AuditTable(head_file=str(file), head_seconds=1)

    async def record(times: int) -> None:
        async with HeadFile(audit, settings).kept():
            for n in range(times):
                await audit.record(Actor("ada", "team"), "saw", f"person {n}")

    for times in (2, 0, 1):
        anyio.run(record, times)
    heads = read_heads(file.read_text(), "heads")
    numbers = [head.number for head in heads]
    assert (numbers, numbers[-2:]) == (sorted(set(numbers)), [2, 3])  # one within the first time, if that was slow
    assert anyio.run(audit.verify, heads).faults == ()
    database.close()


def test_a_process_serves_the_routes_of_its_roles_only(assistant: Any, config: Config, sign_in: SignIn) -> None:
    paths = {}
    for role in Role:
        app = create_app(assistant, config, sign_in, roles=[role])
        paths[role] = {endpoint.path for endpoint in app.state.endpoints}
    shared = {"/healthz", "/api/v1/openapi.json"}
    assert "/api/v1/ai/chat" in paths[Role.INFERENCE]
    assert "/api/v1/proposals" in paths[Role.GATEWAY]
    assert "/sign-in" in paths[Role.WORKSPACE]
    assert paths[Role.INFERENCE] & paths[Role.GATEWAY] == shared
    assert paths[Role.INFERENCE] & paths[Role.WORKSPACE] == shared
