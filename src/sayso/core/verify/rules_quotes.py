"""Block quotations: a line that is set as one must stand in a record to the letter."""

from __future__ import annotations

from collections.abc import Iterator

from sayso.core.verify.index import Entry
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.sentence import Checked, Sentence, wrong
from sayso.core.verify.values import MIN_QUOTE, quote_key

_NEAR = 0.6  # the share of its words by which a line is known to quote a record


def check_block_quotes(s: Sentence) -> Iterator[Checked]:
    """ "> The second instalment is GBP 6,000": changed by a word, it is no quotation."""
    line = s.clean.lstrip()
    if not line.startswith(">"):
        return
    key = quote_key(line.removeprefix(">"))
    words = frozenset(key.split())
    if len(words) < MIN_QUOTE or key in quote_key(s.setting.user_message):
        return
    records = [e for e in (*s.bound.cited, *s.index.current) if e.is_record]
    if any(key in e.quotes for e in records):
        yield Checked()
        return
    near = max(records, key=lambda e: _shared(e, words), default=None)
    if near is not None and _shared(near, words) >= _NEAR:
        start = s.clean.index(">") + 1
        why = "quote the record's exact words, or do not quote"
        yield wrong(s, ViolationKind.INVENTED_QUOTE, start, len(s.clean.rstrip()), why, near)


def _shared(entry: Entry, words: frozenset[str]) -> float:
    return len(words & entry.quoted_words) / len(words)
