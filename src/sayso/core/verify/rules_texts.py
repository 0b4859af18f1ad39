"""Short texts of records ("architect", "Sourcing lead"): another's, told over a gap, or other than recorded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sayso.core.facts import Field, FieldType
from sayso.core.verify import lexicon
from sayso.core.verify.binding import mentions
from sayso.core.verify.index import Entry, FieldEntry
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.rules_names import is_field_word
from sayso.core.verify.sentence import Checked, Sentence, wrong
from sayso.core.verify.words import Token, fold, phrase_in

K = ViolationKind


def check_swapped_texts(s: Sentence) -> Iterator[Checked]:
    """A short value of a peer ("architect", "Sourcing lead"), told of the one record that is spoken of."""
    subjects = s.bound.records
    if s.advice or len(subjects) != 1 or s.denies or len(set(lexicon.PERSONAL.findall(s.folded))) > 1:
        return  # "he is the electrician, she the owner"
    subject = subjects[0]
    own = s.your_words | s.held
    for peer in s.index.gathered.holding_any(s.said - own):
        namesake = peer.name == subject.name and subject not in s.bound.cited
        if peer.kind != subject.kind or peer.ref == subject.ref or namesake:
            continue
        for name, held in peer.fields.items():
            if name == peer.numbered.fact.kind.subject or not held.words <= s.said or held.words <= own:
                continue
            at = phrase_in(held.folded, s.folded)
            if at >= 0 and _is_short_text(held):
                yield _not_theirs(s, subject, peer, held.declared, at, at + len(held.folded))


def _is_short_text(held: FieldEntry) -> bool:
    return (
        held.declared.type is FieldType.TEXT
        and not held.declared.options
        and len(held.folded) >= 4
        and len(held.words) <= 4
        and not held.values
    )


def _not_theirs(s: Sentence, subject: Entry, peer: Entry, declared: Field, start: int, end: int) -> Checked:
    if declared.name not in subject.fields:
        why = f"{declared.title} is not recorded in {subject.ref} (it is of {peer.ref}): say so"
    else:
        why = f"{declared.title} of {subject.ref} is {subject.fields[declared.name].text[:80]}"
    return wrong(s, K.SWAPPED_RECORD, start, end, why, subject)


def check_stated_gaps(s: Sentence) -> Iterator[Checked]:
    """ "Works as a lawyer" where the field that is stated by these words holds nothing, or something else."""
    if s.advice or s.denies:
        return
    for subject in _alone_of_their_kind(s):
        stating, said = s.index.words_of(subject).stating, s.words_for(subject)
        fields = [d for d in subject.numbered.fact.kind.fields if d.name in stating or d.name in said]
        if not fields:
            continue
        own = s.your_words | subject.words.union(*(e.words for e in s.bound.allowed if e not in s.bound.subjects))
        fault = next((f for d in fields if (f := _other_than_held(s, subject, d, own))), None)
        if fault is not None:
            yield fault
            return


def _alone_of_their_kind(s: Sentence) -> list[Entry]:
    """The records of which a kind has only one in the sentence: what is said of such a kind is said of them."""
    counted = Counter(e.kind for e in s.bound.records)
    return [e for e in s.bound.records if counted[e.kind] == 1]


def _other_than_held(s: Sentence, subject: Entry, declared: Field, own: frozenset[str]) -> Checked | None:
    held = subject.fields.get(declared.name)
    if held is not None and not _is_stated_as(s, subject, declared):
        return None
    for said in (*(_noun_after(s, end) for end in _stated_after(s, subject, declared)), _apposed(s, subject, declared)):
        if said and is_field_word(s, said[0].word):
            continue
        if said and held is None and _is_unheld(said, own):
            why = f"{declared.title} is not recorded in {subject.ref}: say so"
            return wrong(s, K.STATED_GAP, said[0].start, said[0].end, why, subject)
        if said and held is not None and _is_other(said, own, held.words | s.your_words):
            kind = K.WRONG_VALUE if _one_language(s, said, held) else K.UNSUPPORTED
            why = f"{declared.title} of {subject.ref} is {held.text[:80]}"
            return wrong(s, kind, said[0].start, said[-1].end, why, subject)
    return None


def _is_unheld(said: list[Token], own: frozenset[str]) -> bool:
    """ "The harbour master" of someone at the Harbour Board: a word of it stands nowhere."""
    return said[0].word not in own or any(t.word not in own and t.word not in lexicon.GENERIC for t in said[1:])


def _apposed(s: Sentence, subject: Entry, declared: Field) -> list[Token]:
    """ "Elena Weber, designer, works at ...": a word for what somebody is, beside the name."""
    if not _is_stated_as(s, subject, declared):
        return []
    for _, end, _ in mentions([subject], s.words):
        match = lexicon.APPOSED.match(s.clean, end)
        if match is not None:
            return [t for t in s.words if match.start("role") <= t.start < match.end("role")]
    return []


def _one_language(s: Sentence, said: list[Token], held: FieldEntry) -> bool:
    """Whether what is said can be told from what is held at all: "Elektriker" may well be an electrician."""
    if s.setting.language == "en":
        return held.text.isascii()
    both_small = held.text.islower() and all(t.text.islower() for t in said)  # no German noun is written so
    return both_small or any(w[-5:] == t.word[-5:] for w in held.words for t in said)


def _is_stated_as(s: Sentence, subject: Entry, declared: Field) -> bool:
    """Whether the field says what its record is: then "is a" states it."""
    return declared.name in s.index.words_of(subject).stating


def _noun_after(s: Sentence, end: int) -> list[Token]:
    """The words right after a place, up to the next small word or mark."""
    after = [t for t in s.words if t.start >= end]
    while after and after[0].word in lexicon.STOP:
        after.pop(0)
    if not after or after[0].start - end >= _NEAR or "," in s.clean[end : after[0].start]:
        return []
    run = after[:1]
    for token in after[1:4]:
        noun_ends = s.setting.language == "de" and run[-1].capital and not token.capital
        if noun_ends or token.word in lexicon.STOP or s.clean[run[-1].end : token.start].strip(" -"):
            break
        run.append(token)
    return run


_NEAR = 12  # characters: what stands further away is another matter


_WHERE = frozenset(["where", "when", "wo", "wann", "où", "quand", "dove", "donde", "cuando"])


def _is_other(said: list[Token], own: frozenset[str], role: frozenset[str]) -> bool:
    """Whether none of the words is of the role, nor the last one of the record: then it is another role."""
    stems, of_role = {w[:6] for w in own}, {w[:6] for w in role}
    plain_talk = any(t.word in lexicon.GENERIC for t in said)
    if any(t.text in _WHERE for t in said):
        return False  # "as the place where she works"
    return not plain_talk and said[-1].word[:6] not in stems and not any(t.word[:6] in of_role for t in said)


def _stated_after(s: Sentence, subject: Entry, declared: Field) -> Iterator[int]:
    """Where a value of the field would stand: after "works as", "her role is", and, for a field that is
    stated by "... as", also after "is a", "as a" and, in German, "ist" before a noun."""
    for phrase, at in s.words_for(subject).get(declared.name, ()):
        if lexicon.STATING.search(phrase):
            yield at + len(phrase)
        elif len(phrase) >= 4 and (verb := lexicon.IS.match(s.folded, at + len(phrase))):
            yield verb.end()
    if _is_stated_as(s, subject, declared):
        yield from (match.end() for match in lexicon.IS_A.finditer(s.folded) if not _is_time(s, match.end()))
        yield from (match.end() for match in lexicon.IST_NOUN.finditer(s.clean) if not _is_time(s, match.end()))


def _is_time(s: Sentence, at: int) -> bool:
    word = fold(s.clean[at:].split(" ")[0])
    return any(v.start <= at < v.end for v in s.values) or word in lexicon.TEMPORAL or word in _DAY_WORDS


_DAY_WORDS = frozenset(
    ["day", "month", "year", "morning", "afternoon", "evening", "night", "tag", "monat", "jahr", "abend"]
)
