"""`dispatch`: the one way in for every caller, over HTTP, over MCP and in process. Who calls is a required argument.

Listing and calling follow one rule, each call runs once, and each result is sealed. It executes no change: it files
what is proposed, and tells what became of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Container, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from sayso.core.actors import SEE_THREADS
from sayso.core.evidence import Evidence
from sayso.core.facts import PROPOSAL, Fact, FactKind
from sayso.core.messages import CallStatus, ResultReason
from sayso.core.proposals import Proposal, ProposalState, digest_of
from sayso.core.tools import Actor, Registry
from sayso.errors import Conflict
from sayso.gateway import rules
from sayso.gateway.calls import Call, CallKind, Result, canonical_json, read_result
from sayso.gateway.declarations import declared
from sayso.gateway.gateway import Gateway
from sayso.gateway.ledger import REUSED, CallReused, Known, Ledger
from sayso.gateway.running import CallRunner, refusal
from sayso.gateway.sealing import CATALOGUE_SECONDS, RESULT_SECONDS, Sealer
from sayso.store.ports import ProposalStore
from sayso.store.threads import CORE_KINDS

Seeds = Callable[[Actor, str, datetime, tuple[str, str] | None], Awaitable[tuple[Fact, ...]]]
"""Gives the facts that an exchange starts with: (actor, question, now, open record as kind and key)."""

CONTEXT = "context"
"""The name of the result that holds the facts with which an exchange starts."""
_POLL = 0.05
_FRESH = timedelta(seconds=RESULT_SECONDS // 2)


class NotApproved(Conflict):
    """What a call asked for has not been decided, or is not what this proposal is."""

    code = "not_approved"


@dataclass(frozen=True, slots=True)
class Dispatcher:
    """`registry` holds every tool that may be called; `offered` the names of those that a model is told of."""

    registry: Registry
    offered: Container[str]
    kinds: Mapping[str, FactKind]
    runner: CallRunner
    ledger: Ledger
    sealer: Sealer
    gateway: Gateway
    proposals: ProposalStore
    seeds: Seeds
    _running: dict[tuple[str, str, str], tuple[str, asyncio.Task[Result]]] = field(
        default_factory=dict[tuple[str, str, str], tuple[str, "asyncio.Task[Result]"]]
    )

    def tools(self, actor: Actor, *, unoffered: bool = False) -> Registry:
        """The tools that somebody may use; with `unoffered` also those that no model is told of."""
        mine = rules.listed(actor, self.registry)
        return mine if unoffered else Registry(tool for tool in mine if tool.name in self.offered)

    def catalogue(self, actor: Actor, *, unoffered: bool = False) -> dict[str, Any]:
        """The tools' declarations and their seal, by which the inference service lets somebody ask. What no model may
        be offered is listed without one, and so it is for those who may not ask."""
        now = self.runner.clock.now()
        told = declared(self.tools(actor, unoffered=unoffered), self.kinds.values())
        expires = (now + timedelta(seconds=CATALOGUE_SECONDS)).isoformat(timespec="seconds")
        sealed = not unoffered and actor.may(SEE_THREADS)
        return {**told, "expires": expires, "seal": self.sealer.catalogue(told, actor, now) if sealed else None}

    async def dispatch(self, actor: Actor, call: Call, evidence: Evidence | None = None) -> Result:
        """What came of a call; the same again for the same call. A caller that goes away stops nothing.

        Raises CallReused when the id is another call's; with `proposal_id` NotFound, and NotApproved before it is
        decided. A fault of the tool, its arguments or the person's role is a result.
        """
        if call.proposal_id is not None:
            return await self._decided(actor, call, call.proposal_id)
        key = (actor.owner, actor.id, call.id)
        if key in self._running:
            digest, task = self._running[key]
            if digest != call.digest:
                raise CallReused(REUSED)
        else:
            task = asyncio.create_task(self._once(actor, call, evidence), name=f"call {call.id}")
            self._running[key] = (call.digest, task)
            task.add_done_callback(lambda _: self._running.pop(key, None))
        return await asyncio.shield(task)

    async def context(
        self, actor: Actor, message: str, thread_id: str = "", record: tuple[str, str] | None = None
    ) -> Result:
        """The facts that an exchange starts with, sealed. Receipts come again until an exchange that was told of them
        is stored with its answer: what is sent here may never arrive."""
        now = self.runner.clock.now()
        receipts = await self.proposals.receipts_for(actor.desk, thread_id) if thread_id else ()
        learned = [fact for receipt in receipts for fact in await self.gateway.facts(actor.desk, receipt.key)]
        facts = (*receipts, *learned, *await self.seeds(actor, message, now, record))
        asked = digest_of(canonical_json({"message": message}))
        result = Result("", CONTEXT, asked, CallKind.READ, CallStatus.SUCCESS, facts)
        return self.sealer.result(result, actor, now)

    async def _once(self, actor: Actor, call: Call, evidence: Evidence | None) -> Result:
        while (known := await self.ledger.claim(actor, call, self.runner.clock.now())) is not None:
            if known.result is not None:
                return self._again(actor, call, known)
            await self._ended_elsewhere(actor, call, known)
        try:
            result = await self.runner.run(actor, call, evidence or await self._evidence(actor, call))
            now = self.runner.clock.now()
            sealed = self.sealer.result(result, actor, now)
            await self.ledger.record(actor, call.id, sealed.document(), now)
        except BaseException:
            await asyncio.shield(self.ledger.forget(actor, call.id))
            raise
        return sealed

    async def _ended_elsewhere(self, actor: Actor, call: Call, known: Known) -> None:
        """Another process runs this call: wait until it has, or its time is over."""
        while self.runner.clock.now() < known.lease:
            await asyncio.sleep(_POLL)
            found = await self.ledger.look(actor, call)
            if found is None or found.result is not None:
                return

    def _again(self, actor: Actor, call: Call, known: Known) -> Result:
        """A recorded result, under a seal that holds. One whose permission is gone is not told again."""
        assert known.result is not None
        tool, now = self.registry.get(call.name), self.runner.clock.now()
        recorded = read_result(known.result, known.arguments, {**CORE_KINDS, **self.kinds})
        if tool is not None and (rule := refusal(actor, tool, call)):
            denied = replace(
                recorded, status=CallStatus.DENIED, reason=ResultReason.NOT_ALLOWED, facts=(), rule=rule
            )  # fmt: skip
            return self.sealer.result(denied, actor, now)
        return recorded if now - known.at < _FRESH else self.sealer.result(recorded, actor, now)

    async def _evidence(self, actor: Actor, call: Call) -> Evidence:
        """The facts by which a change's texts are judged: what this exchange was told, as far as is known here."""
        evidence = Evidence()
        if call.thread_id or call.exchange_id:
            for document in await self.ledger.told(actor, call.thread_id, call.exchange_id):
                evidence.add_all(read_result(document, "", {**CORE_KINDS, **self.kinds}).facts)
        if call.question or call.record:
            evidence.add_all(await self.seeds(actor, call.question, self.runner.clock.now(), call.record))
        return evidence

    async def _decided(self, actor: Actor, call: Call, proposal_id: str) -> Result:
        """What became of the proposal that this very call filed."""
        proposal = await self.proposals.get(actor.desk, proposal_id)
        self.gateway.check_sees(proposal, actor)
        known = await self.ledger.look(actor, call)
        if known is None or known.result is None or proposal_id not in _proposals_of(known.result):
            raise NotApproved("no call of this id asked for this proposal; send the call that did")
        receipt = await self.gateway.receipt(actor.desk, proposal_id)
        status = _STATUS.get(proposal.state)
        if status is None:
            raise NotApproved(f"the proposal is {proposal.state}: {_waiting(proposal)}")
        learned = await self.gateway.facts(actor.desk, proposal_id) if receipt else ()
        facts = (receipt, *learned) if receipt else ()
        result = Result(call.id, call.name, known.arguments, CallKind.EXECUTE, status, facts)
        return self.sealer.result(result, actor, self.runner.clock.now())


_STATUS: Mapping[ProposalState, CallStatus] = {
    ProposalState.DONE: CallStatus.SUCCESS,
    ProposalState.FAILED: CallStatus.FAILED,
    ProposalState.UNKNOWN: CallStatus.FAILED,
    ProposalState.DENIED: CallStatus.DENIED,
    ProposalState.EXPIRED: CallStatus.EXPIRED,
    ProposalState.SUPERSEDED: CallStatus.SUPERSEDED,
}


def _waiting(proposal: Proposal) -> str:
    if proposal.state is ProposalState.PENDING:
        return "approve or deny it first, and send the call again then"
    return "it runs; send the call again in a moment"


def _proposals_of(document: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(str(fact["key"]) for fact in document["facts"] if fact["kind"] == PROPOSAL.name)
