# ruff: noqa: E501 (patterns are easier to read on one line)
"""Claims about when: a season, a decade, a century, a year, a day, an era; before or after it, since or until it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from sayso.core.verify.dates import find_dates
from sayso.core.verify.declared.reading import ReadField
from sayso.core.verify.declared.reading_times import MONTHS, When, whens
from sayso.core.verify.declared.reading_told import Finding, Told, any_of
from sayso.core.verify.declared.reading_words import roots

_SEASONS = {
    "spring": (3, 1, 6, 21),
    "summer": (6, 1, 9, 23),
    "fall": (9, 1, 12, 22),
    "autumn": (9, 1, 12, 22),
    "winter": (12, 1, 3, 21),
}
_SEASON = re.compile(
    r"(?:\b(?:in|during|of|a|the|this) |^)(?:(?:early|late|mid|middle) (?:of )?)?(?:the )?(?P<season>spring|summer|fall|autumn|winter)(?:time| time| season| months)?\b(?! olympic)"
    r"(?:,? (?:of |in )?(?:the year )?(?P<year>1\d{3}|20\d\d)\b)?|\b(?P<season2>spring|summer|fall|autumn|winter)(?:time)? (?=birthday|season|month|of (?P<year2>1\d{3}|20\d\d))"
)
_PART = r"(?:(?P<part>very early|early|mid|middle|late|later|beginning|start|end|turn|first half|second half|latter half|latter part|early part|first part|last part)(?:-| |to late | of| in)*(?:the )?)?"
_DECADE = re.compile(
    rf"\b{_PART}(?P<decade>(?:1\d|20)\d0)['’]?s\b|(?<![\w.]){_PART.replace('part>', 'part2>')}['’]?(?P<short>[1-9]0)['’]?s\b"
)
_ORDINALS = {
    w: n
    for n, w in enumerate(
        [
            "tenth",
            "eleventh",
            "twelfth",
            "thirteenth",
            "fourteenth",
            "fifteenth",
            "sixteenth",
            "seventeenth",
            "eighteenth",
            "nineteenth",
            "twentieth",
        ],
        10,
    )
} | {"twenty-first": 21, "twenty first": 21}
_ROMAN = {"xv": 15, "xvi": 16, "xvii": 17, "xviii": 18, "xix": 19, "xx": 20, "xxi": 21}
_CENTURY = re.compile(
    rf"\b{_PART}(?P<c>\d{{1,2}}(?:st|nd|rd|th)|{'|'.join(_ORDINALS)}|{'|'.join(_ROMAN)})[ -](?:century|centuries)\b"
)
_PREPOSITION = re.compile(
    r"(?:\b(?P<before>before|prior to|earlier than|preceding|by)|\b(?P<after>after|later than|following)|\b(?P<since>since|from|beginning in|starting in|started in|began in|as of)"
    r"|\b(?P<until>until|till|through|ended in|up to|to))(?: \w+)?(?: the)?(?: (?:year|start of|end of))?\s?$"
)
_STARTING = frozenset(
    roots(
        "started starting start starts began begin begins beginning debut debuted formed founded since launched first opened originated introduced"
    )
)
_ENDING = frozenset(roots("ended ending end ends until till retired retire quit stopped stop disbanded finished last"))


@dataclass(frozen=True, slots=True)
class Target:
    """The days that the words of a claim name; a season of any year has months only."""

    low: date
    high: date
    start: int
    end: int
    months: tuple[int, int, int, int] | None = None


def targets(told: Told) -> Iterator[Target]:
    """What a sentence names of times, each stretch of it once."""
    taken: list[tuple[int, int]] = [(a, b) for a, b in told.name_places]
    for found in (_seasons(told), _decades(told), _centuries(told), _eras(told), _dates(told)):
        for target in found:
            if all(target.end <= a or target.start >= b for a, b in taken):
                taken.append((target.start, target.end))
                yield target


def _seasons(told: Told) -> Iterator[Target]:
    for m in _SEASON.finditer(told.text):
        name, year = m["season"] or m["season2"], m["year"] or m["year2"]
        low, high = (int(year), int(year)) if year else (1, 9998)
        yield Target(date(low, 1, 1), date(high, 12, 31), m.start(), m.end(), _SEASONS[name])


def _decades(told: Told) -> Iterator[Target]:
    for m in _DECADE.finditer(told.text):
        part = m["part"] or m["part2"]
        if m["decade"]:
            first = int(m["decade"])
            yield _part_of(first, 100 if first % 100 == 0 and first < 2000 else 10, part, m)
        elif not _IN_THEIRS.search(told.text[: m.start("short")][-24:]):
            yield _part_of((2000 if m["short"] == "10" else 1900) + int(m["short"]), 10, part, m)


_IN_THEIRS = re.compile(r"\b(?:his|her|their|its)[ -](?:early |mid |late |middle )?(?:to late )?$")


def _centuries(told: Told) -> Iterator[Target]:
    for m in _CENTURY.finditer(told.text):
        written = m["c"]
        number = int(re.sub(r"\D", "", written) or _ORDINALS.get(written, 0) or _ROMAN.get(written, 0))
        if 1 <= number <= 21:
            yield _part_of((number - 1) * 100 or 1, 100, m["part"], m)


def _part_of(first: int, length: int, part: str | None, m: re.Match[str]) -> Target:
    """A decade or century, or the part of it that is told."""
    low, high = _PARTS.get(
        (part or "").split(" ")[0] if part not in ("first half", "second half") else part or "", (0.0, 1.0)
    )
    days = date(max(first + int(length * low), 1), 1, 1), date(first + max(int(length * high) - 1, 0), 12, 31)
    return Target(*days, m.start(), m.end())


_PARTS = {
    "very": (0, 0.3), "early": (0, 0.5), "beginning": (0, 0.4), "start": (0, 0.4), "first half": (0, 0.5), "first": (0, 0.5),
    "mid": (0.3, 0.8), "middle": (0.3, 0.8), "late": (0.5, 1), "later": (0.5, 1), "latter": (0.5, 1), "second half": (0.5, 1),
    "end": (0.7, 1), "last": (0.5, 1), "turn": (-0.1, 0.1),
}  # fmt: skip


def _eras(told: Told) -> Iterator[Target]:
    for at, stem in enumerate(told.stems):
        for phrase, (low, high) in told.lexicon.eras.get(stem, ()):
            if told.at(phrase, at):
                yield Target(low, high, told.words[at].start, told.words[at + len(phrase) - 1].end)
                break


def _dates(told: Told) -> Iterator[Target]:
    for w in whens(told.written):
        yield Target(w.low, w.high, w.start, w.end)
    for start, end, span in find_dates(told.written, None):
        if span.year is None and span.month and span.day:
            yield _yearless((span.month, span.day, span.month, span.day), start, end)
    for m in _MONTH.finditer(told.text):
        month = MONTHS.index(m[1]) + 1
        yield _yearless((month, 1, month, 31), m.start(1), m.end())


_MONTH = re.compile(r"\b(?:in|of|during|a)(?: early| mid| late)? (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|tember|t|ober|ember)?\b(?! \d)")  # fmt: skip


def _yearless(months: tuple[int, int, int, int], start: int, end: int) -> Target:
    return Target(date(1, 1, 1), date(9998, 12, 31), start, end, months)


def check_times(told: Told) -> Iterator[Finding]:
    """Each time that a sentence names, against the fields that it speaks of."""
    for target in targets(told):
        how, start = _how(told, target)
        fields, cued = told.fields_near(target.start, target.end, lambda f: f.whens)
        moments = [m for f in fields for m in _moments(told, f, target, how)]
        verdicts = [_stands(m, target, how) for m in moments]
        if True not in verdicts and _is_amount(told, target):
            continue
        if (
            not verdicts
            and target.months
            and any(w[:3] == told.text[target.start : target.end][:3] for w in told.record.spelled)
        ):
            yield Finding(target.start, target.end, True)  # as it is written there
            continue
        holds = any_of(verdicts)
        why = f"{fields[0].label} is {fields[0].text[:80]}" if fields else "no date is recorded"
        yield Finding(start, target.end, holds, why, sure=cued and len(moments) == 1 and not fields[0].periods)


def _is_amount(told: Told, target: Target) -> bool:
    """A number that looks like a year, where a field holds it as an amount: 1250 students."""
    written = told.text[target.start : target.end]
    held = (a for f in told.record.fields if not f.whens for a in f.amounts)
    return written.isdigit() and any(a.low == int(written) for a in held)


def _how(told: Told, target: Target) -> tuple[str, int]:
    """The word that relates a claim to its time, and where it begins."""
    window = told.text[max(0, target.start - 28) : target.start]
    found = _PREPOSITION.search(window)
    if found is None:
        return "", target.start
    return found.lastgroup or "", target.start - len(window) + found.start()


def _moments(told: Told, f: ReadField, target: Target, how: str) -> Sequence[When]:
    """The moments of a field that a claim is about: its start, its end, or all that it spans."""
    if not f.periods:
        return f.whens
    near = {r for t, r in zip(told.words, told.stems, strict=True) if abs(t.start - target.start) < 60}
    if how == "since" or (near & _STARTING and how != "until"):
        return [f.periods[0].since]
    if how == "until" or near & _ENDING:
        return [f.periods[-1].ended(told.now)]
    spans = [When(p.since.low, p.ended(told.now).high) for p in f.periods]
    return [
        When(max(s.low, target.low), min(s.high, target.high)) if s.low <= target.high and target.low <= s.high else s
        for s in spans
    ]


def _stands(moment: When, target: Target, how: str) -> bool | None:
    if how == "before":
        return _order(moment.high < target.low, moment.low >= target.low)
    if how == "after":
        return _order(moment.low > target.high, moment.high <= target.high)
    if moment.high < target.low or moment.low > target.high:
        return False
    if target.months is not None:
        return _in_season(moment, target.months)
    return True if target.low <= moment.low and moment.high <= target.high else None


def _order(sure: bool, refuted: bool) -> bool | None:
    return True if sure else False if refuted else None


def _in_season(moment: When, months: tuple[int, int, int, int]) -> bool | None:
    """None where only the year is known."""
    if (moment.high - moment.low).days > 31:
        return None
    first, last = (months[0], months[1]), (months[2], months[3])
    ends = [(d.month, d.day) for d in (moment.low, moment.high)]
    return any(first <= e <= last if first <= last else e >= first or e <= last for e in ends)
