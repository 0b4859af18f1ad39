"""Tools that search people and knowledge."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlalchemy import Connection

from sayso.core.tools import ReadResult, Tool, ToolContext, define_tool
from sayso.workspace import repository, search
from sayso.workspace.commonwords import STOP_WORDS
from sayso.workspace.facts import passage_fact
from sayso.workspace.kinds import PASSAGE, PERSON
from sayso.workspace.names import Term, fold, match_level, terms_of, words_of
from sayso.workspace.people import find_people, person_fact
from sayso.workspace.records import DocumentRecord, PersonRecord
from sayso.workspace.repository import Stored
from sayso.workspace.tools.arguments import MaybeNumber, ToolArguments
from sayso.workspace.tools.terms import in_both_languages
from sayso.workspace.workspace import Workspace

SHOWN_PEOPLE = 10
SHOWN_PASSAGES = 5
RANKED = 40  # chunks whose own text is looked at, to show the best of them first


class PeopleArguments(ToolArguments):
    query: str
    skip: MaybeNumber = None


class KnowledgeArguments(ToolArguments):
    query: str
    limit: MaybeNumber = None
    skip: MaybeNumber = None


def people_tool(workspace: Workspace) -> Tool:
    async def run(arguments: PeopleArguments, context: ToolContext) -> ReadResult:
        def read(connection: Connection) -> ReadResult:
            people, close = _found(connection, context, arguments.query)
            skip = max(arguments.skip or 0, 0)
            facts = tuple(person_fact(p, context.now, close) for p in people[skip : skip + SHOWN_PEOPLE])
            return ReadResult(facts, len(people), repository.count(connection, context.actor.owner, "person"))

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
        page = slice(skip := max(arguments.skip or 0, 0), skip + limit)
        return await workspace.aread(lambda c: find_passages(c, context, arguments.query, page))

    return define_tool(
        "search_knowledge",
        kind="read",
        description="Search notes and documents: decisions, meeting notes, how things work.",
        arguments=KnowledgeArguments,
        run=run,
        example={"query": "database decision"},
        covers=PASSAGE,
        words=(*_ASKED_FOR, *PASSAGE.words),
        takes_text="query",
        title="Searching notes",
    )


def _birthday_months(query: str) -> frozenset[int] | None:
    """The months of a query that asks for birthdays and for nobody by name; empty is all of them."""
    words = [fold(word) for word in words_of(query)]
    if _BIRTHDAY.isdisjoint(words):
        return None
    left = [w for w in words if w not in _BIRTHDAY and w not in STOP_WORDS and w not in _PEOPLE]
    return frozenset(_MONTHS[w] for w in left) if all(w in _MONTHS for w in left) else None


def _found(connection: Connection, context: ToolContext, query: str) -> tuple[Sequence[Stored], float | None]:
    """The people that a query asks for, and how alike they are where none has the name that was asked for."""
    owner = context.actor.owner
    if (months := _birthday_months(query)) is not None:
        return _birthdays(connection, context, months), None
    if asks_for_all(query, _PEOPLE):
        everyone = repository.list_all(connection, owner, "person")
        return (_longest_ago(everyone) if _asks_for_contact(query) else everyone), None
    found = find_people(connection, owner, query)
    return found.people, 0.5 if found.close else None


def _birthdays(connection: Connection, context: ToolContext, months: frozenset[int]) -> list[Stored]:
    """People with a birthday in these months, or with any; the next to come first."""
    today = (context.now.month, context.now.day)
    everyone = repository.list_all(connection, context.actor.owner, "person")
    dated = [(day, p) for p in everyone if (day := _day_of_birth(p)) and (not months or day[0] in months)]
    dated.sort(key=lambda pair: (pair[0] < today, pair[0], pair[1].title))
    return [p for _, p in dated]


def _asks_for_contact(query: str) -> bool:
    """Whether it asks when people were last spoken to: "last interaction people"."""
    return not {"interaction", "spoke", "zuletzt"}.isdisjoint(fold(word) for word in words_of(query))


def _longest_ago(everyone: Sequence[Stored]) -> list[Stored]:
    """Those whose last contact is recorded, the longest ago first."""
    dated = [(p.record.last_interaction, p) for p in everyone if isinstance(p.record, PersonRecord)]
    known = [(day, p) for day, p in dated if day]
    return [p for _, p in sorted(known, key=lambda pair: (pair[0], pair[1].title))]


def _day_of_birth(stored: Stored) -> tuple[int, int] | None:
    """Month and day of a recorded birthday, with a year ("1988-03-04") or without ("--03-04")."""
    assert isinstance(stored.record, PersonRecord)
    found = re.search(r"(\d{2})-?(\d{2})$", stored.record.birthday or "")
    return (int(found.group(1)), int(found.group(2))) if found else None


def find_passages(connection: Connection, context: ToolContext, query: str, page: slice) -> ReadResult:
    """Chunks that hold every word of the query, in either language; where none does, at least half.

    Of those the chunks come first that say it in their own text, and that hold what the person asks
    of them ("decide"). A query that names no topic ("notes") gives the newest documents.
    """
    owner = context.actor.owner
    if asks_for_all(query, _DOCUMENTS):
        return _newest(connection, context, page)
    terms = in_both_languages(asked_terms(query))
    hits = search.find(connection, owner, "document", terms, stems=True)
    if not hits:
        needed = (len(terms) + 1) // 2
        any_of = search.find(connection, owner, "document", terms, every=False, stems=True)
        hits = [hit for hit in any_of if hit.held >= needed]
    documents = {d.id: d for d in repository.get_many(connection, owner, "document", [h.key for h in hits[:RANKED]])}
    known = [hit for hit in hits[:RANKED] if hit.key in documents]
    deciding = _asks_for_decision(f"{query} {context.user_message}")
    known.sort(key=lambda hit: (-hit.held, -_worth(documents[hit.key], hit.part, terms, deciding), hit.level))
    facts = tuple(passage_fact(documents[hit.key], hit.part, context.now, terms) for hit in known[page])
    return ReadResult(facts, len(hits), repository.count(connection, owner, "document"))


def asked_terms(query: str) -> tuple[Term, ...]:
    return terms_of(query, leave_out=STOP_WORDS | _ASKING) or terms_of(query, leave_out=STOP_WORDS) or terms_of(query)


def asks_for_all(query: str, nouns: frozenset[str]) -> bool:
    """Whether a query names nothing but the kind: "contacts", "all my people", "phone numbers of people", "*"."""
    words = [fold(word) for word in words_of(query)]
    passing = nouns | STOP_WORDS | (_OF_PEOPLE if nouns is _PEOPLE else nouns)
    known = all(word in passing or word.removesuffix("s") in passing for word in words)
    return known and (not words or not nouns.isdisjoint(words))


def _newest(connection: Connection, context: ToolContext, page: slice) -> ReadResult:
    stored = repository.list_all(connection, context.actor.owner, "document")
    newest = sorted(stored, key=lambda d: (_document(d).date is not None, _document(d).date or 0), reverse=True)
    return ReadResult(tuple(passage_fact(d, 0, context.now) for d in newest[page]), len(stored), len(stored))


def _worth(stored: Stored, part: int, terms: Sequence[Term], deciding: bool) -> int:
    """How much of the query a chunk's own text holds; a decision counts once more where one is asked for."""
    chunks = _document(stored).chunks
    if part >= len(chunks):
        return 0
    chunk = chunks[part]
    own = frozenset(fold(word) for word in words_of(f"{chunk.heading or ''} {chunk.text}"))
    says = deciding and any(word.startswith(_DECIDING) for word in own)
    return sum(match_level([term], own) is not None for term in terms) + 2 * says


