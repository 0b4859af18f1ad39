"""What a record denies ("breakfast is not reimbursed", "no running before 20 July"), told as granted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from sayso.core.verify import lexicon
from sayso.core.verify.index import Entry
from sayso.core.verify.language.granting import GRANTED, LIMIT, NO, REFUSED, UNTIL
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.sentence import Checked, Sentence, content_stems, wrong
from sayso.core.verify.values import ValueKind
from sayso.core.verify.words import Token, fold, stem, tokens

_FEW = 8  # content words of a denial: a longer one is about more than one thing


def check_granted(s: Sentence) -> Iterator[Checked]:
    """ "Towels are included" where the record says that they are not: of what the denial is about, and nothing else."""
    grant = next((t for t in s.words if t.word in GRANTED), None)
    if grant is None or s.advice or s.denies or not REFUSED.isdisjoint(s.said):
        return
    told = [t for t in s.words if t.word not in lexicon.STOP and t.word not in GRANTED and not s.in_value(t.start)]
    stems = {stem(t.text) for t in told}
    for entry in _sources(s, stems):
        for line, about, granted in _denials(entry):
            if about and about <= stems and not granted & stems and _meets_limit(s, line):
                yield wrong(s, ViolationKind.WRONG_VALUE, grant.start, grant.end, f'{entry.ref} says "{line}"', entry)
                return


def _sources(s: Sentence, stems: set[str]) -> list[Entry]:
    """The cited records; without a citation, those spoken of and the documents that share a word."""
    if s.bound.cited:
        return [e for e in s.bound.cited if e.kind != "lookup"]
    near = [*s.bound.subjects, *s.bound.before, *s.index.gathered.holding_any(s.said - lexicon.STOP)]
    return list({e.ref: e for e in near if e.is_record and stems & e.stems}.values())[:8]


def _denials(entry: Entry) -> list[tuple[str, frozenset[str], frozenset[str]]]:
    """The clauses by which a record denies something: the clause, what it is about, and what of it is granted."""
    texts = (
        f.text for n, f in entry.fields.items() if n != entry.numbered.fact.kind.subject and not f.declared.options
    )
    return [found for text in texts for found in _clauses(text)]


@lru_cache(maxsize=1024)
def _clauses(text: str) -> tuple[tuple[str, frozenset[str], frozenset[str]], ...]:
    lines = [clause for clause in _CUT.split(text) if clause.strip()]
    granted = [content_stems(tokens(c)) for c in lines if not _is_denial(tokens(c))]
    others = frozenset[str]().union(*granted)
    found: list[tuple[str, frozenset[str], frozenset[str]]] = []
    for clause in lines:
        words = tokens(clause)
        if not _is_denial(words):
            continue
        limit = LIMIT.search(fold(clause), next((t.start for t in words if t.word in NO), 0) + 2)
        until = limit.start() if limit else len(clause)
        about = frozenset(stem(t.text) for t in words if t.start < until and _tells(t))
        if 0 < len(about) <= _FEW:
            found.append((clause.strip()[:80], about, others & about))
    return tuple(found)


def _is_denial(words: list[Token]) -> bool:
    return any(t.word in REFUSED or fold(t.text) in NO for t in words)


def _tells(token: Token) -> bool:
    small = token.word in lexicon.STOP or fold(token.text) in lexicon.STOP or fold(token.text) in NO
    return not (small or token.word in GRANTED or token.word in REFUSED or token.text[0].isdigit())


def _meets_limit(s: Sentence, line: str) -> bool:
    """A denial until some day holds for the days before it: told of a later day, or of none, nothing is wrong."""
    folded = fold(line)
    limit = LIMIT.search(folded, 3)
    if limit is None:
        return True
    days = [v for v in s.values if v.kind is ValueKind.DATE and v.span is not None]
    return UNTIL.search(folded) is not None and bool(days) and not any(fold(v.text) in folded for v in days)


_CUT = re.compile(r"\n|;|,|(?<=[.!?])\s")
