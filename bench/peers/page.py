"""The page docs/verifier_speed.md, from the figures that a run left in a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

SETS = {"quintd1_half": "Quintd-1", "d2teval_dev": "D2T-Eval", "infotabs_dev": "InfoTabS"}


def page(found: Mapping[str, Any]) -> str:
    return "\n".join(_page(found)).rstrip() + "\n"


def _page(found: Mapping[str, Any]) -> Iterator[str]:
    yield "# How fast the verifier is, and what others find\n"
    yield (
        f"Measured on {found['date'][:10]} by `python -m bench.verifier_speed --peers FOLDER --data DIR --plot --json "
        "bench/results.json`,\nwhich writes this page. Times are milliseconds of the processor, on two cores; what "
        "counts is the ratio. What a\nset's scores mean stands in\n[verifier_scores.md](verifier_scores.md).\n"
    )
    yield "## Time\n"
    yield (
        "An answer of 120 words over 40 facts of the workspace, the default profile, each text judged once. The goal "
        "is 5 ms at\nthe median and 20 ms at the 99th percentile.\n"
    )
    yield from _times(found)
    yield "## By size\n\n![Time against the length of the answer and the number of facts](images/verifier_speed.svg)\n"
    yield (
        "Both axes are logarithmic and the dashed line is exactly linear. Words are over 40 facts; facts are new ones, "
        "under\nan answer of 120 words.\n"
    )
    sizes = found["cpu_ms_by_size"]
    yield from _table(("words", *(f"{n:,}" for n, _ in sizes["words"])), [("ms", *_told(sizes["words"]))])
    yield from _table(("facts", *(f"{n:,}" for n, _ in sizes["facts"])), [("ms", *_told(sizes["facts"]))])
    yield from _scores(found["scores"])


def _told(points: Sequence[tuple[int, float]]) -> list[str]:
    return [f"{ms:,.0f}" for _, ms in points]


def _times(found: Mapping[str, Any]) -> Iterator[str]:
    taken = found["cpu_ms_120_words_40_facts"]
    names = {
        "known facts": "Sayso, the next answer over the same facts",
        "new facts": "Sayso, the first answer over new facts",
        "sentence while streaming": "Sayso, a sentence while it streams",
    }
    ratios = found["sayso, known facts / peer"]
    rows = [(str(names.get(n, n)), str(t["median"]), str(t["p99"]), str(ratios.get(n, ""))) for n, t in taken.items()]
    yield from _table(("", "median", "99th percentile", "Sayso (known facts) to this"), rows)
    yield (
        f"Reading new facts costs {found['cpu_ms_of_the_index']} ms: the difference of the medians. The others read "
        "their passages each time.\n"
    )


def _scores(scores: Mapping[str, Any]) -> Iterator[str]:
    yield "## What each finds\n"
    yield (
        "The same texts for all. They are the sets that the rules and lexicons of Sayso were tuned on, and the others "
        "never saw\nthem. The others are no dependency of Sayso: corroborate looks for numbers, dates and quotations, "
        "ancora-rag for the\nwords of each sentence and its numbers, claimproofkit for the words of each claim. They "
        "read "
        "passages, so each fact is\ngiven as a line of text, and they run with their defaults; what they would stop "
        "counts as flagged. Balanced accuracy over\nsentences (flagging all, or nothing, gets 0.5), the strict profile "
        "of Sayso:\n"
    )
    sets = scores["balanced_accuracy"]
    names = list(next(iter(sets.values())))
    rows = [(n, *(f"{sets[one][n]:.3f}" for one in sets)) for n in names]
    yield from _table(("", *(SETS[one] for one in sets)), rows)
    yield "Answers about a workspace, with a verdict for each sentence; the default profile of Sayso:\n"
    shares = [(n, *(f"{value:.1%}" for value in found.values())) for n, found in scores["answers"].items()]
    yield from _table(("", "contradicted sentences found", "fine ones withheld"), shares)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield "| --- |" + " ---: |" * (len(head) - 1)
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""
