"""Filing a change: one way for every caller, in process or not. It files; it decides nothing and runs nothing."""

from __future__ import annotations

from dataclasses import dataclass

from sayso.core.facts import Fact
from sayso.core.ports import Ids
from sayso.core.proposals import Change, Proposal
from sayso.core.tools import Tool, ToolContext
from sayso.gateway.pending import canonical_of, proposal_fact
from sayso.store.ports import ProposalStore


@dataclass(frozen=True, slots=True)
class Asked:
    """Where a change was asked for: the call, and its thread and exchange ("" where there are none)."""

    call_id: str
    thread_id: str = ""
    exchange_id: str = ""


@dataclass(frozen=True, slots=True)
class Filing:
    """Puts changes before a person. The same change that waits already is not filed twice."""

    proposals: ProposalStore
    ids: Ids

    async def file(self, change: Change, tool: Tool, context: ToolContext, asked: Asked) -> tuple[Fact, bool]:
        """The `proposal` fact, and whether the same change was pending already."""
        canonical = canonical_of(change, tool, context, self.ids)
        proposal = Proposal(self.ids.new("prop"), asked.thread_id, asked.exchange_id, asked.call_id, canonical)
        filed = await self.proposals.file(proposal, owner=context.actor.owner, at=context.now)
        return proposal_fact(filed.proposal, context.now), not filed.is_new
