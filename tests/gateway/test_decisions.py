"""Who may decide what, how a proposal is closed, and how an unknown end is found out."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import text

from sayso.core.proposals import Proposal, ProposalState
from sayso.core.tools import Actor
from sayso.errors import Conflict, Expired, Forbidden, NotFound
from sayso.gateway.actions import Action, Done, NotRun
from sayso.gateway.gateway import Gateway
from sayso.store.audit import Audit

pytestmark = pytest.mark.anyio
VIEWER = Actor("ann", "ann", frozenset({"read:people"}))
"""The same person, with no role that decides any more."""
OF_ANOTHER_USER, OF_ANOTHER_OWNER = Actor("vic", "ann"), Actor("ann", "elsewhere")


async def state_of(bench, id="p1"):
    return (await bench.proposals.get("ann", id)).state


async def test_a_superseded_proposal_is_closed_for_good_and_its_thread_is_told(bench):
    filed = await bench.filed()
    receipt = await bench.gateway.supersede("p1", bench.actor)
    assert receipt.values["outcome"] == "superseded, not done"
    assert await bench.gateway.supersede("p1", bench.actor) == receipt
    with pytest.raises(Conflict, match="superseded"):
        await bench.gateway.approve("p1", filed.digest, bench.actor)
    with pytest.raises(Conflict, match="superseded"):
        await bench.gateway.deny("p1", bench.actor)
    with pytest.raises(Conflict, match="superseded"):
        await bench.gateway.edit("p1", bench.actor, {"n": 2})
    assert bench.effects == 0
    assert await bench.proposals.receipts_for("ann", "thread") == (receipt,)


async def test_b20_superseding_one_thread_leaves_the_others_alone(bench):
    await bench.filed()
    other = bench.proposal(id="p2", title="Another")
    await bench.proposals.file(type(other)("p2", "elsewhere", "ex", "call", other.canonical), "ann", bench.clock.now())
    assert await bench.gateway.supersede_thread("thread", bench.actor) == ["p1"]
    assert await bench.gateway.supersede_thread("thread", bench.actor) == []
    assert (await state_of(bench), await state_of(bench, "p2")) == (ProposalState.SUPERSEDED, ProposalState.PENDING)


async def test_of_a_supersession_and_an_approval_one_wins(bench):
    filed = await bench.filed()
    ended = await asyncio.gather(
        bench.gateway.approve("p1", filed.digest, bench.actor), bench.gateway.supersede("p1", bench.actor),
        return_exceptions=True,
    )  # fmt: skip
    assert sum(isinstance(e, Conflict) for e in ended) == 1
    assert bench.effects == (1 if await state_of(bench) is ProposalState.DONE else 0)


async def test_whose_role_allows_nothing_approves_nothing(bench):
    filed = await bench.filed()
    with pytest.raises(Forbidden, match="act:add"):
        await bench.gateway.approve("p1", filed.digest, VIEWER)
    assert (await state_of(bench), bench.effects) == (ProposalState.PENDING, 0)


@pytest.mark.parametrize("who", [OF_ANOTHER_USER, OF_ANOTHER_OWNER])
@pytest.mark.parametrize("verb", ["deny", "supersede", "edit", "approve", "settle", "check"])
async def test_g7_nobody_decides_on_anothers_proposal_and_it_is_as_if_there_were_none(bench, verb, who):
    filed = await bench.filed()
    more = {"edit": ({"n": 2},), "approve": (filed.digest,)}.get(verb, ())
    with pytest.raises(NotFound):
        if verb == "approve":
            await bench.gateway.approve("p1", filed.digest, who)
        elif verb == "settle":
            await bench.gateway.settle("p1", who, happened=True)
        else:
            await getattr(bench.gateway, verb)("p1", who, *more)
    assert await bench.gateway.supersede_thread("thread", who) == []
    for look in (bench.gateway.receipt, bench.gateway.files, bench.gateway.facts, bench.gateway.changes):
        with pytest.raises(NotFound):
            await look(who.desk, "p1")
    assert (await bench.proposals.get("ann", "p1"), bench.effects) == (filed, 0)


async def test_g7_approving_what_has_expired_or_was_superseded_runs_nothing(bench):
    late, replaced = await bench.filed(), await bench.filed(id="p2", title="Another", nonce="m")
    await bench.gateway.supersede("p2", bench.actor)
    with pytest.raises(Conflict, match="superseded") as closed:
        await bench.gateway.approve("p2", replaced.digest, bench.actor)
    bench.clock.moment += timedelta(hours=2)
    with pytest.raises(Expired) as over:
        await bench.gateway.approve("p1", late.digest, bench.actor)
    assert [wrong.value.code for wrong in (closed, over)] == ["conflict", "expired"]
    assert bench.effects == 0


async def test_s20_an_action_changes_the_records_that_the_approved_bytes_name(bench):
    """A row that was put on another's desk is decided by nobody there: its bytes name other records."""
    owners = []
    action = Action("send", "act:send", lambda r: owners.append(r.owner) or Done("sent"), external=True)
    gateway = Gateway(bench.database, bench.proposals, {"send": action}, bench.clock)
    canonical = bench.proposal(action="send").canonical.replace(b'"owner":"ann"', b'"owner":"team"')
    vic = Actor("vic", "team")
    moved = [Proposal(f"p{n}", "thread", "ex", "call", canonical) for n in range(2)]
    for one, who in zip(moved, (vic, Actor("vic", "elsewhere")), strict=True):
        await bench.proposals.file(one, who.desk, bench.clock.now())
    assert (await gateway.approve("p0", moved[0].digest, vic)).values["outcome"] == "sent"
    receipt = await gateway.approve("p1", moved[1].digest, Actor("vic", "elsewhere"))
    assert (receipt.values["outcome"], owners) == ("denied", ["team"])


