"""`sayso doctor thread`: faults in plain words, and a repair that only appends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sayso.cli.commands import COMMANDS, app_of
from sayso.core.messages import CallPart, CallStatus, Message, Outcome, ResultPart, Role, TextPart, ToolCall, ToolResult
from sayso.core.transcripts import sound
from sayso.store.database import open_database
from sayso.store.ports import Exchange, ExchangeState
from sayso.store.threads import Threads

NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)


def user(id: str, exchange: str) -> Message:
    return Message(id, Role.USER, (TextPart("Who is Elena?"),), exchange)


def calls(id: str, exchange: str, *names: str) -> Message:
    parts = tuple(CallPart(ToolCall(name, "search_people", "{}")) for name in names)
    return Message(id, Role.ASSISTANT, parts, exchange)


def result(id: str, exchange: str, *names: str) -> Message:
    return Message(id, Role.TOOL, tuple(ResultPart(ToolResult(n, CallStatus.SUCCESS)) for n in names), exchange)


@pytest.fixture
def stored(tmp_path: Path) -> Callable[..., str]:
    def store(*messages: Message, waiting: str = "", damage: bool = False) -> str:
        async def keep() -> str:
            threads = Threads(database)
            thread = await threads.create("local", "People")
            rows = [Exchange(waiting, thread.id, "q", ExchangeState.WAITING, "m", NOW, outcome=Outcome.WAITING)]
            await threads.extend("local", thread.id, messages, rows if waiting else [], expected="")
            return thread.id

        database = open_database(f"sqlite:///{tmp_path}/sayso.db")
        thread_id = asyncio.run(keep())
        if damage:
            database.write(lambda c: c.exec_driver_sql("UPDATE messages SET body = '{' WHERE number = 1"))
        database.close()
        return thread_id

    return store


def run(home: Path, *arguments: str) -> tuple[int, str]:
    ended = CliRunner().invoke(app_of(COMMANDS), ["doctor", "thread", *arguments, "--home", str(home)])
    return ended.exit_code, " ".join(ended.output.split())


def messages_of(home: Path, thread_id: str) -> tuple[Message, ...]:
    database = open_database(f"sqlite:///{home}/sayso.db")
    try:
        return asyncio.run(Threads(database).messages("local", thread_id))
    finally:
        database.close()


def test_a_conversation_that_is_well_says_so(tmp_path: Path, stored: Callable[..., str]) -> None:
    thread = stored(user("m1", "e1"), calls("m2", "e1", "c1"), result("m3", "e1", "c1"))
    assert run(tmp_path, thread) == (0, f'{thread} "People": 0 exchanges, 3 messages well')


def test_f2_a_call_that_a_crash_left_open_is_explained_and_repaired(tmp_path: Path, stored: Callable[..., str]) -> None:
    before = (user("m1", "e1"), calls("m2", "e1", "c1", "c2"), result("m3", "e1", "c1"), user("m4", "e2"))
    thread = stored(*before)
    code, told = run(tmp_path, thread)
    assert code == 1
    assert "message 2 (m2): the call c2 has no result; it counts as not run" in told
    assert messages_of(tmp_path, thread) == before
    code, told = run(tmp_path, thread, "--repair")
    assert (code, "repaired: 1 result appended; nothing else was changed" in told) == (0, True)
    after = messages_of(tmp_path, thread)
    assert after[:4] == before
    assert [(r.call_id, r.status) for r in after[4].results] == [("c2", CallStatus.CANCELLED)]
    assert run(tmp_path, thread)[0] == 0
    assert {r.call_id: r.status for m in sound(after) for r in m.results}["c2"] is CallStatus.CANCELLED


def test_a_call_open_at_the_end_is_a_fault_unless_its_caller_is_waited_for(
    tmp_path: Path, stored: Callable[..., str]
) -> None:
    open_ = (user("m1", "e1"), calls("m2", "e1", "c1"))
    assert run(tmp_path, stored(*open_, waiting="e1"))[0] == 0
    again = stored(*open_)
    assert run(tmp_path, again)[0] == 1
    assert run(tmp_path, again, "--repair")[0] == 0


def test_b19_a_caller_that_did_not_come_back_is_superseded_by_a_repair_only_where_it_is_a_fault(
    tmp_path: Path, stored: Callable[..., str]
) -> None:
    thread = stored(user("m1", "e1"), calls("m2", "e1", "c1"), user("m3", "e2"), waiting="e1")
    assert run(tmp_path, thread, "--repair")[0] == 0
    assert messages_of(tmp_path, thread)[-1].results[0].status is CallStatus.SUPERSEDED


def test_what_is_damaged_otherwise_is_told_and_left_as_it_is(tmp_path: Path, stored: Callable[..., str]) -> None:
    before = (user("m1", "e1"), result("m2", "e1", "c9"), calls("m3", "e1", "c1"), result("m4", "e1", "c1"))
    thread = stored(*before, damage=True)
    code, told = run(tmp_path, thread, "--repair")
    assert code == 0
    assert "message 2 (m2): there is no call c9 for this result; it is left out" in told
    assert "message 1 (m1): it cannot be read; the others can" in told
    assert messages_of(tmp_path, thread)[1:] == before[1:]


def test_an_unknown_conversation_is_named(tmp_path: Path) -> None:
    code, told = run(tmp_path, "thread_x")
    assert (code, "There is no conversation thread_x here" in told) == (1, True)
