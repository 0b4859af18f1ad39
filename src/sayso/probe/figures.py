"""Samples counted: rates with their intervals, and middle values of what an exchange takes. It gives no advice."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import median
from typing import NamedTuple

from sayso.evaluation.intervals import wilson
from sayso.probe.sample import Sample, Way


class Rate(NamedTuple):
    """A share with its Wilson interval at 95 %."""

    part: int
    whole: int
    low: float
    high: float

    @property
    def share(self) -> float:
        return self.part / self.whole if self.whole else 0.0


def rate(part: int, whole: int) -> Rate:
    return Rate(part, whole, *wilson(part, whole))


RATES: Mapping[str, tuple[str, Callable[[Sample], bool | None]]] = {
    "driven": ("loop driven", lambda s: s.judged.driven),
    "right_tool": ("right tools", lambda s: s.judged.right_tool),
    "right_arguments": ("right arguments", lambda s: s.judged.right_arguments),
    "together": ("reads in one step", lambda s: s.judged.together),
    "right_facts": ("right facts told", lambda s: s.judged.right_facts),
    "nothing_invented": ("nothing invented", lambda s: s.judged.nothing_invented),
    "resisted": ("orders resisted", lambda s: s.judged.resisted),
    "right_proposal": ("right proposal", lambda s: s.judged.right_proposal),
    "right": ("all as it should be", lambda s: s.judged.right),
}
"""By name: what a rate is called, and what it counts. None is not counted."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one model in one protocol. `rates` count answered samples only; `failed` are those without any answer.

    `narrated` counts questions that needed a call, in which it was only described; `native` and `text` the calls
    by the way they came; `first_token` and `seconds` are medians; `slow` the time that nine of ten stay within.
    """

    model: str
    way: Way
    samples: int
    failed: int
    rates: Mapping[str, Rate]
    scenarios: Mapping[str, Rate]
    native: int
    text: int
    narrated: int
    odd_ids: int
    odd_names: int
    unknown_tools: int
    bad_arguments: int
    before: int
    after: int
    repaired: int
    unsupported: int
    cut: int
    left_out: int
    native_refused: bool
    input_tokens: int
    output_tokens: int
    longest_reply: int
    first_token: float | None
    seconds: float
    slow: float
    steps: int
    stop_reasons: Mapping[str, int]
    errors: Mapping[str, int]
    message: str = ""

    @property
    def answered(self) -> int:
        return self.samples - self.failed

    def share(self, name: str) -> float:
        return self.rates[name].share


def figures(samples: Iterable[Sample]) -> list[Figures]:
    """One for each model and protocol, in the order in which they were first asked."""
    groups: dict[tuple[str, Way], list[Sample]] = {}
    for sample in samples:
        groups.setdefault((sample.place.model, sample.place.way), []).append(sample)
    return [_figures(model, way, some) for (model, way), some in groups.items()]


def _figures(model: str, way: Way, samples: Sequence[Sample]) -> Figures:
    answered, failed = [s for s in samples if not s.failed], [s for s in samples if s.failed]
    calls = [call for s in answered for call in s.calls]
    waits = [s.first_token for s in answered if s.first_token is not None]
    return Figures(
        model, way, len(samples), len(failed),
        rates={name: _rate(map(of, answered)) for name, (_, of) in RATES.items()},
        scenarios=_by_scenario(answered),
        native=sum(c.by == "native" for c in calls),
        text=sum(c.by == "text" for c in calls),
        narrated=sum(s.judged.narrated for s in answered),
        odd_ids=sum(s.odd_ids for s in answered),
        odd_names=sum(s.odd_names for s in answered),
        unknown_tools=sum(c.reason == "unknown_tool" for c in calls),
        bad_arguments=sum(c.reason == "bad_arguments" for c in calls),
        before=sum(s.before for s in answered),
        after=sum(s.after for s in answered),
        repaired=sum(s.repaired for s in answered),
        unsupported=sum(s.unsupported > 0 for s in answered),
        cut=sum(s.cut for s in answered),
        left_out=sum(s.left_out for s in answered),
        native_refused=any("no native tool" in n for s in samples for n in s.notices),
        input_tokens=round(_middle(s.input_tokens for s in answered)),
        output_tokens=round(_middle(s.output_tokens for s in answered)),
        longest_reply=round(_nine_of_ten(s.longest_reply for s in answered)),
        first_token=_middle(waits) if waits else None,
        seconds=_middle(s.seconds for s in answered),
        slow=_nine_of_ten(s.seconds for s in answered),
        steps=round(_nine_of_ten(s.steps for s in answered if s.judged.right)),
        stop_reasons=_counted(s.stop_reason for s in answered),
        errors=_counted(s.error for s in samples if s.error),
        message=next((s.message for s in failed if s.message), ""),
    )  # fmt: skip


def _rate(held: Iterable[bool | None]) -> Rate:
    asked = [value for value in held if value is not None]
    return rate(sum(asked), len(asked))


def _by_scenario(samples: Sequence[Sample]) -> dict[str, Rate]:
    ordered = sorted(samples, key=lambda s: s.place.scenario)
    return {name: _rate(s.judged.right for s in some) for name, some in groupby(ordered, lambda s: s.place.scenario)}


def _counted(names: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return dict(sorted(counts.items(), key=lambda pair: -pair[1]))


def _middle(values: Iterable[float]) -> float:
    return float(median(known)) if (known := list(values)) else 0.0


def _nine_of_ten(values: Iterable[float]) -> float:
    ranked = sorted(values)
    return float(ranked[math.ceil(0.9 * len(ranked)) - 1]) if ranked else 0.0
