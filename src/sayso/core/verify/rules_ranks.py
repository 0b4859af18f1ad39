"""Ranks and comparisons: "the longest streak", "the next meeting", "A is further along than B", "only Priya"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sayso.core.verify import lexicon
from sayso.core.verify.index import Entry, FieldEntry
from sayso.core.verify.kind_words import option_words, wording_at
from sayso.core.verify.language.units import converted
from sayso.core.verify.orders import By, Order, comparatives, first_is_further, first_leads, superlative
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.sentence import Checked, Sentence, named_at, wrong
from sayso.core.verify.values import ValueKind

K = ViolationKind
_SIZES = frozenset({ValueKind.NUMBER, ValueKind.PERCENT, ValueKind.MONEY, ValueKind.DURATION})
Measured = tuple[float, Entry]


def check_ranks(s: Sentence) -> Iterator[Checked]:
    """A superlative told of one record: none of its kind that the sentence could mean lies further out."""
    found = superlative(s.folded, s.cues) if not (s.advice or s.denies) else None
    if found is None:
        return
    order, start, end = found
    subject = None if _in_name(s, start) or s.in_value(start) or _OF_A_DAY.match(s.folded, end) else _told_of(s)
    if subject is None:
        return
    field = _measure(s, order, s.index.of_kind(subject.kind))
    measured = _measured(s, order, field, subject) if field else []
    mine = next((m for m, e in measured if e is subject), None)
    if mine is None or len(measured) < 2:
        return
    best, entry = max(measured, key=lambda m: m[0] if order.upper else -m[0])
    if best != mine:
        yield wrong(s, K.WRONG_VALUE, start, end, f"that is {entry.ref}, not {subject.ref}", entry)
    else:
        yield Checked()


_OF_A_DAY = re.compile(
    r"\s(?:to|of a)\b|\s(?:day|date|time|occasion|tag|datum|mal|jour|date|fois|giorno|data|volta|dia|fecha|vez)\b"
)
"""Of one record's own days, or a place ("next to"): not of several records."""


def _in_name(s: Sentence, at: int) -> bool:
    """Whether the word belongs to a record's own name ("Budget for next year")."""
    return any(t.start <= at < t.end and any(t.word in e.subject for e in s.bound.subjects) for t in s.words)


def _told_of(s: Sentence) -> Entry | None:
    """The one record that the superlative is told of; several, or another kind's noun beside it, say nothing."""
    named = {e.ref: e for _, _, e in s.mentioned}
    pool = list(named.values()) or s.bound.records
    nouns = {s.index.kind_words[t.word] for t in s.words if t.word in s.index.kind_words}
    fitting = [e for e in pool if e.kind in nouns] or pool
    return fitting[0] if len({e.ref for e in fitting}) == 1 else None


def _measure(s: Sentence, order: Order, peers: Sequence[Entry]) -> str | None:
    """The field that is ordered by: the one whose words are said, or the only one of that sort."""
    sorts = {
        name: (e, f.declared)
        for e in peers
        for name, f in e.fields.items()
        if _amount(f, order) is not None and name != _subject_of(e)
    }
    asked = [n for n, (e, declared) in sorts.items() if s.asks_for(e, declared)]
    found = asked or [n for n, (_, declared) in sorts.items() if not declared.told_by_words]
    return found[0] if len(found) == 1 else None


def _subject_of(entry: Entry) -> str:
    return entry.numbered.fact.kind.subject


def _amount(f: FieldEntry, order: Order) -> float | None:
    """A field that holds one number or one day (with its time), as a number."""
    if order.by is By.SIZE:
        numbers = [v for v in f.values if v.kind in _SIZES]
        if len(numbers) != 1 or len(numbers[0].numbers) != 1:
            return None
        size = next(iter(numbers[0].numbers))
        return converted(size, numbers[0].unit, "day") if numbers[0].kind is ValueKind.DURATION else size
    days = [d for v in f.values if v.kind is ValueKind.DATE and v.span and (d := v.span.exact)]
    times = [int(v.key) for v in f.values if v.kind is ValueKind.TIME]
    return days[0].toordinal() + (times[0] / 1440 if times else 0.0) if len(days) == 1 else None


