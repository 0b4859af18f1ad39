"""`sayso proposals`: the card's parts as plain text, decisions by digest, unknown ends, several at once, JSON."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sayso.cli.compose import LOCAL_USER, open_workspace, opened
from sayso.cli.proposals import app
from sayso.config import load
from sayso.core.proposals import Change, Proposal, ProposalState, Target, canonical_bytes
from sayso.errors import SaysoError
from sayso.gateway.grounds import Grounds, Reason
from sayso.store import proposal_rows as rows
from sayso.workspace.records import PersonRecord

Run = Callable[..., Any]
WHY = Grounds(("Zed builds ships now",), False, (Reason("F3", "person", "Zed Zebra", "people", "k", "own"),))
LONG = "He builds ships of wood, and of steel, and sells them to whoever has a harbour. " * 4


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SAYSO_MODEL", "quote")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


@pytest.fixture
def filed(home: Path) -> Callable[..., str]:
    """Files a change of a person's role and notes, or a note; gives its id."""

    def file(action: str = "workspace.update_record.person", state: ProposalState | None = None, **values: Any) -> str:
        async def put() -> str:
            async with opened({"home": home}) as assistant:
                workspace = open_workspace(load({"home": home}, {}, home.parent))
                people = workspace.list("local", "person")
                now = datetime.now(UTC)
                zed = people[0] if people else workspace.create("local", PersonRecord("Zed Zebra", role="clerk"), now)
                workspace.database.close()
                change = Change(
                    action, f"Zed: {', '.join(values)}", values or {"role": "shipwright", "notes": LONG.strip()},
                    Target("person", zed.id, "Zed Zebra"), zed.etag, ("shipwright",),
                )  # fmt: skip
                canonical = canonical_bytes(
                    change, tool="t", schema={}, actor="local", owner="local", created=now,
                    expires=now + timedelta(days=1), nonce=str(now),
                )  # fmt: skip
                proposal = Proposal(assistant.ids.new("prop"), "", "", "c", canonical)
                await assistant.proposals.file(proposal, LOCAL_USER.desk, now, WHY.document())

                def moved(connection: Any) -> None:
                    for before, to in (("pending", "approved"), ("approved", "executing"), ("executing", "unknown")):
                        states = (ProposalState(before),)
                        rows.move(connection, proposal.id, LOCAL_USER.desk, states, ProposalState(to), "local", now)

                if state is ProposalState.UNKNOWN:
                    await assistant.gateway._database.awrite(moved)  # pyright: ignore[reportPrivateUsage]
                return proposal.id

        return asyncio.run(put())

    return file


@pytest.fixture
def run(home: Path) -> Run:
    def ran(*arguments: str) -> Any:
        ended = CliRunner().invoke(app, [*arguments, "--home", str(home)], env={"COLUMNS": "80", "NO_COLOR": "1"})
        wrong = ended.exception
        assert wrong is None or isinstance(wrong, SystemExit | SaysoError), wrong
        return ended

    return ran


def test_the_card_has_what_the_page_shows_in_80_columns(filed: Callable[..., str], run: Run) -> None:
    id = filed()
    shown = run("show", id).stdout
    assert "  role:\n    - clerk\n    + shipwright\n" in shown
    assert "  record: Zed Zebra (person " in shown
    assert "  ! neither in your records nor said by you: shipwright\n" in shown
    assert "  ! not asked for by you: Zed Zebra\n" in shown
    assert "  because of: Zed Zebra (person, people) [F3]\n" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert " ".join(LONG.split()) in " ".join(shown.replace("+", " ").split())
    assert run("list").stdout.startswith(f"{id}  pending ")


def test_what_was_read_elsewhere_is_approved_by_its_digest_only(filed: Callable[..., str], run: Run) -> None:
    id = filed()
    card = json.loads(run("show", id, "--json").stdout)
    waits = run("approve", id)
    assert (waits.exit_code, "--digest" in waits.stderr) == (1, True)
    stale = run("approve", id, "--digest", "0" * 16)
    assert (stale.exit_code, "has changed since it was shown" in stale.stderr) == (1, True)
    edited = run("edit", id, "role=captain", "--digest", card["digest"][:16])
    assert "+ captain" in edited.stdout
    assert run("approve", id, "--digest", card["digest"]).exit_code == 1
    after = json.loads(run("show", id, "--json").stdout)["digest"]
    done = run("approve", id, "--digest", after[:12], "--json")
    assert (done.exit_code, json.loads(done.stdout)["outcome"]) == (0, "changed")
    assert [line.split()[1] for line in run("history", id).stdout.splitlines()[1:]] == [
        "filed", "edited", "approved", "executing", "done",
    ]  # fmt: skip


def test_an_edit_that_does_not_fit_says_so_and_changes_nothing(filed: Callable[..., str], run: Run) -> None:
    id = filed()
    wrong = run("edit", id, "colour=red")
    assert (wrong.exit_code, "its inputs: " in wrong.stderr) == (2, True)
    assert isinstance(run("edit", id, "name=-").exception, SaysoError)
    assert "clerk" in run("show", id).stdout


def test_an_unknown_end_is_looked_up_or_settled(filed: Callable[..., str], run: Run) -> None:
    first = filed(state=ProposalState.UNKNOWN)
    shown = run("show", first).stdout
    assert f"sayso proposals check {first[:13]}" in shown
    assert f"sayso proposals settle {first[:13]} --happened | --not-happened" in shown
    assert run("check", first).stdout.startswith("failed: ")
    second = filed(state=ProposalState.UNKNOWN, role="pilot")
    assert run("settle", second, "--happened").stdout.startswith("done: ")
    assert isinstance(run("settle", second, "--happened").exception, SaysoError)


def test_of_several_each_is_decided_by_itself(filed: Callable[..., str], run: Run) -> None:
    ids = [filed(role="pilot"), filed(role="baker")]
    ended = run("deny", ids[0], "nothing", ids[1], "--because", "not now")
    assert (ended.exit_code, ended.stdout.count("Denied.")) == (1, 2)
    assert "nothing: there is no proposal nothing; sayso proposals list --state all" in ended.stderr
    told = json.loads(run("list", "--state", "denied", "--json").stdout)["proposals"]
    assert {card["details"] for card in told} == {"not now"}
    assert run("supersede", filed(role="cook")).stdout == "Closed. Nothing was changed.\n"
