"""Receipts: facts that say how a proposal ended. Made by this code from stored states only."""

from __future__ import annotations

from datetime import datetime

from sayso.core.facts import RECEIPT, Fact
from sayso.core.proposals import Proposal, ProposalState
from sayso.core.receipts import GATEWAY

ENDED = frozenset(
    {
        ProposalState.DONE, ProposalState.FAILED, ProposalState.UNKNOWN, ProposalState.DENIED, ProposalState.EXPIRED,
        ProposalState.SUPERSEDED,
    }
)  # fmt: skip
"""The states that a thread is told of by a receipt."""

WORDS = {ProposalState.SUPERSEDED: "superseded, not done"}
"""Outcomes that are not the state's name: each must read as what did not happen."""
UNKNOWN_DETAILS = "it may have run: look before you ask for it again"


def receipt(proposal: Proposal, outcome: str, details: str, ended: datetime) -> Fact:
    """`outcome` is the action's own word when it is done, else the state's name or its `WORDS`."""
    content = proposal.content
    target = content["target"]
    values = {
        "title": content["title"],
        "outcome": outcome,
        "action": content["action"],
        "target": target["name"] if target else None,
        "details": details,
        "done_at": ended if proposal.state in (ProposalState.DONE, ProposalState.FAILED) else None,
        "proposal_id": proposal.id,
    }
    return RECEIPT.fact(values, source=GATEWAY, key=proposal.id, as_of=ended)
