"""Reversals: a word told of a record where the record has its opposite, or has it under a negation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from sayso.core.verify import lexicon
from sayso.core.verify.index import Entry
from sayso.core.verify.opposites import has_opposites, opposites
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.sentence import Checked, Sentence, content_stems, wrong
from sayso.core.verify.words import Token, fold, stem, tokens

_SHARED = 1  # content words beside the reversed one by which a line of the record is known to be the one retold


def check_opposites(s: Sentence) -> Iterator[Checked]:
    """ "Decided to keep the border" where the line that speaks of the border says "drop"."""
    told_of = () if s.advice or not has_opposites(s.said) else (*s.bound.cited, *s.bound.subjects)
    records = [e for e in told_of if e.is_record]
    if not records:
        return
    content = [t for t in s.words if t.word not in lexicon.STOP and not s.in_value(t.start)]
    told = {stem(t.text) for t in content}
    for token in content:
        against = opposites(token.word)
        if not against or _is_denied(s, token):
            continue
        for entry in records:
            if token.word in entry.words or stem(token.text) in entry.stems:
                continue
            line = _line_with(entry, against, told)
            if line:
                yield wrong(s, ViolationKind.WRONG_VALUE, token.start, token.end, f'{entry.ref} says "{line}"', entry)
                return


def check_denied(s: Sentence) -> Iterator[Checked]:
    """ "Dogs are allowed" where the record says that they are not, or the other way round, in the same words."""
    records = s.bound.records
    told = {w[:_ROOT] for w in s.content if len(w) > 3} if records and not s.advice else set[str]()
    if len(told) < 2 or s.values or _ONLY.search(s.folded) or lexicon.LOOKED.search(s.clean):
        return
    for entry in records:
        for name, held in entry.fields.items():
            if name == entry.numbered.fact.kind.subject or held.declared.options:
                continue
            for clause, denied, stems in _clauses(held.text):
                if told <= stems and denied != s.negated:
                    start, end = s.words[0].start, s.words[-1].end
                    yield wrong(s, ViolationKind.WRONG_VALUE, start, end, f'{entry.ref} says "{clause}"', entry)
                    return


_ROOT = 5  # letters by which two forms of a word are known
_ONLY = re.compile(r"\b(?:only|just|nur|bloss|lediglich|seulement|que|solo|soltanto|solamente)\b")


@lru_cache(maxsize=2048)
def _clauses(text: str) -> tuple[tuple[str, bool, frozenset[str]], ...]:
    """The clauses of a stored text: whether each denies something, and the roots of its words."""
    found: list[tuple[str, bool, frozenset[str]]] = []
    for clause in _PART.split(text):
        if not _ONLY.search(fold(clause)):
            roots = frozenset(t.word[:_ROOT] for t in tokens(clause))
            found.append((clause.strip()[:80], lexicon.NEGATION.search(clause) is not None, roots))
    return tuple(found)


_PART = re.compile(r"\n|[,;:](?=\s)|(?<=[.!?])\s")


def _is_denied(s: Sentence, token: Token) -> bool:
    return lexicon.NEGATION.search(s.clean[max(0, token.start - 24) : token.end + 12]) is not None


def _line_with(entry: Entry, against: frozenset[str], told: set[str]) -> str:
    """The line of a record that holds an opposite, not denied, and a content word of the sentence."""
    for name, held in entry.fields.items():
        if name == entry.numbered.fact.kind.subject or held.declared.options or held.words.isdisjoint(against):
            continue
        for line, words, stems in _lines(held.text):
            if not words.isdisjoint(against) and len(stems & told) >= _SHARED and not lexicon.NEGATION.search(line):
                return line[:80]
    return ""


@lru_cache(maxsize=2048)
def _lines(text: str) -> tuple[tuple[str, frozenset[str], frozenset[str]], ...]:
    """The sentences and lines of a stored text, with their words and the stems of their content words."""
    found: list[tuple[str, frozenset[str], frozenset[str]]] = []
    for line in _CUT.split(text):
        words = tokens(line)
        found.append((line.strip(), frozenset(t.word for t in words), content_stems(words)))
    return tuple(found)


_CUT = re.compile(r"\n|(?<=[.;!?])\s")
