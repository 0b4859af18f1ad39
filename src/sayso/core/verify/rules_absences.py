# ruff: noqa: E501 (patterns and messages are easier to read on one line)
"""Absences: "nothing due", "no one called X", "X is not in your contacts". They rest on look-ups, and fall with a record."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sayso.core.facts import FieldType
from sayso.core.verify import lexicon
from sayso.core.verify.binding import mentions
from sayso.core.verify.holding import holds, same
from sayso.core.verify.index import Entry, FieldEntry
from sayso.core.verify.kind_words import field_words, option_words, wording_at
from sayso.core.verify.language import absence
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.sentence import Checked, Sentence, wrong
from sayso.core.verify.values import Value, ValueKind
from sayso.core.verify.words import Token, fold, phrase_in, plain, stem, word_set

K = ViolationKind


def check_absences(s: Sentence) -> Iterator[Checked]:
    """No record by that name, or none of a kind."""
    found = _nothing_found(s)
    if found is not None:
        yield found
    if s.advice or found is not None:
        return
    absent = _denied_record(s)
    if absent is not None:
        start, end, entry = absent
        yield wrong(s, K.FALSE_ABSENCE, start, end, f"{entry.ref} is such a record", entry)
        return
    days = [v for v in s.values if v.kind is ValueKind.DATE]
    free = s.find(lexicon.FREE)
    if free is not None:
        hits = [e for e in s.index.current if days and any(_begins(f, days) for f in e.fields.values())]
        if hits:
            yield wrong(s, K.FALSE_ABSENCE, free.start(), free.end(), f"{hits[0].ref} is on that day", hits[0])
        return
    for match in lexicon.NOTHING.finditer(s.clean) if lexicon.NOTHING.may_match(s.cues) else ():
        answers = s.clean[match.end() : match.end() + 1] == ","  # "No, you have ..."
        if answers or absence.MORE.search(s.folded, match.start(), match.end() + absence.NEAR):
            continue
        hits = _due(s, days) if match["no"].lower() in lexicon.NOTHING_AT_ALL else _hits(s, match.end())
        if hits and all(e.kind == "lookup" for e in s.bound.cited):
            yield wrong(s, K.FALSE_ABSENCE, match.start(), match.end(), f"{hits[0].ref} is one", hits[0])


def _nothing_found(s: Sentence) -> Checked | None:
    """ "I found nothing on X", "nobody is called X", "X: 0 of 62": what the look-ups for X say, else a record of that name."""
    mark = (absence.NONE_FOUND.search(s.folded) or _denied_of_cited(s)) if s.may_lack else None
    if mark is None or any(e.is_record for e in s.bound.cited) or s.find(lexicon.CONDITION):
        return None
    told = s.said | word_set(s.bound.asked)
    cited = [e for e in s.bound.cited if e.kind == "lookup"]
    lookups = _fitting(cited or s.index.of_kind("lookup"), told)
    named = [e for e in s.bound.named if e.is_record]
    asked = _asked_for(lookups[0]) if lookups else frozenset[str]()
    asked |= frozenset(w for e in named for w in e.subject if asked <= e.name)
    if not asked:  # "none of the 62 records fits" of the look-up that is cited
        lookups = [e for e in cited if _asked_for(e)]
    if not (asked or cited) or _is_limited(s, told - asked, asked, bool(cited)):
        return None
    if any(e.number("matched") == 0 for e in lookups):
        return Checked()
    if absence.NAMING.search(s.folded):
        lookups = [
            e
            for e in lookups
            if any(_asked_for(e) <= word_set(r.numbered.fact.subject) for r in s.index.current if r.is_record)
        ]
    nearest = next((e for e in named if asked & e.name), lookups[0] if lookups else None)
    if nearest is None:
        return None
    why = (
        f"{nearest.ref} is such a record"
        if nearest.is_record
        else f"{nearest.ref} found {nearest.number('matched'):.0f}"
    )
    return wrong(s, K.FALSE_ABSENCE, mark.start(), mark.end(), why, nearest)


def _denied_of_cited(s: Sentence) -> re.Match[str] | None:
    """In whatever words: a look-up is cited, and what it was asked for is denied."""
    queries = (_asked_for(e) for e in s.bound.cited if e.kind == "lookup")
    return _SOME.search(s.folded) if s.denies and any(q and q <= s.said for q in queries) else None


_SOME = re.compile(r"\S.{0,200}", re.DOTALL)


def _fitting(lookups: Sequence[Entry], told: frozenset[str]) -> list[Entry]:
    """The look-ups whose query is told, those for the most words alone."""
    queries = [(q, e) for e in lookups if (q := _asked_for(e)) and q <= told]
    most = max((len(q) for q, _ in queries), default=0)
    return [e for q, e in queries if len(q) == most]


def _is_limited(s: Sentence, said: frozenset[str], asked: frozenset[str], cited: bool) -> bool:
    """Whether something but the name limits what was not found ("Elena's salary"); of a look-up that is cited,
    only what stands near to the name counts."""
    kinds = s.index.kind_words
    free = absence.SEARCHING | _SMALL | kinds.keys()
    beside = {w for w in said if w not in free and not w.isdigit()}
    if cited and asked:
        places = [i for i, t in enumerate(s.words) if t.word in asked]
        beside = {
            s.words[i].word for i in range(len(s.words)) if any(0 < abs(i - p) <= _BESIDE for p in places)
        } & beside
    return bool(beside)


_BESIDE = 3  # words
_SMALL = frozenset(map(plain, lexicon.STOP))


def _denied_record(s: Sentence) -> tuple[int, int, Entry] | None:
    """ "There is no Elena Weber", "Elena Weber is not in your records": nothing but the name is denied."""
    no_such = lexicon.NO_SUCH.may_match(s.cues)
    if not (no_such or s.may_deny):
        return None
    for start, end, entry in mentions(s.bound.named, s.words):
        if not _is_whole(s, start, end, entry):
            continue
        before, after = s.clean[:start], s.clean[end:]
        none = lexicon.NO_SUCH.search(before) if no_such else None
        if none and lexicon.NOT_LIMITED.fullmatch(after):
            return none.start(), end, entry
        missing = lexicon.IS_MISSING.fullmatch(after) if s.may_deny else None
        if missing and not before.strip(' *_-•"“„'):
            return start, end + missing.end(), entry
    return None


def _is_whole(s: Sentence, start: int, end: int, entry: Entry) -> bool:
    """Whether the record's name is all that is named: "Marco Ferrari" is not "Marco Brunner"."""
    beside = [t for t in s.words if t.capital and t.word not in entry.subject and t.word not in lexicon.STOP]
    near = [t for t in beside if s.clean[t.end : start] in (" ", "-") or s.clean[end : t.start] in (" ", "-")]
    return entry.is_record and not near


