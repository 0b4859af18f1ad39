"""Texts beside a label: "Role: notary", or a cell below a heading; another text than the field holds is wrong there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.core.facts import Field, FieldType
from sayso.core.verify import lexicon
from sayso.core.verify.index import Entry, FieldEntry
from sayso.core.verify.kind_words import field_words
from sayso.core.verify.report import ViolationKind
from sayso.core.verify.sentence import Checked, Sentence, wrong
from sayso.core.verify.words import fold, phrase_in, tokens

K = ViolationKind
_LABEL = re.compile(r"^[^:]{2,70}:\s{1,3}")


def check_labels(s: Sentence) -> Iterator[Checked]:
    """ "Role: notary", "Firma von Jörg Müller: X" of one record."""
    match = _LABEL.match(s.clean)
    records = s.bound.records
    if match is None or s.advice or s.denies or len(records) != 1 or s.bound.columns:
        return
    declared = _asked_by(records[0], s.folded[: match.end()])
    if declared is not None:
        fault = text_fault(s, records[0], declared, match.end(), len(s.clean.rstrip(" .\n*_")))
        if fault is not None:
            yield fault


def check_parentheses(s: Sentence) -> Iterator[Checked]:
    """ "Mara Lindt (veterinarian, Büro Querschnitt)": a part, listed behind a name, that is not the record's."""
    records = s.bound.records
    if s.advice or s.denies or len(records) != 1:
        return
    for match in _PARENTHESIS.finditer(s.clean):
        parts = [(m.start(), m.end()) for m in _PART.finditer(s.clean, match.start(1), match.end(1))]
        said = [{t.word for t in s.words if a <= t.start < b and t.word not in lexicon.STOP} for a, b in parts]
        own = records[0].words | s.your_words
        if not any(words and words <= own for words in said):
            continue
        for (start, end), words in zip(parts, said, strict=True):
            if words and not words & own and not any(start <= v.start < end for v in s.values):
                kind = K.WRONG_VALUE if s.setting.language == "en" else K.UNSUPPORTED
                yield wrong(s, kind, start, end, f"{records[0].ref} does not say so", records[0])
                return


_PARENTHESIS = re.compile(r"\(([^()\n]{3,120})\)")
_PART = re.compile(r"[^,;]+")


def _asked_by(entry: Entry, label: str) -> Field | None:
    """The field whose words make up the label, beside the record's own name and small words."""
    free = entry.name | lexicon.STOP
    for declared in entry.numbered.fact.kind.fields:
        for phrase in field_words(declared):
            if len(phrase) >= 3 and phrase_in(phrase, label) >= 0:
                rest = {t.word for t in tokens(label.replace(phrase, " "))} - free
                if not rest:
                    return declared
    return None


def text_fault(s: Sentence, entry: Entry, declared: Field, start: int, end: int) -> Checked | None:
    """A text in the place of a field that holds none, or none of whose words are its own."""
    held = entry.fields.get(declared.name)
    said = {t.word for t in s.words if start <= t.start < end and t.word not in lexicon.STOP}
    values = any(start <= v.start < end for v in s.values)
    if not said or values or declared.options or said <= s.your_words | entry.words:
        return None
    if held is None:
        return wrong(s, K.STATED_GAP, start, end, f"{declared.title} is not recorded in {entry.ref}: say so", entry)
    stems = {w[:5] for w in held.words}
    if held.values or declared.type not in _TEXTS or any(w[:5] in stems for w in said):
        return None
    kind = K.WRONG_VALUE if _in_one_language(s, s.clean[start:end], held) else K.UNSUPPORTED
    return wrong(s, kind, start, end, f"{declared.title} of {entry.ref} is {held.text[:80]}", entry)


_TEXTS = (FieldType.TEXT, FieldType.LIST)


def _in_one_language(s: Sentence, told: str, held: FieldEntry) -> bool:
    """Whether two texts can be compared by their words: a name is a name, and small words show a language."""
    if s.setting.language == "en" or held.declared.refers_to is not None:
        return True
    small = [frozenset(fold(t.text) for t in tokens(text)) & _ENGLISH for text in (told, held.text)]
    return all(small)


_ENGLISH = frozenset(["a", "an", "the", "at", "of", "in", "on", "through", "with", "for", "from", "and", "to", "by"])
