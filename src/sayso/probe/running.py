"""Every question of a probe, in an order that covers all scenarios early; what has been asked is not asked again."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator, Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby

from sayso.core.ports import Model
from sayso.core.progress import Limits
from sayso.probe.asking import ask_once
from sayso.probe.sample import WAYS, Place, Sample, Way
from sayso.probe.scenarios import QUICK, SCENARIOS, Scenario
from sayso.probe.world import World

MakeModel = Callable[[str, Way], Model]
"""The model of a spec, asked in one protocol only."""

STEPS = 6
"""More than the usual three, to see how many a model needs."""
_HOPELESS = frozenset({"model_unreachable", "model_refused", "model_gone", "model_quota"})
_TRIES = 2  # failures in a row after which the rest of a model is not asked


@dataclass(frozen=True, slots=True)
class Plan:
    """Which models are asked what, in which protocols, and each scenario how often; `only` names some scenarios."""

    models: tuple[str, ...]
    samples: int = 4
    quick: bool = False
    ways: tuple[Way, ...] = WAYS
    only: tuple[str, ...] = ()

    @property
    def scenarios(self) -> tuple[Scenario, ...]:
        names = self.only or (QUICK if self.quick else ())
        return tuple(s for s in SCENARIOS if not names or s.name in names)

    def ways_of(self, model: str) -> tuple[Way, ...]:
        """Weights that are held by a grammar write the line protocol, however they are asked."""
        return tuple(w for w in self.ways if w == "text" or not model.startswith("gguf:"))

    def places(self) -> Iterator[Place]:
        """Model by model, protocol by protocol; then round after round over all scenarios.

        A short probe begins with another wording in each scenario, so that both languages are heard.
        """
        for model in self.models:
            for way in self.ways_of(model):
                for turn in range(self.samples):
                    for at, scenario in enumerate(self.scenarios):
                        ahead = at if self.samples < len(scenario.wordings) else 0
                        yield _place(model, way, scenario, turn, ahead)

    @property
    def size(self) -> int:
        return sum(len(self.ways_of(m)) for m in self.models) * self.samples * len(self.scenarios)


def _place(model: str, way: Way, scenario: Scenario, turn: int, ahead: int) -> Place:
    again, wording = divmod(turn, len(scenario.wordings))
    return Place(model, way, scenario.name, (wording + ahead) % len(scenario.wordings), again)


async def probed(
    plan: Plan, world: World, make: MakeModel, done: Collection[Place] = (), *, limits: Limits | None = None
) -> AsyncGenerator[Sample]:
    """Ask all that is not in `done`. A model that cannot be reached at all is given up after two tries."""
    left = [place for place in plan.places() if place not in done]
    by_name = {scenario.name: scenario for scenario in plan.scenarios}
    for (spec, way), places in groupby(left, key=lambda p: (p.model, p.way)):
        model, failures = make(spec, way), 0
        try:
            for place in places:
                sample = await ask_once(world, model, by_name[place.scenario], place, limits or Limits(steps=STEPS))
                yield sample
                failures = failures + 1 if sample.error in _HOPELESS else 0
                if failures >= _TRIES:
                    break
        finally:
            await _closed(model)


async def _closed(model: Model) -> None:
    close = getattr(model, "aclose", None)
    if close is not None:
        with suppress(OSError):
            await close()


def digest_of_questions() -> str:
    """Of all that is asked and how it is judged: figures of another set are not to be put together with these."""
    return hashlib.sha256(repr(SCENARIOS).encode()).hexdigest()[:16]
