"""Values: numbers, dates, contacts, quotations must be held by the right record and field."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sayso.core.facts import Field, FieldType
from sayso.core.verify import lexicon
from sayso.core.verify.computed import by_another_clock, is_worked_out
from sayso.core.verify.denied_values import moved_from, only_denied
from sayso.core.verify.holding import apart, comparable, derives, holds, same
from sayso.core.verify.index import Entry
from sayso.core.verify.kind_words import field_words
from sayso.core.verify.numerals import spelled
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.rules_fields import means, wordings_in
from sayso.core.verify.rules_yours import is_theirs
from sayso.core.verify.sentence import Checked, Sentence, wrong
from sayso.core.verify.told_fields import POINTS, other_field
from sayso.core.verify.values import CONTACTS, MIN_QUOTE, Value, ValueKind, quote_key
from sayso.core.verify.words import fold, phrase_in, plain, tokens

K = ViolationKind


def check_values(s: Sentence) -> Iterator[Checked]:
    today = s.setting.now.date()
    for v in s.values:
        if v.kind is ValueKind.QUOTE and (len(v.key.split()) < MIN_QUOTE or not _is_quoted(s) or _names_a_field(s, v)):
            continue
        if _by_the_way(s, v) or _in_name(s, v) or _elsewhere(s, v) or _is_edge(s, v):
            continue
        moved = moved_from(s, v) if v.kind is ValueKind.DATE else None
        if moved is not None:
            yield wrong(s, K.WRONG_VALUE, v.start, v.end, f"{moved.ref} says that it is no longer {v.text}", moved)
            continue
        if (v.kind is ValueKind.DATE and _in_words(s, v)) or _in_label(s, v) or _whole(s, v):
            yield Checked()
            continue
        if by_another_clock(s, v, _scope(s)):
            yield Checked()
            continue
        swapped = other_field(s, v) or _left_or_done(s, v)
        if swapped is not None:
            yield swapped
        elif (denied := only_denied(s, v, _scope(s))) is not None:
            yield wrong(s, K.WRONG_VALUE, v.start, v.end, f"{denied.ref} says that it is not {v.text}", denied)
        elif any(holds(e, v) for e in _scope(s)) or _counted(s, v):
            found = _everywhere(s, v)
            yield found if found.violation else Checked(slight=_is_slight(s, v))
        elif is_theirs(s, v) or (v.kind is ValueKind.QUOTE and v.key in fold(s.setting.user_message)):
            yield Checked(yours=True)
        elif (
            derives(_worked_from(s), _to_derive(s, v), today, s.operands)
            or _remaining(s, v)
            or _is_share(s, v)
            or _of_others(s, v)
            or is_worked_out(s, v, _scope(s))
        ):
            yield Checked(slight=_is_slight(s, v))
        elif not v.spelled:
            fault = _unheld(s, v)
            if fault is not None:
                yield fault


def _is_slight(s: Sentence, v: Value) -> bool:
    """A record's own name in quotation marks; a bare number that may count anything."""
    if v.kind is ValueKind.QUOTE:
        return any(v.key == quote_key(e.numbered.fact.subject) for e in s.bound.subjects)
    return v.kind is ValueKind.NUMBER and not v.unit


def _is_quoted(s: Sentence) -> bool:
    """Whether quotation marks quote a record: it is cited, or said to say so."""
    told = s.find(lexicon.TELLING) or lexicon.CITING.search(s.clean)
    return bool(s.bound.cited) or (s.bound.tight and told is not None)


def _names_a_field(s: Sentence, v: Value) -> bool:
    """ "The field “how you met” is empty", « tous les jours »: a label or a state in quotation marks quotes nobody."""
    outside = s.clean[: v.start] + s.clean[v.end :]
    denied = lexicon.GAP.search(outside) or lexicon.NEGATION.search(outside) or lexicon.EMPTY.search(outside)
    if denied is not None or any(v.key in s.index.words_of(e).quoted for e in s.bound.subjects):
        return True
    few = sum(len(w) > 1 for w in v.key.split()) <= _LABEL
    return few and not v.text.lstrip(_MARKS)[:1].isupper() and _is_no_quotation(s, v)


_MARKS = "\"'“”„«»‹› \u00a0\u202f"
_LABEL = 4  # words: no more are put in quotation marks to tell a state or a heading


def _is_no_quotation(s: Sentence, v: Value) -> bool:
    """ "Its rhythm is “3 times a week”", "as “in the idea phase”", "under «how you met»": in words of our own."""
    pool = [f for e in s.bound.subjects for f in e.fields.values()]
    inside = [o for o in s.values if o is not v and v.start <= o.start < v.end]
    short = [f for f in pool if len(f.words) <= _LABEL]
    if inside and all(any(same(o, h) for f in short for h in f.values) for o in inside):
        return True
    if any(means(f, meant) for f in pool for _, meant in wordings_in(f.declared, fold(v.text))):
        return True
    return not (inside or s.find(lexicon.TELLING) or lexicon.CITING.search(s.clean)) and s.held.isdisjoint(
        t.word for t in s.words if v.start <= t.start < v.end and t.word not in lexicon.STOP
    )


