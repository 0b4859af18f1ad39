"""Which field a value is told of: by the words that ask for it; and whether another field, or none, holds it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

from sayso.core.facts import Field, FieldType
from sayso.core.verify import lexicon
from sayso.core.verify.holding import derives, fields_with, holds, same
from sayso.core.verify.index import Entry, FieldEntry
from sayso.core.verify.kind_words import field_words
from sayso.core.verify.language.apart import ARRIVING
from sayso.core.verify.language.telling import DISTANCE
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.rules_fields import is_deadline
from sayso.core.verify.sentence import Checked, Sentence, wrong
from sayso.core.verify.values import CONTACTS, Value, ValueKind
from sayso.core.verify.words import fold, phrase_in

K = ViolationKind
_BEFORE, _AFTER = 40, 24  # characters within which a field's words belong to a value
_DAYS = frozenset({ValueKind.DATE, ValueKind.TIME})
COUNTS = frozenset({ValueKind.NUMBER, ValueKind.DURATION, ValueKind.PERCENT})


def other_field(s: Sentence, v: Value) -> Checked | None:
    """A value told of one field of the one record that is spoken of, and held by another of its fields, or by none."""
    if not s.bound.tight and v.kind is ValueKind.NUMBER and POINTS.match(s.folded, v.end):
        return _other_gap(s, v)
    subject = s.bound.alone
    if _PER.match(s.folded, v.end):
        return None
    if subject is None or v.kind is ValueKind.QUOTE or s.advice or s.denies or s.bound.columns:
        return None
    told = _told_of(s, subject, v)
    held_by = fields_with(subject, v)
    if told:
        return _against(s, subject, told, held_by, v)
    if held_by and v.kind in _DAYS and not _in_range(s, v):
        return _without_its_words(s, subject, held_by, v)
    return None


def _other_gap(s: Sentence, v: Value) -> Checked | None:
    """ "The gap is 45 points", after two records: no two of those spoken of lie so far apart."""
    peers = [e for e in s.bound.before if e.kind == s.bound.before[0].kind]
    shares = [n for e in peers for h in e.values if h.kind is ValueKind.PERCENT for n in h.numbers]
    gaps = {abs(a - b) for a, b in combinations(shares, 2)}
    if (
        not gaps
        or s.advice
        or not DISTANCE.search(s.folded)
        or any(abs(gap - n) < 1 for gap in gaps for n in v.numbers)
    ):
        return None
    why = f"no two of those spoken of lie {v.text} points apart"
    return wrong(s, K.WRONG_VALUE, v.start, v.end, why, peers[0])


POINTS = re.compile(r"\s?(?:percentage |prozent)?(?:points?\b|punkte?n?\b|punti\b|puntos?\b)")
"""After a difference of two shares (folded)."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_PER = re.compile(r"\s?(?:times|mal|fois|volte|veces)\s(?:a|per|pro|par|alla|al|a la|por)\b")
"""How often, which is another matter than how many times."""


def _told_of(s: Sentence, subject: Entry, v: Value) -> list[Field]:
    """The fields of the longest phrase that stands near the value, before it or else after it."""
    kind, known = subject.numbered.fact.kind, s.index.words_of(subject)
    told = s.words_for(subject)
    near = _around(s, v) if told else ""
    sizes: dict[str, int] = {}
    for name, found in told.items():
        for phrase, _ in found:
            if len(phrase) >= max(4, sizes.get(name, 0)) and phrase_in(phrase, near) >= 0:
                sizes[name] = len(phrase)
    for name, label, digits in known.numbered:
        if _by_label(s, digits, v):
            sizes[name] = max(sizes.get(name, 0), len(label))
    for declared in kind.fields if _is_due(s, v) else ():
        if is_deadline(declared):
            sizes[declared.name] = max(sizes.get(declared.name, 0), _BY_THEN)
    sizes.pop(kind.subject, None)
    longest = max(sizes.values(), default=0)
    return [f for f in kind.fields if sizes.get(f.name) == longest] if sizes else []


def _is_due(s: Sentence, v: Value) -> bool:
    """ "By 30 March", "bis 30. März": told of a deadline, where the record has one."""
    if v.kind is not ValueKind.DATE or v.span is None or v.span.loose or v.span.passing:
        return False
    return lexicon.BY_WHEN.search(s.folded[max(0, v.start - 12) : v.start + 8]) is not None


_BY_THEN = 4  # weighs as much as the shortest phrase


def _by_label(s: Sentence, digits: str, v: Value) -> bool:
    """ "6 × in 30 days": the number of the field's own label stands beside."""
    return any(o is not v and digits in _DIGITS.findall(o.text) for o in s.values)


