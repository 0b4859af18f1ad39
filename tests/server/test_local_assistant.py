"""The server's view of a real assistant: one person's proposals, edits, and what is damaged in the store."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

from sayso import config
from sayso.core.progress import Limits
from sayso.core.tools import Actor
from sayso.errors import ModelGone, NotFound
from sayso.inapp.surroundings import LOCAL_USER
from sayso.inapp.wiring import assemble
from sayso.models.chain import Chain
from sayso.models.scripted import Scripted, call, fail, say
from sayso.server.local import LocalAssistant
from sayso.server.wire import detail_json, proposal_json
from sayso.store.database import open_database
from sayso.workspace.records import PersonRecord
from sayso.workspace.workspace import Settings, Workspace

pytestmark = pytest.mark.anyio


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    database = open_database(f"sqlite:///{tmp_path}/sayso.db")
    opened = Workspace(database, defaults=Settings("Europe/Zurich", "en", "monday"))
    opened.upsert("local", (PersonRecord("Elena Weber"),), datetime.now(UTC))
    yield opened
    database.close()


@pytest.fixture
async def local(workspace: Workspace, tmp_path: Path) -> LocalAssistant:
    """With one meeting proposed."""
    settings = config.load({"home": tmp_path, "time_zone": "Europe/Zurich"}, {}, tmp_path)
    meeting = {"type": "event", "person": "Elena", "title": "Lunch", "due": "2099-07-01 12:30"}
    model = Scripted((call("propose_action", **meeting), *[say("Please have a look at it.")] * 4))
    assistant = LocalAssistant(assemble(workspace, model, settings, reason="test", limits=Limits()))
    async for _ in assistant.ask("Lunch with Elena", actor=LOCAL_USER, thread_id=None, context=None):
        pass
    return assistant


async def test_a_proposal_is_only_its_owners(local: LocalAssistant) -> None:
    (card,) = await local.proposals(LOCAL_USER, None)
    assert await local.proposal(LOCAL_USER, card.id) == card
    stranger = Actor("bob", "bob")
    for attempt in (local.proposal(stranger, card.id), local.edit(stranger, card.id, card.digest, {"title": "x"})):
        with pytest.raises(NotFound):
            await attempt


async def test_a_card_shows_its_inputs_in_order_and_an_edit_shows_what_is_approved(local: LocalAssistant) -> None:
    (card,) = await local.proposals(LOCAL_USER, "pending")
    assert [name for name, _ in card.arguments] == ["title", "starts", "ends", "place", "attendees", "notes"]
    assert dict(card.arguments)["attendees"] == "Elena Weber"
    edited = await local.edit(LOCAL_USER, card.id, card.digest, {"title": "Tea", "ends": "2099-07-01T13:00"})
    assert (edited.title, dict(edited.arguments)["ends"]) == ("Event: Tea", "2099-07-01T13:00:00+02:00")
    done = await local.approve(LOCAL_USER, card.id, edited.digest)
    assert (done.state, done.schema, done.outcome, "Tea" in done.details) == ("done", None, "created", True)
    json.dumps(proposal_json(done))


async def test_a_damaged_row_leaves_the_rest_of_the_conversation(local: LocalAssistant, workspace: Workspace) -> None:
    (thread,) = await local.threads(LOCAL_USER)
    whole = await local.thread(LOCAL_USER, thread.id)
    assert [e.unreadable for e in whole.exchanges] == [False]
    workspace.database.write(lambda c: c.execute(text("UPDATE exchanges SET report = '[{]'")))
    damaged = await local.thread(LOCAL_USER, thread.id)
    assert [(e.unreadable, e.answer, e.verdicts) for e in damaged.exchanges] == [(True, whole.exchanges[0].answer, ())]
    json.dumps(detail_json(damaged))


async def test_a_conversation_keeps_why_models_did_not_answer(workspace: Workspace, tmp_path: Path) -> None:
    settings = config.load({"home": tmp_path, "time_zone": "Europe/Zurich"}, {}, tmp_path)
    chain = Chain([Scripted([fail(ModelGone("no such model"))], "first"), Scripted([say("Hello!")], "second")])
    assistant = LocalAssistant(assemble(workspace, chain, settings, reason="test", limits=Limits()))
    async for _ in assistant.ask("Hello", actor=LOCAL_USER, thread_id=None, context=None):
        pass
    (thread,) = await assistant.threads(LOCAL_USER)
    (exchange,) = detail_json(await assistant.thread(LOCAL_USER, thread.id))["exchanges"]
    assert exchange["model"] == "second"
    assert exchange["attempts"] == [
        {"model": "first", "code": "model_gone", "reason": "no such model", "facts": 0, "exchanges": 0}
    ]
