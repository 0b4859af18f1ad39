"""The words of a query with the nouns that mean the same in the other language of the notes. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from sayso.workspace.commonwords import OTHER_WORDS
from sayso.workspace.names import Term


def in_both_languages(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Each term with its other words as further spellings: "Kaution" also finds "deposit"."""
    return tuple(Term(tuple(dict.fromkeys((*t.exact, *_others(t)))), t.loose) for t in terms)


def _others(term: Term) -> tuple[str, ...]:
    return tuple(other for form in term.exact for other in OTHER_WORDS.get(form, ()))
