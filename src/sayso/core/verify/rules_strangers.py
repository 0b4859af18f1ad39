"""A name that no record has, set off as the one that is spoken of: **Cold shower**: 12 days [F3]."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.core.verify import lexicon
from sayso.core.verify.holding import holds
from sayso.core.verify.index import field_words, option_words
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.sentence import Checked, Sentence, wrong
from sayso.core.verify.values import ValueKind
from sayso.core.verify.words import Token, plain

_SET_OFF = re.compile(
    r"\*\*(?P<bold>[^*\n]{3,80})\*\*|[\"“„«](?P<quoted>[^\"“”„«»\n]{3,80})[\"”“»]|^\W{0,4}\|(?P<cell>[^|\n]{3,80})\|"
    r"|^\W{0,4}(?P<head>[^:?–\n]{3,60}?)\s?(?:[:?]| –)\s"
)


def check_unknown_names(s: Sentence) -> Iterator[Checked]:
    """Set off at the head of a sentence that tells a value, and of whose words no record knows one."""
    told = [v for v in s.values if v.kind is not ValueKind.QUOTE]
    if s.advice or s.denies or not told or s.bound.named:
        return
    if not any(e.is_record for e in s.bound.cited) and not any(holds(e, v) for v in told for e in s.index.current):
        return  # nothing says that a record is meant at all
    match = _SET_OFF.search(s.clean, 0, 120)
    if match is None or match.lastgroup is None:
        return
    start, end = match.span(match.lastgroup)
    words = [t for t in s.words if start <= t.start < end and t.word not in lexicon.STOP and not s.in_value(t.start)]
    if len(words) > 1 and not any(_is_known(s, t) for t in words):
        near = next((e for e in s.bound.cited if e.is_record), None)
        why = f'no record is called "{s.clean[start:end].strip()}": use the record\'s own name'
        yield wrong(s, ViolationKind.UNSUPPORTED, start, end, why, near)


def _is_known(s: Sentence, token: Token) -> bool:
    """Whether a record, a kind, a field, the user or the tools know the word."""
    word = token.word
    if word in s.your_words or word in s.setting.known_words or word in s.index.kind_words or word in lexicon.TEMPORAL:
        return True
    return any(word in e.words or word[:5] in {w[:5] for w in e.words} for e in s.index.current) or any(
        word in {plain(w) for p in (*field_words(f), *option_words(f)) for w in p.split()}
        for e in s.index.current
        for f in e.numbered.fact.kind.fields
    )