def _hits(s: Sentence, at: int) -> list[Entry]:
    """The records of the kind that is said to be missing: in the states and on the days that the sentence
    names ("no open tasks due today"); whatever else limits it must stand in the record."""
    kinds = s.index.kind_words
    noun = next((t for t in [t for t in s.words if t.start >= at][:4] if t.word in kinds), None)
    if noun is None:
        return []
    kind = kinds[noun.word]
    if _is_half_a_field(s, noun, s.index.of_kind(kind)):
        return []
    days = [v for v in s.values if v.kind is ValueKind.DATE]
    limits = _limits(s, s.index.of_kind(kind))
    return [
        e
        for e in s.index.of_kind(kind)
        if _in_stated_states(s, e) and all(holds(e, d) for d in days) and limits <= e.stems
    ]


def _is_half_a_field(s: Sentence, noun: Token, pool: list[Entry]) -> bool:
    """ "No contact details": the noun of a kind that is part of the words for one of its fields."""
    fields = pool[0].numbered.fact.kind.fields if pool else ()
    return any(" " in p and phrase_in(p, s.folded[noun.start :]) == 0 for f in fields for p in field_words(f))


def _limits(s: Sentence, pool: list[Entry]) -> set[str]:
    """What else an absence is limited by ("with Elena", "before noon"): not the words of kinds, fields, states, days."""
    free = _SMALL | absence.SEARCHING | lexicon.STOP | lexicon.FILLER | s.index.kind_words.keys()
    for declared in pool[0].numbered.fact.kind.fields if pool else ():
        free |= {plain(w) for p in (*field_words(declared), *option_words(declared)) for w in p.split()}
    said = [t for t in s.words if t.word not in free and fold(t.text) not in free and t.word[:-2] not in free]
    return {stem(t.text) for t in said if not any(v.start <= t.start < v.end for v in s.values)}


def _due(s: Sentence, days: list[Value]) -> list[Entry]:
    """ "Nothing is due today": records whose date, asked for by a word of the sentence, is that day."""
    if not days or s.bound.named:
        return []
    return [e for e in s.index.current if any(_dated(s, e, f, days) for f in e.fields.values())]


def _begins(f: FieldEntry, days: list[Value]) -> bool:
    """A moment on each of these days: what has an hour takes part of a day."""
    return f.declared.type is FieldType.DATETIME and all(any(same(d, v) for v in f.values) for d in days)


def _dated(s: Sentence, entry: Entry, f: FieldEntry, days: list[Value]) -> bool:
    asked = f.declared.type in (FieldType.DATE, FieldType.DATETIME) and s.asks_for(entry, f.declared)
    return asked and all(any(same(d, v) for v in f.values) for d in days)


def _in_stated_states(s: Sentence, entry: Entry) -> bool:
    """Whether the record is in each state that the sentence names anywhere."""
    for declared in entry.numbered.fact.kind.fields:
        held = entry.fields.get(declared.name)
        for wording, meant in option_words(declared).items():
            if wording_at(wording, s.folded) >= 0 and (held is None or held.folded not in meant):
                return False
    return True


def check_missing(s: Sentence) -> Iterator[Checked]:
    """Something stated of what a look-up did not find ("Elena works at UZH"), or of a stranger."""
    lookups = s.index.gathered.in_vain
    if s.advice or (s.bound.tight and not lookups) or s.denies or not _states(s):
        return
    held = s.index.gathered.record_words
    for entry in lookups:
        asked = _asked_for(entry)
        if asked and asked <= s.said and not asked & held:
            tokens = [t for t in s.words if t.word in asked]
            why = f"{entry.ref} looked for it and found nothing: leave it out"
            yield wrong(s, K.INVENTED_NAME, tokens[0].start, tokens[-1].end, why, entry)
            return
    if not s.bound.tight and lexicon.STRANGER.search(s.clean):
        yield wrong(s, K.UNSUPPORTED, 0, len(s.clean), "no record says so: leave it out")


def _states(s: Sentence) -> bool:
    """Whether a place of work, a birth, a way to reach somebody or a role is stated."""
    contact = any(v.kind in (ValueKind.PHONE, ValueKind.EMAIL) for v in s.values)
    return bool(contact or s.find(lexicon.WORKS) or s.find(lexicon.BORN) or lexicon.IS_A.search(s.clean))


def _asked_for(entry: Entry) -> frozenset[str]:
    """The words that a look-up was for: the quoted values of its arguments, without small words."""
    arguments = str(entry.numbered.fact.values.get("arguments", "")) if entry.kind == "lookup" else ""
    asked = word_set(" ".join(_QUOTED.findall(arguments)))
    return asked - lexicon.STOP or asked


_QUOTED = re.compile(r'"([^"]+)"')
