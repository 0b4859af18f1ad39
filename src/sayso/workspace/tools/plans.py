"""Tools that list projects, goals, habits, and what is due."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from sqlalchemy import Connection

from sayso.core.facts import Fact
from sayso.core.tools import ReadResult, Tool, ToolContext, define_tool
from sayso.workspace import repository, search
from sayso.workspace.commonwords import STOP_WORDS
from sayso.workspace.facts import commitment_fact, commitment_status, event_fact, project_fact
from sayso.workspace.goals import goal_fact, in_tree_order
from sayso.workspace.habits import habit_fact
from sayso.workspace.kinds import COMMITMENT, EVENT, GOAL, HABIT, PROJECT
from sayso.workspace.names import fold, terms_of
from sayso.workspace.records import CommitmentRecord, EventRecord
from sayso.workspace.repository import Stored
from sayso.workspace.tools.arguments import MaybeNumber, MaybeText, ToolArguments
from sayso.workspace.tools.spans import span_of
from sayso.workspace.tools.terms import in_both_languages
from sayso.workspace.workspace import Workspace, settings_of

SHOWN = 40
WINDOW = 7


class ProjectArguments(ToolArguments):
    status: MaybeText = None
    query: MaybeText = None


class GoalArguments(ToolArguments):
    query: MaybeText = None
    status: MaybeText = None


class HabitArguments(ToolArguments):
    pass


class CommitmentArguments(ToolArguments):
    days: MaybeNumber = None
    when: MaybeText = None
    status: MaybeText = None
    query: MaybeText = None


def projects_tool(workspace: Workspace) -> Tool:
    async def run(arguments: ProjectArguments, context: ToolContext) -> ReadResult:
        def read(connection: Connection) -> ReadResult:
            stored = _held(connection, context, "project", arguments.query)
            facts = [project_fact(project, context.now) for project in stored]
            return _result(facts, arguments.status, repository.count(connection, context.actor.owner, "project"))

        return await workspace.aread(read)

    return define_tool(
        "list_projects",
        kind="read",
        description="List projects with status, stack and log; status may be active, paused, done or idea.",
        arguments=ProjectArguments,
        run=run,
        example={"status": "active"},
        covers=PROJECT,
        words=PROJECT.words,
        takes_name="query",
        title="Looking through projects",
    )


def goals_tool(workspace: Workspace) -> Tool:
    async def run(arguments: GoalArguments, context: ToolContext) -> ReadResult:
        def read(connection: Connection) -> ReadResult:
            stored = in_tree_order(_held(connection, context, "goal", arguments.query))
            facts = [goal_fact(goal, context.now) for goal in stored]
            return _result(facts, arguments.status, repository.count(connection, context.actor.owner, "goal"))

        return await workspace.aread(read)

    return define_tool(
        "list_goals",
        kind="read",
        description="List goals with progress and target date; status may be behind, on track or done.",
        arguments=GoalArguments,
        run=run,
        example={"status": "behind"},
        covers=GOAL,
        words=("behind", "hinterher", *GOAL.words),
        takes_name="query",
        title="Looking through goals",
    )


def habits_tool(workspace: Workspace) -> Tool:
    async def run(arguments: HabitArguments, context: ToolContext) -> ReadResult:
        def read(connection: Connection) -> ReadResult:
            owner = context.actor.owner
            week_start = settings_of(connection, owner, workspace.defaults).week_start
            stored = repository.list_all(connection, owner, "habit")
            facts = [habit_fact(habit, context.now, week_start) for habit in stored]
            return _result(facts, None, len(stored))

        return await workspace.aread(read)

    return define_tool(
        "list_habits",
        kind="read",
        description="List habits with frequency, streak and whether they are done today.",
        arguments=HabitArguments,
        run=run,
        example={},
        covers=HABIT,
        words=("streak", "serie", *HABIT.words),
        title="Looking through habits",
    )


def commitments_tool(workspace: Workspace) -> Tool:
    async def run(arguments: CommitmentArguments, context: ToolContext) -> ReadResult:
        def read(connection: Connection) -> ReadResult:
            week_start = settings_of(connection, context.actor.owner, workspace.defaults).week_start
            span = span_of(arguments.when, context.now, week_start) if arguments.when else None
            return due_soon(connection, context, arguments, span)

        return await workspace.aread(read)

    return define_tool(
        "list_commitments",
        kind="read",
        description="List tasks, promises, events of the next days, and what is overdue; or of one day or week (when).",
        arguments=CommitmentArguments,
        run=run,
        example={"days": 7},
        covers=COMMITMENT,
        words=(*_DUE, *COMMITMENT.words, *EVENT.words),
        takes_name="query",
        title="Looking at what is due",
    )


def due_soon(
    connection: Connection, context: ToolContext, arguments: CommitmentArguments, span: tuple[date, date] | None
) -> ReadResult:
    """Commitments of a window of days from today, with the overdue; then its events.

    A span that starts after today or lies before it holds its own only. A status or a query without days
    looks through all. `matched` and `searched` count commitments: they are what the tool covers; the
    events come along.
    """
    today = context.now.date()
    narrowed = arguments.status is not None or arguments.query is not None
    days = arguments.days if arguments.days is not None else (None if narrowed else WINDOW)
    if span is None and days is not None:
        span = today, today + timedelta(days=min(max(days, 0), 3650))
    stored = _held(connection, context, "commitment", arguments.query)
    chosen = [c for c in stored if _wanted(_commitment(c), arguments.status, today, span)]
    chosen.sort(key=lambda c: (_commitment(c).due is None, _commitment(c).due or today, c.title))
    events = [] if arguments.status else _events(connection, context, arguments.query, span)
    facts = [commitment_fact(c, context.now) for c in chosen[:SHOWN]]
    facts += [event_fact(e, context.now) for e in events[:SHOWN]]
    return ReadResult(tuple(facts), len(chosen), repository.count(connection, context.actor.owner, "commitment"))


def _wanted(commitment: CommitmentRecord, status: str | None, today: date, span: tuple[date, date] | None) -> bool:
    """Without a status: what is open, and what else falls in the span from today on; never what is cancelled."""
    state, due = commitment_status(commitment, today), commitment.due
    late = span is not None and span[0] <= today <= span[1] and state == "overdue"
    inside = span is None or (due is not None and span[0] <= due <= span[1])
    if not (inside or late):
        return False
    if status is not None:
        wanted = _STATES.get(fold(status), fold(status))
        return state == wanted or (wanted == "open" and state == "overdue")
    return state in ("open", "overdue", "done")


def _commitment(stored: Stored) -> CommitmentRecord:
    assert isinstance(stored.record, CommitmentRecord)
    return stored.record


def _events(
    connection: Connection, context: ToolContext, query: str | None, span: tuple[date, date] | None
) -> list[Stored]:
    """Events that start in the span, or, without one, any that match; first come first."""
    stored = _held(connection, context, "event", query)
    found: list[tuple[float, Stored]] = []
    for event in stored:
        assert isinstance(event.record, EventRecord)
        day = event.record.starts.astimezone(context.now.tzinfo).date()
        if span is None or span[0] <= day <= span[1]:
            found.append((event.record.starts.timestamp(), event))
    return [event for _, event in sorted(found, key=lambda pair: pair[0])]


def _held(connection: Connection, context: ToolContext, kind: str, query: str | None) -> list[Stored]:
    """All records of a kind; or those that hold every word of the query, else any of them in their name."""
    owner = context.actor.owner
    terms = in_both_languages(terms_of(query, leave_out=STOP_WORDS | _NOUNS)) if query else ()
    if not terms:
        return repository.list_all(connection, owner, kind)
    hits = search.find(connection, owner, kind, terms, stems=True)
    hits = hits or search.find(connection, owner, kind, terms, every=False, names_only=True)
    return repository.get_many(connection, owner, kind, [hit.key for hit in hits])


def _result(facts: Sequence[Fact], status: str | None, searched: int) -> ReadResult:
    if status is not None:
        wanted = _STATES.get(fold(status), fold(status))
        facts = [fact for fact in facts if _has_state(fact, wanted)]
    return ReadResult(tuple(facts[:SHOWN]), len(facts), searched)


def _has_state(fact: Fact, wanted: str) -> bool:
    state = fold(str(fact.values.get("status", "")))
    return state == wanted or (wanted == "open" and state != "done")


_DUE = (
    "due", "overdue", "deadline", "owe", "owed", "promised", "fällig", "überfällig", "schulde", "schulden", "schuldig",
    "versprochen",
)  # fmt: skip
_STATES = {
    "on_track": "on track", "im plan": "on track", "hinterher": "behind", "late": "behind", "im ruckstand": "behind",
    "completed": "done", "complete": "done", "finished": "done", "erledigt": "done", "fertig": "done",
    "aktiv": "active", "pausiert": "paused", "offen": "open", "pending": "open", "todo": "open",
    "uberfallig": "overdue", "abgesagt": "cancelled", "canceled": "cancelled",
}  # fmt: skip
_NOUNS = frozenset(fold(word) for kind in (PROJECT, GOAL, HABIT, COMMITMENT, EVENT) for word in kind.words) | frozenset(
    ("due", "overdue", "fallig", "today", "heute", "week", "woche")
)
