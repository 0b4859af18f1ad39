"""The occurrence check: does each number and each capitalised name of a text stand anywhere in its facts?

A baseline to measure against, as simple as such checks are: it binds nothing to a record, a field or a time,
and it knows no lexicon.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sayso.core.facts import value_text
from sayso.core.verify.words import stem, tokens
from sayso.evaluation.predicting import Predicted
from sayso.evaluation.records import Labelled
from sayso.evaluation.sentences import scored_sentences

_NUMBER = re.compile(r"\d{1,15}(?:[.,]\d{1,9}){0,4}")
_INNER_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z0-9])")


def occurring(labelled: Labelled) -> Predicted:
    """The numbers and names that occur nowhere; the first word of a sentence is no name by its capital."""
    held = " \n ".join(_texts(labelled))
    words = {stem(t.text) for text in (held, _INNER_CAPITAL.sub(" ", held)) for t in tokens(text)}
    numbers = {_value(m.group()) for m in _NUMBER.finditer(held)}
    found: dict[tuple[int, int], str] = {}
    for start, end in scored_sentences(labelled.text):
        sentence = labelled.text[start:end]
        for m in _NUMBER.finditer(sentence):
            if _value(m.group()) not in numbers:
                found[start + m.start(), start + m.end()] = "number"
        for token in tokens(sentence)[1:]:
            if token.capital and stem(token.text) not in words:
                found[start + token.start, start + token.end] = "name"
    spans = tuple(sorted(found))
    return Predicted(labelled.id, spans, tuple(found[s] for s in spans))


def _texts(labelled: Labelled) -> Iterator[str]:
    for numbered in labelled.evidence:
        yield numbered.fact.subject
        for name, value in numbered.fact.values.items():
            yield f"{name} {value_text(value)}"


def _value(written: str) -> str | float:
    """A number by what it is worth: 1,200 is 1200 and 4.50 is 4.5."""
    plain = written.replace(",", "")
    try:
        return float(plain)
    except ValueError:
        return plain
