"""`propose_action`: turns a request into one exact change, for one resolved record.

It guesses nothing: several people of a name come back as facts to choose from, and an unknown
recipient gives no change.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BeforeValidator, Field, field_validator
from pydantic_core import PydanticCustomError
from sqlalchemy import Connection

from sayso.core.proposals import Change, Target
from sayso.core.tools import ProposeResult, Tool, ToolContext, define_tool
from sayso.workspace import repository, search
from sayso.workspace.dates import FIRST_DAY, LAST_DAY, When, parse_when
from sayso.workspace.habits import habit_fact
from sayso.workspace.names import PREFIX_LETTERS, index_words, terms_of
from sayso.workspace.people import address_of, named_people, person_fact
from sayso.workspace.plain import plain
from sayso.workspace.records import PersonRecord
from sayso.workspace.repository import Stored
from sayso.workspace.tools.arguments import MaybeNumber, MaybeText, ToolArguments
from sayso.workspace.workspace import Workspace

CANDIDATES = 8
_ROOT = 5  # letters that two forms of one word share at least
_ENDING = 4  # letters by which one form may be longer, where the other is wholly in it
_ANY_TIME = datetime(2000, 1, 1, tzinfo=UTC)
_ADDRESS = re.compile(r"[^\s@<>\"(),;:]+@[^\s@<>\"(),;:]+\.[^\s@<>\"(),;:.]+")
_TYPES = {
    "mail": "email", "e-mail": "email", "e_mail": "email", "sms": "message", "whatsapp": "message", "chat": "message",
    "meeting": "event", "appointment": "event", "calendar": "event", "termin": "event", "task": "commitment",
    "todo": "commitment", "to-do": "commitment", "reminder": "commitment", "promise": "commitment",
    "followup": "follow_up", "follow-up": "follow_up", "follow up": "follow_up", "checkin": "check_in",
    "check-in": "check_in", "check in": "check_in", "habit": "check_in", "nachricht": "message", "notiz": "note",
    "aufgabe": "commitment", "erinnerung": "commitment",
}  # fmt: skip


def _type(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    plain = value.strip().lower()
    return _TYPES.get(plain, plain)


ActionType = Annotated[
    Literal["message", "email", "event", "commitment", "follow_up", "note", "check_in", "other"],
    BeforeValidator(_type),
]


class ProposeArguments(ToolArguments):
    type: ActionType
    person: MaybeText = Field(None, validation_alias=AliasChoices("person", "recipient", "to", "counterparty", "name"))
    title: MaybeText = Field(None, validation_alias=AliasChoices("title", "subject", "summary"))
    text: MaybeText = Field(None, validation_alias=AliasChoices("text", "body", "message", "content", "notes"))
    due: MaybeText = Field(None, validation_alias=AliasChoices("due", "starts", "start", "date", "when", "day"))
    minutes: MaybeNumber = Field(None, validation_alias=AliasChoices("minutes", "duration"))
    place: MaybeText = Field(None, validation_alias=AliasChoices("place", "location", "where"))
    habit: MaybeText = None

    @field_validator("person", "title", "text", "due", "place", "habit")
    @classmethod
    def without_controls(cls, text: str | None) -> str | None:
        return (plain(text).strip() or None) if text else None

    @field_validator("due")
    @classmethod
    def on_a_day_that_comes(cls, due: str | None) -> str | None:
        """A day far off is refused, whenever it is asked: which one "Friday" is makes no difference here."""
        when = parse_when(due, _ANY_TIME) if due else None
        if when and not FIRST_DAY <= when.day <= LAST_DAY:
            raise PydanticCustomError("far_off", "write a day of the years 1900 to 2200")
        return due


_WORDS = (
    "remind", "draft", "send", "write to", "schedule", "add", "create", "note that", "check in", "check off",
    "follow up", "erinnere", "schreibe", "schick", "sende", "entwirf", "plane", "notiere", "trag", "hake",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request with what has been resolved for it."""

    arguments: ProposeArguments
    person: Stored | None
    when: When | None
    context: ToolContext

    @property
    def name(self) -> str | None:
        return self.person.title if self.person else self.arguments.person

    @property
    def target(self) -> Target | None:
        return Target("person", self.person.id, self.person.title) if self.person else None

    @property
    def precondition(self) -> str | None:
        return self.person.etag if self.person else None


def propose_tool(workspace: Workspace, *, can_send: bool = False) -> Tool:
    async def run(arguments: ProposeArguments, context: ToolContext) -> ProposeResult:
        return await workspace.aread(lambda connection: compile_change(connection, arguments, context, can_send))

    return define_tool(
        "propose_action",
        kind="propose",
        description=(
            "Propose a change for approval: message, email, event, commitment, follow_up, note, check_in or other."
        ),
        arguments=ProposeArguments,
        run=run,
        example={"type": "commitment", "person": "Elena", "title": "Call Elena", "due": "Friday"},
        words=_WORDS,
        takes_name="person",
        takes_text="text",
        title="Preparing a proposal",
    )


