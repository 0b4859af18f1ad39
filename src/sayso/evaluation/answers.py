"""Answers with a verdict for each sentence: how the verifier's own verdicts compare.

`{id, lang, now, user_message, facts, answer, sentences: [{text, verdict}]}`, one a line. It changes no label.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from sayso.core.evidence import Evidence
from sayso.core.verify.declared.lexicon import NO_LEXICON, Lexicon
from sayso.core.verify.report import Judged, Profile, Report, Verdict
from sayso.core.verify.setting import Setting
from sayso.core.verify.verifier import Verifier
from sayso.errors import FactError
from sayso.evaluation.intervals import Interval, wilson
from sayso.evaluation.records import each_line
from sayso.evaluation.scoring import share
from sayso.verifying.reading import listed, moment, read_facts
from sayso.vocabulary import ordinary_words

FINE = (Verdict.SUPPORTED, Verdict.YOURS, Verdict.TALK)
_WORST = (Verdict.CONTRADICTED, Verdict.UNSUPPORTED, Verdict.SUPPORTED, Verdict.YOURS, Verdict.TALK)


@dataclass(frozen=True, slots=True)
class LabelledAnswer:
    """An answer with its facts, and the verdict that a reader gave to each of its sentences, in order."""

    id: str
    language: str
    now: datetime
    question: str
    evidence: Evidence
    text: str
    sentences: tuple[tuple[str, Verdict], ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """One labelled sentence: the label, the verifier's verdict, and why it said so."""

    id: str
    language: str
    text: str
    label: Verdict
    verdict: Verdict
    reasons: tuple[str, ...] = ()

    @property
    def treated_alike(self) -> bool:
        """Whether it is shown, marked or withheld as its label asks."""
        return self.label is self.verdict or (self.label in FINE and self.verdict in FINE)

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id, "lang": self.language, "text": self.text, "label": self.label.value,
            "verdict": self.verdict.value, "reasons": list(self.reasons),
        }  # fmt: skip


def labelled_answers(path: Path) -> Iterator[LabelledAnswer]:
    return each_line(path, _answer)


def _answer(record: Mapping[str, Any]) -> LabelledAnswer:
    text = record.get("answer")
    if not isinstance(text, str):
        raise FactError('it has no "answer": write a text')
    now = moment(record.get("now"))
    return LabelledAnswer(
        str(record.get("id", "")), str(record.get("lang") or "en"), now, str(record.get("user_message") or ""),
        read_facts(listed(record, "facts"), as_of=now), text,
        tuple(_sentence(s) for s in listed(record, "sentences")),
    )  # fmt: skip


def _sentence(record: Mapping[str, Any]) -> tuple[str, Verdict]:
    try:
        return str(record["text"]), Verdict(record["verdict"])
    except (KeyError, TypeError, ValueError):
        known = ", ".join(v.value for v in Verdict)
        raise FactError(f'an entry of "sentences" is not {{"text": ..., "verdict": one of {known}}}') from None


def compared(
    answer: LabelledAnswer, *, profile: Profile = Profile.DEFAULT, lexicon: Lexicon = NO_LEXICON
) -> list[Compared]:
    """Each labelled sentence beside the worst verdict of the pieces that overlap it."""
    setting = Setting(
        answer.now, answer.language, answer.question, profile=profile, lexicon=lexicon,
        ordinary=ordinary_words(answer.language),
    )  # fmt: skip
    report = Verifier(answer.evidence, setting).report(answer.text)
    found: list[Compared] = []
    at = 0
    for text, label in answer.sentences:
        at = max(answer.text.find(text, at), at)
        over = list(_overlapping(report, at, at + len(text)))
        at += len(text)
        verdict = next((v for v in _WORST if any(p.verdict is v for p in over)), Verdict.TALK)
        reasons = tuple(f"{v.kind.value}: {v.words[:60]!r}: {v.instruction}" for p in over for v in p.violations)
        found.append(Compared(answer.id, answer.language, text, label, verdict, reasons))
    return found


def _overlapping(report: Report, start: int, end: int) -> Iterator[Judged]:
    return (p for p in report.sentences if p.start < end and p.start + len(p.text.rstrip()) > start)


@dataclass(frozen=True, slots=True)
class AnswerFigures:
    """`table` counts sentences by language ("all" for all of them), label and verdict."""

    answers: int
    table: Mapping[tuple[str, str, str], int]
    shares: Mapping[str, tuple[int, int]]
    intervals: Mapping[str, Interval]
    wrong: tuple[Compared, ...] = field(default=(), repr=False)

    def as_json(self) -> dict[str, Any]:
        tables: dict[str, dict[str, dict[str, int]]] = {}
        for (language, label, verdict), count in self.table.items():
            tables.setdefault(language, {}).setdefault(label, {})[verdict] = count
        return {
            "answers": self.answers,
            "figures": {
                n: {"count": a, "of": b, "share": share(a, b), "interval_95": list(self.intervals[n])}
                for n, (a, b) in self.shares.items()
            },
            "confusion": tables,
            "wrong": [w.as_json() for w in self.wrong],
        }  # fmt: skip


def answer_figures(sets: Sequence[Sequence[Compared]]) -> AnswerFigures:
    everything = [c for of_answer in sets for c in of_answer]
    table = Counter((language, c.label.value, c.verdict.value) for c in everything for language in ("all", c.language))
    wrong = tuple(c for c in everything if not c.treated_alike)
    shares = _shares(everything)
    return AnswerFigures(len(sets), table, shares, {n: wilson(*pair) for n, pair in shares.items()}, wrong)


def _shares(found: Iterable[Compared]) -> dict[str, tuple[int, int]]:
    pairs = [(c.label, c.verdict) for c in found]
    fine = [verdict for label, verdict in pairs if label in FINE]
    wrong = [verdict for label, verdict in pairs if label is Verdict.CONTRADICTED]
    return {
        "contradicted_found": (wrong.count(Verdict.CONTRADICTED), len(wrong)),
        "fine_withheld": (fine.count(Verdict.CONTRADICTED), len(fine)),
        "fine_marked": (fine.count(Verdict.UNSUPPORTED), len(fine)),
    }
