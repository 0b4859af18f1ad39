"""A call of an outside tool that changes something: a card, an approval, one call, and second-hand facts."""

from datetime import timedelta

import pytest

from sayso.core.facts import Provenance
from sayso.core.proposals import Proposal, ProposalState, canonical_bytes
from sayso.core.tools import Actor, ToolContext
from sayso.errors import Forbidden
from sayso.gateway.gateway import Gateway
from sayso.gateway.mcp.outside_arguments import AS_JSON

from .conftest import NOW

pytestmark = pytest.mark.anyio
ANN = Actor("ann", "ann")


async def card(bench, met, arguments, name="ext__find"):
    """Propose through the tool, file it, and give the gateway that has the server's action."""
    tool = met.tool(name)
    outcome = await tool.run(tool.arguments.model_validate(arguments), ToolContext(ANN, NOW))
    canonical = canonical_bytes(
        outcome.change, tool=tool.name, schema=tool.schema, actor="ann", owner="ann",
        created=NOW, expires=NOW + timedelta(hours=1), nonce="n",
    )  # fmt: skip
    filed = await bench.proposals.file(Proposal("p1", "thread", "ex", "call", canonical), "ann", NOW)
    gateway = Gateway(bench.database, bench.proposals, met.outside.actions(), bench.clock)
    return gateway, filed.proposal


async def ended(bench, gateway, proposal, actor=ANN):
    receipt = await gateway.approve(proposal.id, proposal.digest, actor)
    return receipt, (await bench.proposals.get("ann", proposal.id)).state


async def test_an_approved_call_is_sent_once_with_its_key_and_its_answer_is_second_hand(bench, meet):
    met = await meet("plain")
    gateway, proposal = await card(bench, met, {"query": "Elena"})
    assert met.calls == []
    receipt, state = await ended(bench, gateway, proposal)
    again, _ = await ended(bench, gateway, proposal)
    assert (state, again) == (ProposalState.DONE, receipt)
    (call,) = met.calls
    assert call["arguments"] == {"query": "Elena"}
    assert call["_meta"]["sayso/idempotency-key"] == proposal.digest
    (fact,) = await gateway.facts("ann", "p1")
    assert (fact.provenance, fact.values["text"]) == (Provenance.SECOND_HAND, 'found {"query": "Elena"}')
    assert (receipt.values["outcome"], receipt.values["details"]) == ("answered", "ext answered")


async def test_amounts_are_exact_on_the_card_and_numbers_on_the_wire(bench, meet):
    met = await meet("typed")
    arguments = {"amount": 12.5, "kind": "a", "tags": ["x"], "who": {"name": "Bo"}}
    gateway, proposal = await card(bench, met, arguments, "ext__pay")
    assert proposal.content["arguments"] == {**arguments, "amount": "12.5", AS_JSON: ["amount"]}
    await ended(bench, gateway, proposal)
    assert met.calls[0]["arguments"] == arguments


async def test_an_edited_argument_is_what_is_sent(bench, meet):
    met = await meet("typed")
    gateway, _ = await card(bench, met, {"amount": 12.5, "kind": "a"}, "ext__pay")
    edited = await gateway.edit("p1", ANN, {"amount": "13.75", "kind": "b"})
    await ended(bench, gateway, edited)
    assert met.calls[0]["arguments"] == {"amount": 13.75, "kind": "b"}


@pytest.mark.parametrize("change", [{"kind": "c"}, {"amount": "a lot"}])
async def test_an_edit_that_does_not_fit_the_tool_fails_and_nothing_is_sent(bench, meet, change):
    met = await meet("typed")
    gateway, _ = await card(bench, met, {"amount": 12.5, "kind": "a"}, "ext__pay")
    edited = await gateway.edit("p1", ANN, change)
    receipt, state = await ended(bench, gateway, edited)
    assert state is ProposalState.FAILED
    assert "nothing was sent" in receipt.values["details"]
    assert met.calls == []


async def test_s22_a_tool_that_changed_between_card_and_approval_is_not_called(bench, meet):
    met = await meet("changing")
    gateway, proposal = await card(bench, met, {"query": "x"})
    met.log.write_text("{}\n")  # what the server lists depends on it
    receipt, state = await ended(bench, gateway, proposal)
    assert state is ProposalState.FAILED
    assert "no longer what was pinned" in receipt.values["details"]
    assert len(met.calls) == 1  # the line that this test wrote


async def test_s22_a_card_of_an_old_definition_is_not_sent_to_the_new_one(bench, meet):
    met = await meet("changing")
    gateway, proposal = await card(bench, met, {"query": "x"})
    met.log.write_text("{}\n")
    await met.outside.pin("ext")
    receipt, state = await ended(bench, gateway, proposal)
    assert (state, "has changed" in receipt.values["details"]) == (ProposalState.FAILED, True)


@pytest.mark.parametrize("mode", ["hangs", "dies", "wrong_id", "asks_input"])
async def test_a_call_without_an_answer_ends_unknown_and_is_never_repeated(bench, meet, mode):
    met = await meet(mode, seconds=3.0)
    gateway, proposal = await card(bench, met, {"query": "x"})
    _, state = await ended(bench, gateway, proposal)
    await ended(bench, gateway, proposal)
    assert (state, len(met.calls)) == (ProposalState.UNKNOWN, 1)


@pytest.mark.parametrize("mode", ["failing", "rejects"])
async def test_a_call_that_the_server_says_failed_has_failed_in_our_words(bench, meet, mode):
    met = await meet(mode)
    gateway, proposal = await card(bench, met, {"query": "x"})
    receipt, state = await ended(bench, gateway, proposal)
    assert state is ProposalState.FAILED
    assert "IGNORE" not in str(receipt.values)


async def test_a_call_whose_answer_is_not_as_declared_has_been_made_and_its_receipt_says_so(bench, meet):
    met = await meet("unlike")
    gateway, proposal = await card(bench, met, {"query": "text"}, "ext__list_issues")
    receipt, state = await ended(bench, gateway, proposal)
    assert (state, len(met.calls), await gateway.facts("ann", "p1")) == (ProposalState.DONE, 1, ())
    assert "not in the form that it declares" in receipt.values["details"]


async def test_whoever_may_not_execute_at_a_server_cannot_approve_its_card(bench, meet):
    met = await meet("plain")
    gateway, proposal = await card(bench, met, {"query": "x"})
    with pytest.raises(Forbidden):
        await gateway.approve("p1", proposal.digest, Actor("ann", "ann", frozenset({"propose:*"})))
    assert met.calls == []
