"""Calls that nobody will answer any more get their result: a crash left them, or a caller that did not come back.

Nothing is rewritten: results are appended, and say what became of each call.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from sayso.core.messages import CallStatus, Message, Outcome, ResultReason, StopReason
from sayso.core.ports import Ids
from sayso.core.transcripts import closing
from sayso.errors import StaleCopy
from sayso.store.ports import Exchange, ExchangeState, ThreadStore


async def settle(
    threads: ThreadStore, owner: str, thread_id: str, ids: Ids, now: datetime
) -> tuple[Message, ...]:  # fmt: skip
    """The transcript afterwards. What an exchange that still runs here asked is left to it.

    A caller's exchange that waited is superseded; of a run that was cut, each open call was cancelled.
    """
    thread = await threads.get(owner, thread_id)
    messages = await threads.messages(owner, thread_id)
    exchanges = {exchange.id: exchange for exchange in await threads.exchanges(owner, thread_id)}
    running = {e.id for e in exchanges.values() if e.state is ExchangeState.RUNNING}
    waiting = {e.id for e in exchanges.values() if e.state is ExchangeState.WAITING}
    cancelled = closing(messages, ids, CallStatus.CANCELLED, ResultReason.STOPPED)
    superseded = closing(messages, ids, CallStatus.SUPERSEDED, None)
    made = [m for m in cancelled if m.exchange_id not in running | waiting]
    made += [m for m in superseded if m.exchange_id in waiting]
    if not made:
        return messages
    over = [_superseded(exchanges[m.exchange_id], now) for m in made if m.exchange_id in waiting]
    try:
        await threads.extend(owner, thread_id, made, over, expected=thread.transcript)
    except StaleCopy:
        pass  # somebody else was faster, and has done the same or gone on; the view is sound either way
    return await threads.messages(owner, thread_id)


def _superseded(exchange: Exchange, now: datetime) -> Exchange:
    return replace(
        exchange, state=ExchangeState.FINISHED, outcome=Outcome.ABSTAINED, reason=StopReason.STOPPED, ended=now
    )
