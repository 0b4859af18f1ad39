"""Counts: they rest on look-ups and on the records that were found.

A look-up that the sentence cites decides, else one that asked for what it names, else any that covers the kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sayso.core.verify import lexicon
from sayso.core.verify.index import Entry
from sayso.core.verify.kind_words import option_words, wording_at
from sayso.core.verify.language import counting
from sayso.core.verify.numerals import in_digits
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.rules_acts import is_impersonal
from sayso.core.verify.sentence import Checked, Sentence, wrong
from sayso.core.verify.values import ValueKind
from sayso.core.verify.words import fold, plain, stem, word_set

K = ViolationKind
_N = r"(?<![\w.,:/-])(?P<n>0{0,40}\d{1,4})"
_COUNT = re.compile(
    rf"{_N}\s(?:{counting.OF}{counting.YOURS})?(?:(?P<a>[\w-]{{2,14}})\s)?(?P<k>[\w-]{{3,20}})", re.IGNORECASE
)
_OF = re.compile(
    r"(?<![\w.,])(?P<a>0{0,40}\d{1,5})\s(?:out of|of|von|sur|su|de|di)\s"
    r"(?:(?:your|the|my|deinen|den|vos|tes|les|tuoi|tus|sus)\s)?(?P<b>0{0,40}\d{1,6})\b",
    re.IGNORECASE,
)
_ALONE = re.compile(rf"{_N}(?![\w%]|[,:/-]?\d|\.\d)")
_ARE = re.compile(rf"\b(?:{counting.ARE})(?![a-z])")
_PART = re.compile(rf"\b(?:{counting.PART})\b")
_SUM = re.compile(rf"\b(?:{counting.SUM})\b")
_INITIAL = re.compile(rf"^\W*(?:{'|'.join(counting.FIRST_WORDS)}) d(?:e|i|ei|egli|elle)\b", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_QUOTED = re.compile(r'"([^"]{1,200})"')


def check_counts(s: Sentence) -> Iterator[Checked]:
    digits = "" if s.advice and not is_impersonal(s) else _in_digits(s.clean)
    if _DIGIT.search(digits) is None:
        return
    lookups = s.index.of_kind("lookup")
    counted = list(_of_kinds(s, digits, lookups))
    yield from counted or _alone(s, digits, lookups)
    yield from _out_of(s, digits, lookups)


def _in_digits(clean: str) -> str:
    """The numbers of a sentence in digits; also those that only here are numbers ("Due dei tuoi", "dix-sept")."""
    if _INITIAL.match(clean):
        clean = clean[:12].lower() + clean[12:]
    lowered = clean.lower()
    for spelled, number in counting.SPELLED.items():
        at = lowered.find(spelled)
        if at >= 0:
            last = spelled.split()[-1]
            at += len(spelled) - len(last)
            clean = clean[:at] + str(number).zfill(len(last)) + clean[at + len(last) :]
    return in_digits(clean)


def _of_kinds(s: Sentence, digits: str, lookups: Sequence[Entry]) -> Iterator[Checked]:
    """A number before the noun of a kind: "3 open goals", "two of your contacts"."""
    for match in _COUNT.finditer(digits):
        kind = s.index.kind_words.get(plain(match["k"])) or s.index.kind_words.get(plain(match["a"] or ""))
        if kind is None or _is_other(s, match.start("n")) or not (lookups or s.index.of_kind(kind)):
            continue
        number = float(match["n"])
        whole = lexicon.OUT_OF.search(s.clean, 0, match.start())  # "one of your three goals is behind"
        shown = _shown(s, kind, _deciding(s, kind, lookups), number, whole=whole is not None)
        if shown is None:
            yield Checked()
        else:
            yield wrong(s, K.WRONG_COUNT, match.start(), match.end(), f"the records show {shown}")


def _is_other(s: Sentence, at: int) -> bool:
    """Whether a number is part of another value: the year of a date, a percentage, a quotation."""
    return any(v.start <= at < v.end for v in s.values if v.kind not in (ValueKind.NUMBER, ValueKind.QUOTE))


def _covered(s: Sentence, lookup: Entry) -> str | None:
    """The kind that a look-up went through: as it says, or by its tool's name."""
    said = _text(lookup, "covers")
    if said:
        return said
    parts = _text(lookup, "tool").split("_")
    return next((s.index.kind_words[plain(p)] for p in reversed(parts) if plain(p) in s.index.kind_words), None)


