"""What each verifier finds in the labelled sets: ours and the others by the same scores over the same texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from bench.peers.others import Check, Peer, told
from sayso.core.verify.declared.lexicon import NO_LEXICON
from sayso.core.verify.report import Verdict
from sayso.evaluation.answers import FINE, LabelledAnswer, compared, labelled_answers
from sayso.evaluation.lexicons import Lexicons, chosen_lexicons
from sayso.evaluation.measuring import spans_scored
from sayso.evaluation.occurrence import occurring
from sayso.evaluation.predicting import Predicted, predicted, report_of
from sayso.evaluation.records import Labelled, labelled_texts
from sayso.evaluation.scoring import share

SETS = ("quintd1_half", "d2teval_dev", "infotabs_dev")
LEXICONS = Path(__file__).parents[1] / "lexicons"


def balanced(data: Path, peers: Sequence[Peer], *, every: int) -> dict[str, dict[str, float]]:
    """By set and verifier: the balanced accuracy over sentences. Every `every`-th text is read."""
    return {name: _set(data / f"{name}.jsonl", peers, every) for name in SETS if (data / f"{name}.jsonl").exists()}


def _set(path: Path, peers: Sequence[Peer], every: int) -> dict[str, float]:
    texts = list(labelled_texts(path))[::every]
    lexicons = chosen_lexicons(None, LEXICONS, (t.domain for t in texts))
    predicts: Mapping[str, Callable[[Labelled], Predicted]] = {
        "sayso, with its lexicon": partial(_ours, lexicons),
        "sayso, without": partial(_ours, None),
        "occurrence check": occurring,
    }
    predicts = {**predicts, **{p.name: partial(_theirs, p.check) for p in peers}}
    return {name: round(spans_scored(texts, predict)[0]["balanced_accuracy"], 3) for name, predict in predicts.items()}


def _ours(lexicons: Lexicons | None, labelled: Labelled) -> Predicted:
    lexicon = lexicons.of(labelled.domain) if lexicons is not None else NO_LEXICON
    return predicted(labelled, report_of(labelled, lexicon=lexicon))


def _theirs(check: Check, labelled: Labelled) -> Predicted:
    spans = tuple(sorted(set(check(labelled.text, told(labelled.evidence)))))
    return Predicted(labelled.id, spans, ("flagged",) * len(spans))


def on_answers(path: Path, peers: Sequence[Peer]) -> dict[str, dict[str, float]]:
    """By verifier: of the contradicted sentences, how many are found; of the fine ones, how many are withheld."""
    answers = list(labelled_answers(path))
    ours = [(c.label, c.verdict is Verdict.CONTRADICTED) for a in answers for c in compared(a)]
    return {"sayso": _shares(ours)} | {
        p.name: _shares([pair for a in answers for pair in _flagged(a, p.check)]) for p in peers
    }


def _flagged(answer: LabelledAnswer, check: Check) -> list[tuple[Verdict, bool]]:
    spans = check(answer.text, told(answer.evidence))
    found: list[tuple[Verdict, bool]] = []
    at = 0
    for text, label in answer.sentences:
        at = max(answer.text.find(text, at), at)
        found.append((label, any(a < at + len(text) and b > at for a, b in spans)))
        at += len(text)
    return found


def _shares(pairs: Sequence[tuple[Verdict, bool]]) -> dict[str, float]:
    wrong = [flagged for label, flagged in pairs if label is Verdict.CONTRADICTED]
    fine = [flagged for label, flagged in pairs if label in FINE]
    return {
        "contradicted found": round(share(sum(wrong), len(wrong)), 3),
        "fine withheld": round(share(sum(fine), len(fine)), 3),
    }