def compile_change(
    connection: Connection, arguments: ProposeArguments, context: ToolContext, can_send: bool
) -> ProposeResult:
    """The change that is asked for; or the records it may mean, or nothing where none fits."""
    owner = context.actor.owner
    if arguments.type == "check_in":
        return _check_in(connection, arguments, context)
    shown = _open_person(connection, context)
    people = named_people(connection, owner, arguments.person) if arguments.person else ()
    if shown is not None and (shown.id in {p.id for p in people} or _points(arguments)):
        people = (shown,)  # the page comes first: of several of a name, and where only "her" was said
    if not people and arguments.person:
        people = _described(connection, owner, arguments.person)
    if not people and arguments.person and "@" in arguments.person:
        people = _with_address(connection, owner, arguments.person)
    if len(people) > 1:
        return ProposeResult(None, tuple(person_fact(p, context.now) for p in people[:CANDIDATES]))
    when = parse_when(arguments.due, context.now) if arguments.due else None
    asked = _Asked(arguments, people[0] if people else None, when, context)
    if arguments.type in ("message", "email"):
        return ProposeResult(_letter(asked, can_send))
    if arguments.person and not people and _is_contact(arguments.type):
        return ProposeResult(None)
    return ProposeResult(_record(asked))


def _open_person(connection: Connection, context: ToolContext) -> Stored | None:
    """The person whose page is open."""
    if context.record is None or context.record[0] != "person":
        return None
    return next(iter(repository.get_many(connection, context.actor.owner, "person", [context.record[1]])), None)


def _points(arguments: ProposeArguments) -> bool:
    """Whether the person is only pointed at, or left out where one is needed."""
    if arguments.person is None:
        return arguments.type in ("message", "email", "follow_up")
    return arguments.person.strip().lower() in _POINTING


_POINTING = frozenset({
    "her", "him", "them", "she", "he", "they", "this person", "this contact", "sie", "ihr", "ihm", "ihn", "er",
    "diese person", "dieser kontakt", "elle", "lui",
})  # fmt: skip


def _is_contact(type: str) -> bool:
    """Whether the change is about a person that must be known; a task may be about anybody ("the dentist")."""
    return type == "follow_up"


def _record(asked: _Asked) -> Change | None:
    match asked.arguments.type:
        case "event":
            return _event(asked)
        case "note":
            return _note(asked)
        case "other":
            return _other(asked)
        case _:
            return _commitment(asked)


def _letter(asked: _Asked, can_send: bool) -> Change | None:
    arguments = asked.arguments
    address, channel = _address(asked)
    if not arguments.text or (asked.person is None and address is None):
        return None
    who = asked.name or address or ""
    if arguments.type == "message":
        values = {"recipient": who, "channel": channel, "address": address, "text": arguments.text}
        return Change("workspace.prepare_message", f"Message to {who}", values, asked.target, asked.precondition)
    subject = _one_line(arguments.title or arguments.text)[:120]
    values = {"recipient": who, "address": address, "subject": subject, "text": arguments.text}
    action = "workspace.send_email" if can_send and address else "workspace.prepare_email"
    return Change(action, f"E-mail to {who}", values, asked.target, asked.precondition)


def _address(asked: _Asked) -> tuple[str | None, str | None]:
    """Where a letter goes: a recorded channel; else an address that the user wrote, never the model's own."""
    person = asked.person.record if asked.person else None
    if isinstance(person, PersonRecord):
        kinds = ("email",) if asked.arguments.type == "email" else ("whatsapp", "signal", "phone", "email")
        for kind in kinds:
            address = address_of(person, kind)
            if address:
                return address, kind
        return None, None
    written = _ADDRESS.search(asked.arguments.person or "")
    if written and written.group().lower() in asked.context.user_message.lower():
        return written.group(), "email"
    return None, None


def _event(asked: _Asked) -> Change | None:
    arguments = asked.arguments
    starts = asked.when.at(asked.context.now) if asked.when else None
    if starts is None:
        return None
    title = arguments.title or (f"Meeting with {asked.name}" if asked.name else _one_line(arguments.text or ""))
    if not title:
        return None
    ends = starts + timedelta(minutes=min(max(arguments.minutes or 60, 5), 24 * 60))
    values = {
        "title": _one_line(title), "starts": starts.isoformat(), "ends": ends.isoformat(), "place": arguments.place,
        "attendees": [asked.name] if asked.name else [], "notes": arguments.text,
    }  # fmt: skip
    return Change("workspace.create_event", f"Event: {_one_line(title)}", values, asked.target, asked.precondition)