def _by_the_way(s: Sentence, v: Value) -> bool:
    """ "Today" alone, where no date is asked for: "37 days from today"."""
    if (
        v.kind is ValueKind.DATE
        and fold(v.text).startswith("hace ")
        and lexicon.COUNTED_FROM.search(s.clean[: v.start])
    ):
        return True  # "desde hace cuatro semanas": for so long
    if v.kind is not ValueKind.DATE or fold(v.text) not in lexicon.NOW:
        return False
    if lexicon.COUNTED_FROM.search(s.clean[: v.start]) or lexicon.COUNTED_ON.match(s.clean, v.end):
        return True
    dated = ((e, f) for e in s.bound.subjects for f in e.numbered.fact.kind.fields if f.type in _DATED)
    words = (p for e, f in dated for p, _ in s.words_for(e).get(f.name, ()))
    return not any(len(p) > 2 and p != fold(v.text) for p in words)


_DATED = (FieldType.DATE, FieldType.DATETIME, FieldType.TEXT)


def _is_edge(s: Sentence, v: Value) -> bool:
    """ "Before the end of the year" of a record that speaks of such an edge itself, in whatever language."""
    if v.span is None or not v.span.loose:
        return False
    told = fold(v.text)
    units = next((u for u in _EDGES if any(w.startswith(u) for w in told.split())), None)
    return units is not None and any(w.startswith(units) for e in s.bound.records for w in e.words)


_EDGES = (("year", "jahr", "annee", "anno", "ano"), ("month", "monat", "mois", "mese", "mes"))


def _elsewhere(s: Sentence, v: Value) -> bool:
    """A time by another place's clock ("14:00 Lisbon time"): no record tells it, or one says how far ahead that is."""
    match = _PLACE_TIME.match(s.clean, v.end) if v.kind is ValueKind.TIME else None
    place = plain(match[1] or match[2]) if match else ""
    if not place or place not in s.held:
        return bool(place)
    ahead = {
        n * 60 for e in s.bound.allowed if place in e.words for h in e.values if h.unit == "hour" for n in h.numbers
    }
    held = [int(h.key) for e in s.bound.allowed for h in e.values if h.kind is ValueKind.TIME]
    return any((int(v.key) - h) % 1440 in (n, 1440 - n) for n in ahead for h in held)


_PLACE_TIME = re.compile(r"\s?\(?(?:([A-Z]\w{1,20}) (?:time|Zeit)\b|(?:in|à|en|a) ([A-Z]\w{1,20}))")


def _in_name(s: Sentence, v: Value) -> bool:
    """A value that belongs to a record's own name ("SOC 2 audit", "Budget for next year"), beside a word of it."""
    at = [i for i, t in enumerate(s.words) if v.start <= t.start < v.end]
    bare = v.kind is ValueKind.DATE or v.spelled or (bool(at) and s.words[at[0]].text.isdigit())
    if not at or v.kind not in _IN_NAMES or not bare:
        return False
    inside = {s.words[i].word for i in at}
    beside = {t.word for t in (*s.words[max(0, at[0] - 2) : at[0]], *s.words[at[-1] + 1 : at[-1] + 3])}
    return any(inside <= e.name and beside & e.name for e in s.bound.subjects)


_IN_NAMES = frozenset({ValueKind.NUMBER, ValueKind.PERCENT, ValueKind.DATE})


def _in_words(s: Sentence, v: Value) -> bool:
    """A weekday that a record writes as a word ("Tuesday 8 km", "dinner on Friday"), a month in a name ("May Lin")."""
    at = [i for i, t in enumerate(s.words) if v.start <= t.start < v.end]
    said = {s.words[i].word for i in at if not s.words[i].text.isdigit()}
    if v.span is None or v.span.loose or not at:
        return False
    if len(v.span.days) > 1:
        said -= lexicon.STOP
        return bool(said) and any(said <= e.words for e in _scope(s))
    beside = {s.words[at[-1]].word, *(t.word for t in s.words[at[-1] + 1 : at[-1] + 2] if t.capital)}
    return not v.span.is_day and len(beside) > 1 and any(beside <= e.words for e in _scope(s))