def _asks_for_decision(text: str) -> bool:
    return any(fold(word).startswith(_DECIDING) for word in words_of(text))


def _document(stored: Stored) -> DocumentRecord:
    assert isinstance(stored.record, DocumentRecord)
    return stored.record


_PEOPLE = frozenset(fold(word) for word in (*PERSON.words, "everyone", "everybody", "kontakten", "all", "alle", "list"))
_BIRTHDAY = frozenset(("birthday", "birthdays", "born", "geburtstag", "geburtstage", "geburtstagen", "geboren"))
_MONTHS = {
    fold(name): number
    for number, names in enumerate(
        (
            "january januar", "february februar", "march märz", "april", "may mai", "june juni", "july juli", "august",
            "september", "october oktober", "november", "december dezember",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_DECIDING = ("decid", "decis", "chose", "choos", "picked", "agreed", "entsch", "beschl", "einigt")
_OF_PEOPLE = frozenset(
    word for field in PERSON.fields for told in field.words for word in fold(told).replace("-", " ").split()
) - frozenset(fold(word) for word in PERSON.words)
_DOCUMENTS = frozenset(
    word
    for word in map(fold, (*PASSAGE.words, "files", "dokumenten", "all", "alle", "list"))
    if not word.startswith(_DECIDING)
)
_ASKED_FOR = (
    "decide", "decided", "choose", "chose", "chosen", "agree on", "agreed on", "wrote", "written", "beschlossen",
    "geschrieben", "gewählt", "geeinigt",
)  # fmt: skip
_ASKING = frozenset(
    fold(word) for word in (*PASSAGE.words, "decide", "decided", "entschieden", "beschlossen", "documents", "files")
)
