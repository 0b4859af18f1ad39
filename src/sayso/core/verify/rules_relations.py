"""Fields that name other records or firms: told of the right one, whole, and in the right direction."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from sayso.core.facts import Field, Party, Relation
from sayso.core.verify import lexicon
from sayso.core.verify.binding import mentions
from sayso.core.verify.index import Entry, FieldEntry, essential
from sayso.core.verify.kind_words import field_words
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.sentence import Checked, Sentence, named_at, wrong
from sayso.core.verify.words import Token, fold, phrase_in

K = ViolationKind
_NEAR = 24  # characters between a verb and who does it
_PREPOSITION = 6  # characters: as long as a preposition, not a verb


def check_stated_names(s: Sentence) -> Iterator[Checked]:
    """ "Works at X", "is part of X": X is the whole name that the field holds, not a part or another's."""
    subject = _subject(s)
    if subject is None or s.advice or s.denies:
        return
    for declared in subject.numbered.fact.kind.fields:
        if declared.refers_to is None:
            continue
        for phrase, at in _stated_by(s, subject, declared):
            if named_at(s, subject.numbered.fact.subject) <= at:
                fault = _named_otherwise(s, subject, declared, at, at + len(phrase))
                if fault is not None:
                    yield fault
                    return
                break
        yield from _part_of(s, subject, declared)


def _part_of(s: Sentence, subject: Entry, declared: Field) -> Iterator[Checked]:
    """ "Practice manager at Nike" of Nike Street Dental: a part of the name may be another's name."""
    held = subject.fields.get(declared.name)
    if held is None or ";" in held.text:  # of several nobody is meant to be told in full
        return
    whole = essential(held.words)
    if len(whole) < 2 or whole & s.your_words or whole <= s.said:
        return
    for match in lexicon.AT.finditer(s.clean):
        run = _run_after(s, match.end())
        said = essential(frozenset(t.word for t in run))
        if said and said < whole and not said <= subject.name:
            why = f"{declared.title} of {subject.ref} is {held.text[:80]}"
            yield wrong(s, K.WRONG_VALUE, run[0].start, run[-1].end, why, subject)


def _stated_by(s: Sentence, subject: Entry, declared: Field) -> list[tuple[str, int]]:
    """The phrases and verbs after which the field's value is told, with their places, the longest first."""
    told = [(p, at) for p, at in s.words_for(subject).get(declared.name, ()) if " " in p]
    for relation in declared.relations:
        if relation.receiver is Party.VALUE and relation.doer is Party.SUBJECT:
            told += [(v, at) for v in map(fold, relation.verbs) if (at := phrase_in(v, s.folded)) >= 0]
    return sorted(told, key=lambda t: len(t[0]), reverse=True)


def _subject(s: Sentence) -> Entry | None:
    """Who it is told of: the first one named, or the one that is spoken of."""
    first = s.bound.subjects[0] if s.bound.subjects else None
    of_kind = [e for _, _, e in s.mentioned if first is None or e.kind == first.kind]
    return of_kind[0] if of_kind else first


def _named_otherwise(s: Sentence, subject: Entry, declared: Field, at: int, end: int) -> Checked | None:
    run = [] if s.index.of_kind(declared.refers_to or "") else _run_after(s, end)
    if len(run) < 2 and end - at <= _PREPOSITION:
        return None  # "bei Fragen": a preposition alone states nothing
    subject = next((e for e in _named_together(s, at, subject.kind) if declared.name not in e.fields), subject)
    held = subject.fields.get(declared.name)
    if not run:
        return _other_record(s, subject, declared, held, end)
    start, stop = run[0].start, run[-1].end
    if held is None:
        return wrong(
            s, K.STATED_GAP, start, stop, f"{declared.title} is not recorded in {subject.ref}: say so", subject
        )
    said, whole = essential(frozenset(t.word for t in run)), essential(held.words)
    other = not any(said & e.words for e in s.index.current) and not said & s.setting.known_words
    if said and (said < whole or other) and not said <= s.your_words:
        return wrong(s, K.WRONG_VALUE, start, stop, f"{declared.title} of {subject.ref} is {held.text[:80]}", subject)
    return None


