"""What of the found records a question asks for: fields, values to filter by, the first by a measure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, time

from sayso.core.evidence import Numbered
from sayso.core.facts import FactKind, Field, FieldType, Quantity, Value, value_text
from sayso.models.quote.days import Days
from sayso.models.quote.german import STATES
from sayso.models.quote.moments import month_of
from sayso.models.quote.question import Question
from sayso.models.quote.words import find_phrase, is_function_word, is_weak, keys, matches, said

_MOST = re.compile(
    r"\b(most|highest|largest|biggest|longest|furthest|best|tallest|am meisten|am weitesten|h(ö|oe)chste\w*|"
    r"l(ä|ae)ngste\w*|gr(ö|oe)(ss|ß)te\w*)\b",
    re.IGNORECASE,
)
_LEAST = re.compile(
    r"\b(least|lowest|smallest|shortest|worst|am wenigsten|niedrigste\w*|k(ü|ue)rzeste\w*|kleinste\w*)\b",
    re.IGNORECASE,
)
_NEXT = re.compile(
    r"\b(next|soonest|upcoming|nächste[rns]?|naechste[rns]?)\b(?! (\d|week|month|woche|monat|tage))", re.I
)
_LAST = re.compile(
    r"\b(last|previous|most recent|letzte[rns]?|vorige[rns]?)\b"
    r"(?! (\d|days?|week|month|year|time|tage|woche|monat|jahr|mal))",
    re.IGNORECASE,
)
# German words for states that applications commonly store in English.
_STATES = {
    "hinterher": "behind", "ruckstand": "behind", "im plan": "on track", "offen": "open", "erledigt": "done",
    "fertig": "done", "abgeschlossen": "done", "uberfallig": "overdue", "aktiv": "active", "laufend": "active",
    "pausiert": "paused", "abgesagt": "cancelled", "bezahlt": "paid",
}  # fmt: skip
_OWING = re.compile(
    r"\b(owe[ds]?|owing|promised?|versprochen|schuld\w*|still (?:to|have|open)|noch (?:zu|tun|offen))\b", re.IGNORECASE
)
_CLOSED = frozenset({"done", "cancelled", "canceled", "paid", "closed", "completed", "finished"})
_WHICH = re.compile(r"\b(which|any|what|list|show|welche\w*|alle)\b", re.IGNORECASE)
_NOT = re.compile(r"\b(not|n't|nicht|un\w+|no|kein\w*)\b", re.IGNORECASE)
_UNDONE = re.compile(r"\b(missed|left|remaining|yet to|verpasst|(ü|ue)brig|ausgelassen)\b", re.IGNORECASE)
_MEASURES = (FieldType.NUMBER, FieldType.QUANTITY)
_MOMENTS = (FieldType.DATE, FieldType.DATETIME)


def asked_fields(kind: FactKind, question: Question) -> tuple[Field, ...]:
    """The fields whose declared words the question uses: the strongest matches, else the weak ones."""
    strong: list[tuple[int, int, Field]] = []
    weak: list[Field] = []
    for field in kind.fields:
        if field.name == kind.subject:
            continue
        for phrase, place in matches((*field.words, field.title), question.masked):
            if phrase == ("about",) and question.keys[-1] != "about":
                continue  # "tell me about X" asks for all of it
            if is_weak(phrase):
                weak.append(field)
            else:
                strong.append((place.start, place.stop, field))
    longest = [
        m for m in strong if not any(o[0] <= m[0] and m[1] <= o[1] and o[1] - o[0] > m[1] - m[0] for o in strong)
    ]
    chosen = [field for _, _, field in longest] or weak
    if not chosen and not STATES.isdisjoint(question.masked) and (state := state_of(kind)):
        chosen = [state]  # "is Atlas paused?"
    return tuple(dict.fromkeys(chosen))


def strong_fields(kind: FactKind, question: Question) -> tuple[Field, ...]:
    """The fields that the question asks for by more than a weak word."""
    asked = asked_fields(kind, question)
    words = {f: [p for p, _ in matches((*f.words, f.title), question.masked) if not is_weak(p)] for f in asked}
    return tuple(f for f in asked if words[f])


def named(facts: Sequence[Numbered], question: Question) -> tuple[Numbered, ...]:
    """The records whose names hold the most words of the question; () when none holds any."""
    wanted = {t.key for t in question.rest}
    scored = [(said(wanted, keys(n.fact.subject)), n) for n in facts]
    best = max((score for score, _ in scored), default=0)
    return tuple(n for score, n in scored if score == best) if best else ()


def holding(facts: Sequence[Numbered], question: Question) -> tuple[tuple[Numbered, Field], ...]:
    """The records that hold the question's topic in another field than their name."""
    found = [(n, *best) for n in facts if (best := _best_holder(n, [t.key for t in question.rest]))]
    most = max((score for _, _, score in found), default=0)
    return tuple((n, field) for n, field, score in found if score == most)


