# ruff: noqa: E501 (the prose of a page is easier to read on one line)
"""The tables of docs/verifier_scores.md: `python -m bench.verifier_scores DATA_DIR > docs/verifier_scores.md`.

DATA_DIR holds the labelled sets, which ship with no release. Each set is read with its lexicon and with none; of a
set of which texts are held out from tuning, only the others are read here. `--sets NAME ...` leaves the others out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sayso.core.verify.report import Profile
from sayso.evaluation.answers import AnswerFigures, answer_figures, compared, labelled_answers
from sayso.evaluation.heldout import Part, in_part
from sayso.evaluation.lexicons import chosen_lexicons
from sayso.evaluation.measuring import Figures, figures, judging, measured, spans_scored
from sayso.evaluation.occurrence import occurring
from sayso.evaluation.records import Labelled, labelled_texts
from sayso.evaluation.scoring import share

_SHOWN = ("span_precision", "span_recall", "span_f1", "sentence_f1", "balanced_accuracy")
LEXICONS = Path(__file__).parent / "lexicons"


@dataclass(frozen=True)
class Set:
    file: str
    title: str
    about: str
    part: Part = Part.ALL


SETS = (
    Set(
        "acc_dev60", "Basketball reports",
        "Generated reports with their box scores; adjudicated errors (the shared task on evaluating accuracy, INLG 2021). "
        "These are the 40 texts that rules and lexicon were tuned on; [heldout_runs.md](heldout_runs.md) has the other 20. "
        "On the shared task's own test set the best published automatic system reaches a span F1 of 0.722 (precision "
        "0.756, recall 0.691).", Part.TUNING,
    ),
    Set(
        "quintd1_half", "Quintd-1",
        "What four models wrote about ice hockey, phones, charts, Wikidata and weather; one annotator each, so the labels "
        "are noisy. Published: GPT-4 as a judge has a balanced accuracy over sentences of 0.683.",
    ),
    Set(
        "d2teval_dev", "D2T-Eval",
        "Football, phones and weather. Published, on its test set: a second human 0.688, the best model as a judge 0.732.",
    ),
    Set(
        "infotabs_dev", "InfoTabS",
        "Sentences that people wrote about infobox records. E follows from the record, C contradicts it, N is not in it.",
    ),
)  # fmt: skip
ANSWERS = (
    Set("answers_dev", "Answers about a workspace", "A verdict for each sentence, by one reader."),
    Set(
        "answers_blind", "More answers about a workspace",
        "Written and labelled by someone who had not seen the rules (`tests/gold/answers_blind.jsonl`); rules were mended by it since.",
    ),
    Set(
        "answers_unseen", "Answers about a workspace, written last",
        "By another hand (`tests/gold/answers_unseen.jsonl`). Before anybody had read it, 61.8 % of the contradicted were found and 4.1 % of the others withheld; of half of it (the scenarios whose MD5 digest is odd) the misses were read since.",
    ),
)  # fmt: skip
GOLD = Path(__file__).parent.parent / "tests" / "gold"


def results(texts: list[Labelled], lexicons: Path | None) -> Figures:
    judge = judging(chosen_lexicons(None, lexicons, (t.domain for t in texts)))
    return figures(list(measured(texts, judge, profile=Profile.STRICT)))


def page(data: Path, sets: Iterable[Set], *, answers: Iterable[Set]) -> Iterator[str]:
    yield "# What the verifier finds in labelled texts\n"
    yield (
        f"Measured on {datetime.now(UTC).date()} by `python -m bench.verifier_scores`, which writes this page. The "
        "strict profile is scored: what is unsupported counts as a violation too. In brackets is where 95 % of 1,000 "
        "resamples of whole texts lie. A span hits an annotated one that it overlaps, and is used once; the balanced "
        "accuracy is the mean of the shares of faulty sentences that are flagged and of others that are not, so that "
        "flagging everything gets 0.5. The last two columns are of the default profile: of the sentences in which no "
        "annotator saw any error, how many it withholds, and how many it marks. A lexicon declares how the records of a "
        "domain are spoken of (`bench/lexicons/`); without one the engine goes by the records alone. The occurrence check asks only whether each number and capitalised name of a text stands anywhere in its facts. Times are of the processor; [the command line](cli.md#sayso-eval) has the rules of the scores.\n"
    )
    for one in sets:
        yield from _set(data / f"{one.file}.jsonl", one)
    for one in answers:
        own = GOLD / f"{one.file}.jsonl"
        yield from _answers(own if own.exists() else data / own.name, one)


def _set(path: Path, one: Set) -> Iterator[str]:
    texts = list(labelled_texts(path))
    kept = in_part((t.id for t in texts), one.part)
    texts = [t for t in texts if t.id in kept]
    print(f"{one.file}: {len(texts)} texts", file=sys.stderr)
    found = {"with its lexicon": results(texts, LEXICONS), "without": results(texts, None)}
    yield f"## {one.title}\n\n{one.about}\n"
    head = ("span precision", "span recall", "span F1", "sentence F1", "balanced accuracy", "withheld", "marked", "ms")
    rows = {name: _row(f) for name, f in found.items()}
    plain, ends = spans_scored(texts, occurring)
    rows["occurrence check"] = [*(_score(plain, ends, name) for name in _SHOWN), "", "", ""]
    yield from _table(f"{len(texts)} texts", head, rows)
    best = found["with its lexicon"]
    yield from _parts("errors found", ("found", "of", "share"), best.recall)
    yield from _parts("violations at an error", ("right", "of", "share"), best.precision)
    if best.flagged:
        of_texts = [_score(f.scores, f.intervals, "balanced_accuracy_texts") for f in found.values()]
        plain_texts = _score(plain, ends, "balanced_accuracy_texts")
        yield f"Balanced accuracy over texts, N and C against E: {of_texts[0]} with the lexicon, {of_texts[1]} without, {plain_texts} by occurrence.\n"
        yield from _parts("label", ("flagged", "of", "share"), best.flagged)
    if best.domains:
        rows = {
            d: [f"{s[n]:.3f}" for n in ("balanced_accuracy", "sentence_f1", "span_f1")] for d, s in best.domains.items()
        }
        yield from _table("domain", ("balanced accuracy", "sentence F1", "span F1"), rows)


def _row(f: Figures) -> list[str]:
    quiet = [f"{share(part, f.quiet.fine):.1%}" for part in (f.quiet.withheld, f.quiet.marked)]
    return [
        *(_score(f.scores, f.intervals, name) for name in _SHOWN),
        *quiet,
        f"{f.milliseconds[0]:.0f} (99th: {f.milliseconds[1]:.0f})",
    ]


def _score(scores: Mapping[str, float], intervals: Mapping[str, tuple[float, float]], name: str) -> str:
    low, high = intervals[name]
    return f"{scores[name]:.3f} ({low:.3f}–{high:.3f})"


def _parts(of: str, head: tuple[str, ...], parts: Mapping[str, tuple[int, int]]) -> Iterator[str]:
    yield from _table(
        of, head, {n.replace("_", " "): [str(a), str(b), f"{share(a, b):.3f}"] for n, (a, b) in parts.items()}
    )


def _table(of: str, head: tuple[str, ...], rows: Mapping[str, list[str]]) -> Iterator[str]:
    yield f"| {of} | {' | '.join(head)} |"
    yield "| --- |" + " ---: |" * len(head)
    for name, cells in rows.items():
        yield f"| {name} | {' | '.join(cells)} |"
    yield ""


def _answers(path: Path, one: Set) -> Iterator[str]:
    print(f"{path.stem}: answers", file=sys.stderr)
    result = answer_figures([compared(a) for a in labelled_answers(path)])
    yield f"## {one.title}\n\n{one.about} The default profile, {result.answers} answers.\n"
    for language in ("all", *sorted({lang for lang, _, _ in result.table} - {"all"})):
        yield from _confusion(result, language)
    named = {n.replace("_", " "): pair for n, pair in result.shares.items()}
    ends = {n.replace("_", " "): ends for n, ends in result.intervals.items()}
    rows = {
        n: [str(a), str(b), f"{share(a, b):.1%} ({ends[n][0]:.1%}–{ends[n][1]:.1%})"] for n, (a, b) in named.items()
    }
    yield from _table("fine: supported, yours or talk", ("sentences", "of", "share"), rows)


def _confusion(result: AnswerFigures, language: str) -> Iterator[str]:
    verdicts = ("supported", "contradicted", "unsupported", "yours", "talk")
    counts = {label: [result.table.get((language, label, v), 0) for v in verdicts] for label in verdicts}
    rows = {label: [str(c) for c in cells] for label, cells in counts.items() if any(cells)}
    yield from _table(f"{language}: labelled", verdicts, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", nargs="*", default=[s.file for s in (*SETS, *ANSWERS)])
    asked = parser.parse_args()
    sets, answers = ([s for s in some if s.file in asked.sets] for some in (SETS, ANSWERS))
    print("\n".join(page(asked.data, sets, answers=answers)).rstrip())


if __name__ == "__main__":
    main()