async def test_s20_the_audit_log_tells_whose_records_and_who_not_on_which_desk(bench):
    vic = Actor("vic", "ann")
    canonical = bench.proposal().canonical.replace(b'"actor":"ann"', b'"actor":"vic"')
    filed = Proposal("p1", "thread", "ex", "call", canonical)
    await bench.proposals.file(filed, vic.desk, bench.clock.now())
    after = await bench.gateway.edit("p1", vic, {"n": 2})
    await bench.gateway.approve("p1", after.digest, vic)
    told = [(row.owner, row.actor) for row in await Audit(bench.database).rows()]
    assert len(told) >= 4
    assert set(told) == {("ann", "vic")}
    assert [c.by for c in await bench.proposals.changes(vic.desk, "p1")] == ["vic"] * 5


async def test_whoever_asked_may_withdraw_without_the_role_to_approve(bench):
    await bench.filed()
    asker = Actor("ann", "ann", frozenset({"propose:t"}))
    assert (await bench.gateway.deny("p1", asker)).values["outcome"] == "denied"


@pytest.mark.parametrize("verb", ["deny", "supersede", "edit"])
async def test_an_api_token_that_only_reads_decides_not_even_on_its_users_own_proposal(bench, verb):
    await bench.filed()
    token = Actor("ann", "ann", scopes=frozenset({"read:*"}))
    with pytest.raises(Forbidden, match="scopes"):
        await getattr(bench.gateway, verb)("p1", token, *({"edit": ({"n": 2},)}.get(verb, ())))
    assert await state_of(bench) is ProposalState.PENDING


@pytest.mark.parametrize(
    ("permission", "sees"),
    [
        ("read:proposals", True), ("read:*", True), ("propose:t", True), ("act:add", True), ("*", True),
        ("read:search_people", False), ("propose:other", False), ("act:send", False), ("read:threads", False),
    ],
)  # fmt: skip
async def test_a_card_is_seen_by_who_may_see_cards_or_ask_for_or_approve_such_a_change(bench, permission, sees):
    filed, actor = await bench.filed(), Actor("ann", "ann", frozenset({permission}))
    assert bench.gateway.sees(filed, actor) is sees
    if not sees:
        with pytest.raises(Forbidden, match="read:proposals"):
            bench.gateway.check_sees(filed, actor)


async def test_a_change_that_is_not_offered_any_more_is_closed_by_whoever_may_ask_for_such(bench):
    await bench.filed(action="gone")
    with pytest.raises(Forbidden, match="propose:t"):
        await bench.gateway.deny("p1", Actor("ann", "ann", frozenset({"read:*", "execute:*"})))
    asker = Actor("ann", "ann", frozenset({"propose:t"}))
    assert (await bench.gateway.deny("p1", asker)).values["outcome"] == "denied"


async def test_g8_what_a_colleague_has_just_had_done_is_told_as_done_and_not_whose_it_was(bench):
    theirs, others = bench.proposal(), bench.proposal(id="p9", owner="elsewhere")
    for proposal, where in ((theirs, "ann/vic"), (others, "ann/eve")):
        await bench.proposals.file(proposal, where, bench.clock.now())
    mine = await bench.filed(id="p2", nonce="m")
    another = await bench.filed(id="p3", nonce="k", title="Another", n=2)
    assert await risks(bench, mine) == []
    await bench.proposals.move(
        "p9", "ann/eve", (ProposalState.PENDING,), ProposalState.APPROVED, "eve", bench.clock.now()
    )
    assert await risks(bench, mine) == []  # another owner's records
    await bench.gateway.approve("p1", theirs.digest, Actor("vic", "ann"))
    assert await risks(bench, mine) == [("repeated", "the same was approved already: 2026-12-01T09:00+00:00")]
    assert await risks(bench, another) == []
    bench.database.write(lambda c: c.execute(text("UPDATE proposals SET digest = 'x' WHERE id = 'p1'")))
    assert await risks(bench, mine) == []  # a colleague's damaged row costs nobody their card


async def risks(bench, proposal):
    return [(risk.code.value, risk.words) for risk in (await bench.gateway.card("ann", proposal)).risks]


