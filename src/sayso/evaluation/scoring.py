"""Predicted spans against those in which people saw an error: counts of a text, and the scores of many texts.

A predicted span hits an annotated one that it overlaps, and is used once. Characters are those that are no white
space. A sentence is flagged where a predicted span touches it. The balanced accuracy is the mean of the shares of
faulty sentences that are flagged and of others that are not: flagging everything, or nothing, gets 0.5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields

from sayso.evaluation.sentences import scored_sentences

Span = tuple[int, int]

FACTUAL = frozenset({"CONTRADICTORY", "NOT_CHECKABLE", "INCORRECT", "NUMBER", "NAME", "WORD", "CONTEXT"})
"""The kinds of error that facts can show; the others are matters of wording and of style."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What is counted in a text, or in many: each is a plain sum."""

    hits: int = 0
    annotated: int = 0
    predicted: int = 0
    char_right: int = 0
    char_excess: int = 0
    char_missed: int = 0
    faulty_flagged: int = 0
    faulty_missed: int = 0
    fine_flagged: int = 0
    fine_left: int = 0
    faulty_texts_flagged: int = 0
    faulty_texts: int = 0
    fine_texts_flagged: int = 0
    fine_texts: int = 0


COLUMNS = tuple(f.name for f in fields(Counts))


def counted(text: str, annotated: Iterable[Span], predicted: Iterable[Span]) -> Counts:
    """The counts of one text; a span that is given twice counts once."""
    gold, found = sorted(set(annotated)), sorted(set(predicted))
    in_gold, in_found = _marked(text, gold), _marked(text, found)
    right = excess = missed = 0
    for char, a, b in zip(text, in_gold, in_found, strict=True):
        if (a or b) and not char.isspace():
            right, excess, missed = right + (a & b), excess + (b > a), missed + (a > b)
    sentences = [(any(in_gold[a:b]), any(in_found[a:b])) for a, b in scored_sentences(text)]
    return Counts(
        hits(gold, found), len(gold), len(found), right, excess, missed,
        sentences.count((True, True)), sentences.count((True, False)),
        sentences.count((False, True)), sentences.count((False, False)),
        int(bool(gold and found)), int(bool(gold)), int(bool(found and not gold)), int(not gold),
    )  # fmt: skip


def hits(annotated: Sequence[Span], predicted: Sequence[Span]) -> int:
    """How many annotated spans get a predicted one; both are in order, and each takes the first that is free."""
    free = list(predicted)
    count = 0
    for gold in annotated:
        at = next((i for i, p in enumerate(free) if overlaps(gold, p)), None)
        if at is not None:
            del free[at]
            count += 1
    return count


def overlaps(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _marked(text: str, spans: Iterable[Span]) -> bytearray:
    marks = bytearray(len(text))
    for start, end in spans:
        inside = slice(max(start, 0), max(min(end, len(text)), 0))
        marks[inside] = b"\x01" * len(marks[inside])
    return marks


def summed(counts: Iterable[Counts]) -> Counts:
    rows = [[getattr(c, name) for name in COLUMNS] for c in counts]
    return Counts(*map(sum, zip(*rows, strict=True)))  # of no rows: all zero


def scores(total: Counts) -> Mapping[str, float]:
    """Every score by its name, from sums."""
    span = _shares(total.hits, total.predicted, total.annotated)
    char = _shares(total.char_right, total.char_right + total.char_excess, total.char_right + total.char_missed)
    faulty, fine = total.faulty_flagged + total.faulty_missed, total.fine_flagged + total.fine_left
    sentence = _shares(total.faulty_flagged, total.faulty_flagged + total.fine_flagged, faulty)
    named = {"span": span, "character": char, "sentence": sentence}
    found = {f"{of}_{name}": value for of, three in named.items() for name, value in three.items()}
    texts = share(total.faulty_texts_flagged, total.faulty_texts) + share(
        total.fine_texts - total.fine_texts_flagged, total.fine_texts
    )
    return found | {
        "balanced_accuracy": (share(total.faulty_flagged, faulty) + share(total.fine_left, fine)) / 2,
        "balanced_accuracy_texts": texts / 2,
    }


def _shares(right: int, predicted: int, annotated: int) -> dict[str, float]:
    precision, recall = share(right, predicted), share(right, annotated)
    both = precision + recall
    return {"precision": precision, "recall": recall, "f1": 2 * precision * recall / both if both else 0.0}


def share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