_DIGITS = re.compile(r"\d+")


def _around(s: Sentence, v: Value) -> str:
    """What stands near a value, before it and after it, each on a line of its own."""
    before = s.folded[max(0, v.start - _BEFORE) : v.start]
    cut = max(before.rfind(c) for c in ",;\n")
    after = s.folded[v.end : v.end + _AFTER]
    stop = min((at for at in (after.find(c) for c in ",;.\n") if at >= 0), default=len(after))
    return f"{before[cut + 1 :]}\n{after[:stop]}"


def _against(s: Sentence, subject: Entry, told: Sequence[Field], held_by: Sequence[str], v: Value) -> Checked | None:
    if {d.name for d in told} & set(held_by):
        return None
    for declared in told:
        held = subject.fields.get(declared.name)
        if held is None:
            day = v.kind is ValueKind.DATE or _YEAR.fullmatch(v.text)
            if v.kind in CONTACTS or (day and (not held_by or _is_dated(declared))):
                why = f"{declared.title} is not recorded in {subject.ref}: say so"
                return wrong(s, K.STATED_GAP, v.start, v.end, why, subject)
        elif held_by and v.kind in _DAYS and _told_too(s, v, held):
            continue
        elif v.kind not in CONTACTS and any(
            h.kind is v.kind or (v.kind in COUNTS and h.kind in COUNTS) for h in held.values
        ):
            if v.kind is ValueKind.PERCENT and (lexicon.STILL.search(s.clean) or lexicon.LEFT_OF.search(s.folded)):
                return None
            if v.kind in COUNTS and not held_by and derives([subject], v, s.setting.now.date(), s.yours):
                return None
            kind = K.SWAPPED_FIELD if holds(subject, v) else K.WRONG_VALUE
            return wrong(s, kind, v.start, v.end, f"{declared.title} of {subject.ref} is {held.text[:80]}", subject)
    return None


def _is_dated(declared: Field) -> bool:
    """Whether it holds a day: by its type, or as its words say ("date of birth")."""
    if declared.type in (FieldType.DATE, FieldType.DATETIME):
        return True
    return declared.type is FieldType.TEXT and any(_DATE_WORD.search(p) for p in field_words(declared))


_DATE_WORD = re.compile(r"\b(?:date|day|when|\w*datum|\w*tag|wann|jour|data|giorno|fecha|dia)\b")


def _without_its_words(s: Sentence, subject: Entry, held_by: Sequence[str], v: Value) -> Checked | None:
    """The end of a meeting told as if it were the meeting's hour: nobody gives it without saying that it ends."""
    fields = [d for n in held_by if (d := subject.numbered.fact.kind.field(n)) is not None]
    asked = any(s.asks_for(subject, d) for d in fields)
    if asked or not all(d.told_by_words for d in fields) or _is_asked(s, fields):
        return None
    plain = (f for n, f in subject.fields.items() if not f.declared.told_by_words and n not in held_by)
    instead = next((f for f in plain if any(h.kind is v.kind for h in f.values)), None)
    if instead is None or _told_too(s, v, instead):
        return None
    why = f"{fields[0].title} of {subject.ref} is {v.text}; {instead.declared.title} is {instead.text[:80]}"
    return wrong(s, K.SWAPPED_FIELD, v.start, v.end, why, subject)


def _told_too(s: Sentence, v: Value, held: FieldEntry) -> bool:
    """ "Leaves at 17:35 and lands at 13:20": beside the other value the field's own is told."""
    weekday = v.kind is ValueKind.DATE and not _DIGITS.search(v.text)  # "on Tuesday, 30 December" is one day
    return not weekday and any(o is not v and o.kind is v.kind and same(o, h) for o in s.values for h in held.values)


def _is_asked(s: Sentence, fields: Sequence[Field]) -> bool:
    """ "You land at 9:38", or "At 9:38" where the user asks when it is over."""
    told = f"{s.folded}\n{fold(s.setting.user_message)}"
    return any(phrase_in(p, told) >= 0 for f in fields for p in field_words(f)) or ARRIVING.search(told) is not None


def _in_range(s: Sentence, v: Value) -> bool:
    """The end of "15:00 to 15:45", or of "dalle 16 alle 17:30"."""
    before = [o for o in s.values if o is not v and 0 < v.start - o.end <= _BEFORE // 4]
    return any(o.kind is v.kind or (v.kind is ValueKind.TIME and o.kind is ValueKind.NUMBER) for o in before)