def _commitment(asked: _Asked) -> Change | None:
    arguments = asked.arguments
    follow_up = arguments.type == "follow_up"
    title = arguments.title or _one_line(arguments.text or "")
    if not title and asked.name:
        title = f"Follow up with {asked.name}" if follow_up else ""
    if not title:
        return None
    notes = arguments.text if arguments.text != title else None
    if arguments.due and asked.when is None:
        notes = "\n".join(part for part in (notes, f"When: {arguments.due}") if part)
    elif asked.when and asked.when.time:
        notes = "\n".join(part for part in (notes, f"At {asked.when.time:%H:%M}") if part)
    values = {
        "title": _one_line(title), "due": asked.when.day.isoformat() if asked.when else None,
        "counterparty": asked.name, "notes": notes,
    }  # fmt: skip
    word, action = ("Follow-up", "create_follow_up") if follow_up else ("Commitment", "create_commitment")
    title = f"{word}: {_one_line(title)}"
    return Change(f"workspace.{action}", title, values, asked.target, asked.precondition)


def _note(asked: _Asked) -> Change | None:
    text = asked.arguments.text or asked.arguments.title
    if not text:
        return None
    title = _one_line(asked.arguments.title or text)[:80]
    values = {"title": title, "text": text, "about": asked.name}
    return Change("workspace.create_note", f"Note: {title}", values, asked.target, asked.precondition)


def _other(asked: _Asked) -> Change | None:
    text = asked.arguments.text or asked.arguments.title
    if not text:
        return None
    title = _one_line(asked.arguments.title or text)[:80]
    return Change("workspace.other", title, {"title": title, "text": text}, asked.target, asked.precondition)


def _check_in(connection: Connection, arguments: ProposeArguments, context: ToolContext) -> ProposeResult:
    owner = context.actor.owner
    asked_for = arguments.habit or arguments.title or arguments.person or arguments.text or ""
    hits = search.find(connection, owner, "habit", terms_of(asked_for), stems=True)
    best = min((hit.level for hit in hits), default=0)
    habits = repository.get_many(connection, owner, "habit", [h.key for h in hits if h.level == best])
    habits = habits or _like_habits(connection, owner, asked_for)
    if len(habits) != 1:
        return ProposeResult(None, tuple(habit_fact(h, context.now) for h in habits[:CANDIDATES]))
    when = parse_when(arguments.due, context.now) if arguments.due else When(context.now.date())
    if when is None:
        return ProposeResult(None)
    (habit,) = habits
    values = {"habit": habit.title, "day": when.day.isoformat()}
    target = Target("habit", habit.id, habit.title)
    return ProposeResult(Change("workspace.check_in", f"Check-in: {habit.title}", values, target, habit.etag))


def _like_habits(connection: Connection, owner: str, text: str) -> list[Stored]:
    """Habits with a word of the text in another form or language: "meditiert" is of "Meditate", "running" of "Run"."""
    words = [form for term in terms_of(text) for form in term.exact]
    stored = repository.list_all(connection, owner, "habit")
    return [h for h in stored if any(_one_root(w, own) for own in index_words(h.title).split() for w in words)]


def _one_root(word: str, other: str) -> bool:
    for form in (word, word.removeprefix("ge")):
        short, long = sorted((form, other), key=len)
        shared = next((n for n, pair in enumerate(zip(short, long, strict=False)) if pair[0] != pair[1]), len(short))
        if shared >= _ROOT or (shared == len(short) >= PREFIX_LETTERS and len(long) - shared <= _ENDING):
            return True
    return False


def _described(connection: Connection, owner: str, text: str) -> tuple[Stored, ...]:
    """The one person whose whole name the text holds, and of whom all its other words are recorded:
    "Anna Steiner, Surgeon" where there are two of the name."""
    terms = terms_of(text)
    hits = search.find(connection, owner, "person", terms)
    people = repository.get_many(connection, owner, "person", list(dict.fromkeys(hit.key for hit in hits)))
    said = frozenset(form for term in terms for form in term.exact)
    whole = [p for p in people if all(said & set(term.exact) for term in terms_of(p.title))]
    return tuple(whole) if len(whole) == 1 else ()


def _with_address(connection: Connection, owner: str, text: str) -> tuple[Stored, ...]:
    found = _ADDRESS.search(text)
    if not found:
        return ()
    hits = search.find(connection, owner, "person", terms_of(found.group()))
    people = repository.get_many(connection, owner, "person", [hit.key for hit in hits])
    wanted = found.group().lower()
    return tuple(
        p for p in people
        if isinstance(p.record, PersonRecord) and any(c.value.lower() == wanted for c in p.record.channels)
    )  # fmt: skip


def _one_line(text: str) -> str:
    return " ".join(text.split())
