"""The verifier over a labelled set: what it finds in each text, how long it takes, and the figures of them all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from time import process_time
from typing import Any

from sayso.core.verify.report import Profile, Report, Verdict
from sayso.evaluation.intervals import intervals
from sayso.evaluation.lexicons import Lexicons
from sayso.evaluation.predicting import Predicted, predicted, report_of
from sayso.evaluation.records import Labelled
from sayso.evaluation.scoring import FACTUAL, Counts, Span, counted, hits, overlaps, scores, share, summed
from sayso.evaluation.sentences import scored_sentences

Judge = Callable[[Labelled, Profile], Report]


@dataclass(frozen=True, slots=True)
class Quiet:
    """How the default profile treats the sentences in which no annotator saw any error."""

    fine: int
    withheld: int
    marked: int


@dataclass(frozen=True, slots=True)
class Measured:
    """One text; its milliseconds are of the processor.

    `recall` has hits and annotated spans by kind of error, `precision` those at an error and all by kind of violation.
    """

    id: str
    domain: str
    label: str
    counts: Counts
    recall: Mapping[str, tuple[int, int]]
    precision: Mapping[str, tuple[int, int]]
    quiet: Quiet
    milliseconds: float
    found: Predicted


def judging(lexicons: Lexicons) -> Judge:
    return lambda labelled, profile: report_of(labelled, lexicon=lexicons.of(labelled.domain), profile=profile)


def measured(
    texts: Iterable[Labelled], judge: Judge, *, profile: Profile, kinds: frozenset[str] | None = FACTUAL
) -> Iterator[Measured]:
    """Each text in turn. `kinds` are the kinds of error that count; None for all of them."""
    for labelled in texts:
        started = process_time()
        report = judge(labelled, profile)
        taken = (process_time() - started) * 1000
        calm = report if profile is Profile.DEFAULT else judge(labelled, Profile.DEFAULT)
        yield _measured(labelled, report, calm, kinds, taken)


def spans_scored(
    texts: Iterable[Labelled], predict: Callable[[Labelled], Predicted]
) -> tuple[Mapping[str, float], Mapping[str, tuple[float, float]]]:
    """The scores of anything that predicts spans, with their intervals: what the verifier is set beside."""
    counts = [
        counted(t.text, [(a, b) for a, b, kind in t.errors if kind in FACTUAL], predict(t).spans) for t in texts
    ]  # fmt: skip
    return scores(summed(counts)), intervals([astuple(c) for c in counts], lambda sums: scores(Counts(*sums)))


def _measured(
    labelled: Labelled, report: Report, calm: Report, kinds: frozenset[str] | None, milliseconds: float
) -> Measured:
    found = predicted(labelled, report)
    gold = _by_kind(labelled.errors)
    counting = {s for kind, spans in gold.items() if kinds is None or kind in kinds for s in spans}
    everything = {s for spans in gold.values() for s in spans}
    recall = {kind: (hits(sorted(spans), found.spans), len(spans)) for kind, spans in gold.items()}
    return Measured(
        labelled.id, labelled.domain, str(labelled.meta.get("label") or ""),
        counted(labelled.text, counting, found.spans), recall, _right(report, everything),
        _quiet(labelled.text, everything, calm), milliseconds, found,
    )  # fmt: skip


def _by_kind(errors: Iterable[tuple[int, int, str]]) -> dict[str, set[Span]]:
    spans: dict[str, set[Span]] = {}
    for start, end, kind in errors:
        spans.setdefault(kind, set()).add((start, end))
    return spans


def _right(report: Report, gold: Iterable[Span]) -> dict[str, tuple[int, int]]:
    """Of each kind of violation, whether it is withheld or marked, how many lie at an error of any kind."""
    known = list(gold)
    right: dict[str, tuple[int, int]] = {}
    for start, end, kind in {(v.start, v.end, v.kind.value) for v in report.violations}:
        hit, total = right.get(kind, (0, 0))
        right[kind] = (hit + any(overlaps((start, end), g) for g in known), total + 1)
    return right


def _quiet(text: str, gold: Iterable[Span], report: Report) -> Quiet:
    """A scored sentence is withheld, or marked, where a piece that is so overlaps it by more than white space."""
    known = list(gold)
    fine = [s for s in scored_sentences(text) if text[slice(*s)].strip() and not any(overlaps(s, g) for g in known)]
    held = [_place(s.text, s.start) for s in report.sentences if report.withheld(s)]
    marked = [_place(s.text, s.start) for s in report.sentences if s.verdict is Verdict.UNSUPPORTED]
    withheld = [s for s in fine if any(overlaps(s, h) for h in held)]
    only_marked = [s for s in fine if s not in withheld and any(overlaps(s, m) for m in marked)]
    return Quiet(len(fine), len(withheld), len(only_marked))


def _place(text: str, start: int) -> Span:
    return start + len(text) - len(text.lstrip()), start + len(text.rstrip())


@dataclass(frozen=True, slots=True)
class Figures:
    """What a set shows. Scores and their intervals by name; shares as (part, whole)."""

    texts: int
    scores: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]]
    recall: Mapping[str, tuple[int, int]]
    precision: Mapping[str, tuple[int, int]]
    flagged: Mapping[str, tuple[int, int]]
    domains: Mapping[str, Mapping[str, float]]
    quiet: Quiet
    milliseconds: tuple[float, float]

    def as_json(self) -> dict[str, Any]:
        fine = self.quiet.fine
        return {
            "texts": self.texts,
            "scores": dict(self.scores),
            "intervals_95": {name: list(ends) for name, ends in self.intervals.items()},
            "recall_by_error": {k: _part(v, "found", "annotated") for k, v in self.recall.items()},
            "precision_by_violation": {k: _part(v, "right", "predicted") for k, v in self.precision.items()},
            "flagged_by_label": {k: _part(v, "flagged", "texts") for k, v in self.flagged.items()},
            "domains": {k: dict(v) for k, v in self.domains.items()},
            "default_profile": {
                "sentences_without_error": fine,
                "withheld": share(self.quiet.withheld, fine),
                "marked": share(self.quiet.marked, fine),
            },
            "milliseconds": {"median": self.milliseconds[0], "p99": self.milliseconds[1]},
        }


def _part(pair: tuple[int, int], part: str, whole: str) -> dict[str, float]:
    return {part: pair[0], whole: pair[1], "share": share(*pair)}


def figures(found: Sequence[Measured]) -> Figures:
    rows = [astuple(m.counts) for m in found]
    totals = scores(summed(m.counts for m in found))
    by_domain = {d: [m.counts for m in found if m.domain == d] for d in sorted({m.domain for m in found})}
    return Figures(
        len(found), totals, intervals(rows, lambda sums: scores(Counts(*sums))),
        _added(m.recall for m in found), _added(m.precision for m in found),
        _added({m.label: (int(bool(m.found.spans)), 1)} for m in found if m.label),
        {d: scores(summed(counts)) for d, counts in by_domain.items()} if len(by_domain) > 1 else {},
        Quiet(*(sum(getattr(m.quiet, n) for m in found) for n in ("fine", "withheld", "marked"))),
        _times([m.milliseconds for m in found]),
    )  # fmt: skip


def _added(parts: Iterable[Mapping[str, tuple[int, int]]]) -> dict[str, tuple[int, int]]:
    total: dict[str, tuple[int, int]] = {}
    for part in parts:
        for name, (some, whole) in part.items():
            before = total.get(name, (0, 0))
            total[name] = (before[0] + some, before[1] + whole)
    return dict(sorted(total.items(), key=lambda item: (-item[1][1], item[0])))


def _times(taken: Sequence[float]) -> tuple[float, float]:
    """The median and the 99th percentile."""
    ranked = sorted(taken) or [0.0]
    return ranked[len(ranked) // 2], ranked[min(len(ranked) - 1, len(ranked) * 99 // 100)]
