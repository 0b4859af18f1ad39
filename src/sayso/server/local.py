"""The in-app assistant as the server sees it: views made from what is stored."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from sayso.core.events import Event
from sayso.core.images import Attachment, read_attachment
from sayso.core.messages import Message
from sayso.core.proposals import Proposal, ProposalState
from sayso.core.tools import Actor
from sayso.gateway.actions import OutFile
from sayso.inapp.assistant import Assistant, PageContext, run_of
from sayso.server.ports import ChangeView, ExchangeView, ProposalView, SentenceView, ThreadDetail, ThreadView
from sayso.store.ports import Exchange, ExchangeState
from sayso.store.threads import UNREADABLE

_log = logging.getLogger(__name__)


class LocalAssistant:
    """Adapts an `inapp.Assistant`; holds nothing itself."""

    def __init__(self, assistant: Assistant) -> None:
        self._on = assistant

    @property
    def model_name(self) -> str:
        return self._on.model_name

    @property
    def model_reason(self) -> str:
        return self._on.model_reason

    @property
    def model_sees(self) -> bool | None:
        sees: bool | None = getattr(self._on.model, "sees", None)
        return sees

    def ask(
        self, message: str, *, actor: Actor, thread_id: str | None, context: PageContext | None,
        run_id: str | None = None, images: Sequence[Attachment] = (), supersede: bool = False,
    ) -> AsyncIterator[Event]:  # fmt: skip
        return self._on.ask(
            message, actor=actor, thread_id=thread_id, context=context, run_id=run_id, images=images,
            supersede=supersede,
        )  # fmt: skip

    async def attach(self, actor: Actor, data: bytes, name: str) -> Attachment:
        image = await asyncio.to_thread(read_attachment, data, name)  # a large one takes a while
        await self._on.images.keep(actor.desk, (image,), self._on.clock.now())
        return image

    async def image(self, actor: Actor, digest: str) -> Attachment:
        return await self._on.images.get(actor.desk, digest)

    async def proposals(self, actor: Actor, state: str | None) -> Sequence[ProposalView]:
        await self._on.proposals.expire(self._on.clock.now())
        states = [ProposalState(state)] if state else None
        found = await self._on.proposals.list(actor.desk, states)
        return [await self._view(actor, proposal) for proposal in found if self._on.gateway.sees(proposal, actor)]

    async def proposal(self, actor: Actor, proposal_id: str) -> ProposalView:
        await self._on.proposals.expire(self._on.clock.now())
        return await self._view(actor, await self._seen(actor, proposal_id))

    async def _seen(self, actor: Actor, proposal_id: str) -> Proposal:
        proposal = await self._on.proposals.get(actor.desk, proposal_id)
        self._on.gateway.check_sees(proposal, actor)
        return proposal

    async def edit(
        self, actor: Actor, proposal_id: str, digest: str, changes: Mapping[str, Any]
    ) -> ProposalView:  # fmt: skip
        return await self._view(actor, await self._on.edit(actor, proposal_id, changes, digest))

    async def approve(self, actor: Actor, proposal_id: str, digest: str) -> ProposalView:
        await self._on.gateway.approve(proposal_id, digest, actor)
        return await self._view(actor, await self._on.proposals.get(actor.desk, proposal_id))

    async def deny(self, actor: Actor, proposal_id: str, words: str) -> ProposalView:
        await self._on.gateway.deny(proposal_id, actor, words)
        return await self._view(actor, await self._on.proposals.get(actor.desk, proposal_id))

    async def supersede(self, actor: Actor, proposal_id: str) -> ProposalView:
        await self._on.gateway.supersede(proposal_id, actor)
        return await self._view(actor, await self._on.proposals.get(actor.desk, proposal_id))

    async def settle(self, actor: Actor, proposal_id: str, *, happened: bool) -> ProposalView:
        await self._on.gateway.settle(proposal_id, actor, happened=happened)
        return await self._view(actor, await self._on.proposals.get(actor.desk, proposal_id))

    async def check(self, actor: Actor, proposal_id: str) -> ProposalView:
        await self._on.gateway.check(proposal_id, actor)
        return await self._view(actor, await self._on.proposals.get(actor.desk, proposal_id))

    async def changes(self, actor: Actor, proposal_id: str) -> Sequence[ChangeView]:
        await self._seen(actor, proposal_id)
        found = await self._on.gateway.changes(actor.desk, proposal_id)
        return [ChangeView(c.state.value, c.by, c.at, c.digest, c.note) for c in found]

    async def proposal_file(self, actor: Actor, proposal_id: str, name: str) -> OutFile | None:
        await self._seen(actor, proposal_id)
        files = await self._on.gateway.files(actor.desk, proposal_id)
        return next((file for file in files if file.name == name), None)

    async def threads(self, actor: Actor) -> Sequence[ThreadView]:
        return [ThreadView(t.id, t.title, t.updated) for t in await self._on.threads.list(actor.desk)]

    async def thread(self, actor: Actor, thread_id: str) -> ThreadDetail:
        thread = await self._on.threads.get(actor.desk, thread_id)
        messages = await self._on.threads.messages(actor.desk, thread_id)
        exchanges = await self._on.threads.exchanges(actor.desk, thread_id)
        return ThreadDetail(thread.id, thread.title, tuple(_exchange_view(e, messages) for e in exchanges))

    async def _view(self, actor: Actor, proposal: Proposal) -> ProposalView:
        content = proposal.content
        receipt = await self._on.gateway.receipt(actor.desk, proposal.id)
        files = await self._on.gateway.files(actor.desk, proposal.id) if receipt else ()
        learned = await self._on.gateway.facts(actor.desk, proposal.id) if receipt else ()
        schema = self._on.gateway.inputs(proposal)
        card = await self._on.gateway.card(actor.desk, proposal)
        action = self._on.gateway.action(proposal)
        ended: Mapping[str, object] = receipt.values if receipt else {}
        target = content["target"]
        unsure = proposal.state is ProposalState.UNKNOWN
        return ProposalView(
            id=proposal.id,
            title=content["title"],
            state=proposal.state.value,
            digest=proposal.digest,
            action=content["action"],
            target=target["name"] if target else "",
            target_record=f"{target['kind']} {target['key']}" if target else "",
            arguments=tuple((row.name, row.after) for row in card.rows),
            unbacked=tuple(content.get("unbacked", ())),
            created=datetime.fromisoformat(content["created"]),
            expires=proposal.expires,
            outcome=str(ended.get("outcome", "")),
            details=str(ended.get("details", "")),
            files=tuple(file.name for file in files),
            learned=learned,
            schema=schema if proposal.state is ProposalState.PENDING else None,
            values=content["arguments"],
            card=card,
            can_check=unsure and action is not None and action.check is not None,
            look=action.look if unsure and action is not None else "",
            thread_id=proposal.thread_id,
        )


def _exchange_view(exchange: Exchange, messages: Sequence[Message]) -> ExchangeView:
    own = [m for m in messages if m.exchange_id == exchange.id]
    facts = {n.ref: n for m in own for n in m.numbered}
    verdicts = _verdicts(exchange)
    return ExchangeView(
        id=exchange.id,
        question=exchange.question,
        answer=exchange.answer,
        facts=tuple(facts.values()),
        verdicts=verdicts or (),
        model=exchange.model,
        asked=exchange.started,
        images=tuple(n for m in own for n in m.images),
        attempts=exchange.attempts,
        state=exchange.state.value,
        reason=exchange.reason,
        run_id=run_of(exchange.id) if exchange.state is ExchangeState.RUNNING else None,
        unreadable=verdicts is None or any(m.text == UNREADABLE for m in own),
    )


def _verdicts(exchange: Exchange) -> tuple[SentenceView, ...] | None:
    """The sentences with their verdicts; None when what is stored of them cannot be read."""
    try:
        return tuple(_sentence_view(s) for s in json.loads(exchange.report_json or "[]"))
    except (ValueError, KeyError, TypeError, RecursionError) as wrong:
        _log.error("the report of exchange %s cannot be read: %s", exchange.id, wrong)
        return None


def _sentence_view(sentence: Mapping[str, Any]) -> SentenceView:
    violations = tuple((v["kind"], v["words"], v["instruction"]) for v in sentence["violations"])
    refs = tuple(sentence["refs"])
    return SentenceView(sentence["text"], sentence["verdict"], refs, violations, withheld=sentence["withheld"])
