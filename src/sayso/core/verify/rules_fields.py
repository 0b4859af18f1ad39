"""States and gaps: what a field holds, and that it holds nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date

from sayso.core.facts import Field
from sayso.core.verify import lexicon
from sayso.core.verify.index import Entry, FactIndex, FieldEntry
from sayso.core.verify.kind_words import field_words, option_words, wording_at
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.sentence import Checked, Sentence, wrong
from sayso.core.verify.values import ValueKind
from sayso.core.verify.words import fold, phrase_in, plain

K = ViolationKind


def check_states(s: Sentence) -> Iterator[Checked]:
    """A field of few words ("open", "daily"): a word that means another of its values is wrong for this record."""
    everyone = s.of_all is not None
    pool = _spoken_of(s, everyone)
    if s.advice or len({e.kind for e in pool}) != 1:
        return
    for name, known in _vocabulary(s.index, pool[0]).items():
        for word, meant in known.items():
            at = _stated_at(s, word) if word in s.folded else -1
            if at < 0:
                continue
            stated = [e for e in pool if name in e.fields and not _named_by_it(s, e, word)]
            have = [e for e in stated if means(e.fields[name], meant) or late(s, e, meant | {word})]
            lack = [e for e in stated if e not in have]
            if _DENIED.search(s.folded[:at]):
                have, lack = lack, have
            own = any(_says_otherwise(s, e, name, word, known) for e in lack)
            if have and not (everyone and lack):
                yield Checked()
            elif lack and not own and (everyone or not have):
                why = f"{name.replace('_', ' ')} of {lack[0].ref} is {lack[0].fields[name].text}"
                yield wrong(s, K.WRONG_VALUE, at, at + len(word), why, lack[0])


def _named_by_it(s: Sentence, entry: Entry, word: str) -> bool:
    """ "Weekly" does not speak of the record called Weekly review, where another one is cited."""
    others = any(e is not entry and e.kind == entry.kind for e in s.bound.cited)
    return others and entry not in s.bound.cited and s.said.intersection(entry.subject) <= set(map(plain, word.split()))


def means(held: FieldEntry, meant: frozenset[str]) -> bool:
    """Whether a stored state is one of those that a wording may mean; it may be stored in another wording."""
    known = option_words(held.declared).get(held.folded, frozenset())
    return held.folded in meant or (bool(known) and known <= meant)


def wordings_in(declared: Field, folded: str) -> list[tuple[str, frozenset[str]]]:
    """The wordings of a field's states that a folded text holds, with what each may mean."""
    return [(w, meant) for w, meant in option_words(declared).items() if wording_at(w, folded) >= 0]


def check_late(s: Sentence) -> Iterator[Checked]:
    """ "Overdue", "six days late": of one record whose day is still to come, or that is over."""
    word = None if lexicon.LATE.isdisjoint(s.said) else next(t for t in s.words if t.word in lexicon.LATE)
    records = [e for e in s.bound.records if is_due_by(e)] if word else []
    if word is None or s.advice or s.denies or len(records) != 1:
        return
    entry = records[0]
    if any(
        means(f, meant)
        for f in entry.fields.values()
        for w, meant in wordings_in(f.declared, s.folded)
        if word.word in w
    ):
        return  # a state of its own is called so
    days = [d for f in entry.fields.values() if is_deadline(f.declared) for d in _days(f)]
    state = next((f for f in entry.fields.values() if f.folded in lexicon.OVER), None)
    if state is not None:
        why = f"{state.declared.title} of {entry.ref} is {state.text}"
        yield wrong(s, K.WRONG_VALUE, word.start, word.end, why, entry)
    elif days and all(day >= s.setting.now.date() for day in days):
        yield wrong(s, K.WRONG_VALUE, word.start, word.end, f"the day of {entry.ref} is {days[0].isoformat()}", entry)


def check_called_off(s: Sentence) -> Iterator[Checked]:
    """ "Brunch on Sunday at 11:30" of what is cancelled: told as if it took place."""
    cited = [e for e in s.bound.cited if e.is_record] or list(s.bound.named)
    if len(cited) != 1 or s.advice or s.denies or lexicon.CALLED_OFF.search(s.folded):
        return
    state = next((f for f in cited[0].fields.values() if f.folded in lexicon.CANCELLED), None)
    when = next((v for v in s.values if v.kind in (ValueKind.TIME, ValueKind.DATE)), None)
    due = is_due_by(cited[0])  # what was called off keeps the day that it was due
    if state is not None and when is not None and not due:
        why = f"{state.declared.title} of {cited[0].ref} is {state.text}: say so"
        yield wrong(s, K.WRONG_VALUE, when.start, when.end, why, cited[0])