def _asked(lookup: Entry) -> frozenset[str]:
    """The words that a look-up was for."""
    return word_set(" ".join(_QUOTED.findall(str(lookup.numbered.fact.values.get("arguments", ""))))) - lexicon.STOP


def _is_whole(lookup: Entry) -> bool:
    return not _text(lookup, "arguments").strip("() ")


def _deciding(s: Sentence, kind: str, lookups: Sequence[Entry]) -> list[Entry]:
    """The look-ups by which a count of a kind stands or falls; none where they leave it open."""
    cited = [e for e in s.bound.cited if e.kind == "lookup" and _covered(s, e) in (kind, None)]
    if cited:
        return cited
    of_kind = [e for e in lookups if _covered(s, e) == kind]
    asked = [e for e in of_kind if _is_asked_for(s, kind, _asked(e))]
    return asked or ([] if _is_limited(s, kind) else [e for e in of_kind if _is_whole(e)])


def _is_asked_for(s: Sentence, kind: str, asked: frozenset[str]) -> bool:
    """Whether the sentence names what a look-up was for: the word itself, or a wording of the state that it means."""
    if not asked:
        return False
    return asked <= s.said or any(asked <= word_set(" ".join(meant)) for _, meant in _states(s, kind))


def _states(s: Sentence, kind: str) -> set[tuple[str, frozenset[str]]]:
    """The states that a sentence names, of the kinds of records that were found."""
    pool = s.index.of_kind(kind)
    return {
        (declared.name, meant)
        for declared in (pool[0].numbered.fact.kind.fields if pool else ())
        for wording, meant in option_words(declared).items()
        if wording_at(wording, s.folded) >= 0
    }


def _is_limited(s: Sentence, kind: str) -> bool:
    """Whether the sentence speaks of some of a kind only: of a state, a day, or what the records hold."""
    if _states(s, kind) or any(v.kind is ValueKind.DATE for v in s.values) or s.bound.named or s.negated:
        return True
    held = {w for e in s.index.of_kind(kind) for w in _values_of(e)}
    return bool({t.word for t in s.words if t.capital} & held) or _PART.search(s.folded) is not None


def _values_of(entry: Entry) -> frozenset[str]:
    return frozenset[str]().union(*(f.words for f in entry.fields.values()))


def _shown(s: Sentence, kind: str, deciding: list[Entry], number: float, *, whole: bool) -> int | None:
    """What the records show instead of a number; None where it is right, or may be."""
    in_state = None if whole else _in_state(s, kind)
    lookups = s.index.of_kind("lookup")
    if deciding:
        matched = [e.number("matched") or 0.0 for e in deciding]
        told = _told_by(s, deciding)
        told.add(float(len([e for e in s.bound.subjects if e.kind == kind])))  # they are listed
        may_be = _groups(s, kind) if any(_is_whole(e) for e in deciding) or _is_part(s) else set[float]()
        right = number in told | may_be or (in_state is not None and number == len(in_state))
        return None if right or _is_held(s, number) else round(sum(matched) if _is_sum(s, deciding) else matched[0])
    if in_state is not None:
        right = number == len(in_state) or number in _asked_by_state(s, kind, lookups)
    else:
        right = number in _counts(s, kind, lookups) or _is_held(s, number)
    return None if right else len(s.index.of_kind(kind) if in_state is None else in_state)


def _told_by(s: Sentence, deciding: list[Entry]) -> set[float]:
    """What look-ups found and went through; where several are cited for all that they found, the sum alone."""
    total = sum(e.number("matched") or 0.0 for e in deciding)
    if _is_sum(s, deciding):
        return {total}
    return {total, *(e.number(name) or 0.0 for e in deciding for name in ("matched", "searched"))}


def _is_sum(s: Sentence, deciding: list[Entry]) -> bool:
    return len(deciding) > 1 and all(e in s.bound.cited for e in deciding) and _SUM.search(s.folded) is not None


def _is_part(s: Sentence) -> bool:
    return _PART.search(s.folded) is not None or any(v.kind in _TIMES for v in s.values)


_TIMES = (ValueKind.DATE, ValueKind.DURATION)


def _is_held(s: Sentence, number: float) -> bool:
    return any(number in v.numbers for e in s.bound.allowed if e.kind != "lookup" for v in e.values)


