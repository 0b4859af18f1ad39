# ruff: noqa: E501, SIM102 (patterns and messages are easier to read on one line)
"""States and gaps: what a field holds, and that it holds nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from sayso.core.facts import Field
from sayso.core.verify import lexicon
from sayso.core.verify.index import Entry, FactIndex, field_words
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.sentence import Checked, Sentence, wrong
from sayso.core.verify.values import ValueKind
from sayso.core.verify.words import phrase_in

K = ViolationKind


def check_states(s: Sentence) -> Iterator[Checked]:
    """A field of few words ("open", "daily"): another record's word is wrong for this one."""
    everyone = bool(lexicon.ALL.search(s.clean))
    pool = _spoken_of(s, everyone)
    if s.advice or len({e.kind for e in pool}) != 1:
        return
    for name, known in _vocabulary(s.index, pool[0].kind).items():
        for word in known:
            at = phrase_in(word, s.folded)
            if at < 0 or lexicon.NEGATION.search(s.clean[max(0, at - 24) : at]):
                continue
            have = [e for e in pool if name in e.fields and e.fields[name].folded == word]
            lack = [e for e in pool if name in e.fields and e.fields[name].folded != word]
            own = any(phrase_in(e.fields[name].folded, s.folded) >= 0 for e in lack)
            if have and not (everyone and lack):
                yield Checked()
            elif lack and not own and (everyone or not have):
                why = f"{name.replace('_', ' ')} of {lack[0].ref} is {lack[0].fields[name].text}"
                yield wrong(s, K.WRONG_VALUE, at, at + len(word), why, lack[0])


def _spoken_of(s: Sentence, everyone: bool) -> list[Entry]:
    """The records of the sentence's first kind; with "both habits" and none named, all of that kind."""
    subjects = [e for e in s.bound.subjects if e.kind == s.bound.subjects[0].kind]
    if everyone and not s.bound.cited and not s.bound.named:
        kinds = s.index.kind_words
        kind = next((kinds[t.word] for t in s.words if t.word in kinds), None)
        return s.index.of_kind(kind) if kind else subjects
    return subjects


def _vocabulary(index: FactIndex, kind: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for entry in index.of_kind(kind):
        for name, f in entry.fields.items():
            if (
                len(f.words) == 1
                and f.folded.isalpha()
                and len(f.folded) >= 4
                and name != entry.numbered.fact.kind.subject
            ):
                if not f.text[0].isupper():
                    found.setdefault(name, set()).add(f.folded)
    return found


def check_gaps(s: Sentence) -> Iterator[Checked]:
    """ "No X recorded" of a field that is; a right "not recorded" counts as a claim that follows."""
    subjects = s.bound.subjects
    if not subjects or not (lexicon.GAP.search(s.clean) or lexicon.NEGATION.search(s.clean)):
        return
    for entry in subjects[:4]:
        for declared in entry.numbered.fact.kind.fields:
            for phrase in field_words(declared):
                if len(phrase) < 4 or phrase not in s.folded:
                    continue
                match = _absence_of(phrase).search(s.folded)
                if match is None:
                    continue
                if not _recorded(entry, declared, phrase):
                    yield Checked()
                elif len(subjects) == 1:
                    why = f"{declared.title} of {entry.ref} is {entry.fields[declared.name].text[:80]}"
                    yield wrong(s, K.FALSE_ABSENCE, match.start(), match.end(), why, entry)


@lru_cache(maxsize=512)
def _absence_of(phrase: str) -> re.Pattern[str]:
    p = re.escape(phrase)
    return re.compile(
        rf"\b(?:no|kein\w*|without) (?:recorded |known |stored )?{p}\b(?=[^,;]{{0,20}}(?:record|stored|file|known|noted|$|\.|,))"
        rf"|\b{p} (?:is|are|ist|sind|:)? ?(?:not|nicht|un)\s?(?:recorded|known|stored|erfasst|bekannt|hinterlegt)"
    )


def _recorded(entry: Entry, declared: Field, phrase: str) -> bool:
    held = entry.fields.get(declared.name)
    if held is None:
        return False
    if "mail" in phrase:
        return any(v.kind is ValueKind.EMAIL for v in held.values)
    if any(w in phrase for w in ("phone", "number", "telefon", "nummer", "mobile", "handy")):
        return any(v.kind is ValueKind.PHONE for v in held.values)
    if phrase in ("whatsapp", "signal", "address", "adresse"):
        return phrase in held.folded
    return True