def _best_holder(numbered: Numbered, wanted: Sequence[str]) -> tuple[Field, int] | None:
    """The field that holds all the words in a row, else the one that holds most of them and at least half."""
    scored: list[tuple[int, Field]] = []
    for field in numbered.fact.kind.fields:
        value = numbered.fact.values.get(field.name)
        told = " ".join(value) if isinstance(value, tuple) else value
        if isinstance(told, str) and field.name != numbered.fact.kind.subject and wanted:
            if find_phrase(wanted, keys(told)) is not None:
                return field, len(wanted) + 1
            scored.append((said(wanted, keys(told)), field))
    score, field = max(scored, key=lambda item: item[0], default=(0, None))
    return (field, score) if field and score * 2 >= len(wanted) else None


def concerning(facts: Sequence[Numbered], question: Question) -> tuple[tuple[Numbered, ...], Field | None]:
    """The records of whom the question names, in a field that holds the name of another kind's record, or in
    their own name: what is owed to Marco is told beside "Call Marco"."""
    kind = facts[0].fact.kind
    held = [(n, f) for n, f in holding(facts, question) if f.refers_to and f.refers_to != kind.name]
    if not held:
        return (), None
    chosen = {n.ref for n, _ in held} | {n.ref for n in named(facts, question)}
    return tuple(n for n in facts if n.ref in chosen), held[0][1]


def coverage(facts: Sequence[Numbered], question: Question) -> int:
    """How many of the question's unexplained words one of the records holds anywhere."""
    wanted = {t.key for t in question.rest}
    if not wanted:
        return 0
    texts = (" ".join(map(value_text, n.fact.values.values())) for n in facts)
    return max((said(wanted, keys(text)) for text in texts), default=0)


def asks_for_open(question: Question) -> bool:
    """Whether it asks for what is still to be done: "what do I owe Marco?"."""
    return bool(_OWING.search(question.text))


def on_days(facts: Sequence[Numbered], kind: FactKind, on: Days, now: datetime) -> tuple[Numbered, ...]:
    """The records of those days: by when they start, else by any of their days; for today with what is late."""
    fields = [f for f in kind.fields if f.type is FieldType.DATETIME][:1] or [
        f for f in kind.fields if f.type is FieldType.DATE
    ]
    late = not on.first and fields[:1] and fields[0].type is FieldType.DATE
    if not fields or late:
        return tuple(facts)
    return tuple(n for n in facts if any(on.hold(n.fact.values.get(f.name), now) for f in fields))


def in_month(facts: Sequence[Numbered], month: int) -> tuple[Numbered, ...]:
    """The records with a date in that month."""
    return tuple(n for n in facts if any(month_of(value) == month for value in n.fact.values.values()))


def state_of(kind: FactKind) -> Field | None:
    """The field of a kind that holds its state."""
    return next((f for f in kind.fields if f.type is FieldType.TEXT and {"status", "state"} & set(f.words)), None)


def still_open(facts: Sequence[Numbered], field: Field) -> tuple[Numbered, ...]:
    return tuple(n for n in facts if str(n.fact.values.get(field.name, "")).lower() not in _CLOSED)


