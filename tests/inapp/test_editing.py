"""Each proposal of the workspace can be edited by the inputs of its action, before anyone approves it."""

from __future__ import annotations

from typing import Any

import pytest

from sayso.core.events import RunStarted
from sayso.gateway.inputs import WrongInputs
from sayso.inapp.surroundings import LOCAL_USER
from sayso.models.scripted import call, say

pytestmark = pytest.mark.anyio
MEETING = {"type": "event", "person": "Elena", "title": "Lunch", "due": "2099-07-01 12:30"}


@pytest.fixture
def filed(assistant_of: Any) -> Any:
    async def made(question: str = "please", **arguments: Any) -> tuple[Any, Any]:
        assistant = assistant_of(call("propose_action", **arguments), *[say("Please have a look at it.")] * 4)
        async for _ in assistant.ask(question, actor=LOCAL_USER):
            assert not isinstance(_, RunStarted) or _.run_id
        (proposal,) = await assistant.proposals.list("local")
        return assistant, proposal

    return made


@pytest.mark.parametrize(
    "arguments",
    [
        {"type": "commitment", "title": "Call", "person": "Elena", "due": "Friday"},
        {"type": "follow_up", "person": "Elena", "text": "About the lease"},
        {"type": "note", "title": "Idea", "text": "Tea"},
        {"type": "message", "person": "Elena", "text": "Hello"},
        {"type": "email", "person": "Elena", "title": "Hello", "text": "Hello\n\nElena"},
        {"type": "other", "text": "Water the plants"},
        MEETING,
    ],
    ids=lambda a: a["type"],
)
async def test_the_inputs_of_an_action_are_what_its_tool_files(filed: Any, arguments: dict[str, str]) -> None:
    assistant, proposal = await filed(**arguments)
    properties = assistant.gateway.inputs(proposal)["properties"]
    content = proposal.content
    assert set(properties) == set(content["arguments"])
    changes = {name: content["arguments"][name] for name in properties}
    same = await assistant.edit(LOCAL_USER, proposal.id, changes, proposal.digest)
    assert same.content == content


async def test_a_time_without_offset_is_of_the_persons_zone_and_the_title_follows(filed: Any) -> None:
    assistant, proposal = await filed(**MEETING)
    changes = {"title": "Long lunch", "starts": "2099-12-01T12:00", "ends": None, "attendees": ["Elena Weber", "Ilya"]}
    edited = await assistant.edit(LOCAL_USER, proposal.id, changes, proposal.digest)
    arguments = edited.content["arguments"]
    assert (arguments["starts"], arguments["ends"]) == ("2099-12-01T12:00:00+01:00", None)
    assert (edited.content["title"], arguments["attendees"]) == ("Event: Long lunch", ["Elena Weber", "Ilya"])
    receipt = await assistant.gateway.approve(edited.id, edited.digest, LOCAL_USER)
    assert receipt.values["outcome"] == "created"
    assert "Long lunch, 2099-12-01 12:00" in receipt.values["details"]


@pytest.mark.parametrize(
    ("arguments", "changes", "fault"),
    [
        (MEETING, {"ends": "2099-07-01T12:00"}, ("ends", "ends_early")),
        (MEETING, {"starts": "noon"}, ("starts", "moment")),
        (MEETING, {"starts": "0001-01-01T00:00"}, ("starts", "far_off")),
        (MEETING, {"ends": "9999-12-31T23:59"}, ("ends", "far_off")),
        ({"type": "commitment", "title": "Call"}, {"due": "2201-01-01"}, ("due", "far_off")),
        (MEETING, {"title": "\x00"}, ("title", "required")),
        ({"type": "email", "person": "Elena", "text": "Hi"}, {"address": "a\x07@b.example"}, ("address", "email")),
        (MEETING, {"attendees": "Elena"}, ("attendees", "list")),
        (MEETING, {"attendees": [" "]}, ("attendees", "required")),
        (MEETING, {"title": " \n"}, ("title", "required")),
        ({"type": "email", "person": "Elena", "text": "Hi"}, {"address": "elena"}, ("address", "email")),
        ({"type": "email", "person": "Elena", "text": "Hi"}, {"recipient": "Ilya"}, ("recipient", "read_only")),
    ],
)
async def test_a_wrong_edit_changes_nothing(filed: Any, arguments: Any, changes: Any, fault: Any) -> None:
    assistant, proposal = await filed(**arguments)
    with pytest.raises(WrongInputs) as wrong:
        await assistant.edit(LOCAL_USER, proposal.id, changes, proposal.digest)
    assert [(f.field, f.code) for f in wrong.value.faults] == [fault]
    assert await assistant.proposals.get("local", proposal.id) == proposal