def _measured(s: Sentence, order: Order, field: str, subject: Entry) -> list[Measured]:
    """Each record of the kind with its amount: those in the states that the sentence names, and still to come."""
    today = float(s.setting.now.date().toordinal())
    found: list[Measured] = []
    for entry in s.index.of_kind(subject.kind):
        held = entry.fields.get(field)
        amount = _amount(held, order) if held else None
        late = order.ahead and amount is not None and amount < today
        if amount is not None and not late and (entry is subject or _fits(s, entry)):
            found.append((amount, entry))
    return found


def _fits(s: Sentence, entry: Entry) -> bool:
    """Whether a record is in each state that the sentence names; what is done is not the next one."""
    for declared in entry.numbered.fact.kind.fields:
        held = entry.fields.get(declared.name)
        if held is None or not declared.options:
            continue
        said = [meant for w, meant in option_words(declared).items() if wording_at(w, s.folded) >= 0]
        if held.folded in lexicon.OVER or (said and not any(held.folded in meant for meant in said)):
            return False
    return True


def check_comparisons(s: Sentence) -> Iterator[Checked]:
    """ "A is before B", "A has a longer streak than B": as the two records say."""
    if s.advice or s.denies:
        return
    led = _lead(s)
    if led is not None:
        yield led
        return
    for (at, end, one), (start, stop, other) in _two(s):
        upper = first_is_further(s.folded[:at], s.folded[end:start])
        if upper is not None:
            yield from _compared(s, Order(By.SIZE, upper), (one, other), (at, stop))
            return
    named = s.mentioned
    for order, start, end in comparatives(s.folded, s.cues) if len(named) > 1 else ():
        left = [e for _, stop, e in named if stop <= start]
        right = [e for begin, _, e in named if begin >= end]
        if not left or not right or left[-1].kind != right[0].kind or left[-1] is right[0]:
            continue
        yield from _compared(s, order, (left[-1], right[0]), (start, end))


def _compared(s: Sentence, order: Order, pair: tuple[Entry, Entry], place: tuple[int, int]) -> Iterator[Checked]:
    """Whether the first of two lies before the other in that order, as far as both tell."""
    one, other = pair
    field = _measure(s, order, pair)
    amounts = [_amount(e.fields[field], order) if field and field in e.fields else None for e in pair]
    if amounts[0] is None or amounts[1] is None:
        return
    if (amounts[0] > amounts[1]) is order.upper and amounts[0] != amounts[1]:
        yield Checked()
    else:
        yield wrong(s, K.WRONG_VALUE, *place, f"{one.ref} and {other.ref} say otherwise", one)


_Named = tuple[int, int, Entry]


def _two(s: Sentence) -> list[tuple[_Named, _Named]]:
    """The two records of a kind that are named to the letter, in their order; none where there are more or fewer."""
    records = dict.fromkeys(e for e in (*s.bound.named, *s.bound.cited) if e.is_record)
    if len(records) < 2:
        return []
    places = ((named_at(s, e.numbered.fact.subject), e) for e in records)
    named = sorted(((at, e) for at, e in places if at >= 0), key=lambda n: n[0])
    if len(named) != 2 or named[0][1].kind != named[1][1].kind:
        return []
    one, other = ((at, at + len(e.numbered.fact.subject), e) for at, e in named)
    return [(one, other)]


def _lead(s: Sentence) -> Checked | None:
    """ "A is 15 points ahead of B": of the two that lie so far apart, the right one has more."""
    pair = _two(s)
    if not pair:
        return None
    (at, end, first), (other_at, stop, second) = pair[0]
    told = [v for v in s.values if v.kind in _SIZES and not (at <= v.start < end or other_at <= v.start < stop)]
    leads = first_leads(s.folded[:at], s.folded[end:other_at] + s.folded[stop:]) if len(told) == 1 else None
    if leads is None:
        return None
    apart = [_amount_of(first, n) - _amount_of(second, n) for n in first.fields.keys() & second.fields.keys()]
    fitting = {gap > 0 for gap in apart if gap and any(abs(n - abs(gap)) < _EVEN for n in told[0].numbers)}
    if len(fitting) != 1:
        return None
    if fitting == {leads}:
        return Checked()
    ahead = second if leads else first
    return wrong(s, K.SWAPPED_RECORD, at, stop, f"{ahead.ref} is the one that has more", ahead)


def _amount_of(entry: Entry, field: str) -> float:
    return _amount(entry.fields[field], _SIZE) or 0.0


_SIZE = Order(By.SIZE, True)
_EVEN = 0.01  # below it two differences are the same