async def test_g5_a_role_taken_away_between_approval_and_run_denies_and_is_not_retried(bench):
    filed = await bench.filed()
    bench.people = {"ann": Actor("ann", "ann", frozenset({"act:send"}))}
    receipt = await bench.gateway.approve("p1", filed.digest, bench.actor)
    assert (receipt.values["outcome"], bench.effects) == ("denied", 0)
    assert "does not allow add any more" in receipt.values["details"]
    with pytest.raises(Conflict, match="denied"):
        await bench.gateway.approve("p1", filed.digest, bench.actor)


async def test_who_and_when_stand_on_every_change(bench):
    await bench.filed()
    await bench.gateway.edit("p1", bench.actor, {"n": 2})
    bench.clock.moment += timedelta(minutes=1)
    await bench.gateway.deny("p1", bench.actor, "wrong number")
    changes = await bench.proposals.changes("ann", "p1")
    told = [(c.state.value, c.by, c.note) for c in changes]
    assert told == [("pending", "ann", "filed"), ("pending", "ann", "edited"), ("denied", "ann", "wrong number")]
    assert changes[0].digest != changes[1].digest == changes[2].digest
    assert changes[2].at - changes[1].at == timedelta(minutes=1)


def gateway_with(bench, **action):
    actions = {"send": Action("send", "act:send", bench._send, external=True, **action)}
    return Gateway(bench.database, bench.proposals, actions, bench.clock, lambda owner, id: bench.people.get(id))


@pytest.mark.parametrize(
    ("found", "outcome"), [(Done("sent", "id 7"), "sent"), (NotRun(), "failed"), (None, "unknown")]
)  # fmt: skip
async def test_g4_an_action_whose_answer_was_lost_is_looked_up_by_its_key(bench, found, outcome):
    filed = await bench.filed(action="send")
    keys = []
    gateway = gateway_with(bench, check=lambda request: keys.append(request.key) or found)
    bench.fault = TimeoutError()
    receipt = await gateway.approve("p1", filed.digest, bench.actor)
    assert (receipt.values["outcome"], keys, len(bench.sent)) == (outcome, [filed.digest], 1)


async def test_an_unknown_end_is_looked_for_later_and_a_check_that_fails_changes_nothing(bench):
    filed = await bench.filed(action="send")
    found = [OSError("down"), OSError("down"), None, Done("sent", "id 7")]

    def check(request):
        if isinstance(answer := found.pop(0), OSError):
            raise answer
        return answer

    gateway = gateway_with(bench, check=check)
    bench.fault = TimeoutError()
    assert (await gateway.approve("p1", filed.digest, bench.actor)).values["outcome"] == "unknown"
    for outcome in ("unknown", "unknown", "sent"):
        assert (await gateway.check("p1", bench.actor)).values["outcome"] == outcome
    with pytest.raises(Conflict, match="only an unknown end"):
        await gateway.check("p1", bench.actor)
    with pytest.raises(Conflict, match="only an unknown end"):
        await gateway.settle("p1", bench.actor, happened=False)
    assert len(bench.sent) == 1


async def test_settling_needs_the_role_of_approving(bench):
    filed = await bench.filed(action="send")
    bench.fault = TimeoutError()
    await bench.gateway.approve("p1", filed.digest, bench.actor)
    for settle in (bench.gateway.settle("p1", VIEWER, happened=True), bench.gateway.check("p1", VIEWER)):
        with pytest.raises(Forbidden):
            await settle
    settled = await bench.gateway.settle("p1", bench.actor, happened=False)
    assert (settled.values["outcome"], settled.values["details"]) == ("failed", "found out by a person")


async def test_s4_an_external_action_runs_only_on_the_record_that_was_seen(bench):
    present = {"v": "3"}
    gateway = Gateway(
        bench.database, bench.proposals, bench.gateway._actions, bench.clock,
        version=lambda connection, owner, target: present["v"],
    )  # fmt: skip
    for number, now in enumerate(["4", None, "3"]):
        present["v"] = now
        filed = await bench.filed(id=f"p{number}", action="send", nonce=str(number), about=f"key{number}")
        receipt = await gateway.approve(filed.id, filed.digest, bench.actor)
        assert receipt.values["outcome"] == ("sent" if now == "3" else "failed")
        assert ("has changed" in receipt.values.get("details", "")) == (now == "4")
        assert ("no longer there" in receipt.values.get("details", "")) == (now is None)
    assert len(bench.sent) == 1


async def test_an_end_that_a_busy_database_refuses_is_written_again(bench, monkeypatch):
    from sayso.errors import StoreBusy

    filed = await bench.filed(action="send")
    write, refused = bench.database.write, []

    def busy(fn, *, durable=False):
        if bench.sent and len(refused) < 2:
            refused.append(fn)
            raise StoreBusy("busy")
        return write(fn, durable=durable)

    monkeypatch.setattr(bench.database, "write", busy)
    assert (await bench.gateway.approve("p1", filed.digest, bench.actor)).values["outcome"] == "sent"
    assert (len(refused), len(bench.sent)) == (2, 1)
