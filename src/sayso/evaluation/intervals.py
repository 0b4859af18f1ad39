"""Confidence intervals by resampling whole texts, as sentences of one text err together. Seeded: the same each time."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from operator import mul
from statistics import NormalDist

Interval = tuple[float, float]
RESAMPLES = 1000
LEVEL = 0.95


def intervals(
    rows: Sequence[Sequence[int]],
    measure: Callable[[Sequence[int]], Mapping[str, float]],
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Mapping[str, Interval]:
    """For each score that `measure` makes of the sums of the rows' columns, where 95 % of the resamples lie.

    A row holds the counts of one text (percentile bootstrap: Efron and Tibshirani, 1993, chapter 13).
    """
    if not rows:
        return {}
    columns = list(zip(*rows, strict=True))
    random_texts = random.Random(seed)
    drawn: dict[str, list[float]] = {}
    for _ in range(resamples):
        times = Counter(random_texts.choices(range(len(rows)), k=len(rows)))
        weights = [times[i] for i in range(len(rows))]
        for name, value in measure([sum(map(mul, weights, column)) for column in columns]).items():
            drawn.setdefault(name, []).append(value)
    return {name: _middle(sorted(values)) for name, values in drawn.items()}


def wilson(part: int, whole: int) -> Interval:
    """Of a plain share, where resampling says nothing: none of 132 is no proof of none (Wilson, 1927)."""
    if not whole:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    share, spread = part / whole, z * z / whole
    middle = (share + spread / 2) / (1 + spread)
    half = z * math.sqrt(share * (1 - share) / whole + spread / (4 * whole)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def _middle(ranked: Sequence[float]) -> Interval:
    beyond = round(len(ranked) * (1 - LEVEL) / 2)
    return ranked[beyond], ranked[-1 - beyond]
