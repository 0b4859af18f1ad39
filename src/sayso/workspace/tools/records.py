"""Tools that search people and knowledge."""

from __future__ import annotations

from sqlalchemy import Connection

from sayso.core.tools import ReadResult, Tool, ToolContext, define_tool
from sayso.workspace import repository, search
from sayso.workspace.commonwords import STOP_WORDS
from sayso.workspace.facts import passage_fact
from sayso.workspace.kinds import PASSAGE, PERSON
from sayso.workspace.names import Term, fold, terms_of
from sayso.workspace.people import find_people, person_fact
from sayso.workspace.tools.arguments import MaybeNumber, ToolArguments
from sayso.workspace.workspace import Workspace

SHOWN_PEOPLE = 10
SHOWN_PASSAGES = 5


class PeopleArguments(ToolArguments):
    query: str


class KnowledgeArguments(ToolArguments):
    query: str
    limit: MaybeNumber = None


def people_tool(workspace: Workspace) -> Tool:
    async def run(arguments: PeopleArguments, context: ToolContext) -> ReadResult:
        def read(connection: Connection) -> ReadResult:
            owner = context.actor.owner
            found = find_people(connection, owner, arguments.query)
            close = 0.5 if found.close else None
            facts = tuple(person_fact(p, context.now, close) for p in found.people[:SHOWN_PEOPLE])
            return ReadResult(facts, len(found.people), repository.count(connection, owner, "person"))

        return await workspace.aread(read)

    return define_tool(
        "search_people",
        kind="read",
        description="Find people by name, company, role or note: who they are and how to reach them.",
        arguments=PeopleArguments,
        run=run,
        example={"query": "Elena"},
        covers=PERSON,
        words=("who", "whose", "wer", "wen", "wem", *PERSON.words),
        takes_name="query",
        title="Looking through people",
    )


def knowledge_tool(workspace: Workspace) -> Tool:
    async def run(arguments: KnowledgeArguments, context: ToolContext) -> ReadResult:
        limit = min(max(arguments.limit or SHOWN_PASSAGES, 1), 20)
        return await workspace.aread(lambda c: find_passages(c, context, arguments.query, limit))

    return define_tool(
        "search_knowledge",
        kind="read",
        description="Search notes and documents: decisions, meeting notes, how things work.",
        arguments=KnowledgeArguments,
        run=run,
        example={"query": "database decision"},
        covers=PASSAGE,
        words=("decide", "decided", "wrote", "written", "beschlossen", "geschrieben", *PASSAGE.words),
        takes_text="query",
        title="Searching notes",
    )


def find_passages(connection: Connection, context: ToolContext, query: str, limit: int) -> ReadResult:
    """Chunks that hold every word of the query; where none does, those that hold at least half."""
    owner = context.actor.owner
    terms = asked_terms(query)
    hits = search.find(connection, owner, "document", terms, stems=True)
    if not hits:
        needed = (len(terms) + 1) // 2
        any_of = search.find(connection, owner, "document", terms, every=False, stems=True)
        hits = [hit for hit in any_of if hit.held >= needed]
    documents = {d.id: d for d in repository.get_many(connection, owner, "document", [h.key for h in hits[:limit]])}
    facts = tuple(
        passage_fact(documents[hit.key], hit.part, context.now, terms) for hit in hits[:limit] if hit.key in documents
    )
    return ReadResult(facts, len(hits), repository.count(connection, owner, "document"))


def asked_terms(query: str) -> tuple[Term, ...]:
    return terms_of(query, leave_out=STOP_WORDS | _ASKING) or terms_of(query, leave_out=STOP_WORDS) or terms_of(query)


_ASKING = frozenset(
    fold(word) for word in (*PASSAGE.words, "decide", "decided", "entschieden", "beschlossen", "documents", "files")
)