def filter_value(facts: Sequence[Numbered], kind: FactKind, question: Question) -> tuple[Field, str] | None:
    """A short value that some field holds and the question names, in either language."""
    for field in kind.fields:
        if field.type is not FieldType.TEXT or field.name == kind.subject or field.refers_to:
            continue
        values = {str(v) for n in facts if (v := n.fact.values.get(field.name)) and len(str(v)) <= 30}
        for value in sorted(values):
            if _says(question, keys(value)):
                return field, value
    return None


def asked_state(kind: FactKind, question: Question) -> tuple[Field, str] | None:
    """A state that the question names by a field's declared words ("overdue"); its English name."""
    for field in kind.fields:
        general = {"status", "state", "stand", "zustand", field.title}
        if not (general - {field.title}) & set(field.words):
            continue
        for word in field.words:
            phrase = keys(word)
            if word not in general and not is_weak(phrase) and find_phrase(phrase, question.masked):
                return field, _STATES.get(" ".join(phrase), word)
    return None


def denies(question: Question) -> bool:
    return bool(_NOT.search(question.text))


def asked_switch(kind: FactKind, question: Question) -> tuple[Field, bool] | None:
    """A yes-or-no field that a question about several records asks for, and which of the two."""
    if question.rest and not _WHICH.search(question.text):
        return None
    field = next((f for f in asked_fields(kind, question) if f.type is FieldType.BOOLEAN), None)
    return (field, not (denies(question) or _UNDONE.search(question.text))) if field else None


def _says(question: Question, phrase: tuple[str, ...]) -> bool:
    if not phrase or all(map(is_function_word, phrase)):
        return False
    told = " ".join(phrase)
    german = (tuple(word.split()) for word, state in _STATES.items() if state == told)
    return any(find_phrase(p, question.masked) is not None for p in (phrase, *german))


def extreme(facts: Sequence[Numbered], question: Question, now: datetime) -> tuple[Numbered, Field] | None:
    """The record that comes first by a measure ("most progress") or by time ("next meeting")."""
    if not facts:
        return None
    fields = facts[0].fact.kind.fields
    if _NEXT.search(question.text):
        coming = [
            (at, index, field)
            for index, numbered in enumerate(facts)
            for field in fields
            if field.type in _MOMENTS and (value := numbered.fact.values.get(field.name))
            if (at := _moment(value, now)) >= now.replace(tzinfo=None)
        ]
        first = min(coming, key=lambda item: item[:2], default=None)
        return (facts[first[1]], first[2]) if first else None
    if _LAST.search(question.text) and any(f.type is FieldType.DATETIME for f in fields):
        starts = next(f for f in fields if f.type is FieldType.DATETIME)
        dated = [(_moment(v, now), i) for i, n in enumerate(facts) if (v := n.fact.values.get(starts.name))]
        past = [(at, i) for at, i in dated if at < now.replace(tzinfo=None)]
        return (facts[max(past)[1]], starts) if past else None
    most, least = _MOST.search(question.text), _LEAST.search(question.text)
    if not (most or least):
        return None
    asked = [f for f in asked_fields(facts[0].fact.kind, question) if f.type in _MEASURES]
    field = next(iter(asked or [f for f in fields if f.type in _MEASURES]), None)
    measured = [(_amount(v), n) for n in facts if field and (v := n.fact.values.get(field.name)) is not None]
    if field is None or not measured:
        return None
    pick = max if most else min
    return pick(measured, key=lambda item: item[0])[1], field


def _amount(value: Value) -> float:
    return float(value.amount if isinstance(value, Quantity) else value)  # pyright: ignore[reportArgumentType]


def _moment(value: Value, now: datetime) -> datetime:
    """Comparable in the user's zone; a day counts until its end."""
    if isinstance(value, datetime):
        return (value.astimezone(now.tzinfo) if value.tzinfo and now.tzinfo else value).replace(tzinfo=None)
    return datetime.combine(value, time.max) if isinstance(value, date) else datetime.min  # pyright: ignore
