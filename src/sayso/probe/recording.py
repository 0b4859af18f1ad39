"""A probe as a JSON file: what was asked and what came, and the figures that follow. A file can be gone on with."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from sayso.core.characters import whole_characters
from sayso.errors import ConfigError
from sayso.probe.figures import Figures, Rate, figures
from sayso.probe.running import Plan, digest_of_questions
from sayso.probe.sample import Sample
from sayso.probe.scenarios import DAY, scenario_named
from sayso.probe.verdicts import Verdict, verdicts

FORMAT = "sayso-probe-1"


@dataclass(frozen=True, slots=True)
class Record:
    """A plan, and what has been measured of it. `questions` tells which set of questions it was."""

    plan: Plan
    began: str
    samples: tuple[Sample, ...] = ()
    questions: str = ""
    format: str = FORMAT

    @property
    def figures(self) -> list[Figures]:
        return figures(self.samples)

    @property
    def verdicts(self) -> list[Verdict]:
        return verdicts(self.figures)

    @property
    def whole(self) -> bool:
        return len(self.samples) >= self.plan.size

    def with_samples(self, more: Sequence[Sample]) -> Record:
        return replace(self, samples=(*self.samples, *more))


_RECORD = TypeAdapter(Record)


def new_record(plan: Plan, began: str) -> Record:
    return Record(plan, began, questions=digest_of_questions())


def as_json(record: Record) -> dict[str, Any]:
    """What the file holds. `verdicts` and `figures` are for readers; going on reads `plan` and `samples` only."""
    return {
        "format": record.format,
        "questions": record.questions,
        "began": record.began,
        "day": DAY.isoformat(),
        "whole": record.whole,
        "plan": asdict(record.plan),
        "verdicts": [asdict(v) for v in record.verdicts],
        "figures": [_figures_json(f) for f in record.figures],
        "samples": [asdict(s) for s in record.samples],
    }


def _figures_json(f: Figures) -> dict[str, Any]:
    told = {name: value for name, value in asdict(f).items() if name not in ("rates", "scenarios")}
    told["rates"] = {name: _rate_json(one) for name, one in f.rates.items() if one.whole}
    told["scenarios"] = {name: _rate_json(one) for name, one in f.scenarios.items()}
    return told


def _rate_json(one: Rate) -> dict[str, Any]:
    return {"count": one.part, "of": one.whole, "share": one.share, "interval_95": [one.low, one.high]}


def write_record(path: Path, record: Record) -> None:
    """Replaces the file in one step, so that a stop in between loses nothing."""
    fresh = path.with_name(f"{path.name}.part")
    written = whole_characters(json.dumps(as_json(record), ensure_ascii=False, indent=1))
    fresh.write_text(written, encoding="utf-8")
    os.replace(fresh, path)


def read_record(path: Path) -> Record:
    """What a file says was asked. What failed is left out: it is asked again.

    Raises ConfigError when the file is no probe's, or of other questions than these.
    """
    try:
        document: Any = json.loads(path.read_text(encoding="utf-8"))
        kept = {name: document[name] for name in ("format", "questions", "began", "plan", "samples")}
        record = _RECORD.validate_python(kept)
    except OSError as wrong:
        raise ConfigError(f"{path} cannot be read: {wrong.strerror}; name the file of an earlier --json") from wrong
    except (ValidationError, ValueError, KeyError, TypeError, RecursionError) as wrong:
        raise ConfigError(f"{path} is not the file of a probe; name one that --json wrote") from wrong
    if record.format != FORMAT or record.questions != digest_of_questions():
        raise ConfigError(f"{path} was made with other questions than these; start a new probe")
    known = tuple(s for s in record.samples if not s.failed and _exists(s))
    return replace(record, samples=known)


def _exists(sample: Sample) -> bool:
    scenario = scenario_named(sample.place.scenario)
    return scenario is not None and 0 <= sample.place.wording < len(scenario.wordings)
