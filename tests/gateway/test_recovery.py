"""What a dead process left is finished only as far as the approver's role and the stored bytes still allow."""

import logging

import pytest
from sqlalchemy import text

from sayso.core.proposals import ProposalState
from sayso.core.tools import Actor

pytestmark = pytest.mark.anyio


async def approved(bench, id="p1", nonce="n", title="Add a row"):
    """A proposal whose process died between its approval and its run."""
    filed = await bench.filed(id=id, nonce=nonce, title=title)
    move = bench.proposals.move
    assert await move(id, "ann", (ProposalState.PENDING,), ProposalState.APPROVED, "ann", bench.clock.now())
    return filed


async def ended(bench, id="p1"):
    receipt = await bench.gateway.receipt("ann", id)
    return receipt and (receipt.values["outcome"], receipt.values.get("details", ""))


async def test_an_approval_left_behind_runs_when_its_approver_may_still_do_it(bench):
    await approved(bench)
    assert await bench.gateway.recover(bench.clock.now()) == 1
    assert (bench.effects, await ended(bench)) == (1, ("created", "one row"))


@pytest.mark.parametrize(
    "people",
    [{}, {"ann": Actor("ann", "ann", frozenset({"act:send"}))}, {"ann": Actor("ann", "bob")}],
    ids=["gone", "other role", "of another owner"],
)
async def test_g5_an_approver_whose_role_is_gone_has_nothing_run_at_recovery(bench, people, caplog):
    await approved(bench)
    bench.people = people
    assert await bench.gateway.recover(bench.clock.now()) == 1
    outcome, details = await ended(bench)
    assert (bench.effects, outcome) == (0, "denied")
    assert "role of ann does not allow add" in details
    assert "p1 is denied at recovery" in caplog.text


async def test_without_a_directory_of_people_nothing_is_run_again(bench):
    from sayso.gateway.gateway import Gateway

    await approved(bench)
    await Gateway(bench.database, bench.proposals, bench.gateway._actions, bench.clock).recover(bench.clock.now())
    assert (bench.effects, (await ended(bench))[0]) == (0, "denied")


async def test_an_altered_proposal_stops_no_other_and_is_named_in_the_log(bench, caplog):
    await approved(bench)
    await approved(bench, "p2", "n2", "Add another")
    bench.database.write(lambda c: c.execute(text("UPDATE proposals SET canonical = x'7b7d' WHERE id = 'p1'")))
    with caplog.at_level(logging.ERROR):
        assert await bench.gateway.recover(bench.clock.now()) == 1
    assert bench.effects == 1
    assert "proposal p1 stays approved and is not run" in caplog.text
    assert [p.id for p in await bench.proposals.list("ann")] == ["p2"]


async def test_an_altered_receipt_costs_its_thread_only_itself(bench, caplog):
    for id in ("p1", "p2"):
        filed = await bench.filed(id=id, nonce=id, title=id)
        await bench.gateway.approve(id, filed.digest, bench.actor)
    bench.database.write(lambda c: c.execute(text("UPDATE proposals SET canonical = x'00' WHERE id = 'p1'")))
    told = await bench.proposals.receipts_for("ann", "thread")
    assert [r.subject for r in told] == ["p2"]
    assert "proposal p1 is left out" in caplog.text
