"""A row that cannot be read costs its thread only itself."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from sayso.core.messages import Message, Role, TextPart
from sayso.store.ports import ExchangeState
from sayso.store.threads import UNREADABLE, Threads

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)


def message(id, role=Role.USER):
    return Message(id, role, (TextPart("hello"),), "ex1")


@pytest.mark.parametrize(
    ("body", "role"),
    [
        ("{", Role.ASSISTANT),
        ("[]", Role.ASSISTANT),
        ('{"id":"m2","role":"user","exchange":"ex1","parts":[{"hologram":1}]}', Role.USER),
        ('{"id":"m2","role":"tool","exchange":"ex1","parts":[{"result":["c"]}]}', Role.TOOL),
        ('{"id":"m2","role":"tool","exchange":"ex1","parts":[{"facts":[{"kind":"lookup"}]}]}', Role.TOOL),
    ],
)
async def test_a_message_that_cannot_be_read_keeps_its_place(database, body, role, caplog):
    threads = Threads(database)
    thread = await threads.create("ann")
    await threads.append("ann", thread.id, message("m1"), message("m2", role), message("m3"))
    database.write(lambda c: c.execute(text("UPDATE messages SET body = :body WHERE id = 'm2'"), {"body": body}))
    fresh = Threads(database)
    placeholder = Message("m2", role, (TextPart(UNREADABLE),), "ex1")
    assert await fresh.messages("ann", thread.id) == (message("m1"), placeholder, message("m3"))
    assert f"message m2 of thread {thread.id} cannot be read" in caplog.text
    await fresh.append("ann", thread.id, message("m4"))
    assert (await fresh.messages("ann", thread.id))[-1] == message("m4")


async def test_d4_a_message_whose_bytes_are_no_text_costs_its_thread_only_itself(database):
    threads = Threads(database)
    thread = await threads.create("ann")
    await threads.append("ann", thread.id, message("m1"), message("m2"), message("m3"))
    database.write(lambda c: c.execute(text("UPDATE messages SET body = CAST(x'ff22' AS TEXT) WHERE id = 'm2'")))
    found = await Threads(database).messages("ann", thread.id)
    assert [m.text for m in found] == ["hello", UNREADABLE, "hello"]


async def test_an_exchange_that_cannot_be_read_is_shown_as_failed(database, caplog):
    threads = Threads(database)
    thread = await threads.create("ann")
    for id in ("e1", "e2"):
        await threads.start_exchange("ann", thread.id, id, f"why {id}?", "m", NOW)
    database.write(lambda c: c.execute(text("UPDATE exchanges SET state = 'dreaming' WHERE id = 'e1'")))
    found = await threads.exchanges("ann", thread.id)
    assert [(e.question, e.state) for e in found] == [
        ("why e1?", ExchangeState.FAILED), ("why e2?", ExchangeState.RUNNING),
    ]  # fmt: skip
    assert "exchange e1" in caplog.text
