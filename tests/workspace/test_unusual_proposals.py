"""Proposals that a model asks for with days of no calendar in use, and with characters that nobody sees."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.evidence import Evidence
from sayso.core.messages import CallStatus, ResultReason, ToolCall
from sayso.core.runner import InProcessRunner
from sayso.core.tools import Registry
from sayso.workspace.plain import plain
from sayso.workspace.tools import workspace_tools

pytestmark = pytest.mark.anyio


@pytest.fixture
def propose(workspace: Any, context: Any) -> Any:
    """Runs propose_action as the loop does; its result and the change that would be filed."""

    async def run(message: str = "", **arguments: Any) -> Any:
        filed: list[Any] = []

        async def file(change: Any, *_: Any) -> Any:
            filed.append(change)
            raise RuntimeError("only the change is of interest")

        told = replace(context, user_message=message)
        runner = InProcessRunner(Registry(workspace_tools(workspace)), told, Evidence(), file)
        result = await runner.run(ToolCall("c1", "propose_action", json.dumps(arguments), "text"))
        return result, filed[0] if filed else None

    return run


@pytest.mark.parametrize(
    "due",
    ["0001-01-01 00:00", "0001-01-01T00:00+14:00", "9999-12-31 23:59", "9999-12-31T23:59-12:00", "1899-12-31",
     "2201-01-01", "in 900 years", "7 December 0999"],
)  # fmt: skip
@pytest.mark.parametrize("type", ["event", "commitment", "follow_up", "check_in"])
async def test_a_day_far_off_is_a_wrong_argument(propose: Any, type: str, due: str) -> None:
    result, change = await propose(type=type, title="Tea", person="Ilya", habit="Reading", due=due, minutes=1440)
    assert (result.status, change) == (CallStatus.FAILED, None)
    assert result.reason is ResultReason.BAD_ARGUMENTS


@pytest.mark.parametrize("due", ["1900-01-01 00:00", "2200-12-31 23:59"])
async def test_the_first_and_the_last_day_are_taken(propose: Any, due: str) -> None:
    _, change = await propose(type="event", title="Tea", due=due, minutes=1440)
    assert change.arguments["starts"].startswith(due[:10])


async def test_an_email_holds_no_character_that_is_not_seen(propose: Any) -> None:
    _, change = await propose(
        "write to x@y.example", type="email", person="x@y.example", title="Hel\x00lo\r\nBcc: z@y.example\x1b[2J",
        text="One\x00\r\nTwo\x07\tThree\r\x9b",
    )  # fmt: skip
    assert change.arguments["subject"] == "Hello Bcc: z@y.example[2J"
    assert change.arguments["text"] == "One\nTwo\tThree"


@pytest.mark.parametrize("type", ["note", "other", "commitment", "message"])
async def test_a_text_of_controls_alone_is_no_text(propose: Any, type: str) -> None:
    result, change = await propose(type=type, person="Ilya", title="\x00", text="\x07\x1b")
    assert (change, result.reason) == (None, ResultReason.NO_TARGET)


@given(st.text())
def test_plain_text_keeps_what_is_seen(text: str) -> None:
    assert plain(plain(text)) == plain(text)
    assert [c for c in plain(text) if c.isprintable()] == [c for c in text if c.isprintable()]
    assert not {c for c in plain(text) if c < " "} - {"\n", "\t"}
