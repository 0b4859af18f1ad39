"""What both stores promise of a thread's whole life: proven appends, digests, search, feedback."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from alembic import command
from alembic.config import Config
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.encoding import encode_message, transcript_digest
from sayso.core.evidence import Numbered
from sayso.core.facts import LOOKUP
from sayso.core.messages import FactsPart, Message, Outcome, Role, StopReason, TextPart, Usage
from sayso.errors import Conflict, NotFound, StaleCopy
from sayso.store.database import Database, open_database
from sayso.store.holding import LEASE
from sayso.store.ports import Exchange, ExchangeState, Feedback, Rating
from sayso.store.schema import MIGRATIONS
from sayso.store.searching import patterns, searchable
from sayso.store.threads import UNREADABLE, Threads

anyio = pytest.mark.anyio
NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)


def message(id, text="hello", exchange="ex1", ref=None):
    fact = LOOKUP.fact({"query": "q", "matched": 1}, source="lookup", key="k", as_of=NOW)
    parts = (TextPart(text), FactsPart((Numbered(ref, fact),))) if ref else (TextPart(text),)
    return Message(id, Role.USER, parts, exchange)


def exchange(thread, id="ex1", state=ExchangeState.WAITING, answer=None, question="Who is it?"):
    outcome = Outcome.ANSWERED if answer else Outcome.WAITING
    return Exchange(
        id, thread, question, state, "m", NOW, NOW, outcome, StopReason.ANSWERED, Usage(1, 2), 3, answer, "[]"
    )  # fmt: skip


@anyio
async def test_the_digest_of_a_thread_is_that_of_its_messages(threads):
    thread = await threads.create("ann")
    assert thread.transcript == ""
    first, second, third = message("m1", ref="F1"), message("m2", "grüß\ud800"), message("m3")
    await threads.append("ann", thread.id, first, second)
    await threads.append("ann", thread.id, third)
    stored = await threads.get("ann", thread.id)
    assert stored.transcript == transcript_digest([first, second, third])
    assert (await threads.list("ann"))[0].transcript == stored.transcript


@anyio
async def test_b12_what_a_caller_ran_is_appended_only_to_the_copy_it_knows(threads):
    thread = await threads.create("ann")
    one = await threads.extend("ann", thread.id, [message("m1", ref="F4")], [exchange(thread.id)], expected="")
    assert (one.transcript, one.next_ref) == (transcript_digest([message("m1", ref="F4")]), 5)
    with pytest.raises(StaleCopy) as stale:
        await threads.extend("ann", thread.id, [message("m2")], [], expected="")
    assert stale.value.members == {"transcript": one.transcript, "messages": 1}
    with pytest.raises(Conflict):
        await threads.extend("ann", thread.id, [message("m1")], [], expected=one.transcript)
    with pytest.raises(NotFound):
        await threads.extend("bob", thread.id, [message("m2")], [], expected=one.transcript)
    assert [m.id for m in await threads.messages("ann", thread.id)] == ["m1"]


@anyio
async def test_an_exchange_of_a_caller_goes_on_until_it_has_its_answer(threads):
    thread = await threads.create("ann")
    one = await threads.extend(
        "ann", thread.id, [message("m1")], [exchange(thread.id)], expected="", title="Who is it?"
    )
    assert one.title == "Who is it?"
    done = exchange(thread.id, state=ExchangeState.FINISHED, answer="Ann.", question="ignored")
    two = await threads.extend("ann", thread.id, [message("m2")], [done], expected=one.transcript, title="Other")
    assert two.title == "Who is it?"
    (kept,) = await threads.exchanges("ann", thread.id)
    assert (kept.question, kept.state, kept.answer, kept.steps, kept.usage) == (
        "Who is it?", ExchangeState.FINISHED, "Ann.", 3, Usage(1, 2),
    )  # fmt: skip


@anyio
async def test_an_exchange_that_runs_here_or_elsewhere_is_nobody_elses(threads):
    mine, other = await threads.create("ann"), await threads.create("ann")
    await threads.start_exchange("ann", mine.id, "ex1", "q", "m", NOW)
    for thread in (mine, other):
        with pytest.raises(Conflict):
            await threads.extend("ann", thread.id, [message("m1")], [exchange(thread.id)], expected="")
        assert await threads.messages("ann", thread.id) == ()
    assert await threads.recover(NOW + LEASE) == 1


@anyio
async def test_a_waiting_exchange_is_not_cut_by_a_restart(threads):
    thread = await threads.create("ann")
    await threads.extend("ann", thread.id, [message("m1")], [exchange(thread.id)], expected="")
    assert await threads.recover(NOW + LEASE) == 0
    assert (await threads.exchanges("ann", thread.id))[0].state is ExchangeState.WAITING


@anyio
async def test_threads_are_found_by_their_words_whatever_the_case_and_accents(threads):
    one = await threads.create("ann", "Zürich im Winter")
    await threads.start_exchange("ann", one.id, "e1", "Où habite Élodie?", "m", NOW)
    await threads.finish_exchange(
        "e1", Outcome.ANSWERED, StopReason.ANSWERED, Usage(), 1, "m", "In 100%_Łódź\\x.", None, NOW
    )  # fmt: skip
    two = await threads.create("ann", "Zurich goals")
    await threads.create("bob", "Zürich")
    found = {
        "zurich": [two.id, one.id], "ZÜRICH": [two.id, one.id], "elodie winter": [one.id], "lodz": [one.id],
        "%": [one.id], "_lodz\\": [one.id], "zürich lodz habite": [one.id], "nowhere": [], "winter nowhere": [],
        "  ": [two.id, one.id],
    }  # fmt: skip
    assert {words: {t.id for t in await threads.list("ann", search=words)} for words in found} == {
        words: set(ids) for words, ids in found.items()
    }
    await threads.rename("ann", two.id, "Basel")
    assert [t.id for t in await threads.list("ann", search="zurich")] == [one.id]
    assert [t.id for t in await threads.list("ann", search="basel")] == [two.id]


@anyio
async def test_what_is_found_comes_in_pages(threads):
    made = [await threads.create("ann", f"goal {n}") for n in range(5)]
    await threads.create("ann", "other")
    first = await threads.list("ann", limit=2, search="goal")
    rest = await threads.list("ann", limit=9, before=first[-1].id, search="goal")
    assert [t.id for t in (*first, *rest)] == [t.id for t in reversed(made)]


@given(st.text(max_size=40))
def test_a_pattern_is_one_word_of_what_was_asked(text):
    for pattern in patterns(text):
        assert pattern[0] == pattern[-1] == "%"
        assert pattern[1:-1].replace("\\\\", "").replace("\\%", "").replace("\\_", "").count("%") == 0
    assert searchable(searchable(text)) == searchable(text) or not text.isascii()


@anyio
async def test_the_newest_word_on_an_answer_counts_and_goes_with_its_thread(threads):
    thread = await threads.create("ann")
    await threads.start_exchange("ann", thread.id, "ex1", "q", "m", NOW)
    up = Feedback(thread.id, "ex1", "ann", Rating.UP, "", NOW)
    down = Feedback(thread.id, "ex1", "ann", Rating.DOWN, "wrong year", NOW + timedelta(seconds=1))
    other = Feedback(thread.id, "ex1", "eve", Rating.UP, "", NOW)
    for word in (up, down, other):
        await threads.rate("ann", word)
    assert await threads.feedback("ann", thread.id) == await threads.feedback("ann") == (down, other)
    assert await threads.feedback("bob") == ()
    for wrong in (threads.rate("bob", up), threads.unrate("ann", thread.id, "none", "ann")):
        with pytest.raises(NotFound):
            await wrong
    await threads.unrate("ann", thread.id, "ex1", "ann")
    assert await threads.feedback("ann") == (other,)
    await threads.delete("ann", thread.id)
    assert await threads.feedback("ann") == ()


@anyio
async def test_threads_from_before_are_digested_and_found(tmp_path):
    """A database of the version before this one is brought up to date with all that it holds."""
    url = f"sqlite:///{tmp_path}/old.db"
    old = Database(url)
    old.write(_as_it_was)
    old.close()
    again = open_database(url)
    try:
        threads = Threads(again)
        found = {t.id: t for t in await threads.list("ann", search="zurich ou")}
        assert found["t1"].transcript == transcript_digest([message("m1"), message("m2")])
        assert [m.text for m in await threads.messages("ann", "t2")] == [UNREADABLE]
    finally:
        again.close()


def _as_it_was(connection):
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "0005")
    at = "2026-12-01T09:00:00.000000+00:00"
    for id, title in (("t1", "Zürich"), ("t2", "Broken")):
        connection.exec_driver_sql("INSERT INTO threads VALUES (?, 'ann', ?, 1, ?, ?)", (id, title, at, at))
    for number, one in enumerate((message("m1"), message("m2")), 1):
        row = ("t1", number, one.id, one.exchange_id, encode_message(one))
        connection.exec_driver_sql("INSERT INTO messages VALUES (?, ?, ?, ?, ?)", row)
    connection.exec_driver_sql("INSERT INTO messages VALUES ('t2', 1, 'm', 'e', '{broken')")
    connection.exec_driver_sql(
        "INSERT INTO exchanges (id, thread_id, number, question, state, model, started, input_tokens, output_tokens,"
        " steps) VALUES ('e1', 't1', 1, 'Où?', 'finished', 'm', ?, 0, 0, 1)", (at,)
    )  # fmt: skip