def _other_record(s: Sentence, subject: Entry, declared: Field, held: FieldEntry | None, end: int) -> Checked | None:
    """The name after a phrase need not be in capitals: "is part of ship the billing migration"."""
    peers = s.index.of_kind(declared.refers_to or "")
    if held is not None and named_at(s, held.text) >= end:
        return None
    said = [t for t in s.words if t.start >= end and t.word not in lexicon.STOP]
    if not peers or not said or {t.word for t in said} & ((held.words if held else frozenset()) | s.your_words):
        return None
    if held is not None:
        why = f"{declared.title} of {subject.ref} is {held.text[:80]}"
        return wrong(s, K.WRONG_VALUE, said[0].start, said[-1].end, why, subject)
    if any(p is not subject and p.name <= {t.word for t in said} for p in peers):
        why = f"{declared.title} is not recorded in {subject.ref}: say so"
        return wrong(s, K.STATED_GAP, said[0].start, said[-1].end, why, subject)
    return None


def _named_together(s: Sentence, at: int, kind: str) -> list[Entry]:
    """ "Pavel and Sam work at ...": each of several that are named, with nothing but "and" between, before a place."""
    named = [(a, b, e) for a, b, e in mentions(s.bound.named, s.words) if b <= at and e.kind == kind]
    joints = [s.folded[b:a].strip(" ,") for (_, b, _), (a, _, _) in pairwise(named)]
    return [e for _, _, e in named] if len(named) > 1 and set(joints) <= _AND else []


_AND = {"and", "und", "et", "y", "e", "&", ""}


def _run_after(s: Sentence, at: int) -> list[Token]:
    """The name that begins right after a place: words in capitals, joined by small ones; no article."""
    run: list[Token] = []
    for token in s.words:
        if token.start < at:
            continue
        between = s.clean[run[-1].end if run else at : token.start]
        if not run and between.isspace() and not token.capital and token.word in lexicon.STOP:
            at = token.end
            continue
        joined = not run or re.fullmatch(r"[ \-&.+]{1,3}|", between) is not None
        if not joined or not (token.capital or (run and fold(token.text) in lexicon.JOINING)):
            break
        run.append(token)
    while run and fold(run[-1].text) in lexicon.JOINING:
        run.pop()
    return run


def check_company(s: Sentence) -> Iterator[Checked]:
    """ "The review with Priya": whom a record's own words name; a known person who is not in it is wrong there."""
    people = [] if s.advice else [e for e in s.bound.named if e.is_someone]
    record = _one_thing(s) if people else None
    if record is None or s.denies:
        return
    fields = [f for f in record.numbered.fact.kind.fields if _names_people(s, record, f)]
    phrases = [p for f in fields for p in field_words(f) if " " not in p]
    told = mentions(people, s.words) if fields else []
    for at, (start, end, _) in enumerate(told):
        if _led(s, told, at, phrases) and not {t.word for t in s.words if start <= t.start < end} <= record.words:
            held = record.fields.get(fields[0].name)
            why = (
                f"{fields[0].title} of {record.ref} is {held.text[:80]}" if held else f"{record.ref} names nobody there"
            )
            yield wrong(s, K.WRONG_VALUE if held else K.STATED_GAP, start, end, why, record)
            return


def _led(s: Sentence, told: Sequence[tuple[int, int, Entry]], at: int, phrases: Sequence[str]) -> bool:
    """Whether one of the phrases stands before the name, or before the chain of names that it ends."""
    while at > 0 and s.folded[told[at - 1][1] : told[at][0]].strip(" ,*_") in _AND:
        at -= 1
    before = s.folded[: told[at][0]].rstrip(' *_"')
    return any(before.endswith(f" {p}") for p in phrases)


def _one_thing(s: Sentence) -> Entry | None:
    """The one record, not a person, that the sentence cites or names; "it" is the last one spoken of."""

    def is_thing(entry: Entry) -> bool:
        return entry.kind != "lookup" and not entry.is_someone

    cited = [e for e in s.bound.cited if is_thing(e)] or [e for e in s.bound.named if is_thing(e)]
    if not cited and lexicon.IT.match(s.clean):
        cited = [e for e in s.bound.before if is_thing(e)][:1]
    return cited[0] if len(cited) == 1 else None


def _names_people(s: Sentence, record: Entry, declared: Field) -> bool:
    """Whether a field names people: it says so, or what it holds is the name of one."""
    if declared.refers_to is not None:
        return any(e.is_someone for e in s.index.of_kind(declared.refers_to))
    held = record.fields.get(declared.name)
    if held is None or declared.name == record.numbered.fact.kind.subject:
        return False
    return any(e.is_someone for e in s.index.gathered.named_within(held.words))


