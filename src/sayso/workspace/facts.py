"""Projects, commitments, events and passages as facts. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from sayso.core.facts import Fact
from sayso.workspace.goals import goal_fact
from sayso.workspace.habits import habit_fact
from sayso.workspace.kinds import COMMITMENT, EVENT, PASSAGE, PROJECT
from sayso.workspace.names import Term
from sayso.workspace.people import person_fact
from sayso.workspace.records import CommitmentRecord, DocumentRecord, EventRecord, ProjectRecord
from sayso.workspace.repository import Stored
from sayso.workspace.search import excerpt


def project_fact(stored: Stored, now: datetime) -> Fact:
    project = stored.record
    assert isinstance(project, ProjectRecord)
    return PROJECT.fact(
        {
            "name": project.name,
            "status": project.status,
            "stack": project.stack,
            "description": project.description,
            "log": project.log,
            "updated": project.updated,
        },
        source="projects",
        key=stored.id,
        as_of=now,
    )


def commitment_status(commitment: CommitmentRecord, today: date) -> str:
    """ "overdue" is an open one that was due before today."""
    late = commitment.status == "open" and commitment.due is not None and commitment.due < today
    return "overdue" if late else commitment.status


def commitment_fact(stored: Stored, now: datetime) -> Fact:
    commitment = stored.record
    assert isinstance(commitment, CommitmentRecord)
    return COMMITMENT.fact(
        {
            "title": commitment.title,
            "due": commitment.due,
            "counterparty": commitment.counterparty,
            "status": commitment_status(commitment, now.date()),
            "notes": commitment.notes,
        },
        source="commitments",
        key=stored.id,
        as_of=now,
    )


def event_fact(stored: Stored, now: datetime) -> Fact:
    """An event with its times in the user's zone (that of `now`); one of whole days with its days."""
    event = stored.record
    assert isinstance(event, EventRecord)
    starts, ends = _days(event) if event.all_day else _times(event, now)
    return EVENT.fact(
        {
            "title": event.title,
            "starts": starts,
            "ends": ends,
            "place": event.place,
            "attendees": event.attendees,
            "notes": event.notes,
        },
        source="events",
        key=stored.id,
        as_of=now,
    )


def _times(event: EventRecord, now: datetime) -> tuple[datetime, datetime | None]:
    return event.starts.astimezone(now.tzinfo), event.ends.astimezone(now.tzinfo) if event.ends else None


def _days(event: EventRecord) -> tuple[date, date | None]:
    """The first and the last day, as its calendar named them: a day is the same day in every zone."""
    return event.starts.date(), (event.ends - timedelta(seconds=1)).date() if event.ends else None


def passage_fact(stored: Stored, part: int, now: datetime, terms: Sequence[Term] = ()) -> Fact:
    """One chunk of a document, cut to the part that holds most of the terms."""
    document = stored.record
    assert isinstance(document, DocumentRecord)
    chunk = document.chunks[part] if part < len(document.chunks) else None
    return PASSAGE.fact(
        {
            "title": document.title,
            "heading": chunk.heading if chunk else None,
            "excerpt": excerpt(chunk.text, terms) if chunk else None,
            "date": document.date,
            "tags": document.tags,
            "path": document.path,
        },
        source="documents",
        key=f"{stored.id}#{part}",
        as_of=now,
    )


def fact_of(stored: Stored, now: datetime, week_start: str = "monday") -> Fact:
    """Any record as a fact; a document as its first passage."""
    match stored.kind:
        case "person":
            return person_fact(stored, now)
        case "project":
            return project_fact(stored, now)
        case "goal":
            return goal_fact(stored, now)
        case "habit":
            return habit_fact(stored, now, week_start)
        case "commitment":
            return commitment_fact(stored, now)
        case "event":
            return event_fact(stored, now)
        case _:
            return passage_fact(stored, 0, now)