def _groups(s: Sentence, kind: str) -> set[float]:
    """How many records of a kind hold something that the sentence names, by field and by day."""
    entries = s.index.of_kind(kind)
    if any(v.kind in _TIMES for v in s.values):
        return _counts(s, kind, ())
    said = {stem(t.text) for t in s.words if len(t.text) > 3}
    words = [{w[:6] for w in _values_of(e)} for e in entries]
    return {float(sum(1 for held in words if w in held)) for w in said} - {0.0}


def _alone(s: Sentence, digits: str, lookups: Sequence[Entry]) -> Iterator[Checked]:
    """The one number of a sentence that cites a look-up, or says how many there are of what one asked for."""
    found = [m for m in _ALONE.finditer(digits) if not _is_mark(s, m) and not _is_other(s, m.start("n"))]
    if len(found) != 1:
        return
    number = float(found[0]["n"])
    part = _of_them(s, found[0], number)
    if part is not None:
        yield part
        return
    cited = [e for e in s.bound.cited if e.kind == "lookup"]
    if len(cited) != len(s.bound.cited):
        return
    deciding = cited or [e for e in lookups if _asked(e) and _asked(e) <= s.said and _ARE.search(s.folded)]
    if not deciding or (not cited and s.bound.tight) or any(found[0]["n"] in _text(e, "arguments") for e in deciding):
        return
    told = _told_by(s, deciding)
    if number in told or _may_be(s, deciding, number):
        yield Checked()
    else:
        why = f"the look-up found {round(deciding[0].number('matched') or 0)}"
        yield wrong(s, K.WRONG_COUNT, found[0].start(), found[0].end(), why, deciding[0])


def _is_mark(s: Sentence, match: re.Match[str]) -> bool:
    """ "1." before an item, and the years of this century."""
    return bool(re.match(r"\W*$", s.clean[: match.start()]) and s.clean[match.end() : match.end() + 1] in (".", ")"))


def _may_be(s: Sentence, deciding: list[Entry], number: float) -> bool:
    """A part of what a look-up went through: of a state, a day, or a value that the sentence names."""
    kinds = {kind for e in deciding if _is_whole(e) and (kind := _covered(s, e))}
    for kind in kinds:
        in_state = _in_state(s, kind)
        if (in_state is not None and number == len(in_state)) or (_is_limited(s, kind) and number in _groups(s, kind)):
            return True
    return _is_part(s) and all(number <= (e.number("matched") or 0.0) for e in deciding)


def _of_them(s: Sentence, match: re.Match[str], number: float) -> Checked | None:
    """ "Two of them are active", "Four of them are for Kookaburra": counted among those just spoken of."""
    told = _PART.search(s.folded)
    kinds = {e.kind for e in s.bound.before if e.is_record} or {
        kind for e in s.index.current if e.kind == "lookup" and (kind := _covered(s, e))
    }
    if told is None or len(kinds) != 1 or s.bound.cited or _ARE.search(s.folded, 0, match.start() + 1):
        return None
    (kind,) = kinds
    pool = s.index.of_kind(kind)
    in_state = _in_state(s, kind)
    held = in_state if in_state is not None else _holding(s, told.end(), pool)
    if not held or len(pool) < 2:
        return None
    if number == len(held):
        return Checked()
    return wrong(s, K.WRONG_COUNT, match.start(), told.end(), f"the records show {len(held)}", held[0])


def _holding(s: Sentence, after: int, pool: list[Entry]) -> list[Entry]:
    """The records that hold the one name that is said of them."""
    names = {t.word for t in s.words if t.start >= after and t.capital}
    others = [t for t in s.words if t.start >= after and not t.capital and t.word not in lexicon.STOP]
    return [e for e in pool if names <= e.words] if names and not others else []


def _out_of(s: Sentence, digits: str, lookups: Sequence[Entry]) -> Iterator[Checked]:
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
    states = _states(s, kind)
    if len(states) != 1 or any(v.kind is ValueKind.DATE for v in s.values) or s.negated:
        return None
    ((name, meant),) = states
    return [e for e in s.index.of_kind(kind) if name in e.fields and e.fields[name].folded in meant]


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
        days = e.days
        keys += [*days, *(("gap", g.name) for g in e.gaps), *(("past", d < today) for d in days)]
        keys += [("week", d.isocalendar()[:2]) for d in days]
        for key in dict.fromkeys(keys):
            groups[key] = groups.get(key, 0) + 1
    return found | {float(n) for n in groups.values()}