def _in_label(s: Sentence, v: Value) -> bool:
    """A number that belongs to the field's own name ("check-ins in 30 days")."""
    labels = [known for e in s.bound.subjects[:8] for known in s.index.words_of(e).labels]
    if not labels:
        return False
    digits = [str(int(n)) for t in tokens(v.text) for n in _number(t.text)] if v.kind is ValueKind.DATE else []
    return any(same(v, known) or (len(digits) == 1 and digits[0] in known.text) for known in labels)


def _number(word: str) -> list[float]:
    number = float(word) if word.isdecimal() else spelled(word)
    return [] if number is None else [number]


def _left_or_done(s: Sentence, v: Value) -> Checked | None:
    """ "66% is left" of what is 66% done."""
    told = s.folded[max(0, v.start - 60) : v.end + 30]
    records = s.bound.records
    if v.kind is not ValueKind.PERCENT or len(records) != 1 or not lexicon.LEFT_OF.search(told):
        return None
    if any(o.kind in (ValueKind.DURATION, ValueKind.DATE) for o in s.values):
        return None  # "at 90% with nine days to go"
    if lexicon.DONE_SO_FAR.search(told) or not holds(records[0], v) or 50.0 in v.numbers:
        return None
    why = f"{v.text} of {records[0].ref} is done, not left"
    return wrong(s, K.SWAPPED_FIELD, v.start, v.end, why, records[0])


def _to_derive(s: Sentence, v: Value) -> Value:
    """ "15 points ahead": the difference of two percentages; "1h30" as long as 90 minutes."""
    if v.kind is ValueKind.TIME and v.unit == "h":
        return replace(v, kind=ValueKind.DURATION, unit="minute", numbers=frozenset({float(v.key)}))
    points = v.kind is ValueKind.NUMBER and POINTS.match(s.folded, v.end)
    return replace(v, kind=ValueKind.PERCENT) if points else v


def _remaining(s: Sentence, v: Value) -> bool:
    """ "25% is left" of what is 75% done."""
    told = " ".join((s.clean, *s.bound.columns))
    if v.kind is not ValueKind.PERCENT or not (lexicon.LEFT.search(told) or lexicon.STILL.search(told)):
        return False
    whole = replace(v, numbers=frozenset(round(100 - n, 6) for n in v.numbers))
    return any(holds(e, whole) for e in _scope(s))


def _is_share(s: Sentence, v: Value) -> bool:
    """ "Half of it, 1,170 euros": of an amount that is held."""
    shares = [o for o in s.values if o.kind is ValueKind.PERCENT] if v.kind in _AMOUNTS else []
    return bool(shares) and derives(_scope(s), v, s.setting.now.date(), shares)


def _of_others(s: Sentence, v: Value) -> bool:
    """What is left of another record than the one named ("4,800 euros and two books to go"), or lies between two."""
    if v.kind is ValueKind.DURATION:
        return apart((*s.bound.subjects, *s.bound.before), v)
    if v.kind not in _AMOUNTS or not (lexicon.STILL.search(s.clean) or s.find(lexicon.TOTAL)):
        return False
    return any(derives([e], v, s.setting.now.date(), ()) for e in s.index.current if e.is_record)


_AMOUNTS = frozenset({ValueKind.NUMBER, ValueKind.MONEY})


def _scope(s: Sentence) -> Sequence[Entry]:
    return s.bound.allowed if s.bound.tight and s.bound.subjects else s.index.current


def _worked_from(s: Sentence) -> Sequence[Entry]:
    """What a number may be worked out from: of what is cited, where that is look-ups alone."""
    cited = s.bound.cited
    return cited if cited and all(e.kind == "lookup" for e in cited) else _scope(s)


def _whole(s: Sentence, v: Value) -> bool:
    """ "Taking 70 from a hundred leaves 30": the hundred of a share whose rest is told."""
    return v.numbers == _HUNDRED and any(_remaining(s, o) for o in s.values if o is not v)


_HUNDRED = frozenset([100.0])


def _everywhere(s: Sentence, v: Value) -> Checked:
    """With "all" or "both", each record that is spoken of must hold the value."""
    subjects = [e for e in s.bound.cited if e.kind != "lookup"] or s.bound.subjects
    if (
        v.kind is not ValueKind.QUOTE
        and len(subjects) > 1
        and _told_of_all(s, v)
        and any(holds(e, v) for e in subjects)
        and not _counted(s, v)
    ):
        for entry in subjects:
            if not holds(entry, v):
                return wrong(s, K.WRONG_VALUE, v.start, v.end, f"{entry.ref} does not say {v.text}", entry)
    return Checked()


def _told_of_all(s: Sentence, v: Value) -> bool:
    """Whether "all" or "both" stands in the clause of the value, in our own words."""
    if s.folded.startswith(">"):
        return False
    match = s.of_all
    between = s.clean[min(match.end(), v.start) : max(match.start(), v.end)] if match else ","
    return not any(c in between for c in ",;:")


