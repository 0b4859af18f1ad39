"""One world for all tests of the probe, and the short way to probe a kind of model over it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from sayso.core.ports import Model
from sayso.core.progress import Limits
from sayso.probe.recording import Record, new_record
from sayso.probe.running import Plan, probed
from sayso.probe.sample import Way
from sayso.probe.world import World, prepared

Probe = Callable[..., Record]


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return asyncio.run(prepared(tmp_path_factory.mktemp("world")))


@pytest.fixture(scope="session")
def probe(world: World) -> Probe:
    """Probes one model; `make` gives it, for a protocol."""

    def measured(make: Callable[[Way], Model], *, seconds: float = 120, **plan: object) -> Record:
        async def run() -> Record:
            record = new_record(Plan(("m",), **{"samples": 1, **plan}), "2026-11-30T08:00:00+00:00")  # type: ignore
            asked = probed(record.plan, world, lambda _, way: make(way), limits=Limits(steps=6, seconds=seconds))
            return record.with_samples([sample async for sample in asked])

        return asyncio.run(run())

    return measured
