"""An end that nobody knows is found out from the records: what an approval wrote, and nothing else, says "done"."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from sayso.core.proposals import Change, Proposal, ProposalState, Target, canonical_bytes
from sayso.errors import Conflict
from sayso.gateway.executing import execute, request_of
from sayso.inapp.assistant import Assistant
from sayso.inapp.surroundings import LOCAL_USER
from sayso.models.quote import Quote
from sayso.server.local import LocalAssistant
from sayso.store import proposal_rows as rows
from sayso.workspace.records import HabitRecord
from sayso.workspace.workspace import Workspace

pytestmark = pytest.mark.anyio
OWNER, NOW = "local", datetime.now(UTC)
Filed = Callable[..., Awaitable[Proposal]]


@pytest.fixture
def assistant(assistant_of: Any) -> Assistant:
    return assistant_of(Quote())


@pytest.fixture
def actor() -> Any:
    return LOCAL_USER


@pytest.fixture
def filed(assistant: Assistant) -> Filed:
    """A change that was claimed by a process that died: unknown, or still executing where nobody has recovered it."""

    async def file(change: Change, *, ran: bool = False, claimed: bool = False) -> Proposal:
        now = datetime.now(UTC)
        canonical = canonical_bytes(
            change, tool="t", schema={}, actor=OWNER, owner=OWNER, created=now, expires=now + timedelta(days=1),
            nonce=change.title,
        )  # fmt: skip
        proposal = Proposal(assistant.ids.new("prop"), "thread", "ex", "call", canonical)
        await assistant.proposals.file(proposal, OWNER, now)
        action = assistant.gateway.action(proposal)
        assert action is not None

        def broken_off(connection: Any) -> None:
            steps = (("pending", "approved"), ("approved", "executing"), ("executing", "unknown"))
            for before, to in steps[: 2 if claimed else 3]:
                states = (ProposalState(before),)
                assert rows.move(connection, proposal.id, OWNER, states, ProposalState(to), OWNER, now)
            if ran:
                execute(action, request_of(proposal, OWNER, now), connection)

        await assistant.gateway._database.awrite(broken_off)  # pyright: ignore[reportPrivateUsage]
        return proposal

    return file


def habit(workspace: Workspace) -> tuple[Any, Target]:
    if not workspace.list(OWNER, "habit"):
        workspace.create(OWNER, HabitRecord("Run"), NOW)
    stored = workspace.list(OWNER, "habit")[0]
    return stored, Target("habit", stored.id, stored.title)


def person(workspace: Workspace) -> tuple[Any, Target]:
    stored = workspace.list(OWNER, "person")[0]
    return stored, Target("person", stored.id, stored.title)


def changes(workspace: Workspace) -> dict[str, Change]:
    """One of each of our own actions that writes a record."""
    (one, human), (running, practice) = person(workspace), habit(workspace)
    gone = workspace.list(OWNER, "person")[1]
    workspace.delete(OWNER, "person", gone.id, NOW)
    back = Target("person", gone.id, gone.title)
    own = "workspace."
    return {
        "commitment": Change(f"{own}create_commitment", "Call", {"title": "Call", "due": "2026-12-04"}),
        "follow-up": Change(f"{own}create_follow_up", "Ask", {"title": "Ask", "due": "2026-12-05"}),
        "event": Change(f"{own}create_event", "Tea", {"title": "Tea", "starts": "2030-01-03T15:00:00+01:00"}),
        "note": Change(f"{own}create_note", "Door", {"title": "Door", "text": "The code is 1234"}),
        "check-in": Change(f"{own}check_in", "Run", {"day": "2020-02-03"}, practice, running.etag),
        "create": Change(f"{own}create_record.person", "New", {"name": "Zed Zebra"}),
        "update": Change(f"{own}update_record.person", "Role", {"role": "architect of boats"}, human, one.etag),
        "delete": Change(f"{own}delete_record.person", "Away", {}, human, one.etag),
        "restore": Change(f"{own}restore_record.person", "Back", {"version": 1, "name": gone.title}, back),
    }


NAMES = ("commitment", "follow-up", "event", "note", "check-in", "create", "update", "delete", "restore")


@pytest.mark.parametrize("name", NAMES)
async def test_g2_what_was_written_is_found_and_what_was_not_is_said_so(
    assistant: Assistant, workspace: Workspace, filed: Filed, actor: Any, name: str
) -> None:
    change = changes(workspace)[name]
    lost = await filed(replace(change, title=f"{change.title}, lost"))
    assert (await assistant.gateway.check(lost.id, actor)).values["outcome"] == "failed"
    happened = await filed(change, ran=True)
    found = await assistant.gateway.check(happened.id, actor)
    assert found.values["outcome"] in ("created", "recorded", "changed", "deleted", "restored")
    assert (await assistant.proposals.get(OWNER, happened.id)).state is ProposalState.DONE
    with pytest.raises(Conflict):
        await assistant.gateway.check(happened.id, actor)


async def test_a_record_that_was_deleted_since_was_made(
    assistant: Assistant, workspace: Workspace, filed: Filed, actor: Any
) -> None:
    made = await filed(changes(workspace)["commitment"], ran=True)
    stored = next(c for c in workspace.list(OWNER, "commitment") if c.title == "Call")
    workspace.delete(OWNER, "commitment", stored.id, NOW)
    assert (await assistant.gateway.check(made.id, actor)).values["details"] == "Call, due 2026-12-04"


async def test_a_change_by_somebody_else_is_not_taken_for_ours(
    assistant: Assistant, workspace: Workspace, filed: Filed, actor: Any
) -> None:
    stored, _ = person(workspace)
    lost = await filed(changes(workspace)["update"])
    workspace.update(OWNER, stored.id, replace(stored.record, role="somebody else's word"), NOW)
    assert (await assistant.gateway.check(lost.id, actor)).values["outcome"] == "failed"


async def test_what_the_records_cannot_tell_stays_unknown(
    assistant: Assistant, workspace: Workspace, filed: Filed, actor: Any
) -> None:
    stored, _ = person(workspace)
    unsure = await filed(changes(workspace)["delete"])
    workspace.update(OWNER, stored.id, replace(stored.record, role="changed, or deleted and brought back"), NOW)
    assert (await assistant.gateway.check(unsure.id, actor)).values["outcome"] == "unknown"
    settled = await assistant.gateway.settle(unsure.id, actor, happened=False)
    assert settled.values["outcome"] == "failed"


async def test_the_card_of_an_unknown_one_can_be_checked_and_a_letter_says_where_to_look(
    assistant_of: Any, filed: Filed, workspace: Workspace, actor: Any, assistant: Assistant
) -> None:
    unsure = await filed(changes(workspace)["note"], ran=True)
    card = await LocalAssistant(assistant).proposal(actor, unsure.id)
    assert (card.can_check, card.look) == (True, "")
    assert (await LocalAssistant(assistant).check(actor, unsure.id)).outcome == "created"
    from sayso.workspace.actions import workspace_actions
    from sayso.workspace.mailing import SmtpSettings

    letter = workspace_actions(smtp=SmtpSettings("smtp://mail.example", "me@here.example"))[-1]
    assert letter.look.startswith("look among the sent e-mails of me@here.example")


async def test_what_only_makes_a_text_left_nothing_without_its_receipt(
    assistant: Assistant, filed: Filed, actor: Any
) -> None:
    unsure = await filed(Change("workspace.other", "Paint", {"text": "Paint the door"}))
    assert (await assistant.gateway.check(unsure.id, actor)).values["outcome"] == "failed"


async def test_recovery_looks_before_it_says_unknown(assistant: Assistant, workspace: Workspace, filed: Filed) -> None:
    kinds = changes(workspace)
    lost, happened = await filed(kinds["event"], claimed=True), await filed(kinds["note"], ran=True, claimed=True)
    await assistant.gateway.recover(datetime.now(UTC))
    assert (await assistant.proposals.get(OWNER, lost.id)).state is ProposalState.FAILED
    assert (await assistant.proposals.get(OWNER, happened.id)).state is ProposalState.DONE
    assert [event.title for event in workspace.list(OWNER, "event")] == []
