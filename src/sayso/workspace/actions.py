"""What an approval does to the workspace. Each action runs once, inside the approval's transaction.

A letter that no server has accepted is "approved, not sent": the person gets a link and a file.
This module knows no gateway: whoever assembles the application adapts these to its actions.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from email.message import EmailMessage
from typing import Any

from sqlalchemy import Connection

from sayso.core.facts import Fact
from sayso.core.proposals import Target
from sayso.errors import Conflict, NotFound, SaysoError
from sayso.workspace import mailing, repository
from sayso.workspace.mailing import SmtpSettings
from sayso.workspace.records import Chunk, CommitmentRecord, DocumentRecord, EventRecord, HabitRecord, Record
from sayso.workspace.repository import Stored
from sayso.workspace.tools.agent import AgentSettings, agent_fact, ask

OutcomeFile = tuple[str, str, bytes]
"""A file's name, media type and content."""


class ActionImpossible(SaysoError):
    """The approved change cannot be made as it stands; nothing was done."""

    code = "action_impossible"


@dataclass(frozen=True, slots=True)
class ActionOutcome:
    """How an action ended, for its receipt; `facts` are what it learned from others."""

    outcome: str
    details: str = ""
    files: tuple[OutcomeFile, ...] = ()
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Approved:
    """An approved change as the gateway hands it over. `key` is the same for every attempt at it."""

    arguments: Mapping[str, Any]
    target: Target | None
    precondition: str | None
    owner: str
    now: datetime
    key: str = ""

    def text(self, name: str) -> str:
        value = self.arguments.get(name)
        if not isinstance(value, str) or not value.strip():
            raise ActionImpossible(f"the change has no {name}")
        return value

    def maybe(self, name: str) -> str | None:
        value = self.arguments.get(name)
        return value if isinstance(value, str) and value else None


Internal = Callable[[Connection, Approved], ActionOutcome]
External = Callable[[Approved], ActionOutcome]


@dataclass(frozen=True, slots=True)
class WorkspaceAction:
    """An action's name, permission and function. An internal one changes our own database, an external
    one leaves the process and gets no connection: `look` says where a person finds out what became of it."""

    name: str
    permission: str
    internal: Internal | None = None
    external: External | None = None
    look: str = ""


def workspace_actions(
    *, smtp: SmtpSettings | None = None, agent: AgentSettings | None = None
) -> tuple[WorkspaceAction, ...]:
    """Every action that `propose_action` and `ask_agent` can ask for, as configured."""
    internal: dict[str, Internal] = {
        "create_commitment": create_commitment,
        "create_follow_up": create_commitment,
        "create_event": create_event,
        "create_note": create_note,
        "check_in": check_in,
        "other": record_other,
        "prepare_message": prepare_message,
        "prepare_email": prepare_email,
    }
    actions = [WorkspaceAction(f"workspace.{name}", f"execute:{name}", run) for name, run in internal.items()]
    if smtp:
        look = f"look among the sent e-mails of {smtp.sender}, or ask whoever was to get it"
        send = email_sender(smtp)
        actions.append(WorkspaceAction("workspace.send_email", "execute:send_email", external=send, look=look))
    if agent:
        look = f"look whether {agent.name} was asked; asking again is a new proposal"
        actions.append(WorkspaceAction("agent.ask", "execute:ask_agent", external=agent_asker(agent), look=look))
    return tuple(actions)


def create_commitment(connection: Connection, approved: Approved) -> ActionOutcome:
    check_target(connection, approved)
    due = approved.maybe("due")
    record = CommitmentRecord(
        approved.text("title"),
        _date(due) if due else None,
        approved.maybe("counterparty"),
        notes=approved.maybe("notes"),
        source_key=source_key(approved),
    )
    stored = repository.create(connection, approved.owner, record, approved.now)
    return created_commitment(record, approved, stored.id)


def created_commitment(record: Record, approved: Approved, id: str) -> ActionOutcome:
    """What the receipt of a new commitment says."""
    assert isinstance(record, CommitmentRecord)
    return ActionOutcome("created", f"{record.title}, due {record.due}" if record.due else record.title)


def create_event(connection: Connection, approved: Approved) -> ActionOutcome:
    check_target(connection, approved)
    ends = approved.maybe("ends")
    record = EventRecord(
        approved.text("title"),
        _moment(approved.text("starts")),
        _moment(ends) if ends else None,
        approved.maybe("place"),
        tuple(str(name) for name in approved.arguments.get("attendees") or ()),
        approved.maybe("notes"),
        source_key=source_key(approved),
    )
    if record.ends and record.ends <= record.starts:
        raise ActionImpossible("the event ends before it begins")
    stored = repository.create(connection, approved.owner, record, approved.now)
    return created_event(record, approved, stored.id)


def created_event(record: Record, approved: Approved, id: str) -> ActionOutcome:
    """What the receipt of a new event says, with its calendar file."""
    assert isinstance(record, EventRecord)
    file = mailing.calendar(
        title=record.title, starts=record.starts, ends=record.ends, place=record.place, notes=record.notes,
        attendees=record.attendees, uid=f"{id}@sayso", now=approved.now,
    )  # fmt: skip
    details = f"{record.title}, {record.starts.isoformat(sep=' ', timespec='minutes')}; nobody was invited"
    return ActionOutcome("created", details, (("event.ics", "text/calendar; charset=utf-8", file),))


