"""A name that no record has, set off as the one that is spoken of: **Cold shower**: 12 days [F3]."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from sayso.core.verify import lexicon
from sayso.core.verify.holding import holds
from sayso.core.verify.index import field_words, option_words
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.rules_values import is_exact
from sayso.core.verify.sentence import Checked, Sentence, named_at, wrong
from sayso.core.verify.values import CONTACTS, Value, ValueKind
from sayso.core.verify.words import Token, plain

_SET_OFF = re.compile(
    r"\*\*(?P<bold>[^*\n]{3,80})\*\*|[\"“„«](?P<quoted>[^\"“”„«»\n]{3,80})[\"”“»]|^\W{0,4}\|(?P<cell>[^|\n]{3,80})\|"
    r"|^\W{0,4}(?P<head>[^:?–\n]{3,60}?)\s?(?:[:?]| –)\s"
)


def check_unknown_names(s: Sentence) -> Iterator[Checked]:
    """Set off at the head of a sentence that tells a value, or in the place of the record that is cited."""
    if s.advice:
        return
    found = (_of_no_cited(s) if _cited_unnamed(s) else None) or _at_the_head(s)
    if found is not None:
        start, end = found
        near = next((e for e in s.bound.cited if e.is_record), None)
        why = f'no record is called "{s.clean[start:end].strip()}": use the record\'s own name'
        yield wrong(s, ViolationKind.UNSUPPORTED, start, end, why, near)


def _at_the_head(s: Sentence) -> tuple[int, int] | None:
    if s.denies or not s.values or s.bound.named or (match := _SET_OFF.search(s.clean, 0, 120)) is None:
        return None
    start, end = match.span(match.lastgroup or 0)
    told = [v for v in s.values if v.kind is not ValueKind.QUOTE and not start <= v.start < end]
    if not any(e.is_record for e in s.bound.cited) and not any(_is_of_a_record(s, v) for v in told):
        return None  # nothing says that a record is meant at all
    if not told or (match["quoted"] is not None and match["quoted"][-1] in "?!."):
        return None
    if match["head"] is not None and (lexicon.PRESENTING.match(s.clean) or s.words[0].word in lexicon.ARTICLES):
        return None  # "The meeting point: ..." is a heading of our own
    return _strange(s, start, end, but=0)


def _is_of_a_record(s: Sentence, v: Value) -> bool:
    """Whether a record holds it, and it is no small number that may be of anything."""
    exact = is_exact(v) or v.kind in (ValueKind.TIME, *CONTACTS)
    return exact and any(holds(e, v) for e in s.index.current)


def _cited_unnamed(s: Sentence) -> bool:
    """Whether the sentence cites what it does not name."""
    cited = [e for e in s.bound.cited if e.kind != "lookup"]
    return bool(cited) and not any(
        (set(e.subject) & s.said if e.is_record else set(e.subject) <= s.said)
        or named_at(s, e.numbered.fact.subject) >= 0
        for e in cited
    )


def _of_no_cited(s: Sentence) -> tuple[int, int] | None:
    """A name set off anywhere, in a table of records, or two words in capitals side by side, after the first word.

    Of what was spoken of before, a heading may be set off as well: only words in capitals are a name there.
    """
    spoken = {e.ref for e in s.bound.before}
    carried = any(e.ref in spoken for e in s.bound.cited)
    listed = bool(s.bound.columns) and plain(s.bound.columns[0].strip(" *_")) in s.index.kind_words
    for match in _SET_OFF.finditer(s.clean, 0, 400):
        start, end = match.span(match.lastgroup or 0)
        if listed and match.lastgroup == "cell" and _strange(s, start, end, least=1):
            return start, end
        named = not carried or all(t.capital for t in s.words if start <= t.start < end)
        if match.lastgroup != "head" and named and _strange(s, start, end):
            return start, end
    for one, other in pairwise(s.words[1:]):
        beside = one.capital and other.capital and s.clean[one.end : other.start] == " "
        if beside and _strange(s, one.start, other.end):
            return one.start, other.end
    return None


def _strange(s: Sentence, start: int, end: int, *, but: int = 1, least: int = 2) -> tuple[int, int] | None:
    """A place of so many words none of which is known; of three and more, all but one are not."""
    words = [t for t in s.words if start <= t.start < end and t.word not in lexicon.STOP and not s.in_value(t.start)]
    known = sum(_is_known(s, t) for t in words)
    return (start, end) if len(words) >= least and 3 * known <= len(words) and known <= but else None


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
