"""Passages of notes and documents: the sentence that answers, verbatim, with title and date, cited."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from sayso.core.evidence import Numbered
from sayso.core.facts import Field, FieldType
from sayso.models.quote.describing import best_excerpt, defines
from sayso.models.quote.moments import written_text
from sayso.models.quote.phrases import is_long, quoted, refs_of, value_of
from sayso.models.quote.question import Question
from sayso.models.quote.words import keys, said

_MOST = 3
# The beginnings of the words in which a decision is told: asked for in one, it may stand in any.
_DECIDING = ("decid", "decis", "chose", "choos", "picked", "agreed", "entsch", "beschl", "einigt", "gewahlt")


def tell_passages(facts: Sequence[Numbered], prose: Field, question: Question, now: datetime) -> str:
    """The best sentence of up to three passages, also where they disagree.

    What the question asks the passages for ("decide") counts first, then the topic; the newest is told first.
    """
    wanted = [t.key for t in question.rest]
    roots = _roots(prose, question)

    def worth(n: Numbered) -> tuple[int, int]:
        return _says(n, prose, roots), _overlap(n, prose, wanted)

    facts = [n for n in facts if defines(str(n.fact.values.get(prose.name, "")), question.thing)] or facts
    best = max(_overlap(n, prose, wanted) for n in facts)
    kept = [n for n in facts if _overlap(n, prose, wanted) >= best]  # all, where they say it in other words
    by_title: dict[str, Numbered] = {}
    for n in sorted(facts, key=worth):  # the best passage of each document comes last, and stays
        by_title[n.fact.subject] = n
    titles = dict.fromkeys(n.fact.subject for n in kept)
    ranked = sorted((by_title[t] for t in titles), key=lambda n: (_says(n, prose, roots), _day_of(n)), reverse=True)
    return "\n".join(_passage(n, prose, question, roots, now) for n in ranked[:_MOST])


def prose_field(facts: Sequence[Numbered]) -> Field | None:
    """The text field of a kind whose records are passages: ranked by likeness, or nothing but a text."""
    kind = facts[0].fact.kind
    candidates = [f for f in kind.fields if f.type is FieldType.TEXT and f.name != kind.subject]
    prose = next((f for f in candidates if any(n.fact.values.get(f.name) for n in facts) and f.name in
                  {"excerpt", "text", "body", "content"}), None)  # fmt: skip
    if prose:
        return prose
    if any(n.fact.similarity is not None for n in facts):
        return next((f for f in candidates if any(is_long(f, n.fact.values.get(f.name, "")) for n in facts)), None)
    return None


def _passage(numbered: Numbered, prose: Field, question: Question, roots: Sequence[str], now: datetime) -> str:
    fact, language = numbered.fact, question.language
    names = {key for name in question.names for key in keys(name)}
    wanted = [t.key for t in question.rest] + [t.key for t in question.rest if t.key not in names]
    excerpt = best_excerpt(str(fact.values.get(prose.name, "")), wanted, roots, question.thing)
    return f"{_title(numbered, language, now)}: {quoted(excerpt, language)} {refs_of([numbered.ref])}."


def _title(numbered: Numbered, language: str, now: datetime) -> str:
    """The title with its day; a title that is nothing but a day is that day."""
    day, subject = _day_of(numbered), numbered.fact.subject
    told = written_text(subject, language, now)
    if day == date.min:
        return told or subject
    dated = value_of(day, language, now)
    return dated if told == dated else f"{subject}, {dated}"


def _day_of(numbered: Numbered) -> date:
    """The day of a passage, or the first of all days."""
    fact = numbered.fact
    days = (fact.values.get(f.name) for f in fact.kind.fields if f.type is FieldType.DATE)
    return next((day for day in days if isinstance(day, date)), date.min)


def _roots(prose: Field, question: Question) -> tuple[str, ...]:
    """The beginnings of the question's words that ask for this field: all of "decide", where it is one of them."""
    if any(key.startswith(_DECIDING) for key in question.keys):
        return _DECIDING
    declared = {key for phrase in prose.words for key in keys(phrase)}
    return tuple(key[:4] for key in question.keys if key in declared and len(key) > 5)


def _says(numbered: Numbered, prose: Field, roots: Sequence[str]) -> int:
    """How clearly a passage says what is asked for: 2 in its text, 1 in its heading."""
    fact = numbered.fact
    text_says = any(key.startswith(root) for key in keys(str(fact.values.get(prose.name, ""))) for root in roots)
    headed = [str(v) for k, v in fact.values.items() if isinstance(v, str) and k not in (prose.name, fact.kind.subject)]
    heading_says = any(key.startswith(root) for value in headed for key in keys(value) for root in roots)
    return 2 * text_says + heading_says


def _overlap(numbered: Numbered, prose: Field, wanted: Sequence[str]) -> int:
    return said(wanted, keys(f"{numbered.fact.subject} {numbered.fact.values.get(prose.name, '')}"))