def create_note(connection: Connection, approved: Approved) -> ActionOutcome:
    check_target(connection, approved)
    title, about = approved.text("title"), approved.maybe("about")
    key = source_key(approved) or repository.new_id("note")
    record = DocumentRecord(
        title,
        f"notes/{key}.md",
        (Chunk("", approved.text("text")),),
        links=(about,) if about else (),
        date=approved.now.date(),
        source_key=source_key(approved),
    )
    stored = repository.create(connection, approved.owner, record, approved.now)
    return created_note(record, approved, stored.id)


def created_note(record: Record, approved: Approved, id: str) -> ActionOutcome:
    """What the receipt of a new note says."""
    assert isinstance(record, DocumentRecord)
    return ActionOutcome("created", record.title)


def check_in(connection: Connection, approved: Approved) -> ActionOutcome:
    """A day counts once; a habit that has got other check-ins since may still be checked."""
    if approved.target is None or approved.target.kind != "habit":
        raise ActionImpossible("the check-in names no habit")
    stored = _current(connection, approved.owner, approved.target)
    habit, day = stored.record, checked_day(approved)
    assert isinstance(habit, HabitRecord)
    if day in habit.check_ins:
        return ActionOutcome("already recorded", f"{habit.name} on {day}")
    if day > approved.now.date():
        raise ActionImpossible(f"{day} has not come yet")
    changed = replace(habit, check_ins=tuple(sorted({*habit.check_ins, day})))
    repository.update(connection, approved.owner, stored.id, changed, approved.now, version=stored.etag)
    return ActionOutcome("recorded", f"{habit.name} on {day}")


def checked_day(approved: Approved) -> date:
    """The day of a check-in. Raises ActionImpossible."""
    return _date(approved.text("day"))


def record_other(connection: Connection, approved: Approved) -> ActionOutcome:
    """What the workspace has no action for: the approval is on record, and nothing else has happened."""
    check_target(connection, approved)
    return ActionOutcome("approved, not done", f"to be done by hand: {approved.text('text')}")


def prepare_message(connection: Connection, approved: Approved) -> ActionOutcome:
    check_target(connection, approved)
    text, address = approved.text("text"), approved.maybe("address")
    channel = approved.maybe("channel")
    where = f" ({channel} {address})" if address else "; no address is recorded"
    file = ("message.txt", "text/plain; charset=utf-8", text.encode("utf-8", "replace"))
    link = f"; {mailing.mailto(address, '', text)}" if channel == "email" else ""
    return ActionOutcome("approved, not sent", f"message to {approved.text('recipient')}{where}{link}", (file,))


def prepare_email(connection: Connection, approved: Approved) -> ActionOutcome:
    check_target(connection, approved)
    message = _letter(approved, None)
    link = mailing.mailto(approved.maybe("address"), approved.text("subject"), approved.text("text"))
    file = ("message.eml", "message/rfc822", message.as_bytes())
    return ActionOutcome("approved, not sent", f"e-mail to {approved.text('recipient')}: {link}", (file,))


def email_sender(smtp: SmtpSettings) -> External:
    def send_email(approved: Approved) -> ActionOutcome:
        if not approved.maybe("address"):
            raise ActionImpossible("the e-mail has no address")
        accepted = mailing.send(smtp, _letter(approved, smtp.sender))
        return ActionOutcome("sent", f"e-mail to {approved.text('address')}, {accepted}")

    return send_email


def agent_asker(agent: AgentSettings) -> External:
    """Runs on a worker thread; there it may have a loop of its own. The receipt says only that there is
    an answer: its words are the agent's, so they are a second-hand fact."""

    def ask_agent(approved: Approved) -> ActionOutcome:
        question = approved.text("question")
        answer = asyncio.run(ask(agent, question))
        fact = agent_fact(agent.name, question, answer, approved.now)
        return ActionOutcome("answered", f"by {agent.name}, in its own words", facts=(fact,))

    return ask_agent


def check_target(connection: Connection, approved: Approved) -> Stored | None:
    """The record that the change is about, if it is still at the version that the person saw.

    Raises ActionImpossible.
    """
    if approved.target is None:
        return None
    stored = _current(connection, approved.owner, approved.target)
    if approved.precondition is not None and approved.precondition != stored.etag:
        raise ActionImpossible(f"{stored.title!r} has changed since this was proposed; ask for it again")
    return stored


def _current(connection: Connection, owner: str, target: Target) -> Stored:
    try:
        return repository.get(connection, owner, target.kind, target.key)
    except (NotFound, Conflict) as gone:
        raise ActionImpossible(f"{target.name!r} is no longer there") from gone


def _letter(approved: Approved, sender: str | None) -> EmailMessage:
    return mailing.letter(
        recipient=approved.text("recipient"), address=approved.maybe("address"), subject=approved.text("subject"),
        text=approved.text("text"), now=approved.now, sender=sender, key=approved.key,
    )  # fmt: skip


def source_key(approved: Approved) -> str | None:
    """By which a record that an approval made is known again."""
    return f"approval:{approved.key}" if approved.key else None


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as wrong:
        raise ActionImpossible(f"{text!r} is no date; write 2026-12-24") from wrong


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as wrong:
        raise ActionImpossible(f"{text!r} is no time; write 2026-12-24T15:00+01:00") from wrong
    if moment.tzinfo is None:
        raise ActionImpossible(f"{text!r} has no time zone")
    return moment
