"""Which words of a sentence its record explains, and which of them stand in the wrong field or nowhere.

A word is explained by a claim that holds, by the record's name, texts and labels, or by the lexicon.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sayso.core.verify.declared.reading import ReadField
from sayso.core.verify.declared.reading_amounts import amounts
from sayso.core.verify.declared.reading_told import Finding, Told, is_light, places_in
from sayso.core.verify.declared.reading_words import WEIGHING, denies, roots, spelled_words
from sayso.core.verify.words import Token, fold


@dataclass(frozen=True, slots=True)
class Stray:
    """A word that nothing explains; `missing`: it speaks of a field that the record does not have."""

    token: Token
    missing: bool = False

    @property
    def weighs(self) -> bool:
        return self.token.text.lower() in WEIGHING

    @property
    def name(self) -> bool:
        return self.token.text[0].isupper() or self.token.text[0].isdigit()


def strays(told: Told, findings: Sequence[Finding]) -> Iterator[Stray]:
    """The words of a sentence that nothing explains, in order."""
    spans = [_with_relation(told.text, f) for f in findings]
    spans += [(c.start, c.end) for c in told.cues if c.fields]
    spans += [(a, b) for a, b, _ in told.places]
    spans += told.name_places
    missing = [(c.start, c.end) for c in told.cues if not c.fields]
    held = told.record.words
    for token, stem in zip(told.words, told.stems, strict=True):
        if _within(token, spans) or stem in held or not told.lexicon.same.get(stem, frozenset()).isdisjoint(held):
            continue
        lowered = token.text.lower()
        if not (is_light(stem, lowered) or denies(lowered) or _is_held(told, token) or _is_misspelt(told, token)):
            yield Stray(token, _within(token, missing))


_RELATING = (
    "before|after|since|until|between|during|than|less|more|at|least|most|over|under|for|the|a|an|of|in|from|and|to|when|"
    "while|he|she|they|it|was|were|had|his|her|their|its|turned|age|aged|being|by|within|old|older|younger|longer|nearly|"
    "almost|only|just|exactly|about|around|later"
)
_RELATION = re.compile(rf"(?:\b(?:{_RELATING})\b[ ,]{{0,2}}){{1,6}}$")


_RELATION_AFTER = re.compile(r"(?: (?:ago|after|before|later|earlier|apart|old|time|long|period|total|since))\b")


def _with_relation(text: str, f: Finding) -> tuple[int, int]:
    """The place of a claim with the words before it that relate it: "before they were 30", "less than a year"."""
    if f.holds is not True:
        return f.start, f.end
    window = text[max(0, f.start - 40) : f.start]
    found = _RELATION.search(window)
    after = _RELATION_AFTER.match(text, f.end)
    return f.start - (len(window) - found.start() if found else 0), after.end() if after else f.end


def _is_misspelt(told: Told, token: Token) -> bool:
    """Whether a name is one of the record's but for a letter or two."""
    word = fold(token.text)
    lost = _LOST.search(told.text[max(0, token.start - 24) : token.end + 24])
    if lost is not None and (word in lost.group()):
        pattern = re.compile(".{0,2}".join(map(re.escape, re.split(_LETTER_LOST, lost.group()))))
        return any(pattern.fullmatch(w) for w in told.record.spelled)
    return token.capital and any(_is_near(word, w) for w in told.record.spelled if w[:2] == word[:2])


_LETTER_LOST = r"[?\ufffd\x80-\xa0]"
_LOST = re.compile(rf"\w{{1,20}}(?:{_LETTER_LOST}\w{{1,20}}){{1,3}}")


_LONG = 7


def _is_near(a: str, b: str) -> bool:
    """Two words that differ in one place, by a letter, or by two where they are long."""
    longest = max(len(a), len(b))
    if longest < 5 or abs(len(a) - len(b)) > 2:
        return False
    head = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    tail = next((i for i, (x, y) in enumerate(zip(a[::-1], b[::-1], strict=False)) if x != y), min(len(a), len(b)))
    return head + tail >= longest - (1 if longest < _LONG else 2)