def check_directions(s: Sentence) -> Iterator[Checked]:
    """ "X owes you" where the records say what you owe X."""
    if s.advice or not any(map(s.folded.__contains__, s.index.verbs)) or s.denies:
        return
    for declared, relation in s.index.relations:
        for verb in relation.verbs:
            at = phrase_in(fold(verb), s.folded) if fold(verb) in s.folded else -1
            if at < 0:
                continue
            reversed_by = _reversed(s, declared, relation, at, at + len(verb))
            if reversed_by is not None:
                start, end, near = reversed_by
                yield wrong(s, K.SWAPPED_RECORD, start, end, f"{near.ref} tells it the other way round", near)
            return


def _reversed(s: Sentence, declared: Field, relation: Relation, at: int, end: int) -> tuple[int, int, Entry] | None:
    """Where the user stands in the place of whom the field holds, and the other way round."""
    if {relation.doer, relation.receiver} != {Party.USER, Party.VALUE}:
        return None
    people = _held_by(s, declared.name)
    before = [m for m in people if 0 <= at - m[1] < _NEAR]
    after = [m for m in people if m[0] >= end]
    near = s.folded[max(0, at - _NEAR) : at]
    you_before = lexicon.YOU.search(near) is not None
    you_after = lexicon.YOU.match(s.folded[end : end + _NEAR].lstrip()) is not None
    to_you = lexicon.TO_YOU.search(near) is not None and not lexicon.YOU_DO.search(s.folded[:end])
    by = [m for m in after if s.folded[: m[0]].rstrip().endswith(lexicon.BY)]
    if relation.doer is Party.USER:
        place = by or (people if to_you else before if you_after and not you_before else [])
    else:
        place = after if you_before and not before else []
    return (min(place[-1][0], at), max(place[-1][1], end), place[-1][2]) if place else None


def _held_by(s: Sentence, field: str) -> list[tuple[int, int, Entry]]:
    """The names in a sentence that a field of some record holds, with that record."""
    held = [(e, f.words) for e in s.index.current if (f := e.fields.get(field)) is not None]
    named = ((t, next((e for e, words in held if t.word in words), None)) for t in s.words if t.capital)
    return [(t.start, t.end, e) for t, e in named if e is not None]


def check_parents(s: Sentence) -> Iterator[Checked]:
    """ "A is part of B" where the records say that B is part of A: the part is told before the whole."""
    if s.advice or s.denies:
        return
    told = " ".join((s.folded, *map(fold, s.bound.columns))) if s.bound.columns else s.folded
    for part in dict.fromkeys((*s.bound.named, *s.bound.cited, *s.bound.before[:1])):
        for declared in part.numbered.fact.kind.fields:
            held = part.fields.get(declared.name)
            if held is None or declared.refers_to != part.kind:
                continue
            at, whole_at = _place(s, part.numbered.fact.subject, held.text), _place(s, held.text, "")
            if at < 0 or whole_at < 0:
                turned = whole_at >= 0 and at < 0 and s.nested and part in s.bound.before[:1]
            elif any(phrase_in(p, told) >= 0 for p in field_words(declared)):
                turned = _is_turned(s, declared, at, whole_at)
            else:
                continue
            if turned:
                why = f"{declared.title} of {part.ref} is {held.text[:80]}, not the other way round"
                yield wrong(s, K.SWAPPED_RECORD, whole_at, whole_at + len(held.text), why, part)
                return


def _place(s: Sentence, name: str, but: str) -> int:
    """Where a name stands to the letter, and not within another one; or -1."""
    return -1 if fold(name) in fold(but) else named_at(s, name)


def _is_turned(s: Sentence, declared: Field, part_at: int, whole_at: int) -> bool:
    """Whether the whole stands where the part should. What follows "part of" at once is the whole."""
    head = s.folded[: min(part_at, whole_at)]
    between = s.folded[len(head) : max(part_at, whole_at)]
    before = head.rstrip(" \n:-–*_\"'«»“„”‹›|(")
    leads = any(before.endswith(p) and phrase_in(p, before[-len(p) - 1 :]) >= 0 for p in _leading(declared))
    headed = bool(s.bound.columns) and fold(s.bound.columns[0]).strip(" *_") in _leading(declared)
    if leads or headed or lexicon.HOLDING.search(between):
        return part_at < whole_at
    whole_first = lexicon.WHOLE_FIRST.search(head) or lexicon.CONTAINS.search(s.folded)
    return whole_at < part_at and not whole_first


def _leading(declared: Field) -> list[str]:
    """The words of a field that stand before the whole; "subgoal" names the part."""
    return [p for p in field_words(declared) if not p.startswith(lexicon.SUB)]