def _unheld(s: Sentence, v: Value) -> Checked | None:
    subjects = s.bound.subjects
    contact = v.kind in CONTACTS
    if not s.index.current and not s.advice and v.kind in (ValueKind.PHONE, ValueKind.EMAIL):
        return wrong(s, K.UNSUPPORTED, v.start, v.end, f"no record holds {v.text}: leave it out")
    if ((s.advice or _denied(s, v) or _is_supposed(s, v)) and not contact) or not s.index.current:
        return None
    if not s.bound.tight:
        if contact and v.kind is not ValueKind.URL:
            return wrong(s, K.INVENTED_CONTACT, v.start, v.end, f"no record holds {v.text}: leave it out")
        near = _told_of(s) if is_exact(v) else None
        return near and wrong(s, K.WRONG_VALUE, v.start, v.end, f"{near.ref} does not say {v.text}", near)
    allowed = {e.ref for e in s.bound.allowed}
    known = s.index.current if v.kind is ValueKind.QUOTE else s.index.gathered.with_any(comparable(v))
    others = [e for e in known if e.ref not in allowed and _may_hold(e, v) and holds(e, v)]
    kinds = {e.kind for e in subjects}
    peer = next((e for e in others if e.kind in kinds), None)
    near = subjects[0] if subjects else None
    if peer is not None and near is not None:
        return wrong(s, K.SWAPPED_RECORD, v.start, v.end, f"{v.text} belongs to {peer.ref}, not to {near.ref}", near)
    if others and not any(e.kind != "lookup" for e in s.bound.cited) and not contact:
        return Checked()
    gap = gap_before(s, v.start)
    if gap is not None:
        return wrong(s, K.STATED_GAP, v.start, v.end, f"{gap[1].title} is not recorded in {gap[0].ref}: say so", gap[0])
    if contact:
        return wrong(s, K.INVENTED_CONTACT, v.start, v.end, f"no record holds {v.text}: leave it out", near)
    if v.kind is ValueKind.QUOTE:
        return wrong(s, K.INVENTED_QUOTE, v.start, v.end, "quote the record's exact words, or do not quote", near)
    where = near.ref if near else "the records"
    return wrong(
        s, K.WRONG_VALUE, v.start, v.end, f"{where} does not say {v.text}: use its value or leave it out", near
    )


def _may_hold(entry: Entry, v: Value) -> bool:
    """A look-up only counts: its numbers are no percentages, days or amounts."""
    return entry.kind != "lookup" or v.kind is ValueKind.NUMBER


def is_exact(v: Value) -> bool:
    """A full date, an amount of money or a percentage: none of which is said by the way."""
    full_date = v.span is not None and bool(v.span.year and v.span.month and v.span.day)
    return full_date or (v.kind in (ValueKind.MONEY, ValueKind.PERCENT) and not v.approx)


def _told_of(s: Sentence) -> Entry | None:
    """The record that a sentence without a name or ref retells: all but few of its words stand there."""
    said = {t.word[:6] for t in s.words if t.word not in lexicon.STOP and not s.in_value(t.start)}
    best = max((e for e in s.index.current if e.is_record), key=lambda e: len(said & e.stems), default=None)
    shared = len(said & best.stems) if best else 0
    return best if shared >= 2 and shared >= 0.6 * len(said) else None


def _denied(s: Sentence, v: Value) -> bool:
    """ "No meetings today", "not due on 9 December": a negation in the clause before an unheld value."""
    if not s.may_deny and not lexicon.NOTHING.may_match(s.cues):
        return False
    clause = _CLAUSE.split(s.talk[: v.start])[-1]
    return bool(lexicon.NEGATION.search(clause) or lexicon.NOTHING.search(clause))


_CLAUSE = re.compile(r"[,;:.–]\s")


def _is_supposed(s: Sentence, v: Value) -> bool:
    """ "Three nights: if you count four days, it is 16"."""
    return lexicon.IF.may_match(s.cues) and lexicon.IF.search(s.clean, 0, v.start) is not None


def gap_before(s: Sentence, at: int) -> tuple[Entry, Field] | None:
    head = s.folded[max(0, at - 60) : at]
    for entry in s.bound.subjects:
        for gap in entry.gaps:
            if any(len(p) >= 4 and p in head and phrase_in(p, head) >= 0 for p in field_words(gap)):
                return entry, gap
    return None


def _counted(s: Sentence, v: Value) -> bool:
    """A number that a look-up states, or that is the number of records spoken of."""
    if v.kind is not ValueKind.NUMBER:
        return False
    stated = {e.number(n) for e in s.index.of_kind("lookup") for n in ("matched", "searched")}
    return bool(v.numbers & (stated | {float(len(s.bound.subjects))}) - {None})  # pyright: ignore