def _within(token: Token, spans: Sequence[tuple[int, int]]) -> bool:
    return any(a <= token.start and token.end <= b for a, b in spans)


def _is_held(told: Told, token: Token) -> bool:
    """A number that stands in a field by itself, whatever its spelling."""
    said = [a for a in amounts(token.text.lower()) if a.end == len(token.text)]
    held = (h for f in told.record.fields for h in f.amounts)
    return bool(said) and any(a.low == h.low for a in said for h in held)


def check_places(told: Told) -> Iterator[Finding]:
    """A place that is named must hold, or be, a place of the field that the sentence speaks of."""
    for start, end, name in told.places:
        if any(a <= start and end <= b for a, b in told.name_places):
            continue
        fields, cued = told.fields_near(start, end, lambda f: _places(told, f))
        found = frozenset[str]().union(*(_places(told, f) for f in fields))
        anywhere = frozenset[str]().union(*(_places(told, f) for f in told.record.fields))
        if name in found or (name in anywhere and not (cued and told.text[start:end] == fold(name))):
            yield Finding(start, end, True)
        elif name in anywhere:
            yield Finding(start, end, None, f"{name} is said of another field")
        else:
            inner = any(f in told.lexicon.held.get(name, ()) for f in found)
            yield Finding(start, end, None if inner or not cued else False, f"the record does not say {name}")


def _places(told: Told, f: ReadField) -> frozenset[str]:
    named = (name for _, _, name in places_in(spelled_words(f.text), told.lexicon))
    return frozenset[str]().union(*(told.lexicon.held[n] for n in named))


def check_owners(told: Told) -> Iterator[Finding]:
    """A whole item of one field, told right after the words of another, or said to be it: a swapped field."""
    for start, end, owners in told.items:
        if any(a <= start and end <= b for a, b in told.name_places) or not _is_name(told, start, end):
            continue
        fields = _fields_joined(told, start, end)
        if fields and not any(f in owners for f in fields) and not _near_name(told, fields, start, end):
            yield Finding(start, end, False, f"{fields[0].label} is {fields[0].text[:80]}")


def _is_name(told: Told, start: int, end: int) -> bool:
    return " " in told.text[start:end] or next(t for t in told.words if t.start == start).capital


def _fields_joined(told: Told, start: int, end: int) -> tuple[ReadField, ...]:
    """The fields of the words that stand right before an item ("directed by"), or after "is the"."""
    cues = [c for c in told.cues if c.fields and not c.along]
    before = [c for c in cues if c.end <= start and told.text[c.end : start].strip() in _JOINTS]
    after = [c for c in cues if c.start >= end and told.text[end : c.start].strip() in _JOINTS_AFTER]
    near = before[-1:] or after[:1]
    return tuple(f for c in cues for n in near if (c.start, c.end) == (n.start, n.end) for f in c.fields)


_JOINTS = frozenset(["by", "is", "are", "was", "were", "by the", ":", "as", "with"])
_JOINTS_AFTER = frozenset(["is the", "is a", "was the", "was a", "is their", "is its", ", the"])


def _near_name(told: Told, fields: Sequence[ReadField], start: int, end: int) -> bool:
    """Whether the words of an item stand in these fields too, in whatever order."""
    said = frozenset(roots(told.text[start:end]))
    return any(said <= f.words for f in fields)


def check_only(told: Told) -> Iterator[Finding]:
    """ "Only X": X is the one item of its field."""
    for token in told.words:
        if token.text.lower() not in ("only", "solely", "exclusively", "just", "entire", "entirely"):
            continue
        ahead = [i for i in told.items if 0 <= i[0] - token.end <= 24]
        owners = ahead[0][2] if ahead else ()
        if owners and all(len(f.items) > 1 for f in owners):
            yield Finding(token.start, ahead[0][1], False, f"{owners[0].label} is {owners[0].text[:80]}")
        else:
            yield Finding(token.start, token.end, None, "the record does not say that there is no other")