def is_due_by(entry: Entry) -> bool:
    """Whether a record holds the day by which it is due."""
    return any(is_deadline(f.declared) for f in entry.fields.values())


def is_deadline(declared: Field) -> bool:
    """Whether a field is the day by which something is due."""
    return not lexicon.DEADLINE.isdisjoint(w for p in field_words(declared) for w in p.split())


def _days(f: FieldEntry) -> list[date]:
    found = [v.span.exact for v in f.values if v.kind is ValueKind.DATE and v.span is not None]
    return [d for d in found if d is not None]


def _stated_at(s: Sentence, word: str) -> int:
    """Where a state is stated or plainly denied; not under another negation, nor in "20% done"."""
    at = wording_at(word, s.folded)
    if at < 0:
        return -1
    before = s.folded[max(0, at - 24) : at]
    negated = lexicon.NEGATION.search(_DENIED.sub("", fold(s.talk[max(0, at - 24) : at])))
    share = (
        any(v.kind is ValueKind.PERCENT for v in s.values)
        or _SHARE.search(before)
        or _SHARE_AFTER.match(s.folded, at + len(word))
        or _POINTS.search(s.folded)
    )
    return -1 if negated or share or lexicon.MUST_BE.search(before) or _is_to_be(s, at + len(word)) else at


def _is_to_be(s: Sentence, end: int) -> bool:
    """ "Soll bis Mai erreicht sein": the verb of what is only meant to be stands far before."""
    return _BE.match(s.folded, end) is not None and _MEANT.search(s.folded, 0, end) is not None


_BE = re.compile(r"\s(?:sein|werden)\b")
_MEANT = re.compile(r"\b(?:soll|sollen|sollte|sollten|muss|mussen)\b")
_POINTS = re.compile(r"\d\s?(?:percentage |prozent)?(?:points?|punkte?n?|punti|puntos)\b")


_SHARE_AFTER = re.compile(
    r"\s(?:sein (?:soll|muss|wird|sollte)|by|bis|d'ici|avant|pour le|entro|antes|para el)\b"
    r"|\s(?:a |à |al |zu )?\d{1,3}\s?(?:%|percent|per cent|prozent|pour cent|por ciento)"
)


_DENIED = re.compile(r"(?:\bis not|\bare not|\bisn't|\baren't|\bist nicht|\bsind nicht) (?:yet |mehr |longer )?$")
_SHARE = re.compile(r"(?:%|\bpercent|\bper cent|\bprozent|\d)\s?(?:is |are |ist |sind )?$", re.IGNORECASE)


def late(s: Sentence, entry: Entry, told: frozenset[str]) -> bool:
    """ "Overdue" follows from a date and the clock as well as from a stored state."""
    if lexicon.LATE.isdisjoint(told) or any(f.folded in lexicon.OVER for f in entry.fields.values()):
        return False  # what is done is not late, nor open
    return any(day < s.setting.now.date() for day in entry.days)


def _says_otherwise(s: Sentence, entry: Entry, name: str, word: str, known: Mapping[str, frozenset[str]]) -> bool:
    """Whether the sentence states this record's own state too, or the word stands elsewhere in the record."""
    held = entry.fields[name].folded
    if held != word and phrase_in(held, s.folded) >= 0:
        return True
    if any(wording_at(w, s.folded) >= 0 for w, meant in known.items() if held in meant and w != word):
        return True
    return any(phrase_in(word, f.folded) >= 0 for n, f in entry.fields.items() if n != name)


def _spoken_of(s: Sentence, everyone: bool) -> list[Entry]:
    """The records of the sentence's first kind; with "both habits" and none named, all of that kind."""
    subjects = [e for e in s.bound.subjects if e.kind == s.bound.subjects[0].kind]
    cited = [e for e in subjects if e in s.bound.cited]
    if cited and not everyone:
        return cited
    if everyone and not s.bound.cited and not s.bound.named:
        kinds = s.index.kind_words
        kind = next((kinds[t.word] for t in s.words if t.word in kinds), None)
        return s.index.of_kind(kind) if kind else subjects
    return subjects


def _vocabulary(index: FactIndex, near: Entry) -> dict[str, Mapping[str, frozenset[str]]]:
    """By field: each wording of a state, and the stored words that it may mean.

    Declared options come first; a field without them is known by its peers' single words.
    """
    kind = near.numbered.fact.kind
    found = {f.name: option_words(f) for f in kind.fields if f.options}
    for name, held in index.gathered.states.get(near.kind, {}).items():
        known = found.get(name, {})
        found[name] = {**known, **{w: meant for w, meant in held.items() if w not in known}} if known else held
    return found
