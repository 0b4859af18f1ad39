# ruff: noqa: E501 (patterns are easier to read on one line)
"""Claims that set fields against each other: the same person or place, more of one than of another, still or no longer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from sayso.core.verify.declared.reading import ReadField
from sayso.core.verify.declared.reading_times import When
from sayso.core.verify.declared.reading_told import Finding, Told, places_in
from sayso.core.verify.declared.reading_words import LIGHT, roots, spelled_words

_SAME = re.compile(
    r"\b(?P<same>(?:the |one and the )?(?:very )?(?:exact )?same|one (?:and only )?(?=man|woman|person|individual))|\b(?P<other>(?:two |three |many |completely )?(?:different|separate)|not the same)\b"
)
_WHAT = re.compile(
    r"[^.,;]{0,24}?\b(?P<what>year|month|day|date|decade|centur(?=y|ies)|season|countr(?=y|ies)|continent|state|cit(?=y|ies)"
    r"|town|place|number|amount)(?:s|y|ies)?\b"
)
_MORE = re.compile(
    r"\b(?P<how>more(?! than \d)|larger|bigger|greater|higher|longer|older|less|fewer|smaller|shorter|lower|outnumber\w*|exceed\w*|earlier|later)\b"
)
_THAN = re.compile(
    r"\bthan\b(?! (?:\$|\d|one|two|three|four|five|six|seven|eight|nine|ten|a|an|half|twice)\b)|\boutnumber\w*|\bexceed\w*"
)
_LESS = frozenset(["less", "fewer", "smaller", "shorter", "lower", "earlier"])
_STILL = re.compile(
    r"\b(?P<still>still|continues? to|to this day|remains?|currently|these days|today)\b|(?P<over>\bno longer|\b(?:not|\w{2,6}n't|never)(?: \w+){0,4} any ?more|retired|disbanded|broke up|split up|stopped|quit|ceased|has ended|used to|former|formerly)\b"
)
_BREAK = re.compile(
    r"\b(?:continuously|consecutively|without (?:a |any )?(?:break|breaks|hiatus|interruption|pause|stopping)|nonstop|non-stop|uninterrupted)\b"
)
_PAUSE = re.compile(r"\b(?:a|took|had|on) (?:a )?(?:break|breaks|hiatus|pause)\b|\bhiatus\b")
_DEATH = frozenset({"died", "death"})
_ALIVE = re.compile(r"\b(?:still (?:alive|living)|(?:is|are) (?:alive|living(?= today|$)))\b")
_DEAD = re.compile(r"\b(?:dead|deceased|no longer alive|passed away)\b")


def check_same(told: Told) -> Iterator[Finding]:
    """ "Written and directed by the same person", "born and died in different states"."""
    m = _SAME.search(told.text)
    if m is None:
        return
    what = _WHAT.match(told.text, m.end())
    fields = _fields_told(told, of_names=what is None)
    if len(fields) > 1:
        alike = _alike(told, fields[0], fields[1], what["what"] if what else "")
        holds = None if alike is None else alike is (m["other"] is None)
        yield Finding(m.start(), what.end() if what else m.end(), holds, _both(fields[0], fields[1]))
    elif fields:
        holds = (fields[0].count == 1) is (m["other"] is None)
        yield Finding(m.start(), m.end(), holds, f"{fields[0].label} is {fields[0].text[:80]}")
    elif m["other"] is None:
        yield Finding(m.start(), m.end(), None, "the record compares no such fields")


def _fields_told(told: Told, *, of_names: bool) -> list[ReadField]:
    """The fields that a sentence speaks of, in order; `of_names`: those that hold names, not times or amounts."""
    cues = (c for c in told.cues if not c.along)
    fields = {f.label: f for c in cues for f in c.fields if not of_names or not (f.whens or f.amounts)}
    return list(fields.values())


def _both(a: ReadField, b: ReadField) -> str:
    return f"{a.label} is {a.text[:50]}, {b.label} is {b.text[:50]}"


_TIMES: dict[str, Callable[[When], object]] = {
    "year": lambda w: w.low.year, "month": lambda w: w.low.month, "day": lambda w: (w.low.month, w.low.day),
    "date": lambda w: (w.low.month, w.low.day), "decade": lambda w: w.low.year // 10, "centur": lambda w: (w.low.year - 1) // 100,
    "season": lambda w: w.low.month % 12 // 3,
}  # fmt: skip


def _alike(told: Told, a: ReadField, b: ReadField, what: str) -> bool | None:
    if what in _TIMES:
        if not a.whens or not b.whens:
            return None
        return _TIMES[what](a.whens[0]) == _TIMES[what](b.whens[0])
    if what in ("number", "amount"):
        return a.count == b.count
    if what in _LEVELS:
        return _same_place(told, a, b, what)
    return any(x == y for x in a.cores for y in b.cores)


_LEVELS = {"countr": "country", "continent": "continent", "state": "state", "cit": "", "town": "", "place": ""}


def _same_place(told: Told, a: ReadField, b: ReadField, what: str) -> bool | None:
    """Towns by the first part of the written place; larger places by what is declared to lie in them."""
    level = _LEVELS[what]
    if not level:
        first, second = next(_parts(a), None), next(_parts(b), None)
        return None if first is None or second is None else first == second
    one, other = (_held(told, f, level) for f in (a, b))
    return bool(one & other) if one and other else None


def _parts(f: ReadField) -> Iterator[tuple[str, ...]]:
    text = re.sub(r"\([^()]{0,80}\)", " ", f.text)
    for part in re.split(r"[,;\n]|\d+|\s{2,}", text):
        words = tuple(r for r in roots(part) if r not in LIGHT)
        if words and words[0][:3] not in _MONTHS:
            yield words


_MONTHS = frozenset(["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"])


def _held(told: Told, f: ReadField, level: str) -> frozenset[str]:
    """The countries, continents or states in which the places of a field lie."""
    found = (told.lexicon.held[name] for _, _, name in places_in(spelled_words(f.text), told.lexicon))
    return frozenset(n for names in found for n in names if told.lexicon.levels.get(n) == level)


def check_more(told: Told) -> Iterator[Finding]:
    """ "More land area than water area": two fields with an amount or a count each."""
    m, than = _MORE.search(told.text), _THAN.search(told.text)
    if m is None or than is None or than.end() < m.start():
        return
    numbered = [(c, f) for c in told.cues if not c.along for f in c.fields if _size(f) is not None]
    before = [f for c, f in numbered if c.end <= than.start()]
    after = [f for c, f in numbered if c.start >= than.end()]
    pair = next(((a, b) for a in before for b in after if a is not b), None)
    if pair is None:
        return
    first, second = _size(pair[0]) or 0.0, _size(pair[1]) or 0.0
    holds = first < second if m["how"] in _LESS else first > second
    yield Finding(m.start(), than.end(), holds, _both(*pair))


def _size(f: ReadField) -> float | None:
    if len(f.items) > 1 and not f.amounts:
        return float(f.count)
    found = next((a for a in f.amounts if a.high > 0), None)
    dated = f.whens and not f.text.strip().isdigit()
    return None if found is None or dated else found.high


def check_lasting(told: Told) -> Iterator[Finding]:
    """Whether something still goes on, has ended, or was interrupted."""
    periodic, cued = told.fields_near(0, len(told.text), lambda f: f.periods)
    if m := _BREAK.search(told.text):
        yield Finding(
            m.start(),
            m.end(),
            all(len(f.periods) + (len(f.whens) > 2 * len(f.periods)) < 2 for f in periodic) if cued else None,
            "it was interrupted",
        )
    elif m := _PAUSE.search(told.text):
        yield Finding(
            m.start(), m.end(), any(len(f.periods) > 1 for f in periodic) if cued else None, "no break is recorded"
        )
    if m := _ALIVE.search(told.text) or _DEAD.search(told.text):
        died = any(_DEATH & set(f.names) for f in told.record.fields)
        yield Finding(m.start(), m.end(), died is bool(_DEAD.search(told.text)), "whether a death is recorded")
    elif (m := _STILL.search(told.text)) and cued:
        lasts = any(f.periods[-1].until is None for f in periodic)
        yield Finding(m.start(), m.end(), lasts is bool(m["still"]), f"{periodic[0].label} is {periodic[0].text[:60]}")
