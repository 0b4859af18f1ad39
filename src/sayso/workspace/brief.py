"""The day's brief: what is due and overdue, today's events, habits still to do, goals behind."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from sayso.core.facts import Fact
from sayso.workspace import repository
from sayso.workspace.facts import commitment_fact, event_fact
from sayso.workspace.goals import goal_fact, goal_status
from sayso.workspace.habits import habit_fact, is_due
from sayso.workspace.records import CommitmentRecord, EventRecord, GoalRecord, HabitRecord
from sayso.workspace.repository import Stored

EACH = 8


def day_brief(connection: Connection, owner: str, now: datetime, week_start: str) -> tuple[Fact, ...]:
    """At most eight of each, the most pressing first."""
    return (
        *(commitment_fact(c, now) for c in due_today(connection, owner, now)[:EACH]),
        *(event_fact(e, now) for e in events_today(connection, owner, now)[:EACH]),
        *(habit_fact(h, now, week_start) for h in habits_to_do(connection, owner, now, week_start)[:EACH]),
        *(goal_fact(g, now) for g in goals_behind(connection, owner, now)[:EACH]),
    )


def due_today(connection: Connection, owner: str, now: datetime) -> list[Stored]:
    """Open commitments that are due today or were before, the oldest first."""
    stored = repository.list_all(connection, owner, "commitment", state="open", last=now.date())
    return sorted(stored, key=lambda s: (_commitment(s).due or now.date(), s.title))


def events_today(connection: Connection, owner: str, now: datetime) -> list[Stored]:
    stored = repository.list_all(connection, owner, "event")
    today = [s for s in stored if _starts(s).astimezone(now.tzinfo).date() == now.date()]
    return sorted(today, key=_starts)


def habits_to_do(connection: Connection, owner: str, now: datetime, week_start: str) -> list[Stored]:
    stored = repository.list_all(connection, owner, "habit")
    return [s for s in stored if isinstance(s.record, HabitRecord) and is_due(s.record, now.date(), week_start)]


def goals_behind(connection: Connection, owner: str, now: datetime) -> list[Stored]:
    stored = repository.list_all(connection, owner, "goal")
    return [s for s in stored if isinstance(s.record, GoalRecord) and goal_status(s.record, now.date()) == "behind"]


def _commitment(stored: Stored) -> CommitmentRecord:
    assert isinstance(stored.record, CommitmentRecord)
    return stored.record


def _starts(stored: Stored) -> datetime:
    assert isinstance(stored.record, EventRecord)
    return stored.record.starts
