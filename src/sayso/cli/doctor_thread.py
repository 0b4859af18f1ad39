"""`sayso doctor thread ID`: what is wrong with a stored conversation, in plain words, and its repair.

A repair appends results for calls that have none. Nothing that is stored is changed or deleted: what is damaged
otherwise stays as it is, and is left out of what a model is sent.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from sayso import config
from sayso.cli.compose import LOCAL_USER, open_workspace
from sayso.cli.terms import HomeOption, SampleOption, fail, say
from sayso.core.actors import Actor
from sayso.core.facts import kinds_by_name
from sayso.core.messages import Message, open_calls
from sayso.core.transcripts import Fault, FaultKind, faults
from sayso.errors import NotFound
from sayso.inapp.settling import settle
from sayso.serving.surroundings import RandomIds
from sayso.store.ports import Exchange, ExchangeState, ThreadStore
from sayso.store.threads import UNREADABLE, Threads
from sayso.workspace.kinds import WORKSPACE_KINDS


def thread(
    thread_id: Annotated[str, typer.Argument(metavar="ID", help="The conversation's id: the end of its address.")],
    repair: Annotated[bool, typer.Option("--repair", help="Append what is missing; nothing stored changes.")] = False,
    owner: Annotated[str, typer.Option(help="Among whose records it was held.")] = LOCAL_USER.owner,
    user: Annotated[str, typer.Option(help="Whose conversation it is, where not the owner's own.")] = "",
    sample: SampleOption = False,
    home: HomeOption = None,
) -> None:
    """Check one conversation: every call has one result, refs keep their meaning, exchanges are whole."""
    settings = config.load({"home": home, "sample": sample}, os.environ, Path.cwd())
    workspace = open_workspace(settings)
    threads = Threads(workspace.database, kinds_by_name(WORKSPACE_KINDS))
    try:
        well = asyncio.run(examine(threads, Actor(user or owner, owner).desk, thread_id, repair=repair))
    except NotFound:
        elsewhere = "" if settings.is_sample else " One of the sample needs --sample."
        fail(
            f"There is no conversation {thread_id} here; its id is the end of its address, as in /t/thread_1a2b."
            f"{elsewhere}"
        )
        raise typer.Exit(1) from None
    finally:
        workspace.database.close()
    if not well:
        raise typer.Exit(1)


async def examine(threads: ThreadStore, owner: str, thread_id: str, *, repair: bool) -> bool:
    """Tell what is wrong; whether the conversation can go on with nothing missing."""
    kept = await threads.get(owner, thread_id)
    messages, exchanges = await threads.messages(owner, thread_id), await threads.exchanges(owner, thread_id)
    title = f' "{kept.title}"' if kept.title else ""
    say(f"{thread_id}{title}: {_number(len(exchanges), 'exchange')}, {_number(len(messages), 'message')}")
    found = _found(messages, exchanges)
    _tell(found, messages)
    missing = [fault for fault in found if fault.kind is FaultKind.OPEN_CALL]
    if missing and repair:
        after = await settle(threads, owner, thread_id, RandomIds(), datetime.now(UTC))
        added = after[len(messages) :]
        say(f"repaired: {_number(sum(len(m.results) for m in added), 'result')} appended; nothing else was changed")
        missing = [f for f in _found(after, exchanges) if f.kind is FaultKind.OPEN_CALL]
    elif missing:
        say("`--repair` appends the missing results; until then each counts as not run.")
    return not missing


def _found(messages: Sequence[Message], exchanges: Sequence[Exchange]) -> list[Fault]:
    """The faults, with the calls that were left open at the end, where nobody is expected to answer them."""
    found = list(faults(messages))
    alive = {e.id for e in exchanges if e.state in (ExchangeState.RUNNING, ExchangeState.WAITING)}
    told = {fault.message_id for fault in found if fault.kind is FaultKind.OPEN_CALL}
    for call in open_calls(tuple(messages)):
        message = next(m for m in messages if call in m.calls)
        if message.exchange_id not in alive and message.id not in told:
            found.append(Fault(FaultKind.OPEN_CALL, message.id, f"the call {call.id} has no result"))
    return found


def _tell(found: Sequence[Fault], messages: Sequence[Message]) -> None:
    numbers = {message.id: number for number, message in reversed(list(enumerate(messages, 1)))}
    for fault in found:
        say(f"  message {numbers.get(fault.message_id, '?')} ({fault.message_id}): {fault.words}; {fault.mended}")
    for number, message in enumerate(messages, 1):
        if message.text == UNREADABLE:
            say(f"  message {number} ({message.id}): it cannot be read; the others can")
    if not found and all(message.text != UNREADABLE for message in messages):
        say("  well")


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
