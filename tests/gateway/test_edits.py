"""An edit is judged by the action's inputs, and is a new digest."""

from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Literal

import pytest
from pydantic import Field

from sayso.core.proposals import Change, Proposal, canonical_bytes
from sayso.errors import Conflict, Expired, NotFound
from sayso.gateway.actions import Action, Done
from sayso.gateway.inputs import Inputs, WrongInputs, edited_bytes, schema_of

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
OLD = {"what": "Tea", "count": 2, "urgent": False, "day": "2026-12-04", "size": "small", "to": "ann", "extra": "kept"}


class Order(Inputs):
    to: str = Field(json_schema_extra={"readOnly": True})
    what: Annotated[str, Field(min_length=1, max_length=10)]
    count: Annotated[int, Field(ge=1, le=9)]
    urgent: bool = False
    day: date | None = None
    size: Literal["small", "large"] = "small"


ORDER = Action("order", "act:order", lambda c, r: Done("ordered"), inputs=Order, title=lambda a: f"Order {a['what']}")


def order(arguments=OLD):
    canonical = canonical_bytes(
        Change("order", "Order Tea", arguments), tool="t", schema={}, actor="ann", owner="ann",
        created=NOW, expires=NOW + timedelta(hours=1), nonce="n",
    )  # fmt: skip
    return Proposal("p1", "thread", "ex", "call", canonical)


def edited(changes, action=ORDER):
    before = order()
    canonical = edited_bytes(before, action, changes, NOW)
    return before, Proposal("p1", "thread", "ex", "call", canonical)


def test_an_edit_changes_what_it_names_and_the_title_and_nothing_else():
    before, after = edited({"what": "Coffee", "count": 3, "day": None, "urgent": True})
    wanted = {**OLD, "what": "Coffee", "count": 3, "day": None, "urgent": True}
    assert after.content == {**before.content, "arguments": wanted, "title": "Order Coffee"}
    assert after.digest != before.digest


def test_an_edit_of_nothing_is_the_same_bytes():
    before, after = edited({"what": "Tea"})
    assert after.canonical == before.canonical


@pytest.mark.parametrize(
    ("changes", "faults"),
    [
        ({"what": ""}, [("what", "required")]),
        ({"what": "x" * 11}, [("what", "too_long")]),
        ({"what": 5}, [("what", "text")]),
        ({"count": 0, "day": "4.12.2026"}, [("count", "too_small"), ("day", "date")]),
        ({"count": 10}, [("count", "too_large")]),
        ({"count": "3"}, [("count", "number")]),
        ({"count": 2.5}, [("count", "number")]),
        ({"count": True}, [("count", "number")]),
        ({"urgent": "yes"}, [("urgent", "yes_no")]),
        ({"day": "2026-02-30"}, [("day", "date")]),
        ({"day": 1}, [("day", "date")]),
        ({"size": "huge"}, [("size", "choice")]),
        ({"to": "bob"}, [("to", "read_only")]),
        ({"nonce": "x"}, [("nonce", "unknown")]),
    ],
)
def test_a_wrong_input_is_named_with_its_field(changes, faults):
    with pytest.raises(WrongInputs) as wrong:
        edited(changes)
    assert [(f.field, f.code) for f in wrong.value.faults] == faults
    assert all(f.message and "{" not in f.message for f in wrong.value.faults)


@pytest.mark.parametrize("changes", [{"count": "3"}, {"other": 1}, {"urgent": 1}])
def test_without_declared_inputs_names_and_types_stay(changes):
    with pytest.raises(WrongInputs):
        edited(changes, Action("order", "a", lambda c, r: Done("ordered")))


def test_a_schema_keeps_the_order_of_its_inputs():
    assert list(schema_of(ORDER)["properties"]) == ["to", "what", "count", "urgent", "day", "size"]


async def test_c5_only_the_new_digest_can_be_approved(bench):
    filed = await bench.filed()
    after = await bench.gateway.edit("p1", bench.actor, {"n": 2}, filed.digest)
    with pytest.raises(Conflict, match="changed"):
        await bench.gateway.approve("p1", filed.digest, bench.actor)
    with pytest.raises(Conflict, match="changed"):
        await bench.gateway.edit("p1", bench.actor, {"n": 3}, filed.digest)
    assert bench.effects == 0
    await bench.gateway.approve("p1", after.digest, bench.actor)
    with pytest.raises(Conflict, match="done"):
        await bench.gateway.edit("p1", bench.actor, {"n": 4}, after.digest)
    assert bench.effects == 1


async def test_nobody_edits_anothers_proposal_or_one_whose_time_is_over(bench):
    from sayso.core.tools import Actor

    filed = await bench.filed()
    with pytest.raises(NotFound):
        await bench.gateway.edit("p1", Actor("bob", "bob"), {"n": 2}, filed.digest)
    bench.clock.moment += timedelta(hours=2)
    with pytest.raises(Expired):
        await bench.gateway.edit("p1", bench.actor, {"n": 2}, filed.digest)
