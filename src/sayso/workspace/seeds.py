"""Seed facts: what an exchange starts with, looked up before any model is asked."""

from __future__ import annotations

import re
from datetime import datetime

from sqlalchemy import Connection

from sayso.core.facts import Fact
from sayso.core.tools import Actor
from sayso.errors import NotFound
from sayso.workspace import repository, search
from sayso.workspace.brief import day_brief
from sayso.workspace.facts import fact_of
from sayso.workspace.kinds import PROJECT
from sayso.workspace.names import fold, mentions, named_in
from sayso.workspace.people import person_fact
from sayso.workspace.workspace import Workspace, settings_of

PEOPLE = 6
PROJECTS = 5
_PLANNING = re.compile(
    r"\b(plan (my|the|out my|for my) (day|morning|week)|plan (today|tomorrow)|my day|(should|must|do) i do today"
    r"|have to do today|on (my|the) (agenda|plate|schedule)|what'?s (on|up) today|what is (on|due) today"
    r"|daily brief|brief me"
    r"|focus on|prioriti[sz]e|next steps|steht heute an|steht an|plane? (mir )?(meinen|den) tag|mein(en)? tag"
    r"|heute (tun|machen|erledigen)|tagesplan|muss ich heute|soll ich heute)\b"
)
_PROJECTS = frozenset(fold(word) for word in PROJECT.words)


async def seeds(
    workspace: Workspace,
    actor: Actor,
    question: str,
    now: datetime,
    open_record: tuple[str, str] | None = None,
) -> tuple[Fact, ...]:
    """The open record (kind, key) first, then people named in the question, active projects where it is
    about projects or planning, and the day's brief where it asks for a plan."""
    return await workspace.aread(
        lambda connection: seed_facts(connection, workspace, actor, question, now, open_record)
    )


def seed_facts(
    connection: Connection, workspace: Workspace, actor: Actor, question: str, now: datetime,
    open_record: tuple[str, str] | None,
) -> tuple[Fact, ...]:  # fmt: skip
    owner = actor.owner
    week_start = settings_of(connection, owner, workspace.defaults).week_start
    found: list[Fact] = []
    if open_record and may_see(actor, _KINDS.get(open_record[0], open_record[0])):
        found += _opened(connection, owner, open_record, now, week_start)
    if may_see(actor, "person"):
        found += people_named(connection, owner, question, now)
    planning = asks_for_plan(question)
    if (planning or about_projects(question)) and may_see(actor, "project"):
        found += _active_projects(connection, owner, now)
    if planning and may_see(actor, "commitment"):
        found += day_brief(connection, owner, now, week_start)
    return tuple({fact.identity: fact for fact in reversed(found)}.values())[::-1]


def may_see(actor: Actor, kind: str) -> bool:
    """Whether somebody may read records of a kind: by the kind itself, or by the tool that reads it."""
    return any(actor.may(permission) for permission in (f"read:kind:{kind}", f"read:{_TOOLS.get(kind, 'get_record')}"))


def asks_for_plan(question: str) -> bool:
    return bool(_PLANNING.search(" ".join(fold(question).replace("’", "'").split())))


def about_projects(question: str) -> bool:
    return any(form in _PROJECTS for mention in mentions(question) for form in mention.term.exact)


def people_named(connection: Connection, owner: str, question: str, now: datetime) -> list[Fact]:
    """Facts of the people whom the question names, namesakes with them, at most six."""
    terms = [mention.term for mention in mentions(question)][:60]
    names = search.names_with(connection, owner, "person", terms)
    keys = [key for group in named_in(question, names) for key in group]
    return [person_fact(p, now) for p in repository.get_many(connection, owner, "person", keys)[:PEOPLE]]


def _opened(connection: Connection, owner: str, record: tuple[str, str], now: datetime, week_start: str) -> list[Fact]:
    kind, key = record
    try:
        return [fact_of(repository.get(connection, owner, _KINDS.get(kind, kind), key.split("#")[0]), now, week_start)]
    except NotFound:
        return []


def _active_projects(connection: Connection, owner: str, now: datetime) -> list[Fact]:
    """Whole facts: a part of one would claim that the rest is not recorded."""
    active = repository.list_all(connection, owner, "project", state="active")
    return [fact_of(project, now) for project in active[:PROJECTS]]


_KINDS = {
    "people": "person", "projects": "project", "goals": "goal", "habits": "habit", "commitments": "commitment",
    "events": "event", "documents": "document", "passage": "document",
}  # fmt: skip
_TOOLS = {
    "person": "search_people", "project": "list_projects", "goal": "list_goals", "habit": "list_habits",
    "commitment": "list_commitments", "event": "list_commitments", "document": "search_knowledge",
}  # fmt: skip
