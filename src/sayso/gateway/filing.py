"""Filing a change: one way for every caller, in process or not. It files; it decides nothing and runs nothing."""

from __future__ import annotations

from dataclasses import dataclass

from sayso.core.evidence import Numbered
from sayso.core.facts import Fact
from sayso.core.ports import Ids
from sayso.core.proposals import Change, Proposal
from sayso.core.tools import Tool, ToolContext
from sayso.errors import NotFound
from sayso.gateway.grounds import Grounds
from sayso.gateway.pending import canonical_of, proposal_fact
from sayso.store.ports import ProposalStore, ThreadStore

_NONE = Grounds()


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
    threads: ThreadStore | None = None

    async def said(self, context: ToolContext, asked: Asked) -> tuple[str, ...]:
        """The user's words, the newest first: this question, and those before it where the thread is kept here."""
        words = [context.user_message] if context.user_message else []
        if self.threads is not None and asked.thread_id:
            try:
                before = await self.threads.exchanges(context.actor.desk, asked.thread_id)
            except NotFound:
                before = ()
            words += [exchange.question for exchange in reversed(before) if exchange.question not in words]
        return tuple(words)

    async def told(self, context: ToolContext, asked: Asked) -> tuple[Numbered, ...]:
        """The facts of the thread with their refs, the newest first: what its stored transcript proves."""
        if self.threads is None or not asked.thread_id:
            return ()
        try:
            messages = await self.threads.messages(context.actor.desk, asked.thread_id)
        except NotFound:
            return ()
        return tuple(n for message in reversed(messages) for n in message.numbered)

    async def file(
        self, change: Change, tool: Tool, context: ToolContext, asked: Asked, grounds: Grounds = _NONE
    ) -> tuple[Fact, bool]:
        """The `proposal` fact, and whether the same change was pending already."""
        canonical = canonical_of(change, tool, context, self.ids)
        proposal = Proposal(self.ids.new("prop"), asked.thread_id, asked.exchange_id, asked.call_id, canonical)
        filed = await self.proposals.file(proposal, context.actor.desk, context.now, grounds.document())
        return proposal_fact(filed.proposal, context.now), not filed.is_new
