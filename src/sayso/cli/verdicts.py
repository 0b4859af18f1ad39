"""Verdicts in a terminal: a table of sentences, with the words that facts do not carry in colour."""

from __future__ import annotations

from pathlib import Path

from rich.table import Table
from rich.text import Text

from sayso.cli.terms import out, safe, say
from sayso.core.evidence import Evidence
from sayso.core.verify.report import Judged, Report, Verdict, Violation
from sayso.verifying.telling import marked, withheld

_STYLES = {
    Verdict.SUPPORTED: "green", Verdict.CONTRADICTED: "bold red", Verdict.UNSUPPORTED: "yellow",
    Verdict.YOURS: "green", Verdict.TALK: "dim",
}  # fmt: skip
_WORDS = {Verdict.CONTRADICTED: "bold red underline", Verdict.UNSUPPORTED: "yellow underline"}


def show_verdicts(report: Report, evidence: Evidence, page: Path | None = None) -> None:
    """Each sentence with its verdict, under it the reasons; then how many are withheld and marked."""
    table = Table("verdict", "text", box=None, pad_edge=False)
    for sentence in report.sentences:
        if sentence.text.strip():
            table.add_row(Text(sentence.verdict.value, style=_STYLES[sentence.verdict]), _told(sentence, evidence))
    if table.row_count:
        out.print(table)
    count = table.row_count
    say(
        f"\n{count} sentence{'' if count == 1 else 's'}: {withheld(report)} withheld, {marked(report)} marked"
        f" ({report.profile.value} profile, {len(evidence)} fact{'' if len(evidence) == 1 else 's'})",
        "bold" if report.clean else "bold red",
    )
    if page:
        say(f"page: {page}", "dim")


def _told(sentence: Judged, evidence: Evidence) -> Text:
    body = sentence.text.strip("\n").rstrip()
    start = sentence.start + len(sentence.text) - len(sentence.text.lstrip("\n"))
    told = Text(safe(body))
    for v in sentence.violations:
        told.stylize(_WORDS.get(sentence.verdict, "underline"), max(v.start - start, 0), max(v.end - start, 0))
    for v in sentence.violations:
        told.append(f"\n  {_reason(v, sentence, evidence)}", "dim")
    return told


def _reason(v: Violation, sentence: Judged, evidence: Evidence) -> str:
    words = " ".join(v.words.split())
    what = "" if len(words) >= len(sentence.text.strip()) - 12 else f'"{words}": '
    numbered = evidence.get(v.nearest) if v.nearest else None
    nearest = f" (nearest: {numbered.ref} {numbered.fact.kind.name} {numbered.fact.subject})" if numbered else ""
    return safe(" ".join(f"{v.kind.value.replace('_', ' ')}: {what}{v.instruction}{nearest}".split()))
