"""The figures of labelled sets as tables in a terminal. It computes none of them."""

from __future__ import annotations

from collections.abc import Mapping

from rich.table import Table
from rich.text import Text

from sayso.cli.terms import out, safe, say
from sayso.core.verify.report import Verdict
from sayso.evaluation.answers import FINE, AnswerFigures
from sayso.evaluation.calls import CallFigures
from sayso.evaluation.measuring import Figures
from sayso.evaluation.scoring import share

_NAMES = {
    "contradicted_found": "contradicted sentences found",
    "fine_withheld": "supported, yours and talk withheld",
    "fine_marked": "supported, yours and talk marked",
}


def show_figures(result: Figures, title: str) -> None:
    say(f"{title}: {result.texts} texts", "bold")
    table = Table("by", "precision", "recall", "F1", box=None)
    for of in ("span", "character", "sentence"):
        table.add_row(of, *(_with_interval(result, f"{of}_{name}") for name in ("precision", "recall", "f1")))
    out.print(table)
    say(f"balanced accuracy over sentences {_with_interval(result, 'balanced_accuracy')}")
    if result.flagged:
        say(f"balanced accuracy over texts {_with_interval(result, 'balanced_accuracy_texts')}")
    _show_parts("kind of error", "found", result.recall)
    _show_parts("kind of violation", "at an error", result.precision)
    _show_parts("label", "flagged", result.flagged)
    if result.domains:
        domains = Table("domain", "balanced accuracy", "sentence F1", "span F1", box=None)
        for domain, scored in result.domains.items():
            domains.add_row(
                safe(domain), *(f"{scored[n]:.3f}" for n in ("balanced_accuracy", "sentence_f1", "span_f1"))
            )
        out.print(domains)
    quiet = result.quiet
    say(
        f"default profile: of {quiet.fine} sentences without an error {share(quiet.withheld, quiet.fine):.1%} withheld,"
        f" {share(quiet.marked, quiet.fine):.1%} marked"
    )
    median, slowest = result.milliseconds
    say(f"processor time of a text: {median:.1f} ms at the median, {slowest:.1f} ms at the 99th percentile")


def _with_interval(result: Figures, name: str) -> str:
    low, high = result.intervals.get(name, (0.0, 0.0))
    return f"{result.scores[name]:.3f} ({low:.3f}–{high:.3f})"


def _show_parts(of: str, what: str, parts: Mapping[str, tuple[int, int]]) -> None:
    if not parts:
        return
    table = Table(of, what, "of", "share", box=None)
    for name, (part, whole) in parts.items():
        table.add_row(safe(name), str(part), str(whole), f"{share(part, whole):.3f}")
    out.print(table)


def show_answer_figures(result: AnswerFigures, title: str) -> None:
    say(f"{title}: {result.answers} answers", "bold")
    languages = sorted({language for language, _, _ in result.table if language != "all"})
    for language in ("all", *languages):
        out.print(_confusion(result, language))
    for name, (part, whole) in result.shares.items():
        low, high = result.intervals[name]
        say(f"{_NAMES[name]}: {share(part, whole):.1%} of {whole} ({low:.1%}–{high:.1%})")
    if result.wrong:
        say(f"\n{len(result.wrong)} treated otherwise than labelled", "bold")
    for one in result.wrong:
        label, verdict = ((v.value, "green" if v in FINE else "red") for v in (one.label, one.verdict))
        told = safe(f": {' '.join(one.text.split())}")
        head = (safe(f"{one.id} [{one.language}] "), "dim")
        out.print(Text.assemble(head, label, " -> ", verdict, told), soft_wrap=True)
        for reason in one.reasons:
            say(f"    {' '.join(reason.split())}", "dim")


def _confusion(result: AnswerFigures, language: str) -> Table:
    table = Table(f"{safe(language)}: labelled", *(v.value for v in Verdict), box=None)
    for label in Verdict:
        counts = [result.table.get((language, label.value, v.value), 0) for v in Verdict]
        if any(counts):
            table.add_row(label.value, *(str(c) if c else "·" for c in counts))
    return table


def show_call_figures(result: CallFigures, title: str) -> None:
    figures = result.as_json()
    say(f"{title}: {len(result.scored)} texts scored, {figures['contested']['texts']} contested", "bold")
    say(
        f"exact {figures['exact']:.1%}, names {figures['names']:.1%} of {figures['positives']} texts with calls; "
        f"{figures['false_calls']} false calls in {figures['negatives']} without"
    )
    say(f"prose as expected {figures['prose']:.1%}, contested as expected {figures['contested']['exact']}")
    table = Table("family", "exact", "of", box=None)
    for family, counts in result.by_family().items():
        table.add_row(safe(family), str(counts["exact"]), str(counts["texts"]))
    out.print(table)
    say(f"processor time of a text: {result.milliseconds:.2f} ms on average")
    for one in result.wrong:
        say(f"    {one.label.id}: {len(one.found)} calls read, {len(one.label.expected)} expected", "dim")
