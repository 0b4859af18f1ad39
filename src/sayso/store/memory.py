"""Threads and proposals in memory, by the same protocols: for tests and for hosts without a database."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from sayso.core.encoding import transcript_digest
from sayso.core.facts import Fact, FactKind
from sayso.core.messages import Attempt, Message, Outcome, StopReason, Usage
from sayso.core.proposals import Proposal, ProposalState, content_digest
from sayso.errors import Conflict, NotFound, StaleCopy
from sayso.store.feedback import no_exchange
from sayso.store.holding import LEASE
from sayso.store.ports import Exchange, ExchangeState, Feedback, Filed, ProposalChange, Thread, now_utc
from sayso.store.proposal_rows import check_move
from sayso.store.receipts import ENDED, UNKNOWN_DETAILS, WORDS, receipt
from sayso.store.searching import MAX_WORDS, searchable
from sayso.store.thread_rows import APART
from sayso.store.threads import CORE_KINDS, new_id


class MemoryThreads:
    """`kinds` are those that messages may hold; those of the core are known."""

    def __init__(
        self, kinds: Mapping[str, FactKind] | None = None, *, now: Callable[[], datetime] = now_utc,
        ids: Callable[[str], str] = new_id,
    ) -> None:  # fmt: skip
        self.kinds: Mapping[str, FactKind] = {**CORE_KINDS, **(kinds or {})}
        self._now = now
        self._ids = ids
        self._threads: dict[str, Thread] = {}
        self._messages: dict[str, list[Message]] = {}
        self._exchanges: dict[str, Exchange] = {}
        self._leases: dict[str, datetime] = {}
        self._feedback: dict[tuple[str, str, str], Feedback] = {}

    async def create(self, owner: str, title: str = "") -> Thread:
        at = self._now()
        thread = Thread(self._ids("thread"), owner, title, at, at)
        self._threads[thread.id] = thread
        self._messages[thread.id] = []
        return thread

    async def get(self, owner: str, thread_id: str) -> Thread:
        thread = self._threads.get(thread_id)
        if thread is None or thread.owner != owner:
            raise NotFound(f"there is no thread {thread_id}")
        return thread

    async def list(
        self, owner: str, limit: int = 50, before: str | None = None, search: str = ""
    ) -> tuple[Thread, ...]:  # fmt: skip
        mine = sorted((t for t in self._threads.values() if t.owner == owner), key=_age, reverse=True)
        words = searchable(search).split()[:MAX_WORDS]
        mine = [thread for thread in mine if all(any(w in text for text in self._texts(thread)) for w in words)]
        if before is not None:
            last = _age(await self.get(owner, before))
            mine = [thread for thread in mine if _age(thread) < last]
        return tuple(mine[:limit])

    def _texts(self, thread: Thread) -> list[str]:
        asked = [e for e in self._exchanges.values() if e.thread_id == thread.id]
        return [searchable(thread.title), *(searchable(f"{e.question} {e.answer or ''}") for e in asked)]

    async def messages(self, owner: str, thread_id: str) -> tuple[Message, ...]:
        await self.get(owner, thread_id)
        return tuple(self._messages[thread_id])

    async def start_exchange(
        self, owner: str, thread_id: str, exchange_id: str, question: str, model: str, at: datetime
    ) -> Exchange:
        thread = await self.get(owner, thread_id)
        if exchange_id in self._exchanges:
            raise Conflict(f"exchange {exchange_id} exists already")
        beside = any(e.thread_id == thread_id and e.state is ExchangeState.RUNNING for e in self._exchanges.values())
        first = thread.next_ref + (APART if beside else 0)
        self._threads[thread_id] = replace(thread, updated=at, next_ref=first)
        exchange = Exchange(exchange_id, thread_id, question, ExchangeState.RUNNING, model, at)
        self._exchanges[exchange_id] = exchange
        self._leases[exchange_id] = at + LEASE
        return replace(exchange, first_ref=first)

    async def hold(self, exchange_id: str) -> None:
        self._leases[exchange_id] = self._now() + LEASE

    async def append(self, owner: str, thread_id: str, *messages: Message) -> None:
        thread = await self.get(owner, thread_id)
        ids = [m.id for m in (*self._messages[thread_id], *messages)]
        if len(set(ids)) != len(ids):
            raise Conflict("a message was appended before")
        refs = [int(numbered.ref[1:]) + 1 for message in messages for numbered in message.numbered]
        self._threads[thread_id] = replace(
            thread, updated=self._now(), next_ref=max([thread.next_ref, *refs]),
            transcript=transcript_digest(messages, thread.transcript),
        )  # fmt: skip
        self._messages[thread_id].extend(messages)

    async def extend(
        self, owner: str, thread_id: str, messages: Sequence[Message], exchanges: Sequence[Exchange], *, expected: str,
        title: str = "",
    ) -> Thread:  # fmt: skip
        thread = await self.get(owner, thread_id)
        if thread.transcript != expected:
            raise StaleCopy(thread.transcript, len(self._messages[thread_id]))
        for exchange in exchanges:
            known = self._exchanges.get(exchange.id)
            if known is not None and (known.state is ExchangeState.RUNNING or known.thread_id != thread_id):
                raise Conflict(f"exchange {exchange.id} exists already")
        await self.append(owner, thread_id, *messages)
        for exchange in exchanges:
            known = self._exchanges.get(exchange.id, exchange)
            self._exchanges[exchange.id] = replace(exchange, question=known.question, started=known.started)
        thread = self._threads[thread_id]
        self._threads[thread_id] = replace(thread, title=thread.title or title)
        return self._threads[thread_id]

    async def finish_exchange(
        self, exchange_id: str, outcome: Outcome | None, reason: StopReason, usage: Usage, steps: int,
        model: str, answer: str | None, report_json: str | None, at: datetime, attempts: Sequence[Attempt] = (),
    ) -> None:  # fmt: skip
        exchange = self._exchanges.get(exchange_id)
        began_here = (ExchangeState.RUNNING, ExchangeState.CUT) if exchange_id in self._leases else ()
        if exchange is None or exchange.state not in began_here:
            raise Conflict(f"exchange {exchange_id} is not running")
        state = ExchangeState.FINISHED if outcome else ExchangeState.FAILED
        self._exchanges[exchange_id] = replace(
            exchange, state=state, outcome=outcome, reason=reason, usage=usage, steps=steps, model=model,
            answer=answer, report_json=report_json, ended=at, attempts=tuple(attempts),
        )  # fmt: skip

    async def exchanges(self, owner: str, thread_id: str) -> tuple[Exchange, ...]:
        await self.get(owner, thread_id)
        return tuple(e for e in self._exchanges.values() if e.thread_id == thread_id)

    async def rename(self, owner: str, thread_id: str, title: str) -> None:
        self._threads[thread_id] = replace(await self.get(owner, thread_id), title=title)

    async def delete(self, owner: str, thread_id: str) -> None:
        await self.get(owner, thread_id)
        del self._threads[thread_id], self._messages[thread_id]
        self._exchanges = {e.id: e for e in self._exchanges.values() if e.thread_id != thread_id}
        self._feedback = {key: word for key, word in self._feedback.items() if key[0] != thread_id}

    async def rate(self, owner: str, feedback: Feedback) -> None:
        await self._check(owner, feedback.thread_id, feedback.exchange_id)
        self._feedback[feedback.thread_id, feedback.exchange_id, feedback.by] = feedback

    async def unrate(self, owner: str, thread_id: str, exchange_id: str, by: str) -> None:
        await self._check(owner, thread_id, exchange_id)
        self._feedback.pop((thread_id, exchange_id, by), None)

    async def feedback(self, owner: str, thread_id: str | None = None, limit: int = 200) -> tuple[Feedback, ...]:
        mine = [f for f in self._feedback.values() if self._threads[f.thread_id].owner == owner]
        found = [f for f in mine if thread_id in (None, f.thread_id)]
        return tuple(sorted(found, key=lambda f: (f.at, f.exchange_id), reverse=True)[:limit])

    async def _check(self, owner: str, thread_id: str, exchange_id: str) -> None:
        known = self._exchanges.get(exchange_id)
        thread = self._threads.get(thread_id)
        if known is None or known.thread_id != thread_id or thread is None or thread.owner != owner:
            raise no_exchange(exchange_id)

    async def recover(self, at: datetime) -> int:
        running = [e for e in self._exchanges.values() if e.state is ExchangeState.RUNNING]
        lost = [e for e in running if self._leases.get(e.id, at) <= at]
        for exchange in lost:
            self._exchanges[exchange.id] = replace(exchange, state=ExchangeState.CUT, ended=at)
        return len(lost)

    async def keep_recovering(self) -> None:
        """No other process knows this memory."""


@dataclass(slots=True)
class _Kept:
    proposal: Proposal
    owner: str
    filed: datetime
    details: str = ""
    ended: datetime | None = None
    delivered: bool = False
    changes: list[ProposalChange] = field(default_factory=list[ProposalChange])

    def receipt(self) -> Fact | None:
        state = self.proposal.state
        if state not in ENDED or self.ended is None:
            return None
        details = self.details or (UNKNOWN_DETAILS if state is ProposalState.UNKNOWN else "")
        return receipt(self.proposal, WORDS.get(state, state.value), details, self.ended)


class MemoryProposals:
    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}

    async def file(self, proposal: Proposal, owner: str, at: datetime, grounds: str = "") -> Filed:
        await self.expire(at)
        waiting = self._twin(owner, proposal.canonical)
        if waiting is not None:
            return Filed(waiting.proposal, is_new=False)
        kept, by = _Kept(proposal, owner, at), str(proposal.content.get("actor", owner))
        self._kept[proposal.id] = kept
        kept.changes.append(ProposalChange(ProposalState.PENDING, by, at, proposal.digest, "filed"))
        return Filed(proposal, is_new=True)

    async def get(self, owner: str, proposal_id: str) -> Proposal:
        return self._of(owner, proposal_id).proposal

    async def list(
        self, owner: str, states: Collection[ProposalState] | None = None, thread_id: str | None = None
    ) -> tuple[Proposal, ...]:
        mine = [kept for kept in self._kept.values() if kept.owner == owner]
        mine.sort(key=lambda kept: (kept.filed, kept.proposal.id), reverse=True)
        found = [kept.proposal for kept in mine if states is None or kept.proposal.state in states]
        return tuple(p for p in found if thread_id is None or p.thread_id == thread_id)

    async def move(
        self, proposal_id: str, owner: str, from_states: Collection[ProposalState], to: ProposalState, by: str,
        at: datetime, digest: str | None = None, note: str | None = None,
    ) -> bool:  # fmt: skip
        check_move(from_states, to)
        kept = self._kept.get(proposal_id)
        if kept is None or kept.owner != owner or kept.proposal.state not in from_states:
            return False
        if digest is not None and kept.proposal.digest != digest:
            return False
        kept.proposal = replace(kept.proposal, state=to)
        if to in ENDED:
            kept.ended, kept.details, kept.delivered = at, note or "", False
        kept.changes.append(ProposalChange(to, by, at, kept.proposal.digest, note or ""))
        return True

    async def replace(self, owner: str, proposal_id: str, canonical: bytes, by: str, at: datetime) -> Proposal:
        kept = self._of(owner, proposal_id)
        twin = self._twin(owner, canonical)
        if twin is not None and twin is not kept:
            raise Conflict(f"the same change waits already as proposal {twin.proposal.id}")
        if kept.proposal.state is not ProposalState.PENDING:
            raise Conflict(f"proposal {proposal_id} is {kept.proposal.state} and cannot be edited any more")
        kept.proposal = replace(kept.proposal, canonical=canonical)
        kept.changes.append(ProposalChange(ProposalState.PENDING, by, at, kept.proposal.digest, "edited"))
        return kept.proposal

    async def expire(self, now: datetime) -> int:
        pending = (ProposalState.PENDING,)
        over = [k for k in self._kept.values() if k.proposal.state in pending and k.proposal.expires <= now]
        for kept in over:
            await self.move(kept.proposal.id, kept.owner, pending, ProposalState.EXPIRED, "clock", now)
        return len(over)

    async def changes(self, owner: str, proposal_id: str) -> tuple[ProposalChange, ...]:
        return tuple(self._of(owner, proposal_id).changes)

    async def receipt(self, owner: str, proposal_id: str) -> Fact | None:
        return self._of(owner, proposal_id).receipt()

    async def receipts_for(self, owner: str, thread_id: str) -> tuple[Fact, ...]:
        mine = [k for k in self._kept.values() if k.owner == owner and k.proposal.thread_id == thread_id]
        found = [fact for kept in mine if not kept.delivered and (fact := kept.receipt()) is not None]
        return tuple(sorted(found, key=lambda fact: (fact.as_of, fact.key)))

    async def mark_delivered(self, owner: str, receipts: Collection[Fact]) -> None:
        for fact in receipts:
            kept = self._kept.get(fact.key)
            if kept is not None and kept.owner == owner and kept.ended == fact.as_of:
                kept.delivered = True

    def _of(self, owner: str, proposal_id: str) -> _Kept:
        kept = self._kept.get(proposal_id)
        if kept is None or kept.owner != owner:
            raise NotFound(f"there is no proposal {proposal_id}")
        return kept

    def _twin(self, owner: str, canonical: bytes) -> _Kept | None:
        asked = content_digest(canonical)
        pending = (k for k in self._kept.values() if k.owner == owner and k.proposal.state is ProposalState.PENDING)
        return next((k for k in pending if content_digest(k.proposal.canonical) == asked), None)


def _age(thread: Thread) -> tuple[datetime, str]:
    return (thread.updated, thread.id)
