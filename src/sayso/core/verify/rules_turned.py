"""Who does what in the text of a record: another doer is told, or a relation the other way round."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from sayso.core.verify import lexicon
from sayso.core.verify.index import Entry
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.sentence import Checked, Sentence, named_at, wrong
from sayso.core.verify.words import Token, fold, phrase_in, stem, tokens

K = ViolationKind
_SHARED = 2  # content words that a clause of the record and the sentence have in common, beside who does it
_REACH = 28  # characters from a verb to the name after it


def check_doers(s: Sentence) -> Iterator[Checked]:
    """ "Pim asks three firms" where the minutes say that Joost does."""
    if s.advice or s.denies:
        return
    told = list(_doings(s.words, s.clean))
    for entry in [e for e in (*s.bound.cited, *s.bound.subjects) if e.is_record] if told else ():
        for f in entry.fields.values():
            clauses = _clauses(f.text) if " " in f.text else ()
            for who, verb in told:
                other = _doer_instead(s, who, verb, clauses)
                if other:
                    why = f"{entry.ref} says that it is {other}"
                    yield wrong(s, K.SWAPPED_RECORD, who.start, who.end, why, entry)
                    return


def _doings(words: Sequence[Token], text: str) -> Iterator[tuple[Token, Token]]:
    """A name in capitals right before a word in small letters: who does what, if it is a verb."""
    for one, other in pairwise(words):
        beside = text[one.end : other.start] == " "
        small = other.word in lexicon.STOP or other.text[0].isdigit()
        if beside and one.capital and not other.capital and not small and one.word not in lexicon.STOP:
            yield one, other


def _doer_instead(s: Sentence, who: Token, verb: Token, clauses: Sequence[tuple[Token, ...]]) -> str:
    """Whom a clause has before the same verb, if it is somebody else that the record names as well."""
    known = {t.word for clause in clauses for t in clause if t.capital}
    for clause in clauses:
        for one, other in pairwise(clause):
            if stem(other.text) != stem(verb.text) or not one.capital or one.word in lexicon.STOP:
                continue
            shared = {stem(t.text) for t in clause} & s.content - {stem(verb.text)}
            names = [t.word for c in clauses for t in c if t.capital]
            if who.word in known and all(t.word != who.word for t in clause) and names.count(one.word) > 1:
                return one.text if len(shared) >= _SHARED else ""
    return ""


@lru_cache(maxsize=1024)
def _clauses(text: str) -> tuple[tuple[Token, ...], ...]:
    return tuple(tuple(tokens(clause)) for clause in _CUT.split(text))


_CUT = re.compile(r"\n|;|(?<=[.!?])\s")


def check_turned(s: Sentence) -> Iterator[Checked]:
    """ "Heron was handed over to Gull" where Gull's own text says "handed over to Heron"; "Gull replaced Heron"."""
    named = [e for e in s.bound.named if e.is_record]
    if len(named) < 2 or s.advice or s.denies:
        return
    for one in named:
        for other in named:
            if one is other or one.kind != other.kind:
                continue
            at, other_at = (named_at(s, e.numbered.fact.subject) for e in (one, other))
            for verb, joint in _told_of(one, other) if at >= 0 and other_at >= 0 else ():
                if _is_turned(s, verb, joint, at, other_at):
                    why = f"{one.ref} says it the other way round"
                    start, end = min(at, other_at), max(at, other_at)
                    yield wrong(s, K.SWAPPED_RECORD, start, end, why, one)
                    return


def _told_of(one: Entry, other: Entry) -> Iterator[tuple[str, str]]:
    """What a record's text tells of itself and another one: the verb's stem, and the small word before the name."""
    name = fold(other.numbered.fact.subject)
    for key, f in one.fields.items():
        at = phrase_in(name, f.folded) if key != one.numbered.fact.kind.subject and f.declared.refers_to is None else -1
        before = tokens(f.folded[max(0, at - _REACH) : at]) if at > 0 else []
        if len(before) < 2 or before[-1].text not in _JOINTS or before[-1].end < min(at, _REACH) - 5:
            continue
        verb = next((t for t in reversed(before[:-1]) if len(t.text) > 4 and t.word not in lexicon.STOP), None)
        if verb is not None:
            yield stem(verb.text), before[-1].text


def _is_turned(s: Sentence, verb: str, joint: str, at: int, other_at: int) -> bool:
    """Whether the sentence has the other one where the text has this one."""
    first, last = min(at, other_at), max(at, other_at)
    place = next((t for t in s.words if first < t.start < last and stem(t.text) == verb), None)
    if place is None:
        return False
    same_joint = phrase_in(joint, s.folded[place.end : last]) >= 0
    if joint in _DOER_AFTER and not same_joint:
        return at < other_at  # told as done by this one
    return same_joint and other_at < at


_DOER_AFTER = frozenset(["by", "von", "durch", "par", "da", "dal", "dalla", "por"])
_JOINTS = _DOER_AFTER | frozenset(["to", "for", "from", "an", "fur", "zu", "a", "pour", "per", "para", "into", "in"])
