"""Names and places of work: held by the record that is spoken of, or another's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from sayso.core.verify import lexicon
from sayso.core.verify.binding import mentions
from sayso.core.verify.index import Entry, essential, field_words
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.rules_values import gap_before
from sayso.core.verify.sentence import Checked, Sentence, wrong
from sayso.core.verify.values import NUMBER_WORDS
from sayso.core.verify.words import Token, fold, plain

K = ViolationKind


STOP = lexicon.STOP
NOT_NAMES = lexicon.TEMPORAL | lexicon.STOP | frozenset(NUMBER_WORDS)


def check_names(s: Sentence) -> Iterator[Checked]:
    """Capitalised words and acronyms must be held; in German only acronyms and known names are read."""
    if s.advice or not s.bound.tight or not s.bound.subjects:
        return
    denied = s.denies
    for token in s.words:
        if not token.capital or len(token.text) < 2 or not _is_name(s, token) or s.in_value(token.start):
            continue
        word = token.word
        if word in s.held:
            yield Checked()
        elif word in s.your_words:
            yield Checked(yours=True)
        elif not (
            denied
            or word in NOT_NAMES
            or fold(token.text) in NOT_NAMES
            or word in s.setting.known_words
            or _is_field_word(s, word)
        ):
            yield _stray(s, token)


def _is_name(s: Sentence, token: Token) -> bool:
    acronym = token.text.isupper() and token.text.isalpha() and not s.clean.isupper()
    if acronym and len(token.text) > 1:
        return True
    if s.setting.language == "de":
        return any(token.word in e.words for e in s.index.current if e.numbered.fact.kind.named_by_parts)
    before = s.clean[: token.start].rstrip(" *_\"'“„(")
    opens = s.clean[: token.start].rstrip(" *_").endswith("(")
    return opens or (bool(before) and before[-1] not in ".!?:|–—-•\n;")


def _is_field_word(s: Sentence, word: str) -> bool:
    return any(
        word in e.numbered.fact.kind.words
        or any(word == plain(p) for f in e.numbered.fact.kind.fields for p in field_words(f))
        for e in s.bound.subjects
    )


def _stray(s: Sentence, token: Token) -> Checked:
    near = s.bound.subjects[0]
    other = next((e for e in s.index.current if e.kind == near.kind and token.word in e.words), None)
    gap = gap_before(s, token.start)
    if other is not None:
        return wrong(
            s, K.SWAPPED_RECORD, token.start, token.end, f'"{token.text}" is of {other.ref}, not {near.ref}', near
        )
    if any(token.word in e.words for e in s.index.current) and not s.bound.cited:
        return Checked()
    if gap is not None:
        return wrong(
            s, K.STATED_GAP, token.start, token.end, f"{gap[1].title} is not recorded in {gap[0].ref}: say so", gap[0]
        )
    return wrong(
        s, K.INVENTED_NAME, token.start, token.end, f'{near.ref} does not mention "{token.text}": leave it out', near
    )


def check_workplace(s: Sentence) -> Iterator[Checked]:
    """ "works at X": X is the whole name in the field that declares such words, not a part of it."""
    match = lexicon.WORKS.search(s.clean)
    if match is None or s.advice or not s.bound.subjects:
        return
    subject = next((e for e in s.bound.named if e.kind == s.bound.subjects[0].kind), s.bound.subjects[0])
    kind = subject.numbered.fact.kind
    field = next((f for f in kind.fields if {"works at", "employer", "affiliation"} & field_words(f)), None)
    if field is None or s.denies:
        return
    run = _run_after(s, match.end())
    if not run:
        return
    start, end = run[0].start, run[-1].end
    together = _named_together(s, match.start(), kind.name)
    subject = next((e for e in together if field.name not in e.fields), subject)
    entry = subject.fields.get(field.name)
    if entry is None:
        yield wrong(s, K.STATED_GAP, start, end, f"{field.title} is not recorded in {subject.ref}: say so", subject)
        return
    said, whole = essential(frozenset(t.word for t in run)), essential(entry.words)
    other = not any(said & e.words for e in s.index.current) and not said & s.setting.known_words
    if said and (said < whole or other) and not said <= s.your_words:
        yield wrong(s, K.WRONG_VALUE, start, end, f"{field.title} of {subject.ref} is {entry.text}", subject)


def _named_together(s: Sentence, at: int, kind: str) -> list[Entry]:
    """ "Pavel and Sam work at ...": each of several that are named, with nothing but "and" between, before a place."""
    named = [(a, b, e) for a, b, e in mentions(s.bound.named, s.words) if b <= at and e.kind == kind]
    joints = [s.folded[b:a].strip(" ,") for (_, b, _), (a, _, _) in pairwise(named)]
    return [e for _, _, e in named] if len(named) > 1 and set(joints) <= {"and", "und", "et", "y", "&", ""} else []


def _run_after(s: Sentence, at: int) -> list[Token]:
    run: list[Token] = []
    for token in s.words:
        if token.start < at:
            continue
        between = s.clean[run[-1].end if run else at : token.start]
        joined = not run or re.fullmatch(r"[ \-&.+]{1,3}|", between) is not None
        if not joined or not (token.capital or (run and fold(token.text) in lexicon.JOINING)):
            break
        run.append(token)
    while run and fold(run[-1].text) in lexicon.JOINING:
        run.pop()
    return run
