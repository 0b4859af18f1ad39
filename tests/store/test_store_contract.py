"""What both stores promise."""

from datetime import UTC, datetime, timedelta

import pytest

from sayso.core.evidence import Numbered
from sayso.core.facts import LOOKUP
from sayso.core.messages import Attempt, FactsPart, Message, Outcome, Role, StopReason, TextPart, Usage
from sayso.core.proposals import Change, Proposal, ProposalState, canonical_bytes
from sayso.errors import Conflict, NotFound
from sayso.store.holding import LEASE
from sayso.store.ports import ExchangeState

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)


def message(id, text="hello", ref=None):
    fact = LOOKUP.fact({"query": "q", "matched": 1}, source="lookup", key="k", as_of=NOW)
    parts = (TextPart(text), FactsPart((Numbered(ref, fact),))) if ref else (TextPart(text),)
    return Message(id, Role.USER, parts, "ex1")


def proposal(id="p1", nonce="n", n=1, hours=1):
    canonical = canonical_bytes(
        Change("add", "Add", {"n": n}), tool="t", schema={}, actor="ann", owner="ann",
        created=NOW, expires=NOW + timedelta(hours=hours), nonce=nonce,
    )  # fmt: skip
    return Proposal(id, "thread", "ex", "call", canonical)


async def test_messages_come_back_in_order_and_refs_only_grow(threads):
    thread = await threads.create("ann", "First")
    await threads.append("ann", thread.id, message("m1", ref="F7"), message("m2"))
    assert len(await threads.messages("ann", thread.id)) == 2
    await threads.append("ann", thread.id, message("m3", ref="F2"))
    assert await threads.messages("ann", thread.id) == (
        message("m1", ref="F7"), message("m2"), message("m3", ref="F2"),
    )  # fmt: skip
    assert (await threads.get("ann", thread.id)).next_ref == 8
    with pytest.raises(Conflict):
        await threads.append("ann", thread.id, message("m4"), message("m1"))
    assert len(await threads.messages("ann", thread.id)) == 3


async def test_another_owner_finds_no_thread(threads):
    thread = await threads.create("ann")
    for attempt in (
        threads.get("bob", thread.id), threads.messages("bob", thread.id), threads.exchanges("bob", thread.id),
        threads.append("bob", thread.id, message("m")), threads.rename("bob", thread.id, "x"),
        threads.delete("bob", thread.id), threads.start_exchange("bob", thread.id, "e", "q", "m", NOW),
    ):  # fmt: skip
        with pytest.raises(NotFound):
            await attempt
    assert await threads.list("bob") == ()


async def test_exchanges_end_once_and_those_of_a_dead_process_are_cut(threads):
    thread = await threads.create("ann")
    for id in ("e1", "e2", "e3"):
        await threads.start_exchange("ann", thread.id, id, "why?", "m", NOW)
    end = (StopReason.ANSWERED, Usage(3, 4), 2, "m2", "Because.", "{}", NOW)
    tried = (Attempt("m1", "model_busy", "m1 is busy"), Attempt("m2", "left_out", "too long", 3, 12))
    await threads.finish_exchange("e1", Outcome.ANSWERED, *end, tried)
    await threads.finish_exchange("e2", None, *end)
    with pytest.raises(Conflict):
        await threads.finish_exchange("e1", None, *end)
    assert await threads.recover(NOW) == 0, "its process lives"
    assert await threads.recover(NOW + LEASE) == 1
    found = await threads.exchanges("ann", thread.id)
    assert [e.state for e in found] == [ExchangeState.FINISHED, ExchangeState.FAILED, ExchangeState.CUT]
    assert (found[0].usage, found[0].answer, found[0].model) == (Usage(3, 4), "Because.", "m2")
    assert [e.attempts for e in found] == [tried, (), ()]


async def test_threads_are_listed_in_pages_newest_first(threads):
    made = [await threads.create("ann", str(n)) for n in range(5)]
    first = await threads.list("ann", limit=2)
    rest = await threads.list("ann", limit=9, before=first[-1].id)
    assert [t.id for t in (*first, *rest)] == [t.id for t in reversed(made)]
    await threads.rename("ann", made[0].id, "new")
    await threads.delete("ann", made[1].id)
    assert {t.title for t in await threads.list("ann")} == {"new", "2", "3", "4"}


async def test_the_same_act_waits_once_only(proposals):
    first = await proposals.file(proposal(), "ann", NOW)
    again = await proposals.file(proposal("p2", nonce="other"), "ann", NOW)
    assert (first.is_new, again.is_new, again.proposal.id) == (True, False, "p1")
    later = await proposals.file(proposal("p3", nonce="third", hours=9), "ann", NOW + timedelta(hours=2))
    assert later.is_new
    assert (await proposals.get("ann", "p1")).state is ProposalState.EXPIRED


async def test_a_proposal_moves_only_as_allowed(proposals):
    await proposals.file(proposal(), "ann", NOW)
    pending, approved = ProposalState.PENDING, ProposalState.APPROVED
    assert not await proposals.move("p1", "bob", [pending], approved, "bob", NOW)
    assert not await proposals.move("p1", "ann", [pending], approved, "ann", NOW, digest="0")
    assert await proposals.move("p1", "ann", [pending], approved, "ann", NOW)
    assert not await proposals.move("p1", "ann", [pending], ProposalState.DENIED, "ann", NOW)
    with pytest.raises(Conflict):
        await proposals.move("p1", "ann", [approved], ProposalState.DONE, "ann", NOW)
    with pytest.raises(Conflict):
        await proposals.replace("ann", "p1", proposal(n=2).canonical, "ann", NOW)
    assert [(c.state, c.by) for c in await proposals.changes("ann", "p1")] == [(pending, "ann"), (approved, "ann")]


async def test_a_receipt_is_told_once_to_its_thread(proposals):
    await proposals.file(proposal(), "ann", NOW)
    await proposals.move("p1", "ann", [ProposalState.PENDING], ProposalState.DENIED, "ann", NOW, note="no")
    (receipt,) = await proposals.receipts_for("ann", "thread")
    assert (receipt.values["outcome"], receipt.values["details"]) == ("denied", "no")
    assert await proposals.receipts_for("bob", "thread") == ()
    await proposals.mark_delivered("bob", [receipt])
    await proposals.mark_delivered("ann", [])
    assert await proposals.receipts_for("ann", "thread") == (receipt,)
    await proposals.mark_delivered("ann", [receipt])
    assert await proposals.receipts_for("ann", "thread") == ()


async def test_a_receipt_that_changed_after_it_was_told_is_told_anew(proposals):
    await proposals.file(proposal(), "ann", NOW)
    moves = [("pending", "approved"), ("approved", "executing"), ("executing", "unknown"), ("unknown", "done")]
    for minutes, (before, after) in enumerate(moves[:-1]):
        at = NOW + timedelta(minutes=minutes)
        assert await proposals.move("p1", "ann", [ProposalState(before)], ProposalState(after), "ann", at)
    (first,) = await proposals.receipts_for("ann", "thread")
    assert await proposals.move(
        "p1", "ann", [ProposalState.UNKNOWN], ProposalState.DONE, "ann", NOW + timedelta(hours=1)
    )
    (second,) = await proposals.receipts_for("ann", "thread")
    await proposals.mark_delivered("ann", [first])
    assert await proposals.receipts_for("ann", "thread") == (second,) != (first,)
    await proposals.mark_delivered("ann", [second])
    assert await proposals.receipts_for("ann", "thread") == ()
