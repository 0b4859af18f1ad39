"""The inputs of the workspace's actions as a person may edit them, and the titles of their cards.

Names and order are those that the propose tools file and the actions read. What names the resolved
record (a recipient, a habit) is shown and stays: another one is another proposal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any

from pydantic import Field, ValidationInfo, field_serializer, field_validator
from pydantic_core import PydanticCustomError

from sayso.gateway.inputs import Inputs
from sayso.workspace.typed import (
    FIXED,
    Day,
    Line,
    Mail,
    MaybeDay,
    MaybeLine,
    MaybeMail,
    MaybeMoment,
    MaybeProse,
    Moment,
    Prose,
)


class Commitment(Inputs):
    title: Line
    due: MaybeDay = None
    counterparty: MaybeLine = None
    notes: MaybeProse = None


class Event(Inputs):
    title: Line
    starts: Moment
    ends: MaybeMoment = None
    place: MaybeLine = None
    attendees: Annotated[list[Line], Field(max_length=100)] = []
    notes: MaybeProse = None

    @field_validator("ends")
    @classmethod
    def ends_after_it_starts(cls, ends: datetime | None, info: ValidationInfo) -> datetime | None:
        starts = info.data.get("starts")
        if ends and starts and ends <= starts:
            raise PydanticCustomError("ends_early", "write an end after the start")
        return ends

    @field_serializer("starts", "ends")
    def as_filed(self, moment: datetime | None) -> str | None:
        return moment.isoformat() if moment else None


class Note(Inputs):
    title: Line
    text: Prose
    about: MaybeLine = None


class Other(Inputs):
    title: Line
    text: Prose


class CheckIn(Inputs):
    habit: str = Field(json_schema_extra=FIXED)
    day: Day

    @field_validator("day")
    @classmethod
    def has_come(cls, day: date, info: ValidationInfo) -> date:
        if info.context and day > info.context["now"].date():
            raise PydanticCustomError("not_come", "choose today or an earlier day")
        return day


class Message(Inputs):
    recipient: str = Field(json_schema_extra=FIXED)
    channel: str | None = Field(None, json_schema_extra=FIXED)
    address: MaybeLine = None
    text: Prose


class Email(Inputs):
    recipient: str = Field(json_schema_extra=FIXED)
    address: MaybeMail = None
    subject: Line
    text: Prose


class SentEmail(Email):
    """An e-mail that a server is to send: it needs its address."""

    address: Mail  # pyright: ignore[reportGeneralTypeIssues, reportIncompatibleVariableOverride]


class Question(Inputs):
    agent: str = Field(json_schema_extra=FIXED)
    question: Prose


@dataclass(frozen=True, slots=True)
class Editing:
    """How an action's proposals are edited: their inputs, and the title of a card."""

    inputs: type[Inputs]
    title: Callable[[Mapping[str, Any]], str]


EDITING: Mapping[str, Editing] = {
    "workspace.create_commitment": Editing(Commitment, lambda a: f"Commitment: {a['title']}"),
    "workspace.create_follow_up": Editing(Commitment, lambda a: f"Follow-up: {a['title']}"),
    "workspace.create_event": Editing(Event, lambda a: f"Event: {a['title']}"),
    "workspace.create_note": Editing(Note, lambda a: f"Note: {a['title'][:80]}"),
    "workspace.other": Editing(Other, lambda a: a["title"][:80]),
    "workspace.check_in": Editing(CheckIn, lambda a: f"Check-in: {a['habit']}"),
    "workspace.prepare_message": Editing(Message, lambda a: f"Message to {a['recipient']}"),
    "workspace.prepare_email": Editing(Email, lambda a: f"E-mail to {a['recipient']}"),
    "workspace.send_email": Editing(SentEmail, lambda a: f"E-mail to {a['recipient']}"),
    "agent.ask": Editing(Question, lambda a: f"Ask {a['agent']}: {a['question'][:80]}"),
}
"""By action. An action that is missing here can be approved or denied, and edited only in its text."""
