"""What the verifier finds in a labelled text: the spans of its violations."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sayso.core.verify.declared.lexicon import NO_LEXICON, Lexicon
from sayso.core.verify.report import Profile, Report
from sayso.core.verify.setting import Setting
from sayso.core.verify.verifier import Verifier
from sayso.evaluation.records import AS_OF, Labelled
from sayso.vocabulary import ordinary_words


@dataclass(frozen=True, slots=True)
class Predicted:
    """Offsets are characters of the text; one kind for each span."""

    id: str
    spans: tuple[tuple[int, int], ...]
    kinds: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        return {"id": self.id, "spans": [list(s) for s in self.spans], "kinds": list(self.kinds)}


def report_of(
    labelled: Labelled, *, lexicon: Lexicon = NO_LEXICON, profile: Profile = Profile.STRICT, now: datetime = AS_OF
) -> Report:
    setting = Setting(now, "en", "", profile=profile, lexicon=lexicon, ordinary=ordinary_words("en"))
    return Verifier(labelled.evidence, setting).report(labelled.text)


def predicted(labelled: Labelled, report: Report) -> Predicted:
    """The violations of the sentences that the report's profile withholds, each span once, in order."""
    found = {
        (v.start, v.end): v.kind.value for s in report.sentences if report.withheld(s) for v in s.violations
    }  # fmt: skip
    spans = tuple(sorted(found))
    return Predicted(labelled.id, spans, tuple(found[s] for s in spans))
