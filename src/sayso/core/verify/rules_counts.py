"""Counts: they rest on look-ups and on the records that were found."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sayso.core.verify import lexicon
from sayso.core.verify.index import Entry, dates_of, option_words, wording_at
from sayso.core.verify.numerals import in_digits
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.sentence import Checked, Sentence, wrong
from sayso.core.verify.values import ValueKind
from sayso.core.verify.words import fold, plain

K = ViolationKind
_COUNT = re.compile(
    r"(?<![\w.,:/-])(?P<n>0{0,40}\d{1,4})\s(?:(?P<a>[\w-]{2,14})\s)?(?P<k>[\w-]{3,20})",
    re.IGNORECASE,
)
_OF = re.compile(
    r"(?<![\w.,])(?P<a>0{0,40}\d{1,5})\s(?:out of|of|von|sur|su|de|di)\s"
    r"(?:(?:your|the|my|deinen|den|vos|tes|les|tuoi|tus|sus)\s)?(?P<b>0{0,40}\d{1,6})\b",
    re.IGNORECASE,
)


def check_counts(s: Sentence) -> Iterator[Checked]:
    digits = "" if s.advice else in_digits(s.clean)
    if not any(c.isdigit() for c in digits):
        return
    lookups = [e for e in s.index.current if e.kind == "lookup"]
    kinds = s.index.kind_words
    for match in _COUNT.finditer(digits):
        kind = kinds.get(plain(match["k"])) or kinds.get(plain(match["a"] or ""))
        number = float(match["n"])
        if kind is None or not (lookups or s.index.of_kind(kind)):
            continue
        whole = lexicon.OUT_OF.search(s.clean, 0, match.start())  # "one of your three goals is behind"
        in_state = None if whole else _in_state(s, kind)
        if in_state is not None:
            right = number == len(in_state) or number in _asked_by_state(s, kind, lookups)
        else:
            right = number in _counts(s, kind, lookups) or any(
                number in v.numbers for e in s.bound.allowed for v in e.values
            )
        if right:
            yield Checked()
        else:
            shown = len(s.index.of_kind(kind) if in_state is None else in_state)
            yield wrong(s, K.WRONG_COUNT, match.start(), match.end(), f"the records show {shown}")
    for match in _OF.finditer(digits):
        found = [e for e in lookups if e.number("searched") == float(match["b"])]
        if (
            found
            and all(e.number("matched") != float(match["a"]) for e in found)
            and float(match["a"]) > len(s.index.current)
        ):
            yield wrong(s, K.WRONG_COUNT, match.start(), match.end(), "the look-up found another number", found[0])


def _in_state(s: Sentence, kind: str) -> list[Entry] | None:
    """The records in the one state that the sentence speaks of ("3 tasks are overdue"); else None."""
    pool = s.index.of_kind(kind)
    states = {
        (declared.name, meant)
        for declared in (pool[0].numbered.fact.kind.fields if pool else ())
        for wording, meant in option_words(declared).items()
        if wording_at(wording, s.folded) >= 0
    }
    if len(states) != 1 or any(v.kind is ValueKind.DATE for v in s.values) or s.negated:
        return None
    ((name, meant),) = states
    return [e for e in pool if name in e.fields and e.fields[name].folded in meant]


def _asked_by_state(s: Sentence, kind: str, lookups: Sequence[Entry]) -> set[float]:
    """What look-ups matched that asked for a state, or that found more than is shown: then nothing is known."""
    shown = len(s.index.of_kind(kind))
    found = {(e.number("matched") or 0.0, _text(e, "arguments")) for e in lookups if _text(e, "covers") == kind}
    return {n for n, asked in found if (asked and any(w in s.folded for w in asked.split('"'))) or n > shown}


def _text(entry: Entry, name: str) -> str:
    return fold(str(entry.numbered.fact.values.get(name, "")))


def _counts(s: Sentence, kind: str, lookups: Sequence[Entry]) -> set[float]:
    entries = s.index.of_kind(kind)
    found = {float(len(entries)), float(len([e for e in s.bound.subjects if e.kind == kind]))}
    for lookup in lookups:
        found |= {n for n in (lookup.number("matched"), lookup.number("searched")) if n is not None}
    groups: dict[object, int] = {}
    today = s.setting.now.date()
    for e in entries:
        keys: list[object] = [(n, f.folded) for n, f in e.fields.items()]
        days = dates_of(e)
        keys += [*days, *(("gap", g.name) for g in e.gaps), *(("past", d < today) for d in days)]
        keys += [("week", d.isocalendar()[:2]) for d in days]
        for key in dict.fromkeys(keys):
            groups[key] = groups.get(key, 0) + 1
    return found | {float(n) for n in groups.values()}
