"""Verdicts and facts as plain JSON for scripts."""

from __future__ import annotations

from collections import Counter
from typing import Any

from sayso.core.evidence import Evidence, Numbered
from sayso.core.facts import value_text
from sayso.core.verify.repair import final_text
from sayso.core.verify.report import Judged, Report, Verdict
from sayso.verifying.reading import SUBJECT


def report_json(report: Report, evidence: Evidence, locale: str = "en") -> dict[str, Any]:
    """Offsets are characters of the text; `shown` is what a reader would see of it."""
    return {
        "clean": report.clean,
        "profile": report.profile.value,
        "withheld": withheld(report),
        "marked": marked(report),
        "verdicts": dict(Counter(s.verdict.value for s in report.sentences)),
        "sentences": [_sentence(s, report) for s in report.sentences],
        "shown": final_text(report, evidence, locale),
        "facts": [fact_json(n) for n in evidence],
    }


def withheld(report: Report) -> int:
    return sum(report.withheld(s) for s in report.sentences)


def marked(report: Report) -> int:
    return sum(is_marked(s, report) for s in report.sentences)


def is_marked(sentence: Judged, report: Report) -> bool:
    """Whether a sentence is shown with a note that the records say nothing of it."""
    return sentence.verdict is Verdict.UNSUPPORTED and not report.withheld(sentence)


def _sentence(sentence: Judged, report: Report) -> dict[str, Any]:
    return {
        "text": sentence.text,
        "start": sentence.start,
        "end": sentence.end,
        "verdict": sentence.verdict.value,
        "withheld": report.withheld(sentence),
        "marked": is_marked(sentence, report),
        "refs": list(sentence.refs),
        "claims": sentence.claims,
        "violations": [
            {
                "kind": v.kind.value, "words": v.words, "start": v.start, "end": v.end,
                "instruction": v.instruction, "nearest": v.nearest,
            }
            for v in sentence.violations
        ],
    }  # fmt: skip


def fact_json(numbered: Numbered) -> dict[str, Any]:
    """A fact for scripts: every declared field, null where nothing is recorded."""
    fact = numbered.fact
    own = [f.name for f in fact.kind.fields if f.name != SUBJECT]
    fields = {name: value_text(fact.values[name]) if name in fact.values else None for name in own}
    return {
        "ref": numbered.ref,
        "kind": fact.kind.name,
        "subject": fact.subject,
        "source": fact.source,
        "provenance": fact.provenance.value,
        "fields": fields,
    }
