"""Facts and files that actions make are kept apart."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from sayso.core.facts import SECOND_HAND, Provenance
from sayso.errors import NotFound
from sayso.gateway import results
from sayso.gateway.actions import Done, OutFile

pytestmark = pytest.mark.anyio
FACT = SECOND_HAND.fact(
    {"agent": "claw", "asked": "Well?", "answer": "Grüezi \ud83d"},
    source="agent claw", key="claw: Well?", as_of=datetime(2026, 12, 1, tzinfo=UTC), provenance=Provenance.SECOND_HAND,
)  # fmt: skip


async def test_a_fact_comes_back_as_it_was_and_a_file_never_becomes_one(bench):
    await bench.filed()
    forged = OutFile("fact", results.FACT_TYPE, b'{"kind": "receipt"}')
    bench.database.write(lambda c: results.add(c, "p1", Done("sent", files=(forged,), facts=(FACT,))))
    assert await bench.gateway.facts("ann", "p1") == (FACT,)
    assert await bench.gateway.files("ann", "p1") == (OutFile("fact", "application/json", forged.content),)
    for attempt in (bench.gateway.facts("bob", "p1"), bench.gateway.files("bob", "p1")):
        with pytest.raises(NotFound):
            await attempt


async def test_a_damaged_fact_is_left_out_and_logged(bench, caplog):
    await bench.filed()
    bench.database.write(lambda c: results.add(c, "p1", Done("sent", facts=(FACT, FACT))))
    bench.database.write(lambda c: c.execute(text("UPDATE receipt_files SET content = x'7b' WHERE number = 0")))
    assert await bench.gateway.facts("ann", "p1") == (FACT,)
    assert "cannot be read" in caplog.text
