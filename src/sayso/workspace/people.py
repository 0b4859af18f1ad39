"""People: finding them by name, and their facts."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from sayso.core.facts import Fact
from sayso.workspace import repository, search
from sayso.workspace.commonwords import STOP_WORDS
from sayso.workspace.kinds import PERSON
from sayso.workspace.names import Term, fold, index_words, match_level, terms_of
from sayso.workspace.records import PersonRecord
from sayso.workspace.repository import Stored

CLOSE = 0.85
CLOSE_LETTERS = 5
_ASKING = frozenset(
    word for field in PERSON.fields for words in field.words for word in fold(words).replace("-", " ").split()
) | frozenset(fold(word) for word in PERSON.words)


@dataclass(frozen=True, slots=True)
class Found:
    """People, best first. `close`: none has the name that was asked for; these are spelt like it."""

    people: tuple[Stored, ...]
    close: bool = False


def find_people(connection: Connection, owner: str, query: str) -> Found:
    """People by name or nickname; by anything recorded of them where no name matches.

    Of whole words, looser spellings and beginnings of names only the best is taken, so that "Ann"
    is not Anna where there is an Ann; namesakes are all returned.
    """
    terms = asked_terms(query)
    hits = search.find(connection, owner, "person", terms)
    if not hits and len(query.split()) > 3:
        hits = search.find(connection, owner, "person", terms, every=False, names_only=True)
    if hits:
        best = min(hit.level for hit in hits)
        named = [hit.key for hit in hits if hit.level == best] if best < 3 else [hit.key for hit in hits]
        return Found(tuple(repository.get_many(connection, owner, "person", named)))
    return Found(_spelt_like(connection, owner, terms), close=True)


def named_people(connection: Connection, owner: str, name: str) -> tuple[Stored, ...]:
    """The people whose name or nickname this is, all of its words whole. An exact full name wins."""
    terms = terms_of(name)
    hits = search.find(connection, owner, "person", terms, names_only=True)
    for level in (0, 1):
        keys = [hit.key for hit in hits if hit.level == level]
        if keys:
            people = repository.get_many(connection, owner, "person", keys)
            exact = [p for p in people if index_words(p.title) == index_words(name)]
            return tuple(exact or people)
    return ()


def asked_terms(query: str) -> tuple[Term, ...]:
    """The words of a query without those that only ask ("phone number of"); all, where none is left."""
    return terms_of(query, leave_out=STOP_WORDS | _ASKING) or terms_of(query, leave_out=STOP_WORDS) or terms_of(query)


def person_fact(stored: Stored, now: datetime, similarity: float | None = None) -> Fact:
    person = stored.record
    assert isinstance(person, PersonRecord)
    return PERSON.fact(
        {
            "name": person.name,
            "affiliation": person.affiliation,
            "role": person.role,
            "channels": channel_items(person),
            "how_met": person.how_met,
            "last_interaction": person.last_interaction,
            "birthday": person.birthday,
            "notes": person.notes,
        },
        source="people",
        key=stored.id,
        as_of=now,
        similarity=similarity,
    )


def channel_items(person: PersonRecord) -> tuple[str, ...]:
    """Ways to reach a person: "email elena@example.ch", "phone +41 44 000 00 00 (work)"."""
    return tuple(f"{c.kind} {c.value}" + (f" ({c.label})" if c.label else "") for c in person.channels)


def address_of(person: PersonRecord, kind: str) -> str | None:
    return next((c.value for c in person.channels if c.kind == kind), None)


def _spelt_like(connection: Connection, owner: str, terms: Sequence[Term]) -> tuple[Stored, ...]:
    """People with a name that is one slip away, each word of it ("Webber" for "Weber")."""
    if not terms:
        return ()
    starts = [Term((form[:3],)) for term in terms for form in term.exact if len(form) >= PREFIX]
    found: dict[str, float] = {}
    for hit in search.find(connection, owner, "person", starts, every=False, names_only=True):
        found.setdefault(hit.key, 0)
    people = repository.get_many(connection, owner, "person", list(found))
    return tuple(p for p in people if _close(terms, frozenset(index_words(p.title).split())))


def _close(terms: Sequence[Term], words: frozenset[str]) -> bool:
    return all(match_level([term], words) in (0, 1) or _one_close(term, words) for term in terms)


def _one_close(term: Term, words: frozenset[str]) -> bool:
    return any(
        len(form) >= CLOSE_LETTERS
        and len(word) >= CLOSE_LETTERS
        and difflib.SequenceMatcher(None, form, word).ratio() >= CLOSE
        for form in term.exact
        for word in words
    )


PREFIX = 3
