"""Approvals run the exact change that was shown, once."""

import ast
import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

import sayso
from sayso.core.proposals import ProposalState
from sayso.core.tools import Actor
from sayso.errors import Conflict, Expired, Forbidden, NotFound, StoreBusy

pytestmark = pytest.mark.anyio


async def state_of(bench):
    return (await bench.proposals.get("ann", "p1")).state


async def test_approval_runs_once_and_a_double_click_gets_the_same_receipt(bench):
    filed = await bench.filed()
    first = await bench.gateway.approve("p1", filed.digest, bench.actor)
    second = await bench.gateway.approve("p1", filed.digest, bench.actor)
    assert (first, bench.effects) == (second, 1)
    assert first.values["outcome"] == "created"
    assert [f.name for f in await bench.gateway.files("ann", "p1")] == ["a.ics"]
    states = [c.state.value for c in await bench.proposals.changes("ann", "p1")]
    assert states == ["pending", "approved", "executing", "done"]


@pytest.mark.parametrize("action", ["add", "send"])
async def test_g6_s8_sixteen_approvals_at_once_have_one_effect(bench, action):
    filed = await bench.filed(action=action)
    several = [bench.restarted() for _ in range(4)]
    results = await asyncio.gather(
        *(several[i % 4].approve("p1", filed.digest, bench.actor) for i in range(16)), return_exceptions=True
    )
    assert bench.effects + len(bench.sent) == 1
    assert all(isinstance(r, Conflict) or r.values["outcome"] in ("created", "sent") for r in results)


async def test_g6_of_an_approval_and_a_denial_one_wins(bench):
    filed = await bench.filed()
    results = await asyncio.gather(
        bench.gateway.approve("p1", filed.digest, bench.actor), bench.gateway.deny("p1", bench.actor),
        return_exceptions=True,
    )  # fmt: skip
    assert sum(isinstance(r, Conflict) for r in results) == 1
    assert bench.effects == (1 if await state_of(bench) is ProposalState.DONE else 0)


async def test_a_refused_approval_has_no_effect(bench):
    filed = await bench.filed()
    with pytest.raises(Conflict, match="changed"):
        await bench.gateway.approve("p1", "0" * 64, bench.actor)
    with pytest.raises(NotFound):
        await bench.gateway.approve("p1", filed.digest, Actor("bob", "bob"))
    with pytest.raises(Forbidden, match="act:add"):
        await bench.gateway.approve("p1", filed.digest, replace(bench.actor, permissions=frozenset()))
    bench.clock.moment += timedelta(hours=2)
    with pytest.raises(Expired):
        await bench.gateway.approve("p1", filed.digest, bench.actor)
    assert (await state_of(bench), bench.effects) == (ProposalState.EXPIRED, 0)


async def test_who_may_not_approve_is_not_told_whether_the_card_has_changed(bench):
    await bench.filed()
    nobody = replace(bench.actor, permissions=frozenset())
    with pytest.raises(Forbidden):
        await bench.gateway.approve("p1", "0" * 64, nobody)
    with pytest.raises(Forbidden):
        await bench.gateway.edit("p1", nobody, {"n": 1}, "0" * 64)


async def test_c5_approval_of_a_card_that_was_edited_since_is_refused(bench):
    filed = await bench.filed()
    edited = bench.proposal(title="Add two rows")
    await bench.proposals.replace("ann", "p1", edited.canonical, "ann", bench.clock.now())
    with pytest.raises(Conflict, match="changed"):
        await bench.gateway.approve("p1", filed.digest, bench.actor)
    assert bench.effects == 0
    await bench.gateway.approve("p1", edited.digest, bench.actor)
    assert bench.effects == 1


async def test_denied_proposal_never_runs(bench):
    filed = await bench.filed()
    receipt = await bench.gateway.deny("p1", bench.actor, "not now")
    assert (receipt.values["outcome"], receipt.values["details"]) == ("denied", "not now")
    with pytest.raises(Conflict, match="denied"):
        await bench.gateway.approve("p1", filed.digest, bench.actor)
    assert await bench.gateway.recover(bench.clock.now()) == 0
    assert bench.effects == 0


async def test_a_failed_internal_action_leaves_nothing_behind(bench, refused):
    filed = await bench.filed()
    bench.fault = refused("the record has changed")
    receipt = await bench.gateway.approve("p1", filed.digest, bench.actor)
    assert (receipt.values["outcome"], receipt.values["details"]) == ("failed", "the record has changed")
    assert bench.effects == 0


async def test_a_broken_external_action_is_unknown_until_a_person_settles_it(bench):
    filed = await bench.filed(action="send")
    bench.fault = OSError("connection lost")
    receipt = await bench.gateway.approve("p1", filed.digest, bench.actor)
    assert receipt.values["outcome"] == "unknown"
    await bench.gateway.approve("p1", filed.digest, bench.actor)
    assert len(bench.sent) == 1
    settled = await bench.gateway.settle("p1", bench.actor, happened=True)
    assert settled.values["outcome"] == "done"


async def test_a_read_only_database_refuses_before_the_action(bench):
    filed = await bench.filed(action="send")
    with bench.database._writer.connect() as connection:
        connection.exec_driver_sql("PRAGMA query_only=ON")
    with pytest.raises(StoreBusy, match="read-only"):
        await bench.gateway.approve("p1", filed.digest, bench.actor)
    assert bench.sent == []


async def test_s2_altered_bytes_never_run(bench):
    filed = await bench.filed()
    bench.database.write(lambda c: c.execute(text("UPDATE proposals SET canonical = x'7b7d'")))
    with pytest.raises(Conflict, match="altered"):
        await bench.gateway.approve("p1", filed.digest, bench.actor)


def test_only_execute_calls_an_action():
    calls = []
    for path in Path(sayso.__file__).parent.rglob("*.py"):
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                body = ast.unparse(function)
                calls += [function.name] * ("action.run" in body)
    assert calls == ["execute"]
