# ruff: noqa: E501 (patterns and messages are easier to read on one line)
"""After the verdicts: whether a repair is better, what to ask for, and what is shown in the end."""

from __future__ import annotations

from sayso.core.evidence import Evidence
from sayso.core.verify.lexicon import STOP
from sayso.core.verify.quoting import quote_fact
from sayso.core.verify.report import Judged, Report, Verdict
from sayso.core.verify.words import stem, tokens

_GOOD = (Verdict.SUPPORTED, Verdict.YOURS)


def better(old: Report, new: Report, question: str) -> bool:
    """Fewer violations, and no loss of supported claims, of citations or of the question's coverage."""
    return (
        len(new.violations) < len(old.violations)
        and bool(new.text.strip())
        and _supported(new) >= _supported(old)
        and _cited(new) >= _cited(old)
        and _covered(new, question) >= _covered(old, question)
    )


def repair_lines(report: Report) -> tuple[str, ...]:
    """Short instructions, the worst first, at most five."""
    ranked = sorted((s for s in report.sentences if s.violations), key=lambda s: s.verdict is not Verdict.CONTRADICTED)
    lines = [f'"{_short(v.words)}": {v.instruction}' for s in ranked for v in s.violations]
    return tuple(dict.fromkeys(lines))[:5]


def final_text(report: Report, evidence: Evidence, locale: str, *, instead: str = "") -> str:
    """What is shown: withheld sentences give way to the nearest fact, unsupported ones are marked.

    `instead` is told where no sentence is left and no fact was near any of them.
    """
    german = locale.lower().startswith("de")
    shown: list[str] = []
    quoted: set[str] = set()
    dropped = 0
    for sentence in report.sentences:
        if not report.withheld(sentence):
            shown.append(_marked(sentence, german) if sentence.verdict is Verdict.UNSUPPORTED else sentence.text)
            continue
        ref = next((v.nearest for v in sentence.violations if v.nearest and evidence.get(v.nearest)), None)
        numbered = evidence.get(ref) if ref else None
        if numbered is None or numbered.ref in quoted:
            dropped += numbered is None
            continue
        quoted.add(numbered.ref)
        shown.append(_like(sentence, quote_fact(numbered, german=german)))
    text = "".join(shown).rstrip() or instead
    return f"{text}\n\n{_withheld_line(dropped, german)}".strip() if dropped else text


def _withheld_line(count: int, german: bool) -> str:
    if german:
        return f"({count} {'Satz' if count == 1 else 'Sätze'} zurückgehalten: von deinen Unterlagen nicht gedeckt.)"
    return f"({count} {'sentence was' if count == 1 else 'sentences were'} withheld: your records do not carry {'it' if count == 1 else 'them'}.)"


def _marked(sentence: Judged, german: bool) -> str:
    body = sentence.text.rstrip()
    tail = sentence.text[len(body) :]
    return f"{body} ({'nicht in deinen Unterlagen' if german else 'not in your records'}){tail}"


def _like(sentence: Judged, quoted: str) -> str:
    """The quoted fact in the place and the shape (item, row) of the sentence."""
    body = sentence.text.rstrip()
    tail = sentence.text[len(body) :] or " "
    head = body.lstrip()
    if head.startswith("|"):
        columns = max(head.count("|") - 1, 1)
        return "| " + quoted.replace("|", "/") + " |" * columns + tail
    mark = "- " if head[:2] in ("- ", "* ", "• ") else ""
    return mark + quoted + tail


def _supported(report: Report) -> int:
    return sum(s.claims for s in report.sentences if s.verdict in _GOOD)


def _cited(report: Report) -> int:
    return len({r for s in report.sentences if s.verdict is not Verdict.CONTRADICTED for r in s.refs})


def _covered(report: Report, question: str) -> int:
    asked = {stem(t.text) for t in tokens(question) if t.word not in STOP and len(t.text) > 2}
    said = {stem(t.text) for s in report.sentences if s.verdict is not Verdict.CONTRADICTED for t in tokens(s.text)}
    return len(asked & said)


def _short(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= 80 else line[:79] + "…"
